//! The settings of three versions of a program, and the record that they are stored in. The images of the table use them, too.

use heapless::{LinearMap, String, Vec};
use treedef::algebra::{LeafPlace, Migrated, Migration, migrate_typed_with};
use treedef::{Tree, TreeDef, View, flatten_into, schema_of, unflatten};

/// An option, an enum, a list, a map and a meta field, in containers that need no heap.
pub mod v1 {
    use super::{Alarms, Curve, Tree};

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "shop::Calibration")]
    pub struct Calibration {
        pub offset: f32,
        pub scale: f32,
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "shop::Mode")]
    pub enum Mode {
        Off,
        Pid { kp: f32, ki: f32 },
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "shop::Settings")]
    pub struct Settings {
        pub calibration: Option<Calibration>,
        pub mode: Mode,
        pub curve: Curve,
        pub alarms: Alarms,
        pub rate: f32,
        pub limits: [f32; 2],
        #[tree(meta)]
        pub channel: u8,
    }
}

/// Version 2 has one field more.
pub mod v2 {
    use super::{Alarms, Curve, Tree};

    pub use super::v1::{Calibration, Mode};

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "shop::Settings")]
    pub struct Settings {
        pub calibration: Option<Calibration>,
        pub mode: Mode,
        pub curve: Curve,
        pub alarms: Alarms,
        pub rate: f32,
        pub limits: [f32; 2],
        pub gain: f32,
        #[tree(meta)]
        pub channel: u8,
    }
}

/// In version 3 the rate moved, the calibration has another name, and the variant and the limits have one value more.
pub mod v3 {
    use super::{Alarms, Curve, Tree};

    pub use super::v1::Calibration;

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "shop::Mode")]
    pub enum Mode {
        Off,
        Pid {
            kp: f32,
            ki: f32,
            #[tree(default = 0.125)]
            kd: f32,
        },
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "shop::Timing")]
    pub struct Timing {
        pub rate: f32,
        pub limits: [f32; 3],
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "shop::Settings")]
    pub struct Settings {
        pub timing: Timing,
        pub trim: Option<Calibration>,
        pub mode: Mode,
        pub curve: Curve,
        pub alarms: Alarms,
        pub gain: f32,
        #[tree(meta)]
        pub channel: u8,
    }
}

/// A list of settings.
pub type Curve = Vec<f32, 4>;

/// A map of settings.
pub type Alarms = LinearMap<String<8>, f32, 4>;

/// The places that moved from version 1 to version 3.
pub const ALIASES: [(&str, &str); 3] =
    [("rate", "timing.rate"), ("limits", "timing.limits"), ("calibration", "trim")];

/// What version 1 stored.
pub const FIRST: &[u8] = include_bytes!("v1.bin");

/// What version 2 stored after it had loaded [`FIRST`].
pub const SECOND: &[u8] = include_bytes!("v2.bin");

/// The records of what versions 1 and 2 stored, without names.
pub const RECORDS: [&[u8]; 2] = [include_bytes!("v1_record.bin"), include_bytes!("v2_record.bin")];

