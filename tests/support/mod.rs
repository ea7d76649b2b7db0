//! What several integration tests share: the conformance corpus, its runner, and a reference of the byte format.
//!
//! `wire`, `value`, `def` and `decode` state the byte format a second time, as plainly as possible, and `algebra` what
//! is done with structures; `corpus`, `rules` and `harness` read recorded answers of JAX and optree. They do without the
//! library. `library` states trees to it.
#![allow(dead_code, unreachable_pub, reason = "each test uses its part")]

use treedef::head::{HeadSpec, head_len};
use treedef::{Error, TreeDef, Writer};

pub mod wire;

pub mod value;

pub mod def;

pub mod decode;

pub mod algebra;

pub mod corpus;

pub mod rules;

pub mod harness;

pub mod library;

/// Runs `f` on a thread whose stack is deep enough for plain recursion over trees of 10^5 levels.
pub fn on_a_deep_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    on_stack(1 << 20, f)
}

/// Runs `f` on a thread with a stack of this number of kB.
pub fn on_stack<R: Send>(kilobytes: usize, f: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(kilobytes * 1024);
        let thread = thread.spawn_scoped(scope, f).unwrap();
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Writes a node with this head over these children.
pub fn node_of(head: &impl HeadSpec, children: &[TreeDef<'_>]) -> Result<Vec<u8>, Error> {
    let parts: usize = children.iter().map(|child| child.as_bytes().len()).sum();
    let mut bytes = vec![0xA5; head_len(head) + parts + 8];
    let mut out = Writer::new(&mut bytes);
    out.node(head, |out| children.iter().for_each(|child| out.subtree(*child)));
    out.finish().map(|def| def.as_bytes().to_vec())
}

/// A node over the given children, which lives as long as the test.
pub fn node(heading: &impl HeadSpec, children: &[TreeDef<'_>]) -> TreeDef<'static> {
    let mut builder = Writer::new(Vec::leak(vec![0; 4096]));
    let frame = builder.begin(heading);
    children.iter().for_each(|child| builder.subtree(*child));
    builder.end(frame);
    builder.finish().unwrap()
}
