//! Encodes heads of structs at compile time.

use crate::encode::arithmetic::small;
use crate::encode::writer::Writer;

/// The encoded head of a struct without meta fields, in `N` bytes.
#[derive(Clone, Copy, Debug)]
pub struct StructHead<const N: usize> {
    bytes: [u8; N],
    children: u32,
}

/// The number of bytes of a [`StructHead`].
#[must_use]
pub const fn struct_head_len(name: &str, fields: &[&str]) -> usize {
    let mut out = Writer::count();
    _ = out.begin_struct(name, fields);
    out.len()
}

impl<const N: usize> StructHead<N> {
    /// Encodes a head; `None` if `N` is not [`struct_head_len`].
    #[must_use]
    pub const fn new(name: &str, fields: &[&str]) -> Option<Self> {
        let mut bytes = [0; N];
        let mut out = Writer::new(&mut bytes);
        let node = out.begin_struct(name, fields);
        if node.is_open() && out.len() == N {
            Some(Self { bytes, children: small(fields.len()) })
        } else {
            None
        }
    }

    /// The head that has these bytes.
    #[must_use]
    pub const fn head(&'static self) -> ConstHead {
        ConstHead { bytes: &self.bytes, children: self.children }
    }
}

/// An encoded head of a struct that is a constant.
#[derive(Clone, Copy, Debug)]
pub struct ConstHead {
    bytes: &'static [u8],
    children: u32,
}

impl ConstHead {
    /// The encoded bytes.
    #[inline]
    pub(crate) const fn as_bytes(&self) -> &'static [u8] {
        self.bytes
    }

    /// The number of children.
    #[inline]
    pub(crate) const fn num_children(&self) -> u32 {
        self.children
    }
}

#[cfg(test)]
mod tests {
    use super::{StructHead, struct_head_len};
    use crate::format::heading::{self, head_into};

    #[test]
    fn a_head_is_the_one_that_is_written_at_run_time() {
        const NAMES: [&str; 40] = ["field"; 40];
        macro_rules! check {
            ($($fields:expr),*) => {$({
                const FIELDS: &[&str] = $fields;
                const HEAD: StructHead<{ struct_head_len("a::Name", FIELDS) }> =
                    StructHead::new("a::Name", FIELDS).unwrap();
                let mut bytes = [0; 512];
                let spec = heading::Struct { name: "a::Name", fields: FIELDS, meta: &[] };
                assert_eq!(head_into(&spec, &mut bytes).unwrap().as_bytes(), HEAD.bytes);
                assert!(StructHead::<300>::new("a::Name", FIELDS).is_none());
            })*};
        }
        check!(
            &[],
            &["x"],
            NAMES.first_chunk::<30>().unwrap(),
            NAMES.first_chunk::<31>().unwrap(),
            &NAMES
        );
    }
}
