//! Maps of keys, on `hashbrown`.

use alloc::vec;

use hashbrown::HashMap;
use hashbrown::hash_map::EntryRef;
use suite::{Case, Digest, Missing, Outcome, Report, golden};
use treedef::cache::{ByFingerprint, FingerprintState, KeyBox, KeyWriter};
use treedef::{CallKey, TreeDef};

pub const CASES: &[Case] = &[("cache", cache)];

fn cache(report: &mut Report<'_>) -> Outcome {
    let mut cache = HashMap::<ByFingerprint<KeyBox>, usize, FingerprintState>::default();
    for _ in 0..2 {
        golden::each(|_, bytes, _| {
            let key = ByFingerprint::from(CallKey::of(TreeDef::from_bytes(bytes)?));
            let value = match cache.entry_ref(&key) {
                EntryRef::Occupied(entry) => *entry.get(),
                EntryRef::Vacant(entry) => *entry.insert_with_key((&key).into(), bytes.len()),
            };
            report.same(value, bytes.len())
        })?;
        report.fact("kept", format_args!("{}", cache.len()));
    }
    // The order is that of the hashes, the same on every target, but for the width of `usize`: so a sum.
    let sum = cache.keys().fold(0u64, |sum, key| {
        let mut digest = Digest::default();
        digest.bytes(key.as_key().as_bytes());
        sum.wrapping_add(digest.0)
    });
    report.fact("keys", format_args!("{sum:016x}"));
    let mut bytes = vec![];
    for fields in [2u8, 200, 2] {
        let write = |key: &mut KeyWriter<'_>| {
            key.structure(&vec![Some(1.0f32); fields.into()]).bytes(&[fields; 100]);
        };
        let key = CallKey::build(&mut bytes, write)?;
        report.same(
            (KeyBox::build(write)?, KeyBox::try_from(key)?.as_key()),
            (KeyBox::try_from(key)?, key),
        )?;
    }
    let key = ByFingerprint::from(CallKey::of(TreeDef::LEAF));
    report.same(cache.remove(&key).ok_or(Missing)?, 1)?;
    report.same(cache.get(&key), None)
}
