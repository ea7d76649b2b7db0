//! Treedefs and call keys that own their bytes on the heap: made, compared, kept, and given away.
#![cfg(feature = "alloc")]

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher, RandomState};

use treedef::cache::{Dtype, KeyBox, KeyBuf, KeyWriter};
use treedef::container::{Depth, Lanes, Sink, Trees, VisitLanes};
use treedef::dynamic::Flatten;
use treedef::head::DictKind;
use treedef::tree::{HasSchema, LeafAs, LeafTypes, Structure, TreeRead, TreeWalk};
use treedef::{
    Cache, CallKey, Error, TreeDef, TreeDefBox, TreeDefBuf, Value, View, Writer, flatten, head,
    treedef,
};

const DEF: TreeDef<'static> = treedef!({"b": [*, (*, None)], "w": [*, *]});

/// A treedef that is larger than the first room that it is written to, so that the object is walked again.
#[test]
fn an_object_that_is_walked_again_gives_each_leaf_once() {
    let def = TreeDefBox::build(|out| {
        let list = out.begin_list(700);
        for key in 0..700 {
            // No two are alike, and the room ends after leaves.
            out.node(&head::Dict::new(DictKind::Sorted, [key]), |out| out.leaves(1));
        }
        out.end(list);
    });
    let def = def.unwrap();
    assert!(def.as_bytes().len() > 2 * 2048);
    let leaves: Vec<_> = (0..700).collect();
    let view = View::new(def.as_treedef(), &leaves).unwrap();
    let (again, found): (_, Vec<u32>) = Flatten::new().flatten(view).unwrap();
    assert_eq!((again, found), (def, leaves));
}

#[test]
fn treedefs_go_from_owner_to_owner_with_their_sizes() {
    let own = TreeDefBox::from(DEF);
    let inline = TreeDefBuf::<32>::from_treedef(DEF).unwrap();
    let bytes = Vec::from(own.clone());
    assert_eq!(bytes, DEF.as_bytes());
    let others = [
        TreeDefBox::from(inline),
        TreeDefBox::try_from(bytes.as_slice()).unwrap(),
        TreeDefBox::try_from(bytes).unwrap(),
        TreeDef::from(&own).into(),
        TreeDef::from(&inline).into(),
    ];
    for other in &others {
        assert_eq!(*other, own);
        let def = other.as_treedef();
        assert_eq!((def.num_leaves(), def.num_nodes()), (4, 9));
        let inline =
            TreeDefBuf::<32>::from_treedef(TreeDef::from(other)).unwrap().as_treedef().num_nodes();
        assert_eq!(inline, 9);
    }
    let needed = DEF.as_bytes().len();
    assert_eq!(
        TreeDefBuf::<4>::from_treedef(own.as_treedef()),
        Err(Error::BufferFull { needed, room: 4 })
    );
}

#[test]
fn bytes_that_are_taken_over_are_checked_and_not_copied() {
    let bytes = DEF.as_bytes().to_vec().into_boxed_slice().into_vec();
    let address = bytes.as_ptr();
    let own = TreeDefBox::try_from(bytes).unwrap();
    assert_eq!(own.as_ref().as_ptr(), address);
    let bytes = Vec::from(own);
    assert_eq!(bytes.as_ptr(), address);

    // Two leaves that belong in one run, a byte too many, none at all.
    for wrong in [vec![0x22, 0x00, 0x00], vec![0x22, 0x01, 0x00], vec![]] {
        let error = TreeDef::from_bytes(&wrong).unwrap_err();
        assert_eq!(TreeDefBox::try_from(wrong.as_slice()), Err(error));
        assert_eq!(TreeDefBox::try_from(wrong), Err(error));
    }
}

