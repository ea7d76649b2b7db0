//! Exact instruction counts under callgrind, as ratios to what one would write by hand.
//!
//! `cargo bench --bench counts --features alloc` prints the table, and with `-- layers rules` only the cases whose names
//! begin with one of these words. With `-- --check` it also fails where a ratio is above its bound, or where the table in
//! README.md has another bound. Every case runs alone under `valgrind --tool=callgrind` with an empty environment, and only
//! what happens inside `counted` is counted, so the numbers repeat to the instruction for one compiler. Left out: the call
//! of the case itself, which an empty case measures.

use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use callgrind::{chosen, count, counted};
use treedef::dynamic::Flatten;
use treedef::head::{DictKind, head_into, head_len};
use treedef::path::leaf_index;
use treedef::tree::leaf_mut;
use treedef::{
    Head, Node, Tree, TreeDef, flatten_into, head, leaves_into, structure_into, treedef_of,
    unflatten, zip,
};

mod callgrind;
mod workloads;

const README: &str = include_str!("README.md");

#[derive(Clone, Copy, Default, Tree)]
struct Pid {
    kp: f32,
    ki: f32,
    kd: f32,
}

#[derive(Clone, Copy, Default, Tree)]
struct Limits {
    current: f32,
    speed: f32,
}

#[derive(Clone, Copy, Default, Tree)]
struct Motor {
    speed: Pid,
    current: Pid,
    limits: Limits,
    pole_pairs: f32,
    dt: f32,
    phase: (f32, f32),
}

#[derive(Clone, Copy, Default, Tree)]
struct Affine {
    b: f32,
    w: f32,
}

#[derive(Clone, Copy, Default, Tree)]
struct Norm {
    b: f32,
    g: f32,
}

#[derive(Clone, Copy, Default, Tree)]
struct Block {
    attn: (Affine, Affine),
    ln_1: Norm,
    ln_2: Norm,
    mlp: (Affine, Affine),
}

#[derive(Clone, Copy, Tree)]
struct Gpt {
    h: [Block; 48],
    ln_f: Norm,
    wpe: f32,
    wte: f32,
}

#[derive(Clone, Copy, Tree)]
struct State {
    step: f32,
    params: Gpt,
    mu: Gpt,
    nu: Gpt,
}

fn gpt() -> Gpt {
    Gpt { h: [Block::default(); 48], ln_f: Norm::default(), wpe: 0.0, wte: 0.0 }
}

fn motor_by_hand(m: &Motor, out: &mut [f32]) -> bool {
    let Some(o) = out.first_chunk_mut::<12>() else { return false };
    o[0] = m.speed.kp;
    o[1] = m.speed.ki;
    o[2] = m.speed.kd;
    o[3] = m.current.kp;
    o[4] = m.current.ki;
    o[5] = m.current.kd;
    o[6] = m.limits.current;
    o[7] = m.limits.speed;
    o[8] = m.pole_pairs;
    o[9] = m.dt;
    o[10] = m.phase.0;
    o[11] = m.phase.1;
    true
}

fn motor_from_hand(i: &[f32]) -> Option<Motor> {
    let i = <&[f32; 12]>::try_from(i).ok()?;
    Some(Motor {
        speed: Pid { kp: i[0], ki: i[1], kd: i[2] },
        current: Pid { kp: i[3], ki: i[4], kd: i[5] },
        limits: Limits { current: i[6], speed: i[7] },
        pole_pairs: i[8],
        dt: i[9],
        phase: (i[10], i[11]),
    })
}

fn gpt_by_hand(g: &Gpt, out: &mut [f32; 580]) {
    let (blocks, rest) = out.split_at_mut(576);
    for (b, o) in g.h.iter().zip(blocks.as_chunks_mut::<12>().0) {
        o[0] = b.attn.0.b;
        o[1] = b.attn.0.w;
        o[2] = b.attn.1.b;
        o[3] = b.attn.1.w;
        o[4] = b.ln_1.b;
        o[5] = b.ln_1.g;
        o[6] = b.ln_2.b;
        o[7] = b.ln_2.g;
        o[8] = b.mlp.0.b;
        o[9] = b.mlp.0.w;
        o[10] = b.mlp.1.b;
        o[11] = b.mlp.1.w;
    }
    rest.copy_from_slice(&[g.ln_f.b, g.ln_f.g, g.wpe, g.wte]);
}

