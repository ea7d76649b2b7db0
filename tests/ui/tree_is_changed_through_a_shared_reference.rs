//~ error[E0271]
//~ types differ in mutability

fn sgd(params: &[f32; 2], gradient: &[f32; 2]) {
    treedef::zip((params, gradient)).for_each(|p: &mut f32, g| *p -= g).ok();
}
