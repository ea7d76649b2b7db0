//~ error: `A` is only in `PhantomData`, so types that differ in `A` would have the same structure
//~ `#[tree(meta(name = ..))]` on the type with a value that differs, or `#[tree(skip(A))]` if none does
use core::marker::PhantomData;

#[derive(treedef::Tree)]
struct Dense<A> {
    w: [f32; 2],
    act: PhantomData<A>,
}

fn main() {}
