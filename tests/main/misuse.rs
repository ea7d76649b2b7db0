//! A caller that gets the order of events wrong, or goes on behind an error, gets an error: never a treedef that
//! `from_bytes` refuses.

use std::cell::Cell;

use treedef::algebra::Change;
use treedef::container::{Fields, Schema, Schemas, Source};
use treedef::encode::OpenNode;
use treedef::format::{ToValue, ValueTuple};
use treedef::head::head_into;
use treedef::tree::{HasSchema, Structure, TreeBuild, unflatten_from};
use treedef::{
    Arena, Error, TreeDef, TreeDefBuf, Value, Writer, head, matches, structure_into, treedef,
    unflatten,
};

#[test]
fn a_node_that_is_not_the_innermost_is_refused() {
    let mut bytes = [0; 16];
    let mut out = Writer::new(&mut bytes);
    let outer = out.begin_list(2);
    let inner = out.begin_list(1);
    out.leaves(1);
    out.end(outer);
    out.end(inner);
    assert_eq!(out.finish(), Err(Error::Arity { expected: 1, found: 0 }));
}

#[test]
fn a_node_that_was_ended_is_refused() {
    let mut bytes = [0; 16];
    let mut out = Writer::new(&mut bytes);
    let _list = out.begin_list(3);
    let first = out.begin_tuple(2);
    out.leaves(2);
    out.end(first);
    let second = out.begin_tuple(2);
    out.leaves(2);
    out.end(first);
    out.end(second);
    assert_eq!(out.finish(), Err(Error::Arity { expected: 1, found: 0 }));
}

#[test]
fn a_node_that_is_not_ended_is_missed() {
    let mut bytes = [0; 16];
    let mut out = Writer::new(&mut bytes);
    let _list = out.begin_list(2);
    let _inner = out.begin_list(1);
    out.leaves(1);
    assert_eq!(out.finish(), Err(Error::Arity { expected: 1, found: 0 }));
}

#[test]
fn what_did_not_fit_is_not_forgotten() {
    let mut out = Writer::new(&mut []);
    let full = Error::Full { room: 0 };
    assert!(!out.begin_list(3).is_open());
    assert_eq!(out.finish(), Err(full));

    let mut bytes = [0; 3];
    let mut out = Writer::new(&mut bytes);
    let list = out.begin_list(2);
    out.leaves(1);
    let inner = out.begin_list(1);
    out.leaves(1);
    let full = Error::Full { room: 3 };
    out.end(inner);
    out.end(inner);
    out.end(list);
    assert_eq!(out.finish(), Err(full));
}

#[test]
fn what_was_too_large_is_not_forgotten() {
    let mut bytes = [0; 32];
    let mut out = Writer::new(&mut bytes);
    let list = out.begin_list(u32::MAX as usize);
    // With the list itself there would be one node too many.
    out.leaves(u32::MAX as usize);
    out.end(list);
    assert_eq!(out.finish(), Err(Error::TooLarge));
}

/// Describes a list of one child, and no child.
struct Quiet;

impl HasSchema for Quiet {}

impl Structure for Quiet {
    fn describe(&self, out: &mut Writer<'_>) {
        out.node(&head::List(1), |_| ());
    }
}

#[test]
fn a_description_without_all_children_is_refused() {
    assert!(structure_into(&Quiet, &mut []).is_err());
    assert!(structure_into(&Quiet, &mut [0; 8]).is_err());
}

#[test]
fn an_operation_that_is_one_child_too_many_is_refused() {
    fn after_the_last_child(tree: &impl Structure) -> Result<(), Error> {
        let mut bytes = [0; 16];
        let mut out = Writer::new(&mut bytes);
        out.node(&head::Tuple(1), |out| {
            out.leaves(1);
            tree.describe(out);
        });
        let expected = treedef!((*,));
        let compared = matches(&Pair(treedef!(*), tree), expected);
        assert_eq!(compared, Err(Error::Arity { expected: 0, found: 1 }));
        out.finish().map(drop)
    }

    /// A tuple of one child, after which another one is described.
    struct Pair<'a, T>(TreeDef<'a>, &'a T);

    impl<T: HasSchema> HasSchema for Pair<'_, T> {}

    impl<T: Structure> Structure for Pair<'_, T> {
        fn describe(&self, out: &mut Writer<'_>) {
            out.node(&head::Tuple(1), |out| {
                self.0.describe(out);
                self.1.describe(out);
            });
        }
    }

    let pair = treedef!((*, *));
    let found = pair.find_at([1]).unwrap();
    let too_many = Err(Error::Arity { expected: 0, found: 1 });
    assert_eq!(after_the_last_child(&pair), too_many);
    assert_eq!(after_the_last_child(&pair.compose(TreeDef::LEAF)), too_many);
    assert_eq!(after_the_last_child(&pair.transform(|_| Ok(Change::Keep))), too_many);
    assert_eq!(after_the_last_child(&pair.nones_as_leaves()), too_many);
    assert_eq!(after_the_last_child(&pair.leaves_to_none(&[true, false])), too_many);
    assert_eq!(after_the_last_child(&pair.common_suffix(treedef!(([*], *)))), too_many);
    assert_eq!(after_the_last_child(&pair.replace([(found, TreeDef::NONE)]).unwrap()), too_many);
}

