//! Keys from outside: those that were written are read, and no others.

use std::collections::BTreeSet;

use proptest::prelude::*;
use treedef::cache::{Dim, Dtype, KeyWriter, Part, ShapeDtype};
use treedef::encode::Level;
use treedef::format::DecodeErrorKind as Fault;
use treedef::format::ValueTuple;
use treedef::{CallKey, DecodeError};
use treedef::{TreeDef, TreeDefBuf, Value, treedef};

use super::own::{Own, bytes, part, read};

/// Writes the parts of a key again.
fn rewrite(key: CallKey<'_>) -> Vec<u8> {
    let mut bytes = vec![0; key.as_bytes().len()];
    let mut writer = KeyWriter::new(&mut bytes);
    for part in key.parts() {
        match part {
            Part::TreeDef(def) => {
                assert_eq!(
                    TreeDef::from_bytes(def.as_bytes()).map(|def| def.num_leaves()),
                    Ok(def.num_leaves())
                );
                writer.treedef(def)
            }
            Part::Array(array) => {
                let shape: Vec<_> = array.shape().collect();
                assert_eq!(shape.len(), array.rank());
                let copy = ShapeDtype::symbolic(array.dtype(), &shape).with_weak(array.is_weak());
                assert_eq!(copy, array);
                writer.leaves([copy])
            }
            Part::Named { name, value } => writer.named(name, &value),
            Part::Value(value) => writer.value(value),
            Part::Bytes(bytes) => writer.bytes(bytes),
            other => panic!("{other} cannot be written"),
        };
    }
    writer.finish().expect("as long as the key").as_bytes().to_vec()
}

/// Sees that bytes are refused, or a key that writes them.
fn is_refused_or_written(bytes: &[u8]) {
    match CallKey::from_bytes(bytes) {
        Ok(key) => assert_eq!(rewrite(key), bytes, "{key}"),
        Err(error) => assert!(error.offset() <= bytes.len(), "{error} in {bytes:x?}"),
    }
}

/// Bytes that begin something, or are the next of one that does.
const BYTES: [u8; 17] = [
    0x00, 0x01, 0x08, 0x20, 0x22, 0x60, 0x7F, 0x80, 0xA0, 0xC0, 0xE0, 0xE1, 0xE3, 0xE4, 0xE5, 0xE6,
    0xFF,
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn written_keys_are_read(parts in prop::collection::vec(part(), 0..7)) {
        let bytes = bytes(&parts);
        let key = CallKey::from_bytes(&bytes)?;
        prop_assert_eq!(key.as_bytes(), &bytes);
        prop_assert_eq!(rewrite(key), bytes.clone());
        prop_assert_eq!(read(key), parts);
        let mut levels = [Level::default(); 64];
        let again = CallKey::from_bytes_with(&bytes, &mut levels);
        prop_assert_eq!(again.map(|key| key.fingerprint()), Ok(key.fingerprint()));
    }

    #[test]
    #[ignore = "exhaustive: run it with --ignored"]
    fn one_edit_of_a_written_key_is_refused_or_another_written_key(
        parts in prop::collection::vec(part(), 1..5), byte in any::<u8>(),
    ) {
        let bytes = bytes(&parts);
        for at in 0..=bytes.len() {
            let (before, behind) = bytes.split_at(at);
            is_refused_or_written(before);
            is_refused_or_written(behind);
            for new in BYTES.into_iter().chain([byte]) {
                is_refused_or_written(&[before, &[new], behind].concat());
            }
            let Some((old, behind)) = behind.split_first() else { break };
            is_refused_or_written(&[before, behind].concat());
            let bits = (0..8).map(|bit| old ^ 1 << bit);
            for new in bits.chain(BYTES).chain([byte, old.wrapping_add(1), old.wrapping_sub(1)]) {
                is_refused_or_written(&[before, &[new], behind].concat());
            }
        }
    }

    #[test]
    fn any_bytes_are_refused_or_a_written_key(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        is_refused_or_written(&bytes);
        let mut array = vec![0xE2, 11];
        array.extend(&bytes);
        is_refused_or_written(&array);
        for tag in [0xE1, 0xE4, 0xE6] {
            array[0] = tag;
            is_refused_or_written(&array);
        }
    }
}

