//! What happens to a stored tree in a newer structure.

use core::fmt::{self, Display, Formatter};

use crate::base::dtype::Dtype;
use crate::base::error::Error;
use crate::base::show::{Counted, debug_enum, debug_struct};
use crate::encode::schema::Schema;
use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::format::value::Value;
use crate::text::repr::short_name;
use crate::text::sentences::{DataContrast, Place, Values, Words};
use crate::tree::migrate::by_alias::{ByAlias, ByAliasOfTrees};
use crate::treedef::find::Found;
use crate::treedef::key_path::KeyPath;

/// What [`migrate`](crate::algebra::migrate) and `migrate_typed` report of one place.
/// `Display` writes one line.
///
/// Leaves without a report were moved to the place of the same path. A stored node is a [`Found`], with its path and its
/// leaves; a place of the new structure is a [`KeyPath`].
///
/// # Examples
///
/// ```
/// use treedef::algebra::{Migration, migrate};
/// use treedef::{View, treedef};
///
/// let (old, new) = (treedef!({"kp": *}), treedef!({"kd": *, "kp": *}));
/// let mut leaves = [0.5, 0.0];
/// migrate(View::new(old, &[2.0])?, new, &mut leaves, &[], |report| match report {
///     Migration::New(path) => assert_eq!(path.to_string(), "['kd']"),
///     other => panic!("{other}"),
/// })?;
/// assert_eq!(leaves, [0.5, 2.0]);
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Migration<'r> {
    /// A place that is not stored. It has its default. Also one of which a part has its default, because another node was stored there
    /// and aliases moved all leaves of that.
    New(KeyPath<'r, 'r>),
    /// A stored node that has no place. Its leaves and its meta fields are lost, unless an alias gives it a part of a default that replaces
    /// another variant.
    Lost(Found<'r>),
    /// A meta field of a stored node that has a place, or whose parts have. The new node lacks the field, has a constant with another
    /// value, or its type does not take this value.
    LostMeta {
        /// The stored node.
        stored: Found<'r>,
        /// The name of the meta field.
        name: &'r str,
        /// What was stored.
        value: Value<'r>,
    },
    /// A node that has another path, by an alias.
    Moved {
        /// The stored node.
        stored: Found<'r>,
        /// Its new place.
        at: KeyPath<'r, 'r>,
    },
    /// A stored node that does not fit its place. The place has its default, and those of its leaves are lost that no alias moved.
    /// Parts of the default that have an alias get what is stored for them. What an alias gives to a part that the default lacks is
    /// lost: it counts as such, and has no report of its own.
    ///
    /// What was reported below it before does not count.
    Replaced {
        /// The stored node.
        stored: Found<'r>,
        /// Its place.
        at: KeyPath<'r, 'r>,
        /// Why it does not fit.
        why: Why<'r>,
    },
    /// An element of a list or a map that does not fit, so that it is not in the value. Its leaves and its meta fields are lost.
    Dropped {
        /// The stored node.
        stored: Found<'r>,
        /// Its place.
        at: KeyPath<'r, 'r>,
        /// Why it does not fit.
        why: Why<'r>,
    },
    /// A node whose children were moved, although it has other meta fields, other aux data, another default factory or, by an
    /// alias, another type name. Each stored meta field that is lost has its own report, after this one.
    Changed {
        /// The stored node.
        stored: Found<'r>,
        /// Its place.
        at: KeyPath<'r, 'r>,
        /// The head of the new node.
        now: Head<'r>,
    },
    /// A leaf of a record that is in the value as a leaf of another type: by itself, as a `u16` in a `u32`, or by the function that converts
    /// leaves.
    Converted {
        /// The stored leaf.
        stored: Found<'r>,
        /// Its place.
        at: KeyPath<'r, 'r>,
        /// The names of the stored leaf type and of that of the place, as in the [schema](crate::schema_of).
        types: [&'r str; 2],
    },
    /// An alias that leads nowhere: it has a typo, or what is stored is older than the old path. There are two cases.
    ///
    /// - Neither of its paths is in the type, or in the new structure. This is reported once, before all other reports. What a type
    ///   does not say can be anything: the keys of a map, the inside of a recursive type.
    /// - One of its paths is that of a place that is reported as [`New`](Migration::New) or [`Replaced`](Migration::Replaced), or of a
    ///   part of it, and at neither path anything is stored. An alias with a `*` is not reported so, because it can be of use at
    ///   another place.
    ///
    /// A pair of names without `.`, `/` and `[` is of use at any node, and one whose old path has a `:` or a capital letter can be about
    /// a type. So in the first case it is reported if no field, enum or type in the type has one of its names, and none is a map;
    /// [`migrate`](crate::algebra::migrate), which has no type, never reports it then. An alias that does nothing because both of its
    /// paths are stored is not reported, nor one that another alias makes useless.
    Unused {
        /// The old path.
        from: &'r str,
        /// The new path.
        to: &'r str,
    },
}

debug_enum!(Migration<'_> {
    New(at), Lost(stored), LostMeta { stored, name as Text, value }, Moved { stored, at }, Replaced { stored, at, why }, Dropped { stored, at, why }, Changed { stored, at, now }, Converted { stored, at, types as Texts },
    Unused { from as Text, to as Text }
});

