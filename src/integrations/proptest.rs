//! `proptest`: treedefs, pairs of neighbours and bytes that are no treedef.
//!
//! A strategy makes a small model of a tree and writes it with the library's own builder. Models shrink by the rules of
//! proptest: fewer children, fewer copies, plainer nodes.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use ::proptest::char::range;
use ::proptest::collection::vec as many;
use ::proptest::prelude::*;
use ::proptest::sample::Index;

use crate::builder::{Builder, Frame};
use crate::error::Error;
use crate::head::{ChildKey, Kind};
use crate::heading::{CustomOf, DictKind, DictOf, ListOf, NamedTupleOf, SomeOf, StructOf, TupleOf};
use crate::treedef::TreeDef;
use crate::value::{self, BigInt, Value};
use crate::varint::Varint;

/// A generated treedef with its bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnyTreeDef {
    bytes: Vec<u8>,
    leaves: u32,
}

impl AnyTreeDef {
    /// The treedef.
    pub fn as_treedef(&self) -> TreeDef<'_> {
        TreeDef::trusted(&self.bytes, self.leaves)
    }
}

/// How large generated trees get.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef::strategies::{Size, treedefs_of};
///
/// let small = Size { depth: 3, children: 4, nodes: 20 };
/// proptest!(|(def in treedefs_of(small))| {
///     prop_assert!(def.as_treedef().num_nodes() <= 20);
/// });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The most levels below the root.
    pub depth: u32,
    /// About the most children of one node.
    pub children: usize,
    /// The most nodes, repeats written out.
    pub nodes: usize,
}

impl Default for Size {
    /// Deep enough for [`MAX_DEPTH`](crate::MAX_DEPTH) and no deeper, with counts that need more than a head byte.
    fn default() -> Self {
        Self { depth: 60, children: 200, nodes: 2000 }
    }
}

/// Treedefs of every kind with every form of keys, of the default [`Size`].
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef::{TreeDef, strategies::treedefs};
///
/// proptest!(|(any in treedefs())| {
///     let def = any.as_treedef();
///     prop_assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
/// });
/// ```
pub fn treedefs() -> impl Strategy<Value = AnyTreeDef> {
    treedefs_of(Size::default())
}

/// Treedefs of every kind with every form of keys.
pub fn treedefs_of(size: Size) -> impl Strategy<Value = AnyTreeDef> {
    models(size).prop_filter_map("too many nodes", move |model| model.encode(size))
}

/// Pairs of treedefs that differ in one edit: a kind, a name, a key, a value, a child more or less, two children
/// changed over, one copy among equal siblings.
pub fn neighbours() -> impl Strategy<Value = (AnyTreeDef, AnyTreeDef)> {
    let size = Size::default();
    let edit = (any::<Index>(), 0u8..EDITS, heads());
    (models(size), edit).prop_filter_map("the edit changes nothing", move |(model, edit)| {
        let (at, which, head) = edit;
        let mut edited = model.clone();
        edited.edit(at.index(model.places()), which, &head);
        let (a, b) = (model.encode(size)?, edited.encode(size)?);
        (a != b).then_some((a, b))
    })
}

/// Byte strings near a treedef: some are one, most are none.
pub fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let mutation = (any::<Index>(), any::<u8>(), any::<Index>(), 0u8..6);
    (treedefs(), many(mutation, 1..4)).prop_map(|(def, mutations)| {
        let mut bytes = def.bytes;
        for (at, byte, other, which) in mutations {
            mutate(&mut bytes, at, byte, other, which);
        }
        bytes
    })
}

/// Byte strings near a treedef that are none.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef::{TreeDef, strategies::malformed};
///
/// proptest!(|(bytes in malformed())| prop_assert!(TreeDef::from_bytes(&bytes).is_err()));
/// ```
pub fn malformed() -> impl Strategy<Value = Vec<u8>> {
    mutated().prop_filter("a treedef again", |bytes| TreeDef::from_bytes(bytes).is_err())
}

/// Changes one place of a byte string.
fn mutate(bytes: &mut Vec<u8>, at: Index, byte: u8, other: Index, which: u8) {
    let (at, other) = (at.index(bytes.len() + 1), other.index(bytes.len() + 1));
    match (which, bytes.get_mut(at)) {
        (0, Some(old)) => *old = byte,
        (1, Some(old)) => *old ^= 1 << (byte & 7),
        (2, Some(_)) => {
            bytes.remove(at);
        }
        (3, _) => bytes.truncate(at),
        (4, _) => {
            // Doubling a piece makes written-out copies and wrong counts.
            let piece = bytes.get(at.min(other)..at.max(other)).unwrap_or(&[]).to_vec();
            bytes.splice(at.max(other)..at.max(other), piece);
        }
        _ => bytes.insert(at, byte),
    }
}

