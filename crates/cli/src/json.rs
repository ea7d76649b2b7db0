//! Reads JSON files, and says in one line why a file is none.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::error::Category;

use crate::foreign::Described;
use crate::leaf::Type;
use crate::source::{Containers, Source};
use crate::style::counted;
use crate::tree::Tree;
use crate::{foreign, progress, shards};

/// Reads a JSON file: a tree, or the index of a safetensors checkpoint.
pub(crate) fn read(bytes: &[u8], path: &Path, partial: bool) -> Result<Source, String> {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => return Err("byte order mark (BOM) before the JSON".into()),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            return Err("text in UTF-16; JSON files are in UTF-8".into());
        }
        _ if bytes.trim_ascii().is_empty() => return Err("file is empty".into()),
        _ => {}
    }
    progress::step("parsing");
    let tree = Tree::read(bytes).map_err(|error| explain(bytes, &error))?;
    if let Some((map, others)) = weight_map(&tree)? {
        drop(tree);
        let mut source = shards::index(map, path, partial)?;
        let text = counted(others, "a key beside the weight_map", "keys beside the weight_map");
        source.facts.extend(text.map(|text| ("not read", text)));
        return Ok(source);
    }
    if foreign::is_described(&tree) {
        drop(tree);
        let root = serde_json::from_slice(bytes).map_err(|error| explain(bytes, &error))?;
        let Described { format, tree, containers, facts } = foreign::tree(&root, path)?;
        let (def, leaves) = tree.flatten()?;
        let known = leaves.iter().any(|leaf| leaf.kind.is_known());
        let source = Source::new(format, def, known.then_some(leaves));
        return Ok(Source { containers, facts, ..source });
    }
    let mut source = Source::of_tree("JSON", tree, Containers::All)?;
    let leaves = source.parts.iter().flat_map(|part| part.leaves.iter().flatten());
    let texts =
        leaves.filter(|leaf| leaf.kind.dtype == "str").filter_map(|leaf| leaf.value.as_deref());
    let texts = texts.filter(|text| Type::is_like(text));
    let like = "texts that look like arrays";
    let remark = counted(texts, "a text that looks like an array", like);
    source.facts.extend(remark.map(|text| ("not read", text)));
    Ok(source)
}

/// The file of each tensor of an index, and the keys beside those that indices have.
type WeightMap = (BTreeMap<String, String>, Vec<String>);

/// Reads the tree as the index of a checkpoint: an object whose key `weight_map` has the names of files. Beside it may be
/// `metadata`. If it has no such names, the tree is another one.
fn weight_map(tree: &Tree) -> Result<Option<WeightMap>, String> {
    let Tree::Dict(root) = tree else { return Ok(None) };
    let Some(Tree::Dict(map)) = root.get("weight_map") else { return Ok(None) };
    let others = root.keys().filter(|key| *key != "weight_map" && *key != "metadata");
    let others: Vec<_> = others.cloned().collect();
    let is_index = map.values().any(|file| file.text("str").is_some());
    let is_empty = map.is_empty() && others.is_empty();
    if !is_index && !is_empty {
        return Ok(None);
    }
    let shard = |(name, file): (&String, &Tree)| match file.text("str") {
        Some(file) => Ok((name.clone(), file.to_owned())),
        None => Err(format!("weight_map of the index: the file of {name:?} is no text")),
    };
    let shards = map.iter().map(shard).collect::<Result<_, _>>()?;
    Ok(Some((shards, others)))
}

/// Says why bytes are no JSON: with the name of what programs often write instead, if it is that.
fn explain(bytes: &[u8], error: &serde_json::Error) -> String {
    let line = bytes.split(|byte| *byte == b'\n').nth(error.line().saturating_sub(1));
    let line = line.unwrap_or_default();
    let column = error.column().saturating_sub(1);
    if error.classify() == Category::Syntax {
        // The parser stops at the first letter of a word that it does not know, or after a sign before it.
        for word in ["NaN", "-Infinity", "Infinity"] {
            let from = column.saturating_sub(2);
            if line.get(from..).is_some_and(|rest| {
                rest.windows(word.len()).take(3).any(|window| window == word.as_bytes())
            }) {
                return format!(
                    "{word} on line {}, as Python writes it; JSON has no such number",
                    error.line()
                );
            }
        }
        let from = line.get(column..).unwrap_or_default();
        if let Some(mark) = ["//", "/*", "#"].iter().find(|mark| from.starts_with(mark.as_bytes()))
        {
            return format!("comment ({mark}) on line {}; JSON has no comments", error.line());
        }
        let before = line.get(..column).unwrap_or_default().trim_ascii();
        if error.to_string().starts_with("trailing characters") && before.is_empty() {
            return format!("JSON lines: line {} begins another value", error.line());
        }
    }
    if error.is_eof() {
        return format!("file ends inside a value of JSON, on line {}", error.line());
    }
    format!("not JSON: {error}")
}
