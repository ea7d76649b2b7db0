//! Hands structures of the reference to the library: to its builder and, as a typed tree, to every encoder.
#![allow(dead_code, unreachable_pub, unused_imports, reason = "each test uses its part")]

use crate::support::def::{ChildKey, Def};
use crate::support::library::ours;
use crate::support::value::Value;
use treedef::tree::{HasSchema, Structure};
use treedef::{Error, TreeDef, Writer};

/// The library's view of a value.
pub fn value(value: &Value) -> treedef::Value<'_> {
    ours(value)
}

/// The library's view of a child key.
pub fn child_key(key: &ChildKey) -> treedef::head::ChildKey<'_> {
    match key {
        ChildKey::Attr(name) => treedef::head::ChildKey::Attr(name),
        ChildKey::Dict(key) => treedef::head::ChildKey::Key(value(key)),
        ChildKey::Seq(i) => treedef::head::ChildKey::Index(*i),
        ChildKey::Raw(text) => treedef::head::ChildKey::Raw(text),
    }
}

/// Evaluates `$then` with `$heading` bound to the heading of a node that is neither a leaf nor `None`.
macro_rules! with_heading {
    ($def:expr, $heading:ident => $then:expr) => {{
        use treedef::head;
        use treedef::head::DictKind;
        let def: &$crate::support::def::Def = $def;
        let n = def.children().len();
        let keys: Vec<$crate::support::value::Value>;
        let fields: Vec<&str>;
        macro_rules! dict {
            ($kind:expr, $keys:expr) => {{
                keys = $keys.values();
                let $heading = &head::Dict::new($kind, keys.iter().map($crate::bridge::value));
                $then
            }};
        }
        match def {
            Def::Leaf | Def::None => unreachable!("no heading"),
            Def::Tuple(_) => {
                let $heading = &head::Tuple(n);
                $then
            }
            Def::List(_) => {
                let $heading = &head::List(n);
                $then
            }
            Def::Some(_) => {
                let $heading = &head::Some;
                $then
            }
            Def::Dict { keys: of, .. } => dict!(DictKind::Sorted, of),
            Def::OrderedDict { keys: of, .. } => dict!(DictKind::Ordered, of),
            Def::DefaultDict { factory, keys: of, .. } => dict!(DictKind::Default(factory), of),
            Def::NamedTuple { name, fields: names, .. } => {
                fields = names.iter().map(String::as_str).collect();
                let $heading = &head::NamedTuple { name, fields: &fields };
                $then
            }
            Def::Struct { name, fields: names, meta, .. } => {
                fields = names.iter().map(String::as_str).collect();
                let meta: Vec<_> =
                    meta.iter().map(|(k, v)| (k.as_str(), $crate::bridge::value(v))).collect();
                let $heading = &head::Struct { name, fields: &fields, meta: &meta };
                $then
            }
            Def::Custom { name, aux, child_keys, .. } => {
                let keys: Option<Vec<_>> = child_keys
                    .as_ref()
                    .map(|keys| keys.iter().map($crate::bridge::child_key).collect());
                let $heading = &head::Custom {
                    name,
                    aux: $crate::bridge::value(aux),
                    children: n,
                    child_keys: keys.as_deref(),
                };
                $then
            }
        }
    }};
}
pub(crate) use with_heading;

/// Writes a structure node by node.
pub fn write(def: &Def, out: &mut Writer<'_>) {
    match def {
        Def::Leaf => out.leaves(1),
        Def::None => out.none(),
        _ => {
            let node = with_heading!(def, heading => out.begin(heading));
            def.children().iter().for_each(|child| write(child, out));
            out.end(node);
        }
    }
}

/// The bytes that the library's writer writes.
pub fn build(def: &Def) -> Vec<u8> {
    let mut bytes = vec![0xA5; 64];
    loop {
        let mut out = Writer::new(&mut bytes);
        write(def, &mut out);
        match out.finish() {
            Ok(def) => return def.as_bytes().to_vec(),
            Err(Error::Full { room }) => bytes.resize(2 * room, 0xA5),
            Err(error) => panic!("{error}: {def:?}"),
        }
    }
}

/// How a [`Typed`] tree describes its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One by one.
    Each,
    /// Equal neighbours as the first and its repeats.
    Repeats,
    /// As whole treedefs, with repeats.
    Subtrees,
    /// One of these for each group of equal neighbours.
    Mixed,
}

impl Style {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Each, Self::Repeats, Self::Subtrees, Self::Mixed];
}

/// A typed tree whose structure is a value: what a hand-written implementation for a recursive type would say.
#[derive(Clone, Copy, Debug)]
pub struct Typed<'a>(pub &'a Def, pub Style);

impl HasSchema for Typed<'_> {}

impl Structure for Typed<'_> {
    fn describe(&self, out: &mut Writer<'_>) {
        match self.0 {
            Def::Leaf => out.leaves(1),
            Def::None => out.none(),
            def => with_heading!(def, heading => out.node(heading, |out| self.children(out))),
        }
    }
}

impl Typed<'_> {
    fn children(&self, out: &mut Writer<'_>) {
        for (i, equal) in self.0.children().chunk_by(|a, b| a == b).enumerate() {
            let (first, more) = (&equal[0], equal.len() - 1);
            let style = match self.1 {
                Style::Mixed => Style::ALL[(i + equal.len() + first.children().len()) % 3],
                style => style,
            };
            match style {
                Style::Each if *first == Def::Leaf => out.leaves(equal.len()),
                Style::Each => {
                    equal.iter().for_each(|child| Typed(child, self.1).describe(out));
                }
                Style::Repeats => {
                    Typed(first, self.1).describe(out);
                    out.repeat(more);
                }
                _ => {
                    let bytes = first.encode();
                    out.subtree(TreeDef::from_bytes(&bytes).unwrap());
                    out.repeat(more);
                }
            }
        }
    }
}
