//~ error[E0277]: the closure returns `Option<u32>`
//~ returns neither `()` nor `Result<(), E>` nor `ControlFlow<B>`
//~ end the closure with `;` if its last value is not used

fn last(numbers: &[u32; 2]) {
    let mut last = None;
    treedef::over(numbers).for_each(|x| last.replace(*x)).ok();
}
