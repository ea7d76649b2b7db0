//! `structure_bound`: always enough room, and never more than with all repeats written out.
#![cfg(feature = "alloc")]

use proptest::prelude::*;
use proptest::sample::Index;
use treedef::algebra::Change;
use treedef::dynamic::{Flatten, unflatten_into, unflatten_len};
use treedef::encode::structure_bound;
use treedef::head::{DictKind, head_into};
use treedef::tree::{HasSchema, Structure};
use treedef::{Error, Kind, Node, Object, TreeDef, TreeDefBox, View, Writer, head, structure_into};
use treedef_proptest::{common_suffix_pairs, prefix_pairs, transposable, treedefs, trees};

use crate::bridge::{Style, Typed};
use crate::dynamic::json::Json;
use crate::properties::law;
use crate::support::decode::decode;

/// Trees for each law where nothing else is said; the exhaustive tests take more.
const CASES: u32 = 400;

/// The length of a treedef with all repeats written out.
fn plain(def: TreeDef<'_>) -> usize {
    if def.is_leaf() {
        return 1;
    }
    let (mut len, mut leaves) = (def.head().as_bytes().len(), 0);
    for child in def.children() {
        if child.is_leaf() {
            leaves += 1;
        } else {
            len += run(leaves) + plain(child);
            leaves = 0;
        }
    }
    len + run(leaves)
}

/// The bytes of a head with a count and no block.
fn head(count: usize) -> usize {
    1 + count.checked_sub(31).map_or(0, varint)
}

/// The bytes of a run of leaves.
fn run(count: usize) -> usize {
    count.checked_sub(1).map_or(0, head)
}

/// The bytes of a number in the format.
fn varint(value: usize) -> usize {
    [128, 16_512, 2_113_664, 270_549_120].iter().filter(|first| value >= **first).count() + 1
}

