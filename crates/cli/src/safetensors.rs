//! Reads the names, dtypes and shapes of a safetensors file. Of the file only the header is read.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::{self, Read};

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use crate::leaf::{self, Leaf, Type, Types};
use crate::names::Named;
use crate::progress;
use crate::source::Source;
use crate::style::{grouped, plain};

/// The largest header, which is that of the crate `safetensors`.
const MAX_HEADER: u64 = 100_000_000;

/// Reads a safetensors file of `len` bytes, or of any number if that is not known.
pub(crate) fn read(file: impl Read, len: Option<u64>, partial: bool) -> Result<Source, String> {
    source("safetensors", header(file, len, partial)?)
}

/// Makes the source of what files have.
pub(crate) fn source(format: &'static str, head: Head) -> Result<Source, String> {
    let Head { tensors, metadata, cut } = head;
    let texts: HashSet<&str> = metadata.iter().flat_map(|(key, text)| [&**key, text]).collect();
    let named = tensors.iter().filter_map(|(name, _)| texts.get(&**name));
    let named: HashSet<&str> = named.copied().collect();
    let is_equal = |(key, text): &(&String, &String)| {
        named.contains(text.as_str()) && !named.contains(key.as_str())
    };
    let (equal, others): (Vec<_>, Vec<_>) = metadata.iter().partition(is_equal);
    let facts = [("equal", equal, " = "), ("metadata", others, "=")].map(|(name, pairs, sign)| {
        let texts: Vec<_> = pairs.iter().map(|(key, text)| format!("{key}{sign}{text}")).collect();
        (name, plain(&texts.join(", ")))
    });
    let mut source = Source::named(format, tensors)?;
    let remark = |[described, found]: [u64; 2]| {
        let [described, found] = [described, found].map(grouped);
        ("remark", format!("the file has {found} of {described} bytes of tensors"))
    };
    source.facts.extend(cut.map(remark));
    source.facts.extend(facts.into_iter().filter(|(_, text)| !text.is_empty()));
    source.metadata = metadata;
    Ok(source)
}

/// The texts of a header by key.
pub(crate) type Metadata = BTreeMap<String, String>;

/// What a file says of its tensors.
pub(crate) struct Head {
    pub(crate) tensors: Vec<Named>,
    pub(crate) metadata: Metadata,
    /// The bytes of tensors that the header describes and those that the file has, if these are fewer.
    pub(crate) cut: Option<[u64; 2]>,
}

/// Reads the header of a file, and compares the length of the file with it. With `partial`, bytes of tensors may be absent.
pub(crate) fn header(mut file: impl Read, len: Option<u64>, partial: bool) -> Result<Head, String> {
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
        let enough = size.saturating_add(8);
        return Err(format!(
            "file ends inside its header of {size} bytes; of the first {enough} bytes --partial shows the tree"
        ));
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
    let cut = Some([described, found]).filter(|_| found != described);
    let tensors = tensors.into_iter().map(|tensor| (tensor.name, tensor.leaf)).collect();
    let say = |[described, found]: [u64; 2]| {
        format!("header describes {described} bytes of tensors, the file has {found}")
    };
    match cut.map(say) {
        Some(why) if found > described => Err(why),
        Some(why) if !partial => Err(format!("{why}; --partial reads the header alone")),
        _ => Ok(Head { tensors, metadata, cut }),
    }
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
