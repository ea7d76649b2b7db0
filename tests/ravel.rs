//! Arrays in one vector: promotion, conversion, round trips, and the arrays that a structure holds.
#![cfg(feature = "proptest")]

use proptest::prelude::*;
use treedef::ravel::{ArrayMut, ArrayRef, Bf16, F16, Ravel, Span, ravel_into};
use treedef::strategies::treedefs;
use treedef::{Dtype, Error, Kind, TreeDef, leaves_into, treedef, treedef_of};

/// What JAX 0.10.2 gives a vector of two arrays, 64-bit types enabled, in the order of the rows.
const PROMOTED: [(&str, &str); 15] = [
    (
        "bool",
        "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 bfloat16 float16 float32 float64 complex64 complex128",
    ),
    (
        "uint8",
        "uint8 uint8 uint16 uint32 uint64 int16 int16 int32 int64 bfloat16 float16 float32 float64 complex64 complex128",
    ),
    (
        "uint16",
        "uint16 uint16 uint16 uint32 uint64 int32 int32 int32 int64 bfloat16 float16 float32 float64 complex64 complex128",
    ),
    (
        "uint32",
        "uint32 uint32 uint32 uint32 uint64 int64 int64 int64 int64 bfloat16 float16 float32 float64 complex64 complex128",
    ),
    (
        "uint64",
        "uint64 uint64 uint64 uint64 uint64 float64 float64 float64 float64 bfloat16 float16 float32 float64 complex64 complex128",
    ),
    (
        "int8",
        "int8 int16 int32 int64 float64 int8 int16 int32 int64 bfloat16 float16 float32 float64 complex64 complex128",
    ),
    (
        "int16",
        "int16 int16 int32 int64 float64 int16 int16 int32 int64 bfloat16 float16 float32 float64 complex64 complex128",
    ),
    (
        "int32",
        "int32 int32 int32 int64 float64 int32 int32 int32 int64 bfloat16 float16 float32 float64 complex64 complex128",
    ),
    (
        "int64",
        "int64 int64 int64 int64 float64 int64 int64 int64 int64 bfloat16 float16 float32 float64 complex64 complex128",
    ),
    (
        "bfloat16",
        "bfloat16 bfloat16 bfloat16 bfloat16 bfloat16 bfloat16 bfloat16 bfloat16 bfloat16 bfloat16 float32 float32 float64 complex64 complex128",
    ),
    (
        "float16",
        "float16 float16 float16 float16 float16 float16 float16 float16 float16 float32 float16 float32 float64 complex64 complex128",
    ),
    (
        "float32",
        "float32 float32 float32 float32 float32 float32 float32 float32 float32 float32 float32 float32 float64 complex64 complex128",
    ),
    (
        "float64",
        "float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 complex128 complex128",
    ),
    (
        "complex64",
        "complex64 complex64 complex64 complex64 complex64 complex64 complex64 complex64 complex64 complex64 complex64 complex64 complex128 complex64 complex128",
    ),
    (
        "complex128",
        "complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128",
    ),
];

fn dtypes() -> Vec<Dtype> {
    PROMOTED.iter().map(|(name, _)| Dtype::from_name(name).unwrap()).collect()
}

#[test]
fn two_dtypes_promote_as_in_jax() {
    let all = dtypes();
    for (a, (name, row)) in all.iter().zip(PROMOTED) {
        assert_eq!((a.name(), a.to_string()), (name, name.to_string()));
        let row: Vec<_> = row.split(' ').collect();
        let ours: Vec<_> = all.iter().map(|b| a.promote(*b).name()).collect();
        assert_eq!(ours, row, "{a}");
    }
    assert_eq!(Dtype::from_name("float8"), None);
}

#[test]
fn many_dtypes_promote_to_the_least_that_all_promote_to() {
    let all = dtypes();
    assert_eq!(Dtype::promote_all([]), None);
    for a in all.iter().copied() {
        assert_eq!(Dtype::promote_all([a]), Some(a));
        for b in all.iter().copied() {
            assert_eq!(Dtype::promote_all([a, b]), Some(a.promote(b)));
            for c in all.iter().copied() {
                let together = Dtype::promote_all([a, b, c]).unwrap();
                assert_eq!(Dtype::promote_all([c, a, b]), Some(together));
                assert_eq!(Dtype::promote_all([a, b, c, together]), Some(together));
            }
        }
    }
    // Integers that only a float holds take the width from the floats beside them: JAX 0.10.2.
    use Dtype::{Bfloat16, Complex64, Float16, Float32, Int64, Uint64};
    for float in [Bfloat16, Float16, Float32, Complex64] {
        assert_eq!(Dtype::promote_all([Int64, Uint64, float]), Some(float));
    }
}

