//! One operation after the other on the motor, each counted by itself.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::dynamic::{Heads, visit};
use table::measured;
use table::motor::{
    LEAVES, Motor, flatten, flatten_as_array, flatten_by_hand, start, unflatten, unflatten_by_hand,
};
use treedef::cache::KeyBuf;
use treedef::dynamic::Flatten;
use treedef::{
    Cache, CallKey, DecodeError, Error, KeyEntry, Node, TreeDef, structure_into, treedef,
    treedef_of,
};

board::bare_image!(run);

const DEF: TreeDef<'static> = treedef_of::<Motor>();
const FINGERPRINT: u64 = DEF.fingerprint();

/// The motor with a leaf in the place of each part.
const PREFIX: TreeDef<'static> = treedef_of::<Parts>();

#[derive(treedef::Tree)]
#[tree(name = "motor::Motor")]
struct Parts {
    speed: f32,
    current: f32,
    limits: f32,
    pole_pairs: f32,
    dt: f32,
    phase: f32,
}

/// A cache of four values.
type Table = Cache<KeyBuf<128>, u32, 4>;

/// Structure and leaves of a dynamic tree.
#[inline(never)]
fn flatten_dynamic<'b>(
    tree: &Node<'_, f32>,
    bytes: &'b mut [u8],
    leaves: &mut [f32],
) -> Result<(TreeDef<'b>, usize), Error> {
    Flatten::new().flatten_into(tree, bytes, leaves)
}

/// Leaves of a dynamic tree that must have a structure.
#[inline(never)]
fn flatten_expected(
    tree: &Node<'_, f32>,
    expected: TreeDef<'_>,
    leaves: &mut [f32],
) -> Result<usize, Error> {
    Flatten::new().flatten_expected(tree, expected, leaves)
}

/// Any bytes to a treedef.
#[inline(never)]
fn validate(bytes: &[u8]) -> Result<TreeDef<'_>, DecodeError> {
    TreeDef::from_bytes(bytes)
}

/// The hash of the bytes, at run time.
#[inline(never)]
fn fingerprint(def: TreeDef<'_>) -> u64 {
    def.fingerprint()
}

/// What is done with a frame of a typed job.
#[inline(never)]
fn is_known(fingerprint: u64) -> bool {
    fingerprint == FINGERPRINT
}

/// Two treedefs at different places.
#[inline(never)]
fn are_equal(a: TreeDef<'_>, b: TreeDef<'_>) -> bool {
    a == b
}

/// The index of the leaf at a path.
#[inline(never)]
fn find(def: TreeDef<'_>, path: [KeyEntry<'_>; 2]) -> Option<usize> {
    def.find(path).ok()?.as_leaf()
}

/// The same with the path as text.
#[inline(never)]
fn find_text(def: TreeDef<'_>, text: &str) -> Option<usize> {
    def.find_str(text).ok()?.as_leaf()
}

/// Whether the leaves of `prefix` stand for subtrees of `full`.
#[inline(never)]
fn is_prefix(prefix: TreeDef<'_>, full: TreeDef<'_>) -> bool {
    prefix.check_prefix_of(full).is_ok()
}

/// The structure with `inner` in place of each leaf.
#[inline(never)]
fn compose<'b>(
    outer: TreeDef<'_>,
    inner: TreeDef<'_>,
    bytes: &'b mut [u8],
) -> Result<TreeDef<'b>, Error> {
    structure_into(&outer.compose(inner), bytes)
}

/// A value by structure: the key is hashed.
#[inline(never)]
fn look_up(table: &mut Table, def: TreeDef<'_>) -> Option<u32> {
    table.get(CallKey::of(def)).copied()
}

/// A value by a key that is a constant.
#[inline(never)]
fn look_up_key(table: &mut Table, key: CallKey<'_>) -> Option<u32> {
    table.get(key).copied()
}

fn run() -> u32 {
    u32::from(
        !(on_types() && on_trees() == Ok(true) && on_structures() && on_caches() == Some(true)),
    )
}

