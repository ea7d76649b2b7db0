//! A million distinct treedefs: every neighbour of the model structures, every small structure, and random ones.

use super::statistics::Random;
use super::support::corpus::{Tree, member};
use super::support::decode::decode;
use super::support::def::{ChildKey, Def, Keys, put_counted};
use super::support::harness::{Outcome, run_family};
use super::support::library::state;
use super::support::value::{Value, sort_keys};
use super::support::wire::put_varint;
use std::collections::HashSet;
use std::slice::from_ref;
use std::sync::LazyLock;

/// The name of a child, and the child.
type Entry = (Value, Encoded);

/// Bytes and leaves of a structure, to be put under a head.
#[derive(Clone)]
struct Encoded {
    bytes: Vec<u8>,
    leaves: u64,
}

/// The model structures of the corpus.
pub(crate) fn models() -> Vec<Def> {
    let mut models = Vec::new();
    run_family("models", |line| {
        let tree = member(line, "tree").and_then(Tree::read).unwrap();
        models.push(decode(&state(&tree, false).unwrap().bytes).unwrap());
        Outcome::Passed
    });
    models
}

/// All structures that differ from one in an edit of one node.
pub(crate) fn neighbours(def: &Def) -> Vec<Vec<u8>> {
    variants(def).1.into_iter().map(|variant| variant.bytes).collect()
}

/// The bytes of a structure, put together as those of its neighbours are.
pub(crate) fn assembled(def: &Def) -> Vec<u8> {
    encoded(def).bytes
}

/// All structures of up to `nodes` nodes over leaf, `None`, tuple and list.
pub(crate) fn small(nodes: usize) -> Vec<Vec<u8>> {
    let tuple = |children: &[Encoded]| assemble(&Def::Tuple(plain(children.len())), children);
    let list = |children: &[Encoded]| assemble(&Def::List(plain(children.len())), children);
    // Trees, and lists of trees, by their nodes.
    let mut trees: Vec<Vec<Encoded>> = vec![Vec::new()];
    let mut forests: Vec<Vec<Vec<Encoded>>> = vec![vec![Vec::new()]];
    for n in 1..=nodes {
        let atoms = [Def::Leaf, Def::None].map(|def| assemble(&def, &[]));
        let mut new = if n == 1 { atoms.to_vec() } else { Vec::new() };
        for forest in &forests[n - 1] {
            new.extend([tuple(forest), list(forest)]);
        }
        trees.push(new);
        let mut longer = Vec::new();
        for first in 1..=n {
            for tree in &trees[first] {
                let with_tree = |rest: &Vec<_>| [from_ref(tree), &rest[..]].concat();
                longer.extend(forests[n - first].iter().map(with_tree));
            }
        }
        forests.push(longer);
    }
    trees.into_iter().flatten().map(|tree| tree.bytes).collect()
}

/// Random structures without end: random heads over what was generated before.
pub(crate) fn generated() -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random(11);
    let mut shapes: [Vec<Def>; 5] = Default::default();
    for (n, shapes) in shapes.iter_mut().enumerate().skip(1) {
        for _ in 0..500 {
            let keys = (0..n).map(|_| (Value::Str(name(&mut random)), leaf())).collect();
            let kind = &KINDS[random.below(2 * KINDS.len()).saturating_sub(KINDS.len())];
            shapes.extend(rebuild(kind, keys).map(|(shape, _)| shape));
        }
    }
    let mut parts = vec![leaf(); 500];
    std::iter::repeat_with(move || {
        let shapes = &shapes[1 + random.below(4)];
        let shape = &shapes[random.below(shapes.len())];
        let children: Vec<_> =
            shape.children().iter().map(|_| parts[random.below(parts.len())].clone()).collect();
        let new = assemble(shape, &children);
        let place = random.below(parts.len());
        // Old parts give way to new ones, and large ones to leaves.
        parts[place] = if new.bytes.len() < 150 { new.clone() } else { leaf() };
        new.bytes
    })
}

/// A name as models have them.
fn name(random: &mut Random) -> String {
    const NAMES: [&str; 12] =
        ["kernel", "bias", "scale", "mu", "nu", "w", "b", "attn", "mlp", "layers_", "ln_", "block"];
    let stem = NAMES[random.below(NAMES.len())];
    if random.below(2) == 0 { stem.into() } else { format!("{stem}{}", random.below(50)) }
}

/// A leaf.
fn leaf() -> Encoded {
    assemble(&Def::Leaf, &[])
}

/// Children that only count.
fn plain(n: usize) -> Vec<Def> {
    vec![Def::Leaf; n]
}

