//! Vectors: of equal structs, of structs whose options differ, of enums; and leaves with their paths.

use std::hint::black_box;
use std::rc::Rc;

use treedef::{
    Error, KeyEntry, KeyPath, Tree, flatten, flatten_into, leaves_into, map, matches, over,
    structure, structure_into, unflatten,
};

use treedef::container::Sink;
use treedef::head::HeadSpec;
use treedef::tree::choices::{self, choices_into};
use treedef::tree::{LeafAs, NoLeaves, TreeBuild, TreeRead, TreeWalk};

use super::fixed::Pid;
use super::{Row, each, row};

/// A layer of a model: four weights, a bias, and a scale that a layer can lack.
#[derive(Clone, Tree)]
pub(super) struct Layer<T> {
    w: [T; 4],
    b: T,
    s: Option<T>,
}

/// Layers that are all alike.
pub(super) fn layers() -> Vec<Layer<f32>> {
    vec![Layer { w: [0.5; 4], b: 1.0, s: Some(2.0) }; 100]
}

/// Layers of which every third has a scale.
pub(super) fn unlike_layers() -> Vec<Layer<f32>> {
    let layer = |i: usize| Layer { w: [0.5; 4], b: 1.0, s: i.is_multiple_of(3).then_some(2.0) };
    (0..100).map(layer).collect()
}

fn layers_by_hand(layers: &[Layer<f32>], out: &mut [f32]) -> usize {
    let mut at = 0;
    for layer in layers {
        out[at..at + 4].copy_from_slice(&layer.w);
        out[at + 4] = layer.b;
        at += 5;
        if let Some(s) = layer.s {
            out[at] = s;
            at += 1;
        }
    }
    at
}

/// The number of layers that have a scale as the first layer has it.
fn layers_alike_by_hand(layers: &[Layer<f32>]) -> usize {
    let scaled = layers.first().is_some_and(|layer| layer.s.is_some());
    layers.iter().filter(|layer| layer.s.is_some() == scaled).count()
}

fn layers_from_hand(leaves: &[f32]) -> Vec<Layer<f32>> {
    let layer = |c: &[f32; 6]| Layer { w: [c[0], c[1], c[2], c[3]], b: c[4], s: Some(c[5]) };
    leaves.as_chunks::<6>().0.iter().map(layer).collect()
}

/// Writes a byte for each layer, whether it has a scale, and counts the leaves.
fn scales_by_hand(layers: &[Layer<f32>], out: &mut [u8]) -> Option<(usize, usize)> {
    let (mut at, mut leaves) = (0, 0);
    for layer in layers {
        let scale = u8::from(layer.s.is_some());
        *out.get_mut(at)? = scale;
        at += 1;
        leaves += 5 + usize::from(scale);
    }
    Some((at, leaves))
}

/// Compares the layers with a byte for each.
fn scales_match_by_hand(layers: &[Layer<f32>], mut expected: &[u8]) -> Result<(), usize> {
    for (index, layer) in layers.iter().enumerate() {
        if expected.split_off_first() != Some(&u8::from(layer.s.is_some())) {
            return Err(index);
        }
    }
    if expected.is_empty() { Ok(()) } else { Err(layers.len()) }
}

/// The layers from a byte for each.
fn unlike_layers_from_hand(scales: &[u8], mut leaves: &[f32]) -> Option<Vec<Layer<f32>>> {
    let layer = |scale: &u8| {
        let (w, rest) = leaves.split_first_chunk::<4>()?;
        let (b, rest) = rest.split_first()?;
        leaves = rest;
        let s = if *scale == 1 { Some(*leaves.split_off_first()?) } else { None };
        Some(Layer { w: *w, b: *b, s })
    };
    scales.iter().map(layer).collect()
}

/// The gains of a controller, of any leaf: also the mask of such gains.
#[derive(Clone, Tree)]
struct Gains<T> {
    kp: T,
    ki: T,
    kd: T,
}

fn masked_by_hand(p: &mut [Gains<f32>], g: &[Gains<f32>], mask: &[Gains<bool>]) -> bool {
    if [g.len(), mask.len()] != [p.len(); 2] {
        return false;
    }
    let step = |p: &mut f32, g: f32, keep: bool| *p -= if keep { 0.1 * g } else { 0.0 };
    for ((p, g), mask) in p.iter_mut().zip(g).zip(mask) {
        step(&mut p.kp, g.kp, mask.kp);
        step(&mut p.ki, g.ki, mask.ki);
        step(&mut p.kd, g.kd, mask.kd);
    }
    true
}

