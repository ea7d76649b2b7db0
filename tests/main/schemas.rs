//! Schemas of types: what changes their key, and which structures a type can have.

use std::collections::BTreeMap;

use proptest::prelude::*;
use treedef::container::{Depth, Lanes, Schema, Sink, Source, Trees, VisitLanes};
use treedef::encode::{assert_key, fits};
use treedef::tree::{AsLeaf, HasSchema, NoLeaves, TreeBuild, TreeWalk};
use treedef::{
    Error, KeyEntry, Tree, TreeDef, Value, Writer, flatten, schema_of, structure, treedef,
    unflatten,
};
use treedef_proptest::treedefs;

#[derive(Tree, Clone, Debug)]
#[tree(name = "Mode")]
enum Mode {
    Off,
    Torque { max: f32 },
    Pair(f32, Option<f32>),
}

/// A type in itself.
#[derive(Tree, Clone, Debug)]
#[tree(name = "Link")]
struct Link {
    gain: f32,
    next: Option<Box<Link>>,
}

#[derive(Tree, Clone, Debug)]
#[tree(name = "Robot")]
struct Robot {
    mode: Mode,
    curve: heapless::Vec<f32, 2>,
    names: BTreeMap<String, (f32, [f32; 2])>,
    trim: Option<Option<f32>>,
    links: Vec<Link>,
    #[tree(meta)]
    channel: u8,
}

/// Types that differ from `Base` in one thing each.
mod other {
    use treedef::Tree;

