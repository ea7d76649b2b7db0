//! Generates heads.

use std::cmp::Ordering;

use proptest::collection::vec as many;
use proptest::prelude::*;
use treedef::encode::OpenNode;
use treedef::head::{self, ChildKey, DictKind};
use treedef::{Kind, Value, Writer};

use crate::datum::{Datum, data, shorter, texts};

/// The data of the head of any kind. Each kind uses some of the fields.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Head {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    /// The source of dictionary keys, field names and child keys.
    pub(crate) keys: Vec<Datum>,
    pub(crate) meta: Vec<(String, Datum)>,
}

/// The kinds that have children, the plainest first.
const KINDS: [Kind; 9] = [
    Kind::Tuple,
    Kind::List,
    Kind::Dict,
    Kind::OrderedDict,
    Kind::DefaultDict,
    Kind::Some,
    Kind::NamedTuple,
    Kind::Struct,
    Kind::Custom,
];

/// Heads of every kind that has children.
pub(crate) fn heads() -> impl Strategy<Value = Head> {
    let keys = prop_oneof![
        many(texts().prop_map(|text| Datum::of(Value::Str(&text))), 0..4),
        many(any::<i8>().prop_map(|i| Datum::of(Value::from(i))), 1..4),
        many(data(), 1..4),
    ];
    let meta = many((texts(), data()), 0..3);
    (proptest::sample::select(&KINDS[..]), texts(), keys, meta)
        .prop_map(|(kind, name, keys, meta)| Head { kind, name, keys, meta })
}

impl Head {
    /// Simpler heads to try when a failure shrinks: a plainer kind, no names, keys or data, or fewer and shorter ones.
    pub(crate) fn simpler(&self) -> Vec<Self> {
        let with = |change: &dyn Fn(&mut Self)| {
            let mut head = self.clone();
            change(&mut head);
            head
        };
        let plainer = KINDS.into_iter().take_while(|kind| *kind != self.kind);
        let mut heads: Vec<_> = plainer.map(|kind| with(&|head| head.kind = kind)).collect();
        heads.push(with(&|head| head.keys.clear()));
        heads.push(with(&|head| head.meta.clear()));
        heads.extend(
            shorter(&self.name).iter().map(|name| with(&|head| head.name.clone_from(name))),
        );
        for i in 0..self.keys.len() {
            heads.push(with(&|head| drop(head.keys.remove(i))));
        }
        for i in 0..self.meta.len() {
            heads.push(with(&|head| drop(head.meta.remove(i))));
        }
        for (i, key) in self.keys.iter().enumerate() {
            let set = |new: &Datum| {
                with(&|head| {
                    head.keys.iter_mut().skip(i).take(1).for_each(|key| key.clone_from(new))
                })
            };
            heads.extend(key.simpler().iter().map(set));
        }
        for (i, (name, value)) in self.meta.iter().enumerate() {
            let set = |name: &String, value: &Datum| {
                let new = (name.clone(), value.clone());
                with(&|head| {
                    head.meta.iter_mut().skip(i).take(1).for_each(|field| field.clone_from(&new))
                })
            };
            heads.extend(shorter(name).iter().map(|name| set(name, value)));
            heads.extend(value.simpler().iter().map(|value| set(name, value)));
        }
        heads.retain(|head| head != self);
        heads
    }

