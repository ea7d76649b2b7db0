//! The choices of values: what a type leaves open, as bytes.
#![cfg(all(feature = "derive", feature = "std"))]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use treedef::encode::fits;
use treedef::tree::choices::{
    self, choices_into, choices_of, expand_into, has_choices, hash_choices,
};
use treedef::tree::{NoLeaves, TreeBuild, TreeWalk, unflatten_from};
use treedef::{
    Error, Meta, Tree, TreeDef, TreeDefBox, TreeDefBuf, flatten, structure, treedef, unflatten,
};

#[derive(Tree, Clone, Debug)]
enum Rule {
    Off,
    Above(f32),
    Both(Vec<Rule>),
    Not(Box<Rule>),
}

#[derive(Meta, Clone, Copy, Debug, PartialEq)]
enum Unit {
    Volt,
    Ampere,
}

#[derive(Tree, Clone, Debug)]
#[tree(meta(version = 3))]
struct Channel {
    #[tree(meta)]
    unit: Unit,
    #[tree(meta)]
    name: String,
    gain: Option<f32>,
    limits: Option<Option<f32>>,
    taps: [Option<f32>; 2],
    rule: Rule,
    by_name: BTreeMap<String, Vec<f32>>,
}

fn chosen<T: TreeWalk<NoLeaves>>(tree: &T) -> Vec<u8> {
    let mut bytes = vec![0; 1 << 16];
    let len = choices_into(tree, &mut bytes).unwrap();
    bytes.truncate(len);
    bytes
}

#[test]
fn choices_are_what_the_page_says() {
    assert!(chosen(&(1.0f32, [2.0f32; 3])).is_empty());
    assert_eq!(chosen(&None::<f32>), [0]);
    assert_eq!(chosen(&Some(Some(1.0f32))), [1, 1]);
    assert_eq!(chosen(&vec![1.0f32; 300]), [0xAC, 0x02]);
    assert_eq!(
        chosen(&Rule::Both(vec![Rule::Off, Rule::Not(Rule::Above(1.0).into())])),
        [2, 2, 0, 3, 1]
    );
    let map = BTreeMap::from([("b", [1.0f32]), ("a", [2.0])]);
    let key = |text: u8| [0x06, 1, text];
    let (first, second) = (key(b'a'), key(b'b'));
    assert_eq!(chosen(&map), [&[2], first.as_slice(), &second].concat());
}

#[test]
fn a_literal_meta_field_is_no_choice() {
    let channel = Channel {
        unit: Unit::Ampere,
        name: String::new(),
        gain: None,
        limits: Some(None),
        taps: [None, Some(1.0)],
        rule: Rule::Off,
        by_name: BTreeMap::new(),
    };
    let choices = chosen(&channel);
    assert!(!choices.contains(&3), "{choices:?}");
    let other = Channel { unit: Unit::Volt, ..channel.clone() };
    assert_ne!(choices, chosen(&other));
}

#[test]
fn a_buffer_that_is_too_small_is_an_error_that_says_what_is_needed() {
    let tree = vec![Some(1.0f32), None, Some(2.0)];
    assert_eq!(choices_into(&tree, &mut [0; 3]), Err(Error::BufferFull { needed: 4, room: 3 }));
    assert_eq!(choices_into(&tree, &mut [0; 4]), Ok(4));
}

#[test]
fn levels_are_bounded() {
    let nested = |levels| (0..levels).fold(Rule::Off, |rule, _| Rule::Not(rule.into()));
    assert_eq!(choices_into(&nested(63), &mut [0; 64]), Ok(64));
    let error = Err(Error::TooDeep { limit: 64 });
    assert_eq!(choices_into(&nested(64), &mut [0; 80]), error);
    assert_eq!(hash_choices(&nested(64)).map(drop), error.map(drop));
    assert!(!has_choices(&nested(64), &[3; 65]));
}

fn rules() -> impl Strategy<Value = Rule> {
    let leaf = prop_oneof![Just(Rule::Off), any::<f32>().prop_map(Rule::Above)];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Rule::Both),
            inner.prop_map(|rule| Rule::Not(rule.into())),
        ]
    })
}

