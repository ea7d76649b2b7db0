//! How deep trees may be: each row of the table of `treedef::depth`.
#![cfg(feature = "derive")]

use treedef::algebra::Change;
use treedef::dynamic::Flatten;
use treedef::encode::{Level, structure_bound};
use treedef::format::DecodeErrorKind;
use treedef::tree::Structure;
use treedef::{
    CallKey, Error, KeyEntry, Node, Tree, TreeDef, TreeDefBuf, View, Writer, structure_into,
};

/// Levels that every operation has room for.
const FEW: usize = 60;
/// Levels that none has room for that has a bound of 64.
const MANY: usize = 70;

const DEEP: Error = Error::TooDeep { limit: 64 };

/// Lists inside one another, around a leaf or a tuple of leaves; in each of them `None` is still to come if `pending`.
fn nest(levels: usize, pending: bool, leaves: usize) -> Vec<u8> {
    let tuple = TreeDefBuf::<8>::tuple(&vec![TreeDef::LEAF; leaves]).unwrap();
    let inner = if leaves > 1 { tuple.as_treedef() } else { TreeDef::LEAF };
    nest_around(inner, levels, pending)
}

fn nest_around(inner: TreeDef<'_>, levels: usize, pending: bool) -> Vec<u8> {
    let mut bytes = vec![0; 4 * levels + 2 * inner.as_bytes().len() + 8];
    let mut out = Writer::new(&mut bytes);
    out.set_max_depth(u32::MAX);
    let children = if pending { 2 } else { 1 };
    let lists: Vec<_> = (0..levels).map(|_| out.begin_list(children)).collect();
    out.subtree(inner);
    for list in lists.into_iter().rev() {
        if pending {
            out.none();
        }
        out.end(list);
    }
    out.finish().unwrap().as_bytes().to_vec()
}

fn read<'b>(bytes: &'b [u8]) -> TreeDef<'b> {
    TreeDef::from_bytes_with(bytes, &mut [Level::default(); 2 * MANY]).unwrap()
}

/// Sees that an operation on a tree and the same tree with a tuple for its leaf has room for a few levels, and not for
/// many that are nested or, if it counts so, pending.
#[track_caller]
fn bounded(pending: bool, operation: impl Fn(TreeDef<'_>, TreeDef<'_>) -> Result<(), Error>) {
    let call = |levels, pending| {
        let (small, large) = (nest(levels, pending, 1), nest(levels, pending, 2));
        operation(read(&small), read(&large))
    };
    assert_eq!((call(FEW, false), call(FEW, true)), (Ok(()), Ok(())));
    assert_eq!(call(MANY, false), if pending { Ok(()) } else { Err(DEEP) });
    assert_eq!(call(MANY, true), Err(DEEP));
}

/// The same of what is read from bytes.
#[track_caller]
fn bounded_reader(reads: impl Fn(&[u8]) -> Result<(), treedef::DecodeError>) {
    bounded(true, |def, _| match reads(def.as_bytes()).map_err(|error| error.kind()) {
        Err(DecodeErrorKind::TooDeep { limit }) => Err(Error::TooDeep { limit }),
        other => {
            assert_eq!(other, Ok(()));
            Ok(())
        }
    });
}

/// Sees that an operation takes many levels of each kind.
#[track_caller]
fn unbounded(operation: impl Fn(TreeDef<'_>, TreeDef<'_>) -> bool) {
    for pending in [false, true] {
        let (small, large) = (nest(MANY, pending, 1), nest(MANY, pending, 2));
        assert!(operation(read(&small), read(&large)));
    }
}

fn view<'a>(def: TreeDef<'a>) -> View<'a, i32> {
    View::new(def, if def.num_leaves() == 1 { &[1] } else { &[1, 2] }).unwrap()
}

fn written(tree: impl Structure) -> Result<(), Error> {
    structure_bound(&tree).map(drop)
}

/// The leaf of a [`nest`] around one.
fn innermost(def: TreeDef<'_>, levels: usize) -> treedef::path::Found<'_> {
    def.find((0..levels).map(|_| KeyEntry::Index(0))).unwrap()
}

#[derive(Tree)]
struct Link<'a> {
    value: i32,
    next: Option<&'a Link<'a>>,
}

/// What typed trees answer that are so many levels deep.
fn typed(levels: usize, next: Option<&Link<'_>>) -> [Result<(), Error>; 3] {
    let link = Link { value: 1, next };
    if levels > 1 {
        return typed(levels - 1, Some(&link));
    }
    [
        written(&link),
        treedef::leaves_into(&link, &mut [0; MANY]).map(drop),
        treedef::over(&link).for_each(|_: &i32| ()),
    ]
}

#[test]
fn writers() {
    bounded(false, |def, _| {
        let keep = def.compose(TreeDef::LEAF);
        TreeDefBuf::<512>::build(|out| keep.describe(out)).map(drop)
    });
}

