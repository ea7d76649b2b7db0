//! Any bytes, as many as can be: the verdicts of the readers agree, and what is accepted is written again as it was.

use treedef::{CallKey, TreeDef, Writer};

/// More bytes of a treedef are not written again.
const LONGEST: usize = 1024;
/// The levels that are written node by node. A run of equal children needs the bytes of one child more while it grows, at each level.
const LEVELS: usize = 8;
const ROOM: usize = (LEVELS + 1) * LONGEST;

/// Reads bytes as a treedef, as one of the plain kinds, as the front of more, and as a key. Nothing is measured and nothing is on the
/// heap, so this runs a hundred times as often as the other targets.
pub fn verdicts(data: &[u8]) {
    let (def, key) = (TreeDef::from_bytes(data), CallKey::from_bytes(data));
    let (plain, front) = (TreeDef::from_plain_bytes(data), TreeDef::from_prefix(data));
    let Ok(def) = def else {
        assert!(plain.is_err() && !front.is_ok_and(|(_, rest)| rest.is_empty()));
        return;
    };
    // A treedef alone is a key, and what begins with it has it as its front.
    assert_eq!(key, Ok(CallKey::of(def)));
    assert_eq!(front.map(|(def, rest)| (def.as_bytes(), rest)), Ok((data, &[][..])));
    assert!(plain.is_err() || plain == Ok(def));
    let mut room = [0; ROOM];
    let mut out = Writer::new(&mut room);
    again(def, LEVELS, &mut out);
    assert!(
        out.finish().is_ok_and(|written| written == def)
            || data.len() > LONGEST
            || def.num_nodes() > 4 * LONGEST
    );
}

/// Writes a node, and its children by themselves down to some levels.
fn again(def: TreeDef<'_>, levels: usize, out: &mut Writer<'_>) {
    if levels == 0 || def.num_children() == 0 || def.num_children() > LONGEST {
        return out.subtree(def);
    }
    let node = out.begin_head(&def.head());
    def.children().for_each(|child| again(child, levels - 1, out));
    out.end(node);
}
