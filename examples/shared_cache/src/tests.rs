//! A store that fails in every way costs what it had to save, and one warning.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::throttle::{ThrottleConfig, ThrottledStore};
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, ObjectStoreExt, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use treedef::CallKey;
use treedef::cache::{Dtype, KeyBox};

use crate::calls::{Loaded, Vector};
use crate::compiler::Compiler;
use crate::store::{Limits, Shared};

thread_local! {
    static WARNINGS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// The warnings since the last call.
fn warnings() -> Vec<String> {
    WARNINGS.take()
}

/// A process that uses this store.
fn process(store: &Arc<impl ObjectStore>, limits: Limits) -> Shared {
    let warn = |text: &str| WARNINGS.with_borrow_mut(|all| all.push(text.into()));
    Shared::new(store.clone(), Path::from("code"), limits, warn).expect("a runtime")
}

fn key(function: &str, len: usize) -> KeyBox {
    KeyBox::build(|key| _ = key.meta(function).array(Dtype::Float32, false, &[len])).expect("a key")
}

/// The artifact of a key, which says whose it is, and whether it was made.
fn find(shared: &Shared, key: CallKey<'_>) -> bool {
    let made = || Ok::<_, ()>(format!("code of {key}").into_bytes());
    let (artifact, is_new) = shared.find(key, made).expect("it is made");
    assert_eq!(artifact, format!("code of {key}").into_bytes(), "the value of another key");
    is_new
}

/// All objects with their bytes.
fn objects(store: &Arc<impl ObjectStore>) -> Vec<(Path, Vec<u8>)> {
    futures::executor::block_on(async {
        let all: Vec<_> = store.list(None).try_collect().await.expect("a list");
        let mut read = vec![];
        for meta in all {
            let found = store.get(&meta.location).await.expect("an object");
            read.push((meta.location, found.bytes().await.expect("bytes").to_vec()));
        }
        read
    })
}

fn put(store: &Arc<impl ObjectStore>, path: &Path, bytes: Vec<u8>) {
    futures::executor::block_on(store.put(path, bytes.into())).expect("it is put");
}

#[test]
fn the_second_process_makes_nothing() {
    let store = Arc::new(InMemory::new());
    let keys = [key("f", 1), key("f", 2), key("g", 1)];
    for is_new in [true, false] {
        let shared = process(&store, Limits::default());
        assert!(keys.iter().all(|key| find(&shared, key.as_key()) == is_new));
    }
    assert_eq!((objects(&store).len(), warnings().len()), (3, 0));
}

#[test]
fn a_stored_artifact_is_not_copied() {
    let store = Arc::new(InMemory::new());
    let key = key("f", 1);
    assert!(find(&process(&store, Limits::default()), key.as_key()));
    let [(path, _)] = objects(&store).try_into().expect("one object");
    let found = futures::executor::block_on(store.get(&path)).expect("an object");
    let object = futures::executor::block_on(found.bytes()).expect("bytes");
    let shared = process(&store, Limits::default());
    let (artifact, _) = shared.find(key.as_key(), || Err(())).expect("it is stored");
    assert_eq!(artifact.as_ptr_range().end, object.as_ptr_range().end);
}

#[test]
fn two_writers_make_one_object() {
    let store = Arc::new(InMemory::new());
    let [one, other] = [(); 2].map(|()| process(&store, Limits::default()));
    let key = key("f", 1);
    // The other process stores while this one makes.
    let made = one.find(key.as_key(), || {
        assert!(find(&other, key.as_key()));
        Ok::<_, ()>(b"the same, made by another".to_vec())
    });
    assert_eq!(made, Ok((bytes::Bytes::from_static(b"the same, made by another"), true)));
    assert!(!find(&one, key.as_key()), "the first object stays");
    assert_eq!((objects(&store).len(), warnings().len()), (1, 0));
}

#[test]
fn damaged_objects_are_made_again_and_repaired() {
    let store = Arc::new(InMemory::new());
    let key = key("f", 1);
    assert!(find(&process(&store, Limits::default()), key.as_key()));
    let [(path, whole)] = objects(&store).try_into().expect("one object");
    let flipped = (0..whole.len()).map(|at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    });
    let cut = (0..whole.len()).map(|len| whole[..len].to_vec());
    let longer = [&whole, b"x".as_slice()].concat();
    for bytes in flipped.chain(cut).chain([longer]) {
        put(&store, &path, bytes);
        assert!(find(&process(&store, Limits::default()), key.as_key()));
        assert_eq!(warnings().len(), 1);
        assert_eq!(objects(&store), [(path.clone(), whole.clone())]);
    }
}

