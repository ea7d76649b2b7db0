//! Shows the tree in a file, and how the trees of two files differ.
#![forbid(unsafe_code)]

mod diff;
mod file;
mod fold;
mod inspect;
mod json;
mod leaf;
mod model;
mod npz;
mod options;
mod picture;
mod progress;
mod report;
mod safetensors;
mod source;
mod style;
mod table;
mod tree;

use std::process::ExitCode;

use lexopt::{Arg, Parser};

use crate::options::Command;

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
            print!("{usage}{text}");
            ExitCode::SUCCESS
        }
        Ok(Command::Version) => {
            println!("treedef {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        Ok(Command::Run(job)) => job(),
        Err(error) => {
            eprint!("treedef: {error}\n{USAGE}`treedef --help` says more\n");
            ExitCode::from(2)
        }
    }
}
