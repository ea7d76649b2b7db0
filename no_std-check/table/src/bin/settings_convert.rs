//! Settings that are saved, loaded by the version that saved them, and loaded from the records of two older versions: by the types of
//! these, which stay in the source with a conversion each.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::versions::{FIRST, RECORDS, SECOND, checked, v1, v2, v3};
use treedef::record::{LoadError, load, record_key, save_into};

board::bare_image!(run);

/// Loads settings of any version.
#[inline(never)]
fn load_any(record: &[u8]) -> Result<v3::Settings, LoadError> {
    const FIRST: u64 = record_key::<v1::Settings>();
    const SECOND: u64 = record_key::<v2::Settings>();
    match load(record) {
        Err(LoadError::OtherType { key: FIRST }) => load(record).map(|old| third(second(old))),
        Err(LoadError::OtherType { key: SECOND }) => load(record).map(third),
        loaded => loaded,
    }
}

fn second(old: v1::Settings) -> v2::Settings {
    let v1::Settings { calibration, mode, curve, alarms, rate, limits, channel } = old;
    v2::Settings { calibration, mode, curve, alarms, rate, limits, gain: 0.75, channel }
}

fn third(old: v2::Settings) -> v3::Settings {
    let v2::Settings { calibration, mode, curve, alarms, rate, limits, gain, channel } = old;
    let mode = match mode {
        v2::Mode::Off => v3::Mode::Off,
        v2::Mode::Pid { kp, ki } => v3::Mode::Pid { kp, ki, kd: 0.125 },
    };
    let [low, high] = limits;
    let timing = v3::Timing { rate, limits: [low, high, 0.0] };
    v3::Settings { timing, trim: calibration, mode, curve, alarms, gain, channel }
}

fn run() -> u32 {
    let is_right = |record| checked(black_box(record)).is_some();
    let is_right = is_right(FIRST) && is_right(SECOND);
    let (settings, mut bytes) = (v3::Settings::third(), [0; 160]);
    let saved = measured!("save", save_into(black_box(&settings), &mut bytes));
    let record = saved.ok().and_then(|len| bytes.get(..len)).unwrap_or(&[]);
    let same = measured!("load the same version", load_any(black_box(record)));
    let [first, second] = RECORDS;
    let first = measured!("load version 1", load_any(black_box(first)));
    let second = measured!("load version 2", load_any(black_box(second)));
    let loaded = [same, first, second];
    u32::from(!(is_right && loaded.into_iter().all(|loaded| loaded.as_ref() == Ok(&settings))))
}
