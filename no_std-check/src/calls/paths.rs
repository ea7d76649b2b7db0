//! What goes by path: look-ups and replacement.

use core::fmt::{self, Display, Write};
use core::hint::black_box;

use treedef::encode::structure_bound;
use treedef::path::{Found, leaf_index};
use treedef::tree::Structure;
use treedef::{Error, KeyEntry, KeyPath, TreeDef, View, matches, structure_into, treedef};

use super::build::sample;
use super::{Done, keep, print, print_debug};

/// `[[pair, pair] * 3]` with a pair `(*, *)`.
const REPEATS: &[u8] = &[0x43, 0x42, 0x22, 0x01, 0xA0, 0x02, 0xA1, 0x04];

/// A text of at most 128 bytes; `heapless::String` counts its bytes with `+=`.
struct Text {
    bytes: [u8; 128],
    len: usize,
}

impl Text {
    /// What `value` prints, if it is short.
    fn of(value: impl Display) -> Option<Self> {
        let mut text = Self { bytes: [0; 128], len: 0 };
        write!(text, "{value}").ok().map(|()| text)
    }

    fn as_str(&self) -> &str {
        self.bytes.get(..self.len).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

impl Write for Text {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let (_, free) = self.bytes.split_at_mut_checked(self.len).ok_or(fmt::Error)?;
        let (target, _) = free.split_at_mut_checked(piece.len()).ok_or(fmt::Error)?;
        target.copy_from_slice(piece.as_bytes());
        self.len = self.len.saturating_add(piece.len());
        Ok(())
    }
}

/// A node found in every way.
pub(super) fn found() -> Done {
    let mut bytes = [0; 512];
    let sample = sample(&mut bytes)?;
    for def in [sample, TreeDef::from_bytes(black_box(REPEATS)).ok()?] {
        for path in TreeDef::paths(&def) {
            let place: Found<'_> = TreeDef::find(&def, KeyPath::entries(&path)).ok()?;
            keep((Found::root(&place), Found::treedef(&place), Found::as_leaf(&place)));
            keep((Found::leaves(&place), Found::node(&place)));
            keep(TreeDef::find_at(&def, Found::indices(&place))?);
            let node = Found::path(&place);
            keep((KeyPath::found(&path)?.node(), KeyPath::found(&node)));
            keep((
                KeyPath::len(&path),
                KeyPath::is_empty(&path),
                KeyPath::first(&node),
                KeyPath::last(&node),
            ));
            keep((KeyPath::as_slice(&path), path == node));
            print(&KeyPath::keystr_simple(&node, black_box("/")))?;
            print(&KeyPath::typed(&node))?;
            let own = Text::of(KeyPath::keystr(&node))?;
            keep(TreeDef::find_keystr(&def, black_box(own.as_str())).is_ok());
            keep(TreeDef::find_str(&def, black_box(own.as_str())).is_ok());
            keep(path.keystr_simple("/") == black_box("0"));
            print_debug(&place)?;
        }
    }
    const SECOND: usize = leaf_index!(treedef!([*, {"a": *}]), "[1].a");
    keep(SECOND);
    Some(())
}

/// Paths that lead nowhere.
pub(super) fn not_found() -> Done {
    let mut bytes = [0; 512];
    let def = sample(&mut bytes)?;
    let report = |error: Error, text: &str| {
        print(&error)?;
        let explained = Error::explain_path(&error, def, text);
        print(&explained)?;
        print_debug(&explained)
    };
    for path in def.paths() {
        let wrong = path.entries().chain(black_box([KeyEntry::Raw("?")]));
        report(def.find(wrong).err()?, "")?;
    }
    for wrong in
        black_box(["[", "[99999999999]", "é", "[0]]", ".", "['", "\u{1F600}", "-1/x", "['\\"])
    {
        report(def.find_str(wrong).err()?, wrong)?;
        report(def.find_keystr(wrong).err()?, wrong)?;
    }
    Some(())
}

/// Nodes replaced, in treedefs and in views.
pub(super) fn replaced() -> Done {
    let (mut bytes, mut out, mut again) = ([0; 512], [0; 1024], [0; 1024]);
    let sample = sample(&mut bytes)?;
    let (old, mut new) = (black_box([1.0f32; 64]), [0.0f32; 80]);
    for def in [sample, TreeDef::from_bytes(black_box(REPEATS)).ok()?] {
        let first = def.find_at(black_box([0]))?;
        for index in 0..def.num_children() {
            let last = def.find_at([black_box(index)])?;
            let targets = black_box([(last, sample), (first, TreeDef::NONE)]);
            let Ok(replace) = TreeDef::replace(def, targets) else { continue };
            let made = structure_into(&replace, &mut out).ok()?;
            matches(&replace, made).ok()?;
            keep(structure_bound(&replace).ok()?);
            keep(Structure::num_leaves(&replace).ok()?);
            print_debug(&replace)?;
            let view = View::new(def, old.get(..def.num_leaves())?).ok()?;
            let with = View::new(sample, old.get(..sample.num_leaves())?).ok()?;
            keep(View::replace_into(&view, [(last, with)], &mut again, &mut new).ok()?);
            keep(View::replace_into(&view, [(last, with)], &mut again, &mut []).err()?);
        }
        let path = def.path(black_box(def.num_leaves().checked_sub(1)?))?;
        let deep = path.found()?;
        let replace = def.replace([(deep, TreeDef::NONE)]).ok()?;
        keep(structure_into(&replace, &mut out).ok()?);
        keep(def.replace(black_box([(deep, TreeDef::NONE), (deep, TreeDef::LEAF)])).err()?);
    }
    let view = View::new(TreeDef::from_bytes(black_box(REPEATS)).ok()?, old.get(..12)?).ok()?;
    keep(View::find(&view, black_box([KeyEntry::Index(1)])).ok()?);
    keep(View::find_str(&view, black_box("[2][0]")).ok()?);
    Some(())
}
