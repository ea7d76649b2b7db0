//~ the structure of this type depends on its value, or is above MAX_CONST_BYTES

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    ki: Option<f32>,
}

pub const DEF: treedef::TreeDef<'static> = treedef::treedef_of::<Pid>();
