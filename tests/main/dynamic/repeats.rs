//! Nodes that repeat the node before them: taken as copies, without being written.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest};
use treedef::dynamic::{Flatten, Keyed, Open};
use treedef::head::head_into;
use treedef::{Error, Head, Node, Object, TreeDef, head, tree, treedef};

use super::Config;

/// The same entries, written in two orders: two labels of one structure.
const MIXED: Node<'static, i32> =
    tree!([{"b": 1, "a": (2, 3)}, {"a": (5, 6), "b": 4}, {"b": 7, "a": (8, 9)}]);

#[test]
fn entries_in_another_order_make_the_same_copy() -> Result<(), Error> {
    let (mut bytes, mut leaves) = ([0; 32], [0; 9]);
    let (def, count) = Flatten::new().flatten_into(&MIXED, &mut bytes, &mut leaves)?;
    // A dict, and two more of three leaves.
    let expected = [0x43, 0x62, 4, 1, b'a', 1, b'b', 0x22, 0x01, 0x00, 0xA1, 0x03];
    assert_eq!((def.as_bytes(), count), (expected.as_slice(), 9));
    assert_eq!(leaves, [2, 3, 1, 5, 6, 4, 8, 9, 7]);
    leaves.fill(0);
    Flatten::new().flatten_expected(&MIXED, def, &mut leaves)?;
    assert_eq!(leaves, [2, 3, 1, 5, 6, 4, 8, 9, 7]);
    Ok(())
}

#[test]
fn leaves_that_end_inside_a_copy_tell_the_whole_need() -> Result<(), Error> {
    let mut bytes = [0; 32];
    let def = Flatten::new().structure_into(&MIXED, &mut bytes)?;
    for room in 0..9 {
        let full = Err(Error::LeavesFull { needed: 9, room });
        let mut leaves = vec![0; room];
        assert_eq!(Flatten::new().leaves_into(&MIXED, &mut leaves), full);
        assert_eq!(Flatten::new().flatten_expected(&MIXED, def, &mut leaves), full);
        let flat = Flatten::new().flatten_into(&MIXED, &mut [0; 32], &mut leaves).map(|_| 0);
        assert_eq!(flat, full);
    }
    Ok(())
}

#[test]
fn a_copy_that_is_not_expected_is_named_by_its_first_other_node() {
    // [(*, *), (*, *), (*, None)]: node 9 is the None.
    let expected = [0x43, 0x22, 0x01, 0xA0, 0x02, 0x22, 0x00, 0xC0];
    let expected = TreeDef::from_bytes(&expected).unwrap();
    let pairs: Node<'_, i32> = tree!([(1, 2), (3, 4), (5, 6)]);
    let found = Flatten::new().flatten_expected(&pairs, expected, &mut [0; 6]);
    assert_eq!(found, Err(Error::Mismatch { node: 9 }));
    // [(*, *), (*, *)]: the root has another number of children.
    let two = TreeDef::from_bytes(&[0x42, 0x22, 0x01, 0xA0, 0x02]).unwrap();
    let found = Flatten::new().flatten_expected(&pairs, two, &mut [0; 6]);
    assert_eq!(found, Err(Error::Mismatch { node: 0 }));
}

#[test]
fn copies_that_are_expected_after_the_last_child_are_those_of_its_parent() {
    // By their keys, the lists are last, and the copy of a dictionary follows the first.
    let tree: Node<'_, i32> = tree!([{"b": [1], "a": 2}, {"b": [3], "a": 4}]);
    let (expected, mut leaves) = (treedef!([{"a": *, "b": [*]}, {"a": *, "b": [*]}]), [0; 4]);
    assert_eq!(Flatten::new().flatten_expected(&tree, expected, &mut leaves), Ok(4));
    assert_eq!(leaves, [2, 1, 4, 3]);
}

#[test]
fn a_copy_that_is_expected_can_be_too_deep() {
    let tree: Node<'_, i32> = tree!([(1,), ((1,),)]);
    let expected = treedef!([(*,), (*,)]);
    let options = Flatten::new();
    assert_eq!(options.max_depth(2).matches(&tree, expected), Err(Error::TooDeep { limit: 2 }));
    assert_eq!(options.matches(&tree, expected), Err(Error::Mismatch { node: 4 }));
}

