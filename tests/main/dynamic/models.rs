//! Object models of other makers: keys in any order, bounds, wrong counts.

use super::*;

fn map(keys: impl IntoIterator<Item = String>) -> Config {
    Config::Map(keys.into_iter().zip(0..).map(|(key, i)| (key, Config::Number(i))).collect())
}

#[test]
fn unsorted_maps_are_sorted_with_their_leaves() {
    let inner = map(["z", "b", "a"].map(String::from));
    let config = Config::Map(vec![
        ("k".into(), inner.clone()),
        ("".into(), Config::Null),
        ("j".into(), inner),
    ]);
    let (mut bytes, mut leaves) = ([0; 64], [0; 6]);
    let (def, _) = Flatten::new().flatten_into(&config, &mut bytes, &mut leaves).unwrap();
    let abz = [0x63, 6, 1, b'a', 1, b'b', 1, b'z', 0x02];
    let head = [0x63, 5, 0, 1, b'j', 1, b'k', 0xC0];
    assert_eq!(def.as_bytes(), [head.as_slice(), &abz, &[0xA0, 3]].concat());
    assert_eq!(leaves, [2, 1, 0, 2, 1, 0]);
}

#[test]
fn integer_keys_are_sorted_as_numbers() {
    let entry = |key| (key, Config::Number(key));
    let config = Config::Table([300, -1, 0].map(entry).into());
    let (mut bytes, mut leaves) = ([0; 64], [0; 3]);
    let (def, _) = Flatten::new().flatten_into(&config, &mut bytes, &mut leaves).unwrap();
    // Zigzag: 1, 0, 600; 600 = (88 | 128) then 3: 88 + (3 + 1) * 128.
    assert_eq!(def.as_bytes(), [0xC2, 3, 4, 1, 0, 88 | 128, 3, 0x02]);
    assert_eq!(leaves, [-1, 0, 300]);
}

#[test]
fn without_a_heap_unsorted_maps_have_a_bound_and_sorted_ones_have_none() {
    let keys = |count: usize| (0..count).map(|i| format!("{i:04}"));
    let room = MAX_UNSORTED_KEYS;
    let most = map(keys(room).rev());
    let mut leaves = [0; MAX_UNSORTED_KEYS];
    assert_eq!(Flatten::new().leaves_into(&most, &mut leaves), Ok(room));
    assert!(leaves.iter().copied().eq((0..room as i64).rev()));
    let more = map(keys(room + 1).rev());
    let error = Error::TooManyKeys { needed: room + 1, room };
    let bound = Flatten::new().structure_bound(&more);
    let sorted = Flatten::new().structure_bound(&map(keys(room + 1)));
    assert_eq!(bound, if cfg!(feature = "alloc") { sorted } else { Err(error) });
    assert_eq!(
        error.to_string(),
        "map has 65 unsorted entries, at most 64 can be sorted: give them in the order of their keys"
    );
    assert_eq!(Flatten::new().structure_bound(&map(keys(1000))), Ok(3 + 2 + 5000 + 3));
}

#[test]
fn keys_that_are_equal_are_refused() {
    let twice = map(["b", "a", "b"].map(String::from));
    let error = Error::DuplicateKey { first: 0, second: 2 };
    assert_eq!(Flatten::new().structure_bound(&twice), Err(error));
    assert_eq!(
        Flatten::new().structure_bound(&map(["a", "a"].map(String::from))),
        Err(Error::DuplicateKey { first: 0, second: 1 })
    );
}

/// A dictionary of leaves that gives its entries in the order of the slice.
#[derive(Clone, Copy)]
enum Keyed<'k> {
    Leaf(u8),
    Dict(&'k [Value<'k>]),
    List(&'k [Self]),
}

impl Object for Keyed<'_> {
    type Leaf = u8;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Keyed::Leaf(leaf) => open.leaf(leaf),
            Keyed::Dict(keys) => {
                let entries = keys.iter().zip(0..u8::MAX);
                let entries = entries.map(|(key, leaf)| (*key, Keyed::Leaf(leaf)));
                open.dict(entries.collect::<Vec<_>>())
            }
            Keyed::List(list) => open.list(list.iter().copied()),
        }
    }
}

