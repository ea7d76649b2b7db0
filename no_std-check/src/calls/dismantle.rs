//! What trees that are written by hand call: sinks, lanes, sources, depths.

use core::hint::black_box;
use core::net::{Ipv4Addr, Ipv6Addr};
use core::num::NonZero;
use core::time::Duration;

use treedef::algebra::{Matching, Migration};
use treedef::container::{
    Depth, Fields, Lanes, Pairing, Schema, Schemas, Sink, Source, Trees, VisitLanes, WalkPath,
};
use treedef::encode::structure_bound;
use treedef::format::{FromValue, ToValue};
use treedef::record::frame::{
    FrameError, FrameSchema, frame_body_into, frame_bytes, frame_into, read_frame, read_frame_body,
};
use treedef::record::{
    LoadError, OlderLeaf, RecordLeaf, fold_into, load, load_older, load_older_reported,
    load_older_with, record_and_page, record_bytes, record_bytes_with, record_key, save_into,
    save_with_page_into, unfold_into,
};
use treedef::tree::choices::{
    self, choices_into, choices_of, expand_into, has_choices, hash_choices,
};
use treedef::tree::{
    HasSchema, LeafAs, LeafTypes, Structure, TreeBuild, TreeRead, TreeWalk, TreeWrite, ZipPrefix,
    leaves_from,
};
use treedef::{
    Error, TreeDef, Value, Writer, flatten_into, head, map, matches, over, schema_of,
    structure_into, treedef, unflatten,
};

use super::{Done, keep, print};

/// `(*, None, [*, *])`, all of it by hand.
struct Manual<T>([T; 3]);

impl<T> HasSchema for Manual<T> {}

impl<T> Structure for Manual<T> {
    fn describe(&self, out: &mut Writer<'_>) {
        let leaf = black_box(TreeDef::LEAF);
        Writer::node(out, &head::Tuple(3), |out| {
            Writer::subtree(out, leaf);
            Writer::none(out);
            Writer::node(out, &head::List(2), |out| {
                Writer::leaves(out, 1);
                Writer::repeat(out, 1);
            });
        });
    }

    fn num_leaves(&self) -> Result<usize, Error> {
        Ok(3)
    }
}

impl<K: LeafTypes, T: TreeBuild<K> + LeafAs<K>> TreeBuild<K> for Manual<T> {
    fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
        self.0.take_leaves(visit);
    }

    fn build<'d, S: Source<'d, K>>(from: &mut S) -> Result<Self, S::Error> {
        let (tree, place) = (Source::tree(from)?, Source::place(from));
        if tree.num_leaves() != black_box(3) {
            return Source::refuse(from, place);
        }
        if black_box(false) {
            return Source::fail(from, Error::Unsupported);
        }
        Ok(Self([Source::leaf(from)?, Source::leaf(from)?, Source::leaf(from)?]))
    }
}

/// A struct of a meta field and a list, by hand.
struct Noted {
    note: u8,
    list: heapless::Vec<f32, 2>,
}

impl Noted {
    fn with_head<R>(&self, with: impl FnOnce(&head::Struct<'_>) -> R) -> R {
        let meta = [("note", Value::Int(self.note.into()))];
        with(&head::Struct { name: "Noted", fields: &["list"], meta: &meta })
    }
}

impl HasSchema for Noted {
    const SCHEMA: &'static Schema = &Schema::Struct(&Fields {
        name: "Noted",
        head: None,
        is_named: true,
        fields: &["list"],
        children: Schemas::new(&[<heapless::Vec<f32, 2>>::SCHEMA]),
        meta: &[("note", Value::Opaque(<u8 as ToValue>::TYPE))],
        aliases: &[],
    });
}

impl Structure for Noted {
    fn describe(&self, out: &mut Writer<'_>) {
        self.with_head(|head| Writer::node(out, head, |out| self.list.describe(out)));
    }
}