/// Writes `array` into `flat`, whose dtype an empty array makes that of both.
fn widen<'a, T, const N: usize>(array: impl Into<ArrayRef<'a>>, flat: &mut [T; N])
where
    for<'e> &'e [T; 0]: Into<ArrayRef<'e>>,
    for<'e> &'e mut [T; N]: Into<ArrayMut<'e>>,
{
    let mut spans = [Span::default(); 2];
    ravel_into(&[array.into(), (&[]).into()], flat, &mut spans).unwrap();
}

/// Writes `flat` back into `array`, whose dtype promotes to that of `flat`.
fn narrow<'a, 'b, T>(flat: &'a [T], array: impl Into<ArrayMut<'b>>)
where
    T: Copy + Default,
    &'a [T]: Into<ArrayRef<'a>>,
    for<'e> &'e mut [T; 0]: Into<ArrayMut<'e>>,
{
    let (array, flat) = (array.into(), flat.into());
    let mut spans = [Span::default(); 2];
    let ravel = Ravel::new([(array.dtype(), array.len()), (flat.dtype(), 0)], &mut spans).unwrap();
    let mut nothing = [];
    ravel.unravel_into(flat, &mut [array, (&mut nothing).into()]).unwrap();
}

/// What an array becomes in another dtype.
fn narrowed<T, U, const N: usize>(flat: &[T; N]) -> [U; N]
where
    T: Copy + Default,
    U: Copy + Default,
    for<'e> &'e [T]: Into<ArrayRef<'e>>,
    for<'e> &'e mut [T; 0]: Into<ArrayMut<'e>>,
    for<'e> &'e mut [U; N]: Into<ArrayMut<'e>>,
{
    let mut out = [U::default(); N];
    narrow(flat.as_slice(), &mut out);
    out
}

const BIG: [f64; 13] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    -1.5,
    255.9,
    256.0,
    300.0,
    -129.0,
    3e9,
    -3e9,
    1e20,
    -1e20,
    0.3,
];

#[test]
fn floats_become_integers_inside_their_bounds_as_in_jax() {
    const I64: (i64, i64) = (i64::MIN, i64::MAX);
    assert_eq!(
        narrowed::<_, i8, _>(&BIG),
        [0, 127, -128, -1, 127, 127, 127, -128, 127, -128, 127, -128, 0]
    );
    let ours = narrowed::<_, i16, _>(&BIG);
    assert_eq!(ours, [0, 32767, -32768, -1, 255, 256, 300, -129, 32767, -32768, 32767, -32768, 0]);
    let ours = narrowed::<_, i64, _>(&BIG);
    let (low, high) = I64;
    assert_eq!(
        ours,
        [0, high, low, -1, 255, 256, 300, -129, 3_000_000_000, -3_000_000_000, high, low, 0]
    );
    assert_eq!(narrowed::<_, u8, _>(&BIG), [0, 255, 0, 0, 255, 255, 255, 0, 255, 0, 255, 0, 0]);
    let ours = narrowed::<_, u64, _>(&BIG);
    assert_eq!(ours, [0, u64::MAX, 0, 0, 255, 256, 300, 0, 3_000_000_000, 0, u64::MAX, 0, 0]);
    assert_eq!(narrowed::<_, bool, _>(&BIG), [true; 13]);
    assert_eq!(narrowed::<_, bool, _>(&[0.0f64, -0.0]), [false; 2]);
    let ours = narrowed::<_, f32, _>(&BIG).map(|x| x.to_bits());
    let theirs = BIG.map(|x| (x as f32).to_bits());
    assert_eq!(ours[1..], theirs[1..]);
    assert!(f32::from_bits(ours[0]).is_nan());
}