fn channels() -> impl Strategy<Value = Channel> {
    let unit = prop_oneof![Just(Unit::Volt), Just(Unit::Ampere)];
    let maps =
        prop::collection::btree_map("[ab]{0,2}", prop::collection::vec(any::<f32>(), 0..3), 0..3);
    let options = (any::<Option<f32>>(), any::<Option<Option<f32>>>(), any::<[Option<f32>; 2]>());
    (unit, "[xy]{0,1}", options, rules(), maps).prop_map(
        |(unit, name, (gain, limits, taps), rule, by_name)| Channel {
            unit,
            name,
            gain,
            limits,
            taps,
            rule,
            by_name,
        },
    )
}

/// Checks that two values have equal choices exactly if they have equal treedefs, whatever way the choices are asked for.
fn agree<T: TreeWalk<NoLeaves>>(one: &T, other: &T) -> Result<(), TestCaseError> {
    let is_same = structure(one).unwrap() == structure(other).unwrap();
    let (choices, others) = (chosen(one), chosen(other));
    prop_assert_eq!(choices == others, is_same, "{:?} {:?}", choices, others);
    prop_assert_eq!(has_choices(one, &others), is_same);
    prop_assert_eq!(hash_choices(one) == hash_choices(other), is_same);
    // A choice more or less is another value.
    prop_assert!(!has_choices(one, &[choices.as_slice(), &[0]].concat()));
    if let [less @ .., _] = choices.as_slice() {
        prop_assert!(!has_choices(one, less));
    }
    Ok(())
}

/// Checks that the structure of a value gives its choices, these give the structure, and with the leaves the value; and that fewer
/// leaves or choices are an error.
fn comes_back<T: Tree<f32> + std::fmt::Debug>(value: &T) -> Result<(), TestCaseError> {
    let (def, leaves) = flatten(value).unwrap();
    let (choices, mut bytes) = (chosen(value), vec![0; 1 << 16]);
    prop_assert_eq!(choices_of::<T>(&def, &mut bytes), Ok(choices.len()));
    prop_assert_eq!(&bytes[..choices.len()], &choices);
    if let Some(room) = choices.len().checked_sub(1) {
        let full = Error::BufferFull { needed: choices.len(), room };
        prop_assert_eq!(choices_of::<T>(&def, &mut vec![0; room]), Err(full));
    }
    prop_assert_eq!(expand_into::<T>(&choices, &mut bytes), Ok(def.as_treedef()));
    let built: T = choices::unflatten(&choices, &leaves).unwrap();
    prop_assert_eq!(format!("{built:?}"), format!("{value:?}"));
    for found in 0..leaves.len() {
        let few = Error::TooFewLeaves { expected: leaves.len(), found };
        let built = choices::unflatten::<f32, T>(&choices, &leaves[..found]);
        prop_assert_eq!(built.map(drop), Err(few));
    }
    for len in 0..choices.len() {
        prop_assert!(choices::unflatten::<f32, T>(&choices[..len], &leaves).is_err());
        let expanded = expand_into::<T>(&choices[..len], &mut bytes);
        let is_wrong = matches!(expanded, Err(Error::WrongChoices { .. }));
        prop_assert!(is_wrong);
    }
    Ok(())
}

#[test]
fn choices_that_ask_for_too_many_levels_are_an_error() {
    let (choices, error) = ([3; 80], Error::TooDeep { limit: 64 });
    assert_eq!(choices::unflatten::<f32, Rule>(&choices, &[]).map(drop), Err(error));
    assert_eq!(expand_into::<Rule>(&choices, &mut [0; 4096]).map(drop), Err(error));
}

#[derive(Tree, Clone, Debug)]
enum Deep {
    End,
    List(Vec<Deep>),
    Option(Option<Option<Box<Deep>>>),
    Tuple((Box<Deep>, Vec<Deep>)),
    Array([Box<Deep>; 1]),
    Map(BTreeMap<u8, Deep>),
    Inside(Same<Vec<Deep>>),
}

#[derive(Tree, Clone, Debug)]
#[tree(transparent)]
struct Same<T>(T);

