//~ error: a transparent struct has no node of its own, so it cannot contain itself
//~ | struct Chain(Option<Box<Chain>>);
//~# 1

#[derive(treedef::Tree)]
#[tree(transparent)]
struct Chain(Option<Box<Chain>>);
