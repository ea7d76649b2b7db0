//! What the program shows, in order.

use std::io::{IsTerminal, Write, stderr, stdout};

use treedef::CallKey;
use treedef::cache::Part;

use crate::calls::{Arguments, Caller, Event, Jit, ROOM, Typed};
use crate::cases::{self, Case, MOMENTUM, MOST_LEAVES, SGD, controller, layers, perceptron};
use crate::check::compare;
use crate::error::{CallError, shortened};
use crate::explain::explain;
use crate::models::{Activation, Fill, Gpt2, mlp, pairs};
use crate::optimizer::Optimizer;
use crate::site::Site;
use crate::tensor::Tensor;
use crate::timing::{Time, stages, time};

/// Prints a line. Whoever reads the output may stop when it has seen enough: the program runs on.
macro_rules! say {
    ($($text:tt)*) => {
        _ = writeln!(stdout(), $($text)*)
    };
}

/// Steps of each case that are compared with plain Rust.
const STEPS: usize = 100;

/// Tells the whole of it; whether all of it came out as it has to.
pub fn tell() -> Result<bool, CallError> {
    let mut jit = Jit::new(report)?;
    let cases = cases::all();
    let agreed = first_sight(&mut jit, &cases)?;
    misses(&mut jit)?;
    let kept = failures(&mut jit)?;
    let (known, stats) = (jit.compiled(), jit.stats());
    say!(
        "\nTHE TABLE: {} look-ups, {} hits, {known} compiled, {} could not be compiled",
        stats.hits + stats.misses,
        stats.hits,
        stats.misses - known
    );
    let shared = site(&mut jit)?;
    times(&mut jit, &cases)?;
    Ok(agreed && kept && shared)
}

/// Prints what happens on a miss.
fn report(event: &Event<'_>) {
    match *event {
        Event::Missed(key) => {
            if let Some(Part::TreeDef(def)) = key.parts().next() {
                say!("  miss: a key of {} bytes, {}", key.as_bytes().len(), shortened(def));
            }
        }
        Event::Progress(done, all) => progress(done, all),
        Event::Compiled { key, nearest, arrays, code_bytes, took } => {
            let took = took.as_secs_f64() * 1e3;
            say!(
                "  compiled {arrays} arrays of parameters in {took:.1} ms: {code_bytes} bytes of machine code"
            );
            if let Some(nearest) = nearest {
                why(nearest, key);
            }
        }
    }
}

/// Rewrites one line where somebody watches.
fn progress(done: usize, all: usize) {
    if !stderr().is_terminal() {
        return;
    }
    eprint!("\r  {done} of {all} arrays\x1b[K");
    if done == all {
        eprint!("\r  generating machine code\x1b[K\r");
    }
    // Without a terminal's line the program runs on.
    _ = stderr().flush();
}

fn why(nearest: CallKey<'_>, key: CallKey<'_>) {
    say!("  what changed since the nearest known key:");
    for line in explain(nearest, key).lines() {
        say!("    {line}");
    }
}

/// Each structure is compiled when it comes first, and what is computed is compared.
fn first_sight(jit: &mut Jit, cases: &[Case]) -> Result<bool, CallError> {
    say!("FIRST SIGHT: each structure is compiled once, and {STEPS} steps checked");
    let mut agreed = true;
    for case in cases {
        say!("\n{}, {}", case.name, case.optimizer.name());
        let found = compare(jit, &*case.arguments, &case.optimizer, STEPS)?;
        say!(
            "  against plain Rust: {} numbers, largest error {:e}, {} not equal bit for bit",
            found.elements,
            found.max_error,
            found.unequal
        );
        say!("  of {STEPS} calls {} compiled, the others found the code", found.compiled);
        agreed &= found.unequal == 0;
    }
    Ok(agreed)
}

/// Calls that are almost as before.
fn misses(jit: &mut Jit) -> Result<(), CallError> {
    say!("\nONE PLACE: hits, and misses explained");
    let adam = Optimizer::ADAM;
    let slower = Optimizer::Momentum { rate: 0.005, decay: 0.9 };
    let renamed = Gpt2 { widens: "fc_in", ..Gpt2::SMALL };
    let changes = [
        ("the list of layers as before, three times", layers(3), MOMENTUM, 3),
        ("another learning rate", layers(3), slower, 3),
        ("one layer more", layers(4), MOMENTUM, 3),
        ("a longer table of phases", controller(5), SGD, 3),
        ("another activation", perceptron(Activation::Tanh), MOMENTUM, 3),
        ("the names of another GPT-2", cases::gpt2(renamed), adam, 3),
    ];
    let mut caller = Caller::default();
    for (change, arguments, optimizer, calls) in &changes {
        say!("\n{change}");
        let before = jit.stats().misses;
        step(jit, &mut caller, &**arguments, optimizer, *calls)?;
        let compiled = jit.stats().misses - before;
        say!("  of {calls} calls {compiled} compiled, the others found the code");
    }
    Ok(())
}

