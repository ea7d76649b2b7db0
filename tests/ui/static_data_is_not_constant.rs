//~ the meta fields of this type is no constant (a field `#[tree(meta)]`, or `meta(..)` of what is no literal): use

const VERSION: u8 = 3;

#[derive(treedef::Tree)]
#[tree(meta(version = VERSION))]
struct Pid {
    kp: f32,
}

pub const DEF: treedef::TreeDef<'static> = treedef::treedef_of::<Pid>();
