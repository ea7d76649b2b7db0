//! Records that explain themselves: each has the schema page of its type.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::base::bytes::copy;
use crate::base::error::Error;
use crate::encode::schema_of::schema_of;
use crate::record::bytes::{RecordWriter, number64, take_number64};
use crate::record::leaf::RecordLeaves;
use crate::record::load::LoadError;
#[cfg(feature = "alloc")]
use crate::record::save::as_vec;
use crate::record::save::save_into;
use crate::tree::walk::TreeWalk;

/// The first byte of form 2, which no treedef begins with.
const FORM_2: u8 = 0xE2;

/// Writes a record of `tree` and the schema page of its type to the front of `bytes`, and returns the number of bytes. What is in `bytes`
/// after them, or after an error, is not specified.
///
/// It takes two walks, and at most the bytes of [`record_bytes`](crate::record::record_bytes) and of [`schema_of`] the type, and one more
/// for the form and for each seven bits of the length of the record. Where many records are stored, one page beside them takes less.
///
/// # Errors
///
/// Those of [`save_into`].
///
/// # Examples
///
/// ```
/// use treedef::record::{load, load_older, record_and_page, save_with_page_into};
/// use treedef::{TreeDef, schema_of};
///
/// type Old = (u16, bool);
/// type New = (u32, bool, Option<f32>);
///
/// // What an older program stored.
/// let mut stored = [0; 128];
/// let len = save_with_page_into(&(300u16, true), &mut stored)?;
///
/// let [record, page] = record_and_page(&stored[..len])?;
/// assert_eq!(load(record), Ok((300u16, true)));
/// assert_eq!(page, schema_of::<Old>().as_bytes());
///
/// // A newer one knows nothing of the older type.
/// let defaults: New = (0, false, Some(0.5));
/// let (value, migrated) = load_older(record, TreeDef::from_bytes(page)?, &defaults, &[], &mut [0; 256])?;
/// assert_eq!((value, migrated.new), ((300, true, Some(0.5)), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save_with_page_into<T>(tree: &T, bytes: &mut [u8]) -> Result<usize, Error>
where
    T: TreeWalk<RecordLeaves> + ?Sized,
{
    let page = const { schema_of::<T>() }.as_bytes();
    let len = match save_into(tree, &mut []) {
        Err(Error::BufferFull { needed, .. }) => needed,
        other => other?,
    };
    let mut out = RecordWriter::new(bytes);
    out.byte(FORM_2);
    number64(len as u64, &mut out);
    let (start, room) = (out.leaves, bytes.len());
    let needed = start.saturating_add(len).saturating_add(page.len());
    let rest = bytes.get_mut(start..needed).ok_or(Error::BufferFull { needed, room })?;
    let (record, end) = rest.split_at_mut_checked(len).unwrap_or_default();
    if save_into(tree, record)? != len {
        return Err(Error::ValueChanged);
    }
    copy(end, page);
    Ok(needed)
}

/// As [`save_with_page_into`], to a `Vec`.
///
/// # Errors
///
/// Those of [`save_into`] but for a buffer that is full.
///
/// # Examples
///
/// ```
/// use treedef::record::{record_and_page, save, save_with_page};
///
/// let stored = save_with_page(&vec![Some(1.0f32), None])?;
/// let [record, _] = record_and_page(&stored)?;
/// assert_eq!(record, save(&vec![Some(1.0f32), None])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
pub fn save_with_page<T>(tree: &T) -> Result<Vec<u8>, Error>
where
    T: TreeWalk<RecordLeaves> + ?Sized,
{
    as_vec(|bytes| save_with_page_into(tree, bytes))
}

/// The record and the schema page of what [`save_with_page_into`] wrote, for [`load`](crate::record::load) and
/// [`load_older`](crate::record::load_older). [`save_with_page_into`] has an example.
///
/// The page is not read: pass it to [`TreeDef::from_bytes`](crate::TreeDef::from_bytes). That it is the page of the record is checked
/// by what loads it, by the key.
///
/// # Errors
///
/// [`LoadError::Form`] for a record without a page, or other bytes; [`LoadError::Damaged`] for bytes that end inside of the record.
pub fn record_and_page(bytes: &[u8]) -> Result<[&[u8]; 2], LoadError> {
    let [FORM_2, rest @ ..] = bytes else { return Err(LoadError::Form) };
    let mut rest = rest;
    let len = take_number64(&mut rest).and_then(|len| usize::try_from(len).ok());
    let parts = len.and_then(|len| rest.split_at_checked(len));
    let (record, page) = parts.ok_or(LoadError::Damaged { at: bytes.len() })?;
    Ok([record, page])
}
