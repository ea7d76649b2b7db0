//! Values of keys and meta fields.

use core::hint::black_box;
use core::net::{Ipv4Addr, Ipv6Addr};
use core::num::{NonZero, Saturating, Wrapping};
use core::time::Duration;

use treedef::Value;
use treedef::format::BigInt;
use treedef::format::Elements;
use treedef::format::{FromValue, ToValue, ValueTuple};

use super::{Done, keep};

/// Numbers of every type against each other.
pub(super) fn numbers() -> Done {
    let magnitude = black_box([0, 0, 0, 0, 0, 0, 0, 128]);
    let big = BigInt::new(black_box(false), &magnitude)?;
    keep((BigInt::is_negative(big), BigInt::magnitude(big)));
    let long = BigInt::new(black_box(true), black_box(&[1; 300]))?;
    let numbers = [
        Value::Bool(true),
        Value::Int(i64::MIN),
        Value::BigInt(big),
        Value::BigInt(long),
        Value::Float(9_223_372_036_854_775_808.0),
        Value::Float(-f64::MAX),
        Value::Float(f64::NAN),
        Value::Float32(f32::INFINITY),
        Value::Str("a"),
    ];
    for a in black_box(&numbers) {
        for b in black_box(&numbers) {
            keep((Value::compare(*a, *b), a == b));
        }
    }
    Some(())
}

/// Tuples of values.
pub(super) fn tuples() -> Done {
    let values = black_box([Value::Str("a"), Value::Bytes(b"b"), Value::None]);
    let tuple = ValueTuple::new(&values);
    keep((ValueTuple::len(tuple), ValueTuple::is_empty(tuple)));
    ValueTuple::iter(tuple)?.for_each(keep);
    let mut elements = ValueTuple::elements(tuple);
    while Elements::next(&mut elements, |value| keep(value)).is_some() {}
    let table = black_box([[0u16; 64]; 64]);
    table.with_value(|table| keep(Value::compare(table, Value::Tuple(tuple))));
    keep(Value::compare(Value::Tuple(tuple), Value::Tuple(tuple)));
    Some(())
}

/// Meta fields, there and back.
fn there_and_back<T: ToValue + FromValue>(data: T) -> Done {
    keep(black_box(data).with_value(|value| T::from_value(black_box(value)))?);
    Some(())
}

/// Meta fields of every type.
pub(super) fn meta() -> Done {
    there_and_back(-8i8)?;
    there_and_back(-16i16)?;
    there_and_back(-32i32)?;
    there_and_back(-64i64)?;
    there_and_back(8u8)?;
    there_and_back(16u16)?;
    there_and_back(32u32)?;
    there_and_back(true)?;
    there_and_back(0.5f32)?;
    there_and_back(0.5f64)?;
    there_and_back(NonZero::new(8u8)?)?;
    there_and_back(NonZero::new(-64i64)?)?;
    there_and_back(Wrapping(8u8))?;
    there_and_back(Saturating(8u8))?;
    there_and_back(Duration::new(black_box(3), 4))?;
    there_and_back(Ipv4Addr::LOCALHOST)?;
    there_and_back(Ipv6Addr::LOCALHOST)?;
    let mut bytes = heapless::Vec::<u8, 4>::new();
    bytes.push(black_box(1)).ok()?;
    there_and_back(bytes)
}
