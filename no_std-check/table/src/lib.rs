//! What the images of the table share: the motor, the markers between which the emulator counts, the checks.
#![no_std]

pub mod console;
#[path = "../../suite/src/device/versions.rs"]
pub mod device;
pub mod dynamic;
pub mod meter;
pub mod motor;
pub mod size;
pub mod telemetry;
#[path = "../../suite/src/settings/versions.rs"]
pub mod versions;
