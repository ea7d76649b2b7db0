//! Well-known structures take no more bytes than the format promises.

use treedef::head::DictKind;
use treedef::{TreeDef, Writer, head};

/// Describes a subtree.
type Part = fn(&mut Writer<'_>);

/// A dict with sorted string keys.
fn dict(out: &mut Writer<'_>, children: &[(&str, Part)]) {
    let keys = children.iter().map(|(key, _)| *key);
    let frame = out.begin(&head::Dict::new(DictKind::Sorted, keys));
    children.iter().for_each(|(_, child)| child(out));
    out.end(frame);
}

fn leaf(out: &mut Writer<'_>) {
    out.leaves(1);
}

/// Weights of a linear layer.
fn linear(out: &mut Writer<'_>) {
    dict(out, &[("b", leaf), ("w", leaf)])
}

/// Parameters of a layer norm.
fn norm(out: &mut Writer<'_>) {
    dict(out, &[("b", leaf), ("g", leaf)])
}

/// A transformer block.
fn block(out: &mut Writer<'_>) {
    let attention: Part = |out| dict(out, &[("c_attn", linear), ("c_proj", linear)]);
    let mlp: Part = |out| dict(out, &[("c_fc", linear), ("c_proj", linear)]);
    dict(out, &[("attn", attention), ("ln_1", norm), ("ln_2", norm), ("mlp", mlp)])
}

/// Blocks in a dict whose keys are their numbers as text.
fn numbered_blocks(out: &mut Writer<'_>) {
    let names = ["0", "1", "10", "11", "2", "3", "4", "5", "6", "7", "8", "9"];
    dict(out, &names.map(|name| (name, block as Part)))
}

/// A list of 48 blocks.
fn listed_blocks(out: &mut Writer<'_>) {
    let frame = out.begin(&head::List(48));
    (0..48).for_each(|_| block(out));
    out.end(frame);
}

fn gpt2(out: &mut Writer<'_>, blocks: Part) {
    dict(out, &[("h", blocks), ("ln_f", norm), ("wpe", leaf), ("wte", leaf)])
}

/// A step counter, the parameters, and the state of Adam with two more copies of them.
fn train_state(out: &mut Writer<'_>) {
    let state = out.begin(&head::Tuple(3));
    leaf(out);
    gpt2(out, listed_blocks);
    let fields = &["count", "mu", "nu"];
    let adam = out.begin(&head::Struct { name: "AdamState", fields, meta: &[] });
    leaf(out);
    gpt2(out, listed_blocks);
    gpt2(out, listed_blocks);
    out.end(adam);
    out.end(state);
}

/// A list of so many equal elements.
fn list(out: &mut Writer<'_>, count: usize, element: Part) {
    let frame = out.begin(&head::List(count));
    (0..count).for_each(|_| element(out));
    out.end(frame);
}

/// Bytes, leaves and nodes of a structure.
fn sizes(describe: impl Fn(&mut Writer<'_>)) -> (usize, usize, usize) {
    let mut bytes = [0; 1024];
    let mut out = Writer::new(&mut bytes);
    describe(&mut out);
    let def = out.finish().unwrap();
    assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
    (def.as_bytes().len(), def.num_leaves(), def.num_nodes())
}

#[test]
fn the_parameters_of_gpt2_small_take_133_bytes() {
    assert_eq!(sizes(|out| gpt2(out, numbered_blocks)), (133, 148, 259));
}

#[test]
fn a_train_state_of_48_layers_takes_246_bytes() {
    assert_eq!(sizes(train_state), (246, 1742, 3049));
}

#[test]
fn ten_thousand_leaves_take_6_bytes() {
    assert_eq!(sizes(|out| list(out, 10_000, leaf)), (6, 10_000, 10_001));
}

#[test]
fn a_list_of_256_points_takes_16_bytes() {
    let point: Part = |out| dict(out, &[("x", leaf), ("y", leaf), ("z", leaf)]);
    assert_eq!(sizes(|out| list(out, 256, point)), (16, 768, 1025));
}
