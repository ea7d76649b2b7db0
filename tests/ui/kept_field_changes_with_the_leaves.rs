//~ error: `keep` copies a field as it is: a map changes the type of this one
#[derive(treedef::Tree)]
struct Layer<T> {
    w: T,
    #[tree(skip, keep)]
    last: Option<T>,
}

fn main() {}
