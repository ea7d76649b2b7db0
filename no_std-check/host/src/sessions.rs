//! What a host and a device do with each other.

use std::error::Error;

use protocol::{Refusal, Request};
use treedef::{TreeDef, View};

use crate::client::{Client, Problem};
use crate::known::Drive;
use crate::noise::Noisy;
use crate::wire::Wire;

/// What came of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Device and host have the same structure.
    Same,
    /// They have not, and nothing was changed.
    Differs,
}

/// Control steps before and after an edit.
const STEPS: u32 = 100;

/// Shows the device's tree, runs steps, sets leaves by their paths, and runs steps again.
///
/// # Errors
///
/// Every [`Problem`], and errors about the device's treedef and the paths and values of the edits.
pub fn tune(
    wire: &mut impl Wire,
    known: TreeDef<'_>,
    edits: &[String],
) -> Result<Verdict, Box<dyn Error>> {
    let mut client = Client::new(wire);
    let (fingerprint, bytes) = client.hello()?;
    let device = structure(fingerprint, &bytes)?;
    println!(
        "device has structure {fingerprint:016x}: {} bytes, {} leaves",
        bytes.len(),
        device.num_leaves()
    );
    // A structure that is not known can be read all the same: the treedef says what the leaves are.
    let mut leaves = vec![0.0; device.num_leaves()];
    client.leaves(Request::Read { fingerprint }, fingerprint, &mut leaves)?;
    show(View::new(device, &leaves)?);
    if device != known {
        refuse(&mut client, known, device, &leaves)?;
        return Ok(Verdict::Differs);
    }
    println!("it is the one that this host was built for");

    client.leaves(Request::Run { steps: STEPS }, fingerprint, &mut leaves)?;
    tell(device, &leaves)?;
    for edit in edits {
        let (path, value) = edit.split_once('=').ok_or("an edit is PATH=VALUE")?;
        let found =
            device.find_str(path).map_err(|error| error.explain_path(device, path).to_string())?;
        let leaf = found.as_leaf().ok_or_else(|| format!("{path} is no leaf"))?;
        println!("host sets {path}, leaf {leaf}, from {} to {value}", leaves[leaf]);
        leaves[leaf] = value.parse()?;
    }
    client.write(fingerprint, &mut leaves).map_err(|problem| explain(problem, device))?;
    println!("device takes {} bytes of leaves", 4 * leaves.len());
    client.leaves(Request::Run { steps: STEPS }, fingerprint, &mut leaves)?;
    tell(device, &leaves)?;
    client.stop()?;
    Ok(Verdict::Same)
}

/// The treedef that a device sent, which is checked: nothing is known of who made the bytes.
fn structure(fingerprint: u64, bytes: &[u8]) -> Result<TreeDef<'_>, Box<dyn Error>> {
    let def = TreeDef::from_bytes(bytes)?;
    if def.fingerprint() == fingerprint {
        Ok(def)
    } else {
        Err("the device's fingerprint is not that of its treedef".into())
    }
}

/// Prints the leaves with their paths.
fn show(tree: View<'_, f32>) {
    for (path, leaf) in tree.leaves_with_path() {
        println!("  {:<32} {leaf}", path.to_string());
    }
}

/// Prints how far the motor is, from the leaves as a value of this program's own type.
fn tell(def: TreeDef<'_>, leaves: &[f32]) -> Result<(), treedef::Error> {
    let Drive { state, .. } = treedef::unflatten(def, leaves)?;
    println!(
        "after {} steps the speed is {:.1} of {} rad/s",
        state.steps, state.speed, state.target
    );
    Ok(())
}

/// Says what differs, and shows that the device also refuses, should a host try all the same.
fn refuse<W: Wire>(
    client: &mut Client<W>,
    known: TreeDef<'_>,
    device: TreeDef<'_>,
    leaves: &[f32],
) -> Result<(), Box<dyn Error>> {
    println!("it is not the one that this host was built for, {:016x}:", known.fingerprint());
    for difference in known.differences(device).deep() {
        println!("  {}", difference?);
    }
    let mut zeros = vec![0.0; known.num_leaves()];
    match client.write(known.fingerprint(), &mut zeros) {
        Err(problem @ Problem::Refused(Refusal::OtherStructure { .. })) => {
            println!("leaves of the older structure: {problem}");
        }
        _ => return Err("the device takes leaves of another structure".into()),
    }
    let (fingerprint, mut now) = (device.fingerprint(), vec![0.0; leaves.len()]);
    client.leaves(Request::Read { fingerprint }, fingerprint, &mut now)?;
    if now != leaves {
        return Err("a refused write changes the device".into());
    }
    println!("its leaves are as they were");
    client.stop()?;
    Ok(())
}

/// A refusal with the path of the leaf that it is about.
fn explain(problem: Problem, def: TreeDef<'_>) -> Box<dyn Error> {
    match problem {
        Problem::Refused(Refusal::NotFinite { leaf }) => match def.path(leaf as usize) {
            Some(path) => format!("device refuses: {path} is not finite").into(),
            None => problem.into(),
        },
        _ => problem.into(),
    }
}

