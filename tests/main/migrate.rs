//! Leaves moved from an old structure to a new one: by hand, and on generated structures against lists of paths.

use crate::support::node;

use std::collections::BTreeMap;

use proptest::prelude::*;
use treedef::algebra::{Migrated, Migration, migrate, migrate_with};
use treedef::head::DictKind;
use treedef::{Error, Head, KeyEntry, KeyPath, Kind, TreeDef, Value, View, Writer, head, treedef};
use treedef_proptest::neighbours;

fn fields(name: &str, children: &[(&str, TreeDef<'_>)]) -> TreeDef<'static> {
    let (fields, children): (Vec<_>, Vec<_>) = children.iter().copied().unzip();
    node(&head::Struct { name, fields: &fields, meta: &[] }, &children)
}

fn ordered(children: &[(&str, TreeDef<'_>)]) -> TreeDef<'static> {
    let (keys, children): (Vec<_>, Vec<_>) = children.iter().copied().unzip();
    node(&head::Dict::new(DictKind::Ordered, keys.iter().copied()), &children)
}

fn list(children: &[TreeDef<'_>]) -> TreeDef<'static> {
    node(&head::List(children.len()), children)
}

/// The stored leaves `1, 2, ..` moved to leaves that are all 0, and the reports as text.
fn moved(
    old: TreeDef<'_>,
    new: TreeDef<'_>,
    aliases: &[(&str, &str)],
) -> (Vec<usize>, Vec<String>) {
    let stored: Vec<_> = (1..=old.num_leaves()).collect();
    let mut leaves = vec![0; new.num_leaves()];
    let mut texts = Vec::new();
    let view = View::new(old, &stored).unwrap();
    let count =
        migrate(view, new, &mut leaves, aliases, |report| texts.push(report.to_string())).unwrap();
    assert_eq!(count.moved, leaves.iter().filter(|leaf| **leaf > 0).count());
    (leaves, texts)
}

const LEAF: TreeDef<'static> = TreeDef::LEAF;

#[test]
fn equal_structures_are_copied_at_any_depth() {
    let deep = deep_comb();
    assert_eq!(moved(deep, deep, &[]), (vec![1, 2, 3], vec![]));
}

/// A comb with more pending levels than a walk has room for.
fn deep_comb() -> TreeDef<'static> {
    let mut bytes = vec![0x42; 200];
    bytes.extend([0x43, 0x02]);
    bytes.extend([0xC0; 200]);
    let mut levels = [treedef::encode::Level::default(); 256];
    TreeDef::from_bytes_with(bytes.leak(), &mut levels).unwrap()
}

#[test]
fn a_variant_never_gets_the_leaves_of_another() {
    let low = fields("app::Filter::Low", &[("hz", LEAF)]);
    let high = fields("app::Filter::High", &[("hz", LEAF)]);
    let config = |filter| fields("app::Config", &[("filter", filter), ("gain", LEAF)]);
    let text =
        "replaced .filter: variant Filter::Low was stored, and there is variant Filter::High now";
    assert_eq!(moved(config(low), config(high), &[]), (vec![0, 2], vec![text.into()]));
    // A variant that was renamed.
    let (leaves, texts) =
        moved(config(low), config(high), &[("app::Filter::Low", "app::Filter::High")]);
    assert_eq!(leaves, [1, 2]);
    assert_eq!(
        texts,
        ["changed .filter: expected variant Filter::High, found variant Filter::Low"]
    );
}

#[test]
fn kinds_and_options_decide() {
    let (old, new) = (
        treedef!({"a": (*, *), "b": *, "c": None, "d": [*], "e": *}),
        treedef!({"a": [*, *], "b": None, "c": *, "d": {"x": *}, "e": *}),
    );
    let (leaves, texts) = moved(old, new, &[]);
    assert_eq!(leaves, [0, 0, 0, 0, 5]);
    assert_eq!(
        texts,
        [
            "replaced ['a']: a tuple of 2 was stored, and there is a list of 2 now",
            "replaced ['b']: a leaf was stored, and there is None now",
            "replaced ['c']: None was stored, and there is a leaf now",
            "replaced ['d']: a list of 1 was stored, and there is a dict with key 'x' now",
        ]
    );
    // A value that became optional, where an option of an option needs a `Some`.
    let some = |child| node(&head::Some, &[child]);
    for (old, new) in [(LEAF, some(LEAF)), (some(LEAF), LEAF), (some(list(&[LEAF])), list(&[LEAF]))]
    {
        assert_eq!(moved(list(&[old, LEAF]), list(&[new, LEAF]), &[]), (vec![1, 2], vec![]));
    }
}

#[test]
fn meta_that_changed_is_reported_and_the_leaves_are_moved() {
    let layer = |version| {
        let meta = [("version", Value::Int(version))];
        node(&head::Struct { name: "m::Layer", fields: &["w", "b"], meta: &meta }, &[LEAF, LEAF])
    };
    let (leaves, texts) = moved(list(&[layer(1), LEAF]), list(&[layer(2), LEAF]), &[]);
    assert_eq!(leaves, [1, 2, 3]);
    let changed = "changed [0]: expected version = 2, found version = 1";
    assert_eq!(texts, [changed, "lost the meta field version = 1 of [0]"]);
    let aux = |aux| {
        node(&head::Custom { name: "C", aux: Value::Int(aux), children: 0, child_keys: None }, &[])
    };
    let (leaves, texts) = moved(list(&[aux(1), LEAF]), list(&[aux(2), LEAF]), &[]);
    assert_eq!(leaves, [1]);
    assert_eq!(texts, ["changed [0]: expected aux data 2, found 1"]);
}

#[test]
fn sequences_keep_their_common_elements() {
    let (short, long) = (treedef!(([*, *], *)), treedef!(([*, *, *, *], *)));
    let new = vec!["new [0][2]".to_owned(), "new [0][3]".into()];
    assert_eq!(moved(short, long, &[]), (vec![1, 2, 0, 0, 3], new));
    let lost = vec!["lost [0][2]".to_owned(), "lost [0][3]".into()];
    assert_eq!(moved(long, short, &[]), (vec![1, 2, 5], lost));
    // Copies of nodes, and no elements at all.
    let (one, more) = (treedef!([(*, *)]), treedef!([(*, *), (*, *), (*, *)]));
    assert_eq!(moved(one, more, &[]).0, [1, 2, 0, 0, 0, 0]);
    assert_eq!(moved(more, one, &[]), (vec![1, 2], vec!["lost [1]".into(), "lost [2]".into()]));
    assert_eq!(
        moved(treedef!(([], *)), treedef!(([*], *)), &[]),
        (vec![0, 1], vec!["new [0][0]".into()])
    );
    assert_eq!(
        moved(treedef!(([*], *)), treedef!(([], *)), &[]),
        (vec![2], vec!["lost [0][0]".into()])
    );
}

#[test]
fn fields_in_another_order_are_found() {
    let pair = treedef!((*, *));
    let old = ordered(&[("a", LEAF), ("b", pair), ("c", treedef!([None, *])), ("d", LEAF)]);
    for order in ["dcba", "cabd", "bdac", "adcb"] {
        let children: Vec<_> = order
            .split("")
            .filter(|key| !key.is_empty())
            .map(|key| (key, old.find_str(key).unwrap().treedef()))
            .collect();
        let expected: Vec<_> = children
            .iter()
            .flat_map(|(key, _)| old.find_str(key).unwrap().leaves().map(|leaf| leaf + 1))
            .collect();
        assert_eq!(moved(old, ordered(&children), &[]), (expected, vec![]), "{order}");
    }
    // In a node that itself changed its place, with more that differs.
    let inner = |keys: [&str; 3]| ordered(&keys.map(|key| (key, LEAF)));
    let old = ordered(&[("x", inner(["a", "b", "c"])), ("y", LEAF)]);
    let new = ordered(&[("y", LEAF), ("x", inner(["c", "n", "a"]))]);
    let (leaves, texts) = moved(old, new, &[]);
    assert_eq!(leaves, [4, 3, 0, 1]);
    assert_eq!(texts, ["new ['x']['n']", "lost ['x']['b']"]);
}

/// An ordered dictionary of leaves with these keys.
fn numbered(keys: impl Iterator<Item = u32>) -> TreeDef<'static> {
    let keys: Vec<_> = keys.collect();
    let mut out = Writer::new(Vec::leak(vec![0; 8 * keys.len()]));
    let frame = out.begin(&head::Dict::new(DictKind::Ordered, keys.iter().copied()));
    out.leaves(keys.len());
    out.end(frame);
    out.finish().unwrap()
}

#[test]
fn children_in_any_order_are_moved() {
    let (leaves, texts) = moved(numbered(0..1500), numbered((0..1500).rev()), &[]);
    assert!(leaves.into_iter().eq((1..=1500).rev()) && texts.is_empty());
    // What is side by side is found beside any number of others.
    let (leaves, texts) = moved(numbered(0..9000), numbered((90_000..90_010).chain(0..9000)), &[]);
    assert_eq!((leaves[10..].iter().sum::<usize>(), texts.len()), ((1..=9000).sum(), 10));
}

#[test]
fn an_alias_that_is_ignored_hides_no_loss() {
    let (old, new) = (treedef!({"c": *, "d": *}), treedef!({"c": *}));
    assert_eq!(moved(old, new, &[("d", "c")]), (vec![1], vec!["lost ['d']".into()]));
    let (old, new) = (treedef!({"c": *, "d": *}), treedef!({"c": *, "e": *}));
    let renamed = vec!["moved ['d'] to ['e']".into()];
    assert_eq!(moved(old, new, &[("d", "c"), ("d", "e")]), (vec![1, 2], renamed));
}

#[test]
fn aliases_rename_fields_keys_and_types() {
    let pid = |name, first, second| fields(name, &[(first, LEAF), (second, LEAF)]);
    let old = ordered(&[("p", pid("fw::Pid", "kp", "ki")), ("q", pid("fw::Other", "kp", "ki"))]);
    let new =
        ordered(&[("q", pid("fw::Other", "gain", "ki")), ("r", pid("fw::New", "ki", "gain"))]);
    let aliases = [("p", "r"), ("fw::Pid", "fw::New"), ("fw::Pid.kp", "gain")];
    let (leaves, texts) = moved(old, new, &aliases);
    assert_eq!(leaves, [0, 4, 2, 1]);
    assert_eq!(
        texts,
        [
            "new ['q'].gain",
            "lost ['q'].kp",
            "moved ['p'] to ['r']",
            "changed ['r']: expected a struct New, found a struct Pid",
            "moved ['p'].kp to ['r'].gain",
        ]
    );
    // In a dict, where the new name has another place in the order of the keys.
    for (from, to, expected) in [("a", "z", [2, 1]), ("z", "a", [2, 1]), ("a", "b", [1, 2])] {
        let dict = |key: &'static str| {
            let mut keys = [key, "m"];
            keys.sort_unstable();
            node(&head::Dict::new(DictKind::Sorted, keys), &[LEAF, LEAF])
        };
        let (leaves, texts) = moved(dict(from), dict(to), &[(from, to)]);
        assert_eq!(
            (leaves, texts),
            (expected.to_vec(), vec![format!("moved ['{from}'] to ['{to}']")])
        );
    }
    // An alias does not take what has its own name, and two aliases for one name take the first that there is.
    let (ab, bc) = (ordered(&[("a", LEAF), ("b", LEAF)]), ordered(&[("b", LEAF), ("c", LEAF)]));
    assert_eq!(moved(ab, ab, &[("a", "b")]).0, [1, 2]);
    assert_eq!(moved(ab, bc, &[("a", "b"), ("b", "c")]).0, [2, 0]);
    let c = ordered(&[("c", LEAF)]);
    assert_eq!(moved(ab, c, &[("x", "c"), ("b", "c"), ("a", "c")]).0, [2]);
    for aliases in [[("b", "c"), ("a", "c")], [(".b", ".c"), (".a", ".c")]] {
        assert_eq!(moved(ab, c, &aliases).1, ["moved ['b'] to ['c']", "lost ['a']"]);
    }
    // What another alias keeps from its new place stays where it is.
    assert_eq!(moved(ab, bc, &[(".a", ".c"), (".b", ".c")]).0, [2, 1]);
    // A `*` in a name is not any child.
    let star = ordered(&[("a*b", LEAF)]);
    assert_eq!(moved(star, c, &[(".a*b", ".c")]).0, [1]);
}

#[test]
fn what_an_alias_cannot_move_is_lost() {
    let texts = |old, new, alias| moved(old, new, &[alias]).1;
    // A place that has no `*` gets no element, and elements that the new list has not are lost.
    let (old, new) = (treedef!({"l": [*, *], "m": [{}]}), treedef!({"m": [{"x": *}]}));
    assert_eq!(texts(old, new, ("l[*]", "m[0].x")), ["new ['m'][0]['x']", "lost ['l']"]);
    let moved_first = ["moved ['l'][0] to ['m'][0]['x']", "lost ['l'][1]"];
    assert_eq!(texts(old, new, ("l[*]", "m[*].x")), moved_first);
    // A wrapper that stays, and a place whose own node was refused.
    let rate = |keys: &[(&'static str, _)]| ordered(&[("rate", ordered(keys))]);
    let (old, new) = (rate(&[("a", LEAF), ("hz", LEAF)]), rate(&[("a", LEAF)]));
    assert_eq!(texts(old, new, ("rate.hz", "rate")), ["lost ['rate']['hz']"]);
    let (old, new) = (treedef!({"g": *, "x": *}), treedef!({"g": {"kp": *}}));
    let refused = "replaced ['g']: a leaf was stored, and there is a dict with key 'kp' now";
    assert_eq!(texts(old, new, ("x", "g.kp")), [refused, "moved ['x'] to ['g']['kp']"]);
    let unused = [refused, "the alias k to g.kp leads nowhere", "lost ['x']"];
    assert_eq!(texts(old, new, ("k", "g.kp")), unused);
    let (old, new) = (treedef!({"rate": *}), treedef!({"loop": {"rate": *}}));
    let unused = ["new ['loop']", "the alias rat to loop.rate leads nowhere", "lost ['rate']"];
    assert_eq!(texts(old, new, ("rat", "loop.rate")), unused);
}

#[test]
fn aliases_are_read_as_all_paths() {
    let old = ordered(&[("a.b", LEAF), ("it's", LEAF), ("]", LEAF), ("\\", LEAF), ("[0]", LEAF)]);
    let new = ordered(&[("p", LEAF), ("q", LEAF), ("r", LEAF), ("s", LEAF), ("t", LEAF)]);
    let spelled = ["['a.b']", "[\"it's\"]", "[']']", "['\\\\']", "['[0]']"];
    let named = [".p", "['q']", "[\"r\"]", "/s", "t"];
    let aliases: Vec<_> = spelled.into_iter().zip(named).collect();
    for (path, index) in aliases.iter().map(|(path, _)| path).zip(0..) {
        assert_eq!(old.find_str(path).map(|found| found.as_leaf()), Ok(Some(index)), "{path}");
    }
    assert_eq!(moved(old, new, &aliases).0, [1, 2, 3, 4, 5]);

    // Keys that are integers, also less than zero, and keys that are numbers as texts.
    let numbers = |keys: [i64; 2]| node(&head::Dict::new(DictKind::Sorted, keys), &[LEAF, LEAF]);
    let by_number = [("x[-3]", "x[7]"), ("x[2]", "x[9]")];
    let [old, new] = [numbers([-3, 2]), numbers([7, 9])].map(|def| ordered(&[("x", def)]));
    assert_eq!(moved(old, new, &by_number).0, [1, 2]);
    let text = ordered(&[("x", ordered(&[("2", LEAF)]))]);
    let other = ordered(&[("x", ordered(&[("9", LEAF)]))]);
    assert_eq!(moved(text, other, &[("x[2]", "x[9]")]).0, [0]);
    assert_eq!(moved(text, other, &[("x['2']", "x['9']")]).0, [1]);

    // A quoted name is a key, and no field: the alias leads nowhere, as the path does.
    let field = |name: &'static str| fields("fw::Pid", &[(name, LEAF)]);
    assert!(field("kp").find_str("['kp']").is_err());
    assert_eq!(moved(field("kp"), field("gain"), &[(".kp", ".gain")]).0, [1]);
    let (leaves, texts) = moved(field("kp"), field("gain"), &[("['kp']", "['gain']")]);
    let nowhere = "the alias ['kp'] to ['gain'] leads nowhere";
    assert_eq!(
        (leaves, texts),
        (vec![0], [nowhere, "new .gain", "lost .kp"].map(String::from).into())
    );
}

#[test]
fn aliases_with_other_text_after_a_segment_lead_nowhere() {
    // Where no path can begin, there is no place below: `a` is new, and `b` is lost.
    let (old, new) = (ordered(&[("b", LEAF)]), ordered(&[("a", LEAF)]));
    let said = ["new ['a']", "lost ['b']"];
    for junk in ["['a']x", "['a']x.y", "[\"a\"]*", "['a'] .y", "['a']]"] {
        for alias in [("b", junk), (junk, "b"), (junk, ".c")] {
            let (leaves, texts) = moved(old, new, &[alias]);
            let texts: Vec<_> = texts.into_iter().filter(|text| !text.contains("alias")).collect();
            assert_eq!((leaves, texts), (vec![0], said.map(String::from).to_vec()), "{alias:?}");
        }
    }
    let (old, new) = (list(&[LEAF]), list(&[ordered(&[("x", LEAF)])]));
    let (_, texts) = moved(old, new, &[("[0]y", "[0]x")]);
    let replaced = "replaced [0]: a leaf was stored, and there is an OrderedDict with key 'x' now";
    assert_eq!(texts, ["the alias [0]y to [0]x leads nowhere", replaced]);
    // A part of itself, in another spelling: `rate.hz` is below `rate`.
    let (hertz, whole) =
        (ordered(&[("rate", ordered(&[("hz", LEAF)]))]), ordered(&[("rate", LEAF)]));
    for alias in [("rate", "['rate'].hz"), ("['rate'][\"hz\"]", "/rate"), (".rate/hz", "rate")] {
        assert_eq!(moved(hertz, whole, &[alias]).0, [1], "{alias:?}");
        assert_eq!(moved(whole, hertz, &[alias]).0, [1], "{alias:?}");
    }
}

#[test]
fn what_aliases_leave_of_a_place_of_another_kind_is_new() {
    // A leaf, and a node that gets a part of what was stored.
    let pair = list(&[LEAF, LEAF]);
    let (leaves, texts) =
        moved(ordered(&[("m", pair)]), ordered(&[("m", LEAF), ("x", pair)]), &[("m[*]", "x[*]")]);
    assert_eq!(leaves, [0, 1, 2]);
    assert_eq!(texts, ["new ['m']", "moved ['m'][0] to ['x'][0]", "moved ['m'][1] to ['x'][1]"]);
    let gains = ordered(&[("kp", LEAF), ("ki", LEAF)]);
    let aliases = [("m[0]", "m.kp"), ("m[1]", "x")];
    let (leaves, texts) =
        moved(ordered(&[("m", pair)]), ordered(&[("m", gains), ("x", LEAF)]), &aliases);
    assert_eq!(leaves, [1, 0, 2]);
    assert_eq!(
        texts,
        ["moved ['m'][0] to ['m']['kp']", "new ['m']['ki']", "moved ['m'][1] to ['x']"]
    );
}

#[test]
fn a_leaf_that_is_moved_to_several_places_counts_once() {
    /// The leaves, and how many were moved and lost.
    fn counted(
        old: TreeDef<'_>,
        new: TreeDef<'_>,
        aliases: &[(&str, &str)],
    ) -> (Vec<usize>, [usize; 2]) {
        let stored: Vec<_> = (1..=old.num_leaves()).collect();
        let mut leaves = vec![0; new.num_leaves()];
        let view = View::new(old, &stored).unwrap();
        let migrated = migrate(view, new, &mut leaves, aliases, |_| {}).unwrap();
        let distinct: std::collections::BTreeSet<_> =
            leaves.iter().filter(|leaf| **leaf > 0).collect();
        assert_eq!(migrated.moved, distinct.len(), "{old:?} to {new:?} by {aliases:?}");
        (leaves, [migrated.moved, migrated.lost])
    }
    let keys = |keys: &[&'static str]| -> TreeDef<'static> {
        ordered(&keys.iter().map(|key| (*key, LEAF)).collect::<Vec<_>>())
    };
    // Two aliases with one old path, or with one old name at any node.
    let (old, new) = (keys(&["x", "lost"]), keys(&["a", "b", "c"]));
    assert_eq!(counted(old, new, &[(".x", ".a"), (".x", ".c")]), (vec![1, 0, 1], [1, 1]));
    assert_eq!(counted(old, new, &[("x", "c"), ("x", "a")]), (vec![1, 0, 1], [1, 1]));
    assert_eq!(counted(old, new, &[(".x", ".c"), ("b", "x"), ("x", "a")]).1, [1, 1]);
    assert_eq!(counted(old, new, &[("x", "a"), ("x", "nothing")]), (vec![1, 0, 0], [1, 1]));
    assert_eq!(counted(old, new, &[("x", "nothing"), (".x", ".none"), ("x", "a")]).1, [1, 1]);
    // Beside a node that was replaced.
    let new = ordered(&[("a", LEAF), ("b", LEAF), ("lost", list(&[]))]);
    assert_eq!(counted(old, new, &[(".x", ".a"), (".x", ".b")]), (vec![1, 1], [1, 1]));
    // All leaves of a node, and one that is also moved alone.
    let pair = keys(&["p", "q"]);
    let old = ordered(&[("x", pair), ("lost", LEAF)]);
    let new = ordered(&[("a", pair), ("b", pair), ("c", LEAF)]);
    let aliases = [(".x", ".a"), (".x", ".b"), ("x.q", ".c")];
    assert_eq!(counted(old, new, &aliases), (vec![1, 2, 1, 2, 2], [2, 1]));
    let [first, second, third] = aliases;
    assert_eq!(counted(old, new, &[third, second, first]), (vec![1, 2, 1, 2, 2], [2, 1]));
    // A part of a node that is moved, where that has no place for it.
    let new = ordered(&[("a", keys(&["p"])), ("c", LEAF)]);
    assert_eq!(counted(old, new, &[first, third]), (vec![1, 2], [2, 1]));
    assert_eq!(counted(old, new, &[third, first]), (vec![1, 2], [2, 1]));
    // One value for all elements.
    let (old, each) = (keys(&["x", "lost"]), keys(&["hz", "own"]));
    let all = ("x", "m[*].hz");
    let new = ordered(&[("m", list(&[each, each, each]))]);
    assert_eq!(counted(old, new, &[all]), (vec![1, 0, 1, 0, 1, 0], [1, 1]));
    let new = ordered(&[("m", ordered(&[("u", each), ("v", each)]))]);
    assert_eq!(counted(old, new, &[all]), (vec![1, 0, 1, 0], [1, 1]));
    assert_eq!(counted(old, new, &[("lost", "m.v.own"), all]), (vec![1, 0, 1, 2], [2, 0]));
    let old = ordered(&[("m", list(&[keys(&["x"]), keys(&["x"])]))]);
    let new = ordered(&[("n", list(&[list(&[each, each]), list(&[each, each])]))]);
    let leaves = vec![1, 0, 1, 0, 2, 0, 2, 0];
    assert_eq!(counted(old, new, &[("m[*].x", "n[*][*].hz")]), (leaves, [2, 0]));
    let (old, new) = (treedef!({"l": [*], "p": {"x": *}}), treedef!({"l": [*, *]}));
    assert_eq!(counted(old, new, &[("p.x", "l[*]")]), (vec![1, 2], [2, 0]));
    let (old, new) = (keys(&["x", "lost"]), ordered(&[("l", list(&[LEAF, LEAF]))]));
    assert_eq!(counted(old, new, &[("x", "l[*]"), ("lost", "l[0]")]), (vec![1, 1], [1, 1]));
    // Paths that are swapped are no copies: they do nothing where both are stored, and move the one that is alone.
    let swapped = [(".a", ".b"), (".b", ".a")];
    let (both, one) = (keys(&["a", "b"]), keys(&["b", "c"]));
    assert_eq!(counted(both, both, &swapped), (vec![1, 2], [2, 0]));
    assert_eq!(counted(one, both, &swapped), (vec![1, 0], [1, 1]));
    assert_eq!(counted(both, one, &swapped), (vec![2, 0], [1, 1]));
}

#[test]
fn too_few_leaves_and_too_many_levels_are_errors() {
    let (old, new) = (treedef!([*, *]), treedef!((*, *)));
    let view = View::new(old, &[1, 2]).unwrap();
    let error = migrate(view, new, &mut [0], &[], |_| panic!("nothing is moved")).unwrap_err();
    assert_eq!(error, Error::LeavesFull { needed: 2, room: 1 });
    // Leaves after those of the structure are not touched.
    let mut leaves = [0; 3];
    assert_eq!(migrate(view, old, &mut leaves, &[], |_| {}).unwrap().moved, 2);
    assert_eq!(leaves, [1, 2, 0]);
    let nested = |own: &'static str, times: u32| {
        (0..times).fold(LEAF, |child, _| ordered(&[("a", child), (own, LEAF)]))
    };
    let mut leaves = [0; 80];
    for (times, expected) in [(64, Ok(1)), (65, Err(Error::TooDeep { limit: 64 }))] {
        let stored: Vec<_> = (0..=times).collect();
        let view = View::new(nested("x", times), &stored).unwrap();
        let migrated = migrate(view, nested("y", times), &mut leaves, &[], |_| {});
        assert_eq!(migrated.map(|counts| counts.moved), expected, "{times}");
    }
}

#[test]
fn a_refused_leaf_keeps_the_default() {
    let (old, new) = (treedef!([[*, *], [*, *], *]), treedef!([[*, *], [*, *], *, *]));
    let mut leaves = [0; 6];
    let mut refused = Vec::new();
    let view = View::new(old, &["1", "x", "3", "y", "5"]).unwrap();
    let take = |text: &&str, leaf: &mut i32, path: KeyPath<'_, '_>| match text.parse() {
        Ok(value) => {
            *leaf = value;
            Ok(())
        }
        Err(_) => Err(format!("{text} at {path} is no number")),
    };
    let migrated = migrate_with(view, new, &mut leaves, &[], take, |report| {
        if let Migration::Replaced { stored, .. } = report {
            refused.push((report.to_string(), stored.leaves()));
        }
    });
    let Migrated { moved, lost, replaced, new, .. } = migrated.unwrap();
    assert_eq!((moved, lost, replaced, new), (3, 2, 2, 1));
    assert_eq!(leaves, [1, 0, 3, 0, 5, 0]);
    let text = |at: &str, text: &str| format!("refused {at}: {text} at {at} is no number");
    assert_eq!(refused, [(text("[0][1]", "x"), 1..2), (text("[1][1]", "y"), 3..4)]);
}

/// A leaf of the plain model: for each node around it, without `Some`, the kind, the type and the entry.
pub(crate) type Key = Vec<(Kind, String, String)>;

/// Adds the leaves; `false` if a node has two children of one name.
fn keys(def: TreeDef<'_>, before: &Key, all: &mut Vec<Key>) -> bool {
    let head = def.head();
    let names: BTreeMap<_, _> = head.entries().map(|entry| (format!("{entry:?}"), ())).collect();
    let mut distinct = names.len() == head.num_children();
    if head.kind() == Kind::Leaf {
        all.push(before.clone());
    }
    for (entry, child) in head.entries().zip(def.children()) {
        let mut key = before.clone();
        if head.kind() != Kind::Some {
            let name = head.type_name().unwrap_or_default();
            key.push((head.kind(), name.to_owned(), format!("{entry:?}")));
        }
        distinct &= keys(child, &key, all);
    }
    distinct
}

/// The leaves; `None` if a node has two children of one name.
fn keys_of(def: TreeDef<'_>) -> Option<Vec<Key>> {
    let mut all = Vec::new();
    keys(def, &Vec::new(), &mut all).then_some(all)
}

/// Compares a migration with the model. `rename` changes the keys of the old leaves as the aliases do.
#[track_caller]
pub(crate) fn agrees(
    old: TreeDef<'_>,
    new: TreeDef<'_>,
    aliases: &[(&str, &str)],
    rename: fn(Key) -> Key,
) {
    let (Some(sources), Some(targets)) = (keys_of(old), keys_of(new)) else { return };
    let sources: Vec<_> = sources.into_iter().map(rename).collect();
    let by_key: BTreeMap<String, usize> =
        sources.iter().enumerate().map(|(leaf, key)| (format!("{key:?}"), leaf)).collect();
    let expected: Vec<_> = targets
        .iter()
        .map(|key| by_key.get(&format!("{key:?}")).map_or(0, |leaf| leaf + 1))
        .collect();

    let stored: Vec<_> = (1..=sources.len()).collect();
    let mut leaves = vec![0; targets.len()];
    let (mut lost, mut kept, mut meta) = (vec![], vec![], 0);
    let view = View::new(old, &stored).unwrap();
    let result = migrate(view, new, &mut leaves, aliases, |report| match report {
        Migration::Lost(found) => {
            lost.extend(found.leaves());
            let again = old.find_at(found.indices()).unwrap();
            assert_eq!((again, again.treedef()), (found, found.treedef()));
        }
        Migration::New(path) => kept.extend(new.find(path).unwrap().leaves()),
        Migration::Replaced { stored, at, .. } => {
            kept.extend(new.find(at).unwrap().leaves());
            lost.extend(stored.leaves());
            assert_eq!(old.find_at(stored.indices()), Some(stored));
        }
        Migration::Moved { stored, at } => {
            assert_eq!(old.find_at(stored.indices()), Some(stored));
            assert!(new.find(at).is_ok());
        }
        Migration::Changed { stored, at, now } => {
            assert_ne!(stored.treedef().head(), now);
            assert_eq!(new.find(at).unwrap().treedef().head(), now);
        }
        Migration::LostMeta { stored, name, value } => {
            meta += 1;
            let head = stored.treedef().head();
            assert!(head.meta_fields().any(|field| field == (name, value)));
            assert_eq!(old.find_at(stored.indices()), Some(stored));
        }
        Migration::Unused { .. } => {}
        _ => unreachable!(),
    });
    let result = result.unwrap();
    assert!(result.lost_meta >= meta);
    assert_eq!(result.moved, expected.iter().filter(|leaf| **leaf > 0).count());
    assert_eq!(leaves, expected, "{old:?} to {new:?}");
    // Every leaf is moved, or reported once.
    lost.sort_unstable();
    kept.sort_unstable();
    assert!(
        lost.iter().copied().eq((0..sources.len()).filter(|leaf| !expected.contains(&(leaf + 1))))
    );
    assert!(kept.iter().copied().eq((0..targets.len()).filter(|leaf| expected[*leaf] == 0)));
}

/// Some of the names `a` to `h` in any order.
fn names() -> impl Strategy<Value = Vec<&'static str>> {
    let all = prop::sample::subsequence(vec!["a", "b", "c", "d", "e", "f", "g", "h"], 0..=8);
    all.prop_shuffle()
}

/// Whether a `Some` is in a structure. A migration goes through it, and a comparison does not.
fn has_some(def: TreeDef<'_>) -> bool {
    def.head().kind() == Kind::Some || def.children().any(has_some)
}

/// What a migration reports, and what the deep differences of the same structures say: a line for each place.
fn said(old: TreeDef<'_>, new: TreeDef<'_>) -> (Vec<String>, Vec<String>) {
    let (stored, mut leaves) = (vec![1; old.num_leaves()], vec![0; new.num_leaves()]);
    let mut reports = Vec::new();
    let view = View::new(old, &stored).unwrap();
    migrate(view, new, &mut leaves, &[], |report| {
        reports.push(match report {
            // The node is reported as changed.
            Migration::LostMeta { .. } => return,
            Migration::New(path) => format!("new {path}"),
            Migration::Lost(node) => format!("lost {}", node.path()),
            Migration::Replaced { at, .. } => format!("replaced {at}"),
            Migration::Changed { at, .. } => format!("changed {at}"),
            other => panic!("{other} without an alias"),
        });
    })
    .unwrap();
    let mut differences = Vec::new();
    for difference in new.differences(old).deep() {
        let difference = difference.unwrap();
        let (path, [now, then]) =
            (difference.path(), [difference.expected(), difference.found()].map(|def| def.head()));
        let (kinds, names) =
            ([now, then].map(|head| head.kind()), [now, then].map(|head| head.type_name()));
        if kinds[0] != kinds[1] || names[0] != names[1] {
            differences.push(format!("replaced {path}"));
            continue;
        }
        let at = |entry: KeyEntry<'_>| {
            let entries: Vec<_> = path.entries().chain([entry]).collect();
            KeyPath::new(&entries).to_string()
        };
        let entries = |head: Head<'static>| head.entries().collect::<Vec<_>>();
        let [ours, theirs] = [now, then].map(|head| entries(head_of(head)));
        let only =
            |these: &[KeyEntry<'static>], those: &[KeyEntry<'static>]| -> Vec<KeyEntry<'static>> {
                these.iter().filter(|entry| !those.contains(entry)).copied().collect()
            };
        differences
            .extend(only(&ours, &theirs).into_iter().map(|entry| format!("new {}", at(entry))));
        differences
            .extend(only(&theirs, &ours).into_iter().map(|entry| format!("lost {}", at(entry))));
        let data = [now, then].map(|head| {
            let meta: Vec<_> = head.meta_fields().map(|field| format!("{field:?}")).collect();
            format!("{meta:?} {:?} {:?}", head.aux(), head.factory())
        });
        if data[0] != data[1] {
            differences.push(format!("changed {path}"));
        }
    }
    reports.sort();
    differences.sort();
    (reports, differences)
}

/// The head, for the rest of the program.
fn head_of(head: Head<'_>) -> Head<'static> {
    let bytes = Vec::leak(vec![0; head::head_len(&head)]);
    head::head_into(&head, bytes).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn leaves_go_where_the_paths_and_the_kinds_agree((a, b) in neighbours()) {
        let (a, b) = (a.as_treedef(), b.as_treedef());
        agrees(a, b, &[], |key| key);
        agrees(b, a, &[], |key| key);
    }

    #[test]
    fn reports_and_deep_differences_agree((a, b) in neighbours()) {
        let (a, b) = (a.as_treedef(), b.as_treedef());
        if !has_some(a) && !has_some(b) && keys_of(a).is_some() && keys_of(b).is_some() {
            for (old, new) in [(a, b), (b, a)] {
                let (reports, differences) = said(old, new);
                assert_eq!(reports, differences, "{old:?} to {new:?}");
            }
        }
    }

    #[test]
    fn children_are_found_in_any_order(
        (a, b) in neighbours(), (c, d) in neighbours(), from in names(), to in names(),
    ) {
        let parts = [a.as_treedef(), b.as_treedef(), c.as_treedef(), d.as_treedef()];
        if parts.iter().map(|part| part.as_bytes().len()).sum::<usize>() < 200 {
            let pick = |names: &[&'static str], shift: usize| -> Vec<_> {
                let part = |at: usize| parts[(at + shift) / 2 % 4];
                names.iter().map(|name| (*name, part(usize::from(name.as_bytes()[0])))).collect()
            };
            let (old, new) = (ordered(&pick(&from, 0)), ordered(&pick(&to, 1)));
            agrees(old, new, &[], |key| key);
            // Inside one another, as elements of lists, in nodes that have another place themselves.
            let name = to.last().copied().unwrap_or("p");
            let around = |inner| ordered(&[("p", inner), ("x", LEAF), ("y", LEAF)]);
            let turned = |inner| ordered(&[("y", LEAF), ("z", LEAF), (name, inner), ("p", inner)]);
            agrees(around(around(old)), turned(turned(new)), &[], |key| key);
            agrees(
                list(&[around(old), LEAF, old]),
                list(&[turned(new), LEAF, new, new]),
                &[],
                |key| key,
            );
        }
    }

    #[test]
    fn aliases_move_what_was_renamed(
        (a, b) in neighbours(), from in names(), to in names(), top in any::<bool>(),
    ) {
        let parts = [a.as_treedef(), b.as_treedef()];
        if parts.iter().map(|part| part.as_bytes().len()).sum::<usize>() < 200 {
            // The names of the new struct are upper case where the alias has them, and each name has one part.
            let aliases =
                [("m::Old", "m::New"), ("m::Old.a", "A"), ("b", "B"), ("m::Old.c", "C"), ("x", "A"), ("d", "Z")];
            let pick = |names: &[&'static str], upper: bool| -> Vec<(&'static str, TreeDef<'_>)> {
                let name = |name: &'static str| match name {
                    "a" if upper => "A",
                    "b" if upper => "B",
                    "c" if upper => "C",
                    name => name,
                };
                let part = |name: &str| parts[usize::from(name.as_bytes()[0]) % 2];
                names.iter().map(|own| (name(own), part(own))).collect()
            };
            let (old, new) = (fields("m::Old", &pick(&from, false)), fields("m::New", &pick(&to, true)));
            let rename = |mut key: Key| {
                for (_, name, entry) in key.iter_mut().filter(|(_, name, _)| name == "m::Old") {
                    "m::New".clone_into(name);
                    for (from, to) in [("\"a\"", "\"A\""), ("\"b\"", "\"B\""), ("\"c\"", "\"C\"")] {
                        *entry = entry.replace(from, to).replace(&from.replace('"', "'"), &to.replace('"', "'"));
                    }
                }
                key
            };
            match top {
                true => agrees(old, new, &aliases, rename),
                false => agrees(list(&[old, old, LEAF]), list(&[new, new, LEAF]), &aliases, rename),
            }
        }
    }
}

#[test]
fn a_change_of_meta_fields_does_not_tell_of_names() {
    let layer = |version, field| {
        let meta = [("version", Value::Int(version))];
        node(&head::Struct { name: "m::Pid", fields: &[field, "ki"], meta: &meta }, &[LEAF, LEAF])
    };
    let (leaves, texts) = moved(layer(1, "kp"), layer(2, "gain"), &[("kp", "gain")]);
    assert_eq!(leaves, [1, 2]);
    assert_eq!(
        texts,
        [
            "changed the root: expected version = 2, found version = 1",
            "lost the meta field version = 1 of the root",
            "moved .kp to .gain"
        ]
    );
    // A type that was renamed, and a field in it.
    let (leaves, texts) = moved(
        fields("app::Pid", &[("kp", LEAF)]),
        fields("ctl::Gains", &[("gain", LEAF)]),
        &[("kp", "gain"), ("app::Pid", "ctl::Gains")],
    );
    assert_eq!(leaves, [1]);
    assert_eq!(
        texts,
        ["changed the root: expected a struct Gains, found a struct Pid", "moved .kp to .gain"]
    );
}
