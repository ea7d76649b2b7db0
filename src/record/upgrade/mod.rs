//! Loads records of other versions by plans that are made while the program is compiled.
//!
//! - `shape`: what bytes the values of a type have, without names; `steps`: how both are written;
//! - `aliases`: what aliases say of the names of two types; `plan`: for each place of the new type, where it is in a stored value; `planned`:
//!   what `upgrade!` makes of both;
//! - `run`: makes a value by a plan; `asked`: the parts of that for which the type is asked.

#[expect(clippy::result_large_err, reason = "only the compiler evaluates it")]
mod aliases;
mod asked;
#[expect(clippy::result_large_err, reason = "only the compiler evaluates it")]
mod plan;
#[expect(clippy::result_large_err, reason = "only the compiler evaluates it")]
pub(crate) mod planned;
mod run;
#[expect(clippy::result_large_err, reason = "only the compiler evaluates it")]
mod shape;
mod steps;

use core::marker::PhantomData;

use crate::base::levels;
use crate::base::show::debug_struct;
use crate::encode::max_sizes::max_choices;
use crate::record::bytes::RecordWriter;
use crate::record::kind::Convert;
use crate::record::leaf::RecordLeaves;
use crate::record::load::{LoadError, build, of_room, open, own, take_choices};
use crate::record::save::save_into;
use crate::record::upgrade::run::{Counts, Place, Run};
use crate::record::upgrade::shape::{Part, Passed};
use crate::record::upgrade::steps::LEVELS;
use crate::record::{FORM_1, record_key};
use crate::tree::build::TreeBuild;
use crate::tree::choices::assert_choices;
use crate::tree::migrate::change::Migrated;
use crate::tree::migrate::question::Ask;
use crate::tree::migrate::room::ChoiceBytes;
use crate::tree::walk::TreeWalk;