/// The alphabet of the short strings: beginnings of all parts, counts, dtypes and text.
const ALPHABET: [u8; 27] = [
    0x00, 0x01, 0x02, 0x03, 0x06, 0x07, 0x08, 0x09, 0x0E, 0x0F, 0x20, 0x22, 0x41, 0x60, 0x61, 0x7F,
    0x80, 0xA0, 0xC0, 0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7,
];

/// The longest of the short strings.
const SHORT: usize = 4;

/// All strings of so many bytes over the alphabet.
fn strings(len: usize) -> Vec<Vec<u8>> {
    let mut all = vec![vec![]];
    for _ in 0..len {
        all = all
            .iter()
            .flat_map(|front| ALPHABET.map(|byte| [front.as_slice(), &[byte]].concat()))
            .collect();
    }
    all
}

/// The bytes of a key of one part, if they are short and over the alphabet.
fn short(write: impl Fn(&mut KeyWriter<'_>)) -> Option<Vec<u8>> {
    let mut bytes = [0; SHORT];
    let mut key = KeyWriter::new(&mut bytes);
    write(&mut key);
    let bytes = key.finish().ok()?.as_bytes().to_vec();
    bytes.iter().all(|byte| ALPHABET.contains(byte)).then_some(bytes)
}

/// All short parts, made by writing everything that could be one.
fn short_parts() -> Vec<Vec<u8>> {
    let runs: Vec<_> = (0..=2).flat_map(strings).collect();
    let mut parts: Vec<Option<Vec<u8>>> = vec![];
    let mut value = |value: Value<'_>| {
        parts.push(short(|key| {
            key.value(value);
        }));
    };
    let scalars = [Value::None, Value::Bool(false), Value::Bool(true)];
    scalars.into_iter().for_each(&mut value);
    (-20_000..20_000).for_each(|int| value(Value::Int(int)));
    value(Value::Tuple(ValueTuple::new(&[])));
    scalars.into_iter().for_each(|scalar| value(Value::Tuple(ValueTuple::new(&[scalar]))));
    for run in &runs {
        value(Value::Bytes(run));
        if let Ok(text) = std::str::from_utf8(run) {
            value(Value::Str(text));
            value(Value::Opaque(text));
        }
    }
    let texts = runs.iter().filter_map(|run| std::str::from_utf8(run).ok());
    for name in texts.clone().filter(|name| name.len() < 2) {
        let mut named = |value: Value<'_>| {
            parts.push(short(|key| {
                key.named(name, &value);
            }));
        };
        scalars.into_iter().for_each(&mut named);
        (-64..64).for_each(|int| named(Value::Int(int)));
        for value in [
            Value::Tuple(ValueTuple::new(&[])),
            Value::Bytes(&[]),
            Value::Str(""),
            Value::Opaque(""),
        ] {
            named(value);
        }
    }
    for run in &runs {
        parts.push(short(|key| {
            key.bytes(run);
        }));
    }
    let names = "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 bfloat16 float16 float32 float64 complex64 \
        complex128 int4 uint4 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float0 \
        float8_e4m3 float8_e3m4 float8_e8m0fnu float4_e2m1fn key<fry> key<rbg> key<urbg>";
    for dtype in names.split(' ').map(|name| Dtype::from_name(name).expect("a dtype")) {
        for weak in [false, true] {
            parts.push(short(|key| {
                key.leaves([ShapeDtype::symbolic(dtype, &[Dim::Symbolic("")]).with_weak(weak)]);
            }));
            let shapes = (0..256).map(|dim| vec![dim]).chain([vec![]]);
            parts.extend(shapes.map(|shape| {
                short(|key| {
                    key.array(dtype, weak, &shape);
                })
            }));
        }
    }
    let defs = (1..=SHORT).flat_map(strings).filter(|bytes| TreeDef::from_bytes(bytes).is_ok());
    parts.into_iter().chain(defs.map(Some)).flatten().collect()
}