impl TreeBuild<f32> for Noted {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        self.list.into_iter().for_each(visit);
    }

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        Source::begin(from, Self::SCHEMA)?;
        let Some(note) = u8::from_value(Source::value(from)?) else {
            return Source::refuse(from, Source::place(from));
        };
        Ok(Self { note, list: Source::child(from)? })
    }
}

/// A list of options, by hand.
struct Counted(heapless::Vec<Option<f32>, 4>);

impl HasSchema for Counted {
    const SCHEMA: &'static Schema = <heapless::Vec<Option<f32>, 4>>::SCHEMA;
}

impl TreeBuild<f32> for Counted {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        self.0.into_iter().flatten().for_each(visit);
    }

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        let count = Source::begin(from, Self::SCHEMA)?;
        Ok(Self(Source::elements(from, count, black_box(4))?))
    }
}

/// The keys of a dictionary of leaves.
struct Keyed([u8; 2]);

impl HasSchema for Keyed {
    const SCHEMA: &'static Schema = Named::<f32>::SCHEMA;
}

impl TreeBuild<f32> for Keyed {
    fn take_leaves(self, _: &mut impl FnMut(f32)) {}

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        let count = Source::begin(from, Self::SCHEMA)?;
        let mut keys = Source::keys(from, count)?.clone().map_while(u8::from_value);
        let all = [keys.next().unwrap_or(0), keys.next().unwrap_or(0)];
        (0..count).try_for_each(|_| Source::leaf::<f32>(from).map(keep))?;
        Ok(Self(all))
    }
}

/// A list of at most three trees in slots, declared by the macro.
struct Few<T>([Option<T>; 3]);

treedef::container! {
    list Few<T>, room: 3,
    iter: |few| few.0.iter().flatten(),
    iter_mut: |few| few.0.iter_mut().flatten(),
    into_iter: |few| few.0.into_iter().flatten(),
    from_iter: |mut trees| Few([trees.next(), trees.next(), trees.next()]),
}

/// The same with keys.
struct Named<T>([Option<(u8, T)>; 2]);

treedef::container! {
    dict Named<T>, key: u8, room: 2,
    iter: |map| map.0.iter().flatten().map(|(key, tree)| (key, tree)),
    iter_mut: |map| map.0.iter_mut().flatten().map(|(key, tree)| (&*key, tree)),
    into_iter: |map| map.0.into_iter().flatten(),
    from_iter: |entries| Named([entries.next(), entries.next()]),
}

/// Two leaves or one by hand, walked together with others.
enum Manually {
    One(f32),
    Two(f32, f32),
}

impl HasSchema for Manually {}

impl<K: LeafTypes> TreeWalk<K> for Manually
where
    f32: LeafAs<K>,
{
    fn walk<'a, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: 'a,
    {
        Sink::choice(out, self.len());
        let Some(node) = Sink::begin(out, &head::Tuple(self.len())) else { return };
        match self {
            Self::One(one) => Sink::leaf(out, f32::by_ref(one)),
            Self::Two(first, second) => {
                Sink::leaf(out, f32::by_ref(first));
                Sink::leaf(out, f32::by_ref(second));
            }
        }
        Sink::end(out, node);
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        L::same_node::<Self>(&trees, depth, |tree, first| tree.len() == first.len())?;
        if let Manually::Two(..) = L::first::<Self>(&trees) {
            let pairs = L::all(L::map(trees, Self::two, Self::two_mut))
                .map_err(|tree| depth.differs(tree))?;
            let (first, second) = L::unzip(pairs);
            let level = WalkPath::level(visit.path());
            WalkPath::index(visit.path(), level, 0);
            visit.leaf_of::<f32>(first)?;
            WalkPath::index(visit.path(), level, 1);
            visit.leaf_of::<f32>(second)?;
            return Ok(());
        }
        let one =
            L::all(L::map(trees, Self::one, Self::one_mut)).map_err(|tree| depth.differs(tree))?;
        let level = WalkPath::level(visit.path());
        WalkPath::field(visit.path(), level, "one");
        WalkPath::key(visit.path(), level, &0);
        visit.leaf_of::<f32>(one)?;
        Ok(())
    }
}

