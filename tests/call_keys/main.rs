//! Call keys: what they are made of, and that no two lists of parts have the same bytes.
#![cfg(feature = "proptest")]

use proptest::prelude::*;
use std::collections::HashMap;
use treedef::strategies::treedefs;
use treedef::{
    CacheKey, CallKey, Dtype, Error, KeyBuf, KeyWriter, Part, Signature, Static, TreeDef, Tuple,
    Value, treedef,
};

/// A part that owns what is in it.
#[derive(Clone, Debug, PartialEq)]
enum Own {
    TreeDef(Vec<u8>),
    Array(Dtype, bool, Vec<usize>),
    Int(i64),
    Text(String),
    Pair(i64, String),
    Bytes(Vec<u8>),
}

fn write(parts: &[Own], key: &mut KeyWriter<'_>) {
    for part in parts {
        match part {
            Own::TreeDef(bytes) => key.treedef(TreeDef::from_bytes(bytes).unwrap()),
            Own::Array(dtype, weak, shape) => key.array(*dtype, *weak, shape),
            Own::Int(int) => key.statics(int),
            Own::Text(text) => key.value(Value::Str(text)),
            Own::Pair(int, text) => {
                let pair = [Value::Int(*int), Value::Str(text)];
                key.value(Value::Tuple(Tuple::new(&pair)))
            }
            Own::Bytes(bytes) => key.bytes(bytes),
        };
    }
}

/// The bytes of a key.
fn bytes(parts: &[Own]) -> Vec<u8> {
    let mut writer = KeyWriter::new(&mut []);
    write(parts, &mut writer);
    let needed = match writer.finish() {
        Ok(key) => return key.as_bytes().to_vec(),
        Err(Error::CallKeyFull { needed, room: 0 }) => needed,
        Err(error) => panic!("{error}"),
    };
    let mut short = vec![0; needed - 1];
    let mut writer = KeyWriter::new(&mut short);
    write(parts, &mut writer);
    assert_eq!(writer.finish(), Err(Error::CallKeyFull { needed, room: needed - 1 }));
    let mut bytes = vec![0xA5; needed + 3];
    let mut writer = KeyWriter::new(&mut bytes);
    write(parts, &mut writer);
    assert_eq!(writer.finish().unwrap().as_bytes().len(), needed);
    assert_eq!(bytes[needed..], [0xA5; 3], "bytes behind the key were written");
    bytes.truncate(needed);
    bytes
}

fn read(key: CallKey<'_>) -> Vec<Own> {
    let own = |part| match part {
        Part::TreeDef(def) => {
            assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
            Own::TreeDef(def.as_bytes().to_vec())
        }
        Part::Array(array) => Own::Array(array.dtype(), array.is_weak(), array.shape().collect()),
        Part::Value(Value::Int(int)) => Own::Int(int),
        Part::Value(Value::Str(text)) => Own::Text(text.into()),
        Part::Value(Value::Tuple(pair)) => {
            let mut pair = pair.iter();
            let (Some(Value::Int(int)), Some(Value::Str(text))) = (pair.next(), pair.next()) else {
                panic!("another tuple");
            };
            Own::Pair(int, text.into())
        }
        Part::Bytes(bytes) => Own::Bytes(bytes.to_vec()),
        other => panic!("{other} was not written"),
    };
    key.parts().map(own).collect()
}

fn dtype() -> impl Strategy<Value = Dtype> {
    prop::sample::select(vec![Dtype::Bool, Dtype::Int32, Dtype::Float32, Dtype::Complex128])
}

/// Bytes that look like the beginnings of parts.
fn raw() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop::sample::select(vec![0x00, 0x01, 0x22, 0xC0, 0xE0, 0xE1, 0xE2, 0xE3, 0xFF]);
    prop::collection::vec(byte, 0..6)
}

fn part() -> impl Strategy<Value = Own> {
    let dim = prop_oneof![0usize..4, Just(127), Just(128), Just(300), Just(u32::MAX as usize)];
    prop_oneof![
        treedefs().prop_map(|def| Own::TreeDef(def.as_treedef().as_bytes().to_vec())),
        Just(Own::TreeDef(vec![0])),
        (dtype(), any::<bool>(), prop::collection::vec(dim, 0..4))
            .prop_map(|(dtype, weak, shape)| Own::Array(dtype, weak, shape)),
        prop_oneof![-3i64..3, any::<i64>()].prop_map(Own::Int),
        "[a\u{e0}]{0,3}".prop_map(Own::Text),
        (0i64..3, "[ab]{0,2}").prop_map(|(int, text)| Own::Pair(int, text)),
        raw().prop_map(Own::Bytes),
    ]
}

