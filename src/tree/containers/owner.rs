//! Makes trees of the pointers that own their value, which have its structure: `Box`, `Rc` and `Arc`.
//!
//! A tree is a value, however it is stored. So a value with other owners is cloned before its leaves are changed or
//! taken out, as by [`Rc::make_mut`], and the other owners see no change. If it has no other owner, nothing is cloned. A
//! walk that can change leaves clones each such value when it reaches it, before it is known whether a leaf changes.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::rc::Rc;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;

use crate::tree::containers::wrapping::owner;

owner!(
    Box::new, [?Sized], where [], other: [], |tree| &**tree, Some(&mut **tree), take: [Sized], &mut **tree, |owned| *owned
);
owner!(
    Rc::new, [?Sized], where [T: ToOwned, Rc<T>: From<T::Owned>,], other: [O: ToOwned, Rc<O>: From<O::Owned>,], |tree| &**tree,
    unshare_rc(tree), take: [Clone], Rc::make_mut(tree), |owned| Rc::unwrap_or_clone(owned)
);
#[cfg(target_has_atomic = "ptr")]
owner!(
    Arc::new, [?Sized], where [T: ToOwned, Arc<T>: From<T::Owned>,], other: [O: ToOwned, Arc<O>: From<O::Owned>,], |tree| &**tree,
    unshare_arc(tree), take: [Clone], Arc::make_mut(tree), |owned| Arc::unwrap_or_clone(owned)
);

/// Implements a function that returns the value of a shared pointer, which has no other owner afterwards.
macro_rules! unshare {
    ($name:ident, $Owner:ident) => {
        fn $name<T: ToOwned + ?Sized>(pointer: &mut $Owner<T>) -> Option<&mut T>
        where
            $Owner<T>: From<T::Owned>,
        {
            if $Owner::get_mut(pointer).is_none() {
                *pointer = $Owner::from((**pointer).to_owned());
            }
            $Owner::get_mut(pointer)
        }
    };
}
unshare!(unshare_rc, Rc);
#[cfg(target_has_atomic = "ptr")]
unshare!(unshare_arc, Arc);
