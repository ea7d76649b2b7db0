//! What iterators that know their length say of it.

/// The methods of an `Iterator` whose length is `$len`. It reaches its last element by `nth`.
macro_rules! exact_size {
    ($self:ident => $len:expr) => {
        fn size_hint(&$self) -> (usize, Option<usize>) {
            ($len, Some($len))
        }

        fn count($self) -> usize {
            $len
        }

        fn last(mut $self) -> Option<Self::Item> {
            $self.nth(($len).checked_sub(1)?)
        }
    };
}
pub(crate) use exact_size;
