//! The public functions on the trees of a shape, and those that are left out.
//!
//! A row is a name, the unit that may cost a constant number of instructions, and what is counted. It gives `None`
//! where a tree is refused, as one that is too deep.

use std::fmt::{self, Display, Write};
use std::hint::black_box;

use treedef::algebra::{
    Change, broadcast_common, combine, combine_in_place, filter, migrate, partition,
    partition_in_place, replace_nones, transpose, transpose_map,
};
use treedef::cache::{Dtype, KeyDifference, KeyDifferences, KeyWriter, Known, ShapeDtype};
use treedef::diff::{Difference, Differences};
use treedef::dynamic::{Flatten, Keyed, fold, fold_len, unflatten_into, unflatten_len};
use treedef::encode::structure_bound;
use treedef::head::{DictKind, head_into, head_len};
use treedef::nodes::Nodes;
use treedef::path::{Found, PathPattern};
use treedef::record::frame::{FrameSchema, frame_into, read_frame};
use treedef::record::{Upgrade, fold_into, load, load_older, save_into, unfold_into, upgrade};
use treedef::text::KeyStr;
use treedef::tree::choices::{choices_into, choices_of, expand_into, has_choices, hash_choices};
use treedef::tree::{Structure, leaf, refs_into};
use treedef::{
    Arena, CallKey, DecodeError, Error, Head, KeyPath, Kind, Node, TreeDef, Value, View, Writer,
    broadcast_prefix, flatten_into, flatten_up_to, head, leaves_into, matches, over, schema_of,
    structure_into, treedef,
};

use crate::shapes::Unit::{
    self, Byte, Call, Entry, Node as EachNode, OfExpressions, OfPairs, OwnByte,
};
use crate::shapes::{Expr, Input, Pair, Typed};

/// `None` where a tree is refused.
type Done = Option<()>;

/// Runs an operation.
pub(crate) type Row = (&'static str, Unit, fn(&mut Input<'_>) -> Done);

/// The schemas of pairs and of expressions.
const SCHEMA: TreeDef<'static> = schema_of::<Vec<Pair>>();
const EXPRESSIONS: TreeDef<'static> = schema_of::<Vec<Expr>>();

/// What is put in the place of a leaf.
const INNER: TreeDef<'static> = treedef!((*, None));

/// A text that is counted and not kept.
struct Sink(usize);

impl Write for Sink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += black_box(text).len();
        Ok(())
    }
}

fn keep<T>(value: T) -> Done {
    black_box(value);
    Some(())
}

fn keep_all<T>(values: impl IntoIterator<Item = T>) -> Done {
    values.into_iter().for_each(|value| drop(black_box(value)));
    Some(())
}

fn print(value: impl Display) -> Done {
    write!(Sink(0), "{value}").ok()
}

/// Writes a structure, or says that it is refused.
fn write(tree: &impl Structure, input: &mut Input<'_>) -> Done {
    keep(structure_into(tree, &mut input.bytes).ok()?)
}

