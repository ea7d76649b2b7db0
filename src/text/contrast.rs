//! Writes nodes in words: what a head is, and how two heads differ.

use core::fmt::{self, Write};

use super::repr::{list, repr, short_name};
use crate::base::python;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::format::value::Value;
use crate::treedef::merge::without;

/// The number of keys that are written; the rest is counted.
const KEYS: usize = 8;

/// Prints the head in words: `Head(a dict with keys 'a', 'b')`.
impl fmt::Debug for Head<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Head(")?;
        describe(f, self, whole)?;
        f.write_char(')')
    }
}

/// Writes how two heads of one kind differ, apart from the names of their children: in type, or in the data of one type.
pub(super) fn contrast_data(
    f: &mut dyn Write,
    expected: &Head<'_>,
    found: &Head<'_>,
) -> fmt::Result {
    if expected.type_name() != found.type_name() {
        return types(f, expected, found);
    }
    match (expected.aux(), found.aux()) {
        (Some(ours), Some(theirs)) => {
            f.write_str("expected aux data ")?;
            repr(f, ours)?;
            f.write_str(", found ")?;
            repr(f, theirs)
        }
        _ if expected.kind() == Kind::DefaultDict => {
            f.write_str("expected default factory ")?;
            f.write_str(expected.factory().unwrap_or_default())?;
            f.write_str(", found ")?;
            f.write_str(found.factory().unwrap_or_default())
        }
        _ => meta_fields(f, expected.meta_fields(), found.meta_fields()),
    }
}

/// Writes how two heads differ: in kind, in type, or in the data of one type.
pub(super) fn contrast(f: &mut dyn Write, expected: &Head<'_>, found: &Head<'_>) -> fmt::Result {
    if expected.kind() != found.kind() {
        return both(f, expected, found, short_name);
    }
    match expected.kind() {
        Kind::DefaultDict
            if expected.arity() == found.arity() && expected.factory() != found.factory() =>
        {
            contrast_data(f, expected, found)
        }
        Kind::Dict | Kind::DefaultDict => {
            names(f, "key", true, expected.entries(), found.entries())
        }
        Kind::OrderedDict => names(f, "key", false, expected.entries(), found.entries()),
        Kind::NamedTuple | Kind::Struct | Kind::Custom => types(f, expected, found),
        _ => both(f, expected, found, short_name),
    }
}

/// Writes both heads, with their type names cut by `shown`.
fn both(f: &mut dyn Write, expected: &Head<'_>, found: &Head<'_>, shown: Cut) -> fmt::Result {
    f.write_str("expected ")?;
    describe(f, expected, shown)?;
    f.write_str(", found ")?;
    describe(f, found, shown)
}

/// Writes a head as [`contrast`] does.
pub(super) fn in_words(f: &mut dyn Write, head: &Head<'_>) -> fmt::Result {
    describe(f, head, short_name)
}

/// Writes how the fields of two structs of one name differ.
pub(super) fn contrast_fields(
    f: &mut dyn Write,
    expected: &Head<'_>,
    found: &Head<'_>,
) -> fmt::Result {
    names(f, "field", false, expected.entries(), found.entries())
}

/// Returns the part of a type name that is shown.
type Cut = fn(&str) -> &str;

fn whole(name: &str) -> &str {
    name
}

fn describe(f: &mut dyn Write, head: &Head<'_>, shown: Cut) -> fmt::Result {
    let text = match head.kind() {
        Kind::Leaf => "a leaf",
        Kind::None => "None",
        Kind::Some => "Some",
        Kind::Tuple => "a tuple of ",
        Kind::List => "a list of ",
        Kind::Dict => "a dict with ",
        Kind::OrderedDict => "an OrderedDict with ",
        Kind::DefaultDict => "a defaultdict with ",
        Kind::NamedTuple => "a named tuple ",
        Kind::Struct => "a struct ",
        Kind::Custom => "a custom node ",
    };
    f.write_str(text)?;
    match head.kind() {
        Kind::Leaf | Kind::None | Kind::Some => Ok(()),
        Kind::Tuple | Kind::List => python::integer(f, i64::from(head.arity())),
        Kind::Dict | Kind::OrderedDict | Kind::DefaultDict => {
            if head.num_children() == 0 {
                return f.write_str("no keys");
            }
            several(f, "key", head.entries())
        }
        Kind::NamedTuple | Kind::Struct | Kind::Custom => {
            f.write_str(shown(head.type_name().unwrap_or_default()))
        }
    }
}

