//! The paths of the leaves of a tree, in order, in one pass over the treedef.

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::encode::depth::MAX_DEPTH;
use crate::encode::shape::Shape;
use crate::encode::structure::Structure;
use crate::encode::write::matches;
use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::treedef::key_path::KeyPath;
use crate::treedef::lists::depth;
use crate::treedef::preorder::{Event, Keys, Preorder};
use crate::treedef::treedef::TreeDef;

/// The number of levels in a [`KeyPaths`].
const LEVELS: usize = MAX_DEPTH as usize;

/// Iterates over the paths of the leaves of a treedef. Holds 64 bytes for each level.
///
/// Names come from the [`Shape`] of the type. Where it does not fix the structure (the length of a list, the keys of a map,
/// the variant of an enum), the treedef is read. The paths of a `Vec` of two structs `Area { x, y }`:
///
/// ```text
/// treedef    levels            path
/// list       list              ..
/// struct     list, struct      [0].x     the struct is fixed: it is stepped over in the treedef, and its copy too
///                              [0].y
///            list, struct      [1].x     the copy
///                              [1].y
/// the end
/// ```
pub(crate) struct KeyPaths<'a> {
    nodes: Preorder<'a, Keys, LEVELS>,
    /// The open nodes: first those that `nodes` has open, then those in a node of fixed shape that it stepped over.
    levels: Levels<Level, LEVELS>,
    /// For each open node the entry of the child that was read last. A node that was just opened has none.
    path: Levels<KeyEntry<'a>, LEVELS>,
    /// The shape of the root.
    root: &'static Shape,
    /// The number of copies to come of the node that was stepped over.
    copies: u32,
}

/// An open node: its shape, and the index of its next child if the shape is fixed.
#[derive(Clone, Copy)]
struct Level {
    shape: &'static Shape,
    next: usize,
}

impl Level {
    /// Goes on to the next child of a node of fixed shape.
    #[inline]
    fn next(&mut self) -> Option<(KeyEntry<'static>, &'static Shape)> {
        let child = self.shape.child(self.next)?;
        self.next = self.next.wrapping_add(1);
        Some(child)
    }

    /// The shape of the child before the last `left` children, as far as it is known.
    fn child(&self, left: usize) -> &'static Shape {
        match self.shape {
            Shape::Struct { children, .. } | Shape::Tuple(children) => {
                children.as_slice().iter().nth_back(left).copied().unwrap_or(&Shape::Varies)
            }
            Shape::List(_, of) => of,
            Shape::ListOf(of) => of.0(),
            _ => &Shape::Varies,
        }
    }
}

impl<'a> KeyPaths<'a> {
    /// Checks `def` and starts before its first leaf. `def` must be the treedef of `tree`.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] if `def` is another treedef, and [`Error::TooDeep`] as [`KeyPaths::new`].
    pub(crate) fn of<T: Structure + ?Sized>(tree: &T, def: TreeDef<'a>) -> Result<Self, Error> {
        matches(tree, def)?;
        Self::new(def, T::SHAPE)
    }

    /// Starts before the first leaf of a treedef of this shape.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] if a node is more than [`LEVELS`] levels below the root. One scan finds out, which reads repeats
    /// once.
    pub(crate) fn new(def: TreeDef<'a>, root: &'static Shape) -> Result<Self, Error> {
        let bytes = def.as_bytes();
        // Every level takes at least a byte, and the innermost node another.
        if bytes.len() > LEVELS && depth(bytes, MAX_DEPTH) > MAX_DEPTH {
            return Err(Error::TooDeep { limit: MAX_DEPTH });
        }
        let (nodes, levels, path) = (Preorder::new(def), levels::empty(), levels::empty());
        Ok(Self { nodes, levels, path, root, copies: 0 })
    }

    /// Returns the path of the next leaf. The path is empty for a bare leaf, and after the last leaf.
    #[inline]
    pub(crate) fn next(&mut self) -> KeyPath<'_, 'a> {
        if !self.next_to_last() {
            self.go_on();
        }
        KeyPath::new(&self.path)
    }

    /// Goes on to the next leaf if it is the next child of the innermost node, and that is found fast.
    #[inline]
    fn next_to_last(&mut self) -> bool {
        let Some(last) = self.path.last_mut() else { return false };
        if self.levels.len() == self.nodes.depth() {
            return self.nodes.next_of_run(last);
        }
        let Some(Level { shape, next }) = self.levels.last_mut() else { return false };
        if let Shape::Struct { fields, children, .. } = shape
            && let Some(name) = fields.get(*next)
            && let Some(Shape::Leaf(_)) = children.as_slice().get(*next)
        {
            *next = next.wrapping_add(1);
            *last = KeyEntry::Attr(name);
            return true;
        }
        false
    }

    /// Goes on to the next leaf.
    #[inline(never)]
    fn go_on(&mut self) {
        while !self.go_on_in_fixed() {
            let Some(event) = self.nodes.next() else { return };
            let depth = self.nodes.depth();
            self.levels.truncate(depth);
            self.path.truncate(depth.saturating_sub(1));
            if let Event::Leave(_) = event {
                continue;
            }
            if let Some(entry) = self.nodes.entry() {
                let _ = self.path.push(entry);
            }
            match event {
                Event::Enter(head) if head.arity() > 0 => self.open(&head),
                Event::Leaf => return,
                _ => {}
            }
        }
    }

    /// Goes on to the next leaf in a node of fixed shape. Returns `false` if there is none.
    fn go_on_in_fixed(&mut self) -> bool {
        let outer = self.nodes.depth();
        while let Some(inner) = self.levels.len().checked_sub(outer.wrapping_add(1))
            && let Some(level) = self.levels.last_mut()
        {
            self.path.truncate(outer.wrapping_add(inner));
            match level.next() {
                Some((entry, shape)) => {
                    let _ = self.path.push(entry);
                    if let Shape::Leaf(_) = shape {
                        return true;
                    }
                    let _ = self.levels.push(Level { shape, next: 0 });
                }
                None if inner == 0 && self.copies > 0 => {
                    (self.copies, level.next) = (self.copies.wrapping_sub(1), 0);
                    if let Some(KeyEntry::Index(index)) = self.path.last_mut() {
                        *index = index.wrapping_add(1);
                    }
                }
                None => _ = self.levels.pop(),
            }
        }
        false
    }

    /// Opens the node that was entered last, or steps over it if its shape is fixed.
    fn open(&mut self, head: &Head<'a>) {
        let left = self.nodes.list().left();
        let mut shape = self.levels.last().map_or(self.root, |level| level.child(left));
        while let Shape::Optional(of) = shape {
            shape = of.0();
        }
        let _ = self.levels.push(Level { shape, next: 0 });
        if !matches!(shape.num_leaves(), Some(1..)) {
            let _ = self.nodes.open(head, self.nodes.keys(head));
            return;
        }
        self.nodes.skip(head);
        self.copies = 0;
        // Only the positions of copies are known without their keys.
        if let Some(KeyEntry::Index(_)) = self.path.last() {
            let (cursor, list) = self.nodes.position();
            self.copies = cursor.take_copies(list, 0).map_or(0, |(copies, _)| copies);
        }
    }
}
