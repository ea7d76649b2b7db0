//~# 1
//~ error[E0277]: `str` is not a tree
//~ `String`
//~ `treedef::tree::AsLeaf<&'static str>`

#[derive(treedef::Tree)]
struct Device {
    name: &'static str,
    rate: f32,
}
