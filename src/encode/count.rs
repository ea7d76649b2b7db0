//! Counts the leaves of a structure while it is described.

use crate::base::error::Error;
use crate::encode::sink::{Depth, Image, Sink};
use crate::format::heading::Heading;

/// A sink that only counts leaves: bounded in depth as every sink, so that recursive values can be counted too.
#[derive(Debug)]
pub(crate) struct Count {
    leaves: usize,
    /// Leaves of the child described last.
    last: usize,
    depth: Depth,
}

impl Count {
    pub(crate) const fn new(limit: u32) -> Self {
        Self { leaves: 0, last: 0, depth: Depth::new(limit) }
    }

    pub(crate) const fn finish(self) -> usize {
        self.leaves
    }

    fn add(&mut self, each: usize, count: usize) -> Result<(), Error> {
        let more = each.checked_mul(count).ok_or(Error::TooLarge)?;
        self.leaves = self.leaves.checked_add(more).ok_or(Error::TooLarge)?;
        self.last = each;
        Ok(())
    }
}

impl Sink for Count {
    /// The leaves before the node.
    type Frame = usize;

    #[inline]
    fn leaves(&mut self, count: usize) -> Result<(), Error> {
        // A run of none is not the child described last.
        if count == 0 { Ok(()) } else { self.add(1, count) }
    }

    #[inline]
    fn none(&mut self) -> Result<(), Error> {
        self.last = 0;
        Ok(())
    }

    #[inline]
    fn begin<H: Heading>(&mut self, _: &H) -> Result<usize, Error> {
        self.depth.enter()?;
        Ok(self.leaves)
    }

    fn begin_last<H: Heading>(&mut self, _: &H) -> Result<Option<usize>, Error> {
        Ok(None)
    }

    fn allow(&mut self, levels: u32) {
        self.depth.allow(levels);
    }

    #[inline]
    fn end(&mut self, before: usize) -> Result<(), Error> {
        self.last = self.leaves.wrapping_sub(before);
        self.depth.leave();
        Ok(())
    }

    #[inline]
    fn repeat(&mut self, count: usize) -> Result<(), Error> {
        self.add(self.last, count)
    }

    #[inline]
    fn fixed(&mut self, image: Image<'_>) -> Result<(), Error> {
        self.add(image.def.num_leaves(), 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::heading::TupleOf;

    #[test]
    fn copies_of_a_node_count_as_the_node() -> Result<(), Error> {
        let mut count = Count::new(1);
        count.leaves(1)?;
        count.repeat(2)?;
        count.node(&TupleOf(2), |count| count.leaves(2))?;
        count.leaves(0)?;
        count.repeat(3)?;
        count.none()?;
        count.repeat(4)?;
        assert_eq!(count.finish(), 3 + 8);
        Ok(())
    }
}
