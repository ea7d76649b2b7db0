//! Records with folded choices: of equal elements that follow each other there are two and a number.

use crate::encode::depth::MAX_DEPTH;
use crate::record::bytes::{RecordWriter, number64, take_number64};
use crate::record::load::{LoadError, open};
use crate::record::page_choices::{Around, Choices, Found, What};
use crate::record::page_node::Node;
use crate::record::{FORM_1, FORM_3};
use crate::treedef::treedef::TreeDef;

/// Folds the choices of a record: of equal elements of a list, an array or a map that follow each other, the choices of two are stored, and
/// how many more there are. Writes the folded record to the front of `bytes`, and returns its number of bytes.
///
/// For values with many elements that have choices, such as a list of a million options; leaves stay as they are. It helps where no
/// general compression is at hand. `schema` is that of the type of the record, [`schema_of`](crate::schema_of) it or a stored page.
/// [`unfold_into`] makes the record again that [`save_into`](crate::record::save_into) wrote, byte for byte; no other function reads a
/// folded one. Where no more than two elements are equal it is longer, by a byte for each pair.
///
/// Two passes over the record. Each byte of the choices is compared once at each level of lists around it.
///
/// # Errors
///
/// [`LoadError::Form`] if it is no record of form 1; [`LoadError::OtherType`] with its key if it is not that of `schema`;
/// [`LoadError::NoRoom`] with the number of bytes that are needed; [`LoadError::Damaged`] if the choices are not those of a value, or of
/// one with more than 64 levels; or if `schema` has leaves, so that it is none.
///
/// # Examples
///
/// ```
/// use treedef::record::{fold_into, load, save_into, unfold_into};
/// use treedef::schema_of;
///
/// type Readings = [Option<u8>; 1000];
///
/// let mut readings: Readings = [None; 1000];
/// readings[500] = Some(7);
///
/// let (mut record, mut folded) = ([0; 1100], [0; 40]);
/// let len = save_into(&readings, &mut record)?;
/// let folded_len = fold_into(&record[..len], schema_of::<Readings>(), &mut folded)?;
/// assert_eq!((len, folded_len), (1012, 20));
///
/// let mut unfolded = [0; 1100];
/// let len = unfold_into(&folded[..folded_len], schema_of::<Readings>(), &mut unfolded)?;
/// assert_eq!(load(&unfolded[..len]), Ok(readings));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fold_into(record: &[u8], schema: TreeDef<'_>, bytes: &mut [u8]) -> Result<usize, LoadError> {
    rewrite::<FORM_1, FORM_3>(record, schema, bytes)
}

/// Makes the record again that [`fold_into`] folded, which has an example. Writes it to the front of `bytes`, and returns its number of
/// bytes.
///
/// A few bytes from outside can ask for any number of elements: no more than there is room for are written.
///
/// # Errors
///
/// Those of [`fold_into`], with form 3.
pub fn unfold_into(
    folded: &[u8],
    schema: TreeDef<'_>,
    bytes: &mut [u8],
) -> Result<usize, LoadError> {
    rewrite::<FORM_3, FORM_1>(folded, schema, bytes)
}

/// Writes a record of one form in the other.
fn rewrite<const FROM: u8, const TO: u8>(
    record: &[u8],
    schema: TreeDef<'_>,
    bytes: &mut [u8],
) -> Result<usize, LoadError> {
    let (key, damaged) = (schema.fingerprint(), LoadError::Damaged { at: record.len() });
    let [leaves, rest] = open::<FROM>(record, key)?;
    // Without leaves a treedef has as many nodes as bytes, at most, so few bytes of choices are few steps.
    if schema.num_leaves() > 0 {
        return Err(damaged);
    }
    let write = |out| {
        let choices = Choices { page: schema.as_bytes(), rest };
        let mut folding = Folding::<FROM> { choices, out, levels: 0 };
        folding.node(0, None).filter(|()| folding.choices.rest.is_empty())?;
        Some(folding.out)
    };
    let choices = write(RecordWriter::new(&mut [])).ok_or(damaged)?.leaves;
    let (room, mut out) = (bytes.len(), RecordWriter::new(bytes));
    out.byte(TO);
    out.all(&key.to_le_bytes());
    number64(choices as u64, &mut out);
    out.all(leaves);
    let needed = write(out).ok_or(damaged)?.leaves;
    if needed > room { Err(LoadError::NoRoom { needed, room }) } else { Ok(needed) }
}

/// The choices of a record of this form, which are written in the other one.
struct Folding<'v, 'b, const FROM: u8> {
    choices: Choices<'v>,
    out: RecordWriter<'b>,
    levels: u32,
}

impl<'v, const FROM: u8> Folding<'v, '_, FROM> {
    /// Writes the choices of the node that has its schema here. `None` if they are those of no value.
    fn node(&mut self, at: usize, around: Option<&Around<'_>>) -> Option<()> {
        let (page, all) = (self.choices.page, self.choices.rest);
        let Found { what, schema, of } = self.choices.find(at, around, |_| Some(()))?;
        let count = self.choices.count(what, &schema)?;
        self.out.all(self.passed(all)?);
        if count > 0 && self.levels >= MAX_DEPTH {
            return None;
        }
        self.levels = self.levels.wrapping_add(1);
        let here = Around { schema: of, outer: around };
        let mut child = schema.inside_at();
        if let What::Struct | What::Tuple = what {
            for _ in 0..count {
                self.node(child, Some(&here))?;
                child = Node::end_of(page, child);
            }
        } else {
            self.elements(child, count, &here)?;
        }
        self.levels = self.levels.wrapping_sub(1);
        Some(())
    }

    /// Writes the choices of elements that have their schema here.
    fn elements(&mut self, at: usize, mut left: usize, around: &Around<'_>) -> Option<()> {
        while let Some(others) = left.checked_sub(1) {
            left = others;
            let (all, start) = (self.choices.rest, self.out.leaves);
            self.node(at, Some(around))?;
            let element = self.passed(all)?;
            // Then the other elements have none, too.
            if element.is_empty() {
                break;
            }
            // Choices that begin as those of an element are those of an equal one: their schema says where they end.
            let mut copies = 0usize;
            while copies < left
                && let Some(rest) = self.choices.rest.strip_prefix(element)
            {
                self.choices.rest = rest;
                copies = copies.wrapping_add(1);
                if FROM == FORM_3 {
                    let more = take_number64(&mut self.choices.rest)?.checked_add(1)?;
                    copies = usize::try_from(more).ok()?;
                    break;
                }
            }
            left = left.checked_sub(copies)?;
            if FROM == FORM_3 {
                self.out.again(start, copies)?;
            } else if let Some(more) = copies.checked_sub(1) {
                self.out.again(start, 1)?;
                number64(more as u64, &mut self.out);
            }
        }
        Some(())
    }

    /// The choices that were read since these were left.
    fn passed(&self, all: &'v [u8]) -> Option<&'v [u8]> {
        all.get(..all.len().checked_sub(self.choices.rest.len())?)
    }
}
