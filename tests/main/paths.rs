//! What goes by path: nodes looked up by entries, indices and text; replaced.

use crate::bridge;
use crate::properties::law;
use crate::support;

use proptest::prelude::any;
use proptest::sample::Index;
use std::cell::Cell;
use support::decode::decode;
use support::def::{ChildKey, Def, Keys};
use treedef::encode::{Level, structure_bound};
use treedef::path::Found;
use treedef::tree::Structure;
use treedef::{
    Error, KeyEntry, KeyPath, Kind, TreeDef, TreeDefBuf, Value, View, Writer, matches,
    structure_into, treedef,
};
use treedef_proptest::treedefs;

/// The entry of the path to the child with this index.
pub(super) fn entry(def: &Def, i: usize) -> KeyEntry<'_> {
    let index = u32::try_from(i).unwrap();
    match def {
        Def::Leaf | Def::None => unreachable!("no children"),
        Def::Tuple(_) | Def::List(_) => KeyEntry::Index(index),
        Def::Some(_) => KeyEntry::Some,
        Def::Dict { keys, .. } | Def::OrderedDict { keys, .. } | Def::DefaultDict { keys, .. } => {
            KeyEntry::Key(match keys {
                Keys::Str(keys) => Value::Str(&keys[i]),
                Keys::Int(keys) => Value::Int(keys[i]),
                Keys::Typed(keys) => bridge::value(&keys[i]),
            })
        }
        Def::NamedTuple { fields, .. } | Def::Struct { fields, .. } => KeyEntry::Attr(&fields[i]),
        Def::Custom { child_keys: None, .. } => KeyEntry::FlatIndex(index),
        Def::Custom { child_keys: Some(keys), .. } => match &keys[i] {
            ChildKey::Attr(name) => KeyEntry::Attr(name),
            ChildKey::Dict(key) => KeyEntry::Key(bridge::value(key)),
            ChildKey::Seq(i) => KeyEntry::Index(*i),
            ChildKey::Raw(text) => KeyEntry::Raw(text),
        },
    }
}

/// A node of the plain tree and where it stands.
pub(super) struct Place<'d> {
    pub(super) def: &'d Def,
    pub(super) entries: Vec<KeyEntry<'d>>,
    indices: Vec<usize>,
    pub(super) leaf: usize,
    node: usize,
}

/// All nodes in preorder.
pub(super) fn places(def: &Def) -> Vec<Place<'_>> {
    fn visit<'d>(
        def: &'d Def,
        entries: &[KeyEntry<'d>],
        indices: &[usize],
        leaf: &mut usize,
        out: &mut Vec<Place<'d>>,
    ) {
        let (node, first) = (out.len(), *leaf);
        let (own_entries, own_indices) = (entries.to_vec(), indices.to_vec());
        out.push(Place { def, entries: own_entries, indices: own_indices, leaf: first, node });
        *leaf += usize::from(*def == Def::Leaf);
        for (i, child) in def.children().iter().enumerate() {
            let entries = [entries, &[entry(def, i)]].concat();
            visit(child, &entries, &[indices, &[i]].concat(), leaf, out);
        }
    }
    let mut out = Vec::new();
    visit(def, &[], &[], &mut 0, &mut out);
    out
}

