//~ `app::Node` has a recursion in another type of the same name, which it would be taken for one to: give one of them another name by `#[tree(name = "..")]`

mod own {
    #[derive(treedef::Tree)]
    #[tree(name = "app::Node")]
    pub struct Vec<T> {
        pub items: std::vec::Vec<T>,
    }
}

#[derive(treedef::Tree)]
#[tree(name = "app::Node")]
struct Node {
    gain: f32,
    next: Option<own::Vec<Node>>,
}
