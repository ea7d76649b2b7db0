//! Reads the names, dtypes and shapes of the arrays in an `.npz` file of NumPy: a zip file with an `.npy` file for each
//! array. Of the file only the directory and the headers are read.

use std::collections::BTreeMap;
use std::io::{Read, Seek};

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive};

use crate::leaf::Type;
use crate::source::Source;
use crate::style::plain;

/// The largest header of an array. NumPy itself refuses headers above 10 kB, unless its caller trusts the file.
const MAX_HEADER: usize = 1_000_000;

/// Reads an `.npz` file. Names are split at slashes, or at dots if none has a slash.
pub(crate) fn read(file: impl Read + Seek) -> Result<Source, String> {
    let say = |error: rawzip::Error| format!("not a zip file: {error}");
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_seekable(file, &mut buffer).map_err(say)?;
    let mut names = BTreeMap::new();
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(say)? {
        let path = entry.file_path();
        let name = String::from_utf8_lossy(path.as_ref()).into_owned();
        let array = archive.get_entry(entry.wayfinder()).map_err(say)?;
        let packed = array.reader();
        let kind = match entry.compression_method() {
            CompressionMethod::STORE => header(packed, entry.uncompressed_size_hint()),
            CompressionMethod::DEFLATE => {
                header(DeflateDecoder::new(packed), entry.uncompressed_size_hint())
            }
            other => Err(format!("is compressed by method {other:?}")),
        };
        let kind = kind.map_err(|why| format!("{name:?} {why}"))?;
        let name = name.strip_suffix(".npy").unwrap_or(&name).to_owned();
        if names.insert(name.clone(), Some(kind)).is_some() {
            return Err(format!("array {name:?} comes twice"));
        }
    }
    let separator = if names.keys().any(|name| name.contains('/')) { '/' } else { '.' };
    Source::named("npz", names, separator)
}

/// Reads the header of an array, and compares the `len` bytes of its file with it.
fn header(mut file: impl Read, len: u64) -> Result<Type, String> {
    let mut take = |count: usize| {
        let mut bytes = vec![0; count];
        file.read_exact(&mut bytes).map_err(|_| "is no NumPy array")?;
        Ok::<_, String>(bytes)
    };
    let start = take(8)?;
    if !start.starts_with(b"\x93NUMPY") {
        return Err("is no NumPy array".into());
    }
    // Version 1 has two bytes for the length of the header, later ones four.
    let size = take(if start[6] == 1 { 2 } else { 4 })?;
    let count = size.iter().rev().fold(0, |count, byte| count << 8 | usize::from(*byte));
    if count > MAX_HEADER {
        return Err(format!("has a header of {count} bytes"));
    }
    let text = String::from_utf8_lossy(&take(count)?).into_owned();
    let kind = array(&text).ok_or_else(|| format!("has an unknown header: {}", text.trim()))?;
    let rest = len.saturating_sub((8 + size.len() + count) as u64);
    match kind.bytes() {
        Some(bytes) if bytes != rest => Err(format!("has {rest} bytes for {kind}")),
        _ => Ok(kind),
    }
}

/// Reads the text of a header: `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
fn array(text: &str) -> Option<Type> {
    let after = |key: &str| text.rfind(key).map(|at| text[at + key.len()..].trim_start());
    let (shape, _) = after("'shape':")?.strip_prefix('(')?.split_once(')')?;
    let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
    let shape: Vec<u64> = sizes.map(|size| size.parse().ok()).collect::<Option<_>>()?;
    let start = text.find("'descr':")? + "'descr':".len();
    let descr = text[start..].trim_start();
    // A list describes the fields of a record.
    let (dtype, bits) = match descr.strip_prefix('\'') {
        Some(name) => dtype(name.split_once('\'')?.0)?,
        None => ("record".into(), None),
    };
    Some(Type::array(dtype, bits, shape.into_iter()))
}

/// Returns the name and the bits of a dtype in NumPy's array protocol: byte order, kind and bytes, as in `<f4`.
fn dtype(text: &str) -> Option<(String, Option<u64>)> {
    let text = text.trim_start_matches(['<', '>', '|', '=']);
    let kind = text.chars().next()?;
    let digits: String = text.chars().skip(1).take_while(char::is_ascii_digit).collect();
    let bits = digits.parse::<u64>().ok().and_then(|bytes| bytes.checked_mul(8));
    Some(match (kind, bits) {
        ('b', Some(8)) => ("bool".into(), bits),
        ('f' | 'i' | 'u' | 'c', Some(bits)) => (format!("{kind}{bits}"), Some(bits)),
        // Four bytes for a character.
        ('U', Some(bits)) => (format!("U{digits}"), bits.checked_mul(4)),
        ('O', _) => ("object".into(), None),
        // Dates, byte strings, and what NumPy does not know: `V2` is JAX's `bfloat16`.
        _ => (plain(text), bits),
    })
}