/// What becomes of the records of another version of a type, settled while the program is compiled: the program that loads them has no
/// name of a field. [`upgrade!`](crate::upgrade!) makes it, and has an example.
///
/// It loads what [`load_older`](crate::record::load_older) loads, with the same counts. On a Cortex-M0, settings of three versions take 12 or
/// 19 kB of flash in place of 42 or 39, a fifth of the instructions, and less room.
pub struct Upgrade<T> {
    /// The key of the other version.
    key: u64,
    /// The shapes of what is stored and of the type, and the plan.
    shapes: [&'static [u8]; 2],
    plan: &'static [u8],
    linked: Linked,
    of: PhantomData<fn() -> T>,
}

debug_struct!([T] Upgrade<T> { key });

/// The functions that a plan needs: a program does not link others.
#[derive(Clone, Copy)]
struct Linked {
    make: Make,
    ask: Option<Ask<RecordLeaves>>,
    convert: Option<Convert>,
}

/// Makes the choices and the leaves of a value: [`make`].
type Make = fn(
    &[&[u8]; 3],
    [(u64, &[u8]); 2],
    Linked,
    &mut ChoiceBytes<'_>,
    &mut [u8],
) -> Result<(usize, Migrated), LoadError>;

/// Settles while the program is compiled what becomes of the records of another version of a type: an [`Upgrade`].
///
/// It takes the type, the schema page of the other version, and aliases, which can be left out: pairs of an old path or name and a new one,
/// as [`load_older`](crate::record::load_older) takes them. Those at the fields of the type count, too. The page is a constant: bytes in the
/// source, in a file (`include_bytes!`), or those of the [schema](crate::schema_of) of a type that the program still has.
///
/// A name that both versions have stays where it is. If it has another meaning now, the alias is a path with a dot, as `(".rate", ".hertz")`:
/// [`migrate`](crate::algebra::migrate) has all rules.
///
/// What only a stored value could decide does not compile, and the message says to use `load_older`: an alias of the root, with an index or
/// a `*`, or through an enum, a tuple, a list or a map; two places for one value; two stored paths of which one is in the other or in an
/// option; a value for one place that can be in an option or elsewhere; a type that contains itself; an option of options that the other
/// version has otherwise; a list whose elements take no bytes; a map whose keys have another type;
/// a struct that was a variant; a meta field that was a constant or is one now, or is stored under several names. A page has at most 8 kB.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::record::{LoadError, Upgrade, load, save_into, upgrade};
/// use treedef::{Tree, schema_of};
///
/// mod v1 {
///     #[derive(treedef::Tree)]
///     #[tree(name = "app::Settings")]
///     pub struct Settings { pub rate: u16, pub gain: f32, pub hours: u32 }
/// }
///
/// #[derive(Tree, Clone, Debug, PartialEq)]
/// #[tree(name = "app::Settings")]
/// struct Settings {
///     gain: f32,
///     #[tree(alias = "rate")]
///     sample_rate: u32,
///     service: Service,
/// }
///
/// #[derive(Tree, Clone, Debug, PartialEq)]
/// #[tree(name = "app::Service")]
/// struct Service { hours: u32, every: u16 }
///
/// // A program without the type has these bytes in a file.
/// const VERSION_1: &[u8] = schema_of::<v1::Settings>().as_bytes();
/// static FROM_1: Upgrade<Settings> = upgrade!(Settings, VERSION_1, [("hours", "service.hours")]);
///
/// // What version 1 stored.
/// let mut record = [0; 64];
/// let len = save_into(&v1::Settings { rate: 50_000, gain: 2.5, hours: 7 }, &mut record)?;
///
/// let defaults = Settings { gain: 1.0, sample_rate: 1, service: Service { hours: 0, every: 500 } };
/// let settings = match load::<Settings>(&record[..len]) {
///     Err(LoadError::OtherType { .. }) => {
///         let (settings, migrated) = FROM_1.load(&record[..len], &defaults, &mut [0; 128])?;
///         assert!(migrated.is_complete());
///         settings
///     }
///     same => same?,
/// };
/// let service = Service { hours: 7, every: 500 };
/// assert_eq!(settings, Settings { gain: 2.5, sample_rate: 50_000, service });
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```compile_fail
/// use treedef::record::{Upgrade, upgrade};
/// use treedef::schema_of;
///
/// // the alias `[*].0` to `[*].1` has an index or a `*`: `load_older` follows it
/// static PAIRS: Upgrade<[(u8, u8); 2]> =
///     upgrade!([(u8, u8); 2], schema_of::<[(u8,); 2]>().as_bytes(), [("[*].0", "[*].1")]);
/// ```
#[macro_export]
macro_rules! upgrade {
    ($type:ty, $page:expr $(,)?) => {
        $crate::upgrade!($type, $page, [])
    };
    ($type:ty, $page:expr, &[$($alias:expr),* $(,)?] $(,)?) => {
        $crate::upgrade!($type, $page, [$($alias),*])
    };
    ($type:ty, $page:expr, $aliases:expr $(,)?) => {{
        const PAGE__: &[u8] = $page;
        const ALIASES__: &[(&str, &str)] = &$aliases;
        #[allow(long_running_const_eval)]
        const IN_ROOM__: $crate::__private::Planned<{ $crate::__private::MOST_PLANNED }> =
            match $crate::__private::Planned::new::<$type>(PAGE__, ALIASES__) {
                ::core::result::Result::Ok(planned) => planned,
                ::core::result::Result::Err(message) => ::core::panic!("{}", message.as_str()),
            };
        const PLANNED__: $crate::__private::Planned<{ IN_ROOM__.size() }> = IN_ROOM__.trimmed();
        const { PLANNED__.upgrade::<$type>() }
    }};
}

// `record` exports it, and imports it from here.
pub use upgrade;

impl<T: TreeBuild<RecordLeaves> + TreeWalk<RecordLeaves>> Upgrade<T> {
    /// Loads a value from a record of the other version, as [`load_older`](crate::record::load_older): `defaults` fill what is new, and
    /// what is lost is counted. [`upgrade!`](crate::upgrade!) has an example.
    ///
    /// `room` is for work: the record of the defaults, as many bytes as a value has [choices](crate::tree::choices), and the leaves of the new
    /// value. For a type with a bound, twice [`record_bytes`](crate::record::record_bytes) is enough, unless a stored text is longer than
    /// its place, or a number of 128 bits was stored for a smaller one. Without a bound, choices are on the heap,
    /// or without the feature `alloc` in half of what the defaults leave.
    ///
    /// Takes time that is linear in the bytes, but for maps: each stored key that the defaults lack costs a scan of theirs.
    ///
    /// DIFFERENCE: a leaf that is stored as it is now is first looked at in the new value. So a damaged one there, such as a text that is no
    /// UTF-8, makes the whole record [`LoadError::Damaged`], where `load_older` gives its place the default or drops its element.
    ///
    /// # Errors
    ///
    /// [`LoadError::OtherType`] with the key of the record if it is none of the other version; [`LoadError::NoRoom`] with the number of
    /// bytes that are needed, or with a smaller one where half of the room is for choices; [`LoadError::Form`], [`LoadError::Damaged`];
    /// [`LoadError::Defaults`].
    pub fn load(
        &self,
        bytes: &[u8],
        defaults: &T,
        room: &mut [u8],
    ) -> Result<(T, Migrated), LoadError> {
        const { assert_choices::<T>() };
        let (bound, most) = (const { max_choices(T::SCHEMA) }, room.len());
        let len = save_into(defaults, room).map_err(own)?;
        let (defaults, room) = room.split_at_mut_checked(len).unwrap_or_default();
        let of_room = |error| of_room(error, most);
        let [choices, leaves] = take_choices(room, bound).map_err(|error| of_room(own(error)))?;
        let mut choices = ChoiceBytes::new(choices);
        let records = [(self.key, bytes), (record_key::<T>(), defaults)];
        let Self { shapes: [stored, own_shape], plan, linked, .. } = *self;
        let made = (linked.make)(&[stored, own_shape, plan], records, linked, &mut choices, leaves);
        let (len, migrated) = made.map_err(of_room)?;
        let choices = choices.all().map_err(|error| of_room(own(error)))?;
        let leaves = leaves.get(..len).unwrap_or_default();
        build(choices, leaves, migrated, LoadError::Damaged { at: bytes.len() })
    }
}

/// Makes the choices and the leaves of the new value, and returns the number of bytes of these.
#[inline(never)]
fn make<const ASKS: bool>(
    [shape, own_shape, plan]: &[&[u8]; 3],
    [(key, bytes), (own_key, defaults)]: [(u64, &[u8]); 2],
    Linked { ask, convert, .. }: Linked,
    choices: &mut ChoiceBytes<'_>,
    room: &mut [u8],
) -> Result<(usize, Migrated), LoadError> {
    let (most, damaged) = (room.len(), LoadError::Damaged { at: bytes.len() });
    let [stored, own] =
        [(bytes, key, shape), (defaults, own_key, own_shape)].map(|(bytes, key, shape)| {
            let [leaves, choices] = open::<FORM_1>(bytes, key)?;
            Ok(Part::<ASKS> { shape, leaves, choices })
        });
    let (stored, default) = (stored?, own?);
    let (mut rest, mut all) = (stored, Passed::default());
    let is_whole = rest.skip(&mut all).is_some();
    if !is_whole || !rest.leaves.is_empty() || !rest.choices.is_empty() {
        return Err(damaged);
    }
    let mut run = Run {
        ask,
        convert,
        root: stored,
        way: levels::empty::<u32, LEVELS>(),
        choices,
        leaves: RecordWriter::new(room),
        counts: Counts::default(),
    };
    let place = Place { stored: Some(stored), default: Some(default), counts_new: true };
    run.tree(plan, &place).ok_or(damaged)?;
    let (needed, Counts { migrated, known_meta, .. }) = (run.leaves.leaves, run.counts);
    if needed > most {
        return Err(LoadError::NoRoom { needed, room: most });
    }
    let lost = all.leaves.saturating_sub(migrated.moved);
    let lost_meta = migrated.lost_meta.saturating_add(all.meta.saturating_sub(known_meta));
    Ok((needed, Migrated { lost, lost_meta, ..migrated }))
}
