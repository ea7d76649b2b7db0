//! Children that a treedef repeats are rebuilt like the first of them: their values, and errors in a copy.
#![cfg(all(feature = "derive", feature = "alloc"))]

use core::fmt::Debug;
use std::collections::BTreeMap;

use treedef::container::{Schema, Schemas, Source};
use treedef::encode::fits;
use treedef::tree::{HasSchema, TreeBuild, TreeWalk, mixed, unflatten_from};
use treedef::{Error, Meta, Tree, TreeDef, flatten, flatten_into, treedef, unflatten};

#[derive(Meta, Clone, Copy, Debug, PartialEq)]
enum Mode {
    Slow,
    Fast,
}

#[derive(Tree, Clone, Debug, PartialEq)]
enum Part {
    Gain(f32),
    Pair {
        first: Option<f32>,
        second: Box<(f32, Option<f32>)>,
        #[tree(meta)]
        mode: Mode,
        #[tree(skip)]
        calls: u32,
    },
    Rows(Vec<[f32; 2]>),
    Nothing,
}

#[derive(Tree, Clone, Debug, PartialEq)]
struct Layer {
    parts: [Part; 2],
    rest: Vec<Part>,
    last: Option<Option<f32>>,
}

/// A struct with a map, whose copies have one head.
#[derive(Tree, Clone, Debug, PartialEq)]
struct Named(BTreeMap<String, f32>);

/// What is rebuilt from the leaves of `tree`, copied from a slice and moved, is `tree`.
fn check<T>(tree: &T)
where
    T: Tree<f32> + Clone + PartialEq + Debug,
{
    let (def, leaves) = flatten(tree).unwrap();
    let def = def.as_treedef();
    assert_eq!(unflatten(def, &leaves).as_ref(), Ok(tree));
    assert_eq!(unflatten_from(def, leaves.iter().copied()).as_ref(), Ok(tree));
    for found in 0..leaves.len() {
        let few = Error::TooFewLeaves { expected: leaves.len(), found };
        assert_eq!(unflatten::<f32, T>(def, &leaves[..found]), Err(few));
        assert_eq!(unflatten_from::<f32, _, T>(def, leaves[..found].iter().copied()), Err(few));
    }
}

fn layer(at: f32, pair: bool, rows: usize) -> Layer {
    let pair = |mode| Part::Pair {
        first: pair.then_some(at),
        second: Box::new((at + 1.0, Some(at + 2.0))),
        mode,
        calls: 0,
    };
    Layer {
        parts: [pair(Mode::Fast), Part::Gain(at + 3.0)],
        rest: vec![Part::Rows(vec![[at + 4.0; 2]; rows]), Part::Nothing, pair(Mode::Slow)],
        last: Some((rows > 1).then_some(at)),
    }
}

#[test]
fn copies_are_rebuilt_from_their_own_leaves() {
    let many = |pair, rows| (0..5u8).map(move |at| layer(f32::from(at), pair, rows));
    check(&many(true, 2).collect::<Vec<_>>());
    check(&many(true, 0).chain(many(false, 0)).chain(many(false, 3)).collect::<Vec<_>>());
    check(&many(true, 1).map(|layer| vec![vec![layer.clone()], vec![layer]]).collect::<Vec<_>>());
    check(
        &many(true, 1)
            .map(|layer| (1.0f32, [Some(layer.clone()), Some(layer)]))
            .collect::<Vec<_>>(),
    );
    check(&(0..100u8).map(f32::from).collect::<Vec<_>>());
    check(&(0..9u8).map(|at| (f32::from(at), [1.0f32; 3])).collect::<Vec<_>>());
    for len in 0..14u8 {
        check(&(0..len).map(|at| (f32::from(at), [f32::from(len); 2])).collect::<Vec<_>>());
        check(&vec![(0..len).map(|at| (f32::from(at), (0.5f32,))).collect::<Vec<_>>(); 2]);
    }
    check(&(0..9u8).map(|at| [vec![f32::from(at)], vec![]]).collect::<Vec<_>>());
    check(&(0..4u8).map(|at| (f32::from(at), vec![(); 3], [(); 2])).collect::<Vec<_>>());
    let names = |at: u8| Named([("a".to_owned(), f32::from(at)), ("b".to_owned(), 0.5)].into());
    check(&(0..4).map(names).collect::<Vec<_>>());
    check(&(0..4).map(|at| (Some(names(at)), 2.0f32)).collect::<Vec<_>>());
    for (outer, inner) in [(None, None), (Some(None), Some(())), (Some(Some(1.0f32)), None)] {
        check(&(0..9u8).map(|at| (f32::from(at), outer, inner, vec![(); 2])).collect::<Vec<_>>());
    }
}

