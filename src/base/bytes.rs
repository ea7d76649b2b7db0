//! Compares and copies short byte strings, as fast as Cortex-M can.
//!
//! On Cortex-M `slice ==` is a loop over single bytes, 3.6 times slower than one over words, and `memcpy` takes longer
//! to check the alignment than a head takes to copy. On other machines the compiler vectorises both.

use super::target::SMALL_CODE;

/// `bytes[..len]`, empty if there are fewer.
#[inline]
pub(crate) const fn first(bytes: &[u8], len: usize) -> &[u8] {
    match bytes.split_at_checked(len) {
        Some((first, _)) => first,
        None => &[],
    }
}

/// `bytes[len..]`, empty if there are fewer.
#[inline]
pub(crate) const fn after(bytes: &[u8], len: usize) -> &[u8] {
    match bytes.split_at_checked(len) {
        Some((_, after)) => after,
        None => &[],
    }
}

/// What is left of bytes that begin with these, for a `const fn`.
#[inline]
pub(crate) const fn strip_prefix<'b>(bytes: &'b [u8], front: &[u8]) -> Option<&'b [u8]> {
    match bytes.split_at_checked(front.len()) {
        Some((own, rest)) if equal_words(own, front) => Some(rest),
        _ => None,
    }
}

/// `bytes[from..to]`, empty if out of range.
#[inline]
pub(crate) const fn part(bytes: &[u8], from: usize, to: usize) -> &[u8] {
    after(first(bytes, to), from)
}

/// Converts a number of bytes or nodes that was checked to fit.
#[inline]
pub(crate) const fn small(count: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation)]
    let count = count as u32;
    count
}

/// Whether two byte strings are equal.
#[inline]
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    if cfg!(target_arch = "arm") { equal_words(a, b) } else { a == b }
}

/// Whether two byte strings are equal, of which both are often the same memory, such as that of a `const` treedef.
#[inline]
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && (core::ptr::eq(a.as_ptr(), b.as_ptr()) || equal(a, b))
}

/// Compares two byte strings by words of 8 bytes, also in `const`.
pub(crate) const fn equal_words(mut a: &[u8], mut b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    // A Cortex-M0 or a RISC-V loads no word from an address that is not a multiple of four: there it would be put together of eight bytes,
    // which takes more code and time than the bytes below. A Cortex-M3 or larger is the Arm target with atomic operations.
    if (!SMALL_CODE || cfg!(all(target_arch = "arm", target_has_atomic = "ptr")))
        && let (Some(x), Some(y)) = (a.last_chunk::<8>(), b.last_chunk::<8>())
    {
        if u64::from_ne_bytes(*x) != u64::from_ne_bytes(*y) {
            return false;
        }
        // The bytes after the last whole word were compared above.
        while let (Some((x, rest_a)), Some((y, rest_b))) =
            (a.split_first_chunk::<8>(), b.split_first_chunk::<8>())
        {
            if u64::from_ne_bytes(*x) != u64::from_ne_bytes(*y) {
                return false;
            }
            (a, b) = (rest_a, rest_b);
        }
        return true;
    }
    while let ([x, rest_a @ ..], [y, rest_b @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (rest_a, rest_b);
    }
    true
}

/// Whether `a` is before `b` in the order of slices. Keys are short and often differ in the first bytes, so this takes
/// less than a call of `memcmp`.
#[inline]
pub(crate) const fn less(mut a: &[u8], mut b: &[u8]) -> bool {
    while let (Some((x, rest_a)), Some((y, rest_b))) =
        (a.split_first_chunk::<8>(), b.split_first_chunk::<8>())
    {
        let (x, y) = (u64::from_be_bytes(*x), u64::from_be_bytes(*y));
        if x != y {
            return x < y;
        }
        (a, b) = (rest_a, rest_b);
    }
    while let ([x, rest_a @ ..], [y, rest_b @ ..]) = (a, b) {
        if *x != *y {
            return *x < *y;
        }
        (a, b) = (rest_a, rest_b);
    }
    a.len() < b.len()
}

/// [`less`], for strings with the same [`first_word`].
#[inline]
pub(crate) fn less_after_prefix(a: &[u8], b: &[u8]) -> bool {
    let common = a.len().min(b.len());
    if common > 16 {
        return less(a, b);
    }
    // Up to 16 bytes are the prefix and the last 8 bytes, which can overlap.
    let last = |bytes: &[u8]| Some(u64::from_be_bytes(*bytes.get(..common)?.last_chunk()?));
    let (x, y) = (last(a), last(b));
    // One of two strings without a difference is the other one with nothing or zeros after it.
    x < y || x == y && a.len() < b.len()
}

/// The first 8 bytes, followed by zeros if there are fewer, as a number. With its bytes swapped it is the *prefix*: such
/// numbers have the order of slices.
#[inline]
pub(crate) fn first_word(bytes: &[u8]) -> u64 {
    if let Some(chunk) = bytes.first_chunk::<8>() {
        return u64::from_le_bytes(*chunk);
    }
    // The first and the last bytes, which can overlap.
    let [len, ..] = bytes.len().to_le_bytes();
    let after = |read: u8| u32::from(len.wrapping_sub(read)).wrapping_mul(8);
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let last = u64::from(u32::from_le_bytes(*last));
        return u64::from(u32::from_le_bytes(*first)) | last.wrapping_shl(after(4));
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<2>(), bytes.last_chunk::<2>()) {
        let last = u64::from(u16::from_le_bytes(*last));
        return u64::from(u16::from_le_bytes(*first)) | last.wrapping_shl(after(2));
    }
    bytes.first().map_or(0, |byte| u64::from(*byte))
}

