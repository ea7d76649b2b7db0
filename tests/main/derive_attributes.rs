//! The attributes of the derives: meta fields, leaves of any type, skipped fields, names, paths.
#![cfg(feature = "derive")]

use treedef::format::BigInt;
use treedef::format::{FromValue, ToValue, ValueTuple};
use treedef::tree::{HasSchema, Structure};
use treedef::{Error, Leaf, Meta, Tree, TreeDef, Value, Writer, head, over};

fn bytes_of<T: Structure>(tree: &T) -> Vec<u8> {
    let mut bytes = [0; 512];
    treedef::structure_into(tree, &mut bytes).unwrap().as_bytes().to_vec()
}

/// Rebuilds a tree of `f32` zeros from bytes.
fn build<T: treedef::tree::TreeBuild<f32>>(bytes: &[u8]) -> Result<T, Error> {
    let def = TreeDef::from_bytes(bytes).unwrap();
    treedef::unflatten(def, &vec![0.0f32; def.num_leaves()])
}

#[derive(Meta, Clone, Copy, Debug, PartialEq)]
enum Window {
    Box,
    #[tree(name = "hann")]
    Hann,
}

#[derive(Tree, Clone, Debug, PartialEq)]
struct Filter<T> {
    #[tree(meta)]
    order: u8,
    taps: [T; 2],
    #[tree(meta, name = "win")]
    window: Window,
    #[tree(skip)]
    calls: u32,
    #[tree(name = "y")]
    state: T,
}

const MISMATCH: Error = Error::Mismatch { node: 0 };

#[test]
fn static_data_stands_in_the_treedef() {
    let filter = Filter { order: 3, taps: [0.0f32; 2], window: Window::Hann, calls: 7, state: 0.0 };
    // Two children; the name, their names, then order = 3 and win = "hann"; a list of two, a leaf.
    let golden = b"\x82\x39\x1fmain::derive_attributes::Filter\x04taps\x01y\x05order\x03\x06\x03win\x06\x04hann\x42\x01\x00";
    assert_eq!(bytes_of(&filter), golden);
    let rebuilt = Filter { calls: 0, ..filter.clone() };
    assert_eq!(build(golden), Ok(rebuilt));
    assert_eq!(treedef::map(&filter, |x: &f32| *x), Ok(filter.clone()));
    assert_eq!((Filter::<f32>::LEAVES, Filter::<f32>::TREEDEF.is_none()), (Some(3), true));
    let mut leaves = [0.0f32; 3];
    let def = TreeDef::from_bytes(golden).unwrap();
    assert_eq!(treedef::tree::flatten_expected(&filter, def, &mut leaves), Ok(3));

    let other = Filter { order: 4, ..filter.clone() };
    assert_eq!(treedef::matches(&other, def), Err(MISMATCH));
    let differs = Err(Error::TreesDiffer { node: 0, tree: 1 });
    assert_eq!(over((&filter, &other)).for_each(|_| ()), differs);
    assert_eq!(over(&filter).with(&other).for_each(|_| ()), differs);
    assert_eq!(over((&filter, &filter)).for_each(|_| ()), Ok(()));
    assert_eq!(over(&filter).with(&filter).for_each(|_| ()), Ok(()));
}

#[test]
fn static_data_that_the_type_does_not_hold_is_a_mismatch() {
    type Built = Result<Filter<f32>, Error>;
    let head = b"\x1fmain::derive_attributes::Filter\x04taps\x01y";
    let with = |meta: &[u8]| {
        let len = u8::try_from(head.len() + meta.len()).unwrap();
        let bytes = [b"\x82", [len].as_slice(), head, meta, b"\x42\x01\x00"].concat();
        build(&bytes) as Built
    };
    assert!(with(b"\x05order\x03\x06\x03win\x06\x03Box").is_ok());
    let wrong: [&[u8]; 7] = [
        b"\x05order\x03\x05\x03win\x06\x03Box",          // order = -3
        b"\x05order\x03\x80\x03\x03win\x06\x03Box",      // order = 256
        b"\x05order\x02\x03win\x06\x03Box",              // order = True
        b"\x05order\x03\x06\x03win\x06\x03Bax",          // no such variant
        b"\x05order\x03\x06\x03wim\x06\x03Box",          // another name
        b"\x05order\x03\x06",                            // one field is missing
        b"\x05order\x03\x06\x03win\x06\x03Box\x01x\x00", // one too many
    ];
    for meta in wrong {
        assert_eq!(with(meta), Err(MISMATCH), "{:?}", String::from_utf8_lossy(meta));
    }
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "ctl::Stage", meta(stages = N, tag = Window::Box))]
enum Stage<const N: usize> {
    #[tree(name = "raw")]
    Raw(f32),
    Scaled {
        by: f32,
        #[tree(meta)]
        unit: heapless::String<4>,
    },
}

