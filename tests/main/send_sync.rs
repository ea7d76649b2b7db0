//! What is only bytes goes to any thread: checked when this file is compiled.

use treedef::format::BigInt;
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
    TupleOf,
    ListOf,
    SomeOf,
    DictOf<'static, core::array::IntoIter<&'static str, 2>>,
    NamedTupleOf<'static>,
    StructOf<'static>,
    CustomOf<'static>,
    Value<'static>,
    BigInt<'static>,
    Tuple<'static>,
    Kind,
    ChildKey<'static>,
    ChildKeys<'static>,
    Keys<'static>,
    Statics<'static>,
    Path<'static>,
    PathEntries<'static>,
    Entries<'static>,
    KeyEntry<'static>,
    Children<'static>,
    Nodes<'static>,
    NodeAt<'static>,
    Siblings,
    Builder<'static>,
    Frame,
    Shape,
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
    KeyDifferences<'static>,
    KeyDifference<'static>,
    KeySummary<'static>,
    Cache<KeyBuf<8>, u32, 4>,
    CallSite<u32, 8>,
    CacheStats,
);

/// An arena goes to another thread, but is not shared.
const fn is_send<T: Send>() {}
const _: () = is_send::<Arena<'static>>();
