"""Trees of Equinox, Flax (linen and nnx) and Optax, and the trees that optree tests itself with.

Needs `equinox`, `flax` and `optax`. `OPTREE_TESTS` is the folder `tests` of optree's source, which imports `pytest`.
"""

import collections
import functools
import importlib.util
import os
import sys
import time
import unittest

import treedef
from treedef import Opaque, from_bytes, from_jax, from_optree, key_of_call, to_jax, to_optree

HAVE = all(importlib.util.find_spec(name) for name in ("jax", "equinox", "flax", "optax"))
if HAVE:
    import equinox as eqx
    import flax
    import jax
    import jax.numpy as jnp
    import optax
    from flax import linen, nnx
    from flax.training import train_state
    from jax import tree_util as jt
OPTREE_TESTS = os.environ.get("OPTREE_TESTS", "")
if OPTREE_TESTS:
    # It registers classes, and no other may be registered before.
    sys.path.insert(0, OPTREE_TESTS)
    import helpers
    import optree


def classes(theirs):
    """The names of the classes of all nodes of a treedef of JAX."""
    found = {}
    if theirs.node_data():
        found[theirs.node_data()[0]] = treedef.name_of(theirs.node_data()[0])
        for child in theirs.children():
            found.update(classes(child))
    return {cls: name for cls, name in found.items() if cls not in (tuple, list, dict)}


@unittest.skipUnless(HAVE, "jax, equinox, flax and optax are not installed")
class Libraries(unittest.TestCase):
    def check(self, tree, names={}):
        """The structure there and back, with its leaves and the paths that JAX says."""
        theirs = jt.tree_structure(tree)
        d = from_jax(theirs, names)
        self.assertEqual((d.num_leaves, d.num_nodes), (theirs.num_leaves, theirs.num_nodes))
        self.assertEqual(list(d.paths()), [jt.keystr(path) for path, _ in jt.tree_flatten_with_path(tree)[0]])
        back = to_jax(from_bytes(d.to_bytes()), {**classes(theirs), **self.objects, **names})
        self.assertEqual(back, theirs)
        return d

    @classmethod
    def setUpClass(cls):
        cls.key = jax.random.key(0)
        cls.objects = {eqx._module._flatten.MISSING: "equinox: missing", jnp.float32: "jnp.float32"}
        cls.objects[flax.typing.HashableMapping] = "flax::typing::HashableMapping"

    def test_modules_of_equinox(self):
        nn, key = eqx.nn, self.key
        modules = [nn.Linear(2, 3, key=key), nn.Conv2d(1, 2, 3, key=key), nn.LayerNorm(3), nn.Dropout(0.5)]
        modules += [nn.GRUCell(2, 3, key=key)]
        modules += [nn.LSTMCell(2, 3, key=key), nn.Embedding(5, 3, key=key), nn.Identity()]
        modules += [nn.MultiheadAttention(2, 4, key=key)]
        modules += [nn.MaxPool2d(2), nn.AvgPool1d(2), nn.RMSNorm(3), nn.GroupNorm(1, 2), nn.RotaryPositionalEmbedding(4)]
        modules += [nn.MLP(2, 3, 4, 1, key=key), nn.Sequential([nn.Linear(2, 3, key=key), nn.Dropout(0.1)])]
        modules += [nn.ConvTranspose1d(1, 1, 2, key=key)]
        structures = {self.check(module, {jax.lax.max: "max", jax.lax.add: "add"}) for module in modules}
        self.assertEqual(len(structures), len(modules))
        linear = self.check(modules[0])
        missing = Opaque("<object equinox._module._flatten._Missing>")
        self.assertEqual((linear.name, linear.meta), ("equinox::nn::_linear::Linear", (missing, 2, 3, True)))
        self.assertEqual(list(linear.paths()), [".weight", ".bias"])
        # Arrays and the rest, as `eqx.filter_jit` has them.
        arrays, static = eqx.partition(modules[14], eqx.is_array)
        self.check((arrays, static))
        one = key_of_call((modules[0], jnp.zeros(2)))
        self.assertEqual(one, key_of_call((nn.Linear(2, 3, key=jax.random.key(1)), jnp.ones(2))))
        self.assertNotEqual(one, key_of_call((nn.Linear(2, 4, key=key), jnp.zeros(2))))
        # Each has a marker of its own, an `object()`.
        norms = [jt.tree_structure(nn.BatchNorm(3, "batch", mode="ema")) for _ in range(2)]
        self.assertRaisesRegex(ValueError, r"^StateIndex\.marker: <object object at \w+> needs a name", from_jax, norms[0])
        self.assertEqual(*(from_jax(norm, {"StateIndex.marker": "marker"}) for norm in norms))

    def test_states_of_optax(self):
        params = {"w": jnp.zeros((2, 3)), "b": jnp.zeros(3)}
        schedule = optax.cosine_decay_schedule(1e-3, 10)
        optimisers = [optax.sgd(0.1, momentum=0.9), optax.adam(1e-3), optax.adamw(schedule), optax.rmsprop(0.1)]
        optimisers += [optax.lion(1e-3)]
        optimisers += [optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-3)), optax.adafactor(1e-3)]
        optimisers += [optax.lamb(1e-3)]
        optimisers += [optax.inject_hyperparams(optax.adam)(learning_rate=schedule), optax.MultiSteps(optax.adam(1e-3), 2)]
        optimisers += [optax.multi_transform({"a": optax.adam(1e-3), "b": optax.sgd(0.1)}, {"w": "a", "b": "b"})]
        optimisers += [optax.masked(optax.adam(1e-3), {"w": True, "b": False}), optax.lookahead(optax.sgd(0.1), 5, 0.5)]
        trees = [params] * (len(optimisers) - 1) + [optax.LookaheadParams(params, params)]
        states = {self.check(one.init(tree)) for one, tree in zip(optimisers, trees)}
        self.assertGreater(len(states), 8)

    def test_modules_and_states_of_linen(self):
        class Model(linen.Module):
            @linen.compact
            def __call__(self, x):
                x = linen.BatchNorm(use_running_average=False)(linen.Dense(3)(x))
                return linen.Dense(2, kernel_init=linen.with_partitioning(linen.initializers.ones, ("a", None)))(x)

        def made(rate):
            return train_state.TrainState.create(apply_fn=Model().apply, params=variables["params"], tx=optax.adamw(rate))

        variables = Model().init(self.key, jnp.zeros((1, 2)))
        self.check(variables)
        self.check(flax.core.freeze(variables))
        one, other = made(1e-3), made(1e-3)
        bound = r"^TrainState\.apply_fn: <bound method Module.apply of .*> needs a name: its text may be that of others$"
        self.assertRaisesRegex(ValueError, bound, from_jax, jt.tree_structure(one))
        init = r"^TrainState\.tx\.init: <function chain.<locals>.init_fn at \w+> needs a name"
        with self.assertRaisesRegex(ValueError, init):
            from_jax(jt.tree_structure(one), {"TrainState.apply_fn": "apply"})
        # A second optimiser needs no new names, by place and by class.
        for key in ("TrainState.tx", "GradientTransformationExtraArgs"):
            names = {"TrainState.apply_fn": "apply", key: "adamw"}
            d = self.check(one, {**names, one.apply_fn: "apply", one.tx: "adamw"})
            self.assertEqual([from_jax(jt.tree_structure(state), names) for state in (one, other)], [d, d])
            self.assertEqual(d.meta, (("apply_fn", Opaque("apply")), ("tx", Opaque("adamw"))))
            self.assertEqual(key_of_call(one, (), names), key_of_call(other, (), names))

    def test_modules_and_states_of_nnx(self):
        model = nnx.Sequential(nnx.Linear(2, 3, rngs=nnx.Rngs(0)), nnx.BatchNorm(3, rngs=nnx.Rngs(0)))
        graph, state = nnx.split(model)
        self.check(state)
        self.assertRaisesRegex(ValueError, r"^GraphDef: GraphDef\(", from_jax, jt.tree_structure(graph))
        names = {"GraphDef": "the model"}
        self.assertEqual(from_jax(jt.tree_structure((graph, state)), names).items[0][0].meta, Opaque("the model"))
        linear = nnx.Linear(2, 3, rngs=nnx.Rngs(0))
        with self.assertRaisesRegex(ValueError, r"^Linear\[2\]\[1\]: <function dot_general at \w+> needs a name"):
            from_jax(jt.tree_structure(linear))
        names = {linear.dot_general: "dot_general", linear.promote_dtype: "promote_dtype"}
        aux = self.check(linear, names).meta
        self.assertEqual(aux[2][0][0], Opaque("<mapping flax.typing.HashableMapping>"))
        self.assertIn(("kernel", True), aux[2][0])
        with self.assertRaisesRegex(ValueError, "no object with the name <mapping flax.typing.HashableMapping>$"):
            to_jax(from_jax(jt.tree_structure(linear), names), {**classes(jt.tree_structure(linear)), **names})

    def test_names_of_classes_inside_functions(self):
        class Inside(eqx.Module):
            w: jax.Array
            act: object = eqx.field(static=True)

        theirs = jt.tree_structure(Inside(jnp.zeros(1), functools.partial(max)))
        with self.assertRaisesRegex(ValueError, r"Inside\.act: functools\.partial\(.*needs a name"):
            from_jax(theirs, {Inside: "Inside"})
        self.assertRaisesRegex(ValueError, "Inside needs a name", from_jax, jt.tree_structure(Inside(jnp.zeros(1), 1)))


