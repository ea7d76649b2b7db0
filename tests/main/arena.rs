//! Treedefs side by side in an arena, in a `Bump`, and in place.

use treedef::head::DictKind;
use treedef::{Arena, Error, TreeDef, TreeDefBuf, Value, Writer, head};

/// `[t, t]` nested four deep: 14 bytes of result, 32 while it is written.
type Deep = [Vec2<Vec2<Vec2<Vec2<f32>>>>; 1];
type Vec2<T> = heapless::Vec<T, 2>;

fn twice<T: Clone>(value: T) -> Vec2<T> {
    [value.clone(), value].into_iter().collect()
}

fn deep() -> Deep {
    [twice(twice(twice(twice(1.0))))]
}

#[test]
fn treedefs_stand_side_by_side_and_outlive_the_arena() -> Result<(), Error> {
    let mut bytes = [0xA5; 32];
    let (pair, dict, text);
    {
        let arena = Arena::new(&mut bytes);
        pair = arena.structure(&(1.0f32, 2.0f32))?;
        dict = arena.head(&head::Dict::new(DictKind::Sorted, [Value::Int(-2), Value::Int(10)]))?;
        text = arena.str("gain")?;
        assert_eq!(arena.remaining(), 32 - 2 - 5 - 4);
        assert_eq!(format!("{arena:?}"), "Arena { remaining: 21 }");
    }
    assert_eq!((pair.as_bytes(), pair.num_leaves()), ([0x22, 0x01].as_slice(), 2));
    assert_eq!((dict.as_bytes(), dict.num_children()), ([0xC2, 2, 2, 3, 20].as_slice(), 2));
    assert_eq!(text, "gain");
    assert_eq!(bytes[..11], [0x22, 0x01, 0xC2, 2, 2, 3, 20, b'g', b'a', b'i', b'n']);
    Ok(())
}

#[test]
fn scratch_of_the_writer_is_given_back() -> Result<(), Error> {
    // Fields of a tuple are not compared before they are described.
    let tree = (deep(), deep());
    let mut bytes = [0; 64];
    let arena = Arena::new(&mut bytes);
    let def = arena.structure(&tree)?;
    let len = def.as_bytes().len();
    assert_eq!(64 - arena.remaining(), len);
    let error = Arena::new(&mut vec![0; len]).structure(&tree).err();
    assert_eq!(error, Some(Error::Full { room: len }), "nested repeats need more on the way");
    assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
    Ok(())
}

#[test]
fn a_full_arena_says_what_is_free_and_stays_usable() -> Result<(), Error> {
    let tree = deep();
    let enough = treedef::encode::structure_bound(&tree)?;
    let full = |room| Arena::new(&mut vec![0; room]).structure(&tree).is_err();
    let needed = (1..=enough).find(|room| !full(*room)).expect("the bound is enough");
    assert!((needed..=enough).all(|room| !full(room)), "more room is no worse");
    for room in 1..needed {
        let mut bytes = vec![0; 2 + room];
        let arena = Arena::new(&mut bytes);
        let first = arena.structure(&[1.0f32; 3])?;
        assert_eq!(arena.structure(&tree), Err(Error::Full { room }));
        assert_eq!(arena.remaining(), room, "an error takes nothing");
        assert_eq!(arena.structure(&1.0f32), Ok(TreeDef::LEAF));
        assert_eq!(first.as_bytes(), [0x43, 0x02]);
    }
    Ok(())
}

#[test]
fn what_has_a_known_length_says_exactly_what_it_needs() {
    let heading = head::Dict::new(DictKind::Sorted, ["x", "y"]);
    let mut bytes = [0; 5];
    let arena = Arena::new(&mut bytes);
    let pairs = TreeDef::from_bytes(&[0x43, 0x22, 0x01, 0xA0, 0x02, 0x00]).expect("a treedef");
    let full = Error::BufferFull { needed: 6, room: 5 };
    assert_eq!(arena.head(&heading), Err(full));
    assert_eq!(head::head_len(&heading), 6);
    assert_eq!(arena.add(pairs), Err(full));
    assert_eq!(arena.str("torque"), Err(full));
    assert_eq!(arena.bytes(&[0; 6]), Err(full));
    let built = arena.build(|builder| builder.subtree(pairs));
    assert_eq!(built, Err(Error::Full { room: 5 }));
    let sorted = arena.head(&head::Dict::new(DictKind::Sorted, ["y", "x"]));
    assert_eq!(sorted, Err(Error::UnsortedKeys { first: 0, second: 1 }));
    assert_eq!(arena.write(|free| Ok((free.len() + 1, ()))), Err(full));
    assert_eq!((arena.remaining(), arena.str("speed")), (5, Ok("speed")));
    assert_eq!((arena.remaining(), arena.str("")), (0, Ok("")));
    assert_eq!(arena.add(TreeDef::LEAF), Err(Error::BufferFull { needed: 1, room: 0 }));
}

#[test]
fn a_store_that_is_used_while_it_writes_is_full() -> Result<(), Error> {
    let mut bytes = [0; 8];
    let arena = Arena::new(&mut bytes);
    let (outer, inner) = arena.write(|free| {
        let inner = arena.add(TreeDef::LEAF);
        free[0] = 7;
        Ok((1, inner))
    })?;
    assert_eq!((outer, inner), ([7].as_slice(), Err(Error::BufferFull { needed: 1, room: 0 })));
    assert_eq!(arena.remaining(), 7);
    Ok(())
}

