"""Trees of JAX and optree themselves, there and back; custom nodes and keys of calls too. Needs `jax` and `optree`."""

import collections
import dataclasses
import importlib.util
import time
import unittest

import recorded
import treedef
from treedef import Array, CallKey, Float32, Named, Static, call_key, from_bytes, from_jax, from_optree, key_of_call, node
from treedef import to_jax, to_optree

HAVE = all(importlib.util.find_spec(name) for name in ("jax", "optree"))
if HAVE:
    import jax
    import jax.numpy as jnp
    import numpy as np
    import optree
    from jax import tree_util as jt
    from jax.experimental import sparse


def register_with_jax(tag, cls, notation):
    if tag == "dataclass":
        jt.register_dataclass(cls, data_fields=notation["data_fields"], meta_fields=notation["meta_fields"])
    elif tag == "custom":
        flatten = lambda one: (one.children, one.aux)
        if not notation["with_keys"]:
            return jt.register_pytree_node(cls, flatten, cls)
        how = {"dict": jt.DictKey, "attr": jt.GetAttrKey, "raw": str}[notation.get("key_kind") or "attr"]
        keyed = lambda one: ([(how(name), child) for name, child in zip(notation["key_names"], one.children)], one.aux)
        jt.register_pytree_with_keys(cls, keyed, cls, flatten)


def register_with_optree(tag, cls, notation):
    if tag == "dataclass":
        fields, meta = notation["data_fields"], notation["meta_fields"]
        flatten = lambda one: (
            [getattr(one, name) for name in fields],
            tuple((name, getattr(one, name)) for name in meta),
            fields,
        )
        unflatten = lambda aux, children: cls(*children, *(value for _, value in aux))
        optree.register_pytree_node(cls, flatten, unflatten, path_entry_type=optree.DataclassEntry, namespace="test")
    elif tag == "custom":
        names = notation["key_names"] if notation["with_keys"] else None
        entry = {"attr": optree.GetAttrEntry, "dict": optree.MappingEntry}.get(
            notation.get("key_kind") or "attr", optree.AutoEntry
        )
        flatten = lambda one: (one.children, one.aux, names) if names else (one.children, one.aux)
        optree.register_pytree_node(cls, flatten, cls, path_entry_type=entry, namespace="test")


@dataclasses.dataclass
class Gains:
    kp: float
    ki: float
    units: str
    rate: Float32


class Pair:
    """Registered with keys of every kind."""

    def __init__(self, *children, aux):
        self.children, self.aux = children, aux


@dataclasses.dataclass(frozen=True)
class Mode:
    number: int


Point = collections.namedtuple("Point", "x y")


class Callable:
    """A function whose text is that of every other one."""

    def __call__(self):
        pass

    def __repr__(self):
        return "relu"


