//! Where the time of a call goes.

use std::hint::black_box;
use std::time::Instant;

use crate::calls::{Jit, ROOM, key};
use crate::cases::{Case, MOST_LEAVES};
use crate::error::CallError;
use crate::jit::Table;

/// Times that are measured of each stage, and their median taken.
const SAMPLES: usize = 201;

/// Calls between two looks at the clock, so that the clock's own time does not count.
const CALLS: u32 = 8;

/// A median, and how far the samples lie apart.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// Nanoseconds of a call.
    pub nanoseconds: f64,
    /// The range of the middle half of the samples, as a part of the median.
    pub spread: f64,
}

/// The stages of a call.
#[derive(Clone, Copy, Debug)]
pub struct Stages {
    /// Structure and references to the leaves.
    pub flatten: Time,
    /// Structure, arrays and optimiser written as a key, and its fingerprint.
    pub key: Time,
    /// The key found in the table of all.
    pub look_up: Time,
    /// The compiled code, with the comparison of all lengths before it.
    pub run: Time,
}

/// The median time of `work`.
pub fn time(mut work: impl FnMut() -> Result<(), CallError>) -> Result<Time, CallError> {
    let mut samples = Vec::with_capacity(SAMPLES);
    for _ in 0..SAMPLES {
        let start = Instant::now();
        for _ in 0..CALLS {
            work()?;
        }
        samples.push(start.elapsed().as_nanos() as f64 / f64::from(CALLS));
    }
    samples.sort_by(f64::total_cmp);
    let [low, median, high] = [1, 2, 3].map(|quarters| samples[SAMPLES * quarters / 4]);
    Ok(Time { nanoseconds: median, spread: (high - low) / median })
}

/// Times the stages of a call that is compiled already.
pub fn stages(jit: &mut Jit, case: &Case) -> Result<Stages, CallError> {
    let Case { arguments, optimizer, .. } = case;
    let (mut bytes, mut key_bytes) = ([0; ROOM], [0; ROOM]);
    let mut leaves = [None; MOST_LEAVES];

    let flatten = time(|| {
        black_box(arguments.flatten(black_box(&mut bytes), &mut leaves)?);
        Ok(())
    })?;
    let (def, count) = arguments.flatten(&mut bytes, &mut leaves)?;
    let written = time(|| {
        black_box(key(black_box(def), &leaves[..count], optimizer, &mut key_bytes)?);
        Ok(())
    })?;
    let call = key(def, &leaves[..count], optimizer, &mut key_bytes)?;
    let look_up = time(|| {
        black_box(jit.find(black_box(call))?);
        Ok(())
    })?;
    let (kernel, mut table) = (jit.find(call)?, Table::default());
    let run = time(|| kernel.run(leaves[..count].iter().copied().flatten(), &mut table))?;
    Ok(Stages { flatten, key: written, look_up, run })
}
