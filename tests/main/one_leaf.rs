//! One leaf is found by its index or its path, and what comes before it is not visited.
#![cfg(all(feature = "derive", feature = "alloc"))]

use core::fmt::Debug;
use core::marker::PhantomData;
use std::collections::BTreeMap;

use treedef::container::{Depth, Fields, Lanes, Schema, Schemas, Sink, Trees, VisitLanes};
use treedef::over;
use treedef::path::{leaf_index, leaf_index_of, leaf_path_of};
use treedef::tree::{
    HasSchema, LeafTypes, Structure, TreeRead, TreeWalk, TreeWrite, find_leaf, find_leaf_mut, leaf,
    leaf_mut, mixed, muts_into, refs_into,
};
use treedef::{Error, Leaf, Tree, TreeDef, leaf_types, structure, treedef_of};

/// Each leaf by its index is the leaf that a visit reaches at this place, and the leaf after the last is refused.
fn check<T: TreeRead<f32> + TreeWrite<f32> + ?Sized>(tree: &mut T) {
    let count = tree.num_leaves().unwrap();
    let mut refs = vec![None::<&f32>; count];
    refs_into(tree, &mut refs).unwrap();
    for (index, expected) in refs.into_iter().enumerate() {
        let found: &f32 = leaf(tree, index).unwrap();
        assert!(core::ptr::eq(found, expected.unwrap()), "leaf {index}");
    }
    let mut slots: Vec<_> = (0..count).map(|_| None::<&mut f32>).collect();
    muts_into(tree, &mut slots).unwrap();
    let places: Vec<_> = slots.into_iter().map(|leaf| leaf.unwrap() as *const f32).collect();
    for (index, expected) in places.into_iter().enumerate() {
        let found: &mut f32 = leaf_mut(tree, index).unwrap();
        assert!(core::ptr::eq(found, expected), "leaf {index} to be changed");
    }
    for index in [count, count + 1, count + 7, usize::MAX] {
        let few = Error::TooFewLeaves { expected: index.saturating_add(1), found: count };
        assert_eq!(leaf::<f32, T>(tree, index), Err(few));
        assert_eq!(leaf_mut::<f32, T>(tree, index), Err(few));
    }
}

#[derive(Tree, Clone, Debug, PartialEq)]
enum Part {
    Gain(f32),
    Pair {
        first: Option<f32>,
        second: Box<(f32, [f32; 2])>,
        #[tree(meta)]
        mode: bool,
        #[tree(skip)]
        calls: u32,
    },
    Rows(Vec<[f32; 2]>),
    Parts(Vec<Part>),
    Nothing,
}

#[derive(Tree, Clone, Debug, PartialEq)]
struct Layer<T> {
    weights: [T; 3],
    parts: [Part; 2],
    bias: Option<Option<f32>>,
    unit: (),
    marker: PhantomData<T>,
    named: BTreeMap<String, (f32, T)>,
    few: heapless::Vec<[T; 0], 4>,
    last: T,
}

fn pair(mode: bool) -> Part {
    let first = mode.then_some(1.0);
    Part::Pair { first, second: Box::new((2.0, [3.0, 4.0])), mode, calls: 0 }
}

fn layer() -> Layer<f32> {
    let rows = Part::Rows(vec![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
    Layer {
        weights: [1.0, 2.0, 3.0],
        parts: [pair(true), Part::Parts(vec![Part::Nothing, rows, pair(false), Part::Gain(1.0)])],
        bias: Some(None),
        unit: (),
        marker: PhantomData,
        named: [("b".into(), (1.0, 2.0)), ("a".into(), (3.0, 4.0))].into(),
        few: heapless::Vec::from_iter([[], []]),
        last: 9.0,
    }
}

#[test]
fn every_container_finds_the_leaf_that_a_visit_reaches() {
    check(&mut 1.0f32);
    check(&mut ());
    check(&mut (1.0f32, [(2.0f32, 3.0f32); 3], (), [[4.0f32; 2]; 2]));
    check::<[f32]>(&mut [1.0f32, 2.0, 3.0]);
    check::<[Option<f32>]>(&mut [Some(1.0f32), None, Some(2.0)]);
    check(&mut vec![layer(), layer()]);
    check(&mut (&mut layer(), Box::new([layer()])));
    let mut map = heapless::LinearMap::<&str, [f32; 2], 4>::new();
    let _ = (map.insert("b", [1.0, 2.0]), map.insert("a", [3.0, 4.0]));
    check(&mut (1.0f32, map, 5.0f32));
}

/// Two leaves that nobody may visit.
struct Closed;

impl HasSchema for Closed {
    const SCHEMA: &'static Schema = &Schema::Tuple(Schemas::new(&[
        &Schema::Leaf("number", None, false),
        &Schema::Leaf("number", None, false),
    ]));
}

