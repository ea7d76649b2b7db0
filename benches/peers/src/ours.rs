//! Treedefs as keys of the crate's growing cache.

use std::hint::black_box;

use hashbrown::HashMap;
use treedef::cache::{ByFingerprint, FingerprintState, KeyBox};
use treedef::dynamic::{Flatten, Open};
use treedef::head::{DictKind, head_into, head_len};
use treedef::tree::{Structure, TreeRead};
use treedef::{
    CallKey, Error, Head, Node, Object, TreeDef, flatten_into, head, leaves_into, structure_into,
    treedef_of, unflatten,
};

use crate::value::{self, Value};
use crate::{Call, plain};

/// The bytes of the largest structure, and some.
const ROOM: usize = 4096;

/// A tree of one of the kinds that are compared: how it is flattened.
trait Flattened: 'static {
    fn flatten<'b>(&self, bytes: &'b mut [u8], leaves: &mut [f32]) -> Result<TreeDef<'b>, Error>;
}

/// A value of a type.
struct Typed<T>(T);

impl<T: Structure + TreeRead<f32> + 'static> Flattened for Typed<T> {
    fn flatten<'b>(&self, bytes: &'b mut [u8], leaves: &mut [f32]) -> Result<TreeDef<'b>, Error> {
        flatten_into(&self.0, bytes, leaves).map(|(def, _)| def)
    }
}

/// A value of maps.
#[derive(Clone, Copy)]
struct Maps<'v>(&'v Value);

impl<'v> Object for Maps<'v> {
    type Leaf = f32;

    #[inline]
    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self.0 {
            Value::Leaf(leaf) => open.leaf(*leaf),
            Value::List(children) => open.list(children.iter().map(Maps)),
            Value::Dict(map) => {
                open.dict(map.iter().map(|(key, value)| (key.as_str(), Maps(value))))
            }
        }
    }
}

impl Flattened for Value {
    fn flatten<'b>(&self, bytes: &'b mut [u8], leaves: &mut [f32]) -> Result<TreeDef<'b>, Error> {
        Flatten::new().flatten_into(Maps(self), bytes, leaves).map(|(def, _)| def)
    }
}

impl Flattened for Node<'static, f32> {
    fn flatten<'b>(&self, bytes: &'b mut [u8], leaves: &mut [f32]) -> Result<TreeDef<'b>, Error> {
        Flatten::new().flatten_into(self, bytes, leaves).map(|(def, _)| def)
    }
}

/// Rebuilds a hundred layers from their structure and 600 leaves.
pub(crate) fn rebuild() -> Call {
    let layers = vec![plain::Rank::default(); 100];
    let (mut bytes, leaves) = ([0; 64], vec![0.5f32; 600]);
    let def = structure_into(&layers, &mut bytes).expect("room");
    let def = TreeDef::from_bytes(def.as_bytes().to_vec().leak()).expect("bytes of a treedef");
    Box::new(move || {
        let layers: Result<Vec<plain::Rank>, _> = unflatten(def, black_box(leaves.as_slice()));
        assert_eq!(black_box(layers).map(|layers| layers.len()), Ok(100));
    })
}

/// The structure of a hundred layers with an option.
pub(crate) fn structure_of_options() -> Call {
    let (layers, mut bytes) = (vec![plain::Scaled::default(); 100], [0; 64]);
    Box::new(move || {
        let def = structure_into(black_box(&layers), &mut bytes);
        assert_eq!(black_box(def).map(|def| def.num_leaves()), Ok(600));
    })
}

/// The same value as nodes, whose heads are encoded once. Leaks what the nodes refer to.
fn nodes(value: &Value) -> Node<'static, f32> {
    match value {
        Value::Leaf(leaf) => Node::Leaf(*leaf),
        Value::List(children) => Node::List(children.iter().map(nodes).collect::<Vec<_>>().leak()),
        Value::Dict(map) => {
            let children = map.values().map(nodes).collect::<Vec<_>>().leak();
            Node::keyed(head(map.keys()), children).expect("a child for each key")
        }
    }
}

fn head<'k>(keys: impl Iterator<Item = &'k String> + Clone) -> Head<'static> {
    let heading = head::Dict::new(DictKind::Sorted, keys.map(String::as_str));
    head_into(&heading, vec![0; head_len(&heading)].leak()).expect("sorted keys")
}

/// Room for the bytes and the leaves of the largest workload.
fn buffers() -> (Vec<u8>, Vec<f32>) {
    (vec![0; ROOM], vec![0.0; 1741])
}

/// The structure of a tree, in memory of its size that stays.
fn structure(tree: &impl Flattened) -> TreeDef<'static> {
    let (mut bytes, mut leaves) = buffers();
    let def = tree.flatten(&mut bytes, &mut leaves).expect("room");
    TreeDef::from_bytes(def.as_bytes().to_vec().leak()).expect("bytes of a treedef")
}

/// Flattens each tree and looks its structure up.
fn look_up<T: Flattened>(trees: impl IntoIterator<Item = T>) -> Call {
    let trees: Vec<T> = trees.into_iter().collect();
    let keys = trees.iter().map(|tree| ByFingerprint::from(CallKey::of(structure(tree))));
    let cache: HashMap<ByFingerprint<KeyBox>, usize, FingerprintState> =
        keys.enumerate().map(|(index, key)| ((&key).into(), index)).collect();
    let (mut bytes, mut leaves) = buffers();
    Box::new(move || {
        for (index, tree) in black_box(&trees).iter().enumerate() {
            let def = tree.flatten(&mut bytes, black_box(&mut leaves)).expect("room");
            assert_eq!(cache.get(&ByFingerprint::from(CallKey::of(def))).copied(), Some(index));
        }
    })
}

/// Copies the leaves and looks up a key that the compiler computed.
fn constant<T: TreeRead<f32> + 'static>(tree: T, key: CallKey<'static>) -> Call {
    let cache: HashMap<ByFingerprint<CallKey<'static>>, usize, FingerprintState> =
        HashMap::from_iter([(key.into(), 7)]);
    let (_, mut leaves) = buffers();
    Box::new(move || {
        let count = leaves_into(black_box(&tree), black_box(&mut leaves));
        assert!(count.is_ok());
        assert_eq!(black_box(&cache).get(&ByFingerprint::from(key)), Some(&7));
    })
}

pub(crate) fn motor() -> Call {
    const KEY: CallKey<'static> = CallKey::of(treedef_of::<plain::Motor>());
    constant(plain::Motor::default(), KEY)
}

pub(crate) fn state() -> Call {
    const KEY: CallKey<'static> = CallKey::of(treedef_of::<plain::State>());
    constant(plain::State::default(), KEY)
}

pub(crate) fn layered() -> Call {
    look_up([Typed(plain::layers())])
}

pub(crate) fn gpt_maps() -> Call {
    look_up([value::gpt(12)])
}

pub(crate) fn gpt_nodes() -> Call {
    look_up([nodes(&value::gpt(12))])
}

pub(crate) fn state_maps() -> Call {
    look_up([value::state()])
}

pub(crate) fn state_nodes() -> Call {
    look_up([nodes(&value::state())])
}

pub(crate) fn renamed_typed() -> Call {
    look_up(plain::renamed().map(Typed))
}

pub(crate) fn renamed_maps() -> Call {
    look_up(value::renamed())
}

pub(crate) fn renamed_nodes() -> Call {
    look_up(value::renamed().iter().map(nodes))
}
