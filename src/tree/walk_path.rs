//! The key path of a walk over a typed tree: containers say at which child they are, and visitors read the path.

use crate::base::bytes::small;
use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::base::show::debug_struct;
use crate::encode::depth::MAX_DEPTH;
use crate::format::entry::KeyEntry;
use crate::format::to_value::ToValue;
use crate::format::value::Value;

/// The number of entries in a path.
pub(crate) const LEVELS: usize = MAX_DEPTH as usize;

/// The entries of a path.
pub(crate) type PathLevels<'k> = Levels<KeyEntry<'k>, LEVELS>;

/// The path from the root to the place of a walk. [`VisitLanes::path`](crate::container::VisitLanes::path) gives it to
/// containers.
///
/// A container asks for the [`level`](WalkPath::level) of its children, and before each child it calls one of the methods that
/// name it. Without a path these calls do nothing. A list calls none of them in a walk:
/// [`VisitLanes::elements`](crate::container::VisitLanes::elements) does.
///
/// The paths of `[(1.0, 2.0)]`:
///
/// ```text
/// calls               path
/// level               the level of the list is 0
/// index(.., 0, 0)     [0]
/// level               the level of the tuple is 1
/// index(.., 1, 0)     [0][0]      the leaf 1.0
/// index(.., 1, 1)     [0][1]      the leaf 2.0
/// ```
///
/// # Examples
///
/// The guide to [`containers`](mod@crate::guide::containers) has an example.
pub struct WalkPath<'a> {
    entries: PathLevels<'a>,
    /// The keys of the dictionaries on the way, each with the index of its entry. Their values are made where they are read.
    /// Those whose entry is gone are dropped there, too.
    keys: Levels<(u32, &'a dyn Key), LEVELS>,
    /// Whether there is no room for the last entry.
    is_too_deep: bool,
}

debug_struct!([] WalkPath<'_> { entries });

/// A key of a dictionary, of any type.
trait Key {
    fn with(&self, take: &mut dyn FnMut(Value<'_>));
}

impl<Q: ToValue> Key for Q {
    fn with(&self, take: &mut dyn FnMut(Value<'_>)) {
        self.with_value(take);
    }
}

/// The value of a key, the index of its entry, and the keys of the dictionaries around it.
struct KeyValue<'k>(Value<'k>, u32, Option<&'k KeyValue<'k>>);

impl<'a> WalkPath<'a> {
    /// Starts at the root.
    pub(crate) fn new() -> Self {
        Self { entries: levels::empty(), keys: levels::empty(), is_too_deep: false }
    }

    /// The level of the children of the node that the walk is at. The guide to
    /// [`containers`](mod@crate::guide::containers) has an example.
    #[must_use]
    #[inline]
    pub fn level(path: Option<&mut Self>) -> usize {
        path.map_or(0, |path| path.entries.len())
    }

    /// Goes to a child at this level.
    #[inline]
    pub(crate) fn go(path: Option<&mut Self>, level: usize, entry: KeyEntry<'a>) {
        if let Some(path) = path {
            path.entries.truncate(level);
            path.is_too_deep = path.entries.push(entry).is_err();
        }
    }

    /// Goes to the child with this index, of a list or a tuple. The guide to
    /// [`containers`](mod@crate::guide::containers) has an example.
    #[inline]
    pub fn index(path: Option<&mut Self>, level: usize, index: usize) {
        Self::go(path, level, KeyEntry::Index(small(index)));
    }

    /// Goes to the child with this name, of a struct. The guide to [`containers`](mod@crate::guide::containers) has an example.
    #[inline]
    pub fn field(path: Option<&mut Self>, level: usize, name: &'static str) {
        Self::go(path, level, KeyEntry::Attr(name));
    }

    /// Goes to the child with this key, of a dictionary. The guide to
    /// [`containers`](mod@crate::guide::containers) has an example.
    #[inline]
    pub fn key(path: Option<&mut Self>, level: usize, key: &'a impl ToValue) {
        let Some(path) = path else { return };
        path.entries.truncate(level);
        path.drop_keys();
        Self::go(Some(path), level, KeyEntry::Key(Value::None));
        let _ = path.keys.push((small(level), key));
    }

    /// Drops the last keys whose entry is gone.
    #[inline]
    fn drop_keys(&mut self) {
        while let Some((at, _)) = self.keys.last()
            && !matches!(self.entries.get(*at as usize), Some(KeyEntry::Key(_)))
        {
            let _ = self.keys.pop();
        }
    }

    /// Calls `take` with the entries of the path. Keys of dictionaries are values only for this call.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] if there are too many entries; [`Error::ValueChanged`] if a key has no value.
    #[inline]
    pub(crate) fn with_entries<R, E: From<Error>>(
        &mut self,
        take: impl FnOnce(&mut PathLevels<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        if self.is_too_deep {
            return Err(Error::TooDeep { limit: MAX_DEPTH }.into());
        }
        self.drop_keys();
        if self.keys.is_empty() {
            return take(&mut self.entries);
        }
        let (mut take, mut taken) = (Some(take), Err(Error::ValueChanged.into()));
        with_keys(&self.keys, None, &mut |mut next| {
            let mut entries: PathLevels<'_> = self.entries.clone();
            while let Some(KeyValue(value, at, around)) = next {
                if let Some(entry) = entries.get_mut(*at as usize) {
                    *entry = KeyEntry::Key(*value);
                }
                next = *around;
            }
            if let Some(take) = take.take() {
                taken = take(&mut entries);
            }
        });
        taken
    }
}

/// Calls `take` with the values of the keys, which are on the stack.
fn with_keys(
    keys: &[(u32, &dyn Key)],
    around: Option<&KeyValue<'_>>,
    take: &mut dyn FnMut(Option<&KeyValue<'_>>),
) {
    match keys.split_first() {
        None => take(around),
        Some(((at, key), keys)) => {
            key.with(&mut |value| with_keys(keys, Some(&KeyValue(value, *at, around)), take));
        }
    }
}
