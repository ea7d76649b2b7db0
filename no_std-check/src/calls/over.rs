//! Each method of the builder `over`. `tests/main/public_functions.rs` looks for them here, as `.method(`.

use core::hint::black_box;
use core::ops::ControlFlow;

use treedef::tree::TryError;
use treedef::{Error, over, visitor};

use super::{Done, keep};

type Tree = (f32, Option<[f32; 2]>, [Option<f32>; 2]);
type Mixed = (f32, Option<[u16; 2]>, f64);

fn tree() -> Tree {
    black_box((1.0, Some([2.0, 3.0]), [None, Some(4.0)]))
}

fn mixed() -> Mixed {
    black_box((1.0, Some([2, 3]), 4.0))
}

/// A trait of a library.
trait Weight {
    fn halve(&mut self) {}
}

impl Weight for f32 {
    fn halve(&mut self) {
        *self *= 0.5;
    }
}

impl Weight for u16 {}

impl Weight for f64 {}

treedef::leaf_trait! {
    /// All of them.
    struct Weights: dyn Weight
}

/// Which leaves are shown.
pub(super) fn shown() -> Done {
    let (mut one, other) = (mixed(), mixed());
    over((&mut one, &other)).only::<f32>().for_each(|(a, b)| *a += b).ok()?;
    keep(over(&one).only::<u8>().for_each(|_| ()).err()?);
    over(&one).only::<u8>().or_none().for_each(keep).ok()?;
    keep(over(&one).only::<u16>().count().ok()?);
    over(&mut one).of::<Weights>().for_each(|weight| weight.halve()).ok()?;
    let halved = over(&mut one).of::<Weights>().paths().for_each(|path, weight| {
        if path.len() > black_box(1) {
            weight.halve();
        }
    });
    keep(halved.is_ok());
    let by = black_box(2u8);
    let set = visitor!([by: u8] <T: Copy + From<u8>> |mut a, b| {
        keep(b);
        *a = T::from(*by);
    });
    over((&mut one, &other)).types::<(f32, u16)>().visit(set).ok()
}

/// What is beside the leaves.
pub(super) fn beside() -> Done {
    let (mut one, other) = (tree(), tree());
    over(&mut one).with_leaves(black_box([1.0; 4])).for_each(|(a, by)| *a += by).ok()?;
    keep(over(&one).with_leaves(black_box([1, 2])).for_each(keep).err()?);
    keep(over(&one).with_leaves(black_box([1; 5])).paths().for_each(|_, leaf| keep(leaf)).err()?);
    keep(over(&one).with_leaves(black_box([1.0; 4])).map(|(a, by)| a + by).ok()?);
    let rates = black_box((1.0f32, 2.0f32, 3.0f32));
    over((&mut one, &other)).under(&rates).for_each(|((a, b), by)| *a += b * by).ok()?;
    over(&mut one)
        .with(&other)
        .with_leaves(black_box([(); 4]))
        .for_each(|((a, b), ())| *a = *b)
        .ok()?;
    keep(over(&one).with(&other).check().is_ok());
    Some(())
}

/// What is done with the leaves.
pub(super) fn done() -> Done {
    let (mut one, other) = (tree(), tree());
    let large = |x: &f32| if *x > 2.0 { ControlFlow::Break(*x) } else { ControlFlow::Continue(()) };
    keep(over(&one).for_each(large).ok()?);
    keep(over((&one, &other)).fold(0.0, |x, (a, b)| x + a * b).ok()?);
    keep(over((&one, &other)).map(|(a, b)| a < b).ok()?);
    let small = |x: &f32| if *x < 2.0 { Ok(*x) } else { Err(TryError::User(())) };
    keep(over(&one).try_map(small).is_ok());
    keep(over(&one).paths().try_map(|_, x| small(x)).is_ok());
    keep(over(&one).paths().map(|path, _| path.len()).ok()?);
    // The optimiser does not see that the runs have one length, so `copy_from_slice` would keep its panic.
    over((&mut one, &other))
        .runs()
        .for_each(|(a, b)| a.iter_mut().zip(b).for_each(|(a, b)| *a = *b))
        .ok()?;
    keep(
        over(&mut one)
            .check()
            .ok()?
            .for_each(|x| if *x > 2.0 { Err(Error::TooLarge) } else { Ok(()) }),
    );
    Some(())
}
