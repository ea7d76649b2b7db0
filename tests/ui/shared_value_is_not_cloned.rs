//~# 1
//~ the trait `Clone` is not implemented for `Counter`
//~ required for `Counter` to implement `ToOwned`
//~ consider annotating `Counter` with `#[derive(Clone)]`

#[derive(treedef::Tree)]
struct Counter {
    ticks: u32,
}

#[derive(treedef::Tree)]
struct Device {
    counter: std::sync::Arc<Counter>,
}
