//! No function without the `alloc` feature allocates: counted by the allocator, over the calls of the link proof.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

#[path = "../no_std-check/src/calls/mod.rs"]
mod calls;

/// The system's allocator, which counts the requests of each thread.
struct Counting;

thread_local! {
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    REQUESTS.set(REQUESTS.get() + 1);
}

#[expect(unsafe_code, reason = "an allocator is unsafe by nature")]
// SAFETY: every request goes to `System` as it came; the counter is a constant-initialised cell without a destructor, so
// that counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise about `layout` is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System` with this `layout`, through `alloc` or `realloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as for `dealloc`; the caller's promise about `size` is that of `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The requests that `work` makes on this thread.
fn requests<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = REQUESTS.get();
    let result = work();
    (REQUESTS.get() - before, result)
}

#[test]
fn the_allocator_counts() {
    let (made, bytes) = requests(|| black_box(vec![0u8; 10]));
    assert_eq!((made, bytes.len()), (1, 10));
}

#[test]
fn no_call_allocates() {
    for (group, call) in calls::ALL.iter().chain([&calls::INDEX_MAP]) {
        let (made, done) = requests(call);
        assert_eq!(done, Some(()), "{group}: a call did not answer as it should");
        assert_eq!(made, 0, "{group}: requests to the allocator");
    }
}

#[cfg(feature = "hashbrown")]
#[test]
fn a_hit_in_what_grows_does_not_allocate() {
    use treedef::{Arena, CallKey, GrowingCache, GrowingInterner, TreeDef};

    let keys = [TreeDef::LEAF, TreeDef::NONE].map(CallKey::of);
    let mut cache = GrowingCache::<Box<[u8]>, u32>::new();
    let mut room = [0; 16];
    let arena = Arena::new(&mut room);
    let interner = GrowingInterner::new(&arena);
    let mut run = |key: CallKey<'_>| {
        let value = *cache.get_or_insert_with(key, || Ok::<_, treedef::Error>(1))?;
        let found = (cache.get(key).copied(), cache.peek(key).copied());
        assert_eq!(found, (Some(value), Some(value)));
        let def = TreeDef::from_bytes(key.as_bytes()).expect("a treedef");
        interner.intern(def).map(|id| interner.get(def) == Some(id))
    };
    let (made, done) = requests(|| keys.map(&mut run));
    assert!(made > 0, "an insertion allocates");
    assert_eq!(done, [Ok(true); 2]);
    let (made, done) = requests(|| keys.map(&mut run));
    assert_eq!((made, done), (0, [Ok(true); 2]));
}
