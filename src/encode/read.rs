//! Reads a treedef under the schema of a type: checks that a value of the type can have it, and gives the choices of that value.

use crate::base::bytes::equal_words;
use crate::base::error::Error;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::{Around, Fields, Schema, is_literal};
use crate::encode::structure::HasSchema;
use crate::format::head::{Head, Kind};
use crate::format::pieces::Stop;
use crate::format::value::Value;
use crate::format::varint::choice_bytes;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::treedef::TreeDef;

/// Checks whether a value of the type can have this structure, without leaves.
///
/// It asks the [schema](crate::schema_of) of the type. What a container by hand can have is not known, so it fits. The keys of maps, and the
/// values of meta fields that are no constants, are not checked. Its time grows with the bytes of the structure: a child and its copies are
/// checked once.
///
/// # Errors
///
/// [`Error::Mismatch`] with the first node that a value cannot have; [`Error::explain_type`] says why. [`Error::Capacity`] for a
/// container with less room. [`Error::TooDeep`] above 64 levels.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::encode::fits;
/// use treedef::{Tree, treedef};
///
/// type Curve = Option<heapless::Vec<f32, 4>>;
/// assert_eq!(fits::<Curve>(treedef!([*, *])), Ok(()));
/// assert_eq!(fits::<Curve>(treedef!(None)), Ok(()));
/// assert!(fits::<Curve>(treedef!([*, *, *, *, *])).is_err());
/// assert!(fits::<Curve>(treedef!((*, *))).is_err());
/// # }
/// ```
pub fn fits<'a, T: HasSchema + ?Sized>(def: impl Into<TreeDef<'a>>) -> Result<(), Error> {
    read::<false>(T::SCHEMA, def.into(), &mut []).map(drop)
}

/// Writes the choices of a value with this schema and structure to the front of `bytes`, as far as they fit, and returns how many
/// there are. Without `VALUES` it only checks the structure: a program that needs no choices does not link what writes them.
///
/// # Errors
///
/// Those of [`fits`]. With `VALUES`, a schema with [`Schema::Unknown`] gives no choices: that is an [`Error::Mismatch`].
pub(crate) fn read<const VALUES: bool>(
    schema: &'static Schema,
    def: TreeDef<'_>,
    bytes: &mut [u8],
) -> Result<usize, Error> {
    let mut reader = Reader::<'_, '_, VALUES> { cursor: Cursor::new(def), bytes, len: 0 };
    reader.child(schema, &mut Siblings::root(), None)?;
    Ok(reader.len)
}

/// The position in the treedef, and the choices so far.
struct Reader<'d, 'b, const VALUES: bool> {
    cursor: Cursor<'d>,
    bytes: &'b mut [u8],
    len: usize,
}

impl<const VALUES: bool> Reader<'_, '_, VALUES> {
    /// Reads the next child of `list`, which a value of this schema has to have.
    fn child(
        &mut self,
        schema: &'static Schema,
        list: &mut Siblings,
        around: Option<&Around<'_>>,
    ) -> Result<(), Error> {
        let node = self.cursor.num_nodes_read();
        let mismatch = Err(Error::Mismatch { node });
        let schema = match schema {
            Schema::Leaf(..) if self.cursor.take_leaf(list) => return Ok(()),
            Schema::Optional(_) if self.cursor.take_none(list) => {
                self.choice(0);
                return Ok(());
            }
            Schema::Optional(of) if !of.is_nullable() => {
                self.choice(1);
                return self.child(of, list, around);
            }
            Schema::Recursive(name) => match Around::named(around, name) {
                Some(schema) => schema,
                None => return mismatch,
            },
            Schema::Pointer(of) => return self.child(of(), list, around),
            // What such a child has beside its leaves is no choice.
            Schema::Unknown if VALUES => return mismatch,
            Schema::Unknown => return skip(&mut self.cursor, list),
            schema => schema,
        };
        let levels = around.map_or(0, |around| around.levels);
        let around = &Around { schema, outer: around, levels: levels.saturating_add(1) };
        let Some(head) = self.cursor.next(list) else { return mismatch };
        check_levels(levels)?;
        let mut children = Siblings::of(&head);
        let arity = head.num_children();
        match (schema, head.kind()) {
            (Schema::Tuple(children), Kind::Tuple) if arity == children.as_slice().len() => {}
            (Schema::Array(count, _), Kind::List) if arity == *count => {}
            (Schema::List(Some(room), _), Kind::List)
            | (Schema::Map(Some(room), ..), Kind::Dict)
                if *room < arity =>
            {
                return Err(Error::Capacity { node, room: *room });
            }
            (Schema::List(..), Kind::List) => self.choice(arity),
            (Schema::Map(..), Kind::Dict) if VALUES => {
                self.choice(arity);
                head.keys().for_each(|key| self.value(&key));
            }
            (Schema::Map(..), Kind::Dict) => {}
            (Schema::Optional(_), Kind::Some) => self.choice(1),
            _ => self.fields(schema, &head).ok_or(Error::Mismatch { node })?,
        }
        let mut index = 0;
        while index < arity {
            let Some(child) = schema.child(&head, index) else { return mismatch };
            let (before, from) = (self.cursor.num_nodes_read(), self.len);
            self.child(child, &mut children, Some(around))?;
            index = index.saturating_add(1);
            // Copies of an element have its choices, and are not read.
            if let Schema::Array(..) | Schema::List(..) | Schema::Map(..) = schema {
                let nodes = self.cursor.num_nodes_read().wrapping_sub(before);
                let copies = self.cursor.take_copies(&mut children, nodes);
                let copies = copies.map_or(0, |(copies, _)| copies as usize);
                self.repeat(from, copies);
                index = index.saturating_add(copies);
            }
        }
        let _ = self.cursor.end(&children);
        Ok(())
    }

