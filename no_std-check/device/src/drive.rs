//! The drive: a motor, its speed controller, and all of its state as one tree.
//!
//! The type names are fixed by `#[tree(name = "..")]`: they leave this program and must not change when a module moves.

use treedef::{Tree, TreeDef, treedef_of};

/// All there is to know about the drive: what the host may tune, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "drive::Drive")]
pub struct Drive {
    /// What the host tunes.
    pub parameters: Parameters,
    /// What control steps change.
    pub state: State,
}

/// What the host tunes.
#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "drive::Parameters")]
pub struct Parameters {
    /// The speed loop.
    pub speed: Pi,
    /// What the loop may ask for.
    pub limits: Limits,
    /// Volts for each rad/s of the target, and volts against friction.
    pub feedforward: (f32, f32),
}

/// A proportional and integral controller.
#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "drive::Pi")]
pub struct Pi {
    /// Volts for each rad/s of error.
    pub kp: f32,
    /// Volts for each rad of error.
    pub ki: f32,
}

/// What the loop may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "drive::Limits")]
pub struct Limits {
    /// Volts of the supply.
    pub voltage: f32,
    /// Volts that the integral may build up.
    pub integral: f32,
}

/// What control steps change.
#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "drive::State")]
pub struct State {
    /// The speed that is asked for, in rad/s.
    pub target: f32,
    /// The speed, in rad/s.
    pub speed: f32,
    /// Volts of the integral.
    pub integral: f32,
    /// Control steps so far; exact up to 16 million.
    pub steps: f32,
}

/// The structure, in flash.
pub const STRUCTURE: TreeDef<'static> = treedef_of::<Drive>();

/// What stands for it on the line.
pub const FINGERPRINT: u64 = STRUCTURE.fingerprint();

/// The number of its leaves.
pub const LEAVES: usize = STRUCTURE.num_leaves();

/// Seconds between two control steps.
const STEP: f32 = 1e-3;

/// Seconds in which the motor does 63 % of a change.
const INERTIA: f32 = 0.05;

/// Rad/s for each volt.
const SPEED_PER_VOLT: f32 = 10.0;

impl Drive {
    /// As it comes from the factory: sluggish.
    pub const NEW: Self = Self {
        parameters: Parameters {
            speed: Pi { kp: 0.02, ki: 0.2 },
            limits: Limits { voltage: 24.0, integral: 12.0 },
            feedforward: (0.0, 0.0),
        },
        state: State { target: 100.0, speed: 0.0, integral: 0.0, steps: 0.0 },
    };

    /// One control step, and what the motor makes of it.
    pub fn step(&mut self) {
        let (Parameters { speed, limits, feedforward }, state) =
            (&self.parameters, &mut self.state);
        let error = state.target - state.speed;
        state.integral = within(state.integral + speed.ki * error * STEP, limits.integral);
        let forward = feedforward.0 * state.target + feedforward.1;
        let voltage = within(forward + speed.kp * error + state.integral, limits.voltage);
        state.speed += (SPEED_PER_VOLT * voltage - state.speed) * (STEP / INERTIA);
        state.steps += 1.0;
    }
}

/// The value between `-limit` and `limit`. Unlike `clamp` it does not panic where the host sent a negative limit.
fn within(value: f32, limit: f32) -> f32 {
    value.min(limit).max(-limit)
}