#[test]
fn choices_have_the_levels_that_their_value_has() {
    let (mut map, mut bytes) = ([5; 8], [0; 4096]);
    let len = choices_into(&BTreeMap::from([(3u8, 0.5f32)]), &mut map[1..]).unwrap();
    for begin in [&[1, 1][..], &[2, 1, 1], &[3], &[4], &map[..=len], &[6, 1]] {
        let end = if begin == [3] { &[0][..] } else { &[] };
        for times in 0..70 {
            let choices = [&begin.repeat(times)[..], &[0], &end.repeat(times)].concat();
            let tree = choices::unflatten::<f32, Deep>(&choices, &[]);
            assert_eq!(tree.is_ok(), times <= 31, "{begin:?} {times} times");
            let expanded = expand_into::<Deep>(&choices, &mut bytes);
            assert_eq!(tree.as_ref().map(drop), expanded.as_ref().map(drop));
            assert!(tree.is_err() || has_choices(&tree.unwrap(), &choices));
        }
    }
}

#[test]
fn choices_of_another_type_say_where_they_are_wrong() {
    type Pair = (Option<f32>, [Option<f32>; 2]);
    let wrong = |choices: &[u8]| choices::unflatten::<f32, Pair>(choices, &[1.0, 2.0]).map(drop);
    assert_eq!(wrong(&[1, 2, 0]), Err(Error::WrongChoices { at: 2 }));
    assert_eq!(wrong(&[1, 0, 1, 0]), Err(Error::WrongChoices { at: 3 }));
    let rule = choices::unflatten::<f32, Rule>(&[4], &[]).map(drop);
    assert_eq!(rule, Err(Error::WrongChoices { at: 1 }));
}

/// A list of `count` copies of a child.
fn copies(count: usize, child: TreeDef<'_>) -> TreeDefBuf<64> {
    TreeDefBuf::build(|out| {
        let list = out.begin_list(count);
        out.subtree(child);
        out.repeat(count - 1);
        out.end(list);
    })
    .unwrap()
}

