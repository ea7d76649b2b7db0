//~ error: an enum cannot be transparent: its node says which variant a value is
//~ | #[tree(transparent)]
//~# 1

#[derive(treedef::Tree)]
#[tree(transparent)]
enum Mode {
    Off(f32),
}

fn main() {
    let _ = treedef::over(&Mode::Off(1.0)).for_each(|_: &f32| ());
}
