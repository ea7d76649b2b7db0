//! `RavelUtilTest`: arrays in one vector.

use treedef::cache::Dtype;
use treedef::{TreeDef, View, treedef};
use treedef_jax::ravel::{Array, Ravel, RavelError, ravel};

/// `[(1,), (2, 2)]`: the arrays of most tests.
const DEF: TreeDef<'static> = treedef!([*, *]);

/// Ravels arrays, compares with the vector that JAX gives, and takes that apart to the same tree.
fn ravels(arrays: [Array<'_>; 2], expected: Array<'_>) {
    let tree = View::new(DEF, &arrays).unwrap();
    let (flat, layout) = ravel(tree.leaves());
    assert_eq!(layout.dtype(), expected.dtype());
    // `Debug` does not show elements.
    assert!(flat == expected);
    let parts = layout.unravel(&flat).unwrap();
    assert!(View::new(DEF, &parts) == Ok(tree));
}

#[test]
fn floats() {
    let arrays = [Array::from(&[3.0f32]), Array::from(&[1.0f32, 2.0, 3.0, 4.0])];
    ravels(arrays, Array::from(&[3.0f32, 1.0, 2.0, 3.0, 4.0]));
}

#[test]
fn ints() {
    let arrays = [Array::from(&[3i32]), Array::from(&[1i32, 2, 3, 4])];
    ravels(arrays, Array::from(&[3i32, 1, 2, 3, 4]));
}

#[test]
fn mixed_float_int() {
    let arrays = [Array::from(&[3i32]), Array::from(&[1.0f32, 2.0, 3.0, 4.0])];
    ravels(arrays, Array::from(&[3.0f32, 1.0, 2.0, 3.0, 4.0]));
}

#[test]
fn mixed_int_bool() {
    let arrays = [Array::from(&[false]), Array::from(&[1i32, 2, 3, 4])];
    ravels(arrays, Array::from(&[0i32, 1, 2, 3, 4]));
}

#[test]
fn mixed_float_complex() {
    let whole = [[1.0f32, 0.0], [2.0, 3.0], [3.0, 0.0], [4.0, 0.0]];
    let flat = [[1.0f32, 0.0], [1.0, 0.0], [2.0, 3.0], [3.0, 0.0], [4.0, 0.0]];
    ravels([Array::from(&[1.0f32]), Array::from(&whole)], Array::from(&flat));
}

/// No arrays have the dtype `float32`.
#[test]
fn empty() {
    let (flat, layout) = ravel(&[]);
    assert_eq!((flat.dtype(), layout.dtype(), layout.len()), (Dtype::Float32, Dtype::Float32, 0));
    let parts = layout.unravel(&flat).unwrap();
    assert!(View::new(treedef!([]), &parts).is_ok());
}

/// With one dtype everywhere, a vector of another is taken apart in its own.
#[test]
fn dtype_polymorphic_unravel() {
    let layout = Ravel::new([(Dtype::Float32, 10)]).unwrap();
    let flags = [0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0].map(|x| x < 5.3);
    let flat = Array::from(&flags);
    let parts = layout.unravel(&flat).unwrap();
    assert_eq!(parts[0].as_slice::<bool>(), Some(flags.as_slice()));
    assert_eq!(parts.len(), 1);
}

#[test]
fn dtype_monomorphic_unravel() {
    let layout = Ravel::new([(Dtype::Float32, 10), (Dtype::Int32, 10)]).unwrap();
    let error = layout.unravel(&Array::from(&[true; 20])).unwrap_err();
    assert_eq!(error, RavelError::WrongDtype { expected: Dtype::Float32, found: Dtype::Bool });
}
