//! Compiled code in an object store, found by call keys.
//!
//! An object is named after the BLAKE3 hash of its key: 64 bits of a fingerprint can be made equal on purpose, these cannot.
//! Whatever else lies below the prefix, under another name or deeper, is not counted and not removed. An object holds
//!
//! ```text
//! 32 bytes   BLAKE3 of all that follows
//!  4 bytes   length of the key, little-endian
//!            the key, and after it the artifact
//! ```
//!
//! The store can fail in every way, and no call fails with it: the artifact is made instead, and a warning says why. A store
//! that does not answer is not asked again by this process.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use object_store::path::Path;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutPayload, Result};
use tokio::runtime::{Builder, Runtime};
use treedef::CallKey;
use treedef::cache::KeyBox;

/// What the name of an object ends with, after the hash in 64 digits.
const ENDING: &str = ".code";

/// Bytes of an object that are read to find its key.
const KEY_READ: u64 = 16 * 1024;

/// Objects whose keys are read to explain a miss: those that were used last.
const EXPLAINED: usize = 64;

/// What the store may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long one request may take.
    pub time: Duration,
    /// The bytes of all objects. Beyond it, those that were used longest ago are removed.
    pub bytes: u64,
    /// How old the record of the last use may be: a hit of an object that is older writes it again.
    pub fresh: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let day = Duration::from_secs(24 * 60 * 60);
        Self { time: Duration::from_secs(2), bytes: 1 << 30, fresh: day }
    }
}

/// Artifacts that processes share.
pub struct Shared {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    limits: Limits,
    warn: fn(&str),
    /// `None` while it is dropped.
    runtime: Option<Runtime>,
    /// Whether the store is still asked, and written.
    reads: Cell<bool>,
    writes: Cell<bool>,
}

impl Shared {
    /// The artifacts below `prefix` in a store.
    pub fn new(
        store: Arc<dyn ObjectStore>,
        prefix: Path,
        limits: Limits,
        warn: fn(&str),
    ) -> std::io::Result<Self> {
        let runtime = Some(Builder::new_current_thread().enable_all().build()?);
        let (reads, writes) = (Cell::new(true), Cell::new(true));
        Ok(Self { store, prefix, limits, warn, runtime, reads, writes })
    }

    /// The artifact of a key: from the store, or else made and stored. Also whether it was made.
    pub fn find<E>(
        &self,
        key: CallKey<'_>,
        make: impl FnOnce() -> std::result::Result<Vec<u8>, E>,
    ) -> std::result::Result<(Bytes, bool), E> {
        let mut mode = PutMode::Create;
        match self.read(key) {
            Ok(Some(artifact)) => return Ok((artifact, false)),
            Ok(None) => {}
            // What is wrong is written over.
            Err(()) => mode = PutMode::Overwrite,
        }
        let artifact = Bytes::from(make()?);
        self.write(key, artifact.clone(), mode);
        Ok((artifact, true))
    }

    /// The stored artifact. `Err` if the object with its name is not one of its.
    fn read(&self, key: CallKey<'_>) -> std::result::Result<Option<Bytes>, ()> {
        if !self.reads.get() {
            return Ok(None);
        }
        let path = self.path(key);
        let found = self.ask(async {
            let found = self.store.get(&path).await?;
            let meta = found.meta.clone();
            // A foreign object can be of any size.
            let fits = meta.size <= self.limits.bytes;
            Ok((meta, if fits { Some(found.bytes().await?) } else { None }))
        });
        let (meta, bytes) = match found {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => {
                self.reads.set(false);
                self.writes.set(false);
                self.warn(format_args!("the store is not used any more: {error}"));
                return Ok(None);
            }
        };
        let Some(artifact) = bytes.and_then(|bytes| artifact(key, &bytes)) else {
            self.warn(format_args!("{path} is damaged or foreign, and is written again"));
            return Err(());
        };
        if age(&meta) > self.limits.fresh {
            self.write(key, artifact.clone(), PutMode::Overwrite);
        }
        Ok(Some(artifact))
    }