/// A place that a stored leaf is taken for, by [`migrate_typed_with`](crate::algebra::migrate_typed_with): which leaf it
/// needs. The function has an example.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct LeafPlace<'r, O> {
    /// The path of the place.
    pub path: KeyPath<'r, 'r>,
    /// The stored leaf: its [path](Found::path), which differs from that of the place where an alias moved it, and its index.
    pub stored: Found<'r>,
    /// The dtype of the leaf, if its type is a number, `bool` or a float of `half`.
    pub dtype: Option<Dtype>,
    /// The leaf that the place has by default. An element of a list that is empty in the defaults has none.
    ///
    /// In an element of a list or a map that the defaults lack, it is that of their first element, in a map of the one with the
    /// smallest key. It is what the place gets if the stored leaf is refused, and does not show how the stored leaf should be, as its
    /// length or its shape.
    pub default: Option<&'r O>,
}

debug_struct!([O] LeafPlace<'_, O> { path, stored, dtype });

/// Why a stored node is replaced by its default.
///
/// # Examples
///
/// ```
/// use treedef::algebra::Why;
///
/// assert_eq!(Why::Room(4).to_string(), "there is room for 4");
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Why<'r> {
    /// The new structure has a node of another kind or type there, with this head.
    Differs(Head<'r>),
    /// The type has no value of this structure: it is of another kind or type, or a variant that the type lacks. The schema is what the
    /// type has there.
    Type(&'r Schema),
    /// An alias gave the place a part, and another part is neither stored nor in the defaults.
    OtherPart,
    /// A part of it has no default, as in an element of a list that is empty in the defaults, or in another variant than that of
    /// the defaults.
    Missing {
        /// The stored part that was refused, or in which a child is missing.
        stored: Found<'r>,
        /// The child that is not stored.
        child: Option<KeyEntry<'r>>,
    },
    /// The container has room for this number of children.
    Room(usize),
    /// A part of it does not fit, and has no default of its own: it has more children than its container has room for, or the type has
    /// no value of its structure.
    Part {
        /// The stored part.
        stored: Found<'r>,
        /// The number of children for which there is room, if it has more.
        room: Option<usize>,
        /// What the type has there.
        schema: &'r Schema,
    },
    /// The type does not take a meta field, or needs one that is not stored.
    Meta {
        /// The stored node.
        stored: Found<'r>,
        /// The name of the meta field.
        name: &'r str,
        /// What is stored, if it is.
        value: Option<Value<'r>>,
    },
    /// The map has no such key.
    Key,
    /// The leaf with this index is of another type.
    WrongLeaf(u32),
    /// A leaf of a record is of the first type, and the second one has no leaf with its value.
    LeafType([&'r str; 2]),
    /// The function that takes leaves refused the leaf: what it said.
    Leaf(&'r dyn Display),
}

debug_enum!(Why<'_> {
    Differs(head), Type(schema), OtherPart, Missing { stored, child }, Room(room), Part { stored, room, schema }, Meta { stored, name as Text, value }, Key, WrongLeaf(leaf), LeafType(types as Texts), Leaf(why as Shown)
});

impl<'r> Why<'r> {
    /// The type name of a struct or variant that is there now, in another module than that of this head.
    fn same_name(&self, old: &Head<'_>) -> Option<&'r str> {
        let old = old.type_name()?;
        let is_same = |name: &&str| *name != old && short_name(name) == short_name(old);
        match self {
            Why::Differs(head) => head.type_name().filter(is_same),
            Why::Type(schema) => schema.parts().0.iter().map(|fields| fields.name).find(is_same),
            _ => None,
        }
    }
}

impl Display for Why<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Why::Differs(head) => write!(f, "there is {} now", Words::short(*head)),
            Why::Type(schema) => write!(f, "the type has {}", Values(schema)),
            Why::OtherPart => f.write_str("another part of it has no default"),
            Why::Missing { stored, child } => {
                let child = child.as_slice();
                write!(f, "{}{} has no default", stored.path(), KeyPath::new(child))
            }
            Why::Room(room) => write!(f, "there is room for {room}"),
            Why::Part { stored, room, schema } => {
                let part = Words::short(stored.treedef().head());
                write!(f, "{} is {part}: ", Place(stored.path()))?;
                room.map_or(Why::Type(schema), Why::Room).fmt(f)
            }
            Why::Meta { stored, name, value: Some(value) } => {
                write!(
                    f,
                    "{} has the meta field {name} = {value}, which the type does not take",
                    Place(stored.path())
                )
            }
            Why::Meta { stored, name, value: None } => {
                write!(f, "the meta field {name} of {} has no default", Place(stored.path()))
            }
            Why::Key => f.write_str("the map has no such key"),
            Why::WrongLeaf(leaf) => Error::WrongLeaf { leaf: *leaf }.fmt(f),
            Why::LeafType([from, to]) => {
                write!(f, "{from} was stored, and {to} has no such value")
            }
            Why::Leaf(why) => why.fmt(f),
        }
    }
}

impl Display for Migration<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Migration::New(at) => write!(f, "new {}", Place(at)),
            Migration::Lost(stored) => write!(f, "lost {}", Place(stored.path())),
            Migration::LostMeta { stored, name, value } => {
                write!(f, "lost the meta field {name} = {value} of {}", Place(stored.path()))
            }
            Migration::Moved { stored, at } => {
                write!(f, "moved {} to {}", Place(stored.path()), Place(at))
            }
            Migration::Replaced {
                at,
                why: why @ (Why::WrongLeaf(_) | Why::LeafType(_) | Why::Leaf(_)),
                ..
            } => {
                write!(f, "refused {}: {why}", Place(at))
            }
            Migration::Replaced { stored, at, why: why @ Why::OtherPart } => {
                write!(f, "replaced {}: {} is a part of it, and {why}", Place(at), stored.path())
            }
            Migration::Replaced { stored, at, why } | Migration::Dropped { stored, at, why } => {
                let is_dropped = matches!(self, Migration::Dropped { .. });
                let (what, old) =
                    (if is_dropped { "dropped" } else { "replaced" }, stored.treedef().head());
                write!(f, "{what} {}: ", Place(at))?;
                // The short names would be the same.
                if let (Some(name), Some(new)) = (old.type_name(), why.same_name(&old)) {
                    return write!(
                        f,
                        "{name} was stored, and there is {new} now: name the type, or add an alias"
                    );
                }
                write!(f, "{} was stored, and {why}", Words::short(old))
            }
            Migration::Converted { at, types: [from, to], .. } => {
                write!(f, "converted {}: {from} was stored, and it is {to} now", Place(at))
            }
            Migration::Unused { from, to } => write!(f, "the alias {from} to {to} leads nowhere"),
            // The names of the children have reports of their own.
            Migration::Changed { stored, at, now } => {
                write!(f, "changed {}: {}", Place(at), DataContrast(now, stored.treedef().head()))
            }
        }
    }
}

