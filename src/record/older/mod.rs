//! Loads records of other versions of a type.
//!
//! `tree/migrate` makes the value. This is what it needs of records:
//!
//! - `table`: the nodes of a stored value, read by the schema page of its version; `stored`: what a migration asks of them;
//! - `leaves`: the leaves of the value that is made;
//! - `reported`: the same with reports, which are about treedefs, so that `expand` writes a record as one.

mod expand;
mod leaves;
pub(super) mod reported;
mod stored;
mod table;

use crate::base::error::Error;
use crate::base::levels;
use crate::base::show::debug_struct;
use crate::encode::max_sizes::max_choices;
use crate::encode::schema::Schema;
use crate::encode::schema_of::schema_of;
use crate::record::bytes::RecordWriter;
use crate::record::leaf::RecordLeaves;
use crate::record::load::{LoadError, build, no_room, of_room, open, own, take_choices};
use crate::record::older::leaves::{LeavesOf, Written};
use crate::record::older::stored::{At, Stored};
use crate::record::save::save_into;
use crate::record::{FORM_1, record_key};
use crate::tree::build::TreeBuild;
use crate::tree::choices::assert_choices;
use crate::tree::leaf_types::{Holds, LeafAs};
use crate::tree::migrate::aliases::Cursors;
use crate::tree::migrate::by_alias::ByAlias;
use crate::tree::migrate::by_field::ByField;
use crate::tree::migrate::change::{Matching, Migrated};
use crate::tree::migrate::making::Making;
use crate::tree::migrate::node::{Place, StoredNode};
use crate::tree::migrate::question::{Ask, Question};
use crate::tree::migrate::reports::Unreported;
use crate::tree::migrate::room::ChoiceBytes;
use crate::tree::migrate::walk::Walk;
use crate::tree::walk::TreeWalk;
use crate::tree::walk_path::PathLevels;
use crate::treedef::key_path::KeyPath;
use crate::treedef::treedef::TreeDef;

/// A leaf of a record of another version whose value the type of its place does not have.
///
/// [`load_older_with`] has an example.
pub struct OlderLeaf<'r> {
    /// The path of the place in the new value.
    pub path: KeyPath<'r, 'r>,
    /// The path of the stored leaf, which differs from that of the place where an alias moved it.
    pub stored: KeyPath<'r, 'r>,
    /// The name of the stored leaf type, as in the [schema](crate::schema_of): `uint16`, `str<8>`.
    pub from: &'r str,
    /// The name of the leaf type of the place.
    pub to: &'r str,
    pub(super) bytes: &'r [u8],
    pub(super) out: RecordWriter<'r>,
}

debug_struct!([] OlderLeaf<'_> { path, stored, from as Text, to as Text });

impl OlderLeaf<'_> {
    /// The stored leaf, if a `T` has its bytes. Check [`from`](OlderLeaf::from) first: the bytes do not say what they are.
    /// [`load_older_with`] has an example.
    #[must_use]
    pub fn get<T: LeafAs<RecordLeaves>>(&self) -> Option<T> {
        let mut bytes = self.bytes;
        <T::Set>::stored(&mut bytes).filter(|_| bytes.is_empty())
    }

    /// Makes the leaf of the place, in place of one that was set before. It is refused if it has another type than the place. [`load_older_with`] has an example.
    pub fn set<T: LeafAs<RecordLeaves>>(&mut self, leaf: &T) {
        self.out.leaves = 0;
        T::by_ref(leaf).save(&mut self.out);
    }
}

