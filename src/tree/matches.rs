//! Compares a path with a pattern that a person writes.

use crate::tree::migrate::aliases::leads_to;
use crate::treedef::key_path::KeyPath;

impl KeyPath<'_, '_> {
    /// Whether a pattern leads to this path: a text as [`TreeDef::find_str`](crate::TreeDef::find_str) reads it, such as
    /// `axes[0].kp`, in which a `*` is any child. The paths of old and new places in
    /// `algebra::migrate_typed` are such patterns.
    ///
    /// A pattern with more than four `*` leads nowhere. To ask for all that is below a place, compare a part of the path:
    /// `KeyPath::new(&path[..2])`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// // The weights of all layers, but not their bias.
    /// let mut layers = [(1.0f32, 0.5f32), (2.0, 0.5)];
    /// over(&mut layers).paths().for_each(|path, x| {
    ///     if path.matches("[*][0]") {
    ///         *x *= 0.5;
    ///     }
    /// })?;
    /// assert_eq!(layers, [(0.5, 0.5), (1.0, 0.5)]);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn matches(&self, pattern: &str) -> bool {
        leads_to(pattern, self)
    }
}