/// What became of a stored tree: the counts of a migration.
///
/// # Examples
///
/// ```
/// use treedef::algebra::migrate;
/// use treedef::{View, treedef};
///
/// let (old, new) = (treedef!({"kp": *, "mode": [*]}), treedef!({"kd": *, "kp": *, "mode": None}));
/// let migrated = migrate(View::new(old, &[1.0, 2.0])?, new, &mut [0.0; 2], &[], |_| {})?;
/// assert_eq!((migrated.moved, migrated.lost, migrated.replaced, migrated.new), (1, 1, 1, 1));
/// assert!(!migrated.is_complete());
/// assert_eq!(migrated.to_string(), "1 moved, 1 lost, 1 replaced, 1 new");
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Migrated {
    /// The number of stored leaves that are in the new tree, at their old path or at another. A leaf that aliases give several places
    /// counts once; in [`migrate`](crate::algebra::migrate), which has no room to mark it, it can count again for a leaf that is lost because
    /// the place that an alias gave it was replaced.
    pub moved: usize,
    /// The number of stored leaves that are not. It can be 0 although a place that should have such a leaf was replaced, if an alias
    /// gave the leaf to another place, too.
    pub lost: usize,
    /// The number of stored meta fields that are not in the new tree with their value: reports of [`Migration::LostMeta`], and
    /// those in nodes that were [`Lost`](Migration::Lost), where a node and its copies count once. Of a map that is lost and has no
    /// leaves, the keys count, too. Those in what was replaced or dropped do not count, but for those of what an alias gave a part of it.
    /// `migrate_typed` looks at the first 32 meta fields of each stored struct: later ones that are lost are not found out.
    pub lost_meta: usize,
    /// The number of places that have their default although another node was stored there: reports of
    /// [`Migration::Replaced`], without those below a place that was replaced after them. Such a place can have no leaves, as a variant
    /// without fields.
    pub replaced: usize,
    /// The number of places that were not stored: reports of [`Migration::New`], likewise.
    pub new: usize,
    /// The number of elements of lists and maps that were dropped: reports of [`Migration::Dropped`], likewise. An element that is a leaf
    /// and was refused is reported as [`Migration::Replaced`].
    pub dropped: usize,
}

