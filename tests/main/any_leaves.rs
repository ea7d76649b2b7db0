//! Trees with leaves of any types: those of one type, and all numbers as bytes.

use std::collections::BTreeMap;

use treedef::container::{Depth, Lanes, Sink, Trees, VisitLanes};
use treedef::tree::{
    AnyLeaves, AsLeaf, HasSchema, LeafTypes, TreeWalk, TreeWrite, TryError, ZipPrefix, leaf_bytes,
    map_of, read_leaves, write_leaves,
};
use treedef::{Error, Leaf, Tree, leaf, over};

/// A leaf that is no number.
#[derive(Clone, Debug, PartialEq)]
struct Tensor(Vec<f32>);

leaf!(Tensor);

#[derive(Tree, Clone, Debug, PartialEq)]
struct Model {
    layers: Vec<(f32, Option<f32>)>,
    named: BTreeMap<String, f32>,
    steps: u64,
    is_frozen: bool,
    state: Tensor,
}

fn model(scale: f32) -> Model {
    Model {
        layers: vec![(scale, Some(2.0 * scale)), (3.0 * scale, None)],
        named: BTreeMap::from([("a".to_owned(), 4.0 * scale)]),
        steps: 5,
        is_frozen: true,
        state: Tensor(vec![6.0]),
    }
}

/// What a library writes that has never seen a model.
fn axpy<T: TreeWrite>(a: f32, x: &T, y: &mut T) -> Result<(), Error> {
    over((y, x)).only::<f32>().for_each(|(y, x)| *y += a * x)
}

#[test]
fn leaves_of_one_type_are_used_and_others_stay() {
    let mut sum = 0.0;
    over(&model(1.0)).only::<f32>().for_each(|leaf| sum += leaf).unwrap();
    assert_eq!(sum, 10.0);
    let mut changed = model(1.0);
    over(&mut changed).only::<u64>().for_each(|steps| *steps += 1).unwrap();
    assert_eq!(changed, Model { steps: 6, ..model(1.0) });
    let mut sums = model(1.0);
    axpy(2.0, &model(1.0), &mut sums).unwrap();
    assert_eq!(sums, model(3.0));
    // Leaves that are no numbers, too.
    over((&mut sums, &model(0.0)))
        .only::<Tensor>()
        .for_each(|(own, other)| own.0.extend(&other.0))
        .unwrap();
    assert_eq!(sums.state, Tensor(vec![6.0, 6.0]));
    // No leaf has this type.
    assert_eq!(over(&sums).only::<i8>().or_none().count(), Ok(0));
    assert_eq!(over(&sums).only::<i8>().for_each(|_| ()), Err(Error::NoLeafOfType));
}

#[test]
fn trees_that_differ_are_refused() {
    let other = Model { named: BTreeMap::new(), ..model(1.0) };
    let mut own = model(1.0);
    let result = axpy(1.0, &other, &mut own);
    assert!(matches!(result, Err(Error::TreesDiffer { .. })), "{result:?}");
    let stopped = over((&own, &own)).only::<f32>().for_each(|(_, _)| Err(Error::TooLarge));
    assert_eq!(stopped, Err(Error::TooLarge));
}

#[test]
fn leaves_of_one_type_have_their_paths() {
    let mut sums = model(1.0);
    let mut paths = Vec::new();
    over((&mut sums, &model(1.0)))
        .only::<f32>()
        .paths()
        .for_each(|path, (own, other)| {
            paths.push(path.to_string());
            *own += other;
        })
        .unwrap();
    assert_eq!(sums, Model { steps: 5, ..model(2.0) });
    let mut expected = Vec::new();
    over(&sums)
        .of::<AnyLeaves>()
        .paths()
        .for_each(|path, leaf| {
            expected.extend(leaf.is::<f32>().then(|| path.to_string()));
        })
        .unwrap();
    assert_eq!(paths, expected);
    // The second place ends the walk, and the places before it are changed.
    let refused = over(&mut sums).only::<f32>().paths().for_each(|path, leaf| {
        *leaf = 0.0;
        let is_second = path.to_string() == paths[1];
        if is_second { Err(TryError::User(path.to_string())) } else { Ok(()) }
    });
    assert_eq!(refused, Err(TryError::User(paths[1].clone())));
    let mut leaves = Vec::new();
    over(&sums).only::<f32>().for_each(|leaf| leaves.push(*leaf)).unwrap();
    assert_eq!(leaves.iter().filter(|leaf| **leaf == 0.0).count(), 2);
}