/// A tree as it is generated and shrunk.
#[derive(Clone, Debug)]
enum Model {
    Leaf,
    None,
    Node(Head, Vec<Item>),
}

/// A child, and how many of it stand side by side.
type Item = (Model, usize);

/// What any node says before its children; each kind uses its part.
#[derive(Clone, Debug)]
struct Head {
    kind: Kind,
    name: String,
    /// Dictionary keys, field names and child keys are made of these.
    keys: Vec<Datum>,
    statics: Vec<(String, Datum)>,
}

/// An encoded [`Value`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Datum(Vec<u8>);

impl Datum {
    fn of(value: Value<'_>) -> Self {
        let mut bytes = Vec::new();
        let _ = value.pieces::<Error>(&mut |piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        });
        Self(bytes)
    }

    fn tuple(elements: impl AsRef<[Self]>) -> Self {
        let elements = elements.as_ref();
        let mut bytes = vec![value::TUPLE];
        bytes.extend_from_slice(Varint::new(elements.len() as u64).as_bytes());
        elements.iter().for_each(|element| bytes.extend_from_slice(&element.0));
        Self(bytes)
    }

    fn value(&self) -> Value<'_> {
        Value::read(&self.0).map_or(Value::None, |(value, _)| value)
    }
}

/// Text of a few characters, seldom longer than a length byte can say.
fn texts() -> impl Strategy<Value = String> {
    let letters = many(prop_oneof![6 => range('a', 'z'), 1 => any::<char>()], 0..6);
    prop_oneof![
        30 => letters.prop_map(String::from_iter),
        1 => (range('a', 'z'), 128usize..300).prop_map(|(c, len)| c.to_string().repeat(len)),
    ]
}

/// Values of every tag.
fn data() -> impl Strategy<Value = Datum> {
    let flat = prop_oneof![
        1 => Just(Datum::of(Value::None)),
        1 => any::<bool>().prop_map(|b| Datum::of(Value::Bool(b))),
        2 => prop_oneof![-3i64..70, any::<i64>()].prop_map(|i| Datum::of(Value::Int(i))),
        1 => (any::<bool>(), many(any::<u8>(), 7..10), 1u8..).prop_map(|(negative, mut low, high)| {
            // Nine bytes at least: beyond 64 bits whatever they are.
            low.resize(low.len().max(8), 0);
            low.push(high);
            Datum::of(BigInt::new(negative, &low).map_or(Value::None, Value::BigInt))
        }),
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(1.5), any::<f64>()]
            .prop_map(|f| Datum::of(Value::Float(f))),
        1 => any::<f32>().prop_map(|f| Datum::of(Value::Float32(f))),
        4 => texts().prop_map(|text| Datum::of(Value::Str(&text))),
        1 => many(any::<u8>(), 0..4).prop_map(|bytes| Datum::of(Value::Bytes(&bytes))),
        1 => texts().prop_map(|text| Datum::of(Value::Opaque(&text))),
    ]
    .boxed();
    let pairs = many(flat.clone(), 0..3).prop_map(Datum::tuple);
    let nested = many(pairs.clone(), 0..3).prop_map(Datum::tuple);
    prop_oneof![12 => flat, 2 => pairs, 1 => nested]
}

/// Heads of every kind that has children.
fn heads() -> impl Strategy<Value = Head> {
    let kinds = [
        Kind::Tuple,
        Kind::List,
        Kind::Dict,
        Kind::OrderedDict,
        Kind::DefaultDict,
        Kind::Some,
        Kind::NamedTuple,
        Kind::Struct,
        Kind::Custom,
    ];
    let keys = prop_oneof![
        many(texts().prop_map(|text| Datum::of(Value::Str(&text))), 0..4),
        many(any::<i8>().prop_map(|i| Datum::of(Value::from(i))), 1..4),
        many(data(), 1..4),
    ];
    let statics = many((texts(), data()), 0..3);
    (::proptest::sample::select(kinds.to_vec()), texts(), keys, statics)
        .prop_map(|(kind, name, keys, statics)| Head { kind, name, keys, statics })
}

