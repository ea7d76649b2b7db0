//~ `structure_is_not_constant::Pid` has no constant treedef, because of `ki`: an enum, `Option`, `Vec`, a map, a meta field without a literal, or more

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    ki: Option<f32>,
}

pub const DEF: treedef::TreeDef<'static> = treedef::treedef_of::<Pid>();
