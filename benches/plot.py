#!/usr/bin/env python3
"""Draws `src/docs/flow.svg`, and from benches/README.md `benches/growth.svg`, `benches/depth.svg` and `benches/peers.svg`.

Without arguments it writes them; with `--check` it fails if they are not what it would write, or if a number of README.md is
not that of the tables in benches/README.md and no_std-check/README.md, nor one of the page `faq`.
"""

import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Colours that can be read on a light and on a dark page.
INK, LINE, OURS, THEIRS, LEAF, NODE = "#6b7280", "#9ca3af", "#2f81f7", "#9ca3af", "#2da44e", "#bf8700"
STYLE = "font-family='ui-sans-serif,system-ui,sans-serif' font-size='13'"
MONO = "font-family='ui-monospace,monospace' font-size='13'"


def text(x, y, words, fill=INK, style=STYLE, anchor="start"):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return f"<text x='{x}' y='{y}' fill='{fill}' text-anchor='{anchor}' xml:space='preserve' {style}>{words}</text>"


def box(x, y, width, height, stroke=LINE):
    return f"<rect x='{x}' y='{y}' width='{width}' height='{height}' rx='6' fill='none' stroke='{stroke}'/>"


def arrow(x1, y1, x2, y2):
    return f"<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='{LINE}' stroke-width='1.5' marker-end='url(#end)'/>"


def svg(width, height, title, parts):
    end = (
        "<defs><marker id='end' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='8' markerHeight='8' orient='auto'>"
        f"<path d='M0 0 8 4 0 8z' fill='{LINE}'/></marker></defs>"
    )
    head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' style='max-width:100%' role='img'>"
    return "\n".join([head, f"<title>{title}</title>", end, *parts, "</svg>", ""])


def flow():
    """A value, its leaves and its treedef, and what the bytes are for."""
    parts = [text(20, 22, "value"), box(20, 32, 240, 112)]
    for i, (words, fill) in enumerate(
        [("Layer", NODE), ("├─ weights: [1.0, 2.0, 3.0]", LEAF), ("└─ bias: None", NODE)]
    ):
        parts.append(text(34, 62 + 28 * i, words, fill, MONO))
    parts += [text(300, 62, "flatten", anchor="middle"), arrow(268, 74, 332, 74)]
    parts += [arrow(332, 98, 268, 98), text(300, 118, "unflatten", anchor="middle")]
    parts += [text(340, 22, "leaves: a slice of yours"), box(340, 32, 190, 36)]
    parts.append(text(435, 55, "1.0  2.0  3.0", LEAF, MONO, "middle"))
    parts += [text(340, 98, "treedef: bytes"), box(340, 108, 190, 36)]
    parts.append(text(435, 131, "82 … 43 02 C0", NODE, MONO, "middle"))
    for i, words in enumerate(["== and hash: the key of a cache", "a constant in flash", "checked when it comes in"]):
        y = 108 + 18 * i
        parts += [arrow(536, 126, 580, y), text(588, y + 4, words)]
    return svg(820, 164, "A value becomes leaves and a treedef, and is rebuilt from both", parts)


def tables(page):
    """The rows of all tables of a page, as lists of cells."""
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in page.splitlines() if line.startswith("|")]


def rounded(ratio):
    """A ratio as prose has it: one digit after the point below 10, none from there on."""
    return f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:.0f}"


