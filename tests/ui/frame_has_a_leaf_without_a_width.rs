//~ the leaf type `char` has no fixed width, so it is in no frame: send its type as a record, by `treedef::record::save_into`
//~ the leaf type `app::Image` has no fixed width, so it is in no frame: send its type as a record, by `treedef::record::save_into`
//~ the frames of this type have no bound: it holds a `Vec`, a map on the heap, a meta field or key that is an option, a tuple, an array or a type of the program, or itself
//~# 3

use treedef::record::frame::{frame_bytes, frame_into, read_frame};

#[derive(treedef::Leaf)]
#[tree(name = "app::Image")]
struct Image([u8; 64]);

#[derive(treedef::Tree)]
#[tree(name = "app::Shot")]
struct Shot {
    image: Option<Image>,
    gain: f32,
}

const _: usize = frame_bytes::<(u8, char)>();
const _: usize = frame_bytes::<Option<Image>>();
const _: usize = frame_bytes::<(u8, Vec<f32>)>();

pub fn send(shot: &Shot) -> bool {
    frame_into(shot, &mut [0; 99]).is_ok() && read_frame::<Shot>(&[]).is_ok()
}
