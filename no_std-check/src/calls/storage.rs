//! Where treedefs are kept: arenas and owned treedefs.

use core::hint::black_box;

use treedef::{Arena, TreeDef, TreeDefBuf, head};

use super::build::sample;
use super::{Done, keep, print, print_debug};

/// Treedefs, heads and bytes in an arena over a slice.
pub(super) fn arenas() -> Done {
    let (mut bytes, mut storage) = ([0; 512], [0; 1024]);
    let def = sample(&mut bytes)?;
    let mut arena = Arena::new(black_box(&mut storage));
    keep(Arena::add(&arena, black_box(def)).ok()?);
    keep(Arena::structure(&arena, &black_box((1.0f32, Some([2.0f32])))).ok()?);
    keep(Arena::head(&arena, &head::List(black_box(3))).ok()?);
    keep(Arena::bytes(&arena, black_box(b"abc")).ok()?);
    keep(Arena::str(&arena, black_box("abc")).ok()?);
    keep(Arena::build(&arena, |out| out.leaves(1)).ok()?);
    keep(Arena::write(&arena, |free| Ok((usize::from(!free.is_empty()), ()))).ok()?);
    keep(Arena::remaining(&arena));
    print_debug(&arena)?;
    let scratch = Arena::scratch(&mut arena);
    keep(Arena::bytes(&scratch, black_box(&[0; 2000])).err()?);
    Some(())
}

/// Treedefs that own their bytes.
pub(super) fn owned() -> Done {
    let pair = TreeDef::from_bytes(black_box(&[0x22, 0x01])).ok()?;
    let children = black_box([pair, pair, TreeDef::LEAF]);
    let list = TreeDefBuf::<16>::list(&children).ok()?;
    keep(TreeDefBuf::as_treedef(&list));
    keep(TreeDefBuf::<16>::tuple(&children).ok()?);
    keep(TreeDefBuf::<16>::dict(black_box(&["a", "b", "c"]), &children).ok()?);
    keep(TreeDefBuf::<16>::dict(black_box(&["b", "a", "c"]), &children).err()?);
    keep(TreeDefBuf::<4>::structure(&black_box((1.0f32, [2.0f32; 2]))).ok()?);
    keep(TreeDefBuf::<4>::build(|out| out.none()).ok()?);
    keep(TreeDefBuf::<1>::from_treedef(black_box(pair)).err()?);
    let same = TreeDefBuf::<16>::from_treedef(list.as_treedef()).ok()?;
    keep((same == list, same.cmp(&list)));
    print(&list)?;
    print_debug(&list)
}
