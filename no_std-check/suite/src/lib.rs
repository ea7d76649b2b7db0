//! Cases that run on every target and print what they found there; `src/bin` makes images of them.
//!
//! What is printed has to be the same on every target, so cases print bytes, fingerprints, bits and texts, and nothing
//! that depends on the width of pointers. All cases together are more than the flash of a small board holds: one image
//! has those about structures, bytes alone, one those about where they are kept, one those about records, one those about trees,
//! whose functions are compiled once for each type, and one those whose stack the smallest board does not have.
#![no_std]

pub mod algebra;
pub mod arena;
pub mod cache;
pub mod consts;
pub mod corpus;
pub mod deep;
pub mod derived;
pub mod device;
pub mod dynamic;
pub mod golden;
pub mod matching;
pub mod paths;
mod report;
pub mod settings;
pub mod typed;
pub mod upgrades;
pub mod validate;

use board::Console;
pub use report::{Case, Digest, Failed, Missing, Outcome, Report};

/// Runs the cases of each subject and says how many passed; the answer is whether all did.
pub fn run(console: &mut Console, subjects: &[(&str, &[Case])]) -> bool {
    let (mut passed, mut failed) = (0u32, 0u32);
    let mut report = Report::new(console);
    for (subject, cases) in subjects {
        for case in *cases {
            *if report.run(subject, case) { &mut passed } else { &mut failed } += 1;
        }
    }
    report.line(format_args!("{passed} passed, {failed} failed"));
    failed == 0
}
