//! Reads the structure and the leaves of a value.

use std::fmt::Debug;

use proptest::test_runner::TestCaseError;
use treedef::container::{Depth, Ref, Sink, VisitLanes};
use treedef::encode::structure_bound;
use treedef::format::ToValue;
use treedef::head::HeadSpec;
use treedef::tree::{
    LeafTypes, NoLeaves, Structure, TreeBuild, TreeRead, TreeWalk, TreeWrite, mixed,
};
use treedef::{Error, Leaf, Tree, TreeDef, Value, Writer, over, structure_into, unflatten};

use super::report::{done, equal, same};

/// Returns the encoded structure of a value.
pub(super) fn described<T: Structure>(value: &T) -> Result<Vec<u8>, TestCaseError> {
    let law = "a structure is described the same each time, within its bound";
    let mut bytes = room(value)?;
    let len = structure_into(value, &mut bytes).map(|def| def.as_bytes().len());
    bytes.truncate(done(law, "structure_into", len)?);
    Ok(bytes)
}

/// Room for the structure of a value, which is written in more bytes than it has when it is folded.
pub(super) fn room<T: Structure>(value: &T) -> Result<Vec<u8>, TestCaseError> {
    let law = "a structure is described the same each time, within its bound";
    Ok(vec![0; done(law, "structure_bound", structure_bound(value))?])
}

/// Reads the treedef of an encoded structure.
pub(super) fn treedef(bytes: &[u8]) -> Result<TreeDef<'_>, TestCaseError> {
    let read = TreeDef::from_bytes(bytes);
    read.map_err(|error| {
        TestCaseError::fail(format!("the described structure is no treedef: {error}"))
    })
}

/// Returns the leaves in the order of a walk, and checks that they have the described number and equal the leaves that
/// are copied out.
pub(super) fn leaves_of<K, T>(value: &T) -> Result<Vec<K::Owned>, TestCaseError>
where
    K: LeafTypes<Owned: Clone + PartialEq + Debug>,
    T: TreeWalk<K> + TreeWalk<NoLeaves>,
{
    let law = "there are as many leaves to read as described, and they are those copied out";
    let mut walked = Walked::<K>(Vec::new());
    done(
        law,
        "walk",
        <T as TreeWalk<K>>::walk_lanes::<Ref, Error, _>(value, &mut Depth::default(), &mut walked),
    )?;
    let walked = walked.0;
    let count = done(law, "num_leaves", value.num_leaves())?;
    equal(law, ("leaves to read", walked.len()), ("described", count))?;
    same(
        "a walk of one tree gives the leaves of a walk of several",
        ("walk", &given::<K, T>(value)),
        ("walk_lanes", &walked),
    )?;
    // Each slot starts with another leaf, if there is another.
    let mut copied: Vec<_> = walked.iter().cycle().skip(1).take(walked.len()).cloned().collect();
    let written = done(law, "leaves_into", mixed::leaves_into::<K>(value, &mut copied))?;
    equal(law, ("leaves_into", written), ("described", count))?;
    same(law, ("leaves_into", &copied), ("for_each", &walked))?;

    let law = "a walk names the children as the structure does";
    let mut paths = Vec::new();
    let visited = over(value).of::<K>().paths().for_each(|path, _| paths.push(path.to_string()));
    done(law, "for_each_with_path", visited)?;
    same(law, ("for_each_with_path", &paths), ("described", &paths_of(value)?))?;
    Ok(walked)
}

/// The leaves that a walk of one tree gives.
pub(super) fn given<K, T>(value: &T) -> Vec<K::Owned>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeWalk<K>,
{
    let mut given = Walked::<K>(Vec::new());
    TreeWalk::<K>::walk(value, &mut given);
    given.0
}

/// The paths of the leaves in the described structure.
pub(super) fn paths_of<T: Structure>(value: &T) -> Result<Vec<String>, TestCaseError> {
    let bytes = described(value)?;
    Ok(treedef(&bytes)?.paths().map(|path| path.to_string()).collect())
}