/// Loads a value from a record of another version of its type: an older one, or a newer one.
///
/// `schema` is that of the version that wrote the record, [`schema_of`] its type: as a constant of the program, or from a page that the
/// version stored once beside its records. Names decide where a leaf goes, and `defaults` fill what is new, as in
/// [`migrate_typed`](crate::algebra::migrate_typed()). `matching` are aliases, as in [`migrate`](crate::algebra::migrate), or say more.
///
/// A leaf keeps its value in another type where that has it: in an integer of another width or sign, with or without `NonZero`, a number of
/// `fixed` of the same scale, a text of another capacity, and an `f32` as `f64`. Another leaf is refused, so that its place has its default.
///
/// `room` is for work: the record of the defaults, twelve bytes for each node of it and of the stored record, and the leaves of the new
/// value with eight bytes for each, and a bit for each stored node; where aliases give leaves several places, a bit more. Leaves, structs,
/// options, lists and maps are nodes. If a value of the type can have more than 256 bytes of choices, `room` has as many. For a type without
/// such a bound, choices of more than 256 bytes are on the heap; without the feature `alloc`, all are in half of what the defaults leave.
///
/// Both records are read once. Each key of a map costs a scan of the keys that the defaults have there; each name of a struct one of the
/// stored names. Kinds are those of Rust, so [`Matching::in_any_kind`] means nothing here.
///
/// # Errors
///
/// [`LoadError::OtherType`] with the key of the record if it is not that of `schema`; [`LoadError::NoRoom`] with a number of bytes,
/// more than which can be needed later on; [`LoadError::Form`], [`LoadError::Damaged`]; [`LoadError::Defaults`] if even `defaults` are
/// no value of their type.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::record::{LoadError, load, load_older, save_into};
/// use treedef::{Tree, TreeDef, schema_of};
///
/// mod v1 {
///     #[derive(treedef::Tree)]
///     #[tree(name = "app::Settings")]
///     pub struct Settings { pub rate: u16, pub gain: f32, pub name: heapless::String<8> }
/// }
///
/// #[derive(Tree, Clone, Debug, PartialEq)]
/// #[tree(name = "app::Settings")]
/// struct Settings {
///     name: heapless::String<16>,
///     #[tree(alias = "rate")]
///     sample_rate: u32,
///     gain: f32,
///     trim: Option<i16>,
/// }
///
/// // What an older version of the program stored: once the page of its schema, then records.
/// let page = treedef::schema_of::<v1::Settings>().as_bytes();
/// let old = v1::Settings { rate: 50_000, gain: 2.5, name: "left".try_into().unwrap() };
/// let mut record = [0; 64];
/// let len = save_into(&old, &mut record)?;
///
/// let defaults = Settings { name: heapless::String::new(), sample_rate: 1, gain: 1.0, trim: None };
/// let settings = match load::<Settings>(&record[..len]) {
///     Err(LoadError::OtherType { .. }) => {
///         let schema = TreeDef::from_bytes(page)?;
///         let (settings, migrated) = load_older(&record[..len], schema, &defaults, &[], &mut [0; 512])?;
///         assert!(migrated.is_complete());
///         settings
///     }
///     same => same?,
/// };
/// let name = "left".try_into().unwrap();
/// assert_eq!(settings, Settings { name, sample_rate: 50_000, gain: 2.5, trim: None });
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// In line, so that a program without aliases does not link what is done with them.
#[inline]
pub fn load_older<'d, 'm, T>(
    bytes: &[u8],
    schema: impl Into<TreeDef<'d>>,
    defaults: &T,
    matching: impl Into<Matching<'m>>,
    room: &mut [u8],
) -> Result<(T, Migrated), LoadError>
where
    T: TreeBuild<RecordLeaves> + TreeWalk<RecordLeaves>,
{
    let how = how(matching.into());
    let run: &mut Run<'_> =
        &mut |own_type, values, choices, room| make(own_type, values, how, None, choices, room);
    older(bytes, schema.into(), defaults, room, run)
}

