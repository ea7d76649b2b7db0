//! Pairs of versions of a type, which `versions.py` writes: how their values are made, loaded and compared.
//!
//! Random values of the older version are loaded as the later one by `load_older`, `load_older_reported`, `migrate_typed_with` and, if
//! there is one, an upgrade. All give the same value and the same counts. These are the answer of the pair, which has a line in
//! `answers.txt`.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;

use treedef::__private::{MOST_PLANNED, Planned};
use treedef::algebra::{LeafPlace, Matching, Migrated, Migration, migrate_typed_with};
use treedef::record::{RecordLeaves, load_older, load_older_reported, save};
use treedef::tree::{TreeBuild, TreeWalk, mixed};
use treedef::{Error, View, schema_of};

/// The values of each pair.
const VALUES: u64 = 100;

/// Numbers that are the same in each run.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % most
    }
}

pub(super) trait Make {
    fn make(random: &mut Random) -> Self;
}

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl Make for $number {
            /// Small ones, those of a byte, and others.
            fn make(random: &mut Random) -> Self {
                let most = [3, 256, 1 << 40][random.below(3) as usize];
                random.below(most) as $number
            }
        }
    )*};
}
numbers! { u8 u16 i16 i32 i64 f32 f64 }

impl Make for bool {
    fn make(random: &mut Random) -> Self {
        random.below(2) == 0
    }
}

impl Make for String {
    fn make(random: &mut Random) -> Self {
        ["", "a", "bc", "7", "left"][random.below(5) as usize].to_owned()
    }
}

impl<T: Make> Make for Option<T> {
    fn make(random: &mut Random) -> Self {
        (random.below(3) > 0).then(|| T::make(random))
    }
}

macro_rules! lists {
    ($([$($parameters:tt)*] $list:ty: $most:expr, $item:ty;)*) => {$(
        impl<$($parameters)*> Make for $list {
            fn make(random: &mut Random) -> Self {
                (0..random.below($most)).map(|_| <$item>::make(random)).collect()
            }
        }
    )*};
}
lists! {
    [T: Make] Vec<T>: 8, T;
    [T: Make, const N: usize] heapless::Vec<T, N>: N as u64 + 1, T;
    [K: Make + Ord, T: Make] BTreeMap<K, T>: 4, (K, T);
}

impl<T: Make, const N: usize> Make for [T; N] {
    fn make(random: &mut Random) -> Self {
        std::array::from_fn(|_| T::make(random))
    }
}

macro_rules! tuples {
    ($($($part:ident)*;)*) => {$(
        impl<$($part: Make),*> Make for ($($part,)*) {
            fn make(random: &mut Random) -> Self {
                ($($part::make(random),)*)
            }
        }
    )*};
}
tuples! { A; A B; A B C; A B C D; }

