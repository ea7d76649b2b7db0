//! Paths that people type: `TreeDef::find_str` beside a plain model of it, and `leaf_index!`.

use crate::paths::entry;
use crate::properties::law;
use crate::support::decode::decode;
use crate::support::def::Def;

use std::cell::Cell;

use proptest::prelude::any;
use proptest::sample::Index;
use treedef::head::{Dict, DictKind};
use treedef::path::leaf_index;
use treedef::{Error, KeyEntry, KeyPath, TreeDef, Value, View, Writer, treedef};
use treedef_proptest::treedefs;

/// The ways in which a person writes the segment to a child, and whether each is a name without brackets.
fn spellings(entry: KeyEntry<'_>) -> Vec<(String, bool)> {
    let named = |name: &str| vec![(format!(".{name}"), true), (format!("/{name}"), true)];
    match entry {
        KeyEntry::Attr(name) | KeyEntry::Raw(name) => named(name),
        KeyEntry::Key(Value::Str(key)) => {
            let escaped = key.replace('\\', "\\\\");
            let single = format!("['{}']", escaped.replace('\'', "\\'"));
            let double = format!("[\"{}\"]", escaped.replace('"', "\\\""));
            [named(key), vec![(single, false), (double, false)]].concat()
        }
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => {
            [named(&index.to_string()), vec![(format!("[{index}]"), false)]].concat()
        }
        KeyEntry::Key(Value::Int(key)) => {
            [named(&key.to_string()), vec![(format!("[{key}]"), false)]].concat()
        }
        _ => Vec::new(),
    }
}

/// The indices of the children on the way that a text leads, or the byte from which on it leads nowhere.
fn model(def: &Def, text: &str) -> Result<Vec<usize>, usize> {
    let (mut def, mut rest, mut indices) = (def, text.to_owned(), Vec::new());
    // A first name may go without its separator.
    if !rest.is_empty() && !rest.starts_with(['.', '/', '[']) {
        rest.insert(0, '.');
    }
    loop {
        let outside = indices.len();
        while let Def::Some(inside) = def {
            indices.push(0);
            def = inside;
        }
        if rest.is_empty() {
            if !matches!(def, Def::Leaf) {
                indices.truncate(outside);
            }
            return Ok(indices);
        }
        let mut best: Option<(usize, usize)> = None;
        for index in 0..def.children().len() {
            for (spelling, is_name) in spellings(entry(def, index)) {
                let Some(after) = rest.strip_prefix(&spelling) else { continue };
                let ends = after.is_empty() || after.starts_with(['.', '/', '[']);
                if (!is_name || ends) && best.is_none_or(|(_, least)| after.len() < least) {
                    best = Some((index, after.len()));
                }
            }
        }
        let Some((index, left)) = best else {
            return Err(text.len().saturating_sub(rest.len()));
        };
        indices.push(index);
        rest = rest[rest.len() - left..].to_owned();
        def = &def.children()[index];
    }
}

/// Asserts that a text leads where the model says, and whether it leads anywhere.
fn agrees(def: TreeDef<'_>, plain: &Def, text: &str) -> bool {
    let found = def.find_str(text);
    match model(plain, text) {
        Ok(indices) => {
            let found = found.unwrap_or_else(|error| panic!("{error} in {text} of {def}"));
            assert!(found.indices().eq(indices.iter().copied()), "{text} of {def}");
            assert_eq!(Some(found), def.find_at(indices));
            true
        }
        Err(at) => {
            assert_eq!(found, Err(Error::UnknownPath { at: at as u32 }), "{text} of {def}");
            let error = found.unwrap_err().explain_path(def, text).to_string();
            let rest = &text[at..];
            let said = error
                .strip_prefix("no ")
                .map(|said| said.strip_prefix(". before ").unwrap_or(said));
            assert!(
                rest.is_empty() || said.unwrap().starts_with(&format!("{rest} (byte {at}) at ")),
                "{error}"
            );
            false
        }
    }
}