/// The largest number of bytes that [`copy_short`] copies without a call or a loop.
pub(crate) const SHORT: usize = 64;

/// Copies `source` to `target`, which has the same length. Up to [`SHORT`] bytes take two copies, which can overlap, and no
/// call of `memcpy`.
#[inline(always)]
pub(crate) const fn copy_short(target: &mut [u8], source: &[u8]) {
    if SMALL_CODE || source.len() > SHORT {
        copy(target, source);
    } else {
        copy_few::<{ SHORT + 1 }>(target, source);
    }
}

/// Copies fewer than `END` bytes, at most [`SHORT`].
#[inline(always)]
const fn copy_few<const END: usize>(target: &mut [u8], source: &[u8]) {
    if let ([slot], [byte]) = (&mut *target, source) {
        *slot = *byte;
        return;
    }
    let copied = END > 32 && copy_ends::<32>(target, source)
        || END > 16 && copy_ends::<16>(target, source)
        || END > 8 && copy_ends::<8>(target, source)
        || copy_ends::<4>(target, source);
    if !copied {
        copy_ends::<2>(target, source);
    }
}

/// Copies the first and the last `N` bytes; `false` if there are fewer than `N`.
#[inline]
const fn copy_ends<const N: usize>(target: &mut [u8], source: &[u8]) -> bool {
    if let (Some(slots), Some(bytes)) = (target.first_chunk_mut::<N>(), source.first_chunk::<N>()) {
        *slots = *bytes;
    }
    match (target.last_chunk_mut::<N>(), source.last_chunk::<N>()) {
        (Some(slots), Some(bytes)) => {
            *slots = *bytes;
            true
        }
        _ => false,
    }
}

