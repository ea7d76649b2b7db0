//! What is only bytes goes to any thread: checked when this file is compiled. A test compares it with the list of the public
//! API, so that no type is forgotten.

use treedef::algebra::*;
use treedef::cache::*;
use treedef::container::*;
use treedef::diff::*;
use treedef::dynamic::*;
use treedef::encode::*;
use treedef::format::BigInt;
use treedef::format::*;
use treedef::head::{ChildKey, DictKind, MetaFields};
use treedef::nodes::*;
use treedef::path::*;
use treedef::record::frame::*;
use treedef::record::*;
use treedef::text::*;
use treedef::tree::*;
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
    DictKind<'static>,
    Value<'static>,
    BigInt<'static>,
    ValueTuple<'static>,
    Elements<'static>,
    Kind,
    ChildKey<'static>,
    MetaFields<'static>,
    PathEntries<'static, 'static>,
    PathPattern<'static>,
    KeyPath<'static, 'static>,
    Entries<'static>,
    KeyEntry<'static>,
    Found<'static>,
    Children<'static>,
    Nodes<'static>,
    NodeAt<'static>,
    Keys<'static>,
    Place,
    Writer<'static>,
    OpenNode,
    Schema,
    Schemas,
    Fields,
    Level,
    Depth,
    Pairing,
    Error,
    TryError<Error>,
    DecodeError,
    DecodeErrorKind,
    Difference<'static>,
    Differences<'static>,
    DifferenceKind,
    CallKey<'static>,
    KeyWriter<'static>,
    KeyBuf<8>,
    Part<'static>,
    Parts<'static>,
    ShapeDtype<'static>,
    Dtype,
    Dim<'static>,
    Dims<'static>,
    KeyDifferences<'static>,
    KeyDifference<'static>,
    KeySummary<'static>,
    Cache<KeyBuf<8>, u32, 4>,
    CacheStats,
    ByFingerprint<KeyBuf<8>>,
    Known<[Option<f32>], u32, 4>,
    FingerprintHasher,
    Migrated,
    Matching<'static>,
    LeafPlace<'static, u32>,
    Change<'static>,
    Compose<'static>,
    CommonSuffix<'static>,
    LeavesToNone<'static>,
    Replace<'static, [(Found<'static>, TreeDef<'static>); 1]>,
    Transform<'static, fn(Head<'static>) -> Result<Change<'static>, Error>>,
    FlattenUpTo<'static, 'static, u32>,
    View<'static, u32>,
    ViewChildren<'static, u32>,
    Node<'static, u32>,
    Keyed<'static, u32>,
    Label<'static>,
    Flatten,
    NoPredicate,
    FoldChildren<'static, u32>,
    AsLeaf<u32>,
    AnyLeaves,
    NoLeaves,
    KeyLeaves,
    RecordLeaves,
    LoadError,
    Upgrade<u32>,
    OlderLeaf<'static>,
    FrameLeaves,
    FrameError,
    FrameParts<'static>,
    FrameSchema<8>,
    Ref,
    Mut,
    Over<(&'static u32, &'static mut u32)>,
    KeyStr<'static>,
    TypedPath<'static>,
    LeafPath,
    Summary<'static>,
    Explanation<'static>,
    DecodeExplanation<'static>,
    PathExplanation<'static>,
    LeafPathExplanation<'static>,
    TypeExplanation<'static>,
);

#[cfg(feature = "alloc")]
all_are_send_and_sync!(
    TreeDefBox,
    KeyPathBuf,
    Explained,
    KeyBox,
    Cache<KeyBox, u32, 4>,
    KnownKey<std::cell::Cell<u32>>,
    KnownRef<f32, &'static f32>,
);

/// An arena goes to another thread, but is not shared.
const fn is_send<T: Send>() {}
const _: () = is_send::<Arena<'static>>();

/// What is lent while a function of the caller runs, and can hold what that has: a text, or the keys of a tree.
const LENT: &[&str] = &["Migration", "Why", "WalkPath", "KeysExplanation"];

/// Names for other types.
const ALIASES: &[&str] = &["FingerprintState", "Leaves", "Trees"];

/// The type or trait that a line of the list is about: the first part of its path that begins like one.
fn subject(line: &str) -> Option<&str> {
    let path = line.split_once(" treedef::")?.1.split(['<', '(', ' ']).next()?;
    let name = path.split("::").find(|part| part.starts_with(char::is_uppercase))?;
    // Constants have no small letters.
    name.trim_end_matches(':').contains(char::is_lowercase).then_some(name.trim_end_matches(':'))
}

#[test]
fn every_public_type_says_whether_it_goes_to_other_threads() {
    let lines = || include_str!("../golden/public-api.txt").lines();
    let is_trait = |name: &str| {
        lines().any(|line| line.starts_with("pub trait ") && subject(line) == Some(name))
    };
    let lists = include_str!("send_sync.rs").split("/// What is lent").next().unwrap();
    let words = lists.split(|c: char| !c.is_alphanumeric());
    let is_listed = |name: &str| words.clone().any(|word| word == name);
    // Derives have the names of traits.
    let of_types = lines().filter(|line| !line.starts_with("pub use "));
    let mut types: Vec<_> = of_types.filter_map(subject).collect();
    types.sort_unstable();
    types.dedup();
    assert!(types.len() > 120, "{types:?}");
    types.retain(|name| !is_listed(name) && !is_trait(name));
    types.retain(|name| !LENT.contains(name) && !ALIASES.contains(name));
    assert_eq!(types, [""; 0]);
}
