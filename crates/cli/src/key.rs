//! Keys of dicts, as files of Python have them.

use std::cmp::Ordering;
use std::fmt;

use serde_json::Value as Json;
use treedef::Value;
use treedef::format::ValueTuple;

use crate::style::plain;

/// A key of a dict.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    None,
    Bool(bool),
    Int(i64),
    Float(Float),
    Text(String),
    Bytes(Vec<u8>),
    /// A tuple. One in a tuple is opaque.
    Tuple(Vec<Self>),
    /// The text of any other value.
    Opaque(String),
}

/// A float. No file has those that are no number as keys.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Float(pub(crate) f64);

impl Eq for Float {}

impl PartialOrd for Float {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Float {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Key {
    /// Reads a key from the JSON of PyTorch. A list was a tuple, and an object is a member of an enumeration.
    pub(crate) fn from_json(json: &Json) -> Self {
        match json {
            Json::Null => Self::None,
            Json::Bool(bool) => Self::Bool(*bool),
            Json::String(text) => Self::Text(text.clone()),
            Json::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(int), _) => Self::Int(int),
                (None, Some(float)) if number.is_f64() => Self::Float(Float(float)),
                _ => Self::Opaque(number.to_string()),
            },
            Json::Array(items) => {
                let item = |item| match Self::from_json(item) {
                    tuple @ Self::Tuple(_) => Self::Opaque(tuple.to_string()),
                    other => other,
                };
                Self::Tuple(items.iter().map(item).collect())
            }
            Json::Object(object) => {
                let text = |name| object.get(name).and_then(Json::as_str);
                let member = object.get("__enum__").and(text("fqn")).zip(text("name"));
                Self::Opaque(plain(&match member {
                    // `package.module:Class`
                    Some((class, name)) => {
                        format!("{}.{name}", class.rsplit(':').next().unwrap_or_default())
                    }
                    None => json.to_string(),
                }))
            }
        }
    }

    /// Whether only a text of the key, or of a part of it, is known.
    pub(crate) fn is_opaque(&self) -> bool {
        match self {
            Self::Opaque(_) => true,
            Self::Tuple(keys) => keys.iter().any(Self::is_opaque),
            _ => false,
        }
    }

    /// Returns the value of a key with the elements of a tuple.
    fn value<'k>(&'k self, elements: &'k [Value<'k>]) -> Value<'k> {
        match self {
            Self::None => Value::None,
            Self::Bool(bool) => Value::Bool(*bool),
            Self::Int(int) => Value::Int(*int),
            Self::Float(float) => Value::Float(float.0),
            Self::Text(text) => Value::Str(text),
            Self::Bytes(bytes) => Value::Bytes(bytes),
            Self::Tuple(_) => Value::Tuple(ValueTuple::new(elements)),
            Self::Opaque(text) => Value::Opaque(text),
        }
    }

    fn elements(&self) -> Vec<Value<'_>> {
        match self {
            Self::Tuple(keys) => keys.iter().map(|key| key.value(&[])).collect(),
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plain(&self.value(&self.elements()).to_string()))
    }
}

/// Calls a function with the values of keys.
pub(crate) fn with_values<R>(keys: &[Key], call: impl FnOnce(&[Value<'_>]) -> R) -> R {
    let elements: Vec<_> = keys.iter().map(Key::elements).collect();
    let values: Vec<_> = keys.iter().zip(&elements).map(|(key, of)| key.value(of)).collect();
    call(&values)
}

/// Whether each key is less than the next one to Python, too.
pub(crate) fn are_ordered(keys: &[&Key]) -> bool {
    let is_less = |pair: &[&Key]| {
        let [ours, theirs] = [pair[0].elements(), pair[1].elements()];
        pair[0].value(&ours).compare(pair[1].value(&theirs)) == Some(Ordering::Less)
    };
    keys.windows(2).all(is_less)
}
