//! Describes the structure of types at compile time.

use core::fmt;

use crate::base::attempt::attempt;
use crate::base::dtype::Dtype;
use crate::base::error::Error;
use crate::base::show::{Named, Text, Texts, record, tuple};
use crate::encode::arithmetic::small;
use crate::encode::writer::Writer;
use crate::format::entry::KeyEntry;
use crate::format::value::Value;

/// The structure of a type, as far as the type determines it: a graph of constants.
///
/// It gives the number of leaves if the shape is fixed, and also the treedef and the fingerprint if all meta fields are
/// constants.
///
/// # Examples
///
/// ```
/// use treedef::container::{Shape, Shapes};
/// use treedef::tree::Structure;
///
/// assert_eq!(<[f32; 3] as Structure>::SHAPE.num_leaves(), Some(3));
/// const PAIR: Shape = Shape::Tuple(Shapes::new(&[&Shape::Leaf(None), &Shape::List(2, &Shape::Leaf(None))]));
/// assert_eq!(PAIR.num_leaves(), Some(3));
/// assert_eq!(<Option<f32> as Structure>::SHAPE.num_leaves(), None);
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Shape {
    /// One leaf; of this dtype, if the type is a number, `bool` or a float of `half`.
    Leaf(Option<Dtype>),
    /// A tuple.
    Tuple(Shapes),
    /// A list of equal elements.
    List(usize, &'static Shape),
    /// A struct.
    Struct {
        /// The type name with its path.
        name: &'static str,
        /// The names of the fields that hold trees.
        fields: &'static [&'static str],
        /// The shapes of those fields.
        children: Shapes,
        /// The meta fields with their values; `None` if the values are not constants.
        ///
        /// A constant treedef can have numbers below `2⁶³`, `bool`, strings and `None` as meta fields. With tuples,
        /// bytes or larger numbers the treedef is made from the value at run time.
        meta: Option<&'static [(&'static str, Value<'static>)]>,
    },
    /// A list of any number of elements of a shape.
    ListOf(ShapeOf),
    /// `None`, or a value of a shape that is no `None` itself.
    Optional(ShapeOf),
    /// The structure depends on the value: enums, maps, options of options.
    Varies,
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Leaf(dtype) => tuple(f, "Leaf", &[dtype]),
            Shape::Tuple(children) => tuple(f, "Tuple", &[children]),
            Shape::List(count, of) => tuple(f, "List", &[count, of]),
            Shape::Struct { name, fields, children, meta } => {
                let (name, fields, meta) = (Text(name), Texts(fields), meta.map(Named));
                record(
                    f,
                    "Struct",
                    &[
                        ("name", &name),
                        ("fields", &fields),
                        ("children", children),
                        ("meta", &meta),
                    ],
                )
            }
            Shape::ListOf(of) => tuple(f, "ListOf", &[of]),
            Shape::Optional(of) => tuple(f, "Optional", &[of]),
            Shape::Varies => f.write_str("Varies"),
        }
    }
}

/// The shapes of the children of a node, with the number of their leaves, so that it is counted once for each type.
///
/// # Examples
///
/// ```
/// use treedef::container::{Shape, Shapes};
///
/// const CHILDREN: Shapes = Shapes::new(&[&Shape::Leaf(None), &Shape::List(2, &Shape::Leaf(None))]);
/// assert_eq!(CHILDREN.as_slice().len(), 2);
/// assert_eq!(Shape::Tuple(CHILDREN).num_leaves(), Some(3));
/// ```
#[derive(Clone, Copy)]
pub struct Shapes {
    shapes: &'static [&'static Shape],
    leaves: Option<usize>,
}

impl fmt::Debug for Shapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shapes.fmt(f)
    }
}

impl Shapes {
    /// Takes the shapes of all children, in order. [`Shapes`] has an example.
    #[must_use]
    pub const fn new(shapes: &'static [&'static Shape]) -> Self {
        Self { shapes, leaves: leaves_of(shapes) }
    }

    /// The shape of each child. [`Shapes`] has an example.
    #[must_use]
    #[inline]
    pub const fn as_slice(&self) -> &'static [&'static Shape] {
        self.shapes
    }
}