/// What is noted of an element is enough for few choices; and in an element with many, still for the lists in it.
#[test]
fn copies_are_rebuilt_whatever_the_number_of_their_options() {
    let option = |at: u8| at.is_multiple_of(3).then_some(f32::from(at));
    let options = |count| (0..count).map(option).collect::<Vec<_>>();
    for count in [0, 5, 13, 14, 15, 16, 17, 40] {
        check(&vec![options(count); 3]);
        check(&vec![(options(count), vec![(Some(1.0f32), 2.0f32); 9], option(count)); 4]);
        check(&vec![vec![(options(count), 1.0f32); 2]; 3]);
        let layers = |at| [layer(at, true, 2), layer(at + 1.0, false, 0)];
        check(&vec![(options(count), (0..3u8).map(|at| layers(at.into())).collect::<Vec<_>>()); 2]);
    }
}

#[test]
fn a_list_without_room_for_the_copies_says_so() {
    type Lists<const N: usize> = heapless::Vec<(Option<f32>, f32), N>;
    let four: Lists<4> = (0..4u8).map(|at| (Some(f32::from(at)), 1.0)).collect();
    let (mut bytes, mut leaves) = ([0; 16], [0.0f32; 8]);
    let (def, _) = flatten_into(&four, &mut bytes, &mut leaves).unwrap();
    assert_eq!(unflatten(def, &leaves), Ok(four));
    let full = Error::Capacity { node: 0, room: 3 };
    assert_eq!(unflatten::<f32, Lists<3>>(def, &leaves), Err(full));
    let inside: heapless::Vec<(f32, Lists<4>), 4> = (0..3u8)
        .map(|at| (f32::from(at), [(None, 2.0), (None, 3.0)].into_iter().collect()))
        .collect();
    let mut leaves = [0.0f32; 9];
    let (def, _) = flatten_into(&inside, &mut bytes, &mut leaves).unwrap();
    assert_eq!(unflatten(def, &leaves), Ok(inside));
}

#[test]
fn a_copy_that_is_refused_is_named() {
    #[derive(Tree, Debug, PartialEq)]
    enum Gain {
        Off,
        On(f32),
    }

    fn refused<T: TreeBuild<f32> + Debug + PartialEq>(def: TreeDef<'_>, error: Error) {
        let leaves = vec![0.0f32; def.num_leaves()];
        assert_eq!(fits::<T>(def), Err(error));
        assert_eq!(unflatten::<f32, T>(def, &leaves), Err(error));
        assert_eq!(unflatten_from::<f32, _, T>(def, leaves), Err(error));
    }
    let differs = |node| Error::Mismatch { node };
    let lists = treedef!(([*], [*], *));
    refused::<(Vec<f32>, Option<Gain>, f32)>(lists, differs(3));
    refused::<(Vec<f32>, (Option<f32>,), f32)>(lists, differs(3));
    refused::<(Vec<f32>, [f32; 2], f32)>(lists, differs(3));
    let room = Error::Capacity { node: 3, room: 0 };
    refused::<(Vec<f32>, heapless::Vec<Option<f32>, 0>, f32)>(lists, room);
    type Row<T> = (f32, Vec<T>);
    let rows = treedef!(((*, [None]), (*, [None]), (*, [None])));
    refused::<(Row<Option<f32>>, Row<Gain>, Row<Option<f32>>)>(rows, differs(8));
}

treedef::leaf_types! {
    /// Two types of leaves.
    struct Both { owned Value, read Ref, write Mut, Float(f32), Count(u32) }
}

/// Each leaf of another type is named, whether copies of elements are read, or built of the choices of the first.
fn wrong_leaves_are_named<T>(tree: &T, count: usize)
where
    T: TreeWalk<Both> + TreeBuild<Both> + PartialEq + Debug,
{
    let (def, mut leaves) = mixed::flatten::<Both>(tree).unwrap();
    assert_eq!(
        (mixed::unflatten::<Both, T>(&def, &leaves).as_ref(), leaves.len()),
        (Ok(tree), count)
    );
    for wrong in 0..leaves.len() {
        let other = match leaves[wrong] {
            Value::Float(_) => Value::Count(7),
            _ => Value::Float(7.0),
        };
        let right = core::mem::replace(&mut leaves[wrong], other);
        let error = Error::WrongLeaf { leaf: wrong as u32 };
        assert_eq!(mixed::unflatten::<Both, T>(&def, &leaves), Err(error));
        let moved = mixed::unflatten_from::<Both, T>(&def, leaves.iter().cloned());
        assert_eq!(moved, Err(error));
        leaves[wrong] = right;
    }
}

