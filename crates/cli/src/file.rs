//! Reads files: finds the format, and reads those that the library writes.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use treedef::cache::Part;
use treedef::encode::Level;
use treedef::{CallKey, TreeDef};
use treedef_jax::{Aval, Exported, read_proto};

use crate::folder::{like, read_folder};
use crate::leaf::{Leaf, Type};
use crate::progress::Counted;
use crate::source::{Source, TreeOf};
use crate::style::{grouped, plain};
use crate::{json, msgpack, npz, record, safetensors, shards, sniff};

/// The formats of files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Safetensors,
    Npz,
    Npy,
    Msgpack,
    Proto,
    Export,
    TreeDef,
    Key,
}

/// The names of the formats, for `--format`.
pub(crate) const FORMATS: [(&str, Format); 9] = [
    ("json", Format::Json),
    ("safetensors", Format::Safetensors),
    ("npz", Format::Npz),
    ("npy", Format::Npy),
    ("msgpack", Format::Msgpack),
    ("proto", Format::Proto),
    ("export", Format::Export),
    ("treedef", Format::TreeDef),
    ("key", Format::Key),
];

impl Format {
    /// Returns the format with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        FORMATS.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    /// Returns the name of the format.
    fn name(self) -> &'static str {
        FORMATS.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }

    /// Returns the format that the extension of a file's name announces.
    pub(crate) fn of_name(file: &Path) -> Option<Self> {
        let extension = file.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "pb" => Some(Self::Proto),
            "jax_export" | "bin" => Some(Self::Export),
            "eqx" => Some(Self::Npy),
            other => Self::from_name(other),
        }
    }

    /// Returns the format of a file that begins with these bytes, if it is a text or has a header.
    fn of_start(start: &[u8]) -> Option<Self> {
        let text = start.trim_ascii_start();
        // A header of a safetensors file is JSON after its length.
        if start.len() > 8 && start[8] == b'{' && start[6..8] == [0, 0] {
            return Some(Self::Safetensors);
        }
        // The second is the mark of the directory, with which an empty one begins.
        if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
            return Some(Self::Npz);
        }
        let npy = b"\n\x93NUMPY";
        if start.starts_with(&npy[1..])
            || text.starts_with(b"{") && start.windows(npy.len()).any(|part| part == npy)
        {
            return Some(Self::Npy);
        }
        if sniff::may_be_msgpack(start) {
            return Some(Self::Msgpack);
        }
        (text.starts_with(b"{") || text.starts_with(b"[") || text.starts_with(b"\xef\xbb\xbf"))
            .then_some(Self::Json)
    }

    /// Whether the first bytes of such files can be those of anything.
    fn is_vague(self) -> bool {
        matches!(self, Self::Json | Self::Msgpack)
    }
}

/// What is said of a file that no reader accepts.
const UNKNOWN: &str = "this is no format that treedef reads";

/// How files are read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reading {
    /// The format, whatever the name is.
    pub(crate) format: Option<Format>,
    /// Whether the files that an index names may be absent.
    pub(crate) partial: bool,
}

/// Reads a file, or several as one checkpoint.
pub(crate) fn read_all(names: &[OsString], reading: Reading) -> Result<Source, String> {
    if let [name] = names {
        return read(name, reading).map_err(|why| format!("{}: {why}", name.display()));
    }
    let files: Vec<_> = names.iter().map(PathBuf::from).collect();
    shards::read_files(&files, reading.partial)
}

/// Reads the file with this name, or standard input if it is `-`. Without a format, the file's extension says which format it
/// is. If the content does not match, the format is recognised from the content.
pub(crate) fn read(name: &OsStr, reading: Reading) -> Result<Source, String> {
    let path = Path::new(name);
    if name == "-" {
        return read_from(Counted::new(io::stdin().lock(), None), None, path, reading);
    }
    if path.is_dir() {
        return read_folder(path, reading);
    }
    let file = open(path)?;
    // A pipe has no length.
    let len = file.metadata().ok().filter(Metadata::is_file).map(|metadata| metadata.len());
    read_from(Counted::new(file, len), len, path, reading)
}

fn open(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("no such file{}", like(path)),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    })
}

/// Returns the bytes of a file, or of standard input if its name is `-`.
pub(crate) fn bytes(name: &OsStr) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = match name == "-" {
        true => io::stdin().lock().read_to_end(&mut bytes),
        false => open(Path::new(name))?.read_to_end(&mut bytes),
    };
    read.map(|_| bytes).map_err(|error| error.to_string())
}

