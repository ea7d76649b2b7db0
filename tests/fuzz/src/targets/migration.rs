//! Migrations: what is moved, lost, replaced and new adds up.

use treedef::algebra::{Migration, migrate, migrate_typed};
use treedef::{Kind, TreeDef, View};

use crate::bytes::Bytes;
use crate::guard::{self, Limits};
use crate::migrate::agrees;

/// The heap is that of the model, which keeps the path of each leaf as entries: 300 paths of 60 levels.
const LIMITS: Limits = Limits { time: 200, stack: 128 << 10, heap: 4 << 20, keeps: false };

/// More leaves or nodes take the model too long.
const MOST: usize = 300;

/// The type that stored trees are loaded to.
type Loaded = (Vec<(f32, Option<[f32; 2]>)>, [Vec<f32>; 2]);

const ALIASES: [(&str, &str); 8] = [
    ("a", "b"),
    (".a", ".b"),
    ("['a']", "['b']"),
    ("a[*]", "b[*]"),
    ("", "a"),
    ("a", ""),
    ("N", "M"),
    ("[0]", "[1]"),
];

/// Moves the leaves of one structure to another, with some aliases.
pub fn migration(data: &[u8]) {
    guard::check(data, &LIMITS, || {
        let mut bytes = Bytes(data);
        let (chosen, old, new) = (bytes.byte(), bytes.treedef(), bytes.treedef());
        if [old, new].iter().any(|def| def.num_nodes() > MOST || levels(*def) > 60) {
            return;
        }
        agrees(old, new, &[], |key| key);
        let pairs = ALIASES.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
        let aliases: Vec<_> = pairs.map(|(_, pair)| *pair).collect();
        let stored: Vec<_> = (1..=old.num_leaves()).collect();
        let (mut leaves, mut lost) = (vec![0; new.num_leaves()], 0);
        let (mut news, mut replaced, mut meta) = (0, 0, 0);
        let result =
            migrate(View::new(old, &stored).unwrap(), new, &mut leaves, &aliases[..], |report| {
                assert!(!report.to_string().is_empty());
                match report {
                    Migration::New(_) => news += 1,
                    Migration::Replaced { .. } => replaced += 1,
                    Migration::Lost(found) => lost += found.leaves().len(),
                    Migration::LostMeta { .. } => meta += 1,
                    _ => {}
                }
            });
        let result = result.unwrap();
        assert_eq!((result.new, result.replaced), (news, replaced));
        assert!(result.lost_meta >= meta);
        // A leaf that is in several places counts once, unless other places were replaced.
        leaves.retain(|leaf| *leaf > 0);
        let all = leaves.len();
        leaves.sort_unstable();
        leaves.dedup();
        assert!((leaves.len()..=all).contains(&result.moved));
        assert!(replaced > 0 || leaves.len() == result.moved);
        assert_eq!(result.lost, stored.len().saturating_sub(result.moved));
        let floats = vec![1.0f32; stored.len()];
        let defaults: Loaded = (vec![(0.0, None)], [vec![], vec![0.0]]);
        let (mut news, mut replaced) = (0, 0);
        let loaded =
            migrate_typed(View::new(old, &floats).unwrap(), &defaults, &aliases[..], |report| {
                match report {
                    Migration::New(_) => news += 1,
                    Migration::Replaced { .. } => replaced += 1,
                    _ => {}
                }
            });
        if let Ok((tree, result)) = loaded {
            let tree: Loaded = tree;
            let moved =
                treedef::over(&tree).fold(0, |count, leaf: &f32| count + usize::from(*leaf > 0.0));
            assert!(moved.is_ok_and(|moved| result.moved <= moved));
        }
    });
}

fn levels(def: TreeDef<'_>) -> usize {
    match def.kind() {
        Kind::Leaf | Kind::None => 0,
        _ => 1 + def.nodes().map(|node| node.map_or(1000, |node| node.depth)).max().unwrap_or(0),
    }
}
