//! Implements `treedef diff`: shows how the trees of two files differ.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use lexopt::{Arg, Error, Parser};
use treedef::diff::Differences;

use crate::file::{self, Format};
use crate::fold::fold;
use crate::leaf::{Leaf, Type};
use crate::options::{Command, color, format};
use crate::source::{Source, TreeOf};
use crate::style::{Color, Style, columns, cut, grouped, pad, plain};
use crate::{model, report};

/// What `treedef diff --help` prints.
pub(crate) const HELP: &str = "\
Shows how the trees of two files differ: in structure, dtypes and shapes.

usage: treedef diff [OPTIONS] A B

A and B are files as `treedef inspect --help` lists them. One may be - for
standard input. A file that only names its leaves (safetensors, .npz) is
compared by these names: `treedef diff model.treedef checkpoint.safetensors`
says, before loading, what a checkpoint lacks. Of other files the containers are
compared, too. If a file has only a structure, dtypes and shapes are not
compared.

options:
  --structure    compare the structure alone
  --prefix       show where A is not a prefix of B; a leaf of A is a prefix of
                 any subtree
  --all          show every difference: nothing is folded or left out
  --format NAME  read both files as json, safetensors, npz, proto, export,
                 treedef or key, whatever their names are
  --color WHEN   always, never, or auto: on a terminal, unless NO_COLOR is set
  --help         print this

examples:
  treedef diff before.safetensors after.safetensors
  treedef diff model.treedef checkpoint.safetensors
  treedef diff --structure params.json gpt2.treedef.pb
  treedef diff old.json new.json > /dev/null || echo different

Exit status, as of diff(1): 0 for no differences, 1 for some, 2 for trouble.
";

/// The largest number of lines for one kind of difference without `--all`.
const MAX_LINES: usize = 8;

/// The files to compare, and the form of the output.
struct Job {
    files: [OsString; 2],
    format: Option<Format>,
    color: Color,
    structure: bool,
    prefix: bool,
    all: bool,
}

/// Reads the rest of the command line.
pub(crate) fn command(parser: &mut Parser) -> Result<Command, Error> {
    let mut files = Vec::new();
    let (mut structure, mut prefix, mut all) = (false, false, false);
    let (mut named, mut when) = (None, Color::Auto);
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help(HELP)),
            Arg::Long("structure") => structure = true,
            Arg::Long("prefix") => prefix = true,
            Arg::Long("all") => all = true,
            Arg::Long("format") => named = Some(format(parser)?),
            Arg::Long("color") => when = color(parser)?,
            Arg::Value(file) => files.push(file),
            other => return Err(other.unexpected()),
        }
    }
    let files: [OsString; 2] = files.try_into().map_err(|_| "expected two files")?;
    if files.iter().all(|file| file == "-") {
        return Err("only one of the files can be standard input".into());
    }
    let job = Job { files, format: named, color: when, structure, prefix, all };
    Ok(Command::Run(Box::new(move || job.run())))
}

