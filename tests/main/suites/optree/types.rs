//! The types of the trees of optree's suite.

use treedef::Value;
use treedef::head::ChildKey;

use crate::suites::model::{Tree, custom, named, ordered, py};
use crate::suites::trees::flat_cache;
use crate::support::optree_text::text;

pub(super) fn custom_tuple(first: Tree, second: Tree) -> Tree {
    named("CustomTuple", &["foo", "bar"], [first, second])
}

/// A struct sequence: a named tuple whose type name has a module.
fn struct_sequence(name: &str, fields: &[&str], items: Tree) -> Tree {
    named(name, fields, items.children().into_iter().cloned())
}

pub(super) fn struct_time(items: Tree) -> Tree {
    let fields = [
        "tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday",
        "tm_isdst",
    ];
    struct_sequence("time.struct_time", &fields, items)
}

pub(super) fn float_info(items: Tree) -> Tree {
    let fields = [
        "max",
        "max_exp",
        "max_10_exp",
        "min",
        "min_exp",
        "min_10_exp",
        "dig",
        "mant_dig",
        "epsilon",
        "radix",
        "rounds",
    ];
    struct_sequence("sys.float_info", &fields, items)
}

/// `collections.deque`: a custom node whose aux data is its bound and whose children have positions.
pub(super) fn deque(maxlen: Option<i64>, items: impl IntoIterator<Item = Tree>) -> Tree {
    let items = Vec::from_iter(items);
    let keys: Vec<_> = (0..).map(ChildKey::Index).take(items.len()).collect();
    custom("collections.deque", maxlen.map_or(Value::None, Value::Int), Some(&keys), items)
}

/// A mapping whose keys are flattened backwards.
pub(super) fn my_dict<const N: usize>(aux: &str, items: [(&'static str, Tree); N]) -> Tree {
    let keys = items.each_ref().map(|(key, _)| ChildKey::Key(Value::Str(key)));
    custom("MyDict", Value::Opaque(aux), Some(&keys), items.map(|(_, tree)| tree))
}

fn attributes(name: &str, aux: Value<'_>, fields: &[&str], items: Vec<Tree>) -> Tree {
    let keys: Vec<_> = fields.iter().map(|field| ChildKey::Attr(field)).collect();
    custom(name, aux, Some(&keys), items)
}

pub(super) fn my_dataclass(items: [Tree; 4]) -> Tree {
    attributes("MyDataclass", Value::None, &["alpha", "beta", "gamma", "delta"], items.into())
}

pub(super) fn my_other_dataclass(aux: &str, items: [Tree; 2]) -> Tree {
    attributes("MyOtherDataclass", Value::Opaque(aux), &["a", "c"], items.into())
}

pub(super) fn my_another_dataclass(items: [Tree; 3]) -> Tree {
    attributes("MyAnotherDataclass", Value::None, &["x", "y", "z"], items.into())
}

pub(super) fn something(last: Tree) -> Tree {
    ordered([("foo", py!(34)), ("baz", py!(101)), ("something", last)])
}

/// With optree's text of the treedef as aux data, and items for keys.
pub(super) fn optree_flat_cache(content: &Tree) -> Tree {
    let Tree::Node(head, leaves) = flat_cache(content, |def| text(def, false)) else {
        unreachable!("a custom node")
    };
    let indices = (0..).map(|index| ChildKey::Key(Value::Int(index)));
    let keys: Vec<_> = indices.take(leaves.len()).collect();
    custom("FlatCache", head.aux().unwrap_or(Value::None), Some(&keys), leaves)
}
