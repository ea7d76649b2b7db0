//! Bytes from outside, good and hostile: the answer is the same on every target.

use core::fmt::Write;

use treedef::encode::Level;
use treedef::format::{DecodeErrorKind, MAX_PENDING};
use treedef::{DecodeError, TreeDef};

use crate::golden::{self, LONGEST};
use crate::report::{Case, Digest, Missing, Outcome, Report};

pub const CASES: &[Case] = &[
    ("truncations", truncations),
    ("mutations", mutations),
    ("short strings", short_strings),
    ("plain kinds", plain),
    ("bombs", bombs),
    ("erased and zeroed memory", erased),
    ("deep nesting", deep),
    ("prefixes", prefixes),
];

/// Answers by number: how many were valid, and all of them in one digest.
#[derive(Default)]
struct Answers {
    asked: u32,
    valid: u32,
    digest: Digest,
}

impl Answers {
    fn add(&mut self, bytes: &[u8]) {
        self.asked += 1;
        // A digest takes any text.
        let _ = match TreeDef::from_bytes(bytes) {
            Ok(def) => {
                self.valid += 1;
                write!(self.digest, "{} {};", def.num_leaves(), def.num_nodes())
            }
            Err(error) => write!(self.digest, "{:?} {};", error.kind(), error.offset()),
        };
    }

    fn report(&self, report: &mut Report<'_>, name: &str) {
        let Self { asked, valid, digest } = self;
        report.fact(name, format_args!("{valid} of {asked} valid, {digest}"));
    }
}

/// No treedef is the beginning of another.
fn truncations(report: &mut Report<'_>) -> Outcome {
    let mut answers = Answers::default();
    golden::each(|_, bytes, _| {
        (0..bytes.len()).for_each(|len| answers.add(&bytes[..len]));
        Ok(())
    })?;
    answers.report(report, "golden structures cut");
    report.same(answers.valid, 0)
}

/// Every byte of some structures in turn changed to every other value.
fn mutations(report: &mut Report<'_>) -> Outcome {
    let mut changed = [0; LONGEST];
    for name in [
        "pair, two lists of two pairs, two pairs",
        "{False: *, 0.5: *, 2: None}",
        "defaultdict(int, {True: *})",
        "named tuple P(x=*, y=*)",
        "struct S(x=*, y=None; a=1, b=True)",
        "custom C with aux 1 and keys .x, ['k'], [7], r",
    ] {
        let mut answers = Answers::default();
        golden::named(name, |bytes| {
            let changed = changed.get_mut(..bytes.len()).ok_or(Missing)?;
            changed.copy_from_slice(bytes);
            for at in 0..bytes.len() {
                for by in 1..=255 {
                    changed[at] = bytes[at] ^ by;
                    answers.add(changed);
                }
                changed[at] = bytes[at];
            }
            Ok(())
        })?;
        answers.report(report, name);
    }
    Ok(())
}

/// All strings of one and of two bytes.
fn short_strings(report: &mut Report<'_>) -> Outcome {
    let (mut one, mut two) = (Answers::default(), Answers::default());
    for first in 0..=255 {
        one.add(&[first]);
        (0..=255).for_each(|second| two.add(&[first, second]));
    }
    one.report(report, "1 byte");
    two.report(report, "2 bytes");
    Ok(())
}

/// The validator of the plain kinds accepts what is plain, and says of the rest where it stops.
fn plain(report: &mut Report<'_>) -> Outcome {
    let (mut asked, mut accepted, mut digest) = (0u32, 0u32, Digest::default());
    golden::each(|_, bytes, _| {
        asked += 1;
        match TreeDef::from_plain_bytes(bytes) {
            Ok(def) => {
                accepted += 1;
                report.same(def, TreeDef::from_bytes(bytes)?)
            }
            Err(error) => {
                report.same(error.kind(), DecodeErrorKind::NotPlain)?;
                Ok(write!(digest, "{};", error.offset())?)
            }
        }
    })?;
    report.fact("plain", format_args!("{accepted} of {asked}, the others {digest}"));
    Ok(())
}

/// What `from_bytes` says of bytes it refuses, at which offset.
fn refused(report: &mut Report<'_>, name: &str, bytes: &[u8]) -> Outcome<DecodeError> {
    let error = TreeDef::from_bytes(bytes).err().ok_or(Missing)?;
    report.fact(name, error);
    report.fact("explained", error.explain(bytes));
    Ok(error)
}

