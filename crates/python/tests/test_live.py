"""Trees of JAX and optree themselves, there and back; custom nodes and keys of calls too. Needs `jax` and `optree`."""

import collections
import dataclasses
import importlib.util
import time
import unittest

import recorded
import test_values
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


class Picky:
    """Takes no zero."""

    def __init__(self, w):
        if not isinstance(w, float):
            raise TypeError("w is a float")
        self.w = w


class Callable:
    """A function whose text is that of every other one."""

    def __init__(self):
        self.calls = 0

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
        for value in (lambda: None, len, np.dtype("<U3"), np.dtype(">f4")):
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

    def test_every_aux_value_there_and_back(self):
        class Box:
            def __init__(self, aux):
                self.aux = aux

        jt.register_pytree_node(Box, lambda box: ((), box.aux), lambda aux, _: Box(aux))
        names, checked = {**test_values.known(), Box: "Box"}, 0
        unconstrained = jax.P.UNCONSTRAINED
        names.update({jax.P: "jax::P", unconstrained: "unconstrained", jnp.bfloat16: "bfloat16 of JAX"})
        specs = [jax.P(), jax.P("x"), jax.P("x", None), jax.P(("x", "y"), None), jax.P(None, unconstrained), (jax.P("x"),)]
        values = [*test_values.kinds(), *specs, {"spec": jax.P("x")}, jnp.bfloat16, np.asarray(1, "bfloat16")[()]]
        for value in [*values, *test_values.random_values(500)]:
            theirs = jt.tree_structure(Box(value))
            # Without names but those of classes and functions, and with all.
            for given in ({Box: "Box", **test_values.NAMES}, names):
                self.assertEqual(to_jax(from_bytes(from_jax(theirs, given).to_bytes()), names), theirs, value)
                checked += 1
        self.assertGreater(checked, 1000)
        found = [from_jax(jt.tree_structure(Box(spec)), {Box: "Box"}) for spec in (*specs, "x", ("x",), None)]
        self.assertEqual(len(set(found)), len(found))
        self.assertEqual(found[2].meta, (treedef.Opaque("<class jax.P>"), "x", None))
        for value in (jax.P("x", unreduced={"y"}), Box(1), jnp.tanh, jt.tree_structure(1)):
            theirs = jt.tree_structure(Box((value,)))
            with self.assertRaisesRegex(ValueError, r"^Jax\.test_every_\w+\.<locals>\.Box\[0\]: .* needs a name: "):
                from_jax(theirs, {Box: "Box"})

    def test_what_is_refused_has_its_class_and_field(self):
        @dataclasses.dataclass
        class Layer:
            w: float
            act: object

        @dataclasses.dataclass
        class Own(Layer):
            pass

        Layer.__qualname__, Own.__qualname__ = "Layer", "Own"
        jt.register_dataclass(Layer, data_fields=["w"], meta_fields=["act"])
        jt.register_pytree_node(Own, lambda one: ((one.w,), ("own", one.act)), lambda aux, w: Own(*w, aux[1]))
        jt.register_pytree_node(Picky, lambda one: ((one.w,), None), lambda _, w: Picky(*w))
        one, other = jt.tree_structure(Layer(0.0, lambda: 1)), jt.tree_structure([Layer(0.0, (1, {"f": lambda: 2}))])
        factory, key = collections.defaultdict(lambda: 1, a=1), {jnp.tanh: 1}
        refused = {"Layer.act": one, r"Layer.act\[1\]\['f'\]": other, "Own.act": jt.tree_structure(Own(0.0, lambda: 1))}
        refused.update({"defaultdict.default_factory": jt.tree_structure(factory), "dict key": jt.tree_structure(key)})
        for place, theirs in refused.items():
            self.assertRaisesRegex(ValueError, f"^{place}: <[^\n]*> needs a name: [^\n]*$", from_jax, theirs)
        self.assertRaisesRegex(ValueError, "^Picky: none can be made with zeros", from_jax, jt.tree_structure(Picky(1.0)))
        # By place or class: another function needs no other name.
        for key in ("Layer.act", "function"):
            again = jt.tree_structure(Layer(0.0, lambda: 1))
            self.assertEqual(from_jax(one, {key: "relu"}), from_jax(again, {key: "relu"}))
            self.assertEqual(from_jax(one, {key: "relu"}).meta, (("act", treedef.Opaque("relu")),))
            names = {key: "relu", again.node_data()[1][0]: "relu", Layer: "Layer"}
            self.assertEqual(to_jax(from_jax(one, {key: "relu", Layer: "Layer"}), names), again)
        with self.assertRaisesRegex(ValueError, "^`names` has no object with the name relu$"):
            to_jax(from_jax(one, {"Layer.act": "relu", Layer: "Layer"}), {Layer: "Layer"})

    def test_two_classes_or_factories_never_have_one_name(self):
        tree = [Gains(0, 1, "Nm", 1.0), Point(0, 1)]
        name = f"{__name__}::Gains"
        self.assertRaisesRegex(ValueError, "^Gains needs a name", from_jax, jt.tree_structure(tree), {Point: name})
        self.assertNotEqual(from_jax(jt.tree_structure(tree), {Point: name, Gains: "Gains"}), None)
        none = jt.tree_structure(collections.defaultdict(jnp.tanh, a=1))
        self.assertRaisesRegex(ValueError, "needs a name", from_jax, none, {jnp.tanh: "None"})

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
        for static, place in (([1, 2],), r"static\[0\]: \[1, 2\]"), ({"sizes": {1, 2}}, r"static\['sizes'\]: {1, 2}"):
            self.assertRaisesRegex(ValueError, f"^{place} has .* write a tuple, such as", key_of_call, 0.5, static)
        config = key_of_call(0.5, {"config": {"a": np.int64(1)}}).parts[-1]
        self.assertEqual(config, Named("config", (treedef.Opaque("<mapping builtins.dict>"), ("a", 1))))
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

    def test_a_dataclass_with_a_flatten_function_of_its_own_is_a_custom_node(self):
        @dataclasses.dataclass
        class P:
            a: object
            b: object
            c: object

        aux = lambda one: (one.b, one.c) if one.b is not None else one.c

        def unflatten(aux, a):
            return P(*a, *aux) if type(aux) is tuple and len(aux) == 2 else P(*a, None, aux)

        flatten = lambda one: ((one.a,), aux(one), ("a",))
        optree.register_pytree_node(P, flatten, unflatten, path_entry_type=optree.DataclassEntry, namespace="own")
        values = ["ab", "cd"], [("b", 1), ("c", 2)], [("c", 1), ("b", 2)], [1, 2], [None, None], [None, 7], [None, (1, 2, 3)]
        found, names = [], {P: "P"}
        for b, c in values:
            theirs = optree.tree_structure(P(1, b, c), namespace="own")
            d = from_optree(theirs, names)
            self.assertEqual((d.kind, d.keys, d.meta), ("custom", (("attr", "a"),), aux(P(1, b, c))))
            self.assertEqual((list(d.paths()), to_optree(d, names, namespace="own")), ([".a"], theirs))
            found.append(d)
        self.assertEqual(len(set(found)), len(found))
        # The field names of a struct are not those of the aux value.
        self.assertNotIn("struct", {d.kind for d in found})
        with self.assertRaisesRegex(ValueError, r"P\.b: <.*> needs a name"):
            from_optree(optree.tree_structure(P(1, len, 2), namespace="own"), names)
        theirs = optree.tree_structure(P(1, 2, 3), namespace="own")
        optree.unregister_pytree_node(P, namespace="own")
        self.assertRaisesRegex(ValueError, "P: it is not registered in the namespace 'own'", from_optree, theirs, names)

    def test_a_dataclass_whose_constructor_checks_or_that_has_slots_is_a_struct(self):
        @optree.dataclasses.dataclass(namespace="test")
        class Checked:
            w: float
            act: str = optree.dataclasses.field(default="relu", pytree_node=False)

            def __post_init__(self):
                if not isinstance(self.w, (float, Checked)):
                    raise TypeError("w is a float")

        @optree.dataclasses.dataclass(namespace="test", frozen=True, slots=True)
        class Slots:
            w: float
            act: str = optree.dataclasses.field(default="relu", pytree_node=False)
            size: int = optree.dataclasses.field(default=1, pytree_node=False)

        for cls, meta in ((Checked, [("act", "relu")]), (Slots, [("act", "relu"), ("size", 1)])):
            d = from_optree(optree.tree_structure(cls(1.0), namespace="test"), {cls: "C"})
            self.assertEqual(d, node("struct", [treedef.LEAF], ["w"], "C", meta))

    def test_a_dict_in_the_order_of_insertion_is_an_ordered_dict(self):
        trees = [{"b": 1, "a": (2, 3)}, {"a": 2, 1: 1}, {}, [{"z": 1, "a": {"y": 1, "b": 1}}]]
        with optree.dict_insertion_ordered(True, namespace="test"):
            found = [from_optree(optree.tree_structure(tree, namespace="test")) for tree in trees]
            sorted_keys = from_optree(optree.tree_structure({"a": 1, "b": 2}, namespace="test"))
            factory = optree.tree_structure(collections.defaultdict(int, b=1, a=2), namespace="test")
        self.assertEqual([d.kind for d in found], ["ordered_dict", "ordered_dict", "dict", "list"])
        self.assertEqual(list(found[0].paths()), ["['b']", "['a'][0]", "['a'][1]"])
        self.assertEqual(found[3].items[0][0].items[1][0].kind, "ordered_dict")
        self.assertEqual(found[0], from_optree(optree.tree_structure(collections.OrderedDict(trees[0]))))
        self.assertEqual(sorted_keys.kind, "dict")
        self.assertRaisesRegex(ValueError, "the keys 'b' and 'a' are not increasing", from_optree, factory)
        self.assertEqual(from_optree(optree.tree_structure(trees[0])).kind, "dict")

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