/// A model whose parts can have other leaves, in a mask or a prefix.
#[derive(Tree, Clone, Debug, PartialEq)]
struct Net<W, T, N> {
    layers: Vec<W>,
    bias: Option<T>,
    steps: N,
}

fn net(scale: f32, steps: u64) -> Net<[f32; 2], f32, u64> {
    Net { layers: vec![[scale, 2.0 * scale]; 2], bias: Some(3.0 * scale), steps }
}

/// A step of a library that has never seen a model, with a rate for each part and without the leaves that are frozen.
fn step<T, R, M>(model: &mut T, gradients: &T, rates: &R, trained: &M) -> Result<(), Error>
where
    T: TreeWrite,
    R: ZipPrefix<f32, AnyLeaves, T>,
    M: ZipPrefix<bool, AnyLeaves, T>,
{
    let walk = over((model, gradients)).under(rates).with(trained).only::<f32>().check()?;
    walk.for_each(|(((x, gradient), rate), trained)| {
        if *trained {
            *x -= rate * gradient;
        }
    })
}

#[test]
fn masks_and_prefixes_take_part_beside_leaves_of_one_type() {
    let rates = Net { layers: vec![1.0f32, 2.0], bias: Some(3.0f32), steps: 4.0f32 };
    let trained = Net { layers: vec![[true, false]; 2], bias: Some(true), steps: true };
    let mut own = net(1.0, 7);
    step(&mut own, &net(1.0, 9), &rates, &trained).unwrap();
    assert_eq!(own, Net { layers: vec![[0.0, 2.0], [-1.0, 2.0]], bias: Some(-6.0), steps: 7 });

    // Nothing changes if the last of the trees differs, and the error says that it was the fourth.
    let before = own.clone();
    let shorter = Net { layers: vec![[true, false]], ..trained.clone() };
    let refused = step(&mut own, &net(1.0, 9), &rates, &shorter);
    assert_eq!((refused, &own), (Err(Error::TreesDiffer { node: 1, tree: 3 }), &before));
    let shorter = Net { layers: vec![1.0f32], ..rates.clone() };
    let refused = step(&mut own, &net(1.0, 9), &shorter, &trained);
    assert_eq!((refused, &own), (Err(Error::NotPrefix { node: 1, tree: 2 }), &before));

    // A tree that is added can be changed, and leaves of the other type are visited with it.
    let mut counts = Net { layers: vec![[0u8; 2]; 2], bias: Some(0u8), steps: 0u8 };
    over(&own).with(&mut counts).only::<u64>().for_each(|(steps, n)| *n += *steps as u8).unwrap();
    assert_eq!(counts, Net { layers: vec![[0; 2]; 2], bias: Some(0), steps: 7 });
    let sum = over(&own).under(&rates).only::<f32>().fold(0.0, |sum, (x, rate)| sum + x * rate);
    assert_eq!(sum, Ok(2.0 + 2.0 - 18.0));
}

#[test]
fn further_trees_have_their_leaf_at_each_path() {
    let rates = Net { layers: vec![1.0f32, 2.0], bias: Some(3.0f32), steps: 4.0f32 };
    let names = Net { layers: vec![['a', 'b'], ['c', 'd']], bias: Some('e'), steps: 'f' };
    let own = net(1.0, 7);
    let mut seen = Vec::new();
    over(&own)
        .under(&rates)
        .with(&names)
        .only::<f32>()
        .paths()
        .for_each(|path, ((x, rate), name)| seen.push(format!("{path} {x} {rate} {name}")))
        .unwrap();
    let expected = [
        ".layers[0][0] 1 1 a",
        ".layers[0][1] 2 1 b",
        ".layers[1][0] 1 2 c",
        ".layers[1][1] 2 2 d",
        ".bias 3 3 e",
    ];
    assert_eq!(seen, expected);
    // Leaves of another type are passed over, but not those of the other trees.
    let last = over(&own).with(&names).under(&rates).only::<u64>().paths().for_each(
        |path, ((steps, name), rate)| {
            Err::<(), _>(TryError::User(format!("{path} {steps} {name} {rate}")))
        },
    );
    assert_eq!(last, Err(TryError::User(".steps 7 f 4".to_owned())));

    // The same trees, if all leaves have one type.
    let own = treedef::map(&names, |name: &char| u32::from(*name) - 97).unwrap();
    let mut all = Vec::new();
    over(&own)
        .under(&rates)
        .with(&names)
        .paths()
        .for_each(|path, ((n, rate), name): ((&u32, &f32), &char)| {
            all.push(format!("{path} {n} {rate} {name}"))
        })
        .unwrap();
    assert_eq!((all.len(), &all[2]), (6, &".layers[1][0] 2 2 c".to_owned()));
    let mapped = over(&own)
        .under(&rates)
        .paths()
        .map(|path, (n, rate): (&u32, &f32)| format!("{path} {n} {rate}"));
    assert_eq!(mapped.unwrap().steps, ".steps 5 4");
    let shorter = Net { layers: vec![1.0f32], ..rates };
    let refused = over(&own).under(&shorter).paths().for_each(|_, (_, _): (&u32, &f32)| ());
    assert_eq!(refused, Err(Error::NotPrefix { node: 1, tree: 1 }));
}

