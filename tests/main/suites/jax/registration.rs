//! `RegistrationTest`: what `register_dataclass` says, the derive says at compile time.

use treedef::tree::Structure;
use treedef::{Tree, treedef_of};

#[test]
fn register_dataclass_with_field_specifier() {
    #[derive(Tree)]
    struct Foo {
        x: f32,
        #[tree(meta)]
        y: i32,
    }
    let foo = Foo { x: 2.0, y: 3 };
    assert_eq!(Structure::num_leaves(&foo), Ok(1));
    assert_eq!((foo.x, foo.y), (2.0, 3));
}

/// A field that is left out is rebuilt from its default.
#[test]
fn register_dataclass_drop_fields() {
    #[derive(Tree, Debug, PartialEq)]
    struct Foo {
        x: f32,
        #[tree(skip)]
        y: i32,
    }
    assert_eq!(treedef_of::<Foo>().num_leaves(), 1);
    let foo: Foo = treedef::unflatten(treedef_of::<Foo>(), &[2.0f32]).unwrap();
    assert_eq!(foo, Foo { x: 2.0, y: 0 });
}

/// No constructor runs when a tree is rebuilt, so nothing can be left out of it.
#[test]
fn register_dataclass_init_false() {
    #[derive(Tree, Debug, PartialEq)]
    struct Foo {
        x: f32,
        total: f32,
    }
    let foo: Foo = treedef::unflatten(treedef_of::<Foo>(), &[1.0f32, 5.0]).unwrap();
    assert_eq!(foo, Foo { x: 1.0, total: 5.0 });
}
