//! The program that `.ci/measure` expands and runs: what one derived type costs, and what one `flatten_into` enters.

use treedef::{Tree, flatten_into};

#[derive(Tree)]
pub struct Layer {
    weights: [f32; 3],
    bias: Option<f32>,
    gain: f32,
    rate: f32,
}

fn main() {
    let layer = || Layer { weights: [1.0; 3], bias: Some(2.0), gain: 3.0, rate: 4.0 };
    let layers = vec![layer(), layer()];
    let (mut bytes, mut leaves) = ([0; 256], [0.0; 16]);
    assert!(flattened(&layers, &mut bytes, &mut leaves));
}

/// What is counted begins and ends with this function.
#[inline(never)]
fn flattened(layers: &Vec<Layer>, bytes: &mut [u8], leaves: &mut [f32]) -> bool {
    flatten_into(layers, bytes, leaves).is_ok_and(|(_, count)| count == 12)
}
