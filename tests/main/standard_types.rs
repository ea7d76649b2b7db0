//! Types of the standard library that settings have: as leaves or containers, in schemas and keys, and as meta fields.
#![cfg(all(feature = "alloc", feature = "derive"))]

use std::collections::VecDeque;
use std::fmt::Debug;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use heapless::{Deque, LinearMap};
use treedef::algebra::migrate_typed;
use treedef::cache::KeyLeaves;
use treedef::format::{FromValue, MapKey, ToValue};
use treedef::tree::{
    HasSchema, LeafAs, MapTree, TreeWalk, ZipPrefix, find_leaf, leaf, leaf_bytes, mixed,
    read_leaves, write_leaves,
};
use treedef::{
    CallKey, Error, Leaf, Meta, Tree, TreeDef, Value, View, map, over, schema_of, structure,
    treedef, treedef_of, unflatten,
};

use super::all_laws as laws;

/// Checks a leaf type with this name: the laws of a list of its values, its name, its dtype, and its part of a call key.
fn check_leaf<L>(leaves: [L; 2], name: &str, part: Option<&str>)
where
    L: Leaf + MapTree<L, L, Output = L> + ZipPrefix<L, L, L> + Clone + PartialEq + Debug,
{
    assert_eq!(treedef_of::<L>(), TreeDef::LEAF);
    assert!(schema_of::<L>().to_string().contains(&format!("'{name}'")), "{}", schema_of::<L>());
    assert_eq!(L::SCHEMA.dtype().map(|dtype| format!("{dtype}[]")).as_deref(), part);
    laws::check(&(Some(leaves[0].clone()), leaves.to_vec()), |i| leaves[i % 2].clone()).unwrap();
}

/// Checks that data is this value, of a type with this name, and is read back from it.
fn check_value<T: ToValue + FromValue + PartialEq + Debug>(data: T, name: &str, value: &str) {
    assert_eq!(T::TYPE, name);
    data.with_value(|own| {
        assert_eq!(own.to_string(), value);
        assert_eq!(T::from_value(own).as_ref(), Some(&data));
    });
}

