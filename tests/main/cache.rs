//! Caches: against plain models over random programs, with honest fingerprints and with ones that collide.

use proptest::prelude::*;
use std::rc::Rc;
use treedef::cache::{CacheStats, KeyBuf};
use treedef::{Cache, CallKey, Error, TreeDef, treedef};

/// Treedefs that are alike: of equal length, prefixes of each other, different in the last byte.
const DEFS: [TreeDef<'static>; 12] = [
    TreeDef::LEAF,
    TreeDef::NONE,
    treedef!((*, *)),
    treedef!([*, *]),
    treedef!((*, None)),
    treedef!({"w": *}),
    treedef!({"v": *}),
    treedef!({"w": None}),
    treedef!({"w": (*, *)}),
    treedef!([(*, *), (*, *), (*, *)]),
    treedef!([(*, *), (*, *), (*, *), (*, *)]),
    treedef!({"a much longer key than the others have": *}),
];

/// How keys get their fingerprints.
#[derive(Clone, Copy, Debug)]
enum Hash {
    Honest,
    /// All equal; the largest leads to the last position of every table.
    Equal(u64),
    /// Two kinds, neighbours in every table.
    Two,
}

impl Hash {
    fn of(self, bytes: &[u8]) -> u64 {
        match self {
            Hash::Honest => honest(bytes),
            Hash::Equal(hash) => hash,
            Hash::Two => two(bytes),
        }
    }

    fn key(self, key: usize) -> CallKey<'static> {
        let key = CallKey::of(DEFS[key]);
        key.with_fingerprint(self.of(key.as_bytes()))
    }
}

fn honest(bytes: &[u8]) -> u64 {
    CallKey::of(TreeDef::from_bytes(bytes).unwrap()).fingerprint()
}

fn two(bytes: &[u8]) -> u64 {
    if bytes.len().is_multiple_of(2) { 0 } else { u64::MAX }
}

fn hash() -> impl Strategy<Value = Hash> {
    prop::sample::select(vec![Hash::Honest, Hash::Equal(0), Hash::Equal(u64::MAX), Hash::Two])
}

/// One call on a cache; keys are places in `DEFS`.
#[derive(Clone, Copy, Debug)]
enum Call {
    Get(usize),
    Peek(usize),
    Insert(usize),
    Fail(usize),
    Remove(usize),
    Evict,
    Clear,
}

fn call() -> impl Strategy<Value = Call> {
    let key = 0..DEFS.len();
    prop_oneof![
        4 => key.clone().prop_map(Call::Get),
        1 => key.clone().prop_map(Call::Peek),
        8 => key.clone().prop_map(Call::Insert),
        1 => key.clone().prop_map(Call::Fail),
        2 => key.prop_map(Call::Remove),
        1 => Just(Call::Evict),
        1 => (0..20u8).prop_map(|all| if all == 0 { Call::Clear } else { Call::Evict }),
    ]
}

/// A value that says whose it is; counted, so that none is lost or dropped twice.
type Made = Rc<(usize, usize)>;

/// What a call answers: the value that it saw, took out or made.
type Answer = Result<Option<Made>, Error>;

/// The documented behaviour of a cache, written plainly.
struct Model {
    /// Longest key, and most entries.
    bounds: (usize, usize),
    entries: Vec<(usize, Made, bool)>,
    hand: usize,
    stats: CacheStats,
}

impl Model {
    fn new(bounds: (usize, usize)) -> Self {
        Self { bounds, entries: vec![], hand: 0, stats: CacheStats::default() }
    }

    fn victim(&mut self) -> usize {
        while self.entries[self.hand].2 {
            self.entries[self.hand].2 = false;
            self.hand = (self.hand + 1) % self.entries.len();
        }
        self.stats.evictions += 1;
        self.hand
    }

    fn take(&mut self, at: usize) -> Made {
        let (_, value, _) = self.entries.swap_remove(at);
        if self.hand >= self.entries.len() {
            self.hand = 0;
        }
        value
    }