/// All sequences of at most five of these keys, in every order.
fn sequences(keys: [Value<'_>; 4]) -> impl Iterator<Item = Vec<Value<'_>>> {
    (0..=5u32).flat_map(move |len| {
        (0..4usize.pow(len)).map(move |n| (0..len).map(|at| keys[n >> (2 * at) & 3]).collect())
    })
}

#[test]
fn an_error_about_keys_names_them_where_the_object_gave_them() {
    let (one, yes, two) = (Value::Int(1), Value::Bool(true), Value::Int(2));
    let (a, b, c, nan) = (Value::Str("a"), Value::Str("b"), Value::Str("c"), f64::NAN);
    let mut failed = 0;
    for keys in [[a, b, c, Value::Str("")], [one, yes, two, a], [two, Value::Float(nan), a, one]] {
        for keys in sequences(keys) {
            let count = u32::try_from(keys.len()).unwrap();
            let pairs = (0..count).flat_map(|second| (0..second).map(move |first| (first, second)));
            let order =
                |(first, second): (u32, u32)| keys[first as usize].compare(keys[second as usize]);
            let fine = pairs.clone().all(|pair| order(pair).is_some_and(|order| order.is_ne()));
            let Err(error) = Flatten::new().structure_bound(Keyed::Dict(&keys)) else {
                assert!(fine, "{keys:?}");
                continue;
            };
            assert!(!fine, "{keys:?}");
            failed += 1;
            let (first, second, what) = match error {
                Error::DuplicateKey { first, second } => {
                    assert_eq!(order((first, second)), Some(Ordering::Equal), "{keys:?} {error:?}");
                    // The first two that are that key.
                    let between =
                        (0..second).filter(|at| order((*at, second)) == Some(Ordering::Equal));
                    assert!(between.eq([first]), "{keys:?} {error:?}");
                    (first, second, "are equal")
                }
                Error::Unordered { first, second } => {
                    assert_eq!(order((first, second)), None, "{keys:?} {error:?}");
                    (first, second, "cannot be ordered")
                }
                _ => panic!("{keys:?} {error:?}"),
            };
            assert!(first < second, "{keys:?} {error:?}");
            let repr = |at: u32| match keys[at as usize] {
                Value::Int(i) => i.to_string(),
                Value::Bool(_) => "True".into(),
                Value::Float(_) => "nan".into(),
                key => format!("'{}'", key.as_str().unwrap()),
            };
            let text = format!("keys {} and {} {what}", repr(first), repr(second));
            assert_eq!(error.explain_keys(keys.iter().copied()).to_string(), text);
            let root = error.explain_object(Keyed::Dict(&keys));
            assert_eq!(root.to_string(), format!("at the root: {text}"));
            // Beside keys at the same indices that are not refused.
            let inner = [Keyed::Dict(&[c, b, a, one][..3]), Keyed::Dict(&keys)];
            let around = [Keyed::Leaf(0), Keyed::List(&inner), Keyed::Dict(&keys)];
            let around = error.explain_object(Keyed::List(&around));
            assert_eq!(around.to_string(), format!("at [1][1]: {text}"));
            // Whatever is asked for.
            assert_eq!(Flatten::new().num_leaves(Keyed::Dict(&keys)), Err(error));
        }
    }
    assert!(failed > 2000, "{failed}");
    let other = Error::Unordered { first: 0, second: 1 };
    assert_eq!(other.explain_object(Keyed::Dict(&[a, b])).to_string(), other.to_string());
}

#[test]
fn keys_that_python_cannot_order_are_refused_whatever_is_asked_for() {
    let told = |keys: &[Value<'_>]| {
        let (mut bytes, mut leaves, mut seen) = ([0; 64], [0u8; 4], 0);
        let (options, dict) = (Flatten::new(), Keyed::Dict(keys));
        let told = options.structure_into(dict, &mut bytes).map(drop);
        assert_eq!(Flatten::new().structure_bound(dict).map(drop), told);
        assert_eq!(Flatten::new().leaves_into(dict, &mut leaves).map(drop), told);
        assert_eq!(Flatten::new().num_leaves(dict).map(drop), told);
        assert_eq!(Flatten::new().for_each(dict, |_| seen += 1), told);
        let at = Flatten::new().is_leaf_at(|_: KeyPath<'_, '_>, _: Keyed<'_>| false);
        assert_eq!(at.num_leaves(dict).map(drop), told);
        assert_eq!(seen, if told.is_ok() { keys.len() } else { 0 });
        told
    };
    let (one, two, a) = (Value::Int(1), Value::Int(2), Value::Str("a"));
    let unordered = Err(Error::Unordered { first: 0, second: 1 });
    assert_eq!(told(&[two, a, one]), unordered);
    assert_eq!(told(&[one, a]), unordered);
    assert_eq!(told(&[a, one]), unordered);
    let equal = Err(Error::DuplicateKey { first: 0, second: 1 });
    assert_eq!(told(&[one, Value::Bool(true)]), equal);
    let equal = Err(Error::DuplicateKey { first: 1, second: 2 });
    assert_eq!(told(&[two, one, Value::Float(1.0)]), equal);
    assert_eq!(told(&[Value::Float(f64::NAN), one]), unordered);
    assert_eq!(told(&[two, one]), Ok(()));
    assert_eq!(told(&[one, two]), Ok(()));
}

#[test]
fn predicates_see_the_keys_of_unsorted_maps() {
    let config = Config::Map(vec![
        ("b".into(), map(["y", "x"].map(String::from))),
        ("a".into(), map(["y", "x"].map(String::from))),
    ]);
    let at_b = |path: KeyPath<'_, '_>, _: &Config| path.entries().eq([KeyEntry::Key("b".into())]);
    let mut leaves = [&Config::Null; 3];
    let options = Flatten::new().is_leaf_at(at_b);
    assert_eq!(options.leaves_into(&config, &mut leaves), Ok(3));
    assert!(matches!(leaves, [Config::Number(1), Config::Number(0), Config::Map(_)]));
}

#[test]
fn objects_with_more_or_fewer_children_than_announced_are_refused() {
    #[derive(Clone, Copy)]
    struct Liar(usize, usize);
    impl Object for Liar {
        type Leaf = ();
        fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
            match self {
                Liar(0, 0) => open.leaf(()),
                Liar(said, made) => open.node(&head::List(said), (0..made).map(|_| Liar(0, 0))),
            }
        }
    }
    let mut bytes = [0; 8];
    for (said, made) in [(2, 3), (3, 2), (0, 1)] {
        let error = Flatten::new().structure_into(Liar(said, made), &mut bytes).unwrap_err();
        assert!(matches!(error, Error::Arity { .. }), "{error}");
        let at = Flatten::new().is_leaf_at(|_: KeyPath<'_, '_>, _: Liar| false);
        assert!(matches!(
            at.structure_into(Liar(said, made), &mut bytes),
            Err(Error::Arity { .. })
        ));
    }
}

/// A tuple of one leaf that can fail behind what it has told of itself.
#[derive(Clone, Copy)]
enum Late {
    Leaf,
    Tuple { fails: bool },
}

impl Object for Late {
    type Leaf = ();

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Late::Leaf => open.leaf(()),
            Late::Tuple { fails } => {
                let told = open.tuple([Late::Leaf])?;
                if fails { Err(Error::LeavesFull { needed: 2, room: 1 }) } else { Ok(told) }
            }
        }
    }
}

