//! Reads the structure of a tree from a file and says what it is and what it takes.
//!
//! `cargo run --release --example inspect -- FILE`
//!
//! A `.json` file is a tree of objects, arrays, nulls and leaves. In a `.safetensors` file the names of the tensors,
//! split at dots, are the structure. Any other file holds the bytes of a treedef.

mod source;

mod report;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let (Some(file), None) = (args.next(), args.next()) else {
        eprintln!("usage: inspect FILE.json | FILE.safetensors | FILE with treedef bytes");
        return ExitCode::from(2);
    };
    let file = Path::new(&file);
    match source::read(file).and_then(|source| report::print(&source)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // One line, whatever the cause says.
            let why = why.replace('\n', " ");
            eprintln!("inspect: {}: {why}", file.display());
            ExitCode::FAILURE
        }
    }
}
