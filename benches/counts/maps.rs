//! Maps with text keys: read, mapped, walked together, and their structures.

use std::collections::BTreeMap;
use std::hint::black_box;

use treedef::{Tree, leaves_into, map, matches, over, structure, structure_into, unflatten};

use super::fixed::adam_step;
use super::{Row, row};

/// Sixty names of fifteen bytes, in order.
pub(super) fn names() -> Vec<String> {
    let mut names: Vec<_> = (0..60).map(|i| format!("layer_{i}/kernel")).collect();
    names.sort();
    names
}

fn map_of() -> BTreeMap<String, f32> {
    names().into_iter().map(|name| (name, 0.5)).collect()
}

/// Writes each key after a byte with its length.
fn keys_by_hand(map: &BTreeMap<String, f32>, out: &mut [u8]) -> usize {
    let mut at = 0;
    for key in map.keys() {
        out[at] = key.len() as u8;
        out[at + 1..at + 1 + key.len()].copy_from_slice(key.as_bytes());
        at += 1 + key.len();
    }
    at
}

fn keys_match_by_hand(map: &BTreeMap<String, f32>, bytes: &[u8]) -> bool {
    let mut at = 0;
    map.keys().all(|key| {
        let own = usize::from(bytes[at]) == key.len()
            && bytes[at + 1..at + 1 + key.len()] == *key.as_bytes();
        at += 1 + key.len();
        own
    }) && at == bytes.len()
}

fn map_from_hand(mut bytes: &[u8], leaves: &[f32]) -> Option<BTreeMap<String, f32>> {
    let mut map = BTreeMap::new();
    for leaf in leaves {
        let len = usize::from(*bytes.split_off_first()?);
        let key = str::from_utf8(bytes.split_off(..len)?).ok()?;
        map.insert(key.to_owned(), *leaf);
    }
    Some(map)
}

/// A layer of a model.
#[derive(Clone, Tree)]
struct Affine {
    w: f32,
    b: f32,
}

type Layers = BTreeMap<String, Affine>;

fn layers(count: usize) -> Layers {
    (0..count).map(|i| (format!("layer_{i:05}"), Affine { w: 0.5, b: 0.5 })).collect()
}

/// Adam over four maps of one shape, side by side.
fn adam_by_hand(p: &mut Layers, g: &Layers, m: &mut Layers, v: &mut Layers) -> bool {
    if [g.len(), m.len(), v.len()] != [p.len(); 3] {
        return false;
    }
    for ((((key, p), (g_key, g)), (m_key, m)), (v_key, v)) in p.iter_mut().zip(g).zip(m).zip(v) {
        if [g_key, m_key, v_key] != [key; 3] {
            return false;
        }
        adam_step(&mut p.w, &g.w, &mut m.w, &mut v.w);
        adam_step(&mut p.b, &g.b, &mut m.b, &mut v.b);
    }
    true
}

fn adam_of(p: &mut Layers, g: &Layers, m: &mut Layers, v: &mut Layers) -> bool {
    over((p, g, m, v)).for_each(|(p, g, m, v): (&mut f32, _, _, _)| adam_step(p, g, m, v)).is_ok()
}

type Hashed = hashbrown::HashMap<String, Affine>;

/// Adam over four maps that each have an order of their own: the order of the leaves does not matter here.
fn hashed_adam_by_hand(p: &mut Hashed, g: &Hashed, m: &mut Hashed, v: &mut Hashed) -> bool {
    if [g.len(), m.len(), v.len()] != [p.len(); 3] {
        return false;
    }
    for (key, p) in p {
        let (Some(g), Some(m), Some(v)) = (g.get(key), m.get_mut(key), v.get_mut(key)) else {
            return false;
        };
        adam_step(&mut p.w, &g.w, &mut m.w, &mut v.w);
        adam_step(&mut p.b, &g.b, &mut m.b, &mut v.b);
    }
    true
}