/// The schemas of these versions.
pub const SCHEMAS: [TreeDef<'static>; 2] =
    [schema_of::<v1::Settings>(), schema_of::<v2::Settings>()];

/// The curve and the alarms in [`FIRST`].
pub fn lists() -> (Curve, Alarms) {
    let mut alarms = Alarms::new();
    // A map with room for four.
    let _ = String::try_from("hot").map(|name| alarms.insert(name, 90.0));
    (Curve::from_iter([0.0, 10.0, 25.0]), alarms)
}

impl v1::Settings {
    /// The settings in [`FIRST`].
    pub fn first() -> Self {
        let (curve, alarms) = lists();
        Self {
            calibration: Some(v1::Calibration { offset: 0.5, scale: 1.25 }),
            mode: v1::Mode::Pid { kp: 2.0, ki: 0.25 },
            curve,
            alarms,
            rate: 50.0,
            limits: [-5.0, 5.0],
            channel: 7,
        }
    }
}

impl v3::Settings {
    /// What [`FIRST`] and [`SECOND`] are in version 3.
    pub fn third() -> Self {
        let (curve, alarms) = lists();
        Self {
            timing: v3::Timing { rate: 50.0, limits: [-5.0, 5.0, 0.0] },
            trim: Some(v3::Calibration { offset: 0.5, scale: 1.25 }),
            mode: v3::Mode::Pid { kp: 2.0, ki: 0.25, kd: 0.125 },
            curve,
            alarms,
            gain: 0.75,
            channel: 7,
        }
    }
}

impl Default for v2::Settings {
    fn default() -> Self {
        Self {
            calibration: None,
            mode: v2::Mode::Off,
            curve: Curve::new(),
            alarms: Alarms::new(),
            rate: 1.0,
            limits: [-1.0, 1.0],
            gain: 0.75,
            channel: 0,
        }
    }
}

impl Default for v3::Settings {
    fn default() -> Self {
        Self {
            timing: v3::Timing { rate: 1.0, limits: [-1.0, 1.0, 0.0] },
            trim: None,
            mode: v3::Mode::Off,
            curve: Curve::new(),
            alarms: Alarms::new(),
            gain: 0.75,
            channel: 0,
        }
    }
}

/// What is stored: the length of the treedef in two bytes, the treedef, the leaves, and the CRC-32 of all this.
pub type Record = Vec<u8, 320>;

/// Room for the treedef and the leaves of any settings.
pub struct Room {
    bytes: [u8; 256],
    leaves: [f32; 24],
}

impl Default for Room {
    fn default() -> Self {
        Self { bytes: [0; 256], leaves: [0.0; 24] }
    }
}

/// Makes the record of settings.
pub fn save(settings: &impl Tree<f32>, room: &mut Room) -> Option<Record> {
    let mut record = contents(settings, room)?;
    let checksum = checksum(&record);
    record.extend_from_slice(&checksum.to_le_bytes()).ok()?;
    Some(record)
}

/// What is in front of the checksum of the record of settings.
#[inline(never)]
pub fn contents(settings: &impl Tree<f32>, room: &mut Room) -> Option<Record> {
    let (def, count) = flatten_into(settings, &mut room.bytes, &mut room.leaves).ok()?;
    let mut record = Record::new();
    let len = u16::try_from(def.as_bytes().len()).ok()?;
    record.extend_from_slice(&len.to_le_bytes()).ok()?;
    record.extend_from_slice(def.as_bytes()).ok()?;
    for leaf in room.leaves.get(..count)? {
        record.extend_from_slice(&leaf.to_le_bytes()).ok()?;
    }
    Some(record)
}

/// What is in front of the checksum of a record, if the checksum is right.
pub fn checked(record: &[u8]) -> Option<&[u8]> {
    let (contents, sum) = record.split_last_chunk()?;
    (checksum(contents) == u32::from_le_bytes(*sum)).then_some(contents)
}

/// CRC-32, as `zlib` computes it.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        let shift = |sum: u32, _| (sum >> 1) ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 };
        (0..8).fold(sum ^ u32::from(*byte), shift)
    })
}

/// The bytes of the treedef in the contents of a record, and the leaves.
pub fn parts(contents: &[u8]) -> Option<(&[u8], impl ExactSizeIterator<Item = f32> + Clone)> {
    let (len, rest) = contents.split_first_chunk()?;
    let (def, rest) = rest.split_at_checked(u16::from_le_bytes(*len).into())?;
    let (leaves, rest) = rest.as_chunks();
    rest.is_empty().then(|| (def, leaves.iter().map(|bytes| f32::from_le_bytes(*bytes))))
}

/// Loads the contents of a record if it has the structure of these settings, which the record of the same version has as long
/// as options, variants, lengths and keys are the same.
#[inline(never)]
pub fn load_same<T: Tree<f32>>(contents: &[u8], settings: &T, room: &mut Room) -> Option<T> {
    let (def, leaves) = parts(contents)?;
    let (own, count) = flatten_into(settings, &mut room.bytes, &mut room.leaves).ok()?;
    if own.as_bytes() != def || leaves.len() != count {
        return None;
    }
    room.leaves.iter_mut().zip(leaves).for_each(|(leaf, stored)| *leaf = stored);
    unflatten(own, room.leaves.get(..count)?).ok()
}

/// Loads the contents of a record under another version of the settings.
#[inline(never)]
pub fn load<T: Tree<f32>>(
    contents: &[u8],
    defaults: &T,
    room: &mut Room,
    report: impl FnMut(Migration<'_>),
) -> Option<(T, Migrated)> {
    let (def, leaves) = parts(contents)?;
    let def = TreeDef::from_bytes(def).ok()?;
    if def.num_leaves() != leaves.len() {
        return None;
    }
    let (own, count) = flatten_into(defaults, &mut room.bytes, &mut room.leaves).ok()?;
    let defaults = View::new(own, room.leaves.get(..count)?).ok()?;
    let take = |leaf, _: LeafPlace<'_, f32>| Ok::<_, &str>(leaf);
    migrate_typed_with::<f32, T, _, _>(def, leaves, defaults, &ALIASES, take, report).ok()
}