/// As [`load_older`], with a function for leaves whose value the type of their place does not have.
///
/// `convert` is called for a stored leaf that has no value in the type of its place, and for no other: for
/// a `u32`, -40 and not 20. So it is not for values whose unit changed. Unless it [sets](OlderLeaf::set) one, the place has its
/// default. With aliases and without the feature `alloc`, the path of each such leaf costs a pass over what is stored before it.
///
/// # Errors
///
/// As [`load_older`].
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::record::{OlderLeaf, load_older_with, save_into};
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
/// let (schema, defaults) = (schema_of::<v1::Limits>(), Limits { kelvin: 0.0, duty: 7 });
/// let (limits, migrated) =
///     load_older_with(&record[..len], schema, &defaults, &[], &mut [0; 192], convert)?;
/// assert_eq!(limits, Limits { kelvin: 233.15, duty: 7 });
/// assert_eq!((migrated.moved, migrated.replaced), (1, 1));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn load_older_with<'d, 'm, T>(
    bytes: &[u8],
    schema: impl Into<TreeDef<'d>>,
    defaults: &T,
    matching: impl Into<Matching<'m>>,
    room: &mut [u8],
    mut convert: impl FnMut(&mut OlderLeaf<'_>),
) -> Result<(T, Migrated), LoadError>
where
    T: TreeBuild<RecordLeaves> + TreeWalk<RecordLeaves>,
{
    let how = how(matching.into());
    let has_aliases = how.1.is_some() || const { T::SCHEMA.has_aliases() };
    let convert: &mut ConvertOfRecord<'_> = &mut |place, cursors, [from, to], bytes, out| {
        let (mut path, mut stored) = (levels::empty(), levels::empty());
        place.step.path(&mut path);
        // Without aliases nothing has another path, and none is searched.
        match place.stored.filter(|_| has_aliases) {
            Some(at) => path_to(at, cursors, &mut stored),
            None => place.step.path(&mut stored),
        }
        let (path, stored) = (KeyPath::new(&path), KeyPath::new(&stored));
        let mut leaf = OlderLeaf { path, stored, from, to, bytes, out };
        convert(&mut leaf);
        leaf.out.leaves
    };
    let run: &mut Run<'_> = &mut |own_type, values, choices, room| {
        make(own_type, values, how, Some(&mut *convert), choices, room)
    };
    older(bytes, schema.into(), defaults, room, run)
}

/// Converts the leaf of a place of a record, and returns how many bytes were written.
type ConvertOfRecord<'c> = dyn for<'v> FnMut(
        &Place<'_, 'v, At<'v>>,
        &Cursors<'v, At<'v>>,
        [&str; 2],
        &[u8],
        RecordWriter<'_>,
    ) -> usize
    + 'c;

/// Appends the path of a stored leaf: at each node the last child that does not begin after it. Leaves are converted in order, so it is
/// near the one that was found last.
fn path_to<'v>(leaf: At<'v>, cursors: &Cursors<'v, At<'v>>, path: &mut PathLevels<'v>) {
    let mut at = leaf.root();
    loop {
        let kept = cursors.kept(at).filter(|kept| kept.child.node <= leaf.node);
        let mut open = kept.unwrap_or_else(|| at.open());
        if open.count == 0 {
            return;
        }
        let mut next = open;
        while let Some(child) = next.child(next.index.wrapping_add(1))
            && child.node <= leaf.node
        {
            open = next;
        }
        cursors.keep(at, open);
        let Some(name) = At::names(&open).nth(open.index) else { return };
        let _ = path.push(name);
        at = open.child;
    }
}

/// What is known of the type of the value.
struct OwnType {
    schema: &'static Schema,
    key: u64,
    /// What is done with the aliases at fields, if the type has any.
    by_field: Option<ByFieldOfRecords>,
    ask: Ask<RecordLeaves>,
}

/// What is done with aliases in a record. The argument only gives the table its lifetime.
type ByAliasOfRecords = for<'v> fn(&'v Stored<'v>) -> &'v ByAlias<'v, At<'v>>;

/// The same for those at fields.
type ByFieldOfRecords = for<'v> fn(&'v Stored<'v>) -> &'v ByField<'v, At<'v>>;

/// What a load of records goes by: a [`Matching`] without what is done with aliases in treedefs, which is no part of a program that only
/// loads records, and what is done with them in records.
type How<'m> = (Matching<'m>, Option<ByAliasOfRecords>);

