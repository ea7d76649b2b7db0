//! Texts of optree that no line of the corpus has.

use super::node_of;
use super::optree_text::{codify, entries, text};
use treedef::head::{ChildKey, DictKind, HeadSpec};
use treedef::{KeyEntry, TreeDef, Value, head};

/// The text of a node over leaves.
fn flat(heading: impl HeadSpec) -> String {
    over(&heading, &vec![TreeDef::LEAF; heading.arity()])
}

/// The text of a node over these children.
fn over(heading: &impl HeadSpec, children: &[TreeDef<'_>]) -> String {
    text(node_of(heading, children).unwrap().treedef(), false)
}

fn custom(name: &'static str, aux: Value<'static>, children: usize) -> head::Custom<'static> {
    head::Custom { name, aux, children, child_keys: None }
}

#[test]
fn nodes_print_as_in_optree() {
    let deque = |maxlen, children| custom("collections.deque", maxlen, children);
    let meta = [("dt", Value::Bool(false)), ("mode", Value::Str("it's"))];
    let gains = |count| head::Struct { name: "a::Gains", fields: &["kp"], meta: &meta[..count] };
    for (ours, theirs) in [
        (text(TreeDef::NONE, false), "None"),
        (flat(head::Tuple(1)), "(*,)"),
        (flat(head::Dict::new(DictKind::Ordered, ["b", "a"])), "OrderedDict({'b': *, 'a': *})"),
        (flat(head::Dict::new(DictKind::Ordered, [""; 0])), "OrderedDict()"),
        (flat(head::Dict::new(DictKind::Default("None"), [""; 0])), "defaultdict(None, {})"),
        (
            flat(head::Dict::new(DictKind::Default("<class 'int'>"), [1])),
            "defaultdict(<class 'int'>, {1: *})",
        ),
        (
            flat(head::NamedTuple { name: "time.struct_time", fields: &["tm_year"] }),
            "time.struct_time(tm_year=*)",
        ),
        (flat(head::NamedTuple { name: "a::Empty", fields: &[] }), "Empty()"),
        (flat(deque(Value::None, 0)), "deque()"),
        (flat(deque(Value::Int(0), 0)), "deque(maxlen=0)"),
        (flat(deque(Value::None, 1)), "deque([*])"),
        (flat(deque(Value::Int(2), 2)), "deque([*, *], maxlen=2)"),
        (flat(custom("Box", Value::Str("tag"), 1)), "CustomTreeNode(Box['tag'], [*])"),
        (flat(gains(0)), "CustomTreeNode(Gains[()], [*])"),
        (flat(gains(1)), "CustomTreeNode(Gains[(('dt', False),)], [*])"),
        (flat(gains(2)), r#"CustomTreeNode(Gains[(('dt', False), ('mode', "it's"))], [*])"#),
    ] {
        assert_eq!(ours, format!("PyTreeSpec({theirs})"));
    }
    let list = node_of(&head::List(1), &[TreeDef::LEAF]).unwrap();
    assert_eq!(text(list.treedef(), true), "PyTreeSpec([*], NoneIsLeaf)");
}

#[test]
fn paths_print_as_in_optree() {
    let keys = [ChildKey::Index(0), ChildKey::Index(1)];
    let deque = head::Custom {
        name: "collections.deque",
        aux: Value::None,
        children: 2,
        child_keys: Some(&keys),
    };
    let deque = node_of(&deque, &[TreeDef::LEAF; 2]).unwrap();
    let dict = head::Dict::new(DictKind::Sorted, ["d"]);
    let tree = node_of(&dict, &[deque.treedef()]).unwrap();
    let path = tree.treedef().path(1).unwrap();
    assert_eq!(codify("t", path.entries()), "t['d'][1]");
    let expected = vec![KeyEntry::Key(Value::Str("d")), KeyEntry::Index(1)];
    assert_eq!(entries(tree.treedef(), path.found().unwrap().indices()), Some(expected));

    let path = [KeyEntry::FlatIndex(0), KeyEntry::Raw("plain"), KeyEntry::Attr("x")];
    assert_eq!(codify("t", path), "t[<flat index 0>][<flat index 'plain'>].x");
    assert_eq!(
        codify("t", [KeyEntry::Attr("it's"), KeyEntry::Index(0)]),
        r#"getattr(t, "it's")[0]"#
    );
}