mod prefixes {
    use super::*;

    #[derive(Tree)]
    struct Rates {
        layers: f32,
        named: f32,
        steps: f32,
        is_frozen: f32,
        state: f32,
    }

    treedef::prefix!(Rates { layers, named, steps, is_frozen, state }: f32, of Model: AnyLeaves);

    #[test]
    fn a_struct_is_a_prefix_of_a_struct_with_leaves_of_any_types() {
        let rates = Rates { layers: 2.0, named: 10.0, steps: 0.0, is_frozen: 0.0, state: 0.0 };
        let mut own = model(1.0);
        over(&mut own).under(&rates).only::<f32>().for_each(|(x, rate)| *x *= rate).unwrap();
        assert_eq!(own, Model { named: BTreeMap::from([("a".to_owned(), 40.0)]), ..model(2.0) });
    }
}

type Numbers = (f32, f64, [u8; 2], u16, u32, u64, i8, i16, i32, i64, bool);

#[test]
fn all_numbers_are_written_as_bytes_and_read() {
    const LEN: usize = leaf_bytes::<Numbers>();
    let numbers: Numbers = (1.5, -2.5, [3, 4], 5, 6, 7, -8, -9, -10, i64::MIN, true);
    let mut bytes = [0xAA; LEN + 1];
    assert_eq!(write_leaves(&numbers, &mut bytes), Ok(LEN));
    assert_eq!((&bytes[..4], bytes[LEN - 1], bytes[LEN]), (&1.5f32.to_le_bytes()[..], 1, 0xAA));
    let mut read: Numbers = Default::default();
    assert_eq!(read_leaves(&mut read, &bytes[..LEN]), Ok(()));
    assert_eq!(read, numbers);
    // The largest of the variants.
    #[derive(Tree)]
    enum Mode {
        Off(bool),
        Pid { kp: heapless::Vec<f32, 2>, on: Option<bool> },
        Hold(u32),
    }
    assert_eq!(leaf_bytes::<[Mode; 2]>(), 18);
    // Too few bytes, and a byte that is no `bool`: nothing changes.
    let mut read: Numbers = Default::default();
    let short = Error::BufferFull { needed: LEN, room: LEN - 1 };
    assert_eq!(write_leaves(&numbers, &mut [0; LEN - 1]), Err(short));
    let short = Error::LeafBytes { expected: LEN, found: LEN - 1 };
    assert_eq!(read_leaves(&mut read, &bytes[..LEN - 1]), Err(short));
    let long = Error::LeafBytes { expected: LEN, found: LEN + 1 };
    assert_eq!(read_leaves(&mut read, &bytes), Err(long));
    bytes[LEN - 1] = 2;
    assert_eq!(read_leaves(&mut read, &bytes[..LEN]), Err(Error::WrongLeaf { leaf: 11 }));
    assert_eq!(read, Numbers::default());
    // Leaves of other types are in no list without elements.
    assert_eq!(leaf_bytes::<(f32, [String; 0], heapless::Vec<String, 0>)>(), 4);
    assert_eq!(write_leaves(&(1.0f32, [""; 0].map(String::from)), &mut [0; 4]), Ok(4));
}

/// A container that does not say what it holds.
struct Hidden<T>(T);

impl<T> HasSchema for Hidden<T> {}

impl<K: LeafTypes, T: TreeWalk<K>> TreeWalk<K> for Hidden<T> {
    fn walk<'a, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: 'a,
    {
        self.0.walk(out);
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        let inner = L::map(trees, |tree| &tree.0, |tree| &mut tree.0);
        T::walk_lanes::<L, E, V>(inner, depth, visit)
    }
}

impl<K: LeafTypes, T: TreeWrite<K>> TreeWrite<K> for Hidden<T> {}

