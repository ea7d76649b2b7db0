//~ the key of this type is not its own: `app::Folder` and another type contain each other, and the key does not say what is in the other
//~# 1

#[derive(treedef::Tree)]
#[tree(name = "app::Folder", bound = "f32")]
struct Folder {
    size: f32,
    files: Vec<File>,
}

#[derive(treedef::Tree)]
#[tree(name = "app::File", bound = "f32")]
struct File {
    size: f32,
    folders: Vec<Folder>,
}

const _: () = treedef::encode::assert_key::<[Option<Folder>; 2]>();
