//! What a hit of a cache keyed by structure costs: flatten, make the key, look it up; in instructions and allocations.
//!
//! `cargo run --release --ignore-rust-version --manifest-path benches/peers/Cargo.toml` prints the table. Instructions are
//! counted by callgrind in the second call of a case, so that nothing is counted that happens once.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use callgrind::{chosen, count, counted};

mod allocator;
#[path = "../../callgrind/mod.rs"]
mod callgrind;
mod hand;
mod nuvec;
mod ours;
mod plain;
mod postcard;
mod ryft;
mod value;

/// What is done in every call, ready to be repeated.
type Call = Box<dyn FnMut()>;

/// One way to find what belongs to a tree.
struct Case {
    /// Which crate, and how.
    method: &'static str,
    /// Makes the tree and the cache that has it.
    prepare: fn() -> Call,
}

const fn case(method: &'static str, prepare: fn() -> Call) -> Case {
    Case { method, prepare }
}

/// A tree, the number of look-ups in one call, and ways to look it up; the others are compared with the first.
type Workload = (&'static str, usize, &'static [Case]);

const WORKLOADS: &[Workload] = &[
    (
        "motor configuration, typed, 12 leaves",
        1,
        &[
            case("treedef", ours::motor),
            case("derived Hash", hand::motor),
            case("postcard-schema", postcard::motor),
            case("ryft-core", ryft::motor),
            case("nuvec-core", nuvec::motor),
        ],
    ),
    (
        "48-layer train state, typed, 1741 leaves",
        1,
        &[
            case("treedef", ours::state),
            case("derived Hash", hand::state),
            case("postcard-schema", postcard::state),
            case("ryft-core", ryft::state),
            case("nuvec-core", nuvec::state),
        ],
    ),
    (
        "GPT-2 small, typed with a map of layers, 148 leaves",
        1,
        &[
            case("treedef", ours::layered),
            case("ryft-core", ryft::layered),
            case("nuvec-core", nuvec::layered),
        ],
    ),
    (
        "GPT-2 small, dynamic, 148 leaves",
        1,
        &[
            case("treedef, nodes", ours::gpt_nodes),
            case("treedef, maps", ours::gpt_maps),
            case("derived Hash, maps", hand::gpt),
            case("nuvec-core, maps", nuvec::gpt),
        ],
    ),
    (
        "48-layer train state, dynamic, 1741 leaves",
        1,
        &[
            case("treedef, nodes", ours::state_nodes),
            case("treedef, maps", ours::state_maps),
            case("derived Hash, maps", hand::state_maps),
            case("nuvec-core, maps", nuvec::state_maps),
        ],
    ),
    (
        "one of 3000 maps of one shape, typed, 3 leaves",
        value::RENAMED,
        &[
            case("treedef", ours::renamed_typed),
            case("ryft-core", ryft::renamed),
            case("nuvec-core", nuvec::renamed_typed),
        ],
    ),
    (
        "one of 3000 dicts of one shape, dynamic, 3 leaves",
        value::RENAMED,
        &[
            case("treedef, nodes", ours::renamed_nodes),
            case("treedef, maps", ours::renamed_maps),
            case("derived Hash, maps", hand::renamed),
            case("nuvec-core, maps", nuvec::renamed),
        ],
    ),
    (
        "a vector of 100 layers rebuilt, 600 leaves",
        1,
        &[case("treedef", ours::rebuild), case("ryft-core", ryft::rebuild)],
    ),
    (
        "structure of 100 layers with an option",
        1,
        &[
            case("treedef", ours::structure_of_options),
            case("nuvec-core", nuvec::structure_of_options),
        ],
    ),
];

/// A warm call of a case.
fn warm(case: &Case) -> Call {
    let mut call = (case.prepare)();
    call();
    call
}

/// The shortest time of a call in nanoseconds, of calls that take two tenths of a second together.
fn nanoseconds(mut call: Call) -> f64 {
    let (start, mut best) = (Instant::now(), Duration::MAX);
    while start.elapsed() < Duration::from_millis(200) {
        let start = Instant::now();
        (0..16).for_each(|_| call());
        best = best.min(start.elapsed());
    }
    best.as_nanos() as f64 / 16.0
}

fn main() -> ExitCode {
    let cases = || WORKLOADS.iter().flat_map(|(_, _, cases)| *cases);
    if let Some(index) = chosen() {
        let Some(case) = cases().nth(index) else { return ExitCode::FAILURE };
        counted(&mut *warm(case));
        return ExitCode::SUCCESS;
    }
    let mut index = 0;
    for (name, calls, cases) in WORKLOADS {
        println!("{name}");
        println!(
            "    {:26}{:>13}{:>9}{:>13}{:>11}",
            "", "instructions", "ratio", "allocations", "ns"
        );
        let mut first = None;
        for case in *cases {
            let allocations = allocator::requests(warm(case)) as f64 / *calls as f64;
            let Some(total) = count(index) else {
                println!("    {}: not counted; is valgrind installed?", case.method);
                return ExitCode::FAILURE;
            };
            index += 1;
            let each = total as f64 / *calls as f64;
            let ratio = each / *first.get_or_insert(each);
            let time = nanoseconds(warm(case)) / *calls as f64;
            println!("    {:26}{each:13.0}{ratio:9.2}{allocations:13.0}{time:11.0}", case.method);
        }
    }
    ExitCode::SUCCESS
}
