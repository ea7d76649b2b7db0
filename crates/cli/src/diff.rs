//! Implements `treedef diff`: shows how the trees of two files differ.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Write};
use std::iter;
use std::ops::Range;
use std::process::ExitCode;

use lexopt::{Arg, Error, Parser, ValueExt as _};
use treedef::CallKey;
use treedef::cache::{KeyDifference, Part};

use crate::file::{self, Reading};
use crate::fold::{Line, Text, fold};
use crate::leaf::Type;
use crate::options::{Command, color, format, unexpected};
use crate::output::{Escaped, complain, print};
use crate::progress::{self, Progress};
use crate::report;
use crate::source::{Containers, Source, TreeOf};
use crate::style::{Color, Style, columns, cut, grouped, is_hidden, pad, plain};

/// What `treedef diff --help` prints.
pub(crate) const HELP: &str = "\
Shows how the trees of two files differ: in structure, dtypes and shapes.

usage: treedef diff [OPTIONS] A B

A and B are files as `treedef inspect --help` lists them. One may be - for
standard input. A file that does not say all kinds of containers (safetensors,
.npz, .msgpack, Orbax) is compared by the names of leaves: before loading,
`treedef diff model.treedef checkpoint.safetensors` says what a checkpoint
lacks. If all names of one file begin with a prefix that the other lacks, that
is one difference, and the names are compared without it. Tensors that share
memory, as the metadata says, are not missing. Of other files the containers
are compared, too. If a file has only a structure, dtypes and shapes are not
compared. Of two call keys all parts are compared, also static arguments.
Names that differ in numbers share a line: h.{0-11}.w are twelve, from h.0.w to
h.11.w, and beside them is their number, as in × 12 or 12 × f32[768].

options:
  --structure    compare the structure alone
  --prefix       show where A is not a prefix of B; a leaf of A is a prefix of
                 any subtree
  --all          show every difference: nothing is folded or left out
  --strip PREFIX leave out the beginning of names, such as module.
  --partial      read an index although files that it names are absent
  --format NAME  read both files as json, safetensors, npz, npy, msgpack, proto,
                 export, treedef or key, whatever their names are
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

/// The columns that what a file holds has in any case.
const MIN_SUMMARY: usize = 40;

