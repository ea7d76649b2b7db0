//~ `static_data_is_not_constant::Pid` has no constant treedef: its meta field `version` has no constant value: use structure_into
//~ `static_data_is_not_constant::Large` has no constant treedef: its meta field `id` has no constant value: use structure_into
//~ `static_data_is_not_constant::Unit` has no constant treedef: its meta field `UNIT` has no constant value: use structure_into
//~ `static_data_is_not_constant::Outer` has no constant treedef: its field `pid` depends on its value
//~# 4

const VERSION: u8 = 3;

#[derive(treedef::Tree)]
#[tree(meta(version = VERSION))]
struct Pid {
    kp: f32,
}

#[derive(treedef::Tree)]
#[tree(meta(version = 3, id = 18_446_744_073_709_551_615_u64))]
struct Large {
    kp: Option<f32>,
}

#[derive(treedef::Tree)]
struct Unit<const UNIT: char> {
    kp: f32,
}

#[derive(treedef::Tree)]
#[tree(meta(version = 3))]
struct Outer {
    kp: f32,
    pid: Pid,
}

pub const NAMED: treedef::TreeDef<'static> = treedef::treedef_of::<Pid>();
pub const LARGE: treedef::TreeDef<'static> = treedef::treedef_of::<Large>();
pub const PARAMETER: treedef::TreeDef<'static> = treedef::treedef_of::<Unit<'m'>>();
pub const INSIDE: treedef::TreeDef<'static> = treedef::treedef_of::<Outer>();
