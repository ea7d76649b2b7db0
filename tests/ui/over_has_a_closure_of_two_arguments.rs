//~# 3
//~ error[E0593]: closure is expected to take a single 2-tuple as argument, but it takes 2 distinct arguments
//~ for_each(|(p, g)| *p -= g)
//~ for_each(|(p, keep)| *p *= keep)
//~ error[E0593]: closure is expected to take 2 arguments, but it takes 1 argument

fn sgd(params: &mut [f32; 2], gradient: &[f32; 2]) {
    treedef::over((params, gradient)).for_each(|p, g| *p -= g).ok();
}

fn masked(params: &mut [f32; 2]) {
    treedef::over(params).with_leaves([0.0, 1.0]).for_each(|p, keep| *p *= keep).ok();
}

fn print(params: &[f32; 2]) {
    treedef::over(params).paths().for_each(|x| ()).ok();
}
