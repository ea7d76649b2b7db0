//! How two keys differ: which parts, and in which words.

use std::collections::BTreeMap;

use proptest::prelude::*;
use treedef::cache::{Dtype, KeyWriter, Part};
use treedef::head::DictKind;
use treedef::{CallKey, Error, TreeDef, Writer, head, treedef};

use super::own::{Own, bytes, edit, part};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn keys_differ_in_a_part_exactly_if_they_are_unequal(
        parts in prop::collection::vec(part(), 1..6),
        edits in prop::collection::vec((0usize..7, any::<usize>(), part()), 0..3),
    ) {
        let mut edited = parts.clone();
        for (which, at, other) in &edits {
            if !edited.is_empty() {
                edit(&mut edited, *which, *at, other);
            }
        }
        let (known, called) = (bytes(&parts), bytes(&edited));
        let known = CallKey::from_bytes(&known)?;
        let called = CallKey::from_bytes(&called)?;
        prop_assert_eq!(known.differences(called).next().is_none(), known == called);
        prop_assert_eq!(known.differences(called).summary().to_string() == "no differences", known == called);
        let (all, of_called): (Vec<_>, Vec<_>) = (known.parts().collect(), called.parts().collect());
        let (mut expected, mut found) = (0, 0);
        for difference in known.differences(called) {
            prop_assert_ne!(difference.expected(), difference.found());
            match (difference.expected(), difference.found()) {
                (Some(part), _) => prop_assert_eq!(Some(&part), all.get(difference.index())),
                (None, Some(part)) => prop_assert_eq!(Some(&part), of_called.get(difference.index())),
                (None, None) => prop_assert!(false, "no part at all"),
            }
            expected += usize::from(difference.expected().is_some());
            found += usize::from(difference.found().is_some());
            prop_assert!(!difference.to_string().is_empty());
        }
        // What is not told is in both.
        prop_assert_eq!(all.len() - expected, of_called.len() - found);
        // From the other key there are as many.
        prop_assert_eq!(called.differences(known).count(), known.differences(called).count());
    }
}

/// A dictionary with some of six keys: of leaves, lists of leaves and Nones, each leaf with the size of its array.
fn dict() -> impl Strategy<Value = BTreeMap<String, Option<Vec<usize>>>> {
    let child = prop::option::of(prop::collection::vec(0usize..3, 0..4));
    prop::collection::btree_map("[a-f]", child, 0..6)
}

/// The key of such a tree and the array of each path. A list of one leaf stands for the leaf itself.
fn key_of(
    dict: &BTreeMap<String, Option<Vec<usize>>>,
) -> (CallKey<'static>, BTreeMap<String, Own>) {
    let (mut bytes, mut arrays) = ([0; 128], BTreeMap::new());
    let mut builder = Writer::new(&mut bytes);
    let root = builder.begin(&head::Dict::new(DictKind::Sorted, dict.keys().map(String::as_str)));
    for (name, child) in dict {
        let sizes = child.as_deref().unwrap_or_default();
        match (child, sizes) {
            (None, _) => builder.none(),
            (_, [_]) => builder.leaves(1),
            _ => {
                let list = builder.begin_list(sizes.len());
                builder.leaves(sizes.len());
                builder.end(list);
            }
        }
        for (index, size) in sizes.iter().enumerate() {
            let index = if sizes.len() == 1 { String::new() } else { format!("[{index}]") };
            arrays.insert(format!("['{name}']{index}"), array(&[*size]));
        }
    }
    builder.end(root);
    let def = structure(builder.finish().unwrap());
    let parts: Vec<Own> = core::iter::once(def).chain(arrays.values().cloned()).collect();
    (key(&parts), arrays)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn arrays_differ_where_the_leaf_of_a_path_has_another_one(known in dict(), called in dict()) {
        let ((known, own), (called, others)) = (key_of(&known), key_of(&called));
        let shown = |array: Option<&Own>| array.map(|array| key(core::slice::from_ref(array)).parts().to_string());
        let mut expected: Vec<_> = own
            .iter()
            .filter(|(path, array)| others.get(*path) != Some(array))
            .map(|(path, array)| (path.clone(), shown(Some(array)), shown(others.get(path))))
            .collect();
        let more = others.iter().filter(|(path, _)| !own.contains_key(*path));
        expected.extend(more.map(|(path, array)| (path.clone(), None, shown(Some(array)))));
        let text = |part: Option<Part<'_>>| part.map(|part| part.to_string());
        let told: Vec<_> = known
            .differences(called)
            .filter_map(|told| Some((told.path()?.to_string(), text(told.expected()), text(told.found()))))
            .collect();
        prop_assert_eq!(told, expected);
        prop_assert_eq!(known.differences(called).next().is_none(), known == called);
    }
}

