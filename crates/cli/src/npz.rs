//! Reads the names, dtypes and shapes of the arrays in an `.npz` file of NumPy: a zip file with an `.npy` file for each
//! array. Of the file only the directory and the headers are read.

use std::io::{self, BufRead as _, BufReader, Read, Seek};

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive};

use crate::leaf::{self, Leaf, Type, Types};
use crate::python::Literal;
use crate::sniff;
use crate::source::Source;
use crate::style::{counted, plain};
use crate::tree::Tree;

/// The largest header of an array. NumPy itself refuses headers above 10 kB, unless its caller trusts the file.
const MAX_HEADER: usize = 1_000_000;

/// What is said of bytes that do not begin as an array.
const NO_ARRAY: &str = "is no NumPy array";

/// What is said of an array of objects.
const OBJECTS: &str = "an array of objects of Python, which are a pickle";

/// Reads an `.npz` file.
pub(crate) fn read(mut file: impl Read + Seek) -> Result<Source, String> {
    let mut start = [0; 4];
    // A file that is shorter is none.
    let is_zip = file.read_exact(&mut start).is_ok() && start == *b"PK\x03\x04";
    let what = if is_zip { "zip file is cut off or damaged" } else { "not a zip file" };
    let say = |error: rawzip::Error| format!("{what}: {error}");
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_seekable(file, &mut buffer).map_err(say)?;
    let (mut names, mut others, mut types) = (Vec::new(), Vec::new(), Types::default());
    let mut objects = Vec::new();
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(say)? {
        let path = entry.file_path();
        let name = String::from_utf8_lossy(path.as_ref()).into_owned();
        let array = archive.get_entry(entry.wayfinder()).map_err(say)?;
        let packed = array.reader();
        let len = Some(entry.uncompressed_size_hint());
        let kind = match entry.compression_method() {
            CompressionMethod::STORE => header(packed, len),
            CompressionMethod::DEFLATE => header(DeflateDecoder::new(packed), len),
            other => Err(format!("is compressed by method {other:?}")),
        };
        let whole = kind.and_then(|(kind, rest)| match (kind.bytes(), rest) {
            (Some(bytes), Some(rest)) if bytes != rest => {
                Err(format!("has {rest} bytes for {kind}"))
            }
            _ => Ok(kind),
        });
        match (whole, name.strip_suffix(".npy")) {
            (Ok(kind), array) => {
                let name = array.unwrap_or(&name);
                if kind.has_objects() {
                    objects.push(name.to_owned());
                }
                names.push((name.into(), types.leaf(kind)));
            }
            (Err(why), Some(_)) => return Err(format!("{name:?} {why}")),
            (Err(_), None) => others.push(name),
        }
    }
    if names.is_empty() {
        return Err(contents(&others));
    }
    let mut source = Source::named("npz", names)?;
    // A folder has nothing itself.
    others.retain(|name| !name.ends_with('/'));
    let text = counted(&others, "a file that is no NumPy array", "files that are no NumPy arrays");
    let many = "arrays of objects of Python, which are pickles";
    let texts = [text, counted(objects, OBJECTS, many)];
    source.facts.extend(texts.into_iter().flatten().map(|text| ("not read", text)));
    Ok(source)
}

/// Says what a zip file is that has no arrays but these files.
fn contents(names: &[String]) -> String {
    let has = |name: &str| names.iter().any(|own| own.rsplit('/').next() == Some(name));
    if has("data.pkl") {
        return sniff::TORCH.into();
    }
    if has("archive_format") {
        return "this is a program of torch.export, which treedef does not read; \
             safetensors.torch.save_file(torch.export.load(..).state_dict, ..) writes a file that it reads"
            .into();
    }
    if has("model.weights.h5") {
        return "this is a Keras file, which treedef does not read; \
             numpy.savez(.., *model.get_weights()) writes an .npz file, which it reads"
            .into();
    }
    match names {
        [] => "this is an empty zip file".into(),
        [name] => format!("this is a zip file without NumPy arrays: it has {name:?}"),
        [name, more @ ..] => {
            format!(
                "this is a zip file without NumPy arrays: it has {name:?} and {} more",
                more.len()
            )
        }
    }
}

