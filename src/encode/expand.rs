//! Makes the structure that choices say under the schema of their type.

use crate::base::error::Error;
use crate::base::exact_size::count;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::{Around, Fields, Schema, is_literal};
use crate::encode::writer::Writer;
use crate::format::head::{self, kind_and_count};
use crate::format::heading::{HeadSpec, List, Some as SomeHead, Tuple, put_names};
use crate::format::keys::Keys;
use crate::format::pieces::{Stop, put_block, put_run};
use crate::format::varint::read_choice;

/// Describes to `out` the structure of the value with these choices.
///
/// # Errors
///
/// [`Error::WrongChoices`], [`Error::TooDeep`]. The error of `out` is kept there.
pub(crate) fn expand(
    schema: &'static Schema,
    choices: &[u8],
    out: &mut Writer<'_>,
) -> Result<(), Error> {
    let mut expanding = Expanding { rest: choices, out, is_too_deep: false };
    match expanding.child(schema, None) {
        Some(()) if expanding.rest.is_empty() => Ok(()),
        _ if !expanding.out.is_well() => Ok(()),
        _ if expanding.is_too_deep => Err(Error::TooDeep { limit: MAX_DEPTH }),
        _ => Err(Error::WrongChoices { at: choices.len().wrapping_sub(expanding.rest.len()) }),
    }
}

/// The choices that are left, and where the structure is described.
struct Expanding<'c, 'o, 'b> {
    rest: &'c [u8],
    out: &'o mut Writer<'b>,
    is_too_deep: bool,
}

impl<'c> Expanding<'c, '_, '_> {
    /// Describes a tree of this schema.
    fn child(&mut self, schema: &'static Schema, around: Option<&Around<'_>>) -> Option<()> {
        let levels = around.map_or(0, |around| around.levels);
        if levels > MAX_DEPTH || !self.out.is_well() {
            self.is_too_deep = self.out.is_well();
            return None;
        }
        let inner = &Around { schema, outer: around, levels: levels.saturating_add(1) };
        match schema {
            Schema::Leaf(..) => self.out.leaves(1),
            Schema::Recursive(name) => return self.child(Around::named(around, name)?, around),
            Schema::Pointer(of) => return self.child(of(), around),
            Schema::Unknown => return None,
            Schema::Optional(of) => match self.choice()? {
                0 => self.out.none(),
                1 if !of.is_nullable() => return self.child(of, around),
                1 => {
                    let node = self.out.begin(&SomeHead);
                    self.child(of, Some(inner))?;
                    self.out.end(node);
                }
                _ => return None,
            },
            Schema::Tuple(children) => {
                let children = children.as_slice();
                let node = self.out.begin(&Tuple(children.len()));
                children.iter().try_for_each(|child| self.child(child, Some(inner)))?;
                self.out.end(node);
            }
            Schema::Array(count, of) => {
                let node = self.out.begin(&List(*count));
                self.elements(*count, of, inner)?;
                self.out.end(node);
            }
            Schema::List(room, of) => {
                let count = self.count(*room)?;
                let node = self.out.begin(&List(count));
                self.elements(count, of, inner)?;
                self.out.end(node);
            }
            Schema::Map(room, _, of) => {
                let count = self.count(*room)?;
                let keys = self.values(count)?;
                let node = self.out.begin_keys(count, keys);
                self.elements(count, of, inner)?;
                self.out.end(node);
            }
            Schema::Struct(fields) => self.fields(fields, inner)?,
            Schema::Enum(_, [fields]) => self.fields(fields, inner)?,
            Schema::Enum(_, variants) => {
                let index = self.choice()?;
                self.fields(variants.get(index)?, inner)?;
            }
        }
        Some(())
    }

    fn fields(&mut self, fields: &'static Fields, around: &Around<'_>) -> Option<()> {
        let node = match fields {
            Fields { head: Some(head), meta: [], .. } => self.out.begin_head(head),
            _ => {
                let open = count(fields.meta.iter().filter(|(_, own)| !is_literal(own)));
                let values = self.values(open)?;
                self.out.begin(&Filled { fields, values })
            }
        };
        let mut children = fields.children.as_slice().iter();
        children.try_for_each(|child| self.child(child, Some(around)))?;
        self.out.end(node);
        Some(())
    }

    /// Describes elements. Neighbours with equal choices are equal.
    fn elements(&mut self, count: usize, of: &'static Schema, around: &Around<'_>) -> Option<()> {
        let mut left = count;
        while let Some(after) = left.checked_sub(1) {
            left = after;
            let before = self.rest;
            self.child(of, Some(around))?;
            let own = before.get(..before.len().wrapping_sub(self.rest.len()))?;
            let mut copies = 0usize;
            if own.is_empty() {
                copies = left;
            } else {
                while copies < left
                    && let Some(rest) = self.rest.strip_prefix(own)
                {
                    self.rest = rest;
                    copies = copies.wrapping_add(1);
                }
            }
            self.out.repeat(copies);
            left = left.wrapping_sub(copies);
        }
        Some(())
    }

    fn choice(&mut self) -> Option<usize> {
        let (choice, rest) = read_choice(self.rest)?;
        self.rest = rest;
        Some(choice)
    }

    /// The number of elements of a container with this room.
    fn count(&mut self, room: Option<usize>) -> Option<usize> {
        self.choice().filter(|count| room.is_none_or(|room| *count <= room))
    }

    fn values(&mut self, count: usize) -> Option<Keys<'c>> {
        let (values, rest) = Keys::of_values(count, self.rest)?;
        self.rest = rest;
        Some(values)
    }
}

/// The head of a struct whose meta fields have these values, as far as the type leaves them open.
struct Filled<'c> {
    fields: &'static Fields,
    values: Keys<'c>,
}

impl HeadSpec for Filled<'_> {
    fn arity(&self) -> usize {
        self.fields.fields.len()
    }

    fn check(&self, _: bool) -> Result<(), Error> {
        match self.values.clone().any(|value| value.is_too_deep()) {
            true => Err(Error::ValueTooDeep),
            false => Ok(()),
        }
    }

    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        put(kind_and_count(head::STRUCT, self.fields.fields.len()).as_bytes())?;
        put_block(put, |out| {
            put_names(self.fields.name, self.fields.fields, out)?;
            let mut values = self.values.clone();
            self.fields.meta.iter().try_for_each(|(name, own)| {
                put_run(name.as_bytes(), out)?;
                match is_literal(own) {
                    true => own.pieces(out),
                    false => values.next().ok_or(Stop::Changed)?.pieces(out),
                }
            })
        })
    }
}
