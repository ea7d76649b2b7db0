//! Compares `ravel_pytree`: offsets, dtypes, conversions in both directions, and the errors of an unravel function.

use half::{bf16, f16};
use serde_json::Value as Json;
use treedef::cache::Dtype;
use treedef_jax::ravel::{Array, Ravel, RavelError, ravel as ours};

use super::support::corpus::{Raised, Read, each, integer, member, read_answer, string};
use super::{family, same, stated};

/// Reads one number of the corpus. Booleans are written as such.
fn float(json: &Json) -> Read<f64> {
    match json.as_bool() {
        Some(flag) => Ok(f64::from(u8::from(flag))),
        None => json.as_f64().ok_or_else(|| format!("no number: {json}")),
    }
}

/// Reads an integer that fits its type.
fn whole<T: TryFrom<i64>>(json: &Json) -> Read<T> {
    T::try_from(integer(json)?).map_err(|_| format!("out of bounds: {json}"))
}

/// Reads a float that the dtype holds exactly.
fn exact<T>(json: &Json, narrow: impl Fn(f32) -> T, wide: impl Fn(&T) -> f32) -> Read<T> {
    let value = float(json)?;
    let element = narrow(value as f32);
    if f64::from(wide(&element)) == value { Ok(element) } else { Err(format!("rounded: {value}")) }
}

/// Reads the elements of an array of this dtype.
fn elements(dtype: Dtype, data: &Json) -> Read<Array<'static>> {
    Ok(match dtype {
        Dtype::Bool => each(data, |json| Ok(float(json)? != 0.0))?.into(),
        Dtype::Uint8 => each(data, whole::<u8>)?.into(),
        Dtype::Int8 => each(data, whole::<i8>)?.into(),
        Dtype::Int32 => each(data, whole::<i32>)?.into(),
        Dtype::Int16 => each(data, whole::<i16>)?.into(),
        Dtype::Int64 => each(data, whole::<i64>)?.into(),
        Dtype::Uint16 => each(data, whole::<u16>)?.into(),
        Dtype::Uint32 => each(data, whole::<u32>)?.into(),
        Dtype::Uint64 => each(data, |j| j.as_u64().ok_or("u64".to_string()))?.into(),
        Dtype::Bfloat16 => each(data, |x| exact(x, bf16::from_f32, |x| x.to_f32()))?.into(),
        Dtype::Float16 => each(data, |x| exact(x, f16::from_f32, |x| x.to_f32()))?.into(),
        Dtype::Float32 => each(data, |x| exact(x, |x| x, |x| *x))?.into(),
        Dtype::Float64 => each(data, float)?.into(),
        _ => return Err(format!("{dtype} is not in the corpus")),
    })
}

fn dtype(json: &Json) -> Read<Dtype> {
    let name = string(member(json, "dtype")?)?;
    Dtype::from_name(&name).ok_or_else(|| format!("no dtype: {name}"))
}

/// Reads an array of the corpus and its shape.
fn array(json: &Json) -> Read<(Array<'static>, Vec<usize>)> {
    let shape = each(member(json, "shape")?, whole)?;
    let array = elements(dtype(json)?, member(json, "data")?)?;
    same("size of the shape", shape.iter().product(), array.len())?;
    Ok((array, shape))
}

/// Checks that the arrays are equal. The message does not show elements.
fn same_arrays(what: &str, ours: &[Array<'_>], theirs: &[Array<'_>]) -> Read<()> {
    if ours == theirs { Ok(()) } else { Err(format!("{what}: ours {ours:?}, theirs {theirs:?}")) }
}

fn check(line: &Json) -> Read<()> {
    let expect = member(line, "expect")?;
    let stated = stated(member(line, "tree")?)?;
    let by_id = each(member(line, "arrays")?, array)?;
    let ids: Vec<_> = stated.leaves.iter().flatten().map(|id| *id as usize).collect();
    let arrays: Vec<_> = ids.iter().map(|id| by_id[*id].0.clone()).collect();

    let (flat, layout) = ours(&arrays);
    let flat_dtype = dtype(expect)?;
    same("dtype", (layout.dtype(), flat.dtype()), (flat_dtype, flat_dtype))?;
    same("size", layout.len(), whole::<usize>(member(expect, "size")?)?)?;
    same_arrays("flat", &[flat], &[elements(flat_dtype, member(expect, "flat")?)?])?;
    let sizes = arrays.iter().map(|array| (array.dtype(), array.len()));
    same("layout of the sizes alone", Ravel::new(sizes), Ok(layout.clone()))?;

    let theirs = each(member(expect, "spans")?, |json| {
        let number = |name| whole::<usize>(member(json, name)?);
        let shape: Vec<usize> = each(member(json, "shape")?, whole)?;
        Ok((number("id")?, number("offset")?, number("size")?, dtype(json)?, shape))
    })?;
    let spans = layout
        .spans()
        .iter()
        .zip(&ids)
        .map(|(span, id)| (*id, span.offset, span.len, span.dtype, by_id[*id].1.clone()));
    same("spans", spans.collect(), theirs)?;

    let json = member(line, "vector")?;
    let vector = elements(dtype(json)?, member(json, "data")?)?;
    let unraveled = layout.unravel(&vector);
    match read_answer(member(expect, "unravel")?)? {
        Ok(json) => {
            let theirs = each(json, |json| Ok(array(json)?.0))?;
            same_arrays("unraveled", &unraveled.map_err(|error| error.to_string())?, &theirs)
        }
        Err(raised) => check_refused(unraveled.err(), &raised),
    }
}

/// Returns the kind of an error and its two sides.
fn check_refused(refused: Option<RavelError>, raised: &Raised) -> Read<()> {
    let theirs = match raised.class.as_str() {
        "ValueError" => {
            let numbers: Vec<usize> = raised
                .message
                .split(|c: char| !c.is_ascii_digit())
                .filter_map(|digits| digits.parse().ok())
                .collect();
            let [expected, 0, found] = numbers[..] else { return Err(raised.message.clone()) };
            RavelError::Length { expected, found }
        }
        "TypeError" => {
            let words = raised.message.split([' ', ',']);
            let dtypes: Vec<_> = words.filter_map(Dtype::from_name).collect();
            let [found, expected] = dtypes[..] else { return Err(raised.message.clone()) };
            RavelError::WrongDtype { expected, found }
        }
        class => return Err(format!("raised {class}")),
    };
    same("refused", refused, Some(theirs))
}

#[test]
fn ravel() {
    family("ravel", check);
}