def not_measured(readme, faq, benches, firmware):
    """The numbers of README.md and of the page `faq` that are not what the tables of benches and of firmware have for them."""
    rows, measured = tables(readme), tables(firmware)
    # The beginning of a row, and for each of its numbers the row of the table and the column in it.
    wanted = {
        "flatten a struct, change one leaf": [("treedef, typed", 7), ("`postcard` and `postcard-schema`", 7), ("`miniconf` 0.22", 7)],
        "the same frame": [("treedef, dynamic", 7)],
        "[find one leaf]": [("typed leaf by text", 1), ("`miniconf`: leaf by text", 1)],
    }
    for begin, cells in wanted.items():
        given = [cell for cell in next(row for row in rows if row[0].startswith(begin))[1:] if cell != "–"]
        found = [f"{int(next(row for row in measured if row[0] == name and len(row) > at)[at]):,}" for name, at in cells]
        if given != found:
            yield f"README.md, {begin} ..: {given}, but measured are {found}"
    programs = [row[2:] for row in tables(faq)[2:]]
    # The first table with a job: the others have it at other levels of optimisation.
    jobs = {row[0]: row for row in reversed(measured) if len(row) > 4}
    found = [[jobs[name][at], jobs[name][stack]] for name, at, stack in [
        ("treedef, typed", 2, 5), ("treedef, dynamic", 2, 5), ("load the same version", 1, 2),
        ("load three versions, each by its own type", 1, 2), ("load three versions, planned by the compiler", 1, 2),
        ("load three versions", 1, 2)]]
    if programs != found:
        yield f"src/docs/guide/faq.md: {programs}, but measured are {found}"
    motor = dict(re.findall(r"^    (\S+) +(\d+)", re.search(r"^motor .*\n((?: .*\n)+)", benches, re.M)[1], re.M))
    names, job = (next(row[1:] for row in rows if row[0].startswith(begin)) for begin in ["what is counted", "[look up"])
    for name, cell in zip(names, job):
        if cell != "–" and int(motor[name.strip("`")]) != int(cell.replace(",", "")):
            yield f"README.md: {cell} for {name}, but measured is {motor[name.strip('`')]}"
    size, check = ([re.search(rf"^{name} .*", text, re.M)[0].split() for name in ["serde", "treedef"]]
                   for text in [benches, benches[benches.index("check, s "):]])
    options = [float(row[3]) for row in tables(benches) if row[0] in ["options: structure", "options: match"]]
    wanted = [
        f"{rounded(int(size[1][2]) / int(size[0][2]))} times the machine code",
        f"{rounded(float(check[1][1]) / float(check[0][1]))} times as long",
        f"{rounded(min(options))} to {rounded(max(options))} times the instructions",
    ]
    prose = " ".join(readme.split())
    yield from (f"README.md does not say: {words}" for words in wanted if words not in prose)


def costs(benches, shape):
    """The rows of a shape in the tables of growth: a name, and what a unit costs at each size."""
    block = re.search(rf"^{shape}\n((?:    .*\n)+)", benches, re.MULTILINE).group(1)
    rows = [re.split(r"  +", row.strip()) for row in block.splitlines()]
    return [(name, [float(cost) for cost in costs]) for name, *costs in rows]


def apart(levels):
    """These levels, each moved down where it would be written over the one above."""
    free, moved = 0, {}
    for level in sorted(levels):
        moved[level] = max(level, free)
        free = moved[level] + 14
    return [moved[level] for level in levels]


LEFT = 60


def lines(title, words, x, marks, rows):
    """What a unit costs as lines at the places `x`, with `marks` below. A row is a name, costs and a colour; a row without a
    name is dashed."""
    top, height = 40, 260
    most = max(cost for _, costs, _ in rows for cost in costs)
    parts = [text(20, 22, words)]
    parts += [text(at, top + height + 18, mark, anchor="middle") for at, mark in marks]
    y = [[top + height * (1 - cost / most) for cost in costs] for _, costs, _ in rows]
    named = [(levels, *row) for levels, row in zip(y, rows) if row[0]]
    starts, ends = (apart([levels[end] for levels, *_ in named]) for end in (0, -1))
    for levels, (name, _, colour) in zip(y, rows):
        points = " ".join(f"{at:.1f},{level:.1f}" for at, level in zip(x, levels))
        dashes = "" if name else " stroke-dasharray='5 4'"
        parts.append(f"<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='2'{dashes}/>")
    for start, end, (_, name, costs, _) in zip(starts, ends, named):
        parts += [text(LEFT - 8, start + 4, f"{costs[0]:.0f}", anchor="end"), text(x[-1] + 10, end + 4, name, style=MONO)]
    return svg(520, top + height + 28, title, parts)