#[test]
fn a_leaf_of_another_type_in_a_copy_is_named() {
    for count in [4, 9] {
        let items: Vec<(Option<f32>, u32)> = (0..count).map(|at| (Some(1.0), at)).collect();
        wrong_leaves_are_named(&items, 2 * items.len());
    }
}

#[test]
fn a_leaf_of_another_type_inside_a_copy_is_named() {
    type Row = (u32, Vec<(f32, u32)>, [f32; 2], Option<Vec<u32>>, (Option<f32>, [(f32, u32); 2]));
    let row = |at| -> Row {
        let pairs = vec![(0.5, 1), (1.5, 2), (2.5, 3)];
        (at, pairs, [3.0, 4.0], Some(vec![5, 6]), (None, [(0.0, 1), (2.0, 3)]))
    };
    for count in [4, 9] {
        let rows: Vec<Row> = (0..count).map(row).collect();
        wrong_leaves_are_named(&rows, 15 * rows.len());
    }
}

/// A pair that is not negative. Its structure is constant.
#[derive(Debug, PartialEq)]
struct Positive(f32, f32);

impl HasSchema for Positive {
    const SCHEMA: &'static Schema = &Schema::Tuple(Schemas::new(&[
        &Schema::Leaf("number", None, false),
        &Schema::Leaf("number", None, false),
    ]));
}

impl TreeBuild<f32> for Positive {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        visit(self.0);
        visit(self.1);
    }

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        from.begin(Self::SCHEMA)?;
        let positive = Self(from.leaf()?, from.leaf()?);
        match positive.0 < 0.0 {
            true => from.fail(Error::Unsupported),
            false => Ok(positive),
        }
    }
}

#[test]
fn a_container_that_refuses_says_why_wherever_it_is() {
    fn refuse<T: TreeBuild<f32> + Debug + PartialEq>(def: TreeDef<'_>, leaves: &[f32]) {
        assert_eq!(unflatten::<f32, T>(def, leaves), Err(Error::Unsupported));
        let moved = unflatten_from::<f32, _, T>(def, leaves.iter().copied());
        assert_eq!(moved, Err(Error::Unsupported));
    }
    assert_eq!(unflatten(treedef!((*, *)), &[1.0f32, 2.0]), Ok(Positive(1.0, 2.0)));
    refuse::<Positive>(treedef!((*, *)), &[-1.0, 2.0]);
    refuse::<[Positive; 2]>(treedef!([(*, *), (*, *)]), &[1.0, 2.0, -1.0, 2.0]);
    refuse::<(f32, Positive)>(treedef!((*, (*, *))), &[1.0, -2.0, 1.0]);
    refuse::<Vec<Positive>>(treedef!([(*, *), (*, *)]), &[1.0, 2.0, -1.0, 2.0]);
    let rows = treedef!([(*, [(*, *)]), (*, [(*, *)])]);
    refuse::<Vec<(f32, Vec<Positive>)>>(rows, &[0.0, 1.0, 2.0, 0.0, -1.0, 2.0]);
    refuse::<Vec<(Option<f32>, [Positive; 1])>>(rows, &[0.0, 1.0, 2.0, 0.0, -1.0, 2.0]);
    // Copies that are built of the choices of the first element.
    let mut out = [0; 64];
    let mut leaves = [1.0f32; 3 * 8];
    let many: Vec<_> = leaves.chunks(3).map(|row| (Some(row[0]), [(row[1], row[2])])).collect();
    let (def, _) = flatten_into(&many, &mut out, &mut [0.0f32; 24]).unwrap();
    for refused in 0..8 {
        leaves[3 * refused + 1] = -1.0;
        refuse::<Vec<(Option<f32>, [Positive; 1])>>(def, &leaves);
        refuse::<Vec<(Option<f32>, Vec<Positive>)>>(def, &leaves);
        leaves[3 * refused + 1] = 1.0;
    }
}

/// A pair that takes its first leaf alone, although it has two, and refuses a negative one.
#[derive(Debug, PartialEq)]
struct Brief(f32);

impl HasSchema for Brief {
    const SCHEMA: &'static Schema = Positive::SCHEMA;
}

impl TreeBuild<f32> for Brief {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        Positive(self.0, 0.0).take_leaves(visit);
    }

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        from.begin(Self::SCHEMA)?;
        let first = from.leaf()?;
        match first < 0.0 {
            true => from.fail(Error::Unsupported),
            false => Ok(Self(first)),
        }
    }
}

#[test]
fn elements_that_take_too_few_leaves_do_not_shift_the_next() {
    let def = treedef!([(*, *), (*, *), (*, *), (*, *), (*, *), (*, *)]);
    let mut leaves: Vec<f32> = (0..12u8).map(f32::from).collect();
    let built = [0.0, 2.0, 4.0, 6.0, 8.0, 10.0].map(Brief);
    assert_eq!(unflatten(def, &leaves), Ok(Vec::from(built)));
    for refused in [4, 10] {
        leaves[refused] = -1.0;
        let error = Error::Unsupported;
        assert_eq!(unflatten::<f32, Vec<Brief>>(def, &leaves), Err(error));
        leaves[refused] = 1.0;
    }
}

