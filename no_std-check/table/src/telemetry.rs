//! What the images of frames send: a state with an enum, options and a list.

use serde::Serialize;
use treedef::Tree;
use treedef::record::record_key;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Tree)]
#[tree(name = "tele::Mode")]
pub enum Mode {
    Idle,
    Run { speed: f32, torque: f32 },
    Fault { code: u16 },
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Tree)]
#[tree(name = "tele::Axis")]
pub struct Axis {
    pub pos: f32,
    pub vel: f32,
    pub load: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Tree)]
#[tree(name = "tele::Telemetry")]
pub struct Telemetry {
    pub mode: Mode,
    pub temperature: Option<f32>,
    pub faults: heapless::Vec<u16, 4>,
    pub axes: [Axis; 2],
    pub tick: u32,
}

impl Telemetry {
    /// The state at a tick: below 10 the drive is idle, from 20 on it has faults.
    pub fn at(tick: u16) -> Self {
        let position = f32::from(tick);
        let mode = match tick / 10 {
            0 => Mode::Idle,
            1 => Mode::Run { speed: 1.0, torque: position },
            _ => Mode::Fault { code: 7 },
        };
        let axis = Axis { pos: position, vel: 1.0, load: (tick % 2 == 0).then_some(3) };
        let mut faults = heapless::Vec::new();
        for number in 0..tick / 10 {
            _ = faults.push(number + 1);
        }
        let temperature = (tick > 5).then_some(25.0);
        Self { mode, temperature, faults, axes: [axis; 2], tick: tick.into() }
    }
}

/// The low byte of the key.
const FIRST: u8 = record_key::<Telemetry>().to_le_bytes()[0];

/// The frames of the states at the ticks 4, 13 and 22.
pub const FRAMES: [&[u8]; 3] = [
    &[
        FIRST, 5, 0, 0, 0, 1, 1, // choices
        0, 0, 0x80, 0x40, 0, 0, 0x80, 0x3F, 3, // an axis
        0, 0, 0x80, 0x40, 0, 0, 0x80, 0x3F, 3, // the other one
        4, 0, 0, 0,
    ],
    &[
        FIRST, 5, 1, 1, 1, 0, 0, // choices
        0, 0, 0x80, 0x3F, 0, 0, 0x50, 0x41, // running
        0, 0, 0xC8, 0x41, 1, 0, // temperature, one fault
        0, 0, 0x50, 0x41, 0, 0, 0x80, 0x3F, // an axis
        0, 0, 0x50, 0x41, 0, 0, 0x80, 0x3F, // the other one
        13, 0, 0, 0,
    ],
    &[
        FIRST, 5, 2, 1, 2, 1, 1, // choices
        7, 0, // the fault
        0, 0, 0xC8, 0x41, 1, 0, 2, 0, // temperature, two faults
        0, 0, 0xB0, 0x41, 0, 0, 0x80, 0x3F, 3, // an axis
        0, 0, 0xB0, 0x41, 0, 0, 0x80, 0x3F, 3, // the other one
        22, 0, 0, 0,
    ],
];