def growth(benches):
    """What a unit costs in trees of four sizes, as lines."""
    x = {nodes: LEFT + 90 * math.log10(nodes / 100) for nodes in (100, 300, 1000, 10_000)}
    return lines(
        "Instructions per node against the number of nodes",
        "Instructions per node (from_bytes: per byte), by the number of nodes",
        list(x.values()),
        [(at, f"{nodes:,}") for nodes, at in x.items() if nodes != 300],
        [(name, costs, OURS) for name, costs in costs(benches, "dicts")],
    )


def depth(benches):
    """What a node costs in trees of six depths, as lines."""
    x = {2 ** power: LEFT + 45 * (power - 1) for power in range(1, 7)}
    colours = [OURS, LEAF, NODE, INK]
    chains, combs = costs(benches, "deep chains"), costs(benches, "deep combs")
    return lines(
        "Instructions per node against the depth of the tree",
        "Instructions per node, by the depth: deep chains, and dashed deep combs",
        list(x.values()),
        [(at, str(depth)) for depth, at in x.items()],
        [(name, costs, colour) for (name, costs), colour in zip(chains, colours)]
        + [("", costs, colour) for (_, costs), colour in zip(combs, colours)],
    )


def peers(benches):
    """How many times the instructions of the crate each peer takes, as bars on a logarithmic scale."""
    lines = re.search(r"^# Peers\n.*?^```text\n(.*?)^```", benches, re.MULTILINE | re.DOTALL).group(1).splitlines()
    parts, y = [text(20, 22, "Instructions, as a multiple of the first row of each workload, which is treedef's")], 36
    left, decade = 170, 105
    marks = [(left + decade * power, name) for power, name in enumerate(["1x", "10x", "100x", "1,000x"])]
    for line in lines:
        if not line.startswith(" "):
            y += 30
            parts.append(text(20, y - 8, line))
            continue
        name, _, ratio, *_ = re.split(r"  +", line.strip())
        if name == "instructions" or ratio == "1.00":
            continue
        length = max(2, round(decade * math.log10(float(ratio))))
        fill = OURS if name.startswith("treedef") else THEIRS
        parts += [f"<line x1='{x}' y1='{y}' x2='{x}' y2='{y + 20}' stroke='{LINE}' stroke-width='0.5'/>" for x, _ in marks]
        parts.append(text(left - 10, y + 13, name, style=MONO, anchor="end"))
        parts.append(f"<rect x='{left}' y='{y + 2}' width='{length}' height='16' rx='3' fill='{fill}'/>")
        shown = ratio if float(ratio) < 10 else f"{float(ratio):,.0f}"
        parts.append(text(left + length + 8, y + 14, f"{shown}x"))
        y += 20
    parts += [text(x, y + 18, name, anchor="middle") for x, name in marks]
    return svg(620, y + 30, "Instructions of other crates, as a multiple of those of treedef", parts)


def main():
    readme, benches = (ROOT / "README.md").read_text(), (ROOT / "benches/README.md").read_text()
    check = "--check" in sys.argv[1:]
    stale = [*not_measured(readme, *((ROOT / name).read_text() for name in
              ["src/docs/guide/faq.md", "benches/README.md", "no_std-check/README.md"]))]
    if stale:
        sys.exit("\n".join(stale))
    pictures = {"src/docs/flow": flow(), "benches/growth": growth(benches), "benches/depth": depth(benches),
                "benches/peers": peers(benches)}
    for name, picture in pictures.items():
        path = ROOT / f"{name}.svg"
        if check and (not path.exists() or path.read_text() != picture):
            sys.exit(f"{path.relative_to(ROOT)} is not what benches/plot.py draws: run it")
        if not check:
            path.write_text(picture)


if __name__ == "__main__":
    main()
