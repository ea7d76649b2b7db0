//~ error[E0596]: cannot borrow `*p` as mutable, as it is behind a `&` reference

fn sgd(params: &[f32; 2], gradient: &[f32; 2]) {
    treedef::over((params, gradient)).for_each(|(p, g)| *p -= g).ok();
}
