//! Treedefs and nodes in a `Bump`, and the end of its memory.

use alloc::vec;

use bumpalo::Bump;
use suite::{Case, Missing, Outcome, Report, golden};
use treedef::dynamic::Flatten;
use treedef::integrations::{structure_in, unflatten_in};
use treedef::{Error, TreeDef, treedef};

pub const CASES: &[Case] =
    &[("treedefs", treedefs), ("nodes", nodes), ("a limit", limit), ("the end of the heap", end)];

fn treedefs(report: &mut Report<'_>) -> Outcome {
    let mut bump = Bump::new();
    for round in 0..3 {
        let mut kept = vec![];
        golden::each(|_, bytes, _| {
            kept.push(structure_in(&bump, &TreeDef::from_bytes(bytes)?)?);
            Ok(())
        })?;
        let all = structure_in(&bump, kept.as_slice())?;
        report.treedef("all of them", all);
        report.same(all.children().zip(&kept).all(|(child, kept)| child == *kept), true)?;
        report.fact("round", round);
        bump.reset();
    }
    Ok(())
}

const DEF: TreeDef<'static> = treedef!({"w": [(*, *), (*, *)], "b": [None, *]});

fn nodes(report: &mut Report<'_>) -> Outcome {
    let bump = Bump::new();
    let tree = unflatten_in(&bump, DEF, &[1.0f32, 2.0, 3.0, 4.0, 5.0])?;
    Flatten::new().matches(&tree, DEF)?;
    let mut leaves = [0.0; 5];
    Flatten::new().leaves_into(&tree, &mut leaves)?;
    report.leaves("leaves", &leaves);
    report.same(leaves, [1.0, 2.0, 3.0, 4.0, 5.0])
}

fn limit(report: &mut Report<'_>) -> Outcome {
    let bump = Bump::new();
    bump.set_allocation_limit(Some(0));
    let full = structure_in(&bump, &[DEF]).err().ok_or(Missing)?;
    report.same(full, Error::Full { room: 0 })?;
    let error = unflatten_in(&bump, DEF, &[0.0f32; 5]).err().ok_or(Missing)?;
    report.same(matches!(error, Error::NodesFull { .. }), true)
}

/// Where the heap ends, the answer is an error, and what was stored is still there.
fn end(report: &mut Report<'_>) -> Outcome {
    let bump = Bump::new();
    let mut kept = vec![];
    // Bounded, so that an endless heap is noticed.
    for _ in 0..10_000 {
        match structure_in(&bump, &DEF) {
            Ok(def) if kept.len() < 100 => kept.push(def),
            Ok(_) => {}
            Err(error) => {
                let Error::Full { .. } = error else { return Err(error.into()) };
                report.same(kept.iter().all(|def| *def == DEF), true)?;
                return report.same(kept.len(), 100);
            }
        }
    }
    Err(Missing.into())
}
