//! Call keys: from bytes, from parts, and in caches.

use treedef::cache::{Dtype, KeyBuf, KeyWriter, Part};
use treedef::{CallKey, Error};

use crate::bytes::Bytes;
use crate::cache::{Call, DEFS, Hash, compare};
use crate::guard::{self, Limits};
use crate::iterators::laws;
use crate::own::{self, Own};

const LIMITS: Limits = Limits { time: 200, stack: 128 << 10, heap: 256 << 10, keeps: false };

/// Reads two keys, writes one, or runs a program on a cache.
pub fn keys(data: &[u8]) {
    guard::check(data, &LIMITS, || {
        let mut bytes = Bytes(data);
        match bytes.byte() % 4 {
            0 => cached(bytes),
            1 => written(bytes),
            _ => {
                let half = bytes.byte().into();
                read([bytes.take(half), bytes.0]);
            }
        }
    });
}

/// Keys that are accepted are those that their parts make.
fn read(keys: [&[u8]; 2]) {
    let keys = keys.map(|bytes| {
        let key = CallKey::from_bytes(bytes).inspect_err(|error| {
            assert!(!error.explain(bytes).to_string().is_empty());
        });
        let key = key.ok()?;
        laws("Parts", key.parts());
        let mut room = vec![0xA5; bytes.len()];
        let mut again = KeyWriter::new(&mut room);
        for part in key.parts() {
            match part {
                Part::TreeDef(def) => _ = again.treedef(def),
                Part::Array(array) => {
                    laws("Dims", array.shape());
                    let _ = (array.num_elements(), array.rank());
                    again.leaves([array]);
                }
                Part::Named { name, value } => _ = again.named(name, &Stated(value)),
                Part::Value(value) => _ = again.value(value),
                Part::Bytes(bytes) => _ = again.bytes(bytes),
                other => panic!("{other:?} is a new kind of part"),
            }
        }
        assert_eq!(again.finish(), Ok(key), "the parts make another key");
        // The text of an opaque value can be empty.
        let _ = key.to_string();
        Some(key)
    });
    let [Some(known), Some(called)] = keys else { return };
    laws("KeyDifferences", known.differences(called));
    let count = known.differences(called).take(100).count();
    assert_eq!(known == called, count == 0);
    assert_eq!(known == called, known.fingerprint() == called.fingerprint());
    let text = known.differences(called).summary().to_string();
    assert_eq!(known == called, text == "no differences", "{text}");
    for difference in known.differences(called).take(100) {
        let _ = (difference.to_string(), difference.path().map(|path| path.to_string()));
    }
    assert_eq!(called.nearest([known]), Some(known));
}

/// A value that is written as it is.
struct Stated<'a>(treedef::Value<'a>);

impl treedef::format::ToValue for Stated<'_> {
    fn with_value<R>(&self, take: impl FnOnce(treedef::Value<'_>) -> R) -> R {
        take(self.0)
    }
}

/// Keys are read back as they were written, into every room.
fn written(mut bytes: Bytes<'_>) {
    let text = |bytes: &mut Bytes<'_>| {
        let len = bytes.below(9);
        String::from_utf8_lossy(bytes.take(len)).into_owned()
    };
    let mut parts = Vec::new();
    while !bytes.0.is_empty() && parts.len() < 6 {
        let dtype = [Dtype::Bool, Dtype::Int32, Dtype::Float32, Dtype::Complex128][bytes.below(4)];
        parts.push(match bytes.below(8) {
            0 => Own::TreeDef(bytes.treedef().as_bytes().to_vec()),
            1 => {
                let rank = bytes.below(5);
                Own::Array(dtype, rank > 2, (0..rank).map(|_| bytes.number() as usize).collect())
            }
            2 => {
                let symbol = format!("s{}", bytes.byte());
                Own::Symbolic(dtype, true, (vec![bytes.number().into()], symbol, vec![]))
            }
            3 => Own::Named(text(&mut bytes), i64::from(bytes.number()) << bytes.below(32)),
            4 => Own::Int(i64::from(bytes.number()) - (1 << 31)),
            5 => Own::Text(text(&mut bytes)),
            6 => Own::Pair(bytes.byte().into(), text(&mut bytes)),
            _ => Own::Bytes(text(&mut bytes).into_bytes()),
        });
    }
    let needed = own::bytes(&parts);
    for room in 0..=needed.len() {
        let mut out = vec![0; room];
        let mut key = KeyWriter::new(&mut out);
        own::write(&parts, &mut key);
        match key.finish() {
            Ok(key) => assert_eq!(key.as_bytes(), needed),
            Err(error) => {
                assert_eq!(error, Error::CallKeyFull { needed: needed.len(), room });
                assert!(room < needed.len());
            }
        }
    }
    assert_eq!(own::read(CallKey::from_bytes(&needed).unwrap()), parts);
}

/// A cache is its model.
fn cached(mut bytes: Bytes<'_>) {
    let hash = [Hash::Honest, Hash::Equal(0), Hash::Equal(u64::MAX), Hash::Two][bytes.below(4)];
    let mut calls = Vec::new();
    while !bytes.0.is_empty() && calls.len() < 200 {
        let (call, key) = (bytes.below(10), bytes.below(DEFS.len()));
        calls.push(match call {
            0 => Call::Get(key),
            1 => Call::GetMut(key),
            2 => Call::Peek(key),
            3 | 4 => Call::Make(key),
            5 => Call::Insert(key),
            6 => Call::Fail(key),
            7 => Call::Remove(key),
            8 if key == 0 => Call::Clear,
            8 => Call::Retain,
            _ => Call::Evict,
        });
    }
    compare::<KeyBuf<8>, 1>(8, hash, &calls).unwrap();
    compare::<KeyBuf<2>, 3>(2, hash, &calls).unwrap();
    compare::<CallKey<'_>, 8>(99, hash, &calls).unwrap();
}
