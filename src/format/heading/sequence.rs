//! The heads of tuples, lists and `Some`: nothing is in their blocks.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{self, Head};
use crate::format::heading::spec::{Entry, HeadSpec, KnownHead, check_count};

/// The head of a tuple.
///
/// # Examples
///
/// ```
/// use treedef::{Writer, head, treedef};
///
/// let mut bytes = [0; 8];
/// let mut out = Writer::new(&mut bytes);
/// out.node(&head::Tuple(2), |out| out.leaves(2));
/// assert_eq!(out.finish()?, treedef!((*, *)));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tuple(
    /// The number of children.
    pub usize,
);

/// The head of a list.
///
/// # Examples
///
/// ```
/// use treedef::{Writer, head, treedef};
///
/// let mut bytes = [0; 8];
/// let mut out = Writer::new(&mut bytes);
/// out.node(&head::List(2), |out| out.leaves(2));
/// assert_eq!(out.finish()?, treedef!([*, *]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct List(
    /// The number of children.
    pub usize,
);

macro_rules! counted {
    ($($name:ident $kind:ident),*) => {$(
        impl HeadSpec for $name {
            fn arity(&self) -> usize {
                self.0
            }

            fn check(&self, _: bool) -> Result<(), Error> {
                check_count(self.0)
            }

            #[inline]
            fn known_head(&self) -> Option<KnownHead<'_>> {
                // `Some` is a head in this file, so `Option::Some` is written out.
                Option::Some(KnownHead::Counted(head::$kind, self.0))
            }
        }

        impl Entry for $name {
            fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
                Entries::positions(self.0)
            }
        }
    )*};
}
counted!(Tuple TUPLE, List LIST);

/// The head of a `Some`: one child. Written only if its content can itself be `None`.
///
/// # Examples
///
/// ```
/// use treedef::{Writer, head, structure_into};
///
/// let (mut bytes, mut others) = ([0; 8], [0; 8]);
/// let mut out = Writer::new(&mut bytes);
/// out.node(&head::Some, |out| out.none());
/// assert_eq!(out.finish()?, structure_into(&Some(None::<f32>), &mut others)?);
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Some;

debug_struct!([] Some {});

impl HeadSpec for Some {
    fn arity(&self) -> usize {
        1
    }

    #[inline]
    fn known_head(&self) -> Option<KnownHead<'_>> {
        Option::Some(KnownHead::Bytes(Head::SOME.as_bytes()))
    }
}

impl Entry for Some {
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        core::iter::once(KeyEntry::Some)
    }
}
