//! What the two texts of an alias say: a pair of paths, or of names of fields or types. The compiler asks it, too.

use crate::base::attempt::any;
use crate::base::bytes::{equal_words, strip_prefix};
use crate::treedef::pattern::open;

/// Whether an alias is a pair of paths from the root. Otherwise it is a pair of names at any node.
pub(crate) const fn is_path(from: &[u8], to: &[u8]) -> bool {
    const fn has_separator(text: &[u8]) -> bool {
        text.is_empty() || any!(text, byte => matches!(*byte, b'.' | b'/' | b'['))
    }
    has_separator(from) || has_separator(to)
}

/// Whether an alias gives an old type name this new one, or has both in it, as it has those of the variants of an enum: `a::Mode` to
/// `b::State` makes `b::State::Off` of `a::Mode::Off`.
pub(crate) const fn is_type_renamed([old, new]: [&[u8]; 2], [from, to]: [&[u8]; 2]) -> bool {
    match (strip_prefix(old, from), strip_prefix(new, to)) {
        (Some(old), Some(new)) => equal_words(old, new) && matches!(old, [] | [b':', b':', ..]),
        _ => false,
    }
}

/// Whether a path leads to where another one does: a `*` in it can be any name.
pub(crate) const fn covers(mut path: &[u8], mut other: &[u8]) -> bool {
    while !(path.is_empty() && other.is_empty()) {
        let (Some(first), Some(own)) = (open(path), open(other)) else { return false };
        let (Some((name, rest)), Some((own, left))) = (first.any(), own.any()) else {
            return false;
        };
        if !equal_words(name, own) && !equal_words(name, b"*") {
            return false;
        }
        (path, other) = (rest, left);
    }
    true
}

/// The number of bytes of a name in an alias before that of a field: those of the type of the field and a dot, if the type has the name
/// `own` or is in what has it. `app::Mode.kp` has 10 of them at a node `app::Mode` or `app::Mode::Pid`, and none elsewhere.
pub(crate) const fn scope_len(own: &[u8], name: &[u8]) -> usize {
    let (mut type_rest, mut rest) = (own, name);
    while let ([one, type_after @ ..], [other, after @ ..]) = (type_rest, rest)
        && *one == *other
    {
        (type_rest, rest) = (type_after, after);
    }
    let len = name.len().saturating_sub(rest.len());
    match (type_rest, rest) {
        ([] | [b':', b':', ..], [b'.', ..]) if len > 0 => len.saturating_add(1),
        _ => 0,
    }
}
