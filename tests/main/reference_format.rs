//! The reference of the byte format and the library refuse the same bytes, for the same reasons.

use crate::support;

use std::cmp::Ordering;
use support::decode::{Counts, decode, validate};
use support::def::Def;
use support::value::Value;
use treedef::TreeDef;
use treedef::format::DecodeErrorKind as Fault;

/// A list of `n` copies.
fn list_of(n: usize, def: &Def) -> Def {
    Def::List(vec![def.clone(); n])
}

#[test]
fn each_breach_of_a_rule_is_refused() {
    let refused = |bytes: &[u8], why, fault| {
        assert_eq!(validate(bytes), Err(String::from(why)), "{bytes:02x?}");
        let found = TreeDef::from_bytes(bytes).map_err(|error| error.kind());
        assert_eq!(found, Err(fault), "{bytes:02x?}");
    };
    refused(&[], "the bytes end early", Fault::Truncated);
    refused(&[0x01], "no node has the kind 0", Fault::TooManyChildren { left: 1, found: 2 });
    refused(&[0xFF], "no node has the kind 7", Fault::UnknownKind(7));
    refused(&[0xA0, 0x01], "no node has the kind 5", Fault::RepeatWithoutUnit);
    refused(&[0xCC, 0, 0], "no kind has the subkind 12", Fault::UnknownSubkind(12));
    refused(&[0xDF, 0, 0, 0], "no kind has the subkind 31", Fault::UnknownSubkind(31));
    refused(&[0x00, 0x00], "bytes after the root", Fault::Trailing);
    refused(&[0x21, 0x00, 0x00], "bytes after the root", Fault::Trailing);
    refused(&[0x22, 0x00], "the bytes end early", Fault::Truncated);
    refused(
        &[0x41, 0x01],
        "more children than the head says",
        Fault::TooManyChildren { left: 1, found: 2 },
    );
    refused(&[0x42, 0x00, 0x00], "leaves beside leaves", Fault::AdjacentLeaves);
    refused(&[0x42, 0x00, 0xA0, 0x01], "copies of what is no unit", Fault::RepeatWithoutUnit);
    refused(&[0x42, 0xC0, 0xA0, 0x00], "copies of what is no unit", Fault::RepeatWithoutUnit);
    refused(
        &[0x43, 0x21, 0x00, 0xA0, 0x01, 0xA0, 0x01],
        "copies of what is no unit",
        Fault::RepeatWithoutUnit,
    );
    refused(
        &[0x42, 0x21, 0x00, 0xA0, 0x02],
        "a wrong leaf count of a copy",
        Fault::RepeatLeaves { expected: 1, found: 2 },
    );
    refused(
        &[0x42, 0x21, 0x00, 0xA1, 0x01],
        "more children than the head says",
        Fault::TooManyChildren { left: 1, found: 2 },
    );
    refused(&[0x42, 0x21, 0x00, 0x21, 0x00], "a copy that is written out", Fault::Unfolded);
    refused(
        &[0x43, 0x21, 0x00, 0xA0, 0x01, 0x21, 0x00],
        "a copy that is written out",
        Fault::Unfolded,
    );
    refused(&[0x60, 1, 0], "bytes left in a block", Fault::BlockLength);
    refused(&[0x62, 0, 0x01], "the bytes end early", Fault::BlockLength);
    refused(&[0x62, 2, 1, b'a', 0x01], "the bytes end early", Fault::BlockLength);
    refused(
        &[0x62, 4, 1, b'b', 1, b'a', 0x01],
        "keys out of order",
        Fault::KeyOrder { first: 0, second: 1 },
    );
    refused(
        &[0x62, 2, 0, 0, 0x01],
        "keys out of order",
        Fault::DuplicateKey { first: 0, second: 1 },
    );
    refused(&[0x61, 2, 1, 0xFF, 0x00], "a string that is not UTF-8", Fault::NotUtf8);
    refused(&[0xC1, 2, 0, 0x01], "a Some has one child", Fault::Arity { found: 2 });
    refused(&[0xC2, 0, 0], "keys have a shorter form", Fault::KeyForm);
    refused(&[0xC3, 1, 2, 0x03, 0, 0x00], "keys have a shorter form", Fault::KeyForm);
    refused(
        &[0xC3, 2, 3, 0x02, 0x03, 2, 0x01],
        "keys out of order",
        Fault::DuplicateKey { first: 0, second: 1 },
    );
    refused(
        &[0xC7, 2, 3, 0, 0, 0, 0x01],
        "keys out of order",
        Fault::DuplicateKey { first: 0, second: 1 },
    );
    refused(&[0xCA, 2, 2, 0, 0, 0x01], "the bytes end early", Fault::BlockLength);
    refused(&[0xCA, 1, 3, 0, 0, 0, 0x00], "bytes left in a block", Fault::BlockLength);
    refused(&[0xCB, 0, 3, 0, 0x00, 0], "bytes left in a block", Fault::BlockLength);
    refused(
        &[0xCB, 1, 3, 0, 0x00, 4, 0x00],
        "no child key has the kind 4",
        Fault::UnknownChildKey(4),
    );
    refused(&[0xCB, 2, 4, 0, 0x00, 2, 0, 0x01], "the bytes end early", Fault::BlockLength);
    refused(&[0xCB, 1, 6, 0, 0x00, 2, 0, 2, 1, 0x00], "bytes left in a block", Fault::BlockLength);
    refused(&[0xCB, 0, 2, 0, 0x0B], "no value has the tag 11", Fault::UnknownValue(11));
    refused(&[0xCB, 0, 5, 0, 0x04, 0, 1, 0], "a magnitude that ends in zero", Fault::BadInteger);
    refused(&[0xCB, 0, 5, 0, 0x04, 0, 1, 1], "a big integer that fits 64 bits", Fault::BadInteger);
    refused(&[0xCB, 0, 5, 0, 0x04, 2, 1, 1], "no sign is 2", Fault::BadInteger);
    refused(&[0x80, 4, 0, 0x80, 0x80, 0x80], "the bytes end early", Fault::BlockLength);
}

