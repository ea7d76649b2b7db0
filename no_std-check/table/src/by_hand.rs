//! The settings of `versions` by hand with `postcard`: a byte of the version, then the values. The older types stay in the source, with a
//! conversion each.
//!
//! It is a module of each image, and not of the library, whose copies of generic functions of `postcard` other images would have.
#![allow(dead_code, reason = "each image has a part of it")]

use serde::{Deserialize, Serialize};
use table::versions::{Alarms, Curve, lists};

/// The types of version 1.
pub mod v1 {
    use super::{Alarms, Curve, Deserialize, Serialize};

    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
    pub struct Calibration {
        pub offset: f32,
        pub scale: f32,
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
    pub enum Mode {
        Off,
        Pid { kp: f32, ki: f32 },
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
    pub struct Settings {
        pub calibration: Option<Calibration>,
        pub mode: Mode,
        pub curve: Curve,
        pub alarms: Alarms,
        pub rate: f32,
        pub limits: [f32; 2],
        pub channel: u8,
    }
}

/// The type of version 2 that differs.
pub mod v2 {
    use super::v1::{Calibration, Mode};
    use super::{Alarms, Curve, Deserialize, Serialize};

    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
    pub struct Settings {
        pub calibration: Option<Calibration>,
        pub mode: Mode,
        pub curve: Curve,
        pub alarms: Alarms,
        pub rate: f32,
        pub limits: [f32; 2],
        pub gain: f32,
        pub channel: u8,
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub enum Mode {
    Off,
    Pid { kp: f32, ki: f32, kd: f32 },
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Timing {
    pub rate: f32,
    pub limits: [f32; 3],
}

/// The settings of version 3.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Settings {
    pub timing: Timing,
    pub trim: Option<v1::Calibration>,
    pub mode: Mode,
    pub curve: Curve,
    pub alarms: Alarms,
    pub gain: f32,
    pub channel: u8,
}

impl From<v1::Settings> for v2::Settings {
    fn from(old: v1::Settings) -> Self {
        let v1::Settings { calibration, mode, curve, alarms, rate, limits, channel } = old;
        Self { calibration, mode, curve, alarms, rate, limits, gain: 0.75, channel }
    }
}

impl From<v2::Settings> for Settings {
    fn from(old: v2::Settings) -> Self {
        let v2::Settings { calibration, mode, curve, alarms, rate, limits, gain, channel } = old;
        let mode = match mode {
            v1::Mode::Off => Mode::Off,
            v1::Mode::Pid { kp, ki } => Mode::Pid { kp, ki, kd: 0.125 },
        };
        let [low, high] = limits;
        let timing = Timing { rate, limits: [low, high, 0.0] };
        Self { timing, trim: calibration, mode, curve, alarms, gain, channel }
    }
}

impl Settings {
    /// What [`RECORDS`] are in version 3.
    pub fn third() -> Self {
        let (curve, alarms) = lists();
        Self {
            timing: Timing { rate: 50.0, limits: [-5.0, 5.0, 0.0] },
            trim: Some(v1::Calibration { offset: 0.5, scale: 1.25 }),
            mode: Mode::Pid { kp: 2.0, ki: 0.25, kd: 0.125 },
            curve,
            alarms,
            gain: 0.75,
            channel: 7,
        }
    }
}

/// What versions 1 and 2 stored: the settings of `versions::RECORDS`.
pub const RECORDS: [&[u8]; 2] = [
    &[
        1, 1, 0, 0, 0, 0x3F, 0, 0, 0xA0, 0x3F, // calibration
        1, 0, 0, 0, 0x40, 0, 0, 0x80, 0x3E, // mode
        3, 0, 0, 0, 0, 0, 0, 0x20, 0x41, 0, 0, 0xC8, 0x41, // curve
        1, 3, b'h', b'o', b't', 0, 0, 0xB4, 0x42, // alarms
        0, 0, 0x48, 0x42, 0, 0, 0xA0, 0xC0, 0, 0, 0xA0, 0x40, // rate, limits
        7,
    ],
    &[
        2, 1, 0, 0, 0, 0x3F, 0, 0, 0xA0, 0x3F, // calibration
        1, 0, 0, 0, 0x40, 0, 0, 0x80, 0x3E, // mode
        3, 0, 0, 0, 0, 0, 0, 0x20, 0x41, 0, 0, 0xC8, 0x41, // curve
        1, 3, b'h', b'o', b't', 0, 0, 0xB4, 0x42, // alarms
        0, 0, 0x48, 0x42, 0, 0, 0xA0, 0xC0, 0, 0, 0xA0, 0x40, // rate, limits
        0, 0, 0x40, 0x3F, 7, // gain, channel
    ],
];

/// Saves settings of version 3.
#[inline(never)]
pub fn save(settings: &Settings, bytes: &mut [u8]) -> Option<usize> {
    let (version, rest) = bytes.split_first_mut()?;
    *version = 3;
    postcard::to_slice(settings, rest).ok().map(|written| 1 + written.len())
}

/// Loads settings of version 3.
#[inline(never)]
pub fn load(bytes: &[u8]) -> Option<Settings> {
    let (3, rest) = bytes.split_first()? else { return None };
    postcard::from_bytes(rest).ok()
}

/// Loads settings of any version.
#[inline(never)]
pub fn load_older(bytes: &[u8]) -> Option<Settings> {
    match bytes.split_first()? {
        (1, rest) => postcard::from_bytes::<v1::Settings>(rest)
            .ok()
            .map(|old| v2::Settings::from(old).into()),
        (2, rest) => postcard::from_bytes::<v2::Settings>(rest).ok().map(Into::into),
        _ => load(bytes),
    }
}