/// Describes `[None, [*, *]]`, and goes on where the None is not expected.
struct Forgiving;

impl HasSchema for Forgiving {}

impl Structure for Forgiving {
    fn describe(&self, out: &mut Writer<'_>) {
        out.node(&head::List(2), |out| {
            out.none();
            out.node(&head::List(2), |out| out.leaves(2));
        });
    }
}

#[test]
fn a_description_that_goes_on_behind_a_mismatch_is_refused() {
    assert_eq!(matches(&Forgiving, treedef!([None, [*, *]])), Ok(()));
    // All that it tells behind the None stands there.
    let mismatch = Err(Error::Mismatch { node: 1 });
    assert_eq!(matches(&Forgiving, treedef!([[*, *], *])), mismatch);
    assert_eq!(matches(&Forgiving, treedef!([[*, *], [*, *]])), mismatch);
}

#[test]
fn the_head_of_a_leaf_begins_no_node() {
    let leaf = TreeDef::LEAF.head();
    for encoded in [false, true] {
        let mut bytes = [0; 8];
        let mut out = Writer::new(&mut bytes);
        let list = out.begin_list(1);
        let node = if encoded { out.begin_head(&leaf) } else { out.begin(&leaf) };
        assert!(!node.is_open());
        out.leaves(1);
        out.end(list);
        assert_eq!(out.finish(), Err(Error::Arity { expected: 1, found: 0 }));
    }
}

#[test]
fn a_writer_in_the_place_of_the_borrowed_one_is_refused() {
    let refused = Error::Arity { expected: 1, found: 0 };
    fn swap(out: &mut Writer<'_>) {
        *out = Writer::new(Box::leak(Box::new([0; 8])));
        let list = out.begin_list(2);
        out.leaves(2);
        out.end(list);
    }
    assert_eq!(TreeDefBuf::<8>::build(swap), Err(refused));
    let mut bytes = [0; 8];
    let arena = Arena::new(&mut bytes);
    assert_eq!(arena.build(swap), Err(refused));
    assert_eq!(arena.remaining(), 8);
}

#[test]
fn more_children_than_a_head_can_say_are_too_large() {
    let Ok(count) = usize::try_from(1u64 << 32) else { return };
    let mut bytes = [0; 32];
    assert_eq!(head_into(&head::Tuple(count), &mut bytes).map(drop), Err(Error::TooLarge));
    assert_eq!(head_into(&head::List(count), &mut bytes).map(drop), Err(Error::TooLarge));
    let custom = head::Custom { name: "C", aux: Value::None, children: count, child_keys: None };
    assert_eq!(head_into(&custom, &mut bytes).map(drop), Err(Error::TooLarge));
    assert!(head_into(&head::List(count - 1), &mut bytes).is_ok());
}

#[cfg(target_pointer_width = "64")]
#[test]
fn more_children_than_a_treedef_can_have_are_too_many_for_any_buffer() {
    // Elements without a size take no memory.
    let units = [(); u32::MAX as usize + 1].as_slice();
    for room in [0, 1, 64] {
        let mut bytes = vec![0; room];
        assert_eq!(structure_into(units, &mut bytes), Err(Error::TooLarge));
    }
    assert_eq!(matches(units, treedef!([*, *])), Err(Error::TooLarge));
}

#[test]
fn values_of_any_depth_are_refused_without_going_down() {
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let deep = small.spawn(|| {
        let mut value = Value::None;
        for _ in 0..100_000 {
            value = Value::Tuple(ValueTuple::new(Box::leak(Box::new([value, value]))));
        }
        let heading = head::Struct { name: "", fields: &[], meta: &[("x", value)] };
        assert_eq!(head_into(&heading, &mut [0; 8]).map(drop), Err(Error::ValueTooDeep));
        assert_eq!(value.compare(value), None);
    });
    assert!(deep.is_ok_and(|deep| deep.join().is_ok()));
}

