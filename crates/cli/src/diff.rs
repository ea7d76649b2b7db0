//! Implements `treedef diff`: shows how the structures of two files differ.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lexopt::{Arg, Parser};
use treedef::Error;
use treedef::diff::Difference;

use crate::Command;
use crate::source::{self, Source};

/// Reads the rest of the command line.
pub(crate) fn command(parser: &mut Parser) -> Result<Command, lexopt::Error> {
    let (mut files, mut prefix, mut all) = (Vec::new(), false, false);
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Long("help") => return Ok(Command::Help),
            Arg::Long("prefix") => prefix = true,
            Arg::Long("all") => all = true,
            Arg::Value(path) => files.push(PathBuf::from(path)),
            other => return Err(other.unexpected()),
        }
    }
    let files = files.try_into().map_err(|_| "expected two files")?;
    Ok(Command::Diff(Job { files, prefix, all }))
}

/// Reads a file. The extension of its name decides how.
fn read(file: &Path) -> Result<Source, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string());
    bytes
        .and_then(|bytes| source::read(&bytes, &source::ending(file)))
        .map_err(|why| format!("{}: {why}", file.display()))
}

/// The files to compare, and the form of the output.
pub(crate) struct Job {
    files: [PathBuf; 2],
    prefix: bool,
    all: bool,
}

impl Job {
    /// Writes the differences, or one line with the reason if the files cannot be compared.
    pub(crate) fn run(&self) -> ExitCode {
        match self.compare(&mut std::io::stdout().lock()) {
            Ok(differs) => ExitCode::from(u8::from(differs)),
            Err(why) => {
                eprintln!("diff: {}", why.replace('\n', " "));
                ExitCode::from(2)
            }
        }
    }

    /// Compares the files and returns whether they differ.
    fn compare(&self, out: &mut impl Write) -> Result<bool, String> {
        let [first, second] = &self.files;
        let (first, second) = (read(first)?, read(second)?);
        let (first, second) = (first.def.as_treedef(), second.def.as_treedef());
        let differences =
            if self.prefix { first.prefix_errors(second) } else { first.differences(second) };
        let differences = differences.deep();
        let differs = differences.clone().next().is_some();
        let written = if self.all {
            self.every(differences, out)
        } else {
            writeln!(out, "{}", differences.summary()).map_err(Stop::Write)
        };
        match written {
            // The reader of the output may close it early.
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