/// Copies `source` to `target`, which has the same length; otherwise nothing is copied.
///
/// Not `copy_from_slice`: where an optimiser for size makes that a function of its own, it can panic. Blocks are copied by
/// halves, because the compiler turns a loop over single words into `memcpy`.
#[inline]
pub(crate) const fn copy(target: &mut [u8], source: &[u8]) {
    const BLOCK: usize = if SMALL_CODE { 8 } else { 32 };
    if target.len() != source.len() {
        return;
    }
    let (Some(slots), Some(last)) =
        (target.last_chunk_mut::<BLOCK>(), source.last_chunk::<BLOCK>())
    else {
        return copy_few::<BLOCK>(target, source);
    };
    // The bytes after the last whole block.
    *slots = *last;
    let (mut to, mut from) = (target.as_chunks_mut::<BLOCK>().0, source.as_chunks::<BLOCK>().0);
    while let ([slot, after_to @ ..], [block, after_from @ ..]) = (to, from) {
        let (slots, _) = slot.as_chunks_mut::<{ BLOCK / 2 }>();
        let (halves, _) = block.as_chunks::<{ BLOCK / 2 }>();
        if let ([a, b], [x, y]) = (slots, halves) {
            (*a, *b) = (*x, *y);
        }
        (to, from) = (after_to, after_from);
    }
}

/// Equality and hash of a type that gives its bytes as `AsRef<[u8]>`: those of the bytes.
macro_rules! equal_as_bytes {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> PartialEq for $type {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                $crate::base::bytes::same(self.as_ref(), other.as_ref())
            }
        }

        impl<$($generics)*> Eq for $type {}

        impl<$($generics)*> core::hash::Hash for $type {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self.as_ref().hash(state);
            }
        }

        impl<$($generics)*> core::borrow::Borrow<[u8]> for $type {
            fn borrow(&self) -> &[u8] {
                self.as_ref()
            }
        }
    };
}
pub(crate) use equal_as_bytes;

/// What a type that owns bytes and gives them as `AsRef<[u8]>` has from `$view`, the view that `$as_view` gives.
///
/// Equality, order and hash are those of the bytes, as those of the view are.
macro_rules! as_its_view {
    ([$($generics:tt)*] $type:ty, $as_view:ident: $view:ident) => {
        impl<$($generics)*> core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Debug::fmt(&self.$as_view(), f)
            }
        }

        #[doc = concat!("As [`", stringify!($view), "`] prints.")]
        impl<$($generics)*> core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(&self.$as_view(), f)
            }
        }

        $crate::base::bytes::equal_as_bytes!([$($generics)*] $type);

        impl<$($generics)*> PartialEq<$view<'_>> for $type {
            fn eq(&self, other: &$view<'_>) -> bool {
                $crate::base::bytes::equal(self.as_ref(), other.as_bytes())
            }
        }

        impl<$($generics)*> PartialEq<$type> for $view<'_> {
            fn eq(&self, other: &$type) -> bool {
                other == self
            }
        }

        impl<$($generics)*> PartialOrd for $type {
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl<$($generics)*> Ord for $type {
            fn cmp(&self, other: &Self) -> core::cmp::Ordering {
                self.as_ref().cmp(other.as_ref())
            }
        }

        impl<'v, $($generics)*> From<&'v $type> for $view<'v> {
            fn from(owner: &'v $type) -> Self {
                owner.$as_view()
            }
        }

        #[cfg(feature = "defmt")]
        #[doc = concat!("Formats as [`", stringify!($view), "`] does.")]
        impl<$($generics)*> defmt::Format for $type {
            fn format(&self, f: defmt::Formatter<'_>) {
                defmt::Format::format(&self.$as_view(), f);
            }
        }
    };
}
pub(crate) use as_its_view;

