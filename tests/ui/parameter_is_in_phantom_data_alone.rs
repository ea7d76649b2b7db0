//~ error: `A` is in `PhantomData` alone, so types with another `A` would have one structure
//~ say what differs by `#[tree(meta(name = ..))]` on the type, or that nothing does by `#[tree(skip(A))]`
use core::marker::PhantomData;

#[derive(treedef::Tree)]
struct Dense<A> {
    w: [f32; 2],
    act: PhantomData<A>,
}

fn main() {}
