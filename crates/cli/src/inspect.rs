//! Implements `treedef inspect`: shows the tree in a file.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lexopt::{Arg, Error, Parser, ValueExt as _};

use crate::file::{self, Reading};
use crate::model::Node;
use crate::options::{Command, color, format, unexpected};
use crate::output::{Escaped, complain, print};
use crate::progress::{self, Progress};
use crate::source::TreeOf;
use crate::style::{Color, Style, plain};
use crate::table::Extent;
use crate::{model, options, picture, record, report};

/// What `treedef inspect --help` prints.
pub(crate) const HELP: &str = "\
Shows the tree in a file: parameters, bytes, dtypes, and the share of each part.

usage: treedef [inspect] [OPTIONS] FILE..

FILE may be - for standard input. Several files are safetensors files of one
checkpoint. These files are read:

  .json               objects are dicts, arrays are lists, null is None; a text
                      that is a type of JAX, such as \"float32[768,2304]\", is a
                      leaf of that type, any other value is a leaf, too
  .safetensors        the names of tensors
  .safetensors.index.json
                      the same for a checkpoint in several files
  .npz                the names of NumPy's arrays
  .npy, .eqx          an array of NumPy, or a list of several: leaves of Equinox
  .msgpack            a checkpoint of Flax
  .pb                 a treedef proto: PyTreeDef.serialize_using_proto of JAX
  .jax_export, .bin   an exported function: jax.export
  .treedef            the bytes of a treedef, perhaps with leaves after them; a
                      schema page is one, also if its name ends in .bin
  .key                the bytes of a call key
  any, with --schema  a record of the crate treedef; without it, a record
                      that has its schema page
  a directory         the checkpoint in it: of Orbax, also 100/state/_METADATA,
                      an index, files such as model-00001-of-00003.safetensors,
                      or the only file of a model

JSON that torch.utils._pytree.treespec_dumps writes is read as that tree. The
file's extension says which format it is. If the content does not match, the
format is recognised from the content. Values are not read, but those of
records, the headers of safetensors and NumPy files and the heads of msgpack's
values. Names are split as JAX writes paths, such as ['params']['w'], or at
slashes, or if there are none at dots; so are the keys of a dict of arrays in
.json and .msgpack.

Equal neighbours share a row: 0-11 are the names from 0 to 11, and beside them
is their number, as in × 12 or 12 × f32[768].

options:
  --depth N      show N levels
  --full         show every node: nothing is folded or shortened
  --treedef      show the facts of the treedef, too: nodes, bytes, fingerprints,
                 the text of JAX
  --only GLOB    show the leaves whose name matches: h.*.attn.**, kernel, {a,b};
                 * is one part of a name, ** any parts or none, and so is a * at
                 the beginning: *.bias matches bias and h.0.bias
  --sort size    show large parts first
  --json         print JSON: sizes, and name, dtype and shape of every leaf
  --svg          print a picture: parts are as tall as their share of the bytes,
                 and have the colour of their dtype
  --html         print a page: the picture, and a tree that opens and closes
  --partial      read what is there: a checkpoint of which files are absent, or
                 the beginning of a safetensors or .npy file with its header
  --schema PAGE  read the file as a record of the crate treedef, of the type of
                 this schema page: show the values, with paths and types
  --format NAME  read the file as json, safetensors, npz, npy, msgpack, proto,
                 export, treedef or key, whatever its name is
  --color WHEN   always, never, or auto: on a terminal, unless NO_COLOR is set
  --help         print this

examples:
  treedef model.safetensors
  treedef --depth 2 checkpoint/
  treedef --only 'layers.0.*' --sort size model.safetensors
  treedef --html model.safetensors > model.html
  treedef settings.bin --schema settings_page.bin
  curl -sLr 0-9999999 https://host/model.safetensors | treedef --partial -
  treedef --json params.json | jq '.trees[0].parameters'

Exit status: 0, or 1 for a file that is refused, or 2 for a wrong command line.
";

