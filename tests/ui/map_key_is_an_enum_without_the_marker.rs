//~ error[E0277]: `Axis` cannot be the key of a map in a tree
//~ for a type of your own whose `Ord` is the order of its values, write `impl treedef::format::MapKey for Axis {}`

#[derive(treedef::Meta, PartialEq, Eq, PartialOrd, Ord)]
enum Axis {
    Shoulder,
    Elbow,
}

fn keyed<K: treedef::format::MapKey>() {}

fn main() {
    keyed::<Axis>();
}
