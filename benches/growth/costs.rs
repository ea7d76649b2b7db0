//! The table of `src/docs/guide/costs.md`: what each operation costs. `--write` writes it, `--check` compares it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::process::Command;

use crate::operations::OPERATIONS;
use crate::shapes::Unit;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/guide/costs.md");
const BEGIN: &str = "<!-- table: begin -->\n";
const END: &str = "<!-- table: end -->\n";

/// What is known of an operation.
#[derive(Default)]
pub(crate) struct Cost {
    /// Instructions of a unit in the largest tree of each shape on which they do not grow.
    pub(crate) instructions: Vec<f64>,
    /// What is paid beside that, on some shapes.
    pub(crate) grows: Option<&'static str>,
    /// Bytes of stack on a tree of 64 levels, optimised and not.
    stack: [Option<usize>; 2],
}

pub(crate) type Costs = BTreeMap<&'static str, Cost>;

/// Adds the stack, which `stack` is in this program, and which the same program takes when it is not optimised.
pub(crate) fn add_stack(
    costs: &mut Costs,
    stack: Vec<(&'static str, Option<usize>)>,
) -> Option<()> {
    let arguments =
        "bench --quiet --profile dev --features alloc --bench growth -- --stack".split(' ');
    let unoptimised = Command::new(env!("CARGO")).args(arguments).output().ok()?;
    let printed = String::from_utf8(unoptimised.stdout).ok()?;
    let lines: BTreeMap<_, _> = printed.lines().filter_map(|line| line.rsplit_once(": ")).collect();
    for (name, stack) in stack {
        let slow = lines.get(name)?.parse().ok();
        costs.entry(name).or_default().stack = [stack, slow];
    }
    Some(())
}

/// A number of instructions or bytes with two digits, rounded up.
fn rounded(number: f64) -> usize {
    let number = number.ceil() as usize;
    let step = [1, 10, 100, 1000].into_iter().find(|step| number < 100 * step).unwrap_or(10_000);
    number.div_ceil(step) * step
}

/// The cells of an operation that are numbers.
fn numbers(cost: &Cost) -> [Option<usize>; 4] {
    let mut instructions = cost.instructions.clone();
    instructions.sort_by(f64::total_cmp);
    let [median, most] = [instructions.get(instructions.len() / 2), instructions.last()];
    let [fast, slow] = cost.stack.map(|stack| stack.map(|bytes| rounded(bytes as f64)));
    [median.map(|count| rounded(*count)), most.map(|count| rounded(*count)), fast, slow]
}

fn table(costs: &Costs) -> String {
    let mut table = String::new();
    for (heading, rows) in HEADINGS.iter().zip(OPERATIONS) {
        let _ = write!(
            table,
            "\n# {heading}\n\n| operation | unit | median | most | stack | not optimised | beside that, on some trees |\n|---|---|---:|---:|---:|---:|---|\n"
        );
        for (name, unit, _) in *rows {
            let is_name = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
            let (function, rest) = name.split_at(name.find(|c| !is_name(c)).unwrap_or(name.len()));
            let unit = match unit {
                Unit::Call => "call",
                Unit::Byte | Unit::OwnByte => "byte",
                Unit::Node | Unit::OfPairs | Unit::OfExpressions => "node",
                Unit::Entry => "entry",
            };
            let cells = numbers(&costs[name])
                .map(|number| number.map_or("–".to_string(), |number| number.to_string()));
            let grows = costs[name].grows.unwrap_or_default();
            let _ = writeln!(
                table,
                "| `{function}`{rest} | {unit} | {} | {grows} |",
                cells.join(" | ")
            );
        }
    }
    table
}

/// Headings for the groups of operations.
const HEADINGS: [&str; 9] = [
    "Operations on structures",
    "Treedefs and their parts",
    "Differences",
    "Paths",
    "Texts",
    "Writing structures",
    "Dynamic trees",
    "Typed trees",
    "Call keys",
];

pub(crate) fn write(costs: &Costs) -> Option<()> {
    let page = fs::read_to_string(FILE).ok()?;
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    fs::write(FILE, format!("{before}{BEGIN}{}\n{END}{after}", table(costs))).ok()
}

/// What is wrong in the page: an operation is missing, gone, or costs a fifth more.
pub(crate) fn check(costs: &Costs) -> Vec<String> {
    let page = fs::read_to_string(FILE).unwrap_or_default();
    let (_, rest) = page.split_once(BEGIN).unwrap_or_default();
    let (written, _) = rest.split_once(END).unwrap_or_default();
    let rows = |table: &str| -> BTreeMap<String, Vec<Option<usize>>> {
        let rows = table.lines().filter(|line| line.starts_with("| `"));
        let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
        let row = |cells: Vec<&str>| {
            let numbers = cells.get(3..7)?.iter().map(|cell| cell.parse().ok()).collect();
            Some((cells[1..3].join(" a "), numbers))
        };
        cells.filter_map(row).collect()
    };
    let (now, written) = (rows(&table(costs)), rows(written));
    let mut wrong = Vec::new();
    for (name, numbers) in &now {
        match written.get(name) {
            None => wrong.push(format!("{name} is not in costs.md")),
            Some(promised) => {
                let is_worse = |(now, then): (&Option<usize>, &Option<usize>)| {
                    now.is_some_and(|now| then.is_none_or(|then| now > then + then / 5 + 16))
                };
                if numbers.iter().zip(promised).any(is_worse) {
                    wrong.push(format!("{name} costs {numbers:?}; costs.md says {promised:?}"));
                }
            }
        }
    }
    let gone = written.keys().filter(|name| !now.contains_key(*name));
    wrong.extend(gone.map(|name| format!("{name} is in costs.md and no row")));
    wrong
}
