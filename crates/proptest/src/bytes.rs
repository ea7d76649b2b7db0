//! Generates byte strings that are nearly treedefs.

use proptest::collection::vec as many;
use proptest::prelude::*;
use proptest::sample::Index;
use treedef::TreeDef;

use crate::any_treedef::treedefs;

/// Byte strings that differ from a treedef in a few bytes. Some are treedefs, most are not.
///
/// Use them to check that a reader accepts exactly what [`TreeDef::from_bytes`] accepts.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef::TreeDef;
/// use treedef_proptest::mutated;
///
/// proptest!(|(bytes in mutated())| {
///     if let Ok(def) = TreeDef::from_bytes(&bytes) {
///         prop_assert_eq!(def.as_bytes(), &bytes);
///     }
/// });
/// ```
pub fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let mutation = (any::<Index>(), any::<u8>(), any::<Index>(), 0u8..6);
    (treedefs(), many(mutation, 1..4)).prop_map(|(def, mutations)| {
        let mut bytes = def.as_treedef().as_bytes().to_vec();
        for (at, byte, other, which) in mutations {
            mutate(&mut bytes, at, byte, other, which);
        }
        bytes
    })
}

/// Byte strings that differ from a treedef in a few bytes and are no treedefs.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef::TreeDef;
/// use treedef_proptest::malformed;
///
/// proptest!(|(bytes in malformed())| prop_assert!(TreeDef::from_bytes(&bytes).is_err()));
/// ```
pub fn malformed() -> impl Strategy<Value = Vec<u8>> {
    mutated().prop_filter("a treedef again", |bytes| TreeDef::from_bytes(bytes).is_err())
}

/// Changes a byte string at one place.
fn mutate(bytes: &mut Vec<u8>, at: Index, byte: u8, other: Index, which: u8) {
    let (at, other) = (at.index(bytes.len() + 1), other.index(bytes.len() + 1));
    match (which, bytes.get_mut(at)) {
        (0, Some(old)) => *old = byte,
        (1, Some(old)) => *old ^= 1 << (byte & 7),
        (2, Some(_)) => {
            bytes.remove(at);
        }
        (3, _) => bytes.truncate(at),
        (4, _) => {
            // Doubling a part makes copies that should be repeats, and wrong counts.
            let piece = bytes.get(at.min(other)..at.max(other)).unwrap_or(&[]).to_vec();
            bytes.splice(at.max(other)..at.max(other), piece);
        }
        _ => bytes.insert(at, byte),
    }
}
