//~ error: the name `A` is given twice

#[derive(treedef::Tree)]
enum Mode {
    A,
    #[tree(name = "A")]
    B,
}