#[test]
fn integers_wrap_as_in_jax() {
    let wide = [-1, 256, 300, (1 << 40) + 5, i64::MAX];
    assert_eq!(narrowed::<_, i8, _>(&wide), [-1, 0, 44, 5, -1]);
    assert_eq!(narrowed::<_, i16, _>(&wide), [-1, 256, 300, 5, -1]);
    assert_eq!(narrowed::<_, i32, _>(&wide), [-1, 256, 300, 5, -1]);
    assert_eq!(narrowed::<_, u8, _>(&wide), [255, 0, 44, 5, 255]);
    assert_eq!(narrowed::<_, u32, _>(&wide), [u32::MAX, 256, 300, 5, u32::MAX]);
    assert_eq!(narrowed::<_, bool, _>(&[0i64, -1, 256]), [false, true, true]);
    assert_eq!(narrowed::<_, bool, _>(&[0u64, 1 << 63]), [false, true]);
    assert_eq!(narrowed::<_, u8, _>(&[u64::MAX, 513]), [255, 1]);
}

#[test]
fn complex_numbers_lose_their_imaginary_part_as_in_jax() {
    let complex = [[1.0f64, 2.0], [0.0, 1.0], [-3.7, -2.0], [300.0, 0.0], [0.0, 0.0]];
    assert_eq!(narrowed::<_, bool, _>(&complex), [true, true, true, true, false]);
    assert_eq!(narrowed::<_, i8, _>(&complex), [1, 0, -3, 127, 0]);
    assert_eq!(narrowed::<_, u8, _>(&complex), [1, 0, 0, 255, 0]);
    assert_eq!(narrowed::<_, f64, _>(&complex), [1.0, 0.0, -3.7, 300.0, 0.0]);
    assert_eq!(narrowed::<_, f32, _>(&complex), [1.0, 0.0, -3.7, 300.0, 0.0]);
    let mut pairs = [[9.0f32; 2]; 5];
    narrow(&complex, &mut pairs);
    assert_eq!(pairs, complex.map(|pair| pair.map(|part| part as f32)));
    let mut pairs = [[9.0f32; 2]; 3];
    widen(&[-1i8, 0, 7], &mut pairs);
    assert_eq!(pairs, [[-1.0, 0.0], [0.0, 0.0], [7.0, 0.0]]);
}

#[test]
fn half_floats_are_rounded_by_way_of_single_ones_as_in_jax() {
    // Rounding at once would go up in each case.
    let ours = narrowed::<_, Bf16, _>(&[1.0 + 2f64.powi(-8) + 2f64.powi(-40)]);
    assert_eq!(ours[0].to_f32(), 1.0);
    let ours = narrowed::<_, F16, _>(&[1.0 + 2f64.powi(-11) + 2f64.powi(-40)]);
    assert_eq!(ours[0].to_f32(), 1.0);
    let mut halves = [Bf16::default(); 3];
    widen(&[(1i64 << 32) + (1 << 24) + 1, 1 << 24 | 1, -(1 << 62)], &mut halves);
    assert_eq!(halves.map(Bf16::to_f32), [2f32.powi(32), 2f32.powi(24), -(2f32.powi(62))]);
    let mut halves = [F16::default(); 3];
    widen(&[65_519i64, 65_520, -2049], &mut halves);
    assert_eq!(halves.map(F16::to_f32), [65_504.0, f32::INFINITY, -2048.0]);
}

#[test]
fn subnormal_numbers_stay_what_they_are() {
    // JAX 0.10.2 gives zero for each, and false.
    let least = f32::from_bits(1);
    assert_eq!(narrowed::<_, f32, _>(&[f64::from(least), -1e-40]), [least, -1e-40]);
    assert_eq!(narrowed::<_, bool, _>(&[least]), [true]);
    assert_eq!(narrowed::<_, Bf16, _>(&[1e-40f64])[0].to_bits(), 1);
    let mut wide = [0.0f64; 1];
    widen(&[least], &mut wide);
    assert_eq!(wide, [f64::from(least)]);
}

/// A half float from its three fields, by arithmetic.
fn value(bits: u16, fraction_bits: u32, bias: i32) -> f64 {
    let fraction = f64::from(bits & ((1 << fraction_bits) - 1)) / 2f64.powi(fraction_bits as i32);
    let exponent = i32::from(bits & 0x7FFF) >> fraction_bits;
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let top = (1 << (15 - fraction_bits)) - 1;
    sign * match exponent {
        0 => fraction * 2f64.powi(1 - bias),
        e if e == top && fraction == 0.0 => f64::INFINITY,
        e if e == top => f64::NAN,
        e => (1.0 + fraction) * 2f64.powi(e - bias),
    }
}

