//~ type annotations needed
//~ multiple `impl`s satisfying `f32: LeafOf<_>` found
//~! WrapForeignTypeInAsLeaf

treedef::leaf_types! {
    pub struct Param {
        owned Value,
        read ValueRef,
        write ValueMut,
        run ValueRun,
        Float(f32),
        Count(u32),
    }
}

fn print(floats: &[f32; 2]) {
    treedef::for_each(floats, |x| println!("{x:?}")).ok();
}