#[test]
fn a_node_that_repeats_only_in_part_leaves_nothing_behind() -> Result<(), Error> {
    // The second differs from the first at its last leaf, after leaves that were taken.
    let tree: Node<'_, i32> = tree!([[1, [2, 3], 4], [5, [6, 7], None], [8, [9, 10], None]]);
    let (mut bytes, mut leaves) = ([0; 32], [0; 10]);
    let (def, count) = Flatten::new().flatten_into(&tree, &mut bytes, &mut leaves)?;
    let expected = [0x43, 0x43, 0x00, 0x42, 0x01, 0x00, 0x43, 0x00, 0x42, 0x01, 0xC0, 0xA0, 0x03];
    assert_eq!((def.as_bytes(), count), (expected.as_slice(), 10));
    assert_eq!(leaves, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    Ok(())
}

#[test]
fn leaves_of_siblings_that_repeat_are_counted() {
    let tree: Node<'_, i32> = tree!(([1, 2, 3], [1, 2, 3]));
    assert_eq!(Flatten::new().num_leaves(&tree), Ok(6));
    let full = Error::LeavesFull { needed: 6, room: 5 };
    assert_eq!(Flatten::new().leaves_into(&tree, &mut [0; 5]), Err(full));
    let tree: Node<'_, i32> = tree!((None, None, [], [], 1, {}, {}));
    assert_eq!(Flatten::new().num_leaves(&tree), Ok(1));
}

/// Entries with these keys, each a list of its own number.
fn lists(keys: [&str; 2]) -> Config {
    let entry =
        |(key, number): (&str, i64)| (key.into(), Config::List(vec![Config::Number(number)]));
    Config::Map(keys.into_iter().zip(1..).map(entry).collect())
}

#[test]
fn objects_that_are_alike_give_their_leaves_in_the_order_of_their_keys() -> Result<(), Error> {
    let def = treedef!([{"a": [*], "b": [*]}, {"a": [*], "b": [*]}, {"a": [*], "b": [*]}]);
    let (sorted, unsorted) = (["a", "b"], ["b", "a"]);
    for (rows, expected) in [
        ([sorted, sorted, sorted], [1, 2, 1, 2, 1, 2]),
        ([unsorted, unsorted, unsorted], [2, 1, 2, 1, 2, 1]),
        ([sorted, unsorted, unsorted], [1, 2, 2, 1, 2, 1]),
        ([unsorted, sorted, sorted], [2, 1, 1, 2, 1, 2]),
    ] {
        let (rows, mut bytes) = (Config::List(rows.map(lists).into()), [0; 32]);
        let mut leaves = [0; 6];
        assert_eq!(Flatten::new().flatten_into(&rows, &mut bytes, &mut leaves)?, (def, 6));
        assert_eq!(leaves, expected);
        leaves.fill(0);
        assert_eq!(Flatten::new().flatten_expected(&rows, def, &mut leaves), Ok(6));
        assert_eq!(leaves, expected);
    }
    Ok(())
}

#[test]
fn any_number_of_copies_is_written_as_if_they_came_one_by_one() -> Result<(), Error> {
    // The lowest digit of the number of copies ends at 31, and then at 159.
    for count in (1..70).chain(150..170).chain(280..300) {
        let row = || Config::List(vec![Config::Number(1); 2]);
        let mut rows: Vec<_> = (0..count).map(|_| row()).collect();
        rows.push(Config::List(vec![Config::Number(1)]));
        let rows = Config::List(rows);
        let options = Flatten::new();
        let (mut bytes, mut others) = ([0; 16], [0; 16]);
        let def = options.structure_into(&rows, &mut bytes)?;
        // With a predicate, each child is written, and then found equal to the one before.
        let other = options.is_leaf(|_| false).structure_into(&rows, &mut others)?;
        assert_eq!(def, other);
        assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
        assert_eq!((def.num_children(), def.num_leaves()), (count + 1, 2 * count + 1));
        assert_eq!(options.matches(&rows, def), Ok(()));
    }
    Ok(())
}

/// A list that has one leaf more each time it is opened.
#[derive(Clone, Copy)]
enum Growing<'g> {
    Rows(&'g [Cell<usize>]),
    Row(&'g Cell<usize>),
    Leaf,
}

impl Object for Growing<'_> {
    type Leaf = u8;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Growing::Rows(rows) => open.list(rows.iter().map(Growing::Row)),
            Growing::Row(row) => {
                row.update(|len| len + 1);
                open.list((0..row.get()).map(|_| Growing::Leaf))
            }
            Growing::Leaf => open.leaf(0),
        }
    }

    fn as_leaf(self) -> Option<u8> {
        matches!(self, Growing::Leaf).then_some(0)
    }
}

