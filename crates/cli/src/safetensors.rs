//! Reads the names, dtypes and shapes of a safetensors file. Of the file only the header is read.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use crate::file::{self, Format};
use crate::leaf::{self, Leaf, Type, Types};
use crate::names::Named;
use crate::source::Source;
use crate::style::plain;
use crate::{progress, sniff};

/// The largest header, which is that of the crate `safetensors`.
const MAX_HEADER: u64 = 100_000_000;

/// Reads a safetensors file of `len` bytes, or of any number if that is not known.
pub(crate) fn read(file: impl Read, len: Option<u64>) -> Result<Source, String> {
    let (tensors, metadata) = header(file, len)?;
    let mut source = Source::named("safetensors", tensors)?;
    let texts = metadata.iter().map(|(key, text)| format!("{key}={text}"));
    let text = plain(&texts.collect::<Vec<_>>().join(", "));
    source.facts.extend((!metadata.is_empty()).then_some(("metadata", text)));
    source.metadata = metadata;
    Ok(source)
}

/// The texts of a header by key.
pub(crate) type Metadata = BTreeMap<String, String>;

/// Reads the header of a file, and compares the length of the file with it.
fn header(mut file: impl Read, len: Option<u64>) -> Result<(Vec<Named>, Metadata), String> {
    let say = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => "file ends before the length of its header".into(),
        _ => error.to_string(),
    };
    let mut size = [0; 8];
    file.read_exact(&mut size).map_err(say)?;
    let size = u64::from_le_bytes(size);
    if size > MAX_HEADER {
        return Err(format!("header of {size} bytes is longer than {MAX_HEADER}"));
    }
    // A length that is only announced takes no memory.
    let room = len.map_or(0, |len| len.min(size)) as usize;
    let mut header = Vec::with_capacity(room);
    (&mut file).take(size).read_to_end(&mut header).map_err(say)?;
    if (header.len() as u64) < size {
        return Err(format!("file ends inside its header of {size} bytes"));
    }
    progress::step("parsing the header");
    let Header { mut tensors, metadata } =
        serde_json::from_slice(&header).map_err(|error| format!("header: {error}"))?;
    drop(header);
    tensors.sort_by_key(|tensor| tensor.bytes);
    let mut described = 0;
    for Tensor { name, leaf, bytes: [start, end] } in &tensors {
        let kind = &leaf.kind;
        if *start != described || end < start {
            return Err(format!(
                "header: tensor {name:?} has data_offsets [{start},{end}], after {described} bytes of others"
            ));
        }
        if kind.bits.is_some() && kind.bytes() != Some(end - start) {
            return Err(format!("header: tensor {name:?} has {} bytes for {kind}", end - start));
        }
        described = *end;
    }
    let found = match len {
        Some(len) => len.saturating_sub(8 + size),
        None => io::copy(&mut file, &mut io::sink()).map_err(say)?,
    };
    if found != described {
        return Err(format!("header describes {described} bytes of tensors, the file has {found}"));
    }
    Ok((tensors.into_iter().map(|tensor| (tensor.name, tensor.leaf)).collect(), metadata))
}

/// The header of a file.
struct Header {
    tensors: Vec<Tensor>,
    metadata: Metadata,
}

struct Tensor {
    name: Box<str>,
    leaf: Leaf,
    /// Where its bytes begin and end, after the header.
    bytes: [u64; 2],
}

/// What a header says of a tensor.
struct Info {
    dtype: String,
    shape: Vec<u64>,
    bytes: [u64; 2],
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(HeaderReader)
    }
}

struct HeaderReader;

impl<'de> Visitor<'de> for HeaderReader {
    type Value = Header;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Header, A::Error> {
        let (mut types, mut tensors, mut metadata) = (Types::default(), Vec::new(), None);
        while let Some(name) = entries.next_key::<String>()? {
            if name == "__metadata__" {
                let say = |error| A::Error::custom(format_args!("metadata: {error}"));
                let texts = entries.next_value::<Option<Texts>>().map_err(say)?;
                if metadata.replace(texts.unwrap_or_default().0).is_some() {
                    return Err(say(A::Error::custom("comes twice")));
                }
                continue;
            }
            let say = |error| A::Error::custom(format_args!("tensor {name:?}: {error}"));
            let Info { dtype, shape, bytes } = entries.next_value().map_err(say)?;
            let (dtype, bits) = leaf::of_safetensors(&dtype);
            let leaf = types.leaf(Type::array(dtype, bits, shape.into_iter()));
            tensors.push(Tensor { name: name.into(), leaf, bytes });
        }
        Ok(Header { tensors, metadata: metadata.unwrap_or_default() })
    }
}

/// Metadata of which no key comes twice.
#[derive(Default)]
struct Texts(Metadata);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TextsReader)
    }
}

