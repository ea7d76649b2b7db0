//! Settings that survive an update: stored by one version of a program, and loaded by the next two.
//!
//! A record is the treedef and the leaves, so it says what it holds: options, variants, lengths and keys. The newer type says
//! what it can have, and its defaults fill what is new. Run it with `cargo run --all-features --example settings`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Debug;

use treedef::algebra::migrate_typed;
use treedef::{Tree, TreeDef, View, flatten};

/// The settings of version 1.
mod v1 {
    use std::collections::BTreeMap;

    use treedef::Tree;

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "shop::Calibration")]
    pub(crate) struct Calibration {
        pub(crate) offset: f32,
        pub(crate) scale: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "shop::Mode")]
    pub(crate) enum Mode {
        Off,
        Pid { kp: f32, ki: f32 },
    }

    #[derive(Tree, Debug)]
    #[tree(name = "shop::Settings")]
    pub(crate) struct Settings {
        pub(crate) calibration: Option<Calibration>,
        pub(crate) mode: Mode,
        pub(crate) curve: Vec<f32>,
        pub(crate) alarms: BTreeMap<String, f32>,
        pub(crate) rate: f32,
        pub(crate) limits: [f32; 2],
        #[tree(meta)]
        pub(crate) channel: u8,
    }
}

/// Version 2 has one field more.
mod v2 {
    use std::collections::BTreeMap;

    use treedef::Tree;

    pub(crate) use super::v1::{Calibration, Mode};

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "shop::Settings")]
    pub(crate) struct Settings {
        pub(crate) calibration: Option<Calibration>,
        pub(crate) mode: Mode,
        pub(crate) curve: Vec<f32>,
        pub(crate) alarms: BTreeMap<String, f32>,
        pub(crate) rate: f32,
        pub(crate) limits: [f32; 2],
        pub(crate) gain: f32,
        #[tree(meta)]
        pub(crate) channel: u8,
    }
}

/// In version 3 the rate moved, the calibration has another name, and the variant and the limits have one value more.
mod v3 {
    use std::collections::BTreeMap;

    use treedef::Tree;

    pub(crate) use super::v1::Calibration;

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "shop::Mode")]
    pub(crate) enum Mode {
        Off,
        Pid {
            kp: f32,
            ki: f32,
            // No default has this variant, so its new field has a default of its own.
            #[tree(default = 0.125)]
            kd: f32,
        },
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "shop::Timing")]
    pub(crate) struct Timing {
        pub(crate) rate: f32,
        pub(crate) limits: [f32; 3],
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "shop::Settings")]
    pub(crate) struct Settings {
        pub(crate) timing: Timing,
        pub(crate) trim: Option<Calibration>,
        pub(crate) mode: Mode,
        pub(crate) curve: Vec<f32>,
        pub(crate) alarms: BTreeMap<String, f32>,
        pub(crate) gain: f32,
        #[tree(meta)]
        pub(crate) channel: u8,
    }
}

/// What is written to a file: the length of the treedef, the treedef, and the leaves.
fn record(settings: &impl Tree<f32>) -> Result<Vec<u8>, Box<dyn Error>> {
    let (def, leaves) = flatten(settings)?;
    let mut record = u16::try_from(def.as_bytes().len())?.to_le_bytes().to_vec();
    record.extend(def.as_bytes());
    record.extend(leaves.iter().flat_map(|leaf| leaf.to_le_bytes()));
    Ok(record)
}

/// Loads a record of any version as a `T`, and prints what became of it.
fn load<T>(record: &[u8], defaults: &T, aliases: &[(&str, &str)]) -> Result<T, Box<dyn Error>>
where
    T: Tree<f32> + Debug,
{
    let (len, rest) = record.split_first_chunk().ok_or("no length")?;
    let (def, rest) = rest.split_at_checked(u16::from_le_bytes(*len).into()).ok_or("cut off")?;
    let leaves: Vec<_> =
        rest.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let stored = View::new(TreeDef::from_bytes(def)?, &leaves)?;

    let (settings, migrated) =
        migrate_typed(stored, defaults, aliases, |report| println!("  {report}"))?;
    println!("  kept {} of {}; {migrated}", migrated.moved, leaves.len());
    println!("  {settings:?}");
    Ok(settings)
}

fn main() -> Result<(), Box<dyn Error>> {
    let settings = v1::Settings {
        calibration: Some(v1::Calibration { offset: 0.5, scale: 1.25 }),
        mode: v1::Mode::Pid { kp: 2.0, ki: 0.25 },
        curve: vec![0.0, 10.0, 25.0],
        alarms: BTreeMap::from([("hot".to_owned(), 90.0)]),
        rate: 50.0,
        limits: [-5.0, 5.0],
        channel: 7,
    };
    let stored = record(&settings)?;
    println!("version 1 stores {} bytes: {settings:?}", stored.len());

    println!("version 2 loads them:");
    let defaults = v2::Settings {
        calibration: None,
        mode: v2::Mode::Off,
        curve: vec![],
        alarms: BTreeMap::new(),
        rate: 1.0,
        limits: [-1.0, 1.0],
        gain: 0.75,
        channel: 0,
    };
    let second = load(&stored, &defaults, &[])?;
    assert_eq!((second.gain, second.channel, second.curve.len()), (0.75, 7, 3));
    assert_eq!((&second.calibration, &second.mode), (&settings.calibration, &settings.mode));

    println!("version 3 loads what version 1 stored:");
    let aliases = [("rate", "timing.rate"), ("limits", "timing.limits"), ("calibration", "trim")];
    let defaults = v3::Settings {
        timing: v3::Timing { rate: 1.0, limits: [-1.0, 1.0, 0.0] },
        trim: None,
        mode: v3::Mode::Off,
        curve: vec![],
        alarms: BTreeMap::new(),
        gain: 0.75,
        channel: 0,
    };
    let third = load(&stored, &defaults, &aliases)?;
    assert_eq!(third.timing, v3::Timing { rate: 50.0, limits: [-5.0, 5.0, 0.0] });
    assert_eq!(third.trim, settings.calibration);
    assert_eq!(third.mode, v3::Mode::Pid { kp: 2.0, ki: 0.25, kd: 0.125 });

    println!("version 3 loads what version 2 stored:");
    assert_eq!(load(&record(&second)?, &defaults, &aliases)?, third);

    println!("version 3 loads what it stored itself:");
    assert_eq!(load(&record(&third)?, &defaults, &aliases)?, third);
    Ok(())
}