impl Migrated {
    /// Whether all that was stored is in the tree: no leaf, no meta field and no map key is lost, and no place has its default instead of what
    /// was stored. [`Migrated`] has an example.
    ///
    /// Not counted are names and empty nodes, as a field that was `None`, and what [`Migration::Changed`] reports besides meta
    /// fields.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.lost == 0 && self.lost_meta == 0 && self.replaced == 0 && self.dropped == 0
    }
}

impl Display for Migrated {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Migrated { moved, lost, lost_meta, replaced, new, dropped } = self;
        write!(f, "{moved} moved, {lost} lost, {replaced} replaced, {new} new")?;
        if *dropped > 0 {
            write!(f, ", {} dropped", Counted(*dropped, " element", " elements"))?;
        }
        if *lost_meta > 0 {
            write!(f, ", {} lost", Counted(*lost_meta, " meta field", " meta fields"))?;
        }
        Ok(())
    }
}

/// How the places of a stored structure are matched with new ones.
///
/// An array of aliases can be passed instead, where there is nothing to say but these.
///
/// # Examples
///
/// ```
/// use treedef::algebra::Matching;
///
/// let by_aliases: Matching<'_> = (&[("kp", "pid.kp"), ("motor[*].gain", "motor[*].pid.gain")]).into();
/// let of_any_kind = Matching::new(&[]).in_any_kind();
/// # let _ = (by_aliases, of_any_kind);
/// ```
#[derive(Clone, Copy, Default)]
pub struct Matching<'r> {
    pub(crate) aliases: &'r [(&'r str, &'r str)],
    pub(crate) in_any_kind: bool,
    pub(crate) lengths_of_defaults: bool,
    pub(crate) keep_places: bool,
    /// What is done with the aliases in treedefs, if there are any. A program without aliases does not link it.
    pub(crate) by_alias: Option<ByAliasOfTrees>,
}

