//! The parameters of large networks, as programs name them, and the state of an optimiser that trains some of them.

use std::hint::black_box;

use serde_json::{Map, Value, json};
use treedef::{Tree, TreeDef, flatten_into, leaves_into, map, matches, structure_into, unflatten};

use super::models::{json_cases, node_cases};
use crate::{Case, case};

/// The number of layers of the language model.
const LAYERS: usize = 32;

/// An affine map, which can lack its bias.
#[derive(Clone, Tree)]
struct Linear<T> {
    bias: Option<T>,
    kernel: T,
}

#[derive(Clone, Tree)]
struct Norm<T> {
    weight: T,
}

#[derive(Clone, Tree)]
struct Mlp<T> {
    down_proj: Linear<T>,
    gate_proj: Linear<T>,
    up_proj: Linear<T>,
}

#[derive(Clone, Tree)]
struct Attention<T> {
    k_proj: Linear<T>,
    o_proj: Linear<T>,
    q_proj: Linear<T>,
    v_proj: Linear<T>,
}

#[derive(Clone, Tree)]
struct Layer<T> {
    input_layernorm: Norm<T>,
    mlp: Mlp<T>,
    post_attention_layernorm: Norm<T>,
    self_attn: Attention<T>,
}

/// The parameters of a language model: 291 leaves.
#[derive(Clone, Tree)]
struct Llama<T> {
    embed_tokens: T,
    layers: Vec<Layer<T>>,
    lm_head: Linear<T>,
    norm: Norm<T>,
}

impl Linear<f32> {
    /// An affine map without a bias, as all are in this model.
    fn new(kernel: f32) -> Self {
        Self { bias: None, kernel }
    }

    #[inline(always)]
    fn write(&self, out: &mut [f32], at: &mut usize) {
        if let Some(bias) = self.bias {
            out[*at] = bias;
            *at += 1;
        }
        out[*at] = self.kernel;
        *at += 1;
    }

    #[inline(always)]
    fn is_like(&self, other: &Self) -> bool {
        self.bias.is_some() == other.bias.is_some()
    }

    #[inline(always)]
    fn doubled(&self) -> Self {
        Self { bias: self.bias.map(|x| 2.0 * x), kernel: 2.0 * self.kernel }
    }
}

impl Layer<f32> {
    /// A layer of these leaves.
    fn new(leaves: &[f32; 9]) -> Self {
        let [input, down, gate, up, post, k, o, q, v] = *leaves;
        let (down_proj, gate_proj, up_proj) =
            (Linear::new(down), Linear::new(gate), Linear::new(up));
        let (k_proj, o_proj) = (Linear::new(k), Linear::new(o));
        let (q_proj, v_proj) = (Linear::new(q), Linear::new(v));
        Self {
            input_layernorm: Norm { weight: input },
            mlp: Mlp { down_proj, gate_proj, up_proj },
            post_attention_layernorm: Norm { weight: post },
            self_attn: Attention { k_proj, o_proj, q_proj, v_proj },
        }
    }
}

fn llama() -> Llama<f32> {
    llama_from_hand(&[0.5; 291]).expect("leaves for all layers")
}

fn llama_by_hand(llama: &Llama<f32>, out: &mut [f32]) -> usize {
    let mut at = 1;
    out[0] = llama.embed_tokens;
    for Layer { input_layernorm, mlp, post_attention_layernorm, self_attn } in &llama.layers {
        out[at] = input_layernorm.weight;
        at += 1;
        mlp.down_proj.write(out, &mut at);
        mlp.gate_proj.write(out, &mut at);
        mlp.up_proj.write(out, &mut at);
        out[at] = post_attention_layernorm.weight;
        at += 1;
        self_attn.k_proj.write(out, &mut at);
        self_attn.o_proj.write(out, &mut at);
        self_attn.q_proj.write(out, &mut at);
        self_attn.v_proj.write(out, &mut at);
    }
    llama.lm_head.write(out, &mut at);
    out[at] = llama.norm.weight;
    at + 1
}

