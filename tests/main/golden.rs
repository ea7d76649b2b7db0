//! Golden bytes and fingerprints: they are public, and no release may change them.

use crate::support;

use std::collections::BTreeSet;
use support::decode::decode;
use support::def::{ChildKey, Def, Keys};
use support::value::Value;
use treedef::TreeDef;

/// Name, bytes and fingerprint of each structure. Fingerprints come from `golden/fingerprint.py`.
fn lines() -> impl Iterator<Item = (&'static str, Vec<u8>, u64)> {
    let text = include_str!("../golden/structures.txt");
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<_> = line.split(" | ").collect();
        let [name, hex, fingerprint] = fields[..] else { panic!("{line}") };
        (name, bytes(hex), u64::from_str_radix(fingerprint, 16).unwrap())
    })
}

/// Two hex digits a byte; `6B*130` is 130 of them.
fn bytes(hex: &str) -> Vec<u8> {
    let token = |token: &str| {
        let (byte, times) = token.split_once('*').unwrap_or((token, "1"));
        vec![u8::from_str_radix(byte, 16).unwrap(); times.parse().unwrap()]
    };
    hex.split(' ').flat_map(token).collect()
}

#[test]
fn golden_bytes_and_fingerprints_hold() {
    for (name, bytes, fingerprint) in lines() {
        let def = TreeDef::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(def.fingerprint(), fingerprint, "{name}");
        assert_eq!(decode(&bytes).unwrap().encode(), bytes, "{name}");
    }
}

/// The head, tags and kinds of keys that a structure shows.
fn parts(def: &Def, found: &mut BTreeSet<String>) {
    let mut tag = |value: &Value| {
        let mut bytes = Vec::new();
        value.put(&mut bytes);
        found.insert(format!("tag {}", bytes[0]));
    };
    match def {
        Def::Dict { keys: Keys::Typed(keys), .. } => keys.iter().for_each(tag),
        Def::Struct { meta, .. } => meta.iter().for_each(|(_, value)| tag(value)),
        Def::Custom { aux, child_keys, .. } => {
            tag(aux);
            found.extend(child_keys.iter().flatten().map(|key| match key {
                ChildKey::Attr(_) => "child key 0".into(),
                ChildKey::Dict(_) => "child key 1".into(),
                ChildKey::Seq(_) => "child key 2".into(),
                ChildKey::Raw(_) => "child key 3".into(),
            }));
        }
        _ => {}
    }
    let head = def.encode()[0];
    found.insert(if head >> 5 == 6 {
        format!("subkind {}", head & 31)
    } else {
        format!("kind {}", head >> 5)
    });
    def.children().iter().for_each(|child| parts(child, found));
}

#[test]
fn golden_lines_show_every_part_of_the_format() {
    let mut found = BTreeSet::new();
    lines().for_each(|(_, bytes, _)| parts(&decode(&bytes).unwrap(), &mut found));
    let every = |what: &'static str, count: u8| (0..count).map(move |i| format!("{what} {i}"));
    let expected = every("kind", 5).chain(every("subkind", 12)).chain(every("tag", 11));
    assert_eq!(found, expected.chain(every("child key", 4)).collect());
}

#[test]
fn golden_lines_of_the_first_release_stand_unchanged() {
    // One number over the text of the first lines; it may be replaced only when the byte format gets a new version.
    let text: Vec<_> = include_str!("../golden/structures.txt").lines().take(56).collect();
    let sum = text.join("\n").bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    assert_eq!(sum, 0xB60F_9419_6921_8F8A);
}
