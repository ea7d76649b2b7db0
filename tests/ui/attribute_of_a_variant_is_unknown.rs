//~ error: unknown attribute `skip`: a variant takes `name = ".."`

#[derive(treedef::Tree)]
enum Mode {
    #[tree(skip)]
    Off,
}
