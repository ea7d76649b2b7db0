//! Reads records.

use core::fmt;

use crate::base::error::Error;
use crate::base::show::sentences;
use crate::format::varint::read_choice;
use crate::record::leaf::RecordLeaves;
use crate::record::{FORM_1, record_key};
use crate::tree::build::TreeBuild;
use crate::tree::build::from_choices::FromChoices;
use crate::tree::build::leaves::LeafSource;
use crate::tree::leaf_types::{Holds, LeafAs, LeafTypes};
use crate::tree::migrate::change::Migrated;

/// Why a value could not be loaded from a record.
///
/// # Examples
///
/// ```
/// use treedef::record::{LoadError, load, record_key, save_into};
///
/// let mut bytes = [0; 16];
/// let len = save_into(&[1u8, 2], &mut bytes)?;
/// let key = record_key::<[u8; 2]>();
/// assert_eq!(load::<[u16; 2]>(&bytes[..len]), Err(LoadError::OtherType { key }));
///
/// let error = load::<[u8; 2]>(&bytes[..len - 1]).unwrap_err();
/// assert_eq!(error.to_string(), "record is damaged: it is that of no value from byte 11 on");
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes do not begin with the form that is read: of form 2 [`record_and_page`](crate::record::record_and_page) gives the record,
    /// of form 3 [`unfold_into`](crate::record::unfold_into).
    Form,
    /// The record is one of another type, or of another version of the type.
    OtherType {
        /// Its [`record_key`].
        key: u64,
    },
    /// [`load_older`](crate::record::load_older) needs more room for work, or what is folded or unfolded more bytes.
    NoRoom {
        /// The number of bytes that are needed, at least.
        needed: usize,
        /// The number of bytes that there are.
        room: usize,
    },
    /// [`load_older`](crate::record::load_older) cannot make a value, not even of the defaults.
    Defaults(Error),
    /// No value of the type has these leaves and choices, or there are too few or too many bytes.
    Damaged {
        /// The number of bytes up to the last that was read as a leaf.
        at: usize,
    },
}

sentences!(LoadError {
    Form: "bytes are no record of the form that is read here";
    OtherType { key }: "record is one of another type, with the key {key:#018x}";
    NoRoom { needed, room }: "a record needs at least {needed} bytes of room, and has {room}";
    Defaults(error): "defaults are no value of the type: {error}";
    Damaged { at }: "record is damaged: it is that of no value from byte {at} on";
});

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentence(f)
    }
}

impl core::error::Error for LoadError {}

/// Loads a value from a record, which is all of `bytes`.
///
/// Each byte is read once. Of a type with a vector on the heap no more is allocated than the bytes have elements, as far as an element
/// takes a byte. Of elements that take none, such as `()`, five bytes could ask for billions: a list of more than 65,536 of them is refused.
///
/// # Errors
///
/// [`LoadError::Form`]; [`LoadError::OtherType`], with the key of the record, by which the caller finds the type that it has;
/// [`LoadError::Damaged`].
///
/// # Examples
///
/// [`save_into`](crate::record::save_into) has an example. An older version of a type can be loaded by its own type:
///
/// ```
/// use treedef::record::{LoadError, load, record_key, save_into};
///
/// type Old = (u32, bool);
/// type New = (u32, bool, Option<f32>);
///
/// fn load_any(bytes: &[u8]) -> Result<New, LoadError> {
///     const OLD: u64 = record_key::<Old>();
///     match load(bytes) {
///         Err(LoadError::OtherType { key: OLD }) => load::<Old>(bytes).map(|(id, on)| (id, on, None)),
///         loaded => loaded,
///     }
/// }
///
/// let mut bytes = [0; 16];
/// let len = save_into(&(7u32, true), &mut bytes)?;
/// assert_eq!(load_any(&bytes[..len]), Ok((7, true, None)));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn load<T: TreeBuild<RecordLeaves>>(bytes: &[u8]) -> Result<T, LoadError> {
    let [leaves, choices] = open::<FORM_1>(bytes, record_key::<T>())?;
    let mut known = FromChoices::new(choices, InRecord(leaves));
    match T::build(&mut known) {
        Ok(tree) if known.choices.is_empty() && known.leaves.0.is_empty() => Ok(tree),
        _ => Err(damaged(bytes, known.leaves.0, choices)),
    }
}

/// The leaves and the choices of a record of this form, of the type with this key.
#[inline(never)]
pub(super) fn open<const FORM: u8>(bytes: &[u8], own: u64) -> Result<[&[u8]; 2], LoadError> {
    let Some((_, rest)) = bytes.split_first().filter(|(form, _)| **form == FORM) else {
        return Err(LoadError::Form);
    };
    let at = bytes.len();
    let damaged = LoadError::Damaged { at };
    let (key, rest) = rest.split_first_chunk().ok_or(damaged)?;
    let key = u64::from_le_bytes(*key);
    if key != own {
        return Err(LoadError::OtherType { key });
    }
    let (count, rest) = read_choice(rest).ok_or(damaged)?;
    let leaves = rest.len().checked_sub(count);
    let parts = leaves.and_then(|leaves| rest.split_at_checked(leaves));
    parts.map(|(leaves, choices)| [leaves, choices]).ok_or(damaged)
}

