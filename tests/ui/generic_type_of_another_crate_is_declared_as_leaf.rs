//~# 3
//~ `VecDeque` is not defined in the current crate
//~ type parameter `WrapForeignTypeInAsLeaf` must be used as the type parameter for some local type

treedef::leaf!(impl [T: Clone,] std::collections::VecDeque<T> where [T: Copy]);
