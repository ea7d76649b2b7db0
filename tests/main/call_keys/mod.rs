//! Call keys: what they are made of, that no two lists of parts have the same bytes, how they are read from storage,
//! and how two of them differ.
#![cfg(all(feature = "alloc", feature = "derive"))]

mod differences;
mod own;
mod python;
mod stored;

use proptest::prelude::*;
use std::collections::HashMap;
use treedef::cache::{Dim, Dtype, KeyBuf, KeyLeaves, KeyPart, KeyWriter, Part, ShapeDtype};
use treedef::tree::TreeWalk;
use treedef::{CallKey, Error, Tree, TreeDef, treedef};

use crate::derive_attributes::Nested;
use own::{Own, bytes, edit, part, raw, write};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..Default::default() })]

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
        Own::Symbolic(Dtype::Bool, false, (vec![3], "b".into(), vec![128])),
        Own::Symbolic(Dtype::Bool, true, (vec![], String::new(), vec![])),
        Own::Named("on".into(), -1),
    ];
    let expected = [
        0x22, 0x01, // the treedef alone
        0xE2, 0, 0, // array, dtype, rank
        0xE3, 14, 2, 3, 128, 0, // weak array, dtype, rank, 3, 128 in two bytes
        0xE1, 3, 1, // value, integer, zigzag of -1
        0xE1, 6, 1, b'f', // value, string, length
        0xE0, 2, 0xE0, 7, // bytes, length
        0xE0, 0, //
        0xE4, 0, 3, 0, 3, 2, b'b', 0, 128,
        0, // array, dtype, rank, size 3, symbol of 2 - 1 bytes, size 128
        0xE5, 0, 1, 1, // weak array, dtype, rank, symbol of 1 - 1 bytes
        0xE6, 2, b'o', b'n', 3, 1, // named, length, integer, zigzag of -1
    ];
    assert_eq!(bytes(&parts), expected);
}

#[test]
fn every_dtype_has_a_code_of_its_own() {
    let names = "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 bfloat16 float16 float32 float64 complex64 \
        complex128 int4 uint4 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float0 \
        float8_e4m3 float8_e3m4 float8_e8m0fnu float4_e2m1fn key<fry> key<rbg> key<urbg>";
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
    assert_eq!(KeyBuf::<7>::try_from(written).unwrap().as_key(), KEY);
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
    assert_eq!(format!("{:?}", KeyBuf::<64>::try_from(key).unwrap()), format!("CallKey({text})"));
    let array = key.parts().nth(2).unwrap();
    assert_eq!(format!("{array:?}"), "bfloat16[2,3]");
    let Part::Array(array) = array else { panic!("an array") };
    assert_eq!(array.rank(), 2);
    assert!(array.shape().eq([2, 3].map(Dim::Size)));
}

#[test]
fn keys_print_repeats_once() -> Result<(), Box<dyn std::error::Error>> {
    // A list of a hundred thousand leaves, and one of a hundred thousand pairs.
    let leaves = CallKey::from_bytes(&[0x5F, 0x81, 0x8C, 0x05, 0x1F, 0x80, 0x8C, 0x05])?;
    let pairs =
        CallKey::from_bytes(&[0x5F, 0x81, 0x8C, 0x05, 0x22, 0x01, 0xBF, 0xFF, 0x8B, 0x05, 0x02])?;
    let text = "PyTreeDef([100000 × (*, *)])";
    assert_eq!(leaves.to_string(), "PyTreeDef([100000 × *])");
    assert_eq!(pairs.to_string(), text);
    assert_eq!(format!("{pairs:?}"), format!("CallKey({text})"));
    assert_eq!(format!("{:?}", pairs.parts()), format!("Parts({text})"));
    assert_eq!(format!("{:?}", pairs.parts().next()), format!("Some({text})"));
    assert_eq!(format!("{:?}", KeyBuf::<16>::try_from(pairs)?), format!("CallKey({text})"));

    let mut bytes = [0; 8];
    let mut key = KeyWriter::new(&mut bytes);
    key.meta(&true);
    let told = key.finish()?.differences(pairs).summary().to_string();
    assert_eq!(told, format!("part 0: expected True, found {text}"));
    Ok(())
}

/// A leaf whose signature is in several parts.
struct Scaled(Dtype, i32);