#[test]
fn typed_paths_lead_where_the_model_says() {
    let (found, lost) = (Cell::new(0), Cell::new(0));
    let any = (
        treedefs(),
        any::<Index>(),
        any::<[u8; 8]>(),
        any::<Index>(),
        "[\\[\\]'\"a-c0-9.<>\\- /]{0,4}",
    );
    law(300, any, |(any, node, choices, at, junk)| {
        let def = any.as_treedef();
        let plain = decode(def.as_bytes()).unwrap();
        let path = def.node_path(node.index(def.num_nodes())).unwrap();
        let mut text = String::new();
        for (entry, choice) in path.entries().zip(choices.iter().cycle()) {
            let spellings = spellings(entry);
            if !spellings.is_empty() {
                text += &spellings[usize::from(*choice) % spellings.len()].0;
            }
        }
        let is_found = agrees(def, &plain, &text);
        found.set(found.get() + usize::from(is_found));
        if let Some(bare) = text.strip_prefix(['.', '/']) {
            agrees(def, &plain, bare);
        }
        let cut = (0..=at.index(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at));
        text.truncate(cut.unwrap());
        text.push_str(&junk);
        lost.set(lost.get() + usize::from(!agrees(def, &plain, &text)));
    });
    assert!(found.get() > 200 && lost.get() > 100, "{} found, {} lost", found.get(), lost.get());
}

#[test]
fn typed_paths_of_a_robot() {
    let def = treedef!({"axis": [{"pid": [{"kp": *, "ki": *}, {"kp": *, "ki": *}]}], "gain": *});
    let view = View::new(def, &[0, 1, 2, 3, 4]).unwrap();
    for text in [
        "axis[0].pid[1].kp",
        ".axis[0].pid[1].kp",
        "axis/0/pid/1/kp",
        "/axis/0/pid/1/kp",
        "axis.0.pid.1.kp",
        "['axis'][0][\"pid\"][1]['kp']",
        "axis[0]['pid']/1.kp",
    ] {
        // Keys are sorted.
        assert_eq!(def.find_str(text).unwrap().as_leaf(), Some(3), "{text}");
        assert_eq!(view.find_str(text).unwrap().as_leaf(), Some(&3), "{text}");
    }
    assert_eq!(def.find_str("axis.0.pid").unwrap().leaves(), 0..4);
    assert_eq!(def.find_str("").unwrap().treedef(), def);
    for (text, at) in [
        ("axis[0].pid[2].kp", 11),
        ("axis[0].pid[1].kd", 14),
        ("axis[0].pid[1].kp.x", 17),
        ("axis[0].pid[1].k", 14),
        ("axis[0].pid[1].kpx", 14),
        ("axis[0]pid[1].kp", 7),
        ("axis[00].pid", 4),
        ("axis[+0].pid", 4),
        ("axis[-0].pid", 4),
        ("axis[-1].pid", 4),
        ("axis[4294967296].pid", 4),
        ("axis[18446744073709551616].pid", 4),
        ("axis[0", 4),
        ("axis[]", 4),
        ("axis['0']", 4),
        ("axis.", 4),
        ("axis//0", 4),
        ("..axis", 0),
        ("[axis]", 0),
        ("['axis]", 0),
        ("['axis\"]", 0),
        ("[0]", 0),
        (" axis", 0),
        ("Axis", 0),
        ("é", 0),
        (".", 0),
        ("[", 0),
    ] {
        assert_eq!(def.find_str(text), Err(Error::UnknownPath { at }), "{text}");
    }
    let explained =
        |text: &str| def.find_str(text).unwrap_err().explain_path(def, text).to_string();
    assert_eq!(explained("gian"), "no gian (byte 0) at the root: has ['axis'], ['gain']");
    assert_eq!(
        explained("axis.0.pid.1.kd"),
        "no .kd (byte 12) at ['axis'][0]['pid'][1]: has ['ki'], ['kp']"
    );
    assert_eq!(explained("gain.x"), "no .x (byte 4) at ['gain']: a leaf");
    // Another text than the one that was looked up.
    let error = def.find_str("gain.x").unwrap_err();
    assert_eq!(
        error.explain_path(def, "").to_string(),
        "unknown path: it leads nowhere from its byte 4 on, or ends there at no leaf"
    );
}

