//! The structures that this program was built for.
//!
//! Written down here a second time, as they are in a program of another team: what has to agree with the firmware are the
//! names and the order of the fields, and the session finds out whether they do.

use treedef::{Tree, TreeDef, treedef_of};

/// The drive as it is today.
#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "drive::Drive")]
pub struct Drive {
    /// What can be tuned.
    pub parameters: Parameters,
    /// Where the drive stands.
    pub state: State,
}

/// What can be tuned.
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

/// Where the drive stands.
#[derive(Clone, Copy, Debug, PartialEq, Tree)]
#[tree(name = "drive::State")]
pub struct State {
    /// The speed that is asked for, in rad/s.
    pub target: f32,
    /// The speed, in rad/s.
    pub speed: f32,
    /// Volts of the integral.
    pub integral: f32,
    /// Control steps so far.
    pub steps: f32,
}

/// Today's structure.
pub const TODAY: TreeDef<'static> = treedef_of::<Drive>();

/// Last year's structure: one limit, and no feedforward.
pub const OLDER: TreeDef<'static> = treedef_of::<older::Drive>();

/// Last year's types.
mod older {
    use treedef::Tree;

    use super::{Pi, State};

    #[derive(Tree)]
    #[tree(name = "drive::Drive")]
    pub(super) struct Drive {
        parameters: Parameters,
        state: State,
    }

    #[derive(Tree)]
    #[tree(name = "drive::Parameters")]
    struct Parameters {
        speed: Pi,
        limits: f32,
    }
}
