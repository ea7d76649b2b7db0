//! Calls of treedef from functions of another crate, which are compiled apart from their arguments.

use core::hint::black_box;

use callers::{Estimator, Gains, Mode, Settings, estimator, floats, gains, pairs, settings};
use treedef::TreeDef;

use crate::calls::{Done, keep};

/// The groups of calls.
pub(super) const ALL: [fn() -> Done; 2] = [typed, copied];

/// Calls every function of a module of `callers` with values and slices that the optimiser cannot see through.
macro_rules! call {
    ($module:ident, $tree:expr, $leaves:literal) => {{
        let mut tree = black_box($tree);
        let (mut bytes, mut leaves) = ([0; 512], [0.0f32; $leaves]);
        keep($module::leaves(black_box(&tree), black_box(leaves.as_mut_slice())).ok()?);
        keep($module::refs(black_box(&tree), black_box([None; $leaves].as_mut_slice())).ok()?);
        keep($module::muts(&mut tree, black_box([const { None }; $leaves].as_mut_slice())).ok()?);
        keep($module::written(black_box(&mut tree), black_box(leaves.as_slice())).ok());
        keep($module::list(black_box([tree; 3].as_slice()), black_box(bytes.as_mut_slice())).ok());
        let bytes = black_box(bytes.as_mut_slice());
        let (def, count) = $module::flatten(black_box(&tree), bytes, leaves.as_mut_slice()).ok()?;
        keep($module::expected(black_box(&tree), black_box(def)).ok()?);
        keep($module::unflattened(black_box(def), black_box(leaves.get(..count)?)).ok()?);
        keep($module::total(black_box(&tree)).ok()?);
        keep($module::step(black_box(&mut tree), black_box(&$tree)).ok()?);
        keep($module::halved(black_box(&tree)).ok()?);
        keep($module::key(black_box(&tree), black_box([0; 512].as_mut_slice())).ok());
    }};
}

const GAINS: Gains = Gains { w: [[1.0; 2]; 4] };

/// Typed trees of fixed shape and others.
fn typed() -> Done {
    call!(gains, GAINS, 8);
    let (state, covariance) = ([0.0; 6], [[1.0; 6]; 6]);
    call!(estimator, Estimator { state, covariance, noise: [GAINS; 2], bias: 0.5 }, 64);
    for mode in black_box([Mode::Idle, Mode::Hold { at: [1.0; 2] }, Mode::Track([[2.0; 3]; 2])]) {
        call!(settings, Settings { gains: GAINS, limit: Some([3.0; 3]), mode }, 24);
    }
    call!(pairs, [(1.0, [2.0; 2]); 3], 9);
    call!(floats, [1.0; 12], 12);
    Some(())
}

/// Treedefs that are copied.
fn copied() -> Done {
    keep(callers::kept(black_box(TreeDef::LEAF)).ok()?);
    keep(callers::kept_constant().ok()?);
    Some(())
}