/// The index of the node that entries lead to, the first of equal ones; `None` if they lead nowhere.
fn lookup(def: &Def, entries: &[KeyEntry<'_>]) -> Option<usize> {
    let Some((first, rest)) = entries.split_first() else { return Some(0) };
    if matches!(def, Def::Some(_)) && *first != KeyEntry::Some {
        return Some(1 + lookup(&def.children()[0], entries)?);
    }
    let i = (0..def.children().len()).find(|i| entry(def, *i) == *first)?;
    let before: u64 = def.children()[..i].iter().map(Def::nodes).sum();
    Some(1 + before as usize + lookup(&def.children()[i], rest)?)
}

fn assert_found(found: Found<'_>, place: &Place<'_>) {
    assert_eq!(found.treedef().as_bytes(), place.def.encode());
    assert_eq!(found.treedef().num_leaves() as u64, place.def.leaves());
    assert_eq!((found.leaves().start, found.node()), (place.leaf, place.node));
    assert_eq!(found.leaves().len() as u64, place.def.leaves());
}

/// So many of the items, spread over all.
fn some<T>(items: &[T], count: usize) -> impl Iterator<Item = &T> {
    items.iter().step_by(1 + items.len() / count)
}

#[test]
fn entries_and_indices_lead_to_the_node_of_the_plain_tree() {
    law(300, treedefs(), |any| {
        let def = any.as_treedef();
        let plain = decode(def.as_bytes()).unwrap();
        let places = places(&plain);
        for place in some(&places, 40) {
            let by_index = def.find_at(place.indices.iter().copied()).unwrap();
            assert_found(by_index, place);
            assert!(by_index.path().entries().eq(place.entries.iter().copied()));
            assert!(by_index.indices().eq(place.indices.iter().copied()));
            if place.def == &Def::Leaf {
                assert_eq!(def.path(place.leaf).unwrap().found(), Some(by_index));
            }
            let printed: Vec<_> =
                place.entries.iter().copied().filter(|e| *e != KeyEntry::Some).collect();
            // Without the entries that print nothing it is the same, or ends at a `Some` around it.
            for entries in [&place.entries, &printed] {
                let found = def.find(entries.iter().copied());
                match lookup(&plain, entries) {
                    Some(node) => assert_found(found.unwrap(), &places[node]),
                    // The first of two equal entries leads elsewhere.
                    None => assert!(found.is_err()),
                }
            }
        }
    });
}

/// Asserts that the paths that walks over `def` give are those of the plain tree.
fn assert_walked(def: TreeDef<'_>, plain: &Def, passed: usize) {
    let places = places(plain);
    let is_place = |path: KeyPath<'_, '_>, place: &Place<'_>| {
        let found = path.found().unwrap();
        assert_found(found, place);
        assert!(found.indices().eq(place.indices.iter().copied()), "{path} of {def}");
        assert!(path.entries().eq(place.entries.iter().copied()), "{path} of {def}");
    };
    let leaves: Vec<_> = places.iter().filter(|place| place.def == &Def::Leaf).collect();
    let (mut paths, mut nodes) = (def.paths(), def.nodes());
    assert_eq!((paths.len(), nodes.clone().count()), (leaves.len(), places.len()));
    for (path, leaf) in def.paths().zip(&leaves) {
        is_place(path, leaf);
    }
    for (path, leaf) in def.paths().rev().zip(leaves.iter().rev()) {
        is_place(path, leaf);
    }
    let mut each = def.nodes();
    assert_eq!((each.path().map(|path| path.len()), each.found()), (None, None));
    for place in &places {
        assert!(each.next().unwrap().is_ok());
        is_place(each.path().unwrap(), place);
        is_place(def.node_path(place.node).unwrap(), place);
        let found = each.found().unwrap();
        assert_found(found, place);
        assert_eq!(found.root(), def);
        is_place(found.path(), place);
    }
    assert!(each.next().is_none() && each.path().is_none() && each.found().is_none());
    assert!(def.node_path(places.len()).is_none());
    // Some are passed over.
    let mut at = 0;
    while let Some(path) = paths.nth(passed) {
        is_place(path, leaves[at + passed]);
        at += passed + 1;
    }
    assert!(at + passed >= leaves.len());
    at = 0;
    while let Some(node) = nodes.nth(passed) {
        assert!(node.is_ok());
        assert_found(nodes.found().unwrap(), &places[at + passed]);
        is_place(nodes.path().unwrap(), &places[at + passed]);
        at += passed + 1;
    }
}

