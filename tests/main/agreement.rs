//! The library judges bytes as the reference does, and all its ways to build give the same bytes.

use std::cmp::Ordering;

use crate::bridge;
use crate::strings;
use crate::support;

use strings::{Numbers, count_of_letters, count_short};
use support::decode::{Counts, decode, validate};
use support::def::Def;
use support::value::Value;
use treedef::encode::structure_bound;
use treedef::head::DictKind;
use treedef::tree::Structure;
use treedef::{Error, TreeDef, Writer, matches, structure_into, treedef_of};

/// Asserts that library and reference say the same of bytes; tells whether they are a treedef.
fn agree(bytes: &[u8]) -> bool {
    let (expected, found) = (validate(bytes), TreeDef::from_bytes(bytes));
    match (&expected, &found) {
        (Ok(counts), Ok(def)) => {
            let (leaves, nodes) = (def.num_leaves() as u64, def.num_nodes() as u64);
            assert_eq!(*counts, Counts { leaves, nodes }, "{bytes:02x?}");
        }
        (Err(_), Err(error)) => assert!(error.offset() <= bytes.len(), "{bytes:02x?}"),
        _ => panic!("{bytes:02x?}: {expected:?}, but {found:?}"),
    }
    expected.is_ok()
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
fn all_short_strings_are_judged_alike() {
    let accepted = count_short(agree);
    // Counted by hand in `reference_exhaustive`.
    assert_eq!(accepted, 4 + 67 + 2 + 2 * (67 + 9 + 2 * 3 * 29 + 1));
}

#[test]
fn strings_of_few_letters_are_judged_alike() {
    const LETTERS: [u8; 20] = [
        0x00, 0x01, 0x02, 0x03, 0x1F, 0x20, 0x21, 0x22, 0x41, 0x42, 0x43, 0x61, 0x80, 0xA0, 0xA1,
        0xC0, 0xC1, 0xC3, 0xC6, 0xCB,
    ];
    let accepted = count_of_letters(&LETTERS, Numbers(1), (300_000, 12), agree);
    assert!(accepted > 3000, "{accepted}");
}

/// Values of every tag, with equal, ordered and incomparable ones among them.
fn values() -> Vec<Value> {
    let int = |text| Value::integer(text).unwrap();
    let tuple = |items: &[Value]| Value::Tuple(items.to_vec());
    vec![
        Value::None,
        Value::Bool(false),
        Value::Bool(true),
        Value::Int(0),
        Value::Int(-1),
        Value::Int(i64::MAX),
        int("9223372036854775808"),
        int("-9223372036854775809"),
        int("-99223372036854775809"),
        Value::F64(0.0),
        Value::F64(-0.0),
        Value::F64(1.0),
        Value::F64(9223372036854775808.0),
        Value::F64(f64::NAN),
        Value::F64(f64::INFINITY),
        Value::F32(0.5),
        Value::Str("a".into()),
        Value::Str("b".into()),
        Value::Bytes(vec![1]),
        tuple(&[]),
        tuple(&[Value::Int(1), Value::None]),
        tuple(&[Value::Bool(true), Value::None]),
        tuple(&[Value::F64(f64::NAN), Value::Int(1)]),
        Value::Opaque("x".into()),
    ]
}

#[test]
fn all_pairs_of_keys_are_judged_alike() {
    let children = || vec![Def::Leaf; 2];
    let mut accepted = 0;
    for a in values() {
        for b in values() {
            let keys = support::def::Keys::new(vec![a.clone(), b.clone()]);
            for def in [
                Def::Dict { keys: keys.clone(), children: children() },
                Def::OrderedDict { keys: keys.clone(), children: children() },
                Def::DefaultDict { factory: "f".into(), keys: keys.clone(), children: children() },
            ] {
                let bytes = def.encode();
                accepted += usize::from(agree(&bytes));
                for i in 0..bytes.len() {
                    let mut mutated = bytes.clone();
                    mutated[i] ^= 1 << (i % 8);
                    agree(&mutated);
                    mutated.remove(i);
                    agree(&mutated);
                }
            }
            // The writer refuses what the reader refuses.
            let keys = [bridge::value(&a), bridge::value(&b)];
            let heading = treedef::head::Dict::new(DictKind::Sorted, keys);
            let ordered = a.python_cmp(&b) == Some(Ordering::Less);
            assert_eq!(Writer::new(&mut [0; 64]).begin(&heading).is_open(), ordered, "{a:?} {b:?}");
        }
    }
    assert!(accepted > 300, "{accepted}");
}

/// Asserts that library and reference order two values alike, both ways.
fn ordered_alike(a: &Value, b: &Value) {
    let (ours, theirs) = (bridge::value(a), bridge::value(b));
    let expected = a.python_cmp(b);
    assert_eq!(ours.compare(theirs), expected, "{a:?} {b:?}");
    assert_eq!(theirs.compare(ours), expected.map(Ordering::reverse), "{a:?} {b:?}");
}

/// An integer of any size as the value that it is.
fn integer(i: i128) -> Value {
    Value::integer(&i.to_string()).unwrap()
}

/// The floats around a number that both widths have or that they round.
fn around(f: f64) -> [Value; 5] {
    let narrow = f as f32;
    [
        Value::F64(f),
        Value::F64(f.next_up()),
        Value::F64(f.next_down()),
        Value::F32(narrow),
        Value::F32(narrow.next_up()),
    ]
}

#[test]
fn numbers_of_all_types_are_ordered_by_their_exact_value() {
    let mut numbers = vec![Value::Bool(false), Value::Bool(true), Value::F64(f64::NAN)];
    // A number, the numbers beside it and the floats around it, at every power of two.
    for power in 0..126 {
        for i in [1i128 << power, (1 << power) + (1 << (power / 2)), 3 << power] {
            numbers.extend([i - 1, i, i + 1].map(integer));
            numbers.extend([-i - 1, -i, 1 - i].map(integer));
            numbers.extend(around(i as f64));
            numbers.extend(around(-i as f64));
        }
    }
    // At the ends: zeros, the smallest numbers of both widths and of the normal ones, the largest, infinities.
    let ends = [0.0, f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, 0.5, 258.5];
    let narrow = [f32::from_bits(1), f32::MIN_POSITIVE, f32::MAX];
    for end in ends.into_iter().chain(narrow.map(f64::from)) {
        numbers.extend(around(end));
        numbers.extend(around(-end));
    }
    // Big integers that differ in one digit, at the top, in the middle, at the end; and beyond all floats.
    let digits = |len: usize| {
        (0..len).map(move |at| [vec![0; at], vec![7], vec![0; len - at - 1], vec![1]].concat())
    };
    for magnitude in digits(8).chain(digits(12)).chain(digits(130)) {
        let big = |negative| Value::Big { negative, magnitude: magnitude.clone() };
        numbers.extend([big(false), big(true)]);
    }
    // Every number with every one near it in this list, which has like beside like, and with a spread of the others.
    for (at, a) in numbers.iter().enumerate() {
        for b in numbers.iter().skip(at).take(70).chain(numbers.iter().step_by(13)) {
            ordered_alike(a, b);
        }
    }
}

/// Asserts that a type's treedef, a value's and the out's are these bytes, in exactly the room that is asked for.
fn assert_typed<T: Structure>(value: &T, def: &Def) {
    let bytes = def.encode();
    assert!(agree(&bytes));
    assert_eq!(bridge::build(def), bytes);
    if let Some(constant) = T::TREEDEF {
        assert_eq!(constant.as_bytes(), bytes);
        assert_eq!(constant.num_leaves() as u64, def.leaves());
    }
    assert_eq!(value.num_leaves().map(|count| count as u64), Ok(def.leaves()));
    let mut enough = vec![0xA5; structure_bound(value).unwrap()];
    let written = structure_into(value, &mut enough).unwrap();
    assert_eq!((written.as_bytes(), written.num_leaves() as u64), (&bytes[..], def.leaves()));
    let room = bytes.len() - 1;
    let short = structure_into(value, &mut enough[..room]);
    assert_eq!(short, Err(Error::Full { room }));
    assert_eq!(matches(value, TreeDef::from_bytes(&bytes).unwrap()), Ok(()));
}

fn list(n: usize, of: &Def) -> Def {
    Def::List(vec![of.clone(); n])
}

fn tuple(children: &[Def]) -> Def {
    Def::Tuple(children.to_vec())
}

#[test]
fn arrays_of_nothing_have_no_repeats() {
    let unit = tuple(&[]);
    assert_typed(&[(); 0], &list(0, &unit));
    assert_typed(&[(); 3], &list(3, &unit));
    assert_typed(&[(); 31], &list(31, &unit));
    assert_typed(&[[0.0f32; 0]; 4], &list(4, &list(0, &unit)));
    assert_typed(&[[[(); 2]; 0]; 2], &list(2, &list(0, &unit)));
    assert_typed(&[[(); 2]; 2], &list(2, &list(2, &unit)));
    assert_typed(&[None::<f32>; 3], &list(3, &Def::None));
    assert_typed(&[0.0f32; 0], &list(0, &unit));
    assert_typed(&[None::<f32>; 0], &list(0, &unit));
    assert_eq!(treedef_of::<[(); 3]>().as_bytes(), [0x43, 0x20, 0x20, 0x20]);
    assert_eq!(treedef_of::<[[f32; 0]; 4]>().as_bytes(), [0x44, 0x40, 0x40, 0x40, 0x40]);
    // No element, however its structure would depend on the value.
    assert_eq!(treedef_of::<[Option<f32>; 0]>().as_bytes(), [0x40]);
}

#[test]
fn arrays_of_any_length_fold() {
    let pair = tuple(&[Def::Leaf, Def::Leaf]);
    let p = (1.0f32, 2.0f32);
    assert_typed(&[0.0f32; 30], &list(30, &Def::Leaf));
    assert_typed(&[0.0f32; 31], &list(31, &Def::Leaf));
    assert_typed(&[0.0f32; 200], &list(200, &Def::Leaf));
    assert_typed(&[p; 31], &list(31, &pair));
    assert_typed(&[p; 32], &list(32, &pair));
    assert_typed(&[p; 33], &list(33, &pair));
    assert_typed(&[p; 200], &list(200, &pair));
    assert_typed(&[[[p; 2]; 2]; 2], &list(2, &list(2, &list(2, &pair))));
    assert_typed(&[[[[p; 3]; 1]; 40]; 2], &list(2, &list(40, &list(1, &list(3, &pair)))));
    assert_typed(&[[p; 3]; 3][..].as_ref().first_chunk::<2>().unwrap(), &list(2, &list(3, &pair)));
    // The same where the value decides: 14 bytes, and more while repeats are open.
    let (some, none) = (Some(p), None);
    let options = [[[[some, some]; 2]; 2]; 2];
    assert_typed(&options, &list(2, &list(2, &list(2, &list(2, &pair)))));
    let mixed = [[some, none], [some, none], [none, some]];
    let (a, b) = (pair.clone(), Def::None);
    assert_typed(
        &mixed,
        &Def::List(vec![
            Def::List(vec![a.clone(), b.clone()]),
            Def::List(vec![a.clone(), b.clone()]),
            Def::List(vec![b, a]),
        ]),
    );
}

#[test]
fn tuples_fold_equal_neighbours() {
    let pair = tuple(&[Def::Leaf, Def::Leaf]);
    let p = (1.0f32, 2.0f32);
    assert_typed(
        &(p, p, 1.0f32, 2.0f32, p, (), (), [p; 2], [p; 2]),
        &tuple(&[
            pair.clone(),
            pair.clone(),
            Def::Leaf,
            Def::Leaf,
            pair.clone(),
            tuple(&[]),
            tuple(&[]),
            list(2, &pair),
            list(2, &pair),
        ]),
    );
    assert_typed(
        &(p, (Some(Some(p)), None::<f32>)),
        &tuple(&[pair.clone(), tuple(&[Def::Some(Box::new(pair)), Def::None])]),
    );
}

/// The bytes of a tree that the constant methods of the writer write when the program is compiled.
const BUILT: ([u8; 64], usize) = {
    const fn describe(out: &mut Writer<'_>) {
        let root = out.begin_tuple(3);
        let dict = out.begin_dict(&["a", "bc"]);
        out.none();
        let list = out.begin_list(40);
        let point = out.begin_struct("m::P", &["x", "y"]);
        out.leaves(2);
        out.end(point);
        out.repeat(39);
        out.end(list);
        out.end(dict);
        let list = out.begin_list(3);
        let unit = out.begin_tuple(0);
        out.end(unit);
        out.repeat(2);
        out.end(list);
        out.leaves(1);
        out.end(root);
    }
    let mut bytes = [0; 64];
    let mut out = Writer::new(&mut bytes);
    describe(&mut out);
    match out.finish() {
        Ok(def) => {
            let len = def.as_bytes().len();
            (bytes, len)
        }
        Err(_) => panic!(),
    }
};

#[test]
fn a_constant_is_written_as_at_run_time() {
    let point = Def::Struct {
        name: "m::P".into(),
        fields: vec!["x".into(), "y".into()],
        meta: vec![],
        children: vec![Def::Leaf; 2],
    };
    let dict = Def::dict(vec![
        (Value::Str("a".into()), Def::None),
        (Value::Str("bc".into()), list(40, &point)),
    ])
    .unwrap();
    let def = tuple(&[dict, list(3, &tuple(&[])), Def::Leaf]);
    let (bytes, len) = BUILT;
    assert_eq!(bytes[..len], def.encode());
    assert_eq!(bridge::build(&def), def.encode());
    assert_eq!(decode(&bytes[..len]), Ok(def));
}
