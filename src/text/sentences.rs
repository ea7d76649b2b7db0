//! The sentences about two sides: what a node is, how two nodes differ, what only one side has, and at which place.

use core::fmt::{self, Display, Formatter, Write};

use super::repr::short_name;
use crate::base::show::{children, separated};
use crate::encode::schema::Schema;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::format::value::Value;
use crate::treedef::key_path::KeyPath;
use crate::treedef::names::{Searched, is_sorted, same_type, without};

/// The number of names that are searched in another node for a text: so the cost is linear in the bytes of both.
const MAX_SEARCHES: u32 = 1024;

/// The number of names that are written; the rest is counted.
const NAMES: usize = 8;

/// Prints the head in words: `Head(a dict with keys 'a', 'b')`.
impl fmt::Debug for Head<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Head({})", Words(*self, whole))
    }
}

/// A place: its path, or `the root`.
pub(crate) struct Place<'a>(pub(crate) KeyPath<'a, 'a>);

impl Display for Place<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_silent() { f.write_str("the root") } else { self.0.fmt(f) }
    }
}

/// Writes what was expected and what was found. What only one side has is missing or unexpected.
pub(crate) fn both(
    f: &mut Formatter<'_>,
    expected: Option<&dyn Display>,
    found: Option<&dyn Display>,
) -> fmt::Result {
    match (expected, found) {
        (Some(expected), Some(found)) => {
            write!(f, "expected {expected}, found {found}")?;
            let (mut ours, mut theirs) = (Printed::default(), Printed::default());
            write!(ours, "{expected}").and(write!(theirs, "{found}"))?;
            // Values can print alike, as the `float32` 1.0 and the float 1.0 do.
            f.write_str(match ours {
                _ if ours != theirs => "",
                Printed { is_nan: true, .. } => " with other bits, or of another type",
                _ => " of another type",
            })
        }
        (Some(expected), None) => write!(f, "missing {expected}"),
        (None, Some(found)) => write!(f, "unexpected {found}"),
        (None, None) => Ok(()),
    }
}

/// What was printed, to compare texts without a buffer: a hash, which others have only by chance, and whether a number at the end is none.
#[derive(Default, PartialEq)]
struct Printed {
    hash: u64,
    is_nan: bool,
}

impl Write for Printed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.hash = self.hash.wrapping_mul(0x0100_0000_01B3).wrapping_add(byte.into());
        }
        self.is_nan = text == "nan";
        Ok(())
    }
}

/// A head in words, as [`contrast`] writes it. The function returns the part of its type name that is shown.
pub(crate) struct Words<'a>(Head<'a>, fn(&str) -> &str);

impl<'a> Words<'a> {
    /// The head with the short name of its type.
    pub(crate) const fn short(head: Head<'a>) -> Self {
        Self(head, short_name)
    }
}

fn whole(name: &str) -> &str {
    name
}

impl Display for Words<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Words(head, shown) = self;
        let text = match head.kind() {
            Kind::Leaf => return f.write_str("a leaf"),
            Kind::None => return f.write_str("None"),
            Kind::Some => return f.write_str("Some"),
            Kind::Tuple => return write!(f, "a tuple of {}", head.arity()),
            Kind::List => return write!(f, "a list of {}", head.arity()),
            Kind::Dict => "a dict",
            Kind::OrderedDict => "an OrderedDict",
            Kind::DefaultDict => "a defaultdict",
            Kind::NamedTuple => "a named tuple",
            Kind::Struct => "a struct",
            Kind::Custom => "a custom node",
        };
        if head.kind() == Kind::Struct
            && let Some((of, variant)) = head.type_name().and_then(variant)
        {
            return write!(f, "variant {}::{variant}", shown(of));
        }
        match head.type_name() {
            // The nodes of schemas that are no structs are called `a leaf`, `an option`.
            Some(name) if name.bytes().any(|byte| byte == b' ') && head.kind() == Kind::Struct => {
                f.write_str(name)
            }
            Some(name) => write!(f, "{text} {}", shown(name)),
            None if head.arity() == 0 => write!(f, "{text} with no keys"),
            None => write!(f, "{text} with {}", Several("key", head.entries())),
        }
    }
}