/// In a group of its own: what another row allocates decides whether the bytes of an owned structure move when they grow.
pub(super) fn hashed() -> Vec<Row> {
    let map = || layers(2000).into_iter().collect::<Hashed>();
    let (mut p, g, mut m, mut v) = (map(), map(), map(), map());
    let (mut p2, g2, mut m2, mut v2) = (map(), map(), map(), map());
    vec![row(
        "hash maps of 2000: adam",
        4.0,
        move || {
            black_box(hashed_adam_by_hand(black_box(&mut p), black_box(&g), &mut m, &mut v));
        },
        move || {
            let trees = over((black_box(&mut p2), black_box(&g2), &mut m2, &mut v2));
            black_box(trees.for_each(|(p, g, m, v)| adam_step(p, g, m, v)).is_ok());
        },
    )]
}

fn adam_row(name: &'static str, count: usize) -> Row {
    let (mut p, g, mut m, mut v) = (layers(count), layers(count), layers(count), layers(count));
    let (mut p2, g2, mut m2, mut v2) = (p.clone(), g.clone(), m.clone(), v.clone());
    row(
        name,
        1.8,
        move || {
            black_box(adam_by_hand(black_box(&mut p), black_box(&g), &mut m, &mut v));
        },
        move || {
            black_box(adam_of(black_box(&mut p2), black_box(&g2), &mut m2, &mut v2));
        },
    )
}

pub(super) fn rows() -> Vec<Row> {
    let def = structure(&map_of()).expect("sixty keys in order");
    let def2 = def.clone();
    let [a, b, c, d, e] = std::array::from_fn(|_| map_of());
    let mut keys = vec![0u8; 4096];
    let count = keys_by_hand(&a, &mut keys);
    keys.truncate(count);
    let (keys2, leaves) = (keys.clone(), [0.5f32; 60]);
    let [mut out, mut out2] = std::array::from_fn(|_| vec![0u8; 4096]);
    let (mut values, mut values2) = ([0f32; 60], [0f32; 60]);
    let (large, large2) = (layers(10_000), layers(10_000));
    let mut bytes = vec![0u8; 1 << 20];
    vec![
        row(
            "map of 60: leaves",
            1.2,
            {
                let a = a.clone();
                move || {
                    for (value, slot) in black_box(&a).values().zip(black_box(&mut values)) {
                        *slot = *value;
                    }
                }
            },
            move || {
                black_box(leaves_into(black_box(&a), black_box(&mut values2)).is_ok());
            },
        ),
        row(
            "map of 60: map",
            1.2,
            {
                let b = b.clone();
                move || {
                    let double = |(key, x): (&String, &f32)| (key.clone(), 2.0 * x);
                    black_box(black_box(&b).iter().map(double).collect::<BTreeMap<_, _>>());
                }
            },
            move || {
                black_box(map(black_box(&b), |x: &f32| 2.0 * x).ok());
            },
        ),
        row(
            "map of 60: structure",
            2.5,
            {
                let c = c.clone();
                move || {
                    black_box(keys_by_hand(black_box(&c), black_box(&mut out)));
                }
            },
            move || {
                black_box(structure_into(black_box(&c), black_box(&mut out2)).is_ok());
            },
        ),
        row(
            "map of 60: match",
            2.5,
            move || {
                black_box(keys_match_by_hand(black_box(&d), black_box(&keys)));
            },
            move || {
                black_box(matches(black_box(&e), black_box(&def)).is_ok());
            },
        ),
        row(
            "map of 60: unflatten",
            1.6,
            move || {
                black_box(map_from_hand(black_box(&keys2), black_box(&leaves)));
            },
            move || {
                let leaves = black_box(leaves.as_slice());
                black_box(unflatten::<_, BTreeMap<String, f32>>(black_box(&def2), leaves).ok());
            },
        ),
        row(
            "10 000 keys: owned structure, of one written into a slice",
            1.5,
            move || {
                black_box(structure_into(black_box(&large), black_box(&mut bytes)).is_ok());
            },
            move || {
                black_box(structure(black_box(&large2)).is_ok());
            },
        ),
        adam_row("10 000 keys: adam", 10_000),
    ]
}
