//! The records of older versions, loaded by plans that are made while the program is compiled: `load_older` gives the same, and no damage
//! does harm.

use core::fmt::Debug;

use heapless::Vec;
use treedef::TreeDef;
use treedef::record::{RecordLeaves, Upgrade, load_older, save_into, upgrade};
use treedef::tree::{TreeBuild, TreeWalk};

use crate::device::versions as device;
use crate::report::{Case, Digest, Missing, Outcome, Report};
use crate::settings::versions as settings;

pub const CASES: &[Case] =
    &[("settings of three versions", settings), ("settings of a device", device)];

/// Settings with what loads them from the records of versions 1 and 2.
struct Versions<T: 'static> {
    records: [&'static [u8]; 2],
    schemas: [TreeDef<'static>; 2],
    aliases: &'static [(&'static str, &'static str)],
    upgrades: [Upgrade<T>; 2],
}

static SETTINGS: Versions<settings::v3::Settings> = Versions {
    records: settings::RECORDS,
    schemas: settings::SCHEMAS,
    aliases: &settings::ALIASES,
    upgrades: [
        upgrade!(settings::v3::Settings, settings::SCHEMAS[0].as_bytes(), settings::ALIASES),
        upgrade!(settings::v3::Settings, settings::SCHEMAS[1].as_bytes(), settings::ALIASES),
    ],
};

static DEVICE: Versions<device::v3::Settings> = Versions {
    records: device::RECORDS,
    schemas: device::SCHEMAS,
    aliases: &device::ALIASES,
    upgrades: [
        upgrade!(device::v3::Settings, device::SCHEMAS[0].as_bytes(), device::ALIASES),
        upgrade!(device::v3::Settings, device::SCHEMAS[1].as_bytes(), device::ALIASES),
    ],
};

fn settings(report: &mut Report<'_>) -> Outcome {
    each_version(report, &SETTINGS, &settings::v3::Settings::default())
}

fn device(report: &mut Report<'_>) -> Outcome {
    each_version(report, &DEVICE, &device::v3::Settings::default())
}

/// Loads the record of each version: whole, cut at each byte, and with each bit flipped.
///
/// What is cut is refused. With a bit flipped, some are refused, and from others settings are made; none panics.
fn each_version<T>(report: &mut Report<'_>, versions: &Versions<T>, defaults: &T) -> Outcome
where
    T: TreeBuild<RecordLeaves> + TreeWalk<RecordLeaves> + PartialEq + Debug,
{
    let Versions { records, schemas, aliases, upgrades } = versions;
    for ((record, schema), upgrade) in records.iter().zip(schemas).zip(upgrades) {
        let older = load_older(record, schema, defaults, *aliases, &mut [0; 1600])?;
        let load = |record: &[u8]| upgrade.load(record, defaults, &mut [0; 320]);
        report.same(&load(record)?, &older)?;
        report.line(format_args!("  {}", older.1));
        for len in 0..record.len() {
            report.same(load(record.get(..len).ok_or(Missing)?).is_err(), true)?;
        }
        let mut flipped = Vec::<_, 160>::from_slice(record).map_err(|_| Missing)?;
        let (mut digest, mut refused) = (Digest::default(), 0u32);
        for bit in 0..record.len() * 8 {
            let flip = 1 << (bit % 8);
            *flipped.get_mut(bit / 8).ok_or(Missing)? ^= flip;
            if let Ok((settings, migrated)) = load(&flipped) {
                let mut again = [0; 160];
                let len = save_into(&settings, &mut again)?;
                digest.bytes(again.get(..len).ok_or(Missing)?);
                digest.bytes(&[migrated.is_complete().into()]);
            } else {
                refused += 1;
            }
            *flipped.get_mut(bit / 8).ok_or(Missing)? ^= flip;
        }
        report.fact("refused", refused);
        report.fact("what the others are", digest);
    }
    Ok(())
}
