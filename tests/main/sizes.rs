//! Well-known structures take no more bytes than the format promises.

use treedef::head::DictKind;
use treedef::{Builder, Error, TreeDef, head};

/// Describes a subtree to a builder.
type Part = fn(&mut Builder<'_>) -> Result<(), Error>;

/// A dict with sorted string keys.
fn dict(b: &mut Builder<'_>, children: &[(&str, Part)]) -> Result<(), Error> {
    let keys = children.iter().map(|(key, _)| *key);
    let frame = b.begin(&head::Dict::new(DictKind::Sorted, keys))?;
    children.iter().try_for_each(|(_, child)| child(b))?;
    b.end(frame)
}

fn leaf(b: &mut Builder<'_>) -> Result<(), Error> {
    b.leaves(1)
}

/// Weights of a linear layer.
fn linear(b: &mut Builder<'_>) -> Result<(), Error> {
    dict(b, &[("b", leaf), ("w", leaf)])
}

/// Parameters of a layer norm.
fn norm(b: &mut Builder<'_>) -> Result<(), Error> {
    dict(b, &[("b", leaf), ("g", leaf)])
}

/// A transformer block.
fn block(b: &mut Builder<'_>) -> Result<(), Error> {
    let attention: Part = |b| dict(b, &[("c_attn", linear), ("c_proj", linear)]);
    let mlp: Part = |b| dict(b, &[("c_fc", linear), ("c_proj", linear)]);
    dict(b, &[("attn", attention), ("ln_1", norm), ("ln_2", norm), ("mlp", mlp)])
}

/// Blocks in a dict whose keys are their numbers as text.
fn numbered_blocks(b: &mut Builder<'_>) -> Result<(), Error> {
    let names = ["0", "1", "10", "11", "2", "3", "4", "5", "6", "7", "8", "9"];
    dict(b, &names.map(|name| (name, block as Part)))
}

/// A list of 48 blocks.
fn listed_blocks(b: &mut Builder<'_>) -> Result<(), Error> {
    let frame = b.begin(&head::List(48))?;
    (0..48).try_for_each(|_| block(b))?;
    b.end(frame)
}

fn gpt2(b: &mut Builder<'_>, blocks: Part) -> Result<(), Error> {
    dict(b, &[("h", blocks), ("ln_f", norm), ("wpe", leaf), ("wte", leaf)])
}

/// A step counter, the parameters, and the state of Adam with two more copies of them.
fn train_state(b: &mut Builder<'_>) -> Result<(), Error> {
    let state = b.begin(&head::Tuple(3))?;
    leaf(b)?;
    gpt2(b, listed_blocks)?;
    let fields = &["count", "mu", "nu"];
    let adam = b.begin(&head::Struct { name: "AdamState", fields, meta: &[] })?;
    leaf(b)?;
    gpt2(b, listed_blocks)?;
    gpt2(b, listed_blocks)?;
    b.end(adam)?;
    b.end(state)
}

/// A list of so many equal elements.
fn list(b: &mut Builder<'_>, count: usize, element: Part) -> Result<(), Error> {
    let frame = b.begin(&head::List(count))?;
    (0..count).try_for_each(|_| element(b))?;
    b.end(frame)
}

/// Bytes, leaves and nodes of a structure.
fn sizes(describe: impl Fn(&mut Builder<'_>) -> Result<(), Error>) -> (usize, usize, usize) {
    let mut bytes = [0; 1024];
    let mut builder = Builder::new(&mut bytes);
    describe(&mut builder).unwrap();
    let def = builder.finish().unwrap();
    assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
    (def.as_bytes().len(), def.num_leaves(), def.num_nodes())
}

#[test]
fn a_list_of_three_pairs_takes_5_bytes() {
    let pair: Part = |b| {
        let pair = b.begin(&head::Tuple(2))?;
        b.leaves(2)?;
        b.end(pair)
    };
    assert_eq!(sizes(|b| list(b, 3, pair)), (5, 6, 10));
}

#[test]
fn the_parameters_of_gpt2_small_take_133_bytes() {
    assert_eq!(sizes(|b| gpt2(b, numbered_blocks)), (133, 148, 259));
}

#[test]
fn a_train_state_of_48_layers_takes_246_bytes() {
    assert_eq!(sizes(train_state), (246, 1742, 3049));
}

#[test]
fn ten_thousand_leaves_take_6_bytes() {
    assert_eq!(sizes(|b| list(b, 10_000, leaf)), (6, 10_000, 10_001));
}

#[test]
fn a_list_of_256_points_takes_16_bytes() {
    let point: Part = |b| dict(b, &[("x", leaf), ("y", leaf), ("z", leaf)]);
    assert_eq!(sizes(|b| list(b, 256, point)), (16, 768, 1025));
}
