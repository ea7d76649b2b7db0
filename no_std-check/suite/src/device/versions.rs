//! Settings of a device in three versions: 38 leaves of seven types, a text among them, in options, enums and a list. The images of the
//! table use them, too.

use fixed::types::I16F16;
use heapless::{String, Vec};
use treedef::{Tree, TreeDef, schema_of};

pub mod v1 {
    use super::{I16F16, String, Tree, Vec};

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Node")]
    pub struct Node {
        pub name: String<16>,
        pub id: u32,
        pub baud: u32,
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Axis")]
    pub struct Axis {
        pub kp: I16F16,
        pub ki: I16F16,
        pub kd: I16F16,
        pub limit: I16F16,
        pub invert: bool,
        pub home: Option<i32>,
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Trip")]
    pub enum Trip {
        Off,
        Level { at: I16F16, delay: u16 },
        Window { low: I16F16, high: I16F16 },
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Link")]
    pub enum Link {
        Off,
        Serial { baud: u32, parity: u8 },
        Can { id: u32, rate: u32 },
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Cal")]
    pub struct Cal {
        pub offset: I16F16,
        pub scale: I16F16,
        pub date: u32,
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Channel")]
    pub struct Channel {
        pub gain: I16F16,
        pub offset: i16,
        pub on: bool,
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Settings")]
    pub struct Settings {
        pub node: Node,
        pub axes: [Axis; 2],
        pub trip: Trip,
        pub link: Link,
        pub cal: Option<Cal>,
        pub alarm: Option<u16>,
        pub channels: Vec<Channel, 8>,
        pub filter: [I16F16; 5],
        pub thresholds: [u16; 4],
        pub hours: u32,
    }
}

/// Version 2 has a watchdog, and another name for the hours.
pub mod v2 {
    use super::{I16F16, Tree, Vec};

    pub use super::v1::{Axis, Cal, Channel, Link, Node, Trip};

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Settings")]
    pub struct Settings {
        pub node: Node,
        pub axes: [Axis; 2],
        pub trip: Trip,
        pub link: Link,
        pub cal: Option<Cal>,
        pub alarm: Option<u16>,
        pub channels: Vec<Channel, 8>,
        pub filter: [I16F16; 5],
        pub thresholds: [u16; 4],
        pub watchdog: u16,
        pub uptime: u32,
    }
}

/// In version 3 the enums have a variant more, two integers are wider, and two fields have moved into a struct.
pub mod v3 {
    use super::{I16F16, Tree, Vec};

    pub use super::v1::{Axis, Cal, Node};

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Trip")]
    pub enum Trip {
        Off,
        Level { at: I16F16, delay: u16 },
        Window { low: I16F16, high: I16F16 },
        Rate { rise: I16F16, hold: u16 },
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Link")]
    pub enum Link {
        Off,
        Serial { baud: u32, parity: u8 },
        Can { id: u32, rate: u32 },
        Eth { ip: [u8; 4] },
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Channel")]
    pub struct Channel {
        pub gain: I16F16,
        pub offset: i32,
        pub on: bool,
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Dsp")]
    pub struct Dsp {
        pub filter: [I16F16; 5],
        pub thresholds: [u32; 4],
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    #[tree(name = "dev::Settings")]
    pub struct Settings {
        pub node: Node,
        pub axes: [Axis; 2],
        pub trip: Trip,
        pub link: Link,
        pub cal: Option<Cal>,
        pub alarm: Option<u16>,
        pub channels: Vec<Channel, 8>,
        pub dsp: Dsp,
        pub watchdog: u16,
        pub uptime: u32,
    }
}

/// What versions 1 and 2 saved of the same settings.
pub const RECORDS: [&[u8]; 2] = [include_bytes!("v1.bin"), include_bytes!("v2.bin")];

pub const SCHEMAS: [TreeDef<'static>; 2] =
    [schema_of::<v1::Settings>(), schema_of::<v2::Settings>()];

pub const ALIASES: [(&str, &str); 3] =
    [("filter", "dsp.filter"), ("thresholds", "dsp.thresholds"), ("hours", "uptime")];

const fn sixteenths(count: i32) -> I16F16 {
    I16F16::from_bits(count << 12)
}

fn axis(first: i32) -> v1::Axis {
    let [kp, ki, kd, limit] = [0, 1, 2, 3].map(|more| sixteenths(first + more));
    v1::Axis { kp, ki, kd, limit, invert: first > 9, home: (first > 9).then_some(-first) }
}

impl v1::Settings {
    pub fn first() -> Self {
        let channel = |(gain, offset, on)| v1::Channel { gain: sixteenths(gain), offset, on };
        Self {
            node: v1::Node {
                name: String::try_from("pump-7").unwrap_or_default(),
                id: 0xDEAD,
                baud: 115_200,
            },
            axes: [5, 15].map(axis),
            trip: v1::Trip::Level { at: sixteenths(77), delay: 12 },
            link: v1::Link::Can { id: 0x123, rate: 500_000 },
            cal: Some(v1::Cal { offset: sixteenths(-3), scale: sixteenths(17), date: 20_261_129 }),
            alarm: None,
            channels: [(40, 0, false), (41, -300, true)].map(channel).into_iter().collect(),
            filter: [1, 2, 3, 4, 5].map(sixteenths),
            thresholds: [100, 200, 300, 65_000],
            hours: 4321,
        }
    }
}

impl v3::Settings {
    /// The same under version 3.
    pub fn third() -> Self {
        let channel = |(gain, offset, on)| v3::Channel { gain: sixteenths(gain), offset, on };
        let v1::Settings { node, axes, cal, alarm, filter, thresholds, hours, .. } =
            v1::Settings::first();
        Self {
            node,
            axes,
            trip: v3::Trip::Level { at: sixteenths(77), delay: 12 },
            link: v3::Link::Can { id: 0x123, rate: 500_000 },
            cal,
            alarm,
            channels: [(40, 0, false), (41, -300, true)].map(channel).into_iter().collect(),
            dsp: v3::Dsp { filter, thresholds: thresholds.map(u32::from) },
            watchdog: 500,
            uptime: hours,
        }
    }
}

impl Default for v3::Settings {
    fn default() -> Self {
        Self {
            node: v1::Node { name: String::new(), id: 0, baud: 9600 },
            axes: [1, 1].map(axis),
            trip: v3::Trip::Off,
            link: v3::Link::Off,
            cal: None,
            alarm: None,
            channels: Vec::new(),
            dsp: v3::Dsp { filter: [I16F16::ZERO; 5], thresholds: [0; 4] },
            watchdog: 500,
            uptime: 0,
        }
    }
}
