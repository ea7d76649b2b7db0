//! `integrations/`: arrays in one vector, with the dtypes of NumPy, JAX and PyTorch alike.

use treedef::ravel::{ArrayMut, ArrayRef, Ravel, Span, ravel_into};
use treedef::{Dtype, Error, View};

use super::trees::cases;

/// An array of one of the dtypes that the suite takes.
#[derive(Clone, Debug, PartialEq)]
enum Array {
    Float32(Vec<f32>),
    Float64(Vec<f64>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
}

/// Does the same with an array of any of the dtypes.
macro_rules! any {
    ($array:expr, $elements:ident => $result:expr) => {
        match $array {
            Array::Float32($elements) => $result,
            Array::Float64($elements) => $result,
            Array::Int32($elements) => $result,
            Array::Int64($elements) => $result,
        }
    };
}

impl Array {
    /// The `n`-th array: of the shape `()`, `(3,)`, `(3, 2)` or `(3, 2, 2)`, and, from four to four, of another dtype.
    fn nth(n: usize) -> Self {
        let elements = -6..[-5, -3, 0, 6][n % 4];
        match n / 4 % 4 {
            0 => Array::Float32(elements.map(|i| i as f32 * 0.75).collect()),
            1 => Array::Float64(elements.map(|i| f64::from(i) * 0.375).collect()),
            2 => Array::Int32(elements.collect()),
            _ => Array::Int64(elements.map(i64::from).collect()),
        }
    }

    fn zeros(dtype: Dtype, len: usize) -> Self {
        match dtype {
            Dtype::Float32 => Array::Float32(vec![0.0; len]),
            Dtype::Float64 => Array::Float64(vec![0.0; len]),
            Dtype::Int32 => Array::Int32(vec![0; len]),
            Dtype::Int64 => Array::Int64(vec![0; len]),
            other => panic!("no array is of {other:?}"),
        }
    }

    fn as_ref(&self) -> ArrayRef<'_> {
        any!(self, elements => elements.as_slice().into())
    }

    fn as_mut(&mut self) -> ArrayMut<'_> {
        any!(self, elements => elements.as_mut_slice().into())
    }
}

/// The arrays of every tree in one vector and back; vectors of another length or dtype are refused.
fn ravels(array: impl Fn(usize) -> Array) {
    for case in cases() {
        let arrays = Vec::from_iter((0..case.leaves.len()).map(&array));
        let leaves = Vec::from_iter(arrays.iter().map(Array::as_ref));
        let tree = View::new(case.def, &leaves).unwrap();
        let mut spans = vec![Span::default(); leaves.len()];
        let layout = leaves.iter().map(|array| (array.dtype(), array.len()));
        let ravel = Ravel::new(layout, &mut spans).unwrap();
        assert_eq!(ravel.len(), leaves.iter().map(ArrayRef::len).sum::<usize>());

        let mut flat = Array::zeros(ravel.dtype(), ravel.len());
        let mut again =
            Vec::from_iter(leaves.iter().map(|like| Array::zeros(like.dtype(), like.len())));
        ravel.ravel_into(&leaves, flat.as_mut()).unwrap();
        let mut outputs = Vec::from_iter(again.iter_mut().map(Array::as_mut));
        ravel.unravel_into(flat.as_ref(), &mut outputs).unwrap();
        let again = Vec::from_iter(again.iter().map(Array::as_ref));
        assert_eq!(View::new(case.def, &again), Ok(tree));

        let longer = Array::zeros(ravel.dtype(), ravel.len() + 1);
        let error = Error::FlatLength { expected: ravel.len(), found: ravel.len() + 1 };
        assert_eq!(ravel.unravel_into(longer.as_ref(), &mut outputs_of(&leaves)), Err(error));

        // With one dtype everywhere, a vector of another is taken apart in its own.
        let complex = vec![[0.0f64; 2]; ravel.len()];
        let parts = ravel.unravel(complex.as_slice()).map(|parts| parts.count());
        let one = leaves.iter().all(|leaf| leaf.dtype() == ravel.dtype());
        let wrong = Error::WrongDtype { expected: ravel.dtype(), found: Dtype::Complex128 };
        assert_eq!(parts, if one { Ok(leaves.len()) } else { Err(wrong) });
    }
}

/// Memory for arrays as these.
fn outputs_of(leaves: &[ArrayRef<'_>]) -> Vec<ArrayMut<'static>> {
    let zeros = leaves.iter().map(|like| Box::new(Array::zeros(like.dtype(), like.len())));
    zeros.map(|array| Box::leak(array).as_mut()).collect()
}

#[test]
fn tree_ravel() {
    for first in 0..16 {
        ravels(|leaf| Array::nth(first + leaf * 5));
    }
}

/// Arrays of one dtype and of several lengths.
#[test]
fn tree_ravel_single_dtype() {
    for dtype in 0..4 {
        ravels(|leaf| Array::nth(dtype * 4 + leaf % 4));
    }
    let ravel = Ravel::new([], &mut []).unwrap();
    assert_eq!((ravel.dtype(), ravel.len()), (Dtype::Float32, 0));
}

/// A leaf that is wider than the others is not squeezed into their dtype.
#[test]
fn tree_ravel_preserves_mixed_scalar_and_array_leaves() {
    let (mut flat, mut spans) = ([0i64; 3], [Span::default(); 2]);
    let ravel =
        ravel_into(&[(&[1i8, 2]).into(), (&[200i64]).into()], &mut flat, &mut spans).unwrap();
    let (mut a, mut b) = ([0i8; 2], [0i64; 1]);
    ravel.unravel_into(&flat, &mut [(&mut a).into(), (&mut b).into()]).unwrap();
    assert_eq!((a, b), ([1, 2], [200]));

    let (mut flat, mut spans) = ([0.0f64; 3], [Span::default(); 2]);
    let ravel =
        ravel_into(&[(&[1.0f32, 2.0]).into(), (&[0.1f64]).into()], &mut flat, &mut spans).unwrap();
    let (mut w, mut b) = ([0.0f32; 2], [0.0f64; 1]);
    ravel.unravel_into(&flat, &mut [(&mut w).into(), (&mut b).into()]).unwrap();
    assert_eq!((w, b), ([1.0, 2.0], [0.1]));
}
