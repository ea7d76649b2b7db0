//! Rust data as values: long tables on a small stack, tuples of every kind beside one another, and values that change.

use crate::derive_attributes::Nested;
use crate::support::on_stack;

use std::cell::Cell;

use heapless::LinearMap;
use proptest::prelude::*;
use treedef::cache::KeyWriter;
use treedef::dynamic::{Flatten, Open};
use treedef::format::{FromValue, MapKey, ToValue, ValueTuple};
use treedef::head::{ChildKey, DictKind, HeadSpec, head_into};
use treedef::{CallKey, Error, Object, Tree, TreeDef, Value, Writer, head, structure_into};

#[derive(Tree, PartialEq)]
struct Curve {
    gain: f32,
    #[tree(meta)]
    table: [u8; 512],
}

#[derive(Tree, PartialEq)]
struct Map {
    #[tree(meta)]
    cells: [[u16; 64]; 64],
    offset: f32,
}

/// Writes, compares and prints the tree where little stack is left, and rebuilds it on a stack of `kilobytes`.
fn round_trips<T, const N: usize>(tree: Box<T>, kilobytes: usize)
where
    T: Tree<f32> + PartialEq + Send + Sync,
{
    let (mut bytes, tree) = (vec![0; N], &tree);
    let written = on_stack(64, move || {
        let (mut leaves, room) =
            ([0.0f32; 1], treedef::encode::structure_bound(&**tree).expect("a length"));
        assert!(room <= N && structure_into(&**tree, &mut bytes[..room - 1]).is_err());
        let (def, count) =
            treedef::flatten_into(&**tree, &mut bytes, &mut leaves).expect("flattens");
        assert_eq!((count, TreeDef::from_bytes(def.as_bytes())), (1, Ok(def)));
        assert_eq!(treedef::matches(&**tree, def), Ok(()));
        let (_, data) = def.head().meta_fields().next().expect("the table");
        assert!(data.to_string().len() > 512);
        // The last value decides.
        let mut other = def.as_bytes().to_vec();
        let last = other.len() - 2;
        other[last] ^= 2;
        let other = TreeDef::from_bytes(&other).expect("another table");
        assert_eq!(treedef::matches(&**tree, other), Err(Error::Mismatch { node: 0 }));
        def.as_bytes().to_vec()
    });
    on_stack(kilobytes, move || {
        let def = TreeDef::from_bytes(&written).expect("a treedef");
        let again = treedef::unflatten::<f32, Box<T>>(def, &[0.5]).expect("unflattens");
        assert!(again == *tree);
    });
}

#[test]
fn a_long_table_takes_no_stack_for_each_element() {
    let table = std::array::from_fn(|i| u8::try_from(i % 256).unwrap());
    round_trips::<_, 2048>(Box::new(Curve { gain: 0.5, table }), 64);
}

#[test]
fn a_table_of_tables_takes_no_stack_for_each_element() {
    let cells =
        std::array::from_fn(|i| std::array::from_fn(|j| u16::try_from(64 * i + j).unwrap()));
    // Code that is not optimised copies these 8 kB some twenty times while it returns them.
    round_trips::<_, 16384>(Box::new(Map { cells, offset: 0.5 }), 256);
}

/// The bytes of a value, as a static argument of a call.
fn encoded(value: Value<'_>) -> Vec<u8> {
    let mut bytes = vec![0; 1 << 16];
    let mut key = KeyWriter::new(&mut bytes);
    key.value(value);
    key.finish().expect("a key").as_bytes().to_vec()
}

/// Rust data, and the values of two of them in every form that a tuple has.
fn agree<T: ToValue>(one: &T, two: &T) {
    let bytes = [encoded_of(one), encoded_of(two)];
    let [first, second] = bytes.each_ref().map(|bytes| {
        let key = CallKey::from_bytes(bytes).expect("a key");
        match key.parts().next() {
            Some(treedef::cache::Part::Value(value)) => value,
            _ => panic!("no value"),
        }
    });
    one.with_value(|a| {
        two.with_value(|b| {
            let equal = first == second;
            assert_eq!([a == b, a == second, first == b], [equal; 3], "{first} {second}");
            let order = first.compare(second);
            assert_eq!([a.compare(b), a.compare(second), first.compare(b)], [order; 3]);
            assert_eq!(equal, bytes[0] == bytes[1]);
            assert_eq!([a.to_string(), b.to_string()], [first.to_string(), second.to_string()]);
        });
    });
}

