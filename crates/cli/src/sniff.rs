//! Says what a file is that is not read, by its first bytes.

/// The number of bytes that are looked at.
pub(crate) const START: usize = 512;

/// A checkpoint of PyTorch, which is a pickle, perhaps in a zip file.
const TORCH: &str = "this is a PyTorch checkpoint (pickle), which treedef does not read; \
     safetensors.torch.save_file(torch.load(..), ..) writes one that it reads";

/// The first bytes of files that are not read, and what is said of them.
const STARTS: [(&[u8], &str); 12] = [
    (
        b"version https://git-lfs.github.com/spec/",
        "this is a git-lfs pointer, not the file itself; `git lfs pull` fetches the file",
    ),
    (b"Entry not found", "this is the answer of a server that has no such file; download it again"),
    (
        b"GGUF",
        "this is a GGUF file, which treedef does not read; it reads the safetensors files from which such files are made",
    ),
    (
        b"\x89HDF",
        "this is an HDF5 file, which treedef does not read; numpy.savez(.., **arrays) writes an .npz file, which it reads",
    ),
    (b"\x80\x02", TORCH),
    (b"\x80\x03", TORCH),
    (b"\x80\x04", TORCH),
    (b"\x80\x05", TORCH),
    (
        // The magic number of a manifest.
        b"\x0c\xdb\x3a\x2a",
        "this is part of an OCDBT database, as Orbax writes it, which treedef does not read; it reads the file _METADATA of the checkpoint",
    ),
    (b"\x1f\x8b", "this is compressed by gzip; `gunzip` writes a file that treedef may read"),
    (
        b"\x28\xb5\x2f\xfd",
        "this is compressed by zstd; `unzstd` writes a file that treedef may read",
    ),
    (b"%PDF-", "this is a PDF file, which treedef does not read"),
];

/// Says what a file is that begins with these bytes, if it is known and not read.
pub(crate) fn explain(start: &[u8]) -> Option<&'static str> {
    if let Some((_, text)) = STARTS.iter().find(|(bytes, _)| start.starts_with(bytes)) {
        return Some(text);
    }
    // The pickle is the first file in the zip file.
    if start.starts_with(b"PK") && start.windows(9).any(|name| name == b"/data.pkl") {
        return Some(TORCH);
    }
    let lower = start.trim_ascii_start().to_ascii_lowercase();
    if lower.starts_with(b"<!doctype html") || lower.starts_with(b"<html") {
        return Some(
            "this is an HTML page, not the file itself; download the file (of Hugging Face: /resolve/ for /blob/)",
        );
    }
    if start.get(4..8) == Some(b"TFL3") {
        return Some("this is a TFLite file, which treedef does not read");
    }
    if is_onnx(start) {
        return Some("this is an ONNX file, which treedef does not read");
    }
    if is_msgpack(start) {
        return Some(
            "this is a msgpack file, as Flax writes it, which treedef does not read; safetensors.flax.save_file writes one that it reads",
        );
    }
    match text(start)? {
        "TOML" => Some("this is a TOML file, which treedef does not read; it reads JSON"),
        _ => Some("this is a YAML file, which treedef does not read; it reads JSON"),
    }
}

/// Whether the bytes are a proto of a version (field 1) and the name of the program that wrote it (field 2).
fn is_onnx(start: &[u8]) -> bool {
    matches!(start, [8, 1..=32, 0x12, len, name @ ..]
        if name.get(..usize::from(*len)).is_some_and(|name| !name.is_empty() && name.iter().all(u8::is_ascii_graphic)))
}

/// Whether the bytes are a map of which the first key is a text.
fn is_msgpack(start: &[u8]) -> bool {
    let entries = match start {
        [0x81..=0x8f, rest @ ..] | [0xde, _, _, rest @ ..] | [0xdf, _, _, _, _, rest @ ..] => rest,
        _ => return false,
    };
    let (len, text) = match entries {
        [head @ 0xa1..=0xbf, text @ ..] => (head - 0xa0, text),
        [0xd9, len, text @ ..] => (*len, text),
        _ => return false,
    };
    text.get(..usize::from(len)).is_some_and(|text| str::from_utf8(text).is_ok())
}

/// Returns the name of the format of a text: that of its first line that says something.
fn text(start: &[u8]) -> Option<&'static str> {
    let start = start.get(..start.iter().rposition(|byte| *byte == b'\n')?)?;
    let text = str::from_utf8(start).ok()?;
    let is_key = |key: &str| {
        let is_part = |c: char| c.is_alphanumeric() || "_-.\"'".contains(c);
        !key.is_empty() && key.chars().all(is_part)
    };
    let line =
        text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))?;
    let table = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
    if table.is_some_and(|name| is_key(name.trim_matches(['[', ']'])))
        || line.split_once('=').is_some_and(|(key, _)| is_key(key.trim()))
    {
        return Some("TOML");
    }
    let key = line.split_once(": ").map(|(key, _)| key).or(line.strip_suffix(':'));
    let item = line.strip_prefix("- ").map(|_| line);
    (line == "---" || key.is_some_and(is_key) || item.is_some()).then_some("YAML")
}