/// The node is written when the model fails, and is a copy of the one before.
#[test]
fn the_error_of_a_model_is_kept_by_the_writer() {
    let options = Flatten::new();
    for before in [0, 1, 2, 3, 31, 32, 33, 34, 159, 160, 161, 162] {
        let (mut bytes, mut leaves) = ([0; 32], [()]);
        let mut out = Writer::new(&mut bytes);
        let list = out.begin(&head::List(before + 2));
        for _ in 0..before {
            options.flatten_onto(Late::Tuple { fails: false }, &mut out, &mut leaves).unwrap();
        }
        let error = options.flatten_onto(Late::Tuple { fails: true }, &mut out, &mut leaves);
        let own = Error::LeavesFull { needed: 2, room: 1 };
        assert_eq!(error, Err(own), "{before} before");
        out.none();
        out.end(list);
        assert_eq!(out.finish(), Err(own), "{before} before");
    }
}

/// 70,000 keys that are one long text: more bytes than a treedef can have, and in one buffer a heap of 4.6 GB.
#[test]
fn keys_too_long_for_any_treedef_are_refused_before_room_is_made_for_them() {
    #[derive(Clone, Copy)]
    struct Long<'a>(Option<&'a str>);
    impl<'a> Object for Long<'a> {
        type Leaf = ();

        fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
            match self.0 {
                Some(text) => open.dict((0..70_000).map(|_| (text, Long(None)))),
                None => open.leaf(()),
            }
        }
    }
    let text = "k".repeat(1 << 16);
    let long = Long(Some(text.as_str()));
    #[cfg(feature = "alloc")]
    assert_eq!(Flatten::new().structure(long).map(drop), Err(Error::TooLarge));
    assert_eq!(Flatten::new().structure_into(long, &mut [0; 64]), Err(Error::TooLarge));
}

