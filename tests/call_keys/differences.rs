//! How two keys differ: which parts, and in which words.

use proptest::prelude::*;
use treedef::{CallKey, Dtype, Error, KeyWriter, Part, TreeDef, treedef};

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
        // The other way around as many are told.
        prop_assert_eq!(called.differences(known).count(), known.differences(called).count());
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
    writer.treedef(TreeDef::LEAF).statics(&true);
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