#[test]
fn objects_that_change_make_no_repeat_of_what_they_were() -> Result<(), Error> {
    // The first row is written with one leaf, and compared with two.
    let rows = [0, 1, 2].map(Cell::new);
    let (mut bytes, mut leaves) = ([0; 32], [0; 32]);
    let (def, count) =
        Flatten::new().flatten_into(Growing::Rows(&rows), &mut bytes, &mut leaves)?;
    assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
    assert_eq!((def.num_leaves(), def.num_children()), (count, 3));
    Ok(())
}

/// Points with an encoded head of three fields, of which a row can have another number of children, or another head.
#[derive(Clone, Copy)]
enum Headed<'h> {
    Rows(&'h [(Head<'h>, usize)]),
    Row(Head<'h>, usize),
    /// A row, and a tuple of as many children.
    Mixed(Head<'h>, usize),
    Tuple(usize),
    Leaf(usize),
}

impl Object for Headed<'_> {
    type Leaf = usize;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Headed::Rows(rows) => {
                open.list(rows.iter().map(|(head, len)| Headed::Row(*head, *len)))
            }
            Headed::Row(head, len) => open.node(&head, (0..len).map(Headed::Leaf)),
            Headed::Mixed(head, len) => open.list([Headed::Row(head, len), Headed::Tuple(len)]),
            Headed::Tuple(len) => open.tuple((0..len).map(Headed::Leaf)),
            Headed::Leaf(index) => open.leaf(index),
        }
    }
}

#[test]
fn nodes_with_encoded_heads_repeat_the_node_before_them() -> Result<(), Error> {
    // Heads of up to 16 bytes and longer ones are compared each in their own way.
    encoded_heads_repeat("Point", "Sizes")?;
    encoded_heads_repeat("geometry::Point", "geometry::Sizes")
}

fn encoded_heads_repeat(one: &str, other: &str) -> Result<(), Error> {
    let (mut point, mut size) = ([0; 32], [0; 32]);
    let fields = |name| head::Struct { name, fields: &["x", "y", "z"], meta: &[] };
    let point = head_into(&fields(one), &mut point)?;
    let size = head_into(&fields(other), &mut size)?;
    let options = Flatten::new();
    let (mut bytes, mut others, mut leaves) = ([0; 96], [0; 96], [9; 12]);

    // The third has another head of the same length and shape.
    let rows = [(point, 3), (point, 3), (size, 3), (size, 3)];
    let (def, count) = options.flatten_into(Headed::Rows(&rows), &mut bytes, &mut leaves)?;
    assert_eq!((count, leaves), (12, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]));
    assert!(def.children().map(|child| child.head()).eq([point, point, size, size]));
    // With a predicate, each child is written, and then found equal to the one before.
    let asked = options.is_leaf(|_| false).structure_into(Headed::Rows(&rows), &mut others)?;
    assert_eq!((def, TreeDef::from_bytes(def.as_bytes())), (asked, Ok(def)));
    assert_eq!(options.matches(Headed::Rows(&rows), def), Ok(()));

    for found in [2, 4] {
        let rows = [(point, 3), (point, 3), (point, found)];
        let refused = options.flatten_into(Headed::Rows(&rows), &mut bytes, &mut leaves);
        assert_eq!(refused.map(|_| ()), Err(Error::Arity { expected: 3, found }));
    }
    let def = options.structure_into(Headed::Mixed(point, 3), &mut bytes)?;
    assert!(def.children().map(|child| child.head()).eq([point, treedef!((*, *, *)).head()]));
    Ok(())
}

