//~ error: a variant with data cannot be static data; use a struct, or an enum without data beside the fields

#[derive(treedef::Static)]
enum Window {
    Box,
    Kaiser(f32),
}