/// Typed trees beside what one writes without the crate.
fn on_types() -> bool {
    let (mut fields, mut array, mut derived) = ([0.0; 12], [0.0; 12], [0.0; 12]);
    // As slices whose length the compiler does not know.
    let (motor, [to_fields, to_array, to_derived]) = (
        start(),
        [&mut fields, &mut array, &mut derived].map(|leaves| black_box(leaves.as_mut_slice())),
    );
    measured!("nothing", ());
    let by_fields = measured!("flatten by hand", flatten_by_hand(motor, to_fields));
    let by_array = measured!("flatten by hand, as one array", flatten_as_array(motor, to_array));
    let by_derive = measured!("typed flatten", flatten(motor, to_derived));
    let flat = black_box([fields, array, derived]);
    let (leaves, same_leaves) = (black_box(flat[0].as_slice()), black_box(flat[2].as_slice()));
    let motor_by_hand = measured!("unflatten by hand", unflatten_by_hand(leaves));
    let motor_by_derive = measured!("typed unflatten", unflatten(same_leaves));
    let back =
        [motor_by_hand, motor_by_derive].map(|motor| black_box(motor).map(|motor| motor.leaves()));
    by_fields && by_array && by_derive && flat == [LEAVES; 3] && back == [Some(LEAVES); 2]
}

/// Dynamic trees beside the bare visitor.
fn on_trees() -> Result<bool, Error> {
    let mut heads = [[0; 64]; 3];
    Heads::new(&mut heads)?.with(start(), |tree| {
        let (mut visited, mut written, mut matched) = ([0.0; 12], [0.0; 12], [0.0; 12]);
        let (mut at, mut bytes, expected) = (0, [0; 128], black_box(DEF));
        let all = measured!("bare visitor", visit(tree, &mut visited, &mut at));
        let def = measured!("dynamic flatten", flatten_dynamic(tree, &mut bytes, &mut written));
        let count = measured!("match", flatten_expected(tree, expected, &mut matched));
        let counts = at == 12 && def == Ok((DEF, 12)) && count == Ok(12);
        all && counts && black_box([visited, written, matched]) == [LEAVES; 3]
    })
}

/// Treedefs.
fn on_structures() -> bool {
    let (def, prefix, mut copy) = (black_box(DEF), black_box(PREFIX), [0; 128]);
    let valid = measured!("from_bytes", validate(def.as_bytes()));
    let hash = measured!("fingerprint of bytes", fingerprint(def));
    let hash = black_box(hash);
    let known = measured!("fingerprint compare", is_known(hash));
    let Some(room) = copy.get_mut(..def.as_bytes().len()) else { return false };
    room.copy_from_slice(def.as_bytes());
    let Ok(other) = TreeDef::from_bytes(black_box(room)) else { return false };
    let equal = measured!("treedef equality", are_equal(def, other));
    let path = black_box([KeyEntry::Attr("current"), KeyEntry::Attr("ki")]);
    let found = measured!("find by entries", find(def, path));
    let text = black_box(".current.ki");
    let found_text = measured!("find by text", find_text(def, text));
    let below = measured!("prefix check", is_prefix(prefix, def));
    let (pair, mut bytes) = (black_box(treedef!((*, *))), [0; 256]);
    let composed = measured!("compose", compose(pair, def, &mut bytes));
    valid == Ok(DEF)
        && hash == FINGERPRINT
        && known
        && equal
        && [found, found_text] == [Some(4); 2]
        && below
        && composed.is_ok_and(|composed| composed == treedef_of::<(Motor, Motor)>())
}

/// What is found by treedefs, where it is there.
fn on_caches() -> Option<bool> {
    let def = black_box(DEF);
    let mut table = Table::new();
    table.get_or_insert_with(CallKey::of(def), || Ok::<_, Error>(7)).ok()?;
    let hit = measured!("cache hit", look_up(&mut table, def));
    const KEY: CallKey<'static> = CallKey::of(DEF);
    let key = black_box(KEY);
    let known = measured!("cache hit, constant key", look_up_key(&mut table, key));
    Some([hit, known] == [Some(7); 2])
}
