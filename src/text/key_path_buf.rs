//! Writes and reads owned paths as text.

use alloc::string::{String, ToString};
use core::fmt;
use core::str::{Chars, FromStr};

use super::keystr::entry as write_entry;
use crate::base::error::Error;
use crate::format::entry::KeyEntry;
use crate::format::value::Value;
use crate::treedef::find_str::unknown;
use crate::treedef::key_path_buf::KeyPathBuf;

/// Prints [`KeyPath::keystr`](crate::KeyPath::keystr) of the entries.
impl fmt::Display for KeyPathBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries().try_for_each(|entry| write_entry(f, entry))
    }
}

/// Prints the path in parentheses: `KeyPathBuf([0].x)`.
impl fmt::Debug for KeyPathBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyPathBuf({self})")
    }
}

/// Parses the text of [`KeyPath::keystr`](crate::KeyPath::keystr), as the type says.
///
/// # Errors
///
/// [`Error::UnknownPath`] with the byte from which on there is no entry.
///
/// # Examples
///
/// ```
/// use treedef::KeyEntry::{Attr, Index, Key};
/// use treedef::path::KeyPathBuf;
/// use treedef::{Error, Value};
///
/// let path: KeyPathBuf = r#"params["it's"][0][-1]"#.parse()?;
/// let entries = [Attr("params"), Key("it's".into()), Index(0), Key(Value::Int(-1))];
/// assert!(path.entries().eq(entries));
/// assert_eq!("params[x]".parse::<KeyPathBuf>(), Err(Error::UnknownPath { at: 6 }));
/// # Ok::<(), Error>(())
/// ```
impl FromStr for KeyPathBuf {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (mut path, mut rest) = (Self::default(), text);
        while !rest.is_empty() {
            let at = text.len().saturating_sub(rest.len());
            let mut key = String::new();
            let (entry, after) = read_entry(rest, at == 0, &mut key).ok_or(unknown(at))?;
            path.push(entry)?;
            rest = after;
        }
        Ok(path)
    }
}

/// Reads an entry from the front of a text, and returns the text after it. `key` is room for a key in quotes.
fn read_entry<'e, 't: 'e>(
    text: &'t str,
    is_first: bool,
    key: &'e mut String,
) -> Option<(KeyEntry<'e>, &'t str)> {
    let Some(inside) = text.strip_prefix('[') else {
        let name = text.strip_prefix('.').or(is_first.then_some(text))?;
        let (name, rest) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
        return (!name.is_empty()).then_some((KeyEntry::Attr(name), rest));
    };
    if inside.starts_with(['\'', '"']) {
        let rest = read_quoted(inside, key)?.strip_prefix(']')?;
        return Some((KeyEntry::Key(Value::Str(key)), rest));
    }
    let (inside, rest) = inside.split_once(']')?;
    let entry = match inside {
        "None" => KeyEntry::Key(Value::None),
        "True" => KeyEntry::Key(Value::Bool(true)),
        "False" => KeyEntry::Key(Value::Bool(false)),
        _ => match inside.strip_prefix("<flat index ") {
            Some(index) => KeyEntry::FlatIndex(read_number(index.strip_suffix('>')?)?),
            None => match read_number(inside) {
                Some(index) => KeyEntry::Index(index),
                None => KeyEntry::Key(Value::Int(read_number(inside)?)),
            },
        },
    };
    Some((entry, rest))
}

/// Reads a number as Python prints it: `+1` and `01` are none.
fn read_number<N: FromStr + ToString>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

/// Reads a string in quotes, with the escapes of Python's `repr`, and returns the text after it.
fn read_quoted<'t>(text: &'t str, string: &mut String) -> Option<&'t str> {
    let mut characters = text.chars();
    let quote = characters.next()?;
    loop {
        string.push(match characters.next()? {
            character if character == quote => return Some(characters.as_str()),
            '\\' => match characters.next()? {
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                'x' => read_code(&mut characters, 2)?,
                'u' => read_code(&mut characters, 4)?,
                'U' => read_code(&mut characters, 8)?,
                character @ ('\\' | '\'' | '"') => character,
                _ => return None,
            },
            character => character,
        });
    }
}

/// Reads the character whose code has this many hexadecimal digits.
fn read_code(characters: &mut Chars<'_>, digits: u32) -> Option<char> {
    let mut code = 0u32;
    for _ in 0..digits {
        code = code.checked_mul(16)?.checked_add(characters.next()?.to_digit(16)?)?;
    }
    char::from_u32(code)
}
