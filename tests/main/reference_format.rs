//! The reference of the byte format agrees with bytes, refusals and sizes that follow by hand from the format, and the library
//! gives the same refusals.

use crate::support;

use std::cmp::Ordering;
use support::decode::{Counts, decode, validate};
use support::def::{ChildKey, Def, Keys};
use support::value::Value;
use treedef::TreeDef;
use treedef::format::DecodeErrorKind as Fault;

/// A dict with string keys.
fn dict(items: &[(&str, &Def)]) -> Def {
    Def::dict(items.iter().map(|(k, child)| (Value::Str((*k).into()), (*child).clone())).collect())
        .unwrap()
}

/// A list of `n` copies.
fn list_of(n: usize, def: &Def) -> Def {
    Def::List(vec![def.clone(); n])
}

/// A tuple of two leaves.
fn pair() -> Def {
    Def::Tuple(vec![Def::Leaf, Def::Leaf])
}

/// The parameters of one transformer block.
fn block() -> Def {
    let (wb, gb) = (
        dict(&[("w", &Def::Leaf), ("b", &Def::Leaf)]),
        dict(&[("g", &Def::Leaf), ("b", &Def::Leaf)]),
    );
    let (attn, mlp) =
        (dict(&[("c_attn", &wb), ("c_proj", &wb)]), dict(&[("c_fc", &wb), ("c_proj", &wb)]));
    dict(&[("attn", &attn), ("ln_1", &gb), ("ln_2", &gb), ("mlp", &mlp)])
}

/// The parameters of a model like GPT-2, its blocks given.
fn gpt2(blocks: &Def) -> Def {
    let gb = dict(&[("g", &Def::Leaf), ("b", &Def::Leaf)]);
    dict(&[("h", blocks), ("ln_f", &gb), ("wpe", &Def::Leaf), ("wte", &Def::Leaf)])
}

/// The parameters of GPT-2 small.
fn gpt2_small() -> Def {
    let names: Vec<String> = (0..12).map(|i| i.to_string()).collect();
    let block = block();
    gpt2(&dict(&names.iter().map(|name| (name.as_str(), &block)).collect::<Vec<_>>()))
}

/// The structure with `None` in place of each leaf.
fn without_leaves(def: &Def) -> Def {
    let children = def.children().iter().map(without_leaves).collect();
    if *def == Def::Leaf { Def::None } else { def.clone().with_children(children) }
}

/// Asserts bytes that were written by hand from the format, both ways.
fn assert_bytes(def: &Def, bytes: &[u8]) {
    assert_eq!(def.encode(), bytes);
    assert_eq!(decode(bytes).as_ref(), Ok(def));
}

#[test]
fn worked_examples_have_their_bytes() {
    let unit = Def::Tuple(vec![]);
    assert_bytes(&Def::Leaf, &[0x00]);
    assert_bytes(&Def::None, &[0xC0]);
    assert_bytes(&list_of(2, &unit), &[0x42, 0x20, 0x20]);
    assert_bytes(&dict(&[]), &[0x60, 0x00]);
    assert_bytes(
        &list_of(3, &list_of(2, &pair())),
        &[0x43, 0x42, 0x22, 0x01, 0xA0, 0x02, 0xA1, 0x04],
    );
    let two = list_of(2, &pair());
    assert_bytes(
        &Def::List(vec![pair(), two.clone(), two, pair(), pair()]),
        &[0x45, 0x22, 0x01, 0x42, 0x22, 0x01, 0xA0, 0x02, 0xA0, 0x04, 0x22, 0x01, 0xA0, 0x02],
    );
    assert_bytes(&list_of(31, &Def::Leaf), &[0x5F, 0x00, 0x1E]);
    assert_bytes(&list_of(160, &Def::Leaf), &[0x5F, 0x81, 0x00, 0x1F, 0x80, 0x00]);
}

