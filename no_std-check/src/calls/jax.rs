//! The bridge to JAX's files.

use core::hint::black_box;

use treedef::jax::{
    Proto, ProtoError, ProtoFrame, ProtoKey, ProtoLevel, ProtoNode, proto_into, proto_into_with,
    proto_len,
};
use treedef::{Arena, Store, TreeDef, matches, structure_into, structure_len};

use super::build::sample;
use super::{Done, keep, print, print_debug};

/// `[{'a': *, 'b': None}, {'a': *, 'b': None}, (*, *)]`
const TREE: &[u8] = &[0x43, 0x62, 4, 1, b'a', 1, b'b', 0x00, 0xC0, 0xA0, 0x01, 0x22, 0x01];

/// Writes a proto, with every size of the buffer, and what has none.
pub(super) fn written() -> Done {
    let def = TreeDef::from_bytes(black_box(TREE)).ok()?;
    let (mut levels, mut keys) = ([ProtoLevel::default(); 4], [ProtoKey::default(); 4]);
    let mut bytes = [0; 128];
    let len = proto_len(def).ok()?;
    for room in 0..len {
        keep(proto_into(def, bytes.get_mut(..room)?).err()?);
    }
    keep(proto_into(def, black_box(&mut bytes)).ok()?);
    keep(proto_into_with(def, &mut levels, &mut keys, black_box(&mut bytes)).ok()?);
    keep(proto_into_with(def, &mut levels, keys.get_mut(..1)?, black_box(&mut bytes)).err()?);
    keep(proto_into_with(def, levels.get_mut(..1)?, &mut keys, black_box(&mut bytes)).err()?);
    print_debug(&(levels.first()?, keys.first()?))?;
    let mut other = [0; 512];
    let refused = proto_into(sample(&mut other)?, black_box(&mut bytes)).err()?;
    print(&refused.explain_at(&sample(&mut other)?))
}

/// Reads a proto, every prefix of it, and it with every byte changed.
pub(super) fn read() -> Done {
    let def = TreeDef::from_bytes(black_box(TREE)).ok()?;
    let (mut nodes, mut frames) = ([ProtoNode::default(); 16], [ProtoFrame::default(); 4]);
    let (mut proto, mut bytes) = ([0; 128], [0; 32]);
    let len = proto_into(def, &mut proto).ok()?.len();
    let whole = proto.get(..len)?;
    keep(Proto::nodes_len(black_box(whole)).ok()?);
    let read = Proto::from_bytes(whole, black_box(&mut nodes)).ok()?;
    keep((Proto::num_leaves(&read), Proto::num_nodes(&read)));
    print_debug(&read)?;
    structure(&read, def)?;
    keep(Proto::structure_into_with(&read, &mut frames, black_box(&mut bytes)).ok()?);
    for room in 0..def.as_bytes().len() {
        keep(read.structure_into_with(&mut frames, bytes.get_mut(..room)?).err()?);
    }
    keep(read.structure_into_with(frames.get_mut(..1)?, &mut bytes).err()?);
    print_debug(frames.first()?)?;
    for at in 0..len {
        let cut = proto.get(..at)?;
        // The first leaf alone is a tree.
        if let Err(error) = Proto::from_bytes(black_box(cut), &mut nodes) {
            keep((ProtoError::kind(&error), ProtoError::offset(&error)));
            print(&error)?;
            print_debug(&(error, nodes.first()?))?;
        }
        let byte = *proto.get(at)?;
        *proto.get_mut(at)? = byte ^ black_box(0x21);
        if let Ok(changed) = Proto::from_bytes(proto.get(..len)?, &mut nodes) {
            keep(structure_into(&changed, &mut bytes).is_ok());
        }
        *proto.get_mut(at)? = byte;
    }
    Some(())
}

/// A proto as every other structure.
fn structure(proto: &Proto<'_>, def: TreeDef<'_>) -> Done {
    let (mut bytes, mut storage) = ([0; 32], [0; 64]);
    let again = structure_into(black_box(proto), &mut bytes).ok()?;
    keep((again == def).then_some(())?);
    keep(structure_len(black_box(proto)).ok()?);
    keep(matches(black_box(proto), def).ok()?);
    keep(Arena::new(&mut storage).structure(black_box(proto)).ok()?);
    keep(structure_into(proto, &mut black_box([0; 4])).err()?);
    Some(())
}
