//~ error[E0277]: `Handle` is not a tree
//~# 1

struct Handle;

#[derive(treedef::Tree)]
#[tree(transparent)]
struct Held(Handle);
