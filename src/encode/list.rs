//! Describes lists. Of neighbours that are alike only the first is described, and a repeat.

use core::mem::replace;
use core::slice;

use crate::base::attempt::attempt;
use crate::base::target::SMALL_CODE;
use crate::encode::constant::const_def;
use crate::encode::structure::Structure;
use crate::encode::writer::Writer;

/// Describes a list with these elements, as [`describe_elements`].
#[inline]
pub(crate) fn describe_list<'a, T: Structure + 'a, I: ExactSizeIterator<Item = &'a T>>(
    elements: I,
    out: &mut Writer<'_>,
    next_unlike: impl Fn(&mut I, &'a T) -> Option<&'a T>,
) {
    let list = out.begin_list(elements.len());
    if list.is_open() {
        describe_elements(out, elements, next_unlike);
        out.end(list);
    }
}

/// Describes the elements of a list. Of neighbours that are alike it describes the first and a repeat.
///
/// `next_unlike` is [`next_unlike`] or [`next_unlike_in_slice`].
pub(crate) fn describe_elements<'a, T, I>(
    out: &mut Writer<'_>,
    mut elements: I,
    next_unlike: impl Fn(&mut I, &'a T) -> Option<&'a T>,
) where
    T: Structure + 'a,
    I: ExactSizeIterator<Item = &'a T>,
{
    if const { T::TREEDEF.is_some() } {
        return out.equal_children(const_def::<T>(), elements.len());
    }
    let mut next = elements.next();
    let mut left = elements.len();
    // Elements often alternate between two structures, as layers with and without an option. So each is compared with the
    // last two that differ, and has the bytes of the earlier one if it is alike to that.
    let (mut last, mut earlier) = (None, None);
    while let Some(element) = next {
        let from = out.position();
        // Where the last one was not described, it can equal the earlier one: values of one structure need not be alike.
        let copied = match (earlier, last) {
            (Some((other, described)), Some(_)) if element.alike(other) => out.again(described),
            _ => false,
        };
        if !copied {
            element.describe(out);
        }
        // An element that was not described to its end may be too deep to compare.
        if !out.is_well() {
            return;
        }
        next = next_unlike(&mut elements, element);
        if !SMALL_CODE && next.is_some() {
            earlier = replace(&mut last, out.described(from).map(|described| (element, described)));
        }
        let taken = left.wrapping_sub(elements.len());
        let copies = taken.wrapping_sub(usize::from(next.is_some()));
        if copies > 0 {
            out.repeat(copies);
        }
        left = left.wrapping_sub(taken);
    }
}

/// The first of the next elements that is not alike to `element`.
#[inline]
pub(crate) fn next_unlike<'a, T: Structure>(
    elements: &mut impl Iterator<Item = &'a T>,
    element: &T,
) -> Option<&'a T> {
    // No `find`, which would be one more function for each type of element.
    loop {
        let next = attempt!(elements.next());
        if !next.alike(element) {
            return Some(next);
        }
    }
}

/// As [`next_unlike`]. Asks for the end of the slice only once for four small elements, which saves a quarter of the
/// instructions if an element has one option.
#[inline]
pub(crate) fn next_unlike_in_slice<'a, T: Structure>(
    elements: &mut slice::Iter<'a, T>,
    element: &T,
) -> Option<&'a T> {
    if const { !SMALL_CODE && size_of::<T>() <= 64 } {
        let next = attempt!(elements.next());
        if !next.alike(element) {
            return Some(next);
        }
        pass_alike_fours(elements, element);
    }
    next_unlike(elements, element)
}

/// Steps over four elements at a time, as long as all four are alike to `element`.
#[inline]
fn pass_alike_fours<T: Structure>(elements: &mut slice::Iter<'_, T>, element: &T) {
    let mut rest = elements.as_slice();
    while let Some(([a, b, c, d], after)) = rest.split_first_chunk()
        && a.alike(element)
        && b.alike(element)
        && c.alike(element)
        && d.alike(element)
    {
        rest = after;
    }
    *elements = rest.iter();
}

/// Whether two lists have equally many elements, and elements at the same position are alike.
#[inline]
pub(crate) fn alike_elements<T: Structure>(elements: &[T], others: &[T]) -> bool {
    if elements.len() != others.len() {
        return false;
    }
    if const { T::TREEDEF.is_some() } {
        return true;
    }
    // Without `zip`, which is four functions for each type of element.
    let mut rest = others;
    for element in elements {
        let [other, after @ ..] = rest else { return false };
        if !element.alike(other) {
            return false;
        }
        rest = after;
    }
    true
}