impl TreeRead<f32> for Manually {}

impl TreeWrite<f32> for Manually {}

impl ZipPrefix<f32, f32, Self> for Manually {
    fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
        prefix: Trees<'p, P, Self>,
        trees: Trees<'a, L, Self>,
        pairing: &mut Pairing,
        visit: &mut impl FnMut(Trees<'p, P, f32>, Trees<'a, L, f32>) -> Result<(), E>,
    ) -> Result<(), E> {
        let len = L::first::<Self>(&trees).len();
        Pairing::check::<L>(pairing, P::first::<Self>(&prefix).len() == len)?;
        if let Manually::Two(..) = L::first::<Self>(&trees) {
            let depth = Pairing::depth(pairing);
            let pairs = L::all(L::map(trees, Self::two, Self::two_mut))
                .map_err(|tree| depth.differs(tree))?;
            let own = P::all(P::map(prefix, Self::two, Self::two_mut));
            pairing.check::<L>(own.is_ok())?;
            let Ok(own) = own else { return Ok(()) };
            let ((first, second), (below, last)) = (P::unzip(own), L::unzip(pairs));
            Pairing::count_node::<L>(pairing);
            <f32 as ZipPrefix<f32, f32, f32>>::zip_lanes::<P, L, E>(first, below, pairing, visit)?;
            return <f32 as ZipPrefix<f32, f32, f32>>::zip_lanes::<P, L, E>(
                second, last, pairing, visit,
            );
        }
        let depth = Pairing::depth(pairing);
        let one =
            L::all(L::map(trees, Self::one, Self::one_mut)).map_err(|tree| depth.differs(tree))?;
        let own = P::all(P::map(prefix, Self::one, Self::one_mut));
        pairing.check::<L>(own.is_ok())?;
        let Ok(own) = own else { return Ok(()) };
        Pairing::count_node::<L>(pairing);
        <f32 as ZipPrefix<f32, f32, f32>>::zip_lanes::<P, L, E>(own, one, pairing, visit)
    }
}

impl Manually {
    fn len(&self) -> usize {
        if let Manually::One(_) = self { 1 } else { 2 }
    }

    fn one(&self) -> Option<&f32> {
        if let Manually::One(leaf) = self { Some(leaf) } else { None }
    }

    fn one_mut(&mut self) -> Option<&mut f32> {
        if let Manually::One(leaf) = self { Some(leaf) } else { None }
    }

    fn two(&self) -> Option<(&f32, &f32)> {
        if let Manually::Two(first, second) = self { Some((first, second)) } else { None }
    }

    fn two_mut(&mut self) -> Option<(&mut f32, &mut f32)> {
        if let Manually::Two(first, second) = self { Some((first, second)) } else { None }
    }
}

/// Trees by hand, walked together.
pub(super) fn together() -> Done {
    let (mut one, mut two) = (black_box(Manually::One(1.0)), black_box(Manually::Two(2.0, 3.0)));
    over(&two).for_each(|leaf: &f32| keep(leaf)).ok()?;
    for other in black_box([Manually::One(4.0), Manually::Two(5.0, 6.0)]) {
        keep(over((&mut one, &other)).for_each(|(a, b): (&mut f32, _)| *a += b).is_ok());
        let both = over((&mut two, &other)).with(&other);
        keep(
            both.for_each(|((a, b), c): ((&mut f32, _), &f32)| {
                *a += b + c;
                if *a > black_box(8.0) { Err(Error::TooLarge) } else { Ok(()) }
            })
            .is_ok(),
        );
        let below = over(&other).under(&two);
        keep(below.fold(0.0, |x, (a, b): (&f32, &f32)| x + a * b).is_ok());
    }
    let small = |x: &f32| if *x < black_box(2.0) { Ok(*x) } else { Err(Error::TooLarge) };
    let mut pair = black_box((1.0f32, Some(2.0f32)));
    keep(over(&pair).try_map(small).is_ok());
    keep(over(&pair).for_each(|a: &f32| small(a).map(keep)).is_ok());
    keep(over((&pair, &pair)).try_map(|(a, b): (&f32, _)| small(a).map(|a| a + b)).is_ok());
    keep(over((&pair, &pair)).for_each(|(a, b): (&f32, _)| small(a).map(|a| keep(a * b))).is_ok());
    keep(over(&mut pair).for_each(|x: &mut f32| small(x).map(|small| *x = -small)).is_ok());
    keep(leaves_from(&mut pair, black_box(&[1.0, 2.0])).is_ok());
    Some(())
}

