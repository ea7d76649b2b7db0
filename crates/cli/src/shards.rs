//! Reads checkpoints in several safetensors files: those of an index, of a name with numbers, or of a command line.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::file::{self, Format};
use crate::leaf::{Leaf, Type};
use crate::safetensors::{self, Head, Metadata, header};
use crate::source::Source;
use crate::style::plain;
use crate::{progress, sniff};

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
    check_absent(&absent, "the index names", partial)?;
    let mut files: BTreeMap<&str, Option<HashMap<Box<str>, Leaf>>> = BTreeMap::new();
    for shard in shards.values() {
        if !files.contains_key(shard.as_str()) {
            let tensors = read_shard(folder, shard, partial)
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
    let text = count_text(files.len(), &absent);
    drop(files);
    let mut source = Source::named("safetensors index", names)?;
    source.facts.push(("files", text));
    Ok(source)
}

/// Refuses a checkpoint of which files are absent, unless it is read in part.
fn check_absent(absent: &[String], who: &str, partial: bool) -> Result<(), String> {
    if absent.is_empty() || partial {
        return Ok(());
    }
    let are = if absent.len() == 1 { "is" } else { "are" };
    let names = absent.join("\", \"");
    Err(format!("\"{names}\", which {who}, {are} absent; --partial reads the others"))
}

/// Says of how many files a checkpoint is, and which are absent.
fn count_text(count: usize, absent: &[String]) -> String {
    match absent {
        [] => count.to_string(),
        absent => format!("{count}, without {}", absent.join(", ")),
    }
}

/// Whether a file is in the same folder as the index. An index from elsewhere does not decide which files of this machine are
/// read.
fn is_beside(shard: &str) -> bool {
    Path::new(shard).file_name() == Some(OsStr::new(shard))
}

/// Reads the tensors of a file of an index, or nothing if it is absent.
fn read_shard(
    folder: &Path,
    shard: &str,
    partial: bool,
) -> Result<Option<HashMap<Box<str>, Leaf>>, String> {
    if !is_beside(shard) {
        return Err("is no file beside it".into());
    }
    let Some(head) = head(&folder.join(shard), partial)? else { return Ok(None) };
    let mut named = HashMap::with_capacity(head.tensors.len());
    for (name, leaf) in head.tensors {
        match named.entry(name) {
            Entry::Vacant(place) => place.insert(leaf),
            Entry::Occupied(place) => return Err(format!("has {:?} twice", place.key())),
        };
    }
    Ok(Some(named))
}

/// Reads the header of a file, or nothing if it is absent.
fn head(path: &Path, partial: bool) -> Result<Option<Head>, String> {
    // A pipe would never end.
    let len = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => metadata.len(),
        Ok(_) => return Err("is no file".into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("cannot be read: {error}")),
    };
    let say = |why: String| format!("cannot be read: {why}");
    let file = File::open(path).map_err(|error| say(error.to_string()))?;
    let mut file = progress::Counted::new(file, None);
    let start = sniff::start(&mut file).map_err(say)?;
    let read = header(start.chain(file), Some(len), partial);
    let head =
        read.map_err(|why| say(file::reason(&start, path, Some(Format::Safetensors), why)))?;
    Ok(Some(head))
}

/// The files of a checkpoint without an index: `model-00001-of-00003.safetensors`.
pub(crate) struct Shards {
    names: Vec<String>,
    /// The names of those that are not there.
    absent: Vec<String>,
}

impl Shards {
    /// Returns the files, if all names are those of one checkpoint.
    pub(crate) fn of(names: &[String]) -> Option<Self> {
        let parts = |name: &str| {
            let (start, count) = name.strip_suffix(".safetensors")?.rsplit_once("-of-")?;
            let (start, number) = start.rsplit_once('-')?;
            number.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
            Some((start.to_owned(), number.len(), count.to_owned()))
        };
        let first = parts(names.first()?)?;
        if names.iter().any(|name| parts(name).as_ref() != Some(&first)) {
            return None;
        }
        let (start, width, count) = first;
        let last: usize = count.parse().ok().filter(|last| *last <= MAX_SHARDS)?;
        let all = (1..=last).map(|at| format!("{start}-{at:0width$}-of-{count}.safetensors"));
        let absent = all.filter(|name| !names.contains(name)).collect();
        Some(Self { names: names.to_vec(), absent })
    }

    /// Reads the files, which are in a folder.
    pub(crate) fn read(&self, folder: &Path, partial: bool) -> Result<Source, String> {
        check_absent(&self.absent, "the names of the others announce", partial)?;
        let files: Vec<_> = self.names.iter().map(|name| folder.join(name)).collect();
        merge(&files, &self.absent, partial)
    }
}

/// The largest number of shards of a name.
const MAX_SHARDS: usize = 100_000;

/// Reads several files as one checkpoint. Shards of their name that are not among them are named.
pub(crate) fn read_files(files: &[PathBuf], partial: bool) -> Result<Source, String> {
    let name = |file: &PathBuf| Some(file.file_name()?.to_str()?.to_owned());
    let names: Option<Vec<_>> = files.iter().map(name).collect();
    let shards = names.and_then(|names| Shards::of(&names));
    merge(files, &shards.map(|shards| shards.absent).unwrap_or_default(), partial)
}

/// Reads files as one checkpoint.
fn merge(files: &[PathBuf], absent: &[String], partial: bool) -> Result<Source, String> {
    let mut all = Head { tensors: Vec::new(), metadata: Metadata::new(), cut: None };
    let mut seen = HashSet::new();
    for path in files {
        let is_other = Format::of_name(path) != Some(Format::Safetensors);
        let hint = if is_other { "; several files have to be safetensors files" } else { "" };
        let named = |why: String| format!("{}: {why}{hint}", path.display());
        let head = head(path, partial).map_err(named)?;
        let Head { tensors, metadata, cut } = head.ok_or_else(|| named("no such file".into()))?;
        if let Some((name, _)) = tensors.iter().find(|(name, _)| !seen.insert(name.clone())) {
            return Err(named(format!(
                "{name:?} is in an earlier file, too; several files are read as one checkpoint, \
                 and `treedef diff` compares two"
            )));
        }
        all.tensors.extend(tensors);
        all.metadata.extend(metadata);
        all.cut = all.cut.or(cut);
    }
    let mut source = safetensors::source("safetensors", all)?;
    source.facts.push(("files", count_text(files.len(), absent)));
    Ok(source)
}