/// Few bytes that claim many leaves, children or bytes.
fn bombs(report: &mut Report<'_>) -> Outcome {
    // A list of 31 + 2^30 leaves, which are u32s; then lists of lists of copies of it: 2^60 leaves.
    const LEAVES: &[u8] = &[0x5F, 0x80, 0xFF, 0xFE, 0xFE, 0x03];
    let mut bomb = [0; 64];
    let lists = [0x44, 0x44];
    let mut len = 0;
    for part in [&lists[..], LEAVES, &[0x1F], &LEAVES[1..], &[0xA2], &LEAVES[1..]] {
        bomb[len..len + part.len()].copy_from_slice(part);
        len += part.len();
    }
    refused(report, "leaves of leaves", &bomb[..len])?;
    // 2^31 lists of 2^31 lists of a pair, as copies.
    let many = [0x5F, 0xE0, 0xFE, 0xFE, 0xFE, 0x06];
    let copies = [0xBF, 0xDF, 0xFE, 0xFE, 0xFE, 0x06, 0x02];
    len = 0;
    for part in [&many[..], &many, &[0x22, 0x01], &copies, &copies] {
        bomb[len..len + part.len()].copy_from_slice(part);
        len += part.len();
    }
    refused(report, "copies of copies", &bomb[..len])?;
    refused(report, "children that are not there", &many)?;
    refused(report, "a block beyond the end", &[0x61, 0xFE, 0xFE, 0xFE, 0xFE, 0x0E, 0x00])?;
    refused(report, "a varint without end", &[0x5F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])?;
    // What is large and fits is a treedef like any other.
    let mut large = [0; 12];
    large[..6].copy_from_slice(&many);
    large[6] = 0x1F;
    large[7..].copy_from_slice(&[0xDF, 0xFE, 0xFE, 0xFE, 0x06]);
    let def = TreeDef::from_bytes(&large)?;
    report.fact("a list of leaves", def.num_leaves());
    report.same(def.child(1 << 30), Some(TreeDef::LEAF))
}

/// What a device finds in flash that was never written, and in memory that was cleared.
fn erased(report: &mut Report<'_>) -> Outcome {
    refused(report, "erased", &[0xFF; 32])?;
    let zeroed = refused(report, "zeroed", &[0; 32])?;
    report.same(zeroed.offset(), 1)?;
    refused(report, "nothing", &[])?;
    report.same(TreeDef::from_prefix(&[0; 4])?, (TreeDef::LEAF, [0; 3].as_slice()))
}

/// `[[[.. *], *], *]`, each list but the innermost with a leaf after the list in it, in two bytes a level.
fn nested(levels: usize, bytes: &mut [u8]) -> &[u8] {
    let end = 2 * levels;
    bytes[..levels].fill(0x42);
    bytes[levels..end].fill(0x00);
    bytes[levels] = 0x01;
    &bytes[..end]
}

/// The bound of depth is the same on every target, and with levels of the caller there is none.
fn deep(report: &mut Report<'_>) -> Outcome {
    let mut bytes = [0; 2 * (MAX_PENDING + 36)];
    let deepest = TreeDef::from_bytes(nested(MAX_PENDING + 1, &mut bytes))?;
    report.fact("deepest", format_args!("{} nodes", deepest.num_nodes()));
    let too_deep = nested(MAX_PENDING + 2, &mut bytes);
    refused(report, "one level more", too_deep)?;
    let mut levels = [Level::default(); MAX_PENDING + 1];
    report.same(TreeDef::from_bytes_with(too_deep, &mut levels)?.num_leaves(), MAX_PENDING + 3)?;
    for room in [0, 1, 2, MAX_PENDING] {
        let error = TreeDef::from_bytes_with(too_deep, &mut levels[..room]).err().ok_or(Missing)?;
        report.fact("levels of the caller", error);
        report.same(error.offset(), room + 1)?;
    }
    // Chains of single children need no level.
    bytes.fill(0x41);
    *bytes.last_mut().ok_or(Missing)? = 0x00;
    let chain = TreeDef::from_bytes_with(&bytes, &mut [])?;
    report.same(chain.num_nodes(), bytes.len())
}

/// Treedefs one after the other in one buffer.
fn prefixes(report: &mut Report<'_>) -> Outcome {
    let mut stream = [0; 64];
    stream[..7].copy_from_slice(&[0x43, 0x22, 0x01, 0xA0, 0x02, 0x00, 0x20]);
    let (first, rest) = TreeDef::from_prefix(&stream)?;
    let (second, rest) = TreeDef::from_prefix(rest)?;
    report.treedef("first", first);
    report.treedef("second", second);
    report.same(rest.len(), 64 - 7)?;
    let error = TreeDef::from_prefix(&[0x43, 0x00]).err().ok_or(Missing)?;
    report.fact("cut", error);
    Ok(())
}
