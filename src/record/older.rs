//! Loads records of other versions of a type.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::max_sizes::max_choices;
use crate::encode::schema::Schema;
use crate::encode::schema_of::schema_of;
use crate::record::bytes::RecordWriter;
use crate::record::expand::{Expanded, expand};
use crate::record::kind::with_value_of;
use crate::record::leaf::{LeafBytes, RecordLeaves};
use crate::record::load::{InRecord, LoadError, open};
use crate::record::record_key;
use crate::record::save::save_into;
use crate::tree::build::TreeBuild;
use crate::tree::choices::assert_choices;
use crate::tree::known::Known;
use crate::tree::leaf_types::LeafAs;
use crate::tree::migrate::change::{Matching, Migrated, Migration, Why};
use crate::tree::migrate::making::{Ask, Typed, make};
use crate::tree::migrate::question::{About, Question, Receivers};
use crate::tree::migrate::room::{ChoiceBytes, Room};
use crate::tree::walk::TreeWalk;
use crate::treedef::find::Found;
use crate::treedef::key_path::KeyPath;
use crate::treedef::treedef::TreeDef;

/// A leaf of a record of another version that has no place in the new one as it is: its type is another one.
///
/// [`load_older_with`] has an example.
pub struct OlderLeaf<'r> {
    /// The path of the place in the new value.
    pub path: KeyPath<'r, 'r>,
    /// The stored leaf: its [path](Found::path), which differs from that of the place where an alias moved it.
    pub stored: Found<'r>,
    /// The name of the stored leaf type, as in the [schema](crate::schema_of): `uint16`, `str<8>`.
    pub from: &'r str,
    /// The name of the leaf type of the place.
    pub to: &'r str,
    bytes: &'r [u8],
    out: RecordWriter<'r>,
}

debug_struct!([] OlderLeaf<'_> { path, stored, from as Text, to as Text });

impl OlderLeaf<'_> {
    /// The stored leaf, if a `T` has its bytes. Check [`from`](OlderLeaf::from) first: the bytes do not say what they are.
    /// [`load_older_with`] has an example.
    #[must_use]
    pub fn get<T: LeafAs<RecordLeaves>>(&self) -> Option<T> {
        let mut bytes = self.bytes;
        T::stored(&mut bytes).filter(|_| bytes.is_empty())
    }

    /// Makes the leaf of the place, in place of one that was set before. It is refused if it has another type than the place. [`load_older_with`] has an example.
    pub fn set<T: LeafAs<RecordLeaves>>(&mut self, leaf: &T) {
        self.out.leaves = 0;
        T::by_ref(leaf).save(&mut self.out);
    }
}

/// What is done with what differs.
type Report<'r> = dyn FnMut(Migration<'_>) + 'r;

/// What is done with a leaf of another type.
type Convert<'c> = dyn FnMut(&mut OlderLeaf<'_>) + 'c;

/// Loads a value from a record of another version of its type: an older one, or a newer one.
///
/// `schema` is that of the version that wrote the record, [`schema_of`] its type: as a constant of the program, or from a page that the
/// version stored once beside its records. Names decide where a leaf goes, and `defaults` fill what is new, as in
/// [`migrate_typed`](crate::algebra::migrate_typed()), where `matching` is explained, too.
///
/// A leaf keeps its value in another type where that has it: in an integer of another width or sign, with or without `NonZero`, a number of
/// `fixed` of the same scale, a text of another capacity, and an `f32` as `f64`. Another leaf is refused, so that its place has its default.
///
/// `room` is for work: the structures of both values, as treedefs, 16 bytes for each of their leaves, and a record of each. It needs no heap
/// but for choices of more than 256 bytes.
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
    older(bytes, schema.into(), defaults, matching.into(), room, (None, &mut |_| {}))
}