/// Writes how two nodes of one kind with a type name differ.
fn types(f: &mut dyn Write, expected: &Head<'_>, found: &Head<'_>) -> fmt::Result {
    let name = expected.type_name().unwrap_or_default();
    let other = found.type_name().unwrap_or_default();
    if name == other {
        return data(f, expected, found);
    }
    if let (Kind::Struct, Some((of, variant)), Some((of_other, other))) =
        (expected.kind(), variant(name), variant(other))
        && of == of_other
    {
        let name = short_name(of);
        f.write_str("expected variant ")?;
        segments(f, [name, variant])?;
        f.write_str(", found variant ")?;
        return segments(f, [name, other]);
    }
    // If the short names are equal, the full names show the difference.
    let shown = if short_name(name) == short_name(other) { whole } else { short_name };
    both(f, expected, found, shown)
}

fn segments(f: &mut dyn Write, [name, variant]: [&str; 2]) -> fmt::Result {
    f.write_str(name)?;
    f.write_str("::")?;
    f.write_str(variant)
}

/// Splits a name into the path of the enum and the name of the variant. Returns `None` if the part before the last is
/// no type: modules do not begin with a capital.
fn variant(name: &str) -> Option<(&str, &str)> {
    let variant = short_name(name);
    let of = name.strip_suffix(variant)?.strip_suffix("::")?;
    let is_type = short_name(of).as_bytes().first().is_some_and(u8::is_ascii_uppercase);
    is_type.then_some((of, variant))
}

/// Writes how two nodes of one type differ: in fields, meta fields, aux data, or the number or the keys of children.
fn data(f: &mut dyn Write, expected: &Head<'_>, found: &Head<'_>) -> fmt::Result {
    let (ours, theirs) = (expected.meta_fields(), found.meta_fields());
    let fields_differ = !expected.fields().eq(found.fields());
    let meta_differs = !ours.clone().eq(theirs.clone());
    if fields_differ {
        contrast_fields(f, expected, found)?;
    }
    if fields_differ && meta_differs {
        f.write_str("; ")?;
    }
    if meta_differs {
        return meta_fields(f, ours, theirs);
    }
    if fields_differ {
        return Ok(());
    }
    if expected.arity() != found.arity() {
        f.write_str("expected ")?;
        children(f, expected.arity())?;
        f.write_str(", found ")?;
        python::integer(f, i64::from(found.arity()))?;
        if expected.child_keys().is_some() && found.child_keys().is_some() {
            f.write_str(": ")?;
            names(f, "child key", false, expected.entries(), found.entries())?;
        }
        return Ok(());
    }
    if expected.aux() != found.aux() {
        return contrast_data(f, expected, found);
    }
    f.write_str("expected child ")?;
    several(f, "key", expected.entries())?;
    f.write_str(", found ")?;
    several(f, "", found.entries())
}

/// Writes how the meta fields of two structs differ: in the names that only one of them has, or in their values;
/// otherwise in their order.
fn meta_fields<'a, I>(f: &mut dyn Write, ours: I, theirs: I) -> fmt::Result
where
    I: Iterator<Item = MetaField<'a>> + Clone,
{
    let names_differ = !ours.clone().map(|(name, _)| name).eq(theirs.clone().map(|(name, _)| name));
    let changed = |fields: I, others: I| {
        fields.filter(move |(name, value)| {
            others.clone().any(|(other, new)| other == *name && new != *value)
        })
    };
    let values_differ = changed(ours.clone(), theirs.clone()).next().is_some();
    if names_differ {
        let [ours, theirs] =
            [ours.clone(), theirs.clone()].map(|all| all.map(|(name, _)| KeyEntry::Attr(name)));
        names(f, "meta field", false, ours, theirs)?;
    }
    if names_differ && values_differ {
        f.write_str("; ")?;
    }
    if values_differ {
        f.write_str("expected ")?;
        meta(f, changed(ours.clone(), theirs.clone()))?;
        f.write_str(", found ")?;
        meta(f, changed(theirs, ours))?;
    }
    Ok(())
}

