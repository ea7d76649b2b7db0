//! `from_plain_bytes` accepts the treedefs of plain nodes alone, and else says what `from_bytes` says.

use crate::strings;

use strings::{Numbers, count_of_letters, count_short};
use treedef::format::DecodeErrorKind;
use treedef::{Kind, TreeDef};

/// Whether all nodes are plain.
fn is_plain(def: TreeDef<'_>) -> bool {
    def.nodes().all(|node| {
        let head = node.unwrap().head;
        match head.kind() {
            Kind::Leaf | Kind::None | Kind::Some | Kind::Tuple | Kind::List => true,
            // Keys of other types are in heads of other bytes.
            Kind::Dict => head.as_bytes()[0] >> 5 == 3,
            Kind::Struct => head.meta_fields().next().is_none(),
            _ => false,
        }
    })
}

/// Asserts that both readers agree as far as nodes are plain; tells whether the bytes are a plain treedef.
fn agree(bytes: &[u8]) -> bool {
    match (TreeDef::from_bytes(bytes), TreeDef::from_plain_bytes(bytes)) {
        (Ok(any), Ok(plain)) => {
            assert!(is_plain(any), "{bytes:02x?}");
            assert_eq!(plain, any);
            assert_eq!(plain.num_leaves(), any.num_leaves());
            assert_eq!(plain.num_nodes(), any.num_nodes());
            true
        }
        (Ok(any), Err(plain)) => {
            assert_eq!(plain.kind(), DecodeErrorKind::NotPlain, "{bytes:02x?}");
            assert!(!is_plain(any), "{bytes:02x?}");
            false
        }
        (Err(any), Err(plain)) => {
            // What is not plain hides the faults in it and behind it.
            let hidden =
                plain.kind() == DecodeErrorKind::NotPlain && plain.offset() <= any.offset();
            assert!(plain == any || hidden, "{bytes:02x?}: {any:?}, but {plain:?}");
            false
        }
        (Err(any), Ok(_)) => panic!("{bytes:02x?} are plain, but {any:?}"),
    }
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
fn short_strings_are_judged_alike() {
    let accepted = count_short(agree);
    // The count of `agreement` but for the empty ordered dictionary.
    assert_eq!(accepted, 4 + 67 + 2 + 2 * (67 + 9 + 2 * 3 * 29 + 1) - 1);
}

#[test]
fn strings_of_few_letters_are_judged_alike() {
    const LETTERS: [u8; 23] = [
        0x00, 0x01, 0x02, 0x03, 0x04, 0x1F, 0x20, 0x21, 0x22, 0x41, 0x42, 0x43, 0x60, 0x61, 0x62,
        0x80, 0x81, 0xA0, 0xA1, 0xC0, 0xC1, 0xC3, 0xCA,
    ];
    let accepted = count_of_letters(&LETTERS, Numbers(7), (200_000, 14), agree);
    assert!(accepted > 2000, "{accepted}");
}

/// Plain structures: repeats, dictionaries, structs, options and text of several bytes a character.
const PLAIN: [&[u8]; 7] = [
    &[0x43, 0x42, 0x22, 0x01, 0xA0, 0x02, 0xA1, 0x04],
    b"\x42\x63\x06\x01a\x01b\x01c\x02\x80\x04\x03N\xC3\xA9",
    b"\x62\x06\x01a\x03\xE2\x82\xAC\x42\x22\x01\xA0\x02\x00",
    b"\x83\x0A\x03Pid\x01d\x01i\x01p\x02",
    b"\x43\xC1\x01\x00\x00\xC0\x81\x04\x01S\x01x\x00",
    b"\x5F\x05\x22\x01\xBF\x03\x02",
    b"\x61\x06\x05\xF0\x9F\x8C\xB3!\x43\x02",
];

/// Structures with one node that is not plain, and the offset at which that shows.
const OTHERS: [(&[u8], usize); 12] = [
    (b"\x42\x00\xC2\x01\x01\x02\x00", 2),        // {1: *}
    (b"\xC4\x01\x02\x01a\x00", 0),               // OrderedDict({'a': *})
    (b"\xC5\x01\x01\x02\x00", 0),                // OrderedDict({1: *})
    (b"\xC6\x01\x01\x00\x00", 0),                // OrderedDict({None: *})
    (b"\xC7\x01\x04\x01f\x01a\x00", 0),          // defaultdict(f, {'a': *})
    (b"\xC8\x01\x03\x01f\x02\x00", 0),           // defaultdict(f, {1: *})
    (b"\xC9\x01\x03\x01f\x00\x00", 0),           // defaultdict(f, {None: *})
    (b"\xCA\x01\x04\x01N\x01x\x00", 0),          // N(x=*)
    (b"\xCB\x01\x03\x01C\x00\x00", 0),           // C(*) with the aux data None
    (b"\xC3\x01\x01\x00\x00", 0),                // {None: *}
    (b"\x41\x81\x07\x01S\x01x\x01s\x00\x00", 7), // S(x=*; s=None)
    (b"\x80\x05\x01S\x01s\x02", 4),              // S(s=True)
];

#[test]
fn mutations_are_judged_alike() {
    for bytes in PLAIN {
        assert!(agree(bytes), "{bytes:02x?}");
    }
    let structures = PLAIN.into_iter().chain(OTHERS.map(|(bytes, _)| bytes));
    for bytes in structures {
        for at in 0..bytes.len() {
            agree(&bytes[..at]);
            let mut mutated = bytes.to_vec();
            for by in 1..=255 {
                mutated[at] = bytes[at] ^ by;
                agree(&mutated);
                for other in 0..at {
                    mutated[other] = bytes[other] ^ by.rotate_left(3);
                    agree(&mutated);
                    mutated[other] = bytes[other];
                }
            }
            mutated[at] = bytes[at];
            mutated.remove(at);
            agree(&mutated);
            mutated.insert(at, bytes[0]);
            agree(&mutated);
        }
    }
}

#[test]
fn other_nodes_and_static_fields_are_refused_where_they_begin() {
    for (bytes, at) in OTHERS {
        assert!(TreeDef::from_bytes(bytes).is_ok(), "{bytes:02x?}");
        let error = TreeDef::from_plain_bytes(bytes).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::NotPlain, at), "{bytes:02x?}");
    }
    let error = TreeDef::from_plain_bytes(&[0x41, 0xCA]).unwrap_err();
    assert_eq!(error.to_string(), "node or meta field is not plain at byte 1");
    // A kind that nobody knows is no other kind.
    let error = TreeDef::from_plain_bytes(&[0x41, 0xCC]).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::UnknownSubkind(12), 1));
}

#[test]
fn as_many_levels_can_be_pending() {
    for levels in [1, 64, 65, 66, 67, 100] {
        // `[[[.. *], *], *]`, each list but the innermost with a leaf after the list in it.
        let mut bytes = vec![0x42; levels];
        bytes.push(0x01);
        bytes.resize(2 * levels, 0x00);
        assert_eq!(agree(&bytes), levels <= 65, "{levels}");
    }
}
