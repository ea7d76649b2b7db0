//~ the records of this type have no bound: it holds a `Vec`, a `String`, a map on the heap, a leaf type without `MAX_LEN`, a meta field or key that is an option, a tuple, an array or a type of the program, or itself
//~ the records of this type have no bound: `unit` of `app::Sensor` holds a `Vec`, a `String`
//~ the records of this type have no bound: `log` of `app::Log` holds a `Vec`, a `String`
//~ the leaf type `app::Image` is one of the program: name it for `record_bytes_with`
//~# 5

use treedef::record::record_bytes;

#[derive(treedef::Leaf)]
#[tree(name = "app::Image")]
struct Image([u8; 64]);

const _: usize = record_bytes::<(u8, Vec<f32>)>();
const _: usize = record_bytes::<[String; 2]>();
const _: usize = record_bytes::<Option<Image>>();

#[derive(treedef::Meta)]
enum Unit {
    Volt,
}

#[derive(treedef::Tree)]
#[tree(name = "app::Sensor")]
struct Sensor {
    #[tree(meta)]
    unit: Unit,
    value: f32,
}

#[derive(treedef::Tree)]
#[tree(name = "app::Log")]
struct Log {
    few: [f32; 4],
    log: Vec<f32>,
}

const _: usize = record_bytes::<(u8, [Option<Sensor>; 2])>();
const _: usize = record_bytes::<Log>();