/// A file, and how it is shown.
#[derive(Default)]
struct Job {
    files: Vec<OsString>,
    reading: Reading,
    /// The file with the schema page of a record.
    schema: Option<OsString>,
    color: Color,
    extent: Extent,
    output: Output,
    /// The pattern of the names that are shown.
    only: Option<String>,
    /// Whether large parts come first.
    by_size: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Output {
    #[default]
    Text,
    Json,
    Svg,
    Html,
}

/// Reads the rest of the command line.
pub(crate) fn command(parser: &mut Parser) -> Result<Command, Error> {
    let mut files = Vec::new();
    let mut job = Job::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help(HELP)),
            Arg::Long("depth") => job.extent.depth = Some(parser.value()?.parse()?),
            Arg::Long("full") => job.extent.full = true,
            Arg::Long("treedef") => job.extent.treedef = true,
            Arg::Long("json") => job.print("json", Output::Json)?,
            Arg::Long("svg") => job.print("svg", Output::Svg)?,
            Arg::Long("html") => job.print("html", Output::Html)?,
            Arg::Long("schema") => job.schema = Some(parser.value()?),
            Arg::Long("format") => job.reading.format = Some(format(parser)?),
            Arg::Long("only") => job.only = Some(parser.value()?.string()?),
            Arg::Long("sort") => job.by_size = options::by_size(parser)?,
            Arg::Long("partial") => job.reading.partial = true,
            Arg::Long("color") => job.color = color(parser)?,
            Arg::Value(file) => files.push(file),
            other => return Err(unexpected(other, HELP)),
        }
    }
    if files.is_empty() {
        return Err("expected a file".into());
    }
    if files.len() > 1 && (files.iter().any(|file| file == "-") || job.reading.format.is_some()) {
        return Err("several files are read as one checkpoint in safetensors files".into());
    }
    if job.schema.as_ref().is_some_and(|page| page == "-" && files[0] == "-") {
        return Err("only one of the files can be standard input".into());
    }
    if job.schema.is_some() && (files.len() > 1 || job.reading.format.is_some()) {
        return Err("--schema reads one file, as a record".into());
    }
    let job = Job { files, ..job };
    Ok(Command::Run(Box::new(move || job.run())))
}

impl Job {
    /// Chooses what is printed.
    fn print(&mut self, name: &str, output: Output) -> Result<(), Error> {
        if self.output != Output::Text && self.output != output {
            return Err(format!("--{name} with another of --json, --svg and --html").into());
        }
        self.output = output;
        Ok(())
    }

    /// Writes the report on the file, or one line with the reason if it cannot be read.
    fn run(&self) -> ExitCode {
        match self.show() {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                complain(format_args!("inspect: {why}"));
                ExitCode::FAILURE
            }
        }
    }

    fn show(&self) -> Result<(), String> {
        let first = self.files.first().map(OsString::as_os_str).unwrap_or_default();
        let refused = |why: String| format!("{}: {why}", first.display());
        let progress = Progress::start();
        let mut source = match &self.schema {
            Some(page) => record::read(first, page)?,
            None => file::read_all(&self.files, self.reading)?,
        };
        if let Some(pattern) = &self.only {
            progress::step("selecting");
            source.select(pattern).map_err(refused)?;
        }
        // Of a path such as `.` the name is that of the folder.
        let path = Path::new(first);
        let whole = || fs::canonicalize(path).unwrap_or_default();
        let name = path.file_name().map_or_else(whole, PathBuf::from);
        let name = match first == "-" {
            true => format!("standard input ({})", source.format),
            false => plain(&name.file_name().unwrap_or(first).display().to_string()),
        };
        let name = match self.files.len() - 1 {
            0 => name,
            more => format!("{name} and {more} more"),
        };
        progress::step("summing up");
        let unfolded = self.extent.full && matches!(self.output, Output::Text);
        let mut trees = model::trees(&source, !unfolded).map_err(refused)?;
        if matches!(self.output, Output::Json) {
            source.parts.iter().try_for_each(TreeOf::check_paths).map_err(refused)?;
        }
        if self.by_size {
            trees.iter_mut().for_each(Node::sort_by_size);
        }
        print(progress, |out| match self.output {
            Output::Text => {
                let out = &mut Escaped { out, is_json: false };
                report::text(out, &name, &source, &trees, self.extent, Style::of_output(self.color))
            }
            Output::Svg => picture::svg(out, &name, &source, &trees),
            Output::Html => picture::html(out, &name, &source, &trees, self.extent),
            Output::Json => report::json(out, &name, &source, &trees),
        })
    }
}