/// Makes a type that owns its bytes on the heap from bytes, gives these bytes, and lets maps find it by its view.
#[cfg(feature = "alloc")]
macro_rules! into_bytes {
    ($type:ident, $view:ident) => {
        #[doc = concat!("So that `map.get(&view)` finds a `", stringify!($type), "`.")]
        impl equivalent::Equivalent<$type> for $view<'_> {
            #[inline]
            fn equivalent(&self, owner: &$type) -> bool {
                self == owner
            }
        }

        #[doc = concat!("Checks bytes from outside as [`", stringify!($view), "::from_bytes`] and copies them.")]
        impl TryFrom<&[u8]> for $type {
            type Error = $crate::base::decode_error::DecodeError;

            fn try_from(bytes: &[u8]) -> Result<Self, Self::Error> {
                $view::from_bytes(bytes).map(|view| Self::from(&view))
            }
        }

        impl AsRef<[u8]> for $type {
            #[inline]
            fn as_ref(&self) -> &[u8] {
                &self.bytes
            }
        }

        $crate::base::bytes::into_bytes!($type => [] alloc::boxed::Box<[u8]>);
        $crate::base::bytes::into_bytes!($type => [] alloc::vec::Vec<u8>);
        $crate::base::bytes::into_bytes!(
            $type => [#[cfg(target_has_atomic = "ptr")]] alloc::sync::Arc<[u8]>
        );
    };
    ($type:ident => [$($cfg:tt)*] $bytes:ty) => {
        $($cfg)*
        impl From<$type> for $bytes {
            fn from(owner: $type) -> Self {
                owner.bytes.into()
            }
        }
    };
}
#[cfg(feature = "alloc")]
pub(crate) use into_bytes;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_by_words_is_equality() {
        let bytes: [u8; 40] = core::array::from_fn(|i| i as u8);
        for len in 0..bytes.len() {
            let part = &bytes[..len];
            assert!(equal_words(part, part) && equal(part, part));
            assert!(!equal_words(part, &bytes[..=len]) && !equal(part, &bytes[..=len]));
            for i in 0..len {
                let mut other = bytes;
                other[i] ^= 0x80;
                assert!(!equal_words(part, &other[..len]) && !equal(part, &other[..len]));
            }
        }
    }

    #[test]
    fn copies_are_copies() {
        let bytes: [u8; 40] = core::array::from_fn(|i| i as u8 + 1);
        for from in 0..bytes.len() {
            for len in 0..bytes.len() - from {
                let source = &bytes[from..from + len];
                let mut whole = [0; 48];
                copy(&mut whole[4..4 + len], source);
                assert_eq!(&whole[4..4 + len], source);
                assert!(whole[..4].iter().chain(&whole[4 + len..]).all(|byte| *byte == 0));
            }
        }
    }

    /// The order as the writer of keys finds it.
    fn by_prefix(a: &[u8], b: &[u8]) -> bool {
        let (x, y) = (first_word(a).swap_bytes(), first_word(b).swap_bytes());
        x < y || x == y && less_after_prefix(a, b)
    }

    #[test]
    fn short_strings_are_compared_and_copied_as_slices() {
        let texts = (0..40).map(|len| core::array::from_fn::<u8, 40, _>(|i| (i / 3 * len) as u8));
        for (len, bytes) in texts.enumerate() {
            let part = &bytes[..len];
            let mut copied = [0xEE; 40];
            copy_short(&mut copied[..len], part);
            assert_eq!(&copied[..len], part);
            assert!(copied[len..].iter().all(|byte| *byte == 0xEE));
            assert!(equal_words(part, part) && !equal_words(part, &bytes[..=len]));
            assert!(less(part, &bytes[..=len]) && !less(&bytes[..=len], part) && !less(part, part));
            assert!(by_prefix(part, &bytes[..=len]) && !by_prefix(&bytes[..=len], part));
            assert!(by_prefix(&[0; 40][..len], &[0; 40][..=len]));
            for i in 0..len {
                // The first difference decides, whatever follows it.
                let mut other = bytes;
                other[i] ^= 0x80;
                other[i + 1..].fill(0xFF * (bytes[i] >> 7));
                let other = &other[..len];
                assert!(!equal_words(part, other));
                let expected = (part < other, other < part);
                assert_eq!((less(part, other), less(other, part)), expected);
                assert_eq!((by_prefix(part, other), by_prefix(other, part)), expected);
            }
        }
    }
}
