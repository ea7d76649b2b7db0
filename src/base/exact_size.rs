//! What iterators that know their length say of it, and the length of others.

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

/// The number of items, which most iterators know.
#[inline]
pub fn count(items: impl IntoIterator) -> usize {
    let items = items.into_iter();
    match items.size_hint() {
        (least, Some(most)) if least == most => least,
        // `count` can panic where overflow is checked.
        _ => items.fold(0, |count: usize, _| count.saturating_add(1)),
    }
}
