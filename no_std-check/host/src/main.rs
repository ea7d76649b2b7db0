//! `host SESSION .. -- PROGRAM ..`: holds a session with the device at the other end of a program's input and output.
//!
//! - `host tune PATH=VALUE .. -- PROGRAM ..` shows the tree, runs steps, sets leaves, and runs steps again;
//! - `host noise SEED PATH=VALUE .. -- PROGRAM ..` does the same over a line that damages every second frame;
//! - `host older -- PROGRAM ..` is a host that was built for last year's structure.
//!
//! Exit status 0 if all went well, 1 after an error, 3 if the structures differ.

mod client;
mod noise;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::process::ExitCode;

use client::{Client, Problem, Program, Wire};
use device::drive::{self, Drive};
use device::line::{Action, Leaves, Refusal};
use noise::Noisy;
use treedef::{Tree, TreeDef, View, treedef_of};

/// Last year's drive: one limit, and no feedforward.
#[derive(Tree)]
#[tree(name = "drive::Drive")]
struct OlderDrive {
    parameters: OlderParameters,
    state: drive::State,
}

#[derive(Tree)]
#[tree(name = "drive::Parameters")]
struct OlderParameters {
    speed: drive::Pi,
    limits: f32,
}

const OLDER: TreeDef<'static> = treedef_of::<OlderDrive>();

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(3),
        Err(error) => {
            eprintln!("host: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut parts = arguments.splitn(2, |argument| argument == "--");
    let (Some([session, what @ ..]), Some(command)) = (parts.next(), parts.next()) else {
        return Err(
            "usage: host tune PATH=VALUE .. | noise SEED PATH=VALUE .. | older -- PROGRAM .."
                .into(),
        );
    };
    let (known, every, seed, edits) = match (session.as_str(), what) {
        ("tune", edits) => (drive::STRUCTURE, 0, 0, edits),
        ("noise", [seed, edits @ ..]) => (drive::STRUCTURE, 2, seed.parse()?, edits),
        ("older", []) => (OLDER, 0, 0, [].as_slice()),
        _ => return Err(format!("no session {session} with {} arguments", what.len()).into()),
    };
    let mut line = Noisy::new(Program::start(command)?, every, seed);
    let same = tune(&mut line, known, edits)?;
    let status = line.wire.end()?;
    println!("device ends: {status}");
    if status.success() { Ok(same) } else { Err("the device failed".into()) }
}

/// Control steps before and after an edit.
const STEPS: u32 = 100;

/// Shows the device's tree, runs steps, sets leaves by their paths, and runs steps again. False if the device has another
/// structure than the one that is known; then nothing is changed.
fn tune(
    wire: &mut impl Wire,
    known: TreeDef<'_>,
    edits: &[String],
) -> Result<bool, Box<dyn Error>> {
    let mut client = Client::new(wire);
    let bytes = client.hello()?;
    // The treedef is checked: nothing is known of who made the bytes.
    let device = TreeDef::from_bytes(&bytes)?;
    client.structure = device.fingerprint();
    println!(
        "device has structure {:016x}: {} bytes, {} leaves",
        client.structure,
        bytes.len(),
        device.num_leaves()
    );
    // The tree can be shown even if it is not the known one: the treedef says what the leaves are.
    let mut leaves = client.leaves(Action::Read)?;
    for (path, leaf) in View::new(device, &leaves)?.leaves_with_path() {
        println!("  {:<32} {leaf}", path.to_string());
    }
    if device == known {
        println!("it is the one that this host was built for");
        leaves = client.leaves(Action::Run { steps: STEPS })?;
        show_speed(device, &leaves)?;
        leaves = edited(device, leaves, edits)?;
        match client.leaves(Action::Write(leaves)) {
            Err(Problem::Refused(Refusal::NotFinite(leaf))) => {
                let path = device.path(leaf as usize).ok_or(Problem::Misunderstood)?;
                return Err(format!("device refuses: {path} is not finite").into());
            }
            answer => answer?,
        };
        println!("device takes {} bytes of leaves", 4 * device.num_leaves());
        show_speed(device, &client.leaves(Action::Run { steps: STEPS })?)?;
    } else {
        println!("it is not the one that this host was built for, {:016x}:", known.fingerprint());
        for difference in known.differences(device).deep() {
            println!("  {}", difference?);
        }
        client.structure = known.fingerprint();
        let zeros = std::iter::repeat_n(0.0, known.num_leaves()).collect();
        match client.leaves(Action::Write(zeros)) {
            Err(problem @ Problem::Refused(Refusal::OtherStructure(_))) => {
                println!("leaves of the older structure: {problem}");
            }
            _ => return Err("the device takes leaves of another structure".into()),
        }
        client.structure = device.fingerprint();
        if client.leaves(Action::Read)? != leaves {
            return Err("a refused write changes the device".into());
        }
        println!("its leaves are as they were");
    }
    // The line also ends if only the answer is lost.
    match client.leaves(Action::Stop) {
        Ok(_) | Err(Problem::Line(_)) => Ok(device == known),
        Err(problem) => Err(problem.into()),
    }
}

/// The leaves after edits `PATH=VALUE`.
fn edited(
    def: TreeDef<'_>,
    mut leaves: Leaves,
    edits: &[String],
) -> Result<Leaves, Box<dyn Error>> {
    for edit in edits {
        let (path, value) = edit.split_once('=').ok_or("an edit is PATH=VALUE")?;
        let found =
            def.find_str(path).map_err(|error| error.explain_path(def, path).to_string())?;
        let leaf = found.as_leaf().ok_or_else(|| format!("{path} is no leaf"))?;
        println!("host sets {path}, leaf {leaf}, from {} to {value}", leaves[leaf]);
        leaves[leaf] = value.parse()?;
    }
    Ok(leaves)
}

/// Prints how far the motor is, from the leaves as a value of the type.
fn show_speed(def: TreeDef<'_>, leaves: &[f32]) -> Result<(), treedef::Error> {
    let Drive { state, .. } = treedef::unflatten(def, leaves)?;
    let (steps, speed, target) = (state.steps, state.speed, state.target);
    println!("after {steps} steps the speed is {speed:.1} of {target} rad/s");
    Ok(())
}
