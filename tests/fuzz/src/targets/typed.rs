//! Typed trees of leaves, keys, iterators and closures that fail: nothing is dropped twice or never.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use treedef::algebra::{stack, unstack};
use treedef::encode::structure_bound;
use treedef::format::{FromValue, MapKey, ToValue};
use treedef::record::{
    RecordLeaf, Upgrade, fold_into, load, load_older, record_and_page, record_key, save,
    save_with_page, unfold_into, upgrade,
};
use treedef::tree::choices::{self, choices_of, expand_into, has_choices};
use treedef::tree::{
    flatten_expected, into_leaves, leaves_from, map_from, try_unflatten_from, unflatten_from,
};
use treedef::{
    Error, TreeDef, Value, flatten, flatten_into, map, matches, over, schema_of, structure,
    unflatten,
};

use crate::bytes::Bytes;
use crate::guard::{self, Limits};

const LIMITS: Limits = Limits { time: 200, stack: 256 << 10, heap: 1 << 20, keeps: false };

thread_local! {
    /// The leaves that are alive.
    static ALIVE: Cell<usize> = const { Cell::new(0) };
    /// The steps until something panics.
    static FUSE: Cell<u32> = const { Cell::new(0) };
    /// What keys answer instead of the truth.
    static LIES: Cell<u32> = const { Cell::new(0) };
}

/// What panics say that are meant.
const MEANT: &str = "the fuse has burnt down";

fn burn() {
    let left = FUSE.get();
    FUSE.set(left.saturating_sub(1));
    if left == 1 {
        std::panic::panic_any(MEANT);
    }
}

/// A lie, if there are some left.
fn lie() -> bool {
    let lies = LIES.get();
    LIES.set(lies >> 1);
    lies & 1 == 1
}

/// A leaf that is counted, and whose clones can panic.
#[derive(Debug)]
pub struct Counted(Box<u8>);

impl Counted {
    fn new(value: u8) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self(Box::new(value))
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        burn();
        Self::new(*self.0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get().checked_sub(1).expect("a leaf is dropped twice"));
    }
}

treedef::leaf!(Counted);

impl RecordLeaf for Counted {
    const NAME: &'static str = "Counted";

    fn with_bytes<R>(&self, give: impl FnOnce(&[u8]) -> R) -> R {
        give(&[*self.0])
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let [value] = bytes.try_into().ok()?;
        burn();
        Some(Self::new(value))
    }
}

/// A key that lies about its order, its equality and its hash. These do not panic, because `BTreeMap::from_iter` leaks a node
/// then.
#[derive(Clone, Debug)]
pub struct Liar(u8);

impl PartialEq for Liar {
    fn eq(&self, other: &Self) -> bool {
        (self.0 == other.0) != lie()
    }
}

impl Eq for Liar {}

impl PartialOrd for Liar {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Liar {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.0.cmp(&other.0);
        if lie() { order.reverse() } else { order }
    }
}

impl Hash for Liar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0 ^ u8::from(lie())).hash(state);
    }
}

impl ToValue for Liar {
    const TYPE: &'static str = "Liar";

    fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
        burn();
        take(Value::Int(i64::from(self.0) + i64::from(lie())))
    }
}

impl FromValue for Liar {
    fn from_value(value: Value<'_>) -> Option<Self> {
        burn();
        u8::from_value(value).map(Self)
    }
}

impl MapKey for Liar {}

/// A tree of most containers.
type Typed<L> =
    (Vec<(L, Option<L>)>, [Option<Box<L>>; 2], BTreeMap<Liar, [L; 2]>, HashMap<Liar, Vec<L>>);

