//! Tests arrays in one vector: promotion, conversion, round trips.

use half::{bf16, f16};
use proptest::prelude::*;
use treedef::cache::Dtype;
use treedef_jax::ravel::{Array, Element, Ravel, RavelError, ravel, result_type};

/// The dtypes of JAX 0.10.2 for a vector of two arrays, with 64-bit types enabled, in the order of the rows.
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
        let row: Vec<_> = row.split(' ').map(Dtype::from_name).collect();
        let ours: Vec<_> = all.iter().map(|b| result_type([*a, *b])).collect();
        assert_eq!(ours, row, "{a}");
    }
    assert_eq!(Dtype::from_name("float8"), None);
}

#[test]
fn many_dtypes_promote_to_the_least_that_all_promote_to() {
    let all = dtypes();
    assert_eq!(result_type([]), None);
    for a in all.iter().copied() {
        assert_eq!(result_type([a]), Some(a));
        for b in all.iter().copied() {
            for c in all.iter().copied() {
                let together = result_type([a, b, c]).unwrap();
                assert_eq!(result_type([c, a, b]), Some(together));
                assert_eq!(result_type([a, b, c, together]), Some(together));
            }
        }
    }
    // If only a float can hold the integers, its width is that of the other floats: JAX 0.10.2.
    use Dtype::{Bfloat16, Complex64, Float16, Float32, Int64, Uint64};
    for float in [Bfloat16, Float16, Float32, Complex64] {
        assert_eq!(result_type([Int64, Uint64, float]), Some(float));
    }
}

#[test]
fn dtypes_without_numbers_have_no_common_dtype() {
    for dtype in [Dtype::Int4, Dtype::Float8E5m2, Dtype::Float0, Dtype::KeyFry] {
        assert_eq!(result_type([dtype, Dtype::Float32]), None);
        assert_eq!(Ravel::new([(dtype, 1)]), Err(RavelError::NoCommonDtype));
        assert_eq!(Array::from(&[1.0f32]).convert(dtype), None);
    }
}

/// Converts an array to another dtype.
fn converted<T: Element, U: Element>(elements: &[T]) -> Vec<U>
where
    for<'a> Array<'a>: From<&'a [T]>,
{
    Array::from(elements).convert(U::DTYPE).unwrap().as_slice::<U>().unwrap().to_vec()
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
        converted::<_, i8>(&BIG),
        [0, 127, -128, -1, 127, 127, 127, -128, 127, -128, 127, -128, 0]
    );
    let ours = converted::<_, i16>(&BIG);
    assert_eq!(ours, [0, 32767, -32768, -1, 255, 256, 300, -129, 32767, -32768, 32767, -32768, 0]);
    let ours = converted::<_, i64>(&BIG);
    let (low, high) = I64;
    assert_eq!(
        ours,
        [0, high, low, -1, 255, 256, 300, -129, 3_000_000_000, -3_000_000_000, high, low, 0]
    );
    assert_eq!(converted::<_, u8>(&BIG), [0, 255, 0, 0, 255, 255, 255, 0, 255, 0, 255, 0, 0]);
    let ours = converted::<_, u64>(&BIG);
    assert_eq!(ours, [0, u64::MAX, 0, 0, 255, 256, 300, 0, 3_000_000_000, 0, u64::MAX, 0, 0]);
    assert_eq!(converted::<_, bool>(&BIG), [true; 13]);
    assert_eq!(converted::<_, bool>(&[0.0f64, -0.0]), [false; 2]);
    let ours = converted::<_, f32>(&BIG);
    assert_eq!(ours[1..], BIG.map(|x| x as f32)[1..]);
    assert!(ours[0].is_nan());
}

#[test]
fn integers_wrap_as_in_jax() {
    let wide = [-1, 256, 300, (1 << 40) + 5, i64::MAX];
    assert_eq!(converted::<_, i8>(&wide), [-1, 0, 44, 5, -1]);
    assert_eq!(converted::<_, i16>(&wide), [-1, 256, 300, 5, -1]);
    assert_eq!(converted::<_, i32>(&wide), [-1, 256, 300, 5, -1]);
    assert_eq!(converted::<_, u8>(&wide), [255, 0, 44, 5, 255]);
    assert_eq!(converted::<_, u32>(&wide), [u32::MAX, 256, 300, 5, u32::MAX]);
    assert_eq!(converted::<_, bool>(&[0i64, -1, 256]), [false, true, true]);
    assert_eq!(converted::<_, bool>(&[0u64, 1 << 63]), [false, true]);
    assert_eq!(converted::<_, u8>(&[u64::MAX, 513]), [255, 1]);
}

