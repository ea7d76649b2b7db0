//! Defines the steps of a structure in preorder, which both readers return, and writes a treedef from them.

use treedef::encode::OpenNode;
use treedef::head::DictKind;
use treedef::{Builder, Error, TreeDefBox, Value, head};

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
    fn write(&self, builder: &mut Builder<'_>, open: &mut Vec<OpenNode>) -> Result<(), Error> {
        open.push(match self {
            Self::Leaf => return builder.leaves(1),
            Self::None => return builder.none(),
            Self::End => return open.pop().map_or(Ok(()), |frame| builder.end(frame)),
            Self::Tuple(children) => builder.begin(&head::Tuple(*children)),
            Self::List(children) => builder.begin(&head::List(*children)),
            Self::Dict(keys) => {
                builder.begin(&head::Dict::new(DictKind::Sorted, keys.iter().copied()))
            }
            Self::OrderedDict(keys) => {
                builder.begin(&head::Dict::new(DictKind::Ordered, keys.iter().map(String::as_str)))
            }
            Self::Custom { name, aux, children } => {
                let aux = Value::Bytes(aux);
                builder.begin(&head::Custom { name, aux, children: *children, child_keys: None })
            }
        }?);
        Ok(())
    }
}

/// Writes a whole structure. If the steps are a valid structure, the only possible error is [`Error::TooLarge`].
pub(crate) fn treedef(steps: &[Step<'_>]) -> Result<TreeDefBox, Error> {
    TreeDefBox::build(|builder| {
        let mut open = Vec::new();
        steps.iter().try_for_each(|step| step.write(builder, &mut open))
    })
}
