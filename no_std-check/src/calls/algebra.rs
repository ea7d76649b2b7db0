//! Structures made of structures.

use core::hint::black_box;

use treedef::{
    Change, Compose, Depth, DictKind, DictOf, Head, Kind, NodeOf, Transform, TreeDef, matches,
    structure_into, structure_len,
};

use super::build::sample;
use super::{Done, keep, print_debug};

/// Compositions, changed nodes, and treedefs as children.
pub(super) fn structures() -> Done {
    let (mut bytes, mut out) = ([0; 512], [0; 4096]);
    let def = sample(&mut bytes)?;
    let pair = TreeDef::from_bytes(black_box(&[0x22, 0x01])).ok()?;
    let composed = TreeDef::compose(def, black_box(pair));
    let written = structure_into(&composed, &mut out).ok()?;
    matches(&composed, written).ok()?;
    keep(structure_len(&composed).ok()?);
    keep(structure_len(&Compose::with_depth::<8>(composed)).ok()?);
    let bare = TreeDef::compose(def, black_box(TreeDef::NONE));
    keep(structure_into(&bare, &mut [0; 8]).err()?);
    print_debug(&composed)?;

    let change = |head: Head<'static>| match head.kind() {
        Kind::Leaf => Ok(Change::Subtree(TreeDef::NONE)),
        Kind::None => Ok(Change::Head(TreeDef::NONE.head())),
        _ => Ok(Change::Keep),
    };
    let static_def = TreeDef::from_bytes(black_box(&[0x43, 0x22, 0x01, 0xA0, 0x02, 0xC0])).ok()?;
    let transformed = TreeDef::transform(static_def, change);
    keep(structure_into(&transformed, &mut out).ok()?);
    keep(structure_len(&Transform::with_depth::<8>(transformed)).ok()?);

    keep(structure_into(&black_box([pair, def]), &mut out).ok()?);
    let keys = DictOf::new(DictKind::Sorted, black_box(["a", "b"]));
    keep(structure_into(&NodeOf(&keys, &[pair, def]), &mut out).ok()?);
    keep(structure_into(&NodeOf(&keys, &[pair]), &mut out).err()?);
    keep(structure_into(&TreeDef::one_level(def), &mut out).ok()?);
    let mut depth = Depth::new(black_box(1));
    Depth::allow(&mut depth, black_box(2));
    keep(depth);
    Some(())
}