/// Has the schema with this index in [`SCHEMAS`], and asks for what [`STEPS`] says.
#[derive(Debug)]
struct Asks<const SCHEMA: usize>;

const SCHEMAS: [Schema; 8] = [
    Schema::Unknown,
    Schema::Tuple(Schemas::new(&[f32::SCHEMA, f32::SCHEMA])),
    Schema::Tuple(Schemas::new(&[f32::SCHEMA, &Schema::Optional(f32::SCHEMA)])),
    Schema::Array(2, f32::SCHEMA),
    Schema::List(Some(3), f32::SCHEMA),
    Schema::Map(None, char::TYPE, f32::SCHEMA),
    Schema::Optional(f32::SCHEMA),
    Schema::Struct(&Fields {
        name: "S",
        head: None,
        is_named: true,
        fields: &["x"],
        children: Schemas::new(&[f32::SCHEMA]),
        meta: &[("n", Value::Opaque(u8::TYPE))],
        aliases: &[],
    }),
];

type List<T> = heapless::Vec<T, 8>;

#[derive(Clone, Copy)]
enum Step {
    Begin,
    Value,
    Keys,
    Tree,
    Leaf,
    Child,
    Elements,
}

thread_local! {
    static STEPS: Cell<[Option<Step>; 3]> = const { Cell::new([None; 3]) };
}

impl<const SCHEMA: usize> HasSchema for Asks<SCHEMA> {
    const SCHEMA: &'static Schema = &SCHEMAS[SCHEMA];
}

impl<const SCHEMA: usize> TreeBuild<f32> for Asks<SCHEMA> {
    fn take_leaves(self, _: &mut impl FnMut(f32)) {}

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        let mut count = 2;
        for step in STEPS.get().into_iter().flatten() {
            match step {
                Step::Begin => count = from.begin(Self::SCHEMA)?,
                Step::Value => drop(from.value()?),
                Step::Keys => drop(from.keys(count)?),
                Step::Tree => drop(from.tree()?),
                Step::Leaf => drop(from.leaf::<f32>()?),
                Step::Child => drop(from.child::<Option<(f32, f32)>>()?),
                Step::Elements => drop(from.elements::<Option<f32>, List<_>>(count, 3)?),
            }
        }
        Ok(Self)
    }
}

