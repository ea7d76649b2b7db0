//! Where two structures differ, in texts by hand; and what lies below nodes that differ, on generated structures.

use crate::support;

use proptest::prelude::*;
use support::node;
use treedef::diff::{Difference, DifferenceKind, Differences};
use treedef::encode::Level;
use treedef::format::MAX_PENDING;
use treedef::head::{ChildKey, DictKind};
use treedef::{Error, KeyEntry, TreeDef, Value, Writer, head, matches, treedef};
use treedef_proptest::neighbours;

/// The sentences of all differences.
fn texts(differences: Differences<'_>) -> Vec<String> {
    differences.map(|difference| difference.unwrap().to_string()).collect()
}

/// A custom node as JAX's tests register them.
fn special(children: &[TreeDef<'_>], child_keys: Option<&[ChildKey<'_>]>) -> TreeDef<'static> {
    let aux = Value::None;
    node(
        &head::Custom { name: "test::Special", aux, children: children.len(), child_keys },
        children,
    )
}

fn default_dict(factory: &str, keys: &[&str]) -> TreeDef<'static> {
    let heading = head::Dict::new(DictKind::Default(factory), keys.iter().copied());
    node(&heading, &vec![TreeDef::LEAF; keys.len()])
}

fn int_dict(keys: &[i64]) -> TreeDef<'static> {
    let heading = head::Dict::new(DictKind::Sorted, keys.iter().copied());
    node(&heading, &vec![TreeDef::LEAF; keys.len()])
}

