//! Records of pairs of versions, which `tests/pairs/versions.py` writes: both functions that load them, and upgrades, give the same value and
//! the same counts.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;
use std::process::Command;

use treedef::__private::{MOST_PLANNED, Planned};
use treedef::algebra::{Matching, Migrated};
use treedef::record::{RecordLeaves, load_older, load_older_reported, save};
use treedef::tree::{TreeBuild, TreeWalk};
use treedef::{Tree, schema_of};

/// The values of each pair.
const VALUES: u64 = 50;

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % most
    }
}

trait Make {
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

macro_rules! pairs {
    ($($old:ty, $new:ty, $aliases:expr;)*) => {
        #[test]
        fn both_functions_load_the_same() {
            let mut all = Migrated::default();
            let mut upgrades = 0;
            $(upgrades += usize::from(compare::<$old, $new>(&$aliases, &mut all));)*
            assert!(upgrades > 12, "{upgrades}");
            // All that can happen to a leaf does.
            let Migrated { moved, lost, lost_meta, replaced, new, dropped, .. } = all;
            let counts = [moved, lost, lost_meta, replaced, new, dropped];
            assert!(counts.iter().all(|count| *count > 100), "{all:?}");
        }
    };
}

include!("../pairs/versions.rs");

/// Loads random values of an older version by both functions and by an upgrade, and adds the counts to `all`. Returns whether there is an
/// upgrade.
fn compare<U, T>(aliases: &[(&str, &str)], all: &mut Migrated) -> bool
where
    U: Make + Debug + TreeWalk<RecordLeaves>,
    T: Make + Debug + TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves>,
{
    let (mut random, mut room) = (Random(88_172_645_463_325_252), vec![0; 1 << 14]);
    let planned = Planned::<MOST_PLANNED>::new::<T>(schema_of::<U>().as_bytes(), aliases);
    let planned = planned.map(|planned| &*Box::leak(Box::new(planned)));
    let upgrade = planned.map(Planned::upgrade::<T>);
    for index in 0..VALUES {
        let (old, defaults) = (U::make(&mut random), T::make(&mut random));
        let (record, schema) = (save(&old).unwrap(), schema_of::<U>());
        let mut matching = Matching::new(aliases);
        if index % 5 == 1 {
            matching = matching.keep_places();
        }
        if index % 7 == 1 {
            matching = matching.lengths_of_defaults();
        }
        let mut texts = Vec::new();
        let report = |report: treedef::algebra::Migration<'_>| texts.push(report.to_string());
        let short = load_older(&record, schema, &defaults, matching, &mut room);
        let long =
            load_older_reported(&record, schema, &defaults, matching, &mut room, |_| {}, report);
        // Texts, because a `NaN` is not equal to itself.
        let [short_text, long_text] = [&short, &long].map(|loaded| format!("{loaded:?}"));
        assert_eq!(short_text, long_text, "{aliases:?} {old:#?} {defaults:#?} {texts:#?}");
        if let (Ok(upgrade), true) = (&upgrade, index % 5 != 1 && index % 7 != 1) {
            let planned = upgrade.load(&record, &defaults, &mut room);
            let planned = format!("{planned:?}");
            assert_eq!(planned, short_text, "{aliases:?} {old:#?} {defaults:#?} {texts:#?}");
        }
        let (_, migrated) = short.unwrap();
        all.moved += migrated.moved;
        all.lost += migrated.lost;
        all.lost_meta += migrated.lost_meta;
        all.replaced += migrated.replaced;
        all.new += migrated.new;
        all.dropped += migrated.dropped;
    }
    upgrade.is_ok()
}

#[test]
fn the_script_writes_the_pairs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pairs");
    let written = Command::new("python3").arg(folder.join("versions.py")).output().unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let kept = std::fs::read_to_string(folder.join("versions.rs")).unwrap();
    assert!(written.stdout == kept.as_bytes(), "write it again: versions.py >versions.rs");
}
