//! `test_treespec.py`: the prefix relation.

use core::cmp::Ordering::{Equal, Greater, Less};

use treedef::Error;

use super::trees::cases;
use super::types::deque;
use crate::suites::model::{Tree, dict, list, ordered, parts, py, structure, tuple, unflatten};

#[test]
fn treespec_rich_compare() {
    for case in cases() {
        let mut count = 0;
        let suffix = unflatten(
            case.def,
            case.leaves.iter().map(|x| {
                count += 1;
                let x = || if *x == Tree::None { py!(0) } else { x.clone() };
                match count % 4 {
                    1 => tuple([x()]),
                    2 => list([x(), x()]),
                    3 => tuple([x(), list([x()])]),
                    _ => dict([("a".into(), x()), ("b".into(), list([x()]))]),
                }
            }),
        );
        let (def, suffix) = (case.def, structure(&suffix));
        assert_eq!(def.prefix_cmp(def), Ok(Some(Equal)));
        assert_eq!(def.check_prefix_of(def), Ok(()));
        if count == 0 {
            assert_eq!(def, suffix);
            continue;
        }
        assert_ne!(def, suffix);
        assert_eq!(def.prefix_cmp(suffix), Ok(Some(Less)));
        assert_eq!(suffix.prefix_cmp(def), Ok(Some(Greater)));
        assert_eq!(def.check_prefix_of(suffix), Ok(()));
        assert!(matches!(suffix.check_prefix_of(def), Err(Error::NotPrefix { .. })));
    }
}

/// Dictionaries whose keys were inserted in another order are the same. `DIFFERENCE`: ordered dictionaries of another
/// order are different nodes, neither the prefix of the other.
#[test]
fn treespec_is_prefix_nested_dict_key_reorder() {
    let a = py!({"a": 0, "b": {"e": 0, "g": 0}, "d": 0});
    let b = py!({"b": {"g": 0, "e": 0}, "a": 0, "d": 0});
    assert_eq!(structure(&a).prefix_cmp(structure(&b)), Ok(Some(Equal)));
    let a = ordered([("a", py!(0)), ("b", ordered([("e", py!(0)), ("g", py!(0))]))]);
    let b = ordered([("b", ordered([("g", py!(0)), ("e", py!(0))])), ("a", py!(0))]);
    assert_eq!(structure(&a).prefix_cmp(structure(&b)), Ok(None));
}

/// `DIFFERENCE`: the bound of a deque is aux data, and nodes with other aux data are different. So the relation is a
/// partial order, which optree's is not.
#[test]
fn treespec_is_prefix_deque_maxlen_agnostic() {
    let three = |maxlen| structure(&deque(maxlen, [py!(1), py!(2), py!(3)]));
    let defs = [three(Some(3)), three(Some(5)), three(None)];
    for (i, one) in defs.iter().enumerate() {
        for (j, other) in defs.iter().enumerate() {
            assert_eq!(one.prefix_cmp(*other), Ok((i == j).then_some(Equal)));
        }
    }
    let full = deque(None, [py!([10]), py!([20, 21]), py!([30])]);
    let expected = vec![py!([10]), py!([20, 21]), py!([30])];
    assert_eq!(parts(defs[2], crate::suites::model::flatten(&full)), Ok(expected));
    let two = structure(&deque(Some(9), [py!(1), py!(2)]));
    assert_eq!(two.check_prefix_of(defs[0]), Err(Error::NotPrefix { node: 0 }));
}
