//~ error: an enum with data cannot be a meta field; use a struct, or an enum without data and further fields

#[derive(treedef::Meta)]
enum Window {
    Box,
    Kaiser(f32),
}
