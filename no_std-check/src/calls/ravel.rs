//! Arrays in one vector, and the arrays of a structure.

use core::hint::black_box;

use treedef::ravel::{ArrayMut, ArrayRef, Bf16, F16, Ravel, Span, ravel_into};
use treedef::{ArrayAt, Dtype, TreeDef, treedef_of};

use super::{Done, keep, print, print_debug};

/// Names, sizes and promotion.
pub(super) fn dtypes() -> Done {
    let (a, b) = (black_box(Dtype::Uint64), black_box(Dtype::Int8));
    keep((Dtype::name(a), Dtype::size(a), Dtype::promote(a, b)));
    keep(Dtype::from_name(black_box("float32"))?);
    keep(Dtype::promote_all(black_box([a, b, Dtype::Float16]))?);
    print(&a)?;
    print_debug(&a)
}

/// Floats of 16 bits.
pub(super) fn halves() -> Done {
    let (half, brain) = (F16::from_f32(black_box(0.1)), Bf16::from_f32(black_box(0.1)));
    keep((F16::to_f32(half), Bf16::to_f32(brain)));
    keep((F16::to_bits(half), Bf16::to_bits(brain)));
    keep((F16::from_bits(black_box(1)), Bf16::from_bits(black_box(1))));
    print_debug(&half)?;
    print_debug(&brain)
}

/// What arrays say of themselves.
pub(super) fn arrays() -> Done {
    let mut elements = black_box([1.0f32, 2.0, 3.0]);
    let array = ArrayRef::from(&elements);
    keep((ArrayRef::dtype(&array), ArrayRef::len(&array), ArrayRef::is_empty(&array)));
    keep(ArrayRef::get(&array, black_box(1..3))?);
    keep(<&[f32]>::try_from(array).ok()?);
    print_debug(&array)?;
    let mut array = ArrayMut::from(&mut elements);
    keep((ArrayMut::dtype(&array), ArrayMut::len(&array), ArrayMut::is_empty(&array)));
    keep(ArrayMut::as_ref(&array).len());
    keep(ArrayMut::reborrow(&mut array).len());
    keep(ArrayMut::get_mut(&mut array, black_box(0..4)).is_none());
    print_debug(&array)
}

/// One element of every dtype into a vector of each, and back.
pub(super) fn converted() -> Done {
    let mut table = [Span::default(); 16];
    let (mut bits, mut bytes, mut words) = ([true], [1u8], ([2u16], [3u32], [4u64]));
    let (mut small, mut ints) = ([-1i8], ([-2i16], [-3i32], [-4i64]));
    let (mut brain, mut half) = ([Bf16::from_f32(0.5)], [F16::from_f32(0.25)]);
    let (mut single, mut double) = ([0.5f32], [0.25f64]);
    let (mut pair, mut wide) = ([[1.0f32, 2.0]], [[3.0f64, 4.0]]);
    let mut flat = [[0.0f64; 2]; 16];
    let ravel = ravel_into(
        black_box(&[
            (&bits).into(),
            (&bytes).into(),
            (&words.0).into(),
            (&words.1).into(),
            (&words.2).into(),
            (&small).into(),
            (&ints.0).into(),
            (&ints.1).into(),
            (&ints.2).into(),
            (&brain).into(),
            (&half).into(),
            (&single).into(),
            (&double).into(),
            (&pair).into(),
            (&wide).into(),
        ]),
        black_box(&mut flat),
        black_box(&mut table),
    );
    let ravel = ravel.ok()?;
    let mut places = [
        (&mut bits).into(),
        (&mut bytes).into(),
        (&mut words.0).into(),
        (&mut words.1).into(),
        (&mut words.2).into(),
        (&mut small).into(),
        (&mut ints.0).into(),
        (&mut ints.1).into(),
        (&mut ints.2).into(),
        (&mut brain).into(),
        (&mut half).into(),
        (&mut single).into(),
        (&mut double).into(),
        (&mut pair).into(),
        (&mut wide).into(),
    ];
    let flat = flat.get(..Ravel::len(&ravel))?;
    Ravel::unravel_into(&ravel, black_box(flat), black_box(&mut places)).ok()?;
    keep(Ravel::unravel_into(&ravel, black_box(&[1i32]), black_box(&mut places)).err()?);
    print(&Ravel::unravel_into(&ravel, black_box(flat), places.get_mut(1..)?).err()?)
}

/// A layout, its questions, its parts and its refusals.
pub(super) fn laid_out() -> Done {
    let mut table = [Span::default(); 3];
    let sizes = black_box([(Dtype::Float32, 2), (Dtype::Float32, 1)]);
    keep(Ravel::new(sizes, table.get_mut(..1)?).err()?);
    let ravel = Ravel::new(sizes, &mut table).ok()?;
    keep((Ravel::dtype(&ravel), Ravel::len(&ravel), Ravel::is_empty(&ravel)));
    keep(Span::range(Ravel::spans(&ravel).first()?));
    let mut flat = [0.0f32; 3];
    let arrays = [ArrayRef::from(&[1.0f32, 2.0]), ArrayRef::from(&[3.0f32])];
    Ravel::ravel_into(&ravel, black_box(&arrays), black_box(&mut flat)).ok()?;
    print(&Ravel::ravel_into(&ravel, black_box(&arrays), black_box(&mut [0u8; 3])).err()?)?;
    print(&Ravel::ravel_into(&ravel, black_box(&arrays), black_box(&mut [0.0f32; 2])).err()?)?;
    let parts = Ravel::unravel(&ravel, black_box(&flat)).ok()?;
    print_debug(&parts)?;
    parts.for_each(keep);
    print_debug(&ravel)
}

/// The table of offsets of a structure.
pub(super) fn of_a_structure() -> Done {
    let def = black_box(treedef_of::<[([[f32; 3]; 2], f32, ()); 3]>());
    let mut arrays = TreeDef::arrays(&def);
    for array in &mut arrays {
        let array = array.ok()?;
        keep((ArrayAt::range(&array), ArrayAt::treedef(&array)));
        ArrayAt::shape(&array).for_each(keep);
        print(&ArrayAt::path(&array))?;
        print_debug(&array)?;
    }
    print_debug(&arrays)
}
