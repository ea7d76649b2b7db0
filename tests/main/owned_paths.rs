//! Paths that own their entries: kept, printed, and parsed from what `keystr` prints.
#![cfg(all(feature = "alloc", feature = "proptest"))]

use crate::paths::law;

use std::cell::Cell;

use treedef::format::ValueTuple;
use treedef::path::KeyPathBuf;
use treedef::strategies::treedefs;
use treedef::{Error, KeyEntry, KeyPath, Value, treedef};

/// The entry that the text of `entry` becomes; `None` if the text does not determine one.
fn parsed(entry: KeyEntry<'_>) -> Option<KeyEntry<'_>> {
    match entry {
        KeyEntry::Key(Value::Int(key)) => match u32::try_from(key) {
            Ok(index) => Some(KeyEntry::Index(index)),
            Err(_) => Some(entry),
        },
        KeyEntry::Key(Value::Str(_) | Value::None | Value::Bool(_)) => Some(entry),
        KeyEntry::Attr(name) => (!name.is_empty() && !name.contains(['.', '['])).then_some(entry),
        KeyEntry::Index(_) | KeyEntry::FlatIndex(_) => Some(entry),
        _ => None,
    }
}

#[test]
fn every_path_is_copied_and_read_again_from_its_text() {
    let (read, all) = (Cell::new(0), Cell::new(0));
    law(400, treedefs(), |any| {
        for path in any.as_treedef().paths() {
            let own = KeyPathBuf::from(path);
            let entries: Vec<_> = path.entries().collect();
            assert!(own.entries().eq(path.entries()), "{path}");
            assert_eq!(own.to_string(), path.to_string());
            assert_eq!(own, KeyPathBuf::new(KeyPath::new(&entries)).unwrap());
            let given: Option<Vec<_>> = entries.iter().map(|entry| parsed(*entry)).collect();
            all.set(all.get() + 1);
            if let Some(given) = given {
                let text = own.to_string();
                assert_eq!(text.parse::<KeyPathBuf>(), KeyPathBuf::new(given), "{text}");
                read.set(read.get() + 1);
            }
        }
    });
    assert!(read.get() > 200 && all.get() > read.get(), "{} of {}", read.get(), all.get());
}

#[test]
fn what_is_read_from_any_text_prints_as_text_that_is_read_again() {
    let (read, refused) = (Cell::new(0), Cell::new(0));
    let pieces = r#"(\.|\[|\]|'|"|\\|x|7|-|a1|u00e9|<flat index |>|None|\['w'\]|\[3\]|\.é){0,7}"#;
    law(2000, pieces, |text| match text.parse::<KeyPathBuf>() {
        Ok(path) => {
            let printed = path.to_string();
            assert_eq!(printed.parse::<KeyPathBuf>().as_ref(), Ok(&path), "{text} {printed}");
            read.set(read.get() + 1);
        }
        Err(Error::UnknownPath { at }) => {
            let (front, _) = text.split_at(at as usize);
            assert!(front.parse::<KeyPathBuf>().is_ok(), "{front} of {text}");
            refused.set(refused.get() + 1);
        }
        Err(other) => panic!("{other} for {text}"),
    });
    assert!(read.get() > 200 && refused.get() > 200, "{} {}", read.get(), refused.get());
}

#[test]
fn each_kind_of_entry_is_read() {
    let key = |key: &'static str| KeyEntry::Key(Value::Str(key));
    let int = |key| KeyEntry::Key(Value::Int(key));
    let cases: [(&str, Vec<KeyEntry<'_>>); 9] = [
        ("", vec![]),
        ("a.b", vec![KeyEntry::Attr("a"), KeyEntry::Attr("b")]),
        (".a[0]", vec![KeyEntry::Attr("a"), KeyEntry::Index(0)]),
        ("[<flat index 12>]", vec![KeyEntry::FlatIndex(12)]),
        ("[4294967295][4294967296]", vec![KeyEntry::Index(u32::MAX), int(1 << 32)]),
        ("[-1][-9223372036854775808]", vec![int(-1), int(i64::MIN)]),
        ("[True][None]", vec![KeyEntry::Key(Value::Bool(true)), KeyEntry::Key(Value::None)]),
        (r#"['a.[b]'][""]["it's"]"#, vec![key("a.[b]"), key(""), key("it's")]),
        (r"['\\\t\n\r\'\x00\u20ac\U0001f600']", vec![key("\\\t\n\r'\0€😀")]),
    ];
    for (text, expected) in cases {
        let path: KeyPathBuf = text.parse().unwrap();
        assert!(path.entries().eq(expected), "{text}: {path}");
    }
    for (text, at) in [
        ("[", 0),
        ("[]", 0),
        (".a[0", 2),
        ("[0]a", 3),
        ("a..b", 1),
        ("a.", 1),
        ("['a'", 0),
        ("['a]", 0),
        ("['a'b]", 0),
        ("[01]", 0),
        ("[+1]", 0),
        ("[-0]", 0),
        ("[1.5]", 0),
        ("[b'a']", 0),
        ("[(1, 2)]", 0),
        ("[9223372036854775808]", 0),
        ("[<flat index -1>]", 0),
        ("[<flat index 1]", 0),
        (r"['\q']", 0),
        (r"['\ud800']", 0),
        (r"['\x0']", 0),
    ] {
        assert_eq!(text.parse::<KeyPathBuf>(), Err(Error::UnknownPath { at }), "{text}");
    }
}

#[test]
fn owned_paths_find_their_nodes() {
    let def = treedef!({"b": *, "w": [*, {"x": *}]});
    for path in def.paths() {
        let text = path.to_string();
        let own: KeyPathBuf = text.parse().unwrap();
        assert_eq!(def.find(own.entries()).map(|found| found.as_leaf()), Ok(path.as_leaf()));
        assert_eq!(format!("{own:?}"), format!("KeyPathBuf({path})"));
    }
}

#[test]
fn keys_that_nest_too_deep_are_refused() {
    let mut value = Value::Int(1);
    let mut levels = Vec::new();
    for _ in 0..=treedef::format::MAX_VALUE_DEPTH {
        let inside: &'static [Value<'static>] = Vec::leak(vec![value]);
        value = Value::Tuple(ValueTuple::new(inside));
        levels.push(KeyPathBuf::new([KeyEntry::Key(value)]).is_ok());
    }
    assert_eq!(levels.pop(), Some(false));
    assert!(levels.iter().all(|accepted| *accepted));
    assert_eq!(KeyPathBuf::new([KeyEntry::Key(value)]), Err(Error::ValueTooDeep));
}
