//! Makes the structure of a stored value from its choices and the schema of its type, as a treedef.
//!
//! The structure is read once, by a migration, so it is not canonical: equal neighbours are written out, and all keys are values.

use crate::base::bytes::copy;
use crate::base::error::Error;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::is_constant;
use crate::format::head::{self, Head, Kind, kind_and_count};
use crate::format::keys::Keys;
use crate::format::pieces::{Stop, put_block, put_run};
use crate::format::value::Value;
use crate::format::varint::{Front, read_choice};
use crate::record::kind::take_leaf;
use crate::tree::migrate::children::{Children, Node};
use crate::treedef::treedef::TreeDef;

/// The most bytes that are counted after the end of the room.
const MOST: usize = 1 << 16;

/// A stored value: its structure, and where its leaves are.
#[derive(Clone, Copy)]
pub(super) struct Expanded<'v> {
    pub(super) def: TreeDef<'v>,
    leaves: &'v [u8],
    /// The schema of the type, as bytes.
    schema: &'v [u8],
    /// For each leaf, the last one first: where it begins, and where the name of its type begins and ends in the schema.
    places: &'v [u8],
}

/// The bytes of an entry of `places`.
const PLACE: usize = 12;

impl<'v> Expanded<'v> {
    /// The name of the type of a leaf, and its bytes.
    pub(super) fn leaf(&self, index: u32) -> Option<(&'v str, &'v [u8])> {
        let end = self.places.len().checked_sub((index as usize).checked_mul(PLACE)?)?;
        let place = self.places.get(end.checked_sub(PLACE)?..end)?;
        let [at, from, to] = [0, 4, 8].map(|at: usize| {
            let bytes = place.get(at..)?.first_chunk()?;
            usize::try_from(u32::from_le_bytes(*bytes)).ok()
        });
        let name = core::str::from_utf8(self.schema.get(from?..to?)?).ok()?;
        Some((name, take_leaf(name.as_bytes(), &mut self.leaves.get(at?..)?)?))
    }
}

/// Writes the structure of the value with these leaves and choices to `room`, and returns what is left of that.
///
/// # Errors
///
/// [`Error::BufferFull`] with the number of bytes that are needed; [`Error::WrongChoices`] if they are those of no value.
pub(super) fn expand<'v>(
    schema: TreeDef<'v>,
    [leaves, choices]: [&'v [u8]; 2],
    room: &'v mut [u8],
) -> Result<(Expanded<'v>, &'v mut [u8]), Error> {
    let mut expanding = Expanding { schema, rest: leaves, leaves, choices, room, len: 0, count: 0 };
    let done = expanding.tree(Node::root(schema), None);
    let Expanding { rest, choices: left, room, len, count, .. } = expanding;
    let (needed, most) = (len.saturating_add(count.saturating_mul(PLACE)), room.len());
    if needed > most {
        return Err(Error::BufferFull { needed, room: most });
    }
    if done.is_none() || !rest.is_empty() || !left.is_empty() {
        return Err(Error::WrongChoices { at: choices.len().wrapping_sub(left.len()) });
    }
    let places = most.wrapping_sub(count.saturating_mul(PLACE));
    let (front, places) = room.split_at_mut_checked(places).unwrap_or_default();
    let (def, room) = front.split_at_mut_checked(len).unwrap_or_default();
    let def = TreeDef::trusted(def, u32::try_from(count).unwrap_or(u32::MAX));
    Ok((Expanded { def, leaves, schema: schema.as_bytes(), places }, room))
}

/// What is left of a value, and what was written.
struct Expanding<'v> {
    schema: TreeDef<'v>,
    leaves: &'v [u8],
    rest: &'v [u8],
    choices: &'v [u8],
    /// The structure is written from its front, the places of leaves from its end.
    room: &'v mut [u8],
    len: usize,
    count: usize,
}

/// A node of the schema, and those around it.
struct Around<'a, 'v> {
    node: Node<'v>,
    outer: Option<&'a Around<'a, 'v>>,
    levels: u32,
}

/// What a node of the schema says of itself.
fn note<'v>(node: Node<'v>, name: &str) -> Option<Value<'v>> {
    node.head().meta_fields().find(|(own, _)| *own == name).map(|(_, value)| value)
}

/// The innermost node with this name, which an enum has of its first variant, and the node around it.
fn around<'a, 'v>(
    name: &str,
    mut here: &'a Around<'a, 'v>,
) -> Option<(Node<'v>, Option<&'a Around<'a, 'v>>)> {
    loop {
        let own = match here.node.head().type_name() {
            Some("an enum") => Children::of(here.node).child(0)?,
            _ => here.node,
        };
        if own.head().type_name() == Some(name) {
            return Some((here.node, here.outer));
        }
        here = here.outer?;
    }
}

