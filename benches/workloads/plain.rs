//! Vectors of numbers as networks have them, and a vector of enums.

use std::hint::black_box;

use treedef::tree::leaves_from;
use treedef::{Tree, flatten, unflatten};

use crate::{Case, case};

#[derive(Clone, Tree)]
struct Affine {
    b: Vec<f32>,
    w: Vec<f32>,
}

fn flat_by_hand(affine: &Affine) -> Vec<f32> {
    let mut leaves = Vec::with_capacity(affine.b.len() + affine.w.len());
    leaves.extend_from_slice(&affine.b);
    leaves.extend_from_slice(&affine.w);
    leaves
}

fn write_by_hand(affine: &mut Affine, leaves: &[f32]) -> bool {
    let (b, w) = (affine.b.len(), affine.w.len());
    if leaves.len() != b + w {
        return false;
    }
    affine.b.copy_from_slice(&leaves[..b]);
    affine.w.copy_from_slice(&leaves[b..]);
    true
}

#[derive(Clone, Tree)]
enum Shape {
    Circle(f32),
    Rectangle { width: f32, height: f32 },
    Nothing,
}

fn shapes() -> Vec<Shape> {
    let shape = |i| match i % 3 {
        0 => Shape::Circle(1.0),
        1 => Shape::Rectangle { width: 1.0, height: 2.0 },
        _ => Shape::Nothing,
    };
    (0..1000).map(shape).collect()
}

/// The shapes from a byte for each.
fn shapes_from_hand(tags: &[u8], leaves: &[f32]) -> Option<Vec<Shape>> {
    let mut leaves = leaves.iter().copied();
    let shape = |tag: &u8| {
        Some(match tag {
            0 => Shape::Circle(leaves.next()?),
            1 => Shape::Rectangle { width: leaves.next()?, height: leaves.next()? },
            _ => Shape::Nothing,
        })
    };
    tags.iter().map(shape).collect()
}

pub(crate) fn cases() -> Vec<Case> {
    let affine = Affine { b: vec![0.5; 4096], w: vec![0.5; 4096] };
    let [a, b] = std::array::from_fn(|_| affine.clone());
    let [mut c, mut d] = std::array::from_fn(|_| affine.clone());
    let leaves = vec![1.5f32; 8192];
    let leaves2 = leaves.clone();
    let tags: Vec<u8> = (0..1000u16).map(|i| (i % 3) as u8).collect();
    let (def, numbers) = flatten(&shapes()).expect("shapes have leaves");
    let numbers2 = numbers.clone();
    vec![
        case("floats: flatten by hand", None, move || {
            black_box(flat_by_hand(black_box(&a)));
        }),
        case("floats: flatten", Some(("floats: flatten by hand", 1.1)), move || {
            black_box(flatten(black_box(&b)).ok());
        }),
        case("floats: write by hand", None, move || {
            black_box(write_by_hand(black_box(&mut c), black_box(&leaves)));
        }),
        case("floats: write", Some(("floats: write by hand", 1.05)), move || {
            black_box(leaves_from(black_box(&mut d), black_box(&leaves2)).is_ok());
        }),
        case("1000 enums: unflatten by hand", None, move || {
            black_box(shapes_from_hand(black_box(&tags), black_box(&numbers)));
        }),
        case("1000 enums: unflatten", Some(("1000 enums: unflatten by hand", 6.15)), move || {
            let shapes: Option<Vec<Shape>> =
                unflatten(black_box(&def), black_box(numbers2.as_slice())).ok();
            black_box(shapes);
        }),
    ]
}
