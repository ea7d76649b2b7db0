//! Rebuilds values of other models from the leaves up.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::base::try_error::UserError;
use crate::encode::depth::MAX_DEPTH;
use crate::format::head::Head;
use crate::treedef::preorder::{Event, Preorder};
use crate::treedef::treedef::TreeDef;

/// Builds a value of your own type from a treedef and leaves, children before parents: `leaf` converts a leaf, `node` makes
/// a value from a head and the values of the children.
///
/// This is the inverse of [`Object`](crate::Object), without recursion. `stack` holds the values whose parent is not
/// built yet; it needs [`fold_len`] slots. The open levels, at most [`MAX_DEPTH`], take 3 kB of the call stack. For
/// `None`, `node` gets no children. What `stack` held before is overwritten, and after an error it can hold values.
/// Children that `node` does not take from the iterator are dropped. An ordered dictionary can have a key twice, so a
/// `node` that builds a map must check whether it already has an entry.
///
/// # Errors
///
/// [`Error::NodesFull`] with the exact number of slots, before anything is built; [`Error::TooFewLeaves`],
/// [`Error::TooManyLeaves`], [`Error::TooDeep`]; the errors of `node`.
///
/// # Examples
///
/// ```
/// use serde_json::Value;
/// use treedef::dynamic::{fold, fold_len};
/// use treedef::{Error, Kind, treedef};
///
/// let def = treedef!({"b": None, "w": [*, *]});
/// let mut stack = vec![None; fold_len(def)?];
/// let json = fold(def, [1, 2], &mut stack, Value::from, |head, children| {
///     Ok::<_, Error>(match head.kind() {
///         Kind::None => Value::Null,
///         Kind::Dict | Kind::OrderedDict => {
///             let mut map = serde_json::Map::new();
///             for ((second, key), child) in (0..).zip(head.keys()).zip(children) {
///                 if map.insert(key.as_str().unwrap_or_default().to_owned(), child).is_some() {
///                     let first = (0..).zip(head.keys()).find(|(_, other)| *other == key).map_or(0, |(first, _)| first);
///                     return Err(Error::DuplicateKey { first, second });
///                 }
///             }
///             map.into()
///         }
///         _ => Value::Array(children.collect()),
///     })
/// })?;
/// assert_eq!(json, serde_json::json!({"w": [1, 2], "b": null}));
/// # Ok::<(), Error>(())
/// ```
#[doc(alias("walk", "traverse", "from_iterable_tree"))]
pub fn fold<'d, L, T, E: UserError>(
    def: impl Into<TreeDef<'d>>,
    leaves: impl IntoIterator<Item = L>,
    stack: &mut [Option<T>],
    mut leaf: impl FnMut(L) -> T,
    mut node: impl FnMut(Head<'d>, FoldChildren<'_, T>) -> Result<T, E>,
) -> Result<T, E> {
    let def = def.into();
    let (needed, room) = (fold_len(def)?, stack.len());
    let full = Error::NodesFull { needed, room };
    if needed > room {
        return Err(full.into());
    }
    let (mut leaves, mut found, mut top) = (leaves.into_iter(), 0usize, 0usize);
    let expected = def.num_leaves();
    let mut nodes = Preorder::<_, { MAX_DEPTH as usize }>::new(def);
    while let Some(event) = nodes.next() {
        let value = match event {
            Event::Enter(Head::LEAF) => {
                let item = leaves.next().ok_or(Error::TooFewLeaves { expected, found })?;
                found = found.saturating_add(1);
                leaf(item)
            }
            Event::Enter(head) if head.arity() > 0 => {
                nodes.open(&head, head)?;
                continue;
            }
            Event::Enter(head) | Event::Leave(head) => {
                let start = top.checked_sub(head.num_children()).ok_or(full)?;
                let children = stack.get_mut(start..top).ok_or(full)?;
                let value = node(head, FoldChildren(children.iter_mut()))?;
                children.fill_with(|| None);
                top = start;
                value
            }
        };
        *stack.get_mut(top).ok_or(full)? = Some(value);
        top = top.saturating_add(1);
    }
    if leaves.next().is_some() {
        return Err(Error::TooManyLeaves { expected, found: expected.saturating_add(1) }.into());
    }
    stack.first_mut().and_then(Option::take).ok_or_else(|| full.into())
}

/// Returns the length of the stack that a [`fold`] over `def` needs: the most values that wait for their parent at one
/// time.
///
/// Takes one pass over the bytes and 2 kB of stack.
///
/// # Errors
///
/// [`Error::TooDeep`], as in [`fold`].
///
/// # Examples
///
/// ```
/// assert_eq!(treedef::dynamic::fold_len(treedef::treedef!([*, [*, *], *])), Ok(3));
/// ```
pub fn fold_len<'d>(def: impl Into<TreeDef<'d>>) -> Result<usize, Error> {
    // The values that wait at this point, the most of them so far inside the open node, and the most that the child before
    // added, which its copies add again. The first two are kept with each open node.
    let (mut values, mut most, mut added) = (0u32, 0u32, 1u32);
    let mut nodes = Preorder::<_, { MAX_DEPTH as usize }>::new(def.into());
    while let Some((copies, event)) = nodes.next_other() {
        if let Some(others) = copies.checked_sub(1) {
            most = most.max(values.saturating_add(others).saturating_add(added));
            values = values.saturating_add(copies);
        }
        match event {
            Event::Enter(head) if head.arity() > 0 => {
                nodes.open(&head, (values, most))?;
                most = values;
                continue;
            }
            Event::Enter(_) => added = 1,
            Event::Leave((before, outside)) => {
                added = most.saturating_sub(before);
                (values, most) = (before, most.max(outside));
            }
        }
        values = values.saturating_add(1);
        most = most.max(values);
    }
    Ok(most as usize)
}

/// An iterator that takes the values of a node's children, in order.
///
/// # Examples
///
/// ```
/// use treedef::dynamic::fold;
/// use treedef::{Error, treedef};
///
/// let mut stack = [None; 4];
/// let sum = fold(treedef!([*, (*, *)]), [1, 2, 3], &mut stack, |leaf| leaf, |_, children| {
///     Ok::<_, Error>(children.sum())
/// })?;
/// assert_eq!(sum, 6);
/// # Ok::<(), Error>(())
/// ```
#[must_use = "iterators do nothing until they are consumed"]
pub struct FoldChildren<'s, T>(core::slice::IterMut<'s, Option<T>>);

debug_struct!([T] FoldChildren<'_, T> {});

impl<T> Iterator for FoldChildren<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next()?.take()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> ExactSizeIterator for FoldChildren<'_, T> {}
