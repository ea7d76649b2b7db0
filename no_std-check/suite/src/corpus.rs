//! Cases recorded from JAX: counts, text, paths and children as JAX gave them.
//!
//! `tests/conformance/firmware.rs` writes the file, describes its records, and checks that it is current.

use core::fmt::Write;

use treedef::{TreeDef, matches};

use crate::report::{Case, Digest, Missing, Outcome, Report};

pub const CASES: &[Case] = &[("recorded answers", recorded)];

static RECORDS: &[u8] = include_bytes!("../corpus.bin");

/// What is still to be read.
struct Reader(&'static [u8]);

impl Reader {
    fn take(&mut self, len: usize) -> Outcome<&'static [u8]> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(Missing)?;
        self.0 = rest;
        Ok(taken)
    }

    /// A number of `len` bytes, low byte first.
    fn number(&mut self, len: usize) -> Outcome<u64> {
        Ok(self.take(len)?.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}

fn recorded(report: &mut Report<'_>) -> Outcome {
    let (mut reader, mut cases) = (Reader(RECORDS), 0);
    while !reader.0.is_empty() {
        let len = usize::try_from(reader.number(1)?)?;
        let bytes = reader.take(len)?;
        let counts = (reader.number(2)?, reader.number(2)?);
        let numbers = [reader.number(8)?, reader.number(8)?, reader.number(8)?, reader.number(8)?];
        one(report, cases, bytes, counts, numbers)?;
        cases += 1;
    }
    report.fact("cases", cases);
    Ok(())
}

/// A case with its number: leaves and nodes; fingerprint, text, paths, children.
fn one(
    report: &mut Report<'_>,
    case: u32,
    bytes: &[u8],
    counts: (u64, u64),
    [fingerprint, text, paths, children]: [u64; 4],
) -> Outcome {
    let def = TreeDef::from_bytes(bytes)?;
    report.line(format_args!("  {case}: {:016x} {def}", def.fingerprint()));
    report.same((def.num_leaves() as u64, def.num_nodes() as u64), counts)?;
    report.same(def.fingerprint(), fingerprint)?;
    matches(&def, def)?;
    let mut digest = Digest::default();
    writeln!(digest, "{def}")?;
    report.same(digest, Digest(text))?;
    digest = Digest::default();
    def.paths().try_for_each(|path| writeln!(digest, "{}", path.keystr()))?;
    def.paths().try_for_each(|path| writeln!(digest, "{}", path.keystr_simple("/")))?;
    report.same(digest, Digest(paths))?;
    digest = Digest::default();
    def.children().try_for_each(|child| writeln!(digest, "{child}"))?;
    report.same(digest, Digest(children))
}