impl<L: Leaf> TreeRead<L> for Closed {}

impl<K: LeafTypes> TreeWrite<K> for Closed {}

impl<K: LeafTypes> TreeWalk<K> for Closed {
    fn walk<'a, S: Sink<'a, K>>(&'a self, _: &mut S)
    where
        K: 'a,
    {
        panic!("visited")
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        _: Trees<'a, L, Self>,
        _: &mut Depth,
        _: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        panic!("visited")
    }
}

#[derive(Tree)]
struct Behind {
    many: [Closed; 4],
    open: f32,
}

#[test]
fn elements_of_fixed_shape_are_stepped_over() {
    let behind = || Behind { many: [const { Closed }; 4], open: 1.0 };
    assert_eq!(leaf(&behind(), 8), Ok(&1.0f32));
    assert_eq!(leaf(&(vec![Closed, Closed], Some(2.0f32)), 4), Ok(&2.0f32));
    assert_eq!(leaf(&[behind(), behind()], 17), Ok(&1.0f32));
    assert_eq!(leaf::<f32, _>(&[behind(), behind()], 18).map_err(|_| ()), Err(()));
}

#[derive(Tree)]
struct Chain {
    value: f32,
    next: Option<Box<Chain>>,
}

#[test]
fn a_leaf_below_the_greatest_depth_is_refused() {
    let mut chain = Chain { value: 0.0, next: None };
    for value in 1..80u8 {
        chain = Chain { value: value.into(), next: Some(Box::new(chain)) };
    }
    assert_eq!(leaf(&chain, 63), Ok(&16.0f32));
    assert_eq!(leaf_mut(&mut chain, 63), Ok(&mut 16.0f32));
    assert_eq!(leaf::<f32, _>(&chain, 64), Err(Error::TooDeep { limit: 64 }));
    let changed = over(&mut chain).runs().for_each(|_: &mut [f32]| ());
    assert_eq!(changed, Err(Error::TooDeep { limit: 64 }));
}

/// A leaf type without `Display` and without `FromStr`.
#[derive(Clone, Debug, PartialEq)]
struct Tensor(u8);

leaf_types! {
    /// The leaves of a robot.
    pub struct Signal {
        owned Value,
        read ValueRef,
        write ValueMut,
        Float(f32),
        Count(u16),
        Flag(bool),
    }
}

leaf_types! {
    /// Leaves that are no texts.
    pub struct Silent {
        owned SilentValue,
        read SilentRef,
        write SilentMut,
        Tensor(Tensor),
        Number(f32),
    }
}

#[derive(Tree, Debug, PartialEq)]
struct Pid {
    kp: f32,
    #[tree(leaf)]
    limit: u16,
}

#[derive(Tree, Debug, PartialEq)]
struct Robot {
    axis: [Pid; 2],
    enabled: bool,
}

#[derive(Tree)]
struct Silence {
    #[tree(leaf)]
    tensor: Tensor,
    number: f32,
}

const DEF: TreeDef<'static> = treedef_of::<Robot>();

fn robot() -> Robot {
    Robot { axis: [Pid { kp: 1.5, limit: 2 }, Pid { kp: 3.5, limit: 4 }], enabled: false }
}

#[test]
fn a_leaf_of_several_types_is_found_and_set_from_a_text() {
    const LIMIT: usize = leaf_index!(DEF, "axis[1].limit");
    let mut robot = robot();
    assert_eq!(mixed::leaf::<Signal>(&robot, LIMIT), Ok(ValueRef::Count(&4)));
    for (path, text, fits) in [
        ("axis[1].limit", "40", true),
        ("axis[1].limit", "-1", false),
        ("axis[0].kp", "2.25", true),
        ("axis[0].kp", "fast", false),
        ("enabled", "true", true),
    ] {
        let leaf = mixed::find_leaf_mut::<Signal>(&mut robot, path).unwrap();
        assert_eq!(leaf.set_str(text), fits, "{path}={text}");
    }
    let shown = ["axis[0].kp", "axis[0].limit", "axis[1].kp", "axis[1].limit", "enabled"]
        .map(|path| mixed::find_leaf::<Signal>(&robot, path).unwrap().to_string());
    assert_eq!(shown, ["2.25", "2", "3.5", "40", "true"]);
    let mut silence = Silence { tensor: Tensor(1), number: 0.0 };
    assert_eq!(mixed::leaf::<Silent>(&silence, 0), Ok(SilentRef::Tensor(&Tensor(1))));
    assert_eq!(mixed::leaf_mut::<Silent>(&mut silence, 1), Ok(SilentMut::Number(&mut 0.0)));
    assert_eq!(silence.number, 0.0);
    // A type that no text can be takes nothing from the others.
    assert!(!mixed::leaf_mut::<Silent>(&mut silence, 0).unwrap().set_str("1"));
    assert!(mixed::leaf_mut::<Silent>(&mut silence, 1).unwrap().set_str("1e-3"));
    assert_eq!((silence.tensor, silence.number), (Tensor(1), 0.001));
}

leaf_types! {
    struct Floats { owned FloatsValue, read FloatsRef, write FloatsMut, Single(f32), Double(f64) }
}

#[test]
fn floats_are_written_with_the_fewest_digits_and_read_back() {
    let mut tree = (0.1f32, 0.1f64);
    for (text, shown) in
        [("1", "1.0"), ("-1.5", "-1.5"), ("1e-5", "1e-05"), ("3.3", "3.3"), ("inf", "inf")]
    {
        for index in [0, 1] {
            assert!(mixed::leaf_mut::<Floats>(&mut tree, index).unwrap().set_str(text));
            assert_eq!(mixed::leaf::<Floats>(&tree, index).unwrap().to_string(), shown);
        }
    }
    // Too large for one of them.
    assert!(!mixed::leaf_mut::<Floats>(&mut tree, 0).unwrap().set_str("1e39"));
    assert!(mixed::leaf_mut::<Floats>(&mut tree, 1).unwrap().set_str("1e39"));
    assert_eq!(tree, (f32::INFINITY, 1e39));
}

fn refused<T: Debug>(found: Result<T, Error>, path: &str) -> String {
    found.unwrap_err().explain_path_of::<Robot>(path).to_string()
}

#[test]
fn a_path_to_no_leaf_is_explained() {
    let mut robot = robot();
    for (path, message) in [
        ("axis[2].kp", "no [2].kp at axis: a list of 2"),
        ("axis[1]", "no leaf at axis[1]: has kp, limit"),
        ("/axis/0/kq", "no kq at /axis/0: has kp, limit"),
        ("axis", "no leaf at axis: a list of 2"),
        ("", "no leaf: has axis, enabled"),
        ("speed", "no speed: has axis, enabled"),
        ("enabled.x", "no x at enabled: a leaf"),
        ("axis[1]kp", "no . before kp at axis[1]: has kp, limit"),
    ] {
        assert_eq!(refused(mixed::find_leaf::<Signal>(&robot, path), path), message);
        assert_eq!(refused(mixed::find_leaf_mut::<Signal>(&mut robot, path), path), message);
    }
}

/// A tree of constant structure whose names can be mistaken for each other. The derive refuses such names.
struct Machine(Parts);

type Parts = ([f32; 3], Named, f32, f32, [(f32, [Numbered; 2]); 11], (), [f32; 0]);

impl HasSchema for Machine {
    const SCHEMA: &'static Schema = &Schema::Struct(&Fields {
        name: "Machine",
        head: None,
        is_named: true,
        fields: &["a.b", "a", "a/b", "a/b[1]", "wide", "empty", "none"],
        children: match Parts::SCHEMA {
            Schema::Tuple(children) => *children,
            _ => panic!(),
        },
        meta: &[],
        aliases: &[],
    });
}