#[test]
fn scratch_arenas_reuse_the_free_room() -> Result<(), Error> {
    let mut bytes = [0; 8];
    let mut arena = Arena::new(&mut bytes);
    let kept = arena.add(TreeDef::NONE)?;
    for name in ["alpha", "beta", "gamma"] {
        let scratch = arena.scratch();
        assert_eq!((scratch.remaining(), scratch.str(name)), (7, Ok(name)));
    }
    assert_eq!((arena.remaining(), arena.str("seventh")?), (7, "seventh"));
    assert_eq!(kept, TreeDef::NONE);
    Ok(())
}

#[cfg(feature = "bumpalo")]
mod bump {
    use super::*;
    use bumpalo::Bump;
    use treedef::integrations::structure_in;

    #[test]
    fn a_bump_stores_what_an_arena_does() -> Result<(), Error> {
        let mut bytes = [0; 64];
        let mut bump = Bump::new();
        for _ in 0..3 {
            let arena = Arena::new(&mut bytes);
            let def = structure_in(&bump, &deep())?;
            assert_eq!((arena.structure(&deep())?, structure_in(&bump, &def)?), (def, def));
            bump.reset();
        }
        Ok(())
    }

    /// A structure of many rows takes its own bytes, and at most as many that a bump does not take back.
    #[test]
    fn a_bump_keeps_at_most_twice_the_bytes() {
        for count in 1..200 {
            let row: Vec<Option<Vec<f32>>> =
                (0..count).map(|index| Some(vec![1.0; index]).filter(|_| index % 3 > 0)).collect();
            for rows in [1, 2, 9] {
                let tree = vec![row.clone(); rows];
                let bump = Bump::with_capacity(1 << 16);
                let before = bump.chunk_capacity();
                let len = structure_in(&bump, &tree).unwrap().as_bytes().len();
                let taken = before - bump.chunk_capacity();
                assert!(taken <= 2 * len || len < 64 && taken <= 64, "{taken} bytes for {len}");
            }
        }
    }

    #[test]
    fn a_bump_takes_what_is_left_where_twice_as_much_is_too_much() {
        let long = "k".repeat(100);
        let def = TreeDefBuf::<200>::dict(&[&long], &[TreeDef::LEAF]).unwrap();
        let bump = Bump::with_capacity(1 << 10);
        bump.set_allocation_limit(Some(bump.allocated_bytes()));
        let fill = bump.chunk_capacity() - 120;
        bump.alloc_slice_fill_copy(fill, 0u8);
        assert_eq!(structure_in(&bump, &def.as_treedef()), Ok(def.as_treedef()));
        let room = bump.chunk_capacity();
        assert_eq!(structure_in(&bump, &def.as_treedef()), Err(Error::Full { room }));
    }

    #[test]
    fn a_bump_at_its_limit_is_full() {
        let bump = Bump::new();
        bump.set_allocation_limit(Some(0));
        assert_eq!(structure_in(&bump, &deep()), Err(Error::Full { room: 0 }));
    }
}

#[test]
fn owned_treedefs_are_their_bytes() -> Result<(), Error> {
    const PAIR: TreeDefBuf<8> = match TreeDefBuf::tuple(&[TreeDef::LEAF, TreeDef::LEAF]) {
        Ok(pair) => pair,
        Err(_) => panic!("too few bytes"),
    };
    // ((*, *), (*, *), [None, *]) from treedefs, at compile time.
    const NESTED: Result<TreeDefBuf<16>, Error> = {
        let Ok(list) = TreeDefBuf::<4>::list(&[TreeDef::NONE, TreeDef::LEAF]) else { panic!() };
        TreeDefBuf::tuple(&[PAIR.as_treedef(), PAIR.as_treedef(), list.as_treedef()])
    };
    let golden = [0x23, 0x22, 0x01, 0xA0, 0x02, 0x42, 0xC0, 0x00];
    let nested = NESTED?;
    assert_eq!(nested.as_treedef(), TreeDef::from_bytes(&golden).expect("canonical"));
    assert_eq!(nested.as_treedef().num_leaves(), 5);
    let list: heapless::Vec<Option<f32>, 2> = [None, Some(0.0)].into_iter().collect();
    let typed = TreeDefBuf::<16>::structure(&((0.0f32, 0.0f32), (0.0f32, 0.0f32), list))?;
    assert_eq!(typed, nested);
    let set = std::collections::HashSet::from([nested, TreeDefBuf::from_treedef(TreeDef::LEAF)?]);
    assert!(set.contains(golden.as_slice()));
    assert!(TreeDefBuf::<16>::from_treedef(TreeDef::LEAF)? < nested);
    assert_eq!(nested.to_string(), "PyTreeDef(((*, *), (*, *), [None, *]))");
    assert_eq!(format!("{nested:?}"), format!("{:?}", nested.as_treedef()));
    Ok(())
}

#[test]
fn owned_treedefs_say_what_room_they_have() {
    let build = |builder: &mut Writer<'_>| builder.none();
    assert_eq!(TreeDefBuf::<0>::build(build), Err(Error::Full { room: 0 }));
    let result = TreeDefBuf::<3>::structure(&(1.0f32, [1.0f32; 2]));
    assert_eq!(result, Err(Error::Full { room: 3 }));
    let two = [TreeDef::LEAF, TreeDef::LEAF];
    let result = TreeDefBuf::<8>::dict(&["a"], &two);
    assert_eq!(result, Err(Error::Arity { expected: 0, found: 1 }));
    let result = TreeDefBuf::<8>::dict(&["a", "b", "c"], &two);
    assert_eq!(result, Err(Error::Arity { expected: 3, found: 2 }));
    let result = TreeDefBuf::<8>::dict(&["b", "a"], &two);
    assert_eq!(result, Err(Error::UnsortedKeys { first: 0, second: 1 }));
}
