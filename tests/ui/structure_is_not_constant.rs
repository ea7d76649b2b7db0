//~ `structure_is_not_constant::Pid` has no constant treedef: its field `ki` depends on its value (an enum, `Option`, `Vec`, a map, a meta field): use structure_into

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    ki: Option<f32>,
}

pub const DEF: treedef::TreeDef<'static> = treedef::treedef_of::<Pid>();