/// A buffer of the bound holds what is written, which with all repeats written out is no shorter than the bound.
fn check(structure: &(impl Structure + ?Sized), what: &str) -> TreeDefBox {
    let bound = structure_bound(structure).unwrap();
    let mut bytes = vec![0xA5; bound];
    let def =
        structure_into(structure, &mut bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
    let (written, most) = (def.as_bytes().len(), plain(def));
    assert!(written <= bound && bound <= most, "{what}: {written} <= {bound} <= {most}: {def}");
    let short = structure_into(structure, &mut vec![0; written - 1]).unwrap_err();
    assert_eq!(short, Error::Full { room: written - 1 }, "{what}");
    let boxed = treedef::structure(structure).unwrap();
    assert_eq!(boxed.as_treedef(), def, "{what}");
    boxed
}

/// The same for an object.
fn check_object<O: Object>(object: O, what: &str) {
    let options = Flatten::new().max_depth(1000);
    let bound = options.structure_bound(object).unwrap();
    let mut bytes = vec![0xA5; bound];
    let def = options
        .structure_into(object, &mut bytes)
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    let (written, most) = (def.as_bytes().len(), plain(def));
    assert!(written <= bound && bound <= most, "{what}: {written} <= {bound} <= {most}: {def}");
    let mut short = vec![0; written - 1];
    let short = options.structure_into(object, &mut short);
    assert_eq!(short, Err(Error::Full { room: written - 1 }), "{what}");
}

fn typed_trees(cases: u32) {
    law(cases, treedefs(), |any| {
        let def = decode(any.as_treedef().as_bytes()).unwrap();
        for style in Style::ALL {
            let found = check(&Typed(&def, style), "typed");
            assert_eq!(found.as_treedef(), any.as_treedef());
        }
    });
}

fn dynamic_trees(cases: u32) {
    law(cases, trees(any::<i32>()), |tree| {
        let view = tree.as_view();
        check_object(view, "a view");
        let mut slab = vec![Node::None; unflatten_len(tree.as_treedef())];
        let node = unflatten_into(tree.as_treedef(), tree.leaves(), &mut slab).unwrap();
        check_object(&node, "nodes");
        // As leaves, with objects that are not compared.
        let options = || Flatten::new().is_leaf(|node: &Node<'_, i32>| node.kind() == Kind::Tuple);
        let mut bytes = vec![0; options().structure_bound(&node).unwrap()];
        options().structure_into(&node, &mut bytes).unwrap();
    });
}

fn operations(cases: u32) {
    let several =
        (treedefs(), treedefs(), prop::collection::vec(any::<bool>(), 64), any::<Index>());
    law(cases, several, |(a, b, marks, index)| {
        let (a, b) = (a.as_treedef(), b.as_treedef());
        check(&a.compose(TreeDef::LEAF), "compose with a leaf");
        check(&a.compose(TreeDef::NONE), "compose with None");
        check(&a.transform(|_| Ok(Change::Keep)), "transform, nothing");
        let each = |head: treedef::Head<'_>| match head.kind() {
            Kind::Leaf => Ok(Change::Subtree(b)),
            _ => Ok(Change::Keep),
        };
        if a.num_leaves() * b.num_nodes() < 100_000 {
            check(&a.compose(b), "compose");
            check(&a.transform(each), "transform");
        }
        let kept: Vec<_> = marks.iter().copied().cycle().take(a.num_leaves()).collect();
        check(&a.leaves_to_none(&kept), "masked");
        check(&a.leaves_to_none(&vec![true; kept.len()]), "masked, all kept");
        check(&a.leaves_to_none(&vec![false; kept.len()]), "masked, none kept");
        check(&a.nones_as_leaves(), "nones_as_leaves");
        let children: Vec<_> = marks.iter().map(|mark| if *mark { a } else { b }).collect();
        check(&children.as_slice(), "treedefs of two");
        check(&[a, a, b, a].as_slice(), "a slice of treedefs");
        let node = index.index(a.num_nodes());
        let found = a.find_at(way(a, node)).unwrap();
        check(&a.replace([(found, b)]).unwrap(), "replace");
    });
}

/// The indices of the children on the way to a node.
fn way(def: TreeDef<'_>, mut node: usize) -> Vec<usize> {
    let mut path = Vec::new();
    let mut at = def;
    while node > 0 {
        node -= 1;
        for (index, child) in at.children().enumerate() {
            if node < child.num_nodes() {
                path.push(index);
                at = child;
                break;
            }
            node -= child.num_nodes();
        }
    }
    path
}

fn pairs(cases: u32) {
    law(cases, prefix_pairs(), |(prefix, full)| {
        let (prefix, full) = (prefix.as_treedef(), full.as_treedef());
        check(&prefix.common_suffix(full), "common suffix of a prefix");
        check(&full.common_suffix(prefix), "common suffix with a prefix");
    });
    law(cases, common_suffix_pairs(), |(first, second, _)| {
        check(&first.as_treedef().common_suffix(second.as_treedef()), "common suffix");
    });
    law(cases, transposable(), |(outer, inner, _)| {
        check(&outer.as_treedef().compose(inner.as_treedef()), "composed");
    });
}

#[test]
fn a_bound_is_enough_for_typed_trees() {
    typed_trees(CASES);
}

#[test]
fn a_bound_is_enough_for_dynamic_trees() {
    dynamic_trees(CASES);
}

#[test]
fn a_bound_is_enough_for_what_operations_make() {
    operations(CASES);
    pairs(CASES);
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
fn a_bound_is_enough_for_tens_of_thousands_of_trees() {
    typed_trees(10_000);
    dynamic_trees(20_000);
    operations(4_000);
    pairs(10_000);
}

/// A step of a list that is described by hand.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Leaves, in two calls.
    Leaves(usize, usize),
    None,
    /// A tuple of tuples, the last with this many leaves.
    Unit(usize, usize),
    /// The same as a whole.
    AsLeaf(usize),
    /// More copies of the child before.
    Copies(usize),
}

/// A list of what the steps describe.
struct Steps<'a>(&'a [Step]);

impl Steps<'_> {
    fn children(&self) -> usize {
        let children = |step: &Step| match *step {
            Step::Leaves(first, second) => first + second,
            Step::Copies(count) => count,
            _ => 1,
        };
        self.0.iter().map(children).sum()
    }
}

impl HasSchema for Steps<'_> {}

impl Structure for Steps<'_> {
    fn describe(&self, out: &mut Writer<'_>) {
        out.node(&head::List(self.children()), |out| {
            for step in self.0 {
                match *step {
                    Step::Leaves(first, second) => {
                        out.leaves(first);
                        out.leaves(second);
                    }
                    Step::None => out.none(),
                    Step::Unit(depth, leaves) => unit(out, depth, leaves),
                    Step::AsLeaf(leaves) => {
                        let mut bytes = [0; 16];
                        let def = structure_into(&Steps(&[Step::Leaves(leaves, 0)]), &mut bytes);
                        out.subtree(def.unwrap());
                    }
                    Step::Copies(count) => out.repeat(count),
                }
            }
        });
    }
}