#[test]
fn typed_trees() {
    assert_eq!(typed(64, None), [Ok(()); 3]);
    assert_eq!(typed(65, None), [Err(DEEP); 3]);
}

#[test]
fn objects() {
    bounded(false, |def, _| Flatten::new().num_leaves(view(def)).map(drop));
    bounded(false, |def, _| {
        Flatten::new().flatten_into(view(def), &mut [0; 512], &mut [0]).map(drop)
    });
    unbounded(|def, _| Flatten::new().max_depth(70).num_leaves(view(def)) == Ok(1));
}

#[test]
fn readers() {
    bounded_reader(|bytes| TreeDef::from_bytes(bytes).map(drop));
    bounded_reader(|bytes| TreeDef::from_prefix(bytes).map(drop));
    bounded_reader(|bytes| TreeDef::from_plain_bytes(bytes).map(drop));
    bounded_reader(|bytes| CallKey::from_bytes(CallKey::of(read(bytes)).as_bytes()).map(drop));
    unbounded(|def, _| {
        TreeDef::from_bytes_with(def.as_bytes(), &mut [Level::default(); 70]) == Ok(def)
    });
    unbounded(|def, _| {
        let key = CallKey::of(def);
        CallKey::from_bytes_with(key.as_bytes(), &mut [Level::default(); 70]) == Ok(key)
    });
}

fn keep<'a>(_: treedef::Head<'a>) -> Result<Change<'a>, Error> {
    Ok(Change::Keep)
}

#[test]
fn lazy_structures() {
    bounded(false, |def, _| written(def.compose(TreeDef::LEAF)));
    bounded(false, |def, _| written(def.transform(keep)));
    bounded(false, |def, _| written(def.nones_as_leaves()));
    bounded(false, |def, _| written(def.leaves_to_none(&[true])));
    bounded(false, |def, large| written(def.common_suffix(large)));
}

fn levels(def: TreeDef<'_>) -> usize {
    def.path(0).map_or(0, |path| path.len())
}