fn state_by_hand(s: &State, out: &mut [f32]) -> bool {
    let Some((step, rest)) = out.split_first_mut() else { return false };
    let ([params, mu, nu, ..], _) = rest.as_chunks_mut::<580>() else { return false };
    *step = s.step;
    gpt_by_hand(&s.params, params);
    gpt_by_hand(&s.mu, mu);
    gpt_by_hand(&s.nu, nu);
    true
}

/// The place of the leaf with this index.
fn leaf_by_hand(s: &mut State, index: usize) -> Option<&mut f32> {
    let Some(index) = index.checked_sub(1) else { return Some(&mut s.step) };
    let gpt = match index / 580 {
        0 => &mut s.params,
        1 => &mut s.mu,
        2 => &mut s.nu,
        _ => return None,
    };
    let index = index % 580;
    let Some(b) = gpt.h.get_mut(index / 12) else {
        return match index - 576 {
            0 => Some(&mut gpt.ln_f.b),
            1 => Some(&mut gpt.ln_f.g),
            2 => Some(&mut gpt.wpe),
            _ => Some(&mut gpt.wte),
        };
    };
    Some(match index % 12 {
        0 => &mut b.attn.0.b,
        1 => &mut b.attn.0.w,
        2 => &mut b.attn.1.b,
        3 => &mut b.attn.1.w,
        4 => &mut b.ln_1.b,
        5 => &mut b.ln_1.g,
        6 => &mut b.ln_2.b,
        7 => &mut b.ln_2.g,
        8 => &mut b.mlp.0.b,
        9 => &mut b.mlp.0.w,
        10 => &mut b.mlp.1.b,
        _ => &mut b.mlp.1.w,
    })
}

/// A dict of leaked memory: the trees of these cases live as long as the program.
fn dict(head: Head<'static>, children: &[Node<'static, f32>]) -> Node<'static, f32> {
    Node::keyed(head, children.to_vec().leak()).unwrap_or(Node::None)
}

/// The head of a dict, encoded once.
fn head(keys: &[&str]) -> Head<'static> {
    let heading = head::Dict::new(DictKind::Sorted, keys.iter().copied());
    head_into(&heading, vec![0; head_len(&heading)].leak()).unwrap_or(TreeDef::LEAF.head())
}

/// The parameters of GPT-2 small as dicts of dicts: 148 leaves, 259 nodes.
fn gpt2() -> Node<'static, f32> {
    let leaf = Node::Leaf(0.5);
    let (affine, norm) = (head(&["b", "w"]), head(&["b", "g"]));
    let (attn, mlp) = (head(&["c_attn", "c_proj"]), head(&["c_fc", "c_proj"]));
    let block = head(&["attn", "ln_1", "ln_2", "mlp"]);
    let names = ["0", "1", "10", "11", "2", "3", "4", "5", "6", "7", "8", "9"];
    let affine = || dict(affine, &[leaf, leaf]);
    let norm = || dict(norm, &[leaf, leaf]);
    let attn = || dict(attn, &[affine(), affine()]);
    let mlp = || dict(mlp, &[affine(), affine()]);
    let blocks = names.map(|_| dict(block, &[attn(), norm(), norm(), mlp()]));
    let h = dict(head(&names), &blocks);
    dict(head(&["h", "ln_f", "wpe", "wte"]), &[h, norm(), leaf, leaf])
}

/// A dict of 40 dicts of which no two are alike: 240 leaves, 281 nodes.
fn irregular() -> Node<'static, f32> {
    let groups: [_; 40] = std::array::from_fn(|i| {
        let names: [_; 6] = std::array::from_fn(|j| format!("name {i:02} {j}"));
        dict(head(&names.each_ref().map(String::as_str)), &[Node::Leaf(0.5); 6])
    });
    let names: [_; 40] = std::array::from_fn(|i| format!("group {i:02}"));
    dict(head(&names.each_ref().map(String::as_str)), &groups)
}

/// What a visitor does that only writes leaves: leaves in the loop over the children, a call for what has children.
#[inline(never)]
fn visit(node: &Node<'_, f32>, out: &mut [f32], at: &mut usize) -> bool {
    let mut child = |child: &Node<'_, f32>| match child {
        Node::Leaf(leaf) => {
            let Some(slot) = out.get_mut(*at) else { return false };
            *slot = *leaf;
            *at += 1;
            true
        }
        Node::None => true,
        branch => visit(branch, out, at),
    };
    match node {
        Node::Leaf(_) => child(node),
        Node::None => true,
        Node::Some(only) => child(only),
        Node::Tuple(children) | Node::List(children) => children.iter().all(child),
        Node::Keyed(keyed) => keyed.children().all(child),
    }
}

