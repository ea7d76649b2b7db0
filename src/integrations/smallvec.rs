//! Makes a tree of `smallvec::SmallVec`: a list.

use core::convert::Infallible;

use smallvec::SmallVec;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::limits::Limits;
use crate::encode::structure::Structure;
use crate::format::head::Kind;
use crate::tree::containers::list::vector;
use crate::tree::lanes::{Lanes, Leaves, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::Pairing;
use crate::tree::rebuild::{Rebuild, Source};
use crate::tree::traits::{MapTree, TreeBuild, TreeRead, TreeWrite, Visit, ZipPrefix};
use crate::treedef::cursor::Siblings;

type Small<T, const N: usize> = SmallVec<[T; N]>;

/// Appends an element. A vector that is rebuilt grows as its elements are read: a length in a treedef alone never
/// allocates.
fn push<T, const N: usize>(vector: &mut Small<T, N>, element: T) -> Result<(), Infallible> {
    vector.push(element);
    Ok(())
}

vector!([, const N: usize] Small<T, N>, room: usize::MAX, new: Small::with_capacity, push: push, owned: Small::into_iter);

#[cfg(test)]
mod tests {
    use smallvec::{SmallVec, smallvec};

    use crate::{flatten_into, unflatten};

    #[test]
    fn vectors_are_lists_of_any_length() {
        for len in [0usize, 2, 5] {
            let list: SmallVec<[f32; 2]> = smallvec![1.5; len];
            let (mut bytes, mut leaves) = ([0; 8], [0.0f32; 5]);
            let (def, count) = flatten_into(&list, &mut bytes, &mut leaves).unwrap();
            assert_eq!((def.num_leaves(), count), (len, len));
            assert_eq!(unflatten(def, &leaves[..len]), Ok(list));
        }
    }
}
