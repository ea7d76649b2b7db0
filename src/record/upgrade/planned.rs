//! What [`upgrade!`](crate::upgrade!) makes while a program is compiled.

use core::marker::PhantomData;

use crate::base::attempt::ok;
use crate::base::bytes::{after, copy, first};
use crate::base::message::Message;
use crate::encode::const_bytes::in_buckets;
use crate::encode::schema_of::schema_of;
use crate::encode::structure::HasSchema;
use crate::record::kind::{Conversion, Convert};
use crate::record::leaf::RecordLeaves;
use crate::record::page_node::Node;
use crate::record::upgrade::aliases::Names;
use crate::record::upgrade::plan::Planner;
use crate::record::upgrade::shape::write_shape;
use crate::record::upgrade::steps::Steps;
use crate::record::upgrade::{Linked, Upgrade, make};
use crate::tree::build::TreeBuild;
use crate::tree::migrate::question::{Ask, Question};
use crate::treedef::treedef::TreeDef;

/// The most bytes of a shape and a plan.
pub const MOST_PLANNED: usize = 1 << 14;

/// What [`upgrade!`](crate::upgrade!) makes: the shape of what is stored, and the plan.
pub struct Planned<const N: usize> {
    bytes: [u8; N],
    /// Where the plan begins, and where it ends.
    plan: usize,
    len: usize,
    asks: bool,
    converts: bool,
    key: u64,
}

impl<const N: usize> Planned<N> {
    /// Plans how records of the version with this schema page become values of type `T`.
    ///
    /// # Errors
    ///
    /// A text that says what has no plan.
    pub const fn new<T: HasSchema>(page: &[u8], aliases: &[(&str, &str)]) -> Result<Self, Message> {
        let own = Shape::<T>::NODE;
        let Some(stored) = Node::of_page(page) else {
            return Err(Message::new(&["these bytes are no schema page"]));
        };
        let mut bytes = [0; N];
        ok!(Shape::<T>::WRITTEN);
        let mut out = Steps::new(&mut bytes);
        ok!(write_shape(stored, &mut out));
        let plan = out.len;
        let mut planner = Planner::new(Names::new(stored, T::SCHEMA, aliases), out);
        ok!(planner.whole(own));
        let Planner { out: Steps { len, is_too_large, .. }, asks, converts, .. } = planner;
        if is_too_large || len > N {
            return Err(too_large());
        }
        let asks = asks || stored.has_values() || Shape::<T>::HAS_VALUES;
        Ok(Self { bytes, plan, len, asks, converts, key: TreeDef::trusted(page, 0).fingerprint() })
    }

    /// The number of bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.len
    }

    /// The same in an array of no more bytes than that.
    #[must_use]
    pub const fn trimmed<const M: usize>(&self) -> Planned<M> {
        let mut bytes = [0; M];
        copy(&mut bytes, first(&self.bytes, M));
        let Self { plan, len, asks, converts, key, .. } = *self;
        Planned { bytes, plan, len, asks, converts, key }
    }

    /// What has these bytes.
    #[must_use]
    pub const fn upgrade<T: TreeBuild<RecordLeaves>>(&'static self) -> Upgrade<T> {
        let (ask, convert): (Ask<RecordLeaves>, Convert) =
            (|way, about| T::answer(&mut Question::new(way, about)), Conversion::write);
        let linked = Linked {
            make: if self.asks { make::<true> } else { make::<false> },
            ask: if self.asks { Some(ask) } else { None },
            convert: if self.converts { Some(convert) } else { None },
        };
        let (stored, plan) = (first(&self.bytes, self.plan), after(&self.bytes, self.plan));
        let shapes = [stored, first(Shape::<T>::BYTES, Shape::<T>::LEN)];
        Upgrade { key: self.key, shapes, plan, linked, of: PhantomData }
    }
}

/// The shape of a type, which all of its upgrades have.
struct Shape<T>(PhantomData<T>);

impl<T: HasSchema> Shape<T> {
    const NODE: Node<'static> = Node::root(schema_of::<T>().as_bytes());
    const HAS_VALUES: bool = Self::NODE.has_values();
    const WRITTEN: Result<usize, Message> = {
        let mut out = Steps::new(&mut []);
        match write_shape(Self::NODE, &mut out) {
            Ok(()) if out.is_too_large => Err(too_large()),
            Ok(()) => Ok(out.len),
            Err(why) => Err(why),
        }
    };
    const LEN: usize = if let Ok(len) = Self::WRITTEN { len } else { 0 };
    const BYTES: &'static [u8] = in_buckets!(Self::LEN, shape(Self::NODE));
}

const fn too_large() -> Message {
    let why =
        "a type is too large, has more than 239 fields, or a list of more than 65534 elements";
    Message::new(&[why, ": `load_older` reads it"])
}

/// A shape, which has at most `N` bytes.
const fn shape<const N: usize>(node: Node<'_>) -> [u8; N] {
    let mut bytes = [0; N];
    let _ = write_shape(node, &mut Steps::new(&mut bytes));
    bytes
}
