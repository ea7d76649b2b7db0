//! Call sites: they ask a table only where something changed, and outlive what fails.

use proptest::prelude::*;
use treedef::cache::{CacheStats, CallSite, Dtype, KeyBuf, KeyWriter};
use treedef::dynamic::Flatten;
use treedef::{Cache, CallKey, Error, TreeDef, tree, treedef};

/// A call site that counts how often the table is asked.
#[derive(Default)]
struct Site {
    site: CallSite<usize, 24>,
    asked: usize,
}

impl Site {
    fn find<T: tree::Structure + ?Sized>(
        &mut self,
        tree: &T,
        dtype: Dtype,
    ) -> Result<usize, Error> {
        let sign = |key: &mut KeyWriter<'_>| {
            key.array(dtype, false, &[]);
        };
        let found = self.site.find(tree, sign, |key| {
            self.asked += 1;
            Ok::<_, Error>(key.as_bytes().len())
        });
        found.copied()
    }
}

#[test]
fn a_call_site_asks_only_where_something_changed() {
    use Dtype::{Float32, Int32};
    let mut site = Site::default();
    assert_eq!(site.site.last(), None);
    assert_eq!((site.find(&[1.0f32; 3], Float32), site.asked), (Ok(5), 1));
    assert_eq!((site.find(&[2.0f32; 3], Float32), site.asked), (Ok(5), 1));
    assert_eq!(site.site.last(), Some(treedef!([*, *, *])));
    // Another leaf, another structure of the same leaves, and the same structure from another type.
    assert_eq!((site.find(&[1.0f32; 3], Int32), site.asked), (Ok(5), 2));
    assert_eq!((site.find(&(1.0f32, 2.0f32, 3.0f32), Int32), site.asked), (Ok(5), 3));
    assert_eq!((site.find(&[1.0f32; 3], Int32), site.asked), (Ok(5), 4));
    assert_eq!((site.find([1.0f32; 3].as_slice(), Int32), site.asked), (Ok(5), 4));
    assert_eq!((site.find(&treedef!([*, *, *]), Int32), site.asked), (Ok(5), 4));
    assert_eq!((site.find([1.0f32; 4].as_slice(), Int32), site.asked), (Ok(5), 5));
    assert_eq!((site.find([1.0f32; 4].as_slice(), Int32), site.asked), (Ok(5), 5));
    assert_eq!(site.site.stats(), CacheStats { hits: 4, misses: 5, evictions: 0 });
    site.site.clear();
    assert_eq!((site.find([1.0f32; 4].as_slice(), Int32), site.asked), (Ok(5), 6));
}

#[test]
fn a_call_site_outlives_what_fails() {
    let mut site = Site::default();
    assert_eq!(site.find(&(1.0f32, [2.0f32]), Dtype::Int8), Ok(7));
    let failed = site.site.find(&[1.0f32], |_| (), |_| Err::<usize, _>(Error::TooLarge));
    assert_eq!(failed, Err(Error::TooLarge));
    let long = treedef!({"a key of 24 bytes, no less": *});
    assert_eq!(site.find(&long, Dtype::Int8), Err(Error::Full { room: 24 }));
    let fits = treedef!({"eighteen bytes key": *});
    assert_eq!(site.find(&fits, Dtype::Int8), Err(Error::CallKeyFull { needed: 25, room: 24 }));
    assert_eq!((site.find(&(1.0f32, [2.0f32]), Dtype::Int8), site.asked), (Ok(7), 1));
    // A signature that does not fit behind the expected treedef is no hit.
    let sign = |key: &mut KeyWriter<'_>| {
        key.bytes(&[0; 30]);
    };
    let refused = site.site.find(&(1.0f32, [2.0f32]), sign, |_| Ok(0));
    assert_eq!(refused, Err(Error::CallKeyFull { needed: 36, room: 24 }));
    assert_eq!(site.site.stats(), CacheStats { hits: 1, misses: 1, evictions: 0 });
}