impl<K: LeafTypes> TreeWalk<K> for Machine
where
    Parts: TreeWalk<K>,
{
    fn walk<'a, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: 'a,
    {
        assert!(!S::NEEDS_LEAVES, "no sink of leaves is given a machine here");
        out.constant::<Self>();
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        let fields = L::map(trees, |machine| &machine.0, |machine| &mut machine.0);
        Parts::walk_lanes::<L, E, V>(fields, depth, visit)
    }
}

impl TreeRead<f32> for Machine {}

impl TreeWrite<f32> for Machine {}

#[derive(Tree, Clone, Copy)]
struct Named {
    b: f32,
    bc: f32,
    c: [f32; 2],
}

#[derive(Tree, Clone, Copy)]
struct Numbered(f32, Named);

/// The text, and texts that differ from it in one character.
fn near(text: &str) -> Vec<String> {
    let mut texts = vec![text.to_string()];
    for at in 0..=text.len() {
        let (front, rest) = text.split_at(at);
        texts.push(front.to_string());
        let after = rest.get(1..).unwrap_or("");
        texts.push(format!("{front}{after}"));
        for other in "./[]'\"ab01-".chars() {
            texts.push(format!("{front}{other}{rest}"));
            texts.push(format!("{front}{other}{after}"));
        }
    }
    texts
}