#[test]
fn short_strings_are_keys_exactly_if_they_can_be_written() {
    let parts = short_parts();
    let mut keys = BTreeSet::from([vec![]]);
    let mut new: Vec<Vec<u8>> = vec![vec![]];
    while let Some(front) = new.pop() {
        for part in parts.iter().filter(|part| front.len() + part.len() <= SHORT) {
            let key = [front.as_slice(), part].concat();
            if keys.insert(key.clone()) {
                new.push(key);
            }
        }
    }
    let mut accepted = 0;
    for bytes in (0..=SHORT).flat_map(strings) {
        let read = CallKey::from_bytes(&bytes);
        assert_eq!(read.is_ok(), keys.contains(&bytes), "{bytes:x?}: {read:?}");
        accepted += usize::from(read.is_ok());
    }
    assert_eq!(accepted, keys.len());
    assert!(accepted > 1000, "{accepted}");
}

#[test]
fn faults_are_named_with_their_place() {
    let fault = |bytes: &[u8]| {
        let error: DecodeError = CallKey::from_bytes(bytes).expect_err("no key");
        (error.kind(), error.offset())
    };
    assert_eq!(fault(&[0x00, 0xE7]), (Fault::UnknownKind(7), 1));
    assert_eq!(fault(&[0x00, 0x22, 0x00]), (Fault::Truncated, 3));
    assert_eq!(fault(&[0x00, 0x22, 0x00, 0x00]), (Fault::AdjacentLeaves, 3));
    assert_eq!(fault(&[0x00, 0xE0]), (Fault::TruncatedPart, 1));
    assert_eq!(fault(&[0x00, 0xE0, 2, 0]), (Fault::TruncatedPart, 1));
    assert_eq!(fault(&[0xE1]), (Fault::TruncatedPart, 0));
    assert_eq!(fault(&[0xE0, 0, 0xE1, 6, 1, 0xFF]), (Fault::NotUtf8, 2));
    assert_eq!(fault(&[0xE1, 11]), (Fault::UnknownValue(11), 0));
    assert_eq!(fault(&[0xE1, 4, 0, 1, 1]), (Fault::BadInteger, 0));
    assert_eq!(fault(&[0xE2]), (Fault::TruncatedPart, 0));
    assert_eq!(fault(&[0xE2, 30, 0]), (Fault::UnknownDtype(30), 0));
    assert_eq!(fault(&[0xE3, 14]), (Fault::TruncatedPart, 0));
    assert_eq!(fault(&[0xE3, 14, 2, 1]), (Fault::TruncatedPart, 0));
    // A rank of 2^32 - 1 of which nothing follows, and a dimension above 64 bits.
    assert_eq!(fault(&[0xE2, 0, 255, 254, 254, 254, 14]), (Fault::TruncatedPart, 0));
    let dim = [255, 255, 255, 255, 255, 255, 255, 255, 255, 127];
    assert_eq!(fault(&[&[0xE2, 0, 1], dim.as_slice()].concat()), (Fault::TruncatedPart, 0));
    // Arrays in the form for symbols: none, one that is cut off, one that is no text.
    assert_eq!(fault(&[0x00, 0xE4, 0, 0]), (Fault::ArrayForm, 1));
    assert_eq!(fault(&[0xE5, 0, 2, 0, 3, 0, 4]), (Fault::ArrayForm, 0));
    assert_eq!(fault(&[0xE4, 0, 1, 3, b'a']), (Fault::TruncatedPart, 0));
    assert_eq!(fault(&[0xE4, 0, 2, 2, b'a']), (Fault::TruncatedPart, 0));
    assert_eq!(fault(&[0xE4, 0, 1, 2, 0xFF]), (Fault::NotUtf8, 0));
    assert_eq!(fault(&[0xE6, 1, 0xFF, 0]), (Fault::NotUtf8, 0));
    assert_eq!(fault(&[0xE6, 1]), (Fault::TruncatedPart, 0));
    assert_eq!(fault(&[0xE6, 1, b'a', 11]), (Fault::UnknownValue(11), 0));
    let nested = [[8, 1].repeat(treedef::format::MAX_VALUE_DEPTH), vec![8, 0]].concat();
    assert_eq!(fault(&[vec![0xE1], nested].concat()), (Fault::ValueTooDeep, 0));
    let error = CallKey::from_bytes(&[0x00, 0xE2, 0]).expect_err("no key");
    assert_eq!(error.to_string(), "bytes end before the part at byte 1 is complete");
    let error = CallKey::from_bytes(&[0xE2, 0xFF, 0]).expect_err("no key");
    assert_eq!(error.to_string(), "dtype code 255 is unknown at byte 0");
}