fn tree(bytes: &mut Bytes<'_>) -> Typed<Counted> {
    let leaf = |bytes: &mut Bytes<'_>| Counted::new(bytes.byte());
    let maybe = |bytes: &mut Bytes<'_>| (bytes.byte() & 1 == 1).then(|| Counted::new(1));
    let list = (0..bytes.below(4)).map(|_| (leaf(bytes), maybe(bytes))).collect();
    let pair = [maybe(bytes).map(Box::new), maybe(bytes).map(Box::new)];
    let sorted = (0..bytes.below(4)).map(|_| (Liar(bytes.byte() % 8), [leaf(bytes), leaf(bytes)]));
    let sorted = sorted.collect();
    let hashed = (0..bytes.below(4))
        .map(|_| (Liar(bytes.byte() % 8), (0..bytes.below(3)).map(|_| leaf(bytes)).collect()));
    (list, pair, sorted, hashed.collect())
}

/// An iterator of leaves that says any number of them, and can panic.
struct Leaves {
    left: usize,
    said: (usize, Option<usize>),
}

impl Iterator for Leaves {
    type Item = Counted;

    fn next(&mut self) -> Option<Counted> {
        burn();
        self.left = self.left.checked_sub(1)?;
        Some(Counted::new(2))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.said
    }
}

/// Does one operation after the other with hostile trees.
pub fn typed(data: &[u8]) {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let told = take_hook();
        set_hook(Box::new(move |panic| {
            if panic.payload().downcast_ref::<&str>() != Some(&MEANT) {
                told(panic);
            }
        }));
    });
    guard::check(data, &LIMITS, || {
        FUSE.set(0);
        LIES.set(0);
        let mut bytes = Bytes(data);
        let alive = ALIVE.get();
        while !bytes.0.is_empty() {
            let (fuse, lies) = (bytes.byte().into(), bytes.number());
            let (mut one, two) = (tree(&mut bytes), tree(&mut bytes));
            let made = structure(&one);
            let leaves = match over(&one).fold(0, |count, _: &Counted| count + 1) {
                Ok(count) => count,
                Err(_) => 0,
            };
            FUSE.set(fuse);
            LIES.set(lies);
            let result = catch_unwind(AssertUnwindSafe(|| {
                operation(&mut bytes, &mut one, &two, made.as_deref_def(), leaves)
            }));
            FUSE.set(0);
            LIES.set(0);
            if let Err(panic) = result
                && panic.downcast_ref::<&str>() != Some(&MEANT)
            {
                std::panic::resume_unwind(panic);
            }
            drop((one, two));
            assert_eq!(ALIVE.get(), alive, "leaves are never dropped");
        }
    });
}

/// A tree of most containers whose keys and leaves are honest.
type Honest =
    (Vec<(u8, Option<u8>)>, [Option<Box<u8>>; 2], Vec<Vec<Option<[u8; 2]>>>, Option<Part>);

#[derive(Clone, Debug, PartialEq, treedef::Tree)]
#[tree(name = "Part")]
enum Part {
    None,
    Gain(u8),
    Rows(Vec<[u8; 2]>),
    Parts { first: Box<Part>, rest: Vec<Part> },
}

fn part(bytes: &mut Bytes<'_>, levels: u8) -> Part {
    match bytes.below(if levels == 0 { 3 } else { 4 }) {
        0 => Part::None,
        1 => Part::Gain(1),
        2 => Part::Rows(vec![[1; 2]; bytes.below(6)]),
        _ => Part::Parts {
            first: Box::new(part(bytes, levels - 1)),
            rest: vec![part(bytes, levels - 1); bytes.below(7)],
        },
    }
}

/// Changes some of these bytes, or takes others.
fn damaged(bytes: &mut Bytes<'_>, mut of: Vec<u8>) -> Vec<u8> {
    for _ in 0..bytes.below(4) {
        let at = bytes.below(of.len().clamp(1, 256));
        match bytes.byte() {
            0..32 => drop(of.drain(..at)),
            32..64 => of.truncate(at),
            64..128 => of.splice(at..at, bytes.take(4).iter().copied()).for_each(drop),
            128..160 => of = bytes.take(40).to_vec(),
            change => {
                if let Some(byte) = of.get_mut(at) {
                    *byte ^= change;
                }
            }
        }
    }
    of
}