#[test]
fn an_object_of_another_key_is_no_artifact() {
    let store = Arc::new(InMemory::new());
    let (one, other) = (key("f", 1), key("f", 2));
    let shared = process(&store, Limits::default());
    assert!(find(&shared, one.as_key()));
    let [(path, _)] = objects(&store).try_into().expect("one object");
    assert!(find(&shared, other.as_key()));
    let (_, bytes) =
        objects(&store).into_iter().find(|(other, _)| *other != path).expect("another");
    put(&store, &path, bytes);
    assert!(find(&shared, one.as_key()));
    assert_eq!(warnings().len(), 1);
    // Neither is an object under another name, one of a key.
    let (_, bytes) = objects(&store).into_iter().find(|(one, _)| *one == path).expect("an object");
    put(&store, &Path::from(format!("code/{}.code", "0".repeat(64))), bytes);
    let keys = shared.objects().expect("a list");
    assert_eq!(keys.iter().filter_map(|object| shared.key(object)).count(), 2);
}

#[test]
fn a_slow_store_is_asked_once() {
    let wait_get_per_call = Duration::from_secs(60);
    let config = ThrottleConfig { wait_get_per_call, ..ThrottleConfig::default() };
    let store = Arc::new(ThrottledStore::new(InMemory::new(), config));
    let limits = Limits { time: Duration::from_millis(50), ..Limits::default() };
    let (shared, start) = (process(&store, limits), Instant::now());
    for len in 0..100 {
        assert!(find(&shared, key("f", len).as_key()));
    }
    assert!(start.elapsed() < Duration::from_secs(10));
    let [warning] = warnings().try_into().expect("one warning");
    assert!(warning.contains("no answer within 50ms"), "{warning}");
}

/// A store of which requests fail.
#[derive(Debug)]
struct Failing {
    store: InMemory,
    reads: bool,
    /// The text of the error of writes.
    writes: Option<&'static str>,
}

impl fmt::Display for Failing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Failing")
    }
}

fn failure<T>(text: &str) -> Result<T> {
    Err(Error::Generic { store: "test", source: text.into() })
}

#[async_trait]
impl ObjectStore for Failing {
    async fn put_opts(
        &self,
        path: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        match self.writes {
            Some(text) => failure(text),
            None => self.store.put_opts(path, payload, options).await,
        }
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.store.put_multipart_opts(path, options).await
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        if self.reads {
            failure("connection refused")
        } else {
            self.store.get_opts(path, options).await
        }
    }

    async fn get_ranges(&self, path: &Path, ranges: &[Range<u64>]) -> Result<Vec<bytes::Bytes>> {
        self.store.get_ranges(path, ranges).await
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.store.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.store.list(prefix).boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.store.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.store.copy_opts(from, to, options).await
    }
}

#[test]
fn a_store_that_fails_is_asked_once() {
    let store = Arc::new(Failing { store: InMemory::new(), reads: true, writes: None });
    let shared = process(&store, Limits::default());
    for len in 0..10 {
        assert!(find(&shared, key("f", len).as_key()));
    }
    let [warning] = warnings().try_into().expect("one warning");
    assert!(warning.contains("connection refused"), "{warning}");
    assert_eq!(shared.nearest(key("f", 99).as_key()).map(|key| key.to_string()), None);
}

#[test]
fn a_store_that_is_full_or_read_only_still_answers() {
    for text in ["no space left", "permission denied"] {
        let full = InMemory::new();
        let [known, other] = [key("f", 1), key("f", 2)];
        // What another process stored before.
        let before = Arc::new(full.fork());
        assert!(find(&process(&before, Limits::default()), known.as_key()));
        let [(path, bytes)] = objects(&before).try_into().expect("one object");
        let store = Arc::new(Failing { store: full, reads: false, writes: Some(text) });
        futures::executor::block_on(store.store.put(&path, bytes.into())).expect("it is put");
        let shared = process(&store, Limits::default());
        for _ in 0..3 {
            assert!(find(&shared, other.as_key()));
            assert!(!find(&shared, known.as_key()));
        }
        let [warning] = warnings().try_into().expect("one warning");
        assert!(warning.contains(text), "{warning}");
    }
}

#[test]
fn what_was_used_longest_ago_is_removed() {
    let store = Arc::new(InMemory::new());
    let limits = Limits { fresh: Duration::ZERO, ..Limits::default() };
    let shared = process(&store, limits);
    let keys = [1, 2, 3].map(|len| key("f", len));
    let pause = || std::thread::sleep(Duration::from_millis(5));
    for key in &keys {
        assert!(find(&shared, key.as_key()));
        pause();
    }
    assert!(!find(&shared, keys[0].as_key()));
    pause();
    // Room for three of them, and a fourth comes.
    let bytes = objects(&store).iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let shared = process(&store, Limits { bytes, ..limits });
    assert!(find(&shared, key("f", 4).as_key()));
    let kept = shared.objects().expect("a list");
    let kept: Vec<_> = kept.iter().filter_map(|object| shared.key(object)).collect();
    assert_eq!(kept, [key("f", 4), keys[0].clone(), keys[2].clone()]);
    assert_eq!(shared.prune(0).expect("pruned"), 3);
    assert_eq!((objects(&store).len(), warnings().len()), (0, 0));
}