#[test]
fn static_data_of_an_enum_and_of_its_parameters() {
    let raw = b"\x81\x24\x0fctl::Stage::raw\x010\x06stages\x03\x04\x03tag\x06\x03Box\x00";
    assert_eq!(bytes_of(&Stage::<2>::Raw(0.0)), raw);
    assert_eq!(build(raw), Ok(Stage::<2>::Raw(0.0)));
    assert_eq!(build::<Stage<3>>(raw), Err(MISMATCH));
    let scaled = Stage::<2>::Scaled { by: 0.0, unit: "mV".try_into().unwrap() };
    let golden =
        b"\x81\x31\x12ctl::Stage::Scaled\x02by\x06stages\x03\x04\x03tag\x06\x03Box\x04unit\x06\x02mV\x00";
    assert_eq!(bytes_of(&scaled), golden);
    assert_eq!(build(golden), Ok(scaled));
    let long = [&golden[..1], b"\x34", &golden[2..golden.len() - 4], b"\x05volts\x00"].concat();
    assert_eq!(build::<Stage<2>>(&long), Err(MISMATCH));
}

/// Literals of every kind, at the ends of their types and where an encoded integer gets longer.
#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(
    name = "Literals",
    meta(
        version = 3, least = -128i8, long = 300u16, byte = b'a', most = 0xFFFF_FFFFusize, wide = 9_223_372_036_854_775_807u64,
        low = -9_223_372_036_854_775_807i128, yes = true, no = false, unit = "m\u{e9}", mark = '\u{1F600}', half = 0.5,
        zero = -0.0f32, exact = 0.1, whole = 2f32
    )
)]
struct Literals<T>([T; 2], T);

#[test]
fn literals_keep_the_treedef_constant() {
    const DEF: TreeDef<'static> = treedef::treedef_of::<Literals<f32>>();
    let meta = [
        ("version", Value::Int(3)),
        ("least", Value::Int(-128)),
        ("long", Value::Int(300)),
        ("byte", Value::Int(97)),
        ("most", Value::Int(0xFFFF_FFFF)),
        ("wide", Value::Int(i64::MAX)),
        ("low", Value::Int(-i64::MAX)),
        ("yes", Value::Bool(true)),
        ("no", Value::Bool(false)),
        ("unit", Value::Str("mé")),
        ("mark", Value::Str("😀")),
        ("half", Value::Float(0.5)),
        ("zero", Value::Float32(-0.0)),
        ("exact", Value::Float(0.1)),
        ("whole", Value::Float32(2.0)),
    ];
    // What is written at run time.
    let mut bytes = [0; 512];
    let mut builder = Writer::new(&mut bytes);
    let heading = head::Struct { name: "Literals", fields: &["0", "1"], meta: &meta };
    let frame = builder.begin(&heading);
    let list = builder.begin_list(2);
    builder.leaves(2);
    builder.end(list);
    builder.leaves(1);
    builder.end(frame);
    let written = builder.finish().unwrap();
    assert_eq!(DEF.as_bytes(), written.as_bytes());
    assert_eq!(TreeDef::from_bytes(DEF.as_bytes()), Ok(DEF));
    assert!(DEF.head().meta_fields().eq(meta));

    let tree = Literals([1.0f32, 2.0], 3.0);
    assert_eq!(bytes_of(&tree), DEF.as_bytes());
    assert_eq!(
        bytes_of(&[tree.clone(), tree.clone()])[1..DEF.as_bytes().len() + 1],
        *DEF.as_bytes()
    );
    assert_eq!(treedef::unflatten(DEF, &[1.0f32, 2.0, 3.0]), Ok(tree.clone()));
    assert_eq!(treedef::tree::unflatten_from(DEF, [1.0f32, 2.0, 3.0]), Ok(tree.clone()));
    assert_eq!(treedef::matches(&tree, DEF), Ok(()));
    let at = DEF.as_bytes().windows(9).position(|at| at == b"version\x03\x06").unwrap();
    let mut other = DEF.as_bytes().to_vec();
    other[at + 8] = 8;
    assert_eq!(build::<Literals<f32>>(&other), Err(MISMATCH));
    assert_eq!(treedef::matches(&tree, TreeDef::from_bytes(&other).unwrap()), Err(MISMATCH));
}

