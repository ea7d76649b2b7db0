//~ error: unknown attribute `skip`: a variant takes `name = ".."`, `rename_all = ".."`

#[derive(treedef::Tree)]
enum Mode {
    #[tree(skip)]
    Off,
}