/// Reads an `.npy` file of `len` bytes, or of any number if that is not known: an array, or a list of several, one after the
/// other. So Equinox writes leaves, perhaps after a line of JSON.
pub(crate) fn read_arrays(
    file: impl Read,
    mut len: Option<u64>,
    partial: bool,
) -> Result<Source, String> {
    let say = |error: io::Error| error.to_string();
    let mut file = BufReader::new(file);
    let mut line = Vec::new();
    if file.fill_buf().map_err(say)?.starts_with(b"{") {
        file.read_until(b'\n', &mut line).map_err(say)?;
        len = len.map(|len| len.saturating_sub(line.len() as u64));
    }
    let (mut types, mut arrays, mut cut) = (Types::default(), Vec::new(), None);
    loop {
        let before = arrays.last().map(|leaf: &Leaf| leaf.kind.to_string());
        let (kind, rest) = header(&mut file, len).map_err(|why| match before {
            Some(kind) if why == NO_ARRAY => {
                format!("file has bytes after {kind} that are no NumPy array")
            }
            _ => format!("file {why}"),
        })?;
        arrays.push(types.leaf(kind.clone()));
        // The end of a pickle is not known, and the elements of the last array are not read.
        let Some(bytes) = kind.bytes().filter(|bytes| rest != Some(*bytes)) else { break };
        let found = match rest {
            Some(rest) if rest < bytes => rest,
            _ => io::copy(&mut (&mut file).take(bytes), &mut io::sink()).map_err(say)?,
        };
        if found < bytes {
            cut = Some(format!("file has {found} bytes for {kind}"));
            break;
        }
        if file.fill_buf().map_err(say)?.is_empty() {
            break;
        }
        len = rest.map(|rest| rest - bytes);
    }
    let cut = match cut {
        Some(why) if !partial => return Err(format!("{why}; --partial reads the header alone")),
        cut => cut,
    };
    let mut arrays: Vec<_> = arrays.into_iter().map(Tree::Leaf).collect();
    let tree = match arrays.pop() {
        Some(only) if arrays.is_empty() && line.is_empty() => only,
        last => Tree::List(arrays.into_iter().chain(last).collect()),
    };
    let (def, leaves) = tree.flatten()?;
    let has_objects = leaves.iter().any(|leaf| leaf.kind.has_objects());
    let mut source = Source::new("npy", def, Some(leaves));
    let text = plain(String::from_utf8_lossy(&line).trim());
    source.facts.extend((!text.is_empty()).then_some(("before", text)));
    source.facts.extend(cut.map(|why| ("remark", why)));
    source.facts.extend(has_objects.then(|| ("not read", OBJECTS.into())));
    Ok(source)
}

/// Reads the header of an array. Returns its type, and how many of `len` bytes follow.
fn header(mut file: impl Read, len: Option<u64>) -> Result<(Type, Option<u64>), String> {
    let mut take = |count: usize| {
        let mut bytes = vec![0; count];
        file.read_exact(&mut bytes).map_err(|_| "ends inside its header")?;
        Ok::<_, String>(bytes)
    };
    let start = take(8).map_err(|_| NO_ARRAY)?;
    if !start.starts_with(b"\x93NUMPY") {
        return Err(NO_ARRAY.into());
    }
    // Version 1 has two bytes for the length of the header, later ones four.
    let size = take(if start[6] == 1 { 2 } else { 4 })?;
    let count = size.iter().rev().fold(0, |count, byte| count << 8 | usize::from(*byte));
    if count > MAX_HEADER {
        return Err(format!("has a header of {count} bytes"));
    }
    let text = take(count)?;
    let text = match start[6] {
        // Latin-1, of which each byte is the number of a character.
        1 | 2 => text.into_iter().map(char::from).collect(),
        _ => String::from_utf8_lossy(&text).into_owned(),
    };
    let kind = array(&text).ok_or_else(|| format!("has an unknown header: {}", text.trim()))?;
    Ok((kind, len.map(|len| len.saturating_sub((8 + size.len() + count) as u64))))
}

/// Reads the text of a header: `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
fn array(text: &str) -> Option<Type> {
    let Literal::Dict(entries) = Literal::read(text.trim())? else { return None };
    let shape = get(&entries, "shape").filter(|shape| matches!(shape, Literal::Items(_)));
    let mut shape = sizes(shape?)?;
    let Element { dtype, bits, shape: inner } = Element::read(get(&entries, "descr")?)?;
    shape.extend(inner);
    Some(Type::array(dtype, bits, shape.into_iter()))
}

/// Returns the value of a key of a dict.
fn get<'l, 't>(
    entries: &'l [(Literal<'t>, Literal<'t>)],
    name: &'l str,
) -> Option<&'l Literal<'t>> {
    entries.iter().find(|(key, _)| *key == Literal::Text(name)).map(|(_, value)| value)
}

/// Reads a tuple of sizes, or a number, which is the only size.
fn sizes(shape: &Literal<'_>) -> Option<Vec<u64>> {
    match shape {
        Literal::Items(sizes) => sizes.iter().map(number).collect(),
        size => number(size).map(|size| vec![size]),
    }
}