/// Literals that come through a macro, and in parentheses.
macro_rules! versioned {
    ($name:ident, $unit:literal, $version:expr) => {
        #[derive(Tree)]
        #[tree(meta(unit = $unit, version = $version, least = -(1), plus = (2)))]
        struct $name(f32);
    };
}
versioned!(Versioned, "rpm", -3);

#[test]
fn literals_come_through_macros() {
    const DEF: TreeDef<'static> = treedef::treedef_of::<Versioned>();
    let meta = [
        ("unit", Value::Str("rpm")),
        ("version", Value::Int(-3)),
        ("least", Value::Int(-1)),
        ("plus", Value::Int(2)),
    ];
    assert!(DEF.head().meta_fields().eq(meta));
    assert_eq!(bytes_of(&Versioned(1.0)), DEF.as_bytes());
}

/// Literals beside what only a value tells.
#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Mixed", meta(unit = "rpm", version = VERSION, big = 18_446_744_073_709_551_615u64))]
struct Mixed {
    gain: f32,
    #[tree(meta)]
    order: u8,
}

const VERSION: u8 = 2;

#[test]
fn literals_stand_beside_other_static_data() {
    let mixed = Mixed { gain: 0.0, order: 1 };
    let golden = b"\x81\x36\x05Mixed\x04gain\x04unit\x06\x03rpm\x07version\x03\x04\x03big\x04\x00\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x05order\x03\x02\x00";
    assert_eq!(bytes_of(&mixed), golden);
    assert!(Mixed::TREEDEF.is_none() && Mixed::LEAVES == Some(1));
    assert_eq!(build(golden), Ok(mixed));
    for at in [20, 32, 40] {
        let mut other = golden.to_vec();
        other[at] = other[at].wrapping_sub(2);
        assert_eq!(build::<Mixed>(&other), Err(MISMATCH), "byte {at}");
    }
}

/// Expressions that `syn` reads only with its feature `full`, and commas that end none.
#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(
    name = "Tuned",
    meta(rate = if VERSION == 2 { [4, 8][1] } else { 0 }, size = (|a: u8, b: u8| a + b)(1, 2)),
    meta(pair = size_of::<Result<u8, u16>>() as u8, last = match VERSION { 2 => true, _ => false })
)]
struct Tuned(f32);

#[test]
fn meta_values_are_any_expressions() {
    let golden =
        b"\x81\x23\x05Tuned\x010\x04rate\x03\x10\x04size\x03\x06\x04pair\x03\x08\x04last\x02\x00";
    assert_eq!(bytes_of(&Tuned(0.0)), golden);
    assert_eq!(build(golden), Ok(Tuned(0.0)));
}

/// An enum with a literal: the variant decides the structure.
#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Drive", meta(version = 1))]
enum Drive {
    Off,
    Speed(f32),
}

#[test]
fn literals_stand_in_variants() {
    let golden = b"\x81\x19\x0CDrive::Speed\x010\x07version\x03\x02\x00";
    assert_eq!(bytes_of(&Drive::Speed(0.0)), golden);
    assert_eq!(build(golden), Ok(Drive::Speed(0.0)));
    assert_eq!(build::<Drive>(&bytes_of(&Drive::Off)), Ok(Drive::Off));
    let other = [&golden[..golden.len() - 2], b"\x04\x00"].concat();
    assert_eq!(build::<Drive>(&other), Err(MISMATCH));
}

/// A type of another crate, as far as the tree is concerned.
type Matrix = [[f32; 2]; 2];

treedef::leaf_types! {
    /// The leaves of a controller.
    struct Signal {
        owned Value_,
        read ValueRef,
        write ValueMut,
        Float(f32),
        Count(u32),
        Gain(Matrix),
        Cell(Cell<u8>),
    }
}