/// What the values of a schema are, in words.
pub(crate) struct Values<'s>(pub(crate) &'s Schema);

impl Display for Values<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Schema::Leaf(..) => f.write_str("a leaf"),
            Schema::Tuple(children) => write!(f, "a tuple of {}", children.as_slice().len()),
            Schema::Array(count, _) => write!(f, "a list of {count}"),
            Schema::List(..) => f.write_str("a list"),
            Schema::Map(..) => f.write_str("a dict"),
            Schema::Optional(of) => write!(f, "{} or None", Values(of)),
            Schema::Struct(fields) => write!(f, "a struct {}", short_name(fields.name)),
            Schema::Enum(names, _) => {
                Several("variant", names.iter().map(|name| KeyEntry::Attr(name))).fmt(f)
            }
            Schema::Recursive(_) | Schema::Pointer(_) | Schema::Unknown => {
                f.write_str("no such value")
            }
        }
    }
}

/// A head with its full type name, its fields or keys and its data.
pub(crate) struct InFull<'h, 'a>(pub(crate) &'h Head<'a>);

impl Display for InFull<'_, '_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let head = self.0;
        Words(*head, whole).fmt(f)?;
        if let Some(factory) = head.factory() {
            write!(f, ", default factory {factory}")?;
        }
        if matches!(head.kind(), Kind::NamedTuple | Kind::Struct) && head.arity() > 0 {
            write!(f, " with {}", Several("field", head.entries()))?;
        }
        if head.meta_fields().next().is_some() {
            write!(f, ", meta {}", Assignments(head.meta_fields()))?;
        }
        if let Some(aux) = head.aux() {
            write!(f, " of {}, aux data {aux}", children(head.arity()))?;
        }
        if head.child_keys().is_some() {
            write!(f, ", child {}", Several("key", head.entries()))?;
        }
        Ok(())
    }
}

/// Writes how two heads differ: in kind, in type, or in the names of the children or the data of one type.
pub(super) fn contrast(
    f: &mut Formatter<'_>,
    expected: &Head<'_>,
    found: &Head<'_>,
) -> fmt::Result {
    let fields_differ = !expected.fields().eq(found.fields());
    let meta_differs = !expected.meta_fields().eq(found.meta_fields());
    match expected.kind() {
        _ if !same_type(expected, found) => types(f, expected, found),
        Kind::Dict | Kind::OrderedDict => names(f, "key", expected, found),
        Kind::DefaultDict
            if expected.arity() != found.arity() || expected.factory() == found.factory() =>
        {
            names(f, "key", expected, found)
        }
        Kind::NamedTuple | Kind::Struct => {
            if fields_differ {
                names(f, "field", expected, found)?;
            }
            if fields_differ && meta_differs {
                f.write_str("; ")?;
            }
            if meta_differs { contrast_data(f, expected, found) } else { Ok(()) }
        }
        Kind::Custom if expected.arity() != found.arity() => {
            let (ours, theirs) = (children(expected.arity()), found.arity());
            both(f, Some(&ours), Some(&theirs))?;
            if expected.child_keys().is_some() && found.child_keys().is_some() {
                f.write_str(": ")?;
                names(f, "child key", expected, found)?;
            }
            Ok(())
        }
        Kind::Custom if expected.aux() == found.aux() => {
            let ours = Several("child key", expected.entries());
            both(f, Some(&ours), Some(&Several("", found.entries())))
        }
        Kind::DefaultDict | Kind::Custom => contrast_data(f, expected, found),
        _ => both(f, Some(&Words::short(*expected)), Some(&Words::short(*found))),
    }
}

