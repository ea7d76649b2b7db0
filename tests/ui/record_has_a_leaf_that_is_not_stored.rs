//~ error[E0277]: a leaf `Image` cannot be stored in a record
//~ implement `treedef::record::RecordLeaf` for a leaf type of your own; wrap a type of another crate in one
//~ the trait `RecordLeaf` is not implemented for `AsLeaf<[u8; 4]>`
//~# 2

#[derive(treedef::Leaf)]
#[tree(name = "app::Image")]
struct Image([u8; 64]);

#[derive(treedef::Tree)]
#[tree(name = "app::Shot")]
struct Shot {
    image: Image,
    gain: Option<f32>,
}

fn main() {
    let shot = Shot { image: Image([0; 64]), gain: None };
    let _ = treedef::record::save_into(&shot, &mut [0; 99]);
    let _ = treedef::record::load::<treedef::tree::AsLeaf<[u8; 4]>>(&[]);
}
