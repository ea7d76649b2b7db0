// Values as stored bytes: the key of a type, leaves and choices. It imports from `base`, `format`, `treedef`, `encode` and `tree`.
//
// - `save`: one walk that writes leaves and choices; `load`: builds a value from them; `page`: a record with the schema page of its type;
//   `fold`: records whose equal elements are folded;
// - `upgrade`: loads records of other versions of a type, by plans that the compiler makes; `older`: by a migration, with any schema; `page_node`: what the nodes of a schema page say; `page_choices`: the choices of a value, read with a page; `kind`: what the bytes of a stored leaf are, and which leaves keep
//   their value in another type;
// - `leaf`: the set of leaf types that records hold, and leaf types of the program; `leaves`: how each leaf type of this crate is
//   stored; `bytes`: the bytes of numbers and texts;
// - `bound`: the largest records of a type;
// - `frame`: values as they are sent, choices before leaves of fixed width.

#![doc = include_str!("../docs/record.md")]

mod bound;
pub(crate) mod bytes;
mod fold;
pub mod frame;
mod kind;
pub(crate) mod leaf;
pub(crate) mod leaves;
mod load;
mod older;
mod page;
mod page_choices;
mod page_node;
mod save;
pub(crate) mod upgrade;

use crate::encode::schema_of::{assert_key, assert_named, schema_of};
use crate::encode::structure::HasSchema;

pub use bound::{record_bytes, record_bytes_with};
pub use fold::{fold_into, unfold_into};
pub use leaf::{RecordLeaf, RecordLeaves};
pub use load::{LoadError, load};
pub use older::reported::load_older_reported;
pub use older::{OlderLeaf, load_older, load_older_with};
#[cfg(feature = "alloc")]
pub use page::save_with_page;
pub use page::{record_and_page, save_with_page_into};
#[cfg(feature = "alloc")]
pub use save::save;
pub use save::save_into;
pub use upgrade::{Upgrade, upgrade};

/// The first byte of form 1, which no treedef begins with.
const FORM_1: u8 = 0xE1;

/// The first byte of form 3, likewise.
const FORM_3: u8 = 0xE3;

/// The bytes of a form and a key.
const HEAD: usize = 9;

/// The key of a type: the [`fingerprint`](crate::TreeDef::fingerprint) of its [`schema_of`]. It is in each record of
/// the type.
///
/// The type has to have a [name](crate::encode::assert_named), and to say [all that its values can be](crate::encode::assert_key);
/// otherwise it does not compile. Of a call that is no constant the build says so, not `cargo check`.
///
/// # Examples
///
/// ```
/// use treedef::record::{record_key, save_into};
///
/// const KEY: u64 = record_key::<[f32; 2]>();
///
/// let mut bytes = [0; 32];
/// save_into(&[1.0f32, 2.0], &mut bytes)?;
/// assert_eq!(bytes[1..9], KEY.to_le_bytes());
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// The name of this type would change with its module:
///
/// ```compile_fail
/// #[derive(treedef::Tree)]
/// struct Config { gain: f32 }
///
/// let _ = treedef::record::save_into(&Config { gain: 1.0 }, &mut [0; 32]);
/// ```
#[must_use]
pub const fn record_key<T: HasSchema + ?Sized>() -> u64 {
    const {
        assert_named::<T>();
        assert_key::<T>();
        schema_of::<T>().fingerprint()
    }
}