#[test]
fn a_type_of_constant_structure_finds_what_its_treedef_finds() {
    const DEF: TreeDef<'static> = treedef_of::<Machine>();
    let named = Named { b: 0.0, bc: 0.0, c: [0.0; 2] };
    let wide = [(0.0, [Numbered(0.0, named); 2]); 11];
    let mut machine = Machine(([0.0; 3], named, 0.0, 0.0, wide, (), []));
    let mut number = 0.0;
    over(&mut machine)
        .for_each(|leaf: &mut f32| {
            *leaf = number;
            number += 1.0;
        })
        .unwrap();
    let (mut found, mut lost) = (0, 0);
    for path in (0..).map_while(|node| DEF.node_path(node)) {
        for text in near(&path.typed().to_string()).iter().chain(&near(&path.keystr().to_string()))
        {
            let expected = DEF.find_str(text).and_then(|found| {
                let at = text.len().try_into().unwrap();
                found.as_leaf().ok_or(Error::UnknownPath { at })
            });
            let leaf = find_leaf::<f32, _>(&machine, text).map(|leaf| *leaf as usize);
            assert_eq!(leaf, expected, "{text}");
            assert_eq!(leaf_index_of::<Machine>(text), expected, "{text}");
            *(if leaf.is_ok() { &mut found } else { &mut lost }) += 1;
        }
    }
    assert!(found > 1000 && lost > 1000, "{found} found, {lost} lost");
}

#[test]
fn the_path_of_a_leaf_of_a_type_is_that_of_its_treedef() {
    const DEF: TreeDef<'static> = treedef_of::<Machine>();
    for leaf in 0..DEF.num_leaves() {
        let (own, path) = (leaf_path_of::<Machine>(leaf).unwrap(), DEF.path(leaf).unwrap());
        assert_eq!(own.to_string(), path.typed().to_string());
    }
    assert!(leaf_path_of::<Machine>(DEF.num_leaves()).is_none());
    assert_eq!(leaf_path_of::<f32>(0).unwrap().to_string(), "");
    let refused = |path| {
        leaf_index_of::<Machine>(path).unwrap_err().explain_path_of::<Machine>(path).to_string()
    };
    assert_eq!(refused("wide[3]"), "no leaf at wide[3]: a tuple of 2");
    assert_eq!(refused("none[0]"), "no [0] at none: a list of 0");
    assert_eq!(refused("empty"), "no leaf at empty: a tuple of 0");
}

#[test]
fn a_leaf_is_found_where_the_structure_depends_on_the_value() {
    let mut layer = layer();
    let def = structure(&layer).unwrap();
    for index in 0..def.as_treedef().num_leaves() {
        let text = def.as_treedef().path(index).unwrap().typed().to_string();
        let expected: &f32 = leaf(&layer, index).unwrap();
        assert!(core::ptr::eq(find_leaf::<f32, _>(&layer, &text).unwrap(), expected), "{text}");
        *find_leaf_mut(&mut layer, &text).unwrap() = 10.0 + index as f32;
        assert_eq!(leaf(&layer, index), Ok(&(10.0 + index as f32)));
    }
    let unknown = Err(Error::UnknownPath { at: 8 });
    assert_eq!(find_leaf::<f32, _>(&layer, "parts[0][3]"), unknown);
    assert_eq!(find_leaf::<f32, _>(&layer, "parts[1]"), unknown);
    // What a variant lacks, another one can have.
    let part = [
        Part::Pair { first: None, second: Box::new((1.0, [2.0; 2])), mode: true, calls: 0 },
        Part::Nothing,
    ];
    let (error, def) = (find_leaf(&part, "[1].second"), structure(&part).unwrap());
    let text = |error: Error, path: &str| error.explain_path(&def, path).to_string();
    let nothing = "no .second (byte 3) at [1]: variant Part::Nothing has no children";
    assert_eq!(text(error.unwrap_err(), "[1].second"), nothing);
    let error = find_leaf::<f32, _>(&part, "[0].rate").unwrap_err();
    let pair = "no .rate (byte 3) at [0]: variant Part::Pair has .first, .second";
    assert_eq!(text(error, "[0].rate"), pair);
    // A type that bounds its treedef needs no more room than that.
    let bounded = ([Some(1.0f32); 3], heapless::Vec::<_, 4>::from_iter([2.0f32]));
    assert_eq!(find_leaf(&bounded, "[1][0]"), Ok(&2.0));
    // Without a bound, there are 2 kB on the stack.
    let names = (0..200).map(|index| (format!("a long name {index:04}"), 0.0f32));
    assert_eq!(find_leaf(&BTreeMap::from_iter(names), "a long name 0199"), Ok(&0.0f32));
}
