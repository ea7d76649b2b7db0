//! The cache that grows, on `hashbrown`.

use alloc::vec;

use suite::{Case, Digest, Missing, Outcome, Report, golden};
use treedef::cache::{GrowingCache, KeyBox, KeyWriter};
use treedef::{CallKey, Error, TreeDef};

pub const CASES: &[Case] = &[("cache", cache)];

fn cache(report: &mut Report<'_>) -> Outcome {
    let mut cache = GrowingCache::<KeyBox, usize>::new();
    for _ in 0..2 {
        golden::each(|_, bytes, _| {
            let key = CallKey::of(TreeDef::from_bytes(bytes)?);
            let value = *cache.get_or_insert_with(key, || Ok::<_, Error>(bytes.len()))?;
            report.same(value, bytes.len())
        })?;
        let stats = cache.stats();
        report.fact("kept", format_args!("{}, {stats:?}", cache.len()));
    }
    // The order is that of the hashes, the same on every target, but for the width of `usize`: so a sum.
    let sum = cache.iter().fold(0u64, |sum, (key, _)| {
        let mut digest = Digest::default();
        digest.bytes(key.as_bytes());
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
    let key = CallKey::of(TreeDef::LEAF);
    report.same(cache.remove(key).ok_or(Missing)?, 1)?;
    report.same(cache.get(key), None)
}