#[test]
fn what_follows_copies_of_nodes_is_taken_as_what_it_is() -> Result<(), Error> {
    let leaf = Node::Leaf(1);
    let pair = [leaf, leaf];
    // The node after the copies, its structure, and its structure if `None` is a leaf.
    let after = [
        (leaf, treedef!(*), treedef!(*)),
        (Node::None, treedef!(None), treedef!(*)),
        (Node::Tuple(&pair), treedef!((*, *)), treedef!((*, *))),
        (Node::List(&pair), treedef!([*, *]), treedef!([*, *])),
        (Node::Tuple(&[]), treedef!(()), treedef!(())),
    ];
    for (other, structure, with_leaf) in after {
        let children = [Node::Tuple(&pair), Node::Tuple(&pair), other, Node::Tuple(&pair)];
        let tree = Node::List(&children);
        let (mut bytes, mut leaves) = ([0; 64], [0; 16]);
        let (def, count) = Flatten::new().flatten_into(&tree, &mut bytes, &mut leaves)?;
        assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def), "{def}");
        assert_eq!((def.children().nth(2), count), (Some(structure), def.num_leaves()));
        Flatten::new().flatten_expected(&tree, def, &mut leaves)?;
        let (mut bytes, options) = ([0; 64], Flatten::new().none_is_leaf());
        let def = options.structure_into(&tree, &mut bytes)?;
        assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def), "{def}");
        assert_eq!(def.children().nth(2), Some(with_leaf));
        options.matches(&tree, def)?;
    }
    Ok(())
}

#[test]
fn a_keyed_node_can_have_the_head_of_a_tuple() -> Result<(), Error> {
    let leaf = Node::Leaf(1);
    let pair = [leaf, leaf];
    let keyed = Node::keyed(treedef!((*, *)).head(), &pair)?;
    let children = [Node::Tuple(&pair), keyed, Node::Tuple(&pair)];
    let mut bytes = [0; 64];
    let def = Flatten::new().structure_into(&Node::List(&children), &mut bytes)?;
    assert_eq!(def, treedef!([(*, *), (*, *), (*, *)]));
    Ok(())
}

/// Rows of columns, of which each row has its own name.
#[derive(Clone, Copy)]
enum Named<'n> {
    Rows(&'n [&'n str]),
    Row(&'n str),
    Column(&'n str),
    Leaf,
}

impl Object for Named<'_> {
    type Leaf = u8;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Named::Rows(rows) => open.list(rows.iter().map(|name| Named::Row(name))),
            Named::Row(name) => open.dict([(name, Named::Column(name)), ("~", Named::Leaf)]),
            Named::Column(name) => open.list(name.bytes().map(|_| Named::Leaf)),
            Named::Leaf => open.leaf(0),
        }
    }
}

#[test]
fn copies_after_rows_that_are_unlike_need_no_more_room_than_the_bound() -> Result<(), Error> {
    // Each of these rows is unlike the one before; copies of the last one follow.
    let (letters, options) =
        (["aa", "b", "c", "d", "ee", "f", "g", "h", "iii", "j"], Flatten::new());
    for (alike, unlike) in [(1, 10), (2, 7), (2, 10), (5, 10), (12, 3), (12, 9), (12, 10)] {
        let mut rows: Vec<_> = letters.into_iter().cycle().take(3 * unlike).collect();
        for count in 0..alike {
            rows.extend([letters[unlike - 1]].repeat(alike - count));
            rows.extend(letters.into_iter().take(unlike));
        }
        for len in 0..rows.len() {
            let object = Named::Rows(&rows[..len]);
            let (bound, mut others) = (options.structure_bound(object)?, [0; 8192]);
            // With a predicate, nothing is compared before it is written.
            let asked = options.is_leaf(|_| false).structure_into(object, &mut others)?;
            let mut bytes = vec![0; bound];
            assert_eq!(options.structure_into(object, &mut bytes)?, asked);
            assert_eq!(options.matches(object, asked), Ok(()));
        }
    }
    Ok(())
}

/// What a node is made of. Both dictionaries have the same keys; one has its children in another order.
#[derive(Clone, Debug)]
enum Model {
    Leaf,
    None,
    Some(Box<Model>),
    Tuple(Vec<Model>),
    List(Vec<Model>),
    Sorted([Box<Model>; 2]),
    Permuted([Box<Model>; 2]),
}

/// A few small models, so that siblings are often equal.
fn models() -> impl Strategy<Value = Model> {
    prop_oneof![4 => Just(Model::Leaf), 1 => Just(Model::None)].prop_recursive(4, 24, 4, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let runs = (vec(inner.clone(), 0..3), 1..4usize);
        let lists = runs.prop_map(|(parts, times)| {
            parts.into_iter().flat_map(|part| vec![part; times]).collect::<Vec<_>>()
        });
        prop_oneof![
            1 => boxed().prop_map(Model::Some),
            2 => lists.clone().prop_map(Model::Tuple),
            2 => lists.prop_map(Model::List),
            2 => [boxed(), boxed()].prop_map(Model::Sorted),
            2 => [boxed(), boxed()].prop_map(Model::Permuted),
            1 => boxed().prop_map(|one| Model::Permuted([one.clone(), one])),
        ]
    })
}

