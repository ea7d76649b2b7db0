//~ error: `keep` is for a field that is no part of the tree: `skip, keep`
#[derive(treedef::Tree)]
struct Layer {
    w: f32,
    #[tree(keep)]
    name: u8,
}

fn main() {}