/// A tree by hand, rebuilt.
pub(super) fn rebuild() -> Done {
    let mut bytes = [0; 16];
    let def = structure_into(&Manual([1.0f32; 3]), black_box(&mut bytes)).ok()?;
    let tree: Manual<f32> = unflatten(black_box(def), black_box(&[1.0f32, 2.0, 3.0])).ok()?;
    keep(tree.0);
    let mut noted = Noted { note: black_box(7), list: heapless::Vec::new() };
    for leaf in [1.0, 2.0] {
        noted.list.push(leaf).ok()?;
    }
    let mut bytes = [0; 32];
    let def = structure_into(&noted, black_box(&mut bytes)).ok()?;
    let again: Noted = unflatten(black_box(def), black_box(&[3.0, 4.0])).ok()?;
    keep((again.note, again.list));
    let def = black_box(treedef!([*, None, *]));
    let again: Counted = unflatten(def, black_box(&[3.0, 4.0])).ok()?;
    keep(again.0);
    let named = black_box(Named([Some((3, 1.0f32)), Some((5, 2.0))]));
    let def = structure_into(&named, black_box(&mut bytes)).ok()?;
    let keys: Keyed = unflatten(def, black_box(&[3.0, 4.0])).ok()?;
    keep(keys.0);
    Some(())
}

/// Trees of containers that the macro declares.
pub(super) fn declared() -> Done {
    let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 8]);
    let pair = |leaf: f32| (leaf, black_box(Some(leaf)));
    let tree = (Few([Some(pair(1.0)), None, Some(pair(2.0))]), Named([Some((7, 3.0f32)), None]));
    let (def, count) =
        flatten_into(black_box(&tree), black_box(&mut bytes), black_box(&mut leaves)).ok()?;
    type Tree = (Few<(f32, Option<f32>)>, Named<f32>);
    let mut again: Tree = unflatten(black_box(def), leaves.get(..count)?).ok()?;
    keep(unflatten::<f32, Tree>(black_box(TreeDef::LEAF), &leaves).is_ok());
    keep(over((&mut again, &tree)).for_each(|(a, b): (&mut f32, _)| *a += b).is_ok());
    keep(over(&again).under(&tree).for_each(|(a, b): (&f32, &f32)| keep((a, b))).is_ok());
    let greater = map(&again, |x: &f32| *x > black_box(1.0)).ok()?;
    keep((greater.0.0, greater.1.0));
    keep(over(&again).paths().for_each(|path, leaf: &f32| keep((path.len(), leaf))).is_ok());
    Some(())
}

/// Choices of values, written, hashed and compared.
pub(super) fn choices() -> Done {
    let tree = (
        Few([Some(Some(1.0f32)), black_box(None), Some(None)]),
        Named([Some((black_box(7), [Some(2.0f32); 2])), None]),
    );
    let mut bytes = [0; 32];
    let len = choices_into(black_box(&tree), black_box(&mut bytes)).ok()?;
    keep(has_choices(black_box(&tree), bytes.get(..len)?));
    keep(hash_choices(black_box(&tree)).ok()?);
    keep(built_of_choices(black_box(&[1, 2, 0, 1]), black_box(&[1.0, 2.0])).is_some());
    Some(())
}

