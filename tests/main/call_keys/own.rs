//! Parts that own what is in them, to be written, read, generated and edited.

use proptest::prelude::*;
use treedef::cache::{Dim, Dtype, KeyWriter, Part, ShapeDtype};
use treedef::format::ValueTuple;
use treedef::{CallKey, Error, TreeDef, Value};
use treedef_proptest::treedefs;

/// A part that owns what is in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Own {
    TreeDef(Vec<u8>),
    Array(Dtype, bool, Vec<usize>),
    /// An array with sizes before and after a symbol.
    Symbolic(Dtype, bool, (Vec<u64>, String, Vec<u64>)),
    Named(String, i64),
    Int(i64),
    Text(String),
    Pair(i64, String),
    Bytes(Vec<u8>),
}

pub(crate) fn write(parts: &[Own], key: &mut KeyWriter<'_>) {
    for part in parts {
        match part {
            Own::TreeDef(bytes) => key.treedef(TreeDef::from_bytes(bytes).unwrap()),
            Own::Array(dtype, weak, shape) => key.array(*dtype, *weak, shape),
            Own::Symbolic(dtype, weak, (before, symbol, after)) => {
                let [before, after] =
                    [before, after].map(|sizes| sizes.iter().copied().map(Dim::Size));
                let dims: Vec<_> = before.chain([Dim::Symbolic(symbol)]).chain(after).collect();
                key.leaves([ShapeDtype::symbolic(*dtype, &dims).with_weak(*weak)])
            }
            Own::Named(name, int) => key.named(name, int),
            Own::Int(int) => key.meta(int),
            Own::Text(text) => key.value(Value::Str(text)),
            Own::Pair(int, text) => {
                let pair = [Value::Int(*int), Value::Str(text)];
                key.value(Value::Tuple(ValueTuple::new(&pair)))
            }
            Own::Bytes(bytes) => key.bytes(bytes),
        };
    }
}

/// The bytes of a key.
pub(crate) fn bytes(parts: &[Own]) -> Vec<u8> {
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

pub(crate) fn read(key: CallKey<'_>) -> Vec<Own> {
    let own = |part| match part {
        Part::TreeDef(def) => {
            assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
            Own::TreeDef(def.as_bytes().to_vec())
        }
        Part::Array(array) => {
            let (dtype, weak, dims) =
                (array.dtype(), array.is_weak(), Vec::from_iter(array.shape()));
            let sizes =
                |dims: &[Dim<'_>]| dims.iter().map(|dim| dim.size().expect("one symbol")).collect();
            let symbol = dims.iter().enumerate().find_map(|(at, dim)| match dim {
                Dim::Symbolic(symbol) => Some((at, symbol)),
                _ => None,
            });
            match symbol {
                Some((at, symbol)) => {
                    let dims = (sizes(&dims[..at]), symbol.to_string(), sizes(&dims[at + 1..]));
                    Own::Symbolic(dtype, weak, dims)
                }
                None => {
                    let sizes: Vec<u64> = sizes(&dims);
                    Own::Array(dtype, weak, sizes.iter().map(|size| *size as usize).collect())
                }
            }
        }
        Part::Named { name, value: Value::Int(int) } => Own::Named(name.into(), int),
        Part::Value(Value::Int(int)) => Own::Int(int),
        Part::Value(Value::Str(text)) => Own::Text(text.into()),
        Part::Value(Value::Tuple(pair)) => {
            let mut pair = pair.iter().into_iter().flatten();
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
pub(crate) fn raw() -> impl Strategy<Value = Vec<u8>> {
    let byte = vec![0x00, 0x01, 0x22, 0xC0, 0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xFF];
    let byte = prop::sample::select(byte);
    prop::collection::vec(byte, 0..6)
}

pub(crate) fn part() -> impl Strategy<Value = Own> {
    let dim = prop_oneof![0usize..4, Just(127), Just(128), Just(300), Just(u32::MAX as usize)];
    let size = prop_oneof![0u64..4, Just(127), Just(128), Just(u64::MAX)];
    let sizes = prop::collection::vec(size, 0..3);
    prop_oneof![
        treedefs().prop_map(|def| Own::TreeDef(def.as_treedef().as_bytes().to_vec())),
        Just(Own::TreeDef(vec![0])),
        (dtype(), any::<bool>(), prop::collection::vec(dim, 0..4))
            .prop_map(|(dtype, weak, shape)| Own::Array(dtype, weak, shape)),
        (dtype(), any::<bool>(), (sizes.clone(), "[a?\u{e0}]{0,2}", sizes))
            .prop_map(|(dtype, weak, dims)| Own::Symbolic(dtype, weak, dims)),
        ("[ab]{0,2}", 0i64..3).prop_map(|(name, int)| Own::Named(name, int)),
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
        Own::Symbolic(dtype, weak, (before, symbol, after)) => match by % 5 {
            0 => *weak = !*weak,
            1 => *dtype = if *dtype == Dtype::Int8 { Dtype::Uint8 } else { Dtype::Int8 },
            2 => before.push(by as u64),
            3 => symbol.push('a'),
            _ => after.push(by as u64),
        },
        Own::Named(name, _) if by.is_multiple_of(2) => name.push('a'),
        Own::Int(int) | Own::Pair(int, _) | Own::Named(_, int) => *int = int.wrapping_add(1),
        Own::Text(text) => text.push('a'),
        Own::Bytes(bytes) => match bytes.len() {
            0 => bytes.push(0),
            len => bytes[by % len] ^= 1,
        },
    }
}

/// Changes one thing in a list of parts.
pub(crate) fn edit(parts: &mut Vec<Own>, which: usize, at: usize, other: &Own) {
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