#[inline(always)]
fn how(matching: Matching<'_>) -> How<'_> {
    let table: ByAliasOfRecords = |_| ByAlias::UNREPORTED;
    (Matching { by_alias: None, ..matching }, matching.by_alias.map(|_| table))
}

/// Makes the leaves and the choices of the new value from what is stored and from the defaults.
type Run<'r> = dyn for<'v, 'd> FnMut(
        &OwnType,
        [&'v Stored<'v>; 2],
        &mut ChoiceBytes<'_>,
        &'d mut [u8],
    ) -> Result<(&'d [u8], Migrated), Error>
    + 'r;

#[inline(never)]
fn older<T>(
    bytes: &[u8],
    schema: TreeDef<'_>,
    defaults: &T,
    room: &mut [u8],
    run: &mut Run<'_>,
) -> Result<(T, Migrated), LoadError>
where
    T: TreeBuild<RecordLeaves> + TreeWalk<RecordLeaves>,
{
    const { assert_choices::<T>() };
    let most = room.len();
    let len = save_into(defaults, room).map_err(own)?;
    let (defaults, room) = room.split_at_mut_checked(len).unwrap_or_default();
    let records = [(bytes, schema), (defaults, const { schema_of::<T>() })];
    let (mut small, mut large) = ([0; 32], [0; 256]);
    let of_room = |error| of_room(error, most);
    let [choices, room] = match const { max_choices(T::SCHEMA) } {
        ..=32 => [&mut small[..], room],
        33..=256 => [&mut large[..], room],
        usize::MAX if cfg!(feature = "alloc") => [&mut large[..], room],
        bound => take_choices(room, bound).map_err(|error| of_room(own(error)))?,
    };
    let mut choices = ChoiceBytes::new(choices);
    let own_type = OwnType {
        schema: T::SCHEMA,
        key: record_key::<T>(),
        by_field: match const { T::SCHEMA.has_aliases() } {
            true => Some(|_| ByField::UNREPORTED),
            false => None,
        },
        ask: |way, about| T::answer(&mut Question::new(way, about)),
    };
    let made = with_values(&own_type, records, &mut choices, room, run);
    let (leaves, migrated) = made.map_err(of_room)?;
    let choices = choices.all().map_err(|error| of_room(own(error)))?;
    build(choices, leaves, migrated, LoadError::Damaged { at: bytes.len() })
}

/// Calls `run` with what is stored and the defaults.
#[inline(never)]
fn with_values<'d>(
    own_type: &OwnType,
    [(bytes, schema), (defaults, own_schema)]: [(&[u8], TreeDef<'_>); 2],
    choices: &mut ChoiceBytes<'_>,
    room: &'d mut [u8],
    run: &mut Run<'_>,
) -> Result<(&'d [u8], Migrated), LoadError> {
    // A page has no leaves.
    if schema.num_leaves() > 0 {
        return Err(LoadError::Damaged { at: bytes.len() });
    }
    let (stored, room) = read(bytes, schema.fingerprint(), schema.as_bytes(), room)?;
    let (defaults, room) = read(defaults, own_type.key, own_schema.as_bytes(), room)?;
    run(own_type, [&stored, &defaults], choices, room).map_err(own)
}

/// Reads a record of the type with this key by its page.
#[inline(never)]
fn read<'v, 'd: 'v>(
    bytes: &'v [u8],
    key: u64,
    page: &'v [u8],
    room: &'d mut [u8],
) -> Result<(Stored<'v>, &'d mut [u8]), LoadError> {
    let damaged = LoadError::Damaged { at: bytes.len() };
    Stored::check(page, open::<FORM_1>(bytes, key)?, room).map_err(|error| no_room(error, damaged))
}

/// Makes the choices and the leaves of the new value, without reports.
#[inline(never)]
fn make<'v, 'd>(
    own_type: &OwnType,
    [stored, defaults]: [&'v Stored<'v>; 2],
    (matching, by_alias): How<'_>,
    mut convert: Option<&mut ConvertOfRecord<'_>>,
    choices: &mut ChoiceBytes<'_>,
    room: &'d mut [u8],
) -> Result<(&'d [u8], Migrated), Error> {
    let OwnType { schema, by_field, ask, .. } = *own_type;
    let (nodes, cursors) = ([stored.root(), defaults.root()], &Cursors::new());
    let tables = (by_alias.map(|table| table(stored)), by_field.map(|table| table(stored)));
    let walk = Walk::new(matching, nodes, Some(schema), tables, cursors, Unreported);
    let convert =
        |place: &Place<'_, 'v, At<'v>>, types: [&str; 2], bytes: &[u8], out: RecordWriter<'_>| {
            convert.as_mut().map_or(0, |convert| convert(place, cursors, types, bytes, out))
        };
    let (written, leaf) = (Written::new(room), |leaf, _| Some(leaf));
    let mut leaves = LeavesOf { ask, written, leaf, convert };
    let mut making = Making { walk, of_type: &mut leaves, choices, way: levels::empty() };
    let counts = making.whole(schema)?;
    let lost_meta = counts.lost_meta.saturating_add(stored.other_meta());
    leaves.written.finish(stored, Migrated { lost_meta, ..counts })
}
