//! The laws hold for what the library and its derive write, and trees that are walked together meet leaf by leaf.
#![cfg(all(feature = "alloc", feature = "derive"))]

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::Config;
use treedef::tree::ZipPrefix;
use treedef::{Error, Tree, flatten_into, over};

use super::all_laws as laws;

type Containers =
    (f32, Option<[f32; 2]>, Vec<(f32, f32)>, BTreeMap<String, Vec<f32>>, Option<Option<f32>>);

fn containers() -> impl Strategy<Value = Containers> {
    let few = || prop::collection::vec(any::<f32>(), 0..4);
    let map = prop::collection::btree_map("[a-c]{0,2}", few(), 0..4);
    let pairs = prop::collection::vec(any::<(f32, f32)>(), 0..4);
    (any::<f32>(), any::<Option<[f32; 2]>>(), pairs, map, any::<Option<Option<f32>>>())
}

#[derive(Tree, Clone, Debug)]
enum Layer {
    Linear { weights: Vec<f32>, bias: f32 },
    Scale(f32),
    Stack(Vec<Layer>),
    Pass,
}

fn layers() -> impl Strategy<Value = Layer> {
    let linear = (prop::collection::vec(any::<f32>(), 0..4), any::<f32>());
    let flat = prop_oneof![
        linear.prop_map(|(weights, bias)| Layer::Linear { weights, bias }),
        any::<f32>().prop_map(Layer::Scale),
        Just(Layer::Pass),
    ];
    flat.prop_recursive(4, 12, 3, |inner| prop::collection::vec(inner, 0..3).prop_map(Layer::Stack))
}

/// Walks two trees together, and each with itself, and does the same by flattening both.
fn walked_together<T: Tree<f32> + ZipPrefix<f32, f32, T> + Clone>(a: &T, b: &T) {
    let flat = |tree: &T| {
        let (mut bytes, mut leaves) = (vec![0; 4096], vec![0.0f32; 256]);
        let (def, count) = flatten_into(tree, &mut bytes, &mut leaves).unwrap();
        let heads: Vec<_> =
            def.nodes().map(|node| node.unwrap().head.as_bytes().to_vec()).collect();
        leaves.truncate(count);
        (heads, leaves.into_iter().map(f32::to_bits).collect::<Vec<_>>())
    };
    let bits = |x: &f32, y: &f32| (x.to_bits(), y.to_bits());
    for (a, b) in [(a, a), (a, b), (b, a)] {
        let ((nodes, leaves), (other_nodes, others)) = (flat(a), flat(b));
        let at = nodes.iter().zip(&other_nodes).position(|(a, b)| a != b);
        let differs =
            |tree| at.map_or(Ok(()), |at| Err(Error::TreesDiffer { node: at as u32, tree }));
        let expected: Vec<_> = leaves.into_iter().zip(others).collect();
        let (mut read, mut written, mut beside) = (Vec::new(), Vec::new(), Vec::new());
        let zipped = over((a, b)).for_each(|(a, b): (&f32, _)| read.push(bits(a, b)));
        assert_eq!(zipped, differs(1));
        let mut changed = b.clone();
        let zipped =
            over((a, a, &mut changed)).for_each(|(a, _, b): (&f32, _, _)| written.push(bits(a, b)));
        assert_eq!(zipped, differs(2));
        let zipped = over(a).with(b).for_each(|(a, b): (&f32, &f32)| beside.push(bits(a, b)));
        assert_eq!(zipped, differs(1));
        for pairs in [read, written, beside] {
            assert!(
                expected.starts_with(&pairs) && (at.is_some() || pairs.len() == expected.len())
            );
        }
    }
}

proptest! {
    #![proptest_config(Config { cases: 40, failure_persistence: None, ..Config::default() })]

    #[test]
    fn containers_keep_all_laws(tree in containers()) {
        laws::check(&tree, |i| i as f32)?;
    }

    #[cfg(all(feature = "arrayvec", feature = "smallvec"))]
    #[test]
    fn vectors_of_other_crates_keep_all_laws(
        pairs in proptest::collection::vec((any::<f32>(), proptest::option::of(0f32..1.0)), 0..4),
    ) {
        let pairs: Vec<_> = pairs.into_iter().map(|(a, b)| (a.clamp(-1.0, 1.0), b)).collect();
        laws::check(&arrayvec::ArrayVec::<_, 16>::from_iter(pairs.clone()), |i| i as f32)?;
        laws::check(&smallvec::SmallVec::<[_; 2]>::from_iter(pairs), |i| i as f32)?;
    }

    #[test]
    fn derived_enums_keep_all_laws(tree in layers()) {
        laws::check(&tree, |i| i as f32)?;
    }

    #[test]
    fn containers_are_walked_together_as_their_leaves(a in containers(), b in containers()) {
        walked_together(&a, &b);
    }

    #[test]
    fn derived_enums_are_walked_together_as_their_leaves(a in layers(), b in layers()) {
        walked_together(&a, &b);
    }
}
