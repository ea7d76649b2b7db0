//! What must compile.
#![deny(warnings)]
#![allow(dead_code)]

use treedef::{Leaf, Meta, Tree};

#[derive(Tree)]
pub struct Linear<T, const N: usize> {
    w: [T; N],
    b: Option<T>,
    #[tree(meta)]
    window: Window,
    #[tree(leaf)]
    count: u32,
    #[tree(skip)]
    calls: u64,
}

#[derive(Tree)]
#[tree(name = "ctl::Mode", meta(version = 2u8))]
pub enum Mode<'a> {
    Off,
    Track(f32, f32),
    Nested { inner: Option<&'a Mode<'a>> },
}

#[derive(Meta)]
pub enum Window {
    Box,
    Hann,
}

#[derive(Leaf)]
pub struct Tensor<T: Copy = f32> {
    rows: usize,
    scale: T,
}

#[derive(Tree)]
#[deprecated]
pub struct Old(f32);

pub const SECOND: usize = treedef::path::leaf_index!(treedef::treedef!({"a": *, "b": [*]}), "b[0]");

pub fn rebuilt<L: treedef::Leaf + Clone>(
    def: treedef::TreeDef<'_>,
    leaves: &[L],
) -> Result<[L; 2], treedef::Error> {
    treedef::unflatten(def, leaves)
}

pub fn changed<L: treedef::Leaf, T: treedef::Tree<L>>(tree: &mut T, change: fn(&mut L)) {
    treedef::for_each_mut(tree, change).ok();
}
