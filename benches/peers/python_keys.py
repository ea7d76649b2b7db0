"""What treedefs of jax and optree cost as the keys of a Python dict, and which structures jax takes for equal.

    python3 -m venv venv && venv/bin/pip install jax==0.10.2 optree==0.20.0
    venv/bin/python benches/peers/python_keys.py

A hit is measured as a program has it: the tree is flattened, its new treedef hashed and compared with the one in the
dict. Times are the best of several, in microseconds.
"""

import dataclasses
import platform
import time

import jax
import optree


def flatten_jax(tree):
    return jax.tree.flatten(tree)


def flatten_optree(tree):
    return optree.tree_flatten(tree, none_is_leaf=False)


LIBRARIES = {"jax": flatten_jax, "optree": flatten_optree}


def micros(work, calls):
    """The best time of one of the calls that `work` makes, of at least five rounds and half a second."""
    best, rounds, end = float("inf"), 0, time.perf_counter() + 0.5
    while rounds < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
        rounds += 1
    return best / calls * 1e6


def gpt(layers):
    affine, norm = {"b": 0.5, "w": 0.5}, {"b": 0.5, "g": 0.5}
    block = {
        "attn": {"c_attn": affine, "c_proj": affine},
        "ln_1": norm,
        "ln_2": norm,
        "mlp": {"c_fc": affine, "c_proj": affine},
    }
    h = {str(layer): block for layer in range(layers)}
    return {"h": h, "ln_f": norm, "wpe": 0.5, "wte": 0.5}


def motor():
    pid = {"kp": 0.5, "ki": 0.5, "kd": 0.5}
    limits = {"current": 0.5, "speed": 0.5}
    return {
        "speed": pid,
        "current": pid,
        "limits": limits,
        "pole_pairs": 0.5,
        "dt": 0.5,
        "phase": (0.5, 0.5),
    }


def train_state():
    return {"step": 0.5, "params": gpt(48), "mu": gpt(48), "nu": gpt(48)}


def hits(flatten, trees):
    """The time of flattening a tree, and of finding its new treedef in a dict of the treedefs of all `trees`."""
    cache = {flatten(tree)[1]: index for index, tree in enumerate(trees)}
    assert len(cache) == len(trees)
    flattening = micros(lambda: [flatten(tree) for tree in trees], len(trees))

    def look_up_all():
        for index, treedef in enumerate(fresh):
            assert cache[treedef] == index

    # Equal treedefs, but other objects: a dict compares identities first.
    fresh = [flatten(tree)[1] for tree in trees]
    return flattening, micros(look_up_all, len(trees))


def costs():
    one = [("motor configuration", motor()), ("GPT-2 small", gpt(12)), ("train state", train_state())]
    workloads = [(name, [tree]) for name, tree in one]
    for count in (10, 100, 1000, 3000):
        trees = [{f"k{i}": 0.5, "z": [0.5, 0.5]} for i in range(count)]
        workloads.append((f"{count} dicts of one shape", trees))
    print(f"{'':28}{'jax':>24}{'optree':>24}")
    print(f"{'microseconds':28}" + f"{'flatten':>14}{'look-up':>10}" * 2)
    for name, trees in workloads:
        columns = [hits(flatten, trees) for flatten in LIBRARIES.values()]
        print(f"{name:28}" + "".join(f"{a:14.2f}{b:10.2f}" for a, b in columns), flush=True)
    for name, flatten in LIBRARIES.items():
        hashes = {hash(flatten(tree)[1]) for tree in trees}
        print(f"{name}: the last {len(trees)} treedefs have {len(hashes)} different hashes")


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Meters:
    length: float


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Feet:
    length: float


def conflated():
    meters, feet = jax.tree.structure(Meters(1.0)), jax.tree.structure(Feet(1.0))
    print(f"jax: treedefs of two dataclasses of one shape are equal: {meters == feet}")
    result = jax.lax.cond(False, lambda: Meters(1.0), lambda: Feet(1.0))
    print(f"jax: cond that should choose Feet gives {type(result).__name__}")


if __name__ == "__main__":
    print(f"Python {platform.python_version()}, jax {jax.__version__}, optree {optree.__version__}")
    costs()
    conflated()