impl<'v> Expanding<'v> {
    /// Writes the structure of a value of this schema.
    fn tree<'a>(
        &mut self,
        mut node: Node<'v>,
        mut outer: Option<&'a Around<'a, 'v>>,
    ) -> Option<()> {
        // As deep as the value is, also where a recursion leads out.
        let levels = outer.map_or(0, |outer| outer.levels);
        if self.len > self.room.len().saturating_add(MOST) {
            return None;
        }
        while let Some(name @ ("a leaf" | "an option" | "a recursion")) = node.head().type_name() {
            (node, outer) = match name {
                "a leaf" => return self.leaf(note(node, "type")?.as_str()?),
                "a recursion" => around(note(node, "to")?.as_str()?, outer?)?,
                _ => match self.choice()? {
                    0 => {
                        self.put(Head::NONE.as_bytes());
                        return Some(());
                    }
                    1 => {
                        let of = Children::of(node).child(0)?;
                        if of.head().type_name() == Some("an option") {
                            self.put(Head::SOME.as_bytes());
                        }
                        (of, outer)
                    }
                    _ => return None,
                },
            }
        }
        if levels >= MAX_DEPTH {
            return None;
        }
        let (head, mut children) = (node.head(), Children::of(node));
        let around = &Around { node, outer, levels: levels.wrapping_add(1) };
        let Some(name) = head.type_name() else {
            self.put(head.as_bytes());
            return self.children(&mut children, head.arity(), around);
        };
        let room = || match note(node, "room") {
            Some(Value::Int(room)) => usize::try_from(room).ok(),
            _ => None,
        };
        match name {
            "an array" => self.elements(room()?, children.child(0)?, around),
            "a list" => {
                let count =
                    self.choice().filter(|count| room().is_none_or(|room| *count <= room))?;
                self.elements(count, children.child(0)?, around)
            }
            "a map" => {
                let (count, of) = (self.choice()?, children.child(0)?);
                let before = self.choices;
                let _ = self.values(count)?;
                let keys = before.get(..before.len().wrapping_sub(self.choices.len()))?;
                let front = Front::of([head::EXT << 5 | head::EXT_DICT_TYPED]);
                self.put(front.then_number(count as u64).as_bytes());
                self.put(Front::number(keys.len() as u64).as_bytes());
                self.put(keys);
                (0..count).try_for_each(|_| self.tree(of, Some(around)))
            }
            "an enum" => {
                let index = if head.arity() > 1 { self.choice()? } else { 0 };
                let variant = children.child(u32::try_from(index).ok()?)?;
                self.record(variant, around)
            }
            _ => self.record(node, around),
        }
    }

    /// Writes a list of `count` elements.
    fn elements(&mut self, count: usize, of: Node<'v>, around: &Around<'_, 'v>) -> Option<()> {
        self.put(kind_and_count(head::LIST, count).as_bytes());
        (0..count).try_for_each(|_| self.tree(of, Some(around)))
    }

    fn children(
        &mut self,
        children: &mut Children<'v>,
        count: u32,
        around: &Around<'_, 'v>,
    ) -> Option<()> {
        (0..count).try_for_each(|index| self.tree(children.child(index)?, Some(around)))
    }

    /// Writes a struct or a variant. Its head is that of the schema, with the values of the meta fields.
    fn record(&mut self, node: Node<'v>, around: &Around<'_, 'v>) -> Option<()> {
        let (head, mut children) = (node.head(), Children::of(node));
        if head.kind() != Kind::Struct {
            return None;
        }
        let open = head.meta_fields().filter(|(_, value)| !is_constant(value));
        // Core's `count` can panic with overflow checks.
        let open = open.fold(0usize, |open, _| open.saturating_add(1));
        if open == 0 {
            self.put(head.as_bytes());
        } else {
            let values = self.values(open)?;
            self.put(kind_and_count(head::STRUCT, head.arity() as usize).as_bytes());
            let mut put = |piece: &[u8]| {
                self.put(piece);
                Ok::<(), Stop>(())
            };
            let written = put_block(&mut put, |out| {
                put_run(head.type_name().unwrap_or_default().as_bytes(), out)?;
                head.fields().try_for_each(|field| put_run(field.as_bytes(), out))?;
                let mut values = values.clone();
                head.meta_fields().try_for_each(|(name, own)| {
                    put_run(name.as_bytes(), out)?;
                    match is_constant(&own) {
                        true => own.pieces(out),
                        false => values.next().ok_or(Stop::Changed)?.pieces(out),
                    }
                })
            });
            written.ok()?;
        }
        self.children(&mut children, head.arity(), around)
    }

    /// Writes a leaf of the type with this name, which is a part of the schema.
    fn leaf(&mut self, name: &'v str) -> Option<()> {
        let at = self.leaves.len().wrapping_sub(self.rest.len());
        take_leaf(name.as_bytes(), &mut self.rest)?;
        self.put(Head::LEAF.as_bytes());
        let from = name.as_ptr().addr().wrapping_sub(self.schema.as_bytes().as_ptr().addr());
        self.count = self.count.saturating_add(1);
        let start = self.room.len().checked_sub(self.count.saturating_mul(PLACE));
        let place = start.and_then(|start| self.room.get_mut(start..)).unwrap_or_default();
        let numbers = [at, from, from.wrapping_add(name.len())];
        let (slots, _) = place.as_chunks_mut();
        for (slot, number) in slots.iter_mut().zip(numbers) {
            *slot = u32::try_from(number).ok()?.to_le_bytes();
        }
        Some(())
    }

    /// Writes bytes of the structure. What has no room is counted.
    fn put(&mut self, bytes: &[u8]) {
        let end = self.len.saturating_add(bytes.len());
        let most = self.room.len().saturating_sub(self.count.saturating_mul(PLACE));
        if end <= most
            && let Some(slots) = self.room.get_mut(self.len..end)
        {
            copy(slots, bytes);
        }
        self.len = end;
    }

    fn choice(&mut self) -> Option<usize> {
        let (choice, rest) = read_choice(self.choices)?;
        self.choices = rest;
        Some(choice)
    }

    fn values(&mut self, count: usize) -> Option<Keys<'v>> {
        let (values, rest) = Keys::of_values(count, self.choices)?;
        self.choices = rest;
        Some(values)
    }
}
