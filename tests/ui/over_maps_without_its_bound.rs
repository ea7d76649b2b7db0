//~ error[E0277]: the leaves of `T` cannot become
//~ in generic code, add the bound `treedef::tree::MapTree<f32, f32, Output = T>`

fn sum<T: treedef::Tree<f32>>(a: &T, b: &T) -> T {
    treedef::over((a, b)).map(|(a, b): (&f32, _)| a + b).unwrap()
}
