//! `RavelUtilTest`: arrays in one vector.

use treedef::ravel::{ArrayRef, Ravel, Span, ravel_into};
use treedef::{Dtype, Error, TreeDef, View, treedef};

/// `[(1,), (2, 2)]`: the arrays of most tests.
const DEF: TreeDef<'static> = treedef!([*, *]);

#[test]
fn floats() {
    let leaves = [ArrayRef::from(&[3.0f32]), ArrayRef::from(&[1.0f32, 2.0, 3.0, 4.0])];
    let tree = View::new(DEF, &leaves).unwrap();
    let (mut flat, mut spans) = ([0.0f32; 5], [Span::default(); 2]);
    let ravel = ravel_into(tree.leaves(), &mut flat, &mut spans).unwrap();
    assert_eq!((ravel.dtype(), flat), (Dtype::Float32, [3.0, 1.0, 2.0, 3.0, 4.0]));
    let parts: Vec<_> = ravel.unravel(&flat).unwrap().collect();
    assert_eq!(View::new(DEF, &parts), Ok(tree));
}

#[test]
fn ints() {
    let leaves = [ArrayRef::from(&[3i32]), ArrayRef::from(&[1i32, 2, 3, 4])];
    let (mut flat, mut spans) = ([0i32; 5], [Span::default(); 2]);
    let ravel = ravel_into(&leaves, &mut flat, &mut spans).unwrap();
    assert_eq!((ravel.dtype(), flat), (Dtype::Int32, [3, 1, 2, 3, 4]));
    assert!(ravel.unravel(&flat).unwrap().eq(leaves));
}

#[test]
fn mixed_float_int() {
    let (mut whole, mut real) = ([3i32], [1.0f32, 2.0, 3.0, 4.0]);
    let (mut flat, mut spans) = ([0.0f32; 5], [Span::default(); 2]);
    let ravel = ravel_into(&[(&whole).into(), (&real).into()], &mut flat, &mut spans).unwrap();
    assert_eq!((ravel.dtype(), flat), (Dtype::Float32, [3.0, 1.0, 2.0, 3.0, 4.0]));
    (whole, real) = ([0], [0.0; 4]);
    ravel.unravel_into(&flat, &mut [(&mut whole).into(), (&mut real).into()]).unwrap();
    assert_eq!((whole, real), ([3], [1.0, 2.0, 3.0, 4.0]));
}

#[test]
fn mixed_int_bool() {
    let (mut flag, mut whole) = ([false], [1i32, 2, 3, 4]);
    let (mut flat, mut spans) = ([9i32; 5], [Span::default(); 2]);
    let ravel = ravel_into(&[(&flag).into(), (&whole).into()], &mut flat, &mut spans).unwrap();
    assert_eq!((ravel.dtype(), flat), (Dtype::Int32, [0, 1, 2, 3, 4]));
    (flag, whole) = ([true], [0; 4]);
    ravel.unravel_into(&flat, &mut [(&mut flag).into(), (&mut whole).into()]).unwrap();
    assert_eq!((flag, whole), ([false], [1, 2, 3, 4]));
}

#[test]
fn mixed_float_complex() {
    let whole = [[1.0f32, 0.0], [2.0, 3.0], [3.0, 0.0], [4.0, 0.0]];
    let (mut real, mut complex) = ([1.0f32], whole);
    let (mut flat, mut spans) = ([[9.0f32; 2]; 5], [Span::default(); 2]);
    let ravel = ravel_into(&[(&real).into(), (&complex).into()], &mut flat, &mut spans).unwrap();
    assert_eq!(ravel.dtype(), Dtype::Complex64);
    assert_eq!((flat[0], &flat[1..]), ([1.0, 0.0], whole.as_slice()));
    (real, complex) = ([0.0], [[0.0; 2]; 4]);
    ravel.unravel_into(&flat, &mut [(&mut real).into(), (&mut complex).into()]).unwrap();
    assert_eq!((real, complex), ([1.0], whole));
}

/// No arrays have the dtype `float32`.
#[test]
fn empty() {
    let mut flat: [f32; 0] = [];
    let ravel = ravel_into(&[], &mut flat, &mut []).unwrap();
    assert_eq!((ravel.dtype(), ravel.len()), (Dtype::Float32, 0));
    let parts: Vec<ArrayRef<'_>> = ravel.unravel(&flat).unwrap().collect();
    assert!(View::new(treedef!([]), &parts).is_ok());
}

/// With one dtype everywhere, a vector of another is taken apart in its own.
#[test]
fn dtype_polymorphic_unravel() {
    let mut spans = [Span::default(); 1];
    let ravel = Ravel::new([(Dtype::Float32, 10)], &mut spans).unwrap();
    let flags = [0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0].map(|x| x < 5.3);
    let parts: Vec<_> = ravel.unravel(&flags).unwrap().collect();
    assert_eq!(parts, [ArrayRef::from(&flags)]);
    assert_eq!(parts[0].dtype(), Dtype::Bool);
}

#[test]
fn dtype_monomorphic_unravel() {
    let mut spans = [Span::default(); 2];
    let ravel = Ravel::new([(Dtype::Float32, 10), (Dtype::Int32, 10)], &mut spans).unwrap();
    let error = ravel.unravel(&[true; 20]).unwrap_err();
    assert_eq!(error, Error::WrongDtype { expected: Dtype::Float32, found: Dtype::Bool });
}