/// The text of a call key of a leaf.
fn key(leaf: &impl TreeWalk<KeyLeaves>) -> String {
    CallKey::of_tree(leaf, &mut [0; 64]).unwrap().to_string()
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Port")]
struct Port<M: ToValue + FromValue + Clone + PartialEq> {
    baud: f32,
    #[tree(meta)]
    data: M,
}

/// The structure of a port with this data, which another port refuses or takes.
fn loaded<M, N>(data: N) -> Result<M, Error>
where
    M: ToValue + FromValue + Clone + PartialEq,
    N: ToValue + FromValue + Clone + PartialEq,
{
    let def = structure(&Port { baud: 1.0f32, data }).unwrap();
    unflatten::<f32, Port<M>>(def.as_treedef(), &[1.0]).map(|port| port.data)
}

const fn nz(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

#[test]
fn a_number_that_is_not_zero_is_a_leaf_with_the_dtype_of_the_number() {
    macro_rules! check {
        ($($int:ident as $dtype:expr),*) => {$(
            let two = [NonZero::<$int>::MIN, NonZero::<$int>::MAX];
            check_leaf(two, concat!("NonZero<", stringify!($int), ">"), $dtype);
            check_value(two[1], concat!("NonZero<", stringify!($int), ">"), &two[1].to_string());
            assert_eq!(NonZero::<$int>::from_value(Value::Int(0)), None);
        )*};
    }
    check!(
        i8 as Some("int8[]"), i16 as Some("int16[]"), i32 as Some("int32[]"), i64 as Some("int64[]"), i128 as None,
        isize as None, u8 as Some("uint8[]"), u16 as Some("uint16[]"), u32 as Some("uint32[]"), u64 as Some("uint64[]"),
        u128 as None, usize as None
    );
    assert_eq!(key(&nz(7)), key(&7u16));
    assert_eq!(key(&NonZero::<i128>::MIN), key(&0i128));
    assert_eq!(<NonZero<u16> as LeafAs<NonZero<u16>>>::DTYPE, u16::SCHEMA.dtype());
    assert_ne!(schema_of::<NonZero<u16>>(), schema_of::<u16>());
}

#[test]
fn zero_is_refused_as_a_number_that_is_not_zero() {
    type Settings = (u16, NonZero<u16>, [NonZero<i64>; 2], bool);
    let settings: Settings = (0, nz(0x0100), [NonZero::<i64>::MIN; 2], true);
    let mut bytes = [0; leaf_bytes::<Settings>()];
    assert_eq!(write_leaves(&settings, &mut bytes), Ok(21));
    assert_eq!(bytes[..4], [0, 0, 0, 1]);
    let before: Settings = (7, nz(7), [NonZero::<i64>::MAX; 2], false);
    let mut read = before;
    read_leaves(&mut read, &bytes).unwrap();
    assert_eq!(read, settings);
    for (at, leaf) in [(2..4, 1), (4..12, 2), (12..20, 3)] {
        let (mut zero, mut read) = (bytes, before);
        zero[at].fill(0);
        assert_eq!(read_leaves(&mut read, &zero), Err(Error::WrongLeaf { leaf }));
        assert_eq!(read, before);
    }
}

treedef::leaf_types! {
    struct Setting { owned Owned, read Shown, write Set, Divider(NonZero<u16>), Gain(f32) }
}

#[test]
fn a_console_sets_no_number_that_is_not_zero_to_zero() {
    let mut tree = (nz(2), 0.5f32);
    for (text, fits) in [("5", true), ("0", false), ("-1", false), ("65536", false)] {
        assert_eq!(mixed::leaf_mut::<Setting>(&mut tree, 0).unwrap().set_str(text), fits, "{text}");
    }
    assert_eq!(tree, (nz(5), 0.5));
    assert_eq!(mixed::leaf::<Setting>(&tree, 0).unwrap().to_string(), "5");
}

#[test]
fn zero_is_no_meta_field_that_is_not_zero() {
    assert_eq!(loaded(7u8), Ok(nz(7)));
    assert_eq!(loaded(nz(7)), Ok(7u8));
    assert_eq!(loaded::<NonZero<u16>, _>(0u8), Err(Error::Mismatch { node: 0 }));
    assert_eq!(loaded::<NonZero<u16>, _>(65_536u32), Err(Error::Mismatch { node: 0 }));
}

#[test]
fn wrapping_and_saturating_numbers_are_the_tree_of_their_value() {
    type Tree = (Wrapping<f32>, Saturating<[f32; 2]>, Wrapping<Option<f32>>);
    let tree: Tree = (Wrapping(1.0), Saturating([2.0, 3.0]), Wrapping(None));
    laws::check(&tree, |i| i as f32).unwrap();
    assert_eq!(structure(&tree).unwrap(), treedef!((*, [*, *], None)));
    assert_eq!(schema_of::<Tree>(), schema_of::<(f32, [f32; 2], Option<f32>)>());
    let mut counts = [Wrapping(u8::MAX), Wrapping(0)];
    over(&mut counts).for_each(|count: &mut u8| *count = count.wrapping_add(1)).unwrap();
    assert_eq!(counts, [Wrapping(0), Wrapping(1)]);
    let wide: Saturating<u16> = map(&Saturating(7u8), |count: &u8| u16::from(*count)).unwrap();
    assert_eq!((wide, key(&wide)), (Saturating(7), key(&7u16)));
    // `Some` of a value that can be `None` is seen.
    let nested = structure(&Some(Wrapping(None::<f32>))).unwrap();
    assert_eq!(nested, structure(&Some(None::<f32>)).unwrap());

    check_value(Wrapping(7u8), "u8", "7");
    check_value(Saturating(i64::MIN), "i64", "-9223372036854775808");
    assert_eq!(loaded::<Wrapping<u8>, _>(7u16), Ok(Wrapping(7)));
    assert_eq!(loaded::<Wrapping<u8>, _>(700u16), Err(Error::Mismatch { node: 0 }));
}

#[test]
fn durations_and_addresses_are_leaves_without_a_dtype() {
    let durations = [Duration::new(3, 500), Duration::MAX];
    check_leaf(durations, "Duration", None);
    check_leaf([Ipv4Addr::LOCALHOST, Ipv4Addr::BROADCAST], "Ipv4Addr", None);
    check_leaf([Ipv6Addr::LOCALHOST, Ipv6Addr::UNSPECIFIED], "Ipv6Addr", None);
    assert_eq!(key(&durations[0]), "PyTreeDef(*), b'Duration'");
    assert_eq!(
        key(&(Ipv4Addr::LOCALHOST, Ipv6Addr::LOCALHOST)),
        "PyTreeDef((*, *)), b'Ipv4Addr', b'Ipv6Addr'"
    );
}

#[test]
fn durations_and_addresses_are_meta_fields() {
    check_value(Duration::new(3, 999_999_999), "Duration", "(3, 999999999)");
    check_value(Duration::MAX, "Duration", "(18446744073709551615, 999999999)");
    assert_eq!(loaded((3u8, 5u8)), Ok(Duration::new(3, 5)));
    for (secs, nanos) in [(3, 1_000_000_000), (3, -1), (-1, 0), (0, i64::MAX)] {
        assert_eq!(loaded::<Duration, (i64, i64)>((secs, nanos)), Err(Error::Mismatch { node: 0 }));
    }
    assert_eq!(loaded::<Duration, _>(3u8), Err(Error::Mismatch { node: 0 }));
    assert_eq!(loaded::<Duration, _>((3u8, 4u8, 5u8)), Err(Error::Mismatch { node: 0 }));

    let v6 = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0x61);
    check_value(Ipv4Addr::new(192, 168, 0, 97), "Ipv4Addr", r"b'\xc0\xa8\x00a'");
    let shown = r"b' \x01\r\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00a'";
    check_value(v6, "Ipv6Addr", shown);
    for bytes in [&[][..], &[1; 3], &[1; 5], &[1; 16]] {
        assert_eq!(Ipv4Addr::from_value(Value::Bytes(bytes)), None);
    }
    assert_eq!(Ipv6Addr::from_value(Value::Bytes(&[1; 4])), None);
    assert_eq!(Ipv4Addr::from_value(Value::Str("127.0.0.1")), None);
}

#[derive(Tree)]
#[tree(name = "Range")]
struct Own<T> {
    start: T,
    end: T,
}

#[test]
fn a_range_is_a_struct_of_its_start_and_its_end() {
    const DEF: TreeDef<'static> = treedef_of::<Range<f32>>();
    assert_eq!(DEF, treedef_of::<Own<f32>>());
    assert_eq!(schema_of::<Range<f32>>(), schema_of::<Own<f32>>());
    assert_eq!(DEF.as_bytes(), b"\x82\x10\x05Range\x05start\x03end\x01");
    let range = [0.5f32, 1.5]..[2.5, 3.5];
    laws::check(&range, |i| i as f32).unwrap();
    laws::check(&(None..Some(1.0f32)), |i| i as f32).unwrap();
    laws::check(&vec![vec![1.0f32]..vec![], vec![]..vec![2.0]], |i| i as f32).unwrap();
    assert_eq!(find_leaf(&range, "end[1]"), Ok(&3.5f32));
    assert_eq!(find_leaf(&(None..Some(1.0f32)), "end"), Ok(&1.0f32));
    let mut paths = Vec::new();
    over(&range).paths().for_each(|path, _: &f32| paths.push(path.to_string())).unwrap();
    assert_eq!(paths, [".start[0]", ".start[1]", ".end[0]", ".end[1]"]);
    let rounded: Range<[u8; 2]> = map(&range, |x: &f32| *x as u8).unwrap();
    assert_eq!(rounded, [0, 1]..[2, 3]);
    let mut changed = 1.0f32..2.0;
    over(&mut changed)
        .with(&(true..false))
        .for_each(|(x, up): (&mut f32, &bool)| *x += f32::from(*up))
        .unwrap();
    assert_eq!(changed, 2.0..2.0);
    assert_eq!(unflatten::<f32, (f32, f32)>(DEF, &[1.0, 2.0]), Err(Error::Mismatch { node: 0 }));
    assert_eq!(
        unflatten::<f32, Range<f32>>(treedef!((*, *)), &[1.0, 2.0]),
        Err(Error::Mismatch { node: 0 })
    );
}

#[test]
fn a_range_is_loaded_under_a_newer_type() {
    #[derive(Tree)]
    #[tree(name = "Limits")]
    struct Old {
        speed: Range<f32>,
    }
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Limits")]
    struct New {
        torque: Range<f32>,
        speed: Range<f32>,
    }
    let old = structure(&Old { speed: 1.0..2.0 }).unwrap();
    let defaults = New { torque: 5.0..6.0, speed: 7.0..8.0 };
    let stored = View::new(&old, &[1.0, 2.0]).unwrap();
    let (loaded, _) = migrate_typed(stored, &defaults, &[], |_| ()).unwrap();
    assert_eq!(loaded, New { torque: 5.0..6.0, speed: 1.0..2.0 });
}

/// A deque of these elements whose first slice has all but the last `back` of them.
fn deque<T: Clone>(elements: &[T], back: usize) -> VecDeque<T> {
    let mut deque = VecDeque::with_capacity(elements.len());
    let (front, rest) = elements.split_at(elements.len() - back);
    deque.extend(rest.iter().cloned());
    front.iter().rev().for_each(|element| deque.push_front(element.clone()));
    assert_eq!((deque.as_slices().0.len(), deque.as_slices().1.len()), (front.len(), back));
    deque
}

/// A deque of these elements with the capacity 4, of which `back` are in the second slice.
fn small_deque<T: Clone + Debug>(elements: &[T], back: usize) -> Deque<T, 4> {
    let mut deque = Deque::new();
    let (front, rest) = elements.split_at(elements.len() - back);
    rest.iter().for_each(|element| deque.push_back(element.clone()).unwrap());
    front.iter().rev().for_each(|element| deque.push_front(element.clone()).unwrap());
    assert_eq!((deque.as_slices().0.len(), deque.as_slices().1.len()), (front.len(), back));
    deque
}

#[test]
fn deques_are_lists_wherever_they_begin() {
    for back in 0..3 {
        laws::check(&deque(&[1.0f32, 2.0, 3.0], back), |i| i as f32).unwrap();
        laws::check(&small_deque(&[1.0f32, 2.0, 3.0], back), |i| i as f32).unwrap();
        let pairs = [(1.0f32, Some(2.0)), (3.0, None), (4.0, None), (5.0, Some(6.0))];
        laws::check(&deque(&pairs, back), |i| i as f32).unwrap();
        laws::check(&vec![small_deque(&pairs, back), small_deque(&pairs, 1)], |i| i as f32)
            .unwrap();
        let list = small_deque(&[[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]], back);
        let def = structure(&list).unwrap();
        assert_eq!(def, treedef!([[*, *], [*, *], [*, *]]));
        for index in 0..6 {
            assert_eq!(leaf(&list, index), Ok(&(index as f32 + 1.0)));
            let path = def.as_treedef().path(index).unwrap().to_string();
            assert_eq!(find_leaf(&list, &path), Ok(&(index as f32 + 1.0)));
        }
    }
    laws::check(&VecDeque::<f32>::new(), |i| i as f32).unwrap();
    assert_eq!(schema_of::<VecDeque<f32>>(), schema_of::<Vec<f32>>());
    assert_eq!(schema_of::<Deque<f32, 4>>(), schema_of::<heapless::Vec<f32, 4>>());
}

#[test]
fn the_leaves_of_a_deque_are_two_runs() {
    let mut list =
        (deque(&[1.0f32, 2.0, 3.0, 4.0, 5.0], 2), small_deque(&[[6.0f32, 7.0], [8.0, 9.0]], 1));
    let mut runs = Vec::new();
    over(&list).runs().for_each(|run: &[f32]| runs.push(run.to_vec())).unwrap();
    assert_eq!(runs, [vec![1.0, 2.0, 3.0], vec![4.0, 5.0], vec![6.0, 7.0], vec![8.0, 9.0]]);
    over(&mut list).runs().for_each(|run: &mut [f32]| run.reverse()).unwrap();
    assert_eq!(list.0, [3.0, 2.0, 1.0, 5.0, 4.0]);
    let mut paths = Vec::new();
    over(&list.0)
        .paths()
        .for_each(|path, leaf: &f32| paths.push((path.to_string(), *leaf)))
        .unwrap();
    assert_eq!(paths[3], ("[3]".to_owned(), 5.0));
}

#[test]
fn deques_are_walked_together_wherever_they_begin() {
    let elements = [1.0f32, 2.0, 3.0, 4.0];
    for (one, other) in [(0, 0), (1, 2), (3, 1)] {
        let (mut changed, steps) = (deque(&elements, one), deque(&elements, other));
        over((&mut changed, &steps)).for_each(|(x, by): (&mut f32, _)| *x += by).unwrap();
        assert_eq!(changed, [2.0, 4.0, 6.0, 8.0]);
        let keep = small_deque(&[true, false, false, true], other);
        let mut small = small_deque(&elements, one);
        over(&mut small)
            .with(&keep)
            .for_each(|(x, keep): (&mut f32, &bool)| *x *= f32::from(*keep))
            .unwrap();
        assert!(small.iter().eq(&[1.0, 0.0, 0.0, 4.0]));
    }
    let (long, short) = (deque(&elements, 1), deque(&elements[1..], 1));
    let differs = Err(Error::TreesDiffer { node: 0, tree: 1 });
    assert_eq!(over((&long, &short)).for_each(|_| ()), differs);
    assert_eq!(over(&long).with(&short).for_each(|_| ()), differs);
}

#[test]
fn a_deque_refuses_more_elements_than_it_has_room_for() {
    let full = unflatten::<f32, Deque<f32, 2>>(treedef!([*, *, *]), &[0.0; 3]);
    assert_eq!(full.map(|_| ()), Err(Error::Capacity { node: 0, room: 2 }));
    let loaded: Deque<f32, 3> = unflatten(treedef!([*, *, *]), &[1.0, 2.0, 3.0]).unwrap();
    assert!(loaded.iter().eq(&[1.0, 2.0, 3.0]));
    let tuple = unflatten::<f32, VecDeque<f32>>(treedef!((*, *)), &[0.0; 2]);
    assert_eq!(tuple, Err(Error::Mismatch { node: 0 }));
}

#[test]
fn vectors_boxes_and_shared_texts_are_meta_fields() {
    type Taps = heapless::Vec<u8, 3>;
    check_value(Taps::from_iter([1, 2]), "tuple<u8, 3>", "(1, 2)");
    check_value(Taps::new(), "tuple<u8, 3>", "()");
    type Names = heapless::Vec<heapless::Vec<heapless::String<10>, 0>, 120>;
    assert_eq!(Names::TYPE, "tuple<tuple<str<10>, 0>, 120>");
    assert_eq!(loaded([1u8, 2, 3]), Ok(Taps::from_iter([1, 2, 3])));
    assert_eq!(loaded::<Taps, _>([1u8, 2, 3, 4]), Err(Error::Mismatch { node: 0 }));
    assert_eq!(loaded::<Taps, _>([1u16, 256]), Err(Error::Mismatch { node: 0 }));
    assert_eq!(loaded::<Taps, _>(1u8), Err(Error::Mismatch { node: 0 }));

    check_value(Box::new(7u8), "u8", "7");
    check_value(Box::new(Some((1u8, 'x'))), "value", "((1, 'x'),)");
    assert_eq!(loaded(7u16), Ok(Box::new(7u8)));
    assert_eq!(loaded::<Box<u8>, _>(700u16), Err(Error::Mismatch { node: 0 }));
    check_value(Box::<[u8]>::from([1, 2]), "value", "(1, 2)");
    check_value(Box::<str>::from("axis"), "str", "'axis'");
    check_value(Arc::<str>::from("axis"), "str", "'axis'");
    assert_eq!(loaded('x'), Ok(Arc::<str>::from("x")));
    assert_eq!(loaded::<Arc<str>, _>(7u8), Err(Error::Mismatch { node: 0 }));

    // A type of its own gives the schema one, too.
    assert_ne!(schema_of::<Port<Taps>>(), schema_of::<Port<heapless::Vec<u8, 4>>>());
    assert_ne!(schema_of::<Port<Taps>>(), schema_of::<Port<heapless::Vec<u16, 3>>>());
    assert_eq!(schema_of::<Port<Box<u8>>>(), schema_of::<Port<u8>>());
    assert_ne!(schema_of::<Port<Duration>>(), schema_of::<Port<(u64, u32)>>());
    assert_ne!(schema_of::<Port<Ipv4Addr>>(), schema_of::<Port<Ipv6Addr>>());
}

/// A type that holds itself in a box.
#[derive(Meta, Clone, Debug, PartialEq)]
enum Rule {
    Any,
    Not(Box<Rule>),
}

#[test]
fn a_meta_type_can_hold_itself_in_a_box() {
    let rule = Rule::Not(Box::new(Rule::Not(Box::new(Rule::Any))));
    check_value(rule.clone(), "Rule", "('Not', ('Not', 'Any'))");
    assert_eq!(loaded(rule.clone()), Ok(rule));
}

/// Checks that the keys, which are given in their order, are those of a map.
fn check_keys<K: MapKey + FromValue + Clone + Debug>(keys: &[K]) {
    let entries = keys.iter().rev().map(|key| (key.clone(), 0.5f32));
    let map: LinearMap<K, f32, 8> = entries.collect();
    laws::check(&map, |i| i as f32).unwrap();
    let def = structure(&map).unwrap();
    let found = def.as_treedef().head().keys().map(|key| K::from_value(key).unwrap());
    assert!(found.eq(keys.iter().cloned()));
}

#[test]
fn keys_have_the_order_of_their_values() {
    check_keys(&[NonZero::<i8>::MIN, NonZero::new(-1).unwrap(), NonZero::new(1).unwrap()]);
    check_keys(&[Wrapping(-1i8), Wrapping(0), Wrapping(1)]);
    check_keys(&[
        Duration::ZERO,
        Duration::new(1, 999_999_999),
        Duration::new(2, 0),
        Duration::MAX,
    ]);
    check_keys(&[[1, 2, 3, 4], [1, 2, 4, 0], [200, 0, 0, 0]].map(Ipv4Addr::from));
    check_keys(&[1, 256, u128::MAX].map(Ipv6Addr::from_bits));
    check_keys(&["a", "ab", "b"].map(Arc::<str>::from));
    check_keys(&["a", "ab", "b"].map(Box::<str>::from));
    check_keys(&[Box::new(-1), Box::new(1)]);
}
