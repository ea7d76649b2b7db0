//! How the public functions grow: instructions for each unit of work in trees of different sizes, and for four of them in
//! trees of different depths, under callgrind.
//!
//! `cargo bench --features alloc --bench growth` prints what grows; with names of shapes as arguments, all rows of those. With `--check`
//! it also fails where [`GROWS`] disagrees, where a public function has no row, and where one costs more than `src/docs/guide/costs.md`
//! says, whose table `--write` writes. `--long` takes the time of trees of up to a million nodes instead. `--stack` prints the stack.

use std::env;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use callgrind::{chosen, counted, counts};
use costs::Costs;
use grows::GROWS;
use left_out::compare_with_api;
use operations::{OPERATIONS, Row};
use shapes::{Input, SHAPES, SIZES, Shape, Trees, Unit};
use treedef::Node;
use treedef::dynamic::unflatten_len;

#[path = "../callgrind/mod.rs"]
mod callgrind;
mod costs;
mod grows;
mod left_out;
mod operations;
#[path = "../../tests/support/public.rs"]
mod public;
mod shapes;
mod stack;

/// Operations of more units are left out, because they take long: the paths of a deep tree.
const MOST: usize = 1_000_000;

/// The sizes of which the time is taken.
const LONG_SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];

/// Whether the costs of a unit, in instructions, at these sizes show that it grows.
///
/// Between the larger sizes a tenth is allowed, and an instruction for loops of `memcpy`. In the smallest trees the one
/// child that is not read, because it is the last, counts for something.
fn counts_grow(costs: &[f64]) -> bool {
    match *costs {
        [small, larger] => larger > 1.1 * small,
        [small, .., middle, large] => middle > 2.0 * small + 1.0 || large > 1.1 * middle + 1.0,
        _ => false,
    }
}

/// Whether the times of a unit show that it grows: a tree that leaves the caches may cost more, but not in proportion to
/// its size, and so may memory that is new.
fn times_grow(costs: &[f64]) -> bool {
    matches!(*costs, [small, .., large] if large > 8.0 * small + 25.0)
}

fn rows() -> impl Iterator<Item = &'static Row> {
    OPERATIONS.iter().copied().flatten()
}

/// Whether an operation is measured on trees of a shape: some shapes name their operations, and billions of nodes take too
/// long.
fn fits(shape: &Shape, (name, unit, _): &Row) -> bool {
    let is_named = shape.rows.is_empty() || shape.rows.contains(name);
    is_named && (!shape.claims || matches!(unit, Unit::Byte | Unit::OwnByte | Unit::Call))
}

/// At how many sizes the table says that an operation runs on trees of a shape, because it grows, and why it does.
fn grows(shape: &Shape, (name, ..): &Row) -> Option<(usize, &'static str)> {
    let is_shape = |shapes: &[&str]| shapes.is_empty() || shapes.contains(&shape.name);
    let found = GROWS.iter().find(|(names, shapes, ..)| names.contains(name) && is_shape(shapes));
    found.map(|(_, _, sizes, why)| (*sizes, *why))
}

