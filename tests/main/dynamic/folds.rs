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

/// Lists of two equal lists, so many in one another: more leaves than can be gone through.
fn doubled(levels: usize, bytes: &mut [u8]) -> TreeDef<'_> {
    let mut builder = Writer::new(bytes);
    let lists: Vec<_> = (0..levels).map(|_| builder.begin_list(2)).collect();
    builder.leaves(2);
    for (level, list) in lists.into_iter().rev().enumerate() {
        if level > 0 {
            builder.repeat(1);
        }
        builder.end(list);
    }
    builder.finish().unwrap()
}

#[test]
fn copies_are_not_gone_through_for_the_length_of_the_stack() {
    let mut bytes = [0; 256];
    let def = doubled(31, &mut bytes);
    assert_eq!((fold_len(def), def.num_leaves()), (Ok(32), 1 << 31));
    let expected = def.num_leaves();
    let mut stack = [None; 32];
    let told =
        fold(def, [1; 3], &mut stack, |leaf| leaf, |_, children| Ok::<i32, Error>(children.sum()));
    assert_eq!(told, Err(Error::TooFewLeaves { expected, found: 3 }));
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
