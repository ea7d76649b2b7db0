//! `integrations/`: arrays in one vector, with the dtypes of NumPy, JAX and PyTorch alike.

use treedef::cache::Dtype;
use treedef::{TreeDef, View, treedef};
use treedef_jax::ravel::{Array, Ravel, RavelError, ravel};

/// Structures with 0 to 12 leaves, `None` and empty nodes among them.
const TREES: [TreeDef<'static>; 10] = [
    treedef!(None),
    treedef!(*),
    treedef!([]),
    treedef!((*, None)),
    treedef!({"a": *, "b": [*, {}]}),
    treedef!([(), [*, *], (*, {"c": *}), *]),
    treedef!(((*, *), (*, *), (*, *))),
    treedef!({"a": {"b": [*, *, *], "c": (*,)}, "d": [*, [*, [*, None]]]}),
    treedef!([*, *, *, *, *, *, *, *, *, *, *]),
    treedef!([{"w": *, "b": *}, {"w": *, "b": *}, (*, *, *, *), [*, *, *, *]]),
];

/// The `n`-th array: of the shape `()`, `(3,)`, `(3, 2)` or `(3, 2, 2)`, and, from four to four, of another dtype.
fn nth(n: usize) -> Array<'static> {
    let elements = -6..[-5, -3, 0, 6][n % 4];
    match n / 4 % 4 {
        0 => elements.map(|i| i as f32 * 0.75).collect::<Vec<_>>().into(),
        1 => elements.map(|i| f64::from(i) * 0.375).collect::<Vec<_>>().into(),
        2 => elements.collect::<Vec<i32>>().into(),
        _ => elements.map(i64::from).collect::<Vec<_>>().into(),
    }
}

/// The arrays of every tree in one vector and back; vectors of another length or dtype are refused.
fn ravels(array: impl Fn(usize) -> Array<'static>) {
    for def in TREES {
        let leaves = Vec::from_iter((0..def.num_leaves()).map(&array));
        let tree = View::new(def, &leaves).unwrap();
        let (flat, layout) = ravel(&leaves);
        let len = leaves.iter().map(Array::len).sum::<usize>();
        assert_eq!((layout.len(), flat.len(), flat.dtype()), (len, len, layout.dtype()));
        let again = layout.unravel(&flat).unwrap();
        assert!(View::new(def, &again) == Ok(tree));
        let sizes = leaves.iter().map(|array| (array.dtype(), array.len()));
        assert_eq!(Ravel::new(sizes), Ok(layout.clone()));

        let longer = Array::from(vec![0.0f32; len + 1]).convert(layout.dtype()).unwrap();
        let error = RavelError::Length { expected: len, found: len + 1 };
        // Without arrays any vector fits in JAX, and none with elements in optree.
        let expected = if leaves.is_empty() { Ok(vec![]) } else { Err(error) };
        assert_eq!(layout.unravel(&longer), expected);

        // With one dtype everywhere, a vector of another is taken apart in its own.
        let complex = Array::from(vec![[0.0f64; 2]; len]);
        let parts = layout.unravel(&complex).map(|parts| parts.len());
        let one = leaves.iter().all(|leaf| leaf.dtype() == layout.dtype());
        let wrong = RavelError::WrongDtype { expected: layout.dtype(), found: Dtype::Complex128 };
        assert_eq!(parts, if one { Ok(leaves.len()) } else { Err(wrong) });
    }
}

#[test]
fn tree_ravel() {
    for first in 0..16 {
        ravels(|leaf| nth(first + leaf * 5));
    }
}

/// Arrays of one dtype and of several lengths.
#[test]
fn tree_ravel_single_dtype() {
    for dtype in 0..4 {
        ravels(|leaf| nth(dtype * 4 + leaf % 4));
    }
    let layout = Ravel::new([]).unwrap();
    assert_eq!((layout.dtype(), layout.len()), (Dtype::Float32, 0));
}

/// A leaf that is wider than the others is not squeezed into their dtype.
#[test]
fn tree_ravel_preserves_mixed_scalar_and_array_leaves() {
    let arrays = [Array::from(&[1i8, 2]), Array::from(&[200i64])];
    let (flat, layout) = ravel(&arrays);
    assert_eq!(flat.as_slice::<i64>(), Some([1, 2, 200].as_slice()));
    assert!(layout.unravel(&flat).unwrap() == arrays);

    let arrays = [Array::from(&[1.0f32, 2.0]), Array::from(&[0.1f64])];
    let (flat, layout) = ravel(&arrays);
    assert_eq!(flat.as_slice::<f64>(), Some([1.0, 2.0, 0.1].as_slice()));
    assert!(layout.unravel(&flat).unwrap() == arrays);
}
