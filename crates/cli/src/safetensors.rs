//! Reads the names, dtypes and shapes of a safetensors file. Of the file only the header is read.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use safetensors::tensor::{Metadata, TensorInfo};

use crate::leaf::{self, Type};
use crate::source::Source;
use crate::style::plain;

/// The largest header, which is that of the crate `safetensors`.
const MAX_HEADER: u64 = 100_000_000;

/// The tensors of a file, by name.
type Tensors = BTreeMap<String, Option<Type>>;

/// Reads a safetensors file of `len` bytes, or of any number if that is not known. Names are split at dots.
pub(crate) fn read(file: impl Read, len: Option<u64>) -> Result<Source, String> {
    let (tensors, metadata) = header(file, len)?;
    let mut source = Source::named("safetensors", tensors, '.')?;
    source.facts.extend(metadata.map(|text| ("metadata", text)));
    Ok(source)
}

/// Reads the header of a file, and compares the length of the file with it.
fn header(mut file: impl Read, len: Option<u64>) -> Result<(Tensors, Option<String>), String> {
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
    let mut header = Vec::new();
    (&mut file).take(size).read_to_end(&mut header).map_err(say)?;
    if (header.len() as u64) < size {
        return Err(format!("file ends inside its header of {size} bytes"));
    }
    let header: Metadata =
        serde_json::from_slice(&header).map_err(|error| format!("header: {error}"))?;
    let described = header.data_len() as u64;
    let found = match len {
        Some(len) => len.saturating_sub(8 + size),
        None => io::copy(&mut file, &mut io::sink()).map_err(say)?,
    };
    if found != described {
        return Err(format!("header describes {described} bytes of tensors, the file has {found}"));
    }
    let kind = |info: &TensorInfo| {
        let sizes = info.shape.iter().map(|size| *size as u64);
        Type::array(leaf::of_safetensors(info.dtype), Some(info.dtype.bitsize() as u64), sizes)
    };
    let tensors = header.tensors().into_iter();
    let tensors = tensors.map(|(name, info)| (name, Some(kind(info)))).collect();
    let metadata = header.metadata().as_ref().filter(|texts| !texts.is_empty()).map(|texts| {
        let texts: BTreeMap<_, _> = texts.iter().collect();
        let texts = texts.into_iter().map(|(key, text)| format!("{key}={text}"));
        plain(&texts.collect::<Vec<_>>().join(", "))
    });
    Ok((tensors, metadata))
}

/// Reads the index of a checkpoint in several files, and the headers of those that are in the same folder as the index.
/// `shards` has the file of each tensor.
pub(crate) fn index(shards: BTreeMap<String, String>, path: &Path) -> Result<Source, String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut files: BTreeMap<&str, Option<Tensors>> = BTreeMap::new();
    for shard in shards.values() {
        if files.contains_key(shard.as_str()) {
            continue;
        }
        // An index from elsewhere does not decide which files of this machine are read.
        if Path::new(shard).file_name() != Some(OsStr::new(shard)) {
            return Err(format!("index names {shard:?}, which is no file beside it"));
        }
        let tensors = match File::open(folder.join(shard)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(format!("{shard}: {error}")),
            Ok(file) => {
                let len = file.metadata().ok().map(|metadata| metadata.len());
                Some(header(file, len).map_err(|why| format!("{shard}: {why}"))?.0)
            }
        };
        files.insert(shard, tensors);
    }
    let mut names = Tensors::new();
    for (name, shard) in &shards {
        let kind = match files.get_mut(shard.as_str()) {
            Some(Some(tensors)) => tensors.remove(name).ok_or_else(|| {
                format!("tensor {name:?} is not in {shard}, which the index names")
            })?,
            _ => None,
        };
        names.insert(name.clone(), kind);
    }
    let absent = files.values().filter(|tensors| tensors.is_none()).count();
    let mut text = format!("{}", files.len());
    if absent > 0 {
        text += &format!(", {absent} of them not beside the index");
    }
    let mut source = Source::named("safetensors index", names, '.')?;
    source.facts.push(("files", text));
    Ok(source)
}
