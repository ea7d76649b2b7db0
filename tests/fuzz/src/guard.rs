//! The limits of every target: what an input may cost in time, stack and heap.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The bytes of heap that each byte of input may take, beside the constant of the target.
const HEAP: usize = 64;

/// Every input of this number runs on a small stack, because a thread for each would take most of the time.
const EACH: usize = 64;

/// What a target needs itself.
pub struct Limits {
    /// The milliseconds that a kilobyte of input may take, in code with all checks.
    pub time: u64,
    /// The bytes of the stack: 64 kB, and the frames of the target.
    pub stack: usize,
    /// The bytes of heap for any input.
    pub heap: usize,
    /// Whether the target keeps memory, as a model may.
    pub keeps: bool,
}

thread_local! {
    /// The bytes that this thread has on the heap, and the most that it had.
    static NOW: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

/// Counts the bytes on the heap. What another thread frees is counted there, so the numbers wrap.
struct Counting;

fn count(more: usize, less: usize) {
    let now = NOW.get().wrapping_add(more).wrapping_sub(less);
    NOW.set(now);
    if now.wrapping_sub(PEAK.get()) < usize::MAX / 2 {
        PEAK.set(now);
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[expect(unsafe_code, reason = "an allocator is unsafe")]
// SAFETY: each call goes to the allocator of the system as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller keeps the rules of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller keeps the rules of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the caller keeps the rules of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller keeps the rules of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// The time that this thread had a processor, where the system says it.
pub fn on_processor() -> Option<Duration> {
    let (mut text, mut file) = ([0; 64], File::open("/proc/thread-self/schedstat").ok()?);
    let count = file.read(&mut text).ok()?;
    let nanoseconds = str::from_utf8(&text[..count]).ok()?.split(' ').next()?;
    nanoseconds.parse().ok().map(Duration::from_nanos)
}

/// What a run took: time, the most bytes of heap, and those that it kept.
fn measure(run: &(impl Fn() + Sync)) -> (Duration, usize, usize) {
    let before = NOW.get();
    PEAK.set(before);
    let (start, at) = (Instant::now(), on_processor());
    run();
    let time = match (at, on_processor()) {
        (Some(at), Some(end)) => end.saturating_sub(at),
        _ => start.elapsed(),
    };
    (time, PEAK.get().wrapping_sub(before), NOW.get().wrapping_sub(before))
}

/// Runs a target on an input, and panics if it takes more than its limits, or keeps memory. What is too much is measured
/// again, because what is made once is not made again.
pub fn check(data: &[u8], limits: &Limits, run: impl Fn() + Sync) {
    let most = Duration::from_millis(limits.time * data.len().div_ceil(1024).max(1) as u64);
    let is_small = RUNS.fetch_add(1, Relaxed).is_multiple_of(EACH);
    let mut best = (Duration::MAX, usize::MAX, usize::MAX);
    for _ in 0..3 {
        let (time, heap, kept) = match is_small {
            // A new thread keeps memory of its own up to its end.
            true => {
                let (time, heap, _) = on_a_small_stack(limits.stack, &|| measure(&run));
                (time, heap, 0)
            }
            false => measure(&run),
        };
        best = (best.0.min(time), best.1.min(heap), best.2.min(kept));
        if best.0 <= most && (limits.keeps || best.2 == 0) {
            break;
        }
    }
    let ((time, heap, kept), len) = (best, data.len());
    assert!(limits.keeps || kept == 0, "{kept} bytes are kept on the heap");
    assert!(time <= most, "{len} bytes take {time:?}");
    let room = limits.heap + HEAP * len;
    assert!(heap <= room, "{len} bytes take {heap} bytes of heap, and may take {room}");
}

/// Runs a function on a thread whose stack has this size: more ends the process.
pub fn on_a_small_stack<R: Send>(size: usize, run: &(impl Fn() -> R + Sync)) -> R {
    std::thread::scope(|scope| {
        let thread = Builder::new().stack_size(size).spawn_scoped(scope, run).expect("a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