/// The error of a record of which these leaves are left.
#[cold]
#[inline(never)]
fn damaged(bytes: &[u8], leaves: &[u8], choices: &[u8]) -> LoadError {
    let after = leaves.len().wrapping_add(choices.len());
    LoadError::Damaged { at: bytes.len().wrapping_sub(after) }
}

/// The leaves of a record or a frame that are left to read.
pub(super) struct InRecord<'r>(pub(super) &'r [u8]);

impl<K: LeafTypes> LeafSource<K> for InRecord<'_> {
    // The caller of `leaf` names the type.
    fn next(&mut self) -> Option<K::Owned> {
        None
    }

    /// Each leaf takes a byte.
    fn left(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn leaf<T: LeafAs<K>>(&mut self) -> Option<T> {
        <T::Set>::stored(&mut self.0)
    }
}

/// Builds the value of its choices and leaves.
// Not inlined, so that the value is in no frame while it is made.
#[inline(never)]
pub(super) fn build<T: TreeBuild<RecordLeaves>>(
    choices: &[u8],
    leaves: &[u8],
    migrated: Migrated,
    damaged: LoadError,
) -> Result<(T, Migrated), LoadError> {
    let tree = T::build(&mut FromChoices::new(choices, InRecord(leaves)));
    tree.map(|tree| (tree, migrated)).map_err(|_| damaged)
}

/// The error of a load with `most` bytes of room, of which a part was used before.
#[inline(never)]
pub(super) fn of_room(error: LoadError, most: usize) -> LoadError {
    match error {
        LoadError::NoRoom { needed, room } => {
            let used = most.saturating_sub(room);
            LoadError::NoRoom { needed: needed.saturating_add(used), room: most }
        }
        _ => error,
    }
}

/// Takes the room for the choices of a type that can have this number of bytes. Without a bound they are on the heap, or without one in
/// half of the room.
pub(super) fn take_choices(room: &mut [u8], bound: usize) -> Result<[&mut [u8]; 2], Error> {
    let most = room.len();
    let without_bound = if cfg!(feature = "alloc") { 0 } else { most / 2 };
    let needed = if bound == usize::MAX { without_bound } else { bound };
    let taken = room.split_at_mut_checked(needed);
    taken.map(<[_; 2]>::from).ok_or(Error::BufferFull { needed, room: most })
}

/// The error of a load, if that is not that there is no room.
pub(super) fn own(error: Error) -> LoadError {
    no_room(error, LoadError::Defaults(error))
}

/// The same for another error.
pub(super) fn no_room(error: Error, other: LoadError) -> LoadError {
    match error {
        Error::BufferFull { needed, room } => LoadError::NoRoom { needed, room },
        _ => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::schema_of::schema_of;
    use crate::format::to_value::{FromValue, MapKey, ToValue};
    use crate::format::value::Value;
    use crate::record::save::save_into;
    use crate::record::{Upgrade, load_older};
    use crate::upgrade;

    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Id(u8);

    impl ToValue for Id {
        fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
            self.0.with_value(take)
        }
    }

    impl FromValue for Id {
        fn from_value(value: Value<'_>) -> Option<Self> {
            u8::from_value(value).map(Self)
        }
    }

    impl MapKey for Id {}

    /// The keys have no bound, and so have the choices.
    type Gains<T> = heapless::LinearMap<Id, T, 4>;

    #[test]
    fn choices_without_a_bound_have_room_without_a_heap() {
        const SCHEMA: crate::TreeDef<'static> = schema_of::<Gains<u8>>();
        const UPGRADE: Upgrade<Gains<u16>> = upgrade!(Gains<u16>, SCHEMA.as_bytes());
        type Load<'l> = &'l dyn Fn(&mut [u8]) -> Result<(Gains<u16>, Migrated), LoadError>;
        let ids = [1, 70, 200].map(Id);
        let (mut bytes, defaults) = ([0; 64], Gains::<u16>::new());
        let stored: Gains<u8> = ids.clone().into_iter().map(|id| (id, 7)).collect();
        let len = save_into(&stored, &mut bytes).unwrap();
        let record = bytes.get(..len).unwrap();
        let ways: [Load<'_>; 2] = [&|room| UPGRADE.load(record, &defaults, room), &|room| {
            load_older(record, SCHEMA, &defaults, &[], room)
        }];
        for load in ways {
            let (mut room, mut len, mut tries) = ([0; 512], 0, 0);
            let (gains, migrated) = loop {
                match load(room.get_mut(..len).unwrap()) {
                    Err(LoadError::NoRoom { needed, room }) => {
                        assert_eq!(room, len);
                        assert!(needed > len && tries < 64, "{needed} bytes after {len}");
                        (len, tries) = (needed, tries + 1);
                    }
                    loaded => break loaded.unwrap(),
                }
            };
            assert!(migrated.is_complete());
            assert!(ids.iter().all(|id| gains.get(id) == Some(&7)));
        }
    }
}
