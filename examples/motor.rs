//! A motor controller as firmware would have it: nested structs, a treedef in flash, leaves in a static buffer.
//!
//! `cargo run --example motor`
//!
//! Device and host agree once on the structure: the device sends the bytes of its treedef, and the host compares them with
//! its own. After that only leaves travel, twelve floats without names and lengths, behind a fingerprint that says which
//! of the agreed structures they are of. A host that knows an older structure is told what differs before it reads a
//! single float. The device itself reads what an older firmware stored: it moves the parameters to the new structure.

use treedef::algebra::migrate;
use treedef::{Error, Tree, TreeDef, View, leaves_into, treedef_of, unflatten};

#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "motor::Pid")]
struct Pid {
    kp: f32,
    ki: f32,
    kd: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "motor::Limits")]
struct Limits {
    current: f32,
    speed: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "motor::Motor")]
struct Motor {
    speed: Pid,
    current: Pid,
    limits: Limits,
    pole_pairs: f32,
    dt: f32,
    phase: (f32, f32),
}

/// The structure of an older firmware, before the current loop had a gain of its own.
#[derive(Tree)]
#[tree(name = "motor::Motor")]
struct OldMotor {
    speed: Pid,
    limits: Limits,
    pole_pairs: f32,
    period: f32,
    phase: (f32, f32),
}

/// Bytes and fingerprint are constants: they lie in flash and nothing makes them at run time.
const MOTOR: TreeDef<'static> = treedef_of::<Motor>();
const FINGERPRINT: u64 = MOTOR.fingerprint();
const LEAVES: usize = MOTOR.num_leaves();

/// What goes over the wire: the fingerprint, then the leaves.
const FRAME: usize = 8 + 4 * LEAVES;

fn send(motor: &Motor) -> Result<[u8; FRAME], Error> {
    let mut leaves = [0.0f32; LEAVES];
    leaves_into(motor, &mut leaves)?;
    let mut frame = [0; FRAME];
    let (head, body) = frame.split_at_mut(8);
    head.copy_from_slice(&FINGERPRINT.to_le_bytes());
    for (bytes, leaf) in body.chunks_exact_mut(4).zip(leaves) {
        bytes.copy_from_slice(&leaf.to_le_bytes());
    }
    Ok(frame)
}

/// What the receiver makes of a frame: the motor, or the fingerprint that is not the expected one.
fn receive(frame: &[u8; FRAME], known: u64) -> Result<Result<Motor, u64>, Error> {
    let (head, body) = frame.split_at(8);
    let fingerprint = head.try_into().map_or(0, u64::from_le_bytes);
    if fingerprint != known {
        return Ok(Err(fingerprint));
    }
    let mut leaves = [0.0f32; LEAVES];
    for (bytes, leaf) in body.chunks_exact(4).zip(&mut leaves) {
        *leaf = bytes.try_into().map_or(0.0, f32::from_le_bytes);
    }
    unflatten(MOTOR, &leaves).map(Ok)
}

fn main() -> Result<(), Error> {
    let mut motor = Motor {
        speed: Pid { kp: 0.8, ki: 12.0, kd: 0.0 },
        current: Pid { kp: 2.5, ki: 400.0, kd: 0.0 },
        limits: Limits { current: 20.0, speed: 3000.0 },
        pole_pairs: 7.0,
        dt: 5e-5,
        phase: (0.031, 1.1e-4),
    };

    for path in MOTOR.paths() {
        println!("{path}");
    }
    println!(
        "{LEAVES} leaves, treedef of {} bytes, fingerprint {FINGERPRINT:016x}",
        MOTOR.as_bytes().len()
    );

    // Once: the bytes decide whether both mean the same. `from_bytes` takes nothing on trust.
    let hello = MOTOR.as_bytes();
    match TreeDef::from_bytes(hello) {
        Ok(theirs) => println!("host knows the device's structure: {}", theirs == MOTOR),
        Err(error) => println!("host cannot read the device's structure: {error}"),
    }
    assert_eq!(TreeDef::from_bytes(hello), Ok(MOTOR));

    let frame = send(&motor)?;
    let received = receive(&frame, FINGERPRINT)?;
    println!(
        "device sends {} bytes; host rebuilds the same motor: {}",
        frame.len(),
        received == Ok(motor)
    );
    assert_eq!(received, Ok(motor));

    // The host changes the gains of the speed loop, a tree inside the tree, and sends all leaves back.
    let mut edited = motor;
    treedef::for_each_mut(&mut edited.speed, |gain| *gain *= 1.1)?;
    if let Ok(motor_back) = receive(&send(&edited)?, FINGERPRINT)? {
        motor = motor_back;
    }
    println!(
        "host tunes the speed loop: kp is now {:.2}, ki {:.1}",
        motor.speed.kp, motor.speed.ki
    );
    assert_eq!(motor, edited);

    let old = treedef_of::<OldMotor>();
    let refused = receive(&frame, old.fingerprint())?;
    assert_eq!(refused, Err(FINGERPRINT));
    println!("a host with the older structure refuses the frame:");
    for difference in old.differences(MOTOR).flatten() {
        println!("  {difference}");
    }

    // The parameters that the older firmware left in flash, in the new structure: what it did not know keeps its default.
    let stored = OldMotor {
        speed: Pid { kp: 0.5, ki: 9.0, kd: 0.0 },
        limits: motor.limits,
        pole_pairs: 7.0,
        period: 1e-4,
        phase: motor.phase,
    };
    let (mut old_leaves, mut leaves) = ([0.0; 9], [0.0f32; LEAVES]);
    leaves_into(&stored, &mut old_leaves)?;
    leaves_into(&motor, &mut leaves)?;
    println!("the new firmware reads what the older one stored:");
    let migrated =
        migrate(View::new(old, &old_leaves)?, MOTOR, &mut leaves, &[("period", "dt")], |report| {
            println!("  {report}");
        })?;
    let loaded: Motor = unflatten(MOTOR, &leaves)?;
    assert_eq!((migrated.moved, loaded), (9, Motor { speed: stored.speed, dt: 1e-4, ..motor }));
    Ok(())
}