fn masked(p: &mut [Gains<f32>], g: &[Gains<f32>], mask: &[Gains<bool>]) -> bool {
    let trees = over((p, g)).with(mask);
    trees.for_each(|((p, g), keep)| *p -= if *keep { 0.1 * g } else { 0.0 }).is_ok()
}

fn stepped_by_hand(p: &[Gains<f32>], g: &[Gains<f32>]) -> Option<Vec<Gains<f32>>> {
    let step = |(p, g): (&Gains<f32>, &Gains<f32>)| Gains {
        kp: p.kp - 0.1 * g.kp,
        ki: p.ki - 0.1 * g.ki,
        kd: p.kd - 0.1 * g.kd,
    };
    (p.len() == g.len()).then(|| p.iter().zip(g).map(step).collect())
}

#[derive(Tree)]
enum Condition {
    Above { limit: f32 },
    Between { low: f32, high: f32 },
    Always,
}

#[derive(Tree)]
enum Action {
    Set(f32),
    Ramp { to: f32, rate: Option<f32> },
    Stop,
}

/// A rule of a controller.
#[derive(Tree)]
pub(super) struct Rule {
    when: Condition,
    action: Action,
    otherwise: Option<Action>,
    hold: Option<f32>,
}

/// Nine rules of which no two neighbours are alike: 23 leaves, 72 nodes.
pub(super) fn rules() -> Vec<Rule> {
    let condition = |i| match i % 3 {
        0 => Condition::Above { limit: 1.0 },
        1 => Condition::Between { low: 0.0, high: 1.0 },
        _ => Condition::Always,
    };
    let action = |i| match i % 4 {
        0 => Action::Set(1.0),
        1 => Action::Ramp { to: 1.0, rate: None },
        2 => Action::Ramp { to: 1.0, rate: Some(2.0) },
        _ => Action::Stop,
    };
    let rule = |i| Rule {
        when: condition(i),
        action: action(i),
        otherwise: (i % 2 == 0).then(|| action(i + 1)),
        hold: (i % 5 == 0).then_some(0.5),
    };
    (0..9).map(rule).collect()
}

/// Calls `tag` with a number for each variant and option.
#[inline(always)]
fn rule_tags(rule: &Rule, tag: &mut impl FnMut(u8)) {
    let action = |action: &Action, tag: &mut dyn FnMut(u8)| match action {
        Action::Set(_) => tag(0),
        Action::Ramp { rate, .. } => {
            tag(1);
            tag(u8::from(rate.is_some()));
        }
        Action::Stop => tag(2),
    };
    tag(match rule.when {
        Condition::Above { .. } => 0,
        Condition::Between { .. } => 1,
        Condition::Always => 2,
    });
    action(&rule.action, tag);
    tag(u8::from(rule.otherwise.is_some()));
    if let Some(otherwise) = &rule.otherwise {
        action(otherwise, tag);
    }
    tag(u8::from(rule.hold.is_some()));
}

fn rules_by_hand(rules: &[Rule], out: &mut [u8]) -> usize {
    let mut at = 0;
    for rule in rules {
        rule_tags(rule, &mut |tag| {
            out[at] = tag;
            at += 1;
        });
    }
    at
}

fn rules_from_hand(mut tags: &[u8], mut leaves: &[f32]) -> Option<Vec<Rule>> {
    let mut tag = || tags.split_off_first().copied();
    let mut leaf = || leaves.split_off_first().copied();
    let mut rules = Vec::new();
    while let Some(when) = tag() {
        let when = match when {
            0 => Condition::Above { limit: leaf()? },
            1 => Condition::Between { low: leaf()?, high: leaf()? },
            _ => Condition::Always,
        };
        let action = |tag: &mut dyn FnMut() -> Option<u8>,
                      leaf: &mut dyn FnMut() -> Option<f32>| {
            Some(match tag()? {
                0 => Action::Set(leaf()?),
                1 => {
                    let (to, rated) = (leaf()?, tag()? == 1);
                    Action::Ramp { to, rate: if rated { Some(leaf()?) } else { None } }
                }
                _ => Action::Stop,
            })
        };
        let first = action(&mut tag, &mut leaf)?;
        let otherwise = if tag()? == 1 { Some(action(&mut tag, &mut leaf)?) } else { None };
        let hold = if tag()? == 1 { Some(leaf()?) } else { None };
        rules.push(Rule { when, action: first, otherwise, hold });
    }
    Some(rules)
}