#[test]
fn nothing_is_added_to_a_writer_that_is_full() {
    let (mut bytes, mut leaves) = ([0; 4], [()]);
    let mut out = Writer::new(&mut bytes);
    let pair = out.begin(&head::List(2));
    let full = Err(Error::Full { room: 4 });
    let nones: Node<'_, ()> = tree!([None, None, None]);
    assert_eq!(Flatten::new().flatten_onto(&nones, &mut out, &mut leaves), full.map(|()| 0));
    let late = Late::Tuple { fails: false };
    assert_eq!(Flatten::new().flatten_onto(late, &mut out, &mut leaves), full.map(|()| 0));
    out.end(pair);
    assert_eq!(out.finish(), Err(Error::Full { room: 4 }));
}

/// A dictionary that gives two of its three entries when it is asked for the tenth time.
#[test]
fn dictionaries_that_lose_entries_are_refused() {
    #[derive(Clone, Copy)]
    struct Losing<'a>(Option<&'a Cell<u32>>);
    struct Entries<'a>(std::vec::IntoIter<&'static str>, &'a Cell<u32>, bool);
    impl<'a> Entries<'a> {
        fn asked(&self) -> Self {
            self.1.set(self.1.get() + 1);
            Entries(self.0.clone(), self.1, self.1.get() > 9)
        }
    }
    struct Asked<'a>(Entries<'a>);
    impl Clone for Asked<'_> {
        fn clone(&self) -> Self {
            Asked(self.0.asked())
        }
    }
    impl<'a> Iterator for Asked<'a> {
        type Item = (&'static str, Losing<'a>);
        fn next(&mut self) -> Option<Self::Item> {
            let key = self.0.0.next()?;
            (!self.0.2 || self.0.0.len() > 0).then_some((key, Losing(None)))
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            (self.0.0.len(), Some(self.0.0.len()))
        }
    }
    impl ExactSizeIterator for Asked<'_> {}
    impl<'a> Object for Losing<'a> {
        type Leaf = ();
        fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
            let Some(asked) = self.0 else { return open.leaf(()) };
            open.dict(Asked(Entries(vec!["b", "a", "c"].into_iter(), asked, false)))
        }
    }
    let (asked, mut bytes) = (Cell::new(0), [0; 32]);
    let error = Flatten::new().structure_into(Losing(Some(&asked)), &mut bytes);
    assert_eq!(error, Err(Error::Arity { expected: 3, found: 2 }));
}

/// A dictionary of two entries, of which a clone gives one.
#[test]
fn dictionaries_whose_clones_have_fewer_entries_are_refused() {
    #[derive(Clone, Copy)]
    enum Dict {
        Leaf,
        Of(&'static [&'static str]),
    }
    struct Entries(std::slice::Iter<'static, &'static str>);
    impl Clone for Entries {
        fn clone(&self) -> Self {
            Entries(self.0.as_slice()[..1].iter())
        }
    }
    impl Iterator for Entries {
        type Item = (&'static str, Dict);
        fn next(&mut self) -> Option<Self::Item> {
            self.0.next().map(|key| (*key, Dict::Leaf))
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            (2, Some(2))
        }
    }
    impl ExactSizeIterator for Entries {}
    impl Object for Dict {
        type Leaf = ();
        fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
            match self {
                Dict::Leaf => open.leaf(()),
                Dict::Of(keys) => open.dict(Entries(keys.iter())),
            }
        }
    }
    let (dict, flatten) = (Dict::Of(&["a", "b"]), Flatten::new());
    let lost = Error::Arity { expected: 2, found: 1 };
    assert_eq!(flatten.structure_into(dict, &mut [0; 32]), Err(lost));
    assert_eq!(flatten.structure_bound(dict), Err(lost));
    assert_eq!(flatten.num_leaves(dict), Err(lost));
    assert_eq!(flatten.flatten_expected(dict, treedef!({"a": *}), &mut [(); 2]), Err(lost));
}

