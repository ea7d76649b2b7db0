//! Says what a file is that is not read, by its first bytes.

use std::io::Read;

/// The number of bytes that are looked at.
const START: usize = 512;

/// Reads the first bytes of a file.
pub(crate) fn start(file: &mut impl Read) -> Result<Vec<u8>, String> {
    let mut start = Vec::new();
    let count = file.take(START as u64).read_to_end(&mut start);
    count.map(|_| start).map_err(|error| error.to_string())
}

/// A checkpoint of PyTorch, which is a pickle, perhaps in a zip file.
pub(crate) const TORCH: &str = "this is a PyTorch checkpoint (pickle), which treedef does not read; \
     safetensors.torch.save_file(torch.load(..), ..) writes one that it reads";

/// Any other pickle.
const PICKLE: &str = "this is a pickle of Python, which treedef does not read; \
     numpy.savez(.., **arrays) writes an .npz file, which it reads";

/// A checkpoint in parts. Its folder has such a pickle.
const DISTRIBUTED: &str = "this is a checkpoint of torch.distributed, which treedef does not read; \
     torch.distributed.checkpoint.format_utils.dcp_to_torch_save(..) and \
     safetensors.torch.save_file(torch.load(..), ..) write one that it reads";

/// A structure, as `print` or a pickle.
const TREEDEF: &str = "this is a treedef as JAX prints or pickles it, which treedef does not read; \
     PyTreeDef.serialize_using_proto() writes a .pb file, which it reads";

const PRINTED: &str = "this is a dict as Python prints it, which treedef does not read; \
     json.dumps(jax.tree.map(lambda x: str(jax.typeof(x)), ..)) writes JSON, which it reads";

const TENSORFLOW: &str = "this is a model of TensorFlow, which treedef does not read; \
     numpy.savez(.., **arrays) writes an .npz file, which it reads";

const OCDBT: &str = "this is part of an OCDBT database, as Orbax writes it, which treedef does not read; \
     it reads the file _METADATA of the checkpoint";

const GGUF: &str = "this is a GGUF file, which treedef does not read; \
     it reads the safetensors files from which such files are made";

const HTML: &str = "this is an HTML page, not the file itself; \
     download the file (of Hugging Face: /resolve/ for /blob/)";

const XML: &str =
    "this is XML, such as the answer of a server, not the file itself; download it again";

const ABSENT: &str = "this is the answer of a server that has no such file; download it again";

const REFUSED: &str =
    "this is the answer of a server that refuses access; log in, and download it again";

const TOML: &str = "this is a TOML file, which treedef does not read; it reads JSON";

const YAML: &str = "this is a YAML file, which treedef does not read; it reads JSON";

/// The first bytes of files that are not read, and what is said of them.
const STARTS: [(&[u8], &str); 24] = [
    (
        b"version https://git-lfs.github.com/spec/",
        "this is a git-lfs pointer, not the file itself; `git lfs pull` fetches the file",
    ),
    (b"Entry not found", ABSENT),
    (b"404: Not Found", ABSENT),
    (b"404 Not Found", ABSENT),
    (b"Not Found", ABSENT),
    (b"Repository not found", ABSENT),
    (b"Invalid username or password", REFUSED),
    (b"Invalid credentials", REFUSED),
    (b"Unauthorized", REFUSED),
    (b"Access to model ", REFUSED),
    (b"GGUF", GGUF),
    // The magic number in the order of other machines.
    (b"FUGG", GGUF),
    (
        b"\x89HDF",
        "this is an HDF5 file, which treedef does not read; numpy.savez(.., **arrays) writes an .npz file, which it reads",
    ),
    (
        b"MATLAB ",
        "this is a MATLAB file, which treedef does not read; numpy.savez(.., **arrays) writes an .npz file, which it reads",
    ),
    // The magic numbers of a manifest, of entries, and of versions.
    (b"\x0c\xdb\x3a\x2a", OCDBT),
    (b"\x0c\xdb\x20\xde", OCDBT),
    (b"\x0c\xdb\x12\x34", OCDBT),
    (b"PyTreeDef(", TREEDEF),
    (b"\x1f\x8b", "this is compressed by gzip; `gunzip` writes a file that treedef may read"),
    (
        b"\x28\xb5\x2f\xfd",
        "this is compressed by zstd; `unzstd` writes a file that treedef may read",
    ),
    (b"\xfd7zXZ", "this is compressed by xz; `unxz` writes a file that treedef may read"),
    (b"BZh", "this is compressed by bzip2; `bunzip2` writes a file that treedef may read"),
    (b"%PDF-", "this is a PDF file, which treedef does not read"),
    (b"%YAML", YAML),
];

