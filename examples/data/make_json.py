"""Writes the model structures of the conformance corpus as plain JSON files beside this script.

    python3 make_json.py [models.jsonl]

Dictionaries become objects, tuples and lists arrays, named tuples and dataclasses objects by field name, other
nodes objects by child name or else arrays, and None null: what a program would write that knows nothing of pytrees.
Leaves become the text of their type where the corpus has shapes (flax's parameters are float32), otherwise numbers.
Static fields are no children and are left out.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORPUS = HERE.parent.parent / "tests" / "conformance" / "models.jsonl"
MODELS = {
    "gpt2_small",
    "train_state_48_layers_adamw",
    "resnet50",
    "lstm_gru_with_carry",
    "haiku_deep_rnn",
    "dqn_state_and_replay_batch",
    "pid_cascade",
    "equinox_mlp",
}


def plain(node, leaf):
    """The JSON value of one node in the corpus notation. `leaf` returns that of the next leaf."""
    [(tag, value)] = node.items()
    if tag == "leaf":
        return leaf(value)
    if tag == "none":
        return None
    if tag in ("tuple", "list"):
        return [plain(child, leaf) for child in value]
    if tag == "dict":
        return {key["str"]: plain(child, leaf) for key, child in value}
    children = [plain(child, leaf) for child in value["children"]]
    names = value.get("fields") or value.get("data_fields") or value.get("key_names")
    return dict(zip(names, children, strict=True)) if names else children


def leaves(tree):
    """The leaves of a JSON value in JAX's order, which is that of the shapes."""
    if isinstance(tree, dict):
        tree = [tree[key] for key in sorted(tree)]
    return [leaf for child in tree for leaf in leaves(child)] if isinstance(tree, list) else [tree]


def typed(leaf, shapes):
    """The text of a leaf's type as JAX writes it, or the leaf itself."""
    return f"float32[{','.join(map(str, shapes[leaf]))}]" if shapes else leaf


def main():
    corpus = Path(sys.argv[1]) if len(sys.argv) > 1 else CORPUS
    written = set()
    for line in corpus.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["name"] in MODELS:
            shapes = record.get("shapes", [])
            shapes = dict(zip(leaves(plain(record["tree"], int)), shapes, strict=True)) if shapes else {}
            text = json.dumps(plain(record["tree"], lambda leaf: typed(leaf, shapes)), indent=1, ensure_ascii=False)
            (HERE / f"{record['name']}.json").write_text(text + "\n", encoding="utf-8")
            written.add(record["name"])
    if written != MODELS:
        sys.exit(f"not in {corpus}: {', '.join(sorted(MODELS - written))}")


if __name__ == "__main__":
    main()
