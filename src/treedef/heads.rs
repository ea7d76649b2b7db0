//! Iterates over the heads of all nodes in preorder, with open lists in a slice of the caller.
//!
//! A list waits in the slice while one of its children is read. A list whose last child was read does not wait. For
//! example, `[(*, *), [*]]`:
//!
//! ```text
//! list     no list waits
//! tuple    the list waits, with 1 child to come
//! *, *
//! list     was the last child: no list waits
//! *
//! ```

use core::iter::FusedIterator;

use crate::base::error::Error;
use crate::base::levels::Level;
use crate::base::show::debug_struct;
use crate::format::head::Head;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::treedef::TreeDef;

/// The heads of all nodes of a treedef; see [`TreeDef::heads_with`].
///
/// # Examples
///
/// ```
/// use treedef::encode::Level;
/// use treedef::treedef;
///
/// let mut levels = [Level::default(); 8];
/// assert_eq!(treedef!([(*, *), *]).heads_with(&mut levels).count(), 5);
/// ```
#[must_use = "iterators do nothing until they are consumed"]
pub struct Heads<'a, 'l> {
    cursor: Cursor<'a>,
    /// The innermost open list.
    list: Siblings,
    /// The lists around it that wait, and room for others.
    levels: &'l mut [Level],
    waiting: usize,
}

debug_struct!([] Heads<'_, '_> { waiting });

impl<'a> TreeDef<'a> {
    /// The heads of all nodes in preorder, leaves included and repeats written out, of a treedef of any depth.
    ///
    /// [`TreeDef::nodes`] yields more about each node and needs no levels, but is limited to the depth of
    /// [`TreeDef::from_bytes`]. This method uses a level for each node around the next one that has more children to
    /// come. A step costs reading a head.
    ///
    /// # Errors
    ///
    /// The last item is [`Error::TooDeep`] if there are too few `levels`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::encode::Level;
    /// use treedef::{Error, Kind, treedef};
    ///
    /// let def = treedef!([(*, *), *]);
    /// let mut levels = [Level::default(); 1];
    /// let kinds = def.heads_with(&mut levels).map(|head| head.map(|head| head.kind()));
    /// assert!(kinds.eq([Kind::List, Kind::Tuple, Kind::Leaf, Kind::Leaf, Kind::Leaf].map(Ok)));
    ///
    /// assert_eq!(def.heads_with(&mut []).nth(1), Some(Err(Error::TooDeep { limit: 0 })));
    /// ```
    pub fn heads_with<'l>(&self, levels: &'l mut [Level]) -> Heads<'a, 'l> {
        Heads { cursor: Cursor::new(*self), list: Siblings::root(), levels, waiting: 0 }
    }
}

impl<'a> Iterator for Heads<'a, '_> {
    type Item = Result<Head<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let head = loop {
            if let Some(head) = self.cursor.next(&mut self.list) {
                break head;
            }
            self.waiting = self.waiting.checked_sub(1)?;
            self.list = Siblings::unpack(self.levels.get(self.waiting)?.0);
        };
        if head.arity() > 0 {
            if !self.list.is_done() {
                let Some(level) = self.levels.get_mut(self.waiting) else {
                    (self.waiting, self.list) = (0, Siblings::default());
                    let limit = u32::try_from(self.levels.len()).unwrap_or(u32::MAX);
                    return Some(Err(Error::TooDeep { limit }));
                };
                *level = Level(self.list.pack());
                self.waiting = self.waiting.saturating_add(1);
            }
            self.list = Siblings::of(&head);
        }
        Some(Ok(head))
    }
}

impl FusedIterator for Heads<'_, '_> {}