/// Treedefs of a type and near them, and any other: the functions that read them under the type say the same of each.
fn judged_alike(bytes: &mut Bytes<'_>) {
    let option = |bytes: &mut Bytes<'_>| (bytes.byte() & 1 == 1).then_some(1);
    let row = (1, option(bytes));
    let rows =
        (vec![row; bytes.below(20)], [option(bytes).map(Box::new), option(bytes).map(Box::new)]);
    let lists = vec![vec![option(bytes).map(|leaf| [leaf; 2]); bytes.below(9)]; bytes.below(5)];
    let tree: Honest = (rows.0, rows.1, lists, option(bytes).map(|_| part(bytes, 3)));
    let of = structure(&tree).expect("few levels").as_treedef().as_bytes().to_vec();
    let of = damaged(bytes, of);
    let Ok(def) = TreeDef::from_bytes(&of) else { return };
    let mut choices = [0; 1024];
    let read = choices_of::<Honest>(def, &mut choices);
    if def.num_leaves() > 4096 {
        // More than it is worth to build; what is refused is refused by its structure, or for its leaves.
        assert!(unflatten::<u8, Honest>(def, &[1; 3]).is_err());
        assert!(!matches!(read, Err(Error::TooFewLeaves { .. })));
        return;
    }
    let leaves = vec![1; def.num_leaves()];
    let built = unflatten::<u8, Honest>(def, &leaves);
    let moved = unflatten_from::<u8, _, Honest>(def, leaves.iter().copied());
    assert_eq!(built, moved);
    match (read, built) {
        (Ok(len), Ok(tree)) => {
            let choices = &choices[..len];
            assert!(has_choices(&tree, choices));
            assert_eq!(choices::unflatten::<u8, Honest>(choices, &leaves).as_ref(), Ok(&tree));
            assert_eq!(structure(&tree).as_deref_def(), def);
            let mut room = vec![0; structure_bound(&tree).expect("a tree that was built")];
            assert_eq!(expand_into::<Honest>(choices, &mut room), Ok(def));
        }
        (Err(Error::BufferFull { .. }), Ok(_)) => {}
        (read, built) => assert_eq!(read.map(drop), built.map(drop)),
    }
}

/// A record with any page, near that of a type or any other tree, and any leaves and choices: an error or a value.
fn any_page(bytes: &mut Bytes<'_>, defaults: &Typed<Counted>) {
    let schema = match bytes.below(4) {
        0 => schema_of::<Typed<Counted>>(),
        1 => schema_of::<(Vec<(u8, Part)>, BTreeMap<String, Option<[f32; 3]>>)>(),
        2 => schema_of::<Honest>(),
        _ => schema_of::<(Vec<Option<u64>>, [[(); 300]; 300], (bool, char, f64))>(),
    };
    let page = damaged(bytes, schema.as_bytes().to_vec());
    let Ok(page) = TreeDef::from_bytes(&page) else { return };
    let mut record = vec![0xE1];
    record.extend(page.fingerprint().to_le_bytes());
    let tree: Honest = (vec![(1, None)], [None, None], vec![vec![None]], Some(Part::Gain(2)));
    let (room, len) = (16 * bytes.below(256), bytes.below(64));
    match save(&tree) {
        Ok(saved) if len < 32 => record.extend(damaged(bytes, saved[9..].to_vec())),
        _ => record.extend(bytes.take(len)),
    }
    let (mut folded, mut unfolded, mut again) = ([0; 512], [0; 512], [0; 512]);
    if let Ok(len) = fold_into(&record, page, &mut folded) {
        let whole = unfold_into(&folded[..len], page, &mut unfolded).unwrap();
        assert_eq!(fold_into(&unfolded[..whole], page, &mut again), Ok(len));
        assert_eq!(again, folded);
    }
    let folded = [&[0xE3], &record[1..]].concat();
    drop(unfold_into(&folded, page, &mut unfolded));
    let aliases = [("a", "[0]"), ("[1]", "[0]"), ("[0][*][0]", "[2]['1']"), ("[2]", "[3]")];
    let aliases = &aliases[..bytes.below(5)];
    drop(load_older::<Typed<Counted>>(&record, page, defaults, aliases, &mut vec![0; room]));
    drop(load_older::<Honest>(&record, page, &tree, aliases, &mut vec![0; room]));
}

