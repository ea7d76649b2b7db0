//~ a leaf of this type has no dtype, or the key is above MAX_CONST_BYTES: use CallKey::of_tree
//~ `this type` has no constant treedef, because of `its value or a meta field`

use treedef::CallKey;

pub const NAMED: CallKey<'static> = CallKey::of_type::<(f32, char)>();
pub const VARIES: CallKey<'static> = CallKey::of_type::<(f32, Option<f32>)>();
