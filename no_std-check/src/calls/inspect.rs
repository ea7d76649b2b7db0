//! What a treedef answers: views, heads, paths, a walk by hand.

use core::hint::black_box;

use treedef::encode::Level;
use treedef::nodes::Nodes;
use treedef::path::Entries;
use treedef::{DecodeError, Head, KeyPath, TreeDef};

use super::build::sample;
use super::{Done, keep, print, print_debug};

/// `[[pair, pair] * 3]` with a pair `(*, *)`.
const REPEATS: &[u8] = &[0x43, 0x42, 0x22, 0x01, 0xA0, 0x02, 0xA1, 0x04];

/// Reads bytes that are a treedef, and bytes that are none.
pub(super) fn bytes() -> Done {
    let bytes = black_box(REPEATS);
    keep(TreeDef::from_bytes(bytes).ok()?);
    let mut levels = [Level::default(); 4];
    keep(TreeDef::from_bytes_with(bytes, black_box(&mut levels)).ok()?);
    keep(TreeDef::from_prefix(bytes).ok()?);
    keep(TreeDef::from_plain_bytes(bytes).is_ok());
    let error = TreeDef::from_bytes(black_box(&[0x43, 0xFF])).err()?;
    keep((DecodeError::kind(&error), DecodeError::offset(&error)));
    keep(DecodeError::offset(&DecodeError::after(error, black_box(7))));
    let mut bytes = [0; 512];
    let len = sample(&mut bytes)?.as_bytes().len();
    // Every prefix, and every byte of the sample changed.
    for at in 0..len {
        keep(TreeDef::from_bytes(bytes.get(..at)?).err()?);
        let byte = *bytes.get(at)?;
        *bytes.get_mut(at)? = byte ^ black_box(0x21);
        keep(TreeDef::from_bytes(bytes.get(..len)?).is_ok());
        keep(TreeDef::from_plain_bytes(bytes.get(..len)?).is_ok());
        *bytes.get_mut(at)? = byte;
    }
    Some(())
}

/// The questions to the whole tree.
pub(super) fn questions() -> Done {
    let mut bytes = [0; 512];
    for def in [TreeDef::from_bytes(black_box(REPEATS)).ok()?, sample(&mut bytes)?] {
        let def = black_box(def);
        keep(TreeDef::as_bytes(&def));
        keep(TreeDef::num_leaves(&def));
        keep(TreeDef::num_nodes(&def));
        keep(TreeDef::kind(&def));
        keep(TreeDef::num_children(&def));
        keep(TreeDef::is_leaf(&def));
        keep(TreeDef::fingerprint(&def));
        keep(TreeDef::child(&def, black_box(1))?);
        TreeDef::children(&def).for_each(keep);
        TreeDef::nodes(&def).for_each(keep);
        let mut nodes = TreeDef::nodes(&def);
        while let Some(node) = nodes.next() {
            keep(node.ok()?);
            print(&Nodes::path(&mut nodes)?)?;
            keep(Nodes::found(&nodes)?);
        }
        keep((def == TreeDef::LEAF, def.cmp(&TreeDef::NONE)));
    }
    Some(())
}

/// The questions to a node.
pub(super) fn heads() -> Done {
    let mut bytes = [0; 512];
    let def = sample(&mut bytes)?;
    for node in TreeDef::nodes(&def) {
        let head = black_box(node.ok()?.head);
        keep(Head::as_bytes(&head));
        keep(Head::num_children(&head));
        keep(Head::kind(&head));
        keep(Head::type_name(&head));
        keep(Head::factory(&head));
        Head::keys(&head).for_each(keep);
        Head::fields(&head).for_each(keep);
        Head::meta_fields(&head).for_each(keep);
        keep(Head::aux(&head));
        Head::child_keys(&head).into_iter().flatten().for_each(keep);
        let entries: Entries<'_> = Head::entries(&head);
        keep(entries.clone().nth(black_box(1)));
        entries.for_each(keep);
    }
    Some(())
}

/// Where leaves stand.
pub(super) fn paths() -> Done {
    let mut bytes = [0; 512];
    let def = sample(&mut bytes)?;
    for path in TreeDef::paths(&def) {
        keep(KeyPath::found(&path));
        KeyPath::entries(&path).for_each(keep);
    }
    let repeats = TreeDef::from_bytes(black_box(REPEATS)).ok()?;
    for node in 0..repeats.num_nodes() {
        let path = TreeDef::node_path(&repeats, black_box(node))?;
        keep(KeyPath::found(&path));
        KeyPath::entries(&path).for_each(keep);
        print(&path)?;
        print_debug(&path)?;
    }
    KeyPath::entries(&TreeDef::path(&repeats, black_box(9))?).for_each(keep);
    keep(TreeDef::path(&def, black_box(1000)).is_none());
    Some(())
}
