//! Looks up the node that a path leads to: by its entries, by child indices, by its text.

use core::fmt::{self, Write};
use core::ops::Range;

use crate::children::skip;
use crate::entry::KeyEntry;
use crate::error::Error;
use crate::head::{Form as KeyForm, Head, Item, Kind, LEAF_BYTES, read_item};
use crate::path::NodePath;
use crate::show::{Shown, debug_struct};
use crate::text::{entry as write_entry, simple_entry as write_simple};
use crate::treedef::{TreeDef, count_nodes};
use crate::value::Value;

/// A node of a treedef and where it stands, from [`TreeDef::find`] and its kin.
///
/// It borrows; `found.treedef()` is a sub-slice of the bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Found<'a> {
    root: TreeDef<'a>,
    def: TreeDef<'a>,
    leaf: u32,
    node: Option<u32>,
}

debug_struct!([] Found<'_> { def, leaf, node });

impl<'a> Found<'a> {
    /// The treedef that was searched.
    pub const fn root(&self) -> TreeDef<'a> {
        self.root
    }

    /// The node with all below it.
    pub const fn treedef(&self) -> TreeDef<'a> {
        self.def
    }

    /// The index of the leaf, if the node is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!({"a": *, "b": (*, *)});
    /// assert_eq!(def.find_str("['b'][1]")?.as_leaf(), Some(2));
    /// assert_eq!(def.find_str("['b']")?.as_leaf(), None);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn as_leaf(&self) -> Option<usize> {
        if self.def.is_leaf() { Some(self.leaf as usize) } else { None }
    }

    /// Where the leaves of the node stand among those of the whole tree; empty, at where they would stand, if it has
    /// none.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let leaves = [1, 2, 3, 4];
    /// let found = treedef!({"a": *, "b": (*, *), "c": *}).find_str("['b']")?;
    /// assert_eq!(leaves.get(found.leaves()), Some([2, 3].as_slice()));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn leaves(&self) -> Range<usize> {
        self.leaf as usize..(self.leaf as usize).saturating_add(self.def.num_leaves())
    }

    /// The index of the node in preorder with repeats written out, as [`TreeDef::node_path`] takes it.
    ///
    /// `None` if a node before it has more than [`MAX_PENDING`](crate::MAX_PENDING) levels pending, so that it cannot
    /// be counted.
    pub fn node(&self) -> Option<usize> {
        self.node.map(|node| node as usize)
    }

    /// Its path; `None` as [`Found::node`].
    pub fn path(&self) -> Option<NodePath<'a>> {
        self.root.node_path(self.node()?)
    }
}

/// An error about a path with the treedef and the text that it is about, from [`Error::explain_path`].
#[derive(Clone, Copy)]
pub struct PathExplanation<'a> {
    error: Error,
    root: TreeDef<'a>,
    text: &'a str,
}

debug_struct!([] PathExplanation<'_> { error, text });

impl Error {
    /// The error about a path as a sentence, with what there is instead:
    /// `no [2] (byte 10) at ['layers']: has [0], [1]`.
    ///
    /// `def` is the treedef that was searched and `text` what [`TreeDef::find_str`] got; an empty one where
    /// [`TreeDef::find`] got entries. Every error but [`Error::NotFound`] writes itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::treedef;
    ///
    /// let (def, path) = (treedef!({"layers": [*, *]}), "['layers'][2]");
    /// let mut text = heapless::String::<64>::new();
    /// for error in def.find_str(path).err() {
    ///     write!(text, "{}", error.explain_path(def, path))?;
    /// }
    /// assert_eq!(text, "no [2] (byte 10) at ['layers']: has [0], [1]");
    /// # Ok::<(), core::fmt::Error>(())
    /// ```
    pub const fn explain_path<'a>(&self, def: TreeDef<'a>, text: &'a str) -> PathExplanation<'a> {
        PathExplanation { error: *self, root: def, text }
    }
}

/// Entries that are written out; behind them stands `…`.
const OFFERED: usize = 8;

impl fmt::Display for PathExplanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error::NotFound { node, at } = self.error else { return self.error.fmt(f) };
        let Some(path) = self.root.node_path(node as usize) else { return self.error.fmt(f) };
        let mut way = Way::new(self.root);
        for index in path.indices() {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            if way.down(&way.head(), index).is_none() {
                return self.error.fmt(f);
            }
        }
        match self.text.get(at as usize..) {
            Some(rest) if !rest.is_empty() => write!(f, "no {rest} (byte {})", Shown(at))?,
            _ => write!(f, "nothing for entry {}", Shown(at))?,
        }
        if node == 0 {
            f.write_str(" at the root")?
        } else {
            write!(f, " at {path}")?
        }
        let head = way.head();
        match head.kind() {
            Kind::Leaf => return f.write_str(": a leaf"),
            Kind::None => return f.write_str(": None"),
            _ if head.num_children() == 0 => return f.write_str(": has no children"),
            _ => f.write_str(": has ")?,
        }
        let mut before = "";
        for entry in head.entries().take(OFFERED) {
            write!(f, "{before}{entry}")?;
            before = ", ";
        }
        f.write_str(if head.num_children() > OFFERED { ", …" } else { "" })
    }
}