    /// Gives the choices of a struct or variant with this head; `None` if it has another one.
    fn fields(&mut self, schema: &Schema, head: &Head<'_>) -> Option<()> {
        let (variants, _) = schema.parts();
        let mut all = (0..usize::MAX).zip(variants);
        let (index, fields) = all.find(|(_, fields)| fields.has(head))?;
        if variants.len() > 1 {
            self.choice(index);
        }
        if !VALUES {
            return Some(());
        }
        for ((_, value), (_, own)) in head.meta_fields().zip(fields.meta) {
            if !is_literal(own) {
                self.value(&value);
            }
        }
        Some(())
    }

    fn byte(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(self.len) {
            *slot = byte;
        }
        self.len = self.len.saturating_add(1);
    }

    fn choice(&mut self, choice: usize) {
        choice_bytes(choice).for_each(|byte| self.byte(byte));
    }

    fn value(&mut self, value: &Value<'_>) {
        let _ = value.pieces(&mut |piece| {
            piece.iter().for_each(|byte| self.byte(*byte));
            Ok::<_, Stop>(())
        });
    }

    /// Gives the choices from `from` on `count` times more.
    fn repeat(&mut self, from: usize, count: usize) {
        let to = self.len;
        if !VALUES || from == to {
            return;
        }
        for _ in 0..count {
            if self.bytes.len() < self.len {
                break;
            }
            for at in from..to {
                self.byte(self.bytes.get(at).copied().unwrap_or(0));
            }
        }
        self.len = to.saturating_add(to.wrapping_sub(from).saturating_mul(count));
    }
}

impl Fields {
    /// Whether a node has the head of this struct.
    pub(crate) fn has(&self, head: &Head<'_>) -> bool {
        if let Self { head: Some(own), meta: [], .. } = self {
            return equal_words(own.as_bytes(), head.as_bytes());
        }
        let mut fields = head.meta_fields();
        let fits = |(own, constant): &(&str, Value<'_>)| {
            let is_own = |value| !is_literal(constant) || value == *constant;
            fields.next().is_some_and(|(name, value)| name == *own && is_own(value))
        };
        head.kind() == Kind::Struct
            && head.type_name() == Some(self.name)
            && head.fields().eq(self.fields.iter().copied())
            && self.meta.iter().all(fits)
            && fields.next().is_none()
    }
}

/// Refuses a node in too many others.
const fn check_levels(levels: u32) -> Result<(), Error> {
    if levels >= MAX_DEPTH { Err(Error::TooDeep { limit: MAX_DEPTH }) } else { Ok(()) }
}

/// Steps over the next child of `list`, whatever it is.
fn skip(cursor: &mut Cursor<'_>, list: &mut Siblings) -> Result<(), Error> {
    let node = cursor.num_nodes_read();
    let Some(head) = cursor.next(list) else { return Err(Error::Mismatch { node }) };
    let (skipped, _) = cursor.take_node(list, head == Head::LEAF);
    cursor.count_below(skipped.node_count().wrapping_sub(1));
    Ok(())
}
