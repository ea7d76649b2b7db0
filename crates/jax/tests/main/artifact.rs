//! Provides artifacts: three that JAX wrote, and artifacts that a test writes table by table.

use treedef::TreeDefBox;
use treedef_jax::{ExportError, Exported};

use crate::flat::Flat;

pub(crate) const ARTIFACTS: [&[u8]; 3] = [
    include_bytes!("../../../../tests/conformance/jax_export/adam_init.bin"),
    include_bytes!("../../../../tests/conformance/jax_export/pid_step.bin"),
    include_bytes!("../../../../tests/conformance/jax_export/sgd_step.bin"),
];

/// A node that a test writes.
#[derive(Clone, Default)]
pub(crate) struct Node {
    pub(crate) kind: u8,
    pub(crate) children: Vec<Node>,
    pub(crate) names: Option<Vec<String>>,
    pub(crate) custom: Option<(String, Vec<u8>)>,
}

pub(crate) const LEAF: u8 = 0;
pub(crate) const NONE: u8 = 1;
pub(crate) const TUPLE: u8 = 2;
pub(crate) const LIST: u8 = 3;
pub(crate) const DICT: u8 = 4;
pub(crate) const CUSTOM: u8 = 5;

pub(crate) fn node(kind: u8, children: &[Node]) -> Node {
    Node { kind, children: children.into(), ..Node::default() }
}

pub(crate) fn leaf() -> Node {
    node(LEAF, &[])
}

pub(crate) fn dict(names: &[&str]) -> Node {
    let children = vec![leaf(); names.len()];
    let names = Some(names.iter().map(|name| (*name).into()).collect());
    Node { kind: DICT, children, names, custom: None }
}

pub(crate) fn ordered(aux: &str, children: usize) -> Node {
    let custom = Some(("collections.OrderedDict".into(), aux.into()));
    Node { kind: CUSTOM, children: vec![leaf(); children], names: None, custom }
}

impl Node {
    pub(crate) fn leaves(&self) -> usize {
        match self.kind {
            LEAF => 1,
            _ => self.children.iter().map(Node::leaves).sum(),
        }
    }

    /// Writes the node with all below it, and returns the offset of its table.
    pub(crate) fn write(&self, flat: &mut Flat, from: usize) -> usize {
        let mut fields = vec![(0, 1), (1, 4)];
        fields.extend(self.names.iter().map(|_| (2, 4)));
        fields.extend(self.custom.iter().flat_map(|_| [(3, 4), (4, 4)]));
        let placed = flat.table_at(from, &fields);
        flat.write(placed.fields[0], &[self.kind]);
        if let Some(names) = &self.names {
            for (name, at) in names.iter().zip(flat.vector_at(placed.fields[2], names.len(), 4)) {
                flat.string_at(at, name);
            }
        }
        if let Some((name, aux)) = &self.custom {
            flat.string_at(placed.fields[2], name);
            flat.string_at(placed.fields[3], aux);
        }
        let places = flat.vector_at(placed.fields[1], self.children.len(), 4);
        for (child, at) in self.children.iter().zip(places) {
            child.write(flat, at);
        }
        placed.at
    }
}

/// The fields of the root table that a test fills.
pub(crate) const IN_TREE: usize = 0;
pub(crate) const IN_AVALS: usize = 1;

/// Makes an artifact with the required fields. The test fills [`IN_TREE`], [`IN_AVALS`] and the further `fields`.
pub(crate) fn artifact(fields: &[(usize, usize)]) -> (Flat, Vec<usize>) {
    let all = [&[(2, 4), (3, 4), (0, 2), (1, 4), (4, 4)], fields].concat();
    let (mut flat, root) = Flat::root(&all);
    flat.write(root.fields[2], &[3, 0]);
    flat.string_at(root.fields[3], "f");
    node(NONE, &[]).write(&mut flat, root.fields[4]);
    flat.vector_at(root.fields[1], 0, 4);
    (flat, root.fields)
}

/// Makes an artifact whose inputs are this tree of scalars of type `bool`.
pub(crate) fn with_tree(tree: &Node) -> Vec<u8> {
    let (mut flat, fields) = artifact(&[]);
    tree.write(&mut flat, fields[IN_TREE]);
    for at in flat.vector_at(fields[IN_AVALS], tree.leaves(), 4) {
        flat.table_at(at, &[]);
    }
    flat.0
}

/// The inputs of an artifact.
pub(crate) fn in_tree(artifact: &[u8]) -> Result<TreeDefBox, ExportError> {
    Exported::from_bytes(artifact).map(|exported| exported.in_tree)
}
