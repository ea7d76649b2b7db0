//! Any bytes, and all that is read from those that are a treedef.

use treedef::algebra::FlattenUpTo;
use treedef::encode::Level;
use treedef::record::frame::FrameSchema;
use treedef::{Node, TreeDef, View, flatten_up_to};

use crate::bytes::Bytes;
use crate::guard::{self, Limits};
use crate::iterators::laws;
use crate::rows::OPERATIONS;
use crate::shapes::{Input, Trees, Unit};
use crate::support::decode::validate;

/// The operations get memory to write to.
const LIMITS: Limits = Limits { time: 200, stack: 128 << 10, heap: 4 << 20, keeps: false };

/// More nodes are not walked. A few bytes can be billions.
const MOST: usize = 2000;

/// Reads a treedef, one that differs, and a prefix, and does all that the library can do with them.
pub fn reading(data: &[u8]) {
    // The format as it is stated for the tests goes down by recursion.
    let expected = validate(data);
    guard::check(data, &LIMITS, || {
        let mut levels = vec![Level::default(); data.len() / 2 + 1];
        match TreeDef::from_bytes_with(data, &mut levels) {
            Ok(def) => {
                let counts = expected.as_ref().expect("bytes that are accepted");
                let found = (def.num_leaves() as u64, def.num_nodes() as u64);
                assert_eq!(found, (counts.leaves, counts.nodes));
                assert_eq!(def.as_bytes(), data);
            }
            Err(error) => {
                assert!(expected.is_err(), "{error}");
                assert!(!error.explain(data).to_string().is_empty());
            }
        }
        let _ = TreeDef::from_plain_bytes(data).map_err(|error| error.to_string());
        let mut bytes = Bytes(data);
        let Ok((def, rest)) = TreeDef::from_prefix(data) else { return };
        if let Ok(schema) = FrameSchema::<512>::new(def)
            && let Ok(parts) = schema.body_parts(rest)
        {
            assert!(parts.choices.len() + parts.leaves.len() <= rest.len());
        }
        bytes.0 = rest;
        let (other, prefix) = (bytes.treedef(), bytes.treedef());
        iterators(def, other, prefix);
        let trees = Trees { def, other, prefix };
        let nodes = [def, other, prefix].map(|def| def.num_nodes()).into_iter().max().unwrap_or(0);
        let mut slab = vec![Node::None; if nodes <= MOST { def.num_nodes() } else { 0 }];
        let mut input = Input::new(trees, MOST + 1, &mut slab);
        for (_, unit, row) in OPERATIONS.iter().copied().flatten() {
            let is_walk = matches!(unit, Unit::Node | Unit::Entry);
            if !is_walk || nodes <= MOST && input.units(*unit) <= 8 * MOST {
                let _ = row(&mut input);
            }
        }
    });
}

/// Each iterator of the library.
fn iterators(def: TreeDef<'_>, other: TreeDef<'_>, prefix: TreeDef<'_>) {
    let head = def.head();
    laws("Nodes", def.nodes());
    laws("Children", def.children());
    laws("Entries", head.entries());
    laws("MetaFields", head.meta_fields());
    laws("keys", head.keys());
    laws("fields", head.fields());
    laws("Differences", def.differences(other));
    laws("Differences", def.differences(other).deep());
    laws("Differences", def.prefix_errors(other));
    laws("Differences", def.common_suffix_errors(other));
    if let Some(Ok(difference)) = def.differences(other).next() {
        laws("missing", difference.missing());
        laws("unexpected", difference.unexpected());
    }
    if def.num_nodes() > MOST {
        return;
    }
    let leaves: Vec<usize> = (0..def.num_leaves()).collect();
    let view = View::new(def, &leaves).unwrap();
    laws("ViewChildren", view.children());
    let up_to: Result<FlattenUpTo<'_, '_, usize>, _> = flatten_up_to(prefix, view);
    if let Ok(up_to) = up_to {
        laws("FlattenUpTo", up_to);
    }
}