type Older = (BTreeMap<u8, u16>, Vec<(u8, Option<String>)>, [Option<u32>; 2]);
type Newer = (BTreeMap<u8, u8>, Vec<(u16, String, Option<u8>)>, [u16; 3]);

static UPGRADE: Upgrade<Newer> = upgrade!(Newer, schema_of::<Older>().as_bytes());

/// A record of an older version, near that of a value: an error, or what `load_older` loads.
fn any_upgrade(bytes: &mut Bytes<'_>) {
    let texts = [Some("one".to_owned()), None];
    let mut older: Older = (BTreeMap::new(), vec![], [Some(70_000), None]);
    for _ in 0..bytes.below(5) {
        let [key, count, which] = [256, 400, 2].map(|most| bytes.below(most));
        older.0.insert(key as u8, count as u16);
        older.1.push((key as u8, texts[which].clone()));
    }
    let Ok(mut record) = save(&older) else { return };
    let body = record.split_off(9);
    record.extend(damaged(bytes, body));
    let defaults = (BTreeMap::from([(1, 2)]), vec![(7, "default".to_owned(), None)], [1, 2, 3]);
    if let Ok(loaded) = UPGRADE.load(&record, &defaults, &mut vec![0; 16 * bytes.below(256)]) {
        let room = &mut [0; 1 << 14];
        let other = load_older(&record, schema_of::<Older>(), &defaults, &[], room);
        assert_eq!(Ok(loaded), other);
    }
}

/// The treedef, or a leaf for a tree that lied.
trait AsDeref {
    fn as_deref_def(&self) -> TreeDef<'_>;
}

impl AsDeref for Result<treedef::TreeDefBox, Error> {
    fn as_deref_def(&self) -> TreeDef<'_> {
        self.as_ref().map_or(TreeDef::LEAF, |def| def.as_treedef())
    }
}

