//! The position of a container in a stored structure and in that of the defaults, while a type asks for what it needs.

use crate::base::error::Error;
use crate::encode::depth::MAX_DEPTH;
use crate::format::head::{Head, Kind};
use crate::tree::meta_reader::MetaReader;
use crate::tree::migrate::children::{Children, Node};
use crate::tree::migrate::walk::{Child, MISMATCH, Own, Place, Walk, is_container};
use crate::treedef::cursor::Siblings;

/// A node that is being built.
struct Frame<'d> {
    own: Own<'d>,
    stored: Option<Children<'d>>,
    default: Option<Children<'d>>,
    /// Whether its names are those of the stored node, as the keys of a map. Then a child without a default has that of the
    /// first child.
    is_as_stored: bool,
    reports: bool,
    /// The length of the path to come back to, if the container reads the node by itself.
    back: Option<usize>,
}

/// The position of one container in both structures.
pub(crate) struct Places<'d, 's, 'w> {
    pub(crate) walk: &'s mut Walk<'d, 'w>,
    next: Option<Place<'d>>,
    frame: Option<Frame<'d>>,
    /// The node around the current one, if the container reads both.
    outer: Option<Frame<'d>>,
}

impl<'d, 's, 'w> Places<'d, 's, 'w> {
    /// The position of a child.
    pub(crate) fn of(child: &Child<'d>, walk: &'s mut Walk<'d, 'w>) -> Self {
        let mut places = Self { walk, next: None, frame: None, outer: None };
        places.go_to(child);
        places
    }

    /// Goes to a child, from wherever it is. So a second try takes no room of its own in each frame of a recursion.
    pub(crate) fn go_to(&mut self, child: &Child<'d>) {
        let place = match child.why {
            None => Place { is_child: true, ..child.place },
            // What is new in it was reported.
            Some(_) => Place { stored: None, reports: false, is_child: true, ..child.place },
        };
        (self.next, self.frame, self.outer) = (Some(place), None, None);
    }

    /// Keeps an error about the current node, or about the next one if none was begun.
    #[cold]
    pub(crate) fn fail<T>(&mut self, error: Error) -> Option<T> {
        let current = self.frame.as_ref().map(|frame| Some(frame.stored.as_ref()?.node));
        let stored = current.unwrap_or(self.next.and_then(|place| place.stored));
        self.walk.fail_at(stored, error)
    }

