//~ `static_data_is_not_constant::Pid` has no constant treedef, because of `its value or a meta field`

const VERSION: u8 = 3;

#[derive(treedef::Tree)]
#[tree(meta(version = VERSION))]
struct Pid {
    kp: f32,
}

pub const DEF: treedef::TreeDef<'static> = treedef::treedef_of::<Pid>();
