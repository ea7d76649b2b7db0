//! Implements [`Encode`] for the bytes of a treedef.

use super::put::low;
use super::{Bytes, ListState, Output, Unit};
use crate::base::error::Error;
use crate::base::target::SMALL_CODE;
use crate::encode::arithmetic::small;
use crate::encode::encoder::{Encode, sealed::Sealed};
use crate::format::head;
use crate::format::heading::{HeadSpec, read_text, write_text};
use crate::format::to_value::ToValue;
use crate::treedef::treedef::TreeDef;

impl<W, E> Sealed for Output<'_, W, E> {}

impl<W, E> Encode for Output<'_, W, E> {
    const HEADS: bool = true;
    const TRIES: bool = !SMALL_CODE;

    type List = ListState;
    type Node = u32;

    #[inline]
    fn list(leaves: usize) -> ListState {
        ListState::new(leaves)
    }

    #[inline]
    fn flush(&mut self, list: &mut ListState, leaves: usize) -> bool {
        Output::flush(self, list, leaves)
    }

    #[inline]
    fn open(&mut self, list: &mut ListState) -> u32 {
        Output::open(self, list)
    }

    #[cfg_attr(target_arch = "arm", inline)]
    #[cfg_attr(not(target_arch = "arm"), inline(always))]
    fn head<H: HeadSpec>(&mut self, head: &H) -> bool {
        if let Err(error) = head.__check_values() {
            return self.fail(error);
        }
        if !self.put_heading(head) {
            return self.refuse_keys(head);
        }
        self.enter();
        true
    }

    fn pack(list: ListState, start: u32) -> [u32; 3] {
        [start, list.unit, list.end]
    }

    fn unpack([start, unit, end]: [u32; 3], leaves: u32) -> (ListState, u32) {
        (ListState { run_start: leaves as usize, unit, end }, start)
    }

    #[inline]
    fn close(&mut self, list: &mut ListState, start: u32, leaves: usize) -> bool {
        Output::close(self, list, start, leaves)
    }

    #[inline(always)]
    fn try_flush(&mut self, list: &mut ListState, leaves: usize) -> bool {
        let run = leaves.wrapping_sub(list.run_start);
        if run == 0 {
            return true;
        }
        let done = run <= head::ESCAPE as usize
            && self.try_put(&[head::LEAVES << 5 | low(run.wrapping_sub(1))]);
        if done {
            (list.run_start, list.end) = (leaves, 0);
        }
        done
    }

    #[inline(always)]
    fn try_head(&mut self, list: &mut ListState, head: &[u8]) -> Option<u32> {
        let (start, compares) = (small(self.at), matches!(self.bytes, Bytes::Expected(_, _)));
        // If copies are counted, one comes next. If they are not, the head is not that of a repeat, and no copy comes.
        if compares && list.end > 1 || !self.try_put(head) {
            return None;
        }
        if compares {
            list.end = 0;
        }
        // `Output::enter` without a call.
        self.branches = self.branches.saturating_add(1);
        Some(start)
    }

    #[inline]
    fn try_close(&mut self, list: &mut ListState, start: u32, leaves: usize) -> bool {
        let at = small(self.at);
        let len = |list: &ListState| list.end.wrapping_sub(list.unit);
        let end = match self.bytes {
            _ if leaves == list.run_start => 0,
            Bytes::Expected(_, _) if list.end == 0 || list.unit != start => 1,
            Bytes::Written(_, _) if list.end == 0 || len(list) != at.wrapping_sub(start) => at,
            _ => return false,
        };
        *list = ListState { run_start: leaves, unit: start, end };
        true
    }

    fn subtree(
        &mut self,
        list: &mut ListState,
        def: TreeDef<'_>,
        branches: u32,
        leaves: usize,
    ) -> bool {
        Output::subtree(self, list, def, branches, leaves)
    }

    fn repeat(&mut self, list: &mut ListState, unit: Unit, count: u32, leaves: &mut u32) -> bool {
        Output::repeat(self, list, unit, count, leaves)
    }

    fn ahead(
        &mut self,
        list: &mut ListState,
        count: usize,
        keys: impl Iterator<Item: ToValue>,
    ) -> Option<u32> {
        if SMALL_CODE {
            return None;
        }
        let unit = list.unit as usize;
        let is_copy = matches!(self.bytes, Bytes::Expected(_, _)) && self.sees_copy(list);
        let at = if is_copy { unit } else { self.at };
        let len = match &mut self.bytes {
            Bytes::Expected(bytes, _) => read_text(bytes.get(at..)?, count, keys)?,
            Bytes::Written(bytes, _) => write_text(bytes.get_mut(at..)?, count, keys)?,
        };
        u32::try_from(at.checked_add(len)?).ok()
    }

    #[inline]
    fn most_copies(&self, list: &mut ListState, leaves: usize) -> u32 {
        Output::most_copies(self, list, leaves)
    }

    #[inline]
    fn copy(
        &mut self,
        list: &mut ListState,
        count: u32,
        own: usize,
        branches: u32,
        leaves: usize,
    ) -> bool {
        list.run_start = leaves;
        self.branches = self.branches.saturating_add(branches);
        self.put_copies(list, count, own)
    }

    #[inline]
    fn branches(&self) -> u32 {
        self.branches
    }

    #[inline]
    fn position(&self) -> usize {
        self.at
    }

    #[inline]
    fn next_copies(&mut self) -> u32 {
        match self.bytes {
            Bytes::Written(_, _) => u32::MAX,
            Bytes::Expected(_, _) => {
                let (count, end) = self.count_at(head::SAME);
                self.at = end;
                count
            }
        }
    }

    #[inline]
    fn put_copies(
        &mut self,
        start: usize,
        count: u32,
        most: u32,
        own: usize,
        branches: u32,
    ) -> bool {
        self.branches = self.branches.saturating_add(branches);
        match self.bytes {
            Bytes::Expected(_, _) if count < most => {
                self.at = start;
                true
            }
            _ if count == 0 => true,
            // The leaves of a copy follow, which are as many as those of the node: usually one byte.
            Bytes::Expected(_, _) if own < 128 => {
                self.at = self.at.wrapping_add(1);
                true
            }
            Bytes::Expected(_, _) => self.put_varint(own),
            Bytes::Written(_, _) => {
                self.put_head(head::SAME, count.wrapping_sub(1) as usize) && self.put_varint(own)
            }
        }
    }

    #[cold]
    fn refused<'a>(
        &'a self,
        list: &ListState,
        subtree: Option<&'a [u8]>,
    ) -> Option<(&'a [u8], &'a [u8])> {
        let found = subtree.unwrap_or(self.from(list.unit));
        self.is_well().then(|| (self.from(small(self.at)), found))
    }

    fn fail(&mut self, error: Error) -> bool {
        Output::fail(self, error)
    }

    fn error(&self, leaves: usize) -> Error {
        Output::error(self, leaves)
    }
}
