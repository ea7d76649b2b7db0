//! Writes the head of a custom node.

use super::sealed::Sealed;
use super::{Entry, HeadSpec, check_count, put_block};
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::entry::KeyEntry;
use crate::format::head::{self, ChildKey};
use crate::format::value::{Stop, Value, put_run};
use crate::format::varint::Varint;

/// The head of a custom node, as `jax.tree_util.register_pytree_node` registers it.
///
/// # Examples
///
/// ```
/// use treedef::head::Custom;
/// use treedef::{Value, Writer};
///
/// let head = Custom { name: "Ragged", aux: Value::Int(3), children: 1, child_keys: None };
/// let mut bytes = [0; 32];
/// let mut out = Writer::new(&mut bytes);
/// out.node(&head, |out| out.leaves(1));
/// assert_eq!(out.finish()?.to_string(), "PyTreeDef(CustomNode(Ragged[3], [*]))");
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Custom<'a> {
    /// The type name with its path; text shows what follows the last `::`.
    pub name: &'a str,
    /// The aux data.
    pub aux: Value<'a>,
    /// The number of children.
    pub children: usize,
    /// The keys of the children; `None` if the children have positions only.
    pub child_keys: Option<&'a [ChildKey<'a>]>,
}

debug_struct!([] Custom<'_> { name, aux, children, child_keys });

impl Sealed for Custom<'_> {}

impl HeadSpec for Custom<'_> {
    fn arity(&self) -> usize {
        self.children
    }

    fn check(&self) -> Result<(), Error> {
        check_count(self.children)?;
        let keys = self.child_keys.unwrap_or(&[]);
        if self.child_keys.is_some() && keys.len() != self.children {
            return Err(Error::Arity { expected: self.children, found: keys.len() });
        }
        let deep_key =
            |key: &ChildKey<'_>| matches!(key, ChildKey::Key(value) if value.is_too_deep());
        if self.aux.is_too_deep() || keys.iter().any(deep_key) {
            return Err(Error::ValueTooDeep);
        }
        Ok(())
    }

    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        put(&[head::EXT << 5 | head::EXT_CUSTOM])?;
        put(Varint::new(self.children as u64).as_bytes())?;
        put_block(put, |out| {
            put_run(self.name.as_bytes(), out)?;
            self.aux.pieces(out)?;
            self.child_keys.unwrap_or(&[]).iter().try_for_each(|key| key.pieces(out))
        })
    }
}

impl Entry for Custom<'_> {
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        (0..u32::MAX).take(self.children).map(|index| match self.child_keys {
            Some(keys) => keys
                .get(index as usize)
                .map_or(KeyEntry::FlatIndex(index), |key| KeyEntry::from(*key)),
            None => KeyEntry::FlatIndex(index),
        })
    }
}