    macro_rules! settings {
        ($module:ident, $name:literal, { $($fields:tt)* }, { $($variants:tt)* }) => {
            pub(super) mod $module {
                use super::*;

                #[derive(Tree)]
                #[tree(name = "E")]
                #[allow(dead_code)]
                pub(crate) enum Choice { $($variants)* }

                #[derive(Tree)]
                #[tree(name = $name)]
                #[allow(dead_code)]
                pub(crate) struct Settings { choice: Choice, $($fields)* }
            }
        };
    }
    settings!(base, "S", { a: f32, b: Option<f32>, c: heapless::Vec<f32, 4>, #[tree(meta)] m: u8 }, { A, B(f32) });
    settings!(again, "S", { a: f32, b: Option<f32>, c: heapless::Vec<f32, 4>, #[tree(meta)] m: u8 }, { A, B(f32) });
    settings!(name, "T", { a: f32, b: Option<f32>, c: heapless::Vec<f32, 4>, #[tree(meta)] m: u8 }, { A, B(f32) });
    settings!(field, "S", { x: f32, b: Option<f32>, c: heapless::Vec<f32, 4>, #[tree(meta)] m: u8 }, { A, B(f32) });
    settings!(leaf, "S", { a: f64, b: Option<f32>, c: heapless::Vec<f32, 4>, #[tree(meta)] m: u8 }, { A, B(f32) });
    settings!(option, "S", { a: f32, b: f32, c: heapless::Vec<f32, 4>, #[tree(meta)] m: u8 }, { A, B(f32) });
    settings!(meta, "S", { a: f32, b: Option<f32>, c: heapless::Vec<f32, 4>, #[tree(meta)] m: i8 }, { A, B(f32) });
    settings!(room, "S", { a: f32, b: Option<f32>, c: heapless::Vec<f32, 5>, #[tree(meta)] m: u8 }, { A, B(f32) });
    settings!(variant, "S", { a: f32, b: Option<f32>, c: heapless::Vec<f32, 4>, #[tree(meta)] m: u8 }, { A, B(f32), C });
}

#[test]
fn all_that_a_type_can_be_is_in_its_key() {
    const BASE: TreeDef<'static> = schema_of::<other::base::Settings>();
    assert_eq!(BASE, schema_of::<other::again::Settings>());
    assert_eq!(TreeDef::from_bytes(BASE.as_bytes()), Ok(BASE));
    let others: [(TreeDef<'_>, &str); 7] = [
        (
            schema_of::<other::name::Settings>(),
            "at the root: expected a struct S, found a struct T",
        ),
        (
            schema_of::<other::field::Settings>(),
            "at the root: missing field a and unexpected field x",
        ),
        (
            schema_of::<other::leaf::Settings>(),
            "at .a: expected type = 'float32', found type = 'float64'",
        ),
        (schema_of::<other::option::Settings>(), "at .b: expected an option, found a leaf"),
        (schema_of::<other::meta::Settings>(), "at the root: expected m = u8, found m = i8"),
        (schema_of::<other::room::Settings>(), "at .c: expected room = 4, found room = 5"),
        (schema_of::<other::variant::Settings>(), "at .choice: unexpected field C"),
    ];
    for (other, text) in others {
        assert_ne!(other.fingerprint(), BASE.fingerprint());
        let first = BASE.differences(other).next().unwrap().unwrap();
        assert_eq!(first.to_string(), text);
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord, treedef::Meta)]
enum Channel {
    Left,
    Right,
}

impl treedef::format::MapKey for Channel {}

#[test]
fn the_keys_of_a_map_are_in_its_schema() {
    let text = |one: TreeDef<'static>, other: TreeDef<'static>| {
        let difference = one.differences(other).next()?.unwrap();
        Some(difference.to_string())
    };
    let strings = schema_of::<BTreeMap<String, f32>>();
    assert_eq!(text(strings, schema_of::<BTreeMap<&str, f32>>()), None);
    let numbers = schema_of::<BTreeMap<u8, f32>>();
    let expected = "at the root: expected key = 'str', found key = 'u8'";
    assert_eq!(text(strings, numbers).as_deref(), Some(expected));
    let expected = "at the root: expected key = 'u8', found key = 'Channel'";
    let channels = schema_of::<BTreeMap<Channel, f32>>();
    assert_eq!(text(numbers, channels).as_deref(), Some(expected));
    assert_eq!([Channel::Left < Channel::Right, numbers != channels], [true; 2]);
    // With a room.
    type Few<K> = heapless::LinearMap<K, f32, 4>;
    let expected = "at the root: expected key = 'char', room = 4, found key = 'u16', room = None";
    let found = text(schema_of::<Few<char>>(), schema_of::<BTreeMap<u16, f32>>());
    assert_eq!(found.as_deref(), Some(expected));
    let expected = "at the root: expected key = 'str<10>', found key = 'str<9>'";
    let found = text(schema_of::<Few<Text<10>>>(), schema_of::<Few<Text<9>>>());
    assert_eq!(found.as_deref(), Some(expected));
}

type Text<const N: usize> = heapless::String<N>;

#[derive(treedef::Leaf)]
#[tree(name = "app::Pin/2")]
struct Pin;

#[test]
fn the_names_of_leaf_types_are_in_a_schema() {
    let differs = |other| schema_of::<Text<0>>().differences(other).next().map(Result::unwrap);
    let expected = "at the root: expected type = 'str<0>', found type = ";
    let found = [differs(schema_of::<Text<1024>>()), differs(schema_of::<Pin>())];
    let texts = found.map(|one| one.unwrap().to_string());
    assert_eq!(texts, ["'str<1024>'", "'app::Pin/2'"].map(|name| format!("{expected}{name}")));
}

#[test]
fn structures_of_all_kinds_fit_or_say_where_not() {
    // A type in itself.
    let link = |next| Link { gain: 1.0, next };
    let chain = link(Some(Box::new(link(Some(Box::new(link(None)))))));
    let (def, _) = flatten::<f32, _>(&chain).unwrap();
    assert_eq!(fits::<Link>(&def), Ok(()));
    assert_eq!(fits::<[Link; 1]>(&def), Err(Error::Mismatch { node: 0 }));
    let deep = (0..100).fold(link(None), |inner, _| link(Some(Box::new(inner))));
    assert!(flatten::<f32, _>(&deep).is_err());
    // No room; the error is that of the container.
    let def = treedef!(([*, *, *], *));
    assert_eq!(
        fits::<(heapless::Vec<f32, 2>, f32)>(def),
        Err(Error::Capacity { node: 1, room: 2 })
    );
    // A variant that there is not.
    let (home, _) = flatten::<f32, _>(&other::base::Choice::B(1.0)).unwrap();
    let error = fits::<Mode>(&home).unwrap_err();
    assert_eq!(
        error.explain_type::<Mode>(&home).to_string(),
        "at the root: unknown variant E::B: has Off, Torque, Pair"
    );
}

fn robots() -> impl Strategy<Value = Robot> {
    let leaf = || any::<i8>().prop_map(f32::from);
    let mode = prop_oneof![
        Just(Mode::Off),
        leaf().prop_map(|max| Mode::Torque { max }),
        (leaf(), prop::option::of(leaf())).prop_map(|(one, other)| Mode::Pair(one, other)),
    ];
    let links = prop::collection::vec((leaf(), prop::option::of(leaf())), 0..3).prop_map(|all| {
        let link = |gain, next| Link { gain, next };
        let inner = |gain: f32| Box::new(link(gain, None));
        all.into_iter().map(|(gain, next)| link(gain, next.map(inner))).collect()
    });
    let names = prop::collection::btree_map("[a-c]{1,2}", (leaf(), [leaf(), leaf()]), 0..3);
    let trim = prop::option::of(prop::option::of(leaf()));
    let curve = prop::collection::vec(leaf(), 0..3);
    (mode, curve, names, trim, links, any::<u8>()).prop_map(
        |(mode, curve, names, trim, links, channel)| Robot {
            mode,
            curve: curve.into_iter().collect(),
            names,
            trim,
            links,
            channel,
        },
    )
}

/// A structure fits if and only if a value can be built from it; and if not, it is for the same reason. The schema of a map does
/// not know the type of its keys.
#[track_caller]
fn agrees<T: Tree<f32> + std::fmt::Debug>(def: TreeDef<'_>) {
    let leaves = vec![1.0f32; def.num_leaves()];
    let built = unflatten::<f32, T>(def, &leaves).map(|_| ());
    if has_other_keys(def) {
        assert!(built.is_err() || fits::<T>(def).is_ok(), "{def:?}");
    } else {
        assert_eq!(fits::<T>(def), built, "{def:?}");
    }
}

/// Whether a dictionary has a key that is no text.
fn has_other_keys(def: TreeDef<'_>) -> bool {
    let head = def.head();
    let is_other = |entry| matches!(entry, KeyEntry::Key(key) if !matches!(key, Value::Str(_)));
    head.entries().any(is_other) || def.children().any(has_other_keys)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_fits_is_what_can_be_built(robot in robots(), at in any::<prop::sample::Index>(), bit in 0..8u32) {
        let (def, _) = flatten::<f32, _>(&robot).unwrap();
        let def = def.as_treedef();
        agrees::<Robot>(def);
        prop_assert_eq!(fits::<Robot>(def), Ok(()));
        // A treedef that differs in a bit, if it is one.
        let mut bytes = def.as_bytes().to_vec();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        let is_channel = |(_, value)| matches!(value, Value::Int(0..=255));
        if let Ok(other) = TreeDef::from_bytes(&bytes)
            && other.num_leaves() < 10_000
            && other.head().meta_fields().all(is_channel)
        {
            agrees::<Robot>(other);
        }
    }

    #[test]
    fn any_structure_fits_or_not(def in treedefs()) {
        let def = def.as_treedef();
        prop_assume!(def.num_leaves() < 10_000);
        agrees::<Robot>(def);
        agrees::<Vec<Option<Vec<f32>>>>(def);
        agrees::<BTreeMap<String, Vec<f32>>>(def);
        agrees::<(f32, [f32; 2])>(def);
    }
}

/// Lists of lists of 2^30 leaves in a few bytes, and of leaves that are no lists at the end.
#[test]
fn what_few_bytes_stand_for_fits_at_once() {
    const MANY: usize = 1 << 30;
    let mut bytes = [0; 64];
    let mut out = Writer::new(&mut bytes);
    let frame = out.begin_list(5);
    for _ in 0..4 {
        let list = out.begin_list(MANY / 4);
        out.leaves(MANY / 4);
        out.end(list);
    }
    out.leaves(1);
    out.end(frame);
    let def = out.finish().unwrap();
    assert_eq!(def.num_leaves(), MANY + 1);
    let node = 1 + MANY as u32 + 4;
    assert_eq!(fits::<Vec<Vec<f32>>>(def), Err(Error::Mismatch { node }));
    assert_eq!(fits::<Vec<f32>>(def), Err(Error::Mismatch { node: 1 }));
}

mod v1 {
    #[derive(treedef::Tree, Clone, Debug)]
    pub(crate) struct Config {
        pub gain: f32,
    }
}

/// A type of the same name, in another module, is another type.
#[derive(Tree, Clone, Debug)]
struct Config {
    old: v1::Config,
    rate: f32,
}

/// A type in itself with other arguments.
#[derive(Tree, Clone, Debug)]
struct Swap<A, B> {
    a: A,
    b: B,
    next: Option<Box<Swap<B, A>>>,
}

#[derive(Tree, Clone, Debug)]
#[tree(bound = "T")]
struct Bounded<T> {
    weights: [T; 3],
    bias: T,
}

#[test]
fn only_the_type_itself_is_a_recursion() {
    assert_eq!((Config::LEAVES, <Bounded<f32>>::LEAVES), (Some(2), Some(4)));
    assert!(Config::TREEDEF.is_some() && <Bounded<f32>>::TREEDEF.is_some());
    let config = Config { old: v1::Config { gain: 1.0 }, rate: 2.0 };
    assert_eq!(fits::<Config>(&structure(&config).unwrap()), Ok(()));
    let next = Some(Box::new(Swap { a: (1.0f32, 2.0f32), b: 3.0f32, next: None }));
    let swap = Swap { a: 1.0f32, b: (2.0f32, 3.0f32), next };
    assert_eq!(fits::<Swap<f32, (f32, f32)>>(&structure(&swap).unwrap()), Ok(()));
}

/// A container by hand that says nothing of its structure.
struct Queue(Vec<f32>);

impl HasSchema for Queue {}

impl TreeWalk<NoLeaves> for Queue {
    fn walk<'a, S: Sink<'a, NoLeaves>>(&'a self, out: &mut S) {
        self.0.walk(out);
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, NoLeaves, L, E>>(
        queues: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E> {
        let inner = L::map(queues, |queue| &queue.0, |queue| &mut queue.0);
        <Vec<f32> as TreeWalk<NoLeaves>>::walk_lanes::<L, E, V>(inner, depth, visit)
    }
}

/// A container by hand that can be a `None`.
struct Maybe(Option<f32>);

impl HasSchema for Maybe {
    const SCHEMA: &'static Schema = <Option<f32>>::SCHEMA;
}

impl TreeWalk<NoLeaves> for Maybe {
    fn walk<'a, S: Sink<'a, NoLeaves>>(&'a self, out: &mut S) {
        self.0.walk(out);
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, NoLeaves, L, E>>(
        maybes: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E> {
        let inner = L::map(maybes, |maybe| &maybe.0, |maybe| &mut maybe.0);
        <Option<f32> as TreeWalk<NoLeaves>>::walk_lanes::<L, E, V>(inner, depth, visit)
    }
}

#[test]
fn containers_by_hand_are_what_their_schema_says() {
    let def = structure(&(Queue(vec![1.0, 2.0]), None::<f32>)).unwrap();
    assert_eq!(fits::<(Queue, f32)>(&def), Err(Error::Mismatch { node: 4 }));
    // `Some` of a `None` is not a `None`.
    assert_ne!(structure(&Some(Maybe(None))).unwrap(), structure(&None::<Maybe>).unwrap());
}

#[test]
fn a_const_parameter_in_the_type_of_a_leaf_is_a_meta_field() {
    #[derive(Tree)]
    struct Filter<const N: usize> {
        taps: AsLeaf<[f32; N]>,
        name: heapless::String<N>,
    }
    assert_ne!(schema_of::<Filter<2>>(), schema_of::<Filter<3>>());
    assert_ne!(<Filter<2>>::TREEDEF, <Filter<3>>::TREEDEF);
}

/// Types that differ from those of the other module below a list, an owner and a recursion alone.
macro_rules! below {
    ($module:ident, $leaf:ty, $other:ty) => {
        #[allow(dead_code)]
        mod $module {
            use treedef::Tree;

            #[derive(Tree)]
            #[tree(name = "Item")]
            pub(super) struct Item(f32, $leaf);

            #[derive(Tree)]
            #[tree(name = "Listed")]
            pub(super) struct Listed(f32, Vec<Item>);

            #[derive(Tree)]
            #[tree(name = "Boxed")]
            pub(super) struct Boxed(f32, Box<Item>);

            #[derive(Tree)]
            #[tree(name = "Chain")]
            pub(super) struct Chain {
                next: Option<Box<Self>>,
                gain: $leaf,
            }

            #[derive(Tree)]
            #[tree(name = "Chains")]
            pub(super) struct Chains(Vec<Chain>);

            /// It contains `Other`, which contains it.
            #[derive(Tree)]
            #[tree(name = "One", bound = "f32")]
            pub(super) struct One {
                gain: f32,
                others: Vec<Other>,
            }

            #[derive(Tree)]
            #[tree(name = "Other", bound = "f32")]
            pub(super) struct Other {
                ones: Vec<One>,
                gain: $other,
            }
        }
    };
}
below!(single, f32, f32);
below!(double, f64, [f32; 2]);

/// The key of a type.
const fn key<T: HasSchema>() -> u64 {
    schema_of::<T>().fingerprint()
}

#[test]
fn keys_say_what_is_below_a_list_an_owner_and_a_recursion() {
    const KEYS: [[u64; 2]; 4] = [
        [key::<single::Listed>(), key::<double::Listed>()],
        [key::<single::Boxed>(), key::<double::Boxed>()],
        [key::<single::Chain>(), key::<double::Chain>()],
        [key::<single::Chains>(), key::<double::Chains>()],
    ];
    for (index, [one, other]) in KEYS.into_iter().enumerate() {
        assert_ne!(one, other, "the pair {index}");
    }
    const _: () = {
        assert_key::<single::Listed>();
        assert_key::<single::Boxed>();
        assert_key::<single::Chains>();
        assert_key::<Robot>();
        assert_key::<(f32, BTreeMap<String, [Mode; 2]>, heapless::String<8>)>();
    };
}

#[test]
fn keys_end_at_types_that_contain_each_other() {
    // What is in the other type is not in the schema, so both have one key. `assert_key` refuses them.
    let bytes: &[u8] = &[
        b"\x82\x10\x03One\x04gain\x06others".as_slice(),
        b"\x80\x15\x06a leaf\x04type\x06\x07float32",
        b"\x80\x09\x08any tree",
    ]
    .concat();
    assert_eq!(schema_of::<single::One>().as_bytes(), bytes);
    assert_eq!(schema_of::<double::One>().as_bytes(), bytes);
    assert_ne!(key::<single::Other>(), key::<double::Other>());
}

/// Whether several leaf types have the name of this one.
const fn is_shared<T: HasSchema>() -> bool {
    matches!(T::SCHEMA, Schema::Leaf(_, _, true))
}

#[test]
fn keys_of_leaf_types_with_parameters_are_one() {
    #[derive(Tree)]
    #[tree(name = "Held")]
    #[allow(dead_code)]
    struct Held<T> {
        value: AsLeaf<T>,
    }
    assert_eq!(key::<Held<u32>>(), key::<Held<f32>>());

    struct Cell<E>(E);
    #[allow(dead_code)]
    struct Part<'v>(&'v [f32]);
    #[allow(dead_code)]
    struct Both<'v, 'w: 'v, E: Copy>(&'v [E], &'w [E]);
    #[allow(dead_code)]
    struct Longer<'v, 'w: 'v>(&'v [f32], &'w [f32]);
    struct Rows<const N: usize>;
    treedef::leaf!(impl [E,] Cell<E>);
    treedef::leaf!(impl ['v,] Part<'v>);
    treedef::leaf!(impl ['v, 'w: 'v, E: Copy,] Both<'v, 'w, E>);
    treedef::leaf!(impl ['v, 'w: 'v,] Longer<'v, 'w>);
    treedef::leaf!(impl [const N: usize,] Rows<N>);
    let _ = (Cell(1), Part(&[]), Both(&[1], &[1]), Longer(&[], &[]), Rows::<1>);

    #[derive(treedef::Leaf)]
    #[tree(name = "app::Tensor")]
    struct Tensor<T: Copy = f32>(T);
    #[derive(treedef::Leaf)]
    #[allow(dead_code)]
    struct Lent<'l>(&'l str);
    let _ = (Tensor(1.0), Lent(""));

    /// A leaf of a set alone.
    #[derive(Tree)]
    #[tree(transparent)]
    #[allow(dead_code)]
    struct Marked<T>(#[tree(leaf)] [T; 2], #[tree(skip)] T);
    #[derive(Tree)]
    #[tree(transparent)]
    #[allow(dead_code)]
    struct Pair(#[tree(leaf)] [f64; 2]);

    let shared = [
        is_shared::<AsLeaf<u8>>(),
        is_shared::<Cell<u8>>(),
        is_shared::<Both<'_, '_, u8>>(),
        is_shared::<Rows<2>>(),
        is_shared::<Tensor<u8>>(),
        is_shared::<Marked<u8>>(),
    ];
    assert_eq!(shared, [true; 6]);
    let own = [
        is_shared::<Part<'_>>(),
        is_shared::<Longer<'_, '_>>(),
        is_shared::<Lent<'_>>(),
        is_shared::<heapless::String<4>>(),
        is_shared::<core::num::NonZero<u8>>(),
        is_shared::<f32>(),
        is_shared::<Pin>(),
        is_shared::<Pair>(),
    ];
    assert_eq!(own, [false; 8]);
}

/// A type of a user with the name of a container, and another name in the treedef than what it is in.
mod own {
    use treedef::Tree;

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "own::Vec")]
    pub(super) struct Vec<T> {
        pub(super) items: std::vec::Vec<T>,
    }
}

#[test]
fn recursions_are_to_the_nearest_type_of_their_name() {
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Nest")]
    struct Nest<T> {
        value: T,
        inner: Vec<(T, Nest<T>)>,
    }
    let flat = |value, inner| Nest { value, inner };
    let one = flat(1.0f32, vec![(2.0, flat(3.0, vec![]))]);
    let two = flat(4.0, vec![]);
    // A type in another one of its name.
    let nest =
        Nest { value: one.clone(), inner: vec![(two.clone(), Nest { value: two, inner: vec![] })] };
    let (def, leaves) = flatten::<f32, _>(&nest).unwrap();
    assert_eq!(fits::<Nest<Nest<f32>>>(&def), Ok(()));
    assert_eq!(unflatten(&def, &leaves), Ok(nest));
    assert_eq!(fits::<Nest<f32>>(&def), Err(Error::Mismatch { node: 1 }));

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Node")]
    struct Node {
        gain: f32,
        next: own::Vec<Node>,
    }
    let node = |gain, items| Node { gain, next: own::Vec { items } };
    let nodes = node(1.0, vec![node(2.0, vec![]), node(3.0, vec![])]);
    let (def, leaves) = flatten::<f32, _>(&nodes).unwrap();
    assert_eq!(fits::<Node>(&def), Ok(()));
    assert_eq!(unflatten(&def, &leaves), Ok(nodes));
}

/// A container by hand whose schema is a recursion to a type that is not around it.
#[derive(Debug)]
struct Alone;

impl HasSchema for Alone {
    const SCHEMA: &'static Schema = &Schema::Recursive("Link");
}

impl TreeWalk<f32> for Alone {
    fn walk<'a, S: Sink<'a, f32>>(&'a self, out: &mut S) {
        out.fail(Error::Mismatch { node: 0 });
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, f32, L, E>>(
        _: Trees<'a, L, Self>,
        _: &mut Depth,
        _: &mut V,
    ) -> Result<(), E> {
        Ok(())
    }
}

impl TreeBuild<f32> for Alone {
    fn take_leaves(self, _: &mut impl FnMut(f32)) {}

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        from.begin(Self::SCHEMA).map(|_| Alone)
    }
}

#[test]
fn recursions_to_no_type_around_are_a_mismatch() {
    let tuple = treedef!((*, [*]));
    assert_eq!(fits::<Alone>(treedef!(*)), Err(Error::Mismatch { node: 0 }));
    assert_eq!(fits::<(f32, Alone)>(tuple), Err(Error::Mismatch { node: 2 }));
    assert_eq!(fits::<(f32, [Alone; 1])>(tuple), Err(Error::Mismatch { node: 3 }));
    assert_eq!(fits::<(f32, Option<Alone>)>(tuple), Err(Error::Mismatch { node: 2 }));
    // It is a recursion to `Link` in a `Link` alone: here that is beside it.
    let (link, _) = flatten::<f32, _>(&(Link { gain: 1.0, next: None }, 1.0f32)).unwrap();
    assert_eq!(fits::<(Link, Alone)>(&link), Err(Error::Mismatch { node: 4 }));

    let error = |error| Some(error);
    assert_eq!(
        unflatten::<f32, Alone>(treedef!(*), &[1.0]).err(),
        error(Error::Mismatch { node: 0 })
    );
    let built = unflatten::<f32, (f32, Alone)>(tuple, &[1.0, 2.0]);
    assert_eq!(built.err(), error(Error::Mismatch { node: 2 }));
    let built = unflatten::<f32, (f32, Vec<Alone>)>(tuple, &[1.0, 2.0]);
    assert_eq!(built.err(), error(Error::Mismatch { node: 3 }));
}

/// The leaves before it count.
#[test]
fn what_is_no_leaf_among_leaves_of_a_list_is_named() {
    agrees::<Vec<Option<Vec<f32>>>>(treedef!([[*, None]]));
    agrees::<Vec<Vec<f32>>>(treedef!([[*], [*, *, (), *]]));
    let built = unflatten::<f32, Vec<f32>>(treedef!([*, *, None, *]), &[1.0; 3]);
    assert_eq!(built, Err(Error::Mismatch { node: 3 }));
}