#[derive(Clone, Default, Tree)]
struct Axis {
    pid: Pid,
    limit: f32,
}

/// The mask of a [`Pid`], and a `Pid` of any leaf.
#[derive(Clone, Tree)]
struct Gains<T> {
    kp: T,
    ki: T,
    kd: T,
}

/// One step of Adam.
#[inline(always)]
fn adam_step(p: &mut f32, g: &f32, m: &mut f32, v: &mut f32) {
    *m = 0.9 * *m + 0.1 * g;
    *v = 0.999 * *v + 0.001 * g * g;
    *p -= 0.01 * *m / (v.sqrt() + 1e-8);
}

/// Adam over any tree.
fn adam<T: treedef::tree::TreeWrite<f32> + ?Sized>(p: &mut T, g: &T, m: &mut T, v: &mut T) -> bool {
    zip((p, g, m, v)).for_each(|p: &mut f32, g, m, v| adam_step(p, g, m, v)).is_ok()
}

/// The loop by hand over four lists of one length.
#[inline(always)]
fn by_hand<T>(
    p: &mut [T],
    g: &[T],
    m: &mut [T],
    v: &mut [T],
    step: impl Fn(&mut T, &T, &mut T, &mut T),
) -> bool {
    if [g.len(), m.len(), v.len()] != [p.len(); 3] {
        return false;
    }
    for (((p, g), m), v) in p.iter_mut().zip(g).zip(m).zip(v) {
        step(p, g, m, v);
    }
    true
}

fn axes_by_hand(p: &mut [Axis], g: &[Axis], m: &mut [Axis], v: &mut [Axis]) -> bool {
    by_hand(p, g, m, v, |p, g, m, v| {
        adam_step(&mut p.pid.kp, &g.pid.kp, &mut m.pid.kp, &mut v.pid.kp);
        adam_step(&mut p.pid.ki, &g.pid.ki, &mut m.pid.ki, &mut v.pid.ki);
        adam_step(&mut p.pid.kd, &g.pid.kd, &mut m.pid.kd, &mut v.pid.kd);
        adam_step(&mut p.limit, &g.limit, &mut m.limit, &mut v.limit);
    })
}

fn rows_by_hand(p: &mut [Row], g: &[Row], m: &mut [Row], v: &mut [Row]) -> bool {
    by_hand(p, g, m, v, |p, g, m, v| {
        by_hand(p, g, m, v, adam_step);
    })
}

type Row = [f32; 64];

/// Four trees for Adam: of parameters, gradients and both moments.
type Four<T> = (Vec<T>, Vec<T>, Vec<T>, Vec<T>);

fn four<T: Clone>(element: T, count: usize) -> Four<T> {
    let list = || vec![element.clone(); count];
    (list(), list(), list(), list())
}

/// The case of a function over [`four`] lists.
fn adam_case<T: Clone + 'static>(
    name: &'static str,
    against: Option<(&'static str, f64)>,
    (element, count): (T, usize),
    run: impl Fn(&mut [T], &[T], &mut [T], &mut [T]) -> bool + 'static,
) -> Case {
    let (mut p, g, mut m, mut v) = four(element, count);
    case(name, against, move || {
        let (p, g) = (black_box(&mut p), black_box(&g));
        black_box(run(p, g, black_box(&mut m), black_box(&mut v)));
    })
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
    let trees = zip((p, g)).with(mask);
    trees.for_each(|p: &mut f32, g, keep: &bool| *p -= if *keep { 0.1 * g } else { 0.0 }).is_ok()
}

fn stepped_by_hand(p: &[Gains<f32>], g: &[Gains<f32>]) -> Option<Vec<Gains<f32>>> {
    let step = |(p, g): (&Gains<f32>, &Gains<f32>)| Gains {
        kp: p.kp - 0.1 * g.kp,
        ki: p.ki - 0.1 * g.ki,
        kd: p.kd - 0.1 * g.kd,
    };
    (p.len() == g.len()).then(|| p.iter().zip(g).map(step).collect())
}