#[derive(Clone, Tree)]
enum Activation {
    Relu,
    Leaky(f32),
    Parametric { slopes: Vec<f32> },
}

#[derive(Clone, Tree)]
pub(super) struct Dense {
    w: Vec<f32>,
    b: Option<Vec<f32>>,
    activation: Activation,
}

/// Layers of which no two neighbours are alike.
pub(super) fn dense() -> Vec<Dense> {
    let layer = |i: usize| Dense {
        w: vec![0.5; 32],
        b: (!i.is_multiple_of(3)).then(|| vec![0.5; 8]),
        activation: match i % 4 {
            1 => Activation::Leaky(0.1),
            3 => Activation::Parametric { slopes: vec![0.5; 4] },
            _ => Activation::Relu,
        },
    };
    (0..12).map(layer).collect()
}

fn dense_from_hand(mut tags: &[u8], mut leaves: &[f32]) -> Option<Vec<Dense>> {
    let mut tag = || tags.split_off_first().copied();
    let list = |leaves: &mut &[f32], len: u8| Some(leaves.split_off(..len.into())?.to_vec());
    let mut layers = Vec::new();
    while let Some(len) = tag() {
        let w = list(&mut leaves, len)?;
        let b = if tag()? == 1 { Some(list(&mut leaves, tag()?)?) } else { None };
        let activation = match tag()? {
            0 => Activation::Relu,
            1 => Activation::Leaky(*leaves.split_off_first()?),
            _ => Activation::Parametric { slopes: list(&mut leaves, tag()?)? },
        };
        layers.push(Dense { w, b, activation });
    }
    Some(layers)
}

fn dense_by_hand(layers: &[Dense]) -> Vec<f32> {
    let mut leaves = Vec::new();
    for layer in layers {
        leaves.extend_from_slice(&layer.w);
        leaves.extend_from_slice(layer.b.as_deref().unwrap_or_default());
        match &layer.activation {
            Activation::Relu => {}
            Activation::Leaky(slope) => leaves.push(*slope),
            Activation::Parametric { slopes } => leaves.extend_from_slice(slopes),
        }
    }
    leaves
}

#[derive(Clone, Copy, Tree)]
struct Area {
    x: f32,
    y: f32,
    width: f32,
    height: f32,
}

fn areas() -> Vec<Area> {
    vec![Area { x: 0.0, y: 1.0, width: 2.0, height: 3.0 }; 500]
}

