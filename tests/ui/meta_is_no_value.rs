//~# 2
//~! derive_support
//~ error[E0277]: `Unit` cannot be read back from a treedef
//~ error[E0277]: `Unit` cannot become a value of a treedef
//~ neither a key of a map nor a meta field
//~ for a type of your own, write `#[derive(treedef::Meta)]`, or leave the field out with `#[tree(skip)]`

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    #[tree(meta)]
    unit: Unit,
}

struct Unit;
