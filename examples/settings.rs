//! Settings that survive an update, and the way back: stored by one version of a program, and loaded by another.
//!
//! A record is values alone, with the key of their type. Each version also stores the schema of its type once, as a page. With that page
//! another version reads the record, by the names of fields. Run it with `cargo run --all-features --example settings`.

use std::collections::BTreeMap;
use std::error::Error;

use treedef::record::{LoadError, RecordLeaves, load, load_older, save};
use treedef::tree::{TreeBuild, TreeWalk};
use treedef::{Tree, TreeDef, schema_of};

/// The settings of version 1.
mod v1 {
    use super::*;

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "shop::Mode")]
    pub(crate) enum Mode {
        Off,
        Pid { kp: f32, ki: f32 },
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "shop::Settings")]
    pub(crate) struct Settings {
        pub(crate) name: String,
        pub(crate) offset: Option<f32>,
        pub(crate) mode: Mode,
        pub(crate) curve: Vec<f32>,
        pub(crate) alarms: BTreeMap<String, i16>,
        pub(crate) rate: u16,
        #[tree(meta)]
        pub(crate) channel: u8,
    }
}

/// In version 2 the rate has another name and more bits, the mode has one value more, and the gain is new.
mod v2 {
    use super::*;

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "shop::Mode")]
    pub(crate) enum Mode {
        Off,
        Pid {
            kp: f32,
            ki: f32,
            // The defaults do not have this variant, so its new field has a default of its own.
            #[tree(default = 0.125)]
            kd: f32,
        },
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "shop::Settings")]
    pub(crate) struct Settings {
        pub(crate) name: String,
        pub(crate) offset: Option<f32>,
        pub(crate) mode: Mode,
        pub(crate) curve: Vec<f32>,
        pub(crate) alarms: BTreeMap<String, i16>,
        #[tree(alias = "rate")]
        pub(crate) hertz: u32,
        pub(crate) gain: f64,
        #[tree(meta)]
        pub(crate) channel: u8,
    }
}

/// What is stored: the last record, and a page for each version of the program.
#[derive(Default)]
struct Flash {
    pages: Vec<Vec<u8>>,
    record: Vec<u8>,
}

impl Flash {
    /// Stores settings: the page first, so that it is there whenever there is such a record.
    fn store<T: TreeWalk<RecordLeaves>>(&mut self, settings: &T) -> Result<(), Box<dyn Error>> {
        let page = schema_of::<T>().as_bytes();
        if self.pages.iter().all(|stored| stored != page) {
            self.pages.push(page.to_vec());
        }
        self.record = save(settings)?;
        println!("  a record of {} bytes, a page of {}", self.record.len(), page.len());
        Ok(())
    }

    /// Loads what any version has stored, and counts what became of the values of another one.
    fn load<T>(&self, defaults: &T) -> Result<T, Box<dyn Error>>
    where
        T: TreeBuild<RecordLeaves> + TreeWalk<RecordLeaves>,
    {
        let key = match load(&self.record) {
            Err(LoadError::OtherType { key }) => key,
            loaded => return Ok(loaded?),
        };
        let mut pages = self.pages.iter().filter_map(|page| TreeDef::from_bytes(page).ok());
        let page = pages.find(|page| page.fingerprint() == key).ok_or("no page of that version")?;
        let (settings, migrated) = load_older(&self.record, page, defaults, &[], &mut [0; 1024])?;
        println!("  {migrated}");
        Ok(settings)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let first = v1::Settings {
        name: "press".into(),
        offset: Some(0.5),
        mode: v1::Mode::Pid { kp: 2.0, ki: 0.25 },
        curve: vec![0.0, 10.0, 25.0],
        alarms: BTreeMap::from([("hot".into(), 90)]),
        rate: 400,
        channel: 7,
    };
    println!("version 1 stores its settings:");
    let mut flash = Flash::default();
    flash.store(&first)?;
    let old_defaults = v1::Settings { mode: v1::Mode::Off, rate: 50, ..first.clone() };
    assert_eq!(flash.load(&old_defaults)?, first);

    println!("version 2 loads them:");
    let defaults = v2::Settings {
        name: String::new(),
        offset: None,
        mode: v2::Mode::Off,
        curve: vec![],
        alarms: BTreeMap::new(),
        hertz: 50,
        gain: 1.0,
        channel: 0,
    };
    let second: v2::Settings = flash.load(&defaults)?;
    assert_eq!(second.mode, v2::Mode::Pid { kp: 2.0, ki: 0.25, kd: 0.125 });
    assert_eq!((second.hertz, second.gain, second.channel), (400, 1.0, 7));
    assert_eq!((&second.alarms, &second.curve), (&first.alarms, &first.curve));

    println!("version 2 stores them:");
    flash.store(&v2::Settings { offset: None, ..second })?;

    println!("version 1 is installed again, and loads what version 2 stored:");
    let back: v1::Settings = flash.load(&old_defaults)?;
    assert_eq!((&back.mode, back.offset, &back.name), (&first.mode, None, &first.name));
    assert_eq!(back.rate, 50, "version 1 does not know the new name");
    Ok(())
}
