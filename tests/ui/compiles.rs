//! What must compile.
#![deny(warnings)]
#![allow(dead_code)]

use treedef::{Leaf, Meta, Tree};

#[derive(Tree)]
pub struct Linear<T, const N: usize> {
    w: [T; N],
    b: Option<T>,
    #[tree(meta)]
    window: Window,
    #[tree(leaf)]
    count: u32,
    #[tree(skip)]
    calls: u64,
}

#[derive(Tree)]
#[tree(name = "ctl::Mode", meta(version = 2u8))]
pub enum Mode<'a> {
    Off,
    Track(f32, f32),
    Nested { inner: Option<&'a Mode<'a>> },
}

#[derive(Meta)]
pub enum Window {
    Box,
    Hann,
}

#[derive(Leaf)]
pub struct Tensor<T: Copy = f32> {
    rows: usize,
    scale: T,
}

#[derive(Tree)]
#[deprecated]
pub struct Old(f32);

pub const SECOND: usize = treedef::path::leaf_index!(treedef::treedef!({"a": *, "b": [*]}), "b[0]");

pub fn rebuilt<L: treedef::Leaf + Clone>(
    def: treedef::TreeDef<'_>,
    leaves: &[L],
) -> Result<[L; 2], treedef::Error> {
    treedef::unflatten(def, leaves)
}

pub fn changed<L: treedef::Leaf, T: treedef::Tree<L>>(tree: &mut T, change: fn(&mut L)) {
    treedef::over(tree).for_each(change).ok();
}

/// No closure and no result needs a type: the leaves of the tree say what it is.
pub fn inferred<T>(params: &mut T, gradient: &T) -> Result<f32, treedef::Error>
where
    T: treedef::Tree<f32> + treedef::tree::MapTree<f32, f32, Output = T>,
{
    treedef::over(&mut *params).for_each(|x| *x += 1.0)?;
    treedef::over((&mut *params, gradient)).for_each(|(p, g)| *p -= 0.1 * g)?;
    let doubled = treedef::map(params, |x| x * 2.0)?;
    let norm = treedef::over(&doubled).fold(0.0, |sum, x| sum + x * x)?;
    Ok(norm + treedef::over(&*params).fold(0.0, |sum, x| sum + x)?)
}

pub fn inferred_from_values(linear: &mut Linear<f64, 2>) -> Result<f64, treedef::Error> {
    let net = ([1.0f64; 2], Some(2.0f64));
    let kept = ([true; 2], Some(false));
    let sum = treedef::over(&net).with(&kept).fold(0.0, |sum, (x, keep)| if *keep { sum + x } else { sum })?;
    let (mut bytes, mut leaves) = ([0; 16], [0.0; 3]);
    let _ = treedef::flatten_into(&net, &mut bytes, &mut leaves)?;
    let first = treedef::tree::find_leaf(&net, "[0][1]")?;
    let halves = treedef::over(&net).paths().map(|path, x| x / path.len() as f64)?;
    treedef::over(&mut linear.w).for_each(|x| *x = x.max(*first))?;
    Ok(sum + treedef::tree::leaf(&halves, 2)?.abs())
}

/// Names of this module do not reach the code of the derives.
#[allow(non_camel_case_types)]
pub mod names {
    pub struct bool;
    pub struct str;
    pub struct u8;
    pub struct u32;
    pub struct usize;

    #[derive(treedef::Tree)]
    pub enum Mode<T, const N: i8> {
        Off { gain: T, #[tree(meta)] unit: i8 },
        On(#[tree(leaf)] Level, #[tree(skip)] i8),
    }

    #[derive(treedef::Leaf, Clone)]
    pub struct Level(f64);

    #[derive(treedef::Tree)]
    #[tree(transparent)]
    pub struct Volt<T>(T, #[tree(skip, default = 3)] i8);

    #[derive(treedef::Tree)]
    #[tree(transparent)]
    pub struct Pin {
        #[tree(leaf)]
        level: Level,
    }

    #[derive(treedef::Tree)]
    #[tree(rename_all = "kebab-case")]
    pub enum Supply<T> {
        SoftStart { max_volt: Volt<T> },
        #[tree(rename_all = "camelCase")]
        Run { max_volt: Volt<T> },
    }

    #[derive(treedef::Meta)]
    pub enum Unit {
        Meter,
    }
}

#[derive(Tree)]
#[tree(name = concat!("fw", ".", "Pid"))]
pub struct Named {
    kp: f32,
    name: treedef::tree::AsLeaf<&'static str>,
    #[tree(skip)]
    filter: Option<Box<dyn Fn(f32) -> f32>>,
    kind: std::marker::PhantomData<dyn Fn(f32)>,
}

/// References can point to the fields of these.
#[derive(Tree)]
#[repr(C, packed)]
pub struct Bytes {
    kind: [u8; 4],
    flags: (bool, i8),
}

#[derive(Tree, Meta)]
#[repr(C, packed(4))]
pub struct Words {
    gain: f32,
    counts: [u16; 3],
}

#[derive(Leaf)]
#[repr(C, packed)]
pub struct Frame {
    kind: u8,
    gain: f32,
}

/// Const parameters with the name of a type.
pub mod names_of_types {
    #[derive(treedef::Tree, treedef::Meta)]
    pub enum N<const N: usize> {
        One([f32; N]),
        None,
    }

    #[derive(treedef::Tree)]
    #[tree(meta(count = N))]
    pub struct List<T, const N: usize> {
        first: [T; N],
        next: Option<Box<List<T, { N }>>>,
    }

    #[derive(treedef::Tree)]
    pub struct Count<const N: usize>(f32);

    #[derive(treedef::Leaf)]
    pub struct L<const L: u8>(u8);

    pub const COUNT: treedef::TreeDef<'static> = treedef::treedef_of::<Count<3>>();
}