/// How two heads of one kind differ, apart from the names of their children: the expected head, and the one found.
pub(crate) struct DataContrast<'a>(pub(crate) Head<'a>, pub(crate) Head<'a>);

impl Display for DataContrast<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        contrast_data(f, &self.0, &self.1)
    }
}

/// Writes how two heads of one kind differ, apart from the names of their children: in type, or in the data of one type.
fn contrast_data(f: &mut Formatter<'_>, expected: &Head<'_>, found: &Head<'_>) -> fmt::Result {
    if !same_type(expected, found) {
        return types(f, expected, found);
    }
    match (expected.aux(), found.aux(), expected.factory(), found.factory()) {
        (Some(ours), Some(theirs), ..) => write!(f, "expected aux data {ours}, found {theirs}"),
        (_, _, Some(ours), Some(theirs)) => {
            write!(f, "expected default factory {ours}, found {theirs}")
        }
        _ => meta_fields(f, expected.meta_fields(), found.meta_fields()),
    }
}

/// Writes the kinds and the type names of two nodes, which are not all equal.
fn types(f: &mut Formatter<'_>, expected: &Head<'_>, found: &Head<'_>) -> fmt::Result {
    let [name, other] = [expected, found].map(|head| head.type_name().unwrap_or_default());
    // If the short names are equal, the full names show the difference.
    let is_short = expected.kind() != found.kind() || short_name(name) != short_name(other);
    let shown = if is_short { short_name } else { whole };
    both(f, Some(&Words(*expected, shown)), Some(&Words(*found, shown)))
}

/// Splits a name into the path of the enum and the name of the variant. Returns `None` if the part before the last is
/// no type but a module, whose name has only small letters, digits and underscores.
pub(super) fn variant(name: &str) -> Option<(&str, &str)> {
    let variant = short_name(name);
    let of = name.strip_suffix(variant)?.strip_suffix("::")?;
    let is_module = short_name(of)
        .bytes()
        .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | 0x80..));
    (!is_module).then_some((of, variant))
}

/// A meta field.
type MetaField<'a> = (&'a str, Value<'a>);

/// Writes how the meta fields of two structs differ: in the names that only one of them has, or in their values;
/// otherwise in their order.
fn meta_fields<'a, I>(f: &mut Formatter<'_>, ours: I, theirs: I) -> fmt::Result
where
    I: Iterator<Item = MetaField<'a>> + Clone,
{
    let changed = |fields: &I, others: &I| {
        let mut others = Searched::new(others.clone(), MAX_SEARCHES);
        let differs = move |(name, value): &MetaField<'a>| {
            let found = others.find(|(other, _)| other == name).flatten();
            found.is_some_and(|(_, new)| new != *value)
        };
        Assignments(fields.clone().filter(differs))
    };
    let [mine, others] = [&ours, &theirs].map(|all| all.clone().map(|(name, _)| name));
    let names_differ = !mine.eq(others);
    let (mine, others) = (changed(&ours, &theirs), changed(&theirs, &ours));
    let values_differ = mine.0.clone().next().is_some();
    if names_differ {
        meta_names(f, ours, theirs)?;
    }
    if names_differ && values_differ {
        f.write_str("; ")?;
    }
    if values_differ { both(f, Some(&mine), Some(&others)) } else { Ok(()) }
}

/// Writes how the names of the meta fields of two structs differ.
pub(super) fn meta_names<'a, I>(f: &mut Formatter<'_>, ours: I, theirs: I) -> fmt::Result
where
    I: Iterator<Item = MetaField<'a>> + Clone,
{
    let [ours, theirs] = [ours, theirs].map(|all| all.map(|(name, _)| KeyEntry::Attr(name)));
    one_sided(f, "meta field", false, ours, theirs)
}