#[test]
fn every_half_float_is_a_single_one() {
    for bits in 0..=u16::MAX {
        let (half, brain) = (F16::from_bits(bits), Bf16::from_bits(bits));
        for (ours, theirs) in
            [(half.to_f32(), value(bits, 10, 15)), (brain.to_f32(), value(bits, 7, 127))]
        {
            assert_eq!(ours.is_nan(), theirs.is_nan(), "{bits:#x}");
            if !ours.is_nan() {
                assert_eq!(f64::from(ours).to_bits(), theirs.to_bits(), "{bits:#x}");
            }
        }
        // A signalling NaN comes back quiet, everything else as it was.
        let quiet = |nan: bool, bit: u16| if nan { bits | bit } else { bits };
        assert_eq!(F16::from_f32(half.to_f32()).to_bits(), quiet(half.to_f32().is_nan(), 0x200));
        assert_eq!(Bf16::from_f32(brain.to_f32()).to_bits(), quiet(brain.to_f32().is_nan(), 0x40));
    }
}

/// Asserts that `bits` is the nearest of all halves to `x`, of two the even one.
fn assert_nearest(x: f32, bits: u16, fraction_bits: u32, bias: i32) {
    let (x, infinite) = (f64::from(x), ((1 << (15 - fraction_bits)) - 1) << fraction_bits);
    // Where the numbers end, infinity stands one step further.
    let number = |magnitude: u16| match magnitude == infinite {
        true => 2.0 * value(infinite - (1 << fraction_bits), fraction_bits, bias),
        false => value(magnitude, fraction_bits, bias),
    };
    let magnitude = bits & 0x7FFF;
    assert_eq!(bits >> 15 == 1, x.is_sign_negative());
    assert!(magnitude <= infinite);
    let error = |magnitude: u16| (number(magnitude) - x.abs()).abs();
    let (below, above) =
        (magnitude.checked_sub(1), magnitude.checked_add(1).filter(|m| *m <= infinite));
    for other in [below, above].into_iter().flatten() {
        let further = error(other) > error(magnitude);
        let even = error(other) == error(magnitude) && magnitude.is_multiple_of(2);
        // All that is above rounds to infinity too.
        let beyond = magnitude == infinite && x.abs() >= number(infinite);
        assert!(further || even || beyond, "{x} became {bits:#x}");
    }
}

#[test]
fn single_floats_become_the_nearest_half() {
    for high in 0..=u16::MAX {
        for low in [0u32, 1, 0x0FFF, 0x1000, 0x1001, 0x2000, 0x3000, 0x7FFF, 0x8000, 0x8001, 0xFFFF]
        {
            let x = f32::from_bits(u32::from(high) << 16 | low);
            let (half, brain) = (F16::from_f32(x), Bf16::from_f32(x));
            if x.is_nan() {
                assert!(half.to_f32().is_nan() && brain.to_f32().is_nan());
            } else {
                assert_nearest(x, half.to_bits(), 10, 15);
                assert_nearest(x, brain.to_bits(), 7, 127);
            }
        }
    }
}

