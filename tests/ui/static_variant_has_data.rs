//~ error: a variant with data cannot be data of a structure; use a struct, or an enum without data beside the fields

#[derive(treedef::Meta)]
enum Window {
    Box,
    Kaiser(f32),
}
