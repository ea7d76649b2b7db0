//! `#[derive(Tree)]` on every form of type: bytes, and the way back.
#![cfg(feature = "derive")]

use core::fmt::Debug;
use core::marker::PhantomData;

use treedef::tree::{HasSchema, MapTree, Structure, ZipPrefix};
use treedef::{Error, Tree, TreeDef};

/// Everything that can be done with a tree of `f32`, against bytes written by hand and the leaves.
fn check<T>(tree: &T, golden: &[u8], leaves: &[f32])
where
    T: Tree<f32> + MapTree<f32, f32, Output = T> + ZipPrefix<f32, f32, T>,
    T: Clone + PartialEq + Debug,
{
    let mut bytes = [0xA5; 256];
    let mut found = [0.0f32; 16];
    let (def, count) = treedef::flatten_into(tree, &mut bytes, &mut found).unwrap();
    assert_eq!(def.as_bytes(), golden, "{:?}", String::from_utf8_lossy(def.as_bytes()));
    assert_eq!(&found[..count], leaves);
    assert_eq!(TreeDef::from_bytes(golden), Ok(def));
    assert_eq!(treedef::unflatten(def, leaves).as_ref(), Ok(tree));
    super::all_laws::check(tree, |i| i as f32).unwrap();

    // A byte that is another one is no treedef, not of this type, or that of the value that comes out.
    for at in 0..golden.len() {
        for flip in [1, 2, 4, 8, 16, 32, 64, 128] {
            let mut other = golden.to_vec();
            other[at] ^= flip;
            let Ok(def) = TreeDef::from_bytes(&other) else { continue };
            if def.num_leaves() > 1000 {
                continue;
            }
            let built: Result<T, _> = treedef::unflatten(def, &vec![0.0f32; def.num_leaves()]);
            if let Ok(value) = built {
                assert_eq!(treedef::matches(&value, def), Ok(()));
            }
        }
    }
}

#[derive(Tree, Clone, Debug, PartialEq)]
struct Gains {
    kp: f32,
    ki: [f32; 2],
    r#type: Option<f32>,
}