/// The number of layers that have the biases that the first layer has.
fn llama_alike_by_hand(llama: &Llama<f32>) -> usize {
    let Some(first) = llama.layers.first() else { return 0 };
    let alike = |layer: &&Layer<f32>| {
        let (mlp, attn) = (&layer.mlp, &layer.self_attn);
        mlp.down_proj.is_like(&first.mlp.down_proj)
            && mlp.gate_proj.is_like(&first.mlp.gate_proj)
            && mlp.up_proj.is_like(&first.mlp.up_proj)
            && attn.k_proj.is_like(&first.self_attn.k_proj)
            && attn.o_proj.is_like(&first.self_attn.o_proj)
            && attn.q_proj.is_like(&first.self_attn.q_proj)
            && attn.v_proj.is_like(&first.self_attn.v_proj)
    };
    llama.layers.iter().filter(alike).count()
}

/// A model of these leaves, which are known to have no biases.
fn llama_from_hand(leaves: &[f32]) -> Option<Llama<f32>> {
    let (embed_tokens, rest) = leaves.split_first()?;
    let (layers, [head, norm]) = rest.split_last_chunk()?;
    Some(Llama {
        embed_tokens: *embed_tokens,
        layers: layers.as_chunks().0.iter().map(Layer::new).collect(),
        lm_head: Linear::new(*head),
        norm: Norm { weight: *norm },
    })
}

fn llama_map_by_hand(llama: &Llama<f32>) -> Llama<f32> {
    let norm = |norm: &Norm<f32>| Norm { weight: 2.0 * norm.weight };
    let layer = |layer: &Layer<f32>| Layer {
        input_layernorm: norm(&layer.input_layernorm),
        mlp: Mlp {
            down_proj: layer.mlp.down_proj.doubled(),
            gate_proj: layer.mlp.gate_proj.doubled(),
            up_proj: layer.mlp.up_proj.doubled(),
        },
        post_attention_layernorm: norm(&layer.post_attention_layernorm),
        self_attn: Attention {
            k_proj: layer.self_attn.k_proj.doubled(),
            o_proj: layer.self_attn.o_proj.doubled(),
            q_proj: layer.self_attn.q_proj.doubled(),
            v_proj: layer.self_attn.v_proj.doubled(),
        },
    };
    Llama {
        embed_tokens: 2.0 * llama.embed_tokens,
        layers: llama.layers.iter().map(layer).collect(),
        lm_head: llama.lm_head.doubled(),
        norm: norm(&llama.norm),
    }
}

fn typed() -> Vec<Case> {
    let leaves = [0.5f32; 291];
    let def = structure_into(&llama(), vec![0; 1024].leak()).unwrap_or(TreeDef::LEAF);
    assert_eq!(def.num_leaves(), leaves.len());
    let [a, b, c, d, e, f, g, h] = std::array::from_fn(|_| llama());
    let (mut out, mut out2, mut out3) = (leaves, leaves, leaves);
    let (mut bytes, mut bytes2) = ([0u8; 1024], [0u8; 1024]);
    vec![
        case("llama: leaves by hand", None, move || {
            black_box(llama_by_hand(black_box(&a), black_box(&mut out)));
        }),
        case("llama: leaves", Some(("llama: leaves by hand", 1.19)), move || {
            black_box(leaves_into(black_box(&b), black_box(&mut out2)).is_ok());
        }),
        case("llama: flatten", Some(("llama: leaves by hand", 3.49)), move || {
            let flat = flatten_into(black_box(&c), &mut bytes, black_box(&mut out3));
            black_box(flat.is_ok());
        }),
        case("llama: alike by hand", None, move || {
            black_box(llama_alike_by_hand(black_box(&d)));
        }),
        case("llama: structure", Some(("llama: alike by hand", 4.43)), move || {
            black_box(structure_into(black_box(&e), black_box(&mut bytes2)).is_ok());
        }),
        case("llama: match", Some(("llama: alike by hand", 4.89)), move || {
            black_box(matches(black_box(&f), black_box(def)).is_ok());
        }),
        case("llama: unflatten by hand", None, move || {
            black_box(llama_from_hand(black_box(&leaves)));
        }),
        case("llama: unflatten", Some(("llama: unflatten by hand", 5.13)), move || {
            let llama: Option<Llama<f32>> =
                unflatten(black_box(def), black_box(leaves.as_slice())).ok();
            black_box(llama);
        }),
        case("llama: map by hand", None, move || {
            black_box(llama_map_by_hand(black_box(&g)));
        }),
        case("llama: map", Some(("llama: map by hand", 1.07)), move || {
            black_box(map(black_box(&h), |x: &f32| 2.0 * x).ok());
        }),
    ]
}