#[test]
fn each_kind_has_its_bytes() {
    let leaf = || vec![Def::Leaf];
    let keys = |keys: Vec<Value>| Keys::new(keys);
    assert_bytes(&Def::Some(Box::new(Def::None)), &[0xC1, 1, 0, 0xC0]);
    assert_bytes(
        &dict(&[("b", &Def::Leaf), ("a", &Def::None)]),
        &[0x62, 4, 1, b'a', 1, b'b', 0xC0, 0x00],
    );
    assert_bytes(&Def::dict(vec![(Value::Int(-1), Def::Leaf)]).unwrap(), &[0xC2, 1, 1, 0x01, 0x00]);
    assert_bytes(
        &Def::dict(vec![(Value::Bool(true), Def::Leaf)]).unwrap(),
        &[0xC3, 1, 1, 0x02, 0x00],
    );
    let (z, a) = (Value::Str("z".into()), Value::Str("a".into()));
    assert_bytes(
        &Def::ordered_dict(vec![(z, Def::Leaf), (a.clone(), Def::Leaf)]),
        &[0xC4, 2, 4, 1, b'z', 1, b'a', 0x01],
    );
    assert_bytes(&Def::ordered_dict(vec![]), &[0xC4, 0, 0]);
    let twice = vec![(a.clone(), Def::Leaf), (a.clone(), Def::None), (a.clone(), Def::Leaf)];
    assert_bytes(
        &Def::ordered_dict(twice),
        &[0xC4, 3, 6, 1, b'a', 1, b'a', 1, b'a', 0x00, 0xC0, 0x00],
    );
    let one = vec![(Value::Int(1), Def::Leaf), (Value::Bool(true), Def::Leaf)];
    assert_bytes(&Def::ordered_dict(one), &[0xC6, 2, 3, 0x03, 2, 0x02, 0x01]);
    assert_bytes(
        &Def::OrderedDict { keys: keys(vec![Value::Int(64)]), children: leaf() },
        &[0xC5, 1, 2, 0x80, 0x00, 0x00],
    );
    assert_bytes(
        &Def::OrderedDict {
            keys: keys(vec![a.clone(), Value::None]),
            children: vec![Def::Leaf; 2],
        },
        &[0xC6, 2, 4, 0x06, 1, b'a', 0x00, 0x01],
    );
    assert_bytes(
        &Def::default_dict("None", vec![(a, Def::Leaf)]).unwrap(),
        &[0xC7, 1, 7, 4, b'N', b'o', b'n', b'e', 1, b'a', 0x00],
    );
    assert_bytes(
        &Def::default_dict("f", vec![(Value::Int(1), Def::None)]).unwrap(),
        &[0xC8, 1, 3, 1, b'f', 2, 0xC0],
    );
    assert_bytes(
        &Def::default_dict("f", vec![(Value::Tuple(vec![]), Def::None)]).unwrap(),
        &[0xC9, 1, 4, 1, b'f', 0x08, 0, 0xC0],
    );
    assert_bytes(
        &Def::NamedTuple { name: "P".into(), fields: vec!["x".into()], children: leaf() },
        &[0xCA, 1, 4, 1, b'P', 1, b'x', 0x00],
    );
    assert_bytes(
        &Def::Struct {
            name: "S".into(),
            fields: vec!["x".into()],
            meta: vec![("n".into(), Value::Int(3))],
            children: leaf(),
        },
        &[0x81, 8, 1, b'S', 1, b'x', 1, b'n', 0x03, 6, 0x00],
    );
    let custom = |child_keys, children| Def::Custom {
        name: "C".into(),
        aux: Value::None,
        child_keys,
        children,
    };
    assert_bytes(&custom(None, leaf()), &[0xCB, 1, 3, 1, b'C', 0x00, 0x00]);
    assert_bytes(&custom(None, vec![]), &[0xCB, 0, 3, 1, b'C', 0x00]);
    let child_keys = vec![
        ChildKey::Attr("x".into()),
        ChildKey::Dict(Value::Bool(false)),
        ChildKey::Seq(5),
        ChildKey::Raw("r".into()),
    ];
    assert_bytes(
        &custom(Some(child_keys), vec![Def::None; 4]),
        &[
            0xCB, 4, 13, 1, b'C', 0x00, 0, 1, b'x', 1, 0x01, 2, 5, 3, 1, b'r', 0xC0, 0xC0, 0xC0,
            0xC0,
        ],
    );
}

#[test]
fn each_value_has_its_bytes() {
    let of = |value: Value, bytes: &[u8]| {
        let mut expected = vec![0xCB, 0, 1 + u8::try_from(bytes.len()).unwrap(), 0];
        expected.extend(bytes);
        let children = Vec::new();
        assert_bytes(
            &Def::Custom { name: String::new(), aux: value, child_keys: None, children },
            &expected,
        );
    };
    of(Value::None, &[0x00]);
    of(Value::Bool(false), &[0x01]);
    of(Value::Bool(true), &[0x02]);
    of(Value::Int(-2), &[0x03, 3]);
    of(Value::Int(i64::MAX), &[0x03, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0x00]);
    of(Value::Int(i64::MIN), &[0x03, 0xFF, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0x00]);
    of(Value::integer("9223372036854775808").unwrap(), &[0x04, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0x80]);
    of(Value::integer("-9223372036854775809").unwrap(), &[0x04, 1, 8, 1, 0, 0, 0, 0, 0, 0, 0x80]);
    of(Value::integer("18446744073709551616").unwrap(), &[0x04, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    of(Value::F64(1.0), &[0x05, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]);
    of(Value::Str("ß".into()), &[0x06, 2, 0xC3, 0x9F]);
    of(Value::Bytes(vec![0xFF]), &[0x07, 1, 0xFF]);
    of(Value::Tuple(vec![Value::None, Value::Tuple(vec![])]), &[0x08, 2, 0x00, 0x08, 0]);
    of(Value::Opaque("t".into()), &[0x09, 1, b't']);
    of(Value::F32(-0.0), &[0x0A, 0, 0, 0, 0x80]);
}

#[test]
fn well_known_structures_have_the_promised_size() {
    let size = |def: &Def| def.encode().len();
    assert_eq!(size(&list_of(3, &pair())), 5);
    assert_eq!(size(&list_of(10_000, &Def::Leaf)), 6);
    assert_eq!(
        size(&list_of(256, &dict(&[("x", &Def::Leaf), ("y", &Def::Leaf), ("z", &Def::Leaf)]))),
        16
    );
    assert_eq!((gpt2_small().nodes(), gpt2_small().leaves()), (259, 148));
    assert_eq!(size(&gpt2_small()), 133);
    assert_eq!(size(&without_leaves(&gpt2_small())), 1243);
    let params = gpt2(&list_of(48, &block()));
    let adam = |children| Def::NamedTuple {
        name: "AdamState".into(),
        fields: ["count", "mu", "nu"].map(String::from).to_vec(),
        children,
    };
    let state =
        Def::Tuple(vec![Def::Leaf, params.clone(), adam(vec![Def::Leaf, params.clone(), params])]);
    assert_eq!((state.nodes(), state.leaves()), (3049, 1742));
    // One byte more than without the count that each extension has.
    assert_eq!(size(&state), 247);
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