impl<'a> TreeDef<'a> {
    /// The node that the entries lead to; none lead to the root.
    ///
    /// Reads every byte once, with a bounded stack: entries that are compared and siblings that are passed over. The
    /// inside of a `Some` is found with and without its [`KeyEntry::Some`], which prints nothing; without it a path
    /// ends at the `Some`. Keys are told apart as their bytes are: `1` is not `True`. Of two children of one entry it finds
    /// the first: custom nodes can have them, and structs and named tuples whose names are alike, which no reader of
    /// bytes refuses. By its indices ([`TreeDef::find_at`]) every child is found.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] with the first entry that leads nowhere; [`Error::explain_path`] says what is there.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::{Error, KeyEntry, Value, treedef};
    ///
    /// let def = treedef!({"a": {"b": *, "d": (*, *)}});
    /// let [a, d, c] = ["a", "d", "c"].map(|key| KeyEntry::Key(Value::Str(key)));
    /// let found = def.find([a, d])?;
    /// assert_eq!((found.treedef(), found.leaves()), (treedef!((*, *)), 1..3));
    ///
    /// let mut text = heapless::String::<64>::new();
    /// let error = def.find([a, c]).unwrap_err();
    /// assert_eq!(error, Error::NotFound { node: 1, at: 1 });
    /// write!(text, "{}", error.explain_path(def, ""))?;
    /// assert_eq!(text, "nothing for entry 1 at ['a']: has ['b'], ['d']");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// Leaves that were stored under an older structure are brought under a newer one by their paths: what is new keeps
    /// its default, what is gone is left out.
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let (old, stored) = (treedef!({"kp": *, "limits": [*, *], "unit": *}), [1.0, 2.0, 3.0, 4.0]);
    /// let (new, mut leaves) = (treedef!({"kd": *, "kp": *, "limits": [*, *, *]}), [0.0, 0.0, 9.0, 9.0, 9.0]);
    /// for (leaf, path) in leaves.iter_mut().zip(new.paths()) {
    ///     if let Ok(found) = old.find(path.entries())
    ///         && let Some(index) = found.as_leaf()
    ///     {
    ///         *leaf = stored[index];
    ///     }
    /// }
    /// assert_eq!(leaves, [0.0, 1.0, 2.0, 3.0, 9.0]);
    /// ```
    pub fn find<'k>(
        &self,
        entries: impl IntoIterator<Item = KeyEntry<'k>>,
    ) -> Result<Found<'a>, Error> {
        let (mut way, mut at) = (Way::new(*self), 0usize);
        for entry in entries {
            let head = if entry == KeyEntry::Some { way.head() } else { way.open() };
            let index = head.index_of(entry).ok_or_else(|| way.lost(at))?;
            way.down(&head, index).ok_or_else(|| way.lost(at))?;
            at = at.saturating_add(1);
        }
        way.found().ok_or_else(|| way.lost(at))
    }

    /// The node that child indices lead to, a `Some` being a node as any other; `None` if there is none.
    ///
    /// Costs as [`TreeDef::find`], without the keys. The way back is [`Path::indices`](crate::Path::indices).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!({"a": *, "b": [*, (*, *)]});
    /// assert_eq!(def.find_at([1, 1]).map(|found| found.leaves()), Some(2..4));
    /// assert_eq!(def.find_at([1, 2]), None);
    /// ```
    pub fn find_at(&self, indices: impl IntoIterator<Item = usize>) -> Option<Found<'a>> {
        let mut way = Way::new(*self);
        for index in indices {
            way.down(&way.head(), u32::try_from(index).ok()?)?;
        }
        way.found()
    }

    /// The node that a text in the form of [`Path::keystr`](crate::Path::keystr) leads to.
    ///
    /// The text is compared with what the entries print, node by node, so that nothing is unescaped and no memory is
    /// needed. Where the text of one entry begins with that of another the longer one is taken, without going back;
    /// such entries are fields with `.` or `[` in their names, [`Opaque`](crate::Value::Opaque) keys and
    /// [`Raw`](KeyEntry::Raw) entries. Where all texts of a tree's entries differ and none begins with another,
    /// `find_str` of `keystr` gives the leaf back; of equal ones, which bytes from outside can have in a struct too, it
    /// finds the first. A `Some` prints nothing: a text that ends at one leads to the leaf in it, if there is nothing but
    /// a leaf, or further `Some`s around one; else to the `Some`. That holds for the empty text too, which else leads to
    /// the root.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] with the byte at which the text leads nowhere; [`Error::explain_path`] says what is there.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, structure_into, treedef};
    ///
    /// let def = treedef!({"it's": *, "layers": [*, (*, *)]});
    /// assert_eq!(def.find_str("['layers'][1]")?.leaves(), 2..4);
    /// assert_eq!(def.find_str(r#"["it's"]"#)?.as_leaf(), Some(0));
    ///
    /// let mut bytes = [0; 8];
    /// let nested = structure_into(&[Some(Some(1.5f32))], &mut bytes)?; // [Some(*)]
    /// assert_eq!(nested.find_str("[0]")?.as_leaf(), Some(0));
    ///
    /// let error = def.find_str("['layers'][2][0]").unwrap_err();
    /// assert_eq!(error, Error::NotFound { node: 2, at: 10 });
    /// # Ok::<(), Error>(())
    /// ```
    pub fn find_str(&self, text: &str) -> Result<Found<'a>, Error> {
        read(*self, text, Form { simple: false, separator: "" })
    }

    /// The node that a text in the form of [`Path::keystr_simple`](crate::Path::keystr_simple) leads to: `layers/1/w`.
    ///
    /// The form is ambiguous: the position 0 and the key `'0'` look alike (a tree has one of them at one place), and a
    /// separator inside a key is not escaped. An entry counts where the separator or the end follows it; of several
    /// the longest is taken, without going back. With an empty separator every entry counts, and digits are one number.
    /// The empty text is the root, and a `Some` at the end as [`TreeDef::find_str`] has it.
    ///
    /// # Errors
    ///
    /// As [`TreeDef::find_str`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, treedef};
    ///
    /// let def = treedef!({"a": *, "a/b": *, "layers": [*, {"w": (*, *)}]});
    /// assert_eq!(def.find_str_simple("layers/1/w", "/")?.leaves(), 3..5);
    /// assert_eq!(def.find_str_simple("a/b", "/")?.as_leaf(), Some(1));
    /// assert_eq!(def.find_str_simple("layers/10", "/"), Err(Error::NotFound { node: 3, at: 7 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn find_str_simple(&self, text: &str, separator: &str) -> Result<Found<'a>, Error> {
        read(*self, text, Form { simple: true, separator })
    }
}

