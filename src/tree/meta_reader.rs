//! Reads the meta fields of a struct that is rebuilt.

use crate::base::error::Error;
use crate::format::head::Head;
use crate::format::heading::MetaFields;
use crate::format::to_value::ToValue;
use crate::format::value::Value;

/// Reads the meta fields of a struct whose name and fields are checked.
#[derive(Debug)]
pub struct MetaReader<'d> {
    meta: MetaFields<'d>,
    mismatch: Error,
    /// The heads in which fields are searched by their names, if they are not read in order: that with the value of a field
    /// is the first one.
    heads: Option<[Option<Head<'d>>; 2]>,
    /// A bit for each of the first 32 fields of the first of these heads that the tree got.
    taken: u32,
}

impl<'d> MetaReader<'d> {
    pub(crate) fn new(head: &Head<'d>, mismatch: Error) -> Self {
        Self { meta: head.meta_fields(), mismatch, heads: None, taken: 0 }
    }

    /// Reads each field from the first head that has its name and a value of its type. Constants are not compared.
    pub(crate) fn of_either(first: Option<Head<'d>>, second: Option<Head<'d>>) -> Self {
        let heads = Some([first, second]);
        let mismatch = Error::Mismatch { node: 0 };
        Self { meta: Head::NONE.meta_fields(), mismatch, heads, taken: 0 }
    }

    /// Reads the value of the next meta field, which must have this name, by `from_value`; `None` if the field has another
    /// name or its value another type.
    pub fn read<T>(
        &mut self,
        name: &str,
        from_value: impl Fn(Value<'_>) -> Option<T>,
    ) -> Option<T> {
        if self.heads.is_some() {
            let mut read = None;
            self.search(name, &mut |value| {
                read = from_value(value);
                read.is_some()
            });
            return read;
        }
        match self.meta.next() {
            Some((found, value)) if found == name => from_value(value),
            _ => None,
        }
    }

    /// Checks that the next meta field has this name and this value; `None` if not.
    pub fn expect<T: ToValue>(&mut self, name: &str, value: &T) -> Option<()> {
        value.with_value(|value| self.expect_value(name, value))
    }

    /// Checks that the next meta field has this name and the value of a literal; `None` if not.
    pub fn expect_value(&mut self, name: &str, value: Value<'_>) -> Option<()> {
        if self.heads.is_some() {
            self.search(name, &mut |stored| stored == value);
            return Some(());
        }
        (self.meta.next() == Some((name, value))).then_some(())
    }

    /// Calls `take` with each value that the heads have for a field, until it takes one.
    fn search(&mut self, name: &str, take: &mut dyn FnMut(Value<'_>) -> bool) {
        let fields = self.heads.iter().flatten().flatten().flat_map(Head::meta_fields);
        let mut fields = (0..u32::MAX).zip(fields);
        if let Some((at, _)) = fields.find(|(_, (found, value))| *found == name && take(*value)) {
            self.taken |= 1u32.unbounded_shl(at);
        }
    }

    /// The fields of the first head that the tree did not get.
    pub(crate) fn lost(&self) -> impl Iterator<Item = (&'d str, Value<'d>)> + use<'d> {
        let first = self.heads.and_then(|[first, _]| first);
        let fields = (0..32u32).zip(first.into_iter().flat_map(|head| head.meta_fields()));
        let taken = self.taken;
        fields.filter(move |(at, _)| taken.unbounded_shr(*at) & 1 == 0).map(|(_, field)| field)
    }

    /// Ends the meta fields. `read` is what was made of them: `None` if one of them differs, which is also the case if one is
    /// left.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`].
    pub(crate) fn end<T>(mut self, read: Option<T>) -> Result<T, Error> {
        read.filter(|_| self.meta.next().is_none()).ok_or(self.mismatch)
    }
}
