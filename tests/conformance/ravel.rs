//! `ravel_pytree`: offsets, dtypes, conversions both ways and what an unravel function refuses.

use serde_json::Value as Json;
use treedef::ravel::{ArrayMut, ArrayRef, Bf16, F16, Ravel, Span, ravel_into};
use treedef::{Dtype, Error};

use super::support::corpus::{Raised, Read, each, integer, member, read_answer, string};
use super::{family, same, stated};

/// An array that owns its elements.
#[derive(Clone, Debug, PartialEq)]
enum Owned {
    Bool(Vec<bool>),
    Uint8(Vec<u8>),
    Int8(Vec<i8>),
    Int32(Vec<i32>),
    Bfloat16(Vec<Bf16>),
    Float16(Vec<F16>),
    Float32(Vec<f32>),
    Float64(Vec<f64>),
}

/// One number of the corpus; booleans are written as such.
fn float(json: &Json) -> Read<f64> {
    match json.as_bool() {
        Some(flag) => Ok(f64::from(u8::from(flag))),
        None => json.as_f64().ok_or_else(|| format!("no number: {json}")),
    }
}

/// An integer of a type that holds it.
fn whole<T: TryFrom<i64>>(json: &Json) -> Read<T> {
    T::try_from(integer(json)?).map_err(|_| format!("out of bounds: {json}"))
}

/// A float that the dtype holds exactly.
fn exact<T>(json: &Json, narrow: impl Fn(f32) -> T, wide: impl Fn(&T) -> f32) -> Read<T> {
    let value = float(json)?;
    let element = narrow(value as f32);
    if f64::from(wide(&element)) == value { Ok(element) } else { Err(format!("rounded: {value}")) }
}

impl Owned {
    fn read(dtype: Dtype, data: &Json) -> Read<Self> {
        Ok(match dtype {
            Dtype::Bool => Self::Bool(each(data, |json| Ok(float(json)? != 0.0))?),
            Dtype::Uint8 => Self::Uint8(each(data, whole)?),
            Dtype::Int8 => Self::Int8(each(data, whole)?),
            Dtype::Int32 => Self::Int32(each(data, whole)?),
            Dtype::Bfloat16 => {
                Self::Bfloat16(each(data, |x| exact(x, Bf16::from_f32, |x| x.to_f32()))?)
            }
            Dtype::Float16 => {
                Self::Float16(each(data, |x| exact(x, F16::from_f32, |x| x.to_f32()))?)
            }
            Dtype::Float32 => Self::Float32(each(data, |x| exact(x, |x| x, |x| *x))?),
            Dtype::Float64 => Self::Float64(each(data, float)?),
            _ => return Err(format!("{dtype} is not in the corpus")),
        })
    }

    /// Elements that no answer holds.
    fn stale(dtype: Dtype, len: usize) -> Read<Self> {
        let stale = match dtype {
            Dtype::Bool => Json::from(false),
            Dtype::Uint8 | Dtype::Int8 | Dtype::Int32 => Json::from(99),
            _ => Json::from(99.0),
        };
        Self::read(dtype, &Json::from(vec![stale; len]))
    }

    fn by_ref(&self) -> ArrayRef<'_> {
        match self {
            Self::Bool(x) => x.as_slice().into(),
            Self::Uint8(x) => x.as_slice().into(),
            Self::Int8(x) => x.as_slice().into(),
            Self::Int32(x) => x.as_slice().into(),
            Self::Bfloat16(x) => x.as_slice().into(),
            Self::Float16(x) => x.as_slice().into(),
            Self::Float32(x) => x.as_slice().into(),
            Self::Float64(x) => x.as_slice().into(),
        }
    }

    fn by_mut(&mut self) -> ArrayMut<'_> {
        match self {
            Self::Bool(x) => x.as_mut_slice().into(),
            Self::Uint8(x) => x.as_mut_slice().into(),
            Self::Int8(x) => x.as_mut_slice().into(),
            Self::Int32(x) => x.as_mut_slice().into(),
            Self::Bfloat16(x) => x.as_mut_slice().into(),
            Self::Float16(x) => x.as_mut_slice().into(),
            Self::Float32(x) => x.as_mut_slice().into(),
            Self::Float64(x) => x.as_mut_slice().into(),
        }
    }
}

fn dtype(json: &Json) -> Read<Dtype> {
    let name = string(member(json, "dtype")?)?;
    Dtype::from_name(&name).ok_or_else(|| format!("no dtype: {name}"))
}

