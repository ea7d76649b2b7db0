//! Structures of real programs, unequal in kind and in size.

use std::collections::BTreeMap;

use treedef::dynamic::Open;
use treedef::{Error, Meta, Object, Tree};

use crate::tensor::Tensor;

/// Makes the tensor of a shape: random parameters, zeros, or what a test wants to see.
pub type Fill<'f> = &'f mut dyn FnMut(&[usize]) -> Tensor;

/// A layer.
#[derive(Tree)]
pub struct Dense {
    /// The weights.
    pub kernel: Tensor,
    /// What is added.
    pub bias: Tensor,
}

/// A function between layers. It is part of the structure and no leaf.
#[derive(Clone, Copy, Debug, PartialEq, Meta)]
pub enum Activation {
    /// The positive part.
    Relu,
    /// The hyperbolic tangent.
    Tanh,
}

/// A multilayer perceptron, as a derived struct.
#[derive(Tree)]
pub struct Mlp {
    /// What stands between the layers.
    #[tree(meta)]
    pub activation: Activation,
    /// The layers.
    pub layers: Vec<Dense>,
}

/// A perceptron of these widths, from the input to the output.
pub fn mlp(widths: &[usize], activation: Activation, fill: Fill<'_>) -> Mlp {
    let layers =
        widths.windows(2).map(|sizes| Dense { kernel: fill(sizes), bias: fill(&sizes[1..]) });
    Mlp { activation, layers: layers.collect() }
}

/// What Adam keeps, as the train state of JAX's libraries: a tree of trees.
#[derive(Tree)]
pub struct TrainState<P> {
    /// What is learned.
    pub params: P,
    /// The mean of gradients.
    pub mu: P,
    /// The mean of their squares.
    pub nu: P,
    /// The number of steps, which a float counts exactly up to 2^24.
    pub step: Tensor,
}

/// Weights and bias of each layer, with no names at all.
pub type Pairs = Vec<(Tensor, Tensor)>;

/// So many layers of one width.
pub fn pairs(layers: usize, width: usize, fill: Fill<'_>) -> Pairs {
    (0..layers).map(|_| (fill(&[width, width]), fill(&[width]))).collect()
}

/// Gains of a controller.
pub type Pid = (Tensor, Tensor, Tensor);

/// A motor controller that is tuned by gradients: nested tuples of scalars. Two loops, limits, and a table of phases.
pub type Motor = ((Pid, Pid), [Tensor; 2], Tensor);

/// The controller, with so many phases.
pub fn motor(phases: usize, fill: Fill<'_>) -> Motor {
    let mut pid = || (fill(&[]), fill(&[]), fill(&[]));
    let loops = (pid(), pid());
    (loops, [fill(&[]), fill(&[])], fill(&[phases]))
}

/// A tree whose structure is known at run time only, as one read from a file.
#[derive(Clone)]
pub enum Value {
    /// A leaf.
    Leaf(Tensor),
    /// Children without names.
    Tuple(Vec<Value>),
    /// Children by name.
    Dict(BTreeMap<String, Value>),
}

impl<'v> Object for &'v Value {
    type Leaf = &'v Tensor;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Value::Leaf(tensor) => open.leaf(tensor),
            Value::Tuple(children) => open.tuple(children),
            Value::Dict(children) => {
                open.dict(children.iter().map(|(key, child)| (key.as_str(), child)))
            }
        }
    }
}

/// A dictionary.
fn dict<K: Into<String>>(entries: impl IntoIterator<Item = (K, Value)>) -> Value {
    Value::Dict(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

/// The sizes of a GPT-2.
#[derive(Clone, Copy, Debug)]
pub struct Gpt2 {
    /// The number of blocks.
    pub layers: usize,
    /// The width of the model.
    pub width: usize,
    /// The number of tokens.
    pub vocabulary: usize,
    /// The length of the context.
    pub context: usize,
    /// The name of the layer that widens.
    pub widens: &'static str,
}

impl Gpt2 {
    /// GPT-2 small with all of its 148 arrays, each narrower: 768 is 32, 50257 is 512 and 1024 is 64.
    pub const SMALL: Self =
        Self { layers: 12, width: 32, vocabulary: 512, context: 64, widens: "c_fc" };

    /// Its parameters, by the names of Hugging Face's Flax model.
    pub fn params(&self, fill: Fill<'_>) -> Value {
        let width = self.width;
        let mut leaf = |shape: &[usize]| Value::Leaf(fill(shape));
        let embedding = |table: Value| dict([("embedding", table)]);
        let (tokens, positions) = (leaf(&[self.vocabulary, width]), leaf(&[self.context, width]));
        let mut norm = || dict([("scale", leaf(&[width])), ("bias", leaf(&[width]))]);
        let last = norm();
        let blocks = (0..self.layers).map(|layer| (layer.to_string(), self.block(fill)));
        let transformer = dict([
            ("wte", embedding(tokens)),
            ("wpe", embedding(positions)),
            ("h", dict(blocks)),
            ("ln_f", last),
        ]);
        dict([("params", dict([("transformer", transformer)]))])
    }

    fn block(&self, fill: Fill<'_>) -> Value {
        let width = self.width;
        let mut leaf = |shape: &[usize]| Value::Leaf(fill(shape));
        let mut norm = || dict([("scale", leaf(&[width])), ("bias", leaf(&[width]))]);
        let norms = [norm(), norm()];
        let mut dense =
            |from: usize, to: usize| dict([("kernel", leaf(&[from, to])), ("bias", leaf(&[to]))]);
        let attention = [("c_attn", dense(width, 3 * width)), ("c_proj", dense(width, width))];
        let wide = [(self.widens, dense(width, 4 * width)), ("c_proj", dense(4 * width, width))];
        let [first, second] = norms;
        dict([("ln_1", first), ("attn", dict(attention)), ("ln_2", second), ("mlp", dict(wide))])
    }
}
