//! `test_registry.py`: what does not speak of the registry itself.

use treedef::dynamic::{Flatten, Open};
use treedef::{Error, Object, head};

use crate::suites::model::{Tree, flatten, py};

/// A model whose lists announce one child more than they have.
#[derive(Clone, Copy)]
struct Liar<'t>(&'t Tree);

impl<'t> Object for Liar<'t> {
    type Leaf = &'t Tree;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self.0.children() {
            children if children.is_empty() => open.leaf(self.0),
            children => open.node(&head::List(children.len() + 1), children.into_iter().map(Liar)),
        }
    }
}

#[test]
fn flatten_with_wrong_number_of_returns() {
    let error = Flatten::new().structure_into(Liar(&py!([1, 2])), &mut [0; 8]).unwrap_err();
    assert_eq!(error, Error::Arity { expected: 3, found: 2 });
    let error = Flatten::new().num_leaves(Liar(&py!([1, 2]))).unwrap_err();
    assert_eq!(error, Error::Arity { expected: 3, found: 2 });
}

/// The order of insertion is no part of a treedef.
#[test]
fn python_dict_flatten_equal_inputs_produce_equal_metadata() {
    let (one, other) = (py!({"b": 2, "a": 1}), py!({"a": 1, "b": 2}));
    assert_eq!(flatten(&one), flatten(&other));
    assert!(flatten(&one).1.head().keys().eq(flatten(&other).1.head().keys()));
}
