//! Makes a tree of `arrayvec::ArrayVec`: a list.

use arrayvec::ArrayVec;

use crate::base::attempt::{attempt, ok};
use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::structure::Structure;
use crate::encode::writer::Writer;
use crate::tree::build::{Rebuild, TreeBuild};
use crate::tree::containers::list::vector;
use crate::tree::lanes::{Lanes, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::Pairing;
use crate::tree::traits::{Leaf, MapTree, TreeRead, TreeWrite, ZipPrefix};
use crate::tree::vector::Vector;
use crate::tree::walk::{TreeWalk, VisitLanes};
use crate::treedef::cursor::Siblings;

impl<T, const N: usize> Vector<T> for ArrayVec<T, N> {
    fn with_room(_: usize) -> Self {
        Self::new()
    }

    fn add(&mut self, element: T) -> bool {
        self.try_push(element).is_ok()
    }
}

vector!([, const N: usize] ArrayVec<T, N>, room: N, owned: ArrayVec::into_iter);
