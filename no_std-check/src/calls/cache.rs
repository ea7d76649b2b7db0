//! Call keys and what is found by them, as far as it needs no heap.

use core::hash::BuildHasher;
use core::hint::black_box;

use treedef::cache::{
    ByFingerprint, Dim, Dtype, Entry, FingerprintState, KeyBuf, KeyDifference, KeyDifferences,
    KeyPart, KeyWriter, Known, Part, ShapeDtype,
};
use treedef::encode::Level;
use treedef::{Arena, Cache, CallKey, Error, TreeDef, Value};

use super::{Done, keep, print, print_debug};

/// A leaf with a shape.
struct Tensor([usize; 2]);

impl KeyPart for Tensor {
    fn write_key(&self, key: &mut KeyWriter<'_>) {
        KeyWriter::array(key, black_box(Dtype::Float32), false, &self.0);
    }
}

/// A key with a part of each kind.
fn written(bytes: &mut [u8]) -> Result<CallKey<'_>, Error> {
    let mut key = KeyWriter::new(bytes);
    KeyWriter::treedef(&mut key, black_box(TreeDef::LEAF));
    KeyWriter::structure(&mut key, black_box(&Some(2.0f32)));
    KeyWriter::leaves(&mut key, black_box(&[Tensor([2, 300])]));
    KeyWriter::tree(&mut key, black_box(&(2.0f32, Some(3u8))));
    KeyWriter::leaves_of(&mut key, black_box(&(2.0f32, Some(3u8))));
    KeyWriter::meta(&mut key, &black_box((true, 7)));
    KeyWriter::value(&mut key, black_box(Value::Str("f")));
    KeyWriter::bytes(&mut key, black_box(b"abc"));
    KeyWriter::named(&mut key, black_box("device"), black_box(&3));
    keep(print_debug(&key));
    KeyWriter::finish(key)
}

/// Keys are written, compared, read back, kept and printed.
pub(super) fn keys() -> Done {
    let mut bytes = [0; 96];
    keep(written(black_box(&mut [0; 3])).err()?);
    let key = written(black_box(&mut bytes)).ok()?;
    keep(CallKey::of_tree(black_box(&[1u8; 4]), black_box(&mut [0; 32])).is_ok());
    keep(CallKey::of_type::<[u8; 4]>());
    let other = CallKey::with_fingerprint(CallKey::of(black_box(TreeDef::NONE)), 7);
    keep((key == other, CallKey::as_bytes(&key), CallKey::fingerprint(&key)));
    for part in CallKey::parts(&key) {
        if let Part::Array(array) = &part {
            let dtype = ShapeDtype::dtype(array);
            keep((Dtype::name(dtype), Dtype::size(dtype), Dtype::from_name(black_box("int8"))));
            keep((ShapeDtype::is_weak(array), ShapeDtype::rank(array)));
            keep(ShapeDtype::shape(array).filter_map(Dim::size).max());
            keep(ShapeDtype::num_elements(array));
            print_debug(&ShapeDtype::shape(array))?;
            let made = ShapeDtype::with_weak(ShapeDtype::new(dtype, black_box(&[3, 4])), true);
            keep((made == *array, ShapeDtype::shape(&made).len()));
            let mut rewritten = [0; 64];
            let mut again = KeyWriter::new(black_box(&mut rewritten));
            KeyWriter::leaves(&mut again, [made, *array]);
            let dims = black_box([Dim::ANY, Dim::Size(3)]);
            KeyWriter::leaves(&mut again, [ShapeDtype::symbolic(dtype, &dims)]);
            keep(KeyWriter::finish(again).is_ok());
        }
        print(&part)?;
        print_debug(&part)?;
    }
    let mut room = [0; 64];
    let arena = Arena::new(black_box(&mut room));
    keep(CallKey::to_arena(key, &arena).ok()? == key);
    keep(CallKey::to_arena(key, &arena).err()?);
    let kept = KeyBuf::<96>::try_from(key).ok()?;
    keep(KeyBuf::<2>::try_from(key).err()?);
    let other = KeyBuf::<96>::try_from(other).ok()?;
    keep((kept == other, KeyBuf::<96>::as_key(&kept) == key));
    print(&key)?;
    print_debug(&key)?;
    print_debug(&CallKey::parts(&key))?;
    print_debug(&kept)
}

