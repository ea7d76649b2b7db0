//! `heapless`: `Vec` is a list.

use heapless::Vec;

use crate::containers::list::vector;
use crate::error::Error;
use crate::family::Family;
use crate::head::Kind;
use crate::rebuild::{Rebuild, Source};
use crate::shape::Shape;
use crate::sink::{Depth, Sink};
use crate::structure::Structure;
use crate::traverse::Siblings;
use crate::tree::{Build, MapTree, Read, Visit, Write, ZipPrefix};

/// Appends where there is room; a treedef with more elements than the vector holds is not one of its type.
fn push<T, const N: usize>(vector: &mut Vec<T, N>, element: T, needed: usize) -> Result<(), Error> {
    vector.push(element).map_err(|_| Error::NodesFull { needed, room: N })
}

vector!([, const N: usize] Vec<T, N>, push);
