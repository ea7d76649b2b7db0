//! Memory of the caller that is too small: the error says what is there, and what is needed where that is known;
//! nothing is lost.

use treedef::encode::structure_bound;
use treedef::head::{DictKind, head_len};
use treedef::{Arena, Error, TreeDef, TreeDefBuf, Writer, head};
use treedef::{structure_into, treedef};

use crate::golden;
use crate::report::{Case, Missing, Outcome, Report};

pub const CASES: &[Case] = &[
    ("full at every capacity", full),
    ("exactly enough", enough),
    ("treedefs that own their bytes", owned),
    ("a writer out of room", writer),
];

const TREE: TreeDef<'static> = treedef!([{"a": (*, *), "b": None}, [*, [*, *]], [*, [*, *]]]);

/// What does not fit leaves the arena as it was, with what it holds, and says how much is there or needed.
fn full(report: &mut Report<'_>) -> Outcome {
    let dict = head::Dict::new(DictKind::Sorted, ["x", "y"]);
    let (tree, head, text) = (structure_bound(&[TREE, TREE])?, head_len(&dict), "torque".len());
    report.fact("enough", format_args!("{tree} {head} {text}"));
    let (mut refused, mut fits) = (0, 0);
    for room in 0..=tree {
        let mut bytes = [0xA5; 96];
        let arena = Arena::new(&mut bytes[..2 + room]);
        let first = arena.structure(&[1.0f32; 3])?;
        let answer = arena.structure(&[TREE, TREE]);
        let free = arena.remaining();
        match answer {
            Ok(_) => fits += 1,
            Err(error) => {
                report.same((error, free, fits), (Error::Full { room }, room, 0))?;
                refused += 1;
            }
        }
        let answers = [
            (TREE.as_bytes().len(), Arena::new(&mut [0; 96][..room]).add(TREE).map(|_| ())),
            (head, Arena::new(&mut [0; 96][..room]).head(&dict).map(|_| ())),
            (text, Arena::new(&mut [0; 96][..room]).str("torque").map(|_| ())),
        ];
        for (needed, answer) in answers {
            let full = Err(Error::BufferFull { needed, room });
            let expected = if room < needed { full } else { Ok(()) };
            refused += u32::from(answer.is_err());
            report.same(answer, expected)?;
        }
        if free > 0 {
            report.same(arena.structure(&1.0f32), Ok(TreeDef::LEAF))?;
        }
        report.same(first.as_bytes(), [0x43, 0x02].as_slice())?;
    }
    report.fact("refused", refused);
    report.same(fits > 0, true)
}

/// An arena with the room that the error asks for holds it, golden structure by golden structure.
fn enough(report: &mut Report<'_>) -> Outcome {
    golden::each(|_, bytes, _| {
        let (mut storage, def) = ([0; 192], TreeDef::from_bytes(bytes)?);
        let error = Arena::new(&mut storage[..bytes.len() - 1]).add(def).err().ok_or(Missing)?;
        report.same(error, Error::BufferFull { needed: bytes.len(), room: bytes.len() - 1 })?;
        report.same(Arena::new(&mut storage[..bytes.len()]).add(def), Ok(def))
    })?;
    let mut storage = [0; 64];
    let mut arena = Arena::new(&mut storage);
    let kept = arena.scratch().add(TREE)?;
    report.treedef("in scratch", kept);
    report.same(arena.remaining(), 64)
}

fn owned(report: &mut Report<'_>) -> Outcome {
    let pair = treedef!((*, *));
    let list = TreeDefBuf::<8>::list(&[pair, pair, TreeDef::LEAF])?;
    report.treedef("a list", list.as_treedef());
    let dict = TreeDefBuf::<16>::dict(&["a", "b"], &[pair, TreeDef::NONE])?;
    report.treedef("a dict", dict.as_treedef());
    let error = TreeDefBuf::<16>::dict(&["b", "a"], &[pair, pair]).err().ok_or(Missing)?;
    report.fact("keys out of order", error);
    let error = TreeDefBuf::<3>::list(&[pair, pair, TreeDef::LEAF]).err().ok_or(Missing)?;
    report.fact("too long", error);
    Ok(())
}

/// A writer that is full needs more room, and with some it is enough.
fn writer(report: &mut Report<'_>) -> Outcome {
    let write = |bytes: &mut [u8]| -> Result<usize, Error> {
        let mut out = Writer::new(bytes);
        let list = out.begin_list(4);
        for _ in 0..4 {
            let dict = out.begin_dict(&["gain", "offset"]);
            out.leaves(1);
            out.none();
            out.end(dict);
        }
        out.end(list);
        Ok(out.finish()?.as_bytes().len())
    };
    let (mut bytes, mut room, mut tries) = ([0; 64], 0, 0);
    let len = loop {
        match write(&mut bytes[..room]) {
            Err(Error::Full { room: short }) if short == room => {
                (room, tries) = (room + 1, tries + 1)
            }
            answer => break answer?,
        }
    };
    report.fact("room", format_args!("{room} after {tries} errors, {len} bytes"));
    report.treedef("built", TreeDef::from_bytes(&bytes[..len])?);
    let same = structure_into(&TreeDef::from_bytes(&bytes[..len])?, &mut [0; 64])?.num_leaves();
    report.same(same, 4)
}