/// Keys are read from bytes of outside, and told apart.
pub(super) fn stored_keys() -> Done {
    let mut bytes = [0; 96];
    let key = written(black_box(&mut bytes)).ok()?;
    let known = CallKey::from_bytes(black_box(key.as_bytes())).ok()?;
    let mut levels = [Level::default(); 4];
    keep(CallKey::from_bytes_with(black_box(known.as_bytes()), black_box(&mut levels)).ok()?);
    for bad in black_box([
        [0x00, 0xE7, 0],
        [0x22, 0x00, 0x00],
        [0xE2, 99, 0],
        [0xE1, 6, 9],
        [0xE4, 0, 0],
        [0xE6, 1, 0xFF],
    ]) {
        print(&CallKey::from_bytes(&bad).err()?)?;
    }
    let stored = black_box([
        0x20, 0xE2, 11, 0, 0xE4, 11, 1, 2, 0x62, 0xE1, 2, 0xE0, 1, 7, 0xE6, 1, 0x61, 2, 0x00,
    ]);
    let called = CallKey::from_bytes(&stored).ok()?;
    for difference in CallKey::differences(known, called) {
        keep(KeyDifference::index(&difference));
        keep((KeyDifference::expected(&difference), KeyDifference::found(&difference)));
        keep(KeyDifference::path(&difference).is_some());
        print(&difference)?;
        print_debug(&difference)?;
    }
    print_debug(&CallKey::differences(known, called))?;
    let summary = KeyDifferences::summary(CallKey::differences(called, known));
    print(&summary)?;
    print_debug(&summary)
}

/// A cache that is full, values that are not made, keys that are too long.
pub(super) fn values() -> Done {
    let mut bytes = [0; 96];
    let long = written(&mut bytes).ok()?;
    let defs = [TreeDef::LEAF, TreeDef::NONE, TreeDef::from_bytes(&[0x20]).ok()?];
    let mut cache = Cache::<KeyBuf<8>, u32, 2>::new();
    for _ in 0..2 {
        for def in black_box(defs) {
            let key = CallKey::of(def).with_fingerprint(black_box(u64::MAX));
            keep(Cache::get(&cache, key));
            keep(Cache::get_mut(&mut cache, key));
            keep(Cache::insert(&mut cache, key, 2));
            keep(Cache::get_or_insert_with(&mut cache, key, || Err(Error::TooLarge)).err());
            keep(Cache::get_or_insert_with(&mut cache, key, || Ok::<_, Error>(1)).ok()?);
            keep(Cache::peek(&cache, key)?);
            let entry = Cache::entry(&mut cache, key);
            keep((Entry::key(&entry), Entry::get(&entry)?));
            print_debug(&entry)?;
            keep(Entry::insert(entry, 3));
            keep(Entry::into_mut(Cache::entry(&mut cache, key))?);
            keep(Entry::or_insert_with(Cache::entry(&mut cache, key), || Ok::<_, Error>(1)).ok()?);
        }
    }
    keep(Cache::get_or_insert_with(&mut cache, long, || Ok::<_, Error>(1)).err()?);
    keep((Cache::len(&cache), Cache::is_empty(&cache), Cache::capacity(&cache)));
    keep(Cache::iter(&cache).map(|(_, value)| *value).max()?);
    print_debug(&Cache::stats(&cache))?;
    print_debug(&cache)?;
    Cache::retain(&mut cache, |key, value| key == long || *value > 1);
    keep(CallKey::nearest(long, Cache::iter(&cache).map(|(key, _)| key))?);
    let by_fingerprint = ByFingerprint::from(long);
    keep(ByFingerprint::as_key(&by_fingerprint) == long);
    keep(by_fingerprint == ByFingerprint::from(long));
    keep(FingerprintState::default().hash_one(ByFingerprint::from(long)));
    keep(Cache::evict(&mut cache)?);
    keep(Cache::remove(&mut cache, CallKey::of(black_box(TreeDef::LEAF))));
    Cache::clear(&mut cache);
    let mut borrowed = Cache::<CallKey<'_>, u32, 2>::default();
    keep(Cache::get_or_insert_with(&mut borrowed, long, || Ok::<_, Error>(1)).ok()?);
    known()
}

treedef::leaf!(Tensor);

/// Calls of a known type: without and with a static argument, found, replaced, and too long to be kept.
fn known() -> Done {
    type Of = [Option<Tensor>];
    let mut table = Known::<Of, u32, 2, 16>::default();
    let mut bytes = [0; 64];
    let trees: [&Of; 3] = [&[None], &[None, Some(Tensor([2, 300]))], &[const { None }; 20]];
    for tree in black_box(trees) {
        let call = (tree, black_box(Value::Int(3)));
        let build = |key: CallKey<'_>| Ok::<_, Error>(u32::from(key.as_bytes().is_empty()));
        keep(Known::get_or_insert_with_bytes(&mut table, call, &mut bytes, build).ok()?);
        keep(Known::get_or_insert_with_bytes(&mut table, tree, &mut [0; 2], build).err());
        keep(Known::get(&mut table, call));
    }
    let mut pairs = Known::<(f32, u8), u32, 1, 0>::new();
    keep(Known::get(&mut pairs, black_box((&2.0, &3))));
    print_debug(&Known::stats(&table))?;
    keep(Known::too_long(&table));
    print_debug(&table)
}