/// Rebuilds a value from its structure and these leaves.
pub(super) fn rebuilt<L, T>(value: &T, leaves: &[L]) -> Result<T, TestCaseError>
where
    L: Leaf + Clone,
    T: TreeBuild<L> + Structure,
{
    let bytes = described(value)?;
    done("a tree is built from its own structure", "unflatten", unflatten(treedef(&bytes)?, leaves))
}

/// Returns a clone of the value, with its leaves overwritten by `leaves`.
///
/// Unlike [`rebuilt`] it keeps state that is not in the structure, for example the offset of a ring buffer.
pub(super) fn rewritten<L, T>(value: &T, leaves: &[L]) -> Result<T, TestCaseError>
where
    L: Leaf + Clone + PartialEq + Debug,
    T: TreeRead<L> + TreeWrite<L> + Clone,
{
    let law = "leaves are changed in the order in which they are read";
    let mut tree = value.clone();
    let mut next = leaves.iter();
    let change = |leaf: &mut L| {
        if let Some(new) = next.next() {
            leaf.clone_from(new);
        }
    };
    done(law, "for_each_mut", over(&mut tree).for_each(change))?;
    same(law, ("read", &leaves_of::<L, T>(&tree)?), ("written by for_each_mut", leaves))?;
    Ok(tree)
}

/// Returns the value with these leaves twice: changed in place, and rebuilt.
pub(super) fn both<L, T>(value: &T, leaves: &[L]) -> Result<[T; 2], TestCaseError>
where
    L: Leaf + Clone + PartialEq + Debug,
    T: Tree<L> + Clone,
{
    Ok([rewritten(value, leaves)?, rebuilt(value, leaves)?])
}

impl<'a, K: LeafTypes<Owned: Clone> + 'a> Sink<'a, K> for Walked<K> {
    type Open = ();

    fn leaf(&mut self, leaf: K::Ref<'a>) {
        self.0.push(K::cloned(leaf));
    }

    fn begin<H: HeadSpec>(&mut self, _: &H) -> Option<()> {
        Some(())
    }

    fn fail(&mut self, _: Error) {}
}

/// What a value has and its type leaves open: the bytes of [`choices`](treedef::tree::choices), of any type. A tree without a schema
/// is its treedef.
pub(super) fn choices_of<T: TreeWalk<NoLeaves>>(value: &T) -> Vec<u8> {
    let mut chosen = Chosen(Vec::new());
    value.walk(&mut chosen);
    chosen.0
}

/// Collects choices.
struct Chosen(Vec<u8>);

impl<'a> Sink<'a, NoLeaves> for Chosen {
    type Open = ();

    const NEEDS_LEAVES: bool = false;

    fn leaf(&mut self, (): ()) {}

    fn choice(&mut self, number: usize) {
        self.0.extend(number.to_le_bytes());
    }

    fn value(&mut self, value: &Value<'_>) {
        self.0.extend(format!("{value:?};").bytes());
    }

    fn begin<H: HeadSpec>(&mut self, _: &H) -> Option<()> {
        Some(())
    }

    fn begin_keys(
        &mut self,
        count: usize,
        keys: impl Iterator<Item: ToValue> + Clone,
    ) -> Option<()> {
        Sink::choice(self, count);
        keys.for_each(|key| key.with_value(|key| Sink::value(self, &key)));
        Some(())
    }

    fn unknown(&mut self, write: &dyn Fn(&mut Writer<'_>)) {
        let mut bytes = vec![0; 4096];
        let mut out = Writer::new(&mut bytes);
        write(&mut out);
        self.0.extend(format!("{:?};", out.finish()).bytes());
    }

    fn fail(&mut self, _: Error) {}
}

/// Collects leaves one by one.
struct Walked<K: LeafTypes>(Vec<K::Owned>);

impl<'a, K: LeafTypes<Owned: Clone> + 'a> VisitLanes<'a, K, Ref, Error> for Walked<K> {
    fn leaf(&mut self, leaf: K::Ref<'a>) -> Result<(), Error> {
        self.0.push(K::cloned(leaf));
        Ok(())
    }
}
