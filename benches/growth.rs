//! How the operations on structures grow: instructions for each node at three sizes, under callgrind.
//!
//! `cargo bench --bench growth` prints the table, `cargo bench --bench growth -- --check` also fails where a node costs
//! more in a tree of a hundred times the size or the depth.

use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use callgrind::{chosen, count, counted};
use treedef::{
    Builder, Change, DictKind, DictOf, TreeDef, View, broadcast_common, broadcast_prefix, filter,
    flatten_up_to, head_into, replace_nones, structure_bound, structure_into, transpose, treedef,
};

mod callgrind;

/// How much more a node may cost at the largest size than at the smallest.
const GROWTH: f64 = 1.1;

/// What the operations work on.
struct Input {
    def: TreeDef<'static>,
    /// A prefix of it.
    prefix: TreeDef<'static>,
    /// What each leaf is to become.
    inner: TreeDef<'static>,
    leaves: Vec<u32>,
    marks: Vec<bool>,
    bytes: Vec<u8>,
    out: Vec<u32>,
    out2: Vec<u32>,
    some: Vec<Option<u32>>,
}

impl Input {
    fn new(def: TreeDef<'static>, prefix: TreeDef<'static>, inner: TreeDef<'static>) -> Self {
        let count = def.num_leaves();
        Self {
            def,
            prefix,
            inner,
            leaves: (0..).take(count).collect(),
            marks: (0..prefix.num_leaves()).map(|leaf| leaf % 3 == 0).collect(),
            bytes: vec![0; 8 * def.num_nodes() + 64],
            out: vec![0; 2 * count],
            out2: vec![0; 2 * count],
            some: vec![None; count],
        }
    }

    fn view(&self) -> View<'_, u32> {
        View::new(self.def, &self.leaves).unwrap_or_else(|_| unreachable!("its own leaves"))
    }
}

fn build(room: usize, build: impl FnOnce(&mut Builder<'_>)) -> TreeDef<'static> {
    let mut builder = Builder::new(vec![0; room].leak());
    build(&mut builder);
    builder.finish().expect("a whole tree")
}

/// A list of dicts no two of which are alike, each of 8 nodes, or of leaves where `cut` says so.
fn wide(count: usize, cut: impl Fn(usize) -> bool) -> TreeDef<'static> {
    build(64 * count, |builder| {
        let list = builder.begin_list(count).expect("room");
        for index in 0..count {
            if cut(index) {
                builder.leaves(1).expect("room");
                continue;
            }
            let keys = [format!("b{index}"), format!("k{index}"), format!("w{index}")];
            let keys = DictOf::new(DictKind::Sorted, keys.iter().map(String::as_str));
            let dict = builder.begin(&keys).expect("room");
            builder.leaves(1).expect("room");
            builder.none().expect("room");
            let pair = builder.begin_tuple(3).expect("room");
            builder.leaves(3).expect("room");
            builder.end(pair).expect("its frame");
            builder.end(dict).expect("its frame");
        }
        builder.end(list).expect("its frame");
    })
}

/// A leaf beside the next list, so deep.
fn chain(depth: usize) -> TreeDef<'static> {
    build(4 * depth + 4, |builder| {
        let mut frames = Vec::new();
        for _ in 0..depth {
            frames.push(builder.begin_list(2).expect("room"));
            builder.leaves(1).expect("room");
        }
        builder.leaves(1).expect("room");
        for frame in frames.into_iter().rev() {
            builder.end(frame).expect("its frame");
        }
    })
}

/// An ordered dict of leaves with keys of one length that fall.
fn falling(count: usize) -> TreeDef<'static> {
    build(8 * count + 16, |builder| {
        let keys: Vec<_> = (0..count).rev().map(|index| format!("{index:05}")).collect();
        let keys = DictOf::new(DictKind::Ordered, keys.iter().map(String::as_str));
        let dict = builder.begin(&keys).expect("room");
        builder.leaves(count).expect("room");
        builder.end(dict).expect("its frame");
    })
}

type Operation = fn(&mut Input);