/// Choices of a type, read from a treedef, expanded to it, and built.
fn built_of_choices(choices: &[u8], leaves: &[f32]) -> Option<()> {
    type Tree = (Option<f32>, heapless::Vec<Option<f32>, 4>);
    let (mut bytes, mut again) = ([0; 32], [0; 8]);
    let def = expand_into::<Tree>(choices, &mut bytes).ok()?;
    let len = choices_of::<Tree>(def, &mut again).ok()?;
    let tree: Tree = choices::unflatten(again.get(..len)?, leaves).ok()?;
    keep(tree.1.len());
    Some(())
}

/// A leaf type of the program, as two bytes.
struct Id(u16);

treedef::leaf!(Id);

impl RecordLeaf for Id {
    const NAME: &'static str = "Id";
    const MAX_LEN: usize = 2;

    fn with_bytes<R>(&self, give: impl FnOnce(&[u8]) -> R) -> R {
        give(&self.0.to_le_bytes())
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(|bytes| Self(u16::from_le_bytes(bytes)))
    }
}

/// A value with leaves of every kind, saved and loaded, also one with more choices than a byte counts.
pub(super) fn records() -> Done {
    type Numbers = (u8, i8, u16, i16, u32, i32, u64, i64, u128, i128, usize, isize);
    type Others =
        (bool, char, f32, f64, Duration, Ipv4Addr, Ipv6Addr, NonZero<u16>, heapless::String<8>, Id);
    type All = (Numbers, Others, heapless::Vec<Option<[u8; 2]>, 4>);
    type Long = [Option<bool>; 150];
    const KEY: u64 = record_key::<All>();
    const ROOM: usize = record_bytes_with::<All, (Id,)>();
    let numbers = black_box((1, -1, 300, -300, 1, -1, 1, -1, 1, -1, 1, -1));
    let name = heapless::String::from_value(Value::Str(black_box("p1")))?;
    let ip = (Ipv4Addr::LOCALHOST, Ipv6Addr::LOCALHOST);
    let others = (true, 'a', 1.0, 2.0, Duration::MAX, ip.0, ip.1, NonZero::<u16>::MIN, name, Id(1));
    let mut pairs = heapless::Vec::new();
    pairs.push(Some([1, 2])).ok()?;
    pairs.push(black_box(None)).ok()?;
    let all: All = (numbers, black_box(others), pairs);
    let mut bytes = [0; ROOM];
    let len = save_into(&all, black_box(&mut bytes)).ok()?;
    let again: All = load(black_box(bytes.get(..len)?)).ok()?;
    keep((again.0, again.1.8.len(), again.1.9.0, again.2.len()));
    keep(matches!(load::<Long>(black_box(&bytes)), Err(LoadError::OtherType { key: KEY })));
    let mut bytes = [0; record_bytes::<Long>()];
    let long: Long = [black_box(None); 150];
    let mut whole = [0; record_bytes::<Long>() + 128];
    let len = save_with_page_into(&long, black_box(&mut whole)).ok()?;
    keep(record_and_page(black_box(whole.get(..len)?)).ok()?);
    let len = save_into(&long, black_box(&mut bytes)).ok()?;
    let (record, schema) = (bytes.get(..len)?, schema_of::<Long>());
    let len = fold_into(black_box(record), schema, black_box(&mut whole)).ok()?;
    let len = unfold_into(black_box(whole.get(..len)?), schema, &mut bytes).ok()?;
    keep(load::<Long>(black_box(bytes.get(..len)?)).ok()?);
    older()
}

