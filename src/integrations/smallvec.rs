//! Makes a tree of `smallvec::SmallVec`: a list.

use smallvec::SmallVec;

use crate::tree::containers::list::vector;
use crate::tree::vector::Vector;

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
