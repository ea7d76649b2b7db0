//~ error[E0277]: `M` has neither the structure of `T` nor that of a prefix of it
//~ in generic code, add the bound `M: treedef::tree::ZipPrefix<bool, f32, T>`

fn masked<T: treedef::Tree<f32>, M: treedef::Tree<bool>>(p: &mut T, mask: &M) -> Result<(), treedef::Error> {
    treedef::over(p).with(mask).for_each(|(p, keep): (&mut f32, &bool)| *p *= f32::from(*keep))
}