#[test]
fn complex_numbers_lose_their_imaginary_part_as_in_jax() {
    let complex = [[1.0f64, 2.0], [0.0, 1.0], [-3.7, -2.0], [300.0, 0.0], [0.0, 0.0]];
    // In Python `bool(0+1j)` is `True`. JAX takes the real part first.
    assert_eq!(converted::<_, bool>(&complex), [true, false, true, true, false]);
    assert_eq!(converted::<_, bool>(&[[0.0f32, 1.0], [-0.0, f32::NAN]]), [false, false]);
    assert_eq!(converted::<_, bool>(&[[f32::NAN, 0.0]]), [true]);
    assert_eq!(converted::<_, i8>(&complex), [1, 0, -3, 127, 0]);
    assert_eq!(converted::<_, u8>(&complex), [1, 0, 0, 255, 0]);
    assert_eq!(converted::<_, f64>(&complex), [1.0, 0.0, -3.7, 300.0, 0.0]);
    assert_eq!(converted::<_, f32>(&complex), [1.0, 0.0, -3.7, 300.0, 0.0]);
    let pairs = complex.map(|pair| pair.map(|part| part as f32));
    assert_eq!(converted::<_, [f32; 2]>(&complex), pairs);
    assert_eq!(converted::<_, [f32; 2]>(&[-1i8, 0, 7]), [[-1.0, 0.0], [0.0, 0.0], [7.0, 0.0]]);
}

#[test]
fn half_floats_are_rounded_by_way_of_single_ones_as_in_jax() {
    // Rounding in one step would round up in each case.
    assert_eq!(converted::<_, bf16>(&[1.0 + 2f64.powi(-8) + 2f64.powi(-40)])[0].to_f32(), 1.0);
    assert_eq!(converted::<_, f16>(&[1.0 + 2f64.powi(-11) + 2f64.powi(-40)])[0].to_f32(), 1.0);
    // The bits that a single float keeps decide the result.
    let up = [1.0 + 2f64.powi(-8) + 2f64.powi(-22), 1.0 + 2f64.powi(-11) + 2f64.powi(-22)];
    assert_eq!(converted::<_, bf16>(&up)[0].to_f32(), 1.0 + 2f32.powi(-7));
    assert_eq!(converted::<_, f16>(&up)[1].to_f32(), 1.0 + 2f32.powi(-10));
    let halves = converted::<_, bf16>(&[(1i64 << 32) + (1 << 24) + 1, 1 << 24 | 1, -(1 << 62)]);
    let expected = [2f32.powi(32), 2f32.powi(24), -(2f32.powi(62))];
    assert!(halves.into_iter().map(bf16::to_f32).eq(expected));
    let halves = converted::<_, f16>(&[65_519i64, 65_520, -2049]);
    assert!(halves.into_iter().map(f16::to_f32).eq([65_504.0, f32::INFINITY, -2048.0]));
}

#[test]
fn subnormal_numbers_stay_what_they_are() {
    // JAX 0.10.2 gives zero for each, and false.
    let least = f32::from_bits(1);
    assert_eq!(converted::<_, f32>(&[f64::from(least), -1e-40]), [least, -1e-40]);
    assert_eq!(converted::<_, bool>(&[least]), [true]);
    assert_eq!(converted::<_, bf16>(&[1e-40f64])[0].to_bits(), 1);
    assert_eq!(converted::<_, f64>(&[least]), [f64::from(least)]);
}

/// The bits of an integer dtype, and whether it has a sign.
fn integer(dtype: Dtype) -> Option<(u32, bool)> {
    let name = dtype.name();
    let (bits, signed) = match name.strip_prefix("uint") {
        Some(bits) => (bits, false),
        None => (name.strip_prefix("int")?, true),
    };
    bits.parse().ok().map(|bits| (bits, signed))
}

