//! Tells what two treedefs have in common to a sink, and asks what stands where they have no nodes in common.

use crate::algebra::rewrite::childless;
use crate::error::Error;
use crate::pair::{Event, Pair, Place};
use crate::sink::Sink;

/// Tells the nodes that both sides of `pair` have; `rest` tells what stands in place of leaves and of what differs.
///
/// A treedef beside itself is told as it stands, leaf by leaf.
pub(crate) fn tell<'f, 's, S: Sink, const D: usize>(
    mut pair: Pair<'f, 's, D>,
    sink: &mut S,
    mut rest: impl FnMut(&mut S, Event<'f, 's>, Place) -> Result<(), Error>,
) -> Result<(), Error> {
    let limit = u32::try_from(D).unwrap_or(u32::MAX);
    sink.allow(limit);
    // The frame of each open node, and how many last children inside share it.
    let mut frames: [Option<(S::Frame, u32)>; D] = [const { None }; D];
    let mut depth = 0usize;
    while let Some(event) = pair.next() {
        match event? {
            Event::Repeat(copies) => sink.repeat(copies as usize)?,
            Event::Enter(head) if head.arity() == 0 => {
                childless(sink, &head)?;
                pair.next();
            }
            Event::Enter(head) => {
                let top = depth.checked_sub(1).and_then(|top| frames.get_mut(top));
                let frame = match top.and_then(Option::as_mut) {
                    Some((_, shared)) if pair.shares_level() => {
                        let frame = sink.begin_last(&head)?;
                        if frame.is_none() {
                            *shared = shared.saturating_add(1);
                            continue;
                        }
                        frame
                    }
                    _ => Some(sink.begin(&head)?),
                };
                let slot = frames.get_mut(depth).ok_or(Error::TooDeep { limit })?;
                *slot = frame.map(|frame| (frame, 0));
                depth = depth.saturating_add(1);
            }
            Event::Leave => {
                let top = depth.saturating_sub(1);
                match frames.get_mut(top) {
                    Some(Some((_, shared))) if *shared > 0 => *shared = shared.saturating_sub(1),
                    Some(slot) => {
                        depth = top;
                        if let Some((frame, _)) = slot.take() {
                            sink.end(frame)?;
                        }
                    }
                    None => {}
                }
            }
            other => rest(sink, other, pair.place())?,
        }
    }
    Ok(())
}