impl KeyPart for Scaled {
    fn write_key(&self, key: &mut KeyWriter<'_>) {
        key.array(self.0, false, &[]).meta(&self.1);
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

#[test]
fn values_that_nest_too_deep_are_refused() {
    let finish = |levels| {
        let mut bytes = [0; 256];
        let mut key = KeyWriter::new(&mut bytes);
        key.meta(&Nested(levels)).treedef(TreeDef::LEAF);
        key.finish().map(|key| key.parts().count())
    };
    assert_eq!(finish(treedef::format::MAX_VALUE_DEPTH), Ok(2));
    assert_eq!(finish(treedef::format::MAX_VALUE_DEPTH + 1), Err(Error::ValueTooDeep));
}

#[test]
fn the_first_error_stays() -> Result<(), Box<dyn std::error::Error>> {
    // A list of 2^31 leaves: two of them are too many.
    let half = TreeDef::from_bytes(&[
        0x5F, 0xE1, 0xFE, 0xFE, 0xFE, 0x06, 0x1F, 0xE0, 0xFE, 0xFE, 0xFE, 0x06,
    ])?;
    assert_eq!(half.num_leaves(), 1 << 31);
    let mut bytes = [0; 256];
    let mut key = KeyWriter::new(&mut bytes);
    key.structure(&(half, half)).meta(&Nested(99));
    assert_eq!(key.finish(), Err(Error::TooLarge));
    Ok(())
}

#[test]
fn room_is_said_exactly() {
    let key = CallKey::of(treedef!({"bias": *}));
    assert_eq!(KeyBuf::<7>::try_from(key), Err(Error::CallKeyFull { needed: 8, room: 7 }));
    assert!(KeyBuf::<8>::try_from(key).is_ok());
    let error = Error::CallKeyFull { needed: 8, room: 7 };
    assert_eq!(error.to_string(), "call key needs 8 bytes, the buffer holds 7");
}

#[test]
fn structures_are_written_in_place_of_their_treedefs() {
    // Of a fixed type, of values, with repeats in repeats, which take more room while they are written.
    type Rows = Vec<Vec<(f32, f32)>>;
    let rows: Rows = vec![vec![(0.0, 0.0); 3]; 4];
    let unlike: Rows = vec![vec![(0.0, 0.0); 3], vec![(0.0, 0.0); 2], vec![]];
    let written = |bytes: &mut [u8]| {
        let mut key = KeyWriter::new(bytes);
        key.meta(&1u8).structure(&(1.0f32, 2.0f32)).structure(&(&rows, None::<f32>));
        key.structure(&unlike).meta(&2u8);
        key.finish().map(|key| key.as_bytes().to_vec())
    };
    let mut room = [0; 256];
    let [first, second] = [&rows, &unlike].map(|rows| {
        let mut bytes = [0; 64];
        treedef::structure_into(rows, &mut bytes).unwrap().as_bytes().to_vec()
    });
    let [first, second] = [&first, &second].map(|bytes| TreeDef::from_bytes(bytes).unwrap());
    let mut pair = [0; 64];
    let pair = treedef::structure_into(&(first, TreeDef::NONE), &mut pair).unwrap();
    let mut key = KeyWriter::new(&mut room);
    key.meta(&1u8).treedef(treedef!((*, *))).treedef(pair).treedef(second).meta(&2u8);
    let expected = key.finish().unwrap().as_bytes().to_vec();
    assert_eq!(written(&mut [0; 256]).unwrap(), expected);

    // The key ends within a structure, or behind the last of them, from where on all lengths are known.
    let needed = expected.len();
    for room in 0..needed {
        let full = Error::Full { room };
        let error = if room < needed - 3 { full } else { Error::CallKeyFull { needed, room } };
        assert_eq!(written(&mut vec![0; room]), Err(error), "{room} bytes");
    }
    assert_eq!(written(&mut vec![0; needed]).unwrap(), expected);
}

#[test]
fn keys_of_types_are_those_of_their_trees() {
    #[derive(Tree, Clone, Copy)]
    #[tree(meta(order = 3))]
    struct Gain<T> {
        gain: T,
        limits: [(T, bool); 2],
        none: (),
    }
    fn check<T: TreeWalk<KeyLeaves>>(tree: &T) {
        let mut bytes = vec![0; 1 << 15];
        let key = CallKey::of_tree(tree, &mut bytes).unwrap();
        assert_eq!(CallKey::of_type::<T>(), key);
        assert_eq!(CallKey::of_type::<T>().fingerprint(), key.fingerprint());
    }
    macro_rules! numbers {
        ($($type:ty)*) => {$(
            let number = <$type>::default();
            check(&number);
            check(&[number; 3]);
            check(&(number, [(number, 1.0f32); 2], [[number; 0]; 2]));
            let gain = Gain { gain: number, limits: [(number, true); 2], none: () };
            check(&gain);
            check(&[[gain; 3]; 2]);
        )*};
    }
    numbers!(f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool);
    check(&());
    check(&[[(); 3]; 2]);
    check(&[None::<char>; 0]);
    check(&Box::new((1u8, &2u16)));
    // Near the largest key of a constant, in an array that is longer than the key.
    check(&[1.0f32; 5400]);
    const KEY: CallKey<'static> = CallKey::of_type::<Gain<f32>>();
    assert_ne!(KEY, CallKey::of_type::<Gain<f64>>());
    assert_eq!(KEY.parts().count(), 1 + 5);
}

#[test]
fn keys_of_trees_know_the_types_of_leaves() {
    fn key<T: TreeWalk<KeyLeaves> + ?Sized>(tree: &T) -> Vec<u8> {
        let mut bytes = [0; 64];
        CallKey::of_tree(tree, &mut bytes).unwrap().as_bytes().to_vec()
    }
    #[derive(Tree)]
    #[tree(name = "Gain")]
    struct Gain<T> {
        gain: T,
        limits: Option<[T; 2]>,
    }
    let gain = |limits| Gain { gain: 1.0f32, limits };
    let keys = [
        key(&1.0f32),
        key(&1.0f64),
        key(&1u32),
        key(&1i32),
        key(&'a'),
        key(&1u128),
        key(&1i128),
        key(&true),
        key(&[1.0f32; 2]),
        key(&[1.0f64; 2]),
        key(&(1.0f32, 1.0f64)),
        key(&(1.0f64, 1.0f32)),
        key(&gain(None)),
        key(&gain(Some([1.0; 2]))),
        key(&Gain { gain: 1i32, limits: None }),
    ];
    for (at, one) in keys.iter().enumerate() {
        assert!(!keys[..at].contains(one), "{at}");
        assert_eq!(CallKey::from_bytes(one).map(|key| key.as_bytes().to_vec()).as_ref(), Ok(one));
    }
    assert_eq!(
        key(&[1.0f32; 2]),
        key(&vec![7.0f32, 8.0]),
        "values and containers are no part of it"
    );

    // A leaf type of the user says what it is, beside others in one tree.
    struct Tensor(&'static [usize]);
    treedef::leaf!(Tensor);
    impl KeyPart for Tensor {
        fn write_key(&self, key: &mut KeyWriter<'_>) {
            key.array(Dtype::Float32, false, self.0);
        }
    }
    let mut bytes = [0; 64];
    let text = CallKey::of_tree(&(Tensor(&[2, 3]), 5u8), &mut bytes).unwrap().to_string();
    assert_eq!(text, "PyTreeDef((*, *)), float32[2,3], uint8[]");
    assert_eq!(
        CallKey::of_tree(&[1u8; 4], &mut [0; 6]),
        Err(Error::CallKeyFull { needed: 14, room: 6 })
    );
}

/// An array has its bytes at once or one by one.
#[test]
fn arrays_are_written_alike_whatever_room_there_is() {
    let sizes = [0, 1, 127, 128, 255, 256, 16_511, 16_512, 1 << 20];
    let shapes = (0..7).flat_map(|rank| {
        sizes.map(move |size| (0..rank).map(|i| if i % 2 == 0 { size } else { 3 }).collect())
    });
    for shape in shapes {
        let shape: Vec<usize> = shape;
        let mut bytes = [0; 64];
        let write = |bytes: &mut [u8]| {
            let mut key = KeyWriter::new(bytes);
            key.array(Dtype::Float32, true, &shape);
            key.finish().map(|key| key.as_bytes().to_vec())
        };
        let written = write(&mut bytes).unwrap();
        let array = ShapeDtype::new(Dtype::Float32, &shape).with_weak(true);
        let read = CallKey::from_bytes(&written).unwrap();
        assert!(read.parts().eq([Part::Array(array)]), "{shape:?}");
        assert_eq!(write(&mut bytes[..written.len()]), Ok(written));
    }
}