/// Writes how the names of the children of two nodes differ.
pub(super) fn names(
    f: &mut Formatter<'_>,
    what: &str,
    expected: &Head<'_>,
    found: &Head<'_>,
) -> fmt::Result {
    let sorted = is_sorted(expected) && is_sorted(found);
    one_sided(f, what, sorted, expected.entries(), found.entries())
}

/// Writes the names that only one side has. If both have the same names, writes their orders.
fn one_sided<'a, I>(
    f: &mut Formatter<'_>,
    what: &str,
    sorted: bool,
    ours: I,
    theirs: I,
) -> fmt::Result
where
    I: Iterator<Item = KeyEntry<'a>> + Clone,
{
    let missing = without(ours.clone(), theirs.clone(), sorted, MAX_SEARCHES);
    let unexpected = without(theirs.clone(), ours.clone(), sorted, MAX_SEARCHES);
    let is_cut =
        [missing.clone(), unexpected.clone()].into_iter().flatten().any(|name| name.is_none());
    let (missing, unexpected) =
        (Several(what, missing.flatten()), Several(what, unexpected.flatten()));
    match (missing.1.clone().next(), unexpected.1.clone().next()) {
        (Some(_), Some(_)) => write!(f, "missing {missing} and unexpected {unexpected}"),
        (Some(_), None) => both(f, Some(&missing), None),
        (None, Some(_)) => both(f, None, Some(&unexpected)),
        (None, None) => {
            let (ours, theirs) = (Several("", ours), Several("", theirs));
            let order = if is_cut { "s" } else { " order" };
            write!(f, "expected {what}{order} {ours}, found {theirs}")
        }
    }?;
    if is_cut {
        write!(f, "; only {MAX_SEARCHES} that changed places were searched")
    } else {
        Ok(())
    }
}

/// What the names are, in singular or plural, unless it is empty, and then the names.
pub(super) struct Several<'w, I>(pub(super) &'w str, pub(super) I);

impl<'a, I: Iterator<Item = KeyEntry<'a>> + Clone> Display for Several<'_, I> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Several(what, names) = self;
        if !what.is_empty() {
            write!(f, "{what}{}", if names.clone().nth(1).is_some() { "s " } else { " " })?;
        }
        list(f, names.clone(), |f, entry| match entry {
            KeyEntry::Key(key) => key.fmt(f),
            KeyEntry::Attr(name) => f.write_str(name),
            other => other.fmt(f),
        })
    }
}

/// Meta fields with their values.
struct Assignments<I>(I);

impl<'a, I: Iterator<Item = MetaField<'a>> + Clone> Display for Assignments<I> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        list(f, self.0.clone(), |f, (name, value)| write!(f, "{name} = {value}"))
    }
}

/// Writes up to [`NAMES`] items with commas, and the number of further ones.
pub(super) fn list<T>(
    f: &mut Formatter<'_>,
    mut items: impl Iterator<Item = T>,
    put: fn(&mut Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    separated(f, ", ", items.by_ref().take(NAMES), put)?;
    // `Iterator::count` can overflow.
    match items.fold(0u32, |count, _| count.saturating_add(1)) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use core::cell::Cell;
    use std::string::ToString as _;

    use super::*;

    struct Written<F>(F);

    impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Written<F> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            self.0(f)
        }
    }

    #[test]
    fn each_meta_field_is_read_a_few_times() {
        const COUNT: usize = 3000;
        let (text, read) = ("x".repeat(COUNT), &Cell::new(0));
        let fields = |last: usize| {
            let names = (0..COUNT).filter_map(|at| text.get(at..));
            names.map(move |name| {
                read.set(read.get() + 1);
                (name, Value::Int(if name.len() == last { 1 } else { 0 }))
            })
        };
        let shown = Written(|f: &mut Formatter<'_>| meta_fields(f, fields(1), fields(0)));
        assert_eq!(shown.to_string(), "expected x = 1, found x = 0");
        assert!(read.get() < 20 * COUNT, "{}", read.get());
    }
}