struct TextsReader;

impl<'de> Visitor<'de> for TextsReader {
    type Value = Texts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of texts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Texts, A::Error> {
        let mut texts = Metadata::new();
        while let Some((key, text)) = entries.next_entry::<String, String>()? {
            if texts.contains_key(&key) {
                return Err(A::Error::custom(format_args!("key {key:?} comes twice")));
            }
            texts.insert(key, text);
        }
        Ok(Texts(texts))
    }
}

impl<'de> Deserialize<'de> for Info {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InfoReader)
    }
}

struct InfoReader;

impl<'de> Visitor<'de> for InfoReader {
    type Value = Info;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with dtype, shape and data_offsets")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Info, A::Error> {
        let (mut dtype, mut shape, mut bytes) = (None, None, None);
        while let Some(field) = fields.next_key::<String>()? {
            match field.as_str() {
                "dtype" => dtype = Some(fields.next_value()?),
                "shape" => shape = Some(fields.next_value()?),
                "data_offsets" => bytes = Some(fields.next_value()?),
                _ => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        let lacks = A::Error::missing_field;
        Ok(Info {
            dtype: dtype.ok_or_else(|| lacks("dtype"))?,
            shape: shape.ok_or_else(|| lacks("shape"))?,
            bytes: bytes.ok_or_else(|| lacks("data_offsets"))?,
        })
    }
}

/// Reads the index of a checkpoint in several files, and the headers of those files, which are in the same folder as the
/// index. `shards` has the file of each tensor. With `partial`, files may be absent.
pub(crate) fn index(
    shards: BTreeMap<String, String>,
    path: &Path,
    partial: bool,
) -> Result<Source, String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_absent =
        |shard: &&String| is_beside(shard) && !fs::exists(folder.join(shard)).unwrap_or(true);
    let absent: BTreeSet<_> = shards.values().filter(is_absent).collect();
    let absent: Vec<_> = absent.into_iter().map(|shard| plain(shard)).collect();
    if !absent.is_empty() && !partial {
        let are = if absent.len() == 1 { "is" } else { "are" };
        return Err(format!(
            "\"{}\", which the index names, {are} absent; --partial reads the others",
            absent.join("\", \"")
        ));
    }
    let mut files: BTreeMap<&str, Option<HashMap<Box<str>, Leaf>>> = BTreeMap::new();
    for shard in shards.values() {
        if !files.contains_key(shard.as_str()) {
            let tensors = read_shard(folder, shard)
                .map_err(|why| format!("{shard:?}, which the index names, {why}"))?;
            files.insert(shard, tensors);
        }
    }
    let mut names = Vec::new();
    let unknown = Leaf::from(Type::unknown());
    for (name, shard) in &shards {
        let leaf = match files.get_mut(shard.as_str()) {
            Some(Some(tensors)) => tensors.remove(name.as_str()).ok_or_else(|| {
                format!("tensor {name:?} is not in {shard:?}, which the index names")
            })?,
            _ => unknown.clone(),
        };
        names.push((name.as_str().into(), leaf));
    }
    let mut text = files.len().to_string();
    if !absent.is_empty() {
        text += &format!(", without {}", absent.join(", "));
    }
    drop(files);
    let mut source = Source::named("safetensors index", names)?;
    source.facts.push(("files", text));
    Ok(source)
}

/// Whether a file is in the same folder as the index. An index from elsewhere does not decide which files of this machine are
/// read.
fn is_beside(shard: &str) -> bool {
    Path::new(shard).file_name() == Some(OsStr::new(shard))
}

/// Reads the tensors of a file of an index, or nothing if it is absent.
fn read_shard(folder: &Path, shard: &str) -> Result<Option<HashMap<Box<str>, Leaf>>, String> {
    if !is_beside(shard) {
        return Err("is no file beside it".into());
    }
    let path = folder.join(shard);
    // A pipe would never end.
    let len = match fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() => metadata.len(),
        Ok(_) => return Err("is no file".into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("cannot be read: {error}")),
    };
    let say = |why: String| format!("cannot be read: {why}");
    let file = File::open(&path).map_err(|error| say(error.to_string()))?;
    let mut file = progress::Counted::new(file, None);
    let start = sniff::start(&mut file).map_err(say)?;
    let read = header(start.chain(file), Some(len));
    let (tensors, _) =
        read.map_err(|why| say(file::reason(&start, &path, Some(Format::Safetensors), why)))?;
    let mut named = HashMap::with_capacity(tensors.len());
    for (name, leaf) in tensors {
        match named.entry(name) {
            Entry::Vacant(place) => place.insert(leaf),
            Entry::Occupied(place) => return Err(format!("has {:?} twice", place.key())),
        };
    }
    Ok(Some(named))
}
