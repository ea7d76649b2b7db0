//! Shows the tree in a file, and how the trees of two files differ.
#![forbid(unsafe_code)]

mod diff;
mod file;
mod fold;
mod foreign;
mod inspect;
mod json;
mod leaf;
mod model;
mod msgpack;
mod names;
mod npz;
mod options;
mod output;
mod picture;
mod progress;
mod python;
mod report;
mod safetensors;
mod sniff;
mod source;
mod style;
mod table;
mod tree;

use std::io::{self, Write as _};
use std::process::ExitCode;

use lexopt::{Arg, Parser};

use crate::options::Command;
use crate::output::{complain, print};
use crate::progress::Progress;

/// The lines that answer a wrong command line, and begin the help.
const USAGE: &str = "\
usage: treedef inspect [OPTIONS] FILE
       treedef diff [OPTIONS] A B
";

/// What `treedef --help` prints after the usage.
const ABOUT: &str = "
inspect  shows the tree in a file: parameters, bytes, dtypes and shapes
diff     shows how the trees of two files differ

examples:
  treedef inspect model.safetensors
  treedef diff model.treedef checkpoint.safetensors

`treedef inspect --help` and `treedef diff --help` have the options, and the
files that are read.
";

fn main() -> ExitCode {
    let mut parser = Parser::from_env();
    let run = match parser.next() {
        Ok(Some(Arg::Long("help") | Arg::Short('h'))) => Ok(Command::Help(ABOUT)),
        Ok(Some(Arg::Long("version") | Arg::Short('V'))) => Ok(Command::Version),
        Ok(Some(Arg::Value(name))) => match name.to_str() {
            Some("inspect") => inspect::command(&mut parser),
            Some("diff") => diff::command(&mut parser),
            _ => Err(Arg::Value(name).unexpected()),
        },
        Ok(Some(other)) => Err(other.unexpected()),
        Ok(None) => Err("expected a command".into()),
        Err(error) => Err(error),
    };
    match run {
        Ok(Command::Help(text)) => {
            let usage = if text == ABOUT { USAGE } else { "" };
            say(&format!("{usage}{text}"))
        }
        Ok(Command::Version) => say(&format!("treedef {}\n", env!("CARGO_PKG_VERSION"))),
        Ok(Command::Run(job)) => job(),
        Err(error) => {
            complain(format_args!("treedef: {error}"));
            let _ = writeln!(io::stderr(), "{USAGE}`treedef --help` says more");
            ExitCode::from(2)
        }
    }
}

/// Prints a text.
fn say(text: &str) -> ExitCode {
    match print(Progress::start(), |out| out.write_all(text.as_bytes())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            complain(format_args!("treedef: {why}"));
            ExitCode::FAILURE
        }
    }
}
