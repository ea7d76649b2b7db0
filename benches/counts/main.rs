//! What is promised about speed: instruction counts under callgrind, as ratios to code that a colleague would write by hand.
//!
//! `cargo bench --bench counts --features hashbrown` prints the table, with `-- layers rules` only the rows whose names begin
//! with one of these words, and with `-- --write` also writes it to README.md. With `-- --check` it fails where a ratio is
//! above what is promised, or where the rows of README.md are others. Both sides of a row run alone under `valgrind` with an
//! empty environment, and only what happens inside `counted` is counted, so the numbers repeat to the instruction for one
//! compiler.

use std::process::ExitCode;
use std::{env, fs};

use callgrind::{chosen, count, counted};

mod bytes;
#[path = "../callgrind/mod.rs"]
mod callgrind;
mod dynamic;
mod fixed;
mod known;
mod maps;
mod objects;
mod vectors;

/// Work that is counted.
type Work = Box<dyn FnMut()>;

/// What ours is divided by.
enum Floor {
    /// The instructions of the same work by hand.
    ByHand(Work),
    /// A number of nodes or bytes: the promise is a number of instructions for each.
    Each(usize),
}

/// A promise about one piece of work.
struct Row {
    name: &'static str,
    floor: Floor,
    ours: Work,
    promise: f64,
}

/// A row that is compared with code by hand.
fn row(
    name: &'static str,
    promise: f64,
    by_hand: impl FnMut() + 'static,
    ours: impl FnMut() + 'static,
) -> Row {
    let floor = Floor::ByHand(Box::new(by_hand));
    Row { name, floor, ours: Box::new(ours), promise }
}

/// A row with a number of instructions for each of `count` nodes or bytes.
fn each(name: &'static str, promise: f64, count: usize, ours: impl FnMut() + 'static) -> Row {
    Row { name, floor: Floor::Each(count), ours: Box::new(ours), promise }
}

/// The groups of rows. A process builds one of them.
const GROUPS: [fn() -> Vec<Row>; 12] = [
    fixed::rows,
    fixed::adam,
    vectors::rows,
    vectors::unlike,
    vectors::mixed,
    maps::rows,
    maps::hashed,
    dynamic::rows,
    objects::rows,
    bytes::rows,
    bytes::hits,
    known::rows,
];

/// More than the works of a group.
const MOST_WORKS: usize = 1000;

/// The index of a process that does nothing, which is subtracted.
const NOTHING: usize = GROUPS.len() * MOST_WORKS;

/// Runs the work of an index: those of a group are its rows, first by hand, then ours.
fn run(index: usize) -> Option<()> {
    if index == NOTHING {
        counted(&mut || ());
        return Some(());
    }
    let mut rows = GROUPS.get(index / MOST_WORKS)?();
    let row = rows.get_mut(index % MOST_WORKS / 2)?;
    match (&mut row.floor, index % 2) {
        (Floor::ByHand(work), 0) => counted(&mut **work),
        (Floor::Each(_), 0) => return None,
        _ => counted(&mut *row.ours),
    }
    Some(())
}

/// The line of the table for a row whose works have these instructions.
fn line(row: &Row, by_hand: Option<u64>, ours: u64) -> (f64, String) {
    let floor = match (&row.floor, by_hand) {
        (Floor::Each(count), _) => *count as f64,
        (Floor::ByHand(_), count) => count.unwrap_or(0) as f64,
    };
    let ratio = ours as f64 / floor;
    let by_hand = by_hand.map_or("–".to_owned(), |count| count.to_string());
    let promise = format!("(at most {})", row.promise);
    (ratio, format!("| {} | {by_hand} | {ours} | {ratio:.2} | {promise} |", row.name))
}

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/README.md");
const MARKS: [&str; 2] = ["<!-- counts: begin, written by --write -->\n", "<!-- counts: end -->"];

/// The names and promises of a table, without its figures.
fn promises(table: &str) -> Vec<(&str, &str)> {
    table
        .lines()
        .filter_map(|line| {
            let (name, rest) = line.strip_prefix("| ")?.split_once(" | ")?;
            Some((name, rest.strip_suffix(" |")?.rsplit_once(" | ")?.1))
        })
        .filter(|(_, promise)| promise.starts_with("(at most"))
        .collect()
}

fn main() -> ExitCode {
    if let Some(index) = chosen() {
        return if run(index).is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let flag = |name| env::args().any(|arg| arg == name);
    let (check, write) = (flag("--check"), flag("--write"));
    // Without names, all rows.
    let names: Vec<_> = env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let named = |row: &Row| names.is_empty() || names.iter().any(|n| row.name.starts_with(n));
    let Some(empty) = count(NOTHING) else {
        println!("valgrind is not installed: nothing counted");
        return if check { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    };
    let instructions = |index| count(index).map(|total| total.saturating_sub(empty));
    let mut table =
        String::from("| row | by hand | ours | ratio | promise |\n|---|---:|---:|---:|---|\n");
    let mut failed = false;
    for (group, rows) in GROUPS.iter().enumerate() {
        for (index, row) in rows().iter().enumerate().filter(|(_, row)| named(row)) {
            let first = group * MOST_WORKS + 2 * index;
            let by_hand =
                matches!(row.floor, Floor::ByHand(_)).then(|| instructions(first)).flatten();
            let Some(ours) = instructions(first + 1) else {
                println!("{}: not counted", row.name);
                failed = true;
                continue;
            };
            let (ratio, line) = line(row, by_hand, ours);
            // A tenth more than the promise is within it.
            let is_kept = ratio <= row.promise * 1.1;
            failed |= !is_kept;
            println!("{line}{}", if is_kept { "" } else { "  TOO MANY" });
            table += &line;
            table.push('\n');
        }
    }
    let readme = fs::read_to_string(README).unwrap_or_default();
    let parts = readme.split_once(MARKS[0]).and_then(|(head, rest)| {
        let (there, tail) = rest.split_once(MARKS[1])?;
        Some((head, there, tail))
    });
    let Some((head, there, tail)) = parts else {
        println!("README.md has no table");
        return ExitCode::FAILURE;
    };
    if write {
        let text = [head, MARKS[0], &table, MARKS[1], tail].concat();
        failed |= fs::write(README, text).is_err();
    } else if check && names.is_empty() && promises(there) != promises(&table) {
        println!("README.md has other rows or promises: run with `-- --write`");
        failed = true;
    }
    if check && failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
