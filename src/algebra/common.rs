//! Describes the nodes that two treedefs have in common. A function describes the rest.

use crate::algebra::edit::keep;
use crate::base::error::Error;
use crate::encode::writer::Writer;
use crate::treedef::pair::{Event, Pair, Place, Relation};
use crate::treedef::treedef::TreeDef;

/// Describes the nodes that two treedefs have in common. `rest` describes all other children.
pub(crate) fn describe_common<'f, 's>(
    (first, second): (TreeDef<'f>, TreeDef<'s>),
    out: &mut Writer<'_>,
    mut rest: impl FnMut(&mut Writer<'_>, Event<'f, 's>, Place) -> Result<(), Error>,
) {
    let left = out.left().wrapping_sub(1);
    children(&mut Pair::new(first, second, Relation::Common), left, out, &mut rest);
}

/// Describes children until the open node lacks `left` of them.
fn children<'f, 's>(
    pair: &mut Pair<'f, 's>,
    left: u32,
    out: &mut Writer<'_>,
    rest: &mut impl FnMut(&mut Writer<'_>, Event<'f, 's>, Place) -> Result<(), Error>,
) {
    while out.left() > left
        && let Some(event) = pair.next()
    {
        match event {
            Ok(Event::Repeat(copies)) => out.repeat(copies as usize),
            Ok(Event::Enter(head)) => {
                keep(&head, head.num_children(), out, |out| children(pair, 0, out, rest));
            }
            Ok(event) => {
                if let Err(error) = rest(out, event, pair.place()) {
                    out.fail(error);
                }
            }
            Err(error) => out.fail(error),
        }
    }
}