fn step(
    jit: &mut Jit,
    caller: &mut Caller,
    arguments: &dyn Arguments,
    optimizer: &Optimizer,
    calls: usize,
) -> Result<(), CallError> {
    let mut leaves = [None; MOST_LEAVES];
    (0..calls).try_for_each(|_| caller.step(jit, arguments, &mut leaves, optimizer))
}

/// Calls that have no code: they are told why, and what was compiled is still there. Whether all of that is so.
fn failures(jit: &mut Jit) -> Result<bool, CallError> {
    say!("\nFAILURES: they say why, and nothing is lost");
    let mut random = cases::random();
    let (state, mut gradients) = (pairs(3, 24, &mut random), pairs(3, 24, &mut random));
    gradients[1].1 = Tensor::int_zeros(&[24]);
    let fewer = (pairs(3, 24, &mut random), pairs(2, 24, &mut random));
    let wrong: [(_, Box<dyn Arguments>); 2] = [
        ("a gradient of integers", Box::new(Typed((state, gradients)))),
        ("gradients of another structure", Box::new(Typed(fewer))),
    ];
    let (mut caller, mut kept) = (Caller::default(), true);
    for (what, arguments) in &wrong {
        say!("\n{what}");
        let known = jit.compiled();
        match step(jit, &mut caller, &**arguments, &SGD, 1) {
            Ok(()) => {
                say!("  compiled, which it must not be");
                kept = false;
            }
            Err(error) => say!("  error: {}", error.to_string().replace('\n', "\n  ")),
        }
        let misses = jit.stats().misses;
        step(jit, &mut caller, &*layers(3), &MOMENTUM, 1)?;
        let hit = jit.stats().misses == misses;
        let lost = known - jit.compiled();
        say!("  {lost} of {known} kernels lost; the list of layers is found: {hit}");
        kept &= hit && lost == 0;
    }
    Ok(kept)
}

/// A place whose arguments have one type: it finds the code of all, and then needs no key. Whether nothing is compiled again.
fn site(jit: &mut Jit) -> Result<bool, CallError> {
    say!("\nONE TYPE: a place that knows the type of its arguments");
    let mut random = cases::random();
    let tree = |fill: Fill<'_>| mlp(&[17, 64, 64, 6], Activation::Relu, fill);
    let state = (tree(&mut random), tree(&mut Tensor::zeros));
    let (arguments, mut site) = ((state, tree(&mut random)), Site::new());
    let before = jit.stats();
    for _ in 0..STEPS {
        site.step(jit, &arguments, &MOMENTUM)?;
    }
    let (hits, misses) = site.counts();
    let asked = (jit.stats().hits - before.hits, jit.stats().misses - before.misses);
    say!("  of {STEPS} calls {hits} found their code by the type, {misses} by a key");
    say!("  of these keys {} had code of another place, {} were compiled", asked.0, asked.1);
    let found = time(|| site.find(jit, &arguments, &MOMENTUM).map(drop))?;
    say!("  a call that is found takes {:.0} ns", found.nanoseconds);
    Ok((hits, misses, asked) == (STEPS - 1, 1, (1, 0)))
}

/// Where the time goes.
fn times(jit: &mut Jit, cases: &[Case]) -> Result<(), CallError> {
    say!("\nTIME OF A CALL in nanoseconds, medians\n");
    say!(
        "{:<25}{:>7}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "",
        "leaves",
        "flatten",
        "key",
        "look-up",
        "run",
        "spread"
    );
    for case in cases {
        let leaves = count(&*case.arguments)?;
        let stages = stages(jit, case)?;
        let all = [stages.flatten, stages.key, stages.look_up, stages.run];
        let spread = all.iter().map(|time| time.spread).fold(0.0, f64::max);
        let [flatten, key, look_up, run] = all.map(|Time { nanoseconds, .. }| nanoseconds);
        say!(
            "{:<25}{leaves:>7}{flatten:>9.0}{key:>9.0}{look_up:>9.0}{run:>9.0}{:>8.0}%",
            case.name,
            spread * 100.0
        );
    }
    say!("\nspread: the range of the middle half of the samples, in the stage that is worst");
    Ok(())
}

fn count(arguments: &dyn Arguments) -> Result<usize, CallError> {
    let (mut bytes, mut leaves) = ([0; ROOM], [None; MOST_LEAVES]);
    Ok(arguments.flatten(&mut bytes, &mut leaves)?.1)
}
