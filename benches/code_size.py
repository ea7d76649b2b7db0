#!/usr/bin/env python3
"""What 100 derived structs cost: lines of LLVM before it optimises, bytes of `.text`, and seconds of `cargo check`.

The structs hold numbers, arrays, options, vectors and each other. Ten of them are written and read: by treedef to leaves
and back, by serde and postcard to bytes and back. Both numbers are those above the same program without either. `.text` is
given for one codegen unit, and for cargo's default of 16, and that of one unit also by what the functions do. Promised are 2.2 times
the lines and bytes of serde, twice its time, and a time that is linear in the number of fields. Builds take some minutes;
needs `size` and `nm` of binutils.

And the seconds of a release build that rebuilds, maps and zips arrays of about 16000 elements, which fails above `LIMIT`.
`arrays` as argument times these alone.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STRUCTS, ROOTS = 100, 10

# Arrays, and their leaf type. The optimiser can take a time that is quadratic in their length, or in that of what is in them.
LIMIT = 2
ARRAYS = {
    "[f32; 16000]": "f32",
    "[u8; 16000]": "u8",
    "[Option<f32>; 16000]": "f32",
    "[[f32; 126]; 126]": "f32",
    "[[[f32; 16]; 16]; 64]": "f32",
}
ARRAY_CALLS = """
fn unflatten(def: treedef::TreeDef<'_>, leaves: &[Leaf]) -> Result<Array, treedef::Error> {
    treedef::unflatten(def, leaves)
}
fn map(array: &Array) -> Result<Array, treedef::Error> {
    treedef::map(array, |x: &Leaf| *x)
}
fn zip(one: &Array, other: &Array) -> Result<Array, treedef::Error> {
    treedef::over((one, other)).map(|(x, y)| if x < y { *x } else { *y })
}
fn main() {
    std::hint::black_box((unflatten as fn(_, &_) -> _, map as fn(&_) -> _, zip as fn(&_, &_) -> _));
}
"""

DEPENDENCIES = {
    "plain": "",
    "serde": 'serde = { version = "1", features = ["derive"] }\npostcard = { version = "=1.1.3", features = ["alloc"] }',
    "treedef": f'treedef = {{ path = "{ROOT}", features = ["alloc"] }}',
}
DERIVES = {
    "plain": "",
    "serde": "#[derive(serde::Serialize, serde::Deserialize)]\n",
    "treedef": "#[derive(treedef::Tree)]\n",
}
CALLS = {
    "plain": "std::hint::black_box(value)",
    "serde": "postcard::from_bytes(&postcard::to_allocvec(&value).unwrap()).unwrap()",
    "treedef": "{ let (def, leaves): (_, Vec<f32>) = treedef::flatten(&value).unwrap(); treedef::unflatten(&def, &leaves).unwrap() }",
}


def numbers(state=1):
    """Pseudorandom numbers, the same every time."""
    while True:
        state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        yield state >> 33


def structs():
    """The fields of each struct."""
    number = numbers()
    for index in range(STRUCTS):
        fields = []
        for _ in range(3 + next(number) % 4):
            # Every second field is a number or an array; the others often hold one of the eight structs before.
            inside = f"S{index - 1 - next(number) % min(index, 8)}" if index else "f32"
            kinds = ["f32", "f32", f"[f32; {2 + next(number) % 6}]", "Option<f32>", "Vec<f32>"]
            kinds += [inside, f"Option<{inside}>", f"Vec<{inside}>"]
            kind = kinds[next(number) % (3 if next(number) % 2 else len(kinds))]
            fields.append(kind)
        yield fields


def program(library):
    lines = []
    for index, fields in enumerate(structs()):
        body = " ".join(f"pub f{i}: {kind}," for i, kind in enumerate(fields))
        lines.append(f"{DERIVES[library]}#[derive(Default)]\npub struct S{index} {{ {body} }}")
    lines.append("fn main() {")
    for index in range(STRUCTS - ROOTS, STRUCTS):
        lines.append(f"    let value = std::hint::black_box(S{index}::default());")
        lines.append(f"    let back: S{index} = {CALLS[library]};\n    std::hint::black_box(&back);")
    return "\n".join([*lines, "}", ""])


def prepare(library):
    """The folder of a program without code."""
    folder = ROOT / "target/code_size" / library
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "{library}_code"\nedition = "2024"\n\n[workspace]\n\n[dependencies]\n{DEPENDENCIES[library]}\n'
        '\n[profile.release]\npanic = "abort"\n'
    )
    return folder


def measure(library):
    """The lines of LLVM, and the bytes of `.text` with one codegen unit and with cargo's default."""
    folder = prepare(library)
    (folder / "src/main.rs").write_text(program(library))

    def build(units, *options):
        command = ["cargo", "rustc", "--release", "--quiet", "--target-dir", folder / "target", "--", *options]
        subprocess.run(command, cwd=folder, check=True, env={**os.environ, "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": units, "RUSTFLAGS": "-Csymbol-mangling-version=v0"})

    def text(units):
        build(units)
        program = folder / f"target/release/{library}_code"
        sizes = subprocess.run(["size", "-A", program], capture_output=True, text=True, check=True).stdout
        return int(re.search(r"^\.text\s+(\d+)", sizes, re.M)[1])

    # The file of an earlier version of the library has another name.
    for old in (folder / "target/release/deps").glob(f"{library}_code-*.ll"):
        old.unlink()
    build("1", "--emit=llvm-ir,link", "-Cno-prepopulate-passes")
    code = "".join(path.read_text() for path in (folder / "target/release/deps").glob(f"{library}_code-*.ll"))
    lines = sum(body.count("\n") for body in re.findall(r"^define .*?^}", code, re.M | re.S))
    many = text("16")
    return lines, text("1"), many


