//! What is only bytes goes to any thread: checked when this file is compiled.

use treedef::cache::*;
use treedef::container::*;
use treedef::encode::*;
use treedef::format::BigInt;
use treedef::format::*;
use treedef::head::{ChildKey, MetaFields};
use treedef::nodes::*;
use treedef::path::*;
use treedef::*;

const fn is_send_and_sync<T: Send + Sync>() {}

macro_rules! all_are_send_and_sync {
    ($($type:ty),* $(,)?) => {
        const _: () = { $(is_send_and_sync::<$type>();)* };
    };
}
all_are_send_and_sync!(
    TreeDef<'static>,
    TreeDefBuf<8>,
    Head<'static>,
    head::Tuple,
    head::List,
    head::Some,
    head::Dict<'static, core::array::IntoIter<&'static str, 2>>,
    head::NamedTuple<'static>,
    head::Struct<'static>,
    head::Custom<'static>,
    Value<'static>,
    BigInt<'static>,
    ValueTuple<'static>,
    Kind,
    ChildKey<'static>,
    MetaFields<'static>,
    Path<'static>,
    PathEntries<'static>,
    Entries<'static>,
    KeyEntry<'static>,
    Children<'static>,
    Nodes<'static>,
    NodeAt<'static>,
    Siblings,
    Writer<'static>,
    OpenNode,
    Schema,
    Schemas,
    Record,
    Level,
    Depth,
    Error,
    DecodeError,
    DecodeErrorKind,
    CallKey<'static>,
    KeyWriter<'static>,
    KeyBuf<8>,
    Part<'static>,
    Parts<'static>,
    algebra::Migrated,
    algebra::Matching<'static>,
    KeyDifferences<'static>,
    KeyDifference<'static>,
    KeySummary<'static>,
    Cache<KeyBuf<8>, u32, 4>,
    CacheStats,
);

#[cfg(feature = "alloc")]
all_are_send_and_sync!(TreeDefBox, KeyBox, Cache<KeyBox, u32, 4>);

/// An arena goes to another thread, but is not shared.
const fn is_send<T: Send>() {}
const _: () = is_send::<Arena<'static>>();