/// Records of another version, also damaged ones.
fn older() -> Done {
    type Old =
        ((u8, i16, f32), heapless::String<4>, heapless::Vec<Option<u64>, 2>, (bool, [u16; 2]));
    type New = ((u32, u8, f64), heapless::String<6>, heapless::Vec<Option<u8>, 4>, (f32, [i64; 3]));
    let text = |text| heapless::String::from_value(Value::Str(black_box(text)));
    let mut list = heapless::Vec::new();
    list.push(None).ok()?;
    list.push(black_box(Some(300))).ok()?;
    let old: Old = (black_box((200, -1, 1.5)), text("p1")?, list, (true, [1, 2]));
    let new: New = ((1, 2, 3.0), heapless::String::new(), heapless::Vec::new(), (0.5, [0; 3]));
    let (mut bytes, mut room) = ([0; record_bytes::<Old>()], [0; 512]);
    let len = save_into(&old, black_box(&mut bytes)).ok()?;
    let (schema, room) = (schema_of::<Old>(), &mut room);
    for at in 0..len {
        let mut record = bytes;
        *record.get_mut(at)? ^= black_box(1);
        let convert = |leaf: &mut OlderLeaf<'_>| {
            keep((print(&leaf.path), print(&leaf.stored), leaf.from.len(), leaf.to.len()));
            if let Some(true) = OlderLeaf::get::<bool>(leaf) {
                OlderLeaf::set(leaf, &black_box(1.0f32));
            }
        };
        let record = black_box(record.get(..len)?);
        let report = |change: Migration<'_>| keep(print(&change));
        let room = black_box(&mut *room);
        let loaded = load_older_reported::<New>(record, schema, &new, &[], room, convert, report);
        keep(loaded.is_ok_and(|(new, migrated)| new.1.is_empty() || migrated.is_complete()));
        let aliases = &[("0[*]", "2[0]"), ("1", "3[1]")];
        keep(load_older_with::<New>(record, schema, &new, aliases, room, convert).err());
        let matching = Matching::new(&[]).keep_places().lengths_of_defaults();
        keep(load_older::<New>(record, schema, &new, matching, room).err());
    }
    Some(())
}

/// A value with leaves of every width, sent and received, also one with more choices than a byte counts; and any bytes.
pub(super) fn frames() -> Done {
    type Numbers = (u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, bool, NonZero<u16>);
    type All = (Numbers, heapless::Vec<Option<[u8; 2]>, 4>, [u16; 3]);
    type Long = [Option<[Option<bool>; 2]>; 50];
    let one = NonZero::<u16>::MIN;
    let numbers = black_box((1, -1, 300, -300, 1, -1, 1, -1, 1.0, 2.0, true, one));
    let mut pairs = heapless::Vec::new();
    pairs.push(Some([1, 2])).ok()?;
    pairs.push(black_box(None)).ok()?;
    let all: All = (numbers, pairs, [1, 2, 3]);
    let mut bytes = [0; frame_bytes::<All>()];
    let len = frame_into(&all, black_box(&mut bytes)).ok()?;
    let again: All = read_frame(black_box(bytes.get(..len)?)).ok()?;
    keep((again.0, again.1.len(), again.2));
    let schema = FrameSchema::<64>::new(black_box(schema_of::<All>())).ok()?;
    for at in 0..len {
        let mut frame = bytes;
        *frame.get_mut(at)? ^= black_box(1);
        keep(FrameSchema::parts(&schema, black_box(frame.get(..len)?)).ok());
        keep(matches!(read_frame::<All>(black_box(&frame)), Err(FrameError::OtherType { .. })));
    }
    let mut bytes = [0; frame_bytes::<Long>()];
    let long: Long = [black_box(None); 50];
    let len = frame_body_into(&long, black_box(&mut bytes)).ok()?;
    let body = black_box(bytes.get(..len)?);
    keep(read_frame_body::<Long>(body).ok()?);
    let schema = FrameSchema::<32>::new(black_box(schema_of::<Long>()));
    keep(FrameSchema::body_parts(&schema.ok()?, body).ok());
    Some(())
}

/// A tree by hand, described to every encoder.
pub(super) fn describe() -> Done {
    let tree = black_box(Manual([1.0f32; 3]));
    let mut bytes = [0; 16];
    keep(structure_bound(&tree).ok()?);
    let def = structure_into(&tree, black_box(&mut bytes)).ok()?;
    matches(&tree, black_box(def)).ok()?;
    let mut depth = Depth::new(black_box(1));
    Depth::enter(&mut depth).ok()?;
    keep(Depth::enter(&mut depth).err()?);
    Depth::count_nodes(&mut depth, black_box(2));
    keep((Depth::mismatch(&depth), Depth::differs(&depth, 1)));
    Depth::leave(&mut depth);
    Some(())
}
