//~ `bound` lists the types that must be trees, such as "T, Box<Other>"

#[derive(treedef::Tree)]
#[tree(bound = "T: Tree")]
struct Pid<T> {
    kp: T,
}
