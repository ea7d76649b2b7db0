//~# 3
//~ `LinkedList` is not defined in the current crate
//~ type parameter `WrapForeignTypeInAsLeaf` must be used as the type parameter for some local type

treedef::leaf!(impl [T: Clone,] std::collections::LinkedList<T> where [T: Copy]);