/// Builds what asks for the wrong things from every treedef, alone and in lists, and returns how many values there are.
fn built<const SCHEMA: usize>(defs: &[TreeDef<'_>], leaves: &[f32]) -> usize {
    let mut count = 0;
    for def in defs {
        let leaves = &leaves[..def.num_leaves()];
        count += usize::from(unflatten::<f32, Asks<SCHEMA>>(def, leaves).is_ok());
        count += usize::from(unflatten_from::<f32, _, Asks<SCHEMA>>(def, leaves.to_vec()).is_ok());
        count += usize::from(unflatten::<f32, List<Asks<SCHEMA>>>(def, leaves).is_ok());
        let inside = unflatten::<f32, List<(f32, Option<Asks<SCHEMA>>)>>(def, leaves);
        count += usize::from(inside.is_ok());
    }
    count
}

#[test]
fn a_build_that_asks_for_something_else_than_its_schema_says_gives_an_error_or_a_value() {
    use Step::{Begin, Child, Elements, Keys, Leaf, Tree, Value};
    let mut bytes = [0; 16];
    let mut out = Writer::new(&mut bytes);
    let head = head::Struct { name: "S", fields: &["x"], meta: &[("n", treedef::Value::Int(3))] };
    out.node(&head, |out| out.leaves(1));
    let meta = out.finish().unwrap();
    let parts = [
        TreeDef::LEAF,
        TreeDef::NONE,
        treedef!((*, *)),
        treedef!((*, None)),
        treedef!([*, *]),
        treedef!({"a": *, "b": *}),
        meta,
    ];
    let mut bufs = Vec::new();
    for part in parts {
        for pairs in [false, true] {
            let buf = TreeDefBuf::<128>::build(|out| {
                let list = out.begin_list(6);
                (0..6).for_each(|_| match pairs {
                    true => out.node(&head::Tuple(2), |out| {
                        out.leaves(1);
                        out.subtree(part);
                    }),
                    false => out.subtree(part),
                });
                out.end(list);
            });
            bufs.push(buf.unwrap());
        }
    }
    let defs: Vec<_> = parts.into_iter().chain(bufs.iter().map(|buf| buf.as_treedef())).collect();
    let leaves: Vec<f32> = (0..24u8).map(f32::from).collect();
    let steps = [Begin, Value, Keys, Tree, Leaf, Child, Elements].map(Some);
    let all = || [None].into_iter().chain(steps);
    let mut counts = [0; 8];
    for (first, second) in all().flat_map(|first| all().map(move |second| (first, second))) {
        for third in all() {
            STEPS.set([first, second, third]);
            let built = [
                built::<0>(&defs, &leaves),
                built::<1>(&defs, &leaves),
                built::<2>(&defs, &leaves),
                built::<3>(&defs, &leaves),
                built::<4>(&defs, &leaves),
                built::<5>(&defs, &leaves),
                built::<6>(&defs, &leaves),
                built::<7>(&defs, &leaves),
            ];
            (0..8).for_each(|schema| counts[schema] += built[schema]);
        }
    }
    assert!(counts.into_iter().all(|count| count > 0), "{counts:?}");
}

#[test]
fn a_build_that_leaves_children_is_refused() {
    // Not of a constant structure, which is built of leaves alone.
    let def = treedef!((*, *));
    for (steps, node) in
        [([None; 2], 0), ([Some(Step::Begin), None], 1), ([Some(Step::Begin), Some(Step::Leaf)], 2)]
    {
        STEPS.set([steps[0], steps[1], None]);
        let refused = Err(Error::Mismatch { node });
        assert_eq!(unflatten::<f32, Asks<2>>(def, &[1.0, 2.0]).map(drop), refused);
        assert_eq!(unflatten_from::<f32, _, Asks<2>>(def, [1.0, 2.0]).map(drop), refused);
    }
    STEPS.set([Some(Step::Begin), Some(Step::Leaf), Some(Step::Leaf)]);
    assert!(unflatten::<f32, Asks<2>>(def, &[1.0, 2.0]).is_ok());
}

/// Describes a list of three, of which the first fails in the middle, and goes on.
struct GivenUp(fn() -> Error);

impl HasSchema for GivenUp {}

impl Structure for GivenUp {
    fn describe(&self, out: &mut Writer<'_>) {
        out.node(&head::List(3), |out| {
            out.node(&head::Tuple(2), |out| out.fail((self.0)()));
            out.leaves(2);
        });
    }
}

/// Describes an operation that fails in the middle, and goes on.
struct GivenUpInside;

impl HasSchema for GivenUpInside {}

impl Structure for GivenUpInside {
    fn describe(&self, out: &mut Writer<'_>) {
        out.node(&head::List(2), |out| {
            let inside = treedef!([*, [*]]);
            let change = |head: treedef::Head<'_>| match head.num_children() {
                1 => Err(Error::NoCommonSuffix { node: 0 }),
                _ => Ok(Change::Keep),
            };
            inside.transform(change).describe(out);
            out.leaves(1);
        });
    }
}

#[test]
fn what_follows_an_error_is_ignored() {
    let mut bytes = [0; 32];
    for error in [|| Error::TooLarge, || Error::Arity { expected: 0, found: 0 }] {
        assert_eq!(structure_into(&GivenUp(error), &mut bytes), Err(error()));
        assert_eq!(matches(&GivenUp(error), treedef!([(*, *), *, *])), Err(error()));
    }
    let error = Error::NoCommonSuffix { node: 0 };
    assert_eq!(structure_into(&GivenUpInside, &mut bytes), Err(error));
}

#[test]
fn a_out_refuses_more_nodes_than_a_treedef_has() -> Result<(), Error> {
    let mut bytes = [0; 32];
    let mut out = Writer::new(&mut bytes);
    let list = out.begin_list(1_000_000_000);
    let unit = out.begin_tuple(1);
    out.leaves(1);
    out.end(unit);
    out.repeat(999_999_999);
    out.end(list);
    let large = out.finish()?;
    let mut bytes = [0; 64];
    let mut out = Writer::new(&mut bytes);
    let list = out.begin_list(3);
    out.subtree(large);
    out.repeat(2);
    out.end(list);
    assert_eq!(out.finish(), Err(Error::TooLarge));
    Ok(())
}

