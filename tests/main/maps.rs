//! Maps as typed trees: children in the order of their keys, whatever order the map keeps.

use heapless::LinearMap;
use heapless::index_map::FnvIndexMap;
use treedef::format::{FromValue, MapKey, ToValue};
use treedef::{Error, TreeDef, Value};

type Linear<K, T> = LinearMap<K, T, 16>;
type Index<K, T> = FnvIndexMap<K, T, 16>;

/// A map from entries that are inserted one by one.
trait FromEntries<K, T>: Default {
    fn add(&mut self, key: K, value: T);

    fn of(entries: impl IntoIterator<Item = (K, T)>) -> Self {
        let mut map = Self::default();
        entries.into_iter().for_each(|(key, value)| map.add(key, value));
        map
    }
}

macro_rules! from_entries {
    ($($map:ty, [$($bound:tt)*], |$inserted:ident| $fits:expr;)*) => {$(
        impl<K: $($bound)*, T> FromEntries<K, T> for $map {
            fn add(&mut self, key: K, value: T) {
                let $inserted = self.insert(key, value);
                assert!($fits, "distinct keys, and room for them");
            }
        }
    )*};
}
from_entries!(
    Linear<K, T>, [Eq], |old| matches!(old, Ok(None));
    Index<K, T>, [Eq + std::hash::Hash], |old| matches!(old, Ok(None));
);
#[cfg(feature = "alloc")]
from_entries!(std::collections::BTreeMap<K, T>, [Ord], |old| old.is_none(););
#[cfg(feature = "std")]
from_entries!(std::collections::HashMap<K, T>, [Eq + std::hash::Hash], |old| old.is_none(););
#[cfg(feature = "hashbrown")]
from_entries!(hashbrown::HashMap<K, T>, [Eq + std::hash::Hash], |old| old.is_none(););

/// `indexmap` has no hasher of its own without the standard library.
#[cfg(all(feature = "indexmap", feature = "hashbrown"))]
type Inserted<K, T> = indexmap::IndexMap<K, T, hashbrown::DefaultHashBuilder>;
#[cfg(all(feature = "indexmap", feature = "hashbrown"))]
from_entries!(Inserted<K, T>, [Eq + std::hash::Hash], |old| old.is_none(););

