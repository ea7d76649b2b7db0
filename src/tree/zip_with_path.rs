//! The methods of zips that visit leaves with the path of their place.

/// The methods that visit leaves with their path: the generic parameters, the leaves that a closure receives, the bounds, and what
/// `try_for_each_with_path` does.
macro_rules! visits {
    (
        [$(#[$heap:meta])*]
        [$($P:tt)*] ($($leaf:ident: $Leaf:ty),*) where [$($bounds:tt)*]
        $this:ident, $visit:ident $walk:block
    ) => {
        /// As `for_each`, with the path of each place as the first argument of `visit`.
        ///
        /// Keys of dictionaries are those of the first tree.
        ///
        /// # Errors
        ///
        /// As `for_each`, and as [`for_each_with_path`](crate::for_each_with_path).
        ///
        /// # Examples
        ///
        /// ```
        /// use treedef::{KeyEntry, zip};
        ///
        /// let (mut params, gradient) = ((1.0f32, [2.0f32]), (0.5f32, [0.5f32]));
        /// zip((&mut params, &gradient)).for_each_with_path(|path, p, g| {
        ///     let is_frozen = path.first() == Some(&KeyEntry::Index(0));
        ///     *p -= if is_frozen { 0.0 } else { *g };
        /// })?;
        /// assert_eq!(params, (1.0, [1.5]));
        /// # Ok::<(), treedef::Error>(())
        /// ```
        $(#[$heap])*
        #[inline]
        pub fn for_each_with_path<'a, $($P)*>(
            $this,
            mut visit: impl FnMut(KeyPath<'_, '_>, $($Leaf),*),
        ) -> Result<(), Error>
        where
            $($bounds)*
        {
            $this.try_for_each_with_path(|path: KeyPath<'_, '_>, $($leaf),*| {
                visit(path, $($leaf),*);
                Ok::<_, Error>(())
            })
        }

        /// As `for_each_with_path`, but stops at the first error of `visit`.
        ///
        /// # Errors
        ///
        /// The first error of `visit`, and those of `for_each_with_path`; the leaves before were visited.
        ///
        /// # Examples
        ///
        /// A gradient that is no number is named, before it reaches the next weights:
        ///
        /// ```
        /// use treedef::tree::TryError;
        /// use treedef::zip;
        ///
        /// let (mut params, gradient) = ([1.0f32, 2.0, 3.0], [0.5f32, f32::NAN, 0.5]);
        /// let stopped = zip((&mut params, &gradient)).try_for_each_with_path(|path, p, g| {
        ///     if g.is_nan() {
        ///         return Err(TryError::User(path.to_string()));
        ///     }
        ///     Ok(*p -= g)
        /// });
        /// assert_eq!(stopped, Err(TryError::User("[1]".to_string())));
        /// assert_eq!(params, [0.5, 2.0, 3.0]);
        /// ```
        $(#[$heap])*
        #[inline]
        pub fn try_for_each_with_path<'a, $($P)* E>(
            $this,
            mut $visit: impl FnMut(KeyPath<'_, '_>, $($Leaf),*) -> Result<(), E>,
        ) -> Result<(), E>
        where
            $($bounds)*
            E: UserError,
        $walk
    };
}
pub(super) use visits;
