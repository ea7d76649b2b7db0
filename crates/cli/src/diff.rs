//! Implements `treedef diff`: shows how the trees of two files differ.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::Range;
use std::process::ExitCode;

use lexopt::{Arg, Error, Parser, ValueExt as _};
use treedef::CallKey;
use treedef::cache::{KeyDifference, Part};
use treedef::diff::Differences;

use crate::file::{self, Reading};
use crate::fold::{Line, Text, fold};
use crate::leaf::Type;
use crate::options::{Command, color, format, unexpected};
use crate::output::{Escaped, complain, print};
use crate::pairs::{Alignment, Path, Paths, Rewrites, align, changed, only};
use crate::progress::{self, Progress};
use crate::rename::Rename;
use crate::source::{Containers, Source, TreeOf, changed_values};
use crate::style::{Color, Style, columns, cut, grouped, pad, plain};
use crate::{diff_json, record, report};

/// What `treedef diff --help` prints.
pub(crate) const HELP: &str = "\
Shows how the trees of two files differ: in structure, dtypes and shapes.

usage: treedef diff [OPTIONS] A B

A and B are files or directories as `treedef help inspect` lists them. One may
be - for standard input.

A file that does not say all kinds of containers (safetensors, .npz, .msgpack,
Orbax) is compared by the names of leaves: before loading,
`treedef diff model.treedef checkpoint.safetensors` says what a checkpoint
lacks. If all names of one file begin with a prefix that the other lacks, that
is one difference, and the names are compared without it. So is a part that has
another name in the other file, if most of what is missing is found with it.
Tensors that share memory, as the metadata says, are not missing.

Of other files the containers are compared, too. If a file has only a structure,
dtypes and shapes are not compared. Of two call keys all parts are compared,
also static arguments. Of two schema pages of records each difference is shown,
and of two records the values are compared, too.

Names that differ in numbers share a line: h.{0-11}.w are twelve, from h.0.w to
h.11.w, and beside them is their number, as in × 12 or 12 × f32[768].

options:
  --structure    compare the structure alone
  --prefix       show where A is not a prefix of B; a leaf of A is a prefix of
                 any subtree
  --all          show every difference: nothing is folded or left out
  --strip PREFIX leave out the beginning of names, such as module.
  --rename OLD NEW
                 write other parts in the names of A: --rename h model.layers,
                 --rename default '' to leave one out; may come several times
  --json         print JSON: every difference, with names, dtypes and shapes
  --partial      read what is there: a checkpoint of which files are absent, or
                 the beginning of a safetensors or .npy file with its header
  --schema PAGE  read both files as records of the crate treedef, of the type of
                 this schema page; a second --schema names the page of B
  --format NAME  read both files as json, safetensors, npz, npy, msgpack, proto,
                 export, treedef or key, whatever their names are
  --color WHEN   always, never, or auto: on a terminal, unless NO_COLOR is set
  --help         print this

examples:
  treedef diff before.safetensors after.safetensors
  treedef diff model.treedef checkpoint.safetensors
  treedef diff --rename model.layers model.decoder.layers old/ new/
  treedef diff --structure params.json gpt2.treedef.pb
  treedef diff page_v1.bin page_v2.bin
  treedef diff --schema page.bin before.bin after.bin
  treedef diff old.json new.json > /dev/null || echo different

Exit status, as of diff(1): 0 for no differences, 1 for some, 2 for trouble.
";

/// The largest number of lines for one kind of difference without `--all`.
const MAX_LINES: usize = 8;

/// The columns that what a file holds has in any case.
const MIN_SUMMARY: usize = 40;

/// The files to compare, and the form of the output.
#[derive(Default)]
struct Job {
    files: [OsString; 2],
    reading: Reading,
    /// The files with the schema pages of records: one of both, or one of each.
    schemas: Vec<OsString>,
    color: Color,
    structure: bool,
    prefix: bool,
    all: bool,
    json: bool,
    rewrites: Rewrites,
}