/// An array as the corpus writes it, and its shape.
fn array(json: &Json) -> Read<(Owned, Vec<usize>)> {
    let shape = each(member(json, "shape")?, whole)?;
    let array = Owned::read(dtype(json)?, member(json, "data")?)?;
    same("size of the shape", shape.iter().product(), array.by_ref().len())?;
    Ok((array, shape))
}

fn check(line: &Json) -> Read<()> {
    let say = |error: Error| error.to_string();
    let expect = member(line, "expect")?;
    let stated = stated(member(line, "tree")?)?;
    let by_id = each(member(line, "arrays")?, array)?;
    let ids: Vec<_> = stated.leaves.iter().flatten().map(|id| *id as usize).collect();
    let leaves: Vec<&Owned> = ids.iter().map(|id| &by_id[*id].0).collect();
    let arrays: Vec<_> = leaves.iter().map(|leaf| leaf.by_ref()).collect();

    let (flat_dtype, size) = (dtype(expect)?, whole::<usize>(member(expect, "size")?)?);
    let (mut flat, mut spans) =
        (Owned::stale(flat_dtype, size)?, vec![Span::default(); arrays.len()]);
    let ravel = ravel_into(&arrays, flat.by_mut(), &mut spans).map_err(say)?;
    same("dtype", ravel.dtype(), flat_dtype)?;
    same("size", ravel.len(), size)?;
    same("flat", &flat, &Owned::read(flat_dtype, member(expect, "flat")?)?)?;

    let theirs = each(member(expect, "spans")?, |json| {
        let number = |name| whole::<usize>(member(json, name)?);
        let shape: Vec<usize> = each(member(json, "shape")?, whole)?;
        Ok((number("id")?, number("offset")?, number("size")?, dtype(json)?, shape))
    })?;
    let ours = ravel
        .spans()
        .iter()
        .zip(&ids)
        .map(|(span, id)| (*id, span.offset, span.len, span.dtype, by_id[*id].1.clone()));
    same("spans", ours.collect(), theirs)?;

    let json = member(line, "vector")?;
    let vector = Owned::read(dtype(json)?, member(json, "data")?)?;
    let mixed = leaves.iter().any(|leaf| leaf.by_ref().dtype() != flat_dtype);
    // With one dtype everywhere the arrays become those of the vector.
    let mut back = Vec::new();
    for leaf in &arrays {
        let dtype = if mixed { leaf.dtype() } else { vector.by_ref().dtype() };
        back.push(Owned::stale(dtype, leaf.len())?);
    }
    let mut places: Vec<_> = back.iter_mut().map(Owned::by_mut).collect();
    let unraveled = ravel.unravel_into(vector.by_ref(), &mut places);
    match read_answer(member(expect, "unravel")?)? {
        Ok(json) => {
            unraveled.map_err(say)?;
            same("unraveled", &back, &each(json, |json| Ok(array(json)?.0))?)?;
            check_parts(&ravel, &vector, &arrays)
        }
        Err(raised) => {
            let refused = [unraveled.err(), ravel.unravel(vector.by_ref()).err()];
            check_refused(refused, &raised)
        }
    }
}

/// The borrowed parts are those of the vector, in its dtype.
fn check_parts(ravel: &Ravel<'_>, vector: &Owned, arrays: &[ArrayRef<'_>]) -> Read<()> {
    let parts: Vec<_> = ravel.unravel(vector.by_ref()).map_err(|e| e.to_string())?.collect();
    same("parts", parts.len(), arrays.len())?;
    let mut offset = 0;
    for (part, array) in parts.iter().zip(arrays) {
        let end = offset + array.len();
        same("part", Some(*part), vector.by_ref().get(offset..end))?;
        offset = end;
    }
    Ok(())
}

/// The kind of error and both sides of it.
fn check_refused(refused: [Option<Error>; 2], raised: &Raised) -> Read<()> {
    let theirs = match raised.class.as_str() {
        "ValueError" => {
            let numbers: Vec<usize> = raised
                .message
                .split(|c: char| !c.is_ascii_digit())
                .filter_map(|digits| digits.parse().ok())
                .collect();
            let [expected, 0, found] = numbers[..] else { return Err(raised.message.clone()) };
            Error::FlatLength { expected, found }
        }
        "TypeError" => {
            let words = raised.message.split([' ', ',']);
            let dtypes: Vec<_> = words.filter_map(Dtype::from_name).collect();
            let [found, expected] = dtypes[..] else { return Err(raised.message.clone()) };
            Error::WrongDtype { expected, found }
        }
        class => return Err(format!("raised {class}")),
    };
    same("refused", refused, [Some(theirs), Some(theirs)])
}

#[test]
fn ravel() {
    family("ravel", check);
}
