//! Leaves of typed trees together with their paths.

use crate::each::{for_each, map};
use crate::error::Error;
use crate::family::{Family, Item};
use crate::ops::matches;
use crate::path::Path;
use crate::tree::{MapTree, Read};
use crate::treedef::TreeDef;

/// Calls `visit` with the path and every leaf, in order, as `jax.tree.leaves_with_path`.
///
/// The paths are those of `def`, the treedef of `tree`: [`treedef_of`](crate::treedef_of) its type or what
/// [`structure_into`](crate::structure_into) wrote. A path costs nothing until its entries are asked for, then a scan of
/// the treedef. For [`View`](crate::View) there is [`leaves_with_path`](crate::View::leaves_with_path).
///
/// # Errors
///
/// [`Error::Mismatch`] if `def` is another treedef; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use core::fmt::Write;
/// use treedef::{for_each_with_path, treedef_of};
///
/// let tree = (1.0f32, [2.0f32, 3.0]);
/// let mut text = heapless::String::<32>::new();
/// for_each_with_path(&tree, treedef_of::<(f32, [f32; 2])>(), |path, leaf: &f32| {
///     write!(text, "{}={leaf} ", path.keystr()).unwrap();
/// })?;
/// assert_eq!(text, "[0]=1 [1][0]=2 [1][1]=3 ");
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn for_each_with_path<'a, 'd, R, T>(
    tree: &'a T,
    def: TreeDef<'d>,
    mut visit: impl FnMut(Path<'d>, R),
) -> Result<(), Error>
where
    R: Item<Family: Family<Ref<'a> = R> + 'a>,
    T: Read<R::Family> + ?Sized,
{
    matches(tree, def)?;
    let mut paths = Paths { def, leaf: 0 };
    for_each(tree, |leaf: R| visit(paths.next(), leaf))
}

/// Replaces every leaf by what `f` makes of its path and of it, as `jax.tree.map_with_path`.
///
/// As [`map`] otherwise, and `def` is as in [`for_each_with_path`].
///
/// # Errors
///
/// [`Error::Mismatch`] if `def` is another treedef; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::{KeyEntry, map_with_path, treedef_of};
///
/// let tree = (1.0f32, [2.0f32, 3.0]);
/// let depths = map_with_path(&tree, treedef_of::<(f32, [f32; 2])>(), |path, _: &f32| {
///     path.entries().count()
/// })?;
/// assert_eq!(depths, (1, [2, 2]));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn map_with_path<'a, 'd, R, M, T>(
    tree: &'a T,
    def: TreeDef<'d>,
    mut f: impl FnMut(Path<'d>, R) -> M,
) -> Result<<T as MapTree<R::Family, M>>::Output, Error>
where
    R: Item<Family: Family<Ref<'a> = R> + 'a>,
    T: MapTree<R::Family, M>,
{
    matches(tree, def)?;
    let mut paths = Paths { def, leaf: 0 };
    map(tree, |leaf: R| f(paths.next(), leaf))
}

/// The paths of a treedef one after the other: as many as there are leaves, which was checked.
struct Paths<'d> {
    def: TreeDef<'d>,
    leaf: u32,
}

impl<'d> Paths<'d> {
    fn next(&mut self) -> Path<'d> {
        let path = Path::trusted(self.def, self.leaf);
        self.leaf = self.leaf.saturating_add(1);
        path
    }
}