fn encoded_of(data: &impl ToValue) -> Vec<u8> {
    data.with_value(encoded)
}

/// A row of mixed data, much of it equal.
type Row = (Vec<Option<u8>>, (bool, char), [(i64, String); 2]);

fn row() -> impl Strategy<Value = Row> {
    let pair = || (prop_oneof![Just(-1i64), Just(300)], "[ab]{0,1}");
    let options = prop::collection::vec(prop::option::of(0u8..2), 0..3);
    (options, (any::<bool>(), prop_oneof![Just('a'), Just('é')]), [pair(), pair()])
}

proptest! {
    #[test]
    fn borrowed_and_encoded_tuples_are_the_same_values(one in row(), two in row(), same: bool) {
        agree(&one, if same { &one } else { &two });
        agree(&one.2, &two.2);
        agree(&one.1, &two.1);
        // Sequences of different lengths, of which one begins as the other.
        agree(&one.0, &one.0[..one.0.len() / 2].to_vec());
        prop_assert_eq!(one.with_value(Row::from_value), Some(one));
    }
}

/// A tuple that holds itself.
struct Endless;

impl ToValue for Endless {
    fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
        [Endless].with_value(|value| take(Value::Tuple(ValueTuple::new(&[value]))))
    }
}

#[test]
fn a_tuple_that_holds_itself_is_too_deep() {
    let mut bytes = [0; 256];
    [Endless].with_value(|value| {
        let heading = head::Struct { name: "E", fields: &[], meta: &[("e", value)] };
        assert_eq!(head_into(&heading, &mut bytes), Err(Error::ValueTooDeep));
        assert_eq!(value.compare(value), None);
        assert_ne!(value, value);
        assert_eq!(value.to_string(), format!("{}…{}", "(".repeat(32), ",)".repeat(32)));
    });
}

thread_local! {
    /// What decides which lie comes next.
    static SCRIPT: Cell<u64> = const { Cell::new(0) };
}

/// The next number below `limit` of the script.
fn draw(limit: u64) -> u64 {
    SCRIPT.with(|script| {
        let next = script.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        script.set(next);
        (next >> 33) % limit
    })
}

/// Another value than the one that was asked for, now and then.
fn lie() -> Option<Value<'static>> {
    const DEEP: &[Value<'static>] = &[Value::Int(1)];
    let values = [
        Value::Str("a"),
        Value::Str("k1"),
        Value::Str("k9"),
        Value::Str("longer"),
        Value::Int(1),
        Value::Int(7),
        Value::Int(300),
        Value::Float(0.5),
        Value::Float(f64::NAN),
        Value::Tuple(ValueTuple::new(DEEP)),
        Value::None,
    ];
    (draw(8) == 0).then(|| values[usize::try_from(draw(11)).unwrap()])
}

/// A key or an element that lies now and then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Liar(u8);

impl ToValue for Liar {
    fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
        match lie() {
            Some(value) => take(value),
            None if self.0 < 100 => take(Value::Str(["k0", "k1", "k2", "k3"][usize::from(self.0)])),
            None if self.0 < 200 => take(Value::Int((self.0).into())),
            // As deep as is allowed in a tuple, and now and then deeper.
            None => Nested(31 + usize::from(draw(40) == 39)).with_value(take),
        }
    }
}

impl FromValue for Liar {
    fn from_value(_: Value<'_>) -> Option<Self> {
        Some(Self(0))
    }
}

impl MapKey for Liar {}

/// Keys of which now and then one is left out or comes twice.
#[derive(Clone)]
struct Keys(std::ops::Range<u8>, bool);

impl Iterator for Keys {
    type Item = Liar;

    fn next(&mut self) -> Option<Liar> {
        if self.1 && draw(16) == 0 {
            return if draw(2) == 0 { self.0.next_back().map(Liar) } else { Some(Liar(0)) };
        }
        self.0.next().map(Liar)
    }
}