const ALGEBRA: &[Row] = &[
    ("TreeDef::compose", EachNode, |input| write(&TreeDef::compose(input.def, INNER), input)),
    ("TreeDef::compose, bounded", EachNode, |input| {
        let op = input.def.compose(INNER);
        keep(structure_bound(&op).ok()?)
    }),
    ("TreeDef::compose, compared", EachNode, |input| {
        let op = input.def.compose(TreeDef::LEAF);
        keep(matches(&op, input.def).ok()?)
    }),
    ("TreeDef::compose with itself", Byte, |input| {
        let op = treedef!([*, *]).compose(input.def);
        keep(structure_into(&op, &mut input.bytes).ok()?)
    }),
    ("TreeDef::transform", Byte, |input| {
        write(&TreeDef::transform(input.def, |_| Ok(black_box(Change::Keep))), input)
    }),
    ("TreeDef::nones_as_leaves", Byte, |input| write(&TreeDef::nones_as_leaves(input.def), input)),
    ("TreeDef::leaves_to_none", EachNode, |input| {
        let op = TreeDef::leaves_to_none(input.def, &input.marks);
        keep(structure_into(&op, &mut input.bytes).ok()?)
    }),
    ("replace_nones", EachNode, |input| {
        let view = View::new(input.def, &input.leaves).ok()?;
        keep(replace_nones(view, &7, &mut input.out).ok()?)
    }),
    ("partition", EachNode, |input| {
        let view = View::new(input.def, &input.leaves).ok()?;
        let spec = View::new(input.prefix, &input.prefix_marks).ok()?;
        keep(partition(view, spec, &mut input.some, &mut input.some2).ok()?)
    }),
    ("filter", EachNode, |input| {
        let view = View::new(input.def, &input.leaves).ok()?;
        let spec = View::new(input.prefix, &input.prefix_marks).ok()?;
        keep(filter(view, spec, &mut input.some).ok()?)
    }),
    ("partition_in_place", EachNode, |input| {
        let spec = View::new(input.prefix, &input.prefix_marks).ok()?;
        let (mut leaves, count) = (vec![Some(1); input.leaves.len()], input.def.num_leaves());
        let leaves = leaves.get_mut(..count)?;
        keep(partition_in_place(input.def, spec, leaves, input.some.get_mut(..count)?).ok()?)
    }),
    ("combine_in_place", EachNode, |input| {
        let mut some = vec![Some(1); input.leaves.len()];
        keep(combine_in_place(input.some.get_mut(..some.len())?, &mut some).ok()?)
    }),
    ("combine", EachNode, |input| {
        let some = vec![Some(1); input.leaves.len()];
        keep(combine(&[&some, &some], &mut input.some).ok()?)
    }),
    ("TreeDef::check_prefix_of", EachNode, |input| {
        keep(TreeDef::check_prefix_of(input.prefix, input.def).ok()?)
    }),
    ("TreeDef::check_prefix_of, other", EachNode, |input| {
        keep(TreeDef::check_prefix_of(input.def, input.other).is_ok())
    }),
    ("TreeDef::prefix_cmp", EachNode, |input| {
        keep(TreeDef::prefix_cmp(input.def, input.prefix).ok()?)
    }),
    ("flatten_up_to", EachNode, |input| {
        let view = View::new(input.def, &input.leaves).ok()?;
        keep_all(flatten_up_to(input.prefix, view).ok()?)
    }),
    ("flatten_up_to, last", EachNode, |input| {
        keep(flatten_up_to(input.prefix, View::new(input.def, &input.leaves).ok()?).ok()?.last())
    }),
    ("broadcast_prefix", EachNode, |input| {
        let spec = View::new(input.prefix, &input.prefix_marks).ok()?;
        let mut marks = vec![false; input.leaves.len()];
        keep(broadcast_prefix(spec, input.def, &mut marks).ok()?)
    }),
    ("TreeDef::common_suffix", EachNode, |input| {
        write(&TreeDef::common_suffix(input.def, input.prefix), input)
    }),
    ("broadcast_common", EachNode, |input| {
        let view = View::new(input.def, &input.leaves).ok()?;
        let spec = View::new(input.prefix, input.leaves.get(..input.prefix.num_leaves())?).ok()?;
        keep(broadcast_common(view, spec, &mut input.out, &mut input.out2).ok()?)
    }),
    ("migrate", EachNode, |input| {
        let old = View::new(input.def, &input.leaves).ok()?;
        keep(migrate(old, input.other, &mut input.out, &[], |report| _ = black_box(report)).ok()?)
    }),
    ("migrate, one structure", EachNode, |input| {
        let old = View::new(input.def, &input.leaves).ok()?;
        keep(migrate(old, input.def, &mut input.out, &[], |report| _ = black_box(report)).ok()?)
    }),
    ("transpose", EachNode, |input| {
        let view = View::new(input.def, &input.leaves).ok()?;
        let def = transpose(input.def, TreeDef::LEAF, view, &mut input.out).ok()?;
        keep(structure_into(&def, &mut input.bytes).ok()?)
    }),
    ("transpose, inner", EachNode, |input| {
        let view = View::new(input.def, &input.leaves).ok()?;
        let def = transpose(TreeDef::LEAF, input.def, view, &mut input.out).ok()?;
        keep(structure_into(&def, &mut input.bytes).ok()?)
    }),
    ("transpose_map", EachNode, |input| {
        let view = View::new(input.def, &input.leaves).ok()?;
        let (pair, rows) = (treedef!((*, *)), &mut input.out);
        let twice = |leaf: &u32, row: &mut [u32]| {
            row.fill(*leaf);
            Ok(())
        };
        let def = transpose_map(view, pair, rows, &mut input.out2, twice).ok()?;
        keep(structure_into(&def, &mut input.bytes).ok()?)
    }),
    ("TreeDef::replace, last leaf", Byte, |input| {
        let last = input.def.find(input.last_path.iter().copied()).ok()?;
        write(&TreeDef::replace(input.def, [(last, INNER)]).ok()?, input)
    }),
    ("TreeDef::replace, deepest leaf", Byte, |input| {
        let deep = input.def.find(input.deep_path.iter().copied()).ok()?;
        write(&TreeDef::replace(input.def, [(deep, INNER)]).ok()?, input)
    }),
    ("View::replace_into", EachNode, |input| {
        let view = View::new(input.def, &input.leaves).ok()?;
        let last = input.def.find(input.last_path.iter().copied()).ok()?;
        let with = View::new(INNER, &[7]).ok()?;
        keep(View::replace_into(&view, [(last, with)], &mut input.bytes, &mut input.out).ok()?)
    }),
];