const OPERATIONS: &[(&str, Operation)] = &[
    ("compose", |input| {
        let op = input.def.compose(black_box(input.inner));
        black_box(structure_into(&op, &mut input.bytes).expect("room"));
    }),
    ("compose, bounded", |input| {
        let op = input.def.compose(black_box(input.inner));
        black_box(structure_bound(&op).expect("fits"));
    }),
    ("transform", |input| {
        let op = input.def.transform(|_| Ok(black_box(Change::Keep)));
        black_box(structure_into(&op, &mut input.bytes).expect("room"));
    }),
    ("check_prefix_of", |input| {
        input.prefix.check_prefix_of(black_box(input.def)).expect("a prefix");
    }),
    ("prefix_cmp", |input| {
        black_box(input.def.prefix_cmp(black_box(input.prefix)).expect("room"));
    }),
    ("common_suffix", |input| {
        let op = input.def.common_suffix(black_box(input.prefix));
        black_box(structure_into(&op, &mut input.bytes).expect("room"));
    }),
    ("flatten_up_to", |input| {
        let parts = flatten_up_to(input.prefix, black_box(input.view())).expect("a prefix");
        black_box(parts.map(|part| part.leaves().len()).sum::<usize>());
    }),
    ("broadcast_prefix", |input| {
        let prefix = View::new(input.prefix, &input.marks).expect("its leaves");
        let mut marks = vec![false; input.def.num_leaves()];
        black_box(broadcast_prefix(prefix, input.def, &mut marks).expect("a prefix"));
    }),
    ("broadcast_common", |input| {
        let full = View::new(input.def, &input.leaves).expect("its leaves");
        let (ours, theirs) = (&mut input.out, &mut input.out2);
        black_box(broadcast_common(full, full, ours, theirs).expect("the same"));
    }),
    ("filter", |input| {
        let full = View::new(input.def, &input.leaves).expect("its leaves");
        let spec = View::new(input.prefix, &input.marks).expect("its leaves");
        black_box(filter(full, spec, &mut input.some).expect("a prefix"));
    }),
    ("masked", |input| {
        let marks: Vec<bool> = input.leaves.iter().map(|leaf| leaf % 3 == 0).collect();
        black_box(structure_into(&input.def.masked(&marks), &mut input.bytes).expect("room"));
    }),
    ("replace_nones", |input| {
        let full = View::new(input.def, &input.leaves).expect("its leaves");
        black_box(replace_nones(full, &7, &mut input.out).expect("room"));
    }),
    ("transpose", |input| {
        let full = View::new(input.def, &input.leaves).expect("its leaves");
        black_box(
            transpose(input.def, TreeDef::LEAF, full, &mut input.out).expect("its structure"),
        );
    }),
];

/// Operations on trees of a bounded depth.
const SHALLOW: &[(&str, Operation)] = &[("for_each_with_path", |input| {
    let mut entries = 0;
    let view = input.view();
    view.for_each_with_path(|path, _| entries += black_box(path).len()).expect("shallow");
    black_box(entries);
})];

/// Operations on the keys of one node.
const KEYS: &[(&str, Operation)] = &[
    ("from_bytes", |input| {
        black_box(TreeDef::from_bytes(black_box(input.def.as_bytes())).expect("a treedef"));
    }),
    ("head_into", |input| {
        let keys = DictOf::new(DictKind::Ordered, black_box(input.def.head()).keys());
        black_box(head_into(&keys, &mut input.bytes).expect("room"));
    }),
];

/// A name, sizes, what makes a tree of such a size and a prefix of it, and the operations on such trees.
type Shape =
    (&'static str, [usize; 3], fn(usize) -> Input, &'static [&'static [(&'static str, Operation)]]);

const SHAPES: &[Shape] = &[
    (
        "dicts",
        [30, 300, 3000],
        |count| {
            let prefix = wide(count, |index| index % 2 == 1);
            Input::new(wide(count, |_| false), prefix, treedef!((*, None)))
        },
        &[OPERATIONS, SHALLOW],
    ),
    // A composite leaf of each list would have to be compared with the list behind it, at every level.
    (
        "deep",
        [1000, 10_000, 100_000],
        |depth| Input::new(chain(depth), chain(depth / 2), TreeDef::LEAF),
        &[OPERATIONS],
    ),
    (
        "falling keys",
        [30, 300, 3000],
        |count| Input::new(falling(count), falling(count), TreeDef::LEAF),
        &[KEYS],
    ),
];

fn main() -> ExitCode {
    let cases = || {
        SHAPES.iter().flat_map(|shape| {
            let operations = shape.3.iter().copied().flatten();
            operations.flat_map(move |op| shape.1.iter().map(move |size| (shape, op, *size)))
        })
    };
    if let Some(index) = chosen() {
        let Some(((_, _, input, _), (_, run), size)) = cases().nth(index) else {
            return ExitCode::FAILURE;
        };
        let mut input = input(size);
        counted(&mut || run(&mut input));
        return ExitCode::SUCCESS;
    }
    let check = env::args().any(|arg| arg == "--check");
    let mut failed = false;
    let mut index = 0;
    for (name, sizes, input, operations) in SHAPES {
        println!("{name}: instructions for each node of trees of {sizes:?} {name}");
        for (operation, _) in operations.iter().copied().flatten() {
            let mut costs = [0.0; 3];
            for (cost, size) in costs.iter_mut().zip(sizes) {
                let Some(total) = count(index) else {
                    println!("    {operation}: not counted; is valgrind installed?");
                    return if check { ExitCode::FAILURE } else { ExitCode::SUCCESS };
                };
                *cost = total as f64 / input(*size).def.num_nodes() as f64;
                index += 1;
            }
            let [small, middle, large] = costs;
            let verdict = if large <= small * GROWTH { "" } else { "  GROWS" };
            println!("    {operation:24}{small:8.1}{middle:8.1}{large:8.1}{verdict}");
            failed |= large > small * GROWTH;
        }
    }
    if check && failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
