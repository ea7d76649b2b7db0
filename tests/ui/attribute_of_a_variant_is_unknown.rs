//~ error: unknown attribute `skip`: a variant takes `name = ".."`, `alias = ".."`, `rename_all = ".."`

#[derive(treedef::Tree)]
enum Mode {
    #[tree(skip)]
    Off,
}
