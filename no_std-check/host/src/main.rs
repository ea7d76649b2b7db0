//! `host SESSION .. -- PROGRAM ..`: holds a session with the device at the other end of a program's input and output.
//!
//! - `host tune PATH=VALUE .. -- PROGRAM ..` shows the tree, runs steps, sets leaves, and runs steps again;
//! - `host older -- PROGRAM ..` is a host that was built for last year's structure;
//! - `host noise SEED -- PROGRAM ..` tunes at random over a line that damages every third frame.
//!
//! Exit status 0 where all went well, 1 after an error, 3 where the structures differ.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use host::known::{OLDER, TODAY};
use host::noise::Noisy;
use host::sessions::{Verdict, noise, tune};
use host::wire::Program;

/// Longer than the device and its emulator take to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where answers get lost the next attempt should come soon; one that comes too soon does no harm.
const PATIENCE_IN_NOISE: Duration = Duration::from_millis(20);

fn main() -> ExitCode {
    match run() {
        Ok(Verdict::Same) => ExitCode::SUCCESS,
        Ok(Verdict::Differs) => ExitCode::from(3),
        Err(error) => {
            eprintln!("host: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<Verdict, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut parts = arguments.splitn(2, |argument| argument == "--");
    let (Some([session, what @ ..]), Some(command)) = (parts.next(), parts.next()) else {
        return Err("usage: host tune PATH=VALUE .. | older | noise SEED -- PROGRAM ..".into());
    };
    let (verdict, program) = match (session.as_str(), what) {
        ("tune", edits) => {
            let mut program = Program::start(command, PATIENCE)?;
            (tune(&mut program, TODAY, edits)?, program)
        }
        ("older", []) => {
            let mut program = Program::start(command, PATIENCE)?;
            (tune(&mut program, OLDER, &[])?, program)
        }
        ("noise", [seed]) => {
            let program = Program::start(command, PATIENCE_IN_NOISE)?;
            let mut line = Noisy::new(program, seed.parse()?);
            (noise(&mut line, TODAY)?, line.into_wire())
        }
        _ => return Err(format!("no session {session} with {} arguments", what.len()).into()),
    };
    let status = program.end()?;
    println!("device ends: {status}");
    if status.success() { Ok(verdict) } else { Err("the device failed".into()) }
}