/// A tree of each file, and what is compared of them.
pub(crate) struct Pair<'s> {
    pub(crate) ours: &'s TreeOf,
    pub(crate) theirs: &'s TreeOf,
    pub(crate) paths: [Paths<'s>; 2],
    pub(crate) alignment: Alignment,
    /// Whether the types of the leaves are compared.
    with_types: bool,
}

/// Reads the rest of the command line.
pub(crate) fn command(parser: &mut Parser) -> Result<Command, Error> {
    let mut files = Vec::new();
    let mut job = Job::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help(HELP)),
            Arg::Long("structure") => job.structure = true,
            Arg::Long("prefix") => job.prefix = true,
            Arg::Long("all") => job.all = true,
            Arg::Long("strip") => job.rewrites.strip.push(parser.value()?.string()?),
            Arg::Long("rename") => {
                let old = parser.value()?.string()?;
                let new = parser.value().map_err(|_| "--rename takes two names, OLD and NEW")?;
                job.rewrites.rename.push([old, new.string()?]);
            }
            Arg::Long("json") => job.json = true,
            Arg::Long("partial") => job.reading.partial = true,
            Arg::Long("schema") => job.schemas.push(parser.value()?),
            Arg::Long("format") => job.reading.format = Some(format(parser)?),
            Arg::Long("color") => job.color = color(parser)?,
            Arg::Value(file) => files.push(file),
            other => return Err(unexpected(other, HELP)),
        }
    }
    job.files = files.try_into().map_err(|_| "expected two files")?;
    if job.files.iter().chain(&job.schemas).filter(|file| *file == "-").count() > 1 {
        return Err("only one of the files can be standard input".into());
    }
    if job.schemas.len() > 2 || !job.schemas.is_empty() && job.reading.format.is_some() {
        return Err("--schema reads both files as records, with one page or one of each".into());
    }
    Ok(Command::Run(Box::new(move || job.run())))
}

