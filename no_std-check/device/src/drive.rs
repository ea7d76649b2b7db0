//! The drive: a motor, its speed controller, and all of its state as one tree.
//!
//! The type names are fixed by `#[tree(name = "..")]`: they leave this program and must not change when a module moves.

use treedef::record::record_key;
use treedef::{Tree, TreeDef, schema_of};

/// All there is to know about the drive.
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

/// A controller: volts for each rad/s of error, and for each rad.
#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "drive::Pi")]
pub struct Pi {
    pub kp: f32,
    pub ki: f32,
}

/// Volts of the supply, and volts that the integral may build up.
#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "drive::Limits")]
pub struct Limits {
    pub voltage: f32,
    pub integral: f32,
}

/// Two speeds in rad/s, volts of the integral, and control steps so far, exact up to 16 million.
#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "drive::State")]
pub struct State {
    pub target: f32,
    pub speed: f32,
    pub integral: f32,
    pub steps: f32,
}

/// What the host compares.
pub const KEY: u64 = record_key::<Drive>();

/// What a host that has another key asks for, in flash.
pub const SCHEMA: TreeDef<'static> = schema_of::<Drive>();

/// Seconds between two control steps.
const STEP: f32 = 1e-3;

/// Seconds in which the motor does 63 % of a change.
const INERTIA: f32 = 0.05;

/// Rad/s for each volt.
const SPEED_PER_VOLT: f32 = 10.0;

/// As it comes from the factory: sluggish.
impl Default for Drive {
    fn default() -> Self {
        Self {
            parameters: Parameters {
                speed: Pi { kp: 0.02, ki: 0.2 },
                limits: Limits { voltage: 24.0, integral: 12.0 },
                feedforward: (0.0, 0.0),
            },
            state: State { target: 100.0, speed: 0.0, integral: 0.0, steps: 0.0 },
        }
    }
}

impl Drive {
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

/// The value between `-limit` and `limit`. Unlike `clamp` it does not panic when the host sends a negative limit.
fn within(value: f32, limit: f32) -> f32 {
    value.min(limit).max(-limit)
}
