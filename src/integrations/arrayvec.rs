//! Makes a tree of `arrayvec::ArrayVec`: a list.

use arrayvec::ArrayVec;

use crate::tree::containers::list::vector;
use crate::tree::vector::Vector;

impl<T, const N: usize> Vector<T> for ArrayVec<T, N> {
    fn add(&mut self, element: T) -> bool {
        self.try_push(element).is_ok()
    }
}

vector!([, const N: usize] ArrayVec<T, N>, room: N, owned: ArrayVec::into_iter);
