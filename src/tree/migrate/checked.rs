//! Aliases whose new paths the compiler follows in the schema of a type.

use crate::base::attempt::any;
use crate::base::bytes::{after, equal_words, strip_prefix};
use crate::base::message::Message;
use crate::encode::schema::{Fields, Schema};
use crate::encode::structure::HasSchema;
use crate::tree::migrate::alias_texts::scope_len;
use crate::treedef::segment::Segment;

/// Aliases for a type: pairs of an old path and a new one, as [`Matching`](crate::algebra::Matching) and all that migrates take them.
/// The compiler follows the new paths.
///
/// A new path that leads nowhere in the type does not compile: a name has to be that of a field, an index one of the tuple, the
/// array or the list. `*` and a key of a map can be anything; a key with `.`, `/` or `[` is written in quotes. What the type does not
/// say can be anything, too: the inside of a recursive type, and that of a container by hand without a schema. A name that is matched at any
/// node has to be that of a field, an enum or a type somewhere in the type, unless this has a map. Old paths are not followed, because
/// the type has them no longer.
///
/// # Examples
///
/// ```
/// # #[cfg(all(feature = "alloc", feature = "derive"))] {
/// use treedef::algebra::{aliases, migrate_typed};
/// use treedef::{Tree, View, treedef_of};
///
/// #[derive(Tree)]
/// #[tree(name = "app::Settings")]
/// struct OldSettings { hours: f32, gain: [f32; 2] }
///
/// #[derive(Tree, Debug, PartialEq)]
/// #[tree(name = "app::Settings")]
/// struct Settings { motors: [Motor; 2], uptime: f32 }
///
/// #[derive(Tree, Debug, PartialEq)]
/// #[tree(name = "app::Motor")]
/// struct Motor { gain: f32 }
///
/// const ALIASES: &[(&str, &str)] =
///     aliases!(Settings, [("hours", "uptime"), ("gain[*]", "motors[*].gain")]);
///
/// let stored = View::new(treedef_of::<OldSettings>(), &[12.0, 0.5, 2.5])?;
/// let defaults = Settings { motors: [Motor { gain: 1.0 }, Motor { gain: 1.0 }], uptime: 0.0 };
/// let (settings, _) = migrate_typed(stored, &defaults, ALIASES, |_| {})?;
/// assert_eq!(settings, Settings { motors: [Motor { gain: 0.5 }, Motor { gain: 2.5 }], uptime: 12.0 });
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// ```compile_fail
/// # use treedef::algebra::aliases;
/// #[derive(treedef::Tree)]
/// struct Settings { uptime: f32 }
///
/// // the alias `hours` to `uptmie` leads nowhere: the type has no `uptmie`
/// let aliases = aliases!(Settings, [("hours", "uptmie")]);
/// ```
#[macro_export]
macro_rules! aliases {
    ($type:ty, [$(($from:expr, $to:expr)),* $(,)?] $(,)?) => {
        const {
            match $crate::__private::lead_into::<$type>(&[$(($from, $to)),*]) {
                ::core::result::Result::Ok(aliases) => aliases,
                ::core::result::Result::Err(message) => ::core::panic!("{}", message.as_str()),
            }
        }
    };
}

// `algebra` exports it, and imports it from here.
pub use aliases;

/// What [`aliases!`](crate::aliases!) evaluates: the aliases, if their new paths lead somewhere in a type.
///
/// # Errors
///
/// A text that says which alias leads nowhere.
#[expect(clippy::result_large_err, reason = "only the compiler evaluates it")]
pub const fn lead_into<'a, T: HasSchema + ?Sized>(
    aliases: &'a [(&'a str, &'a str)],
) -> Result<&'a [(&'a str, &'a str)], Message> {
    let mut left = aliases;
    while let [(from, to), rest @ ..] = left {
        let is_name =
            !is_only_path(from) && !is_only_path(to) && has_name(T::SCHEMA, to.as_bytes());
        if !is_name && !leads(T::SCHEMA, to.as_bytes(), true, true) {
            let why = "` leads nowhere: the type has no `";
            return Err(Message::new(&["the alias `", from, "` to `", to, why, to, "`"]));
        }
        left = rest;
    }
    Ok(aliases)
}

/// Whether a text is only a path from the root, and no name at any node.
const fn is_only_path(text: &str) -> bool {
    any!(text.as_bytes(), byte => matches!(*byte, b'.' | b'/' | b'['))
        && !any!(text.as_bytes(), byte => matches!(*byte, b':' | b'A'..=b'Z'))
}

/// Whether a pattern leads to a place of some value with this schema.
///
/// If it `is_strict`, an index in a list is below the capacity, and a key of a map ends at a `.`, `/` or `[`. Otherwise anything can follow a
/// map, because a key can have these.
pub(crate) const fn leads(
    schema: &Schema,
    pattern: &[u8],
    is_first: bool,
    is_strict: bool,
) -> bool {
    if pattern.is_empty() {
        return true;
    }
    let Some(segment) = Segment::open(pattern, is_first) else { return false };
    let Some((key, rest)) = segment.any() else { return false };
    let (is_star, mut at) = (equal_words(key, b"*"), 0);
    let room = match schema {
        Schema::Unknown | Schema::Recursive(_) | Schema::Pointer(_) => return true,
        Schema::Optional(of) => return leads(of, pattern, is_first, is_strict),
        Schema::Map(_, _, of) => return !is_strict || leads(of, rest, false, is_strict),
        Schema::Array(room, _) => *room,
        Schema::List(Some(room), _) if is_strict => *room,
        _ => usize::MAX,
    };
    let (records, others) = schema.parts();
    any!(records, record => {
        let mut children = record.children.as_slice();
        any!(record.fields, name => {
            let [child, others @ ..] = children else { return false };
            children = others;
            let named = segment.after_name(name.as_bytes(), false);
            match if is_star { Some(rest) } else { named } {
                Some(rest) => leads(child, rest, false, is_strict),
                None => false,
            }
        })
    }) || any!(others, child => {
        let is_here = match segment.index() {
            Some((index, _)) if matches!(schema, Schema::Tuple(_)) => index == at,
            Some((index, _)) => (index as usize) < room,
            None => is_star,
        };
        at = at.wrapping_add(1);
        is_here && leads(child, rest, false, is_strict)
    })
}

/// Whether a name is that of a field, here or below, with or without its type, or that of a type. Keys of maps can have any name.
pub(crate) const fn has_name(schema: &Schema, name: &[u8]) -> bool {
    let (records, others) = schema.parts();
    matches!(schema, Schema::Map(..) | Schema::Unknown | Schema::Pointer(_))
        || any!(others, child => has_name(child, name))
        || any!(records, record => {
            let field = after(name, scope_len(record.name.as_bytes(), name));
            is_in(record, name)
                || any!(record.fields, own => equal_words(own.as_bytes(), field))
                || has_name(&Schema::Tuple(record.children), name)
        })
}

/// Whether a name is that of a struct, or of the enum or a module that the struct is in.
const fn is_in(record: &Fields, scope: &[u8]) -> bool {
    matches!(strip_prefix(record.name.as_bytes(), scope), Some([] | [b':', b':', ..]))
}
