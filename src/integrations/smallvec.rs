//! Makes a tree of `smallvec::SmallVec`: a list.

use smallvec::SmallVec;

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

type Small<T, const N: usize> = SmallVec<[T; N]>;

impl<T, const N: usize> Vector<T> for Small<T, N> {
    fn with_room(count: usize) -> Self {
        Self::with_capacity(count)
    }

    fn add(&mut self, element: T) -> bool {
        self.push(element);
        true
    }
}

vector!([, const N: usize] Small<T, N>, room: usize::MAX, owned: Small::into_iter);
