//~ the records of this type have no bound: it holds a `Vec`, a `String`, a map on the heap, a leaf type without `MAX_LEN`, or a meta field or key of a type of the program, or contains itself
//~ the leaf type `app::Image` is one of the program: name it for `record_bytes_with`
//~# 3

use treedef::record::record_bytes;

#[derive(treedef::Leaf)]
#[tree(name = "app::Image")]
struct Image([u8; 64]);

const _: usize = record_bytes::<(u8, Vec<f32>)>();
const _: usize = record_bytes::<[String; 2]>();
const _: usize = record_bytes::<Option<Image>>();
