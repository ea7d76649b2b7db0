//! No function without the `alloc` feature allocates: counted by the allocator, over the calls of the link proof.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::ptr;

#[path = "../no_std-check/src/calls/mod.rs"]
mod calls;

/// The system's allocator, which counts the requests of each thread, and refuses them where a thread has no heap left.
struct Counting;

thread_local! {
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
    /// The most bytes that one request asked for.
    static LARGEST: Cell<usize> = const { Cell::new(0) };
    /// The requests that are still granted.
    static GRANTED: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Counts a request of this many bytes, and answers whether it is granted.
fn count(bytes: usize) -> bool {
    REQUESTS.set(REQUESTS.get() + 1);
    LARGEST.set(LARGEST.get().max(bytes));
    let granted = GRANTED.get();
    if granted != usize::MAX {
        GRANTED.set(granted.saturating_sub(1));
    }
    granted > 0
}

#[expect(unsafe_code, reason = "an allocator is unsafe by nature")]
// SAFETY: every request goes to `System` as it came, or is refused as an allocator may; the counters are
// constant-initialised cells without a destructor, so that counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !count(layout.size()) {
            return ptr::null_mut();
        }
        // SAFETY: the caller's promise about `layout` is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System` with this `layout`, through `alloc` or `realloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !count(size) {
            return ptr::null_mut();
        }
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
    for (group, call) in calls::ALL.iter().chain(calls::HEAPLESS) {
        let (made, done) = requests(call);
        assert_eq!(done, Some(()), "{group}: a call did not answer as it should");
        assert_eq!(made, 0, "{group}: requests to the allocator");
    }
}

/// A buffer that doubles is less than twice what writing needs, however far above that the bound is. It begins with 2 kB.
#[cfg(feature = "alloc")]
#[test]
fn a_structure_on_the_heap_takes_less_than_twice_what_it_needs() {
    use std::collections::BTreeMap;
    use treedef::encode::structure_bound;
    use treedef::structure_into;

    let mut ratios = [0; 2];
    for count in (1..2000).step_by(31) {
        let row: Vec<_> =
            (0..count).map(|index| (index % 3 > 0).then_some(vec![1.0f32; index])).collect();
        // Equal fields are only found to be equal when they are written.
        let tree = [(); 5].map(|()| BTreeMap::from([("row", row.clone())]));
        let tree = <(_, _, _, _, _)>::from(tree);
        let mut bytes = vec![0; structure_bound(&tree).unwrap()];
        let fits =
            |room: usize, bytes: &mut [u8]| structure_into(&tree, &mut bytes[..room]).is_ok();
        let (mut short, mut needed) = (0, bytes.len());
        while short + 1 < needed {
            let room = short.midpoint(needed);
            if fits(room, &mut bytes) { needed = room } else { short = room }
        }
        LARGEST.set(0);
        let def = treedef::structure(&tree).unwrap();
        let largest = LARGEST.get();
        assert!(largest < 2 * needed || largest == 2048, "{largest} bytes for {needed}");
        ratios[0] = ratios[0].max(bytes.len() / def.as_ref().len());
        ratios[1] = ratios[1].max(largest * 2 / needed);
    }
    assert!(
        ratios[0] >= 4 && ratios[1] >= 3,
        "neither bound nor buffer ever is far off: {ratios:?}"
    );
}

#[cfg(feature = "hashbrown")]
#[test]
fn a_hit_in_a_map_of_keys_does_not_allocate() {
    use hashbrown::hash_map::EntryRef;
    use treedef::cache::{ByFingerprint, FingerprintState, KeyBox};
    use treedef::{CallKey, TreeDef};

    let keys = [TreeDef::LEAF, TreeDef::NONE].map(CallKey::of);
    let mut known = hashbrown::HashMap::<KeyBox, u32>::new();
    let mut fast = hashbrown::HashMap::<ByFingerprint<KeyBox>, u32, FingerprintState>::default();
    let mut run = |key: CallKey<'_>| {
        let by_fingerprint = ByFingerprint::from(key);
        let known = match known.entry_ref(&key) {
            EntryRef::Occupied(entry) => entry.into_mut(),
            EntryRef::Vacant(entry) => entry.insert_with_key((&key).into(), 1),
        };
        let fast = match fast.entry_ref(&by_fingerprint) {
            EntryRef::Occupied(entry) => entry.into_mut(),
            EntryRef::Vacant(entry) => entry.insert_with_key((&by_fingerprint).into(), 2),
        };
        (*known, *fast)
    };
    let (made, done) = requests(|| keys.map(&mut run));
    assert!(made >= 6, "an insertion allocates");
    assert_eq!(done, [(1, 2); 2]);
    let (made, done) = requests(|| keys.map(&mut run));
    assert_eq!((made, done), (0, [(1, 2); 2]));
}

/// Runs `work` on a heap that grants so many requests.
#[cfg(feature = "alloc")]
fn with_requests<T>(granted: usize, work: impl FnOnce() -> T) -> T {
    GRANTED.set(granted);
    let result = work();
    GRANTED.set(usize::MAX);
    result
}

#[cfg(feature = "alloc")]
#[test]
fn a_key_for_which_the_heap_has_no_room_is_refused() {
    use treedef::cache::KeyBox;
    use treedef::{CallKey, Error, treedef};

    let key = CallKey::of(treedef!({"weight": *}));
    let needed = key.as_bytes().len();
    let refused = with_requests(0, || KeyBox::try_from(key));
    assert_eq!(refused.unwrap_err(), Error::CallKeyFull { needed, room: 0 });
    assert_eq!(with_requests(1, || KeyBox::try_from(key)).unwrap(), key);
}

/// A buffer that held a key as long takes another one without a request to the allocator.
#[cfg(feature = "alloc")]
#[test]
fn keys_of_one_length_are_written_into_one_allocation() {
    use treedef::CallKey;

    let (mut bytes, tree) = (Vec::new(), vec![Some(1.0f32); 100]);
    for round in 0..3u32 {
        let (made, len) = requests(|| {
            let key = CallKey::build(&mut bytes, |key| {
                key.structure(&tree).bytes(&[7; 90]).meta(&round);
            });
            key.map(|key| key.as_bytes().len())
        });
        assert!(len.is_ok_and(|len| len > 90));
        assert_eq!(made > 0, round == 0, "{made} requests in round {round}");
    }
}

/// A dictionary in falling order allocates one list where it is long, and is refused where the heap has no room.
#[cfg(feature = "hashbrown")]
#[test]
fn long_dictionaries_out_of_order_take_one_list() {
    use treedef::dynamic::{Flatten, MAX_UNSORTED_KEYS, Open};
    use treedef::{Error, Object};

    #[derive(Clone, Copy)]
    struct Falling(u16);
    impl Object for Falling {
        type Leaf = u16;
        fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
            match self {
                Falling(0) => open.leaf(0),
                Falling(count) => open.dict((0..count).map(|i| (i64::from(count - i), Falling(0)))),
            }
        }
    }
    let room = MAX_UNSORTED_KEYS;
    for (count, lists) in [(2, 0), (64, 0), (65, 1), (1000, 1)] {
        let mut bytes = [0; 3000];
        let (made, count_made) = requests(|| {
            Flatten::new().structure_into(Falling(count), &mut bytes).map(|def| def.num_leaves())
        });
        assert_eq!((made, count_made), (lists, Ok(count.into())));
        let error = Error::TooManyKeys { needed: count.into(), room };
        let without = with_requests(0, || Flatten::new().num_leaves(Falling(count)));
        assert_eq!(without, if lists > 0 { Err(error) } else { Ok(count.into()) });
    }
}