impl Job {
    /// Writes the differences, or one line with the reason if the files cannot be compared.
    fn run(&self) -> ExitCode {
        match self.compare() {
            Ok(differs) => ExitCode::from(u8::from(differs)),
            Err(why) => {
                complain(format_args!("diff: {why}"));
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

    /// Compares the files, writes the differences, and returns whether there are some.
    fn compare(&self) -> Result<bool, String> {
        let progress = Progress::start();
        let read = |side: usize| {
            if let Some(page) = self.schemas.get(side).or(self.schemas.first()) {
                return record::read(&self.files[side], page);
            }
            file::read(&self.files[side], self.reading)
                .map_err(|why| format!("{}: {why}", self.files[side].display()))
        };
        let sources = [read(0)?, read(1)?];
        let [first, second] = &sources;
        let keys = first.key.as_ref().zip(second.key.as_ref());
        let keys = keys.filter(|_| !self.structure && !self.prefix);
        let are_paired = first.parts.len() == second.parts.len();
        if !are_paired && keys.is_none() && !self.json {
            let [ours, theirs] = [first, second].map(|source| source.parts.len());
            let [a, b] = [0, 1].map(|side| self.name(side));
            return print(progress, |out| writeln!(out, "{a} has {ours} trees, {b} has {theirs}"))
                .map(|()| true);
        }
        progress::step("comparing");
        let by_name = !self.prefix && sources.iter().any(|of| of.containers != Containers::All);
        let are_alike = first.containers == Containers::Some && first.format == second.format;
        let mut pairs = Vec::new();
        for (ours, theirs) in first.parts.iter().zip(&second.parts).filter(|_| are_paired) {
            let have_leaves = ours.leaves.is_some() && theirs.leaves.is_some();
            let mut paths = [Paths::new(), Paths::new()];
            if by_name || !self.structure && !self.prefix && have_leaves {
                paths = [
                    self.rewrites.paths(ours, 0, by_name)?,
                    self.rewrites.paths(theirs, 1, by_name)?,
                ];
            }
            let mut aliases = [0, 1].map(|side| self.rewrites.aliases(&sources[side], side));
            let alignment =
                if by_name { align(&mut paths, &mut aliases) } else { Alignment::default() };
            pairs.push(Pair { ours, theirs, paths, alignment, with_types: !self.structure });
        }
        let mut values = changed_values(&sources);
        values.retain(|_| !self.structure && !self.prefix);
        if self.json {
            let of_keys = keys.map(|(ours, theirs)| {
                let differences = new_differences(ours.as_key(), theirs.as_key(), are_paired);
                differences.map(|difference| difference.to_string()).collect()
            });
            let structure = |pair: &Pair<'_>| {
                let is_compared = !by_name || are_alike && pair.has_equal_names();
                let differences = self.differences(pair).deep().filter_map(Result::ok);
                let texts = differences.filter(|_| is_compared).map(|one| one.to_string());
                texts.collect::<Vec<_>>()
            };
            let names = [self.name(0), self.name(1)];
            let report = diff_json::Report {
                names: &names,
                sources: &sources,
                pairs: &pairs,
                structure: &structure,
                values: &values,
                keys: of_keys.unwrap_or_default(),
                are_equal_keys: keys.is_none_or(|(ours, theirs)| ours == theirs),
            };
            return report.print(progress);
        }
        let style = Style::of_output(self.color);
        let mut differs = false;
        print(progress, |out| {
            progress::step("comparing");
            let out = &mut Escaped { out, is_json: false };
            let mut all = Late { before: Some(self.heading(&sources, style)), out };
            for pair in &pairs {
                let title = Some(pair.ours.title.as_str()).filter(|title| !title.is_empty());
                let before = title.map(|title| style.bold(title) + "\n");
                let mut out = Late { before, out: &mut all };
                if by_name {
                    self.names(pair, &mut out, style)?;
                } else {
                    self.kinds(pair, &mut out)?;
                }
                self.types(pair, &mut out, style)?;
                // Nodes without leaves have no name.
                if by_name && are_alike && all.before.is_some() {
                    self.kinds(pair, &mut all)?;
                }
            }
            let texts = values.iter().map(|(name, [a, b])| (*name, Text::Values(a, b))).collect();
            self.section(&style.changed("~ other values"), texts, &mut all, style)?;
            if let Some((ours, theirs)) = keys {
                self.keys(ours.as_key(), theirs.as_key(), are_paired, &mut all, style)?;
            }
            differs = all.before.is_none();
            if differs {
                return Ok(());
            }
            write!(out, "{}{}", self.no_differences(&sources), self.remarks(&sources))
        })?;
        Ok(differs)
    }

    /// Says what was compared if nothing differs.
    fn no_differences(&self, sources: &[Source; 2]) -> String {
        if self.prefix {
            return "no differences: the first is a prefix of the second\n".into();
        }
        if !self.structure && sources.iter().all(|source| source.key.is_some()) {
            return "no differences in the call keys\n".into();
        }
        let mut pages = sources.iter().flat_map(|source| &source.parts);
        if pages.all(|part| record::page(part.def.as_treedef()).is_some()) {
            return "no differences: both are pages of one version of the type\n".into();
        }
        let lacks = |source: &Source| source.parts.iter().filter_map(TreeOf::lacks).max();
        let lacking = (0..2).filter_map(|side| Some((self.name(side), lacks(&sources[side])?)));
        match &lacking.collect::<Vec<_>>()[..] {
            _ if self.structure => "no differences in structure\n".into(),
            _ if sources.iter().all(|source| source.format == "record") => {
                "no differences: both records have the same values\n".into()
            }
            [] => "no differences in structure, dtypes and shapes\n".into(),
            [(name, what)] => format!("no differences in structure; {name} lacks {what}\n"),
            [(_, ours), (_, theirs)] if ours == theirs => {
                format!("no differences in structure; both files lack {ours}\n")
            }
            [(a, ours), (b, theirs), ..] => {
                format!("no differences in structure; {a} lacks {ours}, {b} lacks {theirs}\n")
            }
        }
    }

    /// Returns a line for each file: what it holds.
    fn heading(&self, sources: &[Source; 2], style: Style) -> String {
        let width = columns(&self.name(0)).max(columns(&self.name(1)));
        let mut out = String::new();
        for (side, source) in sources.iter().enumerate() {
            let holds: Vec<_> = source.parts.iter().map(report::summary).collect();
            let sign = if side == 0 { style.removed("-") } else { style.added("+") };
            let name = style.bold(pad(&self.name(side), width));
            let room = style.width.saturating_sub(width + 4).max(MIN_SUMMARY);
            out += &format!("{sign} {name}  {}\n", cut(&holds.join("; "), room));
        }
        out + &self.remarks(sources) + "\n"
    }

    /// Returns a line for each file of which a part is not read.
    fn remarks(&self, sources: &[Source; 2]) -> String {
        let remark = |source: &Source| source.facts.iter().find(|_| source.is_front).cloned();
        let lines = (0..2).filter_map(|side| Some((side, remark(&sources[side])?)));
        lines.map(|(side, (_, text))| format!("{}: {text}\n", self.name(side))).collect()
    }

    /// Compares structures.
    fn kinds(&self, pair: &Pair<'_>, out: &mut dyn Write) -> io::Result<()> {
        let differences = self.differences(pair);
        if differences.clone().next().is_none() {
            return Ok(());
        }
        let are_pages =
            [pair.ours, pair.theirs].iter().all(|of| record::page(of.def.as_treedef()).is_some());
        if !self.all && !are_pages {
            return writeln!(out, "{}", differences.summary());
        }
        for difference in differences.deep() {
            let difference = difference.map_err(|error| io::Error::other(error.to_string()))?;
            if are_pages && !self.all {
                writeln!(out, "{difference}")?;
                continue;
            }
            writeln!(out, "{difference:#}")?;
            if are_pages {
                continue;
            }
            let sides = [difference.expected_leaves(), difference.found_leaves()];
            for (side, Range { start, end }) in sides.into_iter().enumerate() {
                let leaves = match end - start {
                    0 => format!("no leaf, before leaf {start}"),
                    1 => format!("leaf {start}"),
                    count => format!("leaves {start}-{} × {count}", end - 1),
                };
                writeln!(out, "  {leaves} in {}", self.name(side))?;
            }
        }
        Ok(())
    }

    fn differences<'p>(&self, pair: &'p Pair<'_>) -> Differences<'p> {
        let (ours, theirs) = (pair.ours.def.as_treedef(), pair.theirs.def.as_treedef());
        if self.prefix { ours.prefix_errors(theirs) } else { ours.differences(theirs) }
    }

    /// Compares call keys.
    fn keys(
        &self,
        ours: CallKey<'_>,
        theirs: CallKey<'_>,
        are_compared: bool,
        out: &mut Late<'_>,
        style: Style,
    ) -> io::Result<()> {
        let most = if self.all { usize::MAX } else { MAX_LINES };
        let mut more = 0;
        for (at, difference) in new_differences(ours, theirs, are_compared).enumerate() {
            if at < most {
                writeln!(out, "{difference}")?;
            } else {
                more += 1;
            }
        }
        if more > 0 {
            writeln!(out, "{}", style.dim(format!("… and {more} more; --all shows them")))?;
        }
        // Nothing may be left unsaid of keys that are not equal.
        if out.before.is_some() && ours != theirs {
            writeln!(out, "{}", ours.differences(theirs).summary())?;
        }
        Ok(())
    }

    /// Compares the names of leaves.
    fn names(&self, pair: &Pair<'_>, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let Pair { paths: [ours, theirs], alignment, .. } = pair;
        let b = self.name(1);
        if let Some((side, prefix)) = &alignment.prefix {
            let begin = format!("~ all names in {} begin with {prefix}", self.name(*side));
            let begin = style.changed(begin);
            writeln!(out, "{begin}, which is left out below (--strip {prefix})")?;
        }
        if let Some(Rename { old, new, count }) = &alignment.rename {
            let count = grouped(*count as u64);
            let [from, to] = [old, new].map(|name| if name.is_empty() { "''" } else { name });
            let with = style.changed(format!("~ {from} → {to} in names"));
            writeln!(out, "{with}, {count} leaves (--rename {from} {to})")?;
        }
        let missing = style.removed(format_args!("- missing in {b}"));
        self.section(&missing, texts(only(ours, theirs)), out, style)?;
        let unexpected = style.added(format_args!("+ only in {b}"));
        self.section(&unexpected, texts(only(theirs, ours)), out, style)
    }

    /// Compares the types of the leaves that both sides have.
    fn types(&self, pair: &Pair<'_>, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let mut changes: BTreeMap<String, Vec<(&str, Text<'_>)>> = BTreeMap::new();
        for (name, kind, found) in pair.changed() {
            let (change, text) = if kind.has_shape_of(found) {
                (format!("{} → {}", kind.dtype_text(), found.dtype_text()), Text::Shape(kind))
            } else {
                (format!("{kind} → {found}"), Text::None)
            };
            changes.entry(change).or_default().push((name, text));
        }
        let mut changes: Vec<_> = changes.into_iter().collect();
        changes.sort_by_key(|(_, leaves)| Reverse(leaves.len()));
        for (change, leaves) in changes {
            self.section(&style.changed(format_args!("~ {change}")), leaves, out, style)?;
        }
        Ok(())
    }

    /// Writes a heading, and the leaves to which it applies, with a text for each.
    fn section(
        &self,
        heading: &str,
        leaves: Vec<(&str, Text<'_>)>,
        out: &mut dyn Write,
        style: Style,
    ) -> io::Result<()> {
        if leaves.is_empty() {
            return Ok(());
        }
        let s = if leaves.len() == 1 { "leaf" } else { "leaves" };
        writeln!(out, "{heading}, {} {s}", grouped(leaves.len() as u64))?;
        let lines =
            if self.all { leaves.into_iter().map(Line::from).collect() } else { fold(leaves) };
        let most = if self.all { usize::MAX } else { MAX_LINES };
        let width = lines.iter().take(most).map(|line| columns(&line.name)).max().unwrap_or(0);
        for line in lines.iter().take(most) {
            let text = line.text();
            let line = if text.is_empty() {
                line.name.to_string()
            } else {
                pad(&line.name, width) + "  " + &text
            };
            let room = if self.all { usize::MAX } else { style.width.saturating_sub(4) };
            writeln!(out, "    {}", cut(&line, room))?;
        }
        if let Some(more) = lines.len().checked_sub(most).filter(|more| *more > 0) {
            writeln!(out, "{}", style.dim(format!("    … and {more} more; --all shows them")))?;
        }
        Ok(())
    }
}

/// Returns the differences of call keys. `are_compared` says that the trees and the types of their leaves were compared before.
fn new_differences<'k>(
    ours: CallKey<'k>,
    theirs: CallKey<'k>,
    are_compared: bool,
) -> impl Iterator<Item = KeyDifference<'k>> {
    let is_tree = |part| matches!(part, Some(Part::TreeDef(_)));
    ours.differences(theirs).filter(move |difference| {
        let are_trees = is_tree(difference.expected()) && is_tree(difference.found());
        !(are_compared && (are_trees || difference.path().is_some()))
    })
}

impl Pair<'_> {
    /// Whether both trees have the same names of leaves, without a change, and the same types.
    pub(crate) fn has_equal_names(&self) -> bool {
        let [ours, theirs] = &self.paths;
        let Alignment { prefix, rename } = &self.alignment;
        prefix.is_none()
            && rename.is_none()
            && only(ours, theirs).next().is_none()
            && only(theirs, ours).next().is_none()
            && self.changed().next().is_none()
    }

    /// Returns the leaves that both trees have and whose types differ, if these are compared.
    pub(crate) fn changed(&self) -> impl Iterator<Item = (&str, &Type, &Type)> {
        changed(&self.paths).filter(|_| self.with_types)
    }
}

/// Returns the names of leaves with their types.
fn texts<'p>(paths: impl Iterator<Item = &'p Path<'p>>) -> Vec<(&'p str, Text<'p>)> {
    paths.map(|path| (path.shown(), path.kind.map_or(Text::None, Text::Kind))).collect()
}

/// A writer that first writes another text, if anything is written.
struct Late<'o> {
    before: Option<String>,
    out: &'o mut dyn Write,
}

impl Write for Late<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(before) = self.before.take() {
            self.out.write_all(before.as_bytes())?;
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