#[test]
fn the_paths_of_a_walk_are_those_of_the_plain_tree() {
    law(200, (treedefs(), 0usize..9), |(any, passed)| {
        let def = any.as_treedef();
        let plain = decode(def.as_bytes()).unwrap();
        if plain.nodes() < 500 {
            assert_walked(def, &plain, passed);
        }
    });
}

/// A dictionary of `width` children, of which the one with this index is the next such dictionary.
fn descending(levels: usize, width: usize, index: usize, mut innermost: Def) -> Def {
    for level in 0..levels {
        let keys = (0..width).map(|key| format!("{key}:{}", "long".repeat(level % 3))).collect();
        let mut children = vec![Def::Leaf; width];
        children[width - 1] = Def::None;
        children[index] = innermost;
        innermost = Def::OrderedDict { keys: Keys::Str(keys), children };
    }
    innermost
}

#[test]
fn deep_paths_of_a_walk_are_those_of_the_plain_tree() {
    let pair = Def::Tuple(vec![Def::Leaf, Def::None]);
    let copies = Def::List(vec![Def::List(vec![pair; 3]); 3]);
    for levels in [7, 8, 9, 20, 63, 64] {
        for (width, index) in [(1, 0), (2, 0), (2, 1), (5, 0), (5, 2), (5, 4)] {
            let plain = descending(levels, width, index, copies.clone());
            let twice = Def::List(vec![plain.clone(), plain.clone(), Def::Leaf]);
            for (plain, passed) in [(plain, 0), (twice, 3)] {
                let bytes = plain.encode();
                let mut room = [Level::default(); 128];
                let def = TreeDef::from_bytes_with(&bytes, &mut room).unwrap();
                if TreeDef::from_bytes(&bytes).is_ok() {
                    assert_walked(def, &plain, passed);
                }
            }
        }
    }
}

#[test]
fn paths_below_all_pending_levels_are_those_of_the_plain_tree() {
    let inside = Def::List(vec![Def::None, Def::List(vec![Def::Leaf; 2]), Def::Leaf]);
    let innermost = Def::List(vec![inside.clone(), inside.clone(), Def::None, inside]);
    let plain = descending(70, 4, 1, innermost);
    let bytes = plain.encode();
    let def = TreeDef::from_bytes_with(&bytes, &mut [Level::default(); 128]).unwrap();
    let leaves: Vec<_> = places(&plain).into_iter().filter(|at| at.def == &Def::Leaf).collect();
    for passed in [0, 1, 5, 40, 71, 74, 78, 100] {
        let mut paths = def.paths();
        assert!(passed == 0 || paths.nth(passed - 1).is_some());
        assert_eq!(paths.len(), leaves.len() - passed);
        for (path, leaf) in paths.zip(&leaves[passed..]) {
            let found = path.found().unwrap();
            assert_found(found, leaf);
            assert!(found.indices().eq(leaf.indices.iter().copied()));
            assert!(path.entries().eq(leaf.entries.iter().copied()));
        }
    }
}

#[test]
fn what_leads_nowhere_is_named_with_what_is_there() {
    let strange = KeyEntry::Raw("\u{1}nowhere");
    law(200, treedefs(), |any| {
        let def = any.as_treedef();
        let plain = decode(def.as_bytes()).unwrap();
        let all = places(&plain);
        for place in some(&all, 20) {
            let Some(node) = lookup(&plain, &place.entries) else { continue };
            let wrong = place.entries.iter().copied().chain([strange, KeyEntry::Index(0)]);
            let Err(error) = def.find(wrong) else { panic!("a node at {strange:?}") };
            // The place counts each `Some` that was passed.
            let mut inside = &all[node];
            while let Def::Some(_) = inside.def {
                inside = &all[inside.node + 1];
            }
            let at = place.entries.len() as u32;
            assert_eq!(error, Error::NotFound { node: inside.node as u32, at });
            assert!(def.find_at(place.indices.iter().copied().chain([1 << 20])).is_none());
        }
    });
}

