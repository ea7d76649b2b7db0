//! Patterns of paths beside a plain model of them, and paths that own their texts.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;
use treedef::path::{PathPattern, path_pattern};
use treedef::{Error, KeyEntry, KeyPath, Value, treedef};

use crate::properties::law;

/// A segment of a pattern, and what it is.
#[derive(Clone, Copy, Debug)]
enum Part {
    Many,
    Any,
    Name(&'static str),
    Number(&'static str),
    Quoted(&'static str),
}

use Part::{Any, Many, Name, Number, Quoted};

const PARTS: [(&str, Part); 13] = [
    (".**", Many),
    ("[**]", Many),
    ("/*", Any),
    ("[*]", Any),
    (".a", Name("a")),
    ("/b", Name("b")),
    (".1", Name("1")),
    ("[1]", Number("1")),
    ("[-1]", Number("-1")),
    ("['a']", Quoted("a")),
    ("[\"a.b\"]", Quoted("a.b")),
    ("['*']", Quoted("*")),
    (r"['\'\\']", Quoted("'\\")),
];

const ENTRIES: [KeyEntry<'static>; 13] = [
    KeyEntry::Attr("a"),
    KeyEntry::Attr("b"),
    KeyEntry::Attr("1"),
    KeyEntry::Raw("a"),
    KeyEntry::Index(1),
    KeyEntry::FlatIndex(1),
    KeyEntry::Key(Value::Int(-1)),
    KeyEntry::Key(Value::Int(1)),
    KeyEntry::Key(Value::Str("a")),
    KeyEntry::Key(Value::Str("a.b")),
    KeyEntry::Key(Value::Str("*")),
    KeyEntry::Key(Value::Str("'\\")),
    KeyEntry::Key(Value::Float(1.0)),
];

/// Whether a pattern is a path, by trying all numbers of entries for each `**`.
fn model(parts: &[Part], path: &[KeyEntry<'_>]) -> bool {
    match (parts, path) {
        ([Many, parts @ ..], _) => (0..=path.len()).any(|taken| model(parts, &path[taken..])),
        ([part, parts @ ..], [entry, path @ ..]) => is(*part, *entry) && model(parts, path),
        _ => parts.is_empty() && path.is_empty(),
    }
}

fn is(part: Part, entry: KeyEntry<'_>) -> bool {
    let number = match entry {
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => Some(index.to_string()),
        KeyEntry::Key(Value::Int(key)) => Some(key.to_string()),
        _ => None,
    };
    let key = if let KeyEntry::Key(Value::Str(key)) = entry { Some(key) } else { None };
    match (part, entry) {
        (Any, _) => true,
        (Name(name), KeyEntry::Attr(own) | KeyEntry::Raw(own)) => name == own,
        (Name(name), _) => key == Some(name) || number.as_deref() == Some(name),
        (Number(digits), _) => number.as_deref() == Some(digits),
        (Quoted(text), _) => key == Some(text),
        (Many, _) => false,
    }
}

#[test]
fn a_pattern_is_a_path_as_the_model_says() {
    // Half of the entries are those that most segments are about.
    let entries = vec((prop_oneof![0..2usize, 4..5usize, 0..ENTRIES.len()], any::<bool>()), 0..7);
    let found = Cell::new([0, 0]);
    law(4000, (vec(0..PARTS.len(), 0..6), entries), |(parts, entries)| {
        let text: String = parts.iter().map(|part| PARTS[*part].0).collect();
        let parts: Vec<_> = parts.iter().map(|part| PARTS[*part].1).collect();
        let path: Vec<_> = entries.iter().map(|(entry, _)| ENTRIES[*entry]).collect();
        let expected = model(&parts, &path);
        let pattern = PathPattern::new(&text).unwrap();
        assert_eq!(pattern.matches(KeyPath::new(&path)), expected, "{text} {path:?}");
        let first = PathPattern::new(text.strip_prefix(['.', '/']).unwrap_or(&text)).unwrap();
        let optional = entries.iter().flat_map(|(entry, is_optional)| {
            [Some(ENTRIES[*entry]), is_optional.then_some(KeyEntry::Some)]
        });
        assert_eq!(first.matches(optional.flatten()), expected, "{text} {path:?}");
        let mut counts = found.get();
        counts[usize::from(expected)] += 1;
        found.set(counts);
    });
    assert!(found.get().iter().all(|count| *count > 200), "{found:?}");
}

#[test]
fn a_text_that_is_no_pattern_is_an_error_with_its_byte() {
    for (text, at) in [
        ("layers[*", 6),
        ("layers[*.w", 6),
        ("[w]", 0),
        ("[01]", 0),
        ("[-0]", 0),
        ("a['b]", 1),
        ("a['b'", 1),
        (r"a['\n']", 1),
        ("a[\"b']", 1),
        ("a..b", 1),
        ("a.", 1),
        ("[0]a", 3),
        ("a.b*", 1),
        ("*a", 0),
        ("***", 0),
        ("a]", 0),
        ("[***]", 0),
    ] {
        assert_eq!(PathPattern::new(text), Err(Error::UnreadablePath { at }), "{text}");
    }
}

#[test]
fn a_pattern_with_many_stars_is_compared_in_little_time() {
    let text = "**.a.".repeat(200) + "b";
    let path = [KeyEntry::Attr("a"); 4000];
    assert!(!PathPattern::new(&text).unwrap().matches(KeyPath::new(&path)));
}

#[test]
fn a_path_of_a_treedef_is_a_pattern_of_itself() {
    let def = treedef!({"a": [*, (*, *)], "b.c": {"*": *}});
    for path in def.paths() {
        assert!(PathPattern::new(&path.to_string()).unwrap().matches(path), "{path}");
        assert!(path_pattern!("**").matches(path) && !path_pattern!("").matches(path));
    }
    let text = path_pattern!("a[*]").to_string();
    assert_eq!(
        (text.as_str(), format!("{:?}", path_pattern!("a")).as_str()),
        ("a[*]", "PathPattern(a)")
    );
}

#[cfg(feature = "alloc")]
mod owned {
    use std::collections::HashMap;

    use treedef::path::KeyPathBuf;
    use treedef_proptest::treedefs;

    use super::*;

    /// Whether an entry prints in a form that is read: names are plain, and keys are no texts of other programs.
    fn is_plain(entry: KeyEntry<'_>) -> bool {
        match entry {
            KeyEntry::Attr(name) => !name.is_empty() && !name.contains(['.', '[']),
            KeyEntry::Raw(_) | KeyEntry::Key(Value::Opaque(_) | Value::Tuple(_)) => false,
            _ => true,
        }
    }

    #[test]
    fn a_path_is_its_text() {
        law(500, treedefs(), |def| {
            for path in def.as_treedef().paths() {
                let owned = KeyPathBuf::from_iter(path);
                assert_eq!(
                    (owned.as_str(), &owned.to_string()),
                    (&*path.to_string(), &path.to_string())
                );
                let entries: Vec<_> = owned.entries().collect();
                assert_eq!(KeyPathBuf::from_iter(entries), owned);
                if path.entries().all(is_plain) {
                    assert_eq!(path.to_string().parse(), Ok(owned));
                }
            }
        });
    }

    #[test]
    fn a_text_is_read_as_the_entries_that_print_it() {
        let path: KeyPathBuf =
            r#"a.2['b]'][7][-1][<flat index 3>][1.5]["it's"]['\n'][('x', [1])]"#.parse().unwrap();
        let key = |key: &'static str| KeyEntry::Key(Value::Str(key));
        assert!(path.entries().eq([
            KeyEntry::Attr("a"),
            KeyEntry::Attr("2"),
            key("b]"),
            KeyEntry::Index(7),
            KeyEntry::Key(Value::Int(-1)),
            KeyEntry::FlatIndex(3),
            KeyEntry::Raw("[1.5]"),
            key("it's"),
            KeyEntry::Raw(r"['\n']"),
            KeyEntry::Raw("[('x', [1])]"),
        ]));
        assert_eq!("[\"b\"]".parse::<KeyPathBuf>(), "['b']".parse());
        for (text, at) in [("a[", 1), ("a['b]", 1), ("a..b", 1), ("[0]b", 3), (".", 0)] {
            assert_eq!(text.parse::<KeyPathBuf>(), Err(Error::UnreadablePath { at }), "{text}");
        }
    }

    #[test]
    fn a_map_finds_what_is_stored_for_another_path_of_the_same_text() {
        let walked = [KeyEntry::Attr("a"), KeyEntry::Some, KeyEntry::Key(Value::Int(0))];
        let map = HashMap::from([(".a[0]".parse::<KeyPathBuf>().unwrap(), 1)]);
        assert_eq!(map.get(&KeyPathBuf::from_iter(walked)), Some(&1));
        assert_eq!((map.get(".a[0]"), map.get("a[0]")), (Some(&1), None));
        assert_eq!(format!("{:?}", map.keys().next().unwrap()), "KeyPathBuf(.a[0])");
    }
}
