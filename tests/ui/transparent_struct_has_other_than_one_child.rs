//~ error: a transparent struct has one field that is a tree or a leaf, and the others are `skip`: this one has 2 such fields
//~ error: a transparent struct has one field that is a tree or a leaf, and the others are `skip`: this one has 0 such fields
//~# 3

use core::marker::PhantomData;

#[derive(treedef::Tree)]
#[tree(transparent)]
struct Pair(f32, f32);

/// Without `skip`, it is an empty tuple in the structure.
#[derive(treedef::Tree)]
#[tree(transparent)]
struct Marked(f32, PhantomData<u8>);

#[derive(treedef::Tree)]
#[tree(transparent)]
struct Nothing {
    #[tree(skip)]
    calls: u32,
}