impl Model {
    /// The node, whose leaves are numbered from `next` on, in the order of the treedef.
    fn node(&self, next: &mut i32) -> Node<'static, i32> {
        fn leak<T>(value: T) -> &'static T {
            Box::leak(Box::new(value))
        }
        let mut all = |models: &[Model]| -> &'static [Node<'static, i32>] {
            leak(models.iter().map(|model| model.node(next)).collect::<Vec<_>>())
        };
        match self {
            Model::Leaf => {
                *next += 1;
                Node::Leaf(*next)
            }
            Model::None => Node::None,
            Model::Some(child) => Node::Some(leak(child.node(next))),
            Model::Tuple(children) => Node::Tuple(all(children)),
            Model::List(children) => Node::List(all(children)),
            Model::Sorted(children) => {
                let label = const { keyed(&tree!({"a": 0, "b": 0})) }.__label;
                let children = children.each_ref().map(|child| child.node(next));
                Node::Keyed(Keyed { __label: label, __children: leak(children) })
            }
            Model::Permuted(children) => {
                let label = const { keyed(&tree!({"b": 0, "a": 0})) }.__label;
                let [a, b] = children.each_ref().map(|child| child.node(next));
                Node::Keyed(Keyed { __label: label, __children: leak([b, a]) })
            }
        }
    }
}

/// The dictionary that a literal is.
const fn keyed<'n>(node: &Node<'n, i32>) -> Keyed<'n, i32> {
    match node {
        Node::Keyed(keyed) => *keyed,
        _ => panic!("no dictionary"),
    }
}

proptest! {
    /// With a predicate, each child is written, and then found equal to the one before.
    #[test]
    fn nodes_repeat_the_node_before_them_as_their_bytes_do(model in models(), other in models()) {
        let (node, other) = (model.node(&mut 0), other.node(&mut 0));
        let (options, asking) = (Flatten::new(), Flatten::new().is_leaf(|_| false));
        let (mut bytes, mut others) = ([0; 4096], [0; 4096]);
        let expected = asking.structure_into(&node, &mut others)?;
        let mut leaves = vec![0; expected.num_leaves()];
        let room = options.structure_bound(&node)?;
        prop_assert!(expected.as_bytes().len() <= room);
        let (def, count) = options.flatten_into(&node, &mut bytes[..room], &mut leaves)?;
        prop_assert_eq!((def, count), (expected, leaves.len()));
        prop_assert!(leaves.iter().copied().eq(1..=count as i32));
        leaves.fill(0);
        options.flatten_expected(&node, def, &mut leaves)?;
        prop_assert!(leaves.iter().copied().eq(1..=count as i32));
        // What differs is at the same node, however the siblings are compared.
        for (node, other) in [(&node, &other), (&other, &node)] {
            let def = asking.structure_into(other, &mut others)?;
            for levels in [1, 2, 3, 64] {
                let (options, asking) = (options.max_depth(levels), asking.max_depth(levels));
                prop_assert_eq!(options.matches(node, def), asking.matches(node, def));
            }
        }
    }

    /// As above, for trees that differ in one child of a list.
    #[test]
    fn a_sibling_that_is_no_copy_differs_where_its_bytes_do(
        one in models(),
        two in models(),
        counts in [0..4usize, 0..4, 0..4, 0..4],
    ) {
        let list = |[ones, twos]: [usize; 2]| {
            let mut siblings = vec![one.clone(); ones];
            siblings.extend(vec![two.clone(); twos]);
            siblings.resize(8, one.clone());
            Model::List(siblings).node(&mut 0)
        };
        let [a, b, c, d] = counts;
        let (node, other) = (list([a, b]), list([c, d]));
        let (options, asking) = (Flatten::new(), Flatten::new().is_leaf(|_| false));
        let mut others = [0; 8192];
        let def = asking.structure_into(&other, &mut others)?;
        for levels in [2, 3, 4, 64] {
            let (options, asking) = (options.max_depth(levels), asking.max_depth(levels));
            prop_assert_eq!(options.matches(&node, def), asking.matches(&node, def));
        }
    }
}