/// Converts a number to `dtype` by the documented rules, with the arithmetic of wide integers. Returns the real and
/// imaginary part. All numbers of the test are whole, and every float holds them or rounds them to infinity.
fn by_the_rules(value: [f64; 2], whole: Option<i128>, dtype: Dtype) -> [f64; 2] {
    let real = value[0];
    let rounded =
        |x: f64, largest: f64| if x.abs() > largest { x.signum() * f64::INFINITY } else { x };
    match (dtype, integer(dtype)) {
        (Dtype::Bool, _) => [f64::from(u8::from(real != 0.0)), 0.0],
        (_, Some((bits, signed))) => {
            let modulus = 1i128 << bits;
            let (low, high) =
                if signed { (-modulus / 2, modulus / 2 - 1) } else { (0, modulus - 1) };
            let integer = match whole {
                // Integers and booleans wrap, floats are clamped to the bounds.
                Some(whole) => (whole - low).rem_euclid(modulus) + low,
                None if real.is_nan() => 0,
                None => (real as i128).clamp(low, high),
            };
            [integer as f64, 0.0]
        }
        (Dtype::Float16, _) => [rounded(real, 65_504.0), 0.0],
        (Dtype::Bfloat16 | Dtype::Float32, _) => [rounded(real, f64::from(f32::MAX)), 0.0],
        (Dtype::Float64, _) => [real, 0.0],
        (Dtype::Complex64, _) => value.map(|part| rounded(part, f64::from(f32::MAX))),
        (Dtype::Complex128, _) => value,
        (other, _) => panic!("no rule for {other}"),
    }
}