#[test]
fn a_refused_vector_and_refused_arrays_are_not_written() {
    let arrays = [ArrayRef::from(&[1.0f32, 2.0]), ArrayRef::from(&[3i32])];
    let mut table = [Span::default(); 3];
    let ravel = ravel_into(&arrays, &mut [0.0f32; 8], &mut table).unwrap();
    assert_eq!(ravel.spans().len(), 2);
    let mut flat = [9.0f32; 3];
    let more = [arrays[0], arrays[1], arrays[1]];
    let swapped = [arrays[1], arrays[0]];
    for (arrays, error) in [
        (&arrays[..1], Error::TooFewLeaves { expected: 2, found: 1 }),
        (&more[..], Error::TooManyLeaves { expected: 2, found: 3 }),
        (&swapped[..], Error::WrongLeaf { leaf: 0 }),
        (&[arrays[0], ArrayRef::from(&[3i64])], Error::WrongLeaf { leaf: 1 }),
    ] {
        assert_eq!(ravel.ravel_into(arrays, &mut flat), Err(error));
    }
    let error = Error::WrongDtype { expected: Dtype::Float32, found: Dtype::Int32 };
    assert_eq!(ravel.ravel_into(&arrays, &mut [9i32; 3]), Err(error));
    assert_eq!(error.to_string(), "flat vector is of dtype int32, expected float32");
    let short = Error::FlatLength { expected: 3, found: 2 };
    assert_eq!(ravel.ravel_into(&arrays, &mut flat[..2]), Err(short));
    assert_eq!(short.to_string(), "flat vector has 2 elements, the arrays have 3");
    assert_eq!(flat, [9.0; 3]);

    let (mut a, mut b, mut c) = ([9.0f32; 2], [9i32; 1], [9i64; 1]);
    let mut wrong = [(&mut a).into(), (&mut c).into()];
    assert_eq!(ravel.unravel_into(&flat, &mut wrong), Err(Error::WrongLeaf { leaf: 1 }));
    let mut right = [(&mut a).into(), (&mut b).into()];
    for found in [2, 4] {
        let error = Error::FlatLength { expected: 3, found };
        let flat = [1.0f32; 4];
        assert_eq!(ravel.unravel_into(&flat[..found], &mut right), Err(error));
        assert_eq!(ravel.unravel(&flat[..found]).err(), Some(error));
    }
    assert_eq!(ravel.unravel_into(&[1i32; 3], &mut right), Err(error));
    assert_eq!((a, b, c), ([9.0; 2], [9], [9]));
}

#[test]
fn a_table_that_is_too_small_says_how_many_spans_it_needs() {
    let arrays = [ArrayRef::from(&[1.0f32]); 3];
    let mut table = [Span::default(); 2];
    let full = Error::LeavesFull { needed: 3, room: 2 };
    assert_eq!(ravel_into(&arrays, &mut [0.0f32; 3], &mut table).err(), Some(full));
    let huge = [(Dtype::Bool, usize::MAX), (Dtype::Bool, 1)];
    assert_eq!(Ravel::new(huge, &mut table), Err(Error::TooLarge));
    let ravel = Ravel::new([], &mut table).unwrap();
    assert_eq!((ravel.dtype(), ravel.len(), ravel.is_empty()), (Dtype::Float32, 0, true));
    // With one dtype everywhere, none included, any vector is taken.
    assert_eq!(ravel.unravel(&[0i8; 0]).map(Iterator::count), Ok(0));
}

#[test]
fn arrays_of_one_dtype_unravel_in_the_dtype_of_the_vector() {
    let mut spans = [Span::default(); 2];
    let ravel = Ravel::new([(Dtype::Float32, 1), (Dtype::Float32, 2)], &mut spans).unwrap();
    let parts: Vec<_> = ravel.unravel(&[1i32, 2, 3]).unwrap().collect();
    assert_eq!(parts, [ArrayRef::from(&[1i32]), ArrayRef::from(&[2i32, 3])]);
    let (mut a, mut b) = ([0i32; 1], [0i32; 2]);
    ravel.unravel_into(&[1i32, 2, 3], &mut [(&mut a).into(), (&mut b).into()]).unwrap();
    assert_eq!((a, b), ([1], [2, 3]));
    assert_eq!(format!("{parts:?}"), "[int32[1], int32[2]]");
}

/// Lengths of arrays, and their elements in a row.
fn split(lengths: &[usize], mut elements: &[u64]) -> Vec<Vec<u64>> {
    let mut parts = Vec::new();
    for length in lengths {
        let (part, rest) = elements.split_at((*length).min(elements.len()));
        parts.push(part.to_vec());
        elements = rest;
    }
    parts
}

