//! The builder and every heading.

use core::hint::black_box;

use treedef::format::BigInt;
use treedef::format::ValueTuple;
use treedef::head::{ChildKey, DictKind, HeadSpec, head_into, head_len};
use treedef::{Builder, Error, TreeDef, Value, head};

use super::{Done, keep};

/// The methods of the builder that are `const`.
pub(super) fn constant() -> Done {
    let mut bytes = [0; 128];
    let mut builder = Builder::new(black_box(&mut bytes));
    let root = Builder::begin_tuple(&mut builder, black_box(5)).ok()?;
    let list = Builder::begin_list(&mut builder, black_box(40)).ok()?;
    Builder::leaves(&mut builder, black_box(40)).ok()?;
    Builder::end(&mut builder, list).ok()?;
    Builder::repeat(&mut builder, black_box(1)).ok()?;
    let dict = Builder::begin_dict(&mut builder, black_box(&["a", "b"])).ok()?;
    Builder::none(&mut builder).ok()?;
    Builder::repeat(&mut builder, black_box(1)).ok()?;
    Builder::end(&mut builder, dict).ok()?;
    let pid = Builder::begin_struct(&mut builder, black_box("Pid"), black_box(&["kp"])).ok()?;
    Builder::leaves(&mut builder, 1).ok()?;
    Builder::end(&mut builder, pid).ok()?;
    let pair = TreeDef::from_bytes(black_box(&[0x22, 0x01])).ok()?;
    let head = Builder::begin_head(&mut builder, &TreeDef::head(&pair)).ok()?;
    Builder::subtree(&mut builder, black_box(pair)).ok()?;
    Builder::leaves(&mut builder, 1).ok()?;
    keep(Builder::num_leaves(&builder));
    Builder::end(&mut builder, head).ok()?;
    Builder::end(&mut builder, root).ok()?;
    keep(Builder::finish(builder).ok()?);
    Some(())
}

/// Begins a node with `heading`, adds its leaves and ends it.
fn node<H: HeadSpec>(builder: &mut Builder<'_>, heading: &H) -> Result<(), Error> {
    let frame = Builder::begin(builder, black_box(heading))?;
    builder.leaves(heading.arity())?;
    builder.end(frame)
}

/// Dictionaries of the three kinds with keys of the three forms, from a slice of keys.
fn dicts(builder: &mut Builder<'_>, keys: &[Value<'_>]) -> Result<(), Error> {
    for kind in [DictKind::Sorted, DictKind::Ordered, DictKind::Default("<class 'int'>")] {
        node(builder, &head::Dict::new(kind, black_box(keys).iter().copied()))?;
    }
    Ok(())
}

/// A list of nodes of every kind, with keys and data of every kind.
pub(super) fn sample(bytes: &mut [u8]) -> Option<TreeDef<'_>> {
    let mut builder = Builder::new(bytes);
    let root = Builder::begin(&mut builder, &head::List(black_box(19))).ok()?;
    node(&mut builder, &head::Tuple(black_box(2))).ok()?;
    node(&mut builder, &head::Tuple(black_box(2))).ok()?;
    builder.none().ok()?;
    node(&mut builder, &head::Some).ok()?;
    dicts(&mut builder, &[Value::Str("a"), Value::Str("it's")]).ok()?;
    dicts(&mut builder, &[Value::Int(-1), Value::Int(7)]).ok()?;
    dicts(&mut builder, &[Value::Bool(false), Value::Float(0.5)]).ok()?;
    let point = head::NamedTuple { name: "geometry::Point", fields: &["x", "y"] };
    node(&mut builder, &point).ok()?;
    let (big, elements) = ([0, 0, 0, 0, 0, 0, 0, 0, 1], [Value::None, Value::Float32(1e-7)]);
    let data = [
        Value::BigInt(BigInt::new(true, &big)?),
        Value::Bytes(b"\xff'"),
        Value::Tuple(ValueTuple::new(&elements)),
        Value::Opaque("<object>"),
        Value::Str("é\u{200b}"),
    ];
    let meta = [("dt", Value::Float(f64::MAX)), ("data", Value::Tuple(ValueTuple::new(&data)))];
    let pid = head::Struct { name: "control::Pid", fields: &["kp", "ki"], meta: &meta };
    node(&mut builder, &pid).ok()?;
    let keys =
        [ChildKey::Attr("a"), ChildKey::Key(data[0]), ChildKey::Index(3), ChildKey::Raw("?")];
    let custom =
        head::Custom { name: "Custom", aux: data[2], children: 4, child_keys: Some(&keys) };
    node(&mut builder, &custom).ok()?;
    let flat = head::Custom { name: "Flat", aux: Value::None, children: 2, child_keys: None };
    node(&mut builder, &flat).ok()?;
    let (name, aux) = ("collections.deque", Value::Int(5));
    let deque = head::Custom { name, aux, children: 2, child_keys: None };
    node(&mut builder, &deque).ok()?;
    builder.leaves(1).ok()?;
    builder.end(root).ok()?;
    builder.finish().ok()
}

/// Builds the sample.
pub(super) fn all_kinds() -> Done {
    let mut bytes = [0; 512];
    let def = sample(black_box(&mut bytes))?;
    keep(def);
    Some(())
}

/// What a heading answers, and what a builder refuses.
pub(super) fn headings() -> Done {
    let keys = [Value::Int(2), Value::Int(1), Value::Float(1.0)];
    let refused = head::Dict::new(DictKind::Sorted, black_box(&keys).iter().copied());
    keep(refused.check().err()?);
    let ordered = head::Dict::new(DictKind::Ordered, black_box(&keys).iter().copied());
    ordered.check().ok()?;
    let mut length = 0usize;
    let counted = head::Tuple(black_box(3)).pieces(&mut |piece| {
        length = length.saturating_add(piece.len());
        Ok(())
    });
    counted.ok()?;
    keep(length);
    let (mut bytes, heading) = ([0; 8], head::Tuple(black_box(3)));
    keep(head_len(&heading));
    keep(head_into(&heading, black_box(&mut bytes)).ok()?);
    let mut builder = Builder::new(&mut []);
    keep(node(&mut builder, &head::Tuple(black_box(3))).err()?);
    Some(())
}