# Functions by what they do, the first pattern that is in their name. Those of treedef are compiled once, others for each type.
PARTS = {
    "written structures": r"TreeDefBox>::structure|walk::<treedef::encode::writer|Writer as treedef::tree::walk::Sink",
    "compared neighbours": r"structure::Alike",
    "leaves out": r"flatten_all|LeafSink",
    "built": r"FromTreeDef|FromChoices|FromLeaves|read_tree|read_slice|::constants|::copies",
    "once": r"treedef::",
    "dropped": r"^core::ptr::drop_in_place::<(core::option::Option<)?treedef_code|^<alloc::vec::Vec<treedef_code",
}


def parts(library):
    """The bytes of functions of a program that was built, by what they do."""
    program = ROOT / f"target/code_size/{library}/target/release/{library}_code"
    listed = subprocess.run(["nm", "-C", "-S", "--defined-only", program], capture_output=True, text=True, check=True).stdout
    sums = dict.fromkeys(PARTS, 0)
    for size, name in re.findall(r"^\S+ (\S+) [tT] (.*)$", listed, re.M):
        part = next((part for part, pattern in PARTS.items() if re.search(pattern, name)), None)
        if part:
            sums[part] += int(size, 16)
    return sums


def seconds_to_check(library, source, limit=60):
    """The seconds of `cargo check` of a program whose dependencies are checked, or why there are none."""
    return seconds_to("check", library, source, limit)


def seconds_to(command, library, source, limit):
    """The seconds of processor time of a command of cargo, which hardly depend on the load of the machine."""
    folder = ROOT / "target/code_size" / library
    command = ["cargo", *command.split(), "--quiet", "--target-dir", folder / "target"]
    # The compiler does all of the work again.
    whole = {**os.environ, "CARGO_INCREMENTAL": "0"}
    (folder / "src/main.rs").write_text("fn main() {}\n")
    subprocess.run(command, cwd=folder, env=whole, check=True)
    (folder / "src/main.rs").write_text(source)
    start = sum(os.times()[2:4])
    child = subprocess.Popen(command, cwd=folder, env=whole, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        status = child.wait(2 * limit + 30)
    except subprocess.TimeoutExpired:
        # The compiler, too.
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return f"> {limit}"
    return f"{sum(os.times()[2:4]) - start:.2f}" if status == 0 else "refused"


def arrays():
    """Times release builds of arrays; false if one is not built within the limit."""
    prepare("treedef")
    print(f"\nseconds of a release build, at most {LIMIT}")
    in_time = True
    for array, leaf in ARRAYS.items():
        source = f"type Array = {array};\ntype Leaf = {leaf};\n{ARRAY_CALLS}"
        seconds = seconds_to("build --release", "treedef", source, LIMIT)
        in_time &= seconds[0].isdigit() and float(seconds) <= LIMIT
        print(f"{array:24}{seconds:>8}", flush=True)
    return in_time


def wide(library, count):
    """A program with one struct of `count` fields."""
    body = " ".join(f"pub f{i}: f32," for i in range(count))
    return f"#![allow(dead_code)]\n{DERIVES[library]}pub struct Wide {{ {body} }}\nfn main() {{}}\n"


def chain(library, levels):
    """A program whose structs hold four vectors of the struct before: 4 to the power of `levels` ways lead to the first one."""
    fields = "pub f: f32, " + " ".join(f"pub f{i}: Vec<S{{before}}>," for i in range(4))
    lines = [f"#![allow(dead_code)]\n{DERIVES[library]}pub struct S0 {{ pub f: f32 }}"]
    for level in range(1, levels):
        lines.append(f"{DERIVES[library]}pub struct S{level} {{ {fields.format(before=level - 1)} }}")
    return "\n".join([*lines, "fn main() {}", ""])


def main():
    if sys.argv[1:] == ["arrays"]:
        return arrays()
    empty = measure("plain")
    print(f"{'':10}{'LLVM lines':>12}{'.text':>12}{'.text, 16 units':>18}")
    for library in ["serde", "treedef"]:
        lines, one, many = (mine - plain for mine, plain in zip(measure(library), empty))
        print(f"{library:10}{lines:>12}{one:>12}{many:>18}")
    print(", ".join(f"{part} {size}" for part, size in parts("treedef").items()))
    sizes = [100, 250, 500, 1000]
    print("\nseconds of `cargo check`")
    print(f"{'':10}{f'{STRUCTS} structs':>12}" + "".join(f"{f'{count} fields':>14}" for count in sizes) + f"{'20 levels':>14}")
    for library in ["serde", "treedef"]:
        print(f"{library:10}{seconds_to_check(library, program(library)):>12}", end="")
        programs = [*(wide(library, count) for count in sizes), chain(library, 20)]
        print("".join(f"{seconds_to_check(library, program):>14}" for program in programs))
    return arrays()


sys.exit(not main())
