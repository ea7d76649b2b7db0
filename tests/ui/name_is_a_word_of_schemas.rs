//~ `a list` is what schemas call a part without a name: give the struct another name, by `#[tree(name = "..")]`
//~ `an enum` is what schemas call a part without a name
//~ `any tree` is what schemas call a part without a name
//~ `a recursion` is what schemas call a part without a name
//~# 4

#[derive(treedef::Tree)]
#[tree(name = "a list")]
struct List {
    of: u8,
}

#[derive(treedef::Tree)]
#[tree(name = "app::Mode")]
enum Mode {
    Off,
    On(Choice),
}

#[derive(treedef::Tree)]
#[tree(name = "an enum")]
struct Choice {
    kp: f32,
}

#[derive(treedef::Tree)]
#[tree(name = concat!("any", " tree"))]
struct Any;

#[derive(treedef::Tree)]
#[tree(name = "a recursion", meta(to = "app::Mode"))]
struct Recursion;

const _: u64 = treedef::record::record_key::<Option<List>>();
const _: treedef::TreeDef<'static> = treedef::schema_of::<(Mode, f32)>();
const _: treedef::TreeDef<'static> = treedef::schema_of::<Any>();
const _: treedef::TreeDef<'static> = treedef::schema_of::<Recursion>();

// The words are whole names.
#[derive(treedef::Tree)]
#[tree(name = "a list of mine")]
struct Fine(f32);

const _: u64 = treedef::record::record_key::<Fine>();