/// Models whose size is near the one asked for.
fn models(size: Size) -> impl Strategy<Value = Model> {
    let Size { depth, children, .. } = size;
    let few = children.min(4);
    let (many_copies, most) = (children.min(31), children.max(1));
    let copies = prop_oneof![
        12 => Just(1usize).boxed(),
        6 => (1..=few.max(1)).boxed(),
        1 => (many_copies.max(1)..=most).boxed(),
    ];
    let flat = prop_oneof![3 => Just(Model::Leaf), 1 => Just(Model::None)];
    let bushy = flat.prop_recursive(depth.min(5), 24, 4, move |inner| {
        let mixed = many((inner.clone(), copies.clone()), 0..=few);
        let repeated = (inner, 1..=few.max(1)).prop_map(|item| vec![item]);
        (heads(), prop_oneof![3 => mixed, 2 => repeated])
            .prop_map(|(head, items)| Model::Node(head, items))
    });
    // Nodes around the bush, each with one child or copies of it, and perhaps a leaf behind: few, or a long chain.
    let wrapped = |copies, most| many((heads(), 1..=copies, any::<bool>()), 0..=most);
    let long = depth.saturating_sub(6) as usize;
    let around = prop_oneof![
        4 => Just(Vec::new()),
        2 => wrapped(few.max(1), long.min(3)),
        1 => wrapped(1, long),
    ];
    (bushy, around).prop_map(|(bushy, around)| {
        around.into_iter().fold(bushy, |inner, (head, copies, leaf)| {
            let mut items = vec![(inner, copies)];
            items.extend(leaf.then_some((Model::Leaf, 1)));
            Model::Node(head, items)
        })
    })
}

impl Model {
    /// The treedef; `None` if it has more nodes than asked for.
    fn encode(&self, size: Size) -> Option<AnyTreeDef> {
        if self.nodes() > size.nodes {
            return None;
        }
        let mut bytes = vec![0; 256];
        loop {
            let mut builder = Builder::new(&mut bytes);
            match self.write(&mut builder).and_then(|()| builder.finish()) {
                Ok(def) => {
                    let leaves = u32::try_from(def.num_leaves()).ok()?;
                    let bytes = def.as_bytes().to_vec();
                    return Some(AnyTreeDef { bytes, leaves });
                }
                Err(Error::Full { needed, .. }) => bytes.resize(needed.saturating_mul(2), 0),
                Err(_) => return None,
            }
        }
    }

    /// The number of nodes, copies written out.
    fn nodes(&self) -> usize {
        let Model::Node(_, items) = self else { return 1 };
        items.iter().fold(1, |sum, (child, copies)| {
            sum.saturating_add(child.nodes().saturating_mul(*copies))
        })
    }

    fn write(&self, builder: &mut Builder<'_>) -> Result<(), Error> {
        let Model::Node(head, items) = self else {
            return if matches!(self, Model::Leaf) { builder.leaves(1) } else { builder.none() };
        };
        let children: usize = items.iter().map(|(_, copies)| copies).sum();
        let frame = head.begin(builder, children)?;
        for (child, copies) in items {
            for _ in 0..*copies {
                child.write(builder)?;
            }
        }
        builder.end(frame)
    }

    /// The number of nodes, copies not written out.
    fn places(&self) -> usize {
        let Model::Node(_, items) = self else { return 1 };
        1 + items.iter().map(|(child, _)| child.places()).sum::<usize>()
    }

    /// Edits one node; of copies one alone.
    fn edit(&mut self, at: usize, which: u8, other: &Head) {
        let Some(mut at) = at.checked_sub(1) else { return self.change(which, other) };
        let Model::Node(_, items) = self else { return };
        let here = items.iter().position(|(child, _)| match at.checked_sub(child.places()) {
            Some(behind) => {
                at = behind;
                false
            }
            None => true,
        });
        let Some(i) = here else { return };
        let Some((child, copies)) = items.get_mut(i) else { return };
        if *copies == 1 {
            return child.edit(at, which, other);
        }
        *copies -= 1;
        let mut edited = child.clone();
        edited.edit(at, which, other);
        items.insert(i + usize::from(which & 1), (edited, 1));
    }

    /// Edits the root.
    fn change(&mut self, which: u8, other: &Head) {
        match (which, &mut *self) {
            (0, _) => *self = Model::Leaf,
            (1, _) => *self = Model::None,
            (2, _) => {
                let inner = core::mem::replace(self, Model::None);
                *self = Model::Node(other.clone(), vec![(inner, 1)]);
            }
            (3, Model::Node(head, _)) => head.kind = other.kind,
            (4, Model::Node(head, _)) => head.name.clone_from(&other.name),
            (5, Model::Node(head, _)) => head.keys.extend(other.keys.first().cloned()),
            (6, Model::Node(head, _)) => head.statics.extend(other.statics.first().cloned()),
            (7, Model::Node(head, _)) => drop(head.keys.pop()),
            (8, Model::Node(head, _)) => drop(head.statics.pop()),
            (9, Model::Node(_, items)) => items.push((Model::Leaf, 1)),
            (10, Model::Node(_, items)) => drop(items.pop()),
            (11, Model::Node(_, items)) => {
                let by = items.len().min(1);
                items.rotate_left(by);
            }
            (_, Model::Node(_, items)) => items.iter_mut().take(1).for_each(|(_, n)| *n += 1),
            (_, Model::Leaf | Model::None) => {}
        }
    }
}