#[derive(Leaf, Clone, Debug, PartialEq)]
struct Cell<E: Clone>(E)
where
    E: PartialEq;

#[derive(Leaf, Clone, Debug, PartialEq)]
struct View<'v, const N: usize = 1>(&'v [f32; N]);

#[derive(Tree, Clone, Debug, PartialEq)]
struct Controller {
    #[tree(leaf)]
    gain: Matrix,
    state: [f32; 2],
    #[tree(leaf)]
    count: u32,
    cell: Cell<u8>,
}

#[test]
fn a_heterogeneous_tree_with_leaves_of_foreign_types() {
    use treedef::tree::mixed;

    let controller =
        Controller { gain: [[1.0, 2.0], [3.0, 4.0]], state: [5.0, 6.0], count: 7, cell: Cell(8) };
    let def = treedef::treedef_of::<Controller>();
    let golden =
        b"\x84\x3a\x23main::derive_attributes::Controller\x04gain\x05state\x05count\x04cell\x00\x42\x01\x01";
    assert_eq!(def.as_bytes(), golden);
    assert_eq!(bytes_of(&controller), golden);

    let mut read = Vec::new();
    over(&controller).of::<Signal>().for_each(|leaf| read.push(leaf)).unwrap();
    assert!(matches!(read[0], ValueRef::Gain([[1.0, _], _])));
    assert!(matches!(read[3..], [ValueRef::Count(7), ValueRef::Cell(Cell(8))]));
    let mut leaves = [const { Value_::Count(0) }; 5];
    mixed::leaves_into::<Signal>(&controller, &mut leaves).unwrap();
    assert_eq!(mixed::unflatten::<Signal, Controller>(def, &leaves), Ok(controller.clone()));
    assert_eq!(
        mixed::unflatten_from::<Signal, Controller>(def, leaves.clone()),
        Ok(controller.clone())
    );
    leaves.swap(2, 3);
    let built = mixed::unflatten::<Signal, Controller>(def, &leaves);
    assert_eq!(built, Err(Error::WrongLeaf { leaf: 2 }));
    let built = mixed::unflatten_from::<Signal, Controller>(def, leaves);
    assert_eq!(built, Err(Error::WrongLeaf { leaf: 2 }));

    let mut changed = controller.clone();
    over(&mut changed)
        .of::<Signal>()
        .for_each(|leaf| match leaf {
            ValueMut::Float(x) => *x = 0.0,
            ValueMut::Gain(matrix) => matrix[1][1] = 9.0,
            ValueMut::Count(_) | ValueMut::Cell(_) => {}
        })
        .unwrap();
    assert_eq!((changed.gain[1][1], changed.state, changed.count), (9.0, [0.0; 2], 7));
    let mut taken = Vec::new();
    treedef::tree::TreeBuild::<Signal>::take_leaves(changed, &mut |leaf| taken.push(leaf));
    assert_eq!(taken[4], Value_::Cell(Cell(8)));
}

/// The parameter is a leaf, whatever it is.
#[derive(Tree, Clone, Debug, PartialEq)]
struct Point<T> {
    #[tree(leaf)]
    x: T,
    #[tree(leaf)]
    y: T,
    fixed: Option<PhantomLeaf<T>>,
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(skip(T))]
struct PhantomLeaf<T>(core::marker::PhantomData<T>);

#[test]
fn a_parameter_that_is_a_leaf_becomes_what_a_map_makes() {
    #[derive(Tree, Clone, Debug, PartialEq)]
    struct Plain<T> {
        #[tree(leaf)]
        x: T,
        #[tree(leaf)]
        y: T,
    }
    let plain = Plain { x: 1.0f32, y: 2.0 };
    assert_eq!(treedef::map(&plain, |x: &f32| [*x; 2]), Ok(Plain { x: [1.0; 2], y: [2.0; 2] }));
    let point = Point { x: 1.0f32, y: 2.0, fixed: None };
    assert_eq!(over(&point).for_each(|_: &f32| ()), Ok(()));
}

