//! Dictionaries with equal keys, which the format allows and no Rust type has.

use treedef::head::DictKind;
use treedef::{Error, KeyEntry, TreeDef, Value, View, Writer, head};

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