const TREEDEFS: &[Row] = &[
    ("TreeDef::from_bytes", OwnByte, |input| {
        keep(TreeDef::from_bytes(black_box(input.def.as_bytes())).ok()?)
    }),
    ("TreeDef::from_bytes_with", OwnByte, |input| {
        keep(TreeDef::from_bytes_with(input.def.as_bytes(), &mut input.levels).ok()?)
    }),
    ("TreeDef::from_plain_bytes", OwnByte, |input| {
        keep(TreeDef::from_plain_bytes(black_box(input.def.as_bytes())).ok()?)
    }),
    ("TreeDef::from_prefix", OwnByte, |input| {
        keep(TreeDef::from_prefix(black_box(input.def.as_bytes())).ok()?)
    }),
    ("TreeDef::num_nodes", Call, |input| keep(TreeDef::num_nodes(&input.def))),
    ("TreeDef::num_nodes, of a child", Byte, |input| {
        keep(TreeDef::num_nodes(&input.def.children().next()?))
    }),
    ("TreeDef::fingerprint", Byte, |input| keep(TreeDef::fingerprint(&input.def))),
    ("TreeDef::children", Byte, |input| keep_all(TreeDef::children(&input.def).take(input.most))),
    ("TreeDef::children, last", Byte, |input| keep(input.def.children().last()?)),
    ("TreeDef::child", Byte, |input| {
        keep(TreeDef::child(&input.def, input.def.num_children().checked_sub(1)?)?)
    }),
    ("TreeDef::nodes", EachNode, |input| {
        TreeDef::nodes(&input.def).try_for_each(|node| keep(node.ok()?))
    }),
    ("Nodes::path", Entry, |input| {
        let mut nodes = input.def.nodes();
        while let Some(node) = nodes.next() {
            node.ok()?;
            keep_all(Nodes::path(&mut nodes)?.entries())?;
        }
        Some(())
    }),
    ("Nodes::found", Entry, |input| {
        let mut nodes = input.def.nodes();
        while let Some(node) = nodes.next() {
            node.ok()?;
            keep(Nodes::found(&nodes)?);
        }
        Some(())
    }),
    ("TreeDef::nodes, count", Byte, |input| keep(input.def.nodes().count())),
    ("TreeDef::nodes, last", Byte, |input| keep(input.def.nodes().last())),
    ("Head::entries", Byte, |input| keep_all(Head::entries(&input.def.head()).take(input.most))),
    ("Head::keys", Byte, |input| keep_all(Head::keys(&input.def.head()))),
    ("Head::fields", Byte, |input| keep_all(Head::fields(&input.def.head()))),
    ("Head::child_keys", Byte, |input| keep_all(Head::child_keys(&input.def.head())?)),
];

const DIFFERENCES: &[Row] = &[
    ("TreeDef::differences", EachNode, |input| {
        TreeDef::differences(input.def, input.other)
            .try_for_each(|difference| keep(difference.ok()?))
    }),
    ("TreeDef::differences, count", Byte, |input| keep(input.def.differences(input.other).count())),
    ("TreeDef::differences, last", Byte, |input| {
        keep(input.def.differences(input.other).last()?.ok()?)
    }),
    ("TreeDef::prefix_errors", EachNode, |input| {
        TreeDef::prefix_errors(input.def, input.other).try_for_each(|error| keep(error.ok()?))
    }),
    ("TreeDef::common_suffix_errors", EachNode, |input| {
        let mut errors = TreeDef::common_suffix_errors(input.def, input.other);
        errors.try_for_each(|error| keep(error.ok()?))
    }),
    ("Differences::deep", EachNode, |input| {
        let differences = input.def.differences(input.other);
        Differences::deep(differences).try_for_each(|difference| keep(difference.ok()?))
    }),
    ("Differences::summary", EachNode, |input| {
        print(Differences::summary(input.def.differences(input.other)))
    }),
    ("Difference::kind", EachNode, |input| {
        let mut differences = input.def.differences(input.other);
        differences.try_for_each(|one| keep(Difference::kind(&one.ok()?)))
    }),
    ("Difference::missing", EachNode, |input| {
        let mut differences = input.def.differences(input.other);
        differences.try_for_each(|one| {
            let one = one.ok()?;
            keep_all(Difference::missing(&one))?;
            keep_all(Difference::unexpected(&one))
        })
    }),
    ("Difference::path", EachNode, |input| {
        let mut differences = input.def.differences(input.other);
        differences.try_for_each(|one| keep_all(Difference::path(&one.ok()?).entries()))
    }),
    ("Difference, printed", EachNode, |input| {
        input.def.differences(input.other).try_for_each(|one| print(one.ok()?))
    }),
    ("Error::explain", EachNode, |input| {
        let first = input.def.differences(input.other).next()?.ok()?;
        let node = u32::try_from(first.path().found()?.node()).ok()?;
        print(Error::explain(&Error::Mismatch { node }, input.def, input.other))
    }),
];

