//! Values rebuilt from the bottom up.

use super::*;

#[test]
fn the_stack_holds_what_waits_for_its_parent() {
    let def = treedef!([*, [*, [*, *], *], None]);
    let needed = fold_len(def).unwrap();
    assert_eq!(needed, 4);
    let sum = |stack: &mut [Option<i32>], leaves: &[i32]| {
        let leaves = leaves.iter().copied();
        fold(def, leaves, stack, |leaf| leaf, |_, children| Ok::<_, Error>(children.sum::<i32>()))
    };
    for room in 0..needed {
        let error = sum(&mut vec![None; room], &[1, 2, 3, 4, 5]).unwrap_err();
        assert_eq!(error, Error::NodesFull { needed, room });
    }
    let mut stack = [None; 4];
    assert_eq!(sum(&mut stack, &[1, 2, 3, 4, 5]), Ok(15));
    assert_eq!(stack, [None; 4]);
    assert_eq!(sum(&mut [None; 9], &[1, 2, 3, 4, 5]), Ok(15));
    let few = Error::TooFewLeaves { expected: 5, found: 4 };
    assert_eq!(sum(&mut stack, &[1, 2, 3, 4]), Err(few));
    let many = Error::TooManyLeaves { expected: 5, found: 6 };
    assert_eq!(sum(&mut stack, &[1; 7]), Err(many));
}

#[test]
fn children_left_alone_are_dropped_and_errors_pass_through() {
    let def = treedef!([(*, *), (*, *)]);
    let mut stack = [const { None }; 3];
    let first = fold(def, ["a", "b", "c", "d"], &mut stack, String::from, |_, mut children| {
        assert_eq!(children.len(), 2);
        children.next().ok_or(Error::TooLarge)
    });
    assert_eq!(stack, [None, None, None]);
    assert_eq!(first, Ok("a".to_owned()));
    let error = fold(
        def,
        0..4,
        &mut [None; 3],
        |leaf| leaf,
        |head, _| Err(Error::Arity { expected: head.num_children(), found: 9 }),
    );
    assert_eq!(error, Err(Error::Arity { expected: 2, found: 9 }));
}