#[test]
fn derived_leaf_types_may_be_generic_and_borrow() {
    let (a, b) = ([1.0f32, 2.0], [3.0f32, 4.0]);
    let tree = (View(&a), [View(&b)]);
    assert_eq!(bytes_of(&tree), [0x22, 0x00, 0x41, 0x00]);
    let mut sum = 0.0;
    over(&tree).for_each(|view: &View<'_, 2>| sum += view.0[0]).unwrap();
    assert_eq!(sum, 4.0);
    let mut runs = 0;
    over(&[Cell(1u8), Cell(2)]).runs().for_each(|run: &[Cell<u8>]| runs += run.len()).unwrap();
    assert_eq!(runs, 2);
}

/// What `crate = path` is for: this crate under another name.
mod elsewhere {
    pub(crate) mod reexport {
        pub(crate) use ::treedef as trees;
    }
    use reexport::trees::{Leaf, Meta, Tree};

    #[derive(Tree, Debug, PartialEq)]
    #[tree(crate = crate::derive_attributes::elsewhere::reexport::trees, name = "E")]
    pub(super) struct Everything {
        #[tree(meta)]
        pub(super) level: Level,
        pub(super) leaf: Option<Bit>,
    }

    #[derive(Meta, Debug, PartialEq)]
    #[tree(crate = crate::derive_attributes::elsewhere::reexport::trees)]
    pub(super) struct Level(pub(super) u8);

    #[derive(Leaf, Clone, Debug, PartialEq)]
    #[tree(crate = crate::derive_attributes::elsewhere::reexport::trees)]
    pub(super) struct Bit;
}

#[test]
fn the_crate_may_have_another_path() {
    use elsewhere::{Bit, Everything, Level};
    let tree = Everything { level: Level(2), leaf: Some(Bit) };
    let golden = b"\x81\x11\x01E\x04leaf\x05level\x08\x01\x03\x04\x00";
    assert_eq!(bytes_of(&tree), golden);
    let def = TreeDef::from_bytes(golden).unwrap();
    assert_eq!(treedef::unflatten(def, &[Bit]), Ok(tree));
}

#[derive(Meta, Clone, Debug, PartialEq)]
struct Config<T> {
    window: Window,
    sizes: [T; 2],
    on: (),
}

/// A value, what it is in a treedef, and the way back.
fn stands_for<T: ToValue + FromValue + PartialEq + core::fmt::Debug>(data: T, value: Value<'_>) {
    data.with_value(|lent| assert_eq!(lent, value));
    assert_eq!(T::from_value(value), Some(data));
}

fn tuple<'a>(elements: &'a [Value<'a>]) -> Value<'a> {
    Value::Tuple(ValueTuple::new(elements))
}

fn refused<T: FromValue + core::fmt::Debug>(value: Value<'_>) {
    assert!(T::from_value(value).is_none(), "{value:?}");
}

#[test]
fn static_types_of_the_language() {
    let big = |negative, magnitude: &'static [u8]| {
        Value::BigInt(BigInt::new(negative, magnitude).unwrap())
    };
    stands_for('ä', Value::Str("ä"));
    refused::<char>(Value::Str(""));
    refused::<char>(Value::Str("ab"));
    stands_for(7u64, Value::Int(7));
    stands_for(u32::MAX as usize, Value::Int(u32::MAX.into()));
    stands_for(u64::MAX, big(false, &[255; 8]));
    stands_for(isize::MIN, Value::Int(isize::MIN as i64));
    stands_for(-1i128, Value::Int(-1));
    stands_for(i128::MIN, big(true, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128]));
    stands_for(1i128 << 64, big(false, &[0, 0, 0, 0, 0, 0, 0, 0, 1]));
    stands_for(-(1i128 << 64), big(true, &[0, 0, 0, 0, 0, 0, 0, 0, 1]));
    stands_for(u128::MAX, big(false, &[255; 16]));
    refused::<u64>(Value::Int(-1));
    refused::<u64>(big(true, &[255; 8]));
    refused::<u64>(big(false, &[255; 9]));
    refused::<i128>(big(false, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128]));
    refused::<i128>(big(true, &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128]));
    refused::<u128>(big(true, &[255; 16]));

    stands_for((), tuple(&[]));
    stands_for((1u8, 'a', 1.5f32), tuple(&[Value::Int(1), Value::Str("a"), Value::Float32(1.5)]));
    refused::<(u8,)>(tuple(&[]));
    refused::<(u8,)>(tuple(&[Value::Int(1), Value::Int(2)]));
    let rows = [[Value::Int(1), Value::Int(2)], [Value::Int(3), Value::Int(4)]];
    stands_for([[1u8, 2], [3, 4]], tuple(&[tuple(&rows[0]), tuple(&rows[1])]));
    stands_for([0u8; 0], tuple(&[]));
    refused::<[u8; 1]>(tuple(&[]));
    refused::<[u8; 1]>(tuple(&[Value::Int(1), Value::Int(2)]));
    stands_for(None::<Option<u8>>, Value::None);
    stands_for(Some(None::<u8>), tuple(&[Value::None]));
    stands_for(Some(Some(1u8)), tuple(&[tuple(&[Value::Int(1)])]));
    stands_for(heapless::String::<3>::try_from("abc").unwrap(), Value::Str("abc"));
    refused::<heapless::String<2>>(Value::Str("abc"));
    #[cfg(feature = "alloc")]
    stands_for(String::from("abc"), Value::Str("abc"));
}