/// The files to compare, and the form of the output.
#[derive(Default)]
struct Job {
    files: [OsString; 2],
    reading: Reading,
    color: Color,
    structure: bool,
    prefix: bool,
    all: bool,
    /// The beginnings of names that are left out.
    strip: Vec<String>,
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
            Arg::Long("strip") => job.strip.push(parser.value()?.string()?),
            Arg::Long("partial") => job.reading.partial = true,
            Arg::Long("format") => job.reading.format = Some(format(parser)?),
            Arg::Long("color") => job.color = color(parser)?,
            Arg::Value(file) => files.push(file),
            other => return Err(unexpected(other, HELP)),
        }
    }
    job.files = files.try_into().map_err(|_| "expected two files")?;
    if job.files.iter().all(|file| file == "-") {
        return Err("only one of the files can be standard input".into());
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
            file::read(&self.files[side], self.reading)
                .map_err(|why| format!("{}: {why}", self.files[side].display()))
        };
        let sources = [read(0)?, read(1)?];
        let [first, second] = &sources;
        let keys = first.key.as_ref().zip(second.key.as_ref());
        let keys = keys.filter(|_| !self.structure && !self.prefix);
        let are_paired = first.parts.len() == second.parts.len();
        if !are_paired && keys.is_none() {
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
            let with_types = by_name
                || !self.structure
                    && !self.prefix
                    && ours.leaves.is_some()
                    && theirs.leaves.is_some();
            let mut paths = [Paths::new(), Paths::new()];
            if with_types {
                paths = [self.paths(ours, by_name)?, self.paths(theirs, by_name)?];
            }
            let aliases = [first, second].map(|source| self.aliases(source));
            pairs.push((ours, theirs, paths, aliases));
        }
        let style = Style::of_output(self.color);
        let mut differs = false;
        print(progress, |out| {
            progress::step("comparing");
            let out = &mut Escaped { out, is_json: false };
            let mut all = Late { before: Some(self.heading(&sources, style)), out };
            for (ours, theirs, paths, aliases) in &mut pairs {
                let title = Some(ours.title.as_str()).filter(|title| !title.is_empty());
                let before = title.map(|title| style.bold(title) + "\n");
                let mut out = Late { before, out: &mut all };
                if by_name {
                    self.names(paths, aliases, &mut out, style)?;
                    // Nodes without leaves have no name.
                    if are_alike && all.before.is_some() {
                        self.kinds(ours, theirs, &mut all)?;
                    }
                } else {
                    self.kinds(ours, theirs, &mut out)?;
                    self.types(paths, &mut out, style)?;
                }
            }
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
        let lacks = |source: &Source| source.parts.iter().filter_map(TreeOf::lacks).max();
        let lacking = (0..2).filter_map(|side| Some((self.name(side), lacks(&sources[side])?)));
        match &lacking.collect::<Vec<_>>()[..] {
            _ if self.structure => "no differences in structure\n".into(),
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
    fn kinds(&self, ours: &TreeOf, theirs: &TreeOf, out: &mut dyn Write) -> io::Result<()> {
        let (ours, theirs) = (ours.def.as_treedef(), theirs.def.as_treedef());
        let differences =
            if self.prefix { ours.prefix_errors(theirs) } else { ours.differences(theirs) };
        if differences.clone().next().is_none() {
            return Ok(());
        }
        if !self.all {
            return writeln!(out, "{}", differences.summary());
        }
        for difference in differences.deep() {
            let difference = difference.map_err(|error| io::Error::other(error.to_string()))?;
            writeln!(out, "{difference:#}")?;
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

    /// Compares call keys. `are_compared` says that the trees and the types of their leaves were compared before.
    fn keys(
        &self,
        ours: CallKey<'_>,
        theirs: CallKey<'_>,
        are_compared: bool,
        out: &mut Late<'_>,
        style: Style,
    ) -> io::Result<()> {
        let is_new = |difference: &KeyDifference<'_>| {
            let is_tree = |part| matches!(part, Some(Part::TreeDef(_)));
            let are_trees = is_tree(difference.expected()) && is_tree(difference.found());
            !(are_compared && (are_trees || difference.path().is_some()))
        };
        let most = if self.all { usize::MAX } else { MAX_LINES };
        let mut more = 0;
        for (at, difference) in ours.differences(theirs).filter(is_new).enumerate() {
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

    /// Compares the names of leaves, and the types of those that both have.
    fn names(
        &self,
        paths: &mut [Paths<'_>; 2],
        aliases: &mut [Aliases; 2],
        out: &mut dyn Write,
        style: Style,
    ) -> io::Result<()> {
        if let Some((side, prefix)) = common_prefix(paths) {
            let begin = style
                .changed(format_args!("~ all names in {} begin with {prefix}", self.name(side)));
            writeln!(out, "{begin}, which is left out below (--strip {prefix})")?;
            paths[side].iter_mut().for_each(|path| path.strip(&prefix));
            strip(aliases[side].iter_mut().flatten(), &prefix);
        }
        add_aliases(paths, aliases);
        let [ours, theirs] = &*paths;
        let missing = style.removed(format_args!("- missing in {}", self.name(1)));
        self.section(&missing, only(ours, theirs), out, style)?;
        let unexpected = style.added(format_args!("+ only in {}", self.name(1)));
        self.section(&unexpected, only(theirs, ours), out, style)?;
        if self.structure { Ok(()) } else { self.types(paths, out, style) }
    }

    /// Compares the types of the leaves that both sides have.
    fn types(&self, paths: &[Paths<'_>; 2], out: &mut dyn Write, style: Style) -> io::Result<()> {
        let [ours, theirs] = paths;
        let mut changes: BTreeMap<String, Vec<(&str, Text<'_>)>> = BTreeMap::new();
        for (name, kind, found) in both(ours, theirs) {
            let (Some(kind), Some(found)) = (kind, found) else { continue };
            if kind.is_same(found) {
                continue;
            }
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

    /// Returns the leaves of a tree by path: as a name with dots, or as JAX's `keystr`.
    fn paths<'a>(&self, part: &'a TreeOf, as_names: bool) -> Result<Paths<'a>, String> {
        let mut paths = Paths::with_capacity(part.leaves.as_ref().map_or(0, Vec::len));
        // The keys of a dict may be names that another file has in parts.
        let is_flat = as_names && part.separator.is_none() && part.is_flat();
        part.paths(as_names.then_some("."), |at, text| {
            let leaf = part.leaves.as_ref().and_then(|leaves| leaves.get(at));
            let kind = leaf.map(|leaf| &*leaf.kind).filter(|kind| kind.is_known());
            let shown = leaf.and_then(|leaf| leaf.name.as_deref()).map(|name| plain(name).into());
            let name = if text.contains(is_hidden) { plain(text).into() } else { text.into() };
            let mut path = Path { name, shown, kind };
            if is_flat && text.contains('/') {
                let parts = path.name.replace('/', ".").into();
                path.shown = Some(std::mem::replace(&mut path.name, parts));
            }
            paths.push(path);
        })?;
        if let Some(separator) = part.separator.filter(|sign| as_names && *sign != ".") {
            part.paths(Some(separator), |at, text| paths[at].shown = Some(plain(text).into()))?;
        }
        self.strip.iter().for_each(|prefix| paths.iter_mut().for_each(|path| path.strip(prefix)));
        paths.sort_by(|a, b| a.name.cmp(&b.name));
        match paths.windows(2).find(|pair| pair[0].name == pair[1].name) {
            Some(pair) => Err(format!("two leaves have the name {}", pair[0].name)),
            None => Ok(paths),
        }
    }

    /// Returns what the metadata of a file says of other names. Parts of names are joined by dots, whatever joins them in the
    /// file.
    fn aliases(&self, source: &Source) -> Aliases {
        let texts = source.metadata.iter();
        let texts =
            texts.map(|(alias, name)| [alias, name].map(|name| name.replace('/', ".").into()));
        let mut aliases: Aliases = texts.collect();
        self.strip.iter().for_each(|prefix| strip(aliases.iter_mut().flatten(), prefix));
        aliases
    }
}

/// Other names of leaves, each with the name that has the leaf or is itself another name. Most metadata are none.
type Aliases = Vec<[Box<str>; 2]>;

/// A leaf that is compared.
struct Path<'a> {
    /// The name by which leaves are paired: its parts with dots between them.
    name: Box<str>,
    /// The name in the file, if it is another one.
    shown: Option<Box<str>>,
    /// The type, if it is known.
    kind: Option<&'a Type>,
}

impl Path<'_> {
    fn shown(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.name)
    }

    /// Leaves out a prefix of the name.
    fn strip(&mut self, prefix: &str) {
        let Some(rest) = self.name.strip_prefix(prefix) else { return };
        // Another separator is as long as a dot; what JAX writes is not.
        self.shown = self.shown.take().filter(|shown| shown.len() == self.name.len());
        let shown = self.shown.as_deref().and_then(|shown| shown.get(prefix.len()..));
        self.shown = shown.map(Box::from);
        self.name = rest.into();
    }
}

/// The leaves of a tree in the order of their paths.
type Paths<'a> = Vec<Path<'a>>;

/// Leaves out a prefix of names.
fn strip<'n>(names: impl Iterator<Item = &'n mut Box<str>>, prefix: &str) {
    for name in names {
        if let Some(rest) = name.strip_prefix(prefix) {
            *name = rest.into();
        }
    }
}

fn find<'p, 'a>(paths: &'p Paths<'a>, name: &str) -> Option<&'p Path<'a>> {
    paths.binary_search_by(|path| (*path.name).cmp(name)).ok().and_then(|at| paths.get(at))
}

/// Returns the leaves of both sides in the order of their names, those of equal names together.
fn merge<'p, 'a>(
    ours: &'p Paths<'a>,
    theirs: &'p Paths<'a>,
) -> impl Iterator<Item = (Option<&'p Path<'a>>, Option<&'p Path<'a>>)> {
    let (mut ours, mut theirs) = (ours.iter().peekable(), theirs.iter().peekable());
    iter::from_fn(move || {
        let order = match (ours.peek(), theirs.peek()) {
            (Some(a), Some(b)) => a.name.cmp(&b.name),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return None,
        };
        Some((ours.next_if(|_| order.is_le()), theirs.next_if(|_| order.is_ge())))
    })
}

/// Returns the leaves that only `here` has.
fn only<'p>(here: &'p Paths<'_>, there: &'p Paths<'_>) -> Vec<(&'p str, Text<'p>)> {
    let only = merge(here, there).filter_map(|(here, there)| here.filter(|_| there.is_none()));
    only.map(|path| (path.shown(), path.kind.map_or(Text::None, Text::Kind))).collect()
}

/// Returns the leaves that both have.
fn both<'p>(
    ours: &'p Paths<'_>,
    theirs: &'p Paths<'_>,
) -> impl Iterator<Item = (&'p str, Option<&'p Type>, Option<&'p Type>)> {
    merge(ours, theirs).filter_map(|(ours, theirs)| Some((ours?.shown(), ours?.kind, theirs?.kind)))
}

/// Adds the other names of leaves, which the metadata of a file has for tensors that are one in memory, if the other file
/// has a leaf of that name.
fn add_aliases(paths: &mut [Paths<'_>; 2], aliases: &[Aliases; 2]) {
    for (side, aliases) in aliases.iter().enumerate() {
        let [own, other] = [&paths[side], &paths[1 - side]];
        let mut of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for [alias, name] in aliases {
            of.entry(name).or_default().push(alias);
        }
        let mut known: Vec<_> =
            of.keys().filter_map(|name| Some((*name, find(own, name)?.kind))).collect();
        let mut added = Vec::new();
        // An alias can have aliases. Each is met once.
        while let Some((name, kind)) = known.pop() {
            for alias in of.remove(name).unwrap_or_default() {
                known.push((alias, kind));
                if find(own, alias).is_none() && find(other, alias).is_some() {
                    added.push(Path { name: alias.into(), shown: None, kind });
                }
            }
        }
        paths[side].extend(added);
        paths[side].sort_by(|a, b| a.name.cmp(&b.name));
    }
}

/// Returns the parts with which all names of one side begin, if without them more names are common than with them.
fn common_prefix(paths: &[Paths<'_>; 2]) -> Option<(usize, String)> {
    let [ours, theirs] = paths;
    let common = both(ours, theirs).count();
    let of = |side: usize| {
        let (names, others) = (&paths[side], &paths[1 - side]);
        // In order: what the first and the last have in common, all have.
        let (first, last) = (&names.first()?.name, &names.last()?.name);
        let ends = first
            .char_indices()
            .filter(|(at, c)| *c == '.' && last.get(..=*at) == first.get(..=*at));
        let matches = |end: usize| {
            names
                .iter()
                .filter(|path| {
                    path.name.get(end..).is_some_and(|rest| find(others, rest).is_some())
                })
                .count()
        };
        let (count, end) = ends
            .map(|(at, _)| (matches(at + 1), at + 1))
            .max_by_key(|(count, end)| (*count, Reverse(*end)))?;
        (count > common).then(|| (side, first[..end].into()))
    };
    of(1).or_else(|| of(0))
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
