//~ error[E0277]: the leaves of `T` cannot become
//~ in generic code, add the bound `treedef::tree::MapTree<f32, f32, Output = T>`

fn doubled<T: treedef::Tree<f32>>(tree: &T) -> T {
    treedef::map(tree, |x: &f32| x * 2.0).unwrap()
}
