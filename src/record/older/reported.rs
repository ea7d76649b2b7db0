//! Loads records of other versions of a type, with reports of each place that differs.
//!
//! Both structures are written as treedefs, because reports are about these.

use crate::base::error::Error;
use crate::record::bytes::RecordWriter;
use crate::record::leaf::RecordLeaves;
use crate::record::load::LoadError;
use crate::record::older::expand::{Expanded, expand};
use crate::record::older::leaves::{LeavesOf, Written};
use crate::record::older::{OlderLeaf, OwnType, Run, older};
use crate::tree::build::TreeBuild;
use crate::tree::migrate::aliases::Cursors;
use crate::tree::migrate::by_field::ByField;
use crate::tree::migrate::change::{Matching, Migrated, Migration};
use crate::tree::migrate::children::Node;
use crate::tree::migrate::node::Place;
use crate::tree::migrate::room::ChoiceBytes;
use crate::tree::migrate::typed::{make, of_trees};
use crate::tree::walk::TreeWalk;
use crate::tree::walk_path::PathLevels;
use crate::treedef::key_path::KeyPath;
use crate::treedef::treedef::TreeDef;

/// As [`load_older_with`](crate::record::load_older_with), with reports: for a host, because they take a third more flash and twice the stack.
///
/// `report` is called for each place that differs.
///
/// `room` is for work: the structures of both values, as treedefs, 16 bytes for each of their leaves, a record of each, and a bit for each
/// stored node.
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
/// assert_eq!(texts, [
///     "moved .celsius to .kelvin",
///     "converted .kelvin: int16 was stored, and it is float32 now",
///     "refused .duty: uint16 was stored, and uint8 has no such value",
/// ]);
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
    let matching = Matching { in_any_kind: false, ..matching.into() };
    let run: &mut Run<'_> = &mut |own_type, [stored, defaults], choices, room| {
        let (stored, room) = expand(stored, room)?;
        let (defaults, room) = expand(defaults, room)?;
        let values = [stored, defaults];
        let by_field = if const { T::SCHEMA.has_aliases() } { Some(ByField::ALL) } else { None };
        run(own_type, values, (matching, by_field), &mut report, &mut convert, choices, room)
    };
    older(bytes, schema.into(), defaults, room, run)
}

/// Makes the choices and the leaves of the new value.
fn run<'v, 'd>(
    own_type: &OwnType,
    [stored, defaults]: [Expanded<'v>; 2],
    (matching, by_field): (Matching<'_>, Option<&ByField<'v, Node<'v>>>),
    report: &mut dyn FnMut(Migration<'_>),
    convert: &mut dyn FnMut(&mut OlderLeaf<'_>),
    choices: &mut ChoiceBytes<'_>,
    room: &'d mut [u8],
) -> Result<(&'d [u8], Migrated), Error> {
    let OwnType { schema, ask, .. } = *own_type;
    let (def, cursors) = (stored.def, &Cursors::new());
    let leaf = |index, is_default| match is_default {
        true => defaults.leaf(index),
        false => stored.leaf(index),
    };
    let convert = |place: &Place<'_, 'v, Node<'v>>,
                   [from, to]: [&str; 2],
                   bytes: &[u8],
                   out: RecordWriter<'_>| {
        let [mut path, mut stored] = [const { PathLevels::new() }; 2];
        place.step.path(&mut path);
        let found = place.stored.map(|node| node.inside_some().found(def).path().entries());
        found.into_iter().flatten().for_each(|entry| _ = stored.push(entry));
        let (path, stored) = (KeyPath::new(&path), KeyPath::new(&stored));
        let mut leaf = OlderLeaf { path, stored, from, to, bytes, out };
        convert(&mut leaf);
        leaf.out.leaves
    };
    let mut leaves = LeavesOf { ask, written: Written::new(room), leaf, convert };
    let defs = [def, defaults.def];
    let walk = of_trees(matching, defs, Some(schema), by_field, cursors, report);
    let migrated = make(schema, walk, &mut leaves, choices)?;
    leaves.written.finish(stored.stored, migrated)
}
