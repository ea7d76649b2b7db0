//~ the key of this type is not its own: `AsLeaf<T>` is the name of leaf types that differ in a parameter: put this one in a leaf type without parameters, by `#[derive(treedef::Leaf)]`
//~ the key of this type is not its own: `Cell<E>` is the name of leaf types that differ in a parameter
//~ the key of this type is not its own: `app::Tensor` is the name of leaf types that differ in a parameter
//~ the key of this type is not its own: `[T; 2]` is the name of leaf types that differ in a parameter
//~# 4

use treedef::encode::assert_key;
use treedef::tree::AsLeaf;

#[derive(treedef::Tree)]
struct Shot {
    image: Vec<AsLeaf<[u8; 64]>>,
    gain: f32,
}

struct Cell<E>(E);
treedef::leaf!(impl [E,] Cell<E>);

#[derive(treedef::Leaf)]
#[tree(name = "app::Tensor")]
struct Tensor<T>(T);

#[derive(treedef::Tree)]
struct Kalman<T> {
    #[tree(leaf)]
    state: [T; 2],
}

/// A name stands for one type here.
#[derive(treedef::Leaf)]
struct Image<'i>(&'i AsLeaf<[u8; 64]>);

const _: () = assert_key::<Shot>();
const _: () = assert_key::<Cell<u8>>();
const _: () = assert_key::<Option<Tensor<f32>>>();
const _: () = assert_key::<Kalman<f32>>();
const _: () = assert_key::<Image<'static>>();
