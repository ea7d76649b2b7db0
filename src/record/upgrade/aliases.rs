//! What aliases do, as far as the names of two types say it.

use crate::base::attempt::{any, attempt, ok};
use crate::base::bytes::{after, equal_words, first, strip_prefix};
use crate::base::message::Message;
use crate::encode::schema::{Fields, Schema};
use crate::record::page_node::{Node, each_child};
use crate::record::upgrade::steps::{LEVELS, MOST};
use crate::tree::migrate::alias_texts::{covers, is_path, is_type_renamed, scope_len};
use crate::tree::migrate::checked::leads;
use crate::treedef::segment::Segment;

/// The new path of a place, step by step.
pub(super) struct Here<'h> {
    pub(super) name: &'h [u8],
    pub(super) up: Option<&'h Here<'h>>,
}

/// An alias or its backwards form, the alias as it was given, and its index among all these.
#[derive(Clone, Copy)]
struct Alias<'p> {
    from: &'p [u8],
    to: &'p [u8],
    given: &'p (&'p str, &'p str),
    index: usize,
}

/// The way to a node of the stored type: an index at each struct.
#[derive(Clone, Copy)]
pub(super) struct Found<'p> {
    pub(super) node: Node<'p>,
    way: [u8; LEVELS],
    len: usize,
    /// Whether it goes through an option, which can be `None`.
    pub(super) is_optional: bool,
}

impl Found<'_> {
    pub(super) const fn way(&self) -> &[u8] {
        first(&self.way, self.len)
    }
}

/// What an alias gives a place; or why only a stored value says it.
type Gift<'p> = Result<Option<Found<'p>>, Message>;

/// What a path leads to.
enum Lead<'p> {
    Nothing,
    To(Found<'p>),
    /// Only a stored value says it.
    Unknown,
}

/// The number of aliases, with their backwards forms, of which it is kept what they give. That of later ones is searched each time.
const KNOWN: usize = 64;

/// The stored type, the new one, and the aliases.
pub(super) struct Names<'p> {
    pub(super) stored: Node<'p>,
    pub(super) schema: &'static Schema,
    aliases: &'p [(&'p str, &'p str)],
    /// What each of the first aliases gives its new path. `None` if that is not known: the alias is refused where it is needed.
    known: [Option<Option<Found<'p>>>; KNOWN],
}

/// Does something with each alias and its backwards form.
macro_rules! each_alias {
    ($aliases:expr, $alias:ident => $do:expr) => {{
        let (mut left, mut index) = ($aliases, 0usize);
        while let [given, rest @ ..] = left {
            let (from, to) = (given.0.as_bytes(), given.1.as_bytes());
            let mut $alias = Alias { from, to, given, index };
            $do;
            $alias = Alias { from: to, to: from, given, index: index.saturating_add(1) };
            $do;
            (left, index) = (rest, index.saturating_add(2));
        }
    }};
}

/// What the first alias gives or moves that fulfils a condition and does so. An alias is refused only if it fulfils the condition.
macro_rules! first_gift {
    ($names:expr, $what:ident, $alias:ident => $is:expr) => {{
        each_alias!($names.aliases, $alias => {
            if $is && let Some(found) = ok!($names.$what($alias)) {
                return Ok(Some(found));
            }
        });
        Ok(None)
    }};
}

impl<'p> Names<'p> {
    pub(super) const fn new(
        stored: Node<'p>,
        schema: &'static Schema,
        aliases: &'p [(&'p str, &'p str)],
    ) -> Self {
        let mut names = Self { stored, schema, aliases, known: [None; KNOWN] };
        each_alias!(aliases, alias => {
            let found = names.find_given(alias);
            if let Some((_, [slot, ..])) = names.known.split_at_mut_checked(alias.index) {
                *slot = if let Ok(found) = found { Some(found) } else { None };
            }
        });
        names
    }