/// As [`load_older`], with a function for leaves of other types, and with reports.
///
/// `convert` is called for a stored leaf that has no value in the type of its place. Unless it [sets](OlderLeaf::set) one, the place has its
/// default. `report` is called for each place that differs.
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
/// let (schema, defaults, mut texts) = (schema_of::<v1::Limits>(), Limits { kelvin: 0.0, duty: 7 }, Vec::new());
/// let (limits, migrated) =
///     load_older_with(&record[..len], schema, &defaults, &[], &mut [0; 512], convert, |report| texts.push(report.to_string()))?;
/// assert_eq!(limits, Limits { kelvin: 233.15, duty: 7 });
/// assert_eq!((migrated.moved, migrated.replaced), (1, 1));
/// assert_eq!(texts, ["moved .celsius to .kelvin", "refused .duty: it is of the type uint16, and no uint8 has its value"]);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load_older_with<'d, 'm, T>(
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
    older(bytes, schema.into(), defaults, matching.into(), room, (Some(&mut convert), &mut report))
}

fn older<'d, T>(
    bytes: &'d [u8],
    schema: TreeDef<'d>,
    defaults: &T,
    matching: Matching<'_>,
    room: &'d mut [u8],
    (convert, report): (Option<&mut Convert<'_>>, &mut Report<'_>),
) -> Result<(T, Migrated), LoadError>
where
    T: TreeBuild<RecordLeaves> + TreeWalk<RecordLeaves>,
{
    const { assert_choices::<T>() };
    let stored = open(bytes, schema.fingerprint())?;
    let at = bytes.len();
    let (stored, room) =
        expand(schema, stored, room).map_err(|error| no_room(error, LoadError::Damaged { at }))?;
    let own = |error| no_room(error, LoadError::Defaults(error));
    let len = save_into(defaults, room).map_err(own)?;
    let (record, room) = room.split_at_mut_checked(len).unwrap_or_default();
    let parts = open(record, record_key::<T>())?;
    let (defaults, room) = expand(const { schema_of::<T>() }, parts, room).map_err(own)?;
    let matching = matching.for_type::<T>();
    let mut written = Written::new(room);
    let mut small = heapless::Vec::<u8, 32>::new();
    let mut large = heapless::Vec::<u8, 256>::new();
    let mut choices = match const { max_choices(T::SCHEMA) <= 32 } {
        true => Room::new(&mut small),
        false => Room::new(&mut large),
    };
    let values = [&stored, &defaults];
    let migrated = run(
        T::SCHEMA,
        values,
        matching,
        report,
        convert,
        ask_part::<T>,
        &mut choices,
        &mut written,
    );
    let migrated = migrated.map_err(own)?;
    let leaves = written.all().map_err(own)?;
    match T::build(&mut Known::new(choices.all().map_err(own)?, InRecord(leaves))) {
        Ok(tree) => Ok((tree, migrated)),
        Err(_) => Err(LoadError::Damaged { at }),
    }
}

/// The error of a load, if `error` is not that there is no room.
fn no_room(error: Error, other: LoadError) -> LoadError {
    match error {
        Error::BufferFull { needed, room } => LoadError::NoRoom { needed, room },
        _ => other,
    }
}

/// Asks the part of a type with a way.
type AskPart = for<'q> fn(&'q [u32], About<'q, RecordLeaves>) -> bool;

fn ask_part<'q, T: TreeBuild<RecordLeaves>>(
    way: &'q [u32],
    about: About<'q, RecordLeaves>,
) -> bool {
    T::answer(&mut Question::new(way, about))
}

