//~# 3
//~ `BTreeSet` is not defined in the current crate
//~ type parameter `WrapForeignTypeInAsLeaf` must be used as the type parameter for some local type

treedef::leaf!(std::collections::BTreeSet<f32>);
