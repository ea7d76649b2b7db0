//~ error[E0277]: `u32` is not a tree of `f32` leaves
//~ for leaves of several types, declare them with `treedef::leaf_types!`, and call `over(..).of::<Set>()`

treedef::leaf_types! {
    struct Param { owned Value, read ValueRef, write ValueMut, Float(f32), Count(u32) }
}

fn print(pid: &(f32, u32)) {
    treedef::over(pid).for_each(|_: ValueRef<'_>| ()).ok();
}