/// The number of leaves of adjacent children, if their types determine it.
pub(crate) const fn leaves_of(mut children: &[&Shape]) -> Option<usize> {
    let mut sum = 0usize;
    while let [first, after @ ..] = children {
        // Most children are leaves, which take no call.
        let leaves = if let Shape::Leaf(_) = first { 1 } else { attempt!(first.num_leaves()) };
        sum = attempt!(sum.checked_add(leaves));
        children = after;
    }
    Some(sum)
}

/// The shape of a type, which is looked up when it is asked for: a type can be in its own shape.
///
/// # Examples
///
/// ```
/// use treedef::container::Shape;
/// use treedef::tree::Structure;
///
/// let Shape::Optional(of) = <Option<f32>>::SHAPE else { unreachable!() };
/// assert_eq!(of.0().num_leaves(), Some(1));
/// ```
#[derive(Clone, Copy)]
pub struct ShapeOf(
    /// Returns the shape.
    pub fn() -> &'static Shape,
);

/// The shape can contain itself, so it is not printed.
impl fmt::Debug for ShapeOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

/// What [`Shape::describe`] keeps if the type does not determine the treedef. The error does not leave this module.
const VARIES: Error = Error::ValueChanged;

impl Shape {
    /// The number of leaves, if the type determines it.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::{Shape, Shapes};
    ///
    /// assert_eq!(Shape::List(3, &Shape::Leaf(None)).num_leaves(), Some(3));
    /// assert_eq!(Shape::Tuple(Shapes::new(&[&Shape::Leaf(None), &Shape::Varies])).num_leaves(), None);
    /// ```
    #[must_use]
    pub const fn num_leaves(&self) -> Option<usize> {
        match self {
            Shape::Leaf(_) => Some(1),
            Shape::ListOf(_) | Shape::Optional(_) | Shape::Varies => None,
            Shape::List(count, of) => match of.num_leaves() {
                Some(leaves) => leaves.checked_mul(*count),
                // A list without elements has no leaves, whatever an element would have.
                None if *count == 0 => Some(0),
                None => None,
            },
            Shape::Tuple(children) | Shape::Struct { children, .. } => children.leaves,
        }
    }

    /// The name and the shape of a child of a node of fixed arity.
    #[inline]
    pub(crate) fn child(&self, index: usize) -> Option<(KeyEntry<'static>, &'static Shape)> {
        let position = KeyEntry::Index(small(index));
        match self {
            Shape::Struct { fields, children, .. } => {
                Some((KeyEntry::Attr(fields.get(index)?), *children.as_slice().get(index)?))
            }
            Shape::Tuple(children) => Some((position, *children.as_slice().get(index)?)),
            Shape::List(count, of) if index < *count => Some((position, *of)),
            _ => None,
        }
    }

    /// The dtype of a leaf.
    pub(crate) const fn dtype(&self) -> Option<Dtype> {
        if let Shape::Leaf(dtype) = self { *dtype } else { None }
    }

    /// Whether the type determines the whole treedef, and its heads can be written in `const`.
    pub(crate) const fn is_const(&self) -> bool {
        let mut out = Writer::count_leaves();
        self.describe(&mut out);
        !matches!(out.outcome(), Err(VARIES))
    }

    pub(super) const fn describe(&self, out: &mut Writer<'_>) {
        let (node, mut rest) = match self {
            Shape::Leaf(_) => return out.leaves(1),
            Shape::ListOf(_) | Shape::Optional(_) | Shape::Varies => {
                return out.fail(VARIES);
            }
            Shape::List(count, of) => {
                let node = out.begin_list(*count);
                if let Some(copies) = count.checked_sub(1) {
                    of.describe(out);
                    out.repeat(copies);
                }
                return out.end(node);
            }
            Shape::Tuple(children) => {
                (out.begin_tuple(children.as_slice().len()), children.as_slice())
            }
            Shape::Struct { meta: None, .. } => return out.fail(VARIES),
            Shape::Struct { name, fields, children, meta: Some(meta) } => {
                (out.begin_struct_with(name, fields, meta), children.as_slice())
            }
        };
        while let [first, after @ ..] = rest {
            first.describe(out);
            rest = after;
        }
        out.end(node);
    }
}