#[test]
fn a_call_site_flattens_objects_in_one_pass() -> Result<(), Error> {
    let mut site = CallSite::<usize, 32>::new();
    let (mut leaves, mut asked) = ([0; 4], vec![]);
    for (tree, expected) in [
        (tree!({"b": 1, "w": [2, 3]}), [1, 2, 3].as_slice()),
        (tree!({"b": 4, "w": [5, 6]}), &[4, 5, 6]),
        (tree!({"b": 4, "w": [5, 7]}), &[4, 5, 7]), // signs with 7
        (tree!({"b": 4, "w": [5]}), &[4, 5]),
        (tree!({"b": 4, "w": [6]}), &[4, 6]),
    ] {
        let sign = |leaves: &[i32], key: &mut KeyWriter<'_>| {
            key.meta(&leaves.contains(&7));
        };
        let (code, count) = site.flatten(Flatten::new(), &tree, &mut leaves, sign, |key| {
            asked.push(key.to_string());
            Ok::<_, Error>(asked.len())
        })?;
        assert_eq!((*code, &leaves[..count]), (*code, expected));
    }
    let expected = [
        "PyTreeDef({'b': *, 'w': [*, *]}), False",
        "PyTreeDef({'b': *, 'w': [*, *]}), True",
        "PyTreeDef({'b': *, 'w': [*]}), False",
    ];
    assert_eq!(asked, expected);
    let mut few = [0; 1];
    let refused = site.flatten(Flatten::new(), &tree!([1, 2]), &mut few, |_, _| (), |_| Ok(0));
    assert_eq!(refused, Err(Error::LeavesFull { needed: 2, room: 1 }));
    assert_eq!(site.stats(), CacheStats { hits: 2, misses: 3, evictions: 0 });
    assert_eq!(
        format!("{site:?}"),
        "CallSite { room: 32, stats: CacheStats { hits: 2, misses: 3, evictions: 0 } }"
    );
    Ok(())
}

/// Structures that are alike, and one that is too long for the site.
const DEFS: [TreeDef<'static>; 6] = [
    TreeDef::LEAF,
    TreeDef::NONE,
    treedef!((*, *)),
    treedef!([*, *]),
    treedef!({"w": (*, *)}),
    treedef!({"more bytes than a site keeps": *}),
];

/// A call: the structure, what is signed behind it, and whether the look-up fails.
type Call = (usize, usize, bool);

/// What a table gives for a key, made for a structure and its signature.
type LookUp<'t> = &'t mut dyn FnMut(CallKey<'_>, (usize, usize)) -> Result<(usize, usize), Error>;

/// Runs a program on a call site before a table, and compares each answer with what was asked.
fn compare(calls: &[Call], table: LookUp<'_>) -> Result<(), TestCaseError> {
    let mut site = CallSite::<(usize, usize), 24>::new();
    let (mut last, mut stats) = (None, CacheStats::default());
    for (def, signed, fails) in calls.iter().copied() {
        let wanted = (def, signed);
        let sign = |key: &mut KeyWriter<'_>| {
            key.bytes(&[7; 30][..signed]);
        };
        let mut asked = false;
        let found = site.find(&DEFS[def], sign, |key| {
            asked = true;
            if fails { Err(Error::TooLarge) } else { table(key, wanted) }
        });
        let (def_len, room) = (DEFS[def].as_bytes().len(), 24);
        let needed = def_len + 2 + signed;
        let expected = if last == Some(wanted) {
            stats.hits += 1;
            Ok(wanted)
        } else if def_len > room {
            Err(Error::Full { room })
        } else {
            match (needed > room, fails) {
                (true, _) => Err(Error::CallKeyFull { needed, room }),
                (_, true) => Err(Error::TooLarge),
                _ => {
                    stats.misses += 1;
                    Ok(wanted)
                }
            }
        };
        prop_assert_eq!(found.copied(), expected);
        let reaches = last != Some(wanted) && needed <= room;
        prop_assert_eq!(asked, reaches, "the table is asked for what is not expected");
        if expected.is_ok() {
            last = Some(wanted);
        }
        prop_assert_eq!(site.last(), last.map(|(def, _)| DEFS[def]));
        prop_assert_eq!(site.stats(), stats);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_call_site_is_its_model_before_every_table(
        calls in prop::collection::vec(
            (0..DEFS.len(), prop::sample::select(vec![0usize, 1, 2, 25]), prop::bool::weighted(0.2)),
            0..60,
        ),
        fingerprint in prop::sample::select(vec![None, Some(0), Some(u64::MAX)]),
    ) {
        // Keys that have all one fingerprint, or their own.
        let disguise = |key: CallKey<'_>| fingerprint.map_or(key.fingerprint(), |all| all);
        let mut fixed = Cache::<KeyBuf<24>, (usize, usize), 3>::new();
        compare(&calls, &mut |key, wanted| {
            let key = key.with_fingerprint(disguise(key));
            fixed.get_or_insert_with(key, || Ok(wanted)).copied()
        })?;
        #[cfg(feature = "hashbrown")]
        {
            let mut growing = treedef::cache::GrowingCache::<treedef::cache::KeyBox, (usize, usize)>::new();
            compare(&calls, &mut |key, wanted| {
                let key = key.with_fingerprint(disguise(key));
                growing.get_or_insert_with(key, || Ok(wanted)).copied()
            })?;
        }
    }
}