    /// The next child of `list`.
    pub(crate) fn child(&mut self, list: &mut Siblings) -> Option<Child<'d>> {
        let place = self.place(list)?;
        Some(Child { place, why: None, path: self.walk.path.len(), before: self.walk.counts })
    }

    /// The place of the next child of `list`.
    pub(crate) fn place(&mut self, list: &mut Siblings) -> Option<Place<'d>> {
        match self.next.take() {
            Some(place) => Some(place),
            None => self.advance(list),
        }
    }

    /// The same, for a step that reads nothing.
    pub(crate) fn peek(&mut self, list: &mut Siblings) -> Option<Place<'d>> {
        self.next = self.place(list);
        self.next
    }

    /// Steps over the next child of `list` if it is neither stored nor in the defaults.
    pub(crate) fn take_missing(&mut self, list: &mut Siblings) -> bool {
        let Some(place) = self.peek(list) else { return false };
        let is_missing = place.is_missing() && !place.reports;
        if is_missing {
            (self.next, self.walk.missing) = (None, None);
            self.walk.report_new();
            self.walk.leave(&place);
        }
        is_missing
    }

    /// Finds the next child of the current node in both structures.
    fn advance(&mut self, list: &mut Siblings) -> Option<Place<'d>> {
        list.take_one()?;
        let walk = &mut *self.walk;
        let depth = walk.path.len();
        let in_any_kind = walk.matching.in_any_kind;
        let frame = self.frame.as_mut()?;
        let name = frame.own.names.next()?;
        let default = frame.default.as_mut().and_then(|children| {
            let named = children.find(name, in_any_kind);
            named.or_else(|| if frame.is_as_stored { children.child(0) } else { None })
        });
        let named = frame.stored.as_mut().and_then(|children| children.find(name, in_any_kind));
        let renamed = match (&mut frame.stored, walk.matching.by_alias, &frame.own.head) {
            (Some(children), Some(by_alias), Some(now)) if named.is_none() => {
                let index = (by_alias.old_index)(&walk.aliases(), [&children.head, now], name);
                index.and_then(|index| children.child(index))
            }
            _ => None,
        };
        if walk.path.push(name).is_err() {
            return walk.fail(Error::TooDeep { limit: MAX_DEPTH });
        }
        let stored = match renamed {
            Some(node) => {
                walk.report_moved(node);
                renamed
            }
            None => walk.stored(named),
        };
        let is_new = frame.reports && stored.is_none() && walk.below().is_none();
        let reports = frame.reports && !is_new;
        let place = Place { stored, default, depth, reports, is_child: false };
        if place.is_missing() {
            if let Some(children) = &frame.stored {
                walk.missing = Some((children.node, Some(name)));
            }
        } else if is_new {
            walk.report_new();
        }
        Some(place)
    }

    /// Begins the node that a type has at a place. If another one is stored there, the place keeps an error.
    fn begin(&mut self, place: &Place<'d>, own: Own<'d>, as_stored: bool) -> Option<Siblings> {
        let walk = &mut *self.walk;
        let find = |node| walk.children(node, &own, walk.matching.in_any_kind);
        let stored = place.stored.and_then(find);
        // The default is of the type itself: another variant of an enum has no defaults for this one.
        let default = place.default.and_then(|node| walk.children(node, &own, false));
        let is_nowhere = default.is_none() && !place.reports;
        if stored.is_none() && (place.stored.is_some() || is_nowhere) {
            return walk.fail_at(place.stored, MISMATCH);
        }
        if let (Some(children), Some(node)) = (&stored, place.stored)
            && own.head != Some(children.head)
        {
            walk.compare(node, children, &own);
        }
        let back = (!place.is_child).then_some(place.depth);
        if back.is_some() {
            if self.outer.is_some() {
                return walk.fail(Error::TooDeep { limit: 2 });
            }
            self.outer = self.frame.take();
        }
        let count = u32::try_from(own.names.len()).unwrap_or(u32::MAX);
        let (is_as_stored, reports) = (as_stored && stored.is_some(), place.reports);
        self.frame = Some(Frame { own, stored, default, is_as_stored, reports, back });
        Some(Siblings::new(count))
    }

    /// Begins a list.
    #[inline(never)]
    pub(crate) fn begin_list(&mut self, list: &mut Siblings) -> Option<Siblings> {
        let place = self.place(list)?;
        let count = place.inside()?.head().num_children();
        self.begin(&place, Own::positions(Kind::List, count), true)
    }

    /// Begins the node that a type has.
    #[inline(never)]
    pub(crate) fn begin_own(&mut self, list: &mut Siblings, own: Own<'d>) -> Option<Siblings> {
        let place = self.place(list)?;
        self.begin(&place, own, false)
    }

    /// Begins the variant that the next node is, if that is one of these structs, and returns which. `others` are the names of
    /// the other variants.
    #[inline(never)]
    pub(crate) fn begin_any(
        &mut self,
        list: &mut Siblings,
        heads: &'static [Head<'static>],
        others: &'static [&'static str],
    ) -> Option<u32> {
        let found = self.variant(list, heads, others);
        let Some((index, head)) = found.and_then(|index| Some((index, heads.get(index)?))) else {
            return Some(u32::MAX);
        };
        self.begin_own(list, Own::of(Head::trusted(head.as_bytes())))?;
        u32::try_from(index).ok()
    }

    /// The index of the variant that the next node is, of those with these heads and then of `others`: that with its name.
    /// A node without such a name can be a variant in a format of fewer kinds. Then it is that of the default, or the first one.
    #[inline(never)]
    pub(crate) fn variant(
        &mut self,
        list: &mut Siblings,
        heads: &'static [Head<'static>],
        others: &'static [&'static str],
    ) -> Option<usize> {
        let place = self.peek(list)?;
        let walk = &*self.walk;
        let find = |node: Option<Node<'d>>| {
            let head = node?.inside_some().head();
            let is_struct = head.kind() == Kind::Struct || walk.matching.in_any_kind;
            let names = heads.iter().map(|head| Head::trusted(head.as_bytes()).type_name());
            let mut names = (0..usize::MAX).zip(names.chain(others.iter().copied().map(Some)));
            names.find(|(_, name)| is_struct && walk.has_name(&head, *name)).map(|(index, _)| index)
        };
        let in_any_kind = walk.matching.in_any_kind && is_container(&place.inside()?.head());
        match find(place.stored.or(place.default)) {
            None if in_any_kind => Some(find(place.default).unwrap_or(0)),
            found => found,
        }
    }

    /// Begins a node of this kind as it is stored, or as it is in the defaults.
    #[inline(never)]
    pub(crate) fn begin_kind(
        &mut self,
        list: &mut Siblings,
        kind: Kind,
    ) -> Option<(Head<'d>, Siblings)> {
        let place = self.place(list)?;
        let head = place.inside()?.head();
        if head.kind() != kind {
            return self.walk.fail_at(place.stored, MISMATCH);
        }
        Some((head, self.begin(&place, Own::of(head), true)?))
    }

    /// Begins a struct with these fields, and the meta fields that are stored, or are in the defaults.
    #[inline(never)]
    pub(crate) fn begin_struct(
        &mut self,
        list: &mut Siblings,
        name: &str,
        fields: &[&str],
    ) -> Option<(MetaReader<'d>, Siblings)> {
        let place = self.place(list)?;
        let [default, stored] = place.heads();
        let is_own = |head: &&Head<'_>| {
            head.type_name() == Some(name) && head.fields().eq(fields.iter().copied())
        };
        let Some(own) = [&default, &stored].into_iter().flatten().find(is_own) else {
            return self.walk.fail_at(place.stored, MISMATCH);
        };
        // It has these names, and data of its own.
        let children = self.begin(&place, Own { has_data: false, ..Own::of(*own) }, false)?;
        Some((MetaReader::of_either(stored, default), children))
    }

    /// Reports the stored meta fields that the current node did not get.
    pub(crate) fn lose_meta(&mut self, meta: &MetaReader<'d>) {
        if let Some(children) = self.frame.as_ref().and_then(|frame| frame.stored.as_ref()) {
            meta.lost().for_each(|field| self.walk.lose_meta(children.node, field));
        }
    }

    /// Begins a node whose head `is_own`.
    pub(crate) fn begin_spec(
        &mut self,
        list: &mut Siblings,
        is_own: &dyn Fn(&Head<'_>) -> bool,
    ) -> Option<Siblings> {
        let place = self.place(list)?;
        let [default, stored] = place.heads();
        match [Some(Head::SOME), default, stored].into_iter().flatten().find(is_own) {
            Some(head) => self.begin(&place, Own::of(head), false),
            None => self.walk.fail_at(place.stored, MISMATCH),
        }
    }

    /// Whether the next child of `list` is a `None`, which is then read. An option that is neither stored nor in the defaults is one.
    #[inline(never)]
    pub(crate) fn take_none(&mut self, list: &mut Siblings) -> bool {
        if self.take_missing(list) {
            return true;
        }
        let Some(place) = self.peek(list) else { return false };
        // An option that is not stored is there if an alias gives it a part.
        let is_none = place.head().is_some_and(|head| head.kind() == Kind::None)
            && (place.stored.is_some() || !place.reports);
        if is_none {
            self.next = None;
            self.walk.leave(&place);
        } else if let Some(place) = &mut self.next {
            // What is in an option has no default where that is a `None`.
            place.default = place.default.filter(|node| node.head().kind() != Kind::None);
        }
        is_none
    }

    /// Ends the current node: what is stored and has no place is lost.
    pub(crate) fn end(&mut self, list: &Siblings) -> Option<()> {
        if list.left() > 0 {
            return self.fail(MISMATCH);
        }
        let frame = self.frame.as_mut()?;
        // The names of a map are those that are stored; those of a list are positions.
        let is_map = frame.is_as_stored && frame.own.head.is_some();
        if let Some(children) = frame.stored.as_mut().filter(|_| !is_map) {
            self.walk.lose_others(&frame.own, children);
        }
        let back = frame.back;
        self.frame = None;
        if let Some(depth) = back {
            self.walk.path.truncate(depth);
            self.frame = self.outer.take();
        }
        Some(())
    }
}