    fn look_up(&mut self, key: usize) -> Option<Made> {
        let found = self.entries.iter_mut().find(|entry| entry.0 == key);
        self.stats.hits += u64::from(found.is_some());
        found.map(|entry| {
            entry.2 = true;
            entry.1.clone()
        })
    }

    fn run(&mut self, call: Call, made: &Made) -> Answer {
        match call {
            Call::Get(key) => Ok(self.look_up(key)),
            Call::Peek(key) => {
                Ok(self.entries.iter().find(|entry| entry.0 == key).map(|entry| entry.1.clone()))
            }
            Call::Insert(key) | Call::Fail(key) => {
                if let Some(value) = self.look_up(key) {
                    return Ok(Some(value));
                }
                self.stats.misses += 1;
                let (needed, room) = (DEFS[key].as_bytes().len(), self.bounds.0);
                if needed > room {
                    return Err(Error::CallKeyFull { needed, room });
                }
                if matches!(call, Call::Fail(_)) {
                    return Err(Error::TooLarge);
                }
                if self.entries.len() < self.bounds.1 {
                    self.entries.push((key, made.clone(), false));
                } else {
                    let victim = self.victim();
                    self.entries[victim] = (key, made.clone(), false);
                    self.hand = (victim + 1) % self.entries.len();
                }
                Ok(Some(made.clone()))
            }
            Call::Remove(key) => {
                let at = self.entries.iter().position(|entry| entry.0 == key);
                Ok(at.map(|at| self.take(at)))
            }
            Call::Evict if self.entries.is_empty() || self.bounds.1 == usize::MAX => Ok(None),
            Call::Evict => {
                let victim = self.victim();
                Ok(Some(self.take(victim)))
            }
            Call::Clear => {
                (self.entries, self.hand) = (vec![], 0);
                Ok(None)
            }
        }
    }
}

/// What is common to caches, as far as the model goes.
macro_rules! run {
    ($cache:ident, $hash:ident, $call:ident, $made:ident, evict: $evict:expr) => {
        match $call {
            Call::Get(key) => Ok($cache.get($hash.key(key)).cloned()),
            Call::Peek(key) => Ok($cache.peek($hash.key(key)).cloned()),
            Call::Insert(key) => {
                let value = $cache.get_or_insert_with($hash.key(key), || Ok($made.clone()));
                value.cloned().map(Some)
            }
            Call::Fail(key) => {
                let value = $cache.get_or_insert_with($hash.key(key), || Err(Error::TooLarge));
                value.cloned().map(Some)
            }
            Call::Remove(key) => Ok($cache.remove($hash.key(key))),
            Call::Evict => Ok($evict),
            Call::Clear => {
                $cache.clear();
                Ok(None)
            }
        }
    };
}