/// Runs the same tests for a map type.
macro_rules! for_map {
    ($name:ident, $Map:ident, $use:path) => {
        mod $name {
            use super::FromEntries as _;
            use heapless::String;
            use treedef::{Error, TreeDef, over};
            use $use as $Map;

            type Name = String<8>;

            fn name(text: &str) -> Name {
                text.try_into().expect("a short name")
            }

            #[test]
            fn string_keys_stand_in_order() -> Result<(), Error> {
                let golden = [
                    0x63, // a dict of three
                    7, 1, b'a', 1, b'b', 2, b'b', b'a', // the keys
                    0x02, // three leaves
                ];
                for turn in 0..3 {
                    let mut names = ["b", "ba", "a"];
                    names.rotate_left(turn);
                    let map = $Map::of(names.map(|name| (name, name.len() as f32)));
                    let (mut bytes, mut leaves) = ([0; 16], [0.0f32; 3]);
                    let (def, count) = treedef::flatten_into(&map, &mut bytes, &mut leaves)?;
                    assert_eq!((def.as_bytes(), count), (golden.as_slice(), 3));
                    assert_eq!(leaves, [1.0, 1.0, 2.0]);
                    treedef::matches(&map, def)?;
                }
                Ok(())
            }

            #[test]
            fn integer_keys_stand_in_order_of_value() -> Result<(), Error> {
                let golden = [
                    0xC2, 3, // a dict with integer keys, three of them
                    3, 3, 2, 20,   // zigzag: -2, 1, 10
                    0x02, // three leaves
                ];
                let map = $Map::of([(10i16, 'c'), (-2, 'a'), (1, 'b')]);
                let (mut bytes, mut leaves) = ([0; 16], ['-'; 3]);
                let (def, _) = treedef::flatten_into(&map, &mut bytes, &mut leaves)?;
                assert_eq!(def.as_bytes(), golden);
                assert_eq!(leaves, ['a', 'b', 'c']);
                let again: $Map<i16, char> = treedef::unflatten(def, &leaves)?;
                assert_eq!(again, map);
                // The same bytes are a map with wider keys, but not one with keys that cannot hold -2.
                let wide: $Map<i64, char> = treedef::unflatten(def, &leaves)?;
                assert_eq!(wide.get(&-2), Some(&'a'));
                let narrow = treedef::unflatten::<char, $Map<u8, char>>(def, &leaves);
                assert_eq!(narrow, Err(Error::Mismatch { node: 0 }));
                Ok(())
            }

            #[test]
            fn every_key_type_has_its_form() -> Result<(), Error> {
                let mut bytes = [0; 64];
                let bools = $Map::of([(true, 1u8), (false, 0)]);
                let def = treedef::structure_into(&bools, &mut bytes)?;
                assert_eq!(def.as_bytes(), [0xC3, 2, 2, 1, 2, 0x01]);
                assert_eq!(treedef::unflatten::<u8, $Map<bool, u8>>(def, &[0, 1])?, bools);
                let chars = $Map::of([('é', 1u8), ('a', 0)]);
                let def = treedef::structure_into(&chars, &mut bytes)?;
                assert_eq!(def.as_bytes(), [0x62, 5, 1, b'a', 2, 0xC3, 0xA9, 0x01]);
                assert_eq!(treedef::unflatten::<u8, $Map<char, u8>>(def, &[0, 1])?, chars);
                let big = $Map::of([(u64::MAX, 1u8), (1, 0)]);
                let def = treedef::structure_into(&big, &mut bytes)?;
                let golden = [
                    0xC3, 2, 13, // a dict with typed keys, two of them, 13 bytes
                    3, 2, // the integer 1
                    4, 0, 8, 255, 255, 255, 255, 255, 255, 255, 255, // 2^64 - 1
                    0x01,
                ];
                assert_eq!(def.as_bytes(), golden);
                assert_eq!(TreeDef::from_bytes(&golden), Ok(def));
                assert_eq!(treedef::unflatten::<u8, $Map<u64, u8>>(def, &[0, 1])?, big);
                let sizes = $Map::of([(1 << 31, 1u8), (1usize, 0)]);
                let def = treedef::structure_into(&sizes, &mut bytes)?;
                assert_eq!(
                    def.head().keys().map(|key| key == treedef::Value::Int(1)).collect::<Vec<_>>(),
                    [true, false]
                );
                assert_eq!(treedef::unflatten::<u8, $Map<usize, u8>>(def, &[0, 1])?, sizes);
                Ok(())
            }

            #[test]
            fn empty_maps_of_all_key_types_are_one_structure() -> Result<(), Error> {
                let mut bytes = [0; 8];
                let def = treedef::structure_into(&$Map::<i32, f32>::default(), &mut bytes)?;
                assert_eq!(def.as_bytes(), [0x60, 0]);
                let empty: $Map<Name, f32> = treedef::unflatten(def, &[0.0f32; 0])?;
                assert_eq!(empty.len(), 0);
                Ok(())
            }

            #[test]
            fn equal_values_fold_and_nested_maps_round_trip() -> Result<(), Error> {
                let inner = |x: f32| $Map::of([(7u8, (x, x + 1.0)), (3, (x + 2.0, x + 3.0))]);
                let map = $Map::of([(name("w"), inner(1.0)), (name("b"), inner(5.0))]);
                let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 8]);
                let (def, _) = treedef::flatten_into(&map, &mut bytes, &mut leaves)?;
                let golden = [
                    0x62, 4, 1, b'b', 1, b'w', // {'b': .., 'w': ..}
                    0xC2, 2, 2, 6, 14, // {3: .., 7: ..}
                    0x22, 0x01, 0xA0, 2, // a pair, and one more
                    0xA0, 4, // one more of the inner dict
                ];
                assert_eq!(def.as_bytes(), golden);
                assert_eq!(leaves, [7.0, 8.0, 5.0, 6.0, 3.0, 4.0, 1.0, 2.0]);
                let again: $Map<Name, $Map<u8, (f32, f32)>> = treedef::unflatten(def, &leaves)?;
                assert_eq!(again, map);
                let moved: $Map<Name, $Map<u8, (f32, f32)>> =
                    treedef::tree::unflatten_from(def, leaves)?;
                assert_eq!(moved, map);
                #[cfg(any(feature = "alloc", feature = "derive"))]
                crate::all_laws::check(&map, |i| i as f32).unwrap();
                Ok(())
            }

            #[test]
            fn maps_with_the_same_keys_zip() -> Result<(), Error> {
                let prefix = $Map::of([("w", 10i32), ("b", 1)]);
                let full = $Map::of([("b", [1i64, 2]), ("w", [3, 4])]);
                let mut seen = Vec::new();
                over(&full).under(&prefix).for_each(|(b, a): (&i64, &i32)| seen.push((*a, *b)))?;
                assert_eq!(seen, [(1, 1), (1, 2), (10, 3), (10, 4)]);
                let other = $Map::of([("b", [1i64, 2]), ("v", [3, 4])]);
                let result = over(&other).under(&prefix).for_each(|_| ());
                assert_eq!(result, Err(Error::NotPrefix { node: 0, tree: 1 }));
                let result = over((&full, &other)).for_each(|_| ());
                assert_eq!(result, Err(Error::TreesDiffer { node: 0, tree: 1 }));
                let fewer = $Map::of([("b", [1i64, 2])]);
                let result = over(&fewer).under(&prefix).for_each(|_| ());
                assert_eq!(result, Err(Error::NotPrefix { node: 0, tree: 1 }));
                let result = over((&full, &full, &fewer)).for_each(|_| ());
                assert_eq!(result, Err(Error::TreesDiffer { node: 0, tree: 2 }));
                let mut sums = full.clone();
                over((&mut sums, &full)).for_each(|(sum, x): (&mut i64, _)| *sum += x)?;
                let double = treedef::map(&full, |x: &i64| 2 * x)?;
                assert_eq!(sums, double);
                assert_eq!(over((&full, &full)).map(|(a, b): (&i64, _)| a + b), Ok(double));
                Ok(())
            }

            #[test]
            fn other_dictionaries_are_refused() {
                // An ordered dict of one, a tuple of one, a dict with an integer key.
                for bytes in [[0xC4, 1, 2, 1, b'a', 0].as_slice(), &[0x21, 0], &[0xC2, 1, 1, 2, 0]]
                {
                    let def = TreeDef::from_bytes(bytes).expect("a treedef");
                    let result = treedef::unflatten::<f32, $Map<Name, f32>>(def, &[1.0]);
                    assert_eq!(result, Err(Error::Mismatch { node: 0 }));
                    let nested = [&[0x21], bytes].concat();
                    let def = TreeDef::from_bytes(&nested).expect("a treedef");
                    let result = treedef::unflatten::<f32, ($Map<Name, f32>,)>(def, &[1.0]);
                    assert_eq!(result, Err(Error::Mismatch { node: 1 }));
                }
            }
        }
    };
}
for_map!(linear, Map, super::Linear);
for_map!(index, Map, super::Index);
#[cfg(feature = "alloc")]
for_map!(btree, Map, std::collections::BTreeMap);
#[cfg(feature = "std")]
for_map!(std_hash, Map, std::collections::HashMap);
#[cfg(feature = "hashbrown")]
for_map!(hashbrown_hash, Map, hashbrown::HashMap);
#[cfg(all(feature = "indexmap", feature = "hashbrown"))]
for_map!(indexmap_index, Map, super::Inserted);

