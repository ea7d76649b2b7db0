//! Trees made at run time: nodes, literals, views, options, slabs and folds.

use core::hint::black_box;

use treedef::dynamic::{Flatten, Keyed, Open, fold, fold_len, unflatten_into, unflatten_len};
use treedef::{
    Error, KeyEntry, KeyPath, Kind, Node, Object, TreeDef, Value, View, Writer, tree, treedef,
};

use super::{Done, keep, print, print_debug};

/// The treedef of the tree that most calls read.
const DEF: TreeDef<'static> = treedef!([*, {"b": (*, *), "a": None}, *]);

/// A tree with keys out of order.
const TREE: Node<'static, f32> = tree!([1.0, {"b": (2.0, 3.0), "a": None}, 4.0]);

/// An object of another model: a number is a list of its digits or a leaf, a text a dictionary.
#[derive(Clone, Copy)]
enum Json {
    Number(f32),
    Null,
    Array(&'static [Json]),
    Object(&'static [(&'static str, Json)]),
    Pair(&'static [Json; 2]),
}

impl Object for Json {
    type Leaf = f32;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Json::Number(number) => open.leaf(number),
            Json::Null => open.none(),
            Json::Array([one]) => open.some(*one),
            Json::Array(items) => open.list(items.iter().copied()),
            Json::Object(entries) => open.dict(entries.iter().copied()),
            Json::Pair(pair) => open.tuple(pair.iter().copied()),
        }
    }
}

/// An object with each of its forms.
const JSON: Json = Json::Array(&[
    Json::Object(&[("w", Json::Number(1.0)), ("b", Json::Pair(&[Json::Null, Json::Number(2.0)]))]),
    Json::Array(&[Json::Number(3.0)]),
    Json::Number(4.0),
]);

/// Every operation of one rule on one kind of object.
macro_rules! operations {
    ($options:expr, $object:expr, $Leaf:ty) => {{
        let object = black_box($object);
        let (mut bytes, mut leaves) = ([0; 64], [const { None::<$Leaf> }; 8]);
        let (def, _) =
            Flatten::flatten_into($options, object, black_box(&mut bytes), &mut leaves).ok()?;
        keep(Flatten::flatten_expected($options, object, black_box(def), &mut leaves).ok()?);
        Flatten::matches($options, object, black_box(def)).ok()?;
        keep(Flatten::matches($options, object, black_box(TreeDef::LEAF)).err()?);
        let mut bytes = black_box([0; 64]);
        let mut out = Writer::new(&mut bytes);
        let onto = Flatten::flatten_onto($options, object, &mut out, black_box(&mut leaves));
        keep((onto.ok()?, out.finish().ok()?));
        let mut bytes = black_box([0; 2]);
        let mut out = Writer::new(&mut bytes);
        keep(Flatten::flatten_onto($options, object, &mut out, &mut leaves).err()?);
        keep(Flatten::structure_into($options, object, black_box(&mut [0; 64])).ok()?);
        keep(Flatten::structure_into($options, object, black_box(&mut [0; 2])).err()?);
        keep(Flatten::structure_bound($options, object).ok()?);
        keep(Flatten::leaves_into($options, object, black_box(&mut leaves)).ok()?);
        keep(Flatten::leaves_into($options, object, black_box(&mut [None::<$Leaf>; 1])).err()?);
        keep(Flatten::num_leaves($options, object).ok()?);
        print(&Error::explain_object(Error::Unordered { first: 0, second: black_box(1) }, object))?;
        Flatten::for_each($options, object, |leaf| keep(leaf)).ok()?;
        keep(Flatten::all_leaves($options, [object, object]).ok()?);
        keep(Flatten::num_leaves(Flatten::max_depth($options, black_box(1)), object).err()?);
    }};
}

/// The plain rule on nodes, views and other objects.
pub(super) fn plain() -> Done {
    let leaves = black_box([1.0f32, 2.0, 3.0, 4.0]);
    operations!(Flatten::new(), &TREE, &f32);
    operations!(Flatten::new(), View::new(DEF, &leaves).ok()?, &f32);
    operations!(Flatten::new(), JSON, f32);
    print_debug(&Flatten::new())
}

