//! The texts of optree.

use core::fmt::{self, Write};

use super::jax::{close, key, open};
use super::repr::{close_tuple, list, repr, short_name};
use crate::base::python;
use crate::base::show::debug_struct;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::format::value::Value;
use crate::treedef::path::{AnyPath, NodePath, Path, PathEntries};
use crate::treedef::treedef::TreeDef;
use crate::treedef::walk::{Place, Visitor, walk};

/// How the type name of a deque ends: a custom node whose aux data is its `maxlen`.
const DEQUE: &str = "collections.deque";

/// The text of a treedef as optree prints it, from [`TreeDef::optree`].
#[derive(Clone, Copy)]
pub struct OptreeText<'a> {
    def: TreeDef<'a>,
    none_is_leaf: bool,
}

debug_struct!([] OptreeText<'_> { def, none_is_leaf });

impl<'a> TreeDef<'a> {
    /// The text of `repr(optree.tree_structure(tree))`.
    ///
    /// A custom node whose type name ends in `collections.deque` is a deque, its aux data the `maxlen`. The type name
    /// of a struct sequence holds dots, as in `time.struct_time`, and is written with them.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::{Builder, NamedTupleOf};
    ///
    /// let mut bytes = [0; 32];
    /// let mut builder = Builder::new(&mut bytes);
    /// let point = builder.begin(&NamedTupleOf { name: "Point", fields: &["x", "y"] })?;
    /// builder.leaves(2)?;
    /// builder.end(point)?;
    /// let def = builder.finish()?;
    ///
    /// let mut text = heapless::String::<64>::new();
    /// write!(text, "{}", def.optree())?;
    /// assert_eq!(text, "PyTreeSpec(Point(x=*, y=*))");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn optree(&self) -> OptreeText<'a> {
        OptreeText { def: *self, none_is_leaf: false }
    }
}

impl OptreeText<'_> {
    /// As of a tree that was flattened with `none_is_leaf=True`: the text says so.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::TreeDef;
    ///
    /// let mut text = heapless::String::<64>::new();
    /// write!(text, "{}", TreeDef::LEAF.optree().none_is_leaf())?;
    /// assert_eq!(text, "PyTreeSpec(*, NoneIsLeaf)");
    /// # Ok::<(), core::fmt::Error>(())
    /// ```
    pub const fn none_is_leaf(self) -> Self {
        Self { def: self.def, none_is_leaf: true }
    }
}

impl fmt::Display for OptreeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PyTreeSpec(")?;
        walk(self.def, &mut Optree { f })?;
        f.write_str(if self.none_is_leaf { ", NoneIsLeaf)" } else { ")" })
    }
}

/// Writes the text between `PyTreeSpec(` and `)`.
struct Optree<'f> {
    f: &'f mut dyn Write,
}

impl<'a> Visitor<'a> for Optree<'_> {
    fn folds(&self) -> bool {
        false
    }

    fn enter(&mut self, place: &Place<'a>, head: &Head<'a>) -> fmt::Result {
        let f = &mut *self.f;
        before(f, place)?;
        if open(f, head)? {
            return Ok(());
        }
        let empty = head.num_children() == 0;
        let name = short_name(head.type_name().unwrap_or_default());
        match head.kind() {
            Kind::OrderedDict => f.write_str(if empty { "OrderedDict(" } else { "OrderedDict({" }),
            Kind::DefaultDict => {
                f.write_str("defaultdict(")?;
                f.write_str(head.factory().unwrap_or_default())?;
                f.write_str(", {")
            }
            Kind::NamedTuple => {
                f.write_str(name)?;
                f.write_char('(')
            }
            _ if is_deque(head) => f.write_str(if empty { "deque(" } else { "deque([" }),
            _ => {
                f.write_str("CustomTreeNode(")?;
                f.write_str(name)?;
                f.write_char('[')?;
                match head.aux() {
                    Some(aux) => repr(f, aux)?,
                    None => {
                        f.write_char('(')?;
                        let count = list(f, head.statics(), pair)?;
                        f.write_str(close_tuple(count))?;
                    }
                }
                f.write_str("], [")
            }
        }
    }

    fn leave(&mut self, head: &Head<'a>) -> fmt::Result {
        let f = &mut *self.f;
        if let Some(end) = close(head) {
            return f.write_str(end);
        }
        let empty = head.num_children() == 0;
        match head.kind() {
            Kind::OrderedDict => f.write_str(if empty { ")" } else { "})" }),
            Kind::DefaultDict => f.write_str("})"),
            Kind::NamedTuple => f.write_char(')'),
            _ if is_deque(head) => {
                if !empty {
                    f.write_char(']')?;
                }
                if let Some(maxlen) = head.aux().filter(|maxlen| *maxlen != Value::None) {
                    f.write_str(if empty { "maxlen=" } else { ", maxlen=" })?;
                    repr(f, maxlen)?;
                }
                f.write_char(')')
            }
            _ => f.write_str("])"),
        }
    }

    fn cut(&mut self, place: &Place<'a>, _: &Head<'a>) -> fmt::Result {
        before(self.f, place)?;
        self.f.write_char('…')
    }
}

