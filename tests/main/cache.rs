//! Caches: against plain models over random programs, with honest fingerprints and with ones that collide.

use proptest::prelude::*;
use std::rc::Rc;
use std::sync::RwLock;
use treedef::cache::{CacheStats, KeyBuf, KeyWriter};
use treedef::{Cache, CallKey, Error, TreeDef, treedef};

/// Treedefs that are alike: of equal length, prefixes of each other, different in the last byte.
pub(crate) const DEFS: [TreeDef<'static>; 12] = [
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
pub(crate) enum Hash {
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
pub(crate) enum Call {
    Get(usize),
    GetMut(usize),
    Peek(usize),
    /// Make the value if there is none.
    Make(usize),
    /// Store the value in any case.
    Insert(usize),
    Fail(usize),
    Remove(usize),
    Evict,
    /// Keep the values whose key is on even places.
    Retain,
    Clear,
}

fn call() -> impl Strategy<Value = Call> {
    let key = 0..DEFS.len();
    prop_oneof![
        3 => key.clone().prop_map(Call::Get),
        1 => key.clone().prop_map(Call::GetMut),
        1 => key.clone().prop_map(Call::Peek),
        5 => key.clone().prop_map(Call::Make),
        3 => key.clone().prop_map(Call::Insert),
        1 => key.clone().prop_map(Call::Fail),
        2 => key.prop_map(Call::Remove),
        1 => Just(Call::Evict),
        1 => (0..20u8).prop_map(|all| match all {
            0 => Call::Clear,
            1..5 => Call::Retain,
            _ => Call::Evict,
        }),
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
        match found {
            Some(_) => self.stats.hits += 1,
            None => self.stats.misses += 1,
        }
        found.map(|entry| {
            entry.2 = true;
            entry.1.clone()
        })
    }

    fn fits(&self, key: usize) -> Result<(), Error> {
        let (needed, room) = (DEFS[key].as_bytes().len(), self.bounds.0);
        if needed > room { Err(Error::CallKeyFull { needed, room }) } else { Ok(()) }
    }

    /// Puts a new entry, and returns the value that has to go for it.
    fn put(&mut self, key: usize, made: &Made) -> Option<Made> {
        if self.entries.len() < self.bounds.1 {
            self.entries.push((key, made.clone(), false));
            return None;
        }
        let victim = self.victim();
        let (_, value, _) =
            std::mem::replace(&mut self.entries[victim], (key, made.clone(), false));
        self.hand = (victim + 1) % self.entries.len();
        Some(value)
    }

    fn run(&mut self, call: Call, made: &Made) -> Answer {
        match call {
            Call::Get(key) | Call::GetMut(key) => Ok(self.look_up(key)),
            Call::Peek(key) => {
                Ok(self.entries.iter().find(|entry| entry.0 == key).map(|entry| entry.1.clone()))
            }
            Call::Make(key) | Call::Fail(key) => {
                if let Some(value) = self.look_up(key) {
                    return Ok(Some(value));
                }
                self.fits(key)?;
                if matches!(call, Call::Fail(_)) {
                    return Err(Error::TooLarge);
                }
                self.put(key, made);
                Ok(Some(made.clone()))
            }
            Call::Insert(key) => {
                self.fits(key)?;
                match self.entries.iter_mut().find(|entry| entry.0 == key) {
                    Some(entry) => Ok(Some(std::mem::replace(&mut entry.1, made.clone()))),
                    None => Ok(self.put(key, made)),
                }
            }
            Call::Retain => {
                for at in (0..self.entries.len()).rev() {
                    if !self.entries[at].0.is_multiple_of(2) {
                        self.take(at);
                    }
                }
                Ok(None)
            }
            Call::Remove(key) => {
                let at = self.entries.iter().position(|entry| entry.0 == key);
                Ok(at.map(|at| self.take(at)))
            }
            Call::Evict if self.entries.is_empty() => Ok(None),
            Call::Evict => {
                let victim = self.victim();
                let taken = self.take(victim);
                self.hand = if victim + 1 < self.entries.len() { victim + 1 } else { 0 };
                Ok(Some(taken))
            }
            Call::Clear => {
                (self.entries, self.hand) = (vec![], 0);
                Ok(None)
            }
        }
    }
}

/// Runs a program on a cache and on the model, and compares all that can be seen.
pub(crate) fn compare<K, const N: usize>(
    longest: usize,
    hash: Hash,
    calls: &[Call],
) -> Result<(), TestCaseError>
where
    K: AsRef<[u8]> + TryFrom<CallKey<'static>, Error: Into<Error>>,
{
    let (mut cache, mut model) = (Cache::<K, Made, N>::new(), Model::new((longest, N)));
    for (serial, call) in calls.iter().copied().enumerate() {
        let made = match call {
            Call::Make(key) | Call::Insert(key) => Rc::new((key, serial)),
            _ => Rc::new((usize::MAX, serial)),
        };
        let found: Answer = match call {
            Call::Get(key) => Ok(cache.get(hash.key(key)).cloned()),
            Call::GetMut(key) => Ok(cache.get_mut(hash.key(key)).cloned()),
            Call::Peek(key) => Ok(cache.peek(hash.key(key)).cloned()),
            Call::Make(key) => {
                let value = cache.get_or_insert_with(hash.key(key), || Ok(made.clone()));
                value.cloned().map(Some)
            }
            Call::Fail(key) => {
                let value = cache.get_or_insert_with(hash.key(key), || Err(Error::TooLarge));
                value.cloned().map(Some)
            }
            Call::Insert(key) => {
                let before = cache.insert(hash.key(key), made.clone());
                before.map(|entry| entry.map(|(_, value)| value))
            }
            Call::Remove(key) => Ok(cache.remove(hash.key(key))),
            Call::Evict => Ok(cache.evict().map(|(_, value)| value)),
            Call::Retain => {
                cache.retain(|_, value| value.0.is_multiple_of(2));
                Ok(None)
            }
            Call::Clear => {
                cache.clear();
                Ok(None)
            }
        };
        prop_assert_eq!(&found, &model.run(call, &made), "{:?}", call);
        if let (
            Call::Get(key) | Call::GetMut(key) | Call::Peek(key) | Call::Make(key),
            Ok(Some(value)),
        ) = (call, found)
        {
            prop_assert_eq!(value.0, key, "the value of another key");
        }
        prop_assert_eq!(cache.len(), model.entries.len());
        prop_assert_eq!(cache.is_empty(), model.entries.is_empty());
        prop_assert_eq!(cache.stats(), model.stats);
        let mut held: Vec<_> = cache.iter().map(|(key, value)| (key, value.clone())).collect();
        let mut known: Vec<_> =
            model.entries.iter().map(|(key, value, _)| (hash.key(*key), value.clone())).collect();
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
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_cache_is_its_model(hash in hash(), calls in prop::collection::vec(call(), 0..120)) {
        compare::<KeyBuf<8>, 1>(8, hash, &calls)?;
        compare::<KeyBuf<2>, 3>(2, hash, &calls)?;
        compare::<CallKey<'_>, 8>(99, hash, &calls)?;
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

#[test]
fn each_look_up_is_a_hit_or_a_miss() {
    let mut cache = Cache::<KeyBuf<8>, i32, 4>::new();
    let stats = |hits, misses| CacheStats { hits, misses, evictions: 0 };
    let [a, b, c] = [0, 1, 2].map(|at| CallKey::of(DEFS[at]));
    for key in [a, b, a] {
        if cache.get(key).is_none() {
            assert_eq!(cache.insert(key, 1), Ok(None));
        }
    }
    assert_eq!((cache.peek(a), cache.stats()), (Some(&1), stats(1, 2)));
    // What could not be made is missed again.
    for misses in [3, 4] {
        assert!(cache.get_or_insert_with(c, || Err(Error::TooLarge)).is_err());
        assert_eq!(cache.stats(), stats(1, misses));
    }
    assert_eq!(cache.get_mut(c), None);
    assert_eq!(cache.stats(), stats(1, 5));
}

#[test]
fn an_entry_is_the_place_of_a_key() {
    let mut cache = Cache::<KeyBuf<8>, i32, 2>::new();
    let [a, b, c] = [0, 1, 2].map(|at| CallKey::of(DEFS[at]));
    // An entry that is left stores nothing.
    assert_eq!((cache.entry(a).key(), cache.entry(a).get().is_none()), (a, true));
    assert!(cache.is_empty());
    assert_eq!((cache.entry(a).insert(1), cache.entry(b).insert(2)), (Ok(None), Ok(None)));
    let replaced = cache.entry(a).insert(3).unwrap();
    assert_eq!(replaced, Some((KeyBuf::try_from(a).unwrap(), 1)));
    let evicted = cache.entry(c).insert(4).unwrap();
    assert_eq!(evicted, Some((KeyBuf::try_from(b).unwrap(), 2)));
    assert_eq!(cache.entry(a).or_insert_with(|| Err(Error::TooLarge)), Ok(&mut 3));
    assert_eq!(cache.entry(b).or_insert_with(|| Err(Error::TooLarge)), Err(Error::TooLarge));
    assert_eq!(
        format!("{:?}", cache.entry(c)),
        format!("Entry {{ key: {c:?}, is_occupied: true }}")
    );
    assert_eq!(cache.stats(), CacheStats { hits: 3, misses: 6, evictions: 1 });
}

/// The value of a key. Its build needs that of half the key, and so on.
fn shared(cache: &RwLock<Cache<KeyBuf<64>, usize, 4>>, hash: Hash, at: usize) -> usize {
    let key = hash.key(at);
    if let Some(found) = cache.read().unwrap().get(key) {
        return *found;
    }
    let inner = if at == 0 { 0 } else { shared(cache, hash, at / 2) };
    assert_eq!(inner, at / 2);
    let replaced = cache.write().unwrap().insert(key, at).unwrap();
    // Another thread was faster, or another key is evicted: in each case with the value of its own.
    if let Some((key, value)) = replaced {
        assert_eq!(key.as_key(), CallKey::of(DEFS[value]));
    }
    at
}

#[test]
fn entries_that_are_evicted_before_others_are_put_are_the_oldest() {
    let mut cache = Cache::<KeyBuf<64>, usize, 4>::new();
    for (made, def) in DEFS.into_iter().enumerate() {
        let oldest = made.checked_sub(4).map(|_| cache.evict().unwrap().1);
        assert_eq!(oldest, made.checked_sub(4));
        assert_eq!(cache.insert(CallKey::of(def), made).unwrap(), None);
    }
}

#[test]
fn threads_share_a_cache_that_evicts_while_builds_look_up_others() {
    for hash in [Hash::Honest, Hash::Equal(7), Hash::Two] {
        let cache = RwLock::default();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let cache = &cache;
                scope.spawn(move || {
                    for call in 0..300 {
                        let at = (call * 7 + thread * 5) % DEFS.len();
                        assert_eq!(shared(cache, hash, at), at);
                    }
                });
            }
        });
        let cache = cache.into_inner().unwrap();
        assert_eq!(cache.len(), 4);
        assert!(cache.iter().all(|(key, value)| key == CallKey::of(DEFS[*value])));
    }
}

/// The state of a fingerprint after a block, as the page `format` says.
fn mix(state: [u64; 2], block: [u64; 2]) -> [u64; 2] {
    let [x, y] = [block[0] ^ state[0], block[1] ^ state[1]];
    let product = u128::from(x.wrapping_add(y)) * u128::from(y);
    [product as u64, x.wrapping_sub((product >> 64) as u64)]
}

/// `2^pairs` keys that have one fingerprint of their own, made without a search: a block is changed or not, and the block after it
/// takes back what that did to the state.
fn forged(pairs: usize) -> Vec<Vec<u8>> {
    let words = |bytes: &[u8]| {
        [&bytes[..8], &bytes[8..16]].map(|word| u64::from_le_bytes(word.try_into().unwrap()))
    };
    let mut plain = vec![0; 32 + pairs * 32];
    // The header of the bytes is in the first block, and nothing changes in the last one.
    let payload = vec![0; plain.len() - 3];
    let mut key = KeyWriter::new(&mut plain);
    key.bytes(&payload);
    assert_eq!(key.finish().unwrap().as_bytes().len(), 32 + pairs * 32);
    let start = (plain.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut state = mix([0x243F_6A88_85A3_08D3 ^ start, 0x9E37_79B9_7F4A_7C15], words(&plain));
    let mut backs = vec![];
    for _ in 0..pairs {
        let [same, changed] = [mix(state, [0, 0]), mix(state, [1, 0])];
        backs.push([same[0] ^ changed[0], same[1] ^ changed[1]]);
        state = mix(same, [0, 0]);
    }
    let key = |at: usize| {
        let mut bytes = plain.clone();
        for (pair, back) in backs.iter().enumerate().filter(|(pair, _)| at >> pair & 1 == 1) {
            let block = &mut bytes[16 + pair * 32..];
            block[0] = 1;
            block[16..24].copy_from_slice(&back[0].to_le_bytes());
            block[24..32].copy_from_slice(&back[1].to_le_bytes());
        }
        bytes
    };
    (0..1 << pairs).map(key).collect()
}

thread_local! {
    static COMPARED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// How many stored keys `look_up` compares with.
fn compared<T>(look_up: impl FnOnce() -> T) -> (T, usize) {
    COMPARED.set(0);
    (look_up(), COMPARED.get())
}

/// A stored key that counts how often it is compared.
struct Counted(Vec<u8>);

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        COMPARED.set(COMPARED.get() + 1);
        &self.0
    }
}

impl TryFrom<CallKey<'_>> for Counted {
    type Error = Error;

    fn try_from(key: CallKey<'_>) -> Result<Self, Error> {
        Ok(Self(key.as_bytes().to_vec()))
    }
}

/// The largest number of keys that an attacker can make a look-up compare with is the size of the cache.
#[test]
fn a_look_up_compares_at_most_as_many_forged_keys_as_there_are_entries() {
    const N: usize = 64;
    let bytes = forged(10);
    let keys: Vec<_> = bytes.iter().map(|bytes| CallKey::from_bytes(bytes).unwrap()).collect();
    assert!(keys.iter().all(|key| key.fingerprint() == keys[0].fingerprint()));
    let mut cache = Cache::<Counted, usize, N>::new();
    for (at, key) in keys.iter().enumerate() {
        assert_eq!(compared(|| cache.get(*key).copied()), (None, at.min(N)));
        let (made, count) =
            compared(|| cache.get_or_insert_with(*key, || Ok::<_, Error>(at)).copied());
        assert_eq!((made, count), (Ok(at), at.min(N)));
        // A key of the program, among them: it has another fingerprint.
        assert_eq!(compared(|| cache.get(CallKey::of(DEFS[at % DEFS.len()])).copied()), (None, 0));
    }
    let found: Vec<_> = keys.iter().filter_map(|key| cache.peek(*key)).collect();
    assert_eq!(found.len(), N);
    for (at, key) in keys.iter().enumerate() {
        let (found, count) = compared(|| cache.get(*key).copied());
        assert!(found.is_none_or(|found| found == at) && count <= N, "{at}: {found:?}, {count}");
    }
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
    assert!(keys.iter().enumerate().all(|(at, key)| cache.get(*key) == Some(&at)));
    assert_eq!(cache.stats(), CacheStats { hits: 64, misses: 64, evictions: 0 });
    assert_eq!(
        format!("{cache:?}"),
        "Cache { len: 64, capacity: 64, stats: CacheStats { hits: 64, misses: 64, evictions: 0 } }"
    );
}

#[cfg(all(feature = "hashbrown", feature = "indexmap"))]
mod other_maps {
    use super::*;
    use hashbrown::Equivalent;
    use hashbrown::hash_map::EntryRef;
    use std::collections::HashMap as StdMap;
    use std::hash::BuildHasher;
    use treedef::TreeDefBox;
    use treedef::cache::{ByFingerprint, FingerprintState, KeyBox};

    #[test]
    fn maps_are_asked_with_a_borrowed_key() {
        let (mut table, mut list, mut std) = (
            hashbrown::HashMap::<KeyBox, usize>::new(),
            indexmap::IndexMap::<KeyBox, usize, std::hash::RandomState>::default(),
            StdMap::<KeyBox, usize>::new(),
        );
        for (at, def) in DEFS.iter().enumerate() {
            let key = CallKey::of(*def);
            assert_eq!(
                (table.get(&key), list.get(&key), std.get(key.as_bytes())),
                (None, None, None)
            );
            if let EntryRef::Vacant(vacant) = table.entry_ref(&key) {
                vacant.insert_with_key(KeyBox::from(&key), at);
            }
            list.insert((&key).into(), at);
            std.insert((&key).into(), at);
        }
        for (at, def) in DEFS.iter().enumerate() {
            let (key, at) = (CallKey::of(*def), Some(&at));
            assert_eq!((table.get(&key), list.get(&key), std.get(key.as_bytes())), (at, at, at));
        }
    }

    #[test]
    fn maps_of_treedefs_are_asked_with_a_borrowed_treedef() {
        let mut table = hashbrown::HashMap::<TreeDefBox, usize>::new();
        for (at, def) in DEFS.iter().enumerate() {
            assert_eq!(table.get(def), None);
            table.insert(def.into(), at);
        }
        assert!(DEFS.iter().enumerate().all(|(at, def)| table.get(def) == Some(&at)));
    }

    #[test]
    fn treedefs_are_keys_by_their_fingerprint() {
        let mut table =
            hashbrown::HashMap::<ByFingerprint<TreeDefBox>, usize, FingerprintState>::default();
        for (at, def) in DEFS.iter().enumerate() {
            let key = ByFingerprint::from(*def);
            assert_eq!(FingerprintState::default().hash_one(key), def.fingerprint());
            assert_eq!((table.get(&key), key.as_key()), (None, CallKey::of(*def)));
            let owned = if at % 2 == 0 { (&key).into() } else { TreeDefBox::from(def).into() };
            table.insert(owned, at);
        }
        assert!(
            DEFS.iter()
                .enumerate()
                .all(|(at, def)| table.get(&ByFingerprint::from(*def)) == Some(&at))
        );
    }

    /// A look-up by fingerprint that counts the keys that it is compared with.
    #[derive(Hash)]
    struct Asked<'a>(ByFingerprint<CallKey<'a>>);

    impl Equivalent<ByFingerprint<KeyBox>> for Asked<'_> {
        fn equivalent(&self, key: &ByFingerprint<KeyBox>) -> bool {
            COMPARED.set(COMPARED.get() + 1);
            self.0.equivalent(key)
        }
    }

    type Map = hashbrown::HashMap<ByFingerprint<KeyBox>, usize, FingerprintState>;

    fn by_fingerprint(bytes: &[Vec<u8>]) -> Vec<ByFingerprint<CallKey<'_>>> {
        bytes.iter().map(|bytes| CallKey::from_bytes(bytes).unwrap().into()).collect()
    }

    /// Maps by fingerprint have no bound: that is why they are for keys of the program itself.
    #[test]
    fn forged_keys_make_a_map_by_fingerprint_slow_and_never_wrong() {
        let bytes = forged(10);
        let keys = by_fingerprint(&bytes);
        let (left_out, keys) = keys.split_last().unwrap();
        let map: Map = keys.iter().enumerate().map(|(at, key)| (key.into(), at)).collect();
        assert!(keys.iter().enumerate().all(|(at, key)| map.get(key) == Some(&at)));
        assert_eq!(compared(|| map.get(&Asked(*left_out))), (None, 1023));
    }

    /// What is said about forged keys at `ByFingerprint`.
    #[test]
    #[ignore = "figures of optimised code"]
    fn a_hit_among_16_384_forged_keys() {
        let time = |bytes: &[Vec<u8>]| {
            let keys = by_fingerprint(bytes);
            let map: Map = keys.iter().enumerate().map(|(at, key)| (key.into(), at)).collect();
            let start = std::time::Instant::now();
            assert!(keys.iter().enumerate().all(|(at, key)| map.get(key) == Some(&at)));
            start.elapsed().as_secs_f64() * 1e9 / keys.len() as f64
        };
        let mut bytes = forged(14);
        let slow = time(&bytes);
        // As long, and with fingerprints of their own.
        (0u32..)
            .zip(&mut bytes)
            .for_each(|(at, bytes)| bytes[460..464].copy_from_slice(&at.to_le_bytes()));
        let fast = time(&bytes);
        println!("{slow:.0} ns, others {fast:.0} ns: {:.0} times", slow / fast);
    }

    #[test]
    fn bytes_of_owned_keys_move_out() {
        let key = KeyBox::from(&CallKey::of(DEFS[2]));
        let def = TreeDefBox::from(DEFS[2]);
        let bytes: [Box<[u8]>; 2] = [key.clone().into(), def.clone().into()];
        assert_eq!(bytes, [DEFS[2].as_bytes(), DEFS[2].as_bytes()].map(Box::from));
        let shared: [std::sync::Arc<[u8]>; 2] = [key.into(), def.into()];
        assert_eq!(*shared[0], *DEFS[2].as_bytes());
        assert_eq!(shared[0], shared[1]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

        #[test]
        fn a_map_by_fingerprint_is_a_plain_map(
            hash in hash(),
            calls in prop::collection::vec((0..DEFS.len(), any::<bool>()), 0..60),
        ) {
            let mut map = hashbrown::HashMap::<ByFingerprint<KeyBox>, usize, FingerprintState>::default();
            let mut model = StdMap::new();
            for (serial, (at, insert)) in calls.into_iter().enumerate() {
                let key = ByFingerprint::from(hash.key(at));
                prop_assert_eq!(map.get(&key), model.get(&at));
                if insert {
                    prop_assert_eq!(map.insert((&key).into(), serial), model.insert(at, serial));
                }
            }
            for (key, value) in &map {
                let held = model.iter().find(|(at, _)| hash.key(**at) == key.as_key());
                prop_assert_eq!(held.map(|(_, value)| value), Some(value));
            }
            prop_assert_eq!(map.len(), model.len());
        }
    }
}