/// A node of children whose bytes are known, with the head of `shape`.
fn assemble(shape: &Def, children: &[Encoded]) -> Encoded {
    let mut bytes = Vec::new();
    shape.put_head(&mut bytes);
    let leaves = children.iter().map(|child| child.leaves).sum::<u64>();
    for equal in children.chunk_by(|a, b| a.bytes == b.bytes) {
        let (one, n) = (&equal[0], equal.len() as u64);
        if one.bytes == [0] {
            put_counted(&mut bytes, 0, n - 1);
        } else if one.leaves == 0 {
            equal.iter().for_each(|child| bytes.extend(&child.bytes));
        } else {
            bytes.extend(&one.bytes);
            if n > 1 {
                put_counted(&mut bytes, 5, n - 2);
                put_varint(&mut bytes, one.leaves);
            }
        }
    }
    Encoded { bytes, leaves: leaves + u64::from(*shape == Def::Leaf) }
}

/// A structure whose nodes are assembled one by one.
fn encoded(def: &Def) -> Encoded {
    assemble(def, &def.children().iter().map(encoded).collect::<Vec<_>>())
}

/// The structure itself, and all that differ from it in an edit of one node.
fn variants(def: &Def) -> (Encoded, Vec<Encoded>) {
    let (mut children, of_children): (Vec<Encoded>, Vec<_>) =
        def.children().iter().map(variants).unzip();
    // Head and block need no more of the children than how many they are.
    let shape = def.clone().with_children(plain(children.len()));
    let own = assemble(&shape, &children);
    let mut all = edits(&shape, &own, &children);
    for (i, variants) in of_children.into_iter().enumerate() {
        for variant in variants {
            let before = std::mem::replace(&mut children[i], variant);
            all.push(assemble(&shape, &children));
            children[i] = before;
        }
    }
    (own, all)
}

/// Every edit of the root: leaf to `None` and back, other kinds, other keys and names, one child more or less, two
/// children in each other's place, one level more or less.
fn edits(shape: &Def, own: &Encoded, children: &[Encoded]) -> Vec<Encoded> {
    let tuple = |children: &[Encoded]| assemble(&Def::Tuple(plain(children.len())), children);
    let list = |children: &[Encoded]| assemble(&Def::List(plain(children.len())), children);
    let some = Def::Some(Box::new(Def::Leaf));
    let mut edits = vec![
        leaf(),
        assemble(&Def::None, &[]),
        tuple(&[]),
        list(&[]),
        tuple(from_ref(own)),
        list(from_ref(own)),
        tuple(&[own.clone(), own.clone()]),
        tuple(&[own.clone(), leaf()]),
        assemble(&some, from_ref(own)),
    ];
    edits.extend_from_slice(children);
    let entries = entries(shape, children);
    let rebuilt = |kind: &Def, entries: &[Entry]| {
        rebuild(kind, entries.to_vec()).map(|(shape, children)| assemble(&shape, &children))
    };
    edits.extend(KINDS.iter().filter_map(|kind| rebuilt(kind, &entries)));
    edits.extend(renamed(shape).iter().map(|shape| assemble(shape, children)));
    let mut edited = |edit: &dyn Fn(&mut Vec<Entry>)| {
        let mut entries = entries.clone();
        edit(&mut entries);
        edits.extend(rebuilt(shape, &entries));
    };
    for i in 0..children.len() {
        edited(&|entries| drop(entries.remove(i)));
        for key in other_keys(&entries[i].0) {
            edited(&|entries| entries[i].0 = key.clone());
        }
        for j in 0..i {
            edited(&|entries| {
                let (before, after) = entries.split_at_mut(i);
                std::mem::swap(&mut before[j].1, &mut after[0].1);
            });
        }
    }
    for i in 0..=children.len() {
        for new in [leaf(), assemble(&Def::None, &[])] {
            edited(&|entries| entries.insert(i, (Value::Str(format!("new{i}")), new.clone())));
        }
    }
    edits.retain(|edit| edit.bytes != own.bytes);
    edits
}

/// A node of each kind that has children, dicts first.
static KINDS: LazyLock<Vec<Def>> = LazyLock::new(|| {
    let (keys, children) = (Keys::Str(Vec::new()), Vec::new());
    let (name, fields, meta) = (String::from("Named"), Vec::new(), Vec::new());
    vec![
        Def::Dict { keys: keys.clone(), children: children.clone() },
        Def::Tuple(children.clone()),
        Def::List(children.clone()),
        Def::OrderedDict { keys: keys.clone(), children: children.clone() },
        Def::DefaultDict { factory: "None".into(), keys, children: children.clone() },
        Def::NamedTuple { name: name.clone(), fields: Vec::new(), children: children.clone() },
        Def::Struct { name: name.clone(), fields, meta, children: children.clone() },
        Def::Custom { name, aux: Value::None, child_keys: None, children },
    ]
});

