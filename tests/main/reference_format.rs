//! The reference of the byte format and the library refuse the same bytes, for the same reasons.

use crate::support;

use support::decode::validate;
use treedef::TreeDef;
use treedef::format::DecodeErrorKind as Fault;

#[test]
fn each_breach_of_a_rule_is_refused() {
    let refused = |bytes: &[u8], why, fault| {
        assert_eq!(validate(bytes), Err(String::from(why)), "{bytes:02x?}");
        let found = TreeDef::from_bytes(bytes).map_err(|error| error.kind());
        assert_eq!(found, Err(fault), "{bytes:02x?}");
    };
    refused(&[], "the bytes end early", Fault::Truncated);
    refused(&[0x01], "no node has the kind 0", Fault::TooManyChildren { left: 1, found: 2 });
    refused(&[0xFF], "no node has the kind 7", Fault::UnknownKind(7));
    refused(&[0xA0, 0x01], "no node has the kind 5", Fault::RepeatWithoutUnit);
    refused(&[0xCC, 0, 0], "no kind has the subkind 12", Fault::UnknownSubkind(12));
    refused(&[0xDF, 0, 0, 0], "no kind has the subkind 31", Fault::UnknownSubkind(31));
    refused(&[0x00, 0x00], "bytes after the root", Fault::Trailing);
    refused(&[0x21, 0x00, 0x00], "bytes after the root", Fault::Trailing);
    refused(&[0x22, 0x00], "the bytes end early", Fault::Truncated);
    refused(
        &[0x41, 0x01],
        "more children than the head says",
        Fault::TooManyChildren { left: 1, found: 2 },
    );
    refused(&[0x42, 0x00, 0x00], "leaves beside leaves", Fault::AdjacentLeaves);
    refused(&[0x42, 0x00, 0xA0, 0x01], "copies of what is no unit", Fault::RepeatWithoutUnit);
    refused(&[0x42, 0xC0, 0xA0, 0x00], "copies of what is no unit", Fault::RepeatWithoutUnit);
    refused(
        &[0x43, 0x21, 0x00, 0xA0, 0x01, 0xA0, 0x01],
        "copies of what is no unit",
        Fault::RepeatWithoutUnit,
    );
    refused(
        &[0x42, 0x21, 0x00, 0xA0, 0x02],
        "a wrong leaf count of a copy",
        Fault::RepeatLeaves { expected: 1, found: 2 },
    );
    refused(
        &[0x42, 0x21, 0x00, 0xA1, 0x01],
        "more children than the head says",
        Fault::TooManyChildren { left: 1, found: 2 },
    );
    refused(&[0x42, 0x21, 0x00, 0x21, 0x00], "a copy that is written out", Fault::Unfolded);
    refused(
        &[0x43, 0x21, 0x00, 0xA0, 0x01, 0x21, 0x00],
        "a copy that is written out",
        Fault::Unfolded,
    );
    refused(&[0x60, 1, 0], "bytes left in a block", Fault::BlockLength);
    refused(&[0x62, 0, 0x01], "the bytes end early", Fault::BlockLength);
    refused(&[0x62, 2, 1, b'a', 0x01], "the bytes end early", Fault::BlockLength);
    refused(
        &[0x62, 4, 1, b'b', 1, b'a', 0x01],
        "keys out of order",
        Fault::KeyOrder { first: 0, second: 1 },
    );
    refused(
        &[0x62, 2, 0, 0, 0x01],
        "keys out of order",
        Fault::DuplicateKey { first: 0, second: 1 },
    );
    refused(&[0x61, 2, 1, 0xFF, 0x00], "a string that is not UTF-8", Fault::NotUtf8);
    refused(&[0xC1, 2, 0, 0x01], "a Some has one child", Fault::Arity { found: 2 });
    refused(&[0xC2, 0, 0], "keys have a shorter form", Fault::KeyForm);
    refused(&[0xC3, 1, 2, 0x03, 0, 0x00], "keys have a shorter form", Fault::KeyForm);
    refused(
        &[0xC3, 2, 3, 0x02, 0x03, 2, 0x01],
        "keys out of order",
        Fault::DuplicateKey { first: 0, second: 1 },
    );
    refused(
        &[0xC7, 2, 3, 0, 0, 0, 0x01],
        "keys out of order",
        Fault::DuplicateKey { first: 0, second: 1 },
    );
    refused(&[0xCA, 2, 2, 0, 0, 0x01], "the bytes end early", Fault::BlockLength);
    refused(&[0xCA, 1, 3, 0, 0, 0, 0x00], "bytes left in a block", Fault::BlockLength);
    refused(&[0xCB, 0, 3, 0, 0x00, 0], "bytes left in a block", Fault::BlockLength);
    refused(
        &[0xCB, 1, 3, 0, 0x00, 4, 0x00],
        "no child key has the kind 4",
        Fault::UnknownChildKey(4),
    );
    refused(&[0xCB, 2, 4, 0, 0x00, 2, 0, 0x01], "the bytes end early", Fault::BlockLength);
    refused(&[0xCB, 1, 6, 0, 0x00, 2, 0, 2, 1, 0x00], "bytes left in a block", Fault::BlockLength);
    refused(&[0xCB, 0, 2, 0, 0x0B], "no value has the tag 11", Fault::UnknownValue(11));
    refused(&[0xCB, 0, 5, 0, 0x04, 0, 1, 0], "a magnitude that ends in zero", Fault::BadInteger);
    refused(&[0xCB, 0, 5, 0, 0x04, 0, 1, 1], "a big integer that fits 64 bits", Fault::BadInteger);
    refused(&[0xCB, 0, 5, 0, 0x04, 2, 1, 1], "no sign is 2", Fault::BadInteger);
    refused(&[0x80, 4, 0, 0x80, 0x80, 0x80], "the bytes end early", Fault::BlockLength);
}