/// Says what a file is that begins with these bytes, if it is known and not read.
pub(crate) fn explain(start: &[u8]) -> Option<&'static str> {
    let known = STARTS.iter().find(|(bytes, _)| start.starts_with(bytes)).map(|(_, text)| *text);
    known
        .or_else(|| pickle(start))
        .or_else(|| is_tensorflow(start).then_some(TENSORFLOW))
        .or_else(|| markup(start))
        .or_else(|| {
            (start.get(4..8) == Some(b"TFL3"))
                .then_some("this is a TFLite file, which treedef does not read")
        })
        .or_else(|| {
            (start.get(257..262) == Some(b"ustar"))
                .then_some("this is a tar archive; `tar -xf` writes a file that treedef may read")
        })
        .or_else(|| is_onnx(start).then_some("this is an ONNX file, which treedef does not read"))
        .or_else(|| config(start))
}

/// Returns the first line of a text of at least eight characters, or what fits.
pub(crate) fn first_line(start: &[u8]) -> Option<String> {
    let is_seen = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    let text = whole(start).filter(|text| text.len() >= 8 && text.chars().all(is_seen))?;
    Some(text.trim_start().lines().next()?.chars().take(60).collect())
}

/// Returns the text, without the part of a character at the end.
fn whole(start: &[u8]) -> Option<&str> {
    str::from_utf8(start).ok().or_else(|| {
        let error = str::from_utf8(start).err().filter(|error| error.error_len().is_none())?;
        str::from_utf8(start.get(..error.valid_up_to())?).ok()
    })
}

/// Whether the bytes are a pickle. The protocols 0 and 1 have no mark: a dict or a list with its number in the memo, or an
/// object of a module.
fn is_pickle(start: &[u8]) -> bool {
    let is_name = |name: &[u8]| {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.".contains(byte);
        !name.is_empty() && name.iter().all(is_part)
    };
    match start {
        [0x80, 2..=5, ..] => true,
        [b'(', b'd' | b'l', b'p', b'0'..=b'9', ..] | [b'}' | b']', b'q', 0, ..] => true,
        [b'c', names @ ..] => {
            let mut names = names.split(|byte| *byte == b'\n');
            let [module, class, rest] = [names.next(), names.next(), names.next()];
            rest.is_some() && [module, class].iter().flatten().all(|name| is_name(name))
        }
        _ => false,
    }
}

/// Says which pickle it is: one of PyTorch has its number, is in a zip file that may be cut off, or names one of its classes.
fn pickle(start: &[u8]) -> Option<&'static str> {
    let has = |part: &[u8]| start.windows(part.len()).any(|window| window == part);
    if start.starts_with(b"PK\x03\x04") {
        return has(b"/data.pkl").then_some(TORCH);
    }
    let is_torch = [&b"l\xfc\x9cF\xf9 j\xa8P\x19"[..], b"ctorch", b"\ntorch", b"torch."]
        .iter()
        .any(|part| has(part));
    if !is_pickle(start) {
        return None;
    }
    Some(if has(b"torch.distributed.checkpoint") {
        DISTRIBUTED
    } else if is_torch {
        TORCH
    } else if has(b"PyTreeDef") {
        TREEDEF
    } else {
        PICKLE
    })
}

/// Whether the bytes are a SavedModel, which has a version (field 1) and graphs (field 2) that begin with a description
/// (field 1), or the index of a checkpoint, which has a number of files and a version after an empty key.
fn is_tensorflow(start: &[u8]) -> bool {
    match start {
        [8, 1, 0x12, graph @ ..] => {
            let len = graph.iter().take(9).take_while(|byte| **byte > 0x7f).count() + 1;
            len > 1 && graph.get(len) == Some(&0x0a)
        }
        [0, 0, _, 8, _, 0x1a, 2, 8, 1, ..] => true,
        _ => false,
    }
}

