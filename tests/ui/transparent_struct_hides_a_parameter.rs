//~ error: the node of a transparent struct is that of its field, which does not show `N`: write `#[tree(skip(N))]` if it makes no difference to the structure
//~# 1

#[derive(treedef::Tree)]
#[tree(transparent)]
struct Gain<const N: usize>(f32);

#[derive(treedef::Tree)]
#[tree(transparent, skip(N))]
struct Skipped<const N: usize>(f32);

#[derive(treedef::Tree)]
#[tree(transparent)]
struct Shown<const N: usize>([f32; N]);