/// The rules that say what a leaf is.
pub(super) fn rules() -> Done {
    operations!(Flatten::none_is_leaf(Flatten::new()), &TREE, &Node<'_, f32>);
    let is_pair = |node: &Node<'_, f32>| matches!(node, Node::Tuple(_));
    operations!(Flatten::is_leaf(Flatten::new(), is_pair), &TREE, &Node<'_, f32>);
    let deep = |path: KeyPath<'_, '_>, _: Json| {
        KeyPath::entries(&path).for_each(keep);
        path.len() > 1
    };
    operations!(Flatten::is_leaf_at(Flatten::new(), deep), JSON, Json);
    Some(())
}

/// Nodes and their heads.
pub(super) fn nodes() -> Done {
    // Leaves whose own `Debug` cannot panic.
    const KINDS: Node<'static, Kind> =
        tree!([Kind::Leaf, {"b": (Kind::Some, Kind::List), "a": None}]);
    let tree = black_box(KINDS);
    print_debug(&tree)?;
    let Node::List(children) = tree else { return None };
    for child in children {
        keep((Node::as_leaf(child), Node::kind(child)));
        print_debug(child)?;
        if let Node::Keyed(keyed) = child {
            keep(Keyed::head(keyed));
            Keyed::children(keyed).for_each(keep);
            // Two keys and one child.
            keep(Node::keyed(Keyed::head(keyed), black_box(core::slice::from_ref(child))).err()?);
            print_debug(keyed)?;
        }
    }
    let gain = black_box(2.0f32);
    keep(Flatten::new().num_leaves(&tree!({"w": (gain, -gain), "b": [None, gain]})).ok()?);
    Some(())
}

/// A treedef with its leaves.
pub(super) fn views() -> Done {
    let leaves = black_box([1.0f32, 2.0, 3.0, 4.0]);
    keep(View::new(DEF, leaves.get(..3)?).err()?);
    let view = View::new(black_box(DEF), &leaves).ok()?;
    keep((View::treedef(&view), View::leaves(&view), View::head(&view), View::kind(&view)));
    View::children(&view).for_each(keep);
    let dict = View::child(&view, black_box(1))?;
    keep(View::get(&dict, black_box("b"))?);
    keep(View::entry(&dict, KeyEntry::Key(Value::Str(black_box("a"))))?);
    keep(View::as_leaf(&view).is_none());
    let own = [KeyEntry::Index(black_box(1))];
    keep(print(&KeyPath::new(&own)));
    View::for_each_with_path(&view, |path, leaf| keep((path.into_iter().next(), leaf))).ok()?;
    print_debug(&View::children(&view))?;
    let kinds = black_box([Kind::Leaf; 4]);
    print_debug(&View::new(DEF, &kinds).ok()?)
}

/// Trees from a treedef: nodes in a slab, values of another model.
pub(super) fn rebuilt() -> Done {
    let (leaves, mut slab) = (black_box([1.0f32, 2.0, 3.0, 4.0]), [Node::None; 16]);
    keep(unflatten_len(black_box(DEF)));
    let tree = unflatten_into(black_box(DEF), &leaves, black_box(&mut slab)).ok()?;
    Flatten::new().matches(&tree, black_box(DEF)).ok()?;
    keep(unflatten_into(black_box(DEF), &leaves, black_box(&mut [Node::None; 2])).err()?);
    let mut stack = [None::<f32>; 8];
    keep(fold_len(black_box(DEF)).ok()?);
    let sum = fold(
        black_box(DEF),
        leaves,
        black_box(&mut stack),
        |leaf| leaf,
        |head, mut children| {
            keep((head, children.len()));
            print_debug(&children).ok_or(Error::TooLarge)?;
            children.next();
            Ok::<_, Error>(children.fold(0.0, |sum, child| sum + child))
        },
    );
    keep(sum.ok()?);
    keep(Value::as_str(black_box(Value::Str("a")))?);
    Some(())
}
