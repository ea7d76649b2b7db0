//! Shows the structure of a tree in a file, and how the structures of two files differ.
#![forbid(unsafe_code)]

mod diff;

mod exported;

mod inspect;

mod report;

mod source;

use std::process::ExitCode;

use lexopt::{Arg, Parser};

const USAGE: &str = "usage: treedef inspect FILE\n       treedef diff [--prefix] [--all] A B";

fn main() -> ExitCode {
    let mut parser = Parser::from_env();
    let run = match parser.next() {
        Ok(Some(Arg::Long("help"))) => Ok(Command::Help),
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
        Ok(Command::Help) => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        Ok(Command::Inspect(file)) => inspect::run(&file),
        Ok(Command::Diff(job)) => job.run(),
        Err(_) => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// The command of a command line.
enum Command {
    Help,
    Inspect(std::path::PathBuf),
    Diff(diff::Job),
}
