//! The job with a tree of run time: no type knows the structure, the treedef is written and the peer's is validated.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::motor::{Limits, Motor, Pid, start, status};
use treedef::dynamic::Flatten;
use treedef::{KeyEntry, Node, TreeDef, Value, View, tree, treedef};

board::bare_image!(run);

/// What a peer sends that knows the same structure.
const HELLO: TreeDef<'static> = treedef!({
    "current": {"kd": *, "ki": *, "kp": *},
    "dt": *,
    "limits": {"current": *, "speed": *},
    "phase": (*, *),
    "pole_pairs": *,
    "speed": {"kd": *, "ki": *, "kp": *},
});

/// Lends the motor as a tree.
fn with_tree<R>(motor: &Motor, run: impl FnOnce(&Node<'_, f32>) -> R) -> R {
    let Motor { speed, current, limits, pole_pairs, dt, phase } = *motor;
    let tree = tree!({
        "current": {"kd": current.kd, "ki": current.ki, "kp": current.kp},
        "dt": dt,
        "limits": {"current": limits.current, "speed": limits.speed},
        "phase": (phase.0, phase.1),
        "pole_pairs": pole_pairs,
        "speed": {"kd": speed.kd, "ki": speed.ki, "kp": speed.kp},
    });
    run(black_box(&tree))
}

/// Writes the own treedef, validates the peer's, and agrees if they are equal.
#[inline(never)]
fn connect<'a>(motor: &Motor, bytes: &'a mut [u8], peer: &[u8]) -> Option<TreeDef<'a>> {
    let mut leaves = [0.0f32; 12];
    let own = with_tree(motor, |tree| Flatten::new().flatten_into(tree, bytes, &mut leaves).ok());
    let ((own, _), peer) = (own?, TreeDef::from_bytes(peer).ok()?);
    (own == peer).then_some(own)
}

/// Flattens against the agreed structure, edits the leaf at a path, and reads the motor by name.
#[inline(never)]
fn frame(motor: &Motor, agreed: TreeDef<'_>) -> Option<Motor> {
    let mut leaves = [0.0f32; 12];
    with_tree(motor, |tree| Flatten::new().flatten_expected(tree, agreed, &mut leaves).ok())?;
    let leaves = black_box(&mut leaves);
    let at =
        agreed.find(["current", "ki"].map(|key| KeyEntry::Key(Value::Str(key)))).ok()?.as_leaf()?;
    *leaves.get_mut(at)? *= 2.0;
    read(View::new(agreed, leaves.as_slice()).ok()?)
}

fn read(view: View<'_, f32>) -> Option<Motor> {
    let leaf = |view: View<'_, f32>, name| view.get(name)?.as_leaf().copied();
    let pid = |view: View<'_, f32>| {
        Some(Pid { kp: leaf(view, "kp")?, ki: leaf(view, "ki")?, kd: leaf(view, "kd")? })
    };
    let (limits, phase) = (view.get("limits")?, view.get("phase")?);
    Some(Motor {
        speed: pid(view.get("speed")?)?,
        current: pid(view.get("current")?)?,
        limits: Limits { current: leaf(limits, "current")?, speed: leaf(limits, "speed")? },
        pole_pairs: leaf(view, "pole_pairs")?,
        dt: leaf(view, "dt")?,
        phase: (*phase.child(0)?.as_leaf()?, *phase.child(1)?.as_leaf()?),
    })
}

fn run() -> u32 {
    let (motor, hello) = (start(), black_box(HELLO.as_bytes()));
    let mut bytes = [0; 128];
    let agreed = measured!("connect", connect(motor, &mut bytes, hello));
    let Some(agreed) = agreed else { return 2 };
    let edited = measured!("frame", frame(motor, agreed));
    #[cfg(feature = "break_size")]
    print(agreed);
    status(agreed == HELLO, edited.map(|motor| motor.leaves()))
}

/// Links the text of treedefs.
#[cfg(feature = "break_size")]
fn print(def: TreeDef<'_>) {
    struct Nowhere;
    impl core::fmt::Write for Nowhere {
        fn write_str(&mut self, text: &str) -> core::fmt::Result {
            black_box(text);
            Ok(())
        }
    }
    let _ = core::fmt::Write::write_fmt(&mut Nowhere, format_args!("{def} {def:?}"));
}