/// A dictionary whose key is short and long by turns, so that the length of its keys has another width each time.
#[test]
fn keys_that_change_each_time_are_read_a_few_times() {
    const LONG: &str = match std::str::from_utf8(&[b'k'; 130]) {
        Ok(long) => long,
        Err(_) => unreachable!(),
    };
    #[derive(Clone, Copy)]
    struct Changing<'a>(Option<&'a Cell<u32>>);
    impl Object for Changing<'_> {
        type Leaf = ();
        fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
            let Some(reads) = self.0 else { return open.leaf(()) };
            open.dict((0..1).map(|_| {
                reads.set(reads.get() + 1);
                assert!(reads.get() < 100, "the keys are read again and again");
                (if reads.get().is_multiple_of(2) { LONG } else { "k" }, Changing(None))
            }))
        }
    }
    for reads in [Cell::new(0), Cell::new(1)] {
        let mut bytes = [0; 512];
        let written = Flatten::new().structure_into(Changing(Some(&reads)), &mut bytes);
        assert!(
            written.is_ok_and(|def| TreeDef::from_bytes(def.as_bytes()) == Ok(def))
                || written.is_err()
        );
    }
}

/// Keys of a dictionary that cannot all be sorted on the stack: in any order, some of them twice, of several types.
#[cfg(feature = "alloc")]
fn many_keys() -> impl Strategy<Value = Vec<Value<'static>>> {
    let count = MAX_UNSORTED_KEYS..4 * MAX_UNSORTED_KEYS;
    let all = (-128i64..).take(4 * MAX_UNSORTED_KEYS);
    let ints = Just(all.map(Value::Int).collect::<Vec<_>>()).prop_shuffle();
    let some = (ints, count).prop_map(|(keys, count)| keys[..count].to_vec());
    let others = [1.5, 7.0, -0.5, f64::NAN].map(Value::Float).into_iter();
    let others = others.chain([Value::Bool(true), Value::Str("a"), Value::Str("b"), Value::None]);
    let other = prop::sample::select(others.collect::<Vec<_>>());
    (some, prop::collection::vec((any::<prop::sample::Index>(), other), 0..4)).prop_map(
        |(mut keys, others)| {
            for (at, other) in others {
                let at = at.index(keys.len());
                keys[at] = other;
            }
            keys
        },
    )
}