/// A container by hand of a constant length, which asks for its children as those of a vector.
#[derive(Debug, PartialEq)]
struct Two(heapless::Vec<Option<f32>, 2>);

impl HasSchema for Two {
    const SCHEMA: &'static Schema = &Schema::Array(2, <Option<f32>>::SCHEMA);
}

impl TreeBuild<f32> for Two {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        TreeBuild::<f32>::take_leaves(self.0, visit);
    }

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        let count = from.begin(Self::SCHEMA)?;
        Ok(Self(from.elements(count, 2)?))
    }
}

#[test]
fn a_vector_in_an_element_without_lists_leaves_the_choices_before_it() {
    let pair = || heapless::Vec::<_, 2>::from_iter([None, Some(2.0f32)]);
    let rows: Vec<_> = (0..9u8).map(|at| (Some(f32::from(at)), pair(), None::<f32>)).collect();
    let (def, leaves) = flatten(&rows).unwrap();
    let built: Vec<_> = rows.into_iter().map(|(at, pair, none)| (at, Two(pair), none)).collect();
    let def = def.as_treedef();
    assert_eq!(unflatten(def, &leaves).as_ref(), Ok(&built));
    assert_eq!(unflatten_from(def, leaves), Ok(built));
}

/// A flag and an empty list, without a schema. A negative flag is refused.
#[derive(Debug, PartialEq)]
struct Flagged(f32);

impl HasSchema for Flagged {}

impl TreeBuild<f32> for Flagged {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        visit(self.0);
    }

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        let (tree, place) = (from.tree()?, from.place());
        if tree != treedef!((*, [])) {
            return from.refuse(place);
        }
        let flag = from.leaf()?;
        if flag < 0.0 { from.refuse(place) } else { Ok(Self(flag)) }
    }
}

#[test]
fn copies_of_a_type_without_a_schema_are_rebuilt() {
    let def = treedef!([(*, []), (*, []), (*, []), (*, []), (*, [])]);
    let flags = [1.0f32, 0.0, 2.0, 3.0, 0.0];
    assert_eq!(unflatten(def, &flags), Ok(Vec::from(flags.map(Flagged))));
    assert_eq!(unflatten_from(def, flags), Ok(Vec::from(flags.map(Flagged))));
    // Inside of elements with a schema, whose copies have no choices then.
    let def = treedef!([
        (*, (*, []), [(*, []), (*, [])]),
        (*, (*, []), [(*, []), (*, [])]),
        (*, (*, []), [(*, []), (*, [])]),
        (*, (*, []), [(*, []), (*, [])]),
        (*, (*, []), [(*, []), (*, [])]),
        (*, (*, []), [(*, []), (*, [])]),
    ]);
    type Row = (f32, Flagged, Option<Vec<Flagged>>);
    let leaves: Vec<f32> = (0..24u8).map(f32::from).collect();
    let row = |row: &[f32]| {
        (row[0], Flagged(row[1]), Some(row[2..].iter().copied().map(Flagged).collect()))
    };
    let rows: Vec<Row> = leaves.chunks(4).map(row).collect();
    assert_eq!(unflatten::<f32, Vec<Row>>(def, &leaves).as_ref(), Ok(&rows));
    assert_eq!(unflatten_from::<f32, _, Vec<Row>>(def, leaves).as_ref(), Ok(&rows));
    // A tree of another structure is refused where it is.
    for (def, node) in
        [(treedef!([(*, []), (*, [*])]), 4), (treedef!([(*, []), *]), 4), (treedef!([None]), 1)]
    {
        let leaves = &[0.0f32; 3][..def.num_leaves()];
        assert_eq!(unflatten::<f32, Vec<Flagged>>(def, leaves), Err(Error::Mismatch { node }));
    }
}

#[test]
fn a_copy_that_a_container_refuses_is_named() {
    let def = treedef!([(*, []), (*, []), (*, []), (*, []), (*, [])]);
    for refused in 0..5 {
        let mut flags = [0.0f32; 5];
        flags[refused] = -1.0;
        // Each element has three nodes, after that of the list.
        let error = Error::Mismatch { node: 1 + 3 * refused as u32 };
        assert_eq!(unflatten::<f32, Vec<Flagged>>(def, &flags), Err(error));
        assert_eq!(unflatten_from::<f32, _, Vec<Flagged>>(def, flags), Err(error));
    }
}
