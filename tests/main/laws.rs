//! The laws hold for what the library and its derive write.
#![cfg(all(feature = "alloc", feature = "derive"))]

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::Config;
use treedef::Tree;

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
}