#[test]
fn foreign_objects_are_neither_counted_nor_removed() {
    let store = Arc::new(InMemory::new());
    let limits = Limits { fresh: Duration::ZERO, ..Limits::default() };
    let shared = process(&store, limits);
    assert!(find(&shared, key("f", 1).as_key()));
    let [(own, bytes)] = objects(&store).try_into().expect("one object");
    // Older or newer, larger, with the bytes of an object, deeper, or named by another hash.
    let name = own.filename().expect("a name").to_owned();
    let foreign = [
        "notes.txt".into(),
        "copy".into(),
        format!("deeper/{name}"),
        "a".repeat(64),
        format!("{}.code", "g".repeat(64)),
        format!("{}.code", "a".repeat(63)),
    ];
    let foreign = foreign.map(|name| Path::from(format!("code/{name}")));
    foreign.iter().for_each(|path| put(&store, path, [&bytes[..], &[0; 1000]].concat()));
    // There is room for the two objects alone.
    let shared = process(&store, Limits { bytes: 2 * bytes.len() as u64, ..limits });
    assert!(find(&shared, key("f", 2).as_key()));
    assert!(!find(&shared, key("f", 1).as_key()));
    assert_eq!(shared.objects().expect("a list").len(), 2);
    assert_eq!(shared.prune(0).expect("pruned"), 2);
    let mut kept: Vec<_> = objects(&store).into_iter().map(|(path, _)| path).collect();
    let mut foreign = foreign.to_vec();
    kept.sort();
    foreign.sort();
    assert_eq!((kept, warnings().len()), (foreign, 0));
}

#[test]
fn the_line_on_a_call_has_hits_and_misses() {
    assert_eq!(crate::watched(0, 0, "f"), "1 of 6: f (compiled 0, hits 0, misses 0)");
    assert_eq!(crate::watched(2, 1, "f"), "3 of 6: f (compiled 1, hits 1, misses 1)");
}

#[test]
fn a_miss_is_explained_by_a_stored_key_of_the_same_function() {
    let store = Arc::new(InMemory::new());
    let shared = process(&store, Limits::default());
    for (function, len) in [("f", 1), ("g", 8), ("f", 2)] {
        find(&shared, key(function, len).as_key());
    }
    let called = key("g", 9);
    let nearest = shared.nearest(called.as_key()).expect("a key of the same function");
    let summary = nearest.as_key().differences(called.as_key()).summary().to_string();
    assert_eq!(summary, "part 1: expected float32[8], found float32[9]");
    assert!(shared.nearest(key("h", 9).as_key()).is_none());
}

#[test]
fn compiled_code_is_loaded_from_its_bytes() {
    let mut compiler = Compiler::new().expect("a compiler");
    let key = compiler.key("scale_add", 3, 0.5).expect("a key");
    let code = compiler.compile(key.as_key()).expect("code");
    // Another compiler, as in another process, loads it.
    let mut loader = Compiler::new().expect("a compiler");
    assert_eq!(loader.key("scale_add", 3, 0.5).expect("a key"), key);
    for compiler in [&mut compiler, &mut loader] {
        let kernel = compiler.load(key.as_key(), &code).expect("it loads");
        let mut y = [1.0, 2.0, 3.0];
        kernel.run(&[2.0, 4.0, 6.0], &mut y).expect("the lengths are right");
        assert_eq!(y, [2.0, 4.0, 6.0]);
        assert!(kernel.run(&[2.0], &mut y).is_err());
    }
    let text = key.to_string();
    assert!(["cranelift=", "target=", "cpu="].iter().all(|name| text.contains(name)), "{text}");
    assert!(compiler.compile(crate::tests::key("other", 1).as_key()).is_err());
}

#[test]
fn a_thread_finds_what_it_has_loaded_without_the_store() {
    let store = Arc::new(InMemory::new());
    let shared = process(&store, Limits::default());
    let (mut compiler, mut loaded) = (Compiler::new().expect("a compiler"), Loaded::default());
    let mut asked = 0;
    let arguments = |len| (Vector(vec![1.0; len]), Vector(vec![2.0; len]));
    let calls = [
        ("scale_add", 3, 0.5),
        ("scale_mul", 3, 0.5),
        ("scale_add", 4, 0.5),
        ("scale_add", 3, 2.0),
    ];
    for (function, len, scale) in calls.into_iter().chain(calls) {
        let kernel = loaded.find(function, scale, &arguments(len), || {
            asked += 1;
            let key = compiler.key(function, len, scale)?;
            let (code, _) = shared.find(key.as_key(), || compiler.compile(key.as_key()))?;
            Ok::<_, Box<dyn std::error::Error>>(compiler.load(key.as_key(), &code)?)
        });
        let (x, mut y) = arguments(len);
        kernel.expect("it loads").run(&x.0, &mut y.0).expect("the lengths are right");
        let expected = if function == "scale_add" { scale + 2.0 } else { scale * 2.0 };
        assert_eq!(y.0, vec![expected; len]);
    }
    assert_eq!((asked, loaded.hits(), objects(&store).len()), (4, 4, 4));
}
