//! Implements `treedef inspect`: shows the structure in a file.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lexopt::{Arg, Error, Parser};

use crate::{Command, exported, report, source};

/// Reads the rest of the command line.
pub(crate) fn command(parser: &mut Parser) -> Result<Command, Error> {
    let mut file = None;
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Long("help") => return Ok(Command::Help),
            Arg::Value(path) if file.is_none() => file = Some(PathBuf::from(path)),
            other => return Err(other.unexpected()),
        }
    }
    file.map(Command::Inspect).ok_or("expected a file".into())
}

/// Writes the report on a file, or one line with the reason if it cannot be read.
pub(crate) fn run(file: &Path) -> ExitCode {
    let written = text(file).and_then(|text| {
        match std::io::stdout().write_all(text.as_bytes()) {
            // The reader of the output may close it early.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.to_string()),
            _ => Ok(()),
        }
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("inspect: {}: {}", file.display(), why.replace('\n', " "));
            ExitCode::FAILURE
        }
    }
}

/// Reads a file and returns the report on it. The extension of its name decides how it is read.
fn text(file: &Path) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    match source::ending(file).as_str() {
        "jax_export" | "bin" => exported::text(&bytes),
        ending => report::text(&source::read(&bytes, ending)?),
    }
}