/// The parameters of the language model, with the names of Llama in transformers' flax models: 291 leaves, 681 nodes.
/// Embeddings and norms are `frozen`.
fn llama_values(frozen: &Value) -> Value {
    let (linear, norm) = (json!({"kernel": 0.5}), json!({"weight": frozen}));
    let layer = json!({
        "input_layernorm": norm,
        "mlp": {"down_proj": linear, "gate_proj": linear, "up_proj": linear},
        "post_attention_layernorm": norm,
        "self_attn": {"k_proj": linear, "o_proj": linear, "q_proj": linear, "v_proj": linear},
    });
    let layers: Map<_, _> = (0..LAYERS).map(|i| (i.to_string(), layer.clone())).collect();
    json!({
        "lm_head": linear,
        "model": {"embed_tokens": {"embedding": frozen}, "layers": layers, "norm": norm},
    })
}

/// The state of AdamW that trains the kernels: the moments of embeddings and norms are `None`, where optax has a node
/// without children: 451 leaves, 1368 nodes.
fn adamw() -> Value {
    let moments = || llama_values(&Value::Null);
    json!({"inner_state": [{"count": 0, "mu": moments(), "nu": moments()}, null, null]})
}

/// The parameters of the U-Net of Stable Diffusion, as diffusers' flax model names them: 686 leaves, 1212
/// nodes.
fn unet() -> Value {
    let (affine, norm) = (json!({"bias": 0.5, "kernel": 0.5}), json!({"bias": 0.5, "scale": 0.5}));
    // Where the number of channels changes, a resnet has a shortcut.
    let resnet = |is_shortcut: bool| {
        let mut resnet = json!({"conv1": affine, "conv2": affine, "norm1": norm, "norm2": norm,
            "time_emb_proj": affine});
        if is_shortcut {
            resnet["conv_shortcut"] = affine.clone();
        }
        resnet
    };
    let kernel = json!({"kernel": 0.5});
    let attention = json!({"to_k": kernel, "to_out_0": affine, "to_q": kernel, "to_v": kernel});
    let transformer = json!({"attn1": attention, "attn2": attention,
        "ff": {"net_0": {"proj": affine}, "net_2": affine},
        "norm1": norm, "norm2": norm, "norm3": norm});
    let transformer = json!({"norm": norm, "proj_in": affine, "proj_out": affine,
        "transformer_blocks_0": transformer});
    let block = |shortcuts: &[bool], attentions: usize, sampler: Option<&str>| {
        let resnets = shortcuts.iter().map(|is_shortcut| resnet(*is_shortcut));
        let resnets = resnets.enumerate().map(|(i, resnet)| (format!("resnets_{i}"), resnet));
        let attentions = (0..attentions).map(|i| (format!("attentions_{i}"), transformer.clone()));
        let sampler = sampler.map(|name| (name.to_owned(), json!({"conv": affine})));
        Value::Object(resnets.chain(attentions).chain(sampler).collect())
    };
    let (down, up) = (Some("downsamplers_0"), Some("upsamplers_0"));
    json!({
        "conv_in": affine,
        "conv_norm_out": norm,
        "conv_out": affine,
        "down_blocks_0": block(&[false, false], 2, down),
        "down_blocks_1": block(&[true, false], 2, down),
        "down_blocks_2": block(&[true, false], 2, down),
        "down_blocks_3": block(&[false, false], 0, None),
        "mid_block": block(&[false, false], 1, None),
        "time_embedding": {"linear_1": affine, "linear_2": affine},
        "up_blocks_0": block(&[true; 3], 0, up),
        "up_blocks_1": block(&[true; 3], 3, up),
        "up_blocks_2": block(&[true; 3], 3, up),
        "up_blocks_3": block(&[true; 3], 3, None),
    })
}

pub(crate) fn cases() -> Vec<Case> {
    let [llama, unet, adamw] = [llama_values(&json!(0.5)), unet(), adamw()];
    let cases = [
        node_cases(named!("nodes llama"), [1.62, 1.61], &llama),
        node_cases(named!("nodes unet"), [2.0, 1.84], &unet),
        node_cases(named!("nodes adamw"), [1.59, 1.59], &adamw),
        json_cases(named!("json llama"), [2.47, 2.4], llama),
        json_cases(named!("json unet"), [3.04, 2.79], unet),
        json_cases(named!("json adamw"), [2.46, 2.43], adamw),
    ];
    typed().into_iter().chain(cases.into_iter().flatten()).collect()
}