    /// Stores an artifact. If another process was faster, its object stays.
    fn write(&self, key: CallKey<'_>, artifact: Bytes, mode: PutMode) {
        if !self.writes.get() {
            return;
        }
        let key_len = u32::try_from(key.as_bytes().len()).unwrap_or(u32::MAX).to_le_bytes();
        let mut hasher = blake3::Hasher::new();
        hasher.update(&key_len).update(key.as_bytes()).update(&artifact);
        let front = [hasher.finalize().as_bytes(), &key_len[..], key.as_bytes()].concat();
        let payload = PutPayload::from_iter([Bytes::from(front), artifact]);
        let path = self.path(key);
        let written = self.ask(async { self.store.put_opts(&path, payload, mode.into()).await });
        let written = match written {
            Ok(_) => self.prune(self.limits.bytes).map(|_| ()),
            Err(Error::AlreadyExists { .. }) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = written {
            self.writes.set(false);
            self.warn(format_args!("nothing is stored any more: {error}"));
        }
    }

    /// All objects of this program, those that were used last first.
    pub fn objects(&self) -> Result<Vec<ObjectMeta>> {
        let listed =
            self.ask(async { self.store.list_with_delimiter(Some(&self.prefix)).await })?;
        let mut objects = listed.objects;
        objects.retain(|object| object.location.filename().is_some_and(is_own));
        objects.sort_by_key(|object: &ObjectMeta| std::cmp::Reverse(object.last_modified));
        Ok(objects)
    }

    /// Removes the objects of this program that were used longest ago, until the rest has at most this number of bytes. Returns how many.
    pub fn prune(&self, bytes: u64) -> Result<usize> {
        let mut sum = 0u64;
        let mut removed = 0;
        for object in self.objects()? {
            sum = sum.saturating_add(object.size);
            if sum > bytes {
                match self.ask(async { self.store.delete(&object.location).await }) {
                    // Another process can prune too.
                    Ok(()) | Err(Error::NotFound { .. }) => removed += 1,
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(removed)
    }

    /// The key of an object; `None` if it is no object of this program. Only the front of the object is read.
    pub fn key(&self, object: &ObjectMeta) -> Option<KeyBox> {
        let range = 0..object.size.min(KEY_READ);
        let bytes = self.ask(async { self.store.get_range(&object.location, range).await }).ok()?;
        let (_, key, _) = parts(&bytes)?;
        let key = KeyBox::try_from(key).ok()?;
        (self.path(key.as_key()) == object.location).then_some(key)
    }

    /// The stored key of the same function that is nearest to this one and is not this one.
    pub fn nearest(&self, key: CallKey<'_>) -> Option<KeyBox> {
        if !self.reads.get() {
            return None;
        }
        let objects = self.objects().ok()?;
        let known: Vec<_> =
            objects.iter().take(EXPLAINED).filter_map(|object| self.key(object)).collect();
        let known = known.iter().map(KeyBox::as_key).filter(|known| *known != key);
        let nearest =
            key.nearest(known.filter(|known| known.parts().next() == key.parts().next()))?;
        Some(KeyBox::from(&nearest))
    }

    /// The name of a key's object.
    fn path(&self, key: CallKey<'_>) -> Path {
        self.prefix.clone().join(format!("{}{ENDING}", blake3::hash(key.as_bytes()).to_hex()))
    }

    /// Waits for the store, but not for long.
    fn ask<T>(&self, request: impl Future<Output = Result<T>>) -> Result<T> {
        let limit = self.limits.time;
        let late = || Error::Generic {
            store: "shared_cache",
            source: format!("no answer within {limit:?}").into(),
        };
        let runtime = self.runtime.as_ref().ok_or_else(late)?;
        runtime.block_on(async {
            tokio::time::timeout(limit, request).await.unwrap_or_else(|_| Err(late()))
        })
    }

    fn warn(&self, what: std::fmt::Arguments<'_>) {
        (self.warn)(&what.to_string());
    }
}

/// Does not wait for requests that had no answer.
impl Drop for Shared {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Whether an object with this name is one of this program.
fn is_own(name: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    name.strip_suffix(ENDING).is_some_and(|hash| hash.len() == 64 && hash.bytes().all(is_digit))
}

/// The artifact of an object that is whole and has this key: a part of its bytes, not a copy.
fn artifact(key: CallKey<'_>, bytes: &Bytes) -> Option<Bytes> {
    let (checksum, stored, artifact) = parts(bytes)?;
    let is_whole = blake3::hash(bytes.get(checksum.len()..)?) == *checksum;
    (is_whole && stored == key.as_bytes()).then(|| bytes.slice_ref(artifact))
}

/// Checksum, key and artifact of an object, of which the end may be missing.
fn parts(bytes: &[u8]) -> Option<(&[u8; 32], &[u8], &[u8])> {
    let (checksum, rest) = bytes.split_first_chunk::<32>()?;
    let (len, rest) = rest.split_first_chunk::<4>()?;
    let len = usize::try_from(u32::from_le_bytes(*len)).ok()?;
    let (key, artifact) = rest.split_at_checked(len)?;
    Some((checksum, key, artifact))
}

/// The time since an object was written.
pub fn age(object: &ObjectMeta) -> Duration {
    SystemTime::from(object.last_modified).elapsed().unwrap_or_default()
}