/// Ravels arrays of type `$type` in a vector of `$wide`, together with one of that type, and takes them back.
macro_rules! comes_back {
    ($parts:expr, $type:ty, $wide:ty, $make:expr) => {{
        let parts: Vec<Vec<$type>> =
            $parts.iter().map(|part| part.iter().map(|bits| $make(*bits)).collect()).collect();
        let one = [<$wide>::default()];
        let mut arrays: Vec<ArrayRef<'_>> = parts.iter().map(|p| p.as_slice().into()).collect();
        arrays.push((&one).into());
        let len: usize = parts.iter().map(Vec::len).sum();
        let (mut flat, mut spans) =
            (vec![<$wide>::default(); len + 1], vec![Span::default(); arrays.len()]);
        let ravel = ravel_into(&arrays, flat.as_mut_slice(), &mut spans).unwrap();
        let mut back: Vec<Vec<$type>> =
            parts.iter().map(|p| vec![<$type>::default(); p.len()]).collect();
        let mut last = [<$wide>::default()];
        let mut places: Vec<ArrayMut<'_>> =
            back.iter_mut().map(|p| p.as_mut_slice().into()).collect();
        places.push((&mut last).into());
        ravel.unravel_into(flat.as_slice(), &mut places).unwrap();
        drop(places);
        (parts, back)
    }};
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn unravel_after_ravel_is_the_identity_where_promotion_is_exact(
        lengths in proptest::collection::vec(0usize..5, 0..6),
        elements in proptest::collection::vec(any::<u64>(), 30),
    ) {
        let parts = split(&lengths, &elements);
        let bits = |parts: Vec<Vec<f32>>| -> Vec<Vec<u32>> {
            parts.iter().map(|part| part.iter().map(|x| x.to_bits()).collect()).collect()
        };
        // One dtype: bit by bit, any NaN included.
        let (before, after) = comes_back!(parts, f32, f32, |bits| f32::from_bits(bits as u32));
        prop_assert_eq!(bits(before), bits(after));
        let (before, after) = comes_back!(parts, F16, F16, |bits| F16::from_bits(bits as u16));
        prop_assert_eq!(before, after);
        let (before, after) = comes_back!(parts, u64, u64, |bits| bits);
        prop_assert_eq!(before, after);
        // Integers in wider ones.
        let (before, after) = comes_back!(parts, u8, i16, |bits| bits as u8);
        prop_assert_eq!(before, after);
        let (before, after) = comes_back!(parts, i32, i64, |bits| bits as i32);
        prop_assert_eq!(before, after);
        let (before, after) = comes_back!(parts, bool, u16, |bits| bits % 2 == 1);
        prop_assert_eq!(before, after);
        // Integers and halves in floats that hold them, floats in wider ones and in complex numbers.
        let (before, after) = comes_back!(parts, i16, f32, |bits| bits as i16);
        prop_assert_eq!(before, after);
        let (before, after) = comes_back!(parts, u32, f64, |bits| bits as u32);
        prop_assert_eq!(before, after);
        let number = |bits: u64| Some(f32::from_bits(bits as u32)).filter(|x| !x.is_nan()).unwrap_or(0.5);
        let (before, after) = comes_back!(parts, f32, f64, number);
        prop_assert_eq!(bits(before), bits(after));
        let (before, after) = comes_back!(parts, f32, [f32; 2], number);
        prop_assert_eq!(bits(before), bits(after));
        let half = |bits: u64| Some(F16::from_bits(bits as u16)).filter(|x| !x.to_f32().is_nan()).unwrap_or_default();
        let (before, after) = comes_back!(parts, F16, f32, half);
        prop_assert_eq!(before, after);
        let half = |bits: u64| Some(Bf16::from_bits(bits as u16)).filter(|x| !x.to_f32().is_nan()).unwrap_or_default();
        let (before, after) = comes_back!(parts, Bf16, f64, half);
        prop_assert_eq!(before, after);
    }

    #[test]
    fn the_arrays_of_a_structure_are_its_largest_rectangular_lists(any in treedefs()) {
        let def = any.as_treedef();
        let (mut model, mut node, mut leaf) = (Vec::new(), 0, 0);
        collect(def, &mut node, &mut leaf, &mut model);
        let ours: Result<Vec<_>, _> = def
            .arrays()
            .map(|array| array.map(|a| (a.path().node(), a.range(), a.shape().collect::<Vec<_>>())))
            .collect();
        prop_assert_eq!(ours, Ok(model));
    }
}

/// The shape, if the node is an array.
fn shape(def: TreeDef<'_>) -> Option<Vec<usize>> {
    if def.is_leaf() {
        return Some(Vec::new());
    }
    let mut children = def.children();
    let first = children.next().filter(|_| def.kind() == Kind::List)?;
    let mut all = vec![1 + children.len()];
    all.extend(shape(first).filter(|_| children.all(|child| child == first))?);
    Some(all)
}

type Found = (usize, std::ops::Range<usize>, Vec<usize>);