#[test]
fn a_struct_with_names() {
    let gains = Gains { kp: 1.0, ki: [2.0, 3.0], r#type: None };
    check(
        &gains,
        b"\x83\x1f\x13main::derive::Gains\x02kp\x02ki\x04type\x00\x42\x01\xC0",
        &[1.0, 2.0, 3.0],
    );
    let gains = Gains { r#type: Some(4.0), ..gains };
    // Nodes: the struct, kp, ki with two leaves, and there the option.
    let other = Gains { kp: 1.0, ki: [2.0, 3.0], r#type: None };
    let zipped = treedef::over(&gains).under(&other).for_each(|_| ());
    assert_eq!(zipped, Err(Error::NotPrefix { node: 5, tree: 1 }));
    let zipped = treedef::over((&gains, &other)).for_each(|_| ());
    assert_eq!(zipped, Err(Error::TreesDiffer { node: 5, tree: 1 }));
    // A leaf stands above anything, `None` too, which has no leaf to be seen.
    let mut pairs = 0;
    let zipped = treedef::over(&other).under(&gains).for_each(|_| pairs += 1);
    assert_eq!(zipped, Ok(()));
    assert_eq!(pairs, 3);
    let golden = b"\x83\x1f\x13main::derive::Gains\x02kp\x02ki\x04type\x00\x42\x01\x00";
    check(&gains, golden, &[1.0, 2.0, 3.0, 4.0]);
}

#[derive(Tree, Clone, Debug, PartialEq)]
struct Pair<T>(T, f32);

#[test]
fn a_tuple_struct_has_its_positions_as_names() {
    let golden = b"\x82\x17\x12main::derive::Pair\x010\x011\x01";
    check(&Pair(1.0f32, 2.0), golden, &[1.0, 2.0]);
}

#[derive(Tree, Clone, Debug, PartialEq)]
struct Unit;

#[derive(Tree, Clone, Debug, PartialEq)]
struct Empty {}

#[derive(Tree, Clone, Debug, PartialEq)]
struct Newtype([f32; 2]);

#[test]
fn structs_without_leaves_and_newtypes_are_nodes_of_their_own() {
    check(&Unit, b"\x80\x13\x12main::derive::Unit", &[]);
    check(&Empty {}, b"\x80\x14\x13main::derive::Empty", &[]);
    check(&Newtype([1.0, 2.0]), b"\x81\x18\x15main::derive::Newtype\x010\x42\x01", &[1.0, 2.0]);
}

#[derive(Tree, Clone, Debug, PartialEq)]
enum Mode<T> {
    Off,
    Hold(T, f32),
    Track { rate: T },
}

#[test]
fn the_variant_of_an_enum_is_part_of_the_structure() {
    check(&Mode::<f32>::Off, b"\x80\x18\x17main::derive::Mode::Off", &[]);
    let golden = b"\x82\x1d\x18main::derive::Mode::Hold\x010\x011\x01";
    check(&Mode::Hold(1.0f32, 2.0), golden, &[1.0, 2.0]);
    let golden = b"\x81\x1f\x19main::derive::Mode::Track\x04rate\x00";
    check(&Mode::Track { rate: 1.0f32 }, golden, &[1.0]);

    let (off, track) = ((1.0f32, Mode::<f32>::Off), (2.0f32, Mode::Track { rate: 1.0f32 }));
    let zipped = treedef::over(&track).under(&off).for_each(|_| ());
    assert_eq!(zipped, Err(Error::NotPrefix { node: 2, tree: 1 }));
    let zipped = treedef::over((&track, &off)).for_each(|_| ());
    assert_eq!(zipped, Err(Error::TreesDiffer { node: 2, tree: 1 }));
    let other = TreeDef::from_bytes(b"\x80\x18\x17main::derive::Mode::Oft").unwrap();
    let built = treedef::unflatten::<f32, Mode<f32>>(other, &[]);
    assert_eq!(built, Err(Error::Mismatch { node: 0 }));
    let other = TreeDef::from_bytes(b"\x81\x1f\x19main::derive::Mode::Track\x04ratf\x00").unwrap();
    let built = treedef::unflatten::<f32, Mode<f32>>(other, &[0.0]);
    assert_eq!(built, Err(Error::Mismatch { node: 0 }));
}

#[derive(Tree)]
enum Never {}

#[test]
fn an_enum_without_variants_is_a_tree_without_values() {
    let built: Result<Never, _> = treedef::unflatten::<f32, _>(TreeDef::NONE, &[]);
    assert!(matches!(built, Err(Error::Mismatch { node: 0 })));
    assert!(treedef::map(&None::<Never>, |x: &f32| *x).is_ok_and(|none| none.is_none()));
}

#[derive(Tree, Clone, Debug, PartialEq)]
struct Linear<T, const N: usize> {
    w: [T; N],
    b: T,
}

#[test]
fn a_generic_struct_nests_and_changes_its_leaf_type() {
    let inner = |x: f32| Linear { w: [x, x + 1.0], b: x + 2.0 };
    let nested = Linear { w: [inner(0.0), inner(3.0)], b: inner(6.0) };
    let unit = b"\x82\x19\x14main::derive::Linear\x01w\x01b\x42\x01\x00".as_slice();
    // The head of the outer one, a list of a unit and one copy of three leaves, the unit once more.
    let golden = [&unit[..27], b"\x42", unit, b"\xA0\x03", unit].concat();
    check(&nested, &golden, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);

    let doubled = treedef::map(&nested, |x: &f32| f64::from(*x) * 2.0).unwrap();
    assert_eq!(doubled.w[1], Linear { w: [6.0f64, 8.0], b: 10.0 });
    let back = treedef::map(&doubled, |x: &f64| *x as f32 / 2.0).unwrap();
    assert_eq!(back, nested);
    let parts = treedef::map(&nested, |x: &f32| (*x > 4.0).then_some(*x)).unwrap();
    assert_eq!((parts.w[0].b, parts.b.b), (None, Some(8.0)));
}

#[test]
fn a_generic_struct_is_a_prefix_of_a_deeper_one() {
    let rates = Linear { w: [1.0f32, 2.0], b: 3.0 };
    let params = Linear { w: [[1.0f64, 2.0], [3.0, 4.0]], b: [5.0, 6.0] };
    let mut products = Vec::new();
    treedef::over(&params)
        .under(&rates)
        .for_each(|(x, rate): (&f64, &f32)| products.push(f64::from(*rate) * x))
        .unwrap();
    assert_eq!(products, [1.0, 2.0, 6.0, 8.0, 15.0, 18.0]);
}

const LINEAR: TreeDef<'static> = treedef::treedef_of::<Linear<Pair<f32>, 2>>();
const FINGERPRINT: u64 = LINEAR.fingerprint();

#[test]
fn the_treedef_of_a_generic_struct_is_constant() {
    let pair = b"\x82\x17\x12main::derive::Pair\x010\x011\x01".as_slice();
    let head = b"\x82\x19\x14main::derive::Linear\x01w\x01b\x42".as_slice();
    let golden = [head, pair, b"\xA0\x02", pair].concat();
    assert_eq!(LINEAR.as_bytes(), golden);
    assert_eq!(FINGERPRINT, TreeDef::from_bytes(&golden).unwrap().fingerprint());
    assert_eq!((Linear::<Pair<f32>, 2>::LEAVES, Mode::<f32>::LEAVES), (Some(6), None));
    fn generic<T: Structure>() -> TreeDef<'static> {
        treedef::treedef_of::<Linear<T, 2>>()
    }
    assert_eq!(generic::<Pair<f32>>(), LINEAR);
}

/// Bounds of the user, inline and in a where clause, hold for the new type too; a marker stays.
#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(skip(Tag))]
struct Bounded<'n, T: Copy, Tag: ?Sized>
where
    T: Debug,
{
    x: T,
    #[tree(skip)]
    note: Option<&'n str>,
    tag: PhantomData<Tag>,
    again: (T, [T; 2]),
}

#[test]
fn bounds_and_markers_survive_a_map() {
    struct Marker;
    let value =
        Bounded { x: 1.0f32, note: Some("a"), tag: PhantomData::<Marker>, again: (2.0, [3.0; 2]) };
    let mapped: Bounded<'_, i32, Marker> = treedef::map(&value, |x: &f32| *x as i32).unwrap();
    // A map copies what is skipped.
    assert_eq!((mapped.x, mapped.note, mapped.again), (1, Some("a"), (2, [3, 3])));
    // x, tag: an empty tuple, again.
    let golden = b"\x83\x22\x15main::derive::Bounded\x01x\x03tag\x05again\x00\x20\x22\x00\x42\x01";
    assert_eq!(treedef::structure_into(&value, &mut [0; 64]).unwrap().as_bytes(), golden);
    let mut pairs = 0;
    treedef::over(&mapped).with(&value).for_each(|_| pairs += 1).unwrap();
    assert_eq!(pairs, 4);
}

/// Names in the user's module that generated code could meet.
#[allow(non_upper_case_globals, dead_code, unused_macros, unused_imports)]
mod crowded {
    use ::treedef::Tree;

    const sink: u8 = 0;
    const depth: u8 = 0;
    const visit: u8 = 0;
    struct Ok;
    struct Some;
    struct None;
    struct Result;
    struct Option;
    struct Vec;
    mod core {}
    mod treedef {}
    macro_rules! concat {
        () => {};
    }
    pub(crate) use concat;

    #[derive(Tree, Clone, Debug, PartialEq)]
    pub(super) struct S<K, V, E, M, J, O, R> {
        pub(super) a: (K, V, E, M),
        pub(super) b: (J, O, R),
    }
}

#[test]
fn generated_names_do_not_meet_those_of_the_user() {
    let value = crowded::S { a: (1.0f32, 2.0f32, 3.0f32, 4.0f32), b: (5.0f32, 6.0f32, 7.0f32) };
    let golden = b"\x82\x1d\x18main::derive::crowded::S\x01a\x01b\x24\x03\x23\x02";
    check(&value, golden, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
}

/// The tokens of the struct come from two places.
macro_rules! declare {
    ($name:ident { $($field:ident: $ty:ty),* }) => {
        #[derive(Tree, Clone, Debug, PartialEq)]
        struct $name { $($field: $ty),* }
    };
}
declare!(ByMacro { a: f32, b: Option<f32> });

#[test]
fn a_struct_declared_by_a_macro() {
    let golden = b"\x82\x1a\x15main::derive::ByMacro\x01a\x01b\x01";
    check(&ByMacro { a: 1.0, b: Some(2.0) }, golden, &[1.0, 2.0]);
}

#[derive(Tree, Clone, Debug)]
struct List<'a> {
    v: f32,
    next: Option<&'a List<'a>>,
}

#[test]
fn a_borrowed_chain_can_be_read() {
    let last = List { v: 3.0, next: None };
    let middle = List { v: 2.0, next: Some(&last) };
    let first = List { v: 1.0, next: Some(&middle) };
    let node = b"\x82\x1a\x12main::derive::List\x01v\x04next\x00".as_slice();
    let (mut bytes, mut leaves) = ([0; 128], [0.0f32; 4]);
    let (def, count) = treedef::flatten_into(&first, &mut bytes, &mut leaves).unwrap();
    assert_eq!(def.as_bytes(), [node, node, node, b"\xC0"].concat());
    assert_eq!(leaves[..count], [1.0, 2.0, 3.0]);
}

#[derive(Tree)]
struct Lent<'a, T> {
    x: &'a T,
    y: &'a mut T,
}

#[test]
fn fields_that_lend_can_be_read() {
    let (x, mut y) = (1.0f32, 2.0f32);
    let lent = Lent { x: &x, y: &mut y };
    let mut leaves = [0.0f32; 2];
    assert_eq!(treedef::leaves_into(&lent, &mut leaves), Ok(2));
    assert_eq!(leaves, [1.0, 2.0]);
    assert_eq!(Lent::<f32>::LEAVES, Some(2));
}

/// Generic code names one bound.
fn double<L, T>(tree: &mut T)
where
    L: treedef::Leaf + Copy + core::ops::AddAssign,
    T: Tree<L>,
{
    treedef::over(tree).for_each(|x: &mut L| *x += *x).unwrap();
}

#[test]
fn derived_types_meet_the_bound_of_generic_code() {
    let mut value = Mode::Hold(1.0f32, 2.0);
    double::<f32, _>(&mut value);
    assert_eq!(value, Mode::Hold(2.0, 4.0));
}

#[cfg(feature = "alloc")]
mod owned {
    use super::*;

    #[derive(Tree, Clone, Debug, PartialEq)]
    struct Rose<T> {
        v: T,
        kids: Vec<Rose<T>>,
        twin: Option<Box<Self>>,
    }

    fn leaf<T>(v: T) -> Rose<T> {
        Rose { v, kids: Vec::new(), twin: None }
    }

    #[test]
    fn a_recursive_struct() {
        let mut rose = leaf(1.0f32);
        rose.kids = vec![leaf(2.0), leaf(3.0)];
        rose.twin = Some(Box::new(leaf(4.0)));
        let head = b"\x83\x26\x19main::derive::owned::Rose\x01v\x04kids\x04twin\x00".as_slice();
        let unit = [head, b"\x40\xC0"].concat();
        let golden = [head, b"\x42", &unit, b"\xA0\x01", &unit].concat();
        check(&rose, &golden, &[1.0, 2.0, 3.0, 4.0]);
        let names = treedef::map(&rose, |x: &f32| *x as u8 as char).unwrap();
        assert_eq!(names.kids[1], leaf('\u{3}'));
        let deeper = treedef::map(&rose, |x: &f32| [*x; 2]).unwrap();
        let mut pairs = 0;
        let zipped = treedef::over(&deeper).under(&rose);
        zipped.for_each(|(y, x): (&f32, &f32)| pairs += i32::from(x == y)).unwrap();
        assert_eq!(pairs, 8);
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    enum Expression<T> {
        Constant(T),
        Sum(Box<Expression<T>>, Box<Expression<T>>),
        All { of: Vec<Self> },
    }

    #[test]
    fn a_recursive_enum() {
        use Expression::*;
        let tree = Sum(Box::new(Constant(1.0f32)), Box::new(All { of: vec![Constant(2.0); 2] }));
        let constant = b"\x81\x2c\x29main::derive::owned::Expression::Constant\x010\x00".as_slice();
        let sum = b"\x82\x29\x24main::derive::owned::Expression::Sum\x010\x011".as_slice();
        let all = b"\x81\x28\x24main::derive::owned::Expression::All\x02of\x42".as_slice();
        let golden = [sum, constant, all, constant, b"\xA0\x01"].concat();
        check(&tree, &golden, &[1.0, 2.0, 2.0]);
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(bound = "f32, T")]
    struct Ping<T> {
        v: T,
        pong: Option<Box<Pong<T>>>,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(bound = "f32, T")]
    struct Pong<T> {
        v: f32,
        ping: Vec<Ping<T>>,
    }

    #[test]
    fn types_that_name_each_other_say_what_is_bounded() {
        let pong = Pong { v: 2.0, ping: vec![Ping { v: 3.0f32, pong: None }] };
        let ping = Ping { v: 1.0f32, pong: Some(Box::new(pong)) };
        let head = b"\x82\x21\x19main::derive::owned::Ping\x01v\x04pong\x00".as_slice();
        let pong = b"\x82\x21\x19main::derive::owned::Pong\x01v\x04ping\x00\x41".as_slice();
        let golden = [head, pong, head, b"\xC0"].concat();
        check(&ping, &golden, &[1.0, 2.0, 3.0]);
    }
}

/// A type that a macro hands over comes in an invisible group.
macro_rules! holds {
    ($name:ident $ty:ty) => {
        #[derive(Clone, Debug, PartialEq, Tree)]
        struct $name<T> {
            held: $ty,
        }
    };
}
holds!(Held T);

#[test]
fn a_type_out_of_a_macro_is_the_type() {
    let doubled: Held<f32> = treedef::map(&Held { held: 1.0f32 }, |x: &f32| 2.0 * x).unwrap();
    assert_eq!(doubled, Held { held: 2.0 });
}

/// A layer with what is no part of the tree: a counter, and a name.
#[derive(Clone, Debug, PartialEq, Tree)]
enum Named<T> {
    Bare,
    Layer {
        w: [T; 2],
        #[tree(skip)]
        calls: u32,
        #[tree(skip)]
        name: String,
    },
}

#[test]
fn maps_copy_what_is_skipped() {
    let named = |w: [f32; 2], calls, name: &str| Named::Layer { w, calls, name: name.to_owned() };
    let layer = named([1.0, 2.0], 7, "in");
    let twice = |x: &f32| 2.0 * x;
    assert_eq!(treedef::map(&layer, twice), Ok(named([2.0, 4.0], 7, "in")));
    let other = named([3.0, 4.0], 9, "out");
    let sum = treedef::over((&layer, &other)).map(|(a, b): (&f32, &f32)| a + b);
    assert_eq!(sum, Ok(named([4.0, 6.0], 7, "in")));
    assert_eq!(treedef::map(&Named::<f32>::Bare, twice), Ok(Named::Bare));

    // They are no part of the tree: trees with other names have one structure, and a rebuild has the defaults.
    let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 2]);
    let (def, _) = treedef::flatten_into(&layer, &mut bytes, &mut leaves).unwrap();
    assert_eq!(treedef::matches(&other, def), Ok(()));
    assert_eq!(treedef::unflatten(def, &leaves), Ok(named([1.0, 2.0], 0, "")));
}