#[derive(Meta, Clone, Debug, PartialEq)]
enum Rectifier<T> {
    Relu,
    Leaky(T),
    #[tree(name = "clamp")]
    Clamp {
        low: T,
        high: T,
    },
}

#[test]
fn variants_with_data_are_tuples_of_their_name_and_fields() {
    stands_for(Rectifier::<u8>::Relu, Value::Str("Relu"));
    stands_for(Rectifier::Leaky(1.5f32), tuple(&[Value::Str("Leaky"), Value::Float32(1.5)]));
    let clamp = [Value::Str("clamp"), Value::Int(1), Value::Int(2)];
    stands_for(Rectifier::Clamp { low: 1u8, high: 2 }, tuple(&clamp));
    refused::<Rectifier<u8>>(Value::Str("Leaky"));
    refused::<Rectifier<u8>>(tuple(&[Value::Str("Relu")]));
    refused::<Rectifier<u8>>(tuple(&[Value::Str("Leaky")]));
    refused::<Rectifier<u8>>(tuple(&[Value::Str("Leaky"), Value::Int(256)]));
    refused::<Rectifier<u8>>(tuple(&[Value::Str("Leaky"), Value::Int(1), Value::Int(2)]));
    refused::<Rectifier<u8>>(tuple(&[Value::Str("Clamp"), Value::Int(1), Value::Int(2)]));
    refused::<Rectifier<u8>>(tuple(&[]));

    #[derive(Tree, Debug, PartialEq)]
    struct Dense {
        #[tree(meta)]
        activation: Rectifier<f32>,
        weight: f32,
    }
    let [mut one, mut other] = [[0; 128]; 2];
    let [leaky, steeper] =
        [0.1, 0.2].map(|slope| Dense { activation: Rectifier::Leaky(slope), weight: 1.0 });
    let def = treedef::structure_into(&leaky, &mut one).unwrap();
    assert_ne!(def, treedef::structure_into(&steeper, &mut other).unwrap());
    assert_eq!(treedef::unflatten(def, &[1.0f32]), Ok(leaky));
}

#[cfg(feature = "alloc")]
#[test]
fn vectors_and_boxed_slices_are_static_tuples() {
    let rows = [tuple(&[Value::Int(640), Value::Int(480)]), tuple(&[])];
    stands_for(vec![vec![640u16, 480], vec![]], tuple(&rows));
    let scales: Box<[Option<f32>]> = Box::new([Some(1.5), None]);
    stands_for(scales, tuple(&[tuple(&[Value::Float32(1.5)]), Value::None]));
    refused::<Vec<u8>>(Value::Int(1));
    refused::<Vec<u8>>(tuple(&[Value::Int(1), Value::Int(256)]));
    refused::<Box<[u8]>>(tuple(&[Value::None]));

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Tensor")]
    struct Tensor {
        #[tree(meta)]
        shape: Vec<usize>,
        data: f32,
    }
    let tensor = Tensor { shape: vec![2, 3], data: 0.0 };
    let golden = b"\x81\x18\x06Tensor\x04data\x05shape\x08\x02\x03\x04\x03\x06\x00";
    assert_eq!(bytes_of(&tensor), golden);
    assert_eq!(build(golden), Ok(tensor));
    // An array of the same values is the same structure.
    assert_eq!(vec![2usize, 3].with_value(|value| format!("{value}")), "(2, 3)");

    // No frame of the stack for each element, and no bytes for what is too deep.
    let long: Vec<u32> = (0..100_000).collect();
    long.with_value(|value| assert_eq!(Vec::from_value(value).as_ref(), Some(&long)));
    #[derive(Tree)]
    struct Held {
        #[tree(meta)]
        held: Vec<Nested>,
    }
    let mut bytes = [0; 256];
    let mut holding = |levels| {
        let held = Held { held: vec![Nested(0), Nested(levels)] };
        treedef::structure_into(&held, &mut bytes).map(drop)
    };
    assert_eq!(holding(31), Ok(()));
    assert_eq!(holding(32), Err(Error::ValueTooDeep));
    assert_eq!(holding(33), Err(Error::ValueTooDeep));
}

