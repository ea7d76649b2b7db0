//~# 1
//~ error[E0277]: the trait bound `L: Clone` is not satisfied
//~ consider further restricting type parameter `L` with trait `Clone`

fn pair<L: treedef::Leaf>(def: treedef::TreeDef<'_>, leaves: &[L]) -> Result<[L; 2], treedef::Error> {
    treedef::unflatten(def, leaves)
}
