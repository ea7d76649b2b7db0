//! Records of another version, loaded by plans that are made while the program is compiled.

use core::hint::black_box;

use heapless::{LinearMap, String, Vec};
use treedef::algebra::Migrated;
use treedef::record::{LoadError, Upgrade, record_bytes, save_into, upgrade};
use treedef::{Tree, schema_of};

use super::{Done, keep, print_debug};

/// What stored the records.
mod old {
    use super::{LinearMap, String, Tree, Vec};

    #[derive(Tree)]
    #[tree(name = "Settings")]
    pub(super) struct Settings {
        pub(super) numbers: (u8, i16, f32, i64),
        pub(super) name: Option<String<8>>,
        pub(super) curve: Vec<Option<u16>, 4>,
        pub(super) limits: [f32; 2],
        pub(super) mode: Mode,
        pub(super) trim: bool,
        pub(super) rate: u16,
        pub(super) alarms: LinearMap<u8, u32, 2>,
        #[tree(meta)]
        pub(super) channel: u16,
    }

    #[derive(Tree)]
    #[tree(name = "Mode")]
    pub(super) enum Mode {
        Off,
        Pid { kp: u16, old_gain: f32 },
    }
}

/// A value of every kind: leaves that convert, move and have defaults, in a list, an array, an enum and a map, with a meta field.
#[derive(Tree)]
#[tree(name = "Settings")]
struct Settings {
    numbers: (u32, u8, f64, u16),
    name: String<4>,
    curve: Vec<u8, 3>,
    limits: [f64; 3],
    mode: Mode,
    trim: (u8, Option<u8>),
    timing: Timing,
    alarms: LinearMap<u8, u8, 2>,
    #[tree(meta)]
    channel: u8,
}

#[derive(Tree)]
#[tree(name = "Mode")]
enum Mode {
    Off,
    Pid {
        kp: u8,
        #[tree(alias = "old_gain")]
        gain: f64,
        #[tree(default = 3)]
        kd: u8,
    },
}

#[derive(Tree)]
#[tree(name = "Timing")]
struct Timing {
    rate: Option<u32>,
    every: u16,
}

static SETTINGS: Upgrade<Settings> =
    upgrade!(Settings, schema_of::<old::Settings>().as_bytes(), [("rate", "timing.rate")]);

type Pair = (Vec<Option<u16>, 4>, [f32; 2]);
type WidePair = (Vec<Option<u32>, 4>, [f64; 3]);

/// The type is never asked, so this is other code.
static PAIR: Upgrade<WidePair> = upgrade!(WidePair, schema_of::<Pair>().as_bytes());

/// Settings and a pair, stored and loaded.
pub(super) fn loaded() -> Done {
    let name = black_box(Some(String::try_from("p1").ok()?));
    let (mut curve, mut alarms) = (Vec::new(), LinearMap::new());
    curve.push(black_box(Some(300))).ok()?;
    curve.push(black_box(None)).ok()?;
    alarms.insert(1, black_box(2)).ok()?;
    for mode in [old::Mode::Off, old::Mode::Pid { kp: 1, old_gain: 2.0 }] {
        let stored = old::Settings {
            numbers: black_box((200, -1, 1.5, 70_000)),
            name: name.clone(),
            curve: curve.clone(),
            limits: [1.0, 2.0],
            mode: black_box(mode),
            trim: true,
            rate: 50,
            alarms: alarms.clone(),
            channel: black_box(7),
        };
        let defaults = Settings {
            numbers: (1, 2, 3.0, 4),
            name: String::new(),
            curve: Vec::new(),
            limits: [0.0; 3],
            mode: black_box(Mode::Off),
            trim: (1, None),
            timing: Timing { rate: black_box(None), every: 500 },
            alarms: LinearMap::new(),
            channel: 1,
        };
        let mut record = [0; record_bytes::<old::Settings>()];
        let len = save_into(&stored, &mut record).ok()?;
        each_damaged(record.get_mut(..len)?, |record, room| {
            let (settings, migrated) = Upgrade::load(&SETTINGS, record, &defaults, room)?;
            let Settings { numbers, curve, limits, mode, trim, .. } = settings;
            let gain = match mode {
                Mode::Off => 0.0,
                Mode::Pid { kp, gain, kd } => gain + f64::from(kp) + f64::from(kd),
            };
            keep((numbers, settings.name.len(), curve.len(), limits, gain, trim));
            let Timing { rate, every } = settings.timing;
            keep((rate, every, settings.alarms.len(), settings.channel));
            Ok(migrated)
        })?;
    }
    let (stored, defaults) = ((curve, [1.0, 2.0]), (Vec::new(), black_box([3.0; 3])));
    let mut record = [0; record_bytes::<Pair>()];
    let len = save_into::<Pair>(&stored, &mut record).ok()?;
    each_damaged(record.get_mut(..len)?, |record, room| {
        let ((list, array), migrated) = Upgrade::load(&PAIR, record, &defaults, room)?;
        keep((list.len(), array));
        Ok(migrated)
    })?;
    print_debug(&SETTINGS)
}

/// Loads a record as it is, and with each of its bytes changed; with room enough and with too little.
fn each_damaged(
    record: &mut [u8],
    load: impl Fn(&[u8], &mut [u8]) -> Result<Migrated, LoadError>,
) -> Done {
    let mut room = [0; 256];
    keep(load(black_box(record), black_box(&mut room)).ok()?);
    for at in 0..record.len() {
        *record.get_mut(at)? ^= black_box(1);
        keep(load(black_box(record), black_box(&mut room)).is_ok());
        keep(load(black_box(record), black_box(room.get_mut(..at)?)).err());
        *record.get_mut(at)? ^= black_box(1);
    }
    Some(())
}