fn list(children: &[TreeDef<'_>]) -> TreeDef<'static> {
    node(&head::List(children.len()), children)
}

fn ordered_dict(keys: &[&str]) -> TreeDef<'static> {
    let heading = head::Dict::new(DictKind::Ordered, keys.iter().copied());
    node(&heading, &vec![TreeDef::LEAF; keys.len()])
}

use DifferenceKind::{Children, Metadata, Type};

#[test]
fn keys_of_any_text_are_quoted() {
    let told =
        |expected: TreeDef<'static>, found: TreeDef<'static>| texts(expected.differences(found));
    assert_eq!(
        told(treedef!({"it's": {"\"{}\"\n": *}}), treedef!({"it's": {"": *}})),
        ["at [\"it's\"]: missing key '\"{}\"\\n' and unexpected key ''"]
    );
}

// What JAX's equality_errors tells of, and what keeps a compiled function from being found.

#[test]
fn kinds_come_in_the_order_in_which_jax_looks() {
    // The type before the number of children, that before the metadata.
    let one = |difference: Difference<'_>| (difference.kind(), difference.to_string());
    let of = |expected: TreeDef<'static>, found: TreeDef<'static>| {
        one(expected.differences(found).next().unwrap().unwrap())
    };
    assert_eq!(of(treedef!((*, *)), treedef!([*])).0, Type);
    assert_eq!(of(treedef!({"a": *}), ordered_dict(&["a"])).0, Type);
    assert_eq!(of(ordered_dict(&["a", "b"]), ordered_dict(&["b", "a"])).0, Metadata);
    assert_eq!(
        of(default_dict("int", &["a"]), default_dict("list", &["a", "b"])),
        (Children, "at the root: unexpected key 'b'".into())
    );
    assert_eq!(
        of(default_dict("int", &["a"]), default_dict("list", &["b"])),
        (Metadata, "at the root: expected default factory int, found list".into())
    );
    let custom = |aux, children| {
        let heading = head::Custom { name: "C", aux, children, child_keys: None };
        node(&heading, &vec![TreeDef::LEAF; children])
    };
    assert_eq!(
        of(custom(Value::Int(1), 1), custom(Value::Int(2), 3)),
        (Children, "at the root: expected 1 child, found 3".into())
    );
    let point = |name, fields| node(&head::NamedTuple { name, fields }, &[TreeDef::LEAF; 2]);
    assert_eq!(of(point("a::P", &["x", "y"]), point("a::Q", &["x", "y"])).0, Type);
    assert_eq!(
        of(point("a::P", &["x", "y"]), point("a::P", &["x", "z"])),
        (Type, "at the root: missing field y and unexpected field z".into())
    );
    let pid = |fields: &[&str], meta: &[(&str, Value<'_>)]| {
        node(&head::Struct { name: "a::Pid", fields, meta }, &vec![TreeDef::LEAF; fields.len()])
    };
    let dt = |value| [("dt", Value::Int(value))];
    assert_eq!(of(pid(&["kp"], &dt(1)), pid(&["kp"], &dt(2))).0, Metadata);
    assert_eq!(
        of(pid(&["kp"], &dt(1)), pid(&["kp", "ki"], &dt(1))),
        (Type, "at the root: unexpected field ki".into())
    );
    assert_eq!(
        of(pid(&["kp"], &dt(1)), pid(&["kp"], &[])),
        (Type, "at the root: missing meta field dt".into())
    );
}

#[test]
fn keys_that_only_one_side_has() {
    let keys = |entries: &mut dyn Iterator<Item = KeyEntry<'static>>| -> String {
        entries.map(|entry| entry.to_string()).collect()
    };
    let of = |expected: TreeDef<'static>, found: TreeDef<'static>| {
        let difference = expected.differences(found).next().unwrap().unwrap();
        (keys(&mut difference.missing()), keys(&mut difference.unexpected()))
    };
    let both = |ours: &str, theirs: &str| (ours.to_owned(), theirs.to_owned());
    assert_eq!(
        of(treedef!({"a": *, "b": *, "d": *}), treedef!({"b": *, "c": *, "d": *, "e": *})),
        both("['a']", "['c']['e']")
    );
    assert_eq!(of(int_dict(&[1, 2]), treedef!({"1": *})), both("[1][2]", "['1']"));
    assert_eq!(of(ordered_dict(&["b", "a"]), ordered_dict(&["c", "b"])), both("['a']", "['c']"));
    let keys = [ChildKey::Attr("a"), ChildKey::Attr("b")];
    let (one, two) =
        (special(&[TreeDef::LEAF], Some(&keys[..1])), special(&[TreeDef::LEAF; 2], Some(&keys)));
    assert_eq!(of(one, two), both("", ".b"));
    assert_eq!(
        format!("{:#}", one.differences(two).next().unwrap().unwrap()),
        "at the root: expected 1 child, found 2: unexpected child key b\n  \
         expected a custom node test::Special of 1 child, aux data None, child key a\n  \
         found a custom node test::Special of 2 children, aux data None, child keys a, b"
    );
    // Without a common type there is nothing to compare keys of; positions are no keys.
    assert_eq!(of(treedef!({"a": *}), ordered_dict(&["b"])), both("", ""));
    assert_eq!(of(treedef!([*, *]), treedef!([*])), both("", ""));
    let flat = |children| special(&vec![TreeDef::LEAF; children], None);
    assert_eq!(of(flat(1), flat(3)), both("", ""));
    assert_eq!(of(flat(3), one), both("", ".a"));
}

/// A few bytes can be billions of positions.
#[test]
fn positions_are_not_walked_over_for_keys() {
    let mut bytes = [0; 64];
    let mut out = Writer::new(&mut bytes);
    let (name, aux) = ("test::Special", Value::None);
    let children = u32::MAX as usize - 1;
    out.node(&head::Custom { name, aux, children, child_keys: None }, |out| out.leaves(children));
    let many = out.finish().unwrap();
    let one = special(&[TreeDef::LEAF], Some(&[ChildKey::Attr("a")]));
    for other in [special(&[], None), one] {
        let difference = many.differences(other).next().unwrap().unwrap();
        let keys = other.head().entries();
        assert_eq!(difference.missing().count(), 0);
        assert!(difference.unexpected().eq(keys));
    }
}

#[test]
fn every_changed_static_field_is_told() {
    fn pid(meta: &[(&str, Value<'_>)]) -> TreeDef<'static> {
        node(&head::Struct { name: "m::Pid", fields: &["kp"], meta }, &[TreeDef::LEAF])
    }
    let (a, b) = (Value::Str("a"), Value::Str("b"));
    let with = |dt, mode| pid(&[("dt", dt), ("id", Value::Int(1)), ("mode", mode)]);
    let (slow, fast) = (with(Value::Float(0.5), a), with(Value::Float(0.25), b));
    let difference = slow.differences(fast).next().unwrap().unwrap();
    assert_eq!(difference.kind(), Metadata);
    assert_eq!(
        format!("{difference:#}"),
        "at the root: expected dt = 0.5, mode = 'a', found dt = 0.25, mode = 'b'\n  \
         expected a struct m::Pid with field kp, meta dt = 0.5, id = 1, mode = 'a'\n  \
         found a struct m::Pid with field kp, meta dt = 0.25, id = 1, mode = 'b'"
    );
    let text = |a: TreeDef<'_>, b| a.differences(b).next().unwrap().unwrap().to_string();
    let single = text(slow, with(Value::Float32(0.5), a));
    assert_eq!(single, "at the root: expected dt = 0.5, found dt = 0.5 of another type");
    let nans = text(with(Value::Float(f64::NAN), a), with(Value::Float(-f64::NAN), a));
    assert!(nans.ends_with("found dt = nan with other bits, or of another type"), "{nans}");
}

#[test]
fn a_difference_in_meta_is_not_hidden_by_one_in_fields() {
    let pid = |fields: &[&str], meta: &[(&str, Value<'_>)]| {
        node(&head::Struct { name: "m::Pid", fields, meta }, &vec![TreeDef::LEAF; fields.len()])
    };
    let text = |expected: TreeDef<'static>, found: TreeDef<'static>| {
        expected.differences(found).next().unwrap().unwrap().to_string()
    };
    let (one, two, id) = (("dt", Value::Int(1)), ("dt", Value::Int(2)), ("id", Value::Int(3)));
    assert_eq!(
        text(pid(&["kp"], &[one, id]), pid(&["ki", "kp"], &[two])),
        "at the root: unexpected field ki; missing meta field id; expected dt = 1, found dt = 2"
    );
    assert_eq!(
        text(pid(&["kp"], &[one]), pid(&["ki"], &[two])),
        "at the root: missing field kp and unexpected field ki; expected dt = 1, found dt = 2"
    );
    assert_eq!(
        text(pid(&["kp"], &[one, id]), pid(&["kp"], &[id, one])),
        "at the root: expected meta field order dt, id, found id, dt"
    );
}

#[test]
fn errors_are_explained_by_the_same_differences() {
    let (first, second) = (treedef!((*, [*, *], {"a": *})), treedef!(([*], [*], {"b": *})));
    let explain = |error: Error| error.explain(first, second).to_string();
    assert_eq!(explain(Error::Mismatch { node: 1 }), "at [0]: expected a leaf, found a list of 1");
    let not_prefix = first.check_prefix_of(second).unwrap_err();
    assert_eq!(explain(not_prefix), "at [1]: expected a list of 2, found a list of 1");
    assert_eq!(not_prefix.explain_at(first).to_string(), "structure differs at [1]");
    let no_suffix = treedef::encode::structure_bound(&second.common_suffix(first)).unwrap_err();
    assert_eq!(
        no_suffix.explain(second, first).to_string(),
        "at [1]: expected a list of 1, found a list of 2"
    );
    // An error about other structures writes itself.
    assert_eq!(not_prefix.explain(first, first).to_string(), not_prefix.to_string());
    let third = treedef!([None, *, [*]]);
    let is_plain = |error: Error, expected: TreeDef<'_>, found: TreeDef<'_>| {
        assert_eq!(error.explain(expected, found).to_string(), error.to_string());
        assert_eq!(error.explain_trees(&expected, &found).to_string(), error.to_string());
    };
    is_plain(matches(&second, first).unwrap_err(), third, first);
    is_plain(Error::TreesDiffer { node: 4, tree: 1 }, first, second);
    is_plain(not_prefix, first, third);
    is_plain(not_prefix, third, second);
    is_plain(no_suffix, first, third);
}

#[test]
fn summaries_say_what_changed_in_few_lines() {
    let summary = |expected: TreeDef<'static>, found: TreeDef<'static>| {
        expected.differences(found).summary().to_string()
    };
    assert_eq!(
        summary(treedef!({"w": *, "b": *}), treedef!({"w": *})),
        "1 difference; expected 2 leaves, found 1:\n  at the root: missing key 'b'"
    );
    assert_eq!(
        summary(treedef!([*, {"a": (*, *)}]), treedef!([*, {"a": [*, *]}])),
        "1 difference:\n  at [1]['a']: expected a tuple of 2, found a list of 2"
    );
    assert_eq!(
        summary(treedef!([*, None, *, *]), treedef!([None, *, None, None])),
        "4 differences; expected 3 leaves, found 1:\n  \
         at [0]: expected a leaf, found None, and the same at 2 more places\n  \
         at [1]: expected None, found a leaf"
    );
    let six = treedef!([(), (*,), (*, *), (*, *, *), (*, *, *, *), [], *]);
    assert_eq!(
        summary(treedef!([*, *, *, *, *, *, *]), six),
        "6 differences; expected 7 leaves, found 11:\n  \
         at [0]: expected a leaf, found a tuple of 0\n  \
         at [1]: expected a leaf, found a tuple of 1\n  \
         at [2]: expected a leaf, found a tuple of 2\n  \
         at [3]: expected a leaf, found a tuple of 3\n  \
         at [4]: expected a leaf, found a tuple of 4\n  \
         and 1 more"
    );
    // Of a prefix the leaves differ in number as they should.
    let errors = treedef!((*, None)).prefix_errors(treedef!(([*, *], *)));
    assert_eq!(
        errors.summary().to_string(),
        "1 difference:\n  at [1]: expected None, found a leaf"
    );
}

// Few bytes, many nodes; deep structures.

/// A list of two lists of two .., so often, around `unit`, which has `leaves` leaves.
fn doubled(unit: &[u8], leaves: u64, times: u32) -> TreeDef<'static> {
    let mut bytes = vec![0x42; times as usize];
    bytes.extend(unit);
    for level in 0..times {
        bytes.push(0xA0);
        support::wire::put_varint(&mut bytes, leaves << level);
    }
    TreeDef::from_bytes(bytes.leak()).unwrap()
}

#[test]
fn the_first_of_a_billion_differences_is_told_at_once() {
    // [(*, *), (*, *)] and so on, 2^29 leaves of few bytes; in the others each pair is another.
    let pairs = doubled(&[0x22, 0x01], 2, 28);
    let (lists, longer) = (doubled(&[0x42, 0x01], 2, 28), doubled(&[0x22, 0x01], 2, 27));
    assert_eq!(pairs.num_leaves(), 1 << 29);
    let place = "[0]".repeat(28);
    let text = format!("at {place}: expected a tuple of 2, found a list of 2");
    let first = pairs.differences(lists).next().unwrap().unwrap();
    assert_eq!(first.to_string(), text);
    assert_eq!(Error::Mismatch { node: 28 }.explain(pairs, lists).to_string(), text);
    assert!(pairs.differences(pairs).next().is_none());
    assert!(longer.prefix_errors(longer).next().is_none());
    let first = pairs.differences(longer).next().unwrap().unwrap();
    assert_eq!(first.kind(), Type);
    // Leaves of one side under nodes of the other.
    let summary = pairs.differences(lists).summary().to_string();
    assert_eq!(
        summary,
        format!("10000 differences or more:\n  {text}, and the same at 9999 more places")
    );
    // A list of 2^32 - 2 leaves against one of a leaf less: the lengths say so at once.
    let leaves = |count: u64| {
        let mut bytes = vec![0x5F];
        support::wire::put_varint(&mut bytes, count - 31);
        bytes.push(0x1F);
        support::wire::put_varint(&mut bytes, count - 32);
        TreeDef::from_bytes(bytes.leak()).unwrap()
    };
    let (large, small) = (leaves((1 << 32) - 2), leaves((1 << 32) - 3));
    assert_eq!(texts(large.differences(small)).len(), 1);
    assert!(large.differences(large).next().is_none());
}

/// `depth` pairs of a pair and a leaf around `unit`: every level is pending.
fn comb(depth: usize, unit: &[u8]) -> Vec<u8> {
    [&vec![0x22; depth], unit, &vec![0x00; depth]].concat()
}

#[test]
fn paths_and_indices_hold_behind_parts_of_any_depth() {
    // (COMB, [*, (None,)]) and ([], [*, (*,)]): the first difference hides 100 pending levels.
    let whole = [&[0x22][..], &comb(100, &[0xC0]), &[0x42, 0x00, 0x21, 0xC0]].concat();
    let mut levels = [Level::default(); 128];
    let expected = TreeDef::from_bytes_with(&whole, &mut levels).unwrap();
    let found = treedef!(([], [*, (*,)]));
    let differences: Vec<_> = expected.differences(found).map(Result::unwrap).collect();
    let paths: Vec<_> = differences.iter().map(|one| one.path().to_string()).collect();
    assert_eq!(paths, ["[0]", "[1][1][0]"]);
    let nodes: Vec<_> = differences.iter().map(|one| one.path().found().unwrap().node()).collect();
    assert_eq!(nodes, [1, 205]);
    assert_eq!(differences[1].expected_leaves(), 101..101);
    assert_eq!(differences[1].found_leaves(), 1..2);
}

#[test]
fn the_same_structures_have_no_differences_at_any_depth() {
    let depth = 2 * MAX_PENDING;
    let (bytes, copy) = (comb(depth, &[0xC0]), comb(depth, &[0xC0]));
    let mut levels = [Level::default(); 2 * MAX_PENDING];
    let [def, same] =
        [&bytes, &copy].map(|bytes| TreeDef::from_bytes_with(bytes, &mut levels).unwrap());
    assert!(def.differences(same).next().is_none());
    assert!(def.differences(same).deep().next().is_none());
    assert!(def.prefix_errors(same).next().is_none());
    assert!(def.common_suffix_errors(same).next().is_none());
    assert_eq!(def.differences(same).summary().to_string(), "no differences");
}

#[test]
fn more_levels_than_there_is_room_for_end_the_differences() {
    let depth = 2 * MAX_PENDING;
    let (ours, theirs) = (comb(depth, &[0xC0]), comb(depth, &[0x20]));
    let mut levels = [Level::default(); 2 * MAX_PENDING];
    let expected = TreeDef::from_bytes_with(&ours, &mut levels).unwrap();
    let found = TreeDef::from_bytes_with(&theirs, &mut levels).unwrap();
    let mut differences = expected.differences(found);
    let limit = MAX_PENDING as u32;
    assert_eq!(
        differences.next().map(|first| first.map(drop)),
        Some(Err(Error::TooDeep { limit }))
    );
    assert!(differences.next().is_none());
    assert_eq!(
        expected.differences(found).summary().to_string(),
        "no differences so far:\n  not compared further: tree is nested deeper than 64 levels"
    );
    let error = Error::Mismatch { node: 128 };
    assert_eq!(error.explain(expected, found).to_string(), error.to_string());
    // The deeper parts, by themselves.
    let way = [0; MAX_PENDING + 1];
    let [ours, theirs] = [expected, found].map(|def| def.find_at(way).unwrap().treedef());
    let path = "[0]".repeat(depth - way.len());
    assert_eq!(
        texts(ours.differences(theirs)),
        [format!("at {path}: expected None, found a tuple of 0")]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn texts_and_keys_of_any_two_can_be_told((a, b) in neighbours()) {
        for difference in a.as_treedef().differences(b.as_treedef()) {
            let difference = difference.unwrap();
            let text = format!("{difference:#}");
            prop_assert!(text.starts_with(&difference.to_string()), "{}", text);
            // The sentence does not say that the two are the same.
            let sentence = difference.to_string();
            if let Some((_, said)) = sentence.split_once(": expected ")
                && let Some((ours, theirs)) = said.split_once(", found ")
            {
                prop_assert_ne!(ours, theirs);
            }
            let (ours, theirs) = (difference.expected().head(), difference.found().head());
            let absent = |entry: &KeyEntry<'_>, head: treedef::Head<'_>| head.entries().all(|other| other != *entry);
            prop_assert!(difference.missing().all(|entry| absent(&entry, theirs)));
            prop_assert!(difference.unexpected().all(|entry| absent(&entry, ours)));
            if matches!(difference.kind(), Children | Metadata) {
                let named = |entry: &KeyEntry<'_>| !matches!(entry, KeyEntry::FlatIndex(_));
                let missing = ours.entries().filter(|entry| named(entry) && absent(entry, theirs)).count();
                prop_assert_eq!(difference.missing().count(), missing);
            }
        }
    }
}

// What both have in common of nodes that differ.

fn deep_texts(expected: TreeDef<'_>, found: TreeDef<'_>) -> Vec<String> {
    texts(expected.differences(found).deep())
}

#[test]
fn nodes_with_other_keys_are_compared_in_the_keys_of_both() {
    let cached = treedef!({"batch_stats": *, "opt": (*, *), "params": [*, *]});
    let called = treedef!({"opt": [*, *], "params": [*, None]});
    let opt = "at ['opt']: expected a tuple of 2, found a list of 2";
    let params = "at ['params'][1]: expected a leaf, found None";
    assert_eq!(deep_texts(cached, called), ["at the root: missing key 'batch_stats'", opt, params]);
    assert_eq!(
        cached.differences(called).summary().to_string(),
        format!(
            "3 differences; expected 5 leaves, found 3:\n  \
             at the root: missing key 'batch_stats'\n  {opt}\n  {params}"
        )
    );
    assert_eq!(texts(cached.differences(called)).len(), 1);
    // As the last child, which shares the level of its parent, and within each other.
    let cached = treedef!([*, {"a": {"b": *, "c": {"d": *, "z": *}}, "m": *}]);
    let called = treedef!([None, {"a": {"c": {"d": (), "y": [*, *], "z": ()}}, "n": *, "o": *}]);
    assert_eq!(
        deep_texts(cached, called),
        [
            "at [0]: expected a leaf, found None",
            "at [1]: missing key 'm' and unexpected keys 'n', 'o'",
            "at [1]['a']: missing key 'b'",
            "at [1]['a']['c']: unexpected key 'y'",
            "at [1]['a']['c']['d']: expected a leaf, found a tuple of 0",
            "at [1]['a']['c']['z']: expected a leaf, found a tuple of 0",
        ]
    );
    // Copies under keys that do not line up.
    let cached = treedef!({"a": (*, *), "b": (*, *), "c": (*, *), "d": (*, *)});
    let called = treedef!({"b": (*, *), "c": (*, *), "d": (*, None), "e": (*, None)});
    assert_eq!(
        deep_texts(cached, called),
        [
            "at the root: missing key 'a' and unexpected key 'e'",
            "at ['d'][1]: expected a leaf, found None"
        ]
    );
    assert_eq!(deep_texts(treedef!({}), treedef!({"a": *})).len(), 1);
}

#[test]
fn elements_are_compared_up_to_the_end_of_the_shorter_sequence() {
    assert_eq!(
        deep_texts(treedef!([(*, *), *, (*,), *]), treedef!([(*, None), *])),
        [
            "at the root: expected a list of 4, found a list of 2",
            "at [0][1]: expected a leaf, found None",
        ]
    );
    // The nodes after the end of a shorter sequence keep their indices and their leaves.
    let (long, short) =
        (treedef!({"a": (*, [*, *], [*, *], None, *), "b": *}), treedef!({"a": (*,), "b": None}));
    for (expected, found, leaves) in [(long, short, (6..7, 1..1)), (short, long, (1..1, 6..7))] {
        let last = expected.differences(found).deep().last().unwrap().unwrap();
        assert_eq!(last.path().to_string(), "['b']");
        assert_eq!((last.expected_leaves(), last.found_leaves()), leaves);
        assert_eq!(
            expected.nodes().nth(last.path().found().unwrap().node()).unwrap().unwrap().head,
            last.expected().head()
        );
    }
    assert_eq!(deep_texts(treedef!([]), treedef!([*, *])).len(), 1);
    // Leaves and copies are not read one by one.
    let many = |child: TreeDef<'static>, count: u32| {
        let mut builder = Writer::new(Vec::leak(vec![0; 64]));
        let frame = builder.begin(&head::List(count as usize));
        builder.subtree(child);
        builder.repeat(count as usize - 1);
        builder.end(frame);
        builder.finish().unwrap()
    };
    for (child, count) in [(TreeDef::LEAF, 1 << 31), (treedef!((*, *)), 1 << 30)] {
        let (long, short) = (many(child, count), many(child, count - 7));
        for (expected, found) in [(long, short), (short, long)] {
            let (before, after) = (list(&[expected, TreeDef::LEAF]), list(&[found, TreeDef::NONE]));
            let last = before.differences(after).deep().last().unwrap().unwrap();
            assert_eq!(
                (last.path().to_string(), last.expected_leaves().start),
                ("[1]".into(), expected.num_leaves())
            );
            let nodes = before.num_nodes();
            assert_eq!(last.path().found().unwrap().node(), nodes - 1);
        }
    }
}

#[test]
fn nodes_that_differ_in_data_are_compared_in_all_children() {
    let layer = |rate: i64, child| {
        let (fields, meta) = (&["w"], &[("rate", Value::Int(rate))]);
        node(&head::Struct { name: "m::Layer", fields, meta }, &[child])
    };
    let found = deep_texts(layer(1, TreeDef::LEAF), layer(2, TreeDef::NONE));
    assert_eq!(
        found,
        ["at the root: expected rate = 1, found rate = 2", "at .w: expected a leaf, found None"]
    );
    // Without child keys too, and within more of their like than there is room for with other keys.
    let custom = |aux, child| {
        let heading =
            head::Custom { name: "C", aux: Value::Int(aux), children: 1, child_keys: None };
        node(&heading, &[child])
    };
    let nested = |aux, leaf| (0..20).fold(leaf, |child, _| custom(aux, child));
    assert_eq!(deep_texts(nested(1, TreeDef::LEAF), nested(2, TreeDef::NONE)).len(), 21);
}

#[test]
fn what_lies_below_a_field_that_changed_its_place_is_compared() {
    let pid = |field| {
        node(
            &head::Struct { name: "m::Pid", fields: &["kp", field], meta: &[] },
            &[TreeDef::LEAF; 2],
        )
    };
    let config = |fields: &[&str], children: &[TreeDef<'_>]| {
        node(&head::Struct { name: "m::Config", fields, meta: &[] }, children)
    };
    let expected = config(&["pid", "rate"], &[pid("ki"), TreeDef::LEAF]);
    let found = config(&["rate", "pid"], &[TreeDef::LEAF, pid("gain")]);
    let lines = [
        "at the root: expected field order pid, rate, found rate, pid",
        "at .pid: missing field ki and unexpected field gain",
    ];
    assert_eq!(deep_texts(expected, found), lines);
    let below = expected.differences(found).deep().last().unwrap().unwrap();
    assert_eq!((below.expected_leaves(), below.found_leaves()), (0..2, 1..3));
    // The other way around, and in a summary.
    assert_eq!(
        found.differences(expected).summary().to_string(),
        "2 differences:\n  \
         at the root: expected field order rate, pid, found pid, rate\n  \
         at .pid: missing field gain and unexpected field ki"
    );
}

#[test]
fn eight_nodes_with_other_keys_are_gone_into_within_each_other() {
    let dict = |own: &'static str, child| {
        let keys = ["a", own];
        node(&head::Dict::new(DictKind::Sorted, keys), &[child, TreeDef::LEAF])
    };
    let nested = |own, times: u32, leaf| (0..times).fold(leaf, |child, _| dict(own, child));
    for (times, told) in [(8, 9), (9, 9), (20, 9)] {
        let (expected, found) =
            (nested("x", times, TreeDef::LEAF), nested("y", times, TreeDef::NONE));
        assert_eq!(deep_texts(expected, found).len(), told);
    }
    // The room is there again for what follows.
    let (one, other) = (nested("x", 8, TreeDef::LEAF), nested("y", 8, TreeDef::NONE));
    assert_eq!(deep_texts(list(&[one, one]), list(&[other, other])).len(), 18);
}

#[test]
fn keys_that_changed_places_are_compared() {
    let ordered = |entries: &[(&'static str, TreeDef<'static>)]| {
        let keys = entries.iter().map(|(key, _)| *key);
        let children: Vec<_> = entries.iter().map(|(_, child)| *child).collect();
        node(&head::Dict::new(DictKind::Ordered, keys), &children)
    };
    let (leaf, none) = (TreeDef::LEAF, TreeDef::NONE);
    let expected = ordered(&[("z", leaf), ("x", leaf), ("b", leaf), ("a", leaf)]);
    let found = ordered(&[("x", none), ("new", leaf), ("b", none), ("a", none), ("z", none)]);
    assert_eq!(
        deep_texts(expected, found),
        [
            "at the root: unexpected key 'new'",
            "at ['z']: expected a leaf, found None",
            "at ['x']: expected a leaf, found None",
            "at ['b']: expected a leaf, found None",
            "at ['a']: expected a leaf, found None",
        ]
    );
}

/// An ordered dict with these keys and one child for each of them.
fn numbered(keys: &[i64], child: TreeDef<'_>) -> TreeDef<'static> {
    let mut builder = Writer::new(Vec::leak(vec![0; 64 + 8 * keys.len()]));
    let frame = builder.begin(&head::Dict::new(DictKind::Ordered, keys.iter().copied()));
    for _ in keys {
        builder.subtree(child);
    }
    builder.end(frame);
    builder.finish().unwrap()
}

/// The keys under which deep differences are found.
fn compared(ours: &[i64], theirs: &[i64]) -> Vec<i64> {
    let (expected, found) = (numbered(ours, TreeDef::LEAF), numbered(theirs, TreeDef::NONE));
    let below = expected.differences(found).deep().map(Result::unwrap).filter_map(|difference| {
        // The parts are those under the key, on both sides.
        assert_eq!(difference.expected_leaves().len(), difference.expected().num_leaves());
        match difference.path().entries().next()? {
            KeyEntry::Key(Value::Int(key)) => Some(key),
            other => panic!("{other}"),
        }
    });
    below.collect()
}

#[test]
fn keys_far_behind_others_that_only_one_side_has_are_compared() {
    // More than a block of keys at the front, in the middle, and at the end.
    let range = |from: i64, count: i64| from..from + count;
    let ours: Vec<_> = range(1000, 100).chain(range(0, 9)).chain(range(9, 9)).collect();
    let theirs: Vec<_> =
        range(0, 9).chain(range(2000, 200)).chain(range(9, 9)).chain(range(3000, 70)).collect();
    assert_eq!(compared(&ours, &theirs), (0..18).collect::<Vec<_>>());
    assert_eq!(compared(&theirs, &ours), (0..18).collect::<Vec<_>>());
}

#[test]
fn keys_in_any_order_are_compared() {
    let (ours, theirs): (Vec<_>, Vec<_>) = ((0..1500).collect(), (0..1500).rev().collect());
    assert_eq!(compared(&ours, &theirs).len(), 1500);
    // Those that are side by side are compared beside any number of others.
    let same: Vec<_> = (10_000..19_000).collect();
    let [ours, theirs] = [ours, theirs].map(|keys| [&same[..], &keys[..100]].concat());
    assert_eq!(compared(&ours, &theirs).len(), 9000);
}

#[test]
fn a_text_says_how_many_keys_it_searched() {
    let text = |ours: &[i64], theirs: &[i64]| {
        let (expected, found) = (numbered(ours, TreeDef::LEAF), numbered(theirs, TreeDef::LEAF));
        texts(expected.differences(found)).concat()
    };
    let cut = "; only 1024 that changed places were searched";
    let (ours, mut theirs): (Vec<_>, Vec<_>) = ((0..1100).collect(), (0..1100).rev().collect());
    let reversed = text(&ours, &theirs);
    assert!(
        reversed.starts_with("at the root: expected keys 0, 1, 2") && reversed.ends_with(cut),
        "{reversed}"
    );
    let few = text(&ours[..1000], &theirs[100..]);
    assert!(
        few.starts_with("at the root: expected key order 0, 1") && !few.contains("only"),
        "{few}"
    );
    // What is in the same order needs no search.
    theirs = ours.clone();
    theirs.swap(7, 9);
    let swapped = text(&ours, &theirs);
    assert!(swapped.contains("key order") && !swapped.contains("only"), "{swapped}");
    let missing = text(&ours, &ours[1..]);
    assert_eq!(missing, "at the root: missing key 0");
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
fn too_many_keys_in_another_order_end_the_comparison() {
    // As many as the documentation allows.
    let keys =
        |count: i64, step: i64| (0..count).map(|index| index * step % count).collect::<Vec<_>>();
    assert_eq!(compared(&keys(2896, 1), &keys(2896, 1051)).len(), 2896);
    let (ours, theirs): (Vec<_>, Vec<_>) = ((0..3400).collect(), (0..3400).rev().collect());
    let (expected, found) = (numbered(&ours, TreeDef::LEAF), numbered(&theirs, TreeDef::NONE));
    let mut deep = expected.differences(found).deep();
    assert_eq!(deep.find_map(Result::err), Some(Error::TooManyNames));
    assert!(deep.next().is_none());
    let summary = expected.differences(found).summary().to_string();
    assert!(
        summary.ends_with("not compared further: too many names changed their places in a node"),
        "{summary}"
    );
}

/// Keys of ordered nodes: of integers alone, or mixed, which are encoded in another way; some of them twice.
fn unsorted_keys() -> impl Strategy<Value = Vec<Value<'static>>> {
    let int = (0i64..150).prop_map(Value::Int);
    let other = prop_oneof![
        (0i64..150).prop_map(Value::Int),
        prop::sample::select(vec![
            Value::Str("0"),
            // Two texts with one hash.
            Value::Str("costarring"),
            Value::Str("liquid"),
            Value::Float(1.0),
            Value::Bool(true),
            Value::None,
            Value::Bytes(b"0"),
        ]),
    ];
    let count = 0..160usize;
    prop_oneof![
        prop::collection::vec(int, count.clone()),
        prop::collection::vec(other, count.clone()),
        (Just((0i64..150).map(Value::Int).collect::<Vec<_>>()).prop_shuffle(), count)
            .prop_map(|(keys, count)| keys[..count.min(keys.len())].to_vec()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn missing_and_unexpected_keys_are_those_of_one_side(
        ours in unsorted_keys(), theirs in unsorted_keys(), custom in any::<bool>(),
    ) {
        let of = |keys: &[Value<'static>]| {
            let mut builder = Writer::new(Vec::leak(vec![0; 64 + 50 * keys.len()]));
            let named: Vec<_> = keys.iter().copied().map(ChildKey::Key).collect();
            let frame = if custom {
                let child_keys = Some(named.as_slice());
                builder.begin(&head::Custom { name: "C", aux: Value::None, children: keys.len(), child_keys })
            } else {
                builder.begin(&head::Dict::new(DictKind::Ordered, keys.iter().copied()))
            };
            builder.leaves(keys.len());
            builder.end(frame);
            builder.finish().unwrap()
        };
        let Some(difference) = of(&ours).differences(of(&theirs)).next() else { return Ok(()) };
        let difference = difference.unwrap();
        let only = |keys: &[Value<'static>], others: &[Value<'static>]| -> Vec<_> {
            keys.iter().filter(|key| !others.contains(key)).map(|key| KeyEntry::Key(*key)).collect()
        };
        prop_assert_eq!(difference.missing().collect::<Vec<_>>(), only(&ours, &theirs));
        prop_assert_eq!(difference.unexpected().collect::<Vec<_>>(), only(&theirs, &ours));
    }

    #[test]
    fn common_keys_in_one_order_are_all_compared(sides in prop::collection::vec((0u8..3, 1usize..90), 0..12)) {
        // Runs of keys that the first, the second or both have.
        let mut keys = [const { Vec::new() }; 3];
        let mut key = 0;
        for (side, count) in sides {
            for _ in 0..count {
                for (index, keys) in keys.iter_mut().enumerate() {
                    if side == 2 || index == usize::from(side) {
                        keys.push(key);
                    }
                }
                key += 1;
            }
        }
        let [ours, theirs, _] = &keys;
        let common: Vec<_> = ours.iter().copied().filter(|key| theirs.contains(key)).collect();
        prop_assert_eq!(compared(ours, theirs), common);
    }

    #[test]
    fn common_keys_in_any_order_are_all_compared(
        ours in Just((0i64..150).collect::<Vec<_>>()).prop_shuffle(),
        theirs in Just((50i64..200).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let common: Vec<_> = ours.iter().copied().filter(|key| theirs.contains(key)).collect();
        prop_assert_eq!(compared(&ours, &theirs), common);
    }
}

/// What the deep differences should be, as paths; `false` if a node has a key twice.
fn deep_places(
    (expected, found): (TreeDef<'_>, TreeDef<'_>),
    path: &str,
    told: &mut Vec<String>,
) -> bool {
    let (ours, theirs) = (expected.head(), found.head());
    if ours != theirs {
        told.push(path.to_owned());
    }
    let keys = |head: treedef::Head<'_>| -> Vec<String> {
        head.entries().map(|entry| entry.to_string()).collect()
    };
    if ours.kind() != theirs.kind() || ours.type_name() != theirs.type_name() {
        return true;
    }
    let (mine, others) = (keys(ours), keys(theirs));
    if ours.child_keys().is_some() != theirs.child_keys().is_some() {
        return true;
    }
    let twice = |keys: &[String]| (1..keys.len()).any(|end| keys[..end].contains(&keys[end]));
    !twice(&mine)
        && !twice(&others)
        && mine.iter().filter(|key| others.contains(key)).all(|key| {
            let at = |keys: &[String]| keys.iter().position(|other| other == key).unwrap();
            let pair = (expected.child(at(&mine)).unwrap(), found.child(at(&others)).unwrap());
            deep_places(pair, &format!("{path}{key}"), told)
        })
}

#[track_caller]
fn goes_deep(expected: TreeDef<'_>, found: TreeDef<'_>) {
    let mut places = Vec::new();
    let all_once = deep_places((expected, found), "", &mut places);
    let told: Vec<_> = expected.differences(found).deep().map(Result::unwrap).collect();
    if all_once {
        assert!(told.iter().map(|one| one.path().to_string()).eq(places));
    }
    for difference in told {
        // The parts are those at the path, and the counts those before it.
        let path = difference.path();
        let node = path.found().unwrap().node();
        let ours = expected.nodes().nth(node).unwrap().unwrap();
        assert_eq!(ours.head, difference.expected().head());
        assert_eq!(expected.node_path(node), Some(path));
        if all_once {
            let part = path.entries().fold(found, |part, entry| {
                let index = part.head().entries().position(|own| own == entry).unwrap();
                part.child(index).unwrap()
            });
            assert_eq!(part, difference.found());
        }
        for (whole, part, leaves) in [
            (expected, difference.expected(), difference.expected_leaves()),
            (found, difference.found(), difference.found_leaves()),
        ] {
            assert_eq!(leaves.len(), part.num_leaves());
            let below = whole.paths().skip(leaves.start).take(leaves.len());
            assert!(below.into_iter().all(|leaf| {
                path.entries().zip(leaf.entries()).all(|(one, other)| one == other)
            }));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn deep_differences_are_those_of_the_common_children(
        (a, b) in neighbours(), (c, d) in neighbours(), keys in 0..8usize,
    ) {
        let (a, b, c, d) = (a.as_treedef(), b.as_treedef(), c.as_treedef(), d.as_treedef());
        goes_deep(a, b);
        let total: usize = [a, b, c, d].iter().map(|def| def.as_bytes().len()).sum();
        if total < 200 {
            // Under keys that both have, and that only one has.
            let dict = |keys: &[&'static str], children: &[TreeDef<'_>]| {
                node(&head::Dict::new(DictKind::Sorted, keys.iter().copied()), children)
            };
            let names = [["a", "b", "c"], ["a", "c", "d"], ["b", "c", "d"], ["c", "d", "e"]];
            let (left, right) = (names[keys % 4], names[keys / 2]);
            goes_deep(dict(&left, &[a, a, c]), dict(&right, &[b, a, d]));
            goes_deep(list(&[dict(&left, &[a, c, c]), c]), list(&[dict(&right, &[b, b, d]), d]));
        }
    }
}
