//~ a leaf of this type has no dtype, or the key is above MAX_CONST_BYTES: use CallKey::of_tree
//~ this type has no constant treedef: it depends on its value (an enum, `Option`, `Vec`, a map, a meta field): use structure_into
//~ this type has no constant treedef: it has more than 64 levels, or than 2^32 leaves: use structure_into

use treedef::CallKey;

pub const NAMED: CallKey<'static> = CallKey::of_type::<(f32, char)>();
pub const VARIES: CallKey<'static> = CallKey::of_type::<(f32, Option<f32>)>();
pub const MANY: treedef::TreeDef<'static> = treedef::treedef_of::<[[f32; 65536]; 65537]>();
