//~ error[E0277]: `Label` is not a tree
//~ neither a container of trees nor a leaf type
//~ for data that belongs to the structure, mark the field `#[tree(meta)]`; to leave it out, `#[tree(skip)]`
//~ 10 |     label: Label,
//~! ^^^^^^^^^^^^^ neither a container of trees

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    label: Label,
}

struct Label;