/// The operations on trees of a shape at the size with this index, in the order in which they run.
fn cases(shape: &'static Shape, size: usize) -> impl Iterator<Item = &'static Row> {
    let all = rows().filter(move |row| fits(shape, row));
    all.filter(move |row| grows(shape, row).is_none_or(|(sizes, _)| size < sizes))
}

/// What was measured of one operation on trees of a shape.
struct Measured {
    row: &'static Row,
    /// What a unit costs at each size.
    costs: Vec<f64>,
    /// Whether it was refused at every size.
    refused: bool,
}

/// Trees with memory for what is made of them.
fn input(trees: Trees<'static>) -> Input<'static> {
    const LIMIT: usize = 4 * MOST;
    let nodes = if trees.def.num_nodes() < LIMIT { unflatten_len(trees.def) } else { 0 };
    Input::new(trees, LIMIT, vec![Node::None; nodes].leak())
}

/// Runs the operations on trees of a shape, and prints for each the number of units and whether the tree was refused.
fn run(shape: &'static Shape) {
    for (index, size) in shape.sizes.iter().enumerate() {
        let mut input = input((shape.trees)(*size));
        for (_, unit, operation) in cases(shape, index) {
            let (units, mut done) = (input.units(*unit), None);
            counted(&mut || done = if units > MOST { None } else { operation(&mut input) });
            println!("{units} {}", u8::from(done.is_none()));
        }
    }
}

/// The instructions of a unit for each operation; `None` if callgrind is not installed or an operation panics.
fn count(index: usize, shape: &'static Shape) -> Option<Vec<Measured>> {
    let (printed, counts) = counts(index)?;
    let mut all: Vec<_> = rows()
        .filter(|row| fits(shape, row))
        .map(|row| Measured { row, costs: Vec::new(), refused: true })
        .collect();
    let mut found = printed.lines().zip(counts);
    for size in 0..shape.sizes.len() {
        for (name, ..) in cases(shape, size) {
            let (line, instructions) = found.next()?;
            let (units, refused) = line.split_once(' ')?;
            let measured = all.iter_mut().find(|measured| measured.row.0 == *name)?;
            measured.costs.push(instructions as f64 / units.parse::<f64>().ok()?);
            measured.refused &= refused == "1";
        }
    }
    Some(all)
}

/// The nanoseconds of a unit for each operation that does not grow.
fn time(shape: &'static Shape) -> Vec<Measured> {
    let mut all: Vec<_> = rows()
        .filter(|row| fits(shape, row) && grows(shape, row).is_none())
        .map(|row| Measured { row, costs: Vec::new(), refused: true })
        .collect();
    for size in LONG_SIZES {
        let mut input = input((shape.trees)(size));
        for measured in &mut all {
            let (_, unit, operation) = measured.row;
            let units = input.units(*unit);
            if units > 100 * MOST {
                continue;
            }
            let mut best = Duration::MAX;
            for _ in 0..3 {
                let start = Instant::now();
                measured.refused &= operation(&mut input).is_none();
                best = best.min(start.elapsed());
            }
            measured.costs.push(best.as_nanos() as f64 / units as f64);
        }
    }
    all
}

/// What is wrong between the rows, the public functions and the tables.
fn compare_tables() -> Vec<String> {
    let mut wrong = compare_with_api(Path::new(env!("CARGO_MANIFEST_DIR")));
    let again =
        rows().enumerate().filter(|(index, row)| rows().take(*index).any(|other| other.0 == row.0));
    wrong.extend(again.map(|(_, row)| format!("{} names two rows", row.0)));
    for (names, shapes, ..) in GROWS {
        let rows = names.iter().filter(|name| rows().all(|row| row.0 != **name));
        wrong.extend(rows.map(|name| format!("{name} is said to grow and is no row")));
        let gone = shapes.iter().filter(|name| SHAPES.iter().all(|shape| shape.name != **name));
        wrong.extend(gone.map(|name| format!("{name} is no shape")));
    }
    wrong
}

fn main() -> ExitCode {
    if let Some(shape) = chosen().and_then(|index| SHAPES.get(index)) {
        run(shape);
        return ExitCode::SUCCESS;
    }
    let arguments: Vec<_> = env::args().skip(1).collect();
    let given = |name: &str| arguments.iter().any(|argument| argument == name);
    let (check, long) = (given("--check"), given("--long"));
    if given("--stack") {
        for (name, stack) in stack::of_rows(rows()).unwrap_or_default() {
            println!("{name}: {}", stack.map_or("refused".into(), |bytes| bytes.to_string()));
        }
        return ExitCode::SUCCESS;
    }
    let chosen = |shape: &Shape| given(shape.name);
    let all = !SHAPES.iter().any(chosen);
    // Depths end at a limit, so that there are no long ones.
    let runs = |shape: &Shape| (all || chosen(shape)) && (!long || shape.sizes == SIZES);
    let mut wrong = if check { compare_tables() } else { Vec::new() };
    let (mut accepted, mut costs) = (Vec::new(), Costs::new());
    for (index, shape) in SHAPES.iter().enumerate().filter(|(_, shape)| runs(shape)) {
        let start = Instant::now();
        let measured = if long { Some(time(shape)) } else { count(index, shape) };
        let Some(measured) = measured else {
            println!("{}: not counted; is valgrind installed?", shape.name);
            return if check { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        };
        println!("{}: {} operations, {} s", shape.name, measured.len(), start.elapsed().as_secs());
        for Measured { row, costs: costs_of_unit, refused } in measured {
            let (name, costs_of_largest) = (row.0, costs_of_unit.last().copied());
            if !refused {
                accepted.push(name);
            }
            let grow = if long {
                !refused && times_grow(&costs_of_unit)
            } else {
                counts_grow(&costs_of_unit)
            };
            let cost = costs.entry(name).or_default();
            match (grows(shape, row), costs_of_largest) {
                (Some((_, what)), _) => cost.grows = Some(what),
                (None, Some(largest)) if !refused => cost.instructions.push(largest),
                _ => {}
            }
            let verdict = match (grow, grows(shape, row)) {
                (true, None) => {
                    wrong.push(format!("{name} grows on trees of shape {}", shape.name));
                    "GROWS"
                }
                (false, Some(_)) => {
                    wrong.push(format!("{name} grows no more on trees of shape {}", shape.name));
                    "grows no more"
                }
                (true, Some((_, what))) => what,
                (false, None) => "",
            };
            if !all || !verdict.is_empty() {
                let costs: String =
                    costs_of_unit.iter().map(|cost| format!("{cost:12.1}")).collect();
                println!(
                    "    {name:34}{costs}{}  {verdict}",
                    if refused { "  refused" } else { "" }
                );
            }
        }
    }
    if all && !long {
        let never = rows().filter(|(name, ..)| !accepted.contains(name));
        wrong.extend(never.map(|(name, ..)| format!("{name} is refused on all trees")));
        let stack = stack::of_rows(rows()).unwrap_or_default();
        if (check || given("--write")) && costs::add_stack(&mut costs, stack).is_none() {
            wrong.push("no stack was measured".into());
        } else if given("--write") {
            wrong.extend(costs::write(&costs).is_none().then(|| "costs.md was not written".into()));
        } else if check {
            wrong.extend(costs::check(&costs));
        }
    }
    wrong.iter().for_each(|wrong| println!("WRONG: {wrong}"));
    if check && !wrong.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