/// Visits each leaf with its path.
fn area_paths_by_hand(areas: &[Area], mut visit: impl FnMut(&[KeyEntry<'_>], &f32)) {
    for (index, area) in (0..).zip(areas) {
        let index = KeyEntry::Index(index);
        let Area { x, y, width, height } = area;
        let fields = [("x", x), ("y", y), ("width", width), ("height", height)];
        for (field, leaf) in fields {
            visit(&[index, KeyEntry::Attr(field)], leaf);
        }
    }
}

/// Takes a leaf and its path.
fn take(path: &[KeyEntry<'_>], leaf: &f32) {
    black_box((path, leaf));
}

pub(super) fn rows() -> Vec<Row> {
    let leaves = [0.5f32; 600];
    let def = structure(&layers()).expect("layers are no deeper than 64 levels");
    let def2 = def.clone();
    let pids = vec![Pid::default(); 1024];
    let gains = vec![Gains { kp: 0.5f32, ki: 0.6, kd: 0.7 }; 1024];
    let gains_def = structure(&gains).expect("gains are no deeper than 64 levels");
    let [a, b, c, d, e, f] = std::array::from_fn(|_| gains.clone());
    let [mut g, mut h] = std::array::from_fn(|_| gains.clone());
    let mask = vec![Gains { kp: true, ki: false, kd: true }; 1024];
    let mask2 = mask.clone();
    let [i, k, l, m] = std::array::from_fn(|_| layers());
    let mut copied = vec![0.0f32; 3072];
    let (mut copied2, three, three2) = (copied.clone(), copied.clone(), copied.clone());
    let (mut out, mut out2) = (leaves, leaves);
    let (mut bytes, mut bytes2, mut bytes3) = ([0u8; 64], [0u8; 64], [0u8; 512]);
    let copy = |pids: &[Pid], out: &mut [f32]| {
        for (pid, out) in pids.iter().zip(out.as_chunks_mut::<3>().0) {
            *out = [pid.kp, pid.ki, pid.kd];
        }
    };
    vec![
        row(
            "structs: flatten",
            1.6,
            {
                let pids = pids.clone();
                move || copy(black_box(&pids), black_box(&mut copied))
            },
            move || {
                let pids = black_box(pids.as_slice());
                black_box(flatten_into(pids, &mut bytes3, black_box(&mut copied2)).is_ok());
            },
        ),
        row(
            "structs: map",
            1.2,
            move || {
                let double =
                    |g: &Gains<f32>| Gains { kp: 2.0 * g.kp, ki: 2.0 * g.ki, kd: 2.0 * g.kd };
                black_box(black_box(&a).iter().map(double).collect::<Vec<_>>());
            },
            move || {
                black_box(map(black_box(&b), |x: &f32| 2.0 * x).ok());
            },
        ),
        row(
            "structs: map of two",
            1.2,
            {
                let (c, d) = (c.clone(), d.clone());
                move || {
                    black_box(stepped_by_hand(black_box(&c), black_box(&d)));
                }
            },
            move || {
                let trees = over((black_box(&c), black_box(&d)));
                black_box(trees.map(|(p, g)| p - 0.1 * g).ok());
            },
        ),
        row(
            "structs: zip with a mask",
            1.2,
            move || {
                black_box(masked_by_hand(black_box(&mut g), black_box(&e), black_box(&mask)));
            },
            move || {
                black_box(masked(black_box(&mut h), black_box(&f), black_box(&mask2)));
            },
        ),
        row(
            "structs: unflatten",
            1.6,
            move || {
                let gains = |c: &[f32; 3]| Gains { kp: c[0], ki: c[1], kd: c[2] };
                let list: Vec<_> = black_box(&three).as_chunks::<3>().0.iter().map(gains).collect();
                black_box(list);
            },
            move || {
                let leaves = black_box(three2.as_slice());
                black_box(unflatten::<_, Vec<Gains<f32>>>(black_box(&gains_def), leaves).ok());
            },
        ),
        row(
            "layers: flatten",
            1.6,
            move || {
                black_box(layers_by_hand(black_box(&i), black_box(&mut out)));
            },
            move || {
                let flat = flatten_into(black_box(&k), &mut bytes, black_box(&mut out2));
                black_box(flat.is_ok());
            },
        ),
        row(
            "layers: structure",
            3.0,
            {
                let l = l.clone();
                move || {
                    black_box(layers_alike_by_hand(black_box(&l)));
                }
            },
            move || {
                black_box(structure_into(black_box(&l), black_box(&mut bytes2)).is_ok());
            },
        ),
        row(
            "layers: match",
            3.0,
            {
                let m = m.clone();
                move || {
                    black_box(layers_alike_by_hand(black_box(&m)));
                }
            },
            move || {
                black_box(matches(black_box(&m), black_box(&def)).is_ok());
            },
        ),
        row(
            "layers: unflatten",
            2.3,
            move || {
                black_box(layers_from_hand(black_box(leaves.as_slice())));
            },
            move || {
                let leaves = black_box(leaves.as_slice());
                black_box(unflatten::<_, Vec<Layer<f32>>>(black_box(&def2), leaves).ok());
            },
        ),
    ]
}

/// Choices and leaves in two buffers, as a record or a frame has them.
struct Parts<'b> {
    choices: &'b mut [u8],
    leaves: &'b mut [f32],
}

impl<'a> Sink<'a, f32> for Parts<'_> {
    type Open = ();

    #[inline(always)]
    fn choice(&mut self, number: usize) {
        if let Some(slot) = self.choices.split_off_first_mut() {
            *slot = u8::try_from(number).expect("short lists");
        }
    }

    #[inline(always)]
    fn leaf(&mut self, leaf: &'a f32) {
        if let Some(slot) = self.leaves.split_off_first_mut() {
            *slot = *leaf;
        }
    }

    #[inline(always)]
    fn run<T: LeafAs<f32> + 'a>(&mut self, run: &'a [T]) {
        if let (Some(run), Some(slots)) = (T::run(run), self.leaves.split_off_mut(..run.len())) {
            slots.copy_from_slice(run);
        }
    }

    #[inline(always)]
    fn begin<H: HeadSpec>(&mut self, _: &H) -> Option<()> {
        Some(())
    }

    fn fail(&mut self, _: Error) {}
}