/// The number of edits that [`Model::change`] knows.
const EDITS: u8 = 13;

impl Head {
    /// Begins the node; a `Some` with other than one child becomes a tuple.
    fn begin(&self, builder: &mut Builder<'_>, n: usize) -> Result<Frame, Error> {
        let (name, names) = (self.name.as_str(), self.names(n));
        let fields: Vec<&str> = names.iter().map(String::as_str).collect();
        let statics: Vec<_> =
            self.statics.iter().map(|(name, value)| (name.as_str(), value.value())).collect();
        match self.kind {
            Kind::List => builder.begin(&ListOf(n)),
            Kind::Some if n == 1 => builder.begin(&SomeOf),
            Kind::Dict => self.begin_dict(DictKind::Sorted, builder, n),
            Kind::OrderedDict => self.begin_dict(DictKind::Ordered, builder, n),
            Kind::DefaultDict => self.begin_dict(DictKind::Default(name), builder, n),
            Kind::NamedTuple => builder.begin(&NamedTupleOf { name, fields: &fields }),
            Kind::Struct => builder.begin(&StructOf { name, fields: &fields, statics: &statics }),
            Kind::Custom => {
                let aux = statics.first().map_or(Value::None, |(_, value)| *value);
                let keys: Option<Vec<_>> = (!self.keys.is_empty()).then(|| {
                    (0u32..).zip(&fields).map(|(i, name)| self.child_key(i, name)).collect()
                });
                builder.begin(&CustomOf { name, aux, children: n, child_keys: keys.as_deref() })
            }
            _ => builder.begin(&TupleOf(n)),
        }
    }

    fn begin_dict(
        &self,
        kind: DictKind<'_>,
        builder: &mut Builder<'_>,
        n: usize,
    ) -> Result<Frame, Error> {
        let keys = self.dict_keys(n, kind == DictKind::Ordered);
        builder.begin(&DictOf::new(kind, keys.iter().map(Datum::value)))
    }

    /// So many field names.
    fn names(&self, n: usize) -> Vec<String> {
        let given = self.keys.iter().filter_map(|key| match key.value() {
            Value::Str(name) => Some(name.to_string()),
            _ => None,
        });
        given.chain((0..n).map(|i| i.to_string())).take(n).collect()
    }

    /// A key of each of the four kinds in turn.
    fn child_key<'a>(&'a self, i: u32, name: &'a str) -> ChildKey<'a> {
        match (i as usize + self.keys.len()) % 4 {
            0 => ChildKey::Attr(name),
            1 => ChildKey::Key(self.keys.first().map_or(Value::None, Datum::value)),
            2 => ChildKey::Index(i),
            _ => ChildKey::Raw(name),
        }
    }

    /// So many keys that can stand in one dictionary, sorted unless it keeps their order: the given ones as far as they
    /// go together, then others of the first one's type.
    fn dict_keys(&self, n: usize, ordered: bool) -> Vec<Datum> {
        let fits = |a: &Datum, b: &Datum| match ordered {
            true => !a.value().same_key(b.value()),
            false => matches!(a.value().compare(b.value()), Some(order) if order.is_ne()),
        };
        let mut keys: Vec<Datum> = Vec::new();
        for key in self.keys.iter().take(n) {
            if keys.iter().all(|other| fits(other, key)) {
                keys.push(key.clone());
            }
        }
        // Each given key equals at most one of these.
        let fillers = (0i64..).take(n + keys.len()).map(|i| filler(keys.first(), i));
        let fillers: Vec<_> =
            fillers.filter(|key| keys.iter().all(|other| fits(other, key))).collect();
        keys.extend(fillers);
        keys.truncate(n);
        if keys.len() < n {
            keys = (0i64..).take(n).map(|i| Datum::of(Value::Int(i))).collect();
        }
        if !ordered {
            keys.sort_by(|a, b| a.value().compare(b.value()).unwrap_or(Ordering::Equal));
        }
        keys
    }
}

/// A key that differs for each `i` and can be compared with `first`, where its type has more than one ordered value.
fn filler(first: Option<&Datum>, i: i64) -> Datum {
    match first.map(Datum::value) {
        None | Some(Value::Str(_)) => Datum::of(Value::Str(&i.to_string())),
        Some(Value::Bytes(_)) => Datum::of(Value::Bytes(&i.to_be_bytes())),
        Some(Value::Tuple(elements)) => {
            let last = core::iter::once(Value::Int(i));
            Datum::tuple(elements.iter().chain(last).map(Datum::of).collect::<Vec<_>>())
        }
        Some(_) => Datum::of(Value::Int(i)),
    }
}
