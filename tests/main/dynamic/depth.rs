//! No depth overflows the stack.

use super::*;

const DEEP: usize = 1_000_000;

/// Runs `work` on a stack of this size; without optimisation, where frames are larger, on one four times as large. What
/// the optimised operations need is held on a Cortex-M3, whose stack is 30 kB (`no_std-check/suite/src/deep.rs`).
fn on_stack<T: Send>(kilobytes: usize, work: impl FnOnce() -> T + Send) -> T {
    let kilobytes = if cfg!(debug_assertions) { 4 * kilobytes } else { kilobytes };
    crate::support::on_stack(kilobytes, work)
}

/// As deep as it is asked to be.
#[derive(Clone, Copy)]
struct Well {
    left: usize,
    sorted: bool,
}

impl Object for Well {
    type Leaf = usize;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        let Some(left) = self.left.checked_sub(1) else { return open.leaf(0) };
        let below = Well { left, ..self };
        let end = Well { left: 0, ..self };
        match self.sorted {
            true => open.dict([("a", below), ("b", end)]),
            false => open.dict([("b", end), ("a", below)]),
        }
    }
}

#[test]
fn a_chain_of_a_million_nodes_is_an_error_for_every_operation() {
    let mut slab = vec![Node::Leaf(1); DEEP];
    let (mut rest, mut chain) = (slab.as_mut_slice(), Node::Leaf(1));
    while let Some((slot, after)) = rest.split_first_mut() {
        *slot = chain;
        chain = Node::List(std::slice::from_ref(slot));
        rest = after;
    }
    let tree = &chain;
    let deep = Error::TooDeep { limit: MAX_DEPTH };
    let options = Flatten::new();
    let at = options.is_leaf_at(|_: KeyPath<'_, '_>, _: &Node<'_, i32>| false).none_is_leaf();
    on_stack(64, || assert_eq!(options.flatten_into(tree, &mut [0; 256], &mut [0; 1]), Err(deep)));
    on_stack(64, || assert_eq!(options.structure_into(tree, &mut [0; 256]), Err(deep)));
    on_stack(64, || assert_eq!(options.structure_bound(tree), Err(deep)));
    on_stack(64, || assert_eq!(options.leaves_into(tree, &mut [0; 1]), Err(deep)));
    on_stack(64, || assert_eq!(options.num_leaves(tree), Err(deep)));
    on_stack(64, || assert_eq!(options.for_each(tree, |_| ()), Err(deep)));
    on_stack(64, || assert_eq!(options.all_leaves([tree]), Ok(false)));
    on_stack(64, || assert_eq!(at.num_leaves(tree), Err(deep)));
    on_stack(64, || assert_eq!(at.structure_bound(tree), Err(deep)));
    on_stack(64, || assert_eq!(format!("{tree:?}"), "List(1 children)"));
    // A sibling is compared with the one before it, and no deeper than that one went.
    let mut near = [Node::Leaf(1); MAX_DEPTH as usize - 1];
    let (mut rest, mut short) = (near.as_mut_slice(), Node::Leaf(1));
    while let Some((slot, after)) = rest.split_first_mut() {
        *slot = short;
        short = Node::List(std::slice::from_ref(slot));
        rest = after;
    }
    let pair = [short, chain];
    let alike = Node::List(&pair);
    on_stack(64, || {
        assert_eq!(options.flatten_into(&alike, &mut [0; 512], &mut [0; 2]), Err(deep));
    });
    let shallow = Error::TooDeep { limit: 20 };
    on_stack(64, || assert_eq!(options.max_depth(20).num_leaves(tree), Err(shallow)));
}

#[test]
fn a_treedef_of_a_million_levels_is_an_error_for_every_way_to_read_it() {
    let mut bytes = vec![0x41; DEEP];
    bytes.push(0x00);
    let def = TreeDef::from_bytes(&bytes).unwrap();
    let mut slab = vec![Node::None; DEEP];
    let deep = Error::TooDeep { limit: MAX_DEPTH };
    let options = Flatten::new();
    let view = View::new(def, &[1]).unwrap();
    let entries = || def.paths().map(|path| path.entries().count()).sum::<usize>();
    let sum = |_: Head<'_>, children: treedef::dynamic::FoldChildren<'_, i32>| {
        Ok::<i32, Error>(children.sum())
    };
    on_stack(64, || assert_eq!(options.num_leaves(view), Err(deep)));
    on_stack(64, || assert_eq!(options.structure_into(view, &mut [0; 256]), Err(deep)));
    on_stack(64, || assert_eq!(options.matches(view, def), Err(deep)));
    on_stack(64, || assert_eq!(entries(), DEEP));
    on_stack(64, || assert_eq!(view.for_each_with_path(|_, _| unreachable!()), Err(deep)));
    on_stack(64, || assert_eq!(fold_len(def), Err(deep)));
    on_stack(64, || assert_eq!(fold(def, [1], &mut [None; 4], |leaf| leaf, sum), Err(deep)));
    on_stack(64, || assert_eq!(unflatten_len(def), DEEP));
    on_stack(64, || assert_eq!(unflatten_into(def, &[1], &mut slab).unwrap_err(), deep));
}

#[test]
fn paths_are_lent_down_to_the_last_level_that_there_is_room_for() {
    // A list of a leaf and the next list, `levels` deep, and siblings behind all of them.
    let lengths = |levels: usize| {
        let mut bytes = [[0x43, 0x00].repeat(levels - 1).as_slice(), &[0x41]].concat();
        bytes.extend([0x00].repeat(levels));
        let def = TreeDef::from_bytes(&bytes).unwrap();
        let mut lengths = Vec::new();
        let view = View::bare(def);
        view.for_each_with_path(|path, ()| lengths.push(path.len())).map(|()| lengths)
    };
    let max = MAX_DEPTH as usize;
    let expected = (1..max).chain([max]).chain((1..max).rev()).collect();
    assert_eq!(lengths(max), Ok(expected));
    assert_eq!(lengths(max + 1), Err(Error::TooDeep { limit: MAX_DEPTH }));
    // Many bytes, but few levels: [[(*, *, *) * 4], [], ...].
    let wide = [&[0x5F, 109][..], &[0x44, 0x23, 0x02, 0xA2, 0x03, 0x40].repeat(70)].concat();
    let def = TreeDef::from_bytes(&wide).unwrap();
    let mut seen = 0;
    View::bare(def).for_each_with_path(|path, ()| seen += path.len()).unwrap();
    assert_eq!(seen, 70 * 12 * 3);
}

#[test]
fn nodes_are_read_down_to_the_level_that_bytes_may_have() {
    // Lists in one another, with a leaf behind each.
    let chain = |levels: usize| {
        [[0x42].repeat(levels).as_slice(), &[0x01], &[0x00].repeat(levels - 1)].concat()
    };
    let max = MAX_DEPTH as usize;
    let (most, more, pending) = (chain(max), chain(max + 1), chain(max + 2));
    let mut room = [Level::default(); MAX_DEPTH as usize + 2];
    let def = TreeDef::from_bytes_with(&most, &mut room).unwrap();
    let depths: Vec<usize> = def.nodes().map(|node| node.unwrap().depth).collect();
    assert!(depths.into_iter().eq((0..=max).chain((1..=max).rev())));
    assert_eq!(fold_len(def), Ok(2));
    let mut leaves = 0;
    View::bare(def).for_each_with_path(|_, ()| leaves += 1).unwrap();
    assert_eq!(leaves, max + 1);

    let def = TreeDef::from_bytes_with(&more, &mut room).unwrap();
    let deep = Error::TooDeep { limit: MAX_DEPTH };
    assert_eq!(def.nodes().flatten().count(), def.num_nodes());
    assert_eq!(fold_len(def), Err(deep));
    assert_eq!(View::bare(def).for_each_with_path(|_, ()| ()), Err(deep));
    // Nodes count levels in which a child is still to come, of which the innermost list is none.
    let def = TreeDef::from_bytes_with(&pending, &mut room).unwrap();
    let mut nodes = def.nodes();
    assert_eq!(nodes.by_ref().take_while(Result::is_ok).count(), max + 2);
    assert!(nodes.next().is_none());
    assert_eq!(def.nodes().last(), Some(Err(deep)));
}

#[test]
fn a_none_at_the_last_level_is_no_level() {
    let mut slab = [const { Node::<i32>::None }; MAX_DEPTH as usize];
    let (mut rest, mut chain) = (slab.as_mut_slice(), Node::None);
    while let Some((slot, after)) = rest.split_first_mut() {
        *slot = chain;
        chain = Node::List(std::slice::from_ref(slot));
        rest = after;
    }
    let (tree, options) = (&chain, Flatten::new());
    let mut bytes = [0; 80];
    let (def, _) = options.flatten_into(tree, &mut bytes, &mut [0; 0]).unwrap();
    assert_eq!(options.structure_bound(tree), Ok(MAX_DEPTH as usize + 1));
    assert_eq!(options.num_leaves(tree), Ok(0));
    assert_eq!(options.matches(tree, def), Ok(()));
    assert_eq!(options.matches(View::<i32>::new(def, &[]).unwrap(), def), Ok(()));
    let deep = Error::TooDeep { limit: MAX_DEPTH - 1 };
    assert_eq!(options.max_depth(MAX_DEPTH - 1).num_leaves(tree), Err(deep));
    assert_eq!(options.max_depth(0).num_leaves(&Node::<i32>::None), Ok(0));
}

#[test]
fn models_without_an_end_are_an_error() {
    let refused = |sorted| {
        let well = Well { left: DEEP, sorted };
        let deep = Error::TooDeep { limit: MAX_DEPTH };
        assert_eq!(Flatten::new().num_leaves(well), Err(deep));
        assert_eq!(Flatten::new().structure_bound(well), Err(deep));
        let end = Well { left: MAX_DEPTH as usize, sorted };
        assert_eq!(Flatten::new().num_leaves(end), Ok(MAX_DEPTH as usize + 1));
    };
    on_stack(64, || refused(true));
    // Keys that have to be sorted take some kilobytes a level with little optimisation, most of them the model's own.
    on_stack(256, || refused(false));
}

#[test]
fn the_bound_is_the_callers() {
    crate::support::on_stack(64 << 10, || {
        let well = Well { left: 10_000, sorted: true };
        assert_eq!(Flatten::new().max_depth(10_000).num_leaves(well), Ok(10_001));
        let error = Error::TooDeep { limit: 9_999 };
        assert_eq!(Flatten::new().max_depth(9_999).num_leaves(well), Err(error));
    });
}