/// Runs a program on a cache and on the model, and compares all that can be seen.
macro_rules! compare {
    ($cache:expr, $bounds:expr, $hash:ident, $calls:ident, evict: |$of:ident| $evict:expr) => {{
        let (mut cache, mut model) = ($cache, Model::new($bounds));
        for (serial, call) in $calls.iter().copied().enumerate() {
            let made = match call {
                Call::Insert(key) => Rc::new((key, serial)),
                _ => Rc::new((usize::MAX, serial)),
            };
            let $of = &mut cache;
            let found: Answer = run!($of, $hash, call, made, evict: $evict);
            prop_assert_eq!(&found, &model.run(call, &made), "{:?}", call);
            if let (Call::Get(key) | Call::Peek(key) | Call::Insert(key), Ok(Some(value))) =
                (call, found)
            {
                prop_assert_eq!(value.0, key, "the value of another key");
            }
            prop_assert_eq!(cache.len(), model.entries.len());
            prop_assert_eq!(cache.is_empty(), model.entries.is_empty());
            prop_assert_eq!(cache.stats(), model.stats);
            let mut held: Vec<_> = cache.iter().map(|(key, value)| (key, value.clone())).collect();
            let mut known: Vec<_> =
                model.entries.iter().map(|(key, value, _)| ($hash.key(*key), value.clone())).collect();
            held.sort_by_key(|(_, value)| value.1);
            known.sort_by_key(|(_, value)| value.1);
            prop_assert_eq!(&held, &known);
            for ((held, _), (known, _)) in held.iter().zip(&known) {
                prop_assert_eq!(held.fingerprint(), known.fingerprint());
            }
        }
        let values: Vec<_> = model.entries.iter().map(|entry| entry.1.clone()).collect();
        drop(model);
        prop_assert!(values.iter().all(|value| Rc::strong_count(value) == 2), "held by the cache");
        drop(cache);
        prop_assert!(values.iter().all(|value| Rc::strong_count(value) == 1), "dropped with it");
    }};
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_fixed_cache_is_its_model(hash in hash(), calls in prop::collection::vec(call(), 0..120)) {
        compare!(Cache::<KeyBuf<8>, Made, 1>::new(), (8, 1), hash, calls, evict: |cache| cache.evict().map(|e| e.1));
        compare!(Cache::<KeyBuf<2>, Made, 3>::new(), (2, 3), hash, calls, evict: |cache| cache.evict().map(|e| e.1));
        compare!(Cache::<CallKey<'_>, Made, 8>::new(), (99, 8), hash, calls, evict: |cache| cache.evict().map(|e| e.1));
    }
}

#[test]
fn what_is_hit_is_spared_once() {
    let mut cache = Cache::<KeyBuf<64>, usize, 3>::new();
    let mut insert = |key: usize| {
        let value = cache.get_or_insert_with(CallKey::of(DEFS[key]), || Ok::<_, Error>(key));
        assert_eq!(value, Ok(&mut { key }));
        let mut held: Vec<_> = cache.iter().map(|(_, key)| *key).collect();
        held.sort_unstable();
        held
    };
    assert_eq!(insert(0), [0]);
    assert_eq!((insert(1), insert(2)), (vec![0, 1], vec![0, 1, 2]));
    assert_eq!(insert(0), [0, 1, 2]); // a hit
    assert_eq!(insert(3), [0, 2, 3]); // the hand spares 0 and takes 1
    assert_eq!(insert(4), [0, 3, 4]); // and goes on: 2
    assert_eq!(insert(5), [3, 4, 5]); // 0 has had its chance
}

/// What [`Cache`] and `GrowingCache` count of look-ups that belong together.
macro_rules! counts {
    ($cache:expr) => {{
        let (mut cache, [a, b]) = ($cache, [CallKey::of(DEFS[0]), CallKey::of(DEFS[1])]);
        let stats = |hits, misses| CacheStats { hits, misses, evictions: 0 };
        for key in [a, b, a] {
            if cache.get(key).is_none() {
                assert_eq!(cache.get_or_insert_with(key, || Ok::<_, Error>(1)), Ok(&mut 1));
            }
        }
        assert_eq!(cache.stats(), stats(1, 2));
        // What could not be made is missed again.
        let c = CallKey::of(DEFS[2]);
        assert!(cache.get(c).is_none());
        for misses in [3, 4] {
            assert!(cache.get_or_insert_with(c, || Err(Error::TooLarge)).is_err());
            assert_eq!(cache.stats(), stats(1, misses));
        }
    }};
}

#[test]
fn a_key_that_is_missed_and_then_made_is_one_miss() {
    counts!(Cache::<KeyBuf<8>, i32, 4>::new());
    #[cfg(feature = "hashbrown")]
    counts!(treedef::cache::GrowingCache::<treedef::cache::KeyBox, i32>::new());
}

/// A value whose drop panics, once, if it is told to.
struct Bomb(bool);

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(!std::mem::take(&mut self.0), "dropped");
    }
}

