//! The writer and every heading.

use core::hint::black_box;

use treedef::encode::OpenNode;
use treedef::format::BigInt;
use treedef::format::ValueTuple;
use treedef::head::{ChildKey, DictKind, HeadSpec, head_into, head_len};
use treedef::{Error, TreeDef, Value, Writer, head};

use super::{Done, keep};

/// The methods of the writer that are `const`.
pub(super) fn constant() -> Done {
    let mut bytes = [0; 128];
    let mut out = Writer::new(black_box(&mut bytes));
    let root = Writer::begin_tuple(&mut out, black_box(5));
    let list = Writer::begin_list(&mut out, black_box(40));
    Writer::leaves(&mut out, black_box(40));
    Writer::end(&mut out, list);
    Writer::repeat(&mut out, black_box(1));
    let dict = Writer::begin_dict(&mut out, black_box(&["a", "b"]));
    Writer::none(&mut out);
    Writer::repeat(&mut out, black_box(1));
    Writer::end(&mut out, dict);
    let pid = Writer::begin_struct(&mut out, black_box("Pid"), black_box(&["kp"]));
    Writer::leaves(&mut out, 1);
    Writer::end(&mut out, pid);
    let pair = TreeDef::from_bytes(black_box(&[0x22, 0x01])).ok()?;
    let head = Writer::begin_head(&mut out, &TreeDef::head(&pair));
    Writer::subtree(&mut out, black_box(pair));
    Writer::leaves(&mut out, 1);
    keep(Writer::num_leaves(&out));
    keep(OpenNode::is_open(&head));
    Writer::end(&mut out, head);
    Writer::end(&mut out, root);
    keep(Writer::finish(out).ok()?);
    Some(())
}

/// Begins a node with `heading`, adds its leaves and ends it.
fn node<H: HeadSpec>(out: &mut Writer<'_>, heading: &H) {
    Writer::node(out, black_box(heading), |out| out.leaves(heading.arity()));
}

/// Dictionaries of the three kinds with keys of the three forms, from a slice of keys.
fn dicts(out: &mut Writer<'_>, keys: &[Value<'_>]) {
    for kind in [DictKind::Sorted, DictKind::Ordered, DictKind::Default("<class 'int'>")] {
        node(out, &head::Dict::new(kind, black_box(keys).iter().copied()));
    }
}

/// A list of nodes of every kind, with keys and data of every kind.
pub(super) fn sample(bytes: &mut [u8]) -> Option<TreeDef<'_>> {
    let mut out = Writer::new(bytes);
    let root = Writer::begin(&mut out, &head::List(black_box(19)));
    node(&mut out, &head::Tuple(black_box(2)));
    node(&mut out, &head::Tuple(black_box(2)));
    out.none();
    node(&mut out, &head::Some);
    dicts(&mut out, &[Value::Str("a"), Value::Str("it's")]);
    dicts(&mut out, &[Value::Int(-1), Value::Int(7)]);
    dicts(&mut out, &[Value::Bool(false), Value::Float(0.5)]);
    let point = head::NamedTuple { name: "geometry::Point", fields: &["x", "y"] };
    node(&mut out, &point);
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
    node(&mut out, &pid);
    let keys =
        [ChildKey::Attr("a"), ChildKey::Key(data[0]), ChildKey::Index(3), ChildKey::Raw("?")];
    let custom =
        head::Custom { name: "Custom", aux: data[2], children: 4, child_keys: Some(&keys) };
    node(&mut out, &custom);
    let flat = head::Custom { name: "Flat", aux: Value::None, children: 2, child_keys: None };
    node(&mut out, &flat);
    let (name, aux) = ("collections.deque", Value::Int(5));
    let deque = head::Custom { name, aux, children: 2, child_keys: None };
    node(&mut out, &deque);
    out.leaves(1);
    out.end(root);
    out.finish().ok()
}

/// Builds the sample.
pub(super) fn all_kinds() -> Done {
    let mut bytes = [0; 512];
    let def = sample(black_box(&mut bytes))?;
    keep(def);
    Some(())
}

/// What a heading answers, and what a writer refuses.
pub(super) fn headings() -> Done {
    let keys = [Value::Int(2), Value::Int(1), Value::Float(1.0)];
    let refused = head::Dict::new(DictKind::Sorted, black_box(&keys).iter().copied());
    keep(head_into(&refused, &mut [0; 16]).err()?);
    let ordered = head::Dict::new(DictKind::Ordered, black_box(&keys).iter().copied());
    keep(head_into(&ordered, &mut [0; 16]).ok()?);
    let (mut bytes, heading) = ([0; 8], head::Tuple(black_box(3)));
    keep(head_len(&heading));
    keep(head_into(&heading, black_box(&mut bytes)).ok()?);
    let mut out = Writer::new(&mut []);
    Writer::set_max_depth(&mut out, black_box(3));
    node(&mut out, &head::Tuple(black_box(3)));
    keep(out.finish().err()?);
    let mut out = Writer::new(&mut bytes);
    Writer::fail(&mut out, black_box(Error::TooLarge));
    keep(out.finish().err()?);
    Some(())
}
