//~ expected `is_positive` to return `f32`, but it returns `bool`

#[derive(treedef::Tree)]
struct Layer<T> {
    w: T,
    #[tree(skip)]
    last: Option<T>,
}

fn is_positive(w: &f32) -> bool {
    *w > 0.0
}

fn main() {
    let layer = Layer { w: 1.0f32, last: None };
    treedef::map(&layer, |w| 2.0 * w).unwrap();
    treedef::map(&layer, is_positive).unwrap();
}
