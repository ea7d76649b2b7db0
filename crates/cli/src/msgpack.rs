//! Reads msgpack files as Flax writes them: dicts of arrays, of which the elements are skipped.

use std::io::{self, BufRead as _, BufReader, Read, Seek, SeekFrom};

use rmp::Marker;
use rmp::decode;
use treedef::head::DictKind;

use crate::key::{Float, Key};
use crate::leaf::{self, Type, Types};
use crate::source::{Containers, Source};
use crate::style::{cut_middle, plain};
use crate::tree::{self, MAX_DEPTH, Tree};

/// The key that marks an array in pieces, which has more than a gigabyte. Beside it are its shape and the pieces.
const CHUNKED: &str = "__msgpack_chunked_array__";

/// The largest length of a path in a message.
const MAX_PATH: usize = 100;

/// What is said of a file that is cut off.
const ENDS: &str = "file ends inside a msgpack value";

/// Reads a file: one value.
pub(crate) fn read(mut file: impl Read + Seek) -> Result<Source, String> {
    let say = |error: io::Error| error.to_string();
    let len = file.seek(SeekFrom::End(0)).map_err(say)?;
    file.rewind().map_err(say)?;
    let file = Input { file: BufReader::new(file), left: len };
    let mut reader = Reader { file, types: Types::default(), path: Vec::new() };
    let tree = reader.value(0);
    let tree = tree.map_err(|why| match &reader.path[..] {
        _ if why == ENDS => why,
        [] => why,
        path => format!("{why}, at {}", cut_middle(&path.concat(), MAX_PATH)),
    })?;
    if reader.file.left > 0 {
        return Err("bytes follow the msgpack value".into());
    }
    // Flax writes lists and classes as dicts.
    Source::of_tree("msgpack", tree, Containers::Some)
}

/// A file, and the number of bytes to come.
struct Input<R> {
    file: BufReader<R>,
    left: u64,
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.left = self.left.saturating_sub(count as u64);
        Ok(count)
    }
}

/// What the first byte of a value says.
#[derive(PartialEq)]
enum Kind {
    Int,
    Text,
    Bytes,
    List,
    Dict,
    Extension,
    Other(Marker),
}

struct Reader<R> {
    file: Input<R>,
    types: Types,
    /// The keys of the value that is read. They are left as they are at an error.
    path: Vec<String>,
}

impl<R: Read + Seek> Reader<R> {
    /// Looks at the first byte of the next value.
    fn kind(&mut self) -> Result<Kind, String> {
        let start = self.file.file.fill_buf().map_err(|error| error.to_string())?;
        let marker = Marker::from_u8(*start.first().ok_or(ENDS)?);
        Ok(match marker {
            Marker::FixPos(_) | Marker::FixNeg(_) => Kind::Int,
            Marker::U8 | Marker::U16 | Marker::U32 | Marker::U64 => Kind::Int,
            Marker::I8 | Marker::I16 | Marker::I32 | Marker::I64 => Kind::Int,
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => Kind::Text,
            Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => Kind::Bytes,
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => Kind::List,
            Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => Kind::Dict,
            Marker::FixExt1 | Marker::FixExt2 | Marker::FixExt4 => Kind::Extension,
            Marker::FixExt8 | Marker::FixExt16 => Kind::Extension,
            Marker::Ext8 | Marker::Ext16 | Marker::Ext32 => Kind::Extension,
            other => Kind::Other(other),
        })
    }

    /// Passes over bytes.
    fn skip(&mut self, len: u64) -> Result<(), String> {
        self.file.left = self.file.left.checked_sub(len).ok_or(ENDS)?;
        let len = i64::try_from(len).map_err(|_| ENDS)?;
        self.file.file.seek_relative(len).map_err(|error| error.to_string())
    }

    fn int(&mut self) -> Result<i128, String> {
        decode::read_int(&mut self.file).map_err(|_| ENDS.into())
    }