#[test]
fn a_cache_is_whole_after_a_drop_that_panics() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    let mut cache = Cache::<KeyBuf<8>, Bomb, 4>::new();
    for (at, def) in DEFS.iter().take(4).enumerate() {
        let made = cache.get_or_insert_with(CallKey::of(*def), || Ok::<_, Error>(Bomb(at == 1)));
        assert!(made.is_ok());
    }
    assert!(catch_unwind(AssertUnwindSafe(|| cache.clear())).is_err());
    assert_eq!((cache.len(), cache.iter().count()), (0, 0));
    assert!(DEFS.iter().all(|def| cache.peek(CallKey::of(*def)).is_none()));
    for (len, def) in (1..).zip(DEFS.iter().take(4)) {
        let made = cache.get_or_insert_with(CallKey::of(*def), || Ok::<_, Error>(Bomb(false)));
        assert!(made.is_ok());
        assert_eq!((cache.len(), cache.iter().count()), (len, len));
    }
    assert!(DEFS[..4].iter().all(|def| cache.get(CallKey::of(*def)).is_some()));
}

#[test]
fn a_cache_holds_every_set_of_keys_that_is_no_larger() {
    let defs: Vec<[u8; 3]> = (0..64).map(|i| [0x61, 2, i]).collect();
    let mut cache = Cache::<KeyBuf<8>, usize, 64>::new();
    let bytes: Vec<Vec<u8>> =
        defs.iter().map(|[head, _, i]| vec![*head, 2, 1, b'0' + i, 0]).collect();
    let keys: Vec<_> =
        bytes.iter().map(|bytes| CallKey::of(TreeDef::from_bytes(bytes).unwrap())).collect();
    for (at, key) in keys.iter().enumerate() {
        assert_eq!(cache.get_or_insert_with(*key, || Ok::<_, Error>(at)), Ok(&mut { at }));
    }
    assert!(keys.iter().enumerate().all(|(at, key)| cache.get(*key) == Some(&mut { at })));
    assert_eq!(cache.stats(), CacheStats { hits: 64, misses: 64, evictions: 0 });
    assert_eq!(
        format!("{cache:?}"),
        "Cache { len: 64, capacity: 64, stats: CacheStats { hits: 64, misses: 64, evictions: 0 } }"
    );
}

#[cfg(feature = "hashbrown")]
mod growing {
    use super::*;
    use treedef::cache::{GrowingCache, KeyBox};

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

        #[test]
        fn a_growing_cache_is_its_model(hash in hash(), calls in prop::collection::vec(call(), 0..120)) {
            compare!(GrowingCache::<KeyBox, Made>::new(), (99, usize::MAX), hash, calls, evict: |_cache| None);
            compare!(GrowingCache::<CallKey<'_>, Made>::new(), (99, usize::MAX), hash, calls, evict: |_cache| None);
            compare!(GrowingCache::<KeyBuf<4>, Made>::new(), (4, usize::MAX), hash, calls, evict: |_cache| None);
        }
    }

    #[test]
    fn many_keys_are_all_found() {
        let mut cache = GrowingCache::<KeyBox, usize>::new();
        let def = |i: usize, bytes: &mut [u8; 16]| {
            let key = format!("{i}");
            let mut builder = treedef::Writer::new(bytes);
            let dict = builder.begin_dict(&[&key]);
            builder.leaves(1);
            builder.end(dict);
            builder.finish().unwrap().as_bytes().len()
        };
        for round in 0..2 {
            for i in 0..20_000 {
                let mut bytes = [0; 16];
                let len = def(i, &mut bytes);
                let def = TreeDef::from_bytes(&bytes[..len]).unwrap();
                let value = cache.get_or_insert_with(def.into(), || Ok::<_, Error>(i));
                assert_eq!(value, Ok(&mut { i }), "round {round}");
            }
        }
        assert_eq!(cache.stats(), CacheStats { hits: 20_000, misses: 20_000, evictions: 0 });
    }
}