/// Reads a file. If it is refused, its first bytes decide: it may have the extension of another format, or be a file of another
/// program.
pub(crate) fn read_from(
    mut file: impl Read,
    len: Option<u64>,
    path: &Path,
    reading: Reading,
) -> Result<Source, String> {
    let start = sniff::start(&mut file)?;
    if start.is_empty() {
        return Err("file is empty".into());
    }
    let of_name = Format::of_name(path);
    let of_bytes = Format::of_start(&start);
    let format = reading.format.or(of_name);
    if format.is_none() && of_bytes == Some(Format::Msgpack) && len.is_some() {
        // Before all of a large file is read as another one.
        let reading = Reading { format: of_bytes, ..reading };
        if let Ok(source) = read(path.as_os_str(), reading) {
            return Ok(source);
        }
    }
    let format = format.or(of_bytes.filter(|format| *format != Format::Msgpack));
    let source = read_after(&start, file, len, path, Reading { format, ..reading });
    if source.as_ref().map_or(true, |source| source.is_front)
        && let Some(of_bytes) = of_bytes
        && of_name != Some(of_bytes)
        && len.is_some()
        && reading.format.is_none()
    {
        let other = read(path.as_os_str(), Reading { format: Some(of_bytes), ..reading });
        // A brace or a bracket can be a byte of anything.
        if other.is_ok() || !of_bytes.is_vague() {
            return other;
        }
    }
    // A name that ends in `.bin` is more often that of another file, such as a schema page.
    if source.is_err()
        && of_name == Some(Format::Export)
        && reading.format.is_none()
        && len.is_some()
    {
        let page = read(path.as_os_str(), Reading { format: Some(Format::TreeDef), ..reading });
        if let Ok(page @ Source { is_front: false, .. }) = page {
            return Ok(page);
        }
        // An artifact that is cut off has its first table.
        let is_artifact = source.as_ref().err().is_none_or(|why| !why.ends_with(" at byte 0"));
        if !is_artifact && path.extension().is_some_and(|name| name.eq_ignore_ascii_case("bin")) {
            return Err(reason(&start, path, None, UNKNOWN.into()));
        }
    }
    source.map_err(|why| reason(&start, path, format, why))
}

/// Says why a file is refused that begins with these bytes: what it is, if it is not of the format as which it was read, or
/// otherwise the reason of the reader.
pub(crate) fn reason(start: &[u8], path: &Path, format: Option<Format>, why: String) -> String {
    if let Some(text) = sniff::explain(start).map(Into::into).or_else(|| record::explain(start)) {
        return text;
    }
    let of_bytes = Format::of_start(start);
    let not = format.map_or(String::new(), |format| format!(", not {}", format.name()));
    match (of_bytes, sniff::first_line(start)) {
        _ if of_bytes.is_some() && of_bytes == format || format == Some(Format::Json) => why,
        // Standard input cannot be read again.
        (Some(found @ (Format::Npz | Format::Msgpack)), _)
            if path != Path::new("-") && path.is_file() =>
        {
            let reading = Reading { format: Some(found), partial: false };
            match read(path.as_os_str(), reading) {
                Ok(source) => format!("this is a file of the format {}{not}", source.format),
                Err(of_found) if found == Format::Npz || sniff::is_flax(start) => of_found,
                Err(_) => why,
            }
        }
        (None | Some(Format::Json), Some(line)) => {
            format!("this is a text{not}; it begins with {line:?}")
        }
        (Some(of_bytes), _) if !of_bytes.is_vague() => {
            format!("this is a file of the format {}{not}", of_bytes.name())
        }
        _ => why,
    }
}

