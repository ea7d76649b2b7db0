//! Reads the structure of a tree from a file and says what it is and what it takes.
//!
//! `cargo run --release --example inspect -- FILE`
//!
//! A `.json` file is a tree of objects, arrays, nulls and leaves. In a `.safetensors` file the names of the tensors,
//! split at dots, are the structure. A `.pb` file is what JAX's `PyTreeDef.serialize_using_proto` gave, a `.jax_export` or
//! `.bin` file a function that `jax.export` wrote, with the structures of what goes in and what comes out. Any other file
//! holds the bytes of a treedef.

mod source;

mod report;

mod exported;

use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: inspect FILE.json | FILE.safetensors | FILE.pb | FILE.jax_export | FILE.bin (as .jax_export) | \
                     FILE with treedef bytes";

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let (Some(file), None) = (args.next(), args.next()) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if file == "--help" {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let file = Path::new(&file);
    let written = text(file).and_then(|text| {
        match std::io::stdout().write_all(text.as_bytes()) {
            // Whoever reads the output may stop when it has seen enough.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.to_string()),
            _ => Ok(()),
        }
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // One line, whatever the cause says.
            let why = why.replace('\n', " ");
            eprintln!("inspect: {}: {why}", file.display());
            ExitCode::FAILURE
        }
    }
}

/// Reads a file by its ending and says what is in it.
fn text(file: &Path) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "jax_export" | "bin" => exported::text(&bytes),
        ending => report::text(&source::read(bytes, ending)?),
    }
}