const PATHS: &[Row] = &[
    ("TreeDef::paths", Entry, |input| {
        TreeDef::paths(&input.def).try_for_each(|path| keep_all(KeyPath::entries(&path)))
    }),
    ("TreeDef::path", Byte, |input| {
        keep_all(KeyPath::entries(&TreeDef::path(&input.def, input.deepest)?))
    }),
    ("TreeDef::path, last leaf", Byte, |input| {
        keep_all(input.def.path(input.def.num_leaves().checked_sub(1)?)?.entries())
    }),
    ("KeyPath::found", Byte, |input| keep(KeyPath::found(&input.def.path(input.deepest)?)?)),
    ("Found::indices", Byte, |input| {
        keep_all(Found::indices(&input.def.path(input.deepest)?.found()?))
    }),
    ("TreeDef::node_path", Byte, |input| {
        let path = TreeDef::node_path(&input.def, input.def.num_nodes() - 1)?;
        keep_all(KeyPath::entries(&path))
    }),
    ("TreeDef::node_path, each node", Entry, |input| {
        (0..input.def.num_nodes()).try_for_each(|node| keep(input.def.node_path(node)?))
    }),
    ("TreeDef::find", Byte, |input| {
        keep(TreeDef::find(&input.def, input.last_path.iter().copied()).ok()?)
    }),
    ("TreeDef::find, deepest leaf", Byte, |input| {
        keep(input.def.find(input.deep_path.iter().copied()).ok()?)
    }),
    ("TreeDef::find_at", Byte, |input| {
        keep(TreeDef::find_at(&input.def, [input.def.num_children().checked_sub(1)?])?)
    }),
    ("Found::path", Byte, |input| {
        let found = input.def.find(input.last_path.iter().copied()).ok()?;
        keep_all(Found::path(&found).entries())
    }),
    ("TreeDef::find_str", Byte, |input| {
        keep(TreeDef::find_str(&input.def, &input.last_text).ok()?)
    }),
    ("TreeDef::find_keystr", Byte, |input| {
        keep(TreeDef::find_keystr(&input.def, &input.last_text).ok()?)
    }),
    ("KeyPath::keystr, of a treedef", Byte, |input| {
        print(KeyPath::keystr(&input.def.path(input.deepest)?))
    }),
    ("KeyPath::keystr_simple, of a treedef", Byte, |input| {
        print(KeyPath::keystr_simple(&input.def.path(input.deepest)?, "/"))
    }),
    ("KeyPath::typed, of a treedef", Byte, |input| {
        print(KeyPath::typed(&input.def.path(input.deepest)?))
    }),
    ("KeyPath::len", Byte, |input| keep(KeyPath::len(&input.def.path(input.deepest)?))),
    ("KeyPath::last", Byte, |input| keep(KeyPath::last(&input.def.path(input.deepest)?)?)),
    ("PathPattern::new", Byte, |input| keep(PathPattern::new(&input.last_text).ok()?)),
    ("PathPattern::matches", Byte, |input| {
        let pattern = PathPattern::new(&input.last_text).ok()?;
        keep(PathPattern::matches(&pattern, KeyPath::new(&input.last_path)))
    }),
    ("KeyPath::typed", Byte, |input| print(KeyPath::typed(&KeyPath::new(&input.deep_path)))),
    ("KeyPath::keystr", Byte, |input| print(KeyPath::keystr(&KeyPath::new(&input.deep_path)))),
    ("KeyPath::keystr_simple", Byte, |input| {
        let path = KeyPath::new(&input.deep_path);
        print(KeyStr::separated_by(KeyPath::keystr_simple(&path, "."), "/"))
    }),
    ("View::for_each_with_path", EachNode, |input| {
        View::for_each_with_path(&input.view()?, |path, leaf| _ = keep((path, leaf))).ok()
    }),
    ("for_each_with_path", OfPairs, |input| {
        let show = |path: KeyPath<'_, '_>, leaf: &u32| _ = keep((path, leaf));
        let tree = &input.pairs.trees;
        over(tree.as_slice()).paths().for_each(show).ok()
    }),
    ("map_with_path", EachNode, |input| {
        let tree = [*input.leaves.first()?];
        keep(over(&tree).paths().map(|path, leaf: &u32| path.len() as u32 + leaf).ok()?)
    }),
];

const TEXTS: &[Row] = &[
    ("TreeDef, printed", EachNode, |input| print(input.def)),
    ("TreeDef, for programmers", Byte, |input| write!(Sink(0), "{:?}", input.def).ok()),
    ("Error::explain_at", Byte, |input| {
        print(Error::explain_at(&Error::WrongLeaf { leaf: input.deepest as u32 }, input.def))
    }),
    ("Error::explain_path", Byte, |input| {
        let text = format!("{}?", input.last_text);
        let error = input.def.find_str(&text).err()?;
        print(Error::explain_path(&error, input.def, &text))
    }),
    ("Error::explain_path, at the root", Byte, |input| {
        let error = input.def.find_str("?").err()?;
        print(error.explain_path(input.def, "?"))
    }),
    ("Error::explain_keys", Byte, |input| {
        let last = input.def.num_children().checked_sub(1)? as u32;
        let error = Error::DuplicateKey { first: 0, second: last };
        print(Error::explain_keys(&error, input.def.head().keys()))
    }),
    ("DecodeError::explain", Byte, |input| {
        let bytes = input.def.as_bytes().split_last()?.1;
        let error = TreeDef::from_bytes(bytes).err()?;
        print(DecodeError::explain(&error, bytes))
    }),
];

