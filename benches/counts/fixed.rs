//! Types of fixed shape: structs of numbers, nested arrays, a train state; and four trees walked together.

use std::hint::black_box;

use treedef::tree::leaves_from;
use treedef::{Tree, leaves_into, map, over, treedef_of, unflatten};

use super::{Row, row};

#[derive(Clone, Copy, Default, Tree)]
pub(super) struct Pid {
    pub(super) kp: f32,
    pub(super) ki: f32,
    pub(super) kd: f32,
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

/// A state estimator with matrices: 129 leaves.
#[derive(Clone, Copy, Tree)]
struct Estimator {
    state: [f32; 8],
    covariance: [[f32; 8]; 8],
    gain: [[f32; 4]; 8],
    noise: [[f32; 2]; 8],
    pid: [Pid; 2],
    drift: [f32; 2],
    dt: f32,
}

fn estimator() -> Estimator {
    Estimator {
        state: [0.1; 8],
        covariance: [[0.2; 8]; 8],
        gain: [[0.3; 4]; 8],
        noise: [[0.4; 2]; 8],
        pid: [Pid { kp: 0.5, ki: 0.6, kd: 0.7 }; 2],
        drift: [0.8; 2],
        dt: 0.9,
    }
}

/// Calls a function with each leaf of an estimator, and with that of another one.
macro_rules! both {
    ($a:expr, $b:expr, $visit:expr) => {{
        let (a, b): (&mut Estimator, &Estimator) = ($a, $b);
        let visit = $visit;
        a.state.iter_mut().zip(&b.state).for_each(visit);
        let rows = a.covariance.as_flattened_mut().iter_mut();
        rows.zip(b.covariance.as_flattened()).for_each(visit);
        a.gain.as_flattened_mut().iter_mut().zip(b.gain.as_flattened()).for_each(visit);
        a.noise.as_flattened_mut().iter_mut().zip(b.noise.as_flattened()).for_each(visit);
        for (a, b) in a.pid.iter_mut().zip(&b.pid) {
            visit((&mut a.kp, &b.kp));
            visit((&mut a.ki, &b.ki));
            visit((&mut a.kd, &b.kd));
        }
        a.drift.iter_mut().zip(&b.drift).for_each(visit);
        visit((&mut a.dt, &b.dt));
    }};
}

#[inline(never)]
fn zipped_by_hand(a: &mut Estimator, b: &Estimator) {
    both!(a, b, |(a, b): (&mut f32, &f32)| *a -= 0.1 * b);
}

fn estimator_by_hand(e: &Estimator, out: &mut [f32]) -> bool {
    let Some(mut out) = out.get_mut(..129) else { return false };
    let mut put = |leaves: &[f32]| {
        if let Some(slots) = out.split_off_mut(..leaves.len()) {
            slots.copy_from_slice(leaves);
        }
    };
    put(&e.state);
    put(e.covariance.as_flattened());
    put(e.gain.as_flattened());
    put(e.noise.as_flattened());
    for pid in &e.pid {
        put(&[pid.kp, pid.ki, pid.kd]);
    }
    put(&e.drift);
    put(&[e.dt]);
    true
}

fn estimator_from_hand(leaves: &[f32]) -> Option<Estimator> {
    let (state, rest) = leaves.split_first_chunk::<8>()?;
    let (covariance, rest) = rest.split_first_chunk::<64>()?;
    let (gain, rest) = rest.split_first_chunk::<32>()?;
    let (noise, rest) = rest.split_first_chunk::<16>()?;
    let ([a, b, c, d, e, f, drift @ .., dt], []) = rest.split_first_chunk::<9>()? else {
        return None;
    };
    Some(Estimator {
        state: *state,
        covariance: *covariance.as_chunks::<8>().0.first_chunk()?,
        gain: *gain.as_chunks::<4>().0.first_chunk()?,
        noise: *noise.as_chunks::<2>().0.first_chunk()?,
        pid: [Pid { kp: *a, ki: *b, kd: *c }, Pid { kp: *d, ki: *e, kd: *f }],
        drift: *drift,
        dt: *dt,
    })
}

fn estimator_written_by_hand(e: &mut Estimator, leaves: &[f32]) -> bool {
    let Some(mut left) = leaves.first_chunk::<129>().map(|leaves| leaves.as_slice()) else {
        return false;
    };
    let mut take = |slots: &mut [f32]| {
        if let Some(leaves) = left.split_off(..slots.len()) {
            slots.copy_from_slice(leaves);
        }
    };
    take(&mut e.state);
    take(e.covariance.as_flattened_mut());
    take(e.gain.as_flattened_mut());
    take(e.noise.as_flattened_mut());
    for Pid { kp, ki, kd } in &mut e.pid {
        [kp, ki, kd].into_iter().for_each(|slot| take(core::slice::from_mut(slot)));
    }
    take(&mut e.drift);
    take(core::slice::from_mut(&mut e.dt));
    true
}

fn estimator_mapped_by_hand(e: &Estimator) -> Estimator {
    Estimator {
        state: e.state.map(|x| 2.0 * x),
        covariance: e.covariance.map(|row| row.map(|x| 2.0 * x)),
        gain: e.gain.map(|row| row.map(|x| 2.0 * x)),
        noise: e.noise.map(|row| row.map(|x| 2.0 * x)),
        pid: e.pid.map(|p| Pid { kp: 2.0 * p.kp, ki: 2.0 * p.ki, kd: 2.0 * p.kd }),
        drift: e.drift.map(|x| 2.0 * x),
        dt: 2.0 * e.dt,
    }
}

/// A filter of second order.
#[derive(Clone, Copy, Tree)]
struct Biquad {
    b: [f32; 3],
    a: [f32; 2],
    state: [f32; 2],
    gain: f32,
}

/// Four filters for each of eight channels.
type Filters = [[Biquad; 4]; 8];

fn filters_from_hand(leaves: &[f32; 256]) -> Option<Filters> {
    let channels = leaves.as_chunks::<8>().0.as_chunks::<4>().0.first_chunk::<8>()?;
    let filter = |[b0, b1, b2, a0, a1, s0, s1, gain]: [f32; 8]| Biquad {
        b: [b0, b1, b2],
        a: [a0, a1],
        state: [s0, s1],
        gain,
    };
    Some(channels.map(|channel| channel.map(filter)))
}

fn filters() -> Filters {
    [[Biquad { b: [0.1; 3], a: [0.2; 2], state: [0.3; 2], gain: 0.4 }; 4]; 8]
}

fn filters_mapped_by_hand(filters: &Filters) -> Filters {
    let filter = |f: Biquad| Biquad {
        b: f.b.map(|x| 2.0 * x),
        a: f.a.map(|x| 2.0 * x),
        state: f.state.map(|x| 2.0 * x),
        gain: 2.0 * f.gain,
    };
    filters.map(|channel| channel.map(filter))
}

#[derive(Clone, Copy, Default, Tree)]
struct Quaternion {
    w: f32,
    x: f32,
    y: f32,
    z: f32,
}

fn quaternions_from_hand(leaves: &[f32]) -> Option<[Quaternion; 1024]> {
    let leaves = leaves.as_chunks::<4>().0.first_chunk::<1024>()?;
    Some(std::array::from_fn(|at| {
        let [w, x, y, z] = leaves[at];
        Quaternion { w, x, y, z }
    }))
}

pub(super) fn rows() -> Vec<Row> {
    let motor = Motor::default();
    let (mut small, mut small2) = ([0.0f32; 12], [0.0f32; 12]);
    let (a, c, d) = (estimator(), estimator(), estimator());
    let (mut h, mut i, mut k, mut l) = (estimator(), estimator(), estimator(), estimator());
    let (filters, filters2) = (filters(), filters());
    let (mut flat, mut flat2, leaves) = ([0.0f32; 129], [0.0f32; 129], [0.5f32; 129]);
    vec![
        row(
            "motor: leaves",
            1.1,
            move || {
                black_box(motor_by_hand(black_box(&motor), black_box(&mut small)));
            },
            move || {
                black_box(leaves_into(black_box(&motor), black_box(&mut small2)).is_ok());
            },
        ),
        row(
            "motor: unflatten",
            1.3,
            || {
                black_box(motor_from_hand(black_box(&[0.0; 12])));
            },
            || {
                let leaves = black_box([0.0f32; 12].as_slice());
                black_box(unflatten::<_, Motor>(treedef_of::<Motor>(), leaves).ok());
            },
        ),
        row(
            "estimator: leaves",
            1.1,
            move || {
                black_box(estimator_by_hand(black_box(&a), black_box(&mut flat)));
            },
            move || {
                black_box(leaves_into(black_box(&a), black_box(&mut flat2)).is_ok());
            },
        ),
        row(
            "estimator: map",
            1.1,
            move || {
                black_box(estimator_mapped_by_hand(black_box(&c)));
            },
            move || {
                black_box(map(black_box(&c), |x: &f32| 2.0 * x).ok());
            },
        ),
        row(
            "estimator: zip",
            1.1,
            move || zipped_by_hand(black_box(&mut h), black_box(&d)),
            move || {
                let trees = over((black_box(&mut i), black_box(&d)));
                black_box(trees.for_each(|(a, b)| *a -= 0.1 * b).is_ok());
            },
        ),
        row(
            "estimator: unflatten",
            1.3,
            move || {
                black_box(estimator_from_hand(black_box(&leaves)));
            },
            move || {
                let leaves = black_box(leaves.as_slice());
                black_box(unflatten::<_, Estimator>(treedef_of::<Estimator>(), leaves).ok());
            },
        ),
        row(
            "estimator: leaves_from",
            1.3,
            move || {
                black_box(estimator_written_by_hand(black_box(&mut k), black_box(&leaves)));
            },
            move || {
                black_box(leaves_from(black_box(&mut l), black_box(&leaves)).is_ok());
            },
        ),
        row(
            "filters: unflatten",
            1.3,
            // By reference, here and below: of a `Result` an `Option` is a copy.
            || {
                black_box(&filters_from_hand(black_box(&[0.5; 256])));
            },
            || {
                let leaves = black_box([0.5f32; 256].as_slice());
                black_box(&unflatten::<_, Filters>(treedef_of::<Filters>(), leaves));
            },
        ),
        row(
            "filters: map",
            1.2,
            move || {
                black_box(filters_mapped_by_hand(black_box(&filters)));
            },
            move || {
                black_box(map(black_box(&filters2), |x: &f32| 2.0 * x).ok());
            },
        ),
        row(
            "1024 quaternions: unflatten",
            1.3,
            || {
                black_box(&quaternions_from_hand(black_box([0.5f32; 4096].as_slice())));
            },
            || {
                let leaves = black_box([0.5f32; 4096].as_slice());
                let def = treedef_of::<[Quaternion; 1024]>();
                black_box(&unflatten::<_, [Quaternion; 1024]>(def, leaves));
            },
        ),
    ]
}

#[derive(Clone, Default, Tree)]
struct Axis {
    pid: Pid,
    limit: f32,
}

/// One step of Adam.
#[inline(always)]
pub(super) fn adam_step(p: &mut f32, g: &f32, m: &mut f32, v: &mut f32) {
    *m = 0.9 * *m + 0.1 * g;
    *v = 0.999 * *v + 0.001 * g * g;
    *p -= 0.01 * *m / (v.sqrt() + 1e-8);
}

/// Adam over any tree.
fn adam_of<T: treedef::tree::TreeRead<f32> + treedef::tree::TreeWrite<f32> + ?Sized>(
    p: &mut T,
    g: &T,
    m: &mut T,
    v: &mut T,
) -> bool {
    over((p, g, m, v)).for_each(|(p, g, m, v): (&mut f32, _, _, _)| adam_step(p, g, m, v)).is_ok()
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

/// Four trees for Adam: of parameters, gradients and both moments.
type Four<T> = (Vec<T>, Vec<T>, Vec<T>, Vec<T>);

fn four<T: Clone>(element: T, count: usize) -> Four<T> {
    let list = || vec![element.clone(); count];
    (list(), list(), list(), list())
}

/// A row of a function over [`four`] lists.
fn adam_row<T: Clone + 'static>(
    name: &'static str,
    (element, count): (T, usize),
    by_hand: impl Fn(&mut [T], &[T], &mut [T], &mut [T]) -> bool + 'static,
) -> Row
where
    [T]: treedef::tree::TreeRead<f32> + treedef::tree::TreeWrite<f32>,
{
    let (mut p, g, mut m, mut v) = four(element.clone(), count);
    let (mut p2, g2, mut m2, mut v2) = four(element, count);
    row(
        name,
        1.1,
        move || {
            let (p, g) = (black_box(&mut p), black_box(&g));
            black_box(by_hand(p, g, black_box(&mut m), black_box(&mut v)));
        },
        move || {
            let (p, g) = (black_box(p2.as_mut_slice()), black_box(g2.as_slice()));
            black_box(adam_of(p, g, black_box(m2.as_mut_slice()), black_box(v2.as_mut_slice())));
        },
    )
}

pub(super) fn adam() -> Vec<Row> {
    vec![adam_row("adam: 1024 structs", (Axis::default(), 1024), axes_by_hand)]
}
