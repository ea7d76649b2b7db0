//! The reference of the byte format is a bijection: all small structures, all short strings, many mutations.

use crate::support;

use support::decode::{Counts, decode, decode_any_spelling, validate};
use support::def::{ChildKey, Def};
use support::value::Value;

/// Makes a node of children, where the kind can have so many.
pub(crate) type Head = fn(Vec<Def>) -> Option<Def>;

/// Tuples and lists.
pub(crate) const PLAIN: [Head; 2] =
    [|children| Some(Def::Tuple(children)), |children| Some(Def::List(children))];

/// A head of each kind, some of them twice with another block.
pub(crate) const EACH_KIND: [Head; 18] = [
    |children| Some(Def::Tuple(children)),
    |children| Some(Def::List(children)),
    |children| <[Def; 1]>::try_from(children).ok().map(|[child]| Def::Some(Box::new(child))),
    |children| Def::dict(keyed(children, |i| Value::Str(format!("k{i}")))).ok(),
    |children| Def::dict(keyed(children, |i| Value::Str("k".repeat(i)))).ok(),
    |children| Def::dict(keyed(children, |i| Value::Int(3 - i as i64))).ok(),
    |children| Def::dict(keyed(children, |i| Value::F64(i as f64))).ok(),
    |children| Some(Def::ordered_dict(keyed(children, |i| Value::Str(format!("k{}", 9 - i))))),
    |children| Some(Def::ordered_dict(keyed(children, |_| Value::Str("k".into())))),
    |children| Some(Def::ordered_dict(keyed(children, |i| Value::Int(3 - i as i64)))),
    |children| {
        let key = |i| if i == 0 { Value::None } else { Value::Int(1) };
        Some(Def::ordered_dict(keyed(children, key)))
    },
    |children| Def::default_dict("None", keyed(children, |i| Value::Str(format!("k{i}")))).ok(),
    |children| Def::default_dict("None", keyed(children, |i| Value::Int(i as i64))).ok(),
    |children| Def::default_dict("None", keyed(children, |i| Value::Bytes(vec![b'b'; i]))).ok(),
    |children| Some(Def::NamedTuple { name: "N".into(), fields: names(&children), children }),
    |children| {
        Some(Def::Struct { name: "N".into(), fields: names(&children), meta: Vec::new(), children })
    },
    |children| {
        let meta = vec![("s".into(), Value::Bool(true))];
        Some(Def::Struct { name: "N".into(), fields: names(&children), meta, children })
    },
    |children| {
        let child_keys = names(&children).into_iter().map(ChildKey::Raw).collect();
        let child_keys = Some(child_keys).filter(|keys: &Vec<_>| !keys.is_empty());
        Some(Def::Custom { name: "N".into(), aux: Value::None, child_keys, children })
    },
];

/// Children with keys that follow from their positions.
fn keyed(children: Vec<Def>, key: fn(usize) -> Value) -> Vec<(Value, Def)> {
    children.into_iter().enumerate().map(|(i, child)| (key(i), child)).collect()
}

/// A name for each child.
fn names(children: &[Def]) -> Vec<String> {
    (0..children.len()).map(|i| i.to_string()).collect()
}

/// All structures of at most `most` nodes.
pub(crate) fn structures(most: usize, heads: &[Head]) -> Vec<Def> {
    // Structures of i + 1 nodes, and lists of structures of i nodes together.
    let (mut trees, mut forests) = (Vec::<Vec<Def>>::new(), vec![vec![Vec::new()]]);
    for n in 0..most {
        let with_head =
            |head: &Head| forests[n].iter().cloned().filter_map(*head).collect::<Vec<_>>();
        let mut level: Vec<Def> = heads.iter().flat_map(with_head).collect();
        if n == 0 {
            level.extend([Def::Leaf, Def::None]);
        }
        trees.push(level);
        let mut longer = Vec::new();
        for (i, firsts) in trees.iter().enumerate() {
            for (first, rest) in
                firsts.iter().flat_map(|t| forests[n - i].iter().map(move |rest| (t, rest)))
            {
                longer.push([std::slice::from_ref(first), rest].concat());
            }
        }
        forests.push(longer);
    }
    trees.concat()
}