/// A key of these parts, in memory that stays.
fn key(parts: &[Own]) -> CallKey<'static> {
    CallKey::from_bytes(bytes(parts).leak()).expect("just written")
}

fn array(shape: &[usize]) -> Own {
    Own::Array(Dtype::Float32, false, shape.to_vec())
}

fn structure(def: TreeDef<'_>) -> Own {
    Own::TreeDef(def.as_bytes().to_vec())
}

/// The lines of all differences.
fn told(known: &[Own], called: &[Own]) -> Vec<String> {
    key(known).differences(key(called)).map(|difference| difference.to_string()).collect()
}

#[test]
fn rows_of_one_kind_line_up_behind_a_row_that_is_longer() {
    let pair = structure(treedef!((*, *)));
    let known = [pair.clone(), array(&[3]), Own::Int(1), Own::Text("f".into())];
    let more = [pair.clone(), array(&[3]), array(&[4]), Own::Int(1), Own::Text("g".into())];
    assert_eq!(
        told(&known, &more),
        ["part 2: unexpected float32[4]", "part 3: expected 'f', found 'g'"]
    );
    assert_eq!(
        told(&more, &known),
        ["part 2: missing float32[4]", "part 4: expected 'g', found 'f'"]
    );
    assert_eq!(told(&known, &known[..3]), ["part 3: missing 'f'"]);
    assert_eq!(told(&[], &known[2..]), ["part 0: unexpected 1", "part 1: unexpected 'f'"]);
    // Parts of two kinds at one place, of which neither goes on with a row.
    let other = [pair, Own::Bytes(vec![7]), Own::Int(1), Own::Text("f".into())];
    assert_eq!(told(&known, &other), [r"part 1: expected float32[3], found b'\x07'"]);
}

#[test]
fn structures_are_told_by_their_own_differences() {
    let known = [structure(treedef!([*, {"b": *, "w": (*, *)}])), structure(TreeDef::LEAF)];
    let called = [structure(treedef!([*, {"b": None, "w": [*, *]}])), structure(TreeDef::NONE)];
    let expected = [
        "part 0: 2 differences; expected 4 leaves, found 3:\n  at [1]['b']: expected a leaf, found None\n  \
         at [1]['w']: expected a tuple of 2, found a list of 2",
        "part 1: 1 difference; expected 1 leaf, found 0:\n  at the root: expected a leaf, found None",
    ];
    assert_eq!(told(&known, &called), expected);
}

/// A structure with these arrays behind it.
fn tree(def: TreeDef<'_>, shapes: &[&[usize]]) -> Vec<Own> {
    core::iter::once(structure(def)).chain(shapes.iter().map(|shape| array(shape))).collect()
}

#[test]
fn arrays_of_leaves_are_told_by_the_paths_of_the_leaves() {
    let def = treedef!({"layers": [(*, *), (*, *)], "step": *});
    let known = tree(def, &[&[1], &[2], &[1], &[2], &[]]);
    let called = tree(def, &[&[1], &[2], &[1], &[3], &[]]);
    let wide = "part 4 at ['layers'][1][1]: expected float32[2], found float32[3]";
    assert_eq!(told(&known, &called), [wide]);
    // A second structure, and parts behind it, are where they are.
    let both = |first: &[Own], second: &[Own]| {
        [first, second, &[Own::Int(1), Own::Int(second.len() as i64)]].concat()
    };
    assert_eq!(
        told(
            &both(&known, &tree(TreeDef::LEAF, &[&[7]])),
            &both(&called, &tree(TreeDef::LEAF, &[&[8]]))
        ),
        [wide, "part 7: expected float32[7], found float32[8]"]
    );
    assert_eq!(
        key(&known)
            .differences(key(&called))
            .map(|difference| difference.index())
            .collect::<Vec<_>>(),
        [4]
    );
    // Fewer arrays than leaves are nobody's, more are only the first ones.
    assert_eq!(told(&known[..5], &called[..5]), ["part 4: expected float32[2], found float32[3]"]);
    let more = [known.as_slice(), &[array(&[9])]].concat();
    assert_eq!(told(&known, &more), ["part 6: unexpected float32[9]"]);
    assert_eq!(told(&more, &known), ["part 6: missing float32[9]"]);
}

