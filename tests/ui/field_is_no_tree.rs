//~# 1
//~ error[E0277]: `Label` is not a tree
//~ neither a container of trees nor a leaf type
//~ mark a field that is part of the structure with `#[tree(meta)]`, one that is no part of the tree with `#[tree(skip)]`
//~ 11 |     label: Label,
//~! ^^^^^^^^^^^^^ neither a container of trees

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    label: Label,
}

struct Label;
