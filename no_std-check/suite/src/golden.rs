//! The golden bytes, which no release may change: they are valid, stand for what they say, and are what the writer
//! writes.

use treedef::algebra::Change;
use treedef::head::{DictKind, HeadSpec, head_into};
use treedef::{TreeDef, Value, Writer, head, structure_into};

use crate::report::{Case, Failed, Missing, Outcome, Report};

pub const CASES: &[Case] = &[
    ("bytes and fingerprints", bytes_and_fingerprints),
    ("built node by node", built),
    ("rewritten unchanged", rewritten),
    ("heads from their parts", headings),
];

/// The lines that the tests of the crate check on the host: name, bytes and fingerprint of each structure.
const STRUCTURES: &str = include_str!("../../../tests/golden/structures.txt");

/// The longest golden treedef.
pub const LONGEST: usize = 192;

/// Calls `case` with name, bytes and fingerprint of each structure.
pub fn each(mut case: impl FnMut(&'static str, &[u8], u64) -> Outcome) -> Outcome {
    let mut bytes = [0; LONGEST];
    for line in STRUCTURES.lines().filter(|line| !line.starts_with('#')) {
        let (name, rest) = line.split_once(" | ").ok_or(Missing)?;
        let (hex, fingerprint) = rest.split_once(" | ").ok_or(Missing)?;
        let mut len = 0;
        for token in hex.split(' ') {
            // `6B*130` is 130 of them.
            let (byte, times) = token.split_once('*').unwrap_or((token, "1"));
            let (byte, times) = (u8::from_str_radix(byte, 16)?, times.parse::<usize>()?);
            bytes.get_mut(len..len + times).ok_or(Missing)?.fill(byte);
            len += times;
        }
        case(name, &bytes[..len], u64::from_str_radix(fingerprint, 16)?)?;
    }
    Ok(())
}

fn bytes_and_fingerprints(report: &mut Report<'_>) -> Outcome {
    each(|name, bytes, fingerprint| {
        let def = TreeDef::from_bytes(bytes)?;
        report.treedef(name, def);
        report.same(def.fingerprint(), fingerprint)?;
        report.same(def.nodes().count(), def.num_nodes())
    })
}

/// Adds a copy of `def`, node by node.
fn copy(out: &mut Writer<'_>, def: TreeDef<'_>) {
    if def.is_leaf() {
        return out.leaves(1);
    }
    let node = out.begin_head(&def.head());
    def.children().for_each(|child| copy(out, child));
    out.end(node);
}

fn built(report: &mut Report<'_>) -> Outcome {
    each(|_, bytes, _| {
        let mut out = [0; LONGEST];
        let mut writer = Writer::new(&mut out);
        copy(&mut writer, TreeDef::from_bytes(bytes)?);
        report.same(writer.finish()?.as_bytes(), bytes)
    })
}

fn rewritten(report: &mut Report<'_>) -> Outcome {
    each(|_, bytes, _| {
        let (mut out, def) = ([0; LONGEST + 8], TreeDef::from_bytes(bytes)?);
        let unchanged = def.transform(|_| Ok(Change::Keep));
        report.same(structure_into(&unchanged, &mut out)?.as_bytes(), bytes)
    })
}

/// The head of the golden structure of that name is what `heading` writes.
fn written<H: HeadSpec>(report: &mut Report<'_>, name: &str, heading: &H) -> Outcome {
    named(name, |bytes| {
        let mut out = [0; LONGEST];
        let head = head_into(heading, &mut out)?;
        report.same(head.as_bytes(), TreeDef::from_bytes(bytes)?.head().as_bytes())
    })
}

fn headings(report: &mut Report<'_>) -> Outcome {
    written(report, "list of 160 leaves", &head::List(160))?;
    let key = [b'k'; 130];
    let keys = [str::from_utf8(&key)?];
    written(report, "key of 130 bytes", &head::Dict::new(DictKind::Sorted, keys))?;
    written(
        report,
        "{-1: *, 64: *}",
        &head::Dict::new(DictKind::Sorted, [-1, 64].map(Value::Int)),
    )?;
    let point = head::NamedTuple { name: "P", fields: &["x", "y"] };
    written(report, "named tuple P(x=*, y=*)", &point)?;
    let meta = [("n", Value::Int(300))];
    written(report, "static 300", &head::Struct { name: "S", fields: &[], meta: &meta })?;
    let meta = [("n", Value::Float(1.0))];
    written(report, "static 1.0", &head::Struct { name: "S", fields: &[], meta: &meta })
}

/// The golden structure of a name.
pub fn named<T>(name: &str, then: impl FnOnce(&[u8]) -> Outcome<T>) -> Outcome<T> {
    let mut then = Some(then);
    let mut answer = None;
    each(|found, bytes, _| {
        if let Some(then) = then.take_if(|_| found == name) {
            answer = Some(then(bytes)?);
        }
        Ok::<_, Failed>(())
    })?;
    Ok(answer.ok_or(Missing)?)
}
