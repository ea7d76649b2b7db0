//! `test_dataclasses.py`: what a class registered with its fields does, a type with the derive does.

use treedef::{KeyEntry, Kind, Tree, TreeDefBuf, Value, leaves_into, treedef_of, unflatten};

use crate::support::optree_text::codify;

#[derive(Tree, Debug, PartialEq)]
struct Point {
    x: f32,
    y: f32,
    #[tree(meta)]
    dimensions: i64,
}

/// A field that is no child is metadata.
#[test]
fn field_with_init() {
    let point = Point { x: 1.0, y: 2.0, dimensions: 2 };
    let mut leaves = [0.0f32; 2];
    assert_eq!(leaves_into(&point, &mut leaves), Ok(2));
    assert_eq!(leaves, [1.0, 2.0]);
    let def = TreeDefBuf::<128>::structure(&point).unwrap();
    let meta = Vec::from_iter(def.as_treedef().head().meta_fields());
    assert_eq!(meta, [("dimensions", Value::Int(2))]);
}

#[test]
fn dataclass_with_init() {
    let def = TreeDefBuf::<128>::structure(&Point { x: 0.0, y: 0.0, dimensions: 3 }).unwrap();
    let again: Point = unflatten(&def, &[5.0f32, 6.0]).unwrap();
    assert_eq!(again, Point { x: 5.0, y: 6.0, dimensions: 3 });
}

#[test]
fn register_existing_class() {
    #[derive(Tree, Debug, PartialEq)]
    struct Pair {
        first: f32,
        second: [f32; 2],
    }
    let def = treedef_of::<Pair>();
    assert_eq!((def.kind(), def.num_leaves()), (Kind::Struct, 3));
    assert!(def.head().fields().eq(["first", "second"]));
    let pair: Pair = unflatten(def, &[1.0f32, 2.0, 3.0]).unwrap();
    assert_eq!(pair, Pair { first: 1.0, second: [2.0, 3.0] });
}

/// Two values with different metadata have different structures.
#[test]
fn register_existing_class_with_metadata() {
    let structure =
        |dimensions| TreeDefBuf::<128>::structure(&Point { x: 1.0, y: 2.0, dimensions }).unwrap();
    assert_eq!(structure(2), structure(2));
    assert_ne!(structure(2), structure(3));
}

/// `DIFFERENCE`: no constructor runs when a tree is rebuilt, so a field that one would change comes back as it was.
#[test]
fn dataclass_post_init_rewriting_a_field_does_not_round_trip() {
    #[derive(Tree, Debug, PartialEq)]
    struct Doubled {
        value: f32,
    }
    impl Doubled {
        fn new(value: f32) -> Self {
            Self { value: value * 2.0 }
        }
    }
    let doubled = Doubled::new(1.5);
    let again: Doubled = unflatten(treedef_of::<Doubled>(), &[doubled.value]).unwrap();
    assert_eq!(again, doubled);
    assert_ne!(again, Doubled::new(doubled.value));
}

/// A field that is left out of the tree comes back as its default.
#[test]
fn register_init_false_field() {
    #[derive(Tree, Debug, PartialEq)]
    struct Cached {
        value: f32,
        #[tree(skip)]
        cache: Option<i32>,
    }
    let mut leaves = [0.0f32; 1];
    assert_eq!(leaves_into(&Cached { value: 1.0, cache: Some(7) }, &mut leaves), Ok(1));
    let again: Cached = unflatten(treedef_of::<Cached>(), &leaves).unwrap();
    assert_eq!(again, Cached { value: 1.0, cache: None });
}

#[test]
fn register_accessor_support() {
    let def = TreeDefBuf::<128>::structure(&Point { x: 1.0, y: 2.0, dimensions: 2 }).unwrap();
    let codes =
        def.as_treedef().paths().map(|path| codify("p", path.entries())).collect::<Vec<_>>();
    assert_eq!(codes, ["p.x", "p.y"]);
}

/// An entry names the field; its position counts the children alone, not the metadata before them.
#[test]
fn dataclass_entry_integer_indexes_children() {
    #[derive(Tree)]
    struct Late {
        #[tree(meta)]
        size: i64,
        value: f32,
    }
    let late = Late { size: 1, value: 2.0 };
    let def = TreeDefBuf::<128>::structure(&late).unwrap();
    let head = def.as_treedef().head();
    assert_eq!((head.num_children(), head.fields().next()), (1, Some("value")));
    assert!(head.entries().eq([KeyEntry::Attr("value")]));
    assert_eq!((late.size, late.value), (1, 2.0));
}