/// Asserts that structures and bytes stand in a one-to-one relation and that no encoding begins another.
fn assert_injective(structures: &[Def]) {
    let mut encoded: Vec<(Vec<u8>, &Def)> =
        structures.iter().map(|def| (def.encode(), def)).collect();
    for (bytes, def) in &encoded {
        assert_eq!(decode(bytes).as_ref(), Ok(*def), "{bytes:02x?}");
        assert_eq!(validate(bytes), Ok(Counts { leaves: def.leaves(), nodes: def.nodes() }));
    }
    encoded.sort_by(|a, b| a.0.cmp(&b.0));
    // Sorted, a string that begins another stands directly before one that it begins.
    for pair in encoded.windows(2) {
        assert!(pair[0].1 == pair[1].1 || !pair[1].0.starts_with(&pair[0].0), "{pair:?}");
    }
}

/// Asserts that the rules accept just the bytes that encoding what they spell gives again.
fn assert_rules_are_complete(bytes: &[u8]) -> bool {
    let spelled = decode_any_spelling(bytes);
    let canonical = spelled.as_ref().is_ok_and(|def| def.encode() == bytes);
    assert_eq!(
        validate(bytes).is_ok(),
        canonical,
        "{bytes:02x?} spell {spelled:?}: {:?}",
        validate(bytes)
    );
    canonical
}

#[test]
fn small_structures_have_distinct_bytes() {
    let plain = structures(6, &PLAIN);
    assert_eq!(plain.len(), 4 + 8 + 48 + 352 + 2880 + 25216);
    assert_injective(&plain);
    assert_injective(&structures(3, &EACH_KIND));
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
fn short_byte_strings_are_canonical_or_refused() {
    let mut accepted = [0; 4];
    for a in 0..=255 {
        accepted[1] += usize::from(assert_rules_are_complete(&[a]));
        for b in 0..=255 {
            accepted[2] += usize::from(assert_rules_are_complete(&[a, b]));
            for c in 0..=255 {
                accepted[3] += usize::from(assert_rules_are_complete(&[a, b, c]));
            }
        }
    }
    // Of one byte: leaf, None, (), []. Of two: {}, and for tuples and lists alike a child of one byte or 2 to 30
    // leaves. Of three: an empty ordered dict, a struct whose name is empty, and twice: a child of two bytes; two of
    // the three leafless nodes; one of them before or after 1 to 29 leaves; 31 leaves.
    let two = 1 + 2 * (4 + 29);
    assert_eq!(accepted, [0, 4, two, 2 + 2 * (two + 9 + 2 * 3 * 29 + 1)]);
}

#[test]
fn strings_of_repeats_are_canonical_or_refused() {
    const ALPHABET: [u8; 8] = [0x00, 0x01, 0x20, 0x21, 0x22, 0x43, 0xA0, 0xC0];
    let mut accepted = 0;
    for number in 0..ALPHABET.len().pow(6) {
        let mut bytes = vec![0x43];
        bytes.extend((0..6).map(|i| ALPHABET[number >> (3 * i) & 7]));
        // Shorter strings as well, each once: where what is cut off would be zeros.
        let shortest = bytes.iter().rposition(|byte| *byte != 0).unwrap_or(0);
        (shortest..7)
            .for_each(|end| accepted += usize::from(assert_rules_are_complete(&bytes[..=end])));
    }
    assert!(accepted > 1000);
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
fn mutated_bytes_are_canonical_or_refused() {
    let mut accepted = 0;
    let nested = structures(3, &EACH_KIND);
    let repeated =
        structures(3, &PLAIN).into_iter().map(|def| Def::List(vec![def.clone(), def.clone(), def]));
    for def in nested.into_iter().step_by(3).chain(repeated) {
        let bytes = def.encode();
        for i in 0..bytes.len() {
            for flip in [1, 2, 3, 4, 7, 8, 16, 32, 64, 96, 128] {
                let mut mutated = bytes.clone();
                mutated[i] ^= flip;
                accepted += usize::from(assert_rules_are_complete(&mutated));
            }
            let mut shorter = bytes.clone();
            shorter.remove(i);
            assert_rules_are_complete(&shorter);
            for new in [0x00, 0x01, 0x20, 0x22, 0xA0, 0xC0, 0xFF] {
                let mut longer = bytes.clone();
                longer.insert(i, new);
                assert_rules_are_complete(&longer);
            }
        }
    }
    assert!(accepted > 1000);
}
