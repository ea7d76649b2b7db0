//~ error[E0277]: `T` is not a tree prefix of
//~ generic code over two trees of one type asks for it by the bound `T: treedef::Tree<f32> + treedef::ZipPrefix<f32, f32, T>`

fn dot<T: treedef::Tree<f32>>(a: &T, b: &T) -> Result<f32, treedef::Error> {
    let mut sum = 0.0;
    treedef::zip_prefix(a, b, |x: &f32, y: &f32| sum += x * y)?;
    Ok(sum)
}