/// Owners and views of other bytes in all pairs: equality, order and hash are those of the bytes.
#[test]
fn owners_compare_and_hash_as_their_bytes_do() {
    let defs = [TreeDef::LEAF, treedef!((*, *)), treedef!((*, None)), DEF];
    let state = RandomState::new();
    for a in defs {
        let (heap, inline) = (TreeDefBox::from(a), TreeDefBuf::<32>::from_treedef(a).unwrap());
        let keys = (
            KeyBox::try_from(CallKey::of(a)).unwrap(),
            KeyBuf::<32>::try_from(CallKey::of(a)).unwrap(),
        );
        let hash = state.hash_one(a.as_bytes());
        assert_eq!([state.hash_one(&heap), state.hash_one(inline), state.hash_one(a)], [hash; 3]);
        assert_eq!([state.hash_one(&keys.0), state.hash_one(keys.1)], [hash; 2]);
        for b in defs {
            let (other, key) = (TreeDefBox::from(b), CallKey::of(b));
            let is_equal = a.as_bytes() == b.as_bytes();
            assert_eq!(
                [heap == b, b == heap, inline == b, b == inline, heap == other],
                [is_equal; 5]
            );
            assert_eq!([keys.0 == key, key == keys.0, keys.1 == key, key == keys.1], [is_equal; 4]);
            let other_key = KeyBox::try_from(key).unwrap();
            assert_eq!(keys.0 == other_key, is_equal);
            let order = a.as_bytes().cmp(b.as_bytes());
            assert_eq!([heap.cmp(&other), keys.0.cmp(&other_key)], [order; 2]);
        }
    }
    let names: HashMap<_, _> =
        defs.iter().map(|def| (TreeDefBox::from(*def), def.kind())).collect();
    assert_eq!(names.get(DEF.as_bytes()), Some(&DEF.kind()));
    let set: BTreeSet<_> =
        defs.iter().map(|def| KeyBox::try_from(CallKey::of(*def)).unwrap()).collect();
    assert!(set.contains(DEF.as_bytes()) && !set.contains([0xC0].as_slice()));
}

/// The names of the methods of `TreeDef` that make a treedef of others, or of bytes.
const MAKES: [&str; 10] = [
    "from_bytes",
    "from_plain_bytes",
    "from_bytes_with",
    "from_prefix",
    "compose",
    "nones_as_leaves",
    "leaves_to_none",
    "replace",
    "common_suffix",
    "transform",
];

#[test]
fn an_owned_treedef_has_all_methods_that_look_into_one() {
    let sources = crate::public_functions::library_sources();
    let (mut looks, mut own) = (Vec::new(), String::new());
    for text in sources {
        for of_treedef in text.split("\nimpl<'a> TreeDef<'a> {").skip(1) {
            let methods = of_treedef.split("\n}\n").next().unwrap().split("\n    pub ").skip(1);
            let names = methods.filter_map(|method| {
                let name = method.trim_start_matches("const ").strip_prefix("fn ")?;
                name.split(['(', '<']).next()
            });
            looks.extend(names.map(str::to_owned));
        }
        own.extend(text.split_once("as_treedef! {").map(|(_, list)| list));
    }
    looks.retain(|name| !MAKES.contains(&name.as_str()));
    assert!(looks.len() > 20, "{looks:?}");
    let has = |name: &String| {
        [" ", "] "].iter().any(|before| {
            ["(", "<"].iter().any(|after| own.contains(&format!("{before}{name}{after}")))
        })
    };
    looks.retain(|name| !has(name));
    assert!(looks.is_empty(), "only a borrowed treedef has {looks:?}");
}