/// Whether no entry of the tree can be taken for the beginning of another, or for another with what follows it.
fn is_plain(def: &Def) -> bool {
    fn has_opaque(value: Value<'_>) -> bool {
        match value {
            Value::Opaque(_) => true,
            Value::Tuple(items) => items.iter().into_iter().flatten().any(has_opaque),
            _ => false,
        }
    }
    let entries: Vec<_> = (0..def.children().len()).map(|i| entry(def, i)).collect();
    let mut texts: Vec<_> = entries.iter().map(KeyEntry::to_string).collect();
    texts.sort();
    texts.windows(2).all(|pair| pair[0] != pair[1])
        && entries.iter().all(|entry| match entry {
            KeyEntry::Key(key) => !has_opaque(*key),
            KeyEntry::Attr(name) => name.chars().all(char::is_alphanumeric),
            KeyEntry::Raw(_) => false,
            _ => true,
        })
        && def.children().iter().all(is_plain)
}

/// Whether this is a `Some` around nothing but a leaf, or another such.
fn is_leaf_in_some(def: TreeDef<'_>) -> bool {
    def.kind() == Kind::Some
        && def.child(0).is_some_and(|child| child.is_leaf() || is_leaf_in_some(child))
}

#[test]
fn the_text_of_a_path_leads_back() {
    let (plain_leaves, all) = (Cell::new(0), Cell::new(0));
    law(500, treedefs(), |any| {
        let def = any.as_treedef();
        let is_plain = is_plain(&decode(def.as_bytes()).unwrap());
        for path in def.paths().step_by(1 + def.num_leaves() / 30) {
            let text = path.keystr().to_string();
            let found = def.find_keystr(&text);
            if let Ok(found) = &found {
                // Whatever it found, its path has this text, and no leaf hides in it.
                assert_eq!(found.path().to_string(), text);
                assert!(!is_leaf_in_some(found.treedef()), "{text}");
            }
            if is_plain {
                assert_eq!(found.ok(), path.found(), "{text}");
                plain_leaves.set(plain_leaves.get() + 1);
            }
            all.set(all.get() + 1);
        }
    });
    assert!(plain_leaves.get() > 500, "{} of {}", plain_leaves.get(), all.get());
}

#[test]
fn a_text_leads_into_a_some_if_there_is_but_a_leaf_in_it() {
    let wrapped = [0xC1, 1, 0, 0xC1, 1, 0, 0x00];
    let bytes = |inside: &[u8]| [&[0xC1, 1, 0], inside].concat();
    let def = TreeDef::from_bytes(&wrapped).unwrap();
    let found = def.find_keystr("").unwrap();
    assert_eq!((found.as_leaf(), found.node(), found.root()), (Some(0), 2, def));
    let view = View::new(def, &[7]).unwrap();
    assert_eq!(view.find_str("").unwrap().as_leaf(), Some(&7));
    // By entries a path ends at the `Some`.
    assert_eq!(def.find([]).unwrap().treedef(), def);
    // [*, Some(Some(*)), *]
    let list = [&[0x43, 0x00][..], &wrapped, &[0x00]].concat();
    let def = TreeDef::from_bytes(&list).unwrap();
    let found = def.find_keystr("[1]");
    assert_eq!(found.map(|found| (found.as_leaf(), found.node())), Ok((Some(1), 4)));
    // Something else in it: the `Some`.
    for inside in [&[0xC0][..], &[0x20], &[0x41, 0x00]] {
        let bytes = bytes(inside);
        let def = TreeDef::from_bytes(&bytes).unwrap();
        assert_eq!(def.find_keystr("").unwrap().treedef(), def);
    }
}

