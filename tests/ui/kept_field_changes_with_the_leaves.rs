//~ error: `keep` clones a field, but a map changes the type of this field
#[derive(treedef::Tree)]
struct Layer<T> {
    w: T,
    #[tree(skip, keep)]
    last: Option<T>,
}

fn main() {}