/// This number of tuples inside one another.
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub(crate) struct Nested(pub(crate) usize);

#[cfg(feature = "alloc")]
impl ToValue for Nested {
    fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
        fn wrap<R>(levels: usize, value: Value<'_>, take: impl FnOnce(Value<'_>) -> R) -> R {
            match levels {
                0 => take(value),
                _ => wrap(levels - 1, tuple(&[value]), take),
            }
        }
        wrap(self.0, Value::None, take)
    }
}

#[cfg(feature = "alloc")]
impl FromValue for Nested {
    fn from_value(_: Value<'_>) -> Option<Self> {
        None
    }
}

#[test]
fn derived_static_types() {
    stands_for(Window::Box, Value::Str("Box"));
    stands_for(Window::Hann, Value::Str("hann"));
    refused::<Window>(Value::Str("Hann"));
    refused::<Window>(Value::Int(0));
    let sizes = tuple(&[Value::Int(1), Value::Int(2)]);
    let (name, on) = (Value::Str("Box"), tuple(&[]));
    let config = Config { window: Window::Box, sizes: [1u8, 2], on: () };
    stands_for(config, tuple(&[name, sizes, on]));
    refused::<Config<u8>>(tuple(&[name, sizes]));
    refused::<Config<u8>>(tuple(&[name, sizes, on, on]));
    refused::<Config<u8>>(Value::None);
}

#[test]
fn floats_in_static_data_are_their_bits() {
    #[derive(Tree, Clone, Debug)]
    struct Scaled {
        #[tree(meta)]
        by: f64,
    }
    let (zero, minus) = (Scaled { by: 0.0 }, Scaled { by: -0.0 });
    assert_ne!(bytes_of(&zero), bytes_of(&minus));
    let zipped = over((&zero, &minus)).for_each(|_: (&f32, _)| ());
    assert_eq!(zipped, Err(Error::TreesDiffer { node: 0, tree: 1 }));
    let nan = Scaled { by: f64::from_bits(0x7ff8_0000_0000_0001) };
    let built: Scaled = build(&bytes_of(&nan)).unwrap();
    assert_eq!(built.by.to_bits(), nan.by.to_bits());
    assert_eq!(over((&nan, &built)).for_each(|_: (&f32, _)| ()), Ok(()));
}

trait Activation {
    const NAME: &'static str;
}

#[derive(Clone, Debug, PartialEq)]
struct Relu;

#[derive(Clone, Debug, PartialEq)]
struct Tanh;

impl Activation for Relu {
    const NAME: &'static str = "relu";
}