#[test]
fn more_keys_than_a_map_holds_are_refused() {
    let def = TreeDef::from_bytes(&[0xC2, 5, 5, 0, 2, 4, 6, 8, 0x04]).expect("a treedef");
    let full = Error::Capacity { node: 0, room: 4 };
    assert_eq!(treedef::unflatten::<u8, LinearMap<u8, u8, 4>>(def, &[0; 5]), Err(full));
    assert_eq!(treedef::unflatten::<u8, FnvIndexMap<u8, u8, 4>>(def, &[0; 5]), Err(full));
}

#[test]
fn full_maps_flatten() -> Result<(), Error> {
    let map: LinearMap<u8, u8, 64> = (0..64u8).rev().map(|i| (i, i)).collect();
    let mut leaves = [0u8; 64];
    assert_eq!(treedef::leaves_into(&map, &mut leaves)?, 64);
    assert!(leaves.is_sorted());
    Ok(())
}

/// A key whose order in Rust is not Python's.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Right,
    Left,
}

impl MapKey for Side {}

impl ToValue for Side {
    fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
        take(Value::Str(match self {
            Side::Right => "right",
            Side::Left => "left",
        }))
    }
}

#[test]
fn keys_in_another_order_than_python_s_are_refused() {
    let map = Linear::of([(Side::Left, 1.0f32), (Side::Right, 2.0)]);
    let error = Error::UnsortedKeys { first: 0, second: 1 };
    assert_eq!(treedef::structure_into(&map, &mut [0; 32]), Err(error));
    // One of them is a dictionary like any other.
    let map = Linear::of([(Side::Left, 1.0f32)]);
    assert_eq!(treedef::encode::structure_bound(&map), Ok(8));
}