impl Job {
    /// Writes the differences, or one line with the reason if the files cannot be compared.
    fn run(&self) -> ExitCode {
        let written = self.compare().and_then(|(differs, text)| {
            match std::io::stdout().write_all(text.as_bytes()) {
                // The reader of the output may close it early.
                Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.to_string()),
                _ => Ok(differs),
            }
        });
        match written {
            Ok(differs) => ExitCode::from(u8::from(differs)),
            Err(why) => {
                eprintln!("diff: {}", plain(&why.replace('\n', " ")));
                ExitCode::from(2)
            }
        }
    }

    fn name(&self, side: usize) -> String {
        match &self.files[side] {
            file if file == "-" => "standard input".into(),
            file => plain(&file.display().to_string()),
        }
    }

    /// Compares the files, and returns whether they differ and what to print.
    fn compare(&self) -> Result<(bool, String), String> {
        let style = Style::of_output(self.color);
        let read = |side: usize| {
            file::read(&self.files[side], self.format)
                .map_err(|why| format!("{}: {why}", self.files[side].display()))
        };
        let sources = [read(0)?, read(1)?];
        let [first, second] = &sources;
        if first.parts.len() != second.parts.len() {
            let [ours, theirs] = [first, second].map(|source| source.parts.len());
            let text =
                format!("{} has {ours} trees, {} has {theirs}\n", self.name(0), self.name(1));
            return Ok((true, text));
        }
        let by_name = !self.prefix && (first.is_named || second.is_named);
        let mut found = String::new();
        let with_types = !self.structure && !self.prefix;
        for (ours, theirs) in first.parts.iter().zip(&second.parts) {
            let mut part = String::new();
            if by_name {
                self.names(ours, theirs, &mut part, style)?;
            } else {
                self.kinds(ours, theirs, &mut part)?;
                if with_types && ours.leaves.is_some() && theirs.leaves.is_some() {
                    let [ours, theirs] = [paths(ours, false)?, paths(theirs, false)?];
                    self.types(&ours, &theirs, &mut part, style);
                }
            }
            if !part.is_empty() && !ours.title.is_empty() {
                let _ = writeln!(found, "{}", style.bold(&ours.title));
            }
            found += &part;
        }
        if found.is_empty() {
            return Ok((false, self.no_differences(&sources)));
        }
        Ok((true, self.heading(&sources, style) + "\n" + &found))
    }

    /// Says what was compared if nothing differs.
    fn no_differences(&self, sources: &[Source; 2]) -> String {
        if self.prefix {
            return "no differences: the first is a prefix of the second\n".into();
        }
        let lacks = |source: &Source| source.parts.iter().any(|part| !part.is_typed());
        let lacking = (0..2).filter(|side| lacks(&sources[*side])).map(|side| self.name(side));
        match &lacking.collect::<Vec<_>>()[..] {
            _ if self.structure => "no differences in structure\n".into(),
            [] => "no differences in structure, dtypes and shapes\n".into(),
            [name] => format!("no differences in structure; {name} lacks dtypes and shapes\n"),
            _ => "no differences in structure; both files lack dtypes and shapes\n".into(),
        }
    }

    /// Writes a line for each file: what it holds.
    fn heading(&self, sources: &[Source; 2], style: Style) -> String {
        let width = columns(&self.name(0)).max(columns(&self.name(1)));
        let mut out = String::new();
        for (side, source) in sources.iter().enumerate() {
            let mut holds = Vec::new();
            for part in &source.parts {
                let (def, leaves) = (part.def.as_treedef(), part.leaves.as_deref());
                // What is too large to be shown can still be compared.
                let summary = model::tree(def, leaves, true).map(|tree| report::summary(&tree));
                holds.push(summary.unwrap_or_else(|_| format!("{} leaves", def.num_leaves())));
            }
            let sign = if side == 0 { style.removed("-") } else { style.added("+") };
            let name = style.bold(pad(&self.name(side), width));
            let _ = writeln!(out, "{sign} {name}  {}", holds.join("; "));
        }
        out
    }

    /// Compares structures.
    fn kinds(&self, ours: &TreeOf, theirs: &TreeOf, out: &mut String) -> Result<(), String> {
        let (ours, theirs) = (ours.def.as_treedef(), theirs.def.as_treedef());
        let differences =
            if self.prefix { ours.prefix_errors(theirs) } else { ours.differences(theirs) };
        if differences.clone().next().is_none() {
            return Ok(());
        }
        if self.all {
            return self.every(differences.deep(), out);
        }
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}", differences.summary());
        Ok(())
    }

    /// Writes every difference of structures with both sides.
    fn every(&self, differences: Differences<'_>, out: &mut String) -> Result<(), String> {
        for difference in differences {
            let difference = difference.map_err(|error| error.to_string())?;
            let _ = writeln!(out, "{difference:#}");
            let (ours, theirs) = (difference.expected_leaves(), difference.found_leaves());
            let _ = writeln!(out, "  leaves {ours:?} in {}", self.name(0));
            let _ = writeln!(out, "  leaves {theirs:?} in {}", self.name(1));
        }
        Ok(())
    }

    /// Compares the names of leaves, and the types of those that both have.
    fn names(
        &self,
        ours: &TreeOf,
        theirs: &TreeOf,
        out: &mut String,
        style: Style,
    ) -> Result<(), String> {
        let (ours, theirs) = (paths(ours, true)?, paths(theirs, true)?);
        let only = |here: &Paths, there: &Paths| {
            let only = here.iter().filter(|(name, _)| !there.contains_key(*name));
            let text = |kind: &Option<Type>| kind.as_ref().map(Type::to_string).unwrap_or_default();
            only.map(|(name, kind)| (name.clone(), text(kind))).collect::<Vec<_>>()
        };
        let missing = style.removed(format_args!("- missing in {}", self.name(1)));
        self.section(&missing, only(&ours, &theirs), out, style);
        let unexpected = style.added(format_args!("+ only in {}", self.name(1)));
        self.section(&unexpected, only(&theirs, &ours), out, style);
        if !self.structure {
            self.types(&ours, &theirs, out, style);
        }
        Ok(())
    }

    /// Compares the types of the leaves that both sides have.
    fn types(&self, ours: &Paths, theirs: &Paths, out: &mut String, style: Style) {
        let mut changes: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for (name, kind) in ours {
            let Some(Some(found)) = theirs.get(name) else { continue };
            let Some(kind) = kind.as_ref().filter(|kind| !kind.is_same(found)) else { continue };
            let (change, shape) = if kind.shape == found.shape {
                (format!("{} → {}", kind.dtype, found.dtype), kind.shape_text())
            } else {
                (format!("{kind} → {found}"), String::new())
            };
            changes.entry(change).or_default().push((name.clone(), shape));
        }
        let mut changes: Vec<_> = changes.into_iter().collect();
        changes.sort_by_key(|(_, leaves)| std::cmp::Reverse(leaves.len()));
        for (change, leaves) in changes {
            self.section(&style.changed(format_args!("~ {change}")), leaves, out, style);
        }
    }

    /// Writes a heading, and the leaves to which it applies, with a text for each.
    fn section(
        &self,
        heading: &str,
        leaves: Vec<(String, String)>,
        out: &mut String,
        style: Style,
    ) {
        if leaves.is_empty() {
            return;
        }
        let s = if leaves.len() == 1 { "leaf" } else { "leaves" };
        let _ = writeln!(out, "{heading}, {} {s}", grouped(leaves.len() as u64));
        let lines = if self.all { leaves } else { fold(leaves) };
        let most = if self.all { usize::MAX } else { MAX_LINES };
        let width = lines.iter().take(most).map(|(name, _)| columns(name)).max().unwrap_or(0);
        for (name, text) in lines.iter().take(most) {
            let line = if text.is_empty() { name.clone() } else { pad(name, width) + "  " + text };
            let room = if self.all { usize::MAX } else { style.width.saturating_sub(4) };
            let _ = writeln!(out, "    {}", cut(&line, room));
        }
        if let Some(more) = lines.len().checked_sub(most).filter(|more| *more > 0) {
            let _ =
                writeln!(out, "{}", style.dim(format!("    … and {more} more; --all shows them")));
        }
    }
}

/// The leaves of a tree by path. A type is `None` if it is not known.
type Paths = BTreeMap<String, Option<Type>>;

/// Returns the leaves of a tree by path: as a name with dots, or as JAX's `keystr`.
fn paths(part: &TreeOf, as_names: bool) -> Result<Paths, String> {
    let def = part.def.as_treedef();
    if def.num_leaves() > model::MAX_NODES {
        return Err(format!("tree of {} leaves is too large to compare them", def.num_leaves()));
    }
    let mut paths = Paths::new();
    for (at, path) in def.paths().enumerate() {
        let name =
            if as_names { path.keystr_simple(".").to_string() } else { path.keystr().to_string() };
        let name = plain(&name);
        let leaf = part.leaves.as_ref().and_then(|leaves| leaves.get(at));
        let kind = leaf.map(|Leaf { kind, .. }| kind.clone()).filter(Type::is_known);
        if paths.insert(name.clone(), kind).is_some() {
            return Err(format!("two leaves have the name {name}"));
        }
    }
    Ok(paths)
}