impl Head<'_> {
    /// The index of the first child that this entry leads to.
    ///
    /// A position costs nothing, a key a scan of the keys.
    pub(crate) fn index_of(&self, entry: KeyEntry<'_>) -> Option<u32> {
        let text = match (entry, self.kind()) {
            (KeyEntry::Attr(name), Kind::NamedTuple | Kind::Struct) => name,
            (KeyEntry::Key(Value::Str(key)), _) if self.form() == Some(KeyForm::Str) => key,
            (KeyEntry::Index(index) | KeyEntry::FlatIndex(index), _) if counted(self) => {
                return (self.entries().nth(index as usize)? == entry).then_some(index);
            }
            _ => {
                let mut own = (0..self.arity()).zip(self.entries());
                return own.find(|(_, own)| *own == entry).map(|(index, _)| index);
            }
        };
        self.strings().position(text)
    }
}

/// Whether the entries of a node are its children's positions.
fn counted(head: &Head<'_>) -> bool {
    match head.kind() {
        Kind::Tuple | Kind::List => true,
        Kind::Custom => head.child_keys().is_none(),
        _ => false,
    }
}

/// A node on the way down.
#[derive(Clone, Copy)]
struct Way<'a> {
    root: TreeDef<'a>,
    /// The bytes from the node on; they may go on behind it.
    bytes: &'a [u8],
    leaf: u32,
    node: Option<u32>,
}

impl<'a> Way<'a> {
    const fn new(root: TreeDef<'a>) -> Self {
        Self { root, bytes: root.as_bytes(), leaf: 0, node: Some(0) }
    }

