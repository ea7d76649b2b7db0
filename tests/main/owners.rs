//! Typed trees with a heap: `Rc` and `Arc` as what they hold, strings as leaves, references to all leaves.
#![cfg(all(feature = "alloc", feature = "derive"))]

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use treedef::tree::{into_leaves, map_from, mixed};
use treedef::{CallKey, Error, Tree, TreeDef, flatten, map, over, treedef, treedef_of, unflatten};

type Owners = (Rc<(f32, [f32; 2])>, Arc<[f32]>, Arc<f32>);

fn owners() -> Owners {
    (Rc::new((1.0, [2.0, 3.0])), [4.0, 5.0].into(), Arc::new(6.0))
}

#[test]
fn owners_have_the_structure_and_the_leaves_of_their_values() {
    const PAIR: TreeDef<'static> = treedef_of::<(Rc<(f32, f32)>, Box<Arc<[f32; 2]>>)>();
    assert_eq!(PAIR, treedef!(((*, *), [*, *])));
    let (def, leaves) = flatten(&owners()).unwrap();
    assert_eq!(def, treedef!(((*, [*, *]), [*, *], *)));
    assert_eq!(leaves, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn a_change_in_place_is_seen_by_one_owner() {
    let before = owners();
    let mut tree = before.clone();
    over(&mut tree).for_each(|x: &mut f32| *x += 10.0).unwrap();
    assert_eq!(before, owners());
    assert_eq!((tree.0.1, &tree.1[..], *tree.2), ([12.0, 13.0], &[14.0, 15.0][..], 16.0));

    // An only owner is changed where it is.
    let places = |tree: &Owners| (Rc::as_ptr(&tree.0), Arc::as_ptr(&tree.1), Arc::as_ptr(&tree.2));
    let at = places(&tree);
    over((&mut tree, &before)).for_each(|(new, old): (&mut f32, _)| *new -= old).unwrap();
    assert_eq!(places(&tree), at);
    assert_eq!((tree.0.1, *tree.2), ([10.0, 10.0], 10.0));
}

#[test]
fn two_owners_in_one_tree_become_two_values() {
    let weight = Rc::new([1.0f32, 2.0]);
    let mut tied = (weight.clone(), weight);
    let mut step = 0.0;
    over(&mut tied)
        .for_each(|x: &mut f32| {
            step += 1.0;
            *x += step;
        })
        .unwrap();
    assert_eq!((*tied.0, *tied.1), ([2.0, 4.0], [4.0, 6.0]));
}

#[test]
fn owners_are_rebuilt_mapped_and_taken_apart() {
    type Model = (Rc<(f32, f32)>, Vec<Arc<[f32; 2]>>);
    let leaves = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    let def = treedef!(((*, *), [[*, *], [*, *]]));
    let model: Model = unflatten(def, &leaves).unwrap();
    assert_eq!(*model.1[1], [5.0, 6.0]);

    let (_, taken): (_, Vec<f32>) = into_leaves(model.clone()).unwrap();
    assert_eq!(taken, leaves);
    assert_eq!(model.0.1, 2.0, "the other owner has its value");

    let whole = (Rc::new(1.5f32), Arc::new(3.5f32));
    let floors: (Rc<i32>, Arc<i32>) = map(&whole, |x: &f32| *x as i32).unwrap();
    assert_eq!((*floors.0, *floors.1), (1, 3));
    let halves = map_from(whole.clone(), |x: f32| x / 2.0).unwrap();
    assert_eq!((*halves.0, *whole.0), (0.75, 1.5));
    let refused = unflatten::<f32, Rc<(f32, f32)>>(treedef!([*, *]), &[1.0, 2.0]);
    assert_eq!(refused, Err(Error::Mismatch { node: 0 }));
}

#[test]
fn a_list_of_shared_elements_is_written_once() {
    let row = Rc::new([1.0f32, 2.0]);
    let list = vec![row; 50];
    let (def, leaves) = flatten(&list).unwrap();
    let (plain, _) = flatten(&vec![[1.0f32, 2.0]; 50]).unwrap();
    assert_eq!((def, leaves.len()), (plain, 100));
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Expr")]
enum Expr {
    Const(f32),
    Sum(Rc<Self>, Rc<Self>),
}

#[test]
fn a_type_that_holds_itself_in_shared_pointers_is_a_tree() {
    let one = Rc::new(Expr::Const(1.0));
    let sum = Expr::Sum(one.clone(), Rc::new(Expr::Sum(one, Rc::new(Expr::Const(2.0)))));
    let (def, leaves) = flatten(&sum).unwrap();
    assert_eq!(leaves, [1.0, 1.0, 2.0]);
    assert_eq!(unflatten(&def, &leaves), Ok(sum));
}

#[test]
fn references_to_leaves_are_collected_in_order() {
    let mut tree = (vec![Some(1.0f32), None], [2.0f32, 3.0]);
    let mut leaves = Vec::new();
    over(&tree).for_each(|leaf| leaves.push(leaf)).unwrap();
    assert_eq!(leaves, [&1.0, &2.0, &3.0]);
    let mut leaves = Vec::new();
    over(&mut tree).for_each(|leaf| leaves.push(leaf)).unwrap();
    leaves.into_iter().rev().zip([0.0, 1.0, 2.0]).for_each(|(leaf, value)| *leaf = value);
    assert_eq!(tree, (vec![Some(2.0), None], [1.0, 0.0]));
}

#[test]
fn owners_keep_the_laws() {
    use super::all_laws as laws;

    type Mapped = (Rc<(f32, [f32; 2])>, Vec<Arc<(f32, f32)>>, Box<(f32, Option<f32>)>);
    let shared = Arc::new((3.0, 4.0));
    let pairs = vec![shared.clone(), shared];
    let tree: Mapped = (Rc::new((0.0, [1.0, 2.0])), pairs, Box::new((5.0, Some(6.0))));
    laws::check(&tree, |i| i as f32).unwrap();
    laws::check(&[String::from("a"), String::new()], |i| i.to_string()).unwrap();
}

treedef::leaf_types! {
    /// The settings of a device.
    struct Setting {
        owned Value,
        read ValueRef,
        write ValueMut,
        Name(String),
        Site(heapless::String<4>),
        Rate(u32),
    }
}

#[derive(Tree, Clone, Debug, PartialEq)]
struct Device {
    name: String,
    site: heapless::String<4>,
    rates: [u32; 2],
}

#[test]
fn strings_are_leaves_beside_numbers() {
    const DEF: TreeDef<'static> = treedef_of::<Device>();
    let mut device = Device { name: "pump".into(), site: "lab".try_into().unwrap(), rates: [1, 2] };
    let mut set = |path: &str, text: &str| {
        mixed::find_leaf_mut::<Setting>(&mut device, path).is_ok_and(|leaf| leaf.set_str(text))
    };
    assert!(set("name", "valve 7") && set("site", "roof") && set("rates[1]", "9"));
    assert!(!set("site", "cellar"), "a text longer than the capacity");
    assert_eq!(
        (device.name.as_str(), device.site.as_str(), device.rates[1]),
        ("valve 7", "roof", 9)
    );

    let mut values = [const { Value::Rate(0) }; 4];
    mixed::leaves_into::<Setting>(&device, &mut values).unwrap();
    assert_eq!(values[0], Value::Name("valve 7".into()));
    assert_eq!(mixed::unflatten::<Setting, _>(DEF, &values), Ok(device));
}

#[test]
fn strings_are_keys_and_leaves_of_one_map() {
    let names = BTreeMap::from([("b".to_string(), "x".to_string()), ("a".into(), "y".into())]);
    let (def, leaves) = flatten(&names).unwrap();
    assert_eq!(def, treedef!({"a": *, "b": *}));
    assert_eq!(leaves, ["y", "x"]);
    assert_eq!(unflatten(&def, &leaves), Ok(names.clone()));
    let lengths = map(&names, |name: &String| name.len()).unwrap();
    assert_eq!(lengths["b"], 1);
}

#[test]
fn the_key_of_a_string_knows_its_type_and_not_its_text() {
    let key = |text: &str| {
        let tree = (text.to_string(), heapless::String::<4>::try_from(text).unwrap(), 'c');
        CallKey::of_tree(&tree, &mut [0; 64]).unwrap().to_string()
    };
    assert_eq!(key("a"), "PyTreeDef((*, *, *)), b'String', b'String', 4, b'char'");
    assert_eq!(key("a"), key("b"));
}