const ENCODE: &[Row] = &[
    ("structure_into, copied", Byte, |input| {
        keep(structure_into(&(input.def, input.other), &mut input.bytes).ok()?)
    }),
    ("structure_into, twice the same", Byte, |input| {
        keep(structure_into(&[input.def; 2], &mut input.bytes).ok()?)
    }),
    ("structure_into, typed", OfPairs, |input| {
        keep(structure_into(input.pairs.trees.as_slice(), &mut input.bytes).ok()?)
    }),
    ("structure_bound", OfPairs, |input| keep(structure_bound(input.pairs.trees.as_slice()).ok()?)),
    ("matches", OfPairs, |input| {
        keep(matches(input.pairs.trees.as_slice(), &input.pairs.def).ok()?)
    }),
    ("choices_into", OfPairs, |input| {
        keep(choices_into(input.pairs.trees.as_slice(), &mut input.bytes).ok()?)
    }),
    ("save_into", OfPairs, |input| {
        keep(save_into(input.pairs.trees.as_slice(), &mut input.bytes).ok()?)
    }),
    ("load", OfPairs, |input| keep(load::<Vec<Pair>>(&input.pairs.record).ok()?)),
    ("fold_into", OfPairs, |input| {
        keep(fold_into(&input.pairs.record, SCHEMA, &mut input.bytes).ok()?)
    }),
    ("unfold_into", OfPairs, |input| {
        keep(unfold_into(&input.pairs.folded, SCHEMA, &mut input.bytes).ok()?)
    }),
    ("frame_into", OfPairs, |input| {
        keep(frame_into(input.pairs.trees.as_slice(), &mut input.bytes).ok()?)
    }),
    ("read_frame", OfPairs, |input| {
        let len = frame_into(&input.pairs.trees, &mut input.bytes).ok()?;
        keep(read_frame::<Vec<Pair>>(input.bytes.get(..len)?).ok()?)
    }),
    ("FrameSchema::new", Call, |_| keep(FrameSchema::<32>::new(black_box(SCHEMA)).ok()?)),
    ("FrameSchema::parts", OfPairs, |input| {
        let schema = FrameSchema::<32>::new(SCHEMA).ok()?;
        let len = frame_into(&input.pairs.trees, &mut input.bytes).ok()?;
        keep(FrameSchema::parts(&schema, input.bytes.get(..len)?).ok()?)
    }),
    ("load_older", OfPairs, |input| {
        let (record, default) = (&input.pairs.record, Vec::<Pair>::new());
        keep(load_older(record, SCHEMA, &default, &[], &mut input.bytes).ok()?)
    }),
    ("Upgrade::load", OfPairs, |input| {
        type Older = Vec<Pair>;
        type Newer = Vec<(u64, Option<[u64; 1]>)>;
        static UPGRADE: Upgrade<Newer> = upgrade!(Newer, schema_of::<Older>().as_bytes());
        let (record, default) = (&input.pairs.record, Newer::new());
        keep(Upgrade::load(&UPGRADE, record, &default, &mut input.bytes).ok()?)
    }),
    ("hash_choices", OfPairs, |input| keep(hash_choices(input.pairs.trees.as_slice()).ok()?)),
    ("has_choices", OfPairs, |input| {
        keep(has_choices(input.pairs.trees.as_slice(), &input.pairs.choices))
    }),
    ("choices_of", OfPairs, |input| {
        keep(choices_of::<[Pair]>(&input.pairs.def, &mut input.bytes).ok()?)
    }),
    ("expand_into", OfPairs, |input| {
        keep(expand_into::<[Pair]>(&input.pairs.choices, &mut input.bytes).ok()?)
    }),
    ("structure_into, recursive", OfExpressions, |input| {
        keep(structure_into(input.expressions.trees.as_slice(), &mut input.bytes).ok()?)
    }),
    ("matches, recursive", OfExpressions, |input| {
        let Typed { trees, def, .. } = &input.expressions;
        keep(matches(trees.as_slice(), def).ok()?)
    }),
    ("choices_into, recursive", OfExpressions, |input| {
        keep(choices_into(input.expressions.trees.as_slice(), &mut input.bytes).ok()?)
    }),
    ("choices_of, recursive", OfExpressions, |input| {
        keep(choices_of::<[Expr]>(&input.expressions.def, &mut input.bytes).ok()?)
    }),
    ("fold_into, recursive", OfExpressions, |input| {
        keep(fold_into(&input.expressions.record, EXPRESSIONS, &mut input.bytes).ok()?)
    }),
    ("load_older, recursive", OfExpressions, |input| {
        let (record, default) = (&input.expressions.record, Vec::<Expr>::new());
        keep(load_older(record, EXPRESSIONS, &default, &[], &mut input.bytes).ok()?)
    }),
    ("head_into", Byte, |input| {
        let heading = head::Dict::new(DictKind::Ordered, input.def.head().keys());
        keep(head_into(&heading, &mut input.bytes).ok()?)
    }),
    ("head_len", Byte, |input| {
        keep(head_len(&head::Dict::new(DictKind::Ordered, input.def.head().keys())))
    }),
    ("Writer::begin_head", EachNode, |input| {
        let mut out = Writer::new(&mut input.bytes);
        out.set_max_depth(u32::MAX);
        let mut open = Vec::with_capacity(input.levels.len());
        for node in input.def.nodes() {
            let node = node.ok()?;
            for frame in open.drain(node.depth..).rev() {
                Writer::end(&mut out, frame);
            }
            match node.head.kind() {
                Kind::Leaf => Writer::leaves(&mut out, 1),
                Kind::None => Writer::none(&mut out),
                _ => open.push(Writer::begin_head(&mut out, &node.head)),
            }
        }
        while let Some(frame) = open.pop() {
            out.end(frame);
        }
        keep(Writer::finish(out).ok()?)
    }),
    ("Writer::begin", Byte, |input| {
        let mut out = Writer::new(&mut input.bytes);
        let heading = head::Dict::new(DictKind::Ordered, input.def.head().keys());
        let frame = Writer::begin(&mut out, &heading);
        out.leaves(head::HeadSpec::arity(&heading));
        out.end(frame);
        keep(out.finish().ok()?)
    }),
    ("Writer::node", EachNode, |input| {
        let mut out = Writer::new(&mut input.bytes);
        let children = input.def.num_children();
        Writer::node(&mut out, &head::List(children), |out| {
            for child in input.def.children() {
                Writer::node(out, &head::Tuple(1), |out| out.subtree(child));
            }
        });
        keep(out.finish().ok()?)
    }),
    ("Writer::begin_dict", Byte, |input| {
        let keys: Vec<_> = input.def.head().keys().filter_map(Value::as_str).collect();
        let mut out = Writer::new(&mut input.bytes);
        let frame = Writer::begin_dict(&mut out, &keys);
        out.leaves(keys.len());
        out.end(frame);
        keep(out.finish().ok()?)
    }),
    ("Writer::begin_struct", Byte, |input| {
        let fields: Vec<_> = input.def.head().fields().collect();
        let mut out = Writer::new(&mut input.bytes);
        let frame = Writer::begin_struct(&mut out, "Wide", &fields);
        out.leaves(fields.len());
        out.end(frame);
        keep(out.finish().ok()?)
    }),
    ("Writer::subtree", Byte, |input| {
        let mut out = Writer::new(&mut input.bytes);
        let frame = Writer::begin_list(&mut out, 4);
        Writer::subtree(&mut out, input.def);
        Writer::subtree(&mut out, input.def);
        Writer::repeat(&mut out, 2);
        out.end(frame);
        keep(out.finish().ok()?)
    }),
    ("Writer::begin_tuple", Byte, |input| {
        let mut out = Writer::new(&mut input.bytes);
        let frame = Writer::begin_tuple(&mut out, input.def.num_children());
        for child in input.def.children().take(input.most) {
            out.subtree(child);
        }
        out.end(frame);
        keep(out.finish().ok()?)
    }),
    ("Arena::build", Byte, |input| {
        let mut arena = Arena::new(&mut input.bytes);
        keep(Arena::build(&arena, |out| out.subtree(input.def)).ok()?)?;
        keep(Arena::scratch(&mut arena).add(input.def).ok()?)
    }),
];