fn unit(out: &mut Writer<'_>, depth: usize, leaves: usize) {
    out.node(&head::Tuple(if depth > 0 { 1 } else { leaves }), |out| match depth.checked_sub(1) {
        Some(depth) => unit(out, depth, leaves),
        None => out.leaves(leaves),
    });
}

/// Counts where a number takes a byte more, and those beside them.
fn counts() -> impl Strategy<Value = usize> {
    let edges = prop::sample::select(vec![0, 1, 2, 31, 32, 33, 127, 128, 129, 159, 160, 161]);
    let large = prop::sample::select(vec![16_511, 16_512, 16_543, 16_544, 16_545]);
    prop_oneof![8 => edges, 1 => large]
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        (counts(), counts()).prop_map(|(first, second)| Step::Leaves(first, second)),
        Just(Step::None),
        (0..3usize, 0..3usize).prop_map(|(depth, leaves)| Step::Unit(depth, leaves)),
        (0..2usize, counts()).prop_map(|(depth, leaves)| Step::Unit(depth, leaves)),
        counts().prop_map(Step::AsLeaf),
        counts().prop_map(Step::Copies),
        (0..4usize).prop_map(Step::Copies),
    ]
}

/// Units that are often the same, so that copies that are announced and copies that are found meet.
fn similar() -> impl Strategy<Value = Vec<Step>> {
    let one = (0..3usize, counts()).prop_flat_map(|(depth, leaves)| {
        let own = prop_oneof![
            4 => Just(Step::Unit(depth, leaves)),
            2 => counts().prop_map(Step::Copies),
            2 => (0..4usize).prop_map(Step::Copies),
            1 => Just(Step::None),
            1 => Just(Step::Unit(depth, leaves + 1)),
        ];
        prop::collection::vec(own, 0..40)
    });
    prop_oneof![one, prop::collection::vec(steps(), 0..20)]
}

/// The sum of what the steps take when every copy is written out.
fn expanded(steps: &[Step]) -> usize {
    let (mut len, mut leaves, mut last) = (head(Steps(steps).children()), 0, 0);
    for step in steps {
        let node = match *step {
            Step::Leaves(first, second) => {
                leaves += first + second;
                if first + second > 0 {
                    last = 0;
                }
                continue;
            }
            Step::Copies(count) if last == 0 => {
                leaves += count;
                continue;
            }
            Step::Copies(count) => {
                len += last * count;
                continue;
            }
            Step::None => 1,
            Step::Unit(depth, leaves) => depth + head(leaves) + run(leaves),
            Step::AsLeaf(leaves) => head(leaves) + run(leaves),
        };
        len += run(leaves) + node;
        (leaves, last) = (0, node);
    }
    len + run(leaves)
}

fn described_steps(cases: u32) {
    law(cases, similar(), |steps| {
        let tree = Steps(&steps);
        let bound = structure_bound(&tree).unwrap();
        assert!(bound <= expanded(&steps), "{bound} {}: {steps:?}", expanded(&steps));
        let mut bytes = vec![0; bound];
        let def =
            structure_into(&tree, &mut bytes).unwrap_or_else(|error| panic!("{error}: {steps:?}"));
        assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
    });
}

