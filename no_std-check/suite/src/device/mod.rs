//! Settings in two slots of flash: what is left of them where the power is cut, through an update of the program.

pub mod versions;

use treedef::record::{LoadError, load, load_older, save_into};

use crate::report::{Case, Missing, Outcome, Report};
use versions::{ALIASES, RECORDS, SCHEMAS, v1, v3};

pub const CASES: &[Case] = &[
    ("the power is cut while version 3 stores", power_is_cut),
    ("version 1 loads what version 3 stored", back_to_version_1),
];

/// The bytes of a slot: those of a number, a length, a record and a checksum. Erased bytes are 0xFF.
const SLOT: usize = 192;

/// Flash of two slots, which is written as long as there is power for another byte.
struct Flash {
    slots: [[u8; SLOT]; 2],
    power: usize,
}

/// The record in a slot with its number, if it is whole.
fn whole(slot: &[u8; SLOT]) -> Option<(u32, &[u8])> {
    let (number, rest) = slot.split_first_chunk()?;
    let (len, rest) = rest.split_first_chunk()?;
    let (record, rest) = rest.split_at_checked(u16::from_le_bytes(*len).into())?;
    let sum = u32::from_le_bytes(*rest.first_chunk()?);
    let number = u32::from_le_bytes(*number);
    (sum == checksum(number, record)).then_some((number, record))
}

/// CRC-32 of the record, with the number of the record as its first value.
fn checksum(number: u32, record: &[u8]) -> u32 {
    let shift = |sum: u32, _| (sum >> 1) ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 };
    !record.iter().fold(!number, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), shift))
}

impl Flash {
    /// The newest whole record, and its number.
    fn newest(&self) -> Option<(u32, &[u8])> {
        self.slots.iter().filter_map(whole).max_by_key(|(number, _)| *number)
    }

    /// Writes a record to the slot that does not have the newest one.
    fn store(&mut self, record: &[u8]) -> Outcome {
        let number = self.newest().map_or(0, |(number, _)| number) + 1;
        let len = u16::try_from(record.len()).map_err(|_| Missing)?.to_le_bytes();
        let sum = checksum(number, record).to_le_bytes();
        let parts = [&number.to_le_bytes()[..], &len, record, &sum];
        let power = &mut self.power;
        let mut slots = self.slots.iter_mut();
        let is_older = |slot: &&mut _| whole(slot).is_none_or(|(other, _)| other + 1 != number);
        let slot = slots.find(is_older).ok_or(Missing)?;
        let mut has_power = || {
            let has_power = *power > 0;
            *power = power.saturating_sub(1);
            has_power
        };
        // A slot is erased at once.
        if has_power() {
            slot.fill(0xFF);
        }
        let bytes = parts.into_iter().flatten();
        for (place, byte) in slot.iter_mut().zip(bytes).take_while(|_| has_power()) {
            *place = *byte;
        }
        Ok(())
    }

    /// What version 3 has after its start.
    fn start(&self) -> Outcome<v3::Settings> {
        let (_, record) = self.newest().ok_or(Missing)?;
        match load(record) {
            Err(LoadError::OtherType { .. }) => {
                let defaults = v3::Settings::default();
                let mut older = SCHEMAS.iter().filter_map(|schema| {
                    load_older(record, schema, &defaults, &ALIASES, &mut [0; 1600]).ok()
                });
                Ok(older.next().ok_or(Missing)?.0)
            }
            same => Ok(same.ok().ok_or(Missing)?),
        }
    }
}

/// Whatever version wrote the newest record, it or the one before is there after a cut at each byte, and the next one can be stored.
fn power_is_cut(report: &mut Report<'_>) -> Outcome {
    let (third, mut bytes) = (v3::Settings::third(), [0; 160]);
    let later = v3::Settings { uptime: 5000, alarm: Some(9), ..third.clone() };
    let len = save_into(&later, &mut bytes).ok().ok_or(Missing)?;
    let record = bytes.get(..len).ok_or(Missing)?;
    for stored in RECORDS {
        let mut flash = Flash { slots: [[0xFF; SLOT]; 2], power: usize::MAX };
        flash.store(stored)?;
        report.same(flash.start()?, third.clone())?;
        // The erasure, the number, the length and the checksum are 11 more.
        let needed = len + 11;
        for power in 0..=needed {
            let mut cut = Flash { power, ..flash };
            cut.store(record)?;
            let expected = if power < needed { &third } else { &later };
            report.same(&cut.start()?, expected)?;
            cut.power = usize::MAX;
            cut.store(record)?;
            report.same(&cut.start()?, &later)?;
        }
        report.fact("cuts that lost nothing", needed);
    }
    Ok(())
}

/// The way back: what version 1 has no place for is lost, and all else is kept.
fn back_to_version_1(report: &mut Report<'_>) -> Outcome {
    let first = v1::Settings::first();
    let mut bytes = [0; 160];
    let len = save_into(&first, &mut bytes).ok().ok_or(Missing)?;
    report.same(bytes.get(..len), RECORDS.first().copied())?;
    let len = save_into(&v3::Settings::third(), &mut bytes).ok().ok_or(Missing)?;
    let record = bytes.get(..len).ok_or(Missing)?;
    let schema = treedef::schema_of::<v3::Settings>();
    let loaded = load_older(record, schema, &first, &ALIASES, &mut [0; 2048]);
    let (settings, migrated) = loaded.ok().ok_or(Missing)?;
    report.same(settings, first)?;
    report.line(format_args!("  {migrated}"));
    // Version 1 has no watchdog.
    report.same((migrated.moved, migrated.lost), (37, 1))
}
