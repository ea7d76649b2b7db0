//! A library between the program and treedef. Its functions are not inlined, so lengths that a program of one crate would
//! have as constants are arguments here, and several types share what the optimiser outlines.
#![no_std]
#![forbid(unsafe_code)]

use treedef::tree::{leaves_from, muts_into, refs_into};
use treedef::{
    CallKey, Error, Tree, TreeDef, TreeDefBuf, flatten_into, leaves_into, map, matches, over,
    structure_into, treedef_of, unflatten,
};

/// Small arrays in an array.
#[derive(Tree, Clone, Copy)]
pub struct Gains {
    pub w: [[f32; 2]; 4],
}

/// A filter with matrices.
#[derive(Tree, Clone, Copy)]
pub struct Estimator {
    pub state: [f32; 6],
    pub covariance: [[f32; 6]; 6],
    pub noise: [Gains; 2],
    pub bias: f32,
}

/// Parts of which some depend on the value.
#[derive(Tree, Clone, Copy)]
pub struct Settings {
    pub gains: Gains,
    pub limit: Option<[f32; 3]>,
    pub mode: Mode,
}

/// What a controller does.
#[derive(Tree, Clone, Copy)]
pub enum Mode {
    Idle,
    Hold { at: [f32; 2] },
    Track([[f32; 3]; 2]),
}

/// Declares functions that are not inlined, for a tree type of `f32`.
macro_rules! callers {
    ($($module:ident: $tree:ty,)*) => {$(
        /// The operations on one type.
        pub mod $module {
            use super::*;

            /// Copies the leaves.
            #[inline(never)]
            pub fn leaves(tree: &$tree, leaves: &mut [f32]) -> Result<usize, Error> {
                leaves_into(tree, leaves)
            }

            /// Borrows the leaves.
            #[inline(never)]
            pub fn refs<'a>(tree: &'a $tree, leaves: &mut [Option<&'a f32>]) -> Result<usize, Error> {
                refs_into(tree, leaves)
            }

            /// Borrows the leaves, to change them.
            #[inline(never)]
            pub fn muts<'a>(tree: &'a mut $tree, leaves: &mut [Option<&'a mut f32>]) -> Result<usize, Error> {
                muts_into(tree, leaves)
            }

            /// Writes the leaves.
            #[inline(never)]
            pub fn written(tree: &mut $tree, leaves: &[f32]) -> Result<(), Error> {
                leaves_from(tree, leaves)
            }

            /// Writes the structure and the leaves.
            #[inline(never)]
            pub fn flatten<'b>(tree: &$tree, bytes: &'b mut [u8], leaves: &mut [f32]) -> Result<(TreeDef<'b>, usize), Error> {
                flatten_into(tree, bytes, leaves)
            }

            /// Writes the structure of a list.
            #[inline(never)]
            pub fn list<'b>(trees: &[$tree], bytes: &'b mut [u8]) -> Result<TreeDef<'b>, Error> {
                structure_into(trees, bytes)
            }

            /// Compares the structure.
            #[inline(never)]
            pub fn expected(tree: &$tree, def: TreeDef<'_>) -> Result<(), Error> {
                matches(tree, def)
            }

            /// Rebuilds the tree.
            #[inline(never)]
            pub fn unflattened(def: TreeDef<'_>, leaves: &[f32]) -> Result<$tree, Error> {
                unflatten(def, leaves)
            }

            /// Adds up the leaves.
            #[inline(never)]
            pub fn total(tree: &$tree) -> Result<f32, Error> {
                let mut total = 0.0;
                over(tree).for_each(|x: &f32| total += x)?;
                Ok(total)
            }

            /// Changes the leaves by those of another tree.
            #[inline(never)]
            pub fn step(tree: &mut $tree, by: &$tree) -> Result<(), Error> {
                over(&mut *tree).for_each(|x: &mut f32| *x *= 0.5)?;
                over((tree, by)).for_each(|(x, by): (&mut f32, _)| *x -= by)
            }

            /// Makes a new tree.
            #[inline(never)]
            pub fn halved(tree: &$tree) -> Result<$tree, Error> {
                map(tree, |x: &f32| x * 0.5)
            }

            /// Writes the key of the tree.
            #[inline(never)]
            pub fn key<'b>(tree: &$tree, bytes: &'b mut [u8]) -> Result<CallKey<'b>, Error> {
                CallKey::of_tree(tree, bytes)
            }
        }
    )*};
}

callers! {
    gains: Gains,
    estimator: Estimator,
    settings: Settings,
    pairs: [(f32, [f32; 2]); 3],
    floats: [f32; 12],
}

/// Keeps a treedef.
#[inline(never)]
pub fn kept(def: TreeDef<'_>) -> Result<TreeDefBuf<64>, Error> {
    TreeDefBuf::from_treedef(def)
}

/// Keeps a constant treedef.
#[inline(never)]
pub fn kept_constant() -> Result<TreeDefBuf<256>, Error> {
    TreeDefBuf::from_treedef(treedef_of::<Estimator>())
}