trait Number {
    type Float;
}

impl Number for () {
    type Float = f32;
}

/// Fields whose types are written by means of another type, as the arrays of `ndarray` are.
#[derive(Clone, Debug, PartialEq, Tree)]
#[tree(name = "Scale")]
struct Scale<T> {
    by: <() as Number>::Float,
    limits: Option<[<() as Number>::Float; 2]>,
    rest: T,
}

#[test]
fn a_type_of_an_associated_type_is_the_type() {
    let scale = Scale { by: 1.0, limits: Some([2.0, 3.0]), rest: 4.0f32 };
    check(
        &scale,
        b"\x83\x15\x05Scale\x02by\x06limits\x04rest\x00\x42\x01\x00",
        &[1.0, 2.0, 3.0, 4.0],
    );
    let doubled = treedef::map(&scale, |x: &f32| 2.0 * x);
    assert_eq!(doubled, Ok(Scale { by: 2.0, limits: Some([4.0, 6.0]), rest: 8.0 }));
}

/// A field that is no part of the tree, of a type without a default.
#[derive(Tree)]
struct Activated {
    w: f32,
    #[tree(skip)]
    by: fn(f32) -> f32,
}

#[test]
fn a_skipped_field_without_a_default_is_copied_by_a_map() {
    let mut layer = Activated { w: 1.0, by: f32::sqrt };
    treedef::over(&mut layer).for_each(|w: &mut f32| *w = 4.0).unwrap();
    let mapped = treedef::map(&layer, |w: &f32| 4.0 * w).unwrap();
    assert_eq!((mapped.by)(mapped.w), 4.0);
}