#[test]
fn any_text_finds_what_prints_it_or_says_where_it_stops() {
    let cut = (treedefs(), any::<Index>(), any::<Index>(), "[\\[\\]'a-c0-9.<> /]{0,4}");
    law(500, cut, |(any, leaf, at, junk)| {
        let def = any.as_treedef();
        let Some(leaves) = (def.num_leaves() > 0).then(|| leaf.index(def.num_leaves())) else {
            return;
        };
        let mut text = def.path(leaves).unwrap().keystr().to_string();
        let cut = (0..=at.index(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at));
        text.truncate(cut.unwrap());
        text.push_str(&junk);
        match def.find_keystr(&text) {
            Ok(found) => assert_eq!(found.path().to_string(), text),
            Err(error) => {
                let Error::NotFound { node, at } = error else { panic!("{error}") };
                let path = def.node_path(node as usize).unwrap();
                assert_eq!(path.to_string(), text[..at as usize]);
                let stopped = path.found().unwrap().treedef();
                for entry in stopped.head().entries() {
                    let entry = entry.to_string();
                    assert!(
                        !text[at as usize..].starts_with(&entry) || stopped.kind() == Kind::Some,
                        "{error} in {text}"
                    );
                }
            }
        }
    });
}

/// Where a text leads nowhere.
fn offset(error: Error) -> Option<u32> {
    match error {
        Error::NotFound { at, .. } => Some(at),
        _ => None,
    }
}

#[test]
fn numbers_are_read_as_they_are_printed() {
    let def = treedef!([[*, *], *, *, *, *, *, *, *, *, *, *, {"7": *, "x": *}]);
    assert_eq!(def.find_keystr("[10]").unwrap().as_leaf(), Some(11));
    assert_eq!(def.find_keystr("[0][1]").unwrap().as_leaf(), Some(1));
    for (text, at) in [
        ("[01]", 0),
        ("[+1]", 0),
        ("[12]", 0),
        ("[4294967296]", 0),
        ("[4294967297]", 0),
        ("[1", 0),
        ("[0]1]", 3),
        ("0", 0),
        (".0", 0),
        ("[11]['y']", 4),
        ("[11][7]", 4),
        ("[11]['7']x", 9),
        ("[1]é", 3),
    ] {
        assert_eq!(def.find_keystr(text).err().and_then(offset), Some(at), "{text}");
    }
    assert_eq!(def.find_keystr("").unwrap().treedef(), def);
}

#[test]
fn the_empty_key_is_an_entry() {
    let def = treedef!({"": {"a": *, "": *}, "b": *});
    assert_eq!(def.find_keystr("['']['']").unwrap().as_leaf(), Some(0));
    assert_eq!(def.find_keystr("['']['a']").unwrap().as_leaf(), Some(1));
    assert_eq!(def.find_keystr("['b']").unwrap().as_leaf(), Some(2));
}

#[test]
fn a_refused_path_is_one_line() {
    let def = treedef!({"a": {"b": *, "d": (*, None)}, "e": [*, *, *, *, *, *, *, *, *, *]});
    let text = |text: &str| def.find_str(text).unwrap_err().explain_path(def, text).to_string();
    assert_eq!(text("['c']"), "no ['c'] (byte 0) at the root: has ['a'], ['e']");
    assert_eq!(text("['a']['b'].x"), "no .x (byte 10) at ['a']['b']: a leaf");
    assert_eq!(text("['a']b"), "no . before b (byte 5) at ['a']: has ['b'], ['d']");
    assert_eq!(text("['a']['d'][1][0]"), "no [0] (byte 13) at ['a']['d'][1]: None");
    let offered = "has [0], [1], [2], [3], [4], [5], [6], [7], …";
    assert_eq!(text("['e'][12]"), format!("no [12] (byte 5) at ['e']: {offered}"));
    let error = def.find([KeyEntry::Some]).unwrap_err();
    assert_eq!(
        error.explain_path(def, "").to_string(),
        "nothing for entry 0 at the root: has ['a'], ['e']"
    );
    // An error about another text or treedef writes itself.
    for (error, other) in [
        (def.find_str("['a']['x']").unwrap_err(), "['a']['b']"),
        (def.find_str("['a']['x']").unwrap_err(), "['a']['d'][2]"),
        (def.find_keystr("['a']['x']").unwrap_err(), "['a']['b']"),
        (def.find_keystr("['e'][12]").unwrap_err(), "['a'][12]"),
    ] {
        assert_eq!(error.explain_path(def, other).to_string(), error.to_string());
    }
}