/// Returns the elements of any array as pairs of `f64`.
fn pairs(array: &Array<'_>) -> Vec<[f64; 2]> {
    fn real<T: Copy>(elements: &[T], to: impl Fn(T) -> f64) -> Vec<[f64; 2]> {
        elements.iter().map(|x| [to(*x), 0.0]).collect()
    }
    match array {
        Array::Bool(x) => real(x, |x| f64::from(u8::from(x))),
        Array::Uint8(x) => real(x, f64::from),
        Array::Uint16(x) => real(x, f64::from),
        Array::Uint32(x) => real(x, f64::from),
        Array::Uint64(x) => real(x, |x| x as f64),
        Array::Int8(x) => real(x, f64::from),
        Array::Int16(x) => real(x, f64::from),
        Array::Int32(x) => real(x, f64::from),
        Array::Int64(x) => real(x, |x| x as f64),
        Array::Bfloat16(x) => real(x, bf16::to_f64),
        Array::Float16(x) => real(x, f16::to_f64),
        Array::Float32(x) => real(x, f64::from),
        Array::Float64(x) => real(x, |x| x),
        Array::Complex64(x) => x.iter().map(|pair| pair.map(f64::from)).collect(),
        Array::Complex128(x) => x.to_vec(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_dtype_becomes_every_other_by_the_documented_rules() {
    let nan = f64::NAN;
    let sources: [Array<'_>; 15] = [
        vec![false, true].into(),
        vec![0u8, 1, 128, 255].into(),
        vec![0u16, 1, 256, 32_768].into(),
        vec![0u32, 256, 65_536, 1 << 31].into(),
        vec![0u64, 256, 1 << 32, 1 << 63].into(),
        vec![0i8, -1, 64, -128].into(),
        vec![0i16, -1, 256, -32_768].into(),
        vec![0i32, -1, 65_536, i32::MIN].into(),
        vec![0i64, -1, 1 << 40, i64::MIN].into(),
        [0.0, -1.0, 256.0, 2f64.powi(100), nan].map(bf16::from_f64).to_vec().into(),
        [0.0, -1.0, 256.0, -32_768.0, nan].map(f16::from_f64).to_vec().into(),
        vec![0.0f32, -1.0, 65_536.0, -(2f32.powi(100)), f32::NAN].into(),
        vec![0.0f64, -1.0, 2f64.powi(40), 2f64.powi(200), nan].into(),
        vec![[0.0f32, 1.0], [-1.0, 0.0], [65_536.0, -2.0], [f32::NAN, 4.0]].into(),
        vec![[0.0f64, 1.0], [-1.0, 0.0], [2f64.powi(40), 2f64.powi(200)], [nan, 4.0]].into(),
    ];
    let mut seen = Vec::new();
    for source in &sources {
        let exact = integer(source.dtype()).is_some() || source.dtype() == Dtype::Bool;
        for dtype in dtypes() {
            let ours = pairs(&source.clone().convert(dtype).unwrap());
            let theirs = pairs(source)
                .into_iter()
                .map(|value| by_the_rules(value, exact.then_some(value[0] as i128), dtype));
            for (ours, theirs) in ours.iter().flatten().zip(theirs.flatten()) {
                let same = *ours == theirs || ours.is_nan() && theirs.is_nan();
                assert!(same, "{source:?} as {dtype}: {ours} instead of {theirs}");
            }
            assert_eq!(ours.len(), source.len());
        }
        seen.push(source.dtype());
    }
    assert_eq!(seen, dtypes());
}

#[test]
fn a_vector_of_each_two_dtypes_comes_back() {
    // Numbers that every dtype but `bool` holds.
    let small = Array::from(&[0u8, 1, 2, 100]);
    for a in dtypes() {
        for b in dtypes() {
            let arrays = [a, b].map(|dtype| small.clone().convert(dtype).unwrap());
            let (flat, layout) = ravel(&arrays);
            assert_eq!(Some(flat.dtype()), result_type([a, b]));
            let expected = arrays.iter().flat_map(pairs);
            assert!(pairs(&flat).into_iter().eq(expected), "{a} and {b}");
            assert!(layout.unravel(&flat).unwrap() == arrays, "{a} and {b}");
        }
    }
}

/// Computes a half float from its three fields.
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
        let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
        for (ours, theirs) in
            [(half.to_f32(), value(bits, 10, 15)), (brain.to_f32(), value(bits, 7, 127))]
        {
            assert_eq!(ours.is_nan(), theirs.is_nan(), "{bits:#x}");
            if !ours.is_nan() {
                assert_eq!(f64::from(ours).to_bits(), theirs.to_bits(), "{bits:#x}");
            }
        }
        // A signalling NaN becomes quiet. All other values are unchanged.
        let quiet = |nan: bool, bit: u16| if nan { bits | bit } else { bits };
        assert_eq!(f16::from_f32(half.to_f32()).to_bits(), quiet(half.to_f32().is_nan(), 0x200));
        assert_eq!(bf16::from_f32(brain.to_f32()).to_bits(), quiet(brain.to_f32().is_nan(), 0x40));
    }
}

/// Asserts that `bits` is the half float nearest to `x`, and the even one of two.
fn assert_nearest(x: f32, bits: u16, fraction_bits: u32, bias: i32) {
    let (x, infinite) = (f64::from(x), ((1 << (15 - fraction_bits)) - 1) << fraction_bits);
    // After the largest number, infinity is one step further.
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
        // All larger numbers round to infinity too.
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
            let (half, brain) = (f16::from_f32(x), bf16::from_f32(x));
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
fn a_vector_of_another_dtype_or_length_is_refused() {
    let (flat, layout) = ravel(&[Array::from(&[1.0f32, 2.0]), Array::from(&[3i32])]);
    assert_eq!(layout.spans().iter().map(|span| span.range()).collect::<Vec<_>>(), [0..2, 2..3]);
    assert_eq!(flat.as_slice::<f32>(), Some([1.0, 2.0, 3.0].as_slice()));
    let error = RavelError::WrongDtype { expected: Dtype::Float32, found: Dtype::Int32 };
    assert_eq!(layout.unravel(&Array::from(&[1i32; 3])), Err(error));
    assert_eq!(error.to_string(), "flat vector is of dtype int32, expected float32");
    for found in [2, 4] {
        let error = RavelError::Length { expected: 3, found };
        assert_eq!(layout.unravel(&Array::from(vec![1.0f32; found])), Err(error));
        let text = format!("flat vector has {found} elements, the arrays have 3");
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn a_layout_has_as_many_elements_as_a_vector_can_have() {
    let huge = [(Dtype::Bool, usize::MAX), (Dtype::Bool, 1)];
    assert_eq!(Ravel::new(huge), Err(RavelError::TooLarge));
    assert!(Ravel::new([huge[0]]).is_ok());
    let layout = Ravel::new([]).unwrap();
    assert_eq!((layout.dtype(), layout.len(), layout.is_empty()), (Dtype::Float32, 0, true));
    // If all arrays have one dtype, or there are none, a vector of any dtype is accepted.
    assert_eq!(layout.unravel(&Array::from(&[0i8; 0])), Ok(vec![]));
}

#[test]
fn arrays_of_one_dtype_unravel_in_the_dtype_of_the_vector() {
    let layout = Ravel::new([(Dtype::Float32, 1), (Dtype::Float32, 2)]).unwrap();
    let flat = Array::from(&[1i32, 2, 3]);
    let parts = layout.unravel(&flat).unwrap();
    assert!(parts == [Array::from(&[1i32]), Array::from(&[2i32, 3])]);
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

/// Ravels arrays of type `T`, together with an array of `W`, to a vector of `W`, and unravels them: every bit is the
/// same.
fn comes_back<T, W>(parts: &[Vec<u64>], make: impl Fn(u64) -> T, bits: impl Fn(T) -> u64)
where
    T: Element,
    W: Element + Default,
    Array<'static>: From<Vec<T>> + From<Vec<W>>,
{
    let parts: Vec<Vec<T>> =
        parts.iter().map(|part| part.iter().map(|bits| make(*bits)).collect()).collect();
    let mut arrays: Vec<Array<'_>> = parts.iter().map(|part| part.clone().into()).collect();
    arrays.push(vec![W::default()].into());
    let (flat, layout) = ravel(&arrays);
    assert_eq!(flat.dtype(), W::DTYPE);
    let mut back = layout.unravel(&flat).unwrap();
    assert_eq!(back.pop().map(|last| last.dtype()), Some(W::DTYPE));
    let bits = |part: &[T]| part.iter().map(|x| bits(*x)).collect::<Vec<_>>();
    let before: Vec<_> = parts.iter().map(|part| bits(part)).collect();
    let after: Vec<_> = back.iter().map(|array| bits(array.as_slice::<T>().unwrap())).collect();
    assert_eq!(before, after);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn unravel_after_ravel_is_the_identity_where_promotion_is_exact(
        lengths in proptest::collection::vec(0usize..5, 0..6),
        elements in proptest::collection::vec(any::<u64>(), 30),
    ) {
        let parts = split(&lengths, &elements);
        // One dtype: any NaN included.
        comes_back::<f32, f32>(&parts, |x| f32::from_bits(x as u32), |x| x.to_bits().into());
        comes_back::<f16, f16>(&parts, |x| f16::from_bits(x as u16), |x| x.to_bits().into());
        comes_back::<u64, u64>(&parts, |x| x, |x| x);
        // Integers in wider integers.
        comes_back::<u8, i16>(&parts, |x| x as u8, u64::from);
        comes_back::<i32, i64>(&parts, |x| x as i32, |x| x as u64);
        comes_back::<bool, u16>(&parts, |x| x % 2 == 1, u64::from);
        // Integers and half floats in floats that hold them, floats in wider floats and in complex numbers.
        comes_back::<i16, f32>(&parts, |x| x as i16, |x| x as u64);
        comes_back::<u32, f64>(&parts, |x| x as u32, u64::from);
        let number = |x: u64| Some(f32::from_bits(x as u32)).filter(|x| !x.is_nan()).unwrap_or(0.5);
        comes_back::<f32, f64>(&parts, number, |x| x.to_bits().into());
        comes_back::<f32, [f32; 2]>(&parts, number, |x| x.to_bits().into());
        let half = |x: u64| Some(f16::from_bits(x as u16)).filter(|x| !x.is_nan()).unwrap_or_default();
        comes_back::<f16, f32>(&parts, half, |x| x.to_bits().into());
        let half = |x: u64| Some(bf16::from_bits(x as u16)).filter(|x| !x.is_nan()).unwrap_or_default();
        comes_back::<bf16, f64>(&parts, half, |x| x.to_bits().into());
    }
}