#[test]
fn counts_are_bounded_by_32_bits() {
    // Two lists of `n` leaves, for which `31 + v = n` and `1 + 31 + w = n` spell head and run.
    let two_lists = |n: u64| {
        let mut bytes = vec![0x42, 0x5F];
        support::wire::put_varint(&mut bytes, n - 31);
        bytes.push(0x1F);
        support::wire::put_varint(&mut bytes, n - 32);
        bytes.push(0xA0);
        support::wire::put_varint(&mut bytes, n);
        bytes
    };
    assert_eq!(decode(&two_lists(32)), Ok(list_of(2, &list_of(32, &Def::Leaf))));
    let most = (1 << 31) - 2;
    assert_eq!(validate(&two_lists(most)), Ok(Counts { leaves: 2 * most, nodes: u32::MAX.into() }));
    assert!(decode(&two_lists(most)).unwrap_err().contains("too large"));
    assert_eq!(validate(&two_lists(most + 1)), Err("too many nodes".into()));
    assert_eq!(validate(&two_lists(1 << 32)), Err("too many children".into()));
}

#[test]
fn deep_bytes_are_judged() {
    support::on_a_deep_stack(|| {
        let mut bytes = vec![0x41; 100_000];
        bytes.push(0x00);
        assert_eq!(validate(&bytes), Ok(Counts { leaves: 1, nodes: 100_001 }));
        assert_eq!(decode(&bytes).unwrap().nodes(), 100_001);
    });
}

#[test]
fn values_order_as_in_python() {
    let int = |text: &str| Value::integer(text).unwrap();
    let ascending = [
        Value::F64(f64::NEG_INFINITY),
        int("-9223372036854775809"),
        Value::Int(i64::MIN),
        Value::Int(-1),
        Value::F64(-f64::from_bits(1)),
        Value::Bool(false),
        Value::F64(f64::from_bits(1)),
        Value::F32(f32::from_bits(1)),
        Value::F64(0.5),
        Value::Bool(true),
        Value::F64(1.5),
        Value::F64(9007199254740992.0),
        Value::Int(9007199254740993),
        Value::Int(i64::MAX),
        Value::F64(9223372036854775808.0),
        int("9223372036854775809"),
        Value::F64(f64::MAX),
        Value::F64(f64::INFINITY),
    ];
    for (i, a) in ascending.iter().enumerate() {
        for (j, b) in ascending.iter().enumerate() {
            assert_eq!(a.python_cmp(b), Some(i.cmp(&j)), "{a:?} {b:?}");
        }
    }
    let tuple = |items: &[Value]| Value::Tuple(items.to_vec());
    let (one, truth, text, nan) =
        (Value::Int(1), Value::Bool(true), Value::Str("a".into()), Value::F64(f64::NAN));
    for (a, b, order) in [
        (Value::F64(0.0), Value::F64(-0.0), Some(Ordering::Equal)),
        (one.clone(), Value::F64(1.0), Some(Ordering::Equal)),
        (tuple(&[one.clone(), truth.clone()]), tuple(&[truth, one.clone()]), Some(Ordering::Equal)),
        (tuple(&[]), tuple(std::slice::from_ref(&nan)), Some(Ordering::Less)),
        (tuple(&[Value::None, one.clone()]), tuple(&[Value::None]), Some(Ordering::Greater)),
        (tuple(&[one.clone(), text.clone()]), tuple(&[one.clone(), one.clone()]), None),
        (text.clone(), Value::Str("é".into()), Some(Ordering::Less)),
        (text.clone(), Value::Bytes(b"a".to_vec()), None),
        (one.clone(), text, None),
        (one.clone(), Value::None, None),
        (nan.clone(), one.clone(), None),
        (nan.clone(), nan.clone(), None),
    ] {
        assert_eq!(
            (a.python_cmp(&b), b.python_cmp(&a)),
            (order, order.map(Ordering::reverse)),
            "{a:?} {b:?}"
        );
    }
    let entries =
        |keys: Vec<Value>| keys.into_iter().map(|key| (key, Def::Leaf)).collect::<Vec<_>>();
    assert!(Def::dict(entries(vec![nan.clone()])).is_ok());
    assert!(Def::dict(entries(vec![nan.clone(), one.clone()])).is_err());
    assert!(Def::dict(entries(vec![one.clone(), Value::Bool(true)])).is_err());
    assert!(Def::dict(entries(vec![one, Value::F64(1.0)])).is_err());
    assert!(Def::dict(entries(vec![nan.clone(), nan])).is_err());
}