#[test]
fn copies_around_a_replaced_one_stay_copies() {
    // A million pairs, the middle one replaced.
    let mut bytes = [0; 16];
    let def = pairs(1_000_000, &mut bytes);
    let middle = def.find([KeyEntry::Index(500_000)]).unwrap();
    assert_eq!((middle.leaves().start, middle.node()), (1_000_000, 1_500_001));
    let replace = def.replace([(middle, TreeDef::LEAF)]).unwrap();
    assert_eq!(structure_bound(&replace), Ok(21));
    assert_eq!(replace.num_leaves(), Ok(1_999_999));
    // The head 4 bytes, a pair 2 with 5 of repeat, the leaf, and a pair with its repeat again.
    let mut out = [0; 21];
    let new = structure_into(&replace, &mut out).unwrap();
    assert_eq!(new.as_bytes().len(), 19);
    // Back again: the copies run together.
    let leaf = new.find_str("[500000]").unwrap();
    let back = new.replace([(leaf, treedef!((*, *)))]).unwrap();
    assert_eq!(matches(&back, def), Ok(()));
}

/// A list of `count` pairs.
fn pairs(count: usize, bytes: &mut [u8]) -> TreeDef<'_> {
    let mut builder = Writer::new(bytes);
    let list = builder.begin_list(count);
    let pair = builder.begin_tuple(2);
    builder.leaves(2);
    builder.end(pair);
    builder.repeat(count - 1);
    builder.end(list);
    builder.finish().unwrap()
}

#[test]
fn targets_in_a_billion_copies_split_them() {
    let mut bytes = [0; 16];
    let def = pairs(1_000_000_000, &mut bytes);
    let at = |path: &[usize]| def.find_at(path.iter().copied()).unwrap();
    let with = treedef!([*, None]);
    let last = [999_999_999];
    let targets = [(at(&last), with), (at(&[0]), with), (at(&[400_000_000, 1]), TreeDef::NONE)];
    let mut out = [0; 64];
    let new = structure_into(&def.replace(targets).unwrap(), &mut out).unwrap();
    assert_eq!(new.num_leaves(), 2_000_000_000 - 3);
    for (index, child) in [
        (0, with),
        (1, treedef!((*, *))),
        (399_999_999, treedef!((*, *))),
        (400_000_000, treedef!((*, None))),
        (400_000_001, treedef!((*, *))),
        (999_999_998, treedef!((*, *))),
        (999_999_999, with),
    ] {
        assert_eq!(new.child(index), Some(child), "{index}");
    }
}

#[test]
fn any_number_of_targets_in_any_order_is_replaced() {
    let pairs = [treedef!((*, *)); 700];
    let mut bytes = [0; 16];
    let def = structure_into(pairs.as_slice(), &mut bytes).unwrap();
    for count in [0, 1, 2, 3, 7, 64, 699, 700] {
        // 3 and 701 have no common divisor: each place once, falling and rising.
        let places = (1..=count).map(|step| step * 3 % 701).filter(|place| *place < 700);
        let mut expected = pairs;
        let mut targets: Vec<_> = places
            .map(|place| {
                expected[place] = treedef!([*]);
                (def.find_at([place]).unwrap(), expected[place])
            })
            .collect();
        let expected = TreeDefBuf::<4096>::structure(&expected.as_slice()).unwrap();
        let mut out = [0; 4096];
        let replace = def.replace(targets.clone()).unwrap();
        assert_eq!(structure_into(&replace, &mut out), Ok(expected.as_treedef()));
        // Sorted already, in a borrowed slice.
        targets.sort_by_key(|(found, _)| found.node());
        let replace = def.replace(targets.as_mut_slice()).unwrap();
        assert_eq!(structure_into(&replace, &mut out), Ok(expected.as_treedef()));
    }
}

