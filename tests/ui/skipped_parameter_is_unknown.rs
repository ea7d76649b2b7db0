//~ error: `B` is not a type or const parameter of this type
#[derive(treedef::Tree)]
#[tree(skip(B))]
struct Conv<const K: usize> {
    w: [f32; 2],
}

fn main() {}
