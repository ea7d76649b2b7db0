//! Tests JAX's treedef proto in both directions.

use proptest::prelude::*;
use treedef::encode::Level;
use treedef::head::DictKind;
use treedef::{Head, Kind as Node, TreeDef, TreeDefBox, Value, Writer, head};
use treedef_jax::{
    MAX_KEY_BYTES, ProtoErrorKind as Kind, WriteProtoError, read_proto, write_proto,
};
use treedef_proptest::treedefs;

const LEAF: &[u8] = &[0x0A, 2, 0x10, 1];
const NONE: &[u8] = &[0x0A, 2, 0x10, 3];
/// Two children.
const PAIR: &[u8] = &[0x0A, 4, 0x08, 2, 0x10, 4];
/// Two children with the keys 0 and 1.
const DICT: &[u8] = &[0x0A, 10, 0x08, 2, 0x10, 5, 0x1A, 4, 0x0A, 2, 0, 1];
const A: &[u8] = &[0x12, 1, b'a'];
const B: &[u8] = &[0x12, 1, b'b'];

/// Returns the kind and the offset of the error for a proto, which is given in parts.
fn refused(parts: &[&[u8]]) -> (Kind, usize) {
    let proto = parts.concat();
    let error = read_proto(&proto).expect_err("a malformed proto");
    (error.kind(), error.offset())
}

/// Writes a proto in the simplest way: every node by itself, with a linear search for each key.
#[derive(Default)]
struct Plain {
    nodes: Vec<u8>,
    strings: Vec<String>,
}

impl Plain {
    fn write(def: TreeDef<'_>) -> Option<Vec<u8>> {
        let mut plain = Self::default();
        plain.node(def)?;
        for text in &plain.strings {
            plain.nodes.push(0x12);
            varint(&mut plain.nodes, text.len());
            plain.nodes.extend(text.as_bytes());
        }
        Some(plain.nodes)
    }

    fn node(&mut self, def: TreeDef<'_>) -> Option<()> {
        def.children().try_for_each(|child| self.node(child))?;
        let (mut body, mut ids) = (Vec::new(), Vec::new());
        if def.num_children() > 0 {
            body.push(0x08);
            varint(&mut body, def.num_children());
        }
        let kind = match def.kind() {
            Node::Leaf => 1,
            Node::List => 2,
            Node::None => 3,
            Node::Tuple => 4,
            Node::Dict => 5,
            _ => return None,
        };
        body.extend([0x10, kind]);
        for key in def.head().keys() {
            let Value::Str(text) = key else { return None };
            let known = self.strings.iter().position(|string| string == text);
            varint(&mut ids, known.unwrap_or(self.strings.len()));
            if known.is_none() {
                self.strings.push(text.into());
            }
        }
        if !ids.is_empty() {
            let mut keys = vec![0x0A];
            varint(&mut keys, ids.len());
            keys.extend(ids);
            body.push(0x1A);
            varint(&mut body, keys.len());
            body.extend(keys);
        }
        self.nodes.push(0x0A);
        varint(&mut self.nodes, body.len());
        self.nodes.extend(body);
        Some(())
    }
}

fn varint(out: &mut Vec<u8>, mut value: usize) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Whether JAX's proto can represent a node.
fn fits(head: &Head<'_>) -> bool {
    match head.kind() {
        Node::Leaf | Node::None | Node::List | Node::Tuple => true,
        Node::Dict => head.keys().all(|key| matches!(key, Value::Str(_))),
        _ => false,
    }
}

/// Writes the treedef with every node that JAX's proto cannot represent turned into a list.
fn plain(def: TreeDef<'_>, out: &mut Writer<'_>) {
    if def.is_leaf() {
        return out.leaves(1);
    }
    let node = match fits(&def.head()) {
        true => out.begin_head(&def.head()),
        false => out.begin_list(def.num_children()),
    };
    def.children().for_each(|child| plain(child, out));
    out.end(node);
}

fn made(make: impl FnMut(&mut Writer<'_>)) -> TreeDefBox {
    TreeDefBox::build(make).unwrap()
}

/// The treedef with every node that JAX's proto cannot represent turned into a list.
fn held(def: TreeDef<'_>) -> TreeDefBox {
    made(|builder| plain(def, builder))
}

fn treedef(bytes: &[u8]) -> TreeDef<'_> {
    TreeDef::from_bytes_with(bytes, &mut vec![Level::default(); bytes.len()]).unwrap()
}

/// Returns the preorder index of the first node in post-order that a proto cannot represent.
fn first_refused(def: TreeDef<'_>, number: &mut u32) -> Option<u32> {
    let own = *number;
    *number += 1;
    let below = def.children().find_map(|child| first_refused(child, number));
    below.or_else(|| (!fits(&def.head())).then_some(own))
}