/// A meta field.
type MetaField<'a> = (&'a str, Value<'a>);

/// Writes up to [`KEYS`] meta fields as assignments, and the number of further ones.
fn meta<'a>(f: &mut dyn Write, mut fields: impl Iterator<Item = MetaField<'a>>) -> fmt::Result {
    list(f, fields.by_ref().take(KEYS), |f, (name, value)| {
        f.write_str(name)?;
        f.write_str(" = ")?;
        repr(f, value)
    })?;
    more(f, fields)
}

fn children(f: &mut dyn Write, count: u32) -> fmt::Result {
    python::integer(f, i64::from(count))?;
    f.write_str(if count == 1 { " child" } else { " children" })
}

/// Writes the head with its full type name, its fields or keys and its data.
pub(super) fn in_full(f: &mut dyn Write, head: &Head<'_>) -> fmt::Result {
    describe(f, head, whole)?;
    match head.kind() {
        Kind::NamedTuple | Kind::Struct => {
            if head.num_children() > 0 {
                f.write_str(" with ")?;
                several(f, "field", head.entries())?;
            }
            if head.meta_fields().next().is_some() {
                f.write_str(", meta ")?;
                meta(f, head.meta_fields())?;
            }
            Ok(())
        }
        Kind::DefaultDict => {
            f.write_str(", default factory ")?;
            f.write_str(head.factory().unwrap_or_default())
        }
        Kind::Custom => {
            f.write_str(" of ")?;
            children(f, head.arity())?;
            if let Some(aux) = head.aux() {
                f.write_str(", aux data ")?;
                repr(f, aux)?;
            }
            if head.child_keys().is_some() {
                f.write_str(", child ")?;
                several(f, "key", head.entries())?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Writes the names that only one side has. If both have the same names, writes their orders.
fn names<'a, I, J>(f: &mut dyn Write, what: &str, sorted: bool, ours: I, theirs: J) -> fmt::Result
where
    I: Iterator<Item = KeyEntry<'a>> + Clone,
    J: Iterator<Item = KeyEntry<'a>> + Clone,
{
    let missing = without(ours.clone(), theirs.clone(), sorted);
    let unexpected = without(theirs.clone(), ours.clone(), sorted);
    let (some, more) = (missing.clone().next().is_some(), unexpected.clone().next().is_some());
    if some {
        f.write_str("missing ")?;
        several(f, what, missing)?;
    }
    if some && more {
        f.write_str(" and ")?;
    }
    if more {
        f.write_str("unexpected ")?;
        several(f, what, unexpected)?;
    }
    if some || more {
        return Ok(());
    }
    f.write_str("expected ")?;
    f.write_str(what)?;
    f.write_str(" order ")?;
    several(f, "", ours)?;
    f.write_str(", found ")?;
    several(f, "", theirs)
}

/// Writes `what` in singular or plural, unless it is empty, then up to [`KEYS`] names with commas, and the number of
/// further ones.
fn several<'a>(
    f: &mut dyn Write,
    what: &str,
    mut names: impl Iterator<Item = KeyEntry<'a>> + Clone,
) -> fmt::Result {
    if !what.is_empty() {
        f.write_str(what)?;
        f.write_str(if names.clone().nth(1).is_some() { "s " } else { " " })?;
    }
    list(f, names.by_ref().take(KEYS), |f, entry| match entry {
        KeyEntry::Key(key) => repr(f, key),
        KeyEntry::Attr(name) => f.write_str(name),
        other => super::keystr::entry(f, other),
    })?;
    more(f, names)
}

/// Writes the number of remaining items, if any.
fn more(f: &mut dyn Write, rest: impl Iterator) -> fmt::Result {
    // `Iterator::count` can overflow.
    match rest.fold(0, |count: i64, _| count.saturating_add(1)) {
        0 => Ok(()),
        more => {
            f.write_str(" and ")?;
            python::integer(f, more)?;
            f.write_str(" more")
        }
    }
}