/// Reads a file that begins with these bytes.
fn read_after(
    start: &[u8],
    file: impl Read,
    len: Option<u64>,
    path: &Path,
    reading: Reading,
) -> Result<Source, String> {
    let say = |error: io::Error| error.to_string();
    let mut file = start.chain(file);
    match reading.format {
        Some(Format::Safetensors) => return safetensors::read(file, len, reading.partial),
        Some(Format::Npy) => return npz::read_arrays(file, len, reading.partial),
        Some(Format::Npz) if len.is_some() => return npz::read(File::open(path).map_err(say)?),
        Some(Format::Msgpack) if len.is_some() => {
            return msgpack::read(File::open(path).map_err(say)?);
        }
        _ => {}
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(say)?;
    if let Some(source) = record::read_with_page(&bytes) {
        return source;
    }
    match reading.format {
        Some(Format::Npz) => npz::read(Cursor::new(bytes)),
        Some(Format::Msgpack) => msgpack::read(Cursor::new(bytes)),
        Some(Format::Json) => json::read(&bytes, path, reading.partial),
        Some(Format::Proto) => proto(&bytes),
        Some(Format::Export) => exported(&bytes),
        Some(Format::TreeDef) => stored(&bytes),
        Some(Format::Key) => call_key(&bytes),
        Some(Format::Safetensors | Format::Npy) | None => guess(&bytes),
    }
}

/// Reads bytes of which nothing is known, as what they are valid for: the bytes of a treedef or of a call key, a proto or
/// an exported function.
fn guess(bytes: &[u8]) -> Result<Source, String> {
    let def = |bytes: &[u8]| Ok(Source::new("treedef", treedef(bytes)?.into(), None));
    let msgpack = |bytes: &[u8]| msgpack::read(Cursor::new(bytes));
    // The first reader that accepts the bytes decides.
    let readers = [def, call_key, proto, exported, msgpack].into_iter();
    readers.map(|read| read(bytes)).find_map(Result::ok).ok_or_else(|| UNKNOWN.into())
}

/// Returns enough levels for a treedef in bytes of this length: a treedef needs at most one level for two bytes.
pub(crate) fn levels(len: usize) -> Vec<Level> {
    vec![Level::default(); len / 2 + 1]
}

/// Reads the bytes of a treedef of any depth.
pub(crate) fn treedef(bytes: &[u8]) -> Result<TreeDef<'_>, String> {
    TreeDef::from_bytes_with(bytes, &mut levels(bytes.len()))
        .map_err(|error| error.explain(bytes).to_string())
}

/// Reads a treedef, and says how many bytes follow it: leaves that a program stored with their structure.
fn stored(bytes: &[u8]) -> Result<Source, String> {
    let (def, rest) = match TreeDef::from_prefix(bytes) {
        Ok(found) => found,
        // It may be too deep, or the reason is the same.
        Err(_) => (treedef(bytes)?, &[][..]),
    };
    let mut source = Source::new("treedef", def.into(), None);
    source.is_front = !rest.is_empty();
    let text = match rest.len() {
        0 => return Ok(source),
        1 => "1 byte follows the treedef, which is not read".into(),
        len => format!("{} bytes follow the treedef, which are not read", grouped(len as u64)),
    };
    source.facts.push(("remark", text));
    Ok(source)
}

fn proto(bytes: &[u8]) -> Result<Source, String> {
    let def = read_proto(bytes).map_err(|error| format!("no treedef proto: {error}"))?;
    Ok(Source::new("treedef proto", def, None))
}

/// Reads a call key: its treedefs, each with the arrays that come after it if these are as many as its leaves.
fn call_key(bytes: &[u8]) -> Result<Source, String> {
    let key = CallKey::from_bytes_with(bytes, &mut levels(bytes.len()))
        .map_err(|error| error.explain(bytes).to_string())?;
    let mut source = Source { format: "call key", ..Source::default() };
    source.facts.push(("key", format!("{} bytes", bytes.len())));
    source.facts.push(("fingerprint", format!("{:016x} of the whole key", key.fingerprint())));
    source.key = Some((&key).into());
    let mut parts = key.parts().peekable();
    while let Some(part) = parts.next() {
        match part {
            Part::TreeDef(def) => {
                let mut ahead = parts.clone();
                let arrays = ahead.by_ref().map_while(|part| match part {
                    Part::Array(array) => Some(Leaf::from(Type::from(array))),
                    _ => None,
                });
                let leaves: Vec<Leaf> = arrays.take(def.num_leaves()).collect();
                let typed = leaves.len() == def.num_leaves();
                if typed {
                    parts.by_ref().take(leaves.len()).for_each(drop);
                }
                let title = format!("tree {}", source.parts.len());
                let leaves = typed.then_some(leaves);
                source.parts.push(TreeOf { title, def: def.into(), leaves, separator: None });
            }
            Part::Array(array) => source.facts.push(("array", Type::from(array).to_string())),
            Part::Named { name, value } => source.facts.push(("named", format!("{name}={value}"))),
            Part::Value(value) => source.facts.push(("static", value.to_string())),
            Part::Bytes(bytes) => source.facts.push(("bytes", format!("{}", bytes.escape_ascii()))),
            other => source.facts.push(("part", format!("{other:?}"))),
        }
    }
    if let [only] = &mut source.parts[..] {
        only.title.clear();
    }
    Ok(source)
}