#[test]
fn names_may_contain_what_separates_segments() {
    let def = treedef!({"a": {"b.c": *, "d": *}, "a.b": {"c": *}, "a/b": *, "a[0]": *, "it's": *, "\\": *, "": *});
    let leaf = |text: &str| def.find_str(text).ok().and_then(|found| found.as_leaf());
    // The longer name wins, also where only the shorter one leads on.
    assert_eq!(leaf("a.b.c"), Some(4));
    assert_eq!(leaf("a.b.d"), None);
    assert_eq!((leaf("a.d"), leaf("['a'].b.c"), leaf("['a']['b.c']")), (Some(3), Some(2), Some(2)));
    assert_eq!((leaf("a/b"), leaf("a[0]"), leaf("['a[0]']")), (Some(5), Some(6), Some(6)));
    for text in ["it's", "['it\\'s']", "[\"it's\"]", "[\"it\\'s\"]"] {
        assert_eq!(leaf(text), Some(7), "{text}");
    }
    assert_eq!((leaf("['it's']"), leaf("['it\\s']")), (None, None));
    assert_eq!((leaf("['\\\\']"), leaf("['\\']"), leaf("\\")), (Some(1), None, Some(1)));
    assert_eq!((leaf("['']"), leaf("."), leaf("/")), (Some(0), Some(0), Some(0)));
}

#[test]
fn integer_keys_and_strings_of_digits_are_found_by_number() {
    // An ordered dict with the keys 1, '1' and the ends of 64 bits.
    let mut bytes = [0; 64];
    let mut builder = Writer::new(&mut bytes);
    let (low, high) = (i64::MIN, i64::MAX);
    let keys = [
        Value::Int(low),
        Value::Int(-1),
        Value::Str("1"),
        Value::Int(1),
        Value::Int(high),
        Value::Bool(true),
    ];
    let head = Dict::new(DictKind::Ordered, keys);
    let node = builder.begin(&head);
    builder.leaves(6);
    builder.end(node);
    let def = builder.finish().unwrap();
    let leaf = |text: &str| def.find_str(text).ok().and_then(|found| found.as_leaf());
    assert_eq!((leaf("1"), leaf("[1]"), leaf("['1']")), (Some(2), Some(3), Some(2)));
    assert_eq!((leaf("-1"), leaf("[-1]"), leaf("/-1")), (Some(1), Some(1), Some(1)));
    assert_eq!((leaf(&format!("[{low}]")), leaf(&format!("[{high}]"))), (Some(0), Some(4)));
    for text in
        ["[9223372036854775808]", "[-9223372036854775809]", "[18446744073709551617]", "[True]"]
    {
        assert_eq!(leaf(text), None, "{text}");
    }
    assert_eq!(def.find_keystr("[True]").unwrap().as_leaf(), Some(5));
}

const DEF: TreeDef<'static> = treedef!({"axis": [(*, *), (*, *)], "gain": *});

#[test]
fn a_constant_path_is_an_index() {
    const SECOND: usize = leaf_index!(DEF, "axis[1][0]");
    let mut leaves = [0; DEF.num_leaves()];
    leaves[SECOND] = 1;
    leaves[leaf_index!(DEF, "gain")] = 2;
    assert_eq!(leaves, [0, 0, 1, 0, 2]);
    const NODES: [Option<usize>; 2] = [
        match DEF.find_str("axis/1") {
            Ok(found) => Some(found.leaves().start),
            Err(_) => None,
        },
        match DEF.find_str("axis/2") {
            Ok(found) => found.as_leaf(),
            Err(_) => None,
        },
    ];
    assert_eq!(NODES, [Some(2), None]);
}

#[test]
fn every_leaf_is_found_in_const_as_at_run_time() {
    macro_rules! same {
        ($($text:literal)*) => {$(
            assert_eq!(const { leaf_index!(DEF, $text) }, DEF.find_str($text).unwrap().as_leaf().unwrap());
        )*};
    }
    same!("axis[0][0]" "axis.0.1" "/axis/1/0" "['axis'][1][1]" "gain");
}

/// Whether every node is found by the text of its path: all keys can be typed, and no text of a child leads to another
/// child, nor does a name begin with another name and a separator.
fn is_typable(def: &Def) -> bool {
    let entries: Vec<_> = (0..def.children().len()).map(|index| entry(def, index)).collect();
    let name = |entry: &KeyEntry<'_>| match *entry {
        KeyEntry::Attr(name) | KeyEntry::Raw(name) => Some(name.to_owned()),
        KeyEntry::Key(Value::Str(key)) => Some(key.to_owned()),
        _ => None,
    };
    let is_longer = |long: &KeyEntry<'_>, short: &KeyEntry<'_>| match (name(long), name(short)) {
        (Some(long), Some(short)) => {
            long.strip_prefix(&short).is_some_and(|rest| rest.starts_with(['.', '/', '[']))
        }
        _ => false,
    };
    let is_found = |(index, own): (usize, &KeyEntry<'_>)| {
        let typed = KeyPath::new(&[KeyEntry::Index(0), *own]).typed().to_string();
        let text = typed.strip_prefix("[0]").unwrap_or_default();
        !matches!(own, KeyEntry::Key(key) if !matches!(key, Value::Int(_) | Value::Str(_)))
            && entries.iter().enumerate().all(|(other, entry)| {
                index == other
                    || spellings(*entry).iter().all(|(spelling, _)| spelling != text)
                        && !is_longer(entry, own)
            })
    };
    entries.iter().enumerate().all(is_found) && def.children().iter().all(is_typable)
}