#[test]
fn arrays_of_unlike_structures_are_compared_by_path() {
    let known = tree(treedef!({"b": *, "w": (*, *)}), &[&[1], &[2], &[3]]);
    let called = tree(treedef!({"a": *, "b": *, "w": (*, None)}), &[&[9], &[1], &[4]]);
    let lines = told(&known, &called);
    assert!(lines[0].starts_with("part 0: "), "{lines:?}");
    assert_eq!(
        lines[1..],
        [
            "part 2 at ['w'][0]: expected float32[2], found float32[4]",
            "part 3 at ['w'][1]: missing float32[3]",
            "part 1 at ['a']: unexpected float32[9]",
        ]
    );
    // A Some around a leaf makes no difference to its array.
    let wrapped = [0x42, 0xC1, 1, 0, 0x00, 0xC1, 1, 0, 0xC1, 1, 0, 0x00];
    let wrapped = TreeDef::from_bytes(&wrapped).unwrap(); // [Some(*), Some(Some(*))]
    let [bare, wrapped] = [treedef!([*, *]), wrapped].map(|def| tree(def, &[&[1], &[2]]));
    assert_eq!(told(&bare, &wrapped).len(), 1);
    assert_eq!(told(&wrapped, &bare).len(), 1);
    // All structures first: nobody says which arrays are whose.
    let [first, second] = [treedef!({"x": *}), treedef!({"y": *})].map(structure);
    let both = |size| [first.clone(), second.clone(), array(&[size]), array(&[2])];
    assert_eq!(told(&both(1), &both(3)), ["part 2: expected float32[1], found float32[3]"]);
    // Lists of any two lengths, lists and tuples, and dictionaries with keys in one order.
    let list = |count| {
        let mut bytes = [0; 16];
        let mut builder = Writer::new(&mut bytes);
        let list = builder.begin_list(count);
        builder.leaves(count);
        builder.end(list);
        tree(builder.finish().unwrap(), &vec![[1].as_slice(); count])
    };
    assert_eq!(told(&list(1025), &list(1024))[1..], ["part 1025 at [1024]: missing float32[1]"]);
    assert_eq!(
        told(&list(2), &tree(treedef!((*, *, *)), &[&[1], &[2], &[3]]))[1..],
        [
            "part 2 at [1]: expected float32[1], found float32[2]",
            "part 3 at [2]: unexpected float32[3]",
        ]
    );
    let ordered = |keys: &[&str], shapes: &[&[usize]]| {
        let mut bytes = [0; 32];
        let mut builder = Writer::new(&mut bytes);
        let dict = builder.begin(&head::Dict::new(DictKind::Ordered, keys.iter().copied()));
        builder.leaves(keys.len());
        builder.end(dict);
        tree(builder.finish().unwrap(), shapes)
    };
    let dict = tree(treedef!({"a": *, "b": *, "c": [*]}), &[&[1], &[2], &[3]]);
    assert_eq!(
        told(&dict, &ordered(&["b", "c", "d"], &[&[2], &[4], &[5]]))[1..],
        [
            "part 1 at ['a']: missing float32[1]",
            "part 3 at ['c'][0]: missing float32[3]",
            "part 2 at ['c']: unexpected float32[4]",
            "part 3 at ['d']: unexpected float32[5]",
        ]
    );
    // Keys that changed places: only the structures differ, and one array.
    let (ab, ba) = (ordered(&["a", "b"], &[&[1], &[2]]), ordered(&["b", "a"], &[&[2], &[1]]));
    assert_eq!(told(&ab, &ba).len(), 1);
    let other = ordered(&["b", "a"], &[&[2], &[7]]);
    assert_eq!(told(&ab, &other)[1..], ["part 1 at ['a']: expected float32[1], found float32[7]"]);

    let without = tree(TreeDef::NONE, &[]);
    assert_eq!(
        told(&without, &tree(TreeDef::LEAF, &[&[5]]))[1..],
        ["part 1: unexpected float32[5]"]
    );
}

#[test]
fn a_summary_has_five_parts_at_most() {
    let ints = |from: i64, count: i64| (from..from + count).map(Own::Int).collect::<Vec<_>>();
    let summary = |count| key(&ints(0, count)).differences(key(&ints(10, count))).summary();
    assert_eq!(summary(0).to_string(), "no differences");
    assert_eq!(
        summary(2).to_string(),
        "part 0: expected 0, found 10\npart 1: expected 1, found 11"
    );
    assert_eq!(summary(5).to_string().lines().count(), 5);
    assert!(summary(6).to_string().ends_with("part 4: expected 4, found 14\nand 1 more part"));
    assert!(summary(9).to_string().ends_with("\nand 4 more parts"));
}

