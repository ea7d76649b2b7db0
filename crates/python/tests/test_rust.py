"""Python and Rust say the same about the same bytes: verdicts, counts, fingerprints, texts and paths.

The example `verdicts` of the package `treedef-proptest` is asked; `VERDICTS` is its path. `MUTATED` is the number of damaged
byte strings, `STRUCTURES` that of generated structures, `OTHERS` that of keys and of pairs, and `SEED` where all begin.
"""

import collections
import os
import pathlib
import random
import subprocess
import threading
import unicodedata
import unittest

import treedef

ROOT = pathlib.Path(__file__).resolve().parents[3]
VERDICTS = os.environ.get("VERDICTS", str(ROOT / "target/debug/examples/verdicts"))
DEFAULTS = {"MUTATED": 10_000, "STRUCTURES": 1000, "OTHERS": 1000, "SEED": 1}
MUTATED, STRUCTURES, OTHERS, SEED = (int(os.environ.get(name, number)) for name, number in DEFAULTS.items())
LEAVES, DIFFERENCES = 1000, 100
# Python prints a character by its own table of Unicode, the crate by that of Python 3.11.
SAME_UNICODE = unicodedata.unidata_version == "14.0.0"


def escaped(text):
    for end, instead in (("\\", r"\\"), ("\n", r"\n"), ("\r", r"\r"), ("\t", r"\t")):
        text = text.replace(end, instead)
    return text


def said(d):
    """What `verdicts` says about a treedef."""
    few = d.num_leaves <= LEAVES
    texts = [escaped(text) for text in (str(d) if few else "", repr(d), *(d.paths() if few else [""]))]
    return "\t".join(
        ["ok", str(d.num_leaves), str(d.num_nodes), f"{d.fingerprint():016x}", *texts, *[""] * (few and not d.num_leaves)]
    )


def said_of(question):
    """The answer to a line of `verdicts read`."""
    kind, *data = question.split(" ")
    data = [bytes.fromhex(one) for one in data]
    try:
        if kind == "key":
            key = treedef.CallKey.from_bytes(data[0])
            return f"ok\t{key.fingerprint():016x}\t{escaped(str(key))}"
        if kind == "treedef":
            return said(treedef.from_bytes(data[0]))
    except ValueError as error:
        return str(error)
    found = treedef.from_bytes(data[0]).differences(treedef.from_bytes(data[1]))
    return "\t".join(escaped(one.path or "") for one, _ in zip(found, range(DIFFERENCES)))


def rewritten(d):
    """The same structure, with the bytes of each node written from its parts."""
    children = [part for child, count in d.items for part in [rewritten(child)] * count]
    return treedef._write(d.kind, children, d.keys, d.name, d.meta)


