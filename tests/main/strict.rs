//! What the derives and macros write passes the strictest lints of a user: clippy checks this module as all others.
#![cfg(feature = "derive")]
#![deny(warnings, unsafe_code, clippy::all, clippy::pedantic)]
#![allow(unreachable_pub, reason = "as in the root of a library")]

use treedef::{Leaf, Meta, Tree, TreeDef, flatten_into, treedef, unflatten};

/// A leaf.
#[derive(Clone, Copy, Debug, Leaf, PartialEq)]
pub struct Volts(f32);

/// A value of the structure.
#[derive(Clone, Copy, Debug, Meta, PartialEq)]
pub enum Window {
    /// Of one value.
    Rectangle,
    /// Of one value with data.
    Kaiser {
        /// The data.
        beta: u8,
    },
}

/// A struct with each attribute.
#[derive(Clone, Debug, PartialEq, Tree)]
#[tree(name = "strict::Filter", meta(version = 2u8))]
pub struct Filter<T, const N: usize> {
    /// Leaves.
    pub taps: [T; N],
    /// A leaf that may be missing, with a default.
    #[tree(default)]
    pub offset: Option<T>,
    /// Part of the structure.
    #[tree(meta)]
    pub window: Window,
    /// No part of the tree.
    #[tree(skip)]
    pub calls: u32,
}

/// An enum with each kind of variant.
#[derive(Clone, Debug, PartialEq, Tree)]
pub enum Stage<T> {
    /// Without fields.
    Pass,
    /// With one field.
    Gain(T),
    /// With a tree.
    Filter {
        /// The tree.
        filter: Filter<T, 2>,
    },
}

/// Structs without names, and without fields.
#[derive(Clone, Debug, PartialEq, Tree)]
pub struct Pair<T>(T, T);

/// Nothing.
#[derive(Clone, Debug, PartialEq, Tree)]
pub struct Nothing;

treedef::leaf_types! {
    /// Several leaf types.
    pub struct Signal { owned SignalValue, read SignalRef, write SignalMut, Volts(Volts), Count(u16) }
}

const SHAPE: TreeDef<'static> = treedef!({"a": *, "b": (*, None)});

#[test]
fn strict_lints_pass_what_is_derived() {
    let window = Window::Kaiser { beta: 3 };
    let filter = Filter { taps: [Volts(1.0), Volts(2.0)], offset: None, window, calls: 0 };
    let trees = (Stage::Filter { filter }, Stage::Gain(Volts(3.0)), Pair(Volts(4.0), Volts(5.0)));
    let (mut bytes, mut leaves) = ([0; 256], [Volts(0.0); 5]);
    let (def, count) = flatten_into(&(trees.clone(), Nothing), &mut bytes, &mut leaves).unwrap();
    assert_eq!((count, SHAPE.num_leaves()), (5, 2));
    assert_eq!(unflatten(def, &leaves), Ok((trees, Nothing)));
    let (mixed, mut values) = ((Volts(1.0), 2u16), [const { SignalValue::Count(0) }; 2]);
    let flat = treedef::tree::mixed::flatten_into::<Signal>(&mixed, &mut bytes, &mut values);
    assert!(flat.is_ok());
}