/// An object with lying keys.
#[derive(Clone, Copy)]
struct Lying(bool);

impl Object for Lying {
    type Leaf = u8;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        if self.0 {
            return open.leaf(1);
        }
        let keys = (0..3usize).map(|i| lie().unwrap_or(Value::Str(["k0", "k1", "k2"][i])));
        match draw(2) {
            0 => open.dict(keys.zip([Lying(true); 3])),
            _ => open.node(&head::Dict::new(DictKind::Sorted, keys), [Lying(true); 3]),
        }
    }
}

#[derive(Tree)]
struct Data {
    #[tree(meta)]
    plain: Liar,
    #[tree(meta)]
    table: [[Liar; 2]; 3],
    x: u8,
}

/// The bytes of a node with this head, over leaves.
fn built(heading: &impl HeadSpec, bytes: &mut [u8]) -> Result<usize, Error> {
    let mut out = Writer::new(bytes);
    out.node(heading, |out| out.leaves(heading.arity()));
    out.finish().map(|def| def.as_bytes().len())
}

/// Every way in which a value of a liar gets into a treedef.
fn write(way: u32, bytes: &mut [u8]) -> Result<usize, Error> {
    let kind = [DictKind::Sorted, DictKind::Ordered, DictKind::Default("int")][draw(3) as usize];
    let (keys, from) = ([Liar(0), Liar(1), Liar(2)], [0, 100, 200][draw(3) as usize]);
    let len = |def: TreeDef<'_>| def.as_bytes().len();
    match way {
        0 => built(&head::Dict::new(kind, keys), bytes),
        1 => built(&head::Dict::new(kind, Keys(from..from + 4, true)), bytes),
        2 => {
            let heading = head::Dict::new(kind, Keys(from..from + 4, draw(2) == 0));
            head_into(&heading, bytes)?;
            built(&heading, bytes)
        }
        3 => {
            let map = LinearMap::<Liar, u8, 4>::from_iter((0..3).map(|key| (Liar(key), key)));
            structure_into(&map, bytes).map(len)
        }
        4 => {
            let map =
                std::collections::BTreeMap::from_iter((0..9).map(|key| (Liar(100 + key), 0u8)));
            structure_into(&map, bytes).map(len)
        }
        5 => {
            let data = Data { plain: Liar(0), table: [[Liar(from); 2]; 3], x: 0 };
            structure_into(&data, bytes).map(len)
        }
        6 => [Liar(from); 3].with_value(|aux| {
            let child_keys = [ChildKey::Key(aux), ChildKey::Index(3)];
            let custom =
                head::Custom { name: "C", aux, children: 2, child_keys: Some(&child_keys) };
            built(&custom, bytes)
        }),
        7 => {
            let mut leaves = [0; 3];
            Flatten::new().flatten_into(Lying(false), bytes, &mut leaves).map(|(def, _)| len(def))
        }
        8 => {
            let tuples = [(Liar(0), Liar(from)), (Liar(1), Liar(from)), (Liar(2), Liar(from))];
            built(&head::Dict::new(kind, tuples), bytes)
        }
        _ => {
            let mut key = KeyWriter::new(bytes);
            key.meta(&[Liar(from); 3]);
            let len = key.finish()?.as_bytes().len();
            assert!(CallKey::from_bytes(&bytes[..len]).is_ok());
            bytes[0] = 0;
            Ok(1)
        }
    }
}

#[test]
fn values_that_change_make_no_wrong_treedef() {
    for way in 0..10 {
        let (mut written, mut changed, mut others) = (0, 0, 0);
        for seed in 0..30_000u64 {
            SCRIPT.with(|script| script.set(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
            let mut bytes = [0; 512];
            match write(way, &mut bytes) {
                Ok(len) => {
                    let def = TreeDef::from_bytes(&bytes[..len]);
                    assert!(def.is_ok(), "way {way}, seed {seed}: {:?} {def:?}", &bytes[..len]);
                    written += 1;
                }
                Err(Error::ValueChanged) => changed += 1,
                Err(_) => others += 1,
            }
        }
        let seen = (written > 0, changed > 0 || way == 9);
        assert_eq!(seen, (true, true), "way {way}: {written} {changed} {others}");
    }
}
