//! A motor controller as firmware would have it: nested structs, a treedef in flash, leaves in a static buffer.
//!
//! `cargo run --example motor`
//!
//! Device and host compare the keys of their types once, 8 bytes each. If these are equal, frames follow: what the types leave open, such
//! as the mode of the motor, and the numbers, without names. A host that has another key asks for the schema of the device, and
//! says itself what differs: the device has no text of it. The first byte of a frame shows that the device has started again with other
//! firmware. The device itself reads what an older firmware stored: it moves the parameters to the new structure.

use treedef::algebra::migrate;
use treedef::record::frame::{FrameError, FrameSchema, frame_bytes, frame_into, read_frame};
use treedef::record::record_key;
use treedef::{Error, Tree, TreeDef, View, leaves_into, schema_of, treedef_of, unflatten};

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

/// What the motor does.
#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "motor::Mode")]
enum Mode {
    Off,
    Run { speed: f32, torque: f32 },
    Fault { code: u16 },
}

/// What the device sends a thousand times a second.
#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "motor::Status")]
struct Status {
    mode: Mode,
    temperature: Option<f32>,
    tick: u32,
}

/// What an older host takes it for: the tick has fewer bits, and there was no temperature.
#[derive(Debug, Tree)]
#[tree(name = "motor::Status")]
struct OldStatus {
    mode: Mode,
    tick: u16,
}

/// The parameters of an older firmware, before the current loop had a gain of its own.
#[derive(Tree)]
#[tree(name = "motor::Motor")]
struct OldMotor {
    speed: Pid,
    limits: Limits,
    pole_pairs: f32,
    period: f32,
    phase: (f32, f32),
}

/// Treedef, schema and key are constants: they lie in flash and nothing makes them at run time.
const MOTOR: TreeDef<'static> = treedef_of::<Motor>();
const LEAVES: usize = MOTOR.num_leaves();
const SCHEMA: TreeDef<'static> = schema_of::<Status>();
const KEY: u64 = record_key::<Status>();

/// What the device answers when a link comes up.
fn answer(request: &str) -> Vec<u8> {
    match request {
        "key" => KEY.to_le_bytes().to_vec(),
        _ => SCHEMA.as_bytes().to_vec(),
    }
}

/// A host, which was built for the type with the key `own` and this schema. It returns the schema of the device if that has another key.
fn connect(own: u64, schema: TreeDef<'_>) -> Option<Vec<u8>> {
    let key = answer("key");
    if key == own.to_le_bytes() {
        println!("host knows the key {own:016x}: {} bytes", key.len());
        return None;
    }
    let page = answer("schema");
    println!("host has another key, {own:016x}, and asks for the schema: {} bytes", page.len());
    // `from_bytes` takes nothing on trust.
    match TreeDef::from_bytes(&page) {
        Ok(found) => schema.differences(found).deep().flatten().for_each(|one| println!("  {one}")),
        Err(error) => println!("  it is none: {error}"),
    }
    Some(page)
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

    // The host has the type: frames follow.
    assert_eq!(connect(KEY, SCHEMA), None);
    let mut frame = [0; frame_bytes::<Status>()];
    let modes = [Mode::Off, Mode::Run { speed: 100.0, torque: 0.5 }, Mode::Fault { code: 7 }];
    for (tick, mode) in (1000..).zip(modes) {
        let status = Status { mode, temperature: (tick > 1000).then_some(25.0), tick };
        let len = frame_into(&status, &mut frame)?;
        println!("device sends {len} bytes: {status:?}");
        assert_eq!(read_frame(&frame[..len]), Ok(status));
    }

    // The host changes the gains of the speed loop, a tree inside the tree, and sends all parameters.
    let mut edited = motor;
    treedef::over(&mut edited.speed).for_each(|gain| *gain *= 1.1)?;
    let mut parameters = [0; frame_bytes::<Motor>()];
    let len = frame_into(&edited, &mut parameters)?;
    if let Ok(received) = read_frame(&parameters[..len]) {
        motor = received;
    }
    println!(
        "host tunes the speed loop by {len} bytes: kp is now {:.2}, ki {:.1}",
        motor.speed.kp, motor.speed.ki
    );
    assert_eq!(motor, edited);

    // An older host does not have the type. It says what differs, and can still check frames and store them.
    let page = connect(record_key::<OldStatus>(), schema_of::<OldStatus>()).unwrap_or_default();
    let schema = TreeDef::from_bytes(&page).ok().and_then(|page| FrameSchema::<32>::new(page).ok());
    let status = Status { mode: Mode::Off, temperature: None, tick: 1003 };
    let len = frame_into(&status, &mut frame)?;
    let parts = schema.and_then(|schema| schema.parts(&frame[..len]).ok());
    if let Some(parts) = parts {
        println!(
            "by the schema a frame has the choices {:02x?} and the leaves {:02x?}",
            parts.choices, parts.leaves
        );
    }
    assert!(parts.is_some());

    // If the device starts again with other firmware, the first byte of its next frame shows it.
    let refused = read_frame::<OldStatus>(&frame[..len]);
    assert_eq!(refused.as_ref().err(), Some(&FrameError::OtherType { first: frame[0] }));
    if let Err(error) = refused {
        println!("a host that did not ask refuses the frame: {error}");
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
    let migrated = migrate(
        View::new(treedef_of::<OldMotor>(), &old_leaves)?,
        MOTOR,
        &mut leaves,
        &[("period", "dt")],
        |report| {
            println!("  {report}");
        },
    )?;
    let loaded: Motor = unflatten(MOTOR, &leaves)?;
    assert_eq!((migrated.moved, loaded), (9, Motor { speed: stored.speed, dt: 1e-4, ..motor }));
    Ok(())
}
