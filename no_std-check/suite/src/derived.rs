//! What the derives and the macros of the crate write: every attribute, every macro.

use treedef::dynamic::Flatten;
use treedef::tree::{AsLeaf, TreeBuild, flatten_expected};
use treedef::{
    Kind, Leaf, Meta, Tree, flatten_into, map, matches, over, structure_into, treedef_of, unflatten,
};

use crate::report::{Case, Digest, Missing, Outcome, Report};

pub const CASES: &[Case] = &[
    ("structs", structs),
    ("enums", enums),
    ("meta fields", meta),
    ("skipped fields and leaves", skipped),
    ("recursive types", recursive),
    ("leaf types", leaf_types),
    ("literals", literals),
];

/// The crate under another name, for the attribute that says where it is.
mod elsewhere {
    pub use treedef as trees;
}

#[derive(Clone, Debug, PartialEq, Tree)]
#[tree(name = "control::Pid")]
struct Pid<T> {
    kp: T,
    #[tree(name = "integral")]
    ki: [T; 2],
}

#[derive(Clone, Debug, PartialEq, Tree)]
#[tree(name = "Pair", crate = crate::derived::elsewhere::trees)]
struct Pair(f32, f32);

#[derive(Clone, Debug, PartialEq, Tree)]
#[tree(name = "Nothing")]
struct Nothing;

#[derive(Clone, Debug, PartialEq, Tree)]
#[tree(name = "Mode")]
enum Mode<T> {
    Off,
    Loop(Pid<T>, Option<T>),
    #[tree(name = "Ramp")]
    Linear {
        from: T,
        to: T,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Meta)]
enum Window {
    Box,
    #[tree(name = "hann")]
    Hann,
}

#[derive(Clone, Copy, Debug, PartialEq, Meta)]
#[tree(crate = crate::derived::elsewhere::trees)]
struct Rate {
    hertz: u32,
    exact: bool,
    ratio: f32,
}

#[derive(Clone, Debug, PartialEq, Tree)]
#[tree(name = "Filter", meta(stages = N))]
struct Filter<T, const N: usize> {
    taps: [T; N],
    #[tree(meta)]
    window: Window,
    #[tree(meta)]
    rate: Rate,
    #[tree(skip)]
    overruns: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Leaf)]
struct Tensor<T: Copy> {
    shape: [u8; 2],
    first: T,
}

#[derive(Clone, Debug, PartialEq)]
struct Sample(u16);

treedef::leaf!(Sample);

#[derive(Clone, Debug, PartialEq, Tree)]
#[tree(name = "Kalman")]
struct Kalman {
    #[tree(leaf)]
    covariance: AsLeaf<[[f32; 2]; 2]>,
    state: [AsLeaf<[[f32; 2]; 2]>; 2],
}

