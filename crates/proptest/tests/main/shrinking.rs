//! A failing property ends at the smallest tree that fails, wherever it started and within the runner's own limit.

use std::fmt::Debug;

use proptest::arbitrary::any;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use treedef::{Kind, TreeDef, Value, treedef};
use treedef_proptest::{
    AnyTreeDef, common_suffix_pairs, neighbours, prefix_pairs, transposable, treedefs, trees,
};

/// What the runner reports for a property, from each of 20 starts.
fn counterexamples<S: Strategy>(
    strategy: S,
    holds: impl Fn(&S::Value) -> bool,
) -> impl Iterator<Item = S::Value>
where
    S::Value: Debug,
{
    (0..20u8).map(move |seed| {
        // As many cases as it takes to fail; the limit of shrinking is that of a test with 256.
        let config = Config { cases: 20_000, max_shrink_iters: 1024, ..Config::default() };
        let config = Config { failure_persistence: None, ..config };
        let rng = TestRng::from_seed(RngAlgorithm::XorShift, &[seed + 1; 16]);
        let mut runner = TestRunner::new_with_rng(config, rng);
        let result = runner.run(&strategy, |value| match holds(&value) {
            true => Ok(()),
            false => Err(TestCaseError::fail("the property")),
        });
        match result {
            Err(TestError::Fail(_, value)) => value,
            other => panic!("no failure from seed {seed}: {other:?}"),
        }
    })
}

/// The least counterexample of a property of treedefs.
fn shrinks_to(least: TreeDef<'_>, holds: impl Fn(TreeDef<'_>) -> bool) {
    for any in counterexamples(treedefs(), |any| holds(any.as_treedef())) {
        assert_eq!(any.as_treedef(), least);
    }
}

/// Whether some node has a child of which this is true.
fn some_child(def: TreeDef<'_>, of: Kind, is: impl Fn(TreeDef<'_>) -> bool + Copy) -> bool {
    def.children().any(|child| def.kind() == of && is(child) || some_child(child, of, is))
}

#[test]
fn what_is_only_about_leaves_shrinks_to_a_flat_tuple() {
    shrinks_to(treedef!((*, *, *, *, *)), |def| def.num_leaves() < 5);
    shrinks_to(treedef!(*), |def| def.num_leaves() == 0);
    shrinks_to(treedef!(None), |def| def.num_leaves() > 0);
}

#[test]
fn a_dict_in_a_list_shrinks_to_nothing_around_it() {
    shrinks_to(treedef!([{}]), |def| {
        !some_child(def, Kind::List, |child| child.kind() == Kind::Dict)
    });
}

#[test]
fn depth_shrinks_to_a_chain() {
    shrinks_to(treedef!(((((*,),),),)), |def| {
        def.nodes().all(|node| node.is_ok_and(|node| node.depth < 4))
    });
}

/// Whether two siblings with leaves of their own are equal.
fn has_twins(def: TreeDef<'_>) -> bool {
    let units = def.children().filter(|child| !child.is_leaf() && child.num_leaves() > 0);
    let units: Vec<_> = units.collect();
    units.windows(2).any(|pair| pair[0] == pair[1]) || units.into_iter().any(has_twins)
}

#[test]
fn equal_siblings_shrink_to_two_of_one_leaf() {
    shrinks_to(treedef!(((*,), (*,))), |def| !has_twins(def));
}

/// Whether a dict has a key of more than two letters.
fn has_long_key(def: TreeDef<'_>) -> bool {
    let long = |key| matches!(key, Value::Str(text) if text.chars().count() > 2);
    def.kind() == Kind::Dict && def.head().keys().any(long) || def.children().any(has_long_key)
}

#[test]
fn a_key_shrinks_to_the_shortest_of_plain_letters() {
    shrinks_to(treedef!({"aaa": *}), |def| !has_long_key(def));
}

#[test]
fn static_data_shrinks_to_a_struct_without_a_name() {
    let bytes = [0x80, 0x04, 0x00, 0x00, 0x03, 0x14];
    let least = TreeDef::from_bytes(&bytes).unwrap();
    shrinks_to(least, |def| {
        let large = |(_, value)| matches!(value, Value::Int(i) if i > 9);
        def.nodes().all(|node| !node.unwrap().head.meta_fields().any(large))
    });
}

#[test]
fn a_tree_keeps_the_leaf_that_fails_and_drops_the_rest() {
    let in_a_list = |def: TreeDef<'_>, leaves: &[i32]| {
        def.paths().zip(leaves).any(|(path, leaf)| {
            let mut above = def;
            let on_the_way = path.entries().any(|entry| {
                let list = above.kind() == Kind::List;
                let at = above.head().entries().position(|own| own == entry);
                above = at.and_then(|i| above.child(i)).unwrap();
                list
            });
            on_the_way && *leaf > 1000
        })
    };
    let trees = trees(any::<i32>());
    for tree in counterexamples(trees, |tree| !in_a_list(tree.as_treedef(), tree.leaves())) {
        assert_eq!((tree.as_treedef(), tree.leaves()), (treedef!([*]), [1001].as_slice()));
    }
}

#[test]
fn prefixes_shrink_with_their_full_trees() {
    for (prefix, full) in counterexamples(prefix_pairs(), |(prefix, full)| prefix == full) {
        assert_eq!([prefix.as_treedef(), full.as_treedef()], [treedef!(*), treedef!(None)]);
    }
    // More than one leaf below a leaf of the prefix that is not its root.
    let spread = |prefix: TreeDef<'_>, full: TreeDef<'_>| {
        prefix.num_leaves() > 1 && full.num_leaves() > prefix.num_leaves()
    };
    let narrow =
        |pair: &(AnyTreeDef, AnyTreeDef)| !spread(pair.0.as_treedef(), pair.1.as_treedef());
    for (prefix, full) in counterexamples(prefix_pairs(), narrow) {
        let (prefix, full) = (prefix.as_treedef(), full.as_treedef());
        assert_eq!(prefix, treedef!((*, *)));
        assert!([treedef!((*, (*, *))), treedef!(((*, *), *))].contains(&full), "{full}");
    }
}

#[test]
fn two_prefixes_shrink_with_their_common_suffix() {
    type Three = (AnyTreeDef, AnyTreeDef, AnyTreeDef);
    let one_is_the_suffix = |(a, b, suffix): &Three| a == suffix || b == suffix;
    for (a, b, suffix) in counterexamples(common_suffix_pairs(), one_is_the_suffix) {
        let mut pair = [a.as_treedef(), b.as_treedef()];
        pair.sort();
        assert_eq!(pair, [treedef!((*, None)), treedef!((None, *))]);
        assert_eq!(suffix.as_treedef(), treedef!((None, None)));
    }
    let few_leaves = |(_, _, tree): &Three| tree.as_treedef().num_leaves() < 6;
    for (outer, inner, tree) in counterexamples(transposable(), few_leaves) {
        let sizes = [&outer, &inner, &tree].map(|any| any.as_treedef().num_nodes());
        let least = [[3, 4, 9], [4, 3, 10], [1, 7, 7], [7, 1, 7]];
        assert!(least.contains(&sizes), "{outer:?} {inner:?}");
    }
}

#[test]
fn neighbours_shrink_to_a_few_nodes() {
    for (a, b) in counterexamples(neighbours(), |_| false) {
        // Two children that change places are the most.
        let nodes = a.as_treedef().num_nodes() + b.as_treedef().num_nodes();
        assert!(nodes <= 6, "{a:?} {b:?}");
    }
}