#[cfg(feature = "alloc")]
proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    /// Against Rust's sort, where the keys have an order; otherwise the error names two that have none.
    #[test]
    fn any_number_of_keys_is_sorted_on_the_heap(keys in many_keys()) {
        let dict = Keyed::Dict(&keys);
        let (mut bytes, mut leaves) = ([0; 4096], [0u8; 256]);
        let order = |(first, second): (u32, u32)| keys[first as usize].compare(keys[second as usize]);
        match Flatten::new().flatten_into(dict, &mut bytes, &mut leaves) {
            Ok((def, count)) => {
                let mut sorted: Vec<_> = keys.iter().copied().zip(0u8..).collect();
                sorted.sort_by(|(a, _), (b, _)| a.compare(*b).unwrap());
                prop_assert!(sorted.windows(2).all(|pair| pair[0].0.compare(pair[1].0) == Some(Ordering::Less)));
                prop_assert!(def.head().keys().eq(sorted.iter().map(|(key, _)| *key)));
                prop_assert!(leaves[..count].iter().eq(sorted.iter().map(|(_, leaf)| leaf)));
                prop_assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
                prop_assert_eq!(Flatten::new().flatten_expected(dict, def, &mut leaves), Ok(count));
            }
            Err(Error::DuplicateKey { first, second }) => {
                let equal = (0..second).filter(|at| order((*at, second)) == Some(Ordering::Equal));
                prop_assert!(equal.eq([first]), "{} and {} of {:?}", first, second, keys);
            }
            Err(Error::Unordered { first, second }) => {
                prop_assert!(first < second && order((first, second)).is_none());
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}

#[cfg(feature = "alloc")]
#[test]
fn long_maps_in_long_maps_are_sorted_with_their_leaves() {
    let shuffled = |count: usize| (0..count).map(move |i| format!("{:05}", i * 7919 % count));
    let inner = map(shuffled(100));
    let config = Config::Map(shuffled(1000).map(|key| (key, inner.clone())).collect());
    let sorted_inner: Vec<i64> = {
        let mut entries: Vec<_> = shuffled(100).zip(0..).collect();
        entries.sort();
        entries.into_iter().map(|(_, leaf)| leaf).collect()
    };
    let mut expected = map((0..100).map(|i| format!("{i:05}")));
    expected = Config::Map((0..1000).map(|i| (format!("{i:05}"), expected.clone())).collect());
    let (mut bytes, mut leaves) = (vec![0; 20_000], vec![0; 100_000]);
    let (def, count) = Flatten::new().flatten_into(&config, &mut bytes, &mut leaves).unwrap();
    assert_eq!(count, leaves.len());
    assert_eq!(Flatten::new().matches(&expected, def), Ok(()));
    assert!(leaves.chunks(100).all(|leaves| *leaves == sorted_inner));
    // What comes before the map differs, and is found first.
    let pair = |first| Config::List(vec![first, inner.clone()]);
    let mut buffer = [0; 2000];
    let def = Flatten::new().structure_into(&pair(Config::Null), &mut buffer).unwrap();
    let matches = |config| Flatten::new().matches(&config, def);
    assert_eq!(matches(pair(Config::Number(1))), Err(Error::Mismatch { node: 1 }));
    assert_eq!(matches(pair(Config::Null)), Ok(()));
    let twice = |first| Config::List(vec![first, map(shuffled(100).chain(["00007".into()]))]);
    assert_eq!(matches(twice(Config::Number(1))), Err(Error::Mismatch { node: 1 }));
    let is_duplicate =
        matches!(matches(twice(Config::Null)), Err(Error::DuplicateKey { second: 100, .. }));
    assert!(is_duplicate);
}

#[cfg(feature = "alloc")]
#[test]
fn predicates_see_the_keys_of_long_unsorted_maps() {
    let config = map((0..200).rev().map(|i| format!("{i:03}")));
    let at = |path: KeyPath<'_, '_>, config: &Config| match config {
        Config::Number(leaf) => {
            let key = format!("{:03}", 199 - leaf);
            assert!(path.entries().eq([KeyEntry::Key(key.as_str().into())]));
            true
        }
        _ => false,
    };
    let mut leaves = [&Config::Null; 200];
    assert_eq!(Flatten::new().is_leaf_at(at).leaves_into(&config, &mut leaves), Ok(200));
    assert!(leaves.iter().zip((0..200).rev()).all(|(leaf, n)| **leaf == Config::Number(n)));
}

/// A dictionary that announces another number of entries than it has.
#[cfg(feature = "alloc")]
#[test]
fn long_dictionaries_that_announce_another_number_are_refused() {
    #[derive(Clone, Copy)]
    struct Said(usize, usize);
    #[derive(Clone)]
    struct Entries(usize, usize);
    impl Iterator for Entries {
        type Item = (i64, Said);
        fn next(&mut self) -> Option<Self::Item> {
            self.1 = self.1.checked_sub(1)?;
            Some((self.1 as i64, Said(0, 0)))
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            (self.0, Some(self.0))
        }
    }
    impl ExactSizeIterator for Entries {}
    impl Object for Said {
        type Leaf = ();
        fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
            match self {
                Said(0, 0) => open.leaf(()),
                Said(said, made) => open.dict(Entries(said, made)),
            }
        }
    }
    let bound = |said, made| Flatten::new().structure_bound(Said(said, made)).map(drop);
    assert_eq!(bound(100, 100), Ok(()));
    assert_eq!(bound(100, 99), Err(Error::Arity { expected: 100, found: 99 }));
    let full = Error::TooManyKeys { needed: usize::MAX, room: MAX_UNSORTED_KEYS };
    assert_eq!(bound(usize::MAX, 99), Err(full));
}

/// A cell of a sheet, with the cells in it, that counts how often it is opened.
#[derive(Clone, Copy)]
struct Counted<'c> {
    opened: &'c Cell<u32>,
    row: Option<&'c [Counted<'c>]>,
}