fn scaled_by_hand(p: &mut [Gains<f32>], g: &[Gains<f32>], rates: &[f32]) -> bool {
    if [g.len(), rates.len()] != [p.len(); 2] {
        return false;
    }
    for ((p, g), rate) in p.iter_mut().zip(g).zip(rates) {
        p.kp -= rate * g.kp;
        p.ki -= rate * g.ki;
        p.kd -= rate * g.kd;
    }
    true
}

fn scaled(p: &mut [Gains<f32>], g: &[Gains<f32>], rates: &[f32]) -> bool {
    zip((p, g)).under(rates).for_each(|p: &mut f32, g, rate: &f32| *p -= rate * g).is_ok()
}

/// A case: its name, the name of the case it is compared with, the ratio it may reach, and the work.
struct Case {
    name: &'static str,
    against: Option<(&'static str, f64)>,
    run: Box<dyn FnMut()>,
}

fn case(
    name: &'static str,
    against: Option<(&'static str, f64)>,
    run: impl FnMut() + 'static,
) -> Case {
    Case { name, against, run: Box::new(run) }
}

fn cases() -> Vec<Case> {
    let motor = Motor::default();
    let state = Box::new(State { step: 0.0, params: gpt(), mu: gpt(), nu: gpt() });
    let state2 = state.clone();
    let (mut state3, mut state4) = (state.clone(), state.clone());
    let (mut motor2, mut motor3) = (motor, motor);
    let pids = vec![Pid::default(); 1024];
    let (pids2, pids3, pids4) = (pids.clone(), pids.clone(), pids.clone());
    let mut out = vec![0.0f32; 1741];
    let mut out2 = out.clone();
    let (mut small, mut small2) = ([0.0f32; 12], [0.0f32; 12]);
    let mut copied = vec![0.0f32; 3072];
    let (mut listed, mut listed3) = (copied.clone(), copied.clone());
    let mut bytes4 = [0u8; 512];
    let mut bytes = [0u8; 512];
    let mut bytes2 = [0u8; 512];
    let tree = gpt2();
    let long = Node::List(vec![Node::Leaf(0.5); 10_000].leak());
    let (mut visited, mut kept, mut matched) = ([0.0f32; 148], [0.0f32; 148], [0.0f32; 148]);
    let (mut long_out, mut long_out2) = (vec![0.0f32; 10_000], vec![0.0f32; 10_000]);
    let (mut dynamic, mut brief) = ([0u8; 512], [0u8; 8]);
    let unlike = irregular();
    let (mut visited3, mut kept3, mut matched3) = ([0.0f32; 240], [0.0f32; 240], [0.0f32; 240]);
    let mut dynamic3 = [0u8; 4096];
    let expected3 =
        Flatten::new().structure_into(&unlike, vec![0; 4096].leak()).unwrap_or(TreeDef::LEAF);
    let expected =
        Flatten::new().structure_into(&tree, vec![0; 512].leak()).unwrap_or(TreeDef::LEAF);
    let state_bytes = treedef_of::<State>().as_bytes().to_vec();
    let state_def = treedef_of::<State>();
    let motor_bytes = treedef_of::<Motor>().as_bytes().to_vec();
    let gain = Gains { kp: 0.5f32, ki: 0.6, kd: 0.7 };
    let (mut gains, slopes) = (vec![gain.clone(); 1024], vec![gain; 1024]);
    let mut gains2 = gains.clone();
    let (gains5, gains6) = (gains.clone(), gains.clone());
    let (slopes5, slopes6) = (slopes.clone(), slopes.clone());
    let (mut gains3, mut gains4) = (gains.clone(), gains.clone());
    let (slopes2, slopes3, slopes4) = (slopes.clone(), slopes.clone(), slopes.clone());
    let mask = vec![Gains { kp: true, ki: false, kd: true }; 1024];
    let (mask2, rates) = (mask.clone(), vec![0.1f32; 1024]);
    let rates2 = rates.clone();
    vec![
        case("empty", None, || ()),
        case("motor flatten by hand", None, move || {
            black_box(motor_by_hand(black_box(&motor), black_box(&mut small)));
        }),
        case("motor flatten", Some(("motor flatten by hand", 1.0)), move || {
            black_box(leaves_into(black_box(&motor), black_box(&mut small2)).is_ok());
        }),
        case("motor unflatten by hand", None, || {
            black_box(motor_from_hand(black_box(&[0.0; 12])));
        }),
        case("motor unflatten", Some(("motor unflatten by hand", 1.0)), || {
            let motor: Option<Motor> =
                unflatten(treedef_of::<Motor>(), black_box([0.0f32; 12].as_slice())).ok();
            black_box(motor);
        }),
        case("state flatten by hand", None, move || {
            black_box(state_by_hand(black_box(&state), black_box(&mut out)));
        }),
        case("state flatten", Some(("state flatten by hand", 1.0)), move || {
            black_box(leaves_into(black_box(&*state2), black_box(&mut out2)).is_ok());
        }),
        case("state leaf by hand", None, move || {
            black_box(leaf_by_hand(black_box(&mut state3), black_box(830)));
        }),
        case("state leaf", Some(("state leaf by hand", 1.3)), move || {
            black_box(leaf_mut(black_box(&mut *state4), black_box(830)).ok());
        }),
        case("motor field by hand", None, move || {
            black_box(Some(&mut black_box(&mut motor2).limits.speed));
        }),
        case("motor leaf at a path", Some(("motor field by hand", 1.0)), move || {
            const INDEX: usize = leaf_index!(treedef_of::<Motor>(), "limits.speed");
            black_box(leaf_mut(black_box(&mut motor3), INDEX).ok());
        }),
        case("1024 pids: leaves copied", None, move || {
            let pids = black_box(&pids);
            for (pid, out) in pids.iter().zip(black_box(&mut copied).as_chunks_mut::<3>().0) {
                *out = [pid.kp, pid.ki, pid.kd];
            }
        }),
        case("1024 pids: flatten", Some(("1024 pids: leaves copied", 1.1)), move || {
            let pids = black_box(pids2.as_slice());
            black_box(flatten_into(pids, &mut bytes, black_box(&mut listed)).is_ok());
        }),
        case("1024 pids: leaves alone", None, move || {
            let pids = black_box(pids3.as_slice());
            black_box(leaves_into(pids, black_box(&mut listed3)).is_ok());
        }),
        case("1024 pids: structure alone", None, move || {
            let pids = black_box(pids4.as_slice());
            black_box(structure_into(pids, black_box(&mut bytes4)).is_ok());
        }),
        case("gpt2 dict: bare visitor", None, move || {
            black_box(visit(black_box(&tree), black_box(&mut visited), &mut 0));
        }),
        case("gpt2 dict: flatten", Some(("gpt2 dict: bare visitor", 1.45)), move || {
            let tree = black_box(&tree);
            let flat = Flatten::new().flatten_into(tree, &mut dynamic, black_box(&mut kept));
            black_box(flat.is_ok());
        }),
        case("gpt2 dict: match", Some(("gpt2 dict: bare visitor", 1.45)), move || {
            let tree = black_box(&tree);
            let flat = Flatten::new().flatten_expected(tree, expected, black_box(&mut matched));
            black_box(flat.is_ok());
        }),
        case("unlike dicts: bare visitor", None, move || {
            black_box(visit(black_box(&unlike), black_box(&mut visited3), &mut 0));
        }),
        case("unlike dicts: flatten", Some(("unlike dicts: bare visitor", 1.8)), move || {
            let tree = black_box(&unlike);
            let flat = Flatten::new().flatten_into(tree, &mut dynamic3, black_box(&mut kept3));
            black_box(flat.is_ok());
        }),
        case("unlike dicts: match", Some(("unlike dicts: bare visitor", 1.88)), move || {
            let tree = black_box(&unlike);
            let flat = Flatten::new().flatten_expected(tree, expected3, black_box(&mut matched3));
            black_box(flat.is_ok());
        }),
        case("10000 leaves: bare visitor", None, move || {
            black_box(visit(black_box(&long), black_box(&mut long_out), &mut 0));
        }),
        case("10000 leaves: flatten", Some(("10000 leaves: bare visitor", 1.05)), move || {
            let flat = Flatten::new().flatten_into(
                black_box(&long),
                &mut brief,
                black_box(&mut long_out2),
            );
            black_box(flat.is_ok());
        }),
        adam_case("adam by hand: 4096 floats", None, (0.5f32, 4096), |p, g, m, v| {
            by_hand(p, g, m, v, adam_step)
        }),
        adam_case(
            "adam: 4096 floats",
            Some(("adam by hand: 4096 floats", 1.05)),
            (0.5f32, 4096),
            adam,
        ),
        adam_case("adam by hand: 1024 structs", None, (Axis::default(), 1024), axes_by_hand),
        adam_case(
            "adam: 1024 structs",
            Some(("adam by hand: 1024 structs", 1.05)),
            (Axis::default(), 1024),
            adam,
        ),
        adam_case("adam by hand: 64 rows", None, ([0.5f32; 64], 64), rows_by_hand),
        adam_case("adam: 64 rows", Some(("adam by hand: 64 rows", 1.05)), ([0.5f32; 64], 64), adam),
        case("mask by hand", None, move || {
            black_box(masked_by_hand(black_box(&mut gains), black_box(&slopes), black_box(&mask)));
        }),
        case("mask", Some(("mask by hand", 1.1)), move || {
            black_box(masked(black_box(&mut gains2), black_box(&slopes2), black_box(&mask2)));
        }),
        case("map of two by hand", None, move || {
            black_box(stepped_by_hand(black_box(&gains5), black_box(&slopes5)));
        }),
        case("map of two", Some(("map of two by hand", 0.73)), move || {
            let trees = zip((black_box(&gains6), black_box(&slopes6)));
            black_box(trees.map(|p: &f32, g| p - 0.1 * g).ok());
        }),
        case("prefix by hand", None, move || {
            black_box(scaled_by_hand(
                black_box(&mut gains3),
                black_box(&slopes3),
                black_box(&rates),
            ));
        }),
        case("prefix", Some(("prefix by hand", 1.1)), move || {
            black_box(scaled(black_box(&mut gains4), black_box(&slopes4), black_box(&rates2)));
        }),
        case("motor structure from the value", None, move || {
            black_box(structure_into(black_box(&motor), black_box(&mut bytes2)).is_ok());
        }),
        case("state validate", None, move || {
            black_box(TreeDef::from_bytes(black_box(&state_bytes)).is_ok());
        }),
        case("motor validate", None, move || {
            black_box(TreeDef::from_bytes(black_box(&motor_bytes)).is_ok());
        }),
        case("state fingerprint", None, move || {
            black_box(black_box(state_def).fingerprint());
        }),
    ]
}

/// More than the cases of a group.
const MOST_CASES: usize = 1000;

fn main() -> ExitCode {
    let groups = || [cases as fn() -> Vec<Case>].into_iter().chain(workloads::GROUPS);
    if let Some(index) = chosen() {
        // Of this group alone: what the others would leave in the heap changes the cost of allocations.
        let mut cases = groups().nth(index / MOST_CASES).map_or(Vec::new(), |group| group());
        let Some(case) = cases.get_mut(index % MOST_CASES) else { return ExitCode::FAILURE };
        counted(&mut *case.run);
        return ExitCode::SUCCESS;
    }
    let cases: Vec<_> = groups()
        .enumerate()
        .flat_map(|(group, cases)| (group * MOST_CASES..).zip(cases()))
        .collect();
    let check = env::args().any(|arg| arg == "--check");
    // Without names, all cases.
    let names: Vec<_> = env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let named = |case: &Case| names.is_empty() || names.iter().any(|n| case.name.starts_with(n));
    let Some(empty) = count(0) else {
        println!("valgrind is not installed: nothing counted");
        return if check { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    };
    let mut seen: Vec<(&str, u64)> = Vec::new();
    let mut failed = false;
    for (index, case) in cases.iter().skip(1).filter(|(_, case)| named(case)) {
        let Some(total) = count(*index) else {
            println!("{:34} not counted", case.name);
            failed = true;
            continue;
        };
        let net = total.saturating_sub(empty);
        print!("{:34}{net:>9}", case.name);
        let peer = case.against.and_then(|(peer, most)| {
            let (_, instructions) = seen.iter().find(|(name, _)| *name == peer)?;
            Some((*instructions, most))
        });
        if let Some((instructions, most)) = peer {
            let ratio = net as f64 / instructions as f64;
            let bound = format!("(at most {most})");
            let row = |line: &str| line.starts_with(&format!("{:34}", case.name));
            let listed = README.lines().any(|line| row(line) && line.ends_with(&bound));
            let verdict = match (ratio <= most, listed) {
                (true, true) => "",
                (true, false) => "  README.md HAS ANOTHER BOUND",
                _ => "  TOO MANY",
            };
            print!("  {ratio:.3} of it by hand {bound}{verdict}");
            failed |= !verdict.is_empty();
        }
        println!();
        seen.push((case.name, net));
    }
    if check && failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
