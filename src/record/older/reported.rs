//! Loads records of other versions of a type, with reports of each place that differs.
//!
//! Both structures are written as treedefs, and migrated as `migrate_typed` does it.

use crate::base::error::Error;
use crate::base::levels;
use crate::record::kind::with_value_of;
use crate::record::leaf::{LeafBytes, RecordLeaves};
use crate::record::load::LoadError;
use crate::record::older::expand::{Expanded, expand};
use crate::record::older::place::OwnType;
use crate::record::older::written::Written;
use crate::record::older::{OlderLeaf, Run, older};
use crate::tree::build::TreeBuild;
use crate::tree::migrate::change::{Matching, Migrated, Migration, Why};
use crate::tree::migrate::making::{Ask, Typed, make};
use crate::tree::migrate::question::{About, Receivers};
use crate::tree::migrate::room::ChoiceBytes;
use crate::tree::walk::TreeWalk;
use crate::tree::walk_path::PathLevels;
use crate::treedef::key_path::KeyPath;
use crate::treedef::treedef::TreeDef;

/// What is done with what differs.
type Report<'r> = dyn FnMut(Migration<'_>) + 'r;

/// What is done with a leaf of another type.
type Convert<'c> = dyn FnMut(&mut OlderLeaf<'_>) + 'c;

/// As [`load_older_with`](crate::record::load_older_with), with reports: for a host, because they take a third more flash and twice the stack.
///
/// `report` is called for each place that differs.
///
/// `room` is for work: the structures of both values, as treedefs, 16 bytes for each of their leaves, and a record of each.
///
/// # Errors
///
/// As [`load_older`](crate::record::load_older).
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::record::{OlderLeaf, load_older_reported, save_into};
/// use treedef::{Tree, schema_of};
///
/// mod v1 {
///     #[derive(treedef::Tree)]
///     #[tree(name = "app::Limits")]
///     pub struct Limits { pub celsius: i16, pub duty: u16 }
/// }
///
/// #[derive(Tree, Debug, PartialEq)]
/// #[tree(name = "app::Limits")]
/// struct Limits { #[tree(alias = "celsius")] kelvin: f32, duty: u8 }
///
/// let mut record = [0; 32];
/// let len = save_into(&v1::Limits { celsius: -40, duty: 300 }, &mut record)?;
/// let convert = |leaf: &mut OlderLeaf<'_>| match leaf.get::<i16>() {
///     Some(celsius) if leaf.from == "int16" => leaf.set(&(f32::from(celsius) + 273.15)),
///     _ => {}
/// };
/// let (schema, defaults, mut texts) = (schema_of::<v1::Limits>(), Limits { kelvin: 0.0, duty: 7 }, Vec::new());
/// let (limits, migrated) =
///     load_older_reported(&record[..len], schema, &defaults, &[], &mut [0; 512], convert, |report| texts.push(report.to_string()))?;
/// assert_eq!(limits, Limits { kelvin: 233.15, duty: 7 });
/// assert_eq!((migrated.moved, migrated.replaced), (1, 1));
/// assert_eq!(texts, ["moved .celsius to .kelvin", "refused .duty: it is of the type uint16, and no uint8 has its value"]);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load_older_reported<'d, 'm, T>(
    bytes: &[u8],
    schema: impl Into<TreeDef<'d>>,
    defaults: &T,
    matching: impl Into<Matching<'m>>,
    room: &mut [u8],
    mut convert: impl FnMut(&mut OlderLeaf<'_>),
    mut report: impl FnMut(Migration<'_>),
) -> Result<(T, Migrated), LoadError>
where
    T: TreeBuild<RecordLeaves> + TreeWalk<RecordLeaves>,
{
    // The kinds of a record are those of Rust.
    let matching = Matching { in_any_kind: false, ..matching.into().for_type::<T>() };
    let run: &mut Run<'_> = &mut |own_type, values, choices, room| {
        let (values, room) = expand(values, room)?;
        let mut written = Written::new(room);
        let migrated =
            run(own_type, values, matching, &mut report, &mut convert, choices, &mut written)?;
        Ok((written.finish(0)?.0, migrated))
    };
    older(bytes, schema.into(), defaults, room, run)
}

/// Makes the choices and the leaves of the new value.
fn run<'d>(
    own_type: &OwnType,
    [stored, defaults]: [Expanded<'d>; 2],
    matching: Matching<'_>,
    report: &mut Report<'_>,
    convert: &mut Convert<'_>,
    choices: &mut ChoiceBytes<'_>,
    written: &mut Written<'_>,
) -> Result<Migrated, Error> {
    let OwnType { schema, ask, .. } = *own_type;
    let typed: &mut Typed<'_, 'd> = &mut |way, about| {
        let is_given = match about {
            Ask::Leaf(walk, place, [Some(index), _], to) => {
                let (from, bytes) = stored.leaf(index)?;
                let mut has_leaf = |leaf: &[u8]| ask(way, About::Stored(leaf));
                let mut out = written.writer();
                let len = with_value_of([from, to], bytes, &mut out).map(|()| out.leaves);
                let mut is_taken = len.is_some_and(|len| written.keep(len, None, &mut has_leaf));
                if !is_taken && let Some(node) = place.stored {
                    let (mut entries, found) =
                        (levels::empty(), node.inside_some().found(stored.def));
                    found
                        .path()
                        .entries()
                        .for_each(|entry| _ = PathLevels::push(&mut entries, entry));
                    let (path, stored) = (walk.path(), KeyPath::new(&entries));
                    let mut leaf =
                        OlderLeaf { path, stored, from, to, bytes, out: written.writer() };
                    convert(&mut leaf);
                    let len = leaf.out.leaves;
                    is_taken = len > 0 && written.keep(len, None, &mut has_leaf);
                }
                if !is_taken {
                    walk.refused_leaf(place, Why::LeafType([from, to]));
                }
                is_taken
            }
            Ask::Leaf(_, _, [None, default], _) => {
                let (_, bytes) = defaults.leaf(default?)?;
                written.push(bytes, None);
                true
            }
            Ask::Value(index, value, give) => ask(way, About::Value(index, value, give)),
            Ask::Default(index, None) => ask(way, About::Default(index, None)),
            Ask::Default(index, Some(choice)) => {
                let receivers: Receivers<'_, _> =
                    (choice, &mut |leaf: LeafBytes| written.push(leaf.as_slice(), None));
                ask(way, About::Default(index, Some(receivers)))
            }
            Ask::Keep(count) => {
                written.truncate(count);
                true
            }
        };
        is_given.then_some(written.count())
    };
    make(schema, [stored.def, defaults.def], matching, report, typed, choices)
}
