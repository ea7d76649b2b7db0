//! Describes the nodes that two treedefs have in common. A function describes the rest.

use crate::algebra::edit::{OpenNodes, childless};
use crate::base::error::Error;
use crate::base::levels::Rows;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::treedef::pair::{Event, Lists, Outer, Pair, Place, Relation};
use crate::treedef::treedef::TreeDef;

/// Levels in a row: two for an open node and two for a pair of lists.
const LEVELS: usize = 4;

/// Describes the nodes that both treedefs have. Where one of them has a leaf, or the nodes differ, `rest` describes the
/// subtree.
pub(crate) fn describe_common<'f, 's, E: Encode>(
    both: (TreeDef<'f>, TreeDef<'s>),
    out: &mut Describe<'_, E>,
    mut rest: impl FnMut(&mut Describe<'_, E>, Event<'f, 's>, Place) -> Result<(), Error>,
) -> Result<(), Error> {
    out.with_levels(|out, rows| {
        let mut pair = Pair::on(Shared { rows, lists: 0 }, both, Relation::Common, true);
        let mut open = OpenNodes::new();
        while let Some(event) = pair.next() {
            match event? {
                Event::Repeat(copies) => out.repeat(copies as usize)?,
                Event::Enter(head) if head.arity() == 0 => childless(out, &head)?,
                Event::Enter(head) => {
                    open.open(out, &mut pair.outer().rows, &head, [0; 2], true)?;
                }
                other => rest(out, other, pair.place())?,
            }
            while open.close(out, &mut pair.outer().rows)?.is_some() {}
        }
        Ok(())
    })
}

/// The rows that hold the open nodes and the open lists. The two have different depths: a node without siblings uses
/// the lists around it, and the last child of a node ends together with that node.
struct Shared<'l> {
    rows: Rows<'l, LEVELS>,
    /// The number of pairs of lists that are kept.
    lists: usize,
}

impl Outer for Shared<'_> {
    fn room(&self) -> usize {
        self.rows.room() as usize
    }

    fn push(&mut self, lists: Lists) {
        if let Some([.., first, second]) = self.rows.row(self.lists) {
            [*first, *second] = lists.pack();
            self.lists = self.lists.saturating_add(1);
        }
    }

    fn pop(&mut self) -> Option<Lists> {
        self.lists = self.lists.checked_sub(1)?;
        let [.., first, second] = *self.rows.row(self.lists)?;
        Some(Lists::unpack([first, second]))
    }
}