    /// Begins a node with `n` children. A `Some` becomes a tuple unless `n` is 1.
    pub(crate) fn begin(&self, out: &mut Writer<'_>, n: usize) -> OpenNode {
        let (name, names) = (self.name.as_str(), self.names(n));
        let fields: Vec<&str> = names.iter().map(String::as_str).collect();
        let meta: Vec<_> =
            self.meta.iter().map(|(name, value)| (name.as_str(), value.value())).collect();
        match self.kind {
            Kind::List => out.begin(&head::List(n)),
            Kind::Some if n == 1 => out.begin(&head::Some),
            Kind::Dict => self.begin_dict(DictKind::Sorted, out, n),
            Kind::OrderedDict => self.begin_dict(DictKind::Ordered, out, n),
            Kind::DefaultDict => self.begin_dict(DictKind::Default(name), out, n),
            Kind::NamedTuple => out.begin(&head::NamedTuple { name, fields: &fields }),
            Kind::Struct => out.begin(&head::Struct { name, fields: &fields, meta: &meta }),
            Kind::Custom => {
                let aux = meta.first().map_or(Value::None, |(_, value)| *value);
                let keys: Option<Vec<_>> = (!self.keys.is_empty()).then(|| {
                    (0u32..).zip(&fields).map(|(i, name)| self.child_key(i, name)).collect()
                });
                out.begin(&head::Custom { name, aux, children: n, child_keys: keys.as_deref() })
            }
            _ => out.begin(&head::Tuple(n)),
        }
    }

    fn begin_dict(&self, kind: DictKind<'_>, out: &mut Writer<'_>, n: usize) -> OpenNode {
        let keys = self.dict_keys(n, kind == DictKind::Ordered);
        out.begin(&head::Dict::new(kind, keys.iter().map(Datum::value)))
    }

    /// Returns `n` field names.
    fn names(&self, n: usize) -> Vec<String> {
        let given = self.keys.iter().filter_map(|key| match key.value() {
            Value::Str(name) => Some(name.to_string()),
            _ => None,
        });
        given.chain((0..n).map(|i| i.to_string())).take(n).collect()
    }

    /// Returns a child key. The four kinds take turns.
    fn child_key<'a>(&'a self, i: u32, name: &'a str) -> ChildKey<'a> {
        match (i as usize + self.keys.len()) % 4 {
            0 => ChildKey::Attr(name),
            1 => ChildKey::Key(self.keys.first().map_or(Value::None, Datum::value)),
            2 => ChildKey::Index(i),
            _ => ChildKey::Raw(name),
        }
    }

    /// Returns `n` keys for one dictionary: the given keys, then others of the type of the first. A dictionary that
    /// keeps the order of its keys gets the first key twice if there is room. Any other dictionary gets only given keys
    /// that can be sorted together.
    fn dict_keys(&self, n: usize, ordered: bool) -> Vec<Datum> {
        let fillers = |n: usize| (0i64..).take(n).map(|i| filler(self.keys.first(), i));
        if ordered {
            let given = self.keys.iter().chain(self.keys.first()).cloned();
            return given.chain(fillers(n)).take(n).collect();
        }
        let fits = |a: &Datum, b: &Datum| matches!(a.value().compare(b.value()), Some(order) if order.is_ne());
        let mut keys: Vec<Datum> = Vec::new();
        for key in self.keys.iter().take(n) {
            if keys.iter().all(|other| fits(other, key)) {
                keys.push(key.clone());
            }
        }
        // Each given key equals at most one of the fillers.
        let fillers: Vec<_> = fillers(n + keys.len())
            .filter(|key| keys.iter().all(|other| fits(other, key)))
            .collect();
        keys.extend(fillers);
        keys.truncate(n);
        if keys.len() < n {
            keys = (0i64..).take(n).map(|i| Datum::of(Value::Int(i))).collect();
        }
        keys.sort_by(|a, b| a.value().compare(b.value()).unwrap_or(Ordering::Equal));
        keys
    }
}

/// Returns a different key for each `i`, which can be ordered with `first` if the type of `first` has more than one
/// ordered value.
fn filler(first: Option<&Datum>, i: i64) -> Datum {
    match first.map(Datum::value) {
        None | Some(Value::Str(_)) => Datum::of(Value::Str(&i.to_string())),
        Some(Value::Bytes(_)) => Datum::of(Value::Bytes(&i.to_be_bytes())),
        Some(Value::Tuple(elements)) => {
            let last = std::iter::once(Value::Int(i));
            Datum::tuple(
                elements
                    .iter()
                    .into_iter()
                    .flatten()
                    .chain(last)
                    .map(Datum::of)
                    .collect::<Vec<_>>(),
            )
        }
        Some(_) => Datum::of(Value::Int(i)),
    }
}