@unittest.skipUnless(OPTREE_TESTS, "OPTREE_TESTS is not set")
class Helpers(unittest.TestCase):
    def test_trees_of_optree(self):
        names = {cls: treedef.name_of(cls) for cls in vars(helpers).values() if isinstance(cls, type)}
        names.update({time.struct_time: "time::struct_time", type(sys.float_info): "sys::float_info"})
        refused, structs = [], set()
        for tree in helpers.TREES:
            for none_is_leaf in (False, True):
                options = {"none_is_leaf": none_is_leaf, "namespace": "namespace"}
                theirs = optree.tree_structure(tree, **options)
                try:
                    d = from_optree(theirs, names)
                except ValueError as error:
                    refused.append(str(error))
                    continue
                self.assertEqual((d.num_leaves, d.num_nodes), (theirs.num_leaves, theirs.num_nodes))
                self.assertEqual(to_optree(from_bytes(d.to_bytes()), names, **options), theirs)
                structs.add((d.name, d.kind))
        self.assertGreaterEqual(len(helpers.TREES), 40)
        for name in ("MyDataclass", "MyOtherDataclass", "MyAnotherDataclass"):
            self.assertIn((f"helpers::{name}", "custom"), structs)
        # Lists and treespecs are no values. A place has a name.
        expect = collections.Counter({"Vector3D": 2, "MyDict": 4, "FlatCache": 6})
        self.assertEqual(collections.Counter(one.partition(": ")[0] for one in refused), expect)
        places = {**names, "Vector3D": "z", "MyDict": "keys", "MyAnotherDict": "keys", "FlatCache": "spec"}
        for tree in helpers.TREES:
            d = from_optree(optree.tree_structure(tree, namespace="namespace"), places)
            self.assertEqual(d.num_leaves, optree.tree_structure(tree, namespace="namespace").num_leaves)


if __name__ == "__main__":
    unittest.main()