#[test]
fn every_node_is_found_by_its_typed_path() {
    let (found, quoted) = (Cell::new(0), Cell::new(0));
    law(500, treedefs(), |any| {
        let def = any.as_treedef();
        if !is_typable(&decode(def.as_bytes()).unwrap()) {
            return;
        }
        let nodes = (0..).map_while(|node| def.node_path(node));
        for path in nodes.take(200) {
            let text = path.typed().to_string();
            let place = def.find_str(&text).unwrap().path();
            // The text of a `Some` is also that of what is in it.
            let lengths = [path, place]
                .map(|path| path.len() - path.entries().filter(|e| *e == KeyEntry::Some).count());
            let ends_in_some =
                [path, place].iter().any(|path| path.entries().last() == Some(KeyEntry::Some));
            assert_eq!(place.typed().to_string(), text);
            assert_eq!(lengths[0], lengths[1], "{text}");
            assert!(ends_in_some || place.found() == path.found(), "{text} in {def}");
            found.set(found.get() + 1);
            quoted.set(quoted.get() + usize::from(text.contains("['")));
        }
    });
    assert!(found.get() > 1000 && quoted.get() > 20, "{} {}", found.get(), quoted.get());
}

#[test]
fn brackets_close_no_string_key() {
    let def = treedef!({"": *, "2": *, "a": *});
    for text in ["[a]]", "[2]]", "[]]", "[a]", "[2]"] {
        assert_eq!(def.find_str(text), Err(Error::UnknownPath { at: 0 }), "{text}");
    }
}

#[test]
fn paths_are_written_as_people_type_them() {
    let keys = ["", "-1", "2", "a", "a.b", "a/b", "a[0]", "it's\\", "ü x"];
    let texts = ["['']", "['-1']", "['2']", "a", "['a.b']", "['a/b']", "['a[0]']", "it's\\", "ü x"];
    for (key, text) in keys.into_iter().zip(texts) {
        assert_eq!(KeyPath::new(&[KeyEntry::Key(key.into())]).typed().to_string(), text);
        let deep = [KeyEntry::Index(10), KeyEntry::Key(key.into())];
        let dot = if text.starts_with('[') { "" } else { "." };
        assert_eq!(KeyPath::new(&deep).typed().to_string(), format!("[10]{dot}{text}"));
    }
    // A quote and a backslash are written as they are read.
    let def = treedef!({"it's.\\": (*, *)});
    assert_eq!(def.path(1).unwrap().typed().to_string(), "['it\\'s.\\\\'][1]");
    assert_eq!(def.find_str("['it\\'s.\\\\'][1]").unwrap().as_leaf(), Some(1));
    // Names of fields and attributes have no quotes. Where a name begins as a segment does, its dot is written.
    for (name, text) in [("x", "x"), ("0", "0"), ("", "."), ("[0]", ".[0]"), ("/a", "./a")] {
        assert_eq!(KeyPath::new(&[KeyEntry::Attr(name)]).typed().to_string(), text);
        assert_eq!(KeyPath::new(&[KeyEntry::Raw(name)]).typed().to_string(), text);
    }
    // No text leads through other keys.
    for key in [Value::None, Value::Bool(true), Value::Float(0.5)] {
        assert_eq!(KeyPath::new(&[KeyEntry::Key(key)]).typed().to_string(), "[?]");
    }
    let low = [KeyEntry::Key(Value::Int(i64::MIN)), KeyEntry::FlatIndex(7), KeyEntry::Some];
    assert_eq!(KeyPath::new(&low).typed().to_string(), "[-9223372036854775808][7]");
    assert_eq!(format!("{:?}", KeyPath::new(&low[1..]).typed()), "TypedPath([7])");
}
