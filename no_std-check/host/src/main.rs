//! `host SESSION .. -- PROGRAM ..`: holds a session with the device at the other end of a program's input and output.
//!
//! - `host tune PATH=VALUE .. -- PROGRAM ..` shows the drive, runs steps, sets leaves, and runs steps again;
//! - `host noise SEED PATH=VALUE .. -- PROGRAM ..` does the same over a line that damages every second frame;
//! - `host older -- PROGRAM ..` is a host that was built for last year's drive.
//!
//! Exit status 0 if all went well, 1 after an error, 3 if the keys differ.

mod client;
mod noise;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::process::ExitCode;

use client::{Client, Problem, Program, Wire};
use device::drive::{self, Drive};
use device::line::{Action, Refusal, Value};
use noise::Noisy;
use treedef::record::frame::{FrameLeaves, FrameSchema, frame_into, read_frame};
use treedef::record::record_key;
use treedef::tree::{TreeWalk, leaf_mut};
use treedef::{Tree, TreeDef, over, schema_of, treedef_of};

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

/// What a host was built for.
struct Known {
    key: u64,
    schema: TreeDef<'static>,
    /// A value of the type.
    value: fn() -> Value,
}

const DRIVE: Known = Known {
    key: record_key::<Drive>(),
    schema: schema_of::<Drive>(),
    value: || sent(&Drive::default()),
};

const OLDER: Known = Known {
    key: record_key::<OlderDrive>(),
    schema: schema_of::<OlderDrive>(),
    value: || {
        let Drive { parameters: drive::Parameters { speed, .. }, state } = Drive::default();
        sent(&OlderDrive { parameters: OlderParameters { speed, limits: 24.0 }, state })
    },
};

/// The names of the leaves: a host with the type does not ask for them.
const NAMES: TreeDef<'static> = treedef_of::<Drive>();

/// A value as it is sent.
fn sent<T: TreeWalk<FrameLeaves>>(value: &T) -> Value {
    let mut bytes = Value::new();
    // The device has checked that there is room.
    let _ = bytes.resize_default(bytes.capacity());
    let len = frame_into(value, &mut bytes).unwrap_or(0);
    bytes.truncate(len);
    bytes
}

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
        ("tune", edits) => (DRIVE, 0, 0, edits),
        ("noise", [seed, edits @ ..]) => (DRIVE, 2, seed.parse()?, edits),
        ("older", []) => (OLDER, 0, 0, [].as_slice()),
        _ => return Err(format!("no session {session} with {} arguments", what.len()).into()),
    };
    let mut line = Noisy::new(Program::start(command)?, every, seed);
    let same = tune(&mut line, &known, edits)?;
    let status = line.wire.end()?;
    println!("device ends: {status}");
    if status.success() { Ok(same) } else { Err("the device failed".into()) }
}

/// Control steps before and after an edit.
const STEPS: u32 = 100;

/// Shows the drive, runs steps, sets leaves by their paths, and runs steps again. False if the device has another key than the
/// one that is known; then nothing is changed.
fn tune(wire: &mut impl Wire, known: &Known, edits: &[String]) -> Result<bool, Box<dyn Error>> {
    let mut client = Client::new(wire);
    let key = client.hello()?;
    println!("device has the key {key:016x}");
    if key == known.key {
        println!("it is the one that this host was built for");
        let drive = read(&client.value(Action::Read)?)?;
        over(&drive).paths().for_each(|path, leaf: &f32| {
            println!("  {:<32} {leaf}", path.keystr().to_string());
        })?;
        let drive = read(&client.value(Action::Run { steps: STEPS })?)?;
        show_speed(&drive);
        let value = sent(&edited(drive, edits)?);
        let bytes = value.len();
        match client.value(Action::Write(value)) {
            Err(Problem::Refused(Refusal::NotFinite(leaf))) => {
                let path = NAMES.path(leaf as usize).ok_or(Problem::Misunderstood)?;
                return Err(format!("device refuses: {path} is not finite").into());
            }
            answer => answer?,
        };
        println!("device takes {bytes} bytes");
        show_speed(&read(&client.value(Action::Run { steps: STEPS })?)?);
    } else {
        older(&mut client, known)?;
    }
    // The line also ends if only the answer is lost.
    match client.value(Action::Stop) {
        Ok(_) | Err(Problem::Line(_)) => Ok(key == known.key),
        Err(problem) => Err(problem.into()),
    }
}

/// Says how the type of the device differs, and checks that values of the known one change nothing.
fn older<W: Wire>(client: &mut Client<'_, W>, known: &Known) -> Result<(), Box<dyn Error>> {
    let key = client.key;
    let bytes = client.schema()?;
    println!(
        "it is not the one that this host was built for, {:016x}; by its schema of {} bytes:",
        known.key,
        bytes.len()
    );
    // The schema is checked: nothing is known of who made the bytes.
    let schema = TreeDef::from_bytes(&bytes)?;
    for difference in known.schema.differences(schema).deep() {
        println!("  {}", difference?);
    }
    let value = client.value(Action::Read)?;
    let parts = FrameSchema::<64>::new(schema)?;
    println!("its value has {} bytes of leaves", parts.parts(&value)?.leaves.len());
    client.key = known.key;
    match client.value(Action::Write((known.value)())) {
        Err(problem @ Problem::Refused(Refusal::OtherKey(_))) => {
            println!("a value of the older type: {problem}");
        }
        _ => return Err("the device takes a value of another type".into()),
    }
    client.key = key;
    if client.value(Action::Read)? != value {
        return Err("a refused write changes the device".into());
    }
    println!("its value is as it was");
    Ok(())
}

/// The drive that the device sent.
fn read(value: &[u8]) -> Result<Drive, Problem> {
    Ok(read_frame(value)?)
}

/// The drive after edits `PATH=VALUE`.
fn edited(mut drive: Drive, edits: &[String]) -> Result<Drive, Box<dyn Error>> {
    for edit in edits {
        let (path, value) = edit.split_once('=').ok_or("an edit is PATH=VALUE")?;
        let found =
            NAMES.find_str(path).map_err(|error| error.explain_path(NAMES, path).to_string())?;
        let index = found.as_leaf().ok_or_else(|| format!("{path} is no leaf"))?;
        let leaf: &mut f32 = leaf_mut(&mut drive, index)?;
        println!("host sets {path}, leaf {index}, from {leaf} to {value}");
        *leaf = value.parse()?;
    }
    Ok(drive)
}

/// Prints how far the motor is.
fn show_speed(Drive { state, .. }: &Drive) {
    let (steps, speed, target) = (state.steps, state.speed, state.target);
    println!("after {steps} steps the speed is {speed:.1} of {target} rad/s");
}