const DYNAMIC: &[Row] = &[
    ("fold", EachNode, |input| {
        let leaves = input.leaves.iter().copied();
        let add = |_: Head<'_>, children: treedef::dynamic::FoldChildren<'_, u32>| {
            Ok::<_, Error>(children.fold(0, u32::wrapping_add))
        };
        keep(fold(input.def, leaves, &mut input.some, |leaf| leaf, add).ok()?)
    }),
    ("fold_len", Byte, |input| keep(fold_len(input.def).ok()?)),
    ("unflatten_into", EachNode, |input| {
        let mut slab = vec![Node::None; unflatten_len(input.def)];
        keep(unflatten_into(input.def, &input.leaves, &mut slab).ok()?)
    }),
    ("Keyed::children", EachNode, |input| {
        let Node::Keyed(keyed) = input.node? else { return None };
        keep_all(Keyed::children(&keyed))
    }),
    ("Flatten::flatten_into", EachNode, |input| {
        let node = input.node?;
        let mut leaves = vec![&0; input.leaves.len()];
        keep(Flatten::flatten_into(Flatten::new(), &node, &mut input.bytes, &mut leaves).ok()?)
    }),
    ("Flatten::flatten_into, a view", EachNode, |input| {
        let view = View::new(input.def, &input.leaves).ok()?;
        let mut leaves = vec![&0; input.leaves.len()];
        keep(Flatten::new().flatten_into(view, &mut input.bytes, &mut leaves).ok()?)
    }),
    ("Flatten::flatten_onto", EachNode, |input| {
        let node = input.node?;
        let mut out = Writer::new(&mut input.bytes);
        let mut leaves = vec![&0; input.leaves.len()];
        keep(Flatten::flatten_onto(Flatten::new(), &node, &mut out, &mut leaves).ok()?)
    }),
    ("Flatten::flatten_expected", EachNode, |input| {
        let node = input.node?;
        let mut leaves = vec![&0; input.leaves.len()];
        keep(Flatten::flatten_expected(Flatten::new(), &node, input.def, &mut leaves).ok()?)
    }),
    ("Flatten::structure_into", EachNode, |input| {
        keep(Flatten::structure_into(Flatten::new(), &input.node?, &mut input.bytes).ok()?)
    }),
    ("Flatten::structure_bound", EachNode, |input| {
        keep(Flatten::structure_bound(Flatten::new(), &input.node?).ok()?)
    }),
    ("Flatten::leaves_into", EachNode, |input| {
        let node = input.node?;
        let mut leaves = vec![&0; input.leaves.len()];
        keep(Flatten::leaves_into(Flatten::new(), &node, &mut leaves).ok()?)
    }),
    ("Flatten::num_leaves", EachNode, |input| {
        keep(Flatten::num_leaves(Flatten::new(), &input.node?).ok()?)
    }),
    ("Flatten::for_each", EachNode, |input| {
        Flatten::for_each(Flatten::new(), &input.node?, |leaf| _ = keep(leaf)).ok()
    }),
    ("Flatten::matches", EachNode, |input| {
        keep(Flatten::matches(Flatten::new(), &input.node?, input.def).ok()?)
    }),
    ("Flatten::matches, other", EachNode, |input| {
        keep(Flatten::new().matches(&input.node?, input.other).is_ok())
    }),
    ("Flatten::all_leaves", EachNode, |input| {
        let nodes: Vec<_> = input.leaves.iter().map(Node::Leaf).collect();
        keep(Flatten::all_leaves(Flatten::new(), &nodes).ok()?)
    }),
    ("Flatten::none_is_leaf", EachNode, |input| {
        let options = Flatten::none_is_leaf(Flatten::new());
        keep(options.structure_into(&input.node?, &mut input.bytes).ok()?)
    }),
    ("Flatten::is_leaf", EachNode, |input| {
        let options = Flatten::is_leaf(Flatten::new(), |node: &Node<'_, u32>| {
            black_box(node).kind() == Kind::Custom && node.as_leaf().is_some()
        });
        keep(options.structure_into(&input.node?, &mut input.bytes).ok()?)
    }),
    ("Flatten::is_leaf_at", Entry, |input| {
        let never = |path: KeyPath<'_, '_>, _: &Node<'_, u32>| {
            keep_all(path.entries());
            false
        };
        let options = Flatten::is_leaf_at(Flatten::new(), never);
        keep(options.structure_into(&input.node?, &mut input.bytes).ok()?)
    }),
    ("View::children", Byte, |input| keep_all(View::children(&input.view()?))),
    ("View::child", Byte, |input| {
        keep(View::child(&input.view()?, input.def.num_children().checked_sub(1)?)?)
    }),
    ("View::get", Byte, |input| {
        let [.., treedef::KeyEntry::Key(key)] = *input.last_path else { return None };
        keep(View::get(&input.view()?, key)?)
    }),
    ("View::entry", Byte, |input| keep(View::entry(&input.view()?, *input.last_path.first()?)?)),
    ("View::find", Byte, |input| {
        keep(View::find(&input.view()?, input.last_path.iter().copied()).ok()?)
    }),
    ("View::find_str", Byte, |input| keep(View::find_str(&input.view()?, &input.last_text).ok()?)),
];