    const fn head(&self) -> Head<'a> {
        Head::trusted(self.bytes)
    }

    /// Goes to the child with this index, where the node has this head; stays where there is none.
    fn down(&mut self, head: &Head<'_>, index: u32) -> Option<()> {
        let mut rest = self.bytes.get(head.as_bytes().len()..)?;
        let mut left = Some(index).filter(|index| *index < head.arity())?;
        let (mut leaf, mut node) = (self.leaf, self.node.and_then(|node| node.checked_add(1)));
        let (mut unit, mut unit_nodes) = (rest, None);
        let bytes = loop {
            let (item, after) = read_item(rest).ok()?;
            // So many children with so many leaves and nodes each.
            let (count, leaves, nodes, bytes, behind) = match item {
                Item::Leaves(count) => (count, 1, Some(1), LEAF_BYTES, after),
                Item::Same { copies, leaves } => (copies, leaves, unit_nodes, unit, after),
                Item::Node(_) if left == 0 => break rest,
                Item::Node(_) => {
                    let child = skip(rest)?;
                    (unit, unit_nodes) = (rest, count_nodes(rest));
                    (1, child.leaves, unit_nodes, unit, child.rest)
                }
            };
            let passed = left.min(count);
            leaf = leaf.checked_add(passed.checked_mul(leaves)?)?;
            node = node
                .zip(nodes)
                .and_then(|(node, nodes)| node.checked_add(passed.checked_mul(nodes)?));
            left = left.checked_sub(passed)?;
            if passed < count {
                break bytes;
            }
            rest = behind;
        };
        (self.bytes, self.leaf, self.node) = (bytes, leaf, node);
        Some(())
    }

    /// The head of the node; of a `Some` that of what is in it, as deep as it is, where it then stands.
    fn open(&mut self) -> Head<'a> {
        loop {
            let head = self.head();
            if head.kind() != Kind::Some || self.down(&head, 0).is_none() {
                return head;
            }
        }
    }

    /// The node, and where it ends.
    fn found(&self) -> Option<Found<'a>> {
        let node = skip(self.bytes)?;
        let bytes = self.bytes.get(..self.bytes.len().checked_sub(node.rest.len())?)?;
        let def = TreeDef::trusted(bytes, node.leaves);
        Some(Found { root: self.root, def, leaf: self.leaf, node: self.node })
    }

    /// Nothing is where the path goes on, which is at this byte or entry.
    #[cold]
    fn lost(&self, at: usize) -> Error {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        Error::NotFound { node: self.node.unwrap_or(u32::MAX), at }
    }
}

/// How the text of a path is written.
#[derive(Clone, Copy)]
struct Form<'s> {
    simple: bool,
    separator: &'s str,
}

/// Follows a text.
fn read<'a>(def: TreeDef<'a>, text: &str, form: Form<'_>) -> Result<Found<'a>, Error> {
    let mut way = Way::new(def);
    let (mut rest, mut more) = (text, !text.is_empty());
    while more {
        let at = text.len().saturating_sub(rest.len());
        let head = way.open();
        let (index, behind) = form.longest(&head, rest).ok_or_else(|| way.lost(at))?;
        way.down(&head, index).ok_or_else(|| way.lost(at))?;
        more = !behind.is_empty();
        rest = behind.strip_prefix(form.separator).unwrap_or(behind);
    }
    // The text of a leaf is also that of each `Some` around it.
    let mut inside = way;
    if inside.open() == Head::LEAF {
        way = inside;
    }
    way.found().ok_or_else(|| way.lost(text.len()))
}

impl Form<'_> {
    /// The child whose entry is the longest at the front of `text`, and the text behind it.
    fn longest<'t>(self, head: &Head<'_>, text: &'t str) -> Option<(u32, &'t str)> {
        if counted(head) {
            let index = number(text)?;
            return Some((index, self.strip(head.entries().nth(index as usize)?, text)?));
        }
        let mut longest: Option<(u32, &str)> = None;
        let mut index = 0u32;
        for entry in head.entries() {
            if let Some(rest) = self.strip(entry, text)
                && longest.is_none_or(|(_, shortest)| rest.len() < shortest.len())
            {
                longest = Some((index, rest));
            }
            index = index.wrapping_add(1);
        }
        longest
    }

    /// The text behind the entry; `None` if it does not stand at the front.
    fn strip<'t>(self, entry: KeyEntry<'_>, text: &'t str) -> Option<&'t str> {
        let mut strip = Strip(text);
        let write = if self.simple { write_simple } else { write_entry };
        write(&mut strip, entry).ok()?;
        let Strip(rest) = strip;
        (rest.is_empty() || rest.starts_with(self.separator)).then_some(rest)
    }
}

/// A writer that takes what stands at the front of a text away from it.
struct Strip<'t>(&'t str);

impl Write for Strip<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(piece).ok_or(fmt::Error)?;
        Ok(())
    }

    fn write_char(&mut self, character: char) -> fmt::Result {
        self.0 = self.0.strip_prefix(character).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// The first number in a text.
fn number(text: &str) -> Option<u32> {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let digits = text.bytes().skip_while(|byte| !is_digit(byte)).take_while(is_digit);
    let mut values = digits.map(|digit| u32::from(digit.wrapping_sub(b'0')));
    let first = values.next()?;
    values.try_fold(first, |number, digit| number.checked_mul(10)?.checked_add(digit))
}
