//! A prefix of a struct lists the fields of both in one order, and all of them.
//~ `prefix!` lists the fields of `prefix_lists_other_fields::Rates` in their order: all that are neither `meta` nor `skip`
//~ `prefix!` lists the fields of `prefix_lists_other_fields::Mlp` in their order
use treedef::Tree;

#[derive(Tree)]
struct Mlp {
    encoder: [f32; 2],
    decoder: f32,
}

#[derive(Tree)]
struct Rates {
    encoder: f32,
    decoder: f32,
}

treedef::prefix!(Rates { decoder, encoder }: f32, of Mlp: f32);

#[derive(Tree)]
struct Rate {
    encoder: f32,
}

treedef::prefix!(Rate { encoder }: f32, of Mlp: f32);

fn main() {}
