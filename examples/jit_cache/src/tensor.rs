//! The leaves: arrays on the heap.

use std::cell::Cell;

use treedef::cache::{Dtype, KeyPart, KeyWriter};

/// An array with a shape.
///
/// Its elements are cells, as those of a device buffer: who holds a reference to a tensor can write it. So a tree is
/// only ever borrowed shared, one tensor may stand in two places (tied weights), and compiled code may write.
#[derive(Clone, Debug)]
pub struct Tensor {
    shape: Box<[usize]>,
    data: Data,
}

/// The elements. Kernels compute on floats; the others are there to be refused.
#[derive(Clone, Debug)]
enum Data {
    Float32(Box<[Cell<f32>]>),
    Int32(Box<[i32]>),
}

treedef::leaf!(Tensor);

impl Tensor {
    /// An array of floats, each made from its position.
    pub fn from_fn(shape: &[usize], element: impl FnMut(usize) -> f32) -> Self {
        let elements = (0..shape.iter().product()).map(element).map(Cell::new);
        Self { shape: shape.into(), data: Data::Float32(elements.collect()) }
    }

    /// Zeros.
    pub fn zeros(shape: &[usize]) -> Self {
        Self::from_fn(shape, |_| 0.0)
    }

    /// Integers, all zero.
    pub fn int_zeros(shape: &[usize]) -> Self {
        Self { shape: shape.into(), data: Data::Int32(vec![0; shape.iter().product()].into()) }
    }

    /// The type of the elements.
    pub const fn dtype(&self) -> Dtype {
        match self.data {
            Data::Float32(_) => Dtype::Float32,
            Data::Int32(_) => Dtype::Int32,
        }
    }

    /// The elements, if they are floats.
    pub const fn floats(&self) -> Option<&[Cell<f32>]> {
        match &self.data {
            Data::Float32(elements) => Some(elements),
            Data::Int32(_) => None,
        }
    }

    /// A copy of the elements, as floats.
    pub fn to_vec(&self) -> Vec<f32> {
        match &self.data {
            Data::Float32(elements) => elements.iter().map(Cell::get).collect(),
            Data::Int32(elements) => elements.iter().map(|element| *element as f32).collect(),
        }
    }
}

/// Code depends on the dtype and the shape.
impl KeyPart for Tensor {
    fn write_key(&self, key: &mut KeyWriter<'_>) {
        key.array(self.dtype(), false, &self.shape);
    }
}