#[test]
fn an_object_that_panics_leaves_its_node_open() -> Result<(), Error> {
    #[derive(Clone, Copy)]
    struct Panics(bool);
    impl treedef::Object for Panics {
        type Leaf = i32;
        fn open<O: treedef::dynamic::Open<Self>>(self, open: O) -> Result<O::Output, Error> {
            assert!(self.0, "an object that panics");
            open.list([Panics(false)])
        }
    }
    let mut bytes = [0; 32];
    let mut out = Writer::new(&mut bytes);
    let list = out.begin_list(1);
    let add = std::panic::AssertUnwindSafe(|| {
        treedef::dynamic::Flatten::new().flatten_onto(Panics(true), &mut out, &mut [0; 4])
    });
    assert!(std::panic::catch_unwind(add).is_err());
    out.leaves(1);
    out.end(list);
    assert_eq!(out.finish(), Err(Error::Arity { expected: 1, found: 0 }));
    Ok(())
}

/// Calls of a writer in any order: most make no tree, and some end nodes that are not open.
struct AnyCalls(u64);

impl AnyCalls {
    const PARTS: [TreeDef<'static>; 5] = [
        TreeDef::LEAF,
        treedef!((*, *)),
        treedef!([None, *]),
        treedef!([]),
        treedef!({"k": (*, *)}),
    ];

    /// Adds children to the open node until nothing is left or the random numbers say so, and some too many or few.
    fn add(
        random: &mut u64,
        out: &mut Writer<'_>,
        ended: &mut Vec<OpenNode>,
        children: u32,
        depth: u32,
    ) {
        let mut left = children;
        while left > 0 {
            let mut choose = |of: u64| {
                *random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                usize::try_from((*random >> 33) % of).unwrap()
            };
            let (kind, count) = (choose(if depth == 0 { 8 } else { 16 }), 1 + choose(3));
            let count = if choose(8) == 0 { 1 + choose(40) } else { count };
            let (wrong, astray) = (choose(150) == 0, choose(40) == 0);
            let node = match kind {
                0..3 => {
                    out.leaves(count);
                    left = left.saturating_sub(u32::try_from(count).unwrap());
                    continue;
                }
                3 => {
                    out.none();
                    left -= 1;
                    continue;
                }
                4..6 => {
                    out.repeat(count);
                    left = left.saturating_sub(u32::try_from(count).unwrap());
                    continue;
                }
                6..8 => {
                    out.subtree(Self::PARTS[choose(5)]);
                    left -= 1;
                    continue;
                }
                8..11 => out.begin_tuple(count),
                11..13 => out.begin_list(count),
                13 => out.begin_dict(&["a", "b", "c"]),
                14 => out.begin_struct("S", &["x", "y"]),
                _ => out.begin(&head::Some),
            };
            left -= 1;
            let children = match kind {
                8..13 => count,
                13 => 3,
                14 => 2,
                _ => 1,
            };
            let children = u32::try_from(children + usize::from(wrong)).unwrap();
            Self::add(random, out, ended, children, depth - 1);
            // A node that was ended before.
            let other = ended.get(*random as usize % (ended.len() + 1)).copied();
            out.end(other.filter(|_| astray).unwrap_or(node));
            ended.push(node);
        }
    }
}

impl HasSchema for AnyCalls {}

impl Structure for AnyCalls {
    fn describe(&self, out: &mut Writer<'_>) {
        Self::add(&mut self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15), out, &mut Vec::new(), 1, 5);
    }
}

#[test]
fn calls_in_any_order_make_a_treedef_or_an_error_in_every_mode() {
    let (mut made, mut longest) = (0, 0);
    for seed in 0..30_000 {
        let calls = AnyCalls(seed);
        let mut bytes = [0xA5; 400];
        let Ok(def) = structure_into(&calls, &mut bytes) else { continue };
        assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def), "{seed}");
        assert_eq!(TreeDef::from_bytes(def.as_bytes()).unwrap().num_nodes(), def.num_nodes());
        assert_eq!(matches(&calls, def), Ok(()), "{seed}: {def}");
        assert_eq!(calls.num_leaves(), Ok(def.num_leaves()), "{seed}: {def}");
        let bound = treedef::encode::structure_bound(&calls).unwrap();
        assert!(bound >= def.as_bytes().len(), "{seed}: {def}");
        assert_eq!(structure_into(&calls, &mut vec![0; bound]), Ok(def), "{seed}: {def}");
        let room = def.as_bytes().len() - 1;
        assert_eq!(structure_into(&calls, &mut vec![0; room]), Err(Error::Full { room }));
        (made, longest) = (made + 1, longest.max(def.num_nodes()));
    }
    assert!(made > 5_000 && longest > 200, "{made} {longest}");
}