/// Writes what stands between a node and its predecessor: a comma, the key of a dictionary, the field of a named tuple.
fn before(f: &mut dyn Write, place: &Place<'_>) -> fmt::Result {
    if place.index > 0 {
        f.write_str(", ")?;
    }
    match place.parent.map(|parent| parent.kind()) {
        Some(Kind::Dict | Kind::OrderedDict | Kind::DefaultDict) => key(f, place),
        Some(Kind::NamedTuple) => {
            if let Some(KeyEntry::Attr(name)) = place.entries.clone().next() {
                f.write_str(name)?;
            }
            f.write_char('=')
        }
        _ => Ok(()),
    }
}

/// Writes the pair of a static field's name and value.
fn pair(f: &mut dyn Write, (name, value): (&str, Value<'_>)) -> fmt::Result {
    f.write_char('(')?;
    python::string(f, name)?;
    f.write_str(", ")?;
    repr(f, value)?;
    f.write_char(')')
}

fn is_deque(head: &Head<'_>) -> bool {
    head.kind() == Kind::Custom && head.type_name().is_some_and(|name| name.ends_with(DEQUE))
}

/// A path as code, from [`Path::codify`] and [`NodePath::codify`].
#[derive(Clone, Copy)]
pub struct Codify<'a> {
    path: AnyPath<'a>,
    root: &'a str,
}

/// The text in brackets: `Codify(t[0].x)`.
impl fmt::Debug for Codify<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Codify({self})")
    }
}

/// The entries of a path as optree gives them, from [`Path::optree_entries`].
#[derive(Clone)]
pub struct OptreeEntries<'a> {
    path: PathEntries<'a>,
}

debug_struct!([] OptreeEntries<'_> { path });

impl<'a> Path<'a> {
    /// The code that takes the leaf out of a tree called `root`, as `PyTreeAccessor.codify(root)`: `t['a'][0].x`.
    ///
    /// `DIFFERENCE`: a field whose name is no Python identifier is written as any other, not with `getattr`.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::TreeDef;
    ///
    /// let def = TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2, 1, b'a', 0x22, 0x01])?; // [*, {'a': (*, *)}]
    /// let mut text = heapless::String::<32>::new();
    /// for path in def.path(2) {
    ///     write!(text, "{}", path.codify("t"))?;
    /// }
    /// assert_eq!(text, "t[1]['a'][1]");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn codify(&self, root: &'a str) -> Codify<'a> {
        Codify { path: AnyPath::Leaf(*self), root }
    }

    /// The entries as `optree.tree_paths` gives them: a field of a named tuple and an item of a deque are positions.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, KeyEntry, NamedTupleOf};
    ///
    /// let mut bytes = [0; 32];
    /// let mut builder = Builder::new(&mut bytes);
    /// let point = builder.begin(&NamedTupleOf { name: "Point", fields: &["x", "y"] })?;
    /// builder.leaves(2)?;
    /// builder.end(point)?;
    /// let def = builder.finish()?;
    /// let path = def.path(1).into_iter().flat_map(|path| path.optree_entries());
    /// assert!(path.eq([KeyEntry::Index(1)]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn optree_entries(&self) -> OptreeEntries<'a> {
        OptreeEntries { path: self.entries() }
    }
}

impl<'a> NodePath<'a> {
    /// The code that takes the node out of a tree called `root`; see [`Path::codify`].
    pub const fn codify(&self, root: &'a str) -> Codify<'a> {
        Codify { path: AnyPath::Node(*self), root }
    }

    /// The entries as optree gives them; see [`Path::optree_entries`].
    pub const fn optree_entries(&self) -> OptreeEntries<'a> {
        OptreeEntries { path: self.entries() }
    }
}

impl<'a> Iterator for OptreeEntries<'a> {
    type Item = KeyEntry<'a>;

    fn next(&mut self) -> Option<KeyEntry<'a>> {
        let (head, index) = self.path.step()?;
        if head.kind() == Kind::NamedTuple || is_deque(&head) {
            return Some(KeyEntry::Index(index));
        }
        head.entries().nth(index as usize)
    }
}

impl fmt::Display for Codify<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.root)?;
        let mut path = self.path.entries();
        while let Some((head, index)) = path.step() {
            let entry = match is_deque(&head) {
                true => KeyEntry::Index(index),
                false => head.entries().nth(index as usize).ok_or(fmt::Error)?,
            };
            if let KeyEntry::Raw(name) = entry {
                f.write_str("[<flat index ")?;
                python::string(f, name)?;
                f.write_str(">]")?;
            } else {
                super::keystr::entry(f, entry)?;
            }
        }
        Ok(())
    }
}