const TYPED: &[Row] = &[
    ("flatten_into", OfPairs, |input| {
        keep(flatten_into(input.pairs.trees.as_slice(), &mut input.bytes, &mut input.out).ok()?)
    }),
    ("leaves_into", OfPairs, |input| {
        keep(leaves_into(input.pairs.trees.as_slice(), &mut input.out).ok()?)
    }),
    ("refs_into", OfPairs, |input| {
        let mut refs = vec![None::<&u32>; 2 * input.leaves.len()];
        keep(refs_into(input.pairs.trees.as_slice(), &mut refs).ok()?)
    }),
    ("for_each", OfPairs, |input| {
        over(input.pairs.trees.as_slice()).for_each(|leaf: &u32| _ = keep(leaf)).ok()
    }),
    ("flatten_into, recursive", OfExpressions, |input| {
        let trees = input.expressions.trees.as_slice();
        keep(flatten_into(trees, &mut input.bytes, &mut input.out).ok()?)
    }),
    ("leaf", OfPairs, |input| {
        let last = input.pairs.def.as_treedef().num_leaves().checked_sub(1)?;
        keep(leaf(input.pairs.trees.as_slice(), last).ok()?)
    }),
];

const CACHE: &[Row] = &[
    ("KeyWriter::leaves", EachNode, |input| {
        let mut key = KeyWriter::new(&mut input.bytes);
        KeyWriter::treedef(&mut key, input.def);
        let array = |_| ShapeDtype::new(Dtype::Float32, &[3, 4]);
        KeyWriter::leaves(&mut key, input.leaves.iter().map(array));
        keep(KeyWriter::finish(key).ok()?)
    }),
    ("KeyWriter::structure", OfPairs, |input| {
        let mut key = KeyWriter::new(&mut input.bytes);
        KeyWriter::structure(&mut key, input.pairs.trees.as_slice());
        keep(key.finish().ok()?)
    }),
    ("KeyWriter::tree", EachNode, |input| {
        let mut key = KeyWriter::new(&mut input.bytes);
        KeyWriter::tree(&mut key, input.leaves.as_slice());
        keep(key.finish().ok()?)
    }),
    ("KeyWriter::leaves_of", EachNode, |input| {
        let mut key = KeyWriter::new(&mut input.bytes);
        KeyWriter::leaves_of(&mut key, input.leaves.as_slice());
        keep(key.finish().ok()?)
    }),
    ("CallKey::of_tree", EachNode, |input| {
        keep(CallKey::of_tree(input.leaves.as_slice(), &mut input.bytes).ok()?)
    }),
    ("Known::get, too long", OfPairs, |input| {
        keep(Known::<_, u8, 1>::new().get(input.pairs.trees.as_slice()).is_none())
    }),
    ("CallKey::of", Byte, |input| keep(CallKey::of(input.def))),
    ("CallKey::from_bytes", EachNode, |input| keep(CallKey::from_bytes(&input.key).ok()?)),
    ("CallKey::from_bytes_with", EachNode, |input| {
        keep(CallKey::from_bytes_with(&input.key, &mut input.levels).ok()?)
    }),
    ("CallKey::parts", EachNode, |input| {
        keep_all(CallKey::parts(&CallKey::from_bytes_with(&input.key, &mut input.levels).ok()?))
    }),
    ("CallKey::to_arena", EachNode, |input| {
        let key = CallKey::from_bytes_with(&input.key, &mut input.levels).ok()?;
        keep(CallKey::to_arena(key, &Arena::new(&mut input.bytes)).ok()?)
    }),
    ("CallKey, printed", EachNode, |input| {
        print(CallKey::from_bytes_with(&input.key, &mut input.levels).ok()?)
    }),
    ("CallKey::differences", EachNode, |input| {
        let known = CallKey::from_bytes_with(&input.key, &mut input.levels).ok()?;
        let called = CallKey::from_bytes_with(&input.other_key, &mut input.levels).ok()?;
        keep_all(CallKey::differences(known, called))
    }),
    ("CallKey::nearest", EachNode, |input| {
        let known = CallKey::from_bytes_with(&input.key, &mut input.levels).ok()?;
        let called = CallKey::from_bytes_with(&input.other_key, &mut input.levels).ok()?;
        keep(CallKey::nearest(called, [known])?)
    }),
    ("CallKey::differences of arrays", EachNode, |input| {
        let known = CallKey::from_bytes_with(&input.key, &mut input.levels).ok()?;
        let called = CallKey::from_bytes_with(&input.same_key, &mut input.levels).ok()?;
        keep_all(CallKey::differences(known, called))
    }),
    ("KeyWriter::named, and their differences", EachNode, |input| {
        // Names that the other key does not have, and some in another order.
        let (mut known, called) = (vec![0; input.bytes.len()], &mut input.bytes);
        let (mut one, mut other) = (KeyWriter::new(&mut known), KeyWriter::new(called));
        for at in 0..input.leaves.len() {
            KeyWriter::named(&mut one, ["a", "b", "c"][at % 3], &());
            KeyWriter::named(&mut other, ["c", "d"][at % 2], &());
        }
        keep_all(one.finish().ok()?.differences(other.finish().ok()?))
    }),
    ("KeyDifference::path", EachNode, |input| {
        let known = CallKey::from_bytes_with(&input.key, &mut input.levels).ok()?;
        let called = CallKey::from_bytes_with(&input.same_key, &mut input.levels).ok()?;
        let mut last = known.differences(called);
        keep_all(KeyDifference::path(&last.by_ref().last()?)?.entries())
    }),
    ("KeyDifferences::summary", EachNode, |input| {
        let known = CallKey::from_bytes_with(&input.key, &mut input.levels).ok()?;
        let called = CallKey::from_bytes_with(&input.other_key, &mut input.levels).ok()?;
        print(KeyDifferences::summary(known.differences(called)))
    }),
];

/// All of them.
pub(crate) const OPERATIONS: &[&[Row]] =
    &[ALGEBRA, TREEDEFS, DIFFERENCES, PATHS, TEXTS, ENCODE, DYNAMIC, TYPED, CACHE];
