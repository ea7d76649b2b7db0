//! Logs what the crate has `defmt::Format` for. The image links only if no panic is reachable.
#![no_std]
#![no_main]

mod logger;

use defmt::{error, info, warn};
use treedef::cache::{Dtype, KeyBuf, KeyWriter};
use treedef::format::BigInt;
use treedef::format::ValueTuple;
use treedef::head::DictKind;
use treedef::tree::AsLeaf;
use treedef::{
    Cache, CallKey, Error, KeyEntry, Tree, TreeDef, TreeDefBuf, Value, View, Writer, head, treedef,
    treedef_of,
};

board::bare_image!(run);

/// A struct of fixed shape, whose treedef is a constant.
#[derive(Tree)]
#[tree(name = "motor::Gain")]
struct Gain {
    value: f32,
    limit: f32,
}

/// A struct whose structure depends on its value.
#[derive(Tree)]
#[tree(name = "motor::Pid")]
struct Pid {
    gains: [f32; 2],
    limit: Option<f32>,
}

/// The structure of an older controller.
const OLDER: TreeDef<'static> = treedef!({"axes": [*, *], "filter": (*, *), "rate": *});

/// The structure of today's.
const TODAY: TreeDef<'static> = treedef!({"axes": [*, None], "filter": [*, *], "mode": *});

/// Logs everything; exit status 1 where there was nothing to log.
fn run() -> u32 {
    match (structures(), paths(), keys()) {
        (Ok(()), Ok(()), Ok(())) => 0,
        failed => {
            error!("failed: {}", failed);
            1
        }
    }
}

fn structures() -> Result<(), Error> {
    info!("of a type: {}", treedef_of::<(Gain, Gain)>());
    let pid = Pid { gains: [0.5, 12.0], limit: None };
    let mut bytes = [0; 64];
    let (def, _) = treedef::flatten_into(&pid, &mut bytes, &mut [0.0f32; 2])?;
    info!("of a value: {}", TreeDefBuf::<64>::from_treedef(def)?);
    let leaves = [0.5f32, 12.0];
    info!("tree: {}", View::new(def, &leaves)?);
    let whole = [AsLeaf(1.5f32), AsLeaf(-2.0)];
    info!("tree of whole leaves: {}", View::new(def, &whole)?);
    for node in def.nodes().flatten() {
        info!("node: {}", node);
    }
    warn!("{}", treedef_of::<Gain>().differences(def).flatten().next());
    for difference in OLDER.differences(TODAY).deep() {
        warn!("{}", difference?);
    }
    error!("bytes: {}", TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2]).err());
    error!("leaves: {}", View::new(def, &[1.0f32]).err());
    error!("matching: {}", treedef::matches(&pid, OLDER).err());
    error!("room: {}", Writer::new(&mut [0; 1]).finish().err());
    Ok(())
}

fn paths() -> Result<(), Error> {
    // Keys of every type that a log shows in its own way.
    let elements = [Value::None, Value::Bool(true)];
    let keys = [
        Value::Str("it's"),
        Value::Int(-7),
        Value::BigInt(BigInt::new(true, &[1, 0, 0, 0, 0, 0, 0, 0, 2]).ok_or(Error::TooLarge)?),
        Value::Float(1.5),
        Value::Bytes(&[0xC0, 1]),
        Value::Opaque("<object>"),
        Value::Tuple(ValueTuple::new(&elements)),
    ];
    let mut bytes = [0; 128];
    let mut out = Writer::new(&mut bytes);
    let root = out.begin(&head::Dict::new(DictKind::Ordered, keys));
    let pid = out.begin_struct("motor::Pid", &["kp"]);
    out.leaves(1);
    out.end(pid);
    let list = out.begin_list(2);
    out.leaves(2);
    out.end(list);
    out.leaves(5);
    out.end(root);
    for path in out.finish()?.paths() {
        info!("path: {}", path);
    }
    let filter = KeyEntry::Key(Value::Str("filter"));
    info!("found: {}", OLDER.find([filter])?);
    error!("not found: {}", OLDER.find([filter, KeyEntry::Index(2)]).err());
    info!("node 3: {}", TODAY.node_path(3));
    Ok(())
}

fn keys() -> Result<(), Error> {
    let mut bytes = [0; 64];
    let mut key = KeyWriter::new(&mut bytes);
    key.treedef(TODAY).array(Dtype::Float32, true, &[3, 4]).meta(&(true, 7)).bytes(&[0xC0, 1]);
    let key: CallKey<'_> = key.finish()?;
    info!("call: {}", key);
    for difference in CallKey::of(OLDER).differences(key) {
        warn!("call: {}", difference);
    }
    let mut cache = Cache::<KeyBuf<64>, u32, 2>::new();
    for _ in 0..3 {
        cache.get_or_insert_with(key, || Ok::<_, Error>(1))?;
    }
    info!("cache: {}", cache.stats());
    Ok(())
}
