//! JAX's treedef proto, there and back.
#![cfg(feature = "proptest")]
#![allow(
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

use proptest::prelude::*;
use treedef::jax::{
    self, PROTO_KEYS, Proto, ProtoError, ProtoErrorKind as Kind, ProtoFrame, ProtoKey, ProtoLevel,
    ProtoNode,
};
use treedef::{
    Builder, DictKind, DictOf, Error, Head, Kind as Node, Level, ListOf, Structure, TreeDef,
    TupleOf, Value, matches, strategies, structure_into, structure_len,
};

const LEAF: &[u8] = &[0x0A, 2, 0x10, 1];
const NONE: &[u8] = &[0x0A, 2, 0x10, 3];
/// Two children.
const PAIR: &[u8] = &[0x0A, 4, 0x08, 2, 0x10, 4];
/// Two children with the keys 0 and 1.
const DICT: &[u8] = &[0x0A, 10, 0x08, 2, 0x10, 5, 0x1A, 4, 0x0A, 2, 0, 1];
const A: &[u8] = &[0x12, 1, b'a'];
const B: &[u8] = &[0x12, 1, b'b'];

/// Calls `with` with the proto, read into exactly the announced number of nodes.
fn opened<R>(bytes: &[u8], with: impl FnOnce(Proto<'_>) -> R) -> Result<R, ProtoError> {
    let mut nodes = vec![ProtoNode::default(); Proto::nodes_len(bytes)?];
    Ok(with(Proto::from_bytes(bytes, &mut nodes)?))
}

/// The treedef in a buffer of exactly the announced size.
fn structure(proto: &Proto<'_>, frames: usize) -> Result<Vec<u8>, Error> {
    let mut frames = vec![ProtoFrame::default(); frames];
    let needed = match proto.structure_into_with(&mut frames, &mut []) {
        Err(Error::Full { needed, room: 0 }) => needed,
        other => panic!("{other:?} without room"),
    };
    let mut bytes = vec![0; needed];
    let def = proto.structure_into_with(&mut frames, &mut bytes)?;
    assert_eq!((proto.num_leaves(), proto.num_nodes()), (def.num_leaves(), def.num_nodes()));
    Ok(def.as_bytes().to_vec())
}

fn read(bytes: &[u8]) -> Result<Vec<u8>, ProtoError> {
    opened(bytes, |proto| structure(&proto, bytes.len()).unwrap())
}

/// The error for a proto in parts: its kind and its offset.
fn refused(parts: &[&[u8]]) -> (Kind, usize) {
    let proto = parts.concat();
    let error = read(&proto).expect_err("a malformed proto");
    (error.kind(), error.offset())
}

fn write(def: TreeDef<'_>) -> Result<Vec<u8>, Error> {
    let mut levels = vec![ProtoLevel::default(); def.as_bytes().len()];
    let mut keys = vec![ProtoKey::default(); def.as_bytes().len()];
    let needed = match jax::proto_into_with(def, &mut levels, &mut keys, &mut []) {
        Err(Error::Full { needed, room: 0 }) => needed,
        other => return other.map(<[u8]>::to_vec),
    };
    let mut bytes = vec![0; needed];
    let len = jax::proto_into_with(def, &mut levels, &mut keys, &mut bytes)?.len();
    assert_eq!(len, bytes.len());
    Ok(bytes)
}

/// The proto by the schema alone: every node by itself, a linear search for each key.
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

/// Whether JAX's proto holds a node.
fn fits(head: &Head<'_>) -> bool {
    match head.kind() {
        Node::Leaf | Node::None | Node::List | Node::Tuple => true,
        Node::Dict => head.keys().all(|key| matches!(key, Value::Str(_))),
        _ => false,
    }
}

/// The treedef with every node that JAX's proto does not hold turned into a list.
fn plain(def: TreeDef<'_>, builder: &mut Builder<'_>) -> Result<(), Error> {
    if def.is_leaf() {
        return builder.leaves(1);
    }
    let frame = match fits(&def.head()) {
        true => builder.begin_head(&def.head())?,
        false => builder.begin(&ListOf(def.num_children()))?,
    };
    def.children().try_for_each(|child| plain(child, builder))?;
    builder.end(frame)
}

fn made(make: impl FnOnce(&mut Builder<'_>) -> Result<(), Error>) -> Vec<u8> {
    let mut bytes = vec![0; 1 << 20];
    let mut builder = Builder::new(&mut bytes);
    make(&mut builder).unwrap();
    let len = builder.finish().unwrap().as_bytes().len();
    bytes.truncate(len);
    bytes
}

fn treedef(bytes: &[u8]) -> TreeDef<'_> {
    TreeDef::from_bytes_with(bytes, &mut vec![Level::default(); bytes.len()]).unwrap()
}

/// The number in preorder of the first node in post-order that does not fit.
fn first_refused(def: TreeDef<'_>, number: &mut u32) -> Option<u32> {
    let own = *number;
    *number += 1;
    let below = def.children().find_map(|child| first_refused(child, number));
    below.or_else(|| (!fits(&def.head())).then_some(own))
}

/// Reads bytes that can be anything; what is read is canonical and survives the way there and back.
fn any_bytes(proto: &[u8]) {
    let Ok(bytes) = read(proto) else { return };
    let def = treedef(&bytes);
    let again = write(def).unwrap();
    assert_eq!(read(&again).unwrap(), bytes);
}

proptest! {
    #[test]
    fn protos_are_those_of_the_schema_and_read_back(def in strategies::treedefs()) {
        let bytes = made(|builder| plain(def.as_treedef(), builder));
        let proto = write(treedef(&bytes)).unwrap();
        prop_assert_eq!(&proto, &Plain::write(treedef(&bytes)).unwrap());
        prop_assert_eq!(read(&proto).unwrap(), bytes);
    }

    #[test]
    fn a_proto_is_a_structure(def in strategies::treedefs(), other in strategies::treedefs()) {
        let bytes = made(|builder| plain(def.as_treedef(), builder));
        let (def, other) = (treedef(&bytes), other.as_treedef());
        let checked = opened(&write(def).unwrap(), |proto| {
            prop_assert_eq!(matches(&proto, def), Ok(()));
            prop_assert_eq!(matches(&proto, other).is_ok(), def == other);
            prop_assert_eq!(Structure::num_leaves(&proto), Ok(def.num_leaves()));
            let mut bytes = vec![0; structure_len(&proto).unwrap()];
            prop_assert_eq!(structure_into(&proto, &mut bytes), Ok(def));
            Ok(())
        });
        checked.unwrap()?;
    }

    #[test]
    fn what_does_not_fit_is_refused_at_the_first_node(def in strategies::treedefs()) {
        let def = def.as_treedef();
        match (first_refused(def, &mut 0), write(def)) {
            (None, Ok(_)) => {}
            (Some(first), Err(Error::UserDefinedNode { node } | Error::KeysNotStrings { node })) => {
                prop_assert_eq!(node, first);
                let head = def.nodes().nth(node as usize).unwrap().unwrap().head;
                let keys = matches!(write(def), Err(Error::KeysNotStrings { .. }));
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
        def in strategies::treedefs(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let bytes = made(|builder| plain(def.as_treedef(), builder));
        let mut proto = write(treedef(&bytes)).unwrap();
        any_bytes(&proto[..cut.index(proto.len())]);
        let at = at.index(proto.len());
        proto[at] = byte;
        any_bytes(&proto);
    }

    #[test]
    fn every_buffer_that_is_too_small_is_full(def in strategies::treedefs()) {
        let bytes = made(|builder| plain(def.as_treedef(), builder));
        let def = treedef(&bytes);
        let proto = write(def).unwrap();
        let mut nodes = vec![ProtoNode::default(); Proto::nodes_len(&proto).unwrap()];
        let read = Proto::from_bytes(&proto, &mut nodes).unwrap();
        let mut frames = vec![ProtoFrame::default(); proto.len()];
        let needed = structure_len(&read).unwrap();
        for room in 0..needed {
            let full = Err(Error::Full { needed, room });
            let mut bytes = vec![0; room];
            prop_assert_eq!(structure_into(&read, &mut bytes), full);
            prop_assert_eq!(read.structure_into_with(&mut frames, &mut bytes), full);
        }
        for room in 0..proto.len().min(100) {
            let written = jax::proto_into(def, &mut vec![0; room]).map(<[u8]>::len);
            prop_assert_eq!(written, Err(Error::Full { needed: proto.len(), room }));
        }
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
        // Strings first, between and twice, where nothing uses the second.
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
        // Ids by themselves and in several messages, overlong integers, a field of another type, the last type wins.
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
        let bytes = read(&parts.concat()).unwrap();
        assert_eq!(treedef(&bytes).to_string(), "PyTreeDef({'a': *, 'b': *})", "{parts:x?}");
    }
}

#[test]
fn a_bomb_is_full_at_once() {
    // Pairs of pairs of .., 31 levels deep: 2^31 leaves.
    let mut bytes = vec![0x22, 0x01];
    for level in 1..31u32 {
        let unit = treedef(&bytes).num_leaves();
        assert_eq!(unit, 1 << level);
        bytes = made(|builder| {
            let frame = builder.begin(&TupleOf(2))?;
            builder.subtree(treedef(&bytes))?;
            builder.repeat(1)?;
            builder.end(frame)
        });
    }
    let leaves = treedef(&bytes).num_leaves() as u64;
    // Every leaf takes four bytes, every pair, of which there is one less, six.
    let needed = usize::try_from(leaves * 4 + (leaves - 1) * 6).unwrap();
    let start = std::time::Instant::now();
    assert_eq!(jax::proto_len(treedef(&bytes)), Ok(needed));
    let mut room = [0; 100];
    let full = jax::proto_into(treedef(&bytes), &mut room);
    assert_eq!(full, Err(Error::Full { needed, room: 100 }));
    assert!(start.elapsed().as_millis() < 100);
}

#[test]
fn depth_has_no_bound_but_the_callers() {
    let depth = 50_000;
    let chain = [vec![0x41; depth], vec![0x00]].concat();
    let def = treedef(&chain);
    let proto = write(def).unwrap();
    assert_eq!(proto.len(), 4 + 6 * depth);
    assert_eq!(read(&proto).unwrap(), chain);
    assert_eq!(jax::proto_len(def), Err(Error::TooDeep { limit: 64 }));
    let deep = Err(Error::TooDeep { limit: 64 });
    let mut frames = [ProtoFrame::default(); 64];
    opened(&proto, |proto| {
        assert_eq!(structure_len(&proto), deep.map(|_: TreeDef<'_>| 0));
        let mut bytes = vec![0; chain.len()];
        assert_eq!(proto.structure_into_with(&mut frames, &mut bytes), deep);
        assert_eq!(structure_into(&proto, &mut bytes), deep);
    })
    .unwrap();
    let fits = [vec![0x41; 64], vec![0x00]].concat();
    let proto = write(treedef(&fits)).unwrap();
    assert_eq!(jax::proto_len(treedef(&fits)), Ok(proto.len()));
    opened(&proto, |proto| {
        assert_eq!(structure(&proto, 64).unwrap(), fits);
        assert_eq!(structure_len(&proto), Ok(fits.len()));
    })
    .unwrap();
}

#[test]
fn as_many_keys_as_there_is_room_for_are_found() {
    let dict = |n: usize| {
        let mut names: Vec<String> = (0..n).map(|i| format!("layer_{i}")).collect();
        names.sort();
        made(|builder| {
            let names = names.iter().map(String::as_str);
            let frame = builder.begin(&DictOf::new(DictKind::Sorted, names))?;
            builder.leaves(n)?;
            builder.end(frame)
        })
    };
    let bytes = dict(PROTO_KEYS);
    let plain = Plain::write(treedef(&bytes)).unwrap();
    assert_eq!(jax::proto_into(treedef(&bytes), &mut vec![0; plain.len()]), Ok(plain.as_slice()));
    let (needed, room) = (PROTO_KEYS + 1, PROTO_KEYS);
    let bytes = dict(needed);
    assert_eq!(jax::proto_len(treedef(&bytes)), Err(Error::KeysFull { needed, room }));
    // Ids of one, two and three bytes.
    let bytes = dict(20_000);
    let proto = write(treedef(&bytes)).unwrap();
    assert_eq!(read(&proto).unwrap(), bytes);
}

#[test]
fn errors_are_sentences() {
    let error = read(&[0x0A, 4, 0x08, 1, 0x10, 1]).unwrap_err();
    assert_eq!(error.to_string(), "leaf or None announces 1 child at byte 0");
    assert_eq!(format!("{error:?}"), "ProtoError { kind: Childless { found: 1 }, at: 0 }");
    let mut nodes = [ProtoNode::default(); 1];
    let proto = [LEAF, LEAF, PAIR].concat();
    let error = Proto::from_bytes(&proto, &mut nodes).unwrap_err();
    assert_eq!(error.to_string(), "proto has 3 nodes and strings, the slice holds 1 at byte 4");

    // [*, {1: None}] and [*, OrderedDict()]
    let bytes = [0x42, 0x00, 0xC2, 1, 1, 2, 0xC0];
    let error = write(treedef(&bytes)).unwrap_err();
    assert_eq!(error, Error::KeysNotStrings { node: 2 });
    assert_eq!(error.to_string(), "JAX's format holds string keys only, node 2 has others");
    let text = error.explain_at(&treedef(&bytes)).to_string();
    assert_eq!(text, "JAX's format holds string keys only, others are at [1]");
    let bytes = [0x42, 0x00, 0xC4, 0, 0];
    let error = write(treedef(&bytes)).unwrap_err();
    assert_eq!(error.to_string(), "JAX's format does not hold the user-defined node 2");
    let text = error.explain_at(&treedef(&bytes)).to_string();
    assert_eq!(text, "JAX's format does not hold the user-defined node at [1]");
    let text = Error::UserDefinedNode { node: 0 }.explain_at(&treedef(&bytes)).to_string();
    assert_eq!(text, "JAX's format does not hold the user-defined node at the root");
    let text = Error::UserDefinedNode { node: 9 }.explain_at(&treedef(&bytes)).to_string();
    assert_eq!(text, "JAX's format does not hold the user-defined node at node 9");
}