#[test]
fn replaced_nodes() {
    fn replaced(def: TreeDef<'_>) -> Result<impl Structure + '_, Error> {
        def.replace([(innermost(def, levels(def)), TreeDef::NONE)])
    }
    bounded(false, |def, _| written(replaced(def)?));
    bounded(false, |def, _| {
        let target = (innermost(def, levels(def)), view(TreeDef::LEAF));
        view(def).replace_into([target], &mut [0; 512], &mut [0]).map(drop)
    });
}

fn flags(def: TreeDef<'_>) -> View<'_, bool> {
    View::new(def, &[true]).unwrap()
}

#[test]
fn pairs_of_trees() {
    bounded(false, |def, _| {
        treedef::algebra::transpose(def, TreeDef::LEAF, view(def), &mut [0]).map(drop)
    });
    bounded(true, |def, large| def.check_prefix_of(large));
    bounded(true, |def, large| def.prefix_cmp(large).map(drop));
    bounded(true, |def, large| treedef::flatten_up_to(def, view(large)).map(drop));
    bounded(true, |def, large| treedef::broadcast_prefix(view(def), large, &mut [0; 2]).map(drop));
    bounded(false, |def, large| {
        treedef::algebra::broadcast_common(view(def), view(large), &mut [0; 2], &mut [0; 2])
            .map(drop)
    });
    bounded(true, |def, large| {
        treedef::algebra::partition(view(large), flags(def), &mut [None; 2], &mut [None; 2])
            .map(drop)
    });
    bounded(true, |def, large| {
        treedef::algebra::filter(view(large), flags(def), &mut [None; 2]).map(drop)
    });
    bounded(false, |def, _| {
        treedef::algebra::replace_nones(view(def), &0, &mut [0; MANY + 1]).map(drop)
    });
}

#[test]
fn differences() {
    bounded(true, |def, large| def.differences(large).try_for_each(|one| one.map(drop)));
    bounded(true, |def, large| large.prefix_errors(def).try_for_each(|one| one.map(drop)));
}

#[test]
fn iterators() {
    bounded(true, |def, _| def.nodes().try_for_each(|node| node.map(drop)));
}

#[test]
fn nodes_and_folds() {
    bounded(false, |def, _| {
        treedef::dynamic::unflatten_into(def, &[1], &mut [const { Node::None }; 2 * MANY]).map(drop)
    });
    bounded(false, |def, _| treedef::dynamic::fold_len(def).map(drop));
    bounded(false, |def, _| {
        treedef::dynamic::fold(
            def,
            [1],
            &mut [None; MANY],
            |leaf| leaf,
            |_, children| Ok(children.count()),
        )
        .map(drop)
    });
}

#[test]
fn leaves_with_paths() {
    bounded(false, |def, _| view(def).for_each_with_path(|_, _| ()));
    unbounded(|def, _| def.paths().all(|path| path.entries().count() == MANY));
}

/// Treedefs with more pending levels than there is room for: with copies outside, inside and nowhere.
fn deep(check: impl Fn(TreeDef<'_>)) {
    let pairs = TreeDefBuf::<64>::tuple(&[read(&nest(2, true, 2)); 3]).unwrap();
    let (chain, inside) = (nest(MANY, true, 1), nest_around(pairs.as_treedef(), MANY, true));
    for def in [read(&chain), read(&inside)] {
        check(def);
        check(TreeDefBuf::<1024>::list(&[def; 3]).unwrap().as_treedef());
        check(TreeDefBuf::<1024>::list(&[def, TreeDef::LEAF, def, def]).unwrap().as_treedef());
    }
}

#[test]
fn equal_treedefs_have_equal_numbers_of_nodes() {
    fn expanded(def: TreeDef<'_>) -> usize {
        1 + def.children().map(expanded).sum::<usize>()
    }
    deep(|def| {
        let nodes = expanded(def);
        assert_eq!(def.num_nodes(), nodes);
        assert_eq!(TreeDefBuf::<2048>::from_treedef(def).unwrap().as_treedef().num_nodes(), nodes);
        assert_eq!(TreeDefBuf::<2048>::structure(&def).unwrap().as_treedef().num_nodes(), nodes);
        for part in def.children().chain(def.child(0).into_iter().flat_map(|one| one.children())) {
            assert_eq!(part.num_nodes(), expanded(part));
        }
        let found = innermost(def, 3);
        assert_eq!(found.treedef().num_nodes(), expanded(found.treedef()));
    });
}

#[test]
fn parts_of_any_depth_are_written() {
    deep(|def| {
        let leaves = vec![(); def.num_leaves()];
        let part = View::new(def, &leaves).unwrap().child(0).unwrap();
        let pair = TreeDefBuf::<4096>::tuple(&[part.treedef(); 2]).unwrap();
        let mut bytes = [0; 4096];
        let whole = structure_into(&(part.treedef(), part.treedef()), &mut bytes);
        assert_eq!(whole, Ok(pair.as_treedef()));
        let nodes = 1 + 2 * part.treedef().num_nodes();
        assert_eq!(whole.map(|whole| whole.num_nodes()), Ok(nodes));
        assert_eq!(pair.as_treedef().num_nodes(), nodes);
    });
}

#[test]
fn a_place_behind_a_deep_part_is_known() {
    deep(|def| {
        let pair = TreeDefBuf::<2048>::tuple(&[def, TreeDef::NONE]).unwrap();
        let found = pair.as_treedef().find_at([1]).unwrap();
        assert_eq!(found.node(), def.num_nodes() + 1);
        let lost = pair.as_treedef().find([KeyEntry::Index(1), KeyEntry::Index(0)]);
        let node = u32::try_from(def.num_nodes() + 1).unwrap();
        assert_eq!(lost.err(), Some(Error::NotFound { node, at: 1 }));
        let other = TreeDefBuf::<2048>::tuple(&[TreeDef::NONE, TreeDef::LEAF]).unwrap();
        let last = pair.as_treedef().differences(other.as_treedef()).last();
        let place = last.and_then(|last| last.unwrap().path().found());
        assert_eq!(place.map(|place| place.node()), Some(def.num_nodes() + 1));
    });
}

#[test]
fn indices_of_nodes() {
    let (chain, pending) = (nest(MANY, false, 1), nest(MANY, true, 1));
    assert!(read(&chain).node_path(MANY).is_some());
    assert!(read(&pending).node_path(MANY).is_none());
}

#[test]
fn nodes_in_deep_lists() {
    // Inside the innermost of these lists as many are pending as there is room for, and as bytes may have.
    let levels = 64;
    let last = |levels| {
        let bytes = nest(levels, true, 2);
        let def = read(&bytes);
        let known = TreeDef::from_bytes(&bytes).is_ok();
        (known, def.nodes().last().unwrap().map(|node| node.leaf))
    };
    assert_eq!(last(levels), (true, Ok(2)));
    assert_eq!(last(levels + 1), (false, Err(DEEP)));
    let (bytes, chain) = (nest(levels + 1, true, 2), nest(1000, false, 2));
    let (def, chain) = (read(&bytes), TreeDef::from_bytes(&chain).unwrap());
    // All but the leaves of the tuple and the `None`s, and the error.
    assert_eq!(def.nodes().count(), levels + 1 + 1 + 1);
    assert_eq!(chain.nodes().count(), chain.num_nodes());
}

#[test]
fn any_depth() {
    unbounded(|def, _| def.children().next().is_some_and(|child| child.num_leaves() == 1));
    unbounded(|def, _| def.path(0).is_some_and(|path| path.entries().count() == MANY));
    unbounded(|def, _| innermost(def, MANY).as_leaf() == Some(0));
    unbounded(|def, large| def != large && def.fingerprint() != large.fingerprint());
    unbounded(|def, _| !def.to_string().contains('…'));
}