class Rust(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.random = random.Random(SEED)
        cls.pool = sorted({bytes.fromhex(line.split("\t", 1)[0]) for line in cls.written(min(STRUCTURES, 20_000))})
        cls.pool = [data for data in cls.pool if len(data) < 160]

    @staticmethod
    def written(count):
        """Yields lines of `verdicts write`."""
        process = subprocess.Popen(
            [VERDICTS, "write", str(SEED), str(count)], stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        with process.stdout:
            yield from (line[:-1] for line in process.stdout)
        if process.wait() != 0:
            raise OSError(f"{VERDICTS} ends with {process.returncode}")

    def same(self, ours, theirs, question):
        if ours != theirs and (SAME_UNICODE or ours.isascii() and theirs.isascii()):
            self.assertEqual(ours, theirs, question)

    def ask(self, questions):
        """Compares the answers to the questions, and returns how many begin with `ok`."""
        process = subprocess.Popen(
            [VERDICTS, "read"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        asked = collections.deque()

        def send():
            with process.stdin:
                for question in questions:
                    asked.append(question)
                    process.stdin.write(question + "\n")

        sender, accepted = threading.Thread(target=send), 0
        sender.start()
        with process.stdout:
            for line in process.stdout:
                question = asked.popleft()
                self.same(said_of(question), line[:-1], question)
                accepted += line.startswith("ok")
        sender.join()
        self.assertEqual((process.wait(), len(asked)), (0, 0))
        return accepted

    def mutated(self, data):
        """A byte string that differs in one to three places."""
        data, pick = bytearray(data), self.random.randrange
        for _ in range(pick(1, 4)):
            at, how = pick(len(data) + 1), pick(6)
            if how == 0:
                data.insert(at, pick(256))
            elif how == 1:
                other = self.random.choice(self.pool)
                start = pick(len(other))
                data[at:at] = other[start : start + pick(9)]
            elif how == 2:
                data[at:at] = data[at : at + pick(1, 9)]
            elif at < len(data):
                if how == 3:
                    del data[at : at + pick(1, 4)]
                else:
                    data[at] = pick(256) if how == 4 else data[at] ^ 1 << pick(8)
        return bytes(data)

    def key(self):
        """A key of some parts."""
        pick, choice, parts = self.random.randrange, self.random.choice, []
        for _ in range(pick(6)):
            value = choice(
                [None, True, -7, 2**64, 0.5, treedef.Float32(0.1), "relu", b"\n", ("a", (1,)), treedef.Opaque("f")]
            )
            shape = tuple(choice([1, 0, 300, 2**40, "batch"]) for _ in range(pick(4)))
            array = treedef.Array(choice(treedef.DTYPES), shape, bool(pick(2)))
            d = treedef.from_bytes(choice(self.pool))
            parts.append(choice([treedef.Static(value), treedef.Named("device", value), array, array, b"gpu", d]))
        return treedef.call_key(*parts).to_bytes()

    def test_what_rust_writes_is_read_and_written_again(self):
        for line in self.written(STRUCTURES):
            data, answer = line.split("\t", 1)
            d = treedef.from_bytes(bytes.fromhex(data))
            self.same(said(d), answer, data)
            self.assertEqual(rewritten(d)[0].hex(), data)

    def test_mutated_bytes_have_the_same_verdict(self):
        accepted = self.ask(f"treedef {self.mutated(self.random.choice(self.pool)).hex()}" for _ in range(MUTATED))
        self.assertTrue(MUTATED // 20 < accepted < MUTATED // 2, accepted)

    def test_mutated_keys_have_the_same_verdict(self):
        keys = (self.key() for _ in range(OTHERS))
        accepted = self.ask(f"key {data.hex()}" for key in keys for data in (key, self.mutated(key)))
        self.assertGreater(accepted, OTHERS)

    def test_differences_are_at_the_same_places(self):
        pairs = []
        while len(pairs) < OTHERS:
            one = self.random.choice(self.pool)
            try:
                pairs.append(f"pair {one.hex()} {treedef.from_bytes(self.mutated(one)).to_bytes().hex()}")
            except ValueError:
                pass  # The damaged bytes are no treedef.
        self.ask(pairs)

    def test_few_bytes_that_are_many_leaves(self):
        bombs = ["5fe08f dbc203 1fe08fdbc203", "5fffff0e5fffff0e1fffff0ebfffff0effff0f"]
        many = treedef.node("list", [treedef.LEAF] * 1000)
        for _ in range(2):
            many = treedef.node("list", [many] * 1000)
        bombs.append(many.to_bytes().hex())
        self.assertLess(len(many.to_bytes()), 40)
        self.assertEqual((many.num_leaves, next(many.paths())), (10**9, "[0][0][0]"))
        self.assertEqual(repr(many), "PyTreeDef([1000 × [1000 × [1000 × *]]])")
        self.assertEqual(list(many.differences(many)), [])
        other = treedef.node("list", [treedef.node("list", [treedef.NONE])])
        self.assertEqual([one.path for one in many.differences(other)], [""])
        self.ask(f"treedef {bomb.replace(' ', '')}" for bomb in bombs)

    def test_deep_trees(self):
        for depth in (63, 64, 65, 66, 1023, 1024, 1025, 2000, 50_000):
            chain, pending = "21" * depth + "00", "22" * depth + "01" + "00" * (depth - 1)
            self.ask([f"treedef {chain}", f"treedef {pending}", f"pair {chain} {'21' * depth + 'c0'}"])

    def test_keys_of_every_type_have_the_same_order(self):
        numbers = [False, 1, -1, 2**53 + 1, -(2**63), 2**63, 2**64, -(2**70), 0.0, -0.0, 1.0, 0.5, 2.0**53, 2.0**64, 5e-324]
        keys = [*numbers, float("inf"), float("nan"), treedef.Float32(0.5), None, "", "a", "é", b"a", treedef.Opaque("a"), (), (1,)]
        keys += [(None, 1), (None, 2), ("a", 1), (1.0, "a"), (True, "b"), (float("nan"), 1)]
        blocks = (treedef._value(one) + treedef._value(other) for one in keys for other in keys)
        accepted = self.ask(f"treedef c302{len(block):02x}{block.hex()}01" for block in blocks)
        self.assertTrue(100 < accepted < len(keys) ** 2 // 2, accepted)

    def test_tuples_in_values_nest_as_deep(self):
        values = (b"\x08\x01" * depth + b"\0" for depth in (1, 31, 32, 33, 34))
        accepted = self.ask(f"treedef cb00{len(value) + 2:02x}0143{value.hex()}" for value in values)
        self.assertEqual(accepted, 3)

    def test_floats_of_32_bits_have_the_fewest_digits(self):
        bits = [self.random.getrandbits(32) for _ in range(OTHERS)] + [power << 23 for power in range(512)]
        self.ask("key e10a" + one.to_bytes(4, "little").hex() for one in bits)


if __name__ == "__main__":
    unittest.main()