debug_struct!([] Matching<'_> { in_any_kind, lengths_of_defaults, keep_places });

impl<'r> Matching<'r> {
    /// By these aliases: pairs of an old path and a new one. [`migrate`](crate::algebra::migrate) says what they mean. [`Matching`] has
    /// an example.
    #[must_use]
    pub const fn new(aliases: &'r [(&'r str, &'r str)]) -> Self {
        let table: ByAliasOfTrees = |_| ByAlias::ALL;
        let by_alias = if aliases.is_empty() { None } else { Some(table) };
        Self {
            aliases,
            in_any_kind: false,
            lengths_of_defaults: false,
            keep_places: false,
            by_alias,
        }
    }

    /// Matches nodes of different kinds: positions match positions, and names match names. For files whose format has fewer
    /// kinds than Rust: a tuple is stored as a list, a list as a dict with the keys `'0'` and `'1'`, a struct as a dict.
    /// A map takes only what is a map of its kind; if its keys are whole numbers, also one with their texts.
    ///
    /// The place of an enum gets the variant whose name is stored, if the type has it. A dict has no name, so its place gets the
    /// variant that `defaults` have there, and without one the first that has no meta fields. This is also so for a stored variant
    /// that the type lacks: its fields go by their names, and the others are lost. Stored meta fields stay only in a struct.
    /// [`Matching`] has an example.
    #[must_use]
    pub const fn in_any_kind(self) -> Self {
        Self { in_any_kind: true, ..self }
    }

    /// Gives lists the length that they have in the defaults, for models whose configuration grew: an element that is not stored is that
    /// of the defaults, as in an array, and what is stored after the end is lost. Otherwise lists have their stored length.
    /// [`migrate`](crate::algebra::migrate) always does this.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(feature = "alloc")] {
    /// use treedef::algebra::{Matching, migrate_typed};
    /// use treedef::{View, treedef};
    ///
    /// let stored = View::new(treedef!([*, *]), &[1.0f32, 2.0])?;
    /// let (defaults, plain) = (vec![0.5f32; 3], Matching::new(&[]));
    /// assert_eq!(migrate_typed(stored, &defaults, plain, |_| {})?.0, [1.0, 2.0]);
    /// assert_eq!(migrate_typed(stored, &defaults, plain.lengths_of_defaults(), |_| {})?.0, [1.0, 2.0, 0.5]);
    /// # }
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn lengths_of_defaults(self) -> Self {
        Self { lengths_of_defaults: true, ..self }
    }

    /// Gives the place of an element of a list or a map that does not fit the first element that the defaults have there, if there is
    /// one. Otherwise the element is dropped, and those after it move up. For lists whose positions mean something.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(feature = "alloc")] {
    /// use treedef::algebra::{Matching, migrate_typed};
    /// use treedef::{View, treedef};
    ///
    /// // The second element has become an array of two.
    /// let stored = View::new(treedef!([[*, *], *, [*, *]]), &[1.0f32, 2.0, 3.0, 4.0, 5.0])?;
    /// let (defaults, plain) = (vec![[0.5f32; 2]], Matching::new(&[]));
    /// let (dropped, _) = migrate_typed(stored, &defaults, plain, |_| {})?;
    /// assert_eq!(dropped, [[1.0, 2.0], [4.0, 5.0]]);
    /// let (kept, _) = migrate_typed(stored, &defaults, plain.keep_places(), |_| {})?;
    /// assert_eq!(kept, [[1.0, 2.0], [0.5, 0.5], [4.0, 5.0]]);
    /// # }
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn keep_places(self) -> Self {
        Self { keep_places: true, ..self }
    }
}

impl<'r> From<&'r [(&'r str, &'r str)]> for Matching<'r> {
    fn from(aliases: &'r [(&'r str, &'r str)]) -> Self {
        Self::new(aliases)
    }
}

impl<'r, const N: usize> From<&'r [(&'r str, &'r str); N]> for Matching<'r> {
    fn from(aliases: &'r [(&'r str, &'r str); N]) -> Self {
        Self::new(aliases)
    }
}