/// What the children of a shape are called, by position where they have no name, and the children.
fn entries(def: &Def, children: &[Encoded]) -> Vec<Entry> {
    let strings = |names: &[String]| names.iter().cloned().map(Value::Str).collect();
    let names: Vec<Value> = match def {
        Def::Dict { keys, .. } | Def::OrderedDict { keys, .. } | Def::DefaultDict { keys, .. } => {
            keys.values()
        }
        Def::NamedTuple { fields, .. } | Def::Struct { fields, .. } => strings(fields),
        Def::Custom { child_keys: Some(keys), .. } => keys.iter().map(child_name).collect(),
        _ => (0..children.len()).map(|i| Value::Str(i.to_string())).collect(),
    };
    names.into_iter().zip(children.iter().cloned()).collect()
}

/// The name in a child key.
fn child_name(key: &ChildKey) -> Value {
    match key {
        ChildKey::Attr(name) | ChildKey::Raw(name) => Value::Str(name.clone()),
        ChildKey::Dict(key) => key.clone(),
        ChildKey::Seq(i) => Value::Int((*i).into()),
    }
}

/// The shape of a node of the kind, name and meta fields of another, and its children in order; nothing if it cannot
/// have these keys.
fn rebuild(like: &Def, mut entries: Vec<Entry>) -> Option<(Def, Vec<Encoded>)> {
    if matches!(like, Def::Dict { .. } | Def::DefaultDict { .. }) {
        entries = sort_keys(entries).ok()?;
    }
    let (keys, children): (Vec<Value>, Vec<Encoded>) = entries.into_iter().unzip();
    let distinct = || keys.iter().collect::<HashSet<_>>().len() == keys.len();
    let text = |key: &Value| if let Value::Str(name) = key { Some(name.clone()) } else { None };
    let names = || keys.iter().map(text).collect::<Option<Vec<_>>>().filter(|_| distinct());
    let mut shape = like.clone().with_children(plain(children.len()));
    match &mut shape {
        Def::Dict { keys: old, .. }
        | Def::OrderedDict { keys: old, .. }
        | Def::DefaultDict { keys: old, .. } => {
            *old = Keys::new(Some(keys.clone()).filter(|_| distinct())?);
        }
        Def::NamedTuple { fields, .. } | Def::Struct { fields, .. } => *fields = names()?,
        Def::Custom { child_keys, .. } => {
            let new = keys.iter().cloned().map(ChildKey::Dict).collect();
            *child_keys = child_keys.take().and(Some(new)).filter(|_| !keys.is_empty());
        }
        Def::Leaf | Def::None => return None,
        Def::Some(_) if children.len() != 1 => return None,
        _ => {}
    }
    Some((shape, children))
}

/// Other keys than this one, near to it.
fn other_keys(key: &Value) -> Vec<Value> {
    match key {
        Value::Str(name) => other_names(name).into_iter().map(Value::Str).collect(),
        Value::Int(i) => vec![Value::Int(i.wrapping_add(1)), Value::Int(!i)],
        _ => vec![Value::Int(0), Value::Str("key".into())],
    }
}

/// Other names than this one: a letter more, less or changed.
fn other_names(name: &str) -> Vec<String> {
    let mut names = vec![format!("{name}_"), format!("_{name}"), format!("{name}{name}")];
    for (at, letter) in name.char_indices() {
        let (before, after) = (&name[..at], &name[at + letter.len_utf8()..]);
        names.push(format!("{before}{after}"));
        names.push(format!("{before}~{after}"));
    }
    names
}

/// The node with other names and meta fields of its own.
fn renamed(def: &Def) -> Vec<Def> {
    let changed = |name: &String, set: &dyn Fn(&mut Def, String)| -> Vec<Def> {
        let with = |name| {
            let mut def = def.clone();
            set(&mut def, name);
            def
        };
        other_names(name).into_iter().map(with).collect()
    };
    match def {
        Def::NamedTuple { name, .. } | Def::Struct { name, .. } | Def::Custom { name, .. } => {
            let mut all = changed(name, &|def, new| match def {
                Def::NamedTuple { name, .. }
                | Def::Struct { name, .. }
                | Def::Custom { name, .. } => *name = new,
                _ => {}
            });
            let mut data = def.clone();
            match &mut data {
                Def::Struct { meta, .. } => meta.push(("static".into(), Value::Bool(true))),
                Def::Custom { aux, .. } => *aux = Value::Tuple(vec![aux.clone()]),
                _ => return all,
            }
            all.push(data);
            all
        }
        Def::DefaultDict { factory, .. } => changed(factory, &|def, new| {
            if let Def::DefaultDict { factory, .. } = def {
                *factory = new;
            }
        }),
        _ => Vec::new(),
    }
}

/// At least `wanted` distinct treedefs, and how many of them are neighbours of models.
pub(crate) fn distinct(wanted: usize) -> (Vec<Vec<u8>>, usize) {
    let mut seen: HashSet<Vec<u8>> = models().iter().flat_map(neighbours).collect();
    let near = seen.len();
    seen.extend(small(7));
    let mut generated = generated();
    while seen.len() < wanted {
        seen.extend(generated.next());
    }
    (seen.into_iter().collect(), near)
}
