//! Finds the checkpoint in a folder.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::file::{Format, Reading, read};
use crate::model::natural;
use crate::options::did_you_mean;
use crate::orbax;
use crate::shards::Shards;
use crate::source::Source;
use crate::style::plain;

/// The number of checkpoints or files in a folder that are named.
const MAX_NAMED: usize = 10;

/// The mark in the name of a folder that Orbax has not written to its end.
const UNFINISHED: &str = ".orbax-checkpoint-tmp";

/// What is said of such a folder.
const NOT_RENAMED: &str =
    "is an unfinished checkpoint of Orbax, which renames the folder when all is written";

/// Reads the checkpoint in a folder: that of Orbax in it or in the only item of a step, such as `100/state/_METADATA`; an index; the
/// shards of one name; or the only file of a model.
pub(crate) fn read_folder(folder: &Path, reading: Reading) -> Result<Source, String> {
    folder.read_dir().map_err(|error| error.to_string())?;
    if is_unfinished(folder) {
        return Err(NOT_RENAMED.into());
    }
    let has_metadata = |folder: &PathBuf| folder.join("_METADATA").is_file();
    if has_metadata(&folder.into()) {
        return read(folder.join("_METADATA").as_os_str(), reading);
    }
    let deeper = |folder: PathBuf| match has_metadata(&folder) {
        true => vec![folder],
        false => folders(&folder).filter(has_metadata).collect(),
    };
    let found: Vec<_> =
        folders(folder).filter(|folder| !is_unfinished(folder)).flat_map(deeper).collect();
    let relative = |path: &Path| path.strip_prefix(folder).unwrap_or(path).display().to_string();
    match &found[..] {
        [] => {}
        [only] => return read_in(folder, &relative(&only.join("_METADATA")), reading),
        _ => {
            let names = found.iter().map(|path| relative(path)).collect();
            return Err(list("is a directory with several checkpoints; name one", names));
        }
    }
    // These say of which other program the folder is.
    for name in [".metadata", "saved_model.pb"] {
        if folder.join(name).is_file() {
            return read(folder.join(name).as_os_str(), reading);
        }
    }
    let names = candidates(folder, &KINDS);
    if let Some(shards) = Shards::of(&names) {
        return shards.read(folder, reading.partial);
    }
    match &names[..] {
        [only] => read_in(folder, only, reading),
        [] => Err(nothing(folder)),
        _ => {
            let all = candidates(folder, &[is_known]);
            Err(list("is a directory with several files; name one", all))
        }
    }
}

/// Reads a file of a folder, and says which one it is.
fn read_in(folder: &Path, name: &str, reading: Reading) -> Result<Source, String> {
    let read = read(folder.join(name).as_os_str(), reading);
    let mut source = read.map_err(|why| format!("{name}: {why}"))?;
    source.facts.push(("file", plain(name)));
    Ok(source)
}

/// Says why nothing in a folder is read.
fn nothing(folder: &Path) -> String {
    let unfinished = folders(folder).find(|folder| is_unfinished(folder));
    if let Some(name) = unfinished.as_ref().and_then(|folder| folder.file_name()) {
        return format!("{:?} in it {NOT_RENAMED}", name.display().to_string());
    }
    if orbax::zarr(folder).is_some() {
        return "is an array of zarr, of which treedef reads the folders of Orbax checkpoints"
            .into();
    }
    let is_group = [".zgroup", "zarr.json"].iter().any(|name| folder.join(name).is_file());
    if is_group || folders(folder).any(|folder| orbax::zarr(&folder).is_some()) {
        return "is a group of zarr without the file _METADATA of Orbax, which treedef does not read; \
             numpy.savez(.., **arrays) writes an .npz file, which it reads"
            .into();
    }
    let what = "is a directory without files that are read";
    // Two levels: the cache of Hugging Face has `snapshots/` and the name of a version.
    let deep = folders(folder).flat_map(|below| folders(&below).chain([below]));
    let below = deep.flat_map(|below| {
        let name = below.strip_prefix(folder).unwrap_or(&below).display().to_string();
        candidates(&below, &KINDS).into_iter().map(move |file| format!("{name}/{file}"))
    });
    match below.collect::<Vec<_>>() {
        names if names.is_empty() => what.into(),
        names => list(&format!("{what}; below it are"), names),
    }
}

fn is_unfinished(folder: &Path) -> bool {
    // The folder may be `.`.
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
    folder.file_name().is_some_and(|name| name.to_string_lossy().contains(UNFINISHED))
}

/// Returns the folders in a folder.
fn folders(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir())
}

/// Writes names after a text.
fn list(what: &str, mut names: Vec<String>) -> String {
    names.sort_by(|a, b| natural(a, b));
    let count = names.len();
    names.truncate(MAX_NAMED);
    match count - names.len() {
        _ if count == 0 => what.into(),
        0 => format!("{what}: {}", names.join(", ")),
        more => format!("{what}: {} and {more} more", names.join(", ")),
    }
}

/// Whether a file may be that of a model: the extension of its name says more than that of JSON.
fn is_known(name: &str) -> bool {
    is_index(name) || Format::of_name(Path::new(name)).is_some_and(|format| format != Format::Json)
}

fn is_index(name: &str) -> bool {
    name.ends_with(".safetensors.index.json")
}

/// The kinds of files of a model. An index names the others, beside weights a `.bin` file is of another kind, and of a file of
/// another program it is said what it is.
const KINDS: [fn(&str) -> bool; 4] = [
    is_index,
    |name| name.ends_with(".safetensors"),
    is_known,
    |name| {
        let extension = Path::new(name).extension().and_then(OsStr::to_str);
        extension.is_some_and(|extension| OTHERS.contains(&extension))
    },
];

/// The extensions of files of other programs.
const OTHERS: [&str; 8] = ["gguf", "pt", "pth", "ckpt", "h5", "keras", "onnx", "pkl"];

/// Returns the names of the files in a folder that are of the first kind of which there are files.
fn candidates(folder: &Path, kinds: &[fn(&str) -> bool]) -> Vec<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    let mut names: Vec<_> =
        files.map(|file| Path::new(&file.file_name()).display().to_string()).collect();
    names.sort_by(|a, b| natural(a, b));
    let found = kinds.iter().map(|is_kind| names.iter().filter(|name| is_kind(name)).cloned());
    found.map(Iterator::collect).find(|found: &Vec<_>| !found.is_empty()).unwrap_or_default()
}

/// Asks whether another file of the folder was meant.
pub(crate) fn like(path: &Path) -> String {
    let Some(name) = path.file_name() else { return String::new() };
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    did_you_mean(&name.to_string_lossy(), names.iter().map(String::as_str))
}
