//! What the crate says about bytes, line by line, for an implementation in another language that is compared with it.
//!
//! `verdicts write SEED COUNT` prints generated structures. `verdicts read` reads lines from standard input, and answers each with
//! a line of fields with tabs between them: `treedef HEX`, `key HEX`, or `pair HEX HEX`, whose answer is the differences.
//!
//! ```text
//! treedef 4200C0   ok 1 3 b9c66b89f94191ac PyTreeDef([*, None]) PyTreeDef([*, None]) [0]
//! treedef 4200     bytes end before the node at byte 2 is complete
//! ```

use std::error::Error;
use std::fmt::Display;
use std::io::{BufRead, BufWriter, Write, stdin, stdout};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use treedef::{CallKey, TreeDef};
use treedef_proptest::{Size, treedefs_of};

/// Above this number of leaves, texts with all copies and lists of paths are left out.
const LEAVES: usize = 1000;

/// The largest number of differences that are listed.
const DIFFERENCES: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = BufWriter::new(stdout().lock());
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", seed, count] => write(seed.parse()?, count.parse()?, &mut out),
        ["read"] => read(&mut out),
        _ => Err("usage: verdicts write SEED COUNT | verdicts read".into()),
    }
}

/// Writes `count` generated structures, each with what is said about it.
fn write(seed: u64, count: usize, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    // What strategies refuse is generated again, however often.
    let config = Config { max_local_rejects: u32::MAX, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng);
    let strategy = treedefs_of(Size { depth: 20, children: 40, nodes: 100 });
    for _ in 0..count {
        let generated =
            strategy.new_tree(&mut runner).map_err(|reason| reason.to_string())?.current();
        let def = generated.as_treedef();
        let hex: String = def.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(out, "{hex}\t{}", treedef(def))?;
    }
    Ok(())
}

/// Answers each line of the input.
fn read(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    for line in stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let answer = match words[..] {
            ["treedef", hex] => {
                TreeDef::from_bytes(&bytes(hex)?).map_or_else(|e| e.to_string(), treedef)
            }
            ["key", hex] => CallKey::from_bytes(&bytes(hex)?).map_or_else(|e| e.to_string(), key),
            ["pair", one, other] => {
                let (one, other) = (bytes(one)?, bytes(other)?);
                differences(TreeDef::from_bytes(&one)?, TreeDef::from_bytes(&other)?)?
            }
            _ => return Err(format!("no question: {line}").into()),
        };
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

/// Leaves, nodes, fingerprint, text, text with repeats written once, and paths.
fn treedef(def: TreeDef<'_>) -> String {
    let (text, paths) = match def.num_leaves() {
        ..=LEAVES => (def.to_string(), def.paths().map(|path| path.to_string()).collect()),
        _ => (String::new(), Vec::new()),
    };
    let counts = (def.num_leaves(), def.num_nodes(), def.fingerprint());
    let (counts, folded) =
        (format!("{}\t{}\t{:016x}", counts.0, counts.1, counts.2), format!("{def:?}"));
    let paths = paths.iter().map(escaped).collect::<Vec<_>>().join("\t");
    format!("ok\t{counts}\t{}\t{}\t{paths}", escaped(text), escaped(folded))
}

/// Fingerprint and text.
fn key(key: CallKey<'_>) -> String {
    format!("ok\t{:016x}\t{}", key.fingerprint(), escaped(key))
}

/// The paths of the first differences.
fn differences(expected: TreeDef<'_>, found: TreeDef<'_>) -> Result<String, treedef::Error> {
    let found = expected.differences(found).take(DIFFERENCES);
    let paths: Vec<_> =
        found.map(|one| Ok(escaped(one?.path()))).collect::<Result<_, treedef::Error>>()?;
    Ok(paths.join("\t"))
}

/// The text without the characters that end a field or a line.
fn escaped(text: impl Display) -> String {
    let text = text.to_string();
    let ends = [('\\', r"\\"), ('\n', r"\n"), ('\r', r"\r"), ('\t', r"\t")];
    ends.iter().fold(text, |text, (end, with)| text.replace(*end, with))
}

fn bytes(hex: &str) -> Result<Vec<u8>, std::num::ParseIntError> {
    (0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16)).collect()
}