/// A key that reads two values as one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct AnyCase(char);

impl MapKey for AnyCase {}

impl ToValue for AnyCase {
    fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
        self.0.with_value(take)
    }
}

impl FromValue for AnyCase {
    fn from_value(value: Value<'_>) -> Option<Self> {
        char::from_value(value).map(|key| AnyCase(key.to_ascii_lowercase()))
    }
}

#[test]
fn keys_that_become_equal_are_refused() {
    // [*, {'A': *, 'B': *, 'b': *}]
    let bytes = [0x42, 0x00, 0x63, 6, 1, b'A', 1, b'B', 1, b'b', 0x02];
    let def = TreeDef::from_bytes(&bytes).expect("a treedef");
    let doubled = Error::DuplicateKey { first: 1, second: 2 };
    let leaves = [1, 2, 3, 4];
    macro_rules! refuses {
        ($($map:ty)*) => {$(
            let dict = def.child(1).expect("two children");
            let result = treedef::unflatten::<u8, $map>(dict, &leaves[1..]);
            assert_eq!(result, Err(doubled));
        )*};
    }
    refuses!(Linear<AnyCase, u8> Index<AnyCase, u8>);
    #[cfg(feature = "alloc")]
    refuses!(std::collections::BTreeMap<AnyCase, u8>);
    #[cfg(feature = "std")]
    refuses!(std::collections::HashMap<AnyCase, u8>);
    #[cfg(feature = "hashbrown")]
    refuses!(hashbrown::HashMap<AnyCase, u8>);
    // The keys of the dictionary say which.
    let keys = def.child(1).expect("two children").head();
    assert_eq!(doubled.explain_keys(keys.keys()).to_string(), "keys 'B' and 'b' are equal");
}

#[test]
fn integers_are_read_back_where_they_fit() {
    for key in [0, 1, i64::MAX as u64, i64::MAX as u64 + 1, u64::MAX] {
        assert_eq!(key.with_value(u64::from_value), Some(key));
        assert_eq!(key.with_value(i64::from_value), i64::try_from(key).ok());
        assert_eq!(key.with_value(usize::from_value), usize::try_from(key).ok());
        assert_eq!(key.with_value(isize::from_value), isize::try_from(key).ok());
        assert_eq!(key.with_value(u8::from_value), u8::try_from(key).ok());
    }
    for key in [-1i64, i64::MIN] {
        assert_eq!(key.with_value(i64::from_value), Some(key));
        assert_eq!(key.with_value(u64::from_value), None);
        assert_eq!(key.with_value(i8::from_value), i8::try_from(key).ok());
    }
    // Python would take 1, 1.0 and True for one key; a typed map does not.
    assert_eq!(u64::from_value(Value::Bool(true)), None);
    assert_eq!(bool::from_value(Value::Int(1)), None);
}