@unittest.skipUnless(HAVE, "jax and optree are not installed")
class Jax(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Its meta fields are in another order than in the class.
        jt.register_dataclass(Gains, data_fields=["kp", "ki"], meta_fields=["rate", "units"])
        keys = (lambda: jt.GetAttrKey("left"), lambda: jt.DictKey(("a", 1)), lambda: jt.SequenceKey(7), lambda: "any")
        keyed = lambda one: ([(make(), child) for make, child in zip(keys, one.children)], one.aux)
        jt.register_pytree_with_keys(Pair, keyed, lambda aux, children: Pair(*children, aux=aux))
        jt.register_static(Mode)

    def test_recorded_trees_there_and_back(self):
        classes, checked = recorded.Classes(), 0
        for name in ("flatten", "models", "suite_trees"):
            for line in recorded.lines(name):
                expect = line["expect"].get("jax", line["expect"])
                try:
                    tree = recorded.live(line["tree"], classes, register_with_jax)
                except KeyError:
                    continue
                if "treedef_str" not in expect:
                    continue
                theirs = jt.tree_structure(tree)
                d = from_jax(theirs)
                self.assertEqual(str(d), expect["treedef_str"], line["id"])
                self.assertEqual(list(d.paths()), expect.get("keystr", list(d.paths())), line["id"])
                self.assertEqual(to_jax(from_bytes(d.to_bytes()), classes.names), theirs, line["id"])
                checked += 1
        self.assertGreater(checked, 550)

    def test_custom_nodes(self):
        tree = [Gains(0, 1, "Nm", Float32(0.5)), Pair(0, None, (1, 2), 3, aux=("w", 2**70)), Point(0, {}), Mode(3)]
        theirs, names = (
            jt.tree_structure(tree),
            {Gains: "robot::Gains", Pair: "robot::Pair", Point: "robot::Point", Mode: "robot::Mode"},
        )
        d = from_jax(theirs, {**names, Mode(3): "mode 3"})
        gains, pair, point, mode = (child for child, _ in d.items)
        self.assertEqual((gains.kind, gains.name, gains.keys), ("struct", "robot::Gains", ("kp", "ki")))
        self.assertEqual(gains.meta, (("rate", 0.5), ("units", "Nm")))
        self.assertEqual(pair.keys, (("attr", "left"), ("key", ("a", 1)), ("index", 7), ("raw", "any")))
        self.assertEqual((pair.meta, point.keys, mode.meta), (("w", 2**70), ("x", "y"), treedef.Opaque("mode 3")))
        self.assertEqual(list(d.paths()), [jt.keystr(path) for path, _ in jt.tree_flatten_with_path(tree)[0]])
        self.assertEqual(to_jax(from_bytes(d.to_bytes()), {**names, Mode(3): "mode 3"}), theirs)
        self.assertEqual(from_jax(theirs, {Mode(3): "mode 3"}).items[0][0].name, f"{__name__}::Gains")
        self.assertRaisesRegex(ValueError, "needs a name", from_jax, theirs)
        self.assertEqual(str(from_jax(theirs, {Mode(3): str(Mode(3))})), str(theirs))
        self.assertRaises(ValueError, to_jax, d)

    def test_a_dataclass_that_names_no_children_is_a_custom_node(self):
        @dataclasses.dataclass
        class Bare:
            w: float
            kind: str

        jt.register_pytree_node(Bare, lambda bare: ((bare.w,), (bare.kind,)), lambda aux, w: Bare(*w, *aux))
        theirs, names = jt.tree_structure(Bare(1.0, "x")), {Bare: "Bare"}
        self.assertEqual(from_jax(theirs, names), node("custom", [treedef.LEAF], None, "Bare", ("x",)))
        self.assertEqual(to_jax(from_jax(theirs, names), names), theirs)

    def test_a_value_without_a_text_of_its_own_needs_a_name(self):
        one, other = Callable(), Callable()
        treedefs = [jt.tree_structure(jt.Partial(function, 1)) for function in (one, other)]
        self.assertRaisesRegex(ValueError, "needs a name", from_jax, treedefs[0])
        names = {one: "relu", other: "tanh"}
        first, second = (from_jax(theirs, names) for theirs in treedefs)
        self.assertNotEqual(first, second)
        self.assertEqual(str(first), "PyTreeDef(CustomNode(Partial[relu], [(*,), {}]))")
        self.assertEqual(to_jax(second, {**names, jt.Partial: "jax::tree_util::Partial"}), treedefs[1])
        self.assertRaisesRegex(ValueError, "one name", to_jax, second, {one: "relu", other: "relu"})
        numbers = (np.float64(1), np.int64(3), np.bool_(True))
        for value in (lambda: None, *numbers, len, np.dtype("<U3"), np.dtype(">f4")):
            self.assertRaisesRegex(ValueError, "needs a name", treedef.plain, value)
        for value in (np.zeros(3), [np.zeros(3)], jnp.zeros(()), sparse.BCOO.fromdense(jnp.eye(2))):
            self.assertRaisesRegex(ValueError, "no hash and so no name: write a tuple", treedef.plain, value)
        factory = collections.defaultdict(lambda: 0, a=1)
        self.assertRaisesRegex(ValueError, "needs a name", from_jax, jt.tree_structure(factory))

    def test_a_value_without_text_is_itself(self):
        class Box:
            def __init__(self, aux):
                self.aux = aux

        jt.register_pytree_node(Box, lambda box: ((), box.aux), lambda aux, _: Box(aux))
        theirs = jt.tree_structure(Box(treedef.Opaque("")))
        self.assertEqual(to_jax(from_jax(theirs, {Box: "Box"}), {Box: "Box"}), theirs)

    def test_dtypes_are_static_arguments(self):
        values = (np.dtype("float32"), jnp.dtype("bfloat16"), jax.random.key(0).dtype, np.float32, jnp.float32)
        texts = "float32", "bfloat16", "key<fry>", "<class 'numpy.float32'>", "<class 'jax.numpy.float32'>"
        self.assertEqual(treedef.plain(values), tuple(map(treedef.Opaque, texts)))

    def test_keys_that_python_takes_for_equal(self):
        one, other = (jt.tree_structure(collections.OrderedDict([(key, 0)])) for key in (1, True))
        self.assertEqual(one, other)
        self.assertNotEqual(from_jax(one), from_jax(other))

    def test_the_key_of_a_call(self):
        args = ({"b": np.zeros(3, "float32"), "w": [jnp.zeros((128, 1000), "bfloat16"), 1.0]}, True, 7, jax.random.key(0))
        key = key_of_call(args, (True, "relu", (-1, 2.5)))
        arrays = [Array("float32", (3,)), Array("bfloat16", (128, 1000)), Array("float32", (), True)]
        arrays += [Array("bool"), Array("int32", (), True), Array("key<fry>")]
        self.assertEqual(key, call_key(from_jax(jt.tree_structure(args)), *arrays, True, "relu", (-1, 2.5)))
        self.assertEqual(CallKey.from_bytes(key.to_bytes()).parts[-1], Static((-1, 2.5)))
        # Without 64 bits JAX computes with 32.
        self.assertEqual(key_of_call(np.zeros(3)), key_of_call(np.zeros(3, "float32")))
        named = key_of_call(0.5, {"train": True})
        self.assertEqual(named, call_key(treedef.LEAF, Array("float32", (), True), Named("train", True)))
        self.assertRaisesRegex(ValueError, "needs a name", key_of_call, 0.5, (jnp.tanh,))
        for static in (([1, 2],), {"config": {"a": 1}}):
            self.assertRaisesRegex(ValueError, "write a tuple, such as", key_of_call, 0.5, static)
        self.assertEqual(key_of_call(0.5, (jnp.tanh,), {jnp.tanh: "tanh"}).parts[-1], Static(treedef.Opaque("tanh")))
        for static in ("train", b"train", True, None, {"train"}, np.zeros(2)):
            self.assertRaisesRegex(TypeError, "static is a sequence of values or a mapping", key_of_call, 0.5, static)
        (rows,) = jax.export.symbolic_shape("rows")
        self.assertEqual(str(key_of_call(jax.ShapeDtypeStruct((rows, 3), "int8"))), "PyTreeDef(*), int8[rows,3]")

    def test_the_key_that_rust_finds(self):
        """The call of the page "Sharing keys with Python", whose bytes `tests/main/call_keys/python.rs` has, too."""
        params = {"b": jnp.zeros(3), "w": jnp.zeros((2, 3))}
        key = key_of_call((params, jnp.zeros(2)), {"train": True})
        self.assertEqual(key.to_bytes().hex(), recorded.SHARED_KEY)


@unittest.skipUnless(HAVE, "jax and optree are not installed")
class Optree(unittest.TestCase):
    def test_recorded_trees_there_and_back(self):
        classes, checked = recorded.Classes(), 0
        for line in recorded.lines("optree"):
            if line["op"] != "flatten":
                continue
            options = {"none_is_leaf": line["none_is_leaf"], "namespace": "test"}
            try:
                tree = recorded.live(line["tree"], classes, register_with_optree)
                theirs = optree.tree_structure(tree, **options)
                d = from_optree(theirs)
            except (KeyError, ValueError):
                continue  # A kind that is not built here, or keys without an order.
            self.assertEqual((d.num_leaves, d.num_nodes), (theirs.num_leaves, theirs.num_nodes), line["id"])
            back = to_optree(from_bytes(d.to_bytes()), classes.names, **options)
            self.assertEqual(back, theirs, line["id"])
            checked += 1
        self.assertGreater(checked, 80)

    def test_jax_and_optree_have_the_same_bytes(self):
        tree = {
            "a": (0, [1, None]),
            "b": collections.OrderedDict(y=0, x=Point(1, 2)),
            "c": collections.defaultdict(int, z=0),
        }
        self.assertEqual(from_optree(optree.tree_structure(tree)), from_jax(jt.tree_structure(tree)))

    def test_an_aux_value_of_more_than_the_fields_is_kept(self):
        @dataclasses.dataclass
        class Layer:
            w: float
            kind: str
            size: int

        def flatten(layer):
            return [layer.w], (layer.kind, layer.size) if layer.kind == "x" else (layer.kind,)

        def keyed(layer):
            return [(jt.GetAttrKey("w"), layer.w)], flatten(layer)[1]

        jt.register_pytree_with_keys(Layer, keyed, lambda aux, w: Layer(*w, *(aux + (0,))[:2]), flatten)
        one, two = (from_jax(jt.tree_structure(Layer(1.0, "x", size)), {Layer: "Layer"}) for size in (2, 3))
        self.assertNotEqual(one, two)

    def test_struct_sequences_and_dataclasses(self):
        @optree.dataclasses.dataclass(namespace="test")
        class Layer:
            w: float
            act: str = optree.dataclasses.field(default="relu", pytree_node=False)

        theirs = optree.tree_structure((time.gmtime(0), Layer(1)), namespace="test")
        names = {Layer: "robot::Layer", time.struct_time: "time::struct_time"}
        self.assertEqual(list(from_optree(theirs, names).paths())[0], "[0].tm_year")
        self.assertEqual(to_optree(from_optree(theirs, names), names, namespace="test"), theirs)
        layer = from_optree(theirs, names).items[1][0]
        self.assertEqual(layer, node("struct", [treedef.LEAF], ["w"], "robot::Layer", [("act", "relu")]))


if __name__ == "__main__":
    unittest.main()
