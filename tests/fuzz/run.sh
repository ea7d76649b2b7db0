#!/usr/bin/env bash
# Fuzzes a target, or all of them one after the other, for some seconds each: `run.sh [TARGET|all] [SECONDS]`.
#
# libFuzzer on the stable compiler: nothing has to be installed but a compiler of C++. The package has the form that `cargo fuzz`
# asks for. Inputs that find more stay in `corpus/`, findings in `artifacts/`.
set -euo pipefail
cd "$(dirname "$0")"
all=(verdicts reading imports keys paths operations typed migration)
targets=("${1:-all}")
[[ ${targets[0]} != all ]] || targets=("${all[@]}")
seconds=${2:-60}

command -v g++ >/dev/null || { apt-get update && apt-get install -y --no-install-recommends g++; }
host=$(rustc -vV | sed -n 's/^host: //p')
sanitizer="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
sanitizer+=" -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1"
export CARGO_TARGET_DIR=$PWD/target RUSTFLAGS="--cfg fuzzing $sanitizer"
# `--target`, so that what runs in the compiler is built without these flags.
bins=()
for target in "${targets[@]}"; do bins+=(--bin "$target"); done
cargo build --locked --release --target "$host" "${bins[@]}"
# The same code on the seeds alone.
cargo test --locked --release --target "$host"

seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
python3 seeds.py "$seeds"
for target in "${targets[@]}"; do
    mkdir -p "corpus/$target" "artifacts/$target"
    echo "=== $target for $seconds s"
    # A deep recursion of the model or of a parser is found by the guard, so the stack of the process may be large.
    "target/$host/release/$target" -max_total_time="$seconds" -max_len=1024 -timeout=20 -rss_limit_mb=3072 \
        -dict=format.dict -artifact_prefix="artifacts/$target/" -print_final_stats=1 -verbosity="${VERBOSITY:-0}" \
        "corpus/$target" "$seeds/$target" ${FUZZ_ARGUMENTS:-}
done
