//~# 1
//~ error[E0594]: cannot assign to `*leaf`, which is behind a `&` reference
//~ `leaf` is a `&` reference, so it cannot be written to
pub fn increased(tree: &(f32, [f32; 2])) -> Result<(), treedef::Error> {
    treedef::over(tree).for_each(|leaf| *leaf += 1.0)
}