/// Flattens, prints, rebuilds, matches and compares with the tree with changed leaves.
fn round_trip<T>(report: &mut Report<'_>, name: &str, tree: &T) -> Outcome
where
    T: Tree<f32> + TreeBuild<f32> + PartialEq,
{
    let (mut bytes, mut leaves) = ([0; 128], [0.0f32; 8]);
    let (def, count) = flatten_into(tree, &mut bytes, &mut leaves)?;
    report.treedef(name, def);
    report.leaves("leaves", &leaves[..count]);
    report.same(unflatten::<f32, T>(def, &leaves[..count])? == *tree, true)?;
    matches(tree, def)?;
    let mut again = [0.0f32; 8];
    report.same(flatten_expected(tree, def, &mut again)?, count)?;
    report.same(again, leaves)
}

fn structs(report: &mut Report<'_>) -> Outcome {
    let pid = Pid { kp: 1.0f32, ki: [2.0, 3.0] };
    round_trip(report, "named fields", &pid)?;
    round_trip(report, "numbered fields", &Pair(1.0, -1.0))?;
    round_trip(report, "no fields", &Nothing)?;
    round_trip(report, "nested", &([pid.clone(), pid.clone()], Pair(0.0, 0.5), Nothing))?;
    let doubled = map(&pid, |leaf: &f32| 2.0 * f64::from(*leaf))?;
    report.same(doubled, Pid { kp: 2.0f64, ki: [4.0, 6.0] })?;
    let mut sum = 0.0;
    let scale = Pid { kp: 10.0f32, ki: [1.0, 2.0] };
    over((&scale, &pid)).for_each(|(factor, leaf): (&f32, _)| sum += factor * leaf)?;
    report.same(sum, 18.0)
}

fn enums(report: &mut Report<'_>) -> Outcome {
    let pid = Pid { kp: 1.0f32, ki: [2.0, 3.0] };
    let modes =
        [Mode::Off, Mode::Loop(pid, Some(4.0)), Mode::Linear { from: 5.0, to: 6.0 }, Mode::Off];
    for mode in &modes {
        round_trip(report, "variant", mode)?;
    }
    // The variant is part of the structure.
    let (mut one, mut other) = ([0; 96], [0; 96]);
    let off = structure_into(&modes[0], &mut one)?;
    let ramp = structure_into(&modes[2], &mut other)?;
    let error = matches(&modes[2], off).err().ok_or(Missing)?;
    report.fact("another variant", error.explain(off, ramp));
    Ok(())
}

fn filter(window: Window) -> Filter<f32, 2> {
    let rate = Rate { hertz: 48_000, exact: true, ratio: 0.1 };
    Filter { taps: [0.25, 0.75], window, rate, overruns: 7 }
}

fn meta(report: &mut Report<'_>) -> Outcome {
    let (mut bytes, mut other) = ([0; 96], [0; 96]);
    let def = structure_into(&filter(Window::Hann), &mut bytes)?;
    report.treedef("meta fields", def);
    for (name, value) in def.head().meta_fields() {
        report.fact(name, value);
    }
    let again: Filter<f32, 2> = unflatten(def, &[0.25f32, 0.75])?;
    report.same((again.window, again.rate), (Window::Hann, filter(Window::Hann).rate))?;
    let flat = structure_into(&filter(Window::Box), &mut other)?;
    report.same(flat == def, false)?;
    // A constant that the type adds is compared when the tree is rebuilt.
    let three = unflatten::<f32, Filter<f32, 3>>(def, &[0.0; 2]).err().ok_or(Missing)?;
    report.fact("other constant", three);
    Ok(())
}

fn skipped(report: &mut Report<'_>) -> Outcome {
    let mut bytes = [0; 96];
    let def = structure_into(&filter(Window::Box), &mut bytes)?;
    report.same(unflatten::<f32, Filter<f32, 2>>(def, &[1.0, 2.0])?.overruns, 0)?;
    let covariance = AsLeaf([[1.0, 0.0], [0.0, 1.0]]);
    let kalman = Kalman { covariance, state: [covariance, covariance] };
    report.treedef("leaves that are arrays", treedef_of::<Kalman>());
    let mut trace = 0.0;
    over(&kalman).for_each(|leaf: &AsLeaf<[[f32; 2]; 2]>| trace += leaf.0[0][0] + leaf.0[1][1])?;
    report.same(trace, 6.0)
}

#[derive(Tree)]
#[tree(name = "Chain")]
struct Chain<'n> {
    value: f32,
    next: Option<&'n Chain<'n>>,
}

/// Types that name each other say which types are trees.
#[derive(Tree)]
#[tree(name = "Group", bound = "f32, T")]
struct Group<'a, T> {
    gain: f32,
    first: Option<&'a Channel<'a, T>>,
}

#[derive(Tree)]
#[tree(name = "Channel", bound = "f32, T")]
struct Channel<'a, T> {
    value: T,
    group: Option<&'a Group<'a, T>>,
}

fn recursive(report: &mut Report<'_>) -> Outcome {
    let (mut bytes, mut leaves) = ([0; 128], [0.0f32; 4]);
    let last = Chain { value: 1.0, next: None };
    let middle = Chain { value: 2.0, next: Some(&last) };
    let first = Chain { value: 3.0, next: Some(&middle) };
    let (def, count) = flatten_into(&first, &mut bytes, &mut leaves)?;
    report.treedef("a chain", def);
    report.leaves("leaves", &leaves[..count]);
    let end = Group { gain: 0.5, first: None };
    let channel = Channel { value: 1.5f32, group: Some(&end) };
    let group = Group { gain: 2.5, first: Some(&channel) };
    let (def, count) = flatten_into(&group, &mut bytes, &mut leaves)?;
    report.treedef("types that name each other", def);
    report.leaves("leaves", &leaves[..count]);
    Ok(())
}

fn leaf_types(report: &mut Report<'_>) -> Outcome {
    let tensors = [Tensor { shape: [2, 3], first: 1.0f32 }, Tensor { shape: [4, 5], first: 2.0 }];
    report.treedef("tensors", treedef_of::<[Tensor<f32>; 2]>());
    let mut elements = 0;
    let count = |tensor: &Tensor<f32>| elements += tensor.shape[0] * tensor.shape[1];
    over(&tensors).for_each(count)?;
    report.same(elements, 26)?;
    let mut samples = 0;
    over(&(Sample(3), [Sample(4)])).for_each(|sample: &Sample| samples += sample.0)?;
    report.same(samples, 7)
}

fn literals(report: &mut Report<'_>) -> Outcome {
    let gain = 2.0f32;
    let tree = treedef::tree!({"w": (gain, -gain), "b": [None, 0.5], "": {}});
    let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 3]);
    let (def, _) = Flatten::new().flatten_into(&tree, &mut bytes, &mut leaves)?;
    report.treedef("a tree", def);
    report.leaves("leaves", &leaves);
    let literal = treedef::treedef!({"": {}, "b": [None, *], "w": (*, *)});
    report.same(literal, def)?;
    let kinds = treedef::tree!([Kind::Leaf, (Kind::None,)]);
    report.fact("a tree of kinds", Digest::of(format_args!("{kinds:?}")));
    Ok(())
}