#[cfg(all(feature = "alloc", feature = "std", feature = "hashbrown"))]
mod laws {
    use super::{FromEntries, Index, Linear};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, HashMap};
    use treedef::format::{FromValue, MapKey};
    use treedef::tree::Structure;
    use treedef::{Error, Tree};

    /// Treedef and leaves, and the leaves of what they rebuild.
    fn flat<K, M>(entries: &[(K, Vec<i32>)]) -> Result<(Vec<u8>, Vec<i32>), Error>
    where
        K: Clone,
        M: FromEntries<K, Vec<i32>> + Tree<i32> + PartialEq + core::fmt::Debug,
    {
        let map = M::of(entries.iter().cloned());
        let mut bytes = vec![0; treedef::encode::structure_bound(&map)?];
        let mut leaves = vec![0; map.num_leaves()?];
        let (def, _) = treedef::flatten_into(&map, &mut bytes, &mut leaves)?;
        assert_eq!(treedef::unflatten::<i32, M>(def, &leaves)?, map);
        treedef::matches(&map, def)?;
        Ok((def.as_bytes().to_vec(), leaves))
    }

    fn all_agree<K>(entries: &BTreeMap<K, Vec<i32>>, turn: usize) -> Result<(), TestCaseError>
    where
        K: FromValue + MapKey + Clone + std::hash::Hash + core::fmt::Debug,
    {
        let mut entries: Vec<_> = entries.clone().into_iter().collect();
        let len = entries.len();
        let expected = flat::<K, BTreeMap<K, Vec<i32>>>(&entries);
        prop_assert!(expected.is_ok());
        entries.rotate_left(turn.checked_rem(len).unwrap_or(0));
        if turn % 2 == 1 {
            entries.reverse();
        }
        prop_assert_eq!(&flat::<K, Linear<K, Vec<i32>>>(&entries), &expected);
        prop_assert_eq!(&flat::<K, Index<K, Vec<i32>>>(&entries), &expected);
        prop_assert_eq!(&flat::<K, HashMap<K, Vec<i32>>>(&entries), &expected);
        prop_assert_eq!(&flat::<K, hashbrown::HashMap<K, Vec<i32>>>(&entries), &expected);
        #[cfg(feature = "indexmap")]
        prop_assert_eq!(&flat::<K, super::Inserted<K, Vec<i32>>>(&entries), &expected);
        Ok(())
    }

    fn value() -> impl Strategy<Value = Vec<i32>> {
        prop::collection::vec(any::<i32>(), 0..3)
    }

    proptest! {
        #[test]
        fn all_map_types_give_one_structure_for_strings(
            entries in prop::collection::btree_map(".{0,3}", value(), 0..16),
            turn in 0..32usize,
        ) {
            all_agree(&entries, turn)?;
        }

        #[test]
        fn all_map_types_give_one_structure_for_integers(
            entries in prop::collection::btree_map(any::<u64>(), value(), 0..16),
            signed in prop::collection::btree_map(any::<i64>(), value(), 0..16),
            turn in 0..32usize,
        ) {
            all_agree(&entries, turn)?;
            all_agree(&signed, turn)?;
        }

        #[test]
        fn all_map_types_give_one_structure_for_chars(
            entries in prop::collection::btree_map(any::<char>(), value(), 0..16),
            turn in 0..32usize,
        ) {
            all_agree(&entries, turn)?;
        }
    }
}

/// The treedef of a map has the bytes that its head and leaves have one by one, into room of every size; only its own
/// keys match it.
#[cfg(feature = "alloc")]
#[test]
fn text_keys_of_any_number_and_length_are_written() -> Result<(), Error> {
    use treedef::head::{Dict, DictKind};
    use treedef::{Writer, matches, structure_into};

    for count in [0, 1, 2, 15, 16, 17, 31, 60, 200] {
        for len in [3, 7, 8, 16, 17, 100, 127, 128, 200] {
            let map = |names: std::ops::Range<usize>| {
                let names = names.map(|i| (format!("{i:0len$}"), 0u8));
                std::collections::BTreeMap::from_iter(names)
            };
            let own = map(0..count);
            let (mut bytes, mut builder_bytes) = (vec![0; 100_000], vec![0; 60_000]);
            let mut builder = Writer::new(&mut builder_bytes);
            let keys = own.keys().map(|key| Value::Str(key));
            let dict = builder.begin(&Dict::new(DictKind::Sorted, keys));
            builder.leaves(count);
            builder.end(dict);
            let expected = builder.finish()?;
            let needed = expected.as_bytes().len();
            assert_eq!(structure_into(&own, &mut bytes)?, expected);
            assert_eq!(structure_into(&own, &mut bytes[..needed])?, expected);
            let room = needed - 1;
            assert_eq!(structure_into(&own, &mut bytes[..room]), Err(Error::Full { room }));
            assert_eq!(matches(&own, expected), Ok(()));
            assert!(matches(&map(0..count + 1), expected).is_err());
            assert!(count == 0 || matches(&map(1..count + 1), expected).is_err());
            // A neighbour with the same keys, and one with others.
            let three =
                structure_into(&[own.clone(), own.clone(), map(1..count + 1)][..], &mut bytes)?;
            assert_eq!(TreeDef::from_bytes(three.as_bytes()), Ok(three));
        }
    }
    Ok(())
}

#[test]
#[cfg(feature = "alloc")]
fn the_leaves_of_lists_without_leaves_and_maps_are_counted() {
    use treedef::tree::Structure;

    let map = || std::collections::BTreeMap::from([("a", vec![None, None, Some(1.0f32)])]);
    let maps: Vec<_> = (0..40).map(|_| map()).collect();
    assert_eq!(maps.num_leaves(), Ok(40));
    assert_eq!((vec![None::<f32>; 70_000], vec![None::<f32>; 70_000], map()).num_leaves(), Ok(1));
    let full = Error::LeavesFull { needed: 40, room: 1 };
    assert_eq!(treedef::leaves_into(&maps, &mut [0.0]), Err(full));
}