#[test]
fn a_bound_is_enough_where_copies_are_announced_and_found() {
    described_steps(3_000);
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
fn a_bound_is_enough_wherever_copies_are_announced_and_found() {
    described_steps(200_000);
}

/// An element with more choices than a reader keeps for copies: few values, so that neighbours are often equal.
fn many_choices() -> impl Strategy<Value = ManyChoices> {
    let row = || {
        (any::<bool>(), 0..20usize).prop_map(|(is_some, at)| {
            let mut row = [is_some.then_some(1.0); 20];
            row[at] = if at < 4 { Some(2.0) } else { row[at] };
            row
        })
    };
    let lists = prop::collection::vec((0..3usize).prop_map(|len| vec![Some(0.5); len]), 0..4);
    (row(), prop::collection::vec(row(), 0..3), lists)
}

type ManyChoices = ([Option<f32>; 20], Vec<[Option<f32>; 20]>, Vec<Vec<Option<f32>>>);

#[test]
fn a_bound_is_enough_for_elements_with_many_choices() {
    let lists = prop::collection::vec((many_choices(), 1..5usize), 0..5);
    law(CASES, lists, |lists| {
        let list = lists.into_iter().flat_map(|(one, count)| vec![one; count]).collect::<Vec<_>>();
        let [first, second] = [check(&list, "a list"), check(&(&list[..], &list[..]), "a pair")];
        assert!(first.as_treedef().as_bytes().len() < second.as_treedef().as_bytes().len());
        check(&vec![list.clone(); 3], "lists");
    });
}

#[test]
fn what_is_known_to_repeat_counts_as_written() {
    let unit = |count| Steps(Box::leak(Box::new([Step::Unit(0, 2), Step::Copies(count)])));
    // A list, a tuple with its run, a repeat.
    assert_eq!(structure_bound(&unit(0)), Ok(1 + 2));
    assert_eq!(structure_bound(&unit(29)), Ok(1 + 2 + 2));
    assert_eq!(structure_bound(&unit(1000)), Ok(3 + 2 + 4));
    // Copies that are announced in parts are one repeat.
    let parts = [Step::Unit(0, 2), Step::Copies(20), Step::Copies(20), Step::Copies(1)];
    assert_eq!(structure_bound(&Steps(&parts)), Ok(2 + 2 + 3));
    // Leaves are one run, from however many calls.
    let leaves = [Step::Leaves(10, 10), Step::Leaves(10, 0)];
    assert_eq!(structure_bound(&Steps(&leaves)), Ok(1 + 1));
    // Elements of a fixed type, and objects that are seen to be alike.
    assert_eq!(structure_bound(&[(1.0f32, 2.0f32); 1000]), Ok(9));
    let mut bytes = [0; 16];
    let head =
        head_into(&head::Dict::new(DictKind::Sorted, ["bias", "weight"]), &mut bytes).unwrap();
    let leaves = [Node::Leaf(1), Node::Leaf(2)];
    let dicts = [Node::keyed(head, &leaves).unwrap(); 1000];
    let list = Node::List(&dicts);
    let mut bytes = [0; 64];
    let def = Flatten::new().structure_into(&list, &mut bytes).unwrap();
    assert_eq!(Flatten::new().structure_bound(&list), Ok(def.as_bytes().len()));
}

#[test]
fn a_bound_is_that_of_the_largest_treedef_at_most() {
    // Each is described, none is copied: ten gigabytes of heads.
    struct Wide;
    impl HasSchema for Wide {}

    impl Structure for Wide {
        fn describe(&self, out: &mut Writer<'_>) {
            let key = "k".repeat(10_000_000);
            out.node(&head::List(1000), |out| {
                for _ in 0..1000 {
                    let dict = head::Dict::new(DictKind::Sorted, [key.as_str()]);
                    out.node(&dict, |out| out.leaves(1));
                }
            });
        }
    }
    assert_eq!(structure_bound(&Wide), Ok(u32::MAX as usize));
}

/// A row of the table in `benches/README.md`: bytes written, bounds by who describes, bytes with repeats written out.
fn row(name: &str, json: &serde_json::Value) -> String {
    let object = Flatten::new().structure_bound(Json(json)).unwrap();
    let mut leaves = vec![json; Flatten::new().num_leaves(Json(json)).unwrap()];
    let mut bytes = vec![0; object];
    let (def, _) = Flatten::new().flatten_into(Json(json), &mut bytes, &mut leaves).unwrap();
    let mut slab = vec![Node::None; unflatten_len(def)];
    let nodes = unflatten_into(def, &leaves, &mut slab).unwrap();
    let view = View::new(def, &leaves).unwrap();
    check_object(Json(json), name);
    check_object(&nodes, name);
    check_object(view, name);
    let bounds = [
        def.as_bytes().len(),
        object,
        Flatten::new().structure_bound(&nodes).unwrap(),
        Flatten::new().structure_bound(view).unwrap(),
        structure_bound(&def.compose(TreeDef::LEAF)).unwrap(),
        structure_bound(&def.leaves_to_none(&vec![true; leaves.len()])).unwrap(),
        plain(def),
    ];
    let bounds: Vec<_> = bounds.iter().map(usize::to_string).collect();
    format!("| `{name}` | {} |", bounds.join(" | "))
}

#[test]
fn the_bounds_of_the_examples_are_those_of_the_table() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let mut files: Vec<_> = std::fs::read_dir(format!("{root}examples/data"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    let rows: Vec<_> = files
        .iter()
        .map(|file| {
            let json = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
            row(file.file_stem().unwrap().to_str().unwrap(), &json)
        })
        .collect();
    let table = rows.join("\n");
    println!("{table}");
    let readme = std::fs::read_to_string(format!("{root}benches/README.md")).unwrap();
    assert!(
        rows.len() > 5 && readme.contains(&table),
        "benches/README.md has another table than:\n{table}"
    );
}