/// Does something with trees. What it returns does not matter, because keys lie.
fn operation(
    bytes: &mut Bytes<'_>,
    one: &mut Typed<Counted>,
    two: &Typed<Counted>,
    def: TreeDef<'_>,
    leaves: usize,
) {
    let step = |fuse: &mut u8| -> Result<(), Error> {
        burn();
        *fuse = fuse.wrapping_sub(1);
        if *fuse == 0 { Err(Error::TooLarge) } else { Ok(()) }
    };
    let mut fuse = bytes.byte();
    let room = bytes.below(20);
    let said = (bytes.number() as usize, (fuse & 1 == 1).then_some(room));
    let iterator = || Leaves { left: (leaves + room).saturating_sub(10), said };
    match bytes.below(25) {
        0 => drop(flatten::<Counted, _>(one)),
        1 => {
            let mut out: Vec<_> = (0..room).map(|_| Counted::new(9)).collect();
            let mut room = [0; 40];
            let _ = flatten_into(one, &mut room, &mut out);
            let _ = flatten_expected(one, def, &mut out);
        }
        2 => drop(map(one, |leaf: &Counted| {
            burn();
            u32::from(*leaf.0)
        })),
        3 => drop(over(&*one).try_map(|leaf: &Counted| step(&mut fuse).map(|()| leaf.clone()))),
        4 => drop(unflatten_from::<Counted, _, Typed<Counted>>(def, iterator())),
        5 => {
            let leaves = iterator().map(|leaf| step(&mut fuse).map(|()| leaf));
            drop(try_unflatten_from::<Counted, Error, _, Typed<Counted>>(def, leaves));
        }
        6 => {
            let out: Vec<_> = (0..iterator().left).map(|_| Counted::new(2)).collect();
            drop(unflatten::<Counted, Typed<Counted>>(def, &out));
        }
        7 => {
            let out: Vec<_> = (0..iterator().left).map(|_| Counted::new(2)).collect();
            let _ = leaves_from(one, &out);
        }
        18 => {
            let mut choices = [0; 64];
            let len = choices_of::<Typed<Counted>>(def, &mut choices).unwrap_or(room);
            let out: Vec<_> = (0..iterator().left).map(|_| Counted::new(2)).collect();
            let choices = &choices[..len.min(64)];
            drop(choices::unflatten::<Counted, Typed<Counted>>(choices, &out));
            let _ = expand_into::<Typed<Counted>>(choices, &mut [0; 128]);
        }
        19 => {
            let choices: Vec<_> = (0..room).map(|_| bytes.byte()).collect();
            let out: Vec<_> = (0..iterator().left).map(|_| Counted::new(2)).collect();
            drop(choices::unflatten::<Counted, Typed<Counted>>(&choices, &out));
            let _ = expand_into::<Typed<Counted>>(&choices, &mut [0; 128]);
        }
        20 => {
            if let Ok(mut record) = save(one) {
                let at = bytes.below(record.len());
                record[at] ^= bytes.byte();
                drop(load::<Typed<Counted>>(&record));
            }
            if let Ok(mut whole) = save_with_page(one) {
                let at = bytes.below(whole.len());
                whole[at] ^= bytes.byte();
                if let Ok([record, page]) = record_and_page(&whole)
                    && let Ok(page) = TreeDef::from_bytes(page)
                {
                    drop(load_older::<Typed<Counted>>(record, page, one, &[], &mut [0; 1024]));
                }
            }
        }
        21 => {
            let mut record = vec![0xE1];
            record.extend(record_key::<Typed<Counted>>().to_le_bytes());
            record.extend((0..room).map(|_| bytes.byte()));
            drop(load::<Typed<Counted>>(&record));
            let schema = schema_of::<Typed<Counted>>();
            drop(load_older::<Typed<Counted>>(&record, schema, one, &[], &mut [0; 1024]));
        }
        22 => judged_alike(bytes),
        23 => any_page(bytes, one),
        24 => any_upgrade(bytes),
        8 => drop(into_leaves::<Counted, _>(core::mem::take(one))),
        9 => drop(map_from::<Counted, Counted, _>(core::mem::take(one), |leaf| {
            burn();
            leaf
        })),
        10 => {
            let _ = over(one).for_each(|leaf: &mut Counted| *leaf = Counted::new(3));
        }
        11 => {
            let _ = over(one).for_each(|leaf: &mut Counted| {
                *leaf = leaf.clone();
                step(&mut fuse)
            });
        }
        12 => {
            let _ = over(one).paths().for_each(|path, leaf: &mut Counted| {
                burn();
                *leaf = Counted::new(path.len() as u8);
            });
        }
        13 => {
            let _ = over((&mut *one, two))
                .for_each(|(ours, theirs): (&mut Counted, &Counted)| *ours = theirs.clone());
        }
        14 => drop(
            over((&*one, two))
                .try_map(|(ours, _): (&Counted, &Counted)| step(&mut fuse).map(|()| ours.clone())),
        ),
        15 => {
            let lists = stack::<Counted, _>(&[one.clone(), two.clone(), one.clone()]);
            if let Ok(Some(lists)) = lists {
                drop(unstack::<Counted, Typed<Counted>, _>(def, &lists));
            }
        }
        16 => drop(matches(one, def)),
        _ => {
            *one = two.clone();
        }
    }
}