/// Asks for more elements than there is memory for, by a treedef or by choices, and says how many of the treedefs fit. All is refused
/// at once where there are three leaves, and for the same reason whatever reads it.
fn refused_at_once<T: TreeBuild<f32>>(defs: &[TreeDef<'_>], asked: &[&[u8]]) -> usize {
    let (start, mut bytes, mut fitting) = (Instant::now(), [0; 64], 0);
    for &def in defs {
        let choices = choices_of::<T>(def, &mut bytes);
        let is_read = matches!(choices, Ok(_) | Err(Error::BufferFull { .. }));
        assert_eq!(fits::<T>(def), if is_read { Ok(()) } else { choices.map(drop) }, "{def:?}");
        fitting += usize::from(is_read);
        assert!(unflatten::<f32, T>(def, &[0.5; 3]).is_err(), "{def:?}");
        assert!(unflatten_from::<f32, _, T>(def, [0.5; 3]).is_err(), "{def:?}");
    }
    for &choices in asked {
        let leaves = expand_into::<T>(choices, &mut bytes).ok().map(|def| def.num_leaves());
        assert!(leaves.is_none_or(|leaves| leaves > 3), "{choices:?}");
        assert!(choices::unflatten::<f32, T>(choices, &[0.5; 3]).is_err(), "{choices:?}");
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    fitting
}

#[test]
fn billions_of_elements_in_a_few_bytes_are_read_and_refused_at_once() {
    type List<T> = Vec<T>;
    const BILLION: usize = 1_000_000_000;
    let one = copies(1, TreeDef::LEAF);
    let inner = copies(
        1000,
        copies(1000, copies(1000, copies(3, TreeDef::LEAF).as_treedef()).as_treedef()).as_treedef(),
    );
    let lists = [
        copies(4 * BILLION, TreeDef::LEAF),
        copies(BILLION, TreeDef::LEAF),
        copies(BILLION, one.as_treedef()),
        copies(2, copies(2 * BILLION, TreeDef::LEAF).as_treedef()),
        copies(BILLION, treedef!((*, None))),
        copies(1_000_000, copies(3000, TreeDef::LEAF).as_treedef()),
        inner,
    ];
    let mut defs: Vec<_> = lists.iter().map(|def| def.as_treedef()).collect();
    let rule = structure(&Rule::Above(0.0)).unwrap();
    let rules = structure(&Rule::Both(vec![])).unwrap();
    let rules = TreeDefBox::build(|out| {
        let both = out.begin_struct(rules.head().type_name().unwrap(), &["0"]);
        out.subtree(copies(BILLION, rule.as_treedef()).as_treedef());
        out.end(both);
    })
    .unwrap();
    defs.push(rules.as_treedef());
    // 4 and 1 billion, 2^32 - 1 and 2^63, alone and inside of each other.
    let four: &[u8] = &[0x80, 0xD0, 0xAC, 0xF3, 0x0E];
    let billion: &[u8] = &[0x80, 0x94, 0xEB, 0xDC, 0x03];
    let most: &[u8] = &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F];
    let large: &[u8] = &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01];
    let nested = [
        [four, four, billion].concat(),
        [&[1, 1, 1], billion].concat(),
        [&[2, 2], four, &[0]].concat(),
        [&[1, 1], four, &[1]].concat(),
        [billion, &[1, 1, 1, 0]].concat(),
        [billion, &[0x06, 1, b'a']].concat(),
        [large, most, &[1]].concat(),
    ];
    let asked: Vec<_> =
        [four, billion, most, large].into_iter().chain(nested.iter().map(Vec::as_slice)).collect();
    assert_eq!(
        [
            refused_at_once::<List<f32>>(&defs, &asked),
            refused_at_once::<List<Option<f32>>>(&defs, &asked),
            refused_at_once::<List<[f32; 1]>>(&defs, &asked),
            refused_at_once::<List<(f32, Option<f32>)>>(&defs, &asked),
            refused_at_once::<List<List<f32>>>(&defs, &asked),
            refused_at_once::<List<List<Option<f32>>>>(&defs, &asked),
            refused_at_once::<List<List<List<List<Option<f32>>>>>>(&defs, &asked),
            refused_at_once::<heapless::Vec<Option<f32>, 4>>(&defs, &asked),
            refused_at_once::<Rule>(&defs, &asked),
            refused_at_once::<List<Channel>>(&defs, &asked),
        ],
        [2, 2, 1, 1, 3, 3, 1, 0, 1, 0]
    );
    let needed = |def: TreeDef<'_>| choices_of::<List<Option<f32>>>(def, &mut []);
    assert_eq!(needed(defs[0]), Err(Error::BufferFull { needed: 4 * BILLION + 5, room: 0 }));
    assert_eq!(refused_at_once::<BTreeMap<String, f32>>(&defs, &asked), 0);
}

proptest! {
    #[test]
    fn choices_come_back(rules in rules(), channels in [channels(), channels()]) {
        comes_back(&rules)?;
        comes_back(&channels[0])?;
        let list = [0, 0, 0, 0, 0, 0, 1].map(|index: usize| channels[index].clone());
        comes_back(&Vec::from(list))?;
        comes_back(&vec![(rules, Some(1.0f32)); 7])?;
    }

    #[test]
    fn any_bytes_as_choices_are_a_value_or_an_error(bytes in prop::collection::vec(0u8..6, 0..40), leaves in 0usize..9) {
        let mut room = [0; 4096];
        let expanded = expand_into::<Vec<Channel>>(&bytes, &mut room).map(|def| def.num_leaves());
        let built = choices::unflatten::<f32, Vec<Channel>>(&bytes, &vec![0.5; leaves]);
        prop_assert!(built.is_err() || expanded == Ok(leaves));
        drop(choices::unflatten::<f32, Rule>(&bytes, &vec![0.5; leaves]));
    }

    #[test]
    fn choices_are_equal_exactly_if_treedefs_are(rules in [rules(), rules()], channels in [channels(), channels()]) {
        agree(&rules[0], &rules[1])?;
        agree(&rules[0], &rules[0].clone())?;
        agree(&channels[0], &channels[1])?;
        agree(&channels[0], &channels[0].clone())?;
        let (list, other) = (vec![channels[0].clone(), channels[0].clone(), channels[1].clone()], channels.to_vec());
        agree(&list, &other)?;
        // Longer than the buffer of the hash.
        let long = vec![rules[0].clone(); 200];
        agree(&long, &vec![rules[0].clone(); 200])?;
        agree(&long, &vec![rules[0].clone(); 201])?;
    }
}
