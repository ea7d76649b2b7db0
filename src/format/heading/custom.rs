//! The head of a custom node: a type name, aux data, and keys of the children.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::child_key::ChildKey;
use crate::format::entry::KeyEntry;
use crate::format::head::{self, Head, Kind};
use crate::format::heading::block::Block;
use crate::format::heading::spec::{Entry, HeadSpec, check_count};
use crate::format::pieces::{Stop, put_block, put_run};
use crate::format::reader::Input;
use crate::format::value::Value;
use crate::format::varint::Front;

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

debug_struct!([] Custom<'_> { name as Text, aux, children, child_keys });

impl HeadSpec for Custom<'_> {
    fn arity(&self) -> usize {
        self.children
    }

    fn check(&self, _: bool) -> Result<(), Error> {
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
        let front = Front::of([head::EXT << 5 | head::EXT_CUSTOM]);
        put(front.then_number(self.children as u64).as_bytes())?;
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

impl<'a> Head<'a> {
    /// The aux data of a custom node; `None` for every other kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    /// use treedef::head::{ChildKey, Custom, head_into};
    ///
    /// let mut bytes = [0; 32];
    /// let keys = [ChildKey::Attr("left"), ChildKey::Index(1)];
    /// let node = Custom { name: "Pair", aux: Value::Int(7), children: 2, child_keys: Some(&keys) };
    /// let head = head_into(&node, &mut bytes)?;
    /// assert_eq!(head.aux(), Some(Value::Int(7)));
    /// assert!(head.child_keys().is_some_and(|found| found.eq(keys)));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn aux(&self) -> Option<Value<'a>> {
        match self.kind() {
            Kind::Custom => Value::take(&mut Input::new(self.body())),
            _ => None,
        }
    }

    /// The keys that a custom node gives its children, beside its [`aux`](Head::aux) data; `None` if it gives none.
    #[must_use]
    pub fn child_keys(&self) -> Option<impl Iterator<Item = ChildKey<'a>> + Clone + use<'a>> {
        let (Kind::Custom, names @ [_, ..]) = (self.kind(), self.names()) else { return None };
        let mut input = Input::new(names);
        Some(core::iter::from_fn(move || ChildKey::take(&mut input)))
    }
}

/// Checks the aux data and the keys in a block from outside: there are no keys, or `count`.
pub(crate) fn check<const PLAIN: bool>(block: &mut Block<'_, PLAIN>, count: u32) -> Option<()> {
    block.names(0)?;
    block.value()?;
    let keys = if block.is_at_end() { 0 } else { count };
    (0..keys).try_for_each(|_| {
        block.begin();
        ChildKey::take(&mut block.input).map(drop)
    })
}
