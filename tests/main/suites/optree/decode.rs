//! `test_treespec.py`: pickles, which are the bytes here.

use treedef::TreeDef;
use treedef::format::DecodeErrorKind as Fault;

use super::trees::cases;
use crate::suites::model::unflatten;
use crate::support::optree_text::text;

#[test]
fn treespec_pickle_roundtrip() {
    for case in cases() {
        let bytes: &'static [u8] = case.def.as_bytes().to_vec().leak();
        let restored = TreeDef::from_bytes(bytes).unwrap();
        assert_eq!(restored, case.def);
        assert_eq!(text(restored, case.none_is_leaf), text(case.def, case.none_is_leaf));
        assert_eq!(unflatten(restored, case.leaves), case.tree);
    }
}

fn fault(bytes: &[u8]) -> Fault {
    TreeDef::from_bytes(bytes).unwrap_err().kind()
}

/// What of the suite's states can be said in bytes: there are no counts, no kinds with data that they must not have and
/// no references to be wrong.
#[test]
fn treespec_setstate_rejects_malformed_state() {
    // A kind out of range.
    assert_eq!(fault(&[0xE0]), Fault::UnknownKind(7));
    // A dictionary without keys, with fewer than children, with one twice, with unsorted ones.
    assert_eq!(fault(&[0x62, 0, 0x01]), Fault::BlockLength);
    assert_eq!(fault(&[0x62, 2, 1, b'a', 0x01]), Fault::BlockLength);
    let twice = Fault::DuplicateKey { first: 0, second: 1 };
    assert_eq!(fault(&[0x62, 4, 1, b'a', 1, b'a', 0x01]), twice);
    let order = Fault::KeyOrder { first: 0, second: 1 };
    assert_eq!(fault(&[0x62, 4, 1, b'b', 1, b'a', 0x01]), order);
    // More children than subtrees, and fewer: two trees.
    assert_eq!(fault(&[0x22, 0x00]), Fault::Truncated);
    assert_eq!(fault(&[0x21, 0x00, 0x00]), Fault::Trailing);
    assert_eq!(fault(&[0x21, 0x01]), Fault::TooManyChildren { left: 1, found: 2 });
    // Nothing.
    assert_eq!(fault(&[]), Fault::Truncated);
}

/// A named tuple whose number of fields is not that of its children; a struct sequence is one too.
#[test]
fn treespec_setstate_rejects_namedtuple_field_arity_mismatch() {
    // `Point(x=*, y=*)`, then one field too few and one too many.
    let good = [0xC9, 2, 10, 5, b'P', b'o', b'i', b'n', b't', 1, b'x', 1, b'y', 0x01];
    let point = crate::suites::model::structure(&crate::suites::model::named(
        "Point",
        &["x", "y"],
        [crate::suites::model::py!(1), crate::suites::model::py!(2)],
    ));
    let mut bytes = point.as_bytes().to_vec();
    assert_eq!((bytes[1..].to_vec(), bytes[0] >> 5), (good[1..].to_vec(), 6));
    bytes[1] = 3;
    assert_eq!(fault(&bytes), Fault::BlockLength);
    bytes[1] = 1;
    assert_eq!(fault(&bytes), Fault::BlockLength);
}

#[test]
fn treespec_setstate_rejects_structseq_field_arity_mismatch() {
    let fields = ["tm_year", "tm_mon"];
    let time = crate::suites::model::named(
        "time.struct_time",
        &fields,
        [crate::suites::model::py!(1), crate::suites::model::py!(2)],
    );
    let mut bytes = crate::suites::model::structure(&time).as_bytes().to_vec();
    bytes[1] = 1;
    assert_eq!(fault(&bytes), Fault::BlockLength);
}
