//! Settings that newer versions of a program load: nothing that is stored gets lost, and no damage to it does harm.

pub mod versions;

use treedef::algebra::Migrated;
use treedef::{Tree, record};

use crate::report::{Case, Digest, Hex, Missing, Outcome, Report};
use versions::{
    ALIASES, FIRST, RECORDS, Record, Room, SCHEMAS, SECOND, checked, load, load_same, save, v1, v2,
    v3,
};

pub const CASES: &[Case] = &[
    ("three versions", three_versions),
    ("three versions, in records without names", three_versions_of_records),
    ("what is cut off and flipped in a record of version 1", damaged::<v2::Settings>),
    ("and under version 3", damaged::<v3::Settings>),
];

/// Loads a record, prints what became of it, and returns the settings.
fn loaded<T: Tree<f32>>(
    report: &mut Report<'_>,
    record: &[u8],
    defaults: &T,
) -> Outcome<(T, Migrated)> {
    let record = checked(record).ok_or(Missing)?;
    let (settings, migrated) = load(record, defaults, &mut Room::default(), |change| {
        report.line(format_args!("  {change}"));
    })
    .ok_or(Missing)?;
    let all = migrated.moved + migrated.lost;
    report.line(format_args!("  kept {} of {all}; {migrated}", migrated.moved));
    Ok((settings, migrated))
}

fn three_versions(report: &mut Report<'_>) -> Outcome {
    let first = v1::Settings::first();
    let record = save(&first, &mut Room::default()).ok_or(Missing)?;
    report.fact("version 1 stores", Hex(&record));
    report.same(record.as_slice(), FIRST)?;

    report.fact("version 2 loads it", format_args!("{} bytes", FIRST.len()));
    let (second, migrated) = loaded(report, FIRST, &v2::Settings::default())?;
    let v1::Settings { calibration, mode, curve, alarms, rate, limits, channel } = first;
    let expected =
        v2::Settings { calibration, mode, curve, alarms, rate, limits, gain: 0.75, channel };
    report.same(&second, &expected)?;
    report.same((migrated.moved, migrated.new, migrated.is_complete()), (11, 1, true))?;
    let record = save(&second, &mut Room::default()).ok_or(Missing)?;
    report.fact("version 2 stores", Hex(&record));
    report.same(record.as_slice(), SECOND)?;

    let third = v3::Settings::third();
    let own = save(&third, &mut Room::default()).ok_or(Missing)?;
    for (version, record, kept, new) in [(1, FIRST, 11, 3), (2, SECOND, 12, 2), (3, &*own, 14, 0)] {
        report.line(format_args!("  version 3 loads what version {version} stored"));
        let (settings, migrated) = loaded(report, record, &v3::Settings::default())?;
        report.same(&settings, &third)?;
        let Migrated { moved, new: added, .. } = migrated;
        report.same((moved, added, migrated.is_complete()), (kept, new, true))?;
        let same = load_same(checked(record).ok_or(Missing)?, &third, &mut Room::default());
        report.same(same, (version == 3).then(|| third.clone()))?;
    }
    Ok(())
}

/// Records of versions 1 and 2 under version 3, whole and damaged.
fn three_versions_of_records(report: &mut Report<'_>) -> Outcome {
    let (third, defaults) = (v3::Settings::third(), v3::Settings::default());
    let (mut room, mut digest) = ([0; 1600], Digest::default());
    for ((bytes, schema), kept) in RECORDS.iter().zip(SCHEMAS).zip([11, 12]) {
        report.fact("stored", Hex(bytes));
        report.same(record::load::<v3::Settings>(bytes).is_err(), true)?;
        let loaded = record::load_older(bytes, schema, &defaults, &ALIASES, &mut room);
        let (settings, migrated) = loaded.ok().ok_or(Missing)?;
        report.line(format_args!("  {migrated}"));
        report.same(&settings, &third)?;
        report.same((migrated.moved, migrated.is_complete()), (kept, true))?;
        let mut damaged = |bytes: &[u8]| -> Outcome {
            let loaded = record::load_older(bytes, schema, &defaults, &ALIASES, &mut room);
            if let Ok((settings, _)) = loaded {
                let mut again = [0; 160];
                let len = record::save_into(&settings, &mut again).ok().ok_or(Missing)?;
                digest.bytes(again.get(..len).ok_or(Missing)?);
            }
            Ok(())
        };
        for len in 0..bytes.len() {
            damaged(bytes.get(..len).ok_or(Missing)?)?;
        }
        for bit in 0..bytes.len() * 8 {
            let mut flipped = [0; 160];
            let flipped = flipped.get_mut(..bytes.len()).ok_or(Missing)?;
            flipped.copy_from_slice(bytes);
            *flipped.get_mut(bit / 8).ok_or(Missing)? ^= 1 << (bit % 8);
            damaged(flipped)?;
        }
    }
    report.fact("what damaged records are", digest);
    Ok(())
}

/// Cuts a record at each byte, and flips each of its bits.
///
/// The checksum refuses all of them. Without it some are refused, and from others settings are made; none panics.
fn damaged<T: Tree<f32> + Default>(report: &mut Report<'_>) -> Outcome {
    let (defaults, mut room, mut digest) = (T::default(), Room::default(), Digest::default());
    let (mut refused, mut whole, mut parts) = (0u32, 0u32, 0u32);
    let mut check = |record: &[u8]| -> Outcome {
        report.same(checked(record).is_none(), true)?;
        let contents = record.split_last_chunk::<4>().map_or(&[][..], |(contents, _)| contents);
        *match load(contents, &defaults, &mut room, |_| {}) {
            None => &mut refused,
            Some((settings, migrated)) => {
                digest.bytes(&save(&settings, &mut room).ok_or(Missing)?);
                if migrated.is_complete() { &mut whole } else { &mut parts }
            }
        } += 1;
        Ok(())
    };
    for len in 0..FIRST.len() {
        check(FIRST.get(..len).ok_or(Missing)?)?;
    }
    let mut record = Record::from_slice(FIRST).map_err(|_| Missing)?;
    // Not those of the checksum, which would leave the contents as they are.
    for bit in 0..(FIRST.len() - 4) * 8 {
        let flip = 1 << (bit % 8);
        *record.get_mut(bit / 8).ok_or(Missing)? ^= flip;
        check(&record)?;
        *record.get_mut(bit / 8).ok_or(Missing)? ^= flip;
    }
    report.fact("refused", refused);
    report.fact("loaded", format_args!("{whole} complete, {parts} in part: {digest}"));
    Ok(())
}