#[test]
fn differences_show_both_sides() -> Result<(), Error> {
    let (known, mut bytes) = (CallKey::of(TreeDef::LEAF), [0; 8]);
    let mut writer = KeyWriter::new(&mut bytes);
    writer.treedef(TreeDef::LEAF).meta(&true);
    let called = writer.finish()?;
    let differences = known.differences(called);
    assert_eq!(
        format!("{differences:?}"),
        "KeyDifferences { expected: Side { read: 0 }, found: Side { read: 0 } }"
    );
    let difference = differences.clone().next().expect("one more part");
    assert_eq!(
        format!("{difference:?}"),
        "KeyDifference { index: 1, expected: None, found: Some(True) }"
    );
    assert_eq!((difference.index(), difference.expected()), (1, None));
    assert!(matches!(difference.found(), Some(Part::Value(_))));
    Ok(())
}

fn named(names: &[(&str, i64)]) -> Vec<Own> {
    Vec::from_iter(names.iter().map(|(name, int)| Own::Named((*name).into(), *int)))
}

#[test]
fn named_parts_in_another_order_are_said_to_be_so() {
    let summary = |known: &[Own], called: &[Own]| {
        let (known, called) = (bytes(known), bytes(called));
        let keys = [&known, &called].map(|bytes| CallKey::from_bytes(bytes).unwrap());
        keys[0].differences(keys[1]).summary().to_string()
    };
    let (ordered, turned) = (named(&[("a", 0), ("b", 1)]), named(&[("b", 1), ("a", 0)]));
    let order = "the same parts in another order";
    assert_eq!(summary(&ordered, &turned), order);
    let with = |parts: &[Own], ints: [i64; 2]| {
        let [first, last] = ints.map(Own::Int);
        [&[first], &parts[..1], &[last], &parts[1..]].concat()
    };
    assert_eq!(summary(&with(&ordered, [1, 2]), &with(&turned, [1, 2])), order);
    assert_ne!(summary(&with(&ordered, [1, 2]), &with(&turned, [2, 1])), order);
    assert_ne!(summary(&ordered, &named(&[("b", 1), ("a", 5)])), order);
    assert_ne!(
        summary(&named(&[("a", 0), ("a", 0), ("b", 1)]), &named(&[("b", 1), ("b", 1), ("a", 0)])),
        order
    );
    assert_ne!(summary(&ordered, &named(&[("b", 1), ("a", 0), ("c", 2)])), order);
    assert_ne!(summary(&named(&[("b", 1), ("a", 0), ("c", 2)]), &ordered), order);
    let many: Vec<_> = (0..64).map(|at| (format!("part {at:02}"), at)).collect();
    let many: Vec<_> = many.iter().map(|(name, int)| (name.as_str(), *int)).collect();
    let back: Vec<_> = many.iter().copied().rev().collect();
    assert_eq!(summary(&named(&many), &named(&back)), order);
}

#[test]
fn named_parts_are_compared_by_name() {
    let known = named(&[("device", 0), ("layout", 1), ("sharding", 2)]);
    let called = named(&[("device", 1), ("sharding", 2)]);
    assert_eq!(
        told(&known, &called),
        ["part 0: expected device=0, found device=1", "part 1: missing layout=1"]
    );
    let more =
        named(&[("compiler", 7), ("device", 0), ("flag", 3), ("layout", 4), ("sharding", 2)]);
    assert_eq!(
        told(&known, &more),
        [
            "part 0: unexpected compiler=7",
            "part 2: unexpected flag=3",
            "part 1: expected layout=1, found layout=4"
        ]
    );
    // Another name, and another order.
    assert_eq!(
        told(&named(&[("a", 0), ("c", 1)]), &named(&[("b", 0), ("c", 1)])),
        ["part 0: missing a=0", "part 0: unexpected b=0"]
    );
    assert_eq!(
        told(&named(&[("a", 0), ("b", 1)]), &named(&[("b", 1), ("a", 0)])),
        ["part 0: missing a=0", "part 1: unexpected a=0"]
    );
    // From the other key there are as many.
    let (sorted, turned) = ([("a", 0), ("b", 1), ("c", 2)], [("c", 2), ("a", 0), ("b", 1)]);
    let told_both =
        [told(&named(&sorted), &named(&turned)), told(&named(&turned), &named(&sorted))];
    assert_eq!(told_both.map(|lines| lines.len()), [4, 4]);
    // Beside a part without a name.
    let mut last = called.clone();
    last.push(Own::Int(5));
    assert_eq!(told(&called, &last), ["part 2: unexpected 5"]);
}

#[test]
fn a_symbolic_dimension_is_explained_at_the_path_of_its_leaf() {
    let def = structure(treedef!({"b": *, "x": *}));
    let symbolic = Own::Symbolic(Dtype::Float32, false, (vec![], "batch".into(), vec![224]));
    let known = [def.clone(), array(&[3]), symbolic];
    let called = [def, array(&[3]), array(&[8, 224])];
    assert_eq!(
        told(&known, &called),
        ["part 2 at ['x']: expected float32[batch,224], found float32[8,224]"]
    );
}
