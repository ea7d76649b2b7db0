//! The bytes of the format, written by hand from its description.

use treedef::head::DictKind;
use treedef::{Error, KeyEntry, TreeDef, Value, View, Writer, head};

#[test]
fn worked_examples_of_the_format() -> Result<(), Error> {
    let mut bytes = [0xA5; 64];
    // [(), ()]
    let mut b = Writer::new(&mut bytes);
    let root = b.begin(&head::List(2));
    for _ in 0..2 {
        let unit = b.begin(&head::Tuple(0));
        b.end(unit);
    }
    b.end(root);
    assert_eq!(b.finish()?.as_bytes(), [0x42, 0x20, 0x20]);
    // {}
    let mut b = Writer::new(&mut bytes);
    let root = b.begin(&head::Dict::new(DictKind::Sorted, [""; 0]));
    b.end(root);
    assert_eq!(b.finish()?.as_bytes(), [0x60, 0x00]);
    // [[pair, pair], ..] three times
    let mut b = Writer::new(&mut bytes);
    let root = b.begin(&head::List(3));
    for _ in 0..3 {
        let inner = b.begin(&head::List(2));
        for _ in 0..2 {
            let pair = b.begin(&head::Tuple(2));
            b.leaves(2);
            b.end(pair);
        }
        b.end(inner);
    }
    b.end(root);
    let def = b.finish()?;
    assert_eq!(def.as_bytes(), [0x43, 0x42, 0x22, 0x01, 0xA0, 0x02, 0xA1, 0x04]);
    assert_eq!((def.num_leaves(), def.num_nodes()), (12, 22));
    // [u, [u, u], [u, u], u, u] with u a pair
    let mut b = Writer::new(&mut bytes);
    let root = b.begin(&head::List(5));
    for copies in [1, 2, 2, 1, 1] {
        let inner = if copies == 2 { Some(b.begin(&head::List(2))) } else { None };
        for _ in 0..copies {
            let pair = b.begin(&head::Tuple(2));
            b.leaves(2);
            b.end(pair);
        }
        if let Some(inner) = inner {
            b.end(inner);
        }
    }
    b.end(root);
    let expected =
        [0x45, 0x22, 0x01, 0x42, 0x22, 0x01, 0xA0, 0x02, 0xA0, 0x04, 0x22, 0x01, 0xA0, 0x02];
    let def = b.finish()?;
    assert_eq!(def.as_bytes(), expected);
    assert_eq!(TreeDef::from_bytes(&expected), Ok(def));
    Ok(())
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
fn every_byte_string_up_to_three_bytes_gives_an_answer() {
    let mut accepted = 0;
    for len in 0..=3usize {
        for n in 0..1u32 << (8 * len) {
            let bytes = n.to_le_bytes();
            let Ok(def) = TreeDef::from_bytes(&bytes[..len]) else { continue };
            accepted += 1;
            assert_eq!(def.nodes().count(), def.num_nodes());
            assert!(def.paths().all(|path| path.entries().count() <= len));
        }
    }
    assert!(accepted > 30, "{accepted}");
}

#[test]
fn keys_of_an_ordered_dict_may_be_equal() -> Result<(), Error> {
    // OrderedDict([('b', *), ('a', None), ('b', (*, *))])
    let bytes = [0xC4, 3, 6, 1, b'b', 1, b'a', 1, b'b', 0x00, 0xC0, 0x22, 0x01];
    let def = TreeDef::from_bytes(&bytes).expect("ordered keys");
    let mut built = [0; 16];
    let mut b = Writer::new(&mut built);
    let dict = b.begin(&head::Dict::new(DictKind::Ordered, ["b", "a", "b"]));
    b.leaves(1);
    b.none();
    let pair = b.begin(&head::Tuple(2));
    b.leaves(2);
    b.end(pair);
    b.end(dict);
    assert_eq!(b.finish()?, def);
    // 1, True and 1.0 are one key to Python; a NaN is the same NaN.
    for keys in [[Value::Int(1), Value::Bool(true)], [Value::Float(f64::NAN); 2]] {
        let mut built = [0; 32];
        let mut b = Writer::new(&mut built);
        let dict = b.begin(&head::Dict::new(DictKind::Ordered, keys));
        b.leaves(2);
        b.end(dict);
        let def = b.finish()?;
        assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
        let sorted = head::Dict::new(DictKind::Sorted, keys);
        assert!(!Writer::new(&mut [0; 32]).begin(&sorted).is_open());
    }
    // A path leads to the first; indices lead to each.
    let twice = KeyEntry::Key(Value::Str("b"));
    assert_eq!(def.find([twice])?.leaves(), 0..1);
    assert_eq!(def.find_str("['b']")?.leaves(), 0..1);
    assert_eq!(def.find_at([2]).map(|found| found.leaves()), Some(1..3));
    let view = View::new(def, &[1, 2, 3])?;
    assert_eq!(view.get("b").and_then(|leaf| leaf.as_leaf()), Some(&1));
    assert_eq!(view.entry(twice).and_then(|leaf| leaf.as_leaf()), Some(&1));
    Ok(())
}
