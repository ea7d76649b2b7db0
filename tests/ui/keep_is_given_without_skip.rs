//~ error: `keep` needs `skip`: `#[tree(skip, keep)]`
#[derive(treedef::Tree)]
struct Layer {
    w: f32,
    #[tree(keep)]
    name: u8,
}

fn main() {}