/// A struct.
macro_rules! record {
    ($(#[$at:meta])* $name:ident { $($(#[$at_field:meta])* $field:ident: $of:ty),* }) => {
        #[derive(Tree, Debug)]
        $(#[$at])*
        pub(super) struct $name { $($(#[$at_field])* $field: $of),* }

        impl Make for $name {
            fn make(_random: &mut Random) -> Self {
                Self { $($field: Make::make(_random)),* }
            }
        }
    };
}

/// An enum.
macro_rules! choice {
    (
        $(#[$at:meta])*
        $name:ident {
            $($(#[$at_variant:meta])* $variant:ident { $($(#[$at_field:meta])* $field:ident: $of:ty),* }),*
        }
    ) => {
        #[derive(Tree, Debug)]
        $(#[$at])*
        pub(super) enum $name { $($(#[$at_variant])* $variant { $($(#[$at_field])* $field: $of),* }),* }

        impl Make for $name {
            fn make(random: &mut Random) -> Self {
                let variants: &[fn(&mut Random) -> Self] =
                    &[$(|_random| Self::$variant { $($field: Make::make(_random)),* }),*];
                variants[random.below(variants.len() as u64) as usize](random)
            }
        }
    };
}

// The leaf types of the pairs.
treedef::leaf_types! {
    pub(super) struct PairLeaves {
        owned PairLeaf, read PairRef, write PairMut,
        Byte(u8), Short(u16), Int(i32), Long(i64), Float(f32), Double(f64), Bool(bool), Text(String)
    }
}

/// What becomes of the values of a pair.
pub(super) struct Answer {
    index: usize,
    /// A hash of all values that were loaded, as records, and of their counts.
    hash: u64,
    /// The sums of the counts.
    pub(super) counts: Migrated,
    pub(super) has_upgrade: bool,
}

/// Defines `PAIRS`: for each pair a function that finds its answer.
macro_rules! pairs {
    ($($index:literal: $old:ty, $new:ty, $aliases:expr;)*) => {
        const PAIRS: &[fn() -> Answer] = &[$(|| answer::<$old, $new>($index, &$aliases)),*];
    };
}

/// Loads random values of an older version in all ways.
///
/// # Panics
///
/// If two ways differ.
pub(super) fn answer<U, T>(index: usize, aliases: &[(&str, &str)]) -> Answer
where
    U: Make + Debug + TreeWalk<RecordLeaves> + TreeWalk<PairLeaves>,
    T: Make + Debug + TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves>,
    T: TreeWalk<PairLeaves> + TreeBuild<PairLeaves>,
{
    let (mut random, mut room) = (Random(88_172_645_463_325_252), vec![0; 1 << 14]);
    let planned = Planned::<MOST_PLANNED>::new::<T>(schema_of::<U>().as_bytes(), aliases);
    let planned = planned.map(|planned| &*Box::leak(Box::new(planned)));
    let upgrade = planned.map(Planned::upgrade::<T>);
    let has_upgrade = upgrade.is_ok();
    let mut answer =
        Answer { index, hash: 0xCBF2_9CE4_8422_2325, counts: Migrated::default(), has_upgrade };
    for value in 0..VALUES {
        let (old, defaults) = (U::make(&mut random), T::make(&mut random));
        let (record, schema) = (save(&old).unwrap(), schema_of::<U>());
        let mut matching = Matching::new(aliases);
        if value % 5 == 1 {
            matching = matching.keep_places();
        }
        if value % 7 == 1 {
            matching = matching.lengths_of_defaults();
        }
        let mut texts = Vec::new();
        let report = |report: Migration<'_>| texts.push(report.to_string());
        let short = load_older(&record, schema, &defaults, matching, &mut room);
        let long =
            load_older_reported(&record, schema, &defaults, matching, &mut room, |_| {}, report);
        // Texts, because a `NaN` is not equal to itself.
        let [short_text, long_text] = [&short, &long].map(|loaded| format!("{loaded:?}"));
        let what = || format!("pair {index}: {aliases:?} {old:#?} {defaults:#?} {texts:#?}");
        assert_eq!(short_text, long_text, "{}", what());
        if let (Ok(upgrade), true) = (&upgrade, value % 5 != 1 && value % 7 != 1) {
            let planned = upgrade.load(&record, &defaults, &mut room);
            assert_eq!(format!("{planned:?}"), short_text, "{}", what());
        }
        let (new, counts) = short.unwrap();
        let mut typed = typed(&old, &defaults, matching);
        // In a treedef, equal neighbours are one node, whose meta fields count once.
        let is_less = typed.1.lost_meta <= counts.lost_meta;
        if is_less && (typed.1.lost_meta == 0) == (counts.lost_meta == 0) {
            typed.1.lost_meta = counts.lost_meta;
        }
        assert_eq!(format!("{typed:?}"), format!("{:?}", (&new, counts)), "{}", what());
        answer.add(&save(&new).unwrap(), counts);
    }
    answer
}

/// Loads a value by its treedef and leaves.
fn typed<U, T>(old: &U, defaults: &T, matching: Matching<'_>) -> (T, Migrated)
where
    U: TreeWalk<PairLeaves>,
    T: TreeWalk<PairLeaves> + TreeBuild<PairLeaves>,
{
    let (stored, leaves) = mixed::flatten::<PairLeaves>(old).unwrap();
    let (own, defaults) = mixed::flatten::<PairLeaves>(defaults).unwrap();
    let defaults = View::new(&own, &defaults).unwrap();
    let take = |leaf, _: LeafPlace<'_, _>| Ok::<_, Error>(leaf);
    migrate_typed_with::<PairLeaves, _, _, _>(&stored, leaves, defaults, matching, take, |_| {})
        .unwrap()
}

impl Answer {
    /// Adds a value that was loaded, as a record.
    fn add(&mut self, record: &[u8], counts: Migrated) {
        for byte in record.iter().copied().chain(counts.to_string().bytes()) {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        let sum = &mut self.counts;
        sum.moved += counts.moved;
        sum.lost += counts.lost;
        sum.lost_meta += counts.lost_meta;
        sum.replaced += counts.replaced;
        sum.new += counts.new;
        sum.dropped += counts.dropped;
    }

    fn line(&self) -> String {
        let Self { index, hash, counts, has_upgrade } = self;
        let upgrade = if *has_upgrade { " | upgrade" } else { "" };
        format!("{index} | {hash:016x} | {counts}{upgrade}")
    }
}

/// The first lines of `answers.txt`.
const HEAD: &str = "\
# What becomes of 100 random values of each pair of types: the number of the pair, a hash of the values that are loaded, as records, and of
# their counts, and the sums of the counts. `upgrade`: `record::upgrade!` can load them, too. Written with `WRITE=answers`, by the test
# `records_pairs` and by `.ci/long pairs`. A line that changes is a change of what migrations do: say in the commit why.
";

/// Checks that the answers are those in `answers.txt` of this folder. If the variable `WRITE` is `answers`, they are written there.
///
/// # Panics
///
/// If one differs, with both lines.
pub(super) fn check(folder: &Path, answers: &[Answer]) {
    let file = folder.join("answers.txt");
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let kept = text.lines().filter_map(|line| Some((line.split(' ').next()?.parse().ok()?, line)));
    let kept: BTreeMap<usize, &str> = kept.collect();
    let found = answers.iter().map(|answer| (answer.index, answer.line()));
    if std::env::var("WRITE").is_ok_and(|what| what == "answers") {
        let mut all: BTreeMap<_, _> =
            kept.iter().map(|(index, line)| (*index, (*line).to_owned())).collect();
        all.extend(found);
        let lines = all.values().map(|line| format!("{line}\n"));
        std::fs::write(file, HEAD.to_owned() + &lines.collect::<String>()).unwrap();
        return;
    }
    let others = found.filter(|(index, line)| kept.get(index) != Some(&line.as_str()));
    let others =
        others.map(|(index, line)| format!("kept:  {:?}\nfound: {line:?}\n", kept.get(&index)));
    let others: String = others.collect();
    assert!(
        others.is_empty(),
        "answers changed; to keep them, run this with WRITE=answers\n{others}"
    );
}
