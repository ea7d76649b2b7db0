//! Cases that look like programs of users: vectors of structs with options, rules made of enums, maps, and values of a
//! program's own.
//!
//! The code by hand does the same work for one type: it knows the type, and its bytes need not describe themselves.

use std::collections::BTreeMap;
use std::hint::black_box;

use treedef::algebra::{Migration, migrate};
use treedef::cache::{Dtype, KeyWriter};
use treedef::dynamic::{Flatten, Keyed, unflatten_into};
use treedef::{
    Error, Node, Tree, TreeDef, View, flatten_into, leaves_into, map, matches, structure_into,
    unflatten, zip,
};

use super::{Case, Gains, case};
use objects::{Handle, Value, dict, gpt2_values, unlike_values};

/// Names of the cases of one value.
macro_rules! named {
    ($name:literal) => {
        [concat!($name, ": bare visitor"), concat!($name, ": flatten"), concat!($name, ": match")]
    };
}

mod models;
mod networks;
mod objects;
mod plain;

/// A layer of a model: four weights, a bias, and a scale that a layer can lack.
#[derive(Clone, Tree)]
struct Layer<T> {
    w: [T; 4],
    b: T,
    s: Option<T>,
}

fn layers() -> Vec<Layer<f32>> {
    vec![Layer { w: [0.5; 4], b: 1.0, s: Some(2.0) }; 100]
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

fn layers_map_by_hand(layers: &[Layer<f32>]) -> Vec<Layer<f32>> {
    let double = |x: f32| 2.0 * x;
    let layer = |l: &Layer<f32>| Layer { w: l.w.map(double), b: double(l.b), s: l.s.map(double) };
    layers.iter().map(layer).collect()
}

fn layers_stepped_by_hand(p: &[Layer<f32>], g: &[Layer<f32>]) -> Option<Vec<Layer<f32>>> {
    let step = |p: f32, g: f32| p - 0.1 * g;
    let layer = |(p, g): (&Layer<f32>, &Layer<f32>)| Layer {
        w: std::array::from_fn(|i| step(p.w[i], g.w[i])),
        b: step(p.b, g.b),
        s: p.s.zip(g.s).map(|(p, g)| step(p, g)),
    };
    let alike = p.len() == g.len() && p.iter().zip(g).all(|(p, g)| p.s.is_some() == g.s.is_some());
    alike.then(|| p.iter().zip(g).map(layer).collect())
}

fn vectors() -> Vec<Case> {
    let leaves = [0.5f32; 600];
    let def = structure_into(&layers(), vec![0; 64].leak()).unwrap_or(TreeDef::LEAF);
    let list = |count| {
        structure_into(vec![0.5f32; count].as_slice(), vec![0; 8].leak()).unwrap_or(TreeDef::LEAF)
    };
    let floats = list(3072);
    let gains = vec![Gains { kp: 0.5f32, ki: 0.6, kd: 0.7 }; 1024];
    let gains_def = structure_into(&gains, vec![0; 64].leak()).unwrap_or(TreeDef::LEAF);
    let (gains2, three) = (gains.clone(), vec![0.5f32; 3072]);
    let [three2, three3, three4, three5, three6] = std::array::from_fn(|_| three.clone());
    let [a, b, c, d, e, f, g, h, i] = std::array::from_fn(|_| layers());
    let (mut out, mut out2, mut out3) = (leaves, leaves, leaves);
    let (mut bytes, mut bytes2) = ([0u8; 64], [0u8; 64]);
    let i2 = i.clone();
    let (h2, g2) = (h.clone(), g.clone());
    vec![
        case("layers: leaves by hand", None, move || {
            black_box(layers_by_hand(black_box(&a), black_box(&mut out)));
        }),
        case("layers: leaves", Some(("layers: leaves by hand", 0.9)), move || {
            black_box(leaves_into(black_box(&b), black_box(&mut out2)).is_ok());
        }),
        case("layers: flatten", Some(("layers: leaves by hand", 1.5)), move || {
            let flat = flatten_into(black_box(&c), &mut bytes, black_box(&mut out3));
            black_box(flat.is_ok());
        }),
        case("layers: alike by hand", None, move || {
            black_box(layers_alike_by_hand(black_box(&d)));
        }),
        case("layers: structure", Some(("layers: alike by hand", 2.81)), move || {
            black_box(structure_into(black_box(&e), black_box(&mut bytes2)).is_ok());
        }),
        case("layers: match", Some(("layers: alike by hand", 2.83)), move || {
            black_box(matches(black_box(&f), black_box(def)).is_ok());
        }),
        case("layers: unflatten by hand", None, move || {
            black_box(layers_from_hand(black_box(leaves.as_slice())));
        }),
        case("layers: unflatten", Some(("layers: unflatten by hand", 1.93)), move || {
            let layers: Option<Vec<Layer<f32>>> =
                unflatten(black_box(def), black_box(leaves.as_slice())).ok();
            black_box(layers);
        }),
        case("layers: map by hand", None, move || {
            black_box(layers_map_by_hand(black_box(&g)));
        }),
        case("layers: map", Some(("layers: map by hand", 1.14)), move || {
            black_box(map(black_box(&g2), |x: &f32| 2.0 * x).ok());
        }),
        case("layers: map of two by hand", None, move || {
            black_box(layers_stepped_by_hand(black_box(&h), black_box(&h2)));
        }),
        case("layers: map of two", Some(("layers: map of two by hand", 0.82)), move || {
            let trees = zip((black_box(&i), black_box(&i2)));
            black_box(trees.map(|p: &f32, g| p - 0.1 * g).ok());
        }),
        case("1024 structs: unflatten by hand", None, move || {
            let gains = |c: &[f32; 3]| Gains { kp: c[0], ki: c[1], kd: c[2] };
            let list: Vec<_> = black_box(&three).as_chunks::<3>().0.iter().map(gains).collect();
            black_box(list);
        }),
        case(
            "1024 structs: unflatten",
            Some(("1024 structs: unflatten by hand", 0.58)),
            move || {
                let list: Option<Vec<Gains<f32>>> =
                    unflatten(black_box(gains_def), black_box(three2.as_slice())).ok();
                black_box(list);
            },
        ),
        case("3072 floats: unflatten by hand", None, move || {
            black_box(black_box(&three3).to_vec());
        }),
        case("3072 floats: unflatten", Some(("3072 floats: unflatten by hand", 0.29)), move || {
            let list: Option<Vec<f32>> =
                unflatten(black_box(floats), black_box(three4.as_slice())).ok();
            black_box(list);
        }),
        case("3072 floats: map by hand", None, move || {
            black_box(black_box(&three5).iter().map(|x| 2.0 * x).collect::<Vec<_>>());
        }),
        case("3072 floats: map", Some(("3072 floats: map by hand", 1.1)), move || {
            black_box(map(black_box(&three6), |x: &f32| 2.0 * x).ok());
        }),
        case("1024 structs: map by hand", None, move || {
            let double = |g: &Gains<f32>| Gains { kp: 2.0 * g.kp, ki: 2.0 * g.ki, kd: 2.0 * g.kd };
            black_box(black_box(&gains).iter().map(double).collect::<Vec<_>>());
        }),
        case("1024 structs: map", Some(("1024 structs: map by hand", 0.8)), move || {
            black_box(map(black_box(&gains2), |x: &f32| 2.0 * x).ok());
        }),
    ]
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
struct Rule {
    when: Condition,
    action: Action,
    otherwise: Option<Action>,
    hold: Option<f32>,
}

/// Nine rules of which no two neighbours are alike: 23 leaves, 72 nodes.
fn rules() -> Vec<Rule> {
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

fn enums() -> Vec<Case> {
    let def = structure_into(&rules(), vec![0; 4096].leak()).unwrap_or(TreeDef::LEAF);
    let [a, b, c] = std::array::from_fn(|_| rules());
    let (mut out, mut bytes) = ([0u8; 128], [0u8; 4096]);
    let mut tags = [0u8; 128];
    let count = rules_by_hand(&a, &mut tags);
    let leaves = [0.5f32; 23];
    vec![
        case("rules: tags by hand", None, move || {
            black_box(rules_by_hand(black_box(&a), black_box(&mut out)));
        }),
        case("rules: structure", Some(("rules: tags by hand", 12.58)), move || {
            black_box(structure_into(black_box(&b), black_box(&mut bytes)).is_ok());
        }),
        case("rules: match", Some(("rules: tags by hand", 13.63)), move || {
            black_box(matches(black_box(&c), black_box(def)).is_ok());
        }),
        case("rules: unflatten by hand", None, move || {
            black_box(rules_from_hand(black_box(&tags[..count]), black_box(&leaves)));
        }),
        case("rules: unflatten", Some(("rules: unflatten by hand", 3.57)), move || {
            let rules: Option<Vec<Rule>> =
                unflatten(black_box(def), black_box(leaves.as_slice())).ok();
            black_box(rules);
        }),
    ]
}

/// The parameters of a model by the names of the layer, the block and the array.
type Params = BTreeMap<String, BTreeMap<String, BTreeMap<String, f32>>>;

/// Twelve layers of which no two neighbours are alike: 120 leaves. A newer model has a gate in one of its layers, and a
/// head: 122 leaves.
fn params(is_newer: bool) -> Params {
    let arrays = |count: usize, layer: usize| {
        let names = (0..count)
            .map(|i| format!("{}.{}", ["weight", "bias", "scale"][i % 3], (i + layer) % 5));
        names.map(|name| (name, 0.5)).collect::<BTreeMap<_, _>>()
    };
    let layer = |i: usize| {
        let blocks = [("attention", 4), ("mlp", 3 + i % 3), ("norm", 2)];
        let mut blocks: BTreeMap<_, _> =
            blocks.into_iter().map(|(name, count)| (name.to_owned(), arrays(count, i))).collect();
        if is_newer && i == 7 {
            blocks.entry("mlp".to_owned()).or_default().insert("gate".to_owned(), 1.0);
        }
        blocks
    };
    let mut params: Params = (0..12).map(|i| (format!("layer.{i:02}"), layer(i))).collect();
    if is_newer {
        params.insert("output".to_owned(), [("head".to_owned(), arrays(1, 0))].into());
    }
    params
}

/// Every new value that the old maps have.
fn params_moved_by_hand(old: &Params, new: &mut Params) {
    for (layer, blocks) in new {
        let Some(layer) = old.get(layer) else { continue };
        for (block, arrays) in blocks {
            let Some(block) = layer.get(block) else { continue };
            for (name, value) in arrays {
                if let Some(stored) = block.get(name) {
                    *value = *stored;
                }
            }
        }
    }
}

fn params_moved(
    old: TreeDef<'_>,
    stored: &[f32],
    new: TreeDef<'_>,
    leaves: &mut [f32],
) -> Result<usize, Error> {
    let report = |place: Migration<'_>| _ = black_box(place);
    migrate(View::new(old, stored)?, new, leaves, &[], report)
}

fn migrations() -> Vec<Case> {
    let (old, mut new) = (params(false), params(true));
    let leaves = |params: &Params| {
        let mut leaves = vec![0.0f32; 200];
        let bytes = vec![0u8; 4096].leak();
        let (def, count) = flatten_into(params, bytes, &mut leaves).unwrap_or((TreeDef::LEAF, 0));
        leaves.truncate(count);
        (def, leaves)
    };
    let ((old_def, stored), (new_def, mut defaults)) = (leaves(&old), leaves(&new));
    let moved = params_moved(old_def, &stored, new_def, &mut defaults.clone());
    assert_eq!((moved, defaults.len()), (Ok(120), 122));
    vec![
        case("migrate: maps by hand", None, move || {
            params_moved_by_hand(black_box(&old), black_box(&mut new));
        }),
        case("migrate: maps", Some(("migrate: maps by hand", 1.0)), move || {
            let leaves = black_box(&mut defaults);
            black_box(params_moved(old_def, &stored, new_def, leaves).is_ok());
        }),
    ]
}

/// Sixty names in order.
fn names() -> Vec<String> {
    let mut names: Vec<_> = (0..60).map(|i| format!("layer_{i}/kernel")).collect();
    names.sort();
    names
}

fn map_of_names() -> BTreeMap<String, f32> {
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

fn maps() -> Vec<Case> {
    let def = structure_into(&map_of_names(), vec![0; 2048].leak()).unwrap_or(TreeDef::LEAF);
    let [a, b, c, d] = std::array::from_fn(|_| map_of_names());
    let (mut out, mut bytes) = (vec![0u8; 2048], vec![0u8; 2048]);
    let mut keys = vec![0u8; 2048];
    let count = keys_by_hand(&a, &mut keys);
    keys.truncate(count);
    let (keys2, leaves) = (keys.clone(), [0.5f32; 60]);
    vec![
        case("map of 60: keys by hand", None, move || {
            black_box(keys_by_hand(black_box(&a), black_box(&mut out)));
        }),
        case("map of 60: structure", Some(("map of 60: keys by hand", 1.32)), move || {
            black_box(structure_into(black_box(&b), black_box(&mut bytes)).is_ok());
        }),
        case("map of 60: match by hand", None, move || {
            black_box(keys_match_by_hand(black_box(&c), black_box(&keys)));
        }),
        case("map of 60: match", Some(("map of 60: match by hand", 1.05)), move || {
            black_box(matches(black_box(&d), black_box(def)).is_ok());
        }),
        case("map of 60: unflatten by hand", None, move || {
            black_box(map_from_hand(black_box(&keys2), black_box(&leaves)));
        }),
        case("map of 60: unflatten", Some(("map of 60: unflatten by hand", 1.1)), move || {
            let map: Option<BTreeMap<String, f32>> =
                unflatten(black_box(def), black_box(leaves.as_slice())).ok();
            black_box(map);
        }),
    ]
}

/// Checks the bytes of dictionaries, lists and leaves, as one would with recursion: the keys are text and in order. It
/// returns the number of leaves, and does not check that equal neighbours are written once.
fn checked_by_hand(bytes: &mut &[u8]) -> Option<u32> {
    fn number(bytes: &mut &[u8]) -> Option<u32> {
        let (mut value, mut shift) = (0u32, 0);
        loop {
            let byte = *bytes.split_off_first()?;
            let digit = u32::from(byte & 127) + u32::from(shift > 0);
            value = value.checked_add(digit.checked_shl(shift)?)?;
            shift += 7;
            if byte < 128 {
                return Some(value);
            }
        }
    }
    fn items(bytes: &mut &[u8], mut left: u32) -> Option<u32> {
        let (mut leaves, mut last) = (0u32, 0);
        while left > 0 {
            let first = *bytes.split_off_first()?;
            let mut count = u32::from(first & 31);
            if count == 31 {
                count = number(bytes)?.checked_add(31)?;
            }
            let taken = match first >> 5 {
                0 => {
                    last = 1;
                    leaves = leaves.checked_add(count + 1)?;
                    count + 1
                }
                5 => {
                    number(bytes)?;
                    leaves = leaves.checked_add((count + 1).checked_mul(last)?)?;
                    count + 1
                }
                2 => {
                    last = items(bytes, count)?;
                    leaves = leaves.checked_add(last)?;
                    1
                }
                3 => {
                    let len = number(bytes)?;
                    let mut block = bytes.split_off(..len as usize)?;
                    let mut before = None;
                    for _ in 0..count {
                        let len = number(&mut block)?;
                        let key = str::from_utf8(block.split_off(..len as usize)?).ok()?;
                        if before.is_some_and(|before| before >= key) {
                            return None;
                        }
                        before = Some(key);
                    }
                    last = items(bytes, count)?;
                    leaves = leaves.checked_add(last)?;
                    1
                }
                _ => return None,
            };
            left = left.checked_sub(taken)?;
        }
        Some(leaves)
    }
    items(bytes, 1)
}

/// The cases of bytes from outside: the check by hand, and [`TreeDef::from_bytes`] with the ratio that it may reach.
fn check_cases([by_hand, name]: [&'static str; 2], most: f64, value: Value) -> [Case; 2] {
    let mut leaves = vec![0f32; 2000];
    let flat = Flatten::new().flatten_into(Handle(&value), vec![0; 8192].leak(), &mut leaves);
    let def = flat.map_or(TreeDef::LEAF, |(def, _)| def);
    assert_eq!(checked_by_hand(&mut def.as_bytes()), u32::try_from(def.num_leaves()).ok());
    [
        case(by_hand, None, move || {
            black_box(checked_by_hand(&mut black_box(def.as_bytes())));
        }),
        case(name, Some((by_hand, most)), move || {
            black_box(TreeDef::from_bytes(black_box(def.as_bytes())).is_ok());
        }),
    ]
}

/// A train state of GPT-2 small: parameters, and an optimiser with two moments.
fn train_state() -> Value {
    let adam = dict([("count", Value::Number(0.0)), ("mu", gpt2_values()), ("nu", gpt2_values())]);
    dict([
        ("opt_state", Value::List(vec![adam])),
        ("params", gpt2_values()),
        ("step", Value::Number(0.0)),
    ])
}

/// 64 dictionaries, each in the one before.
fn deep() -> Value {
    (0..64).fold(Value::Number(0.5), |inner, level| {
        dict([(format!("level {level}"), inner), ("other".into(), Value::Number(0.5))])
    })
}

fn checks() -> Vec<Case> {
    let flat = dict(names().into_iter().map(|name| (name, Value::Number(0.5))));
    let cases = [
        check_cases(["check gpt2: by hand", "check gpt2"], 0.85, gpt2_values()),
        check_cases(["check state: by hand", "check state"], 0.87, train_state()),
        check_cases(["check depth 64: by hand", "check depth 64"], 0.88, deep()),
        check_cases(["check dict of 60: by hand", "check dict of 60"], 0.34, flat),
        check_cases(["check unlike: by hand", "check unlike"], 0.6, unlike_values()),
    ];
    cases.into_iter().flatten().collect()
}

/// An array of a program's own: its shape and the type of its elements.
struct Array {
    dtype: Dtype,
    shape: Vec<usize>,
}

/// The arrays of GPT-2 small in the order of its leaves.
fn arrays() -> Vec<Array> {
    let shapes: [&[usize]; 12] = [
        &[2304],
        &[768, 2304],
        &[768],
        &[768, 768],
        &[768],
        &[768],
        &[768],
        &[768],
        &[3072],
        &[768, 3072],
        &[768],
        &[3072, 768],
    ];
    let rest: [&[usize]; 4] = [&[768], &[768], &[1024, 768], &[50_257, 768]];
    let array = |shape: &[usize]| Array { dtype: Dtype::Float32, shape: shape.to_vec() };
    (0..12).flat_map(|_| shapes).chain(rest).map(array).collect()
}

/// Writes the bytes of a key: the treedef, then type, rank and sizes of each array.
fn key_by_hand(def: TreeDef<'_>, arrays: &[Array], out: &mut [u8]) -> Option<usize> {
    let def = def.as_bytes();
    out.get_mut(..def.len())?.copy_from_slice(def);
    let mut at = def.len();
    let mut put = |byte: u8| {
        *out.get_mut(at)? = byte;
        at += 1;
        Some(())
    };
    for array in arrays {
        put(0xE2)?;
        put(array.dtype as u8)?;
        put(u8::try_from(array.shape.len()).ok()?)?;
        for size in &array.shape {
            let mut size = *size;
            while size >= 128 {
                put(size as u8 | 128)?;
                size = (size >> 7) - 1;
            }
            put(size as u8)?;
        }
    }
    Some(at)
}

fn keys() -> Vec<Case> {
    let mut leaves = [0f32; 148];
    let gpt2 = gpt2_values();
    let flat = Flatten::new().flatten_into(Handle(&gpt2), vec![0; 512].leak(), &mut leaves);
    let def = flat.map_or(TreeDef::LEAF, |(def, _)| def);
    let [a, b] = std::array::from_fn(|_| arrays());
    let (mut out, mut out2) = (vec![0u8; 2048], vec![0u8; 2048]);
    let write = |arrays: &[Array], key: &mut KeyWriter<'_>| {
        for array in arrays {
            key.array(array.dtype, false, &array.shape);
        }
    };
    vec![
        case("key of arrays: by hand", None, move || {
            black_box(key_by_hand(black_box(def), black_box(&a), &mut out));
        }),
        case("key of arrays", Some(("key of arrays: by hand", 1.23)), move || {
            let mut key = KeyWriter::new(&mut out2);
            write(black_box(&b), key.treedef(black_box(def)));
            black_box(key.finish().is_ok());
        }),
    ]
}

/// Copies a tree of nodes, with its children in `slab`.
fn copied_by_hand<'a>(
    node: &Node<'a, f32>,
    free: &mut &'a mut [Node<'a, f32>],
) -> Option<Node<'a, f32>> {
    let mut list = |children: &[Node<'a, f32>]| {
        let slots = free.split_off_mut(..children.len())?;
        for (slot, child) in slots.iter_mut().zip(children) {
            *slot = match child {
                Node::Leaf(leaf) => Node::Leaf(*leaf),
                node => copied_by_hand(node, free)?,
            };
        }
        Some(&*slots)
    };
    Some(match node {
        Node::Leaf(leaf) => Node::Leaf(*leaf),
        Node::None => Node::None,
        Node::Some(child) => Node::Some(list(core::slice::from_ref(child))?.first()?),
        Node::Tuple(children) => Node::Tuple(list(children)?),
        Node::List(children) => Node::List(list(children)?),
        Node::Keyed(keyed) => Node::Keyed(Keyed { __children: list(keyed.__children)?, ..*keyed }),
    })
}

fn copies() -> Vec<Case> {
    let gpt2 = super::gpt2();
    let flat = Flatten::new().flatten_into(&gpt2, vec![0; 512].leak(), &mut [0f32; 148]);
    let def = flat.map_or(TreeDef::LEAF, |(def, _)| def);
    vec![
        case("nodes: copied by hand", None, move || {
            let mut slab = [Node::None; 258];
            black_box(copied_by_hand(black_box(&gpt2), &mut slab.as_mut_slice()));
        }),
        case("nodes: unflatten", Some(("nodes: copied by hand", 1.45)), move || {
            let mut slab = [Node::None; 258];
            black_box(unflatten_into(black_box(def), black_box(&[0.5f32; 148]), &mut slab).is_ok());
        }),
    ]
}

/// The groups of cases. A case is built with its group alone.
pub(crate) const GROUPS: [fn() -> Vec<Case>; 12] = [
    vectors,
    enums,
    maps,
    objects::cases,
    models::cases,
    networks::cases,
    checks,
    keys,
    copies,
    migrations,
    plain::cases,
    plain::paths,
];