    fn text(&mut self) -> Result<String, String> {
        let len = decode::read_str_len(&mut self.file).map_err(|_| ENDS)?.into();
        let mut text = String::new();
        let read = (&mut self.file).take(len).read_to_string(&mut text);
        match read {
            Ok(count) if count as u64 == len => Ok(text),
            Ok(_) => Err(ENDS.into()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Reads a value and those in it.
    fn value(&mut self, depth: u32) -> Result<Tree, String> {
        if depth > MAX_DEPTH {
            return Err(format!("tree is deeper than {MAX_DEPTH} levels"));
        }
        let leaf = match self.kind()? {
            Kind::Int => {
                let int = self.int()?;
                self.types.scalar("int", int)
            }
            Kind::Text => {
                let text = self.text()?;
                self.types.scalar("str", text)
            }
            Kind::Bytes => {
                let len = decode::read_bin_len(&mut self.file).map_err(|_| ENDS)?;
                self.skip(len.into())?;
                self.types.leaf(Type::named("bytes"))
            }
            Kind::List => {
                let len = decode::read_array_len(&mut self.file).map_err(|_| ENDS)?;
                let mut items = Vec::new();
                for at in 0..len {
                    self.path.push(format!("[{at}]"));
                    items.push(self.value(depth + 1)?);
                    self.path.pop();
                }
                return Ok(Tree::List(items));
            }
            Kind::Dict => return self.dict(depth),
            Kind::Extension => {
                let kind = self.extension()?;
                self.types.leaf(kind)
            }
            Kind::Other(Marker::Null) => {
                self.skip(1)?;
                return Ok(Tree::None);
            }
            Kind::Other(Marker::F32) => {
                let float = decode::read_f32(&mut self.file).map_err(|_| ENDS)?;
                self.types.scalar("float", format_args!("{float:?}"))
            }
            Kind::Other(Marker::F64) => {
                let float = decode::read_f64(&mut self.file).map_err(|_| ENDS)?;
                self.types.scalar("float", format_args!("{float:?}"))
            }
            Kind::Other(marker @ (Marker::True | Marker::False)) => {
                self.skip(1)?;
                self.types.scalar("bool", marker == Marker::True)
            }
            Kind::Other(marker) => {
                return Err(format!("msgpack has no value that begins with {:#x}", marker.to_u8()));
            }
        };
        Ok(Tree::Leaf(leaf))
    }

    /// Reads a key of a dict.
    fn key(&mut self) -> Result<Key, String> {
        Ok(match self.kind()? {
            Kind::Text => Key::Text(self.text()?),
            Kind::Int => {
                let int = self.int()?;
                int.try_into().map_or_else(|_| Key::Opaque(int.to_string()), Key::Int)
            }
            Kind::Bytes => {
                let len = decode::read_bin_len(&mut self.file).map_err(|_| ENDS)?.into();
                let mut bytes = Vec::new();
                let read = (&mut self.file).take(len).read_to_end(&mut bytes);
                if read.map_err(|error| error.to_string())? as u64 != len {
                    return Err(ENDS.into());
                }
                Key::Bytes(bytes)
            }
            Kind::Other(Marker::Null) => {
                self.skip(1)?;
                Key::None
            }
            Kind::Other(marker @ (Marker::True | Marker::False)) => {
                self.skip(1)?;
                Key::Bool(marker == Marker::True)
            }
            Kind::Other(Marker::F64) => {
                Key::Float(Float(decode::read_f64(&mut self.file).map_err(|_| ENDS)?))
            }
            _ => return Err("key of a dict is no text, number or bytes".into()),
        })
    }

    /// Reads a dict, or an array in pieces.
    fn dict(&mut self, depth: u32) -> Result<Tree, String> {
        let len = decode::read_map_len(&mut self.file).map_err(|_| ENDS)?;
        let mut entries = Vec::new();
        for _ in 0..len {
            let key = self.key()?;
            self.path.push(format!("[{key}]"));
            entries.push((key, self.value(depth + 1)?));
            self.path.pop();
        }
        let dict = tree::dict(DictKind::Sorted, entries)?;
        if dict.get(CHUNKED).is_none() {
            return Ok(dict);
        }
        let kind = whole(&dict).ok_or_else(|| format!("dict with {CHUNKED:?} is no array"))?;
        Ok(Tree::Leaf(self.types.leaf(kind)))
    }

    /// Reads what Flax adds to msgpack: arrays (1), complex numbers (2) and scalars of NumPy (3). A scalar is stored as an array.
    fn extension(&mut self) -> Result<Type, String> {
        let meta = decode::read_ext_meta(&mut self.file).map_err(|_| ENDS)?;
        let end = self.file.left.checked_sub(meta.size.into()).ok_or(ENDS)?;
        let kind = match meta.typeid {
            1 | 3 => self.array()?.ok_or("array without shape, dtype and bytes")?,
            2 => Type::named("complex"),
            other => Type::named(&format!("extension {other}")),
        };
        let rest = self.file.left.checked_sub(end).ok_or("array is longer than its bytes")?;
        if rest > 0 && kind.shape.is_some() {
            return Err("array is shorter than its bytes".into());
        }
        self.skip(rest)?;
        Ok(kind)
    }

    /// Reads the shape, the dtype and the bytes of an array. `None` if they are no array.
    fn array(&mut self) -> Result<Option<Type>, String> {
        if decode::read_array_len(&mut self.file).ok() != Some(3) || self.kind()? != Kind::List {
            return Ok(None);
        }
        let count = decode::read_array_len(&mut self.file).map_err(|_| ENDS)?;
        let mut shape = Vec::new();
        for _ in 0..count {
            match self.int().ok().and_then(|size| size.try_into().ok()) {
                Some(size) => shape.push(size),
                None => return Ok(None),
            }
        }
        if self.kind()? != Kind::Text {
            return Ok(None);
        }
        let name = self.text()?;
        let bytes = match self.kind()? {
            Kind::Bytes => decode::read_bin_len(&mut self.file).map_err(|_| ENDS)?,
            // As bytes were written before msgpack had them.
            Kind::Text => decode::read_str_len(&mut self.file).map_err(|_| ENDS)?,
            _ => return Ok(None),
        };
        self.skip(bytes.into())?;
        let known = leaf::of_name(&name).map(|(name, bits)| (name, Some(bits)));
        let (dtype, bits) = known.unwrap_or_else(|| (plain(&name), None));
        let kind = Type::array(dtype, bits, shape.into_iter());
        match kind.bytes() {
            Some(expected) if expected != u64::from(bytes) => {
                Err(format!("array has {bytes} bytes for {kind}"))
            }
            _ => Ok(Some(kind)),
        }
    }
}

/// Returns the type of an array in pieces: dicts with the sizes and the pieces by number.
fn whole(dict: &Tree) -> Option<Type> {
    let items = |name| match dict.get(name) {
        Some(Tree::Dict(items)) => Some(items),
        _ => None,
    };
    let sizes = items("shape")?;
    let size = |at: usize| sizes.get(&at.to_string())?.text("int")?.parse().ok();
    let shape: Vec<u64> = (0..sizes.len()).map(size).collect::<Option<_>>()?;
    let mut pieces = items("chunks")?.values().map(|piece| match piece {
        Tree::Leaf(leaf) => Some(&*leaf.kind),
        _ => None,
    });
    let first = pieces.next()??;
    let mut elements = first.elements()?;
    for piece in pieces {
        let piece = piece.filter(|piece| piece.dtype == first.dtype)?;
        elements = elements.checked_add(piece.elements()?)?;
    }
    let kind = Type::array(first.dtype.clone(), first.bits, shape.into_iter());
    (kind.elements() == Some(elements)).then_some(kind)
}