/// Says which text with tags it is, after what may be before the first tag.
fn markup(start: &[u8]) -> Option<&'static str> {
    let mut text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let mut is_xml = false;
    let end = |text: &[u8], end: &[u8]| {
        text.windows(end.len()).position(|part| part == end).map(|at| at + end.len())
    };
    loop {
        let close = match text {
            [b'<', b'!', b'-', b'-', ..] => &b"-->"[..],
            [b'<', b'?', b'x', b'm', b'l', ..] => {
                is_xml = true;
                b"?>"
            }
            _ => break,
        };
        // What is longer than what is looked at is a page.
        let Some(at) = end(text, close) else { return Some(if is_xml { XML } else { HTML }) };
        text = text.get(at..)?.trim_ascii_start();
    }
    let lower = text.to_ascii_lowercase();
    if [&b"<!doctype html"[..], b"<html", b"<head"].iter().any(|tag| lower.starts_with(tag)) {
        return Some(HTML);
    }
    is_xml.then_some(XML)
}

/// Whether the bytes are a proto of a version (field 1), and the name of the program that wrote it (field 2) or a graph
/// (field 7) that begins with a node, a name, or a list of tensors or arguments.
fn is_onnx(start: &[u8]) -> bool {
    match start {
        [8, 1..=32, 0x12, len, name @ ..] => name
            .get(..usize::from(*len))
            .is_some_and(|name| !name.is_empty() && name.iter().all(u8::is_ascii_graphic)),
        [8, 1..=32, 0x3a, graph @ ..] => {
            let len = graph.iter().take(9).take_while(|byte| **byte > 0x7f).count() + 1;
            matches!(graph.get(len), Some(0x0a | 0x12 | 0x2a | 0x5a | 0x62))
        }
        _ => false,
    }
}

/// Whether the bytes may be those of msgpack: a map or a list. Other files begin with the same bytes.
pub(crate) fn may_be_msgpack(start: &[u8]) -> bool {
    matches!(start, [0x80..=0x9f | 0xdc..=0xdf, ..])
}

/// Whether the bytes are a map of msgpack of which the first key is a name.
pub(crate) fn is_flax(start: &[u8]) -> bool {
    let entries = match start {
        [0x81..=0x8f, rest @ ..] | [0xde, _, _, rest @ ..] | [0xdf, _, _, _, _, rest @ ..] => rest,
        _ => return false,
    };
    let (len, text) = match entries {
        [head @ 0xa1..=0xbf, text @ ..] => (head - 0xa0, text),
        [0xd9, len, text @ ..] => (*len, text),
        _ => return false,
    };
    text.get(..usize::from(len)).is_some_and(|text| text.iter().all(u8::is_ascii_graphic))
}

/// Says which text of settings it is: by its first line that says something.
fn config(start: &[u8]) -> Option<&'static str> {
    // A line that is cut off says nothing.
    let end = start.iter().rposition(|byte| *byte == b'\n').filter(|_| start.len() >= START);
    let text = whole(start.get(..end.unwrap_or(start.len()))?)?;
    let is_key = |key: &str| {
        let key = key.trim();
        let inside = |quote| key.strip_prefix(quote).and_then(|key| key.strip_suffix(quote));
        let is_part = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        match inside('"').or_else(|| inside('\'')) {
            Some(key) => !key.contains(['"', '\'']),
            None => !key.is_empty() && key.chars().all(is_part),
        }
    };
    let line =
        text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))?;
    let table = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
    let is_table = table.is_some_and(|name| {
        let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        // In brackets these are no names, but what Python writes in JSON.
        name.starts_with(char::is_alphabetic)
            && !["NaN", "Infinity"].contains(&name)
            && is_key(name)
    });
    if is_table || line.split_once('=').is_some_and(|(key, _)| is_key(key)) {
        return Some(TOML);
    }
    let before = |line: &str| line.split_once(": ").map(|(key, _)| key.to_owned());
    let key = before(line).or_else(|| line.strip_suffix(':').map(str::to_owned));
    // Keys in braces have quotes in JSON, and others in Python.
    let inside = line.strip_prefix('{').and_then(before);
    if inside.as_ref().is_some_and(|key| key.trim().starts_with('\'')) {
        return Some(PRINTED);
    }
    let is_flow = inside.is_some_and(|key| is_key(&key) && !key.trim().starts_with('"'));
    let is_item = line.starts_with("- ");
    (line == "---" || key.is_some_and(|key| is_key(&key)) || is_item || is_flow).then_some(YAML)
}
