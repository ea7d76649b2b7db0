//~ the name of a type is not empty
//~ the name of a variant is not empty
//~# 6

#[derive(treedef::Tree)]
#[tree(name = "")]
struct Pid(f32);

#[derive(treedef::Tree)]
#[tree(name = concat!("", ""))]
enum Mode {
    Off,
}

#[derive(treedef::Leaf)]
#[tree(name = "")]
struct Tensor;

#[derive(treedef::Leaf)]
#[tree(name = stringify!())]
struct Other;

#[derive(treedef::Tree)]
enum Filter {
    #[tree(name = "")]
    Off,
}

#[derive(treedef::Meta)]
enum Window {
    #[tree(name = "")]
    Box,
}

#[derive(treedef::Tree)]
#[tree(name = "fw.Pid[0]")]
enum Fine {
    #[tree(name = "a.b")]
    Off,
}