fn number(literal: &Literal<'_>) -> Option<u64> {
    match literal {
        Literal::Number(number) => Some(*number),
        _ => None,
    }
}

/// What an array has in each place.
struct Element {
    dtype: String,
    bits: Option<u64>,
    /// The shape, if each place has an array itself.
    shape: Vec<u64>,
}

impl Element {
    /// Reads NumPy's description of a dtype: a text, a tuple of a dtype and a shape, a list of the fields of a record, or a
    /// dict of their names and formats.
    fn read(descr: &Literal<'_>) -> Option<Self> {
        match descr {
            Literal::Text(text) => {
                let (dtype, bits) = dtype(text)?;
                Some(Self { dtype, bits, shape: Vec::new() })
            }
            Literal::Items(items) => match &items[..] {
                [inner, shape] if sizes(shape).is_some() => {
                    let inner = Self::read(inner)?;
                    Some(Self { shape: [sizes(shape)?, inner.shape].concat(), ..inner })
                }
                fields => Self::record(fields.iter().map(|field| match field {
                    Literal::Items(field) => match &field[..] {
                        [name, descr] => Some((name, descr, Vec::new())),
                        [name, descr, shape] => Some((name, descr, sizes(shape)?)),
                        _ => None,
                    },
                    _ => None,
                })),
            },
            Literal::Dict(entries) => {
                let list = |name| match get(entries, name) {
                    Some(Literal::Items(items)) => Some(items),
                    _ => None,
                };
                let (names, formats) = (list("names")?, list("formats")?);
                if names.len() != formats.len() {
                    return None;
                }
                let fields = names.iter().zip(formats);
                let record =
                    Self::record(fields.map(|(name, descr)| Some((name, descr, Vec::new()))))?;
                // Fields can have space between them, or the same place.
                let size = get(entries, "itemsize").map(number);
                let is_dense = get(entries, "offsets").is_none();
                let bits = match size {
                    Some(size) => Some(size?.checked_mul(8)?),
                    None => record.bits.filter(|_| is_dense),
                };
                Some(Self { bits, ..record })
            }
            _ => None,
        }
    }

    /// Reads the fields of a record: a name, a description, and a shape for an array.
    fn record<'l, 't: 'l>(
        fields: impl Iterator<Item = Option<(&'l Literal<'t>, &'l Literal<'t>, Vec<u64>)>>,
    ) -> Option<Self> {
        let (mut texts, mut bits) = (Vec::new(), Some(0u64));
        for field in fields {
            let (name, descr, shape) = field?;
            let name = match name {
                Literal::Text(name) => *name,
                // A title and a name.
                Literal::Items(names) => match names[..] {
                    [_, Literal::Text(name)] => name,
                    _ => return None,
                },
                _ => return None,
            };
            let inner = Self::read(descr)?;
            let kind = Type::array(inner.dtype, inner.bits, shape.into_iter().chain(inner.shape));
            let size = kind.bytes().and_then(|bytes| bytes.checked_mul(8));
            bits = bits.zip(size).and_then(|(sum, size)| sum.checked_add(size));
            let text = kind.to_string();
            // Bytes that only fill space have no name.
            if !name.is_empty() {
                texts.push(format!("{}:{}", plain(name), text.trim_end_matches("[]")));
            }
        }
        Some(Self { dtype: format!("record{{{}}}", texts.join(",")), bits, shape: Vec::new() })
    }
}

/// Returns the name and the bits of a dtype in NumPy's array protocol: byte order, kind and bytes, as in `<f4`. The order
/// of most machines is not in the name.
pub(crate) fn dtype(text: &str) -> Option<(String, Option<u64>)> {
    let name = text.trim_start_matches(['<', '>', '|', '=']);
    let kind = name.chars().next()?;
    let digits: String = name.chars().skip(1).take_while(char::is_ascii_digit).collect();
    let bits = digits.parse::<u64>().ok().and_then(|bytes| bytes.checked_mul(8));
    let (name, bits) = match (kind, bits) {
        ('b', Some(8)) => ("bool".into(), bits),
        ('f' | 'i' | 'u' | 'c', Some(bits)) => (format!("{kind}{bits}"), Some(bits)),
        // Four bytes for a character.
        ('U', Some(bits)) => (format!("U{digits}"), bits.checked_mul(4)),
        ('O', _) => (leaf::OBJECT.into(), None),
        _ if leaf::of_name(name).is_some() => {
            leaf::of_name(name).map(|(name, bits)| (name, Some(bits)))?
        }
        // Dates, byte strings, and what NumPy does not know: `V2` is JAX's `bfloat16`.
        _ => (plain(name), bits),
    };
    let order = if text.starts_with('>') { ">" } else { "" };
    Some((format!("{order}{name}"), bits))
}