/// Makes the choices and the leaves of the new value.
#[expect(
    clippy::too_many_arguments,
    reason = "it is the part of `older` that does not depend on the type"
)]
fn run<'d>(
    schema: &'static Schema,
    [stored, defaults]: [&Expanded<'d>; 2],
    matching: Matching<'_>,
    report: &mut Report<'_>,
    mut convert: Option<&mut Convert<'_>>,
    ask: AskPart,
    choices: &mut ChoiceBytes<'_>,
    written: &mut Written<'_>,
) -> Result<Migrated, Error> {
    let typed: &mut Typed<'_, 'd> = &mut |way, about| {
        let is_given = match about {
            Ask::Leaf(walk, place, [Some(index), _], to) => {
                let (from, bytes) = stored.leaf(index)?;
                let mut has_leaf = |leaf: &[u8]| ask(way, About::Stored(leaf));
                let mut out = RecordWriter::new(written.slots());
                let len = with_value_of([from, to], bytes, &mut out).map(|()| out.leaves);
                let mut is_taken = len.is_some_and(|len| written.keep(len, &mut has_leaf));
                if !is_taken && let (Some(convert), Some(node)) = (&mut convert, place.stored) {
                    let (path, stored) = (walk.path(), node.inside_some().found(stored.def));
                    let out = RecordWriter::new(written.slots());
                    let mut leaf = OlderLeaf { path, stored, from, to, bytes, out };
                    convert(&mut leaf);
                    let len = leaf.out.leaves;
                    is_taken = len > 0 && written.keep(len, &mut has_leaf);
                }
                if !is_taken {
                    walk.refused_leaf(place, Why::LeafType([from, to]));
                }
                is_taken
            }
            Ask::Leaf(_, _, [None, default], _) => {
                let (_, bytes) = defaults.leaf(default?)?;
                written.push(bytes);
                true
            }
            Ask::Value(index, value, give) => ask(way, About::Value(index, value, give)),
            Ask::Default(index, None) => ask(way, About::Default(index, None)),
            Ask::Default(index, Some(choice)) => {
                let receivers: Receivers<'_, _> =
                    (choice, &mut |leaf: LeafBytes| written.push(leaf.as_slice()));
                ask(way, About::Default(index, Some(receivers)))
            }
            Ask::Keep(count) => {
                written.truncate(count);
                true
            }
        };
        is_given.then_some(written.count)
    };
    make(schema, [stored.def, defaults.def], matching, report, typed, choices)
}

/// The leaves of the new value.
struct Written<'b> {
    /// Leaves are written from its front; from its end, where each of them ends.
    room: &'b mut [u8],
    len: usize,
    count: usize,
    /// The number of bytes that are needed.
    needed: usize,
}

/// The bytes of the end of a leaf.
const END: usize = 4;

impl<'b> Written<'b> {
    const fn new(room: &'b mut [u8]) -> Self {
        Self { room, len: 0, count: 0, needed: 0 }
    }

    /// The room for the next leaf.
    fn slots(&mut self) -> &mut [u8] {
        let most = self.room.len().saturating_sub(self.count.saturating_add(1).saturating_mul(END));
        self.room.get_mut(self.len..most).unwrap_or_default()
    }

    /// Keeps the leaf that was written to the slots, which has `len` bytes, if it is one of its place. One without room is counted.
    fn keep(&mut self, len: usize, is_own: &mut dyn FnMut(&[u8]) -> bool) -> bool {
        if self.slots().get(..len).is_some_and(|leaf| !is_own(leaf)) {
            return false;
        }
        self.len = self.len.saturating_add(len);
        self.count = self.count.saturating_add(1);
        let ends = self.count.saturating_mul(END);
        self.needed = self.needed.max(self.len.saturating_add(ends));
        if let Some(start) = self.room.len().checked_sub(ends)
            && let Some(slot) = self.room.get_mut(start..).and_then(<[u8]>::first_chunk_mut)
        {
            *slot = u32::try_from(self.len).unwrap_or(u32::MAX).to_le_bytes();
        }
        true
    }

    /// Writes a leaf that has these bytes.
    fn push(&mut self, leaf: &[u8]) {
        RecordWriter::new(self.slots()).all(leaf);
        self.keep(leaf.len(), &mut |_| true);
    }

    /// Takes back all leaves but the first ones.
    fn truncate(&mut self, count: usize) {
        let start = self.room.len().wrapping_sub(count.saturating_mul(END));
        let end = self.room.get(start..).and_then(<[u8]>::first_chunk);
        let len = end.filter(|_| count > 0).map_or(0, |end| u32::from_le_bytes(*end) as usize);
        (self.len, self.count) = (len.min(self.len), count.min(self.count));
    }

    fn all(&self) -> Result<&[u8], Error> {
        let (needed, room) = (self.needed, self.room.len());
        self.room
            .get(..self.len)
            .filter(|_| needed <= room)
            .ok_or(Error::BufferFull { needed, room })
    }
}