#[test]
fn a_dimension_of_any_size_is_kept_on_every_machine() {
    // 2^35 in digits of 7 bits, of which each next one is less one.
    let stored = [0xE2, 11, 2, 128, 255, 254, 254, 126, 3];
    let key = CallKey::from_bytes(&stored).expect("a key");
    let Some(Part::Array(array)) = key.parts().next() else { panic!("an array") };
    assert!(array.shape().eq([Dim::Size(1 << 35), Dim::Size(3)]));
    assert_eq!(array.num_elements(), Some(3 << 35));
    assert_eq!(rewrite(key), stored);
    assert_eq!(key.to_string(), "float32[34359738368,3]");
}

#[test]
fn treedefs_of_any_depth_are_read_with_the_callers_levels() {
    // [[[.. *], *], *]: a level each.
    let deep = [[0x42].repeat(100), vec![0x01], [0x00].repeat(99)].concat();
    let key = bytes(&[Own::Int(3)]).into_iter().chain(deep.clone()).collect::<Vec<_>>();
    let error = CallKey::from_bytes(&key).expect_err("too deep");
    assert_eq!((error.kind(), error.offset()), (Fault::TooDeep { limit: 64 }, 3 + 64 + 1));
    let read = CallKey::from_bytes_with(&key, &mut [Level::default(); 99]).expect("deep enough");
    assert_eq!(rewrite_deep(read), deep);
}

/// The bytes of the last part, a treedef.
fn rewrite_deep(key: CallKey<'_>) -> Vec<u8> {
    match key.parts().last() {
        Some(Part::TreeDef(def)) => def.as_bytes().to_vec(),
        other => panic!("{other:?} is no treedef"),
    }
}

#[test]
fn a_stored_key_finds_what_was_stored_under_it() {
    let mut cache = treedef::Cache::<treedef::cache::KeyBuf<32>, u32, 4>::new();
    let def = TreeDefBuf::<16>::dict(&["w"], &[treedef!((*, *))]).expect("room");
    let stored =
        bytes(&[Own::TreeDef(def.as_treedef().as_bytes().to_vec()), Own::Text("f".into())]);
    let key = CallKey::from_bytes(&stored).expect("it was written");
    cache.get_or_insert_with(key, || Ok::<_, treedef::Error>(7)).expect("room");
    let mut room = [0; 32];
    let mut writer = KeyWriter::new(&mut room);
    writer.treedef(treedef!({"w": (*, *)})).value(Value::Str("f"));
    assert_eq!(cache.get(writer.finish().expect("room")), Some(&7));
}

#[test]
fn an_array_without_elements_has_none_whatever_its_other_dimensions() {
    let sizes = [Dim::Size(1 << 40), Dim::Size(1 << 40), Dim::Size(0)];
    assert_eq!(ShapeDtype::symbolic(Dtype::Float32, &sizes).num_elements(), Some(0));
    assert_eq!(ShapeDtype::symbolic(Dtype::Float32, &sizes[..2]).num_elements(), None);
    assert_eq!(
        ShapeDtype::symbolic(Dtype::Float32, &[Dim::ANY, Dim::Size(0)]).num_elements(),
        None
    );
}
