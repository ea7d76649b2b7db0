//! A few bytes or a value without size can stand for billions of nodes: what does not need each of them does not go
//! through them.

use treedef::{Error, TreeDef, TreeDefBuf, structure_len};

/// A list of `count` children that `child` adds.
fn list(count: usize, child: TreeDef<'_>) -> Result<TreeDefBuf<32>, Error> {
    TreeDefBuf::build(|builder| {
        let list = builder.begin_list(count)?;
        builder.subtree(child)?;
        builder.repeat(count - 1)?;
        builder.end(list)
    })
}

#[test]
fn the_last_of_a_billion_children_is_found_at_once() -> Result<(), Error> {
    let pair = TreeDefBuf::<8>::tuple(&[TreeDef::LEAF; 2])?;
    for child in [TreeDef::LEAF, pair.as_treedef()] {
        let def = list(1 << 30, child)?;
        let def = def.as_treedef();
        assert_eq!(def.child((1 << 30) - 1), Some(child));
        assert_eq!(def.child(1 << 30), None);
        assert_eq!(def.child(usize::MAX), None);
        let mut children = def.children();
        assert_eq!((children.nth(1 << 29), children.len()), (Some(child), (1 << 29) - 1));
    }
    Ok(())
}

#[test]
fn a_child_is_the_one_that_iteration_finds() -> Result<(), treedef::DecodeError> {
    // [*, *, (*, *), (*, *), (*, *), None, *, [*]]
    let bytes = [0x48, 0x01, 0x22, 0x01, 0xA1, 0x02, 0xC0, 0x00, 0x41, 0x00];
    let def = TreeDef::from_bytes(&bytes)?;
    let one_by_one = |skip: usize, then: usize| {
        let mut children = def.children();
        for _ in 0..skip {
            children.next();
        }
        for _ in 0..then {
            children.next();
        }
        children.next().map(|child| (child, child.num_leaves()))
    };
    for skip in 0..9 {
        for then in 0..9 {
            let mut children = def.children();
            for _ in 0..skip {
                children.next();
            }
            let found = children.nth(then).map(|child| (child, child.num_leaves()));
            assert_eq!(found, one_by_one(skip, then), "{skip} {then}");
            let rest = children.len();
            assert_eq!(children.count(), rest);
        }
    }
    Ok(())
}

#[test]
fn a_vector_of_billions_of_empty_tuples_is_measured_at_once() {
    assert_eq!(structure_len(vec![(); 4_000_000_000].as_slice()), Ok(4_000_000_006));
    assert_eq!(structure_len(vec![(); usize::MAX].as_slice()), Err(Error::TooLarge));
}

#[test]
fn leafless_copies_are_measured_as_they_are_written() -> Result<(), Error> {
    for count in 0..40 {
        let units = vec![(); count + 1];
        let (some, more) = (&units[..count], &units[..]);
        let pairs = [(some, 1.0f32), (some, 1.0), (more, 1.0)];
        let mut bytes = [0; 256];
        let needed = structure_len(&pairs)?;
        assert!(treedef::structure_into(&pairs, &mut bytes[..needed]).is_ok());
        assert!(treedef::structure_into(&pairs, &mut bytes[..needed - 1]).is_err());
    }
    Ok(())
}
