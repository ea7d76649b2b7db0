//! A checkpoint: tensors by name in a safetensors file, read by a program whose model has changed since.
//!
//! `cargo run --example checkpoint --features alloc`
//!
//! The file also holds the treedef of the saved model. So the newer program knows the place of each tensor. It moves those
//! that both models have, and says what is lost, new or renamed before it runs.

use std::borrow::Cow;
use std::error::Error;

use safetensors::{Dtype, SafeTensors, View as Stored, serialize};
use treedef::algebra::migrate;
use treedef::{KeyPath, Tree, TreeDef, View, flatten, unflatten};

/// A leaf: an array with its shape.
#[derive(Clone, Debug, PartialEq)]
struct Tensor {
    shape: Vec<usize>,
    data: Vec<f32>,
}

treedef::leaf!(Tensor);

impl Tensor {
    fn filled(shape: &[usize], value: f32) -> Self {
        Self { shape: shape.into(), data: vec![value; shape.iter().product()] }
    }
}

impl Stored for &Tensor {
    fn dtype(&self) -> Dtype {
        Dtype::F32
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        self.data.iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    fn data_len(&self) -> usize {
        4 * self.data.len()
    }
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "lm::Block")]
struct Block {
    weight: Tensor,
    bias: Option<Tensor>,
}

/// The model of the program that wrote the file.
#[derive(Tree)]
#[tree(name = "lm::Model")]
struct OldModel {
    embed: Tensor,
    blocks: Vec<Block>,
    scale: Tensor,
}

/// The model of this program: one more block, another name for the embedding, a norm in place of the scale.
#[derive(Tree, Debug, PartialEq)]
#[tree(name = "lm::Model")]
struct Model {
    embedding: Tensor,
    blocks: Vec<Block>,
    norm: Tensor,
}

/// The name of a leaf in the file, such as `blocks.0.weight`.
fn name(path: KeyPath<'_, '_>) -> String {
    path.keystr_simple(".").to_string()
}

fn save<T: Tree<Tensor>>(model: &T) -> Result<Vec<u8>, Box<dyn Error>> {
    let (def, leaves) = flatten(model)?;
    let digits = def.as_treedef().as_bytes().iter().map(|byte| format!("{byte:02x}"));
    let about = [("treedef".to_owned(), digits.collect())].into_iter().collect();
    Ok(serialize(def.as_treedef().paths().map(name).zip(&leaves), Some(about))?)
}

/// Reads what a file has for `default`, whose other tensors stay as they are. Returns the reports, too.
fn load(file: &[u8], default: &Model) -> Result<(Model, Vec<String>), Box<dyn Error>> {
    let (_, header) = SafeTensors::read_metadata(file)?;
    let digits = header
        .metadata()
        .as_ref()
        .and_then(|about| about.get("treedef"))
        .ok_or("no treedef in the file")?;
    let bytes = digits
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair)?, 16).map_err(Box::from));
    let bytes = bytes.collect::<Result<Vec<u8>, Box<dyn Error>>>()?;
    let old = TreeDef::from_bytes(&bytes)?;

    let file = SafeTensors::deserialize(file)?;
    let stored = old.paths().map(|path| {
        let tensor = file.tensor(&name(path))?;
        let data = tensor.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        Ok(Tensor { shape: tensor.shape().into(), data: data.collect() })
    });
    let stored = stored.collect::<Result<Vec<Tensor>, Box<dyn Error>>>()?;

    let (new, mut leaves) = flatten(default)?;
    let mut reports = Vec::new();
    let aliases = [("embed", "embedding")];
    migrate(View::new(old, &stored)?, &new, &mut leaves, &aliases, |report| {
        reports.push(report.to_string());
    })?;
    Ok((unflatten(&new, &leaves)?, reports))
}

fn main() -> Result<(), Box<dyn Error>> {
    let block = |value| Block {
        weight: Tensor::filled(&[4, 4], value),
        bias: Some(Tensor::filled(&[4], value)),
    };
    let old = OldModel {
        embed: Tensor::filled(&[8, 4], 1.0),
        blocks: vec![block(2.0), Block { bias: None, ..block(3.0) }],
        scale: Tensor::filled(&[4], 4.0),
    };
    let path = std::env::temp_dir().join("treedef_checkpoint.safetensors");
    std::fs::write(&path, save(&old)?)?;

    let default = Model {
        embedding: Tensor::filled(&[8, 4], 0.0),
        blocks: vec![block(0.0), Block { bias: None, ..block(0.0) }, block(0.5)],
        norm: Tensor::filled(&[4], 1.0),
    };
    let (model, reports) = load(&std::fs::read(&path)?, &default)?;
    reports.iter().for_each(|report| println!("{report}"));
    assert_eq!(
        reports,
        ["moved .embed to .embedding", "new .blocks[2]", "new .norm", "lost .scale"]
    );
    assert_eq!((&model.embedding, &model.norm), (&old.embed, &default.norm));
    assert_eq!((&model.blocks[..2], &model.blocks[2]), (&old.blocks[..], &default.blocks[2]));
    Ok(std::fs::remove_file(path)?)
}