/// Reads arbitrary bytes. A treedef that is read must be canonical and survive a round trip.
fn any_bytes(proto: &[u8]) {
    match read_proto(proto) {
        Err(error) => assert!(error.offset() <= proto.len()),
        Ok(def) => {
            let def = def.as_treedef();
            assert_eq!(treedef(def.as_bytes()), def);
            assert_eq!(read_proto(&write_proto(def).unwrap()), Ok(def.into()));
        }
    }
}

proptest! {
    #[test]
    fn protos_are_those_of_the_schema_and_read_back(def in treedefs()) {
        let def = held(def.as_treedef());
        let proto = write_proto(def.as_treedef()).unwrap();
        prop_assert_eq!(&proto, &Plain::write(def.as_treedef()).unwrap());
        let read = read_proto(&proto).unwrap();
        prop_assert_eq!(read.as_treedef().num_nodes(), def.as_treedef().num_nodes());
        prop_assert_eq!(read, def);
    }

    #[test]
    fn what_does_not_fit_is_refused_at_the_first_node(def in treedefs()) {
        let def = def.as_treedef();
        match (first_refused(def, &mut 0), write_proto(def)) {
            (None, Ok(_)) => {}
            (
                Some(first),
                Err(
                    error @ (WriteProtoError::UserDefinedNode { node }
                    | WriteProtoError::KeysNotStrings { node }),
                ),
            ) => {
                prop_assert_eq!(node, first);
                let head = def.nodes().nth(node as usize).unwrap().unwrap().head;
                let keys = matches!(error, WriteProtoError::KeysNotStrings { .. });
                prop_assert_eq!(head.kind() == Node::Dict, keys);
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(proto in prop::collection::vec(any::<u8>(), 0..64)) {
        any_bytes(&proto);
    }

    #[test]
    fn any_pieces_are_read_or_refused(pieces in prop::collection::vec(
        prop::sample::select(vec![LEAF, LEAF, NONE, PAIR, DICT, A, B, &[0x0A, 4, 0x08, 1, 0x10, 2]]),
        0..24,
    )) {
        any_bytes(&pieces.concat());
    }

    #[test]
    fn mutations_are_read_or_refused(
        def in treedefs(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut proto = write_proto(held(def.as_treedef()).as_treedef()).unwrap();
        any_bytes(&proto[..cut.index(proto.len())]);
        let at = at.index(proto.len());
        proto[at] = byte;
        any_bytes(&proto);
    }
}

#[test]
fn malformed_protos_are_refused_where_they_go_wrong() {
    // The six bytes that end a process with JAX 0.10.
    assert_eq!(refused(&[&[0x0A, 4, 0x08, 1, 0x10, 1]]), (Kind::Childless { found: 1 }, 0));
    assert_eq!(refused(&[LEAF, &[0x0A, 4, 0x08, 1, 0x10, 3]]), (Kind::Childless { found: 1 }, 4));
    assert_eq!(refused(&[]), (Kind::Roots { found: 0 }, 0));
    assert_eq!(refused(&[LEAF, NONE, LEAF]), (Kind::Roots { found: 3 }, 4));
    assert_eq!(refused(&[LEAF, PAIR]), (Kind::TooFewChildren { expected: 2, found: 1 }, 4));
    assert_eq!(refused(&[&[0x0A, 2, 0x10, 6]]), (Kind::UnknownType(6), 0));
    assert_eq!(refused(&[&[0x0A, 2, 0x08, 0]]), (Kind::UnknownType(0), 0));
    // Keys: none, too few, on a list, no strings, equal, out of order.
    assert_eq!(
        refused(&[LEAF, &[0x0A, 4, 0x08, 1, 0x10, 5]]),
        (Kind::KeyCount { expected: 1, found: 0 }, 4)
    );
    assert_eq!(
        refused(&[LEAF, &[0x0A, 9, 0x08, 1, 0x10, 2, 0x1A, 3, 0x0A, 1, 0], A]),
        (Kind::KeyCount { expected: 0, found: 1 }, 4)
    );
    assert_eq!(refused(&[LEAF, LEAF, DICT, A]), (Kind::KeyOutOfRange { id: 1 }, 8));
    let (first, second) = (0, 1);
    assert_eq!(refused(&[LEAF, LEAF, DICT, A, A]), (Kind::DuplicateKey { first, second }, 8));
    assert_eq!(refused(&[LEAF, LEAF, DICT, B, A]), (Kind::KeyOrder { first, second }, 8));
    // The wire: cut, a tag of no field, of no type, a group that ends or does not, integers that do not.
    assert_eq!(refused(&[LEAF, &[0x0A]]), (Kind::Truncated, 5));
    assert_eq!(refused(&[LEAF, &[0x0A, 5, 0x10, 1]]), (Kind::Truncated, 6));
    assert_eq!(refused(&[LEAF, &[0x00]]), (Kind::FieldNumber, 4));
    assert_eq!(refused(&[LEAF, &[0x0E]]), (Kind::WireType(6), 4));
    assert_eq!(refused(&[LEAF, &[0x0C]]), (Kind::Group, 4));
    assert_eq!(refused(&[LEAF, &[0x4B, 0x54]]), (Kind::Group, 5));
    assert_eq!(refused(&[LEAF, &[0x4B, 8, 1]]), (Kind::Truncated, 7));
    assert_eq!(refused(&[LEAF, &[0x4B; 18]]), (Kind::TooDeep { limit: 16 }, 21));
    assert_eq!(refused(&[LEAF, &[0x18], &[0x80; 10]]), (Kind::Varint, 5));
    assert_eq!(refused(&[LEAF, &[0x80; 6]]), (Kind::Varint, 4));
    assert_eq!(refused(&[LEAF, &[0xF8, 0xFF, 0xFF, 0xFF, 0x7F]]), (Kind::Varint, 4));
    assert_eq!(refused(&[LEAF, &[0x12, 1, 0xFF]]), (Kind::NotUtf8, 6));
    // Errors of the nodes come before errors of keys, which come in the order of the bytes.
    assert_eq!(refused(&[LEAF, LEAF, DICT, LEAF]), (Kind::Roots { found: 2 }, 20));
    let two = [LEAF, LEAF, DICT, LEAF, LEAF, DICT, PAIR, A];
    assert_eq!(refused(&two), (Kind::KeyOutOfRange { id: 1 }, 8));
}

#[test]
fn what_a_reader_of_protos_takes_is_taken() {
    for parts in [
        // Strings first, between nodes, and twice, where the second is unused.
        &[A, B, LEAF, LEAF, DICT][..],
        &[A, LEAF, B, LEAF, A, DICT],
        // Unknown fields of every type, groups in groups, also inside the dictionary.
        &[
            LEAF,
            LEAF,
            DICT,
            A,
            B,
            &[0x48, 1, 0x49, 0, 0, 0, 0, 0, 0, 0, 0, 0x4A, 1, 7, 0x4D, 0, 0, 0, 0],
        ],
        &[LEAF, &[0x4B, 0x53, 0x08, 1, 0x54, 0x4C], LEAF, DICT, A, B],
        // Single ids, ids in several messages, overlong integers, a field of another type, and two types, of which the
        // last counts.
        &[
            LEAF,
            LEAF,
            &[0x0A, 14, 0x08, 2, 0x10, 5, 0x1A, 3, 0x0A, 1, 0, 0x1A, 3, 0x08, 0x81, 0],
            A,
            B,
        ],
        &[
            LEAF,
            LEAF,
            &[
                0x0A, 0x92, 0, 0x08, 0x82, 0, 0x10, 1, 0x10, 5, 0x15, 1, 0, 0, 0, 0x1A, 4, 0x0A, 2,
                0, 1,
            ],
            A,
            B,
        ],
    ] {
        let def = read_proto(&parts.concat()).unwrap();
        assert_eq!(def.to_string(), "PyTreeDef({'a': *, 'b': *})", "{parts:x?}");
    }
}

/// Lists of one in lists of one ..
fn chain(depth: usize) -> Vec<u8> {
    [vec![0x41; depth], vec![0x00]].concat()
}

#[test]
fn a_treedef_that_stands_for_too_much_is_refused_at_once() {
    // Nested pairs, 31 levels deep: 2^31 leaves of four bytes each.
    let mut def = made(|out| out.node(&head::Tuple(2), |out| out.leaves(2)));
    for level in 1..31u32 {
        assert_eq!(def.as_treedef().num_leaves(), 1 << level);
        def = made(|out| {
            out.node(&head::Tuple(2), |out| {
                out.subtree(def.as_treedef());
                out.repeat(1);
            });
        });
    }
    let start = std::time::Instant::now();
    assert_eq!(write_proto(def.as_treedef()), Err(WriteProtoError::TooLarge));
    assert!(start.elapsed().as_millis() < 100);
}

#[test]
fn depth_has_no_bound() {
    let depth = 50_000;
    let chain = chain(depth);
    let proto = write_proto(treedef(&chain)).unwrap();
    assert_eq!(proto.len(), 4 + 6 * depth);
    assert_eq!(read_proto(&proto).unwrap().as_treedef().as_bytes(), chain);
}

#[test]
fn any_number_of_levels_may_be_pending() {
    for depth in [63, 64, 65, 66, 130, 1000] {
        // [[[*, None], None], None], of this depth.
        let list: &[u8] = &[0x0A, 4, 0x08, 2, 0x10, 2];
        let comb = [LEAF, &[NONE, list].concat().repeat(depth)].concat();
        // [[comb, comb], *]: two more levels are pending in the first comb, and one in its copy.
        let tree = [&comb, &comb, list, LEAF, list].concat();
        for proto in [comb, tree] {
            let def = read_proto(&proto).unwrap();
            assert_eq!(write_proto(def.as_treedef()), Ok(proto), "{depth}");
        }
    }
}

#[test]
fn any_number_of_keys_is_found() {
    let names = std::collections::BTreeSet::from_iter((0..20_000).map(|i| format!("layer_{i}")));
    // Ids of one, two and three bytes.
    let def = made(|out| {
        let names = names.iter().map(String::as_str);
        out.node(&head::Dict::new(DictKind::Sorted, names), |out| out.leaves(20_000));
    });
    let proto = write_proto(def.as_treedef()).unwrap();
    assert_eq!(read_proto(&proto), Ok(def));
}

/// Nodes that announce children that they do not have, each in its own proto.
#[test]
fn announced_children_take_no_memory() {
    // A list of 2^32 - 1 children, after one leaf.
    let list = &[0x0A, 8, 0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x10, 2];
    let fault = Kind::TooFewChildren { expected: u32::MAX, found: 1 };
    assert_eq!(refused(&[LEAF, list]), (fault, 4));
    // The length of a field, of 2^32 - 1 bytes.
    assert_eq!(refused(&[LEAF, &[0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]]), (Kind::Truncated, 10));
}

/// Dictionaries that all have a long key. No two siblings are equal.
fn with_long_keys(key: usize, dicts: usize) -> Vec<u8> {
    let one_key: &[u8] = &[0x0A, 9, 0x08, 1, 0x10, 5, 0x1A, 3, 0x0A, 1, 0];
    let mut proto = Vec::new();
    for i in 0..dicts {
        proto.extend([if i % 2 == 0 { LEAF } else { NONE }, one_key].concat());
    }
    let mut list = vec![0x08];
    varint(&mut list, dicts);
    list.extend([0x10, 2]);
    proto.push(0x0A);
    varint(&mut proto, list.len());
    proto.extend(list);
    proto.push(0x12);
    varint(&mut proto, key);
    proto.extend(vec![b'k'; key]);
    proto
}

#[test]
fn keys_that_are_used_again_and_again_have_a_bound() {
    // A treedef of 10 GB.
    let proto = with_long_keys(1 << 20, 10_000);
    let start = std::time::Instant::now();
    assert_eq!(read_proto(&proto).unwrap_err().kind(), Kind::TooLarge);
    assert!(start.elapsed().as_millis() < 1000);
    // Keys of almost the largest total length, and slightly longer ones.
    let (dicts, each) = (1000, LEAF.len() + 11);
    let key = (1..).find(|key| key * dicts > MAX_KEY_BYTES * (each * dicts + key + 9)).unwrap();
    for (len, fits) in [(key - 1, true), (key + 1, false)] {
        let proto = with_long_keys(len, dicts);
        let def = read_proto(&proto);
        assert_eq!(def.is_ok(), fits, "{len}");
        if let Ok(def) = def {
            assert!(def.as_treedef().as_bytes().len() < (MAX_KEY_BYTES + 1) * proto.len());
        }
    }
}

#[test]
fn errors_are_sentences() {
    let error = read_proto(&[0x0A, 4, 0x08, 1, 0x10, 1]).unwrap_err();
    assert_eq!(error.to_string(), "leaf or None announces children: 1 at byte 0");
    assert_eq!(format!("{error:?}"), "ProtoError { kind: Childless { found: 1 }, at: 0 }");

    // [*, {1: None}] and [*, OrderedDict()]
    let bytes = [0x42, 0x00, 0xC2, 1, 1, 2, 0xC0];
    let error = write_proto(treedef(&bytes)).unwrap_err();
    assert_eq!(error, WriteProtoError::KeysNotStrings { node: 2 });
    assert_eq!(error.to_string(), "JAX's format holds string keys only, node 2 has others");
    let text = error.explain(treedef(&bytes));
    assert_eq!(text, "JAX's format holds string keys only, others are at [1]");
    let bytes = [0x42, 0x00, 0xC4, 0, 0];
    let error = write_proto(treedef(&bytes)).unwrap_err();
    assert_eq!(error.to_string(), "JAX's format does not hold the user-defined node 2");
    for (node, place) in [(2, "[1]"), (0, "the root"), (9, "node 9")] {
        let text = WriteProtoError::UserDefinedNode { node }.explain(treedef(&bytes));
        assert_eq!(text, format!("JAX's format does not hold the user-defined node at {place}"));
    }
}
