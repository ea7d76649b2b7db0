//! Structures made of structures.

use core::hint::black_box;

use treedef::algebra::{
    Change, Migration, broadcast_common, combine, combine_in_place, filter, migrate, migrate_with,
    partition, partition_in_place, replace_nones, transpose, transpose_map,
};
use treedef::container::Depth;
use treedef::encode::structure_bound;
use treedef::tree::Structure;
use treedef::{
    Head, KeyPath, Kind, TreeDef, View, Writer, broadcast_prefix, flatten_up_to, matches,
    structure_into,
};

use super::build::sample;
use super::{Done, keep, print, print_debug};

/// Compositions, changed nodes, and treedefs as children.
pub(super) fn structures() -> Done {
    let (mut bytes, mut out) = ([0; 512], [0; 4096]);
    let def = sample(&mut bytes)?;
    let pair = TreeDef::from_bytes(black_box(&[0x22, 0x01])).ok()?;
    let composed = TreeDef::compose(def, black_box(pair));
    let written = structure_into(&composed, &mut out).ok()?;
    matches(&composed, written).ok()?;
    keep(structure_bound(&composed).ok()?);
    keep(Structure::num_leaves(&composed).ok()?);
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
    keep(structure_bound(&transformed).ok()?);

    keep(structure_into(&black_box([pair, def]), &mut out).ok()?);
    keep(Depth::new(black_box(1)));
    Some(())
}

/// The prefix relation, common suffixes, and leaves under a prefix.
pub(super) fn prefixes() -> Done {
    let mut out = [0; 64];
    // [(*, *), (*, *), None] and [*, (*, *), None].
    let full = TreeDef::from_bytes(black_box(&[0x43, 0x22, 0x01, 0xA0, 0x02, 0xC0])).ok()?;
    let prefix = TreeDef::from_bytes(black_box(&[0x43, 0x00, 0x22, 0x01, 0xC0])).ok()?;
    TreeDef::check_prefix_of(prefix, full).ok()?;
    keep(TreeDef::check_prefix_of(full, prefix).err()?);
    keep(TreeDef::prefix_cmp(full, prefix).ok()?);
    let common = TreeDef::common_suffix(prefix, full);
    keep(structure_into(&common, &mut out).ok()?);
    keep(structure_bound(&common).ok()?);
    print_debug(&common)?;

    let numbers = black_box([1, 2, 3, 4]);
    let tree = View::new(full, &numbers).ok()?;
    keep(
        flatten_up_to(prefix, tree)
            .ok()?
            .map(|part| part.leaves().len())
            .fold(0, usize::wrapping_add),
    );
    keep(View::bare(full).leaves().len());
    let small = View::new(prefix, numbers.get(..3)?).ok()?;
    let (mut ours, mut theirs) = ([0; 4], [0; 4]);
    keep(broadcast_prefix(small, full, &mut ours).ok()?);
    keep(broadcast_common(small, tree, &mut ours, &mut theirs).ok()?);
    keep((ours, theirs));
    Some(())
}

/// Leaves turned inside out, taken apart and put together.
pub(super) fn leaves() -> Done {
    let mut out = [0; 64];
    let outer = TreeDef::from_bytes(black_box(&[0x42, 0x01])).ok()?;
    let inner = TreeDef::from_bytes(black_box(&[0x22, 0x01])).ok()?;
    let full = TreeDef::from_bytes(black_box(&[0x42, 0x22, 0x01, 0xA0, 0x02])).ok()?;
    let numbers = black_box([1, 2, 3, 4]);
    let tree = View::new(full, &numbers).ok()?;
    let (mut rows, mut turned) = ([0; 8], [0; 8]);
    keep(transpose(outer, inner, tree, &mut turned).ok()?);
    keep(transpose(inner, outer, tree, &mut turned).err()?);
    let doubled = transpose_map(tree, inner, &mut rows, &mut turned, |leaf, row| {
        row.fill(*leaf);
        Ok(())
    });
    keep(doubled.ok()?);
    let spec = View::new(outer, black_box(&[true, false])).ok()?;
    let (mut some, mut others, mut whole) = ([None; 4], [None; 4], [None; 4]);
    keep(partition(tree, spec, &mut some, &mut others).ok()?);
    keep(filter(tree, spec, &mut some).ok()?);
    keep(combine(&[&some, &others], &mut whole).ok()?);
    keep(partition_in_place(full, spec, &mut whole, &mut others).ok()?);
    keep(combine_in_place(&mut whole, &mut others).ok()?);
    let masked = TreeDef::leaves_to_none(full, black_box(&[true, false, true, true]));
    keep(structure_into(&masked, &mut out).ok()?);
    keep(structure_bound(&masked).ok()?);
    let nones = TreeDef::from_bytes(black_box(&[0x43, 0xC0, 0x01])).ok()?;
    let pair = View::new(nones, numbers.get(..2)?).ok()?;
    keep(replace_nones(pair, &9, &mut turned).ok()?);
    keep(structure_into(&TreeDef::nones_as_leaves(nones), &mut out).ok()?);
    Some(())
}

/// Leaves of an old structure in newer ones, and all that is reported.
pub(super) fn migrations() -> Done {
    let (mut bytes, mut other_bytes) = ([0; 512], [0; 128]);
    let sample = sample(&mut bytes)?;
    let node = |bytes: &mut [u8], name, fields: [&str; 3], last: TreeDef<'_>| -> Option<usize> {
        let mut out = Writer::new(bytes);
        let node = out.begin_struct(name, &fields);
        out.leaves(2);
        out.subtree(last);
        out.end(node);
        Some(out.finish().ok()?.as_bytes().len())
    };
    // The fields changed places, one has another name, and the last one is of another kind.
    let mut old_bytes = [0; 128];
    let len = node(&mut old_bytes, "a::Old", ["x", "y", "z"], TreeDef::NONE)?;
    let old = TreeDef::from_bytes(black_box(old_bytes.get(..len)?)).ok()?;
    let pair = TreeDef::from_bytes(black_box(&[0x43, 0x02])).ok()?;
    let len = node(&mut other_bytes, "a::New", ["n", "x", "z"], pair)?;
    let new = TreeDef::from_bytes(black_box(other_bytes.get(..len)?)).ok()?;
    let numbers = black_box([1u32; 64]);
    let aliases =
        black_box([("a::Old", "a::New"), ("a::Old.y", "n"), ("z[*]", "z[*].x"), ("x", "")]);
    let report = |report: Migration<'_>| {
        let _ = print(&report).and(print_debug(&report));
    };
    for (from, to) in [(old, new), (new, old), (sample, new), (old, sample), (sample, sample)] {
        let view = View::new(from, numbers.get(..from.num_leaves())?).ok()?;
        let mut leaves = [0; 64];
        keep(migrate(view, to, &mut leaves, &aliases, report).ok()?);
        let positive = |stored: &u32, leaf: &mut u32, _: KeyPath<'_, '_>| {
            *leaf = *stored;
            if black_box(*stored) > 0 { Ok(()) } else { Err("zero") }
        };
        keep(migrate_with(view, to, &mut leaves, &[], positive, report).ok()?);
        keep(migrate(view, to, &mut [], &[], report).is_err());
    }
    Some(())
}
