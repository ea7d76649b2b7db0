//~ a value of this type can have more choices than `Known` has bytes for: make `R` larger
//~ this type has no choices: its field `def` in `app::Loaded` has no schema
//~ a table has at least one entry
//~# 3

use treedef::cache::Known;
use treedef::{Tree, TreeDef};

#[derive(Tree)]
#[tree(name = "app::Loaded")]
struct Loaded<'d> {
    gain: f32,
    def: TreeDef<'d>,
}

const _: Known<(f32, [Option<f32>; 200]), u32, 8> = Known::new();
const _: Known<[Option<f32>; 200], u32, 8, 200> = Known::new();
const _: Known<Vec<Option<f32>>, u32, 8, 1> = Known::new();
const _: Known<Loaded<'static>, u32, 8> = Known::new();
const _: Known<f32, u32, 0> = Known::new();
