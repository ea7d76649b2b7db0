//! `test_treespec.py`: treedefs made of treedefs.

use heapless::LinearMap;
use treedef::head::DictKind;
use treedef::{Error, Kind, TreeDef, TreeDefBuf, head};

use super::trees::cases;
use crate::suites::model::{flatten_nones, node_of, py, structure, write};
use crate::support;

/// A node of every kind, made of what its head tells and of its children.
fn construct(def: TreeDef<'static>) -> TreeDef<'static> {
    let (head, children) = (def.head(), Vec::from_iter(def.children()));
    let dict = |kind| node_of(&head::Dict::new(kind, head.keys()), &children);
    match head.kind() {
        Kind::Leaf => TreeDef::LEAF,
        Kind::None => TreeDef::NONE,
        Kind::Tuple => node_of(&head::Tuple(children.len()), &children),
        Kind::List => write(&children.as_slice()),
        Kind::Dict => dict(DictKind::Sorted),
        Kind::OrderedDict => dict(DictKind::Ordered),
        Kind::DefaultDict => dict(DictKind::Default(head.factory().unwrap())),
        Kind::NamedTuple => {
            let fields = Vec::from_iter(head.fields());
            let name = head.type_name().unwrap();
            node_of(&head::NamedTuple { name, fields: &fields }, &children)
        }
        _ => {
            let keys = head.child_keys().map(Vec::from_iter);
            let heading = head::Custom {
                name: head.type_name().unwrap(),
                aux: head.aux().unwrap(),
                children: children.len(),
                child_keys: keys.as_deref(),
            };
            node_of(&heading, &children)
        }
    }
}

#[test]
fn treespec_constructor() {
    fn descend(def: TreeDef<'static>) {
        assert_eq!(construct(def), def);
        def.children().for_each(descend);
    }
    for case in cases() {
        descend(case.def);
    }
}

/// A tree with `None` as a leaf has the treedef of a tree with a leaf there.
#[test]
fn treespec_leaf_none() {
    assert_ne!(TreeDef::LEAF, TreeDef::NONE);
    assert_eq!(structure(&py!(1)), TreeDef::LEAF);
    assert_eq!(structure(&py!(None)), TreeDef::NONE);
    assert_eq!(flatten_nones(&py!(1)).1, TreeDef::LEAF);
    assert_eq!(flatten_nones(&py!(None)).1, TreeDef::LEAF);
}

/// Children are treedefs by their type, so what is no treedef does not compile; their number is checked.
#[test]
fn treespec_constructor_none_treespec_inputs() {
    let inner = TreeDefBuf::<8>::tuple(&[TreeDef::LEAF, TreeDef::LEAF]).unwrap();
    assert_eq!(write(&[TreeDef::LEAF, inner.as_treedef()]), structure(&py!([0, (1, 2)])));
    let error = support::node_of(&head::List(3), &[TreeDef::LEAF]);
    assert_eq!(error, Err(Error::Arity { expected: 3, found: 1 }));
    let children = [("b", TreeDef::LEAF), ("a", inner.as_treedef())];
    let dict = write(&LinearMap::<_, _, 2>::from_iter(children));
    assert_eq!(dict, structure(&py!({"a": (1, 2), "b": 0})));
}

/// No value is a treedef but what was validated or built; the empty string of bytes is none.
#[test]
fn treespec_construct() {
    assert!(TreeDef::from_bytes(&[]).is_err());
    assert_eq!(TreeDefBuf::<1>::from_treedef(TreeDef::LEAF).unwrap().as_treedef(), TreeDef::LEAF);
}
