//! The cases that firmware takes along: `no_std-check/suite/corpus.bin`, written from the recorded answers.
//!
//! A record is a length in one byte and the treedef; numbers of leaves and nodes in two bytes each; fingerprint and three
//! digests, of JAX's text, of its paths, and of its texts of the children, in eight bytes each; all low byte first. A
//! digest is 64-bit FNV-1a of texts that each end in a line feed.

use std::path::Path;

use serde_json::Value as Json;

use super::support::corpus::{Read, Tree, integer, member, string};
use super::support::library::state;
use super::{say, strings};

/// The longest treedef that is taken along.
const LONGEST: usize = 64;

/// The environment variable that makes the test write the file.
const BAKE: &str = "TREEDEF_BAKE";

fn digest(texts: impl IntoIterator<Item = String>) -> u64 {
    let bytes = texts.into_iter().flat_map(|text| (text + "\n").into_bytes());
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// The record of a line; `None` where JAX refuses the tree or the treedef is too long.
fn record(line: &Json) -> Read<Option<Vec<u8>>> {
    let expect = member(line, "expect")?;
    if expect.get("error").is_some() {
        return Ok(None);
    }
    let stated = state(&Tree::read(member(line, "tree")?)?, false).map_err(say)?;
    if stated.bytes.len() > LONGEST {
        return Ok(None);
    }
    let count = |name| u16::try_from(integer(member(expect, name)?)?).map_err(|e| e.to_string());
    let texts = |name| strings(member(expect, name)?);
    let mut record = vec![stated.bytes.len() as u8];
    record.extend(&stated.bytes);
    record.extend(count("num_leaves")?.to_le_bytes());
    record.extend(count("num_nodes")?.to_le_bytes());
    for number in [
        stated.treedef().fingerprint(),
        digest([string(member(expect, "treedef_str")?)?]),
        digest(texts("keystr")?.into_iter().chain(texts("keystr_simple")?)),
        digest(texts("children")?),
    ] {
        record.extend(number.to_le_bytes());
    }
    Ok(Some(record))
}

#[test]
fn cases_of_the_firmware_suite_are_those_of_the_corpus() -> Read<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lines = std::fs::read_to_string(root.join("tests/conformance/flatten.jsonl"))
        .map_err(|e| e.to_string())?;
    let mut baked = Vec::new();
    let mut records = 0;
    for line in lines.lines() {
        let line = serde_json::from_str(line).map_err(|e| e.to_string())?;
        if let Some(record) = record(&line)? {
            baked.extend(record);
            records += 1;
        }
    }
    assert!(records > 300, "only {records} cases");
    let file = root.join("no_std-check/suite/corpus.bin");
    if std::env::var_os(BAKE).is_some() {
        std::fs::write(&file, &baked).map_err(|e| e.to_string())?;
        println!("{records} cases, {} bytes", baked.len());
    }
    let current = std::fs::read(&file).map_err(|e| e.to_string())?;
    assert!(current == baked, "{} is not current: run this test with {BAKE}=1", file.display());
    Ok(())
}