/// Requests of a session in noise.
const ROUNDS: u32 = 100;

/// Sets leaves at random over a line that damages frames, with wrong requests in between, and makes sure that in the end
/// the device has done each right request once and no other.
///
/// # Errors
///
/// As [`tune`], and one where anything was lost.
pub fn noise<W: Wire>(wire: &mut Noisy<W>, known: TreeDef<'_>) -> Result<Verdict, Box<dyn Error>> {
    let mut client = Client::new(&mut *wire);
    let (fingerprint, bytes) = client.hello()?;
    let device = structure(fingerprint, &bytes)?;
    if device != known {
        return Ok(Verdict::Differs);
    }
    let mut leaves = vec![0.0; device.num_leaves()];
    client.leaves(Request::Read { fingerprint }, fingerprint, &mut leaves)?;
    let tunable = device.find_str(".parameters")?.leaves();
    let steps = device.find_str(".state.steps")?.as_leaf().ok_or("the steps are no leaf")?;

    // What is asked is as arbitrary as the noise, and as repeatable.
    let mut dice = fastrand::Rng::with_seed(u64::from(ROUNDS));
    let (mut taken, mut refused) = (0, 0);
    for round in 0..ROUNDS {
        let leaf = dice.usize(tunable.clone());
        match dice.u8(..6) {
            0 => {
                let (run, before) = (dice.u32(1..20), leaves.clone());
                client.leaves(Request::Run { steps: run }, fingerprint, &mut leaves)?;
                ensure(
                    leaves[steps] == before[steps] + run as f32,
                    round,
                    "steps ran twice or not at all",
                )?;
                ensure(
                    leaves[tunable.clone()] == before[tunable.clone()],
                    round,
                    "steps changed a parameter",
                )?;
            }
            1 => {
                let found = wrong(&mut client, &mut dice, fingerprint, &leaves, leaf);
                ensure(
                    found.is_ok(),
                    round,
                    "a wrong request was not refused, or not for what is wrong",
                )?;
                refused += 1;
            }
            _ => {
                leaves[leaf] = (dice.f32() - 0.5) * 1e3;
                let asked = leaves.clone();
                client.write(fingerprint, &mut leaves)?;
                ensure(leaves == asked, round, "the device has other leaves than were written")?;
                taken += 1;
            }
        }
    }
    let mut last = vec![0.0; leaves.len()];
    client.leaves(Request::Read { fingerprint }, fingerprint, &mut last)?;
    ensure(last == leaves, ROUNDS, "the device has other leaves than it answered")?;
    let counters = client.counters(Request::Count)?;
    ensure(counters.taken == taken, ROUNDS, "writes were lost or done twice")?;
    ensure(counters.refused == refused, ROUNDS, "refusals were lost or done twice")?;
    let tally = client.tally();
    let damage = client.wire().damage();
    println!("{} requests, {} sent again; frames: {damage}", tally.asked, tally.again);
    println!("host dropped {} damaged frames and {} late answers", tally.damaged, tally.late);
    println!(
        "device dropped {} damaged frames and did not repeat {} requests",
        counters.damaged, counters.repeated
    );
    ensure(
        damage.total() > 0 && counters.damaged > 0 && tally.damaged > 0,
        ROUNDS,
        "there was no noise",
    )?;
    println!(
        "device took {taken} writes once each, refused {refused} wrong ones, and all {} leaves are as expected",
        leaves.len()
    );
    client.stop()?;
    Ok(Verdict::Same)
}

/// Sends leaves that the device must not take, and makes sure that it says why.
fn wrong<W: Wire>(
    client: &mut Client<W>,
    dice: &mut fastrand::Rng,
    fingerprint: u64,
    leaves: &[f32],
    leaf: usize,
) -> Result<(), Problem> {
    let (mut other, mut leaves, bytes) = (fingerprint, leaves.to_vec(), 4 * leaves.len());
    let refusal = match dice.u8(..4) {
        0 => {
            other ^= 1 << dice.u8(..64);
            Refusal::OtherStructure { device: fingerprint }
        }
        1 => {
            leaves[leaf] = if dice.bool() { f32::NAN } else { f32::INFINITY };
            Refusal::NotFinite { leaf: leaf as u32 }
        }
        2 => {
            leaves.pop();
            Refusal::Length { expected: bytes as u32, found: bytes as u32 - 4 }
        }
        _ => {
            leaves.push(0.0);
            Refusal::Length { expected: bytes as u32, found: bytes as u32 + 4 }
        }
    };
    match client.write(other, &mut leaves) {
        Err(Problem::Refused(found)) if found == refusal => Ok(()),
        Err(problem) => Err(problem),
        Ok(()) => Err(Problem::Misunderstood),
    }
}

fn ensure(holds: bool, round: u32, otherwise: &str) -> Result<(), Box<dyn Error>> {
    if holds { Ok(()) } else { Err(format!("in round {round}: {otherwise}").into()) }
}