impl Object for Counted<'_> {
    type Leaf = u32;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        self.opened.set(self.opened.get() + 1);
        match self.row {
            Some([]) => Err(Error::TooLarge),
            Some(row) => open.list(row.iter().copied()),
            None => open.leaf(7),
        }
    }
}

/// A cell that does not say that it is a leaf before it is opened.
#[derive(Clone, Copy)]
struct Hidden<'c>(Counted<'c>);

impl Object for Hidden<'_> {
    type Leaf = u32;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        self.0.opened.set(self.0.opened.get() + 1);
        match self.0.row {
            Some([]) => Err(Error::TooLarge),
            Some(row) => open.list(row.iter().copied().map(Hidden)),
            None => open.leaf(7),
        }
    }

    fn as_leaf(self) -> Option<u32> {
        None
    }
}

#[test]
fn a_leaf_is_opened_once_and_a_node_twice_unless_it_hides_that_it_is_no_leaf() {
    let [leaf, row, root] = [const { Cell::new(0) }; 3];
    let leaves = [Counted { opened: &leaf, row: None }; 2];
    let rows = [leaves[0], Counted { opened: &row, row: Some(&leaves) }];
    let tree = Counted { opened: &root, row: Some(&rows) };
    let (mut bytes, mut slots) = ([0; 8], [0; 3]);
    let expected = treedef!([*, [*, *]]);
    let flat = Flatten::new().flatten_into(tree, &mut bytes, &mut slots);
    assert_eq!((flat, slots), (Ok((expected, 3)), [7; 3]));
    assert_eq!((leaf.take(), row.take(), root.take()), (3, 2, 1));
    let flat = Flatten::new().flatten_into(Hidden(tree), &mut bytes, &mut slots);
    assert_eq!(flat, Ok((expected, 3)));
    assert_eq!((leaf.take(), row.take(), root.take()), (3, 1, 1));
}

#[test]
fn an_error_of_a_child_is_not_lost_because_the_child_was_asked_for_a_leaf() {
    let opened = Cell::new(0);
    let rows =
        [Counted { opened: &opened, row: None }, Counted { opened: &opened, row: Some(&[]) }];
    let tree = Counted { opened: &opened, row: Some(&rows) };
    let flat = Flatten::new().flatten_into(tree, &mut [0; 8], &mut [0; 3]).map(drop);
    assert_eq!(flat, Err(Error::TooLarge));
}

#[test]
fn text_keys_have_the_same_bytes_at_once_as_in_pieces() {
    let sizes =
        [(0, 0), (1, 0), (2, 3), (30, 8), (31, 9), (40, 17), (3, 127), (3, 128), (200, 300)];
    for (count, len) in sizes {
        let names: Vec<String> = (0..count).map(|i| format!("{i:0len$}")).collect();
        let spec = head::Dict::new(DictKind::Sorted, names.iter().map(String::as_str));
        let mut pieces = vec![0; head::head_len(&spec)];
        head::head_into(&spec, &mut pieces).unwrap();
        let build = |bytes: &mut [u8]| {
            let mut out = Writer::new(bytes);
            let dict = out.begin(&spec);
            out.leaves(count);
            out.end(dict);
            out.finish().map(|def| def.head().as_bytes().to_vec())
        };
        assert_eq!(build(&mut vec![0; pieces.len() + 8]), Ok(pieces.clone()));
        let room = pieces.len() - 1;
        assert_eq!(build(&mut vec![0; room]), Err(Error::Full { room }));
        let spec = head::Dict::new(DictKind::Sorted, names.iter().rev().map(String::as_str));
        let unsorted = Error::UnsortedKeys { first: 0, second: 1 };
        let mut bytes = vec![0; pieces.len() + 8];
        let mut out = Writer::new(&mut bytes);
        out.node(&spec, |out| out.leaves(count));
        assert_eq!(out.finish().map(drop), if count < 2 { Ok(()) } else { Err(unsorted) });
    }
}
