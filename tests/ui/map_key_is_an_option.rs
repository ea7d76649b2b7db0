//~ error[E0277]: `Option<u8>` cannot be the key of a map in a tree
//~ its `Ord` is not known to be the order of its values
//~ keys are integers, strings, `char`, `bool` and tuples of these, but not `Option` or floats

fn keyed<K: treedef::format::MapKey>() {}

fn main() {
    keyed::<Option<u8>>();
}