impl Activation for Tanh {
    const NAME: &'static str = "tanh";
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Dense", meta(act = A::NAME))]
struct Dense<A: Activation> {
    w: [f32; 2],
    #[tree(skip)]
    act: core::marker::PhantomData<A>,
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Conv")]
struct Conv<const STRIDE: usize, const SAME: bool, const N: usize> {
    w: [f32; N],
    b: Option<f32>,
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Ring")]
struct Ring<const CAP: usize> {
    items: heapless::Vec<f32, CAP>,
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Either")]
enum Either<const N: usize> {
    Array([f32; N]),
    One(f32),
}

#[test]
fn parameters_that_no_field_shows_are_meta_fields() {
    let relu = bytes_of(&Dense::<Relu> { w: [0.0; 2], act: Default::default() });
    let tanh = bytes_of(&Dense::<Tanh> { w: [0.0; 2], act: Default::default() });
    assert_ne!(relu, tanh);

    // The length of an array is in the structure anyway; stride and padding are meta fields.
    let conv = Conv::<1, true, 2> { w: [0.0; 2], b: None };
    let golden = b"\x82\x18\x04Conv\x01w\x01b\x06STRIDE\x03\x02\x04SAME\x02\x42\x01\xC0";
    assert_eq!(bytes_of(&conv), golden);
    assert_eq!(build::<Conv<1, true, 2>>(golden), Ok(conv));
    assert_eq!(build::<Conv<2, true, 2>>(golden), Err(MISMATCH));
    assert_eq!(build::<Conv<1, false, 2>>(golden), Err(MISMATCH));
    let def = treedef::treedef_of::<Plane<3>>();
    assert_eq!(def.head().meta_fields().collect::<Vec<_>>(), [("K", Value::Int(3))]);

    // Not every variant shows the length, so all have it. A capacity is no structure, and a field of another type shows what it
    // depends on.
    assert_ne!(bytes_of(&Either::<2>::One(0.0)), bytes_of(&Either::<3>::One(0.0)));
    assert_eq!(
        bytes_of(&Ring::<2> { items: [1.0].into() }),
        bytes_of(&Ring::<9> { items: [1.0].into() })
    );
    let outer = |inner| Outer { ring: Ring { items: [1.0].into() }, inner };
    let (first, second) = (outer(Plane::<1> { w: [0.0; 2] }), Plane::<2> { w: [0.0; 2] });
    let bytes = bytes_of(&first);
    assert_eq!(TreeDef::from_bytes(&bytes).unwrap().head().meta_fields().count(), 0);
    let second = Outer { ring: Ring { items: [1.0].into() }, inner: second };
    assert_ne!(bytes_of(&first), bytes_of(&second));
}

/// Passes its parameter on.
#[derive(Tree, Clone, Debug, PartialEq)]
struct Outer<const K: i8> {
    ring: Ring<4>,
    inner: Plane<K>,
}

macro_rules! counted {
    ($($name:ident $type:ty,)*) => {$(
        #[derive(Tree)]
        struct $name<const N: $type>(f32);
    )*};
}
counted! { Counted u8, Flagged bool, }

#[test]
fn const_parameter_whose_type_a_macro_gives_is_constant() {
    const DEFS: [TreeDef<'static>; 2] =
        [treedef::treedef_of::<Counted<3>>(), treedef::treedef_of::<Flagged<true>>()];
    let metas = DEFS.map(|def| def.head().meta_fields().next());
    assert_eq!(metas, [Some(("N", Value::Int(3))), Some(("N", Value::Bool(true)))]);
}

/// Names that generated code has, too.
#[derive(Tree)]
#[tree(name = "Own", meta(K__ = 1))]
struct Own<K__, const N__: u64>(K__);

#[test]
fn const_parameter_is_a_meta_field_of_its_name_and_value() {
    let text = |def: TreeDef<'_>| {
        let metas = def.head().meta_fields();
        metas.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
    };
    const MAX: TreeDef<'static> = treedef::treedef_of::<Own<f32, { u64::MAX }>>();
    assert_eq!(text(MAX), "K__ = 1, N__ = 18446744073709551615");
    const LARGEST: u64 = i64::MAX as u64;
    assert_eq!(
        text(treedef::treedef_of::<Own<f32, LARGEST>>()),
        "K__ = 1, N__ = 9223372036854775807"
    );
    u64::MAX.with_value(|value| assert!(MAX.head().meta_fields().any(|(_, own)| own == value)));
}

/// A fixed structure with a const parameter: its treedef is a constant.
#[derive(Tree, Clone, Debug, PartialEq)]
struct Plane<const K: i8> {
    w: [f32; 2],
}

#[derive(Tree)]
#[tree(name = concat!("fw", ".", "Mode"))]
enum NamedMode {
    Idle,
    Run(f32),
}

#[test]
fn the_name_of_a_type_can_be_a_macro() {
    let names = [NamedMode::Idle, NamedMode::Run(1.0)].map(|mode| {
        let bytes = bytes_of(&mode);
        TreeDef::from_bytes(&bytes).unwrap().head().type_name().unwrap().to_owned()
    });
    assert_eq!(names, ["fw.Mode::Idle", "fw.Mode::Run"]);
}