/// Reads an artifact of `jax.export`.
fn exported(bytes: &[u8]) -> Result<Source, String> {
    let exported = Exported::from_bytes(bytes).map_err(|error| error.to_string())?;
    let unused = exported.in_avals().len() - exported.module_kept_var_idx.len();
    let mut facts = vec![
        ("function", plain(exported.function_name)),
        ("platforms", plain(&exported.platforms.join(", "))),
        (
            "versions",
            format!(
                "{} of the artifact, {} of the calling convention, JAX {}",
                exported.serialization_version,
                exported.calling_convention_version,
                plain(exported.jax_version.unwrap_or("unknown"))
            ),
        ),
    ];
    if unused > 0 {
        facts.push(("unused", format!("{unused} inputs, which the compiled module drops")));
    }
    fn leaves<'a>(avals: impl Iterator<Item = &'a Aval<'a>>) -> Option<Vec<Leaf>> {
        Some(avals.map(|aval| Type::from(aval).into()).collect())
    }
    let (inputs, outputs) = (leaves(exported.in_avals()), leaves(exported.out_avals()));
    let parts = vec![
        TreeOf { title: "inputs".into(), def: exported.in_tree, leaves: inputs, separator: None },
        TreeOf {
            title: "outputs".into(),
            def: exported.out_tree,
            leaves: outputs,
            separator: None,
        },
    ];
    Ok(Source { format: "exported function", parts, facts, ..Source::default() })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use treedef::dynamic::Flatten;
    use treedef::{TreeDefBox, View};

    use super::{Leaf, Type, read, treedef};
    use crate::model::{self, Node};

    /// The tree of every file, flattened again with its leaves, has the same treedef and the same leaves. The bytes of
    /// the treedef are those that reading accepts.
    #[test]
    fn trees_survive_a_round_trip() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        // The published archive has neither the files nor the folder of tests.
        if !package.join("tests").exists() {
            return;
        }
        let mut count = 0;
        for file in std::fs::read_dir(package.join("../../examples/data")).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|ending| ending == "md" || ending == "py") {
                continue;
            }
            for part in read(file.as_os_str(), super::Reading::default()).unwrap().parts {
                let def = part.def.as_treedef();
                assert_eq!(treedef(def.as_bytes()), Ok(def));
                let leaves: Vec<usize> = (0..def.num_leaves()).collect();
                assert!(part.leaves.is_none_or(|known| known.len() == leaves.len()));
                let view = View::new(def, &leaves).unwrap();
                let mut out = vec![&0; leaves.len()];
                let again = TreeDefBox::build(|builder| {
                    let _ = Flatten::new().flatten_onto(view, builder, &mut out);
                });
                assert_eq!(again.unwrap(), part.def, "{}", file.display());
                assert!(out.into_iter().eq(&leaves));
                let nodes = def.nodes().fold(0, |count, node| count + node.map(|_| 1).unwrap());
                assert_eq!(model::tree(def, None, true).unwrap().sizes.nodes, nodes);
                count += 1;
            }
        }
        assert_eq!(count, 15);
    }
    /// The rows of a tree, with the keys and the copies of each.
    fn rows(node: &Node<'_>, rows: &mut Vec<(String, u64, u64)>) {
        rows.push((node.label(None), node.copies, node.sizes.leaves));
        node.children.iter().for_each(|child| self::rows(child, rows));
    }

    /// Runs of equal children, of which the end is searched, are those that are found one by one.
    #[test]
    fn runs_end_where_something_else_begins() {
        for [first, second] in [[1, 1], [2, 999], [1000, 1001], [1002, 3], [2500, 1500], [5000, 0]]
        {
            let def = TreeDefBox::build(|builder| {
                let list = builder.begin_list(2 * first + 2 * second + 2);
                builder.leaves(first);
                builder.none();
                // As many leaves and nodes as two leaves have.
                let pair = builder.begin_tuple(2);
                builder.leaves(2);
                builder.end(pair);
                builder.leaves(second);
                for (count, of) in [(first, 1), (second, 2)].into_iter().filter(|of| of.0 > 0) {
                    let one = builder.begin_list(of);
                    builder.leaves(of);
                    builder.end(one);
                    if count > 1 {
                        builder.repeat(count - 1);
                    }
                }
                builder.end(list);
            });
            let def = def.unwrap();
            let leaves = vec![Leaf::from(Type::unknown()); def.as_treedef().num_leaves()];
            let [mut searched, mut counted] = [Vec::new(), Vec::new()];
            rows(&model::tree(def.as_treedef(), None, true).unwrap(), &mut searched);
            rows(&model::tree(def.as_treedef(), Some(&leaves), true).unwrap(), &mut counted);
            assert_eq!(searched, counted, "{first} {second}");
        }
    }
}
