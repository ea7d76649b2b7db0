//! Maps without a heap, and the keys of maps.

use core::hint::black_box;

use heapless::LinearMap;
use heapless::index_map::FnvIndexMap;
use treedef::format::{FromValue, ToValue};
use treedef::tree::{TreeBuild, flatten_expected, leaf, leaf_mut};
use treedef::{Value, flatten_into, map, over, unflatten};

use super::{Done, keep};

/// Every operation on a map with two kinds of values in it.
macro_rules! operations {
    ($map:ident, $Map:ty) => {{
        let mut tree: $Map = $map::new();
        for key in black_box([9, -1, 4]) {
            tree.insert(key, (1.0, [Some(2.0), None])).ok()?;
        }
        let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 8]);
        let (def, count) =
            flatten_into(&tree, black_box(&mut bytes), black_box(&mut leaves)).ok()?;
        keep(unflatten::<f32, $Map>(black_box(def), leaves.get(..count)?).ok()?);
        keep(flatten_expected(&tree, black_box(def), black_box(&mut leaves)).ok()?);
        over(&tree).for_each(|leaf: &f32| keep(leaf)).ok()?;
        over(&mut tree).for_each(|leaf: &mut f32| *leaf += 1.0).ok()?;
        keep(leaf::<f32, _>(&tree, black_box(3)).ok()?);
        keep(leaf_mut::<f32, _>(&mut tree, black_box(5)).ok()?);
        let mut copy = black_box(tree.clone());
        over((&tree, &mut copy))
            .with(&tree)
            .for_each(|((a, b), c): ((&f32, _), &f32)| keep((a, b, c)))
            .ok()?;
        keep(over((&tree, &copy)).map(|(a, b): (&f32, _)| a + b).ok()?);
        keep(map(&tree, |leaf: &f32| *leaf > 1.0).ok()?);
        TreeBuild::<f32>::take_leaves(tree, &mut keep);
    }};
}

/// The map that compares keys one by one.
pub(super) fn linear_map() -> Done {
    operations!(LinearMap, LinearMap<i32, (f32, [Option<f32>; 2]), 4>);
    Some(())
}

/// The map that hashes keys.
pub(super) fn index_map() -> Done {
    operations!(FnvIndexMap, FnvIndexMap<i32, (f32, [Option<f32>; 2]), 4>);
    Some(())
}

/// A key, there and back.
fn there_and_back<K: ToValue + FromValue>(key: K) -> Done {
    keep(black_box(key).with_value(|value| K::from_value(black_box(value)))?);
    keep(K::from_value(black_box(Value::Bytes(b"?"))).is_none());
    Some(())
}

/// Keys of every type.
pub(super) fn keys() -> Done {
    there_and_back(true)?;
    for char in black_box(['a', 'é', '中', '😀']) {
        there_and_back(char)?;
    }
    there_and_back(-8i8)?;
    there_and_back(-16i16)?;
    there_and_back(-32i32)?;
    there_and_back(-64i64)?;
    there_and_back(-1isize)?;
    there_and_back(8u8)?;
    there_and_back(16u16)?;
    there_and_back(32u32)?;
    there_and_back(u64::MAX)?;
    there_and_back(1usize)?;
    there_and_back(heapless::String::<4>::from_value(Value::Str("abc"))?)?;
    black_box("a").with_value(taken)?;
    black_box(b"a".as_slice()).with_value(taken)?;
    black_box(0.5f32).with_value(taken)?;
    black_box(0.5f64).with_value(taken)?;
    black_box(Value::None).with_value(taken)
}

/// Takes the value of a key.
fn taken(value: Value<'_>) -> Done {
    black_box(value);
    Some(())
}
