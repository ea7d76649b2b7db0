//! Shows the tree in a file, and how the trees of two files differ.
#![forbid(unsafe_code)]

mod diff;
mod diff_json;
mod facts;
mod file;
mod fold;
mod folder;
mod foreign;
mod inspect;
mod json;
mod key;
mod label;
mod leaf;
mod model;
mod msgpack;
mod names;
mod npz;
mod options;
mod orbax;
mod output;
mod pairs;
mod picture;
mod progress;
mod python;
mod record;
mod rename;
mod report;
mod safetensors;
mod shards;
mod sniff;
mod source;
mod stored;
mod style;
mod table;
mod tree;

use std::collections::VecDeque;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use lexopt::{Arg, Error, Parser};

use crate::options::{Command, did_you_mean, unexpected};
use crate::output::{complain, print};
use crate::progress::Progress;

/// The lines that answer a wrong command line, and begin the help.
const USAGE: &str = "\
usage: treedef [inspect] [OPTIONS] FILE..
       treedef diff [OPTIONS] A B
";

/// What `treedef --help` prints after the usage.
const ABOUT: &str = "
inspect  shows the tree in a file: parameters, bytes, dtypes and shapes; a file
         without a command is inspected
diff     shows how the trees of two files differ
help     prints this, and the help of a command if one follows

examples:
  treedef model.safetensors
  treedef checkpoint/
  treedef diff model.treedef checkpoint.safetensors

`treedef help inspect` and `treedef help diff` have the options, and the files
that are read. `treedef --version` prints the version.
";

/// The names of the commands.
const COMMANDS: [&str; 3] = ["inspect", "diff", "help"];

fn main() -> ExitCode {
    match command() {
        Ok(Command::Help(text)) => {
            let usage = if text == ABOUT { USAGE } else { "" };
            say(&format!("{usage}{text}"))
        }
        Ok(Command::Version) => say(&format!("treedef {}\n", env!("CARGO_PKG_VERSION"))),
        Ok(Command::Run(job)) => job(),
        Err(error) => {
            complain(format_args!("treedef: {error}"));
            let _ = writeln!(io::stderr(), "{USAGE}`treedef help` says more");
            ExitCode::from(2)
        }
    }
}

/// Reads the command line.
fn command() -> Result<Command, Error> {
    let mut args: VecDeque<_> = std::env::args_os().skip(1).collect();
    let first = args.front().ok_or("expected a file or a command")?.clone();
    let name = first.to_string_lossy().into_owned();
    let name = COMMANDS.into_iter().find(|command| *command == name).unwrap_or(&name);
    if COMMANDS.contains(&name) {
        args.pop_front();
    }
    let mut parser = Parser::from_args(args);
    match name {
        "diff" => diff::command(&mut parser),
        "help" => help(&mut parser),
        "--help" | "-h" => Ok(Command::Help(ABOUT)),
        "--version" | "-V" => Ok(Command::Version),
        // A file has an extension, or it is there.
        word if word.starts_with(|c: char| c.is_ascii_alphabetic())
            && !word.contains(['.', '/', '\\'])
            && !COMMANDS.contains(&word)
            && !Path::new(&first).exists() =>
        {
            let like = did_you_mean(word, COMMANDS.into_iter());
            Err(format!("{word:?} is no command and no file{like}").into())
        }
        _ => inspect::command(&mut parser),
    }
}

/// Reads the command whose help is printed.
fn help(parser: &mut Parser) -> Result<Command, Error> {
    let Some(arg) = parser.next()? else { return Ok(Command::Help(ABOUT)) };
    match arg {
        Arg::Value(name) if name == "inspect" => Ok(Command::Help(inspect::HELP)),
        Arg::Value(name) if name == "diff" => Ok(Command::Help(diff::HELP)),
        Arg::Value(name) if name == "help" => Ok(Command::Help(ABOUT)),
        Arg::Value(name) => {
            let name = name.to_string_lossy();
            let like = did_you_mean(&name, COMMANDS.into_iter());
            Err(format!("{name:?} is no command{like}").into())
        }
        other => Err(unexpected(other, "")),
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