    /// Checks that all aliases are names or paths of names.
    pub(super) const fn check(&self) -> Result<(), Message> {
        each_alias!(self.aliases, alias => {
            if alias.from.is_empty() {
                return Err(refused("the alias `", alias.given, "` is about the root: `load_older` follows it"));
            }
            if any!(alias.from, byte => matches!(*byte, b'[' | b'*')) {
                return Err(refused("the alias `", alias.given, "` has an index or a `*`: `load_older` follows it"));
            }
        });
        Ok(())
    }

    /// What a path leads to in a node of the stored type.
    const fn find(mut node: Node<'p>, mut path: &[u8]) -> Lead<'p> {
        let mut found = Found { node, way: [0; LEVELS], len: 0, is_optional: false };
        while !path.is_empty() {
            while node.is(b"an option") {
                (node, found.is_optional) = (node.inside(), true);
            }
            if !node.is_struct() {
                return if node.is(b"a leaf") { Lead::Nothing } else { Lead::Unknown };
            }
            let Some((name, rest)) = segment(path, found.len == 0) else { return Lead::Nothing };
            let Some((index, child)) = node.field(name) else { return Lead::Nothing };
            let [small, ..] = index.to_le_bytes();
            let Some((_, [slot, ..])) = found.way.split_at_mut_checked(found.len) else {
                return Lead::Unknown;
            };
            if index >= MOST as usize {
                return Lead::Unknown;
            }
            *slot = small;
            (found.len, path, node) = (found.len.saturating_add(1), rest, child);
        }
        found.node = node;
        Lead::To(found)
    }

    /// What an alias gives its new path.
    const fn gives(&self, alias: Alias<'p>) -> Gift<'p> {
        match self.known.split_at_checked(alias.index) {
            Some((_, [Some(known), ..])) => Ok(*known),
            _ => self.find_given(alias),
        }
    }

    /// Finds out what an alias gives its new path: nothing if something is stored there.
    const fn find_given(&self, alias: Alias<'p>) -> Gift<'p> {
        let Alias { from, to, given, .. } = alias;
        if !is_path(from, to) {
            return Ok(None);
        }
        let (found, here) = match (Self::find(self.stored, from), Self::find(self.stored, to)) {
            (Lead::Nothing, _) => return Ok(None),
            (Lead::To(found), Lead::Nothing) => (found, None),
            (Lead::To(found), Lead::To(here)) => (found, Some(here)),
            _ => {
                let why =
                    "` goes through an enum, a tuple, a list or a map: `load_older` follows it";
                return Err(refused("the alias `", given, why));
            }
        };
        if !leads(self.schema, to, true, true) {
            return Ok(None);
        }
        let Some(here) = here else { return Ok(Some(found)) };
        // What is stored under the new path stays there. A wrapper may not: that depends on the defaults.
        if here.is_optional || matches!(strip_prefix(found.way(), here.way()), Some([_, ..])) {
            let why = "` are stored, in each other or one in an option: `load_older` looks which";
            return Err(refused("both paths of the alias `", given, why));
        }
        Ok(None)
    }

    /// What an alias moves to its new path: what it gives that, unless an earlier alias gives that path another node.
    const fn moves(&self, alias: Alias<'p>) -> Gift<'p> {
        let Some(found) = ok!(self.gives(alias)) else { return Ok(None) };
        each_alias!(self.aliases, other => {
            if covers(other.to, alias.to)
                && let Some(first) = ok!(self.gives(other))
            {
                return Ok(if first.node.at == found.node.at { Some(found) } else { None });
            }
        });
        Ok(Some(found))
    }

    /// What an alias gives a place.
    pub(super) const fn given(&self, here: Option<&Here<'_>>) -> Gift<'p> {
        first_gift!(self, gives, alias => matches!(follow(alias.to, here), Some([])))
    }

    /// What an alias gives a part of a place.
    pub(super) const fn given_below(&self, here: Option<&Here<'_>>) -> Gift<'p> {
        first_gift!(self, gives, alias => matches!(follow(alias.to, here), Some([_, ..])))
    }

    /// As [`Names::given_below`], of aliases whose old path is still a place of the type: where the new one is not there, what is stored stays
    /// under the old one.
    pub(super) const fn can_stay(&self, here: Option<&Here<'_>>) -> Gift<'p> {
        first_gift!(self, gives, alias => matches!(follow(alias.to, here), Some([_, ..]))
            && leads(self.schema, alias.from, true, true))
    }

    /// What is stored under the path of a place, if an alias gives it to another one.
    pub(super) const fn taken(&self, here: Option<&Here<'_>>) -> Gift<'p> {
        first_gift!(self, moves, alias => matches!(follow(alias.from, here), Some([])))
    }

    /// Whether an alias gives a stored node, or one in it, to another place.
    pub(super) const fn goes(&self, node: Node<'_>) -> Result<bool, Message> {
        let end = node.next().at;
        each_alias!(self.aliases, alias => {
            if let Some(found) = ok!(self.moves(alias))
                && found.node.at >= node.at
                && found.node.at < end
            {
                return Ok(true);
            }
        });
        Ok(false)
    }

    /// Whether aliases give all of a stored node to other places.
    pub(super) const fn goes_whole(&self, node: Node<'_>) -> Result<bool, Message> {
        each_alias!(self.aliases, alias => {
            if let Some(found) = ok!(self.moves(alias))
                && found.node.at == node.at
            {
                return Ok(true);
            }
        });
        each_child!(node, child => if !ok!(self.goes_whole(child)) { return Ok(false) });
        Ok(node.count() > 0)
    }

    /// The field of a stored struct that has another name now, by an alias of names.
    pub(super) const fn renamed(
        &self,
        fields: &Fields,
        stored: Node<'p>,
        field: &[u8],
    ) -> Option<(usize, Node<'p>)> {
        each_alias!(self.aliases, alias => {
            let from = after(alias.from, scope_len(stored.name(), alias.from));
            let to = after(alias.to, scope_len(fields.name.as_bytes(), alias.to));
            if equal_words(to, field)
                && !any!(fields.fields, name => equal_words(name.as_bytes(), from))
                && let Some(found) = stored.field(from)
            {
                return Some(found);
            }
        });
        None
    }

    /// What an alias at a field gives it of a stored struct.
    pub(super) const fn at_field(
        &self,
        fields: &Fields,
        stored: Node<'p>,
        field: &str,
    ) -> Gift<'p> {
        let mut aliases = fields.aliases;
        while let [given, rest @ ..] = aliases {
            let (from, to) = (given.0.as_bytes(), given.1.as_bytes());
            if equal_words(to, field.as_bytes()) {
                let has_index = any!(from, byte => *byte == b'[');
                match Self::find(stored, from) {
                    Lead::To(found) if !has_index => return Ok(Some(found)),
                    Lead::Nothing if !has_index => {}
                    _ => {
                        let why = "` has an index, or goes through an enum, a tuple, a list or a map: `load_older` follows it";
                        return Err(refused("the alias `", given, why));
                    }
                }
            }
            aliases = rest;
        }
        Ok(None)
    }

    /// Whether a stored type name is that of a struct or a variant, or was it.
    pub(super) const fn is_called(&self, stored: &[u8], fields: &Fields) -> bool {
        let own = fields.name.as_bytes();
        each_alias!(self.aliases, alias => {
            if is_type_renamed([stored, own], [alias.from, alias.to]) {
                return true;
            }
        });
        equal_words(own, stored)
            || any!(fields.aliases, (from, to) => to.is_empty() && equal_words(from.as_bytes(), stored))
    }
}

/// An error about an alias.
const fn refused(before: &str, (from, to): &(&str, &str), after: &str) -> Message {
    Message::new(&[before, from, "` to `", to, after])
}

/// The first name of a path, and the rest.
const fn segment(path: &[u8], is_first: bool) -> Option<(&[u8], &[u8])> {
    attempt!(Segment::open(path, is_first)).any()
}

/// The rest of a path that begins with that of a place.
const fn follow<'t>(path: &'t [u8], here: Option<&Here<'_>>) -> Option<&'t [u8]> {
    let Some(here) = here else { return Some(path) };
    let rest = attempt!(follow(path, here.up));
    let (name, rest) = attempt!(segment(rest, here.up.is_none()));
    if equal_words(name, here.name) { Some(rest) } else { None }
}
