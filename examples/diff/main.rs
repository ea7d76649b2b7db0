//! Reads two structures from files and says what changed between them.
//!
//! `cargo run --release --example diff -- [--prefix] [--all] A B`
//!
//! Files are read as by the example `inspect`, other than artifacts of `jax.export`, which hold several structures.
//! Without options the answer is a summary of a few lines; `--all` prints every difference with what each side has
//! there, `--prefix` the places where A is no prefix of B: a leaf of A stands for anything. The exit code is that of
//! `diff`: 0 for equal structures, 1 for different ones, 2 for an error. Without files it compares two of
//! `examples/data`.

#[expect(dead_code, reason = "the leaves are for `inspect`")]
#[path = "../inspect/source.rs"]
mod source;

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use treedef::{Difference, Error};

use crate::source::Source;

const USAGE: &str = "usage: diff [--prefix] [--all] A B";

/// Pending levels that there is room for: more than the reader takes from JSON. Deeper treedefs are an error.
const DEPTH: usize = 1024;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    if args.iter().any(|arg| arg == "--help") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let Some(job) = Job::of(&args) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if args.is_empty() {
        let [first, second] = &job.files;
        eprintln!("comparing {} with {}", first.display(), second.display());
    }
    match job.run(&mut std::io::stdout().lock()) {
        Ok(differs) if differs && !args.is_empty() => ExitCode::from(1),
        Ok(_) => ExitCode::SUCCESS,
        Err(why) => {
            // One line, whatever the cause says.
            eprintln!("diff: {}", why.replace('\n', " "));
            ExitCode::from(2)
        }
    }
}

/// Reads a file by its ending.
fn read(file: &Path) -> Result<Source, String> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let bytes = std::fs::read(file).map_err(|error| error.to_string());
    bytes
        .and_then(|bytes| source::read(bytes, &ending.to_ascii_lowercase()))
        .map_err(|why| format!("{}: {why}", file.display()))
}

/// What is compared, and how it is told.
struct Job {
    files: [PathBuf; 2],
    prefix: bool,
    all: bool,
}

impl Job {
    /// Reads the command line; `None` where it makes no sense.
    fn of(args: &[OsString]) -> Option<Self> {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data");
        if args.is_empty() {
            let files = ["pid_cascade.json", "pid_cascade_edited.json"].map(|name| data.join(name));
            return Some(Self { files, prefix: false, all: false });
        }
        let (mut files, mut prefix, mut all) = (Vec::new(), false, false);
        for arg in args {
            match arg.to_str() {
                Some("--prefix") => prefix = true,
                Some("--all") => all = true,
                Some(option) if option.starts_with("--") => return None,
                _ => files.push(PathBuf::from(arg)),
            }
        }
        Some(Self { files: files.try_into().ok()?, prefix, all })
    }

    /// Compares the files and says whether they differ.
    fn run(&self, out: &mut impl Write) -> Result<bool, String> {
        let [first, second] = &self.files;
        let (first, second) = (read(first)?, read(second)?);
        let (first, second) = (first.treedef()?, second.treedef()?);
        let differences =
            if self.prefix { first.prefix_errors(second) } else { first.differences(second) };
        let differences = differences.with_depth::<DEPTH>().deep();
        let differs = differences.clone().next().is_some();
        let written = if self.all {
            self.every(differences, out)
        } else {
            writeln!(out, "{}", differences.summary()).map_err(Stop::Write)
        };
        match written {
            // Whoever reads the output may stop when it has seen enough.
            Err(Stop::Write(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(differs),
            Err(Stop::Write(error)) => Err(error.to_string()),
            Err(Stop::Compare(error)) => Err(error.to_string()),
            Ok(()) => Ok(differs),
        }
    }

    /// Writes every difference with both sides.
    fn every<'a>(
        &self,
        differences: impl Iterator<Item = Result<Difference<'a>, Error>>,
        out: &mut impl Write,
    ) -> Result<(), Stop> {
        for difference in differences {
            let difference = difference.map_err(Stop::Compare)?;
            writeln!(out, "{difference:#}").map_err(Stop::Write)?;
            let (ours, theirs) = (difference.expected_leaves(), difference.found_leaves());
            writeln!(out, "  leaves {ours:?} in {}", self.files[0].display())
                .map_err(Stop::Write)?;
            writeln!(out, "  leaves {theirs:?} in {}", self.files[1].display())
                .map_err(Stop::Write)?;
        }
        Ok(())
    }
}

/// Why the output ends early.
enum Stop {
    Write(std::io::Error),
    Compare(Error),
}
