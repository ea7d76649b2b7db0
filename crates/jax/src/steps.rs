//! Defines the steps of a structure in preorder, which both readers return, and writes a treedef from them.

use treedef::encode::OpenNode;
use treedef::head::DictKind;
use treedef::{Error, TreeDefBox, Value, Writer, head};

/// A node, or the end of one that is neither a leaf nor `None`.
pub(crate) enum Step<'a> {
    Leaf,
    None,
    Tuple(usize),
    List(usize),
    /// Keys in sorted order.
    Dict(Vec<&'a str>),
    /// Distinct keys.
    OrderedDict(Vec<String>),
    Custom {
        name: &'a str,
        aux: &'a [u8],
        children: usize,
    },
    /// The end of the node that was begun last.
    End,
}

impl Step<'_> {
    fn write(&self, out: &mut Writer<'_>, open: &mut Vec<OpenNode>) {
        open.push(match self {
            Self::Leaf => return out.leaves(1),
            Self::None => return out.none(),
            Self::End => return open.pop().into_iter().for_each(|node| out.end(node)),
            Self::Tuple(children) => out.begin(&head::Tuple(*children)),
            Self::List(children) => out.begin(&head::List(*children)),
            Self::Dict(keys) => out.begin(&head::Dict::new(DictKind::Sorted, keys.iter().copied())),
            Self::OrderedDict(keys) => {
                out.begin(&head::Dict::new(DictKind::Ordered, keys.iter().map(String::as_str)))
            }
            Self::Custom { name, aux, children } => {
                let aux = Value::Bytes(aux);
                out.begin(&head::Custom { name, aux, children: *children, child_keys: None })
            }
        });
    }
}

/// Writes a whole structure. If the steps are a valid structure, the only possible error is [`Error::TooLarge`].
pub(crate) fn treedef(steps: &[Step<'_>]) -> Result<TreeDefBox, Error> {
    TreeDefBox::build(|out| {
        // Without recursion.
        out.set_max_depth(u32::MAX);
        let mut open = Vec::new();
        steps.iter().for_each(|step| step.write(out, &mut open));
    })
}
