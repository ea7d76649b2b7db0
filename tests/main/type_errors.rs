//! What is said of a treedef that is not one of a type, when there is no value of the type.
#![cfg(all(feature = "alloc", feature = "derive"))]

use crate::support::node;

use treedef::{Error, Tree, TreeDef, Value, head, treedef, unflatten};

#[derive(Tree, Debug)]
enum Expr {
    Const(f32),
    Pass,
}

#[derive(Tree, Debug)]
#[tree(name = "Pid")]
struct Pid {
    kp: f32,
    #[tree(meta)]
    order: u8,
    limits: Vec<Option<(f32, f32)>>,
    spare: [f32; 2],
}

#[derive(Tree, Debug)]
#[tree(name = "Robot")]
struct Robot {
    mode: Option<Expr>,
    axes: Vec<Pid>,
    twin: Option<Box<Robot>>,
}

#[test]
fn a_mismatch_with_a_type_is_explained_without_a_value() {
    let pid = |fields, meta, children: &[TreeDef<'static>]| {
        node(&head::Struct { name: "Pid", fields, meta }, children)
    };
    let robot = |mode, axes, twin| {
        let fields = &["mode", "axes", "twin"];
        node(&head::Struct { name: "Robot", fields, meta: &[] }, &[mode, axes, twin])
    };
    let explain = |def: TreeDef<'_>| {
        let error = unflatten::<f32, Robot>(def, &vec![0.0; def.num_leaves()]).unwrap_err();
        error.explain_type::<Robot>(&def).to_string()
    };
    let (none, leaf) = (TreeDef::NONE, TreeDef::LEAF);
    let order = [("order", Value::Int(2))];
    let fields = ["kp", "limits", "spare"];
    let good = pid(&fields, &order, &[leaf, treedef!([None, (*, *)]), treedef!([*, *])]);
    let axes = |last| node(&head::List(3), &[good, good, last]);
    let of = |last| explain(robot(none, axes(last), none));
    assert!(unflatten::<f32, Robot>(robot(none, axes(good), none), &[0.0; 15]).is_ok());

    assert_eq!(explain(leaf), "at the root: expected a struct Robot, found a leaf");
    let text = "at .axes: expected a list, found a tuple of 2";
    assert_eq!(explain(robot(none, treedef!((*, *)), none)), text);
    assert_eq!(of(leaf), "at .axes[2]: expected a struct Pid, found a leaf");
    let bad = pid(&fields, &order, &[leaf, treedef!([None, (*, *, *)]), treedef!([*, *])]);
    assert_eq!(of(bad), "at .axes[2].limits[1]: expected a tuple of 2, found a tuple of 3");
    let bad = pid(&fields, &order, &[leaf, treedef!([]), treedef!([*, *, *])]);
    assert_eq!(of(bad), "at .axes[2].spare: expected a list of 2, found a list of 3");
    let bad = pid(&fields, &order, &[treedef!((*,)), treedef!([]), treedef!([*, *])]);
    assert_eq!(of(bad), "at .axes[2].kp: expected a leaf, found a tuple of 1");

    // The values of these meta fields are not in the type, but the fields are.
    let children = [leaf, treedef!([]), treedef!([*, *])];
    let bad = pid(&["kp", "limit", "spare"], &order, &children);
    assert_eq!(of(bad), "at .axes[2]: missing field limits and unexpected field limit");
    let wide = [("order", Value::Int(1000))];
    let text = "at .axes[2]: expected order of the type u8, found order = 1000";
    assert_eq!(of(pid(&fields, &wide, &children)), text);
    assert_eq!(of(pid(&fields, &[], &children)), "at .axes[2]: missing meta field order");

    // A type in itself; and an enum, whose variant decides.
    let twin = robot(none, axes(leaf), none);
    let text = "at .twin.axes[2]: expected a struct Pid, found a leaf";
    assert_eq!(explain(robot(none, treedef!([]), twin)), text);
    let text = "at .mode: expected a variant, found a leaf: has Const, Pass";
    assert_eq!(explain(robot(leaf, treedef!([]), none)), text);
    let text = "at .mode: unknown a struct Pid: has Const, Pass";
    assert_eq!(explain(robot(pid(&["kp"], &[], &[leaf]), treedef!([]), none)), text);
    for (def, text) in [
        (leaf, "at the root: expected None or Some, found a leaf"),
        (treedef!([*]), "at the root: expected None or Some, found a list of 1"),
        (node(&head::Some, &[treedef!([*])]), "at the root: expected a leaf, found a list of 1"),
    ] {
        let error = unflatten::<f32, Option<Option<f32>>>(def, &[0.0]).unwrap_err();
        assert_eq!(error.explain_type::<Option<Option<f32>>>(&def).to_string(), text);
    }
    type ByNumber = (f32, std::collections::BTreeMap<u8, f32>);
    for (def, text) in [
        (treedef!((*, {"a": *, "b": *})), "at [1]: expected keys of the type `u8`, found 'a', 'b'"),
        (treedef!((*, [*])), "at [1]: expected a dict, found a list of 1"),
    ] {
        let error = unflatten::<f32, ByNumber>(def, &vec![0.0; def.num_leaves()]).unwrap_err();
        assert_eq!(error.explain_type::<ByNumber>(&def).to_string(), text);
    }
    let other = Error::TooFewLeaves { expected: 2, found: 1 };
    assert_eq!(other.explain_type::<Robot>(&leaf).to_string(), other.to_string());
}
