//! The motor of `examples/motor.rs`: three types, twelve leaves.

use core::hint::black_box;

/// The types with derives and, one for each type, attributes of one's own.
#[macro_export]
macro_rules! motor {
    ($(#[$all:meta])* $($pid:meta, $limits:meta, $motor:meta)?) => {
        /// The gains of a controller.
        $(#[$all])*
        $(#[$pid])?
        pub struct Pid {
            pub kp: f32,
            pub ki: f32,
            pub kd: f32,
        }

        /// What a motor may do.
        $(#[$all])*
        $(#[$limits])?
        pub struct Limits {
            pub current: f32,
            pub speed: f32,
        }

        /// The configuration of a motor.
        $(#[$all])*
        $(#[$motor])?
        pub struct Motor {
            pub speed: Pid,
            pub current: Pid,
            pub limits: Limits,
            pub pole_pairs: f32,
            pub dt: f32,
            pub phase: (f32, f32),
        }

        impl Motor {
            /// The motor before the job.
            pub const START: Self = Self {
                speed: Pid { kp: 0.8, ki: 12.0, kd: 0.25 },
                current: Pid { kp: 2.5, ki: 400.0, kd: 0.5 },
                limits: Limits { current: 20.0, speed: 3000.0 },
                pole_pairs: 7.0,
                dt: 5e-5,
                phase: (0.031, 1.1e-4),
            };

            /// The leaves, for the check of the result.
            pub fn leaves(&self) -> $crate::motor::Leaves {
                let Self { speed, current, limits, pole_pairs, dt, phase } = self;
                [
                    speed.kp, speed.ki, speed.kd, current.kp, current.ki, current.kd, limits.current,
                    limits.speed, *pole_pairs, *dt, phase.0, phase.1,
                ]
            }
        }
    };
}

motor!(
    #[derive(Clone, Copy, treedef::Tree)]
    tree(name = "motor::Pid"),
    tree(name = "motor::Limits"),
    tree(name = "motor::Motor")
);

/// As many leaves as a motor has.
pub type Leaves = [f32; 12];

/// The leaves of [`Motor::START`].
pub const LEAVES: Leaves =
    [0.8, 12.0, 0.25, 2.5, 400.0, 0.5, 20.0, 3000.0, 7.0, 5e-5, 0.031, 1.1e-4];

/// The leaves after the job: the peer doubled `ki` of the current loop.
pub const EDITED: Leaves =
    [0.8, 12.0, 0.25, 2.5, 800.0, 0.5, 20.0, 3000.0, 7.0, 5e-5, 0.031, 1.1e-4];

/// A motor the compiler cannot see through.
pub fn start() -> &'static Motor {
    static START: Motor = Motor::START;
    black_box(&START)
}

/// The exit status of a job: 0 if the peer was accepted and the motor it sent back is the edited one.
pub fn status(accepted: bool, leaves: Option<Leaves>) -> u32 {
    let right = leaves
        .is_some_and(|leaves| black_box(leaves).map(f32::to_bits) == EDITED.map(f32::to_bits));
    u32::from(!(accepted && right))
}

/// The copies one writes without the crate, field by field.
#[inline(never)]
pub fn flatten_by_hand(motor: &Motor, leaves: &mut [f32]) -> bool {
    let Some(leaves) = leaves.first_chunk_mut::<12>() else { return false };
    leaves[0] = motor.speed.kp;
    leaves[1] = motor.speed.ki;
    leaves[2] = motor.speed.kd;
    leaves[3] = motor.current.kp;
    leaves[4] = motor.current.ki;
    leaves[5] = motor.current.kd;
    leaves[6] = motor.limits.current;
    leaves[7] = motor.limits.speed;
    leaves[8] = motor.pole_pairs;
    leaves[9] = motor.dt;
    leaves[10] = motor.phase.0;
    leaves[11] = motor.phase.1;
    true
}

/// The same as one array.
#[inline(never)]
pub fn flatten_as_array(motor: &Motor, leaves: &mut [f32]) -> bool {
    let Some(leaves) = leaves.first_chunk_mut::<12>() else { return false };
    *leaves = motor.leaves();
    true
}

/// The way back, as one writes it without the crate.
#[inline(never)]
pub fn unflatten_by_hand(leaves: &[f32]) -> Option<Motor> {
    let &[kp, ki, kd, kp2, ki2, kd2, current, speed, pole_pairs, dt, a, b] = leaves else {
        return None;
    };
    Some(Motor {
        speed: Pid { kp, ki, kd },
        current: Pid { kp: kp2, ki: ki2, kd: kd2 },
        limits: Limits { current, speed },
        pole_pairs,
        dt,
        phase: (a, b),
    })
}

/// Flattens by the derive.
#[inline(never)]
pub fn flatten(motor: &Motor, leaves: &mut [f32]) -> bool {
    treedef::leaves_into(motor, leaves).is_ok()
}

/// Unflattens by the derive.
#[inline(never)]
pub fn unflatten(leaves: &[f32]) -> Option<Motor> {
    const DEF: treedef::TreeDef<'static> = treedef::treedef_of::<Motor>();
    treedef::unflatten(DEF, leaves).ok()
}