/// A flatten to treedef and leaves, and one to choices and leaves.
fn parts<T>(name: &'static str, tree: Vec<T>) -> Row
where
    T: TreeRead<f32> + 'static,
{
    let (tree, mut bytes, mut choices) = (Rc::new(tree), vec![0u8; 8192], [0u8; 512]);
    let (mut leaves, mut leaves2) = (vec![0f32; 1024], vec![0f32; 1024]);
    let flattened = Rc::clone(&tree);
    row(
        name,
        0.25,
        move || {
            let flat = flatten_into(black_box(&*flattened), &mut bytes, black_box(&mut leaves));
            black_box(flat.is_ok());
        },
        move || {
            let (choices, leaves) = (black_box(&mut choices[..]), black_box(&mut leaves2[..]));
            let mut parts = Parts { choices, leaves };
            TreeWalk::<f32>::walk(black_box(&*tree), &mut parts);
            black_box((parts.choices.len(), parts.leaves.len()));
        },
    )
}

/// A value that is built of its treedef, and one that is built of its choices.
fn built<T>(name: &'static str, promise: f64, tree: Vec<T>) -> Row
where
    T: TreeRead<f32> + TreeWalk<NoLeaves> + TreeBuild<f32> + 'static,
{
    let (def, leaves) = flatten(&tree).expect("few levels");
    let (leaves2, mut choices) = (leaves.clone(), vec![0; 512]);
    let count = choices_into(&tree, &mut choices).expect("few choices");
    choices.truncate(count);
    row(
        name,
        promise,
        move || {
            black_box(unflatten::<f32, Vec<T>>(black_box(&def), black_box(&leaves)).ok());
        },
        move || {
            let choices = black_box(&choices);
            black_box(choices::unflatten::<f32, Vec<T>>(choices, black_box(&leaves2)).ok());
        },
    )
}

/// A layer with leaves of three types.
#[derive(Clone, Tree)]
struct Mixed {
    w: Vec<f32>,
    steps: u32,
    b: [f32; 4],
    is_frozen: bool,
}

/// The sum of the leaves of one type, and a step of some of 4,000 leaves.
pub(super) fn mixed() -> Vec<Row> {
    let layer = Mixed { w: vec![0.5; 8], steps: 3, b: [0.25; 4], is_frozen: true };
    let (model, model2) = (vec![layer.clone(); 100], vec![layer; 100]);
    let (mut p, mut p2) = (vec![0.5f32; 4000], vec![0.5f32; 4000]);
    let keep = (0..4000).map(|at| at % 3 == 0).collect::<Vec<_>>();
    let keep2 = keep.clone();
    vec![
        row(
            "mixed: sum of a type",
            1.1,
            move || {
                let sum = |layer: &Mixed| layer.w.iter().chain(&layer.b).sum::<f32>();
                black_box(black_box(&model).iter().map(sum).sum::<f32>());
            },
            move || {
                let floats = over(black_box(&model2)).only::<f32>();
                black_box(floats.fold(0.0, |sum, x| sum + x).ok());
            },
        ),
        row(
            "4000 bools: with_leaves, of `with`",
            1.1,
            move || {
                let trees = over(black_box(&mut p)).with(black_box(&keep));
                black_box(trees.for_each(|(p, keep)| *p *= if *keep { 1.0 } else { 0.5 }).is_ok());
            },
            move || {
                let trees = over(black_box(&mut p2)).with_leaves(black_box(&keep2));
                black_box(trees.for_each(|(p, keep)| *p *= if *keep { 1.0 } else { 0.5 }).is_ok());
            },
        ),
    ]
}

pub(super) fn unlike() -> Vec<Row> {
    let [a, c, d, e, f, g] = std::array::from_fn(|_| unlike_layers());
    let (def, leaves) = flatten(&a).expect("layers have leaves");
    let def2 = def.clone();
    let (mut scales, mut scales3) = (vec![0u8; 100], vec![0u8; 100]);
    assert_eq!(scales_by_hand(&a, &mut scales), Some((100, leaves.len())));
    let (scales2, leaves2, count) = (scales.clone(), leaves.clone(), leaves.len());
    let [mut out, mut out2, mut out3, mut out4] = std::array::from_fn(|_| vec![0f32; count]);
    let (mut tags, mut bytes, mut bytes2) = ([0u8; 128], vec![0u8; 8192], vec![0u8; 8192]);
    let [r, s] = std::array::from_fn(|_| rules());
    let rules_def = structure(&r).expect("rules are no deeper than 64 levels");
    let rules_def2 = rules_def.clone();
    let (mut rule_bytes, mut rule_tags) = ([0u8; 4096], [0u8; 128]);
    let count = rules_by_hand(&r, &mut rule_tags);
    let (layers, layers2) = (dense(), dense());
    let (dense_def, dense_leaves) = flatten(&layers).expect("layers have leaves");
    let (dense_leaves2, mut dense_tags) = (dense_leaves.clone(), vec![0; 128]);
    let count_of_dense = choices_into(&layers, &mut dense_tags).expect("few choices");
    dense_tags.truncate(count_of_dense);
    let (areas, areas2) = (areas(), areas());
    // Both visit the same paths.
    let (mut own, mut by_hand) = (Vec::new(), Vec::new());
    area_paths_by_hand(&areas, |path, _| by_hand.push(KeyPath::new(path).to_string()));
    let visited = over(&areas).paths().for_each(|path, _| own.push(path.to_string()));
    assert_eq!((visited, own), (Ok(()), by_hand));
    vec![
        row(
            "options: leaves",
            1.3,
            {
                let a = a.clone();
                move || {
                    black_box(layers_by_hand(black_box(&a), black_box(&mut out)));
                }
            },
            move || {
                black_box(leaves_into(black_box(&a), black_box(&mut out2)).is_ok());
            },
        ),
        row(
            "options: flatten",
            6.0,
            {
                let c = c.clone();
                move || {
                    black_box(scales_by_hand(black_box(&c), black_box(&mut scales3)));
                    black_box(layers_by_hand(black_box(&c), black_box(&mut out3)));
                }
            },
            move || {
                let flat = flatten_into(black_box(&c), &mut bytes, black_box(&mut out4));
                black_box(flat.is_ok());
            },
        ),
        row(
            "options: structure",
            16.0,
            move || {
                black_box(scales_by_hand(black_box(&d), black_box(&mut tags)));
            },
            move || {
                black_box(structure_into(black_box(&e), black_box(&mut bytes2)).is_ok());
            },
        ),
        row(
            "options: match",
            20.0,
            move || {
                black_box(scales_match_by_hand(black_box(&f), black_box(&scales)).is_ok());
            },
            move || {
                black_box(matches(black_box(&g), black_box(&def)).is_ok());
            },
        ),
        row(
            "options: unflatten",
            6.0,
            move || {
                black_box(unlike_layers_from_hand(black_box(&scales2), black_box(&leaves)));
            },
            move || {
                let leaves = black_box(leaves2.as_slice());
                black_box(unflatten::<_, Vec<Layer<f32>>>(black_box(&def2), leaves).ok());
            },
        ),
        parts("options: choices and leaves, of a flatten", unlike_layers()),
        parts("rules: choices and leaves, of a flatten", rules()),
        parts("dense: choices and leaves, of a flatten", dense()),
        built("options: known choices, of an unflatten", 0.25, unlike_layers()),
        built("rules: known choices, of an unflatten", 0.28, rules()),
        each("rules: structure, a node", 106.0, 72, move || {
            black_box(structure_into(black_box(&r), black_box(&mut rule_bytes)).is_ok());
        }),
        each("rules: match, a node", 123.0, 72, move || {
            black_box(matches(black_box(&s), black_box(&rules_def)).is_ok());
        }),
        row(
            "rules: unflatten",
            6.0,
            move || {
                black_box(rules_from_hand(black_box(&rule_tags[..count]), black_box(&[0.5; 23])));
            },
            move || {
                let leaves = black_box([0.5f32; 23].as_slice());
                black_box(unflatten::<_, Vec<Rule>>(black_box(&rules_def2), leaves).ok());
            },
        ),
        row(
            "dense: flatten",
            6.0,
            move || {
                black_box(dense_by_hand(black_box(&layers)));
            },
            move || {
                black_box(flatten(black_box(&layers2)).ok());
            },
        ),
        row(
            "dense: unflatten",
            2.0,
            move || {
                let tags = black_box(&dense_tags[1..]);
                black_box(dense_from_hand(tags, black_box(&dense_leaves)));
            },
            move || {
                let leaves = black_box(dense_leaves2.as_slice());
                black_box(unflatten::<_, Vec<Dense>>(black_box(&dense_def), leaves).ok());
            },
        ),
        row(
            "areas: with paths",
            3.0,
            move || area_paths_by_hand(black_box(&areas), take),
            move || {
                let visited = over(black_box(&areas2))
                    .paths()
                    .for_each(|path, leaf| take(path.as_slice().unwrap_or(&[]), leaf));
                black_box(visited.is_ok());
            },
        ),
    ]
}