/// Changes one part a little.
fn nudge(part: &mut Own, by: usize) {
    match part {
        Own::TreeDef(bytes) => *bytes = [&[0x41], bytes.as_slice()].concat(),
        Own::Array(dtype, weak, shape) => match (by % 4, shape.len()) {
            (0, _) => *weak = !*weak,
            (1, _) => *dtype = if *dtype == Dtype::Int8 { Dtype::Uint8 } else { Dtype::Int8 },
            (_, 0) | (2, _) => shape.push(by),
            (_, len) => shape[by % len] += 1,
        },
        Own::Int(int) | Own::Pair(int, _) => *int = int.wrapping_add(1),
        Own::Text(text) => text.push('a'),
        Own::Bytes(bytes) => match bytes.len() {
            0 => bytes.push(0),
            len => bytes[by % len] ^= 1,
        },
    }
}

/// Changes one thing in a list of parts.
fn edit(parts: &mut Vec<Own>, which: usize, at: usize, other: &Own) {
    let at = at % parts.len();
    let next = (at + 1) % parts.len();
    match which {
        0 => drop(parts.remove(at)),
        1 => parts.insert(at, other.clone()),
        2 => parts.swap(at, next),
        3 => parts.insert(at, parts[at].clone()),
        4 => parts[at] = other.clone(),
        5 => nudge(&mut parts[at], which + at),
        // A byte or a dimension goes from the end of one part to the front of the next.
        _ => match parts.get_disjoint_mut([at, next]) {
            Ok([Own::Bytes(from), Own::Bytes(to)]) => to.splice(0..0, from.pop()).for_each(drop),
            Ok([Own::Array(_, _, from), Own::Array(_, _, to)]) => {
                to.splice(0..0, from.pop()).for_each(drop);
            }
            Ok([Own::Text(from), Own::Text(to)]) => to.extend(from.pop()),
            _ => nudge(&mut parts[at], at),
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn parts_are_read_back(parts in prop::collection::vec(part(), 0..7)) {
        let bytes = bytes(&parts);
        let mut again = vec![0; bytes.len()];
        let mut key = KeyWriter::new(&mut again);
        write(&parts, &mut key);
        let key = key.finish().unwrap();
        prop_assert_eq!(key.as_bytes(), &bytes);
        prop_assert_eq!(read(key), parts);
    }

    #[test]
    fn every_edit_makes_another_key(
        parts in prop::collection::vec(part(), 1..6),
        (which, at, other) in (0usize..7, any::<usize>(), part()),
    ) {
        let mut edited = parts.clone();
        edit(&mut edited, which, at, &other);
        prop_assert_eq!(edited == parts, bytes(&edited) == bytes(&parts));
    }

    #[test]
    fn bytes_that_move_between_parts_make_another_key(
        parts in prop::collection::vec(raw().prop_map(Own::Bytes), 2..5),
        at in any::<usize>(),
    ) {
        let mut edited = parts.clone();
        edit(&mut edited, 6, at, &Own::Int(0));
        prop_assert_eq!(edited == parts, bytes(&edited) == bytes(&parts));
    }
}

#[test]
fn parts_are_written_as_the_format_says() {
    let parts = [
        Own::TreeDef(vec![0x22, 0x01]),
        Own::Array(Dtype::Bool, false, vec![]),
        Own::Array(Dtype::Complex128, true, vec![3, 128]),
        Own::Int(-1),
        Own::Text("f".into()),
        Own::Bytes(vec![0xE0, 7]),
        Own::Bytes(vec![]),
    ];
    let expected = [
        0x22, 0x01, // the treedef alone
        0xE2, 0, 0, // array, dtype, rank
        0xE3, 14, 2, 3, 128, 0, // weak array, dtype, rank, 3, 128 in two bytes
        0xE1, 3, 1, // value, integer, zigzag of -1
        0xE1, 6, 1, b'f', // value, string, length
        0xE0, 2, 0xE0, 7, // bytes, length
        0xE0, 0,
    ];
    assert_eq!(bytes(&parts), expected);
}

#[test]
fn every_dtype_has_a_code_of_its_own() {
    let names = "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 bfloat16 float16 float32 float64 complex64 \
        complex128";
    for (code, name) in names.split(' ').enumerate() {
        let mut bytes = [0; 3];
        let mut key = KeyWriter::new(&mut bytes);
        key.array(Dtype::from_name(name).unwrap(), false, &[]);
        let key = key.finish().unwrap();
        assert_eq!(usize::from(key.as_bytes()[1]), code);
        assert_eq!(key.to_string(), format!("{name}[]"));
    }
}

#[test]
fn a_key_of_one_treedef_is_that_treedef() {
    const KEY: CallKey<'static> = CallKey::of(treedef!({"b": *, "w": *}));
    let mut bytes = [0; 8];
    let mut key = KeyWriter::new(&mut bytes);
    key.treedef(treedef!({"b": *, "w": *}));
    let written = key.finish().unwrap();
    assert_eq!((written, written.fingerprint()), (KEY, KEY.fingerprint()));
    assert_eq!(KEY.fingerprint(), treedef!({"b": *, "w": *}).fingerprint());
    let map = HashMap::from([(KEY, 1)]);
    assert_eq!(map.get(written.as_bytes()), Some(&1));
    assert_eq!(KeyBuf::<7>::keep(written).unwrap().as_key(), KEY);
}

#[test]
fn equality_is_that_of_the_bytes() {
    let (a, b) = (CallKey::of(TreeDef::LEAF), CallKey::of(TreeDef::NONE));
    assert_ne!(a.with_fingerprint(7), b.with_fingerprint(7));
    assert_eq!(a.with_fingerprint(7), a.with_fingerprint(8));
}

#[test]
fn keys_print_their_parts() {
    let parts = [
        Own::TreeDef(vec![0x22, 0x01]),
        Own::Array(Dtype::Float32, true, vec![]),
        Own::Array(Dtype::Bfloat16, false, vec![2, 3]),
        Own::Text("it's".into()),
        Own::Bytes(vec![0, b'a']),
    ];
    let mut bytes = [0; 64];
    let mut key = KeyWriter::new(&mut bytes);
    write(&parts, &mut key);
    assert_eq!(format!("{key:?}"), "KeyWriter { needed: 21 }");
    let key = key.finish().unwrap();
    let text = r#"PyTreeDef((*, *)), weak float32[], bfloat16[2,3], "it's", b'\x00a'"#;
    assert_eq!(key.to_string(), text);
    assert_eq!(format!("{key:?}"), format!("CallKey({text})"));
    assert_eq!(format!("{:?}", key.parts()), format!("Parts({text})"));
    assert_eq!(format!("{:?}", KeyBuf::<64>::keep(key).unwrap()), format!("KeyBuf({text})"));
    let array = key.parts().nth(2).unwrap();
    assert_eq!(format!("{array:?}"), "bfloat16[2,3]");
    let Part::Array(array) = array else { panic!("an array") };
    assert_eq!((array.rank(), array.shape().collect::<Vec<_>>()), (2, vec![2, 3]));
}

/// A leaf whose signature is in several parts.
struct Scaled(Dtype, i32);

impl Signature for Scaled {
    fn sign(&self, key: &mut KeyWriter<'_>) {
        key.array(self.0, false, &[]).statics(&self.1);
    }
}

#[test]
fn leaves_sign_in_their_order() {
    let leaves = [Scaled(Dtype::Int8, 3), Scaled(Dtype::Int8, 4)];
    let mut bytes = [0; 32];
    let mut key = KeyWriter::new(&mut bytes);
    key.leaves(&leaves).leaves(leaves.iter().rev().take(1));
    assert_eq!(key.finish().unwrap().to_string(), "int8[], 3, int8[], 4, int8[], 4");
}

/// Static data that nests `1` in so many tuples.
struct Nested(usize);

impl Static for Nested {
    fn with_value<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        fn nest<R>(levels: usize, value: Value<'_>, lend: impl FnOnce(Value<'_>) -> R) -> R {
            let lend: Box<dyn FnOnce(Value<'_>) -> R + '_> = Box::new(lend);
            match levels {
                0 => lend(value),
                _ => nest(levels - 1, Value::Tuple(Tuple::new(&[value])), lend),
            }
        }
        nest(self.0, Value::Int(1), lend)
    }

    fn from_value(_: Value<'_>) -> Option<Self> {
        None
    }
}

#[test]
fn values_that_nest_too_deep_are_refused() {
    let finish = |levels| {
        let mut bytes = [0; 256];
        let mut key = KeyWriter::new(&mut bytes);
        key.statics(&Nested(levels)).treedef(TreeDef::LEAF);
        key.finish().map(|key| key.parts().count())
    };
    assert_eq!(finish(treedef::MAX_VALUE_DEPTH), Ok(2));
    assert_eq!(finish(treedef::MAX_VALUE_DEPTH + 1), Err(Error::ValueTooDeep));
}

#[test]
fn room_is_said_exactly() {
    let key = CallKey::of(treedef!({"bias": *}));
    assert_eq!(KeyBuf::<7>::keep(key), Err(Error::CallKeyFull { needed: 8, room: 7 }));
    assert!(KeyBuf::<8>::keep(key).is_ok());
    let error = Error::CallKeyFull { needed: 8, room: 7 };
    assert_eq!(error.to_string(), "call key needs 8 bytes, the room is 7");
}