#[test]
fn what_is_copied_beside_a_target_is_as_deep_as_it_likes() {
    let mut bytes = [0x42; 200];
    // [[[.. [*, *] .., *], *], *], and after it a leaf.
    bytes[100] = 0x01;
    bytes[101..].fill(0x00);
    let mut levels = [Level::default(); 101];
    let def = TreeDef::from_bytes_with(&bytes, &mut levels).unwrap();
    let target = def.find_at([1]).unwrap();
    let replace = def.replace([(target, TreeDef::NONE)]).unwrap();
    let mut out = [0; 200];
    let new = structure_into(&replace, &mut out).unwrap();
    assert_eq!((new.child(0), new.child(1)), (def.child(0), Some(TreeDef::NONE)));
}

#[test]
fn a_place_in_another_treedef_is_refused() {
    let found = treedef!([*, (*, *)]).find_str("[1]").unwrap();
    let other = treedef!([*, [*, *]]);
    assert_eq!(other.replace([(found, TreeDef::LEAF)]).unwrap_err(), Error::Mismatch { node: 2 });
}

#[test]
fn an_overlap_says_which_node() {
    let def = treedef!([*, {"a": (*, *)}]);
    let [a, leaf, root] = ["[1]['a']", "[1]['a'][1]", ""].map(|text| def.find_str(text).unwrap());
    let with = TreeDef::NONE;
    for targets in [[(a, with), (leaf, with)], [(leaf, with), (a, with)]] {
        let error = def.replace(targets).unwrap_err();
        assert_eq!(error, Error::Overlap { node: 5 });
        assert_eq!(
            error.explain_at(def).to_string(),
            "[1]['a'][1] is given twice, or is inside another given node"
        );
    }
    let error = def.replace([(root, with), (root, with)]).unwrap_err();
    assert_eq!(error.explain_at(def).to_string(), "the root is given twice");
    assert_eq!(error.to_string(), "node 0 is given twice, or is inside another given node");
}

#[test]
fn paths_of_walks_leaves_and_nodes_are_equal() {
    law(200, treedefs(), |any| {
        let mut paths = any.as_treedef().paths();
        let walked = View::bare(any.as_treedef()).for_each_with_path(|held, ()| {
            let (path, entries) = (paths.next().unwrap(), held.as_slice().unwrap());
            let node = path.found().unwrap().path();
            assert_eq!((held, path, path.as_slice(), held.found()), (path, node, None, None));
            let ends = (entries.first().copied(), entries.last().copied(), entries.len());
            for path in [held, path] {
                assert_eq!((path.first(), path.last(), path.len()), ends);
            }
            assert!(entries.split_last().is_none_or(|(_, above)| KeyPath::new(above) != path));
        });
        assert_eq!(walked, Ok(()));
    });
}

#[test]
fn deep_treedefs_are_read_once() {
    // [[[.. * .., *], *], *]: whoever read the rest of each level anew would read 5 * 10^9 bytes.
    const DEPTH: usize = 100_000;
    let bytes = [vec![0x42; DEPTH], vec![0x01], vec![0x00; DEPTH - 1]].concat();
    let mut levels = vec![Level::default(); DEPTH];
    let def = TreeDef::from_bytes_with(&bytes, &mut levels).unwrap();
    let found = def.find_at(std::iter::repeat_n(0, DEPTH)).unwrap();
    assert_eq!((found.leaves().start, found.node(), found.treedef()), (0, DEPTH, TreeDef::LEAF));
    assert_eq!(def.find(std::iter::repeat_n(KeyEntry::Index(0), DEPTH)).unwrap(), found);
    assert_eq!(def.find_str(&"[0]".repeat(DEPTH)).unwrap(), found);
    assert_eq!(def.find_keystr(&"[0]".repeat(DEPTH)).unwrap(), found);
    let replace = def.replace([(found, TreeDef::NONE)]).unwrap();
    assert_eq!(structure_bound(&replace), Err(Error::TooDeep { limit: 64 }));
}
