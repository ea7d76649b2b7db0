//! Tells what two treedefs have in common to a out, and asks what stands where they have no nodes in common.

use crate::algebra::rewrite::childless;
use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::encode::describe::{Describe, OpenNode};
use crate::encode::encoder::Encode;
use crate::treedef::pair::{Event, Pair, Place};

/// Tells the nodes that both sides of `pair` have; `rest` tells what stands in place of leaves and of what differs.
///
/// A treedef beside itself is told as it stands, leaf by leaf.
pub(crate) fn tell<'f, 's, E: Encode, const D: usize>(
    pair: &mut Pair<'f, 's, D>,
    out: &mut Describe<'_, E>,
    mut rest: impl FnMut(&mut Describe<'_, E>, Event<'f, 's>, Place) -> Result<(), Error>,
) -> Result<(), Error> {
    let limit = u32::try_from(D).unwrap_or(u32::MAX);
    out.allow(limit);
    // The frame of each open node, and how many last children inside share it.
    let mut frames: Levels<(OpenNode<E>, u32), D> = levels::empty();
    while let Some(event) = pair.next() {
        match event? {
            Event::Repeat(copies) => out.repeat(copies as usize)?,
            Event::Enter(head) if head.arity() == 0 => {
                childless(out, &head)?;
                pair.next();
            }
            Event::Enter(head) => {
                let frame = match frames.last_mut() {
                    Some((_, shared)) if pair.shares_level() => match out.begin_last(&head)? {
                        Some(frame) => frame,
                        None => {
                            *shared = shared.saturating_add(1);
                            continue;
                        }
                    },
                    _ => out.begin(&head)?,
                };
                frames.push((frame, 0)).map_err(|_| Error::TooDeep { limit })?;
            }
            Event::Leave => match frames.last_mut() {
                Some((_, shared)) if *shared > 0 => *shared = shared.saturating_sub(1),
                _ => {
                    if let Some((frame, _)) = frames.pop() {
                        out.end(frame)?;
                    }
                }
            },
            other => rest(out, other, pair.place())?,
        }
    }
    Ok(())
}