#[test]
fn a_constant_head_of_any_length_is_the_one_that_is_written() {
    macro_rules! check {
        ($($field:ident)*) => {{
            #[derive(Tree)]
            #[tree(name = "a::Name")]
            struct Wide {
                $($field: f32),*
            }

            let (fields, mut bytes) = (&[$(stringify!($field)),*][..], [0; 512]);
            let mut out = treedef::Writer::new(&mut bytes);
            let spec = treedef::head::Struct { name: "a::Name", fields, meta: &[] };
            out.node(&spec, |out| out.leaves(fields.len()));
            assert_eq!(out.finish(), Ok(treedef::treedef_of::<Wide>()));
        }};
    }
    check!();
    check!(a);
    check!(a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb cc dd);
    check!(a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb cc dd ee);
    check!(a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb cc dd ee ff gg hh ii jj kk);
}

/// A map of these fails only if the function for a leaf does, so arrays inside of them are made in place.
#[cfg(feature = "alloc")]
#[test]
fn maps_of_fixed_shape_without_meta_fields_never_fail() {
    #[derive(Tree)]
    struct Filter<T> {
        taps: [[T; 2]; 3],
        gain: (T, T),
    }
    #[derive(Tree)]
    struct Named<T> {
        #[tree(meta)]
        order: u8,
        taps: [T; 2],
    }
    #[derive(Tree)]
    struct Chain<T> {
        gain: T,
        next: Option<Box<Chain<T>>>,
    }
    const fn never_fails<T: MapTree<f32, String>>() -> bool {
        T::NEVER_FAILS
    }
    assert!(never_fails::<[Filter<f32>; 4]>());
    assert!(!never_fails::<Named<f32>>() && !never_fails::<[Named<f32>; 2]>());
    assert!(!never_fails::<Chain<f32>>() && !never_fails::<([Vec<f32>; 2],)>());

    let filter = Filter { taps: [[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]], gain: (7.0, 8.0) };
    let texts: Filter<String> = treedef::map(&filter, |x: &f32| x.to_string()).unwrap();
    assert_eq!(texts.taps, [["1", "2"], ["3", "4"], ["5", "6"]]);
    assert_eq!(texts.gain, ("7".to_string(), "8".to_string()));
    let named = Named { order: 3, taps: [0.5f32, 1.5] };
    let texts: Named<String> = treedef::map(&named, |x: &f32| x.to_string()).unwrap();
    assert_eq!((texts.order, texts.taps), (3, ["0.5".to_string(), "1.5".to_string()]));
    let chain = Chain { gain: 1.0f32, next: None };
    assert!(
        treedef::map(&chain, |x: &f32| x.to_string()).unwrap().next.is_none() && chain.gain == 1.0
    );
}
