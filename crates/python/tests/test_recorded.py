"""What JAX and optree answered for recorded trees, without JAX and optree."""

import unittest

import recorded
import treedef


class Recorded(unittest.TestCase):
    def check(self, line, tree, expect):
        """Compares the structure of a tree with what JAX answered, before and after its bytes."""
        d = recorded.structure(tree)
        again = treedef.from_bytes(d.to_bytes())
        self.assertEqual(recorded.parts(again), recorded.parts(d), line["id"])
        for one in (d, again):
            self.assertEqual(str(one), expect["treedef_str"], line["id"])
            self.assertEqual((one.num_leaves, one.num_nodes), (expect["num_leaves"], expect["num_nodes"]), line["id"])
            self.assertEqual(list(one.paths()), expect.get("keystr", list(one.paths())), line["id"])

    def test_texts_counts_and_paths_of_jax(self):
        checked = 0
        for name in ("flatten", "models", "suite_trees"):
            for line in recorded.lines(name):
                expect = line["expect"].get("jax", line["expect"])
                if "treedef_str" not in expect:
                    continue
                self.check(line, line["tree"], expect)
                checked += 1
        self.assertGreater(checked, 560)

    def test_keys_without_an_order_are_refused(self):
        refused = 0
        for line in recorded.lines("flatten"):
            if "error" in line["expect"]:
                self.assertRaises(ValueError, recorded.structure, line["tree"])
                refused += 1
        self.assertGreater(refused, 3)

    def test_structures_are_equal_if_jax_says_so(self):
        differ = 0
        for line in recorded.lines("equality"):
            expect = line["expect"]
            if "error" in expect or line["a"] == line["b"]:
                continue
            one, other = recorded.structure(line["a"]), recorded.structure(line["b"])
            # JAX takes `1` for `True`, and two dataclasses for one: the texts or the hashes differ. Variants have one name here.
            if expect["equal"] != (one == other):
                odd = expect.get("a_treedef") != expect.get("b_treedef") or not expect.get("hash_equal", True)
                odd = odd or "variant" in str(line)
                self.assertTrue(odd, line["id"])
            elif not expect["equal"]:
                places = [found[0] for found in expect.get("differences", ()) if isinstance(found, list)]
                ours = [one.path for one in one.differences(other)]
                self.assertTrue(ours, line["id"])
                differ += ours == places
        self.assertGreater(differ, 100)

    def test_counts_of_optree(self):
        checked = 0
        for line in recorded.lines("optree"):
            if line["op"] == "flatten" and not line["none_is_leaf"] and "num_leaves" in line["expect"]:
                try:
                    d = recorded.structure(line["tree"])
                except ValueError:
                    continue  # optree keeps the order of keys that have none.
                counts = (line["expect"]["num_leaves"], line["expect"]["num_nodes"])
                self.assertEqual((d.num_leaves, d.num_nodes), counts, line["id"])
                checked += 1
        self.assertGreater(checked, 40)


if __name__ == "__main__":
    unittest.main()
