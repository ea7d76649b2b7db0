//! Arrays in one vector and back, and the arrays of a structure.

use treedef::ravel::{ArrayMut, ArrayRef, Bf16, F16, Ravel, Span, ravel_into};
use treedef::{Dtype, treedef_of};

use crate::report::{Case, Missing, Outcome, Report};

pub const CASES: &[Case] = &[
    ("arrays and back", there_and_back),
    ("floats of 16 bits", halves),
    ("arrays of a structure", of_a_structure),
];

fn there_and_back(report: &mut Report<'_>) -> Outcome {
    let mut table = [Span::default(); 3];
    let (mut weights, mut steps, mut flags) = ([1.5f32, -2.5], [3i16], [true, false]);
    let mut flat = [0.0f32; 5];
    let arrays = [ArrayRef::from(&weights), (&steps).into(), (&flags).into()];
    let ravel = ravel_into(&arrays, &mut flat, &mut table)?;
    report.leaves("flat", &flat);
    report.same(ravel.dtype(), Dtype::Float32)?;
    flat.iter_mut().for_each(|value| *value += 1.0);
    let mut places = [ArrayMut::from(&mut weights), (&mut steps).into(), (&mut flags).into()];
    ravel.unravel_into(&flat, &mut places)?;
    report.same((weights, steps, flags), ([2.5, -1.5], [4], [true, true]))?;
    let sizes = [(Dtype::Float32, 2), (Dtype::Int8, 1)];
    report.fact("table full", Ravel::new(sizes, &mut table[..1]).err().ok_or(Missing)?);
    let names = [Dtype::Bool, Dtype::Int8, Dtype::Uint64, Dtype::Float16, Dtype::Complex64];
    for (a, b) in names.iter().flat_map(|a| names.iter().map(move |b| (*a, *b))) {
        report.fact("promoted", format_args!("{a} {b} {:?}", a.promote(b)));
    }
    Ok(())
}

fn halves(report: &mut Report<'_>) -> Outcome {
    for value in [0.1, 65504.0, 65520.0, 1e-7, -0.0, f32::INFINITY, f32::NAN, 1.0 + 1.0 / 2048.0] {
        let (half, brain) = (F16::from_f32(value).to_bits(), Bf16::from_f32(value).to_bits());
        report.fact("halves", format_args!("{half:04x} {brain:04x}"));
    }
    let exact = (0..=u16::MAX)
        .filter(|bits| F16::from_f32(F16::from_bits(*bits).to_f32()).to_bits() == *bits);
    report.fact("exact", exact.count());
    Ok(())
}

fn of_a_structure(report: &mut Report<'_>) -> Outcome {
    for array in treedef_of::<[([[f32; 3]; 2], f32, ()); 3]>().arrays() {
        let array = array?;
        let rank = array.shape().count();
        report.fact("array", format_args!("{} {:?} rank {rank}", array.path(), array.range()));
    }
    Ok(())
}