/// Writes a string of this length, and says how often it did so.
fn text<'t>(len: usize, calls: &'t Cell<usize>) -> impl FnMut(&mut KeyWriter<'_>) + 't {
    let text = "x".repeat(len);
    move |key| {
        calls.set(calls.get() + 1);
        key.treedef(DEF).array(Dtype::Float32, false, &[len]).value(Value::Str(&text));
    }
}

/// The room that everything that grows begins with.
const ROOM: usize = 2048;

#[test]
fn a_key_of_any_length_is_written_in_two_calls_at_most() {
    let mut reused = Vec::new();
    for len in (0..10).chain(1900..2100).chain([5000, 3, 70_000, 130]) {
        let calls = Cell::new(0);
        let mut room = vec![0; len + 64];
        let mut expected = KeyWriter::new(&mut room);
        text(len, &calls)(&mut expected);
        let expected = expected.finish().unwrap();

        calls.set(0);
        let key = KeyBox::build(text(len, &calls)).unwrap();
        assert_eq!(key.as_key(), expected);
        assert_eq!(key.as_key().fingerprint(), expected.fingerprint());
        assert_eq!(calls.get(), 1 + usize::from(expected.as_bytes().len() > ROOM), "{len}");

        let before = reused.len();
        calls.set(0);
        let key = CallKey::build(&mut reused, text(len, &calls)).unwrap();
        assert_eq!((key, key.fingerprint()), (expected, expected.fingerprint()));
        assert_eq!(calls.get(), 1 + usize::from(key.as_bytes().len() > before.max(ROOM)), "{len}");
    }
    let key = CallKey::build(&mut reused, |_| {}).unwrap();
    assert!(key.as_bytes().is_empty());
}

/// The length of a structure is not known before it is written: the room doubles.
#[test]
fn structures_of_any_length_go_into_a_key() {
    for len in (0..70).chain([1000, 10_000]) {
        // No two of the lists are alike.
        let tree: Vec<Vec<Option<f32>>> = (0..len)
            .map(|n| (0..12).map(|bit| (n >> bit & 1 > 0).then_some(0.0)).collect())
            .collect();
        let def = treedef::structure(&tree).unwrap();
        let mut calls = 0;
        let key = KeyBox::build(|key| {
            calls += 1;
            key.meta(&true).structure(&tree).structure(&tree).meta(&7u8);
        });
        let mut room = vec![0; 2 * def.as_ref().len() + 8];
        let mut expected = KeyWriter::new(&mut room);
        expected.meta(&true).treedef(def.as_treedef()).treedef(def.as_treedef()).meta(&7u8);
        assert_eq!(key.unwrap(), expected.finish().unwrap());
        assert!(calls < 11, "{calls} calls of {len}");
    }
}

/// A structure whose `describe` answers an error of its own.
struct Failing(Error);

impl HasSchema for Failing {}

impl Structure for Failing {
    fn describe(&self, out: &mut Writer<'_>) {
        out.fail(self.0);
    }
}

#[test]
fn errors_that_more_room_does_not_mend_end_the_writing() {
    for error in [Error::ValueChanged, Error::Full { room: 3 }, Error::Full { room: ROOM }] {
        let mut calls = 0;
        let key = KeyBox::build(|key| {
            calls += 1;
            assert!(calls <= 2, "{error:?}");
            key.structure(&Failing(error));
        });
        assert_eq!(key, Err(error));
    }
    // The first error is the answer, also where the key is longer than the room.
    let key = KeyBox::build(|key| {
        key.structure(&Failing(Error::ValueTooDeep)).bytes(&[0; 2 * ROOM]);
    });
    assert_eq!(key, Err(Error::ValueTooDeep));
}

#[test]
fn a_writer_of_another_buffer_is_refused() {
    for len in [0, 4] {
        let mut bytes = vec![0x22; ROOM];
        let key = CallKey::build(&mut bytes, |key| {
            *key = KeyWriter::new(Box::leak(vec![0; len].into()));
            key.treedef(TreeDef::LEAF);
        });
        let expected =
            if len == 0 { Error::CallKeyFull { needed: 1, room: 0 } } else { Error::ValueChanged };
        assert_eq!(key.unwrap_err(), expected);
    }
}

#[test]
fn a_cache_keeps_and_gives_keys_of_any_length() {
    let calls = Cell::new(0);
    let keys = [3, 300, 70].map(|len| KeyBox::build(text(len, &calls)).unwrap());
    let mut cache = Cache::<KeyBox, usize, 2>::new();
    for (key, n) in keys.iter().zip(0..) {
        assert_eq!(cache.get_or_insert_with(key.as_key(), || Ok::<_, Error>(n)), Ok(&mut { n }));
    }
    // The first one made room for the last one.
    assert_eq!([0, 1, 2].map(|n| cache.peek(keys[n].as_key()).copied()), [None, Some(1), Some(2)]);
    let (evicted, value) = cache.evict().unwrap();
    assert_eq!((&evicted, value), (&keys[value], value));

    // Stored and read again; no part of a key is one.
    let bytes = evicted.as_ref();
    assert_eq!(KeyBox::try_from(bytes), Ok(evicted.clone()));
    let error = CallKey::from_bytes(&bytes[1..]).unwrap_err();
    assert_eq!(KeyBox::try_from(&bytes[1..]), Err(error));
}

/// Lists in lists: of `children`, `[[], [[]], ..]`.
fn write(out: &mut Writer<'_>, children: usize) {
    out.node(&head::List(children), |out| (0..children).for_each(|more| write(out, more)));
}

#[test]
fn a_treedef_of_any_length_is_built() {
    let (mut calls, mut before) = (0, 0);
    for children in 0..14 {
        let def = TreeDefBox::build(|out| {
            calls += 1;
            write(out, children);
        });
        let def = def.unwrap();
        assert_eq!(TreeDef::from_bytes(def.as_ref()), Ok(def.as_treedef()));
        assert_eq!(def.as_treedef().num_nodes(), 1 << children);
        assert!(def.as_ref().len() > before);
        before = def.as_ref().len();
    }
    // The last ones take more than the first room.
    assert!((15..14 * 2).contains(&calls), "{calls}");
}

#[test]
fn errors_that_more_room_does_not_mend_are_final() {
    let mut calls = 0;
    let short = TreeDefBox::build(|out| _ = out.begin(&head::Tuple(1)));
    assert_eq!(short, Err(Error::Arity { expected: 1, found: 0 }));
    let error = TreeDefBox::build(|out| {
        calls += 1;
        out.fail(Error::Unsupported);
    });
    assert_eq!((error, calls), (Err(Error::Unsupported), 1));
}

/// A list that has as many leaves as it says only if `SAID` is 2. With more it writes itself.
struct Two<const SAID: usize>([f32; 2]);

impl<const SAID: usize> HasSchema for Two<SAID> {}

impl<K: LeafTypes, const SAID: usize> TreeWalk<K> for Two<SAID>
where
    f32: LeafAs<K>,
{
    fn walk<'a, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: 'a,
    {
        if SAID > 2 {
            return out.unknown(&|out| out.node(&head::List(SAID), |out| out.leaves(SAID)));
        }
        if let Some(node) = out.begin(&head::List(SAID)) {
            let given = if S::NEEDS_LEAVES { 2 } else { SAID };
            f32::walk_all(&self.0[..given], out);
            out.end(node);
        }
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        let leaves = L::map(trees, |two| &two.0, |two| &mut two.0);
        <[f32; 2]>::walk_lanes::<L, E, V>(leaves, depth, visit)
    }
}

impl<const SAID: usize> TreeRead<f32> for Two<SAID> {}

#[test]
fn leaves_that_a_structure_does_not_have_are_refused() {
    let (def, leaves) = flatten(&Two::<2>([1.0, 2.0])).unwrap();
    assert_eq!((def.as_treedef(), leaves), (treedef!([*, *]), vec![1.0, 2.0]));
    let error = flatten(&Two::<1>([1.0, 2.0])).map(drop);
    assert_eq!(error, Err(Error::LeavesFull { needed: 2, room: 1 }));
}

#[test]
fn a_tree_that_writes_itself_gives_no_leaves() {
    let error = flatten(&Two::<3>([1.0, 2.0])).map(drop);
    assert_eq!(error, Err(Error::TooFewLeaves { expected: 3, found: 0 }));
}

#[test]
fn a_map_that_has_no_room_says_how_much_its_keys_need() {
    let (map, mut passes) =
        ((0..16_000u32).map(|key| (key, 0.0f32)).collect::<BTreeMap<_, _>>(), 0);
    let def = TreeDefBox::build(|out| {
        passes += 1;
        map.describe(out);
    });
    assert_eq!((def.unwrap().num_leaves(), passes), (16_000, 2));
}