#[test]
fn a_leaf_without_bytes_is_an_error_where_the_type_does_not_say_it() {
    let mut numbers = (1.0f32, Hidden(vec![2u8, 3]));
    let mut bytes = [0; 6];
    assert_eq!(write_leaves(&numbers, &mut bytes), Ok(6));
    assert_eq!(bytes[4..], [2, 3]);
    assert_eq!(read_leaves(&mut numbers, &[0, 0, 0, 0, 4, 5]), Ok(()));
    assert_eq!((numbers.0, numbers.1.0), (0.0, vec![4, 5]));

    let mut tree = (1.0f32, Hidden((2.0f32, Tensor(vec![]))));
    let wrong = Err(Error::WrongLeaf { leaf: 2 });
    assert_eq!(write_leaves(&tree, &mut [0; 8]), wrong.map(|()| 0));
    assert_eq!(read_leaves(&mut tree, &[0; 8]), wrong);
    assert_eq!((tree.0, tree.1.0.0), (1.0, 2.0));
}

/// A leaf type of the library has a dtype exactly if it is written as bytes, as many as the dtype has.
#[test]
fn leaf_types_have_a_dtype_exactly_if_they_have_bytes() {
    fn check<L: Leaf + TreeWrite>(leaf: L) -> Option<usize> {
        let size = L::SCHEMA.dtype().map(|dtype| dtype.size());
        let mut tree = Hidden(leaf);
        let mut bytes = [0xAA; 16];
        let len = write_leaves(&tree, &mut bytes).ok();
        assert_eq!(len, size);
        if let Some(len) = len {
            read_leaves(&mut tree, &bytes[..len]).unwrap();
            let mut again = [0x55; 16];
            assert_eq!(write_leaves(&tree, &mut again), Ok(len));
            assert_eq!(bytes[..len], again[..len]);
            assert_eq!((bytes[len], again[len]), (0xAA, 0x55));
        }
        size
    }
    let sizes = [check(1.5f32), check(2.5f64), check(3i8), check(4i16), check(5i32), check(6i64)];
    assert_eq!(sizes.map(Option::unwrap), [4, 8, 1, 2, 4, 8]);
    let sizes = [check(1u8), check(2u16), check(3u32), check(4u64), check(true)];
    assert_eq!(sizes.map(Option::unwrap), [1, 2, 4, 8, 1]);
    let none = [check(1i128), check(1u128), check(1isize), check(1usize), check('a')];
    assert_eq!(none, [None; 5]);
    let none = [check(String::new()), check(heapless::String::<4>::new()), check(AsLeaf(1.0f32))];
    assert_eq!(none, [None; 3]);
    #[cfg(feature = "half")]
    assert_eq!([check(half::f16::PI), check(half::bf16::PI)], [Some(2); 2]);
    #[cfg(feature = "fixed")]
    {
        use fixed::types::{I4F4, I8F8, I16F16, I32F32, U0F8, U8F8, U16F16, U32F32};
        let sizes = [check(I4F4::MIN), check(I8F8::MIN), check(I16F16::MIN), check(I32F32::MIN)];
        assert_eq!(sizes.map(Option::unwrap), [1, 2, 4, 8]);
        let sizes = [check(U0F8::MAX), check(U8F8::MAX), check(U16F16::MAX), check(U32F32::MAX)];
        assert_eq!(sizes.map(Option::unwrap), [1, 2, 4, 8]);
    }
}

#[test]
fn one_type_is_mapped_and_the_other_leaves_stay() {
    let doubled = map_of(&model(1.0), |x: &f32| 2.0 * x).unwrap();
    assert_eq!(doubled, model(2.0));
    let later = map_of(&doubled, |steps: &u64| steps + 1).unwrap();
    assert_eq!(later, Model { steps: 6, ..model(2.0) });
    assert_eq!(map_of(&later, |_: &i8| 0), Err(Error::NoLeafOfType));
}

/// Split into its floats and the rest, and put together again; both without a type of its own.
#[test]
fn a_mixed_model_is_partitioned_and_combined() {
    let (model, mut floats) = (model(1.0), Vec::new());
    over(&model).only().for_each(|x: &f32| floats.push(2.0 * x)).unwrap();
    let mut next = floats.iter();
    let combined = map_of(&model, |x: &f32| *next.next().unwrap_or(x)).unwrap();
    assert_eq!(combined, self::model(2.0));
}

#[test]
fn zips_of_one_type_are_reduced() {
    let dot = over((&model(1.0), &model(2.0))).only::<f32>().fold(0.0, |sum, (a, b)| sum + a * b);
    assert_eq!(dot, Ok(60.0));
}
