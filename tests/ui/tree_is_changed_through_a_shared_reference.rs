//~ error[E0631]: type mismatch in closure arguments
//~ expected closure signature `fn(&_, &f32) -> _`

fn sgd(params: &[f32; 2], gradient: &[f32; 2]) {
    treedef::over((params, gradient)).for_each(|(p, g): (&mut f32, _)| *p -= g).ok();
}
