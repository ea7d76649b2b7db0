//~ error[E0282]: type annotations needed

fn print(model: &(f32, u64)) {
    treedef::over(model).only().for_each(|_| ()).ok();
}
