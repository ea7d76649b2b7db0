//! Explains errors of an object with the path of the node.

use core::fmt::{self, Display};

use crate::base::error::Error;
use crate::dynamic::flatten::Flatten;
use crate::dynamic::object::{Object, Open};
use crate::format::entry::KeyEntry;
use crate::format::heading::{Entry, HeadSpec};
use crate::format::value::Value;
use crate::treedef::key_path::KeyPath;

impl Error {
    /// Explains an error with which `object`, the tree that was walked, cannot be opened, with the path of the node: that of the object
    /// itself, or one about the keys of a dictionary, with both keys.
    ///
    /// Other errors print as by their `Display`. The text is made when it is displayed, in one walk over the object, which knows no
    /// `is_leaf`: an object that the call took for a leaf, and that cannot be opened either, is named if it comes first.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{Flatten, Open};
    /// use treedef::{Error, Object, Value};
    ///
    /// #[derive(Clone, Copy)]
    /// enum Config {
    ///     Number(f32),
    ///     List(&'static [Config]),
    ///     Map(&'static [(Value<'static>, Config)]),
    /// }
    ///
    /// impl Object for Config {
    ///     type Leaf = f32;
    ///
    ///     fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
    ///         match self {
    ///             Config::Number(number) if number.is_nan() => Err(Error::Unsupported),
    ///             Config::Number(number) => open.leaf(number),
    ///             Config::List(list) => open.list(list.iter().copied()),
    ///             Config::Map(map) => open.dict(map.iter().copied()),
    ///         }
    ///     }
    /// }
    ///
    /// use Config::{List, Map, Number};
    ///
    /// const CONFIG: Config =
    ///     List(&[Number(2.5), Map(&[(Value::Int(1), Number(0.5)), (Value::Str("a"), Number(1.5))])]);
    /// let error = Flatten::new().num_leaves(CONFIG).unwrap_err();
    /// assert_eq!(error.to_string(), "the keys at 0 and 1 cannot be ordered");
    /// let text = error.explain_object(CONFIG).to_string();
    /// assert_eq!(text, "at [1]: keys 1 and 'a' cannot be ordered");
    ///
    /// let unsupported = List(&[Number(2.5), Number(f32::NAN)]);
    /// let error = Flatten::new().num_leaves(unsupported).unwrap_err();
    /// assert_eq!(error.explain_object(unsupported).to_string(), "at [1]: object cannot be opened as a tree");
    /// ```
    pub fn explain_object(self, object: impl Object) -> impl Display {
        ObjectExplanation { error: self, object }
    }
}

/// An error and its object, as a sentence.
struct ObjectExplanation<O> {
    error: Error,
    object: O,
}

impl<O: Object> Display for ObjectExplanation<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = None;
        // What comes after the dictionary is not walked.
        let is_said = |path: KeyPath<'_, '_>, object: O| {
            if said.is_none() {
                let keys = RefusedKeys { error: &self.error, path, f: &mut *f };
                said = object.open(keys).unwrap_or_else(|error| {
                    let is_it = error == self.error;
                    is_it.then(|| write!(f, "at {}{path}: {error}", root(path)))
                });
            }
            said.is_some()
        };
        let _ = Flatten::new().is_leaf_at(is_said).num_leaves(self.object);
        said.unwrap_or_else(|| self.error.fmt(f))
    }
}

/// What is in front of a path that is no text.
fn root(path: KeyPath<'_, '_>) -> &'static str {
    if path.is_silent() { "the root" } else { "" }
}

/// Writes the sentence if an object is the dictionary whose keys were refused.
struct RefusedKeys<'f, 'w, 'p> {
    error: &'f Error,
    path: KeyPath<'p, 'p>,
    f: &'f mut fmt::Formatter<'w>,
}

impl RefusedKeys<'_, '_, '_> {
    fn say<'k>(self, keys: impl Iterator<Item = Value<'k>>) -> Option<fmt::Result> {
        let explanation = self.error.explain_keys(keys);
        let pair = explanation.pair?;
        // The error is about these keys, if two of them relate as it says.
        (pair.first.compare(pair.second) == pair.order)
            .then(|| write!(self.f, "at {}{}: {explanation}", root(self.path), self.path))
    }
}

impl<O: Object> Open<O> for RefusedKeys<'_, '_, '_> {
    type Output = Option<fmt::Result>;

    fn leaf(self, _: O::Leaf) -> Result<Self::Output, Error> {
        Ok(None)
    }

    fn none(self) -> Result<Self::Output, Error> {
        Ok(None)
    }

    fn node<H: HeadSpec + Entry>(
        self,
        head: &H,
        _: impl IntoIterator<Item = O>,
    ) -> Result<Self::Output, Error> {
        Ok(self.say(head.entries().filter_map(|entry| match entry {
            KeyEntry::Key(key) => Some(key),
            _ => None,
        })))
    }

    fn dict<'k, D, I>(self, entries: I) -> Result<Self::Output, Error>
    where
        D: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (D, O), IntoIter: ExactSizeIterator + Clone>,
    {
        Ok(self.say(entries.into_iter().map(|(key, _)| key.into())))
    }
}