/// The arrays below a node, child by child.
fn collect(def: TreeDef<'_>, node: &mut usize, leaf: &mut usize, out: &mut Vec<Found>) {
    if let Some(shape) = shape(def) {
        out.push((*node, *leaf..*leaf + def.num_leaves(), shape));
        *node += def.num_nodes();
        *leaf += def.num_leaves();
        return;
    }
    *node += 1;
    for child in def.children() {
        collect(child, node, leaf, out);
    }
}

#[test]
fn arrays_in_repeated_nodes_come_once_for_each_copy() {
    type Layer = ([[f32; 3]; 2], [f32; 2], f32);
    let mut flat = [0.0f32; 27];
    let layers: [Layer; 3] = [([[1.0; 3]; 2], [2.0; 2], 3.0); 3];
    leaves_into(&layers, &mut flat).unwrap();
    let arrays: Vec<_> = treedef_of::<[Layer; 3]>().arrays().map(Result::unwrap).collect();
    let found: Vec<_> = arrays
        .iter()
        .map(|a| (a.path().to_string(), a.range(), a.shape().collect::<Vec<_>>()))
        .collect();
    let expected = (0..3).flat_map(|layer| {
        let start = layer * 9;
        [
            (format!("[{layer}][0]"), start..start + 6, vec![2, 3]),
            (format!("[{layer}][1]"), start + 6..start + 8, vec![2]),
            (format!("[{layer}][2]"), start + 8..start + 9, vec![]),
        ]
    });
    assert_eq!(found, expected.collect::<Vec<_>>());
    for (array, value) in arrays.iter().zip([1.0, 2.0, 3.0].into_iter().cycle()) {
        assert!(flat[array.range()].iter().all(|x| *x == value));
    }
    assert_eq!(arrays[3].treedef(), treedef_of::<[[f32; 3]; 2]>());
}

#[test]
fn lists_without_one_shape_are_no_arrays() {
    let shapes = |def: TreeDef<'_>| -> Vec<Vec<usize>> {
        def.arrays().map(|array| array.unwrap().shape().collect()).collect()
    };
    assert_eq!(shapes(treedef!([[*, *], [*]])), [vec![2], vec![1]]);
    assert_eq!(shapes(treedef!([[*], *])), [vec![1], vec![]]);
    assert_eq!(shapes(treedef!([*, [*]])), [vec![], vec![1]]);
    assert_eq!(shapes(treedef!([[[*]]])), [[1, 1, 1]]);
    assert_eq!(shapes(treedef!([(*, *), (*, *)])), [[0usize; 0]; 4]);
    assert_eq!(shapes(treedef!([[], [[]], None])), [[0usize; 0]; 0]);
    assert_eq!(shapes(treedef!([[], *])), [[0usize; 0]]);
    assert_eq!(shapes(treedef!([[], [*, *]])), [[2]]);
    assert_eq!(shapes(TreeDef::LEAF), [[0usize; 0]]);
}

#[test]
fn a_huge_array_is_one_step() {
    let def = treedef_of::<[[f32; 65_536]; 32_768]>();
    let arrays: Vec<_> = def.arrays().map(Result::unwrap).collect();
    assert_eq!(arrays.len(), 1);
    assert_eq!(arrays[0].range(), 0..1 << 31);
    assert!(arrays[0].shape().eq([32_768, 65_536]));
}

#[test]
fn arrays_are_found_to_the_depth_that_is_stated() {
    let nested = |levels: usize| [vec![0x21; levels], vec![0x00]].concat();
    let bytes = nested(63);
    let mut arrays = TreeDef::from_bytes(&bytes).unwrap().arrays();
    assert_eq!(arrays.next().map(|a| a.map(|a| a.path().entries().count())), Some(Ok(63)));
    assert_eq!(arrays.next(), None);
    let bytes = nested(64);
    let mut arrays = TreeDef::from_bytes(&bytes).unwrap().arrays();
    assert_eq!(arrays.next(), Some(Err(Error::TooDeep { limit: 64 })));
    assert_eq!(arrays.next(), None);
    // The levels of an array take no room.
    let bytes = [vec![0x41; 1000], vec![0x00]].concat();
    let mut arrays = TreeDef::from_bytes(&bytes).unwrap().arrays();
    assert_eq!(arrays.next().map(|a| a.map(|a| a.shape().count())), Some(Ok(1000)));
}
