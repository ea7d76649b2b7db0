#!/usr/bin/env bash
# Runs the features that need a heap on two boards and compares what they print with what the host prints.
source "$(dirname "$0")/../toolchain.sh"
cd "$here"

# Boards with more memory than a heap of 32 kB takes.
targets=(thumbv7m-none-eabi riscv32imac-unknown-none-elf)
require_targets "${targets[@]}"
require qemu-system-arm qemu-system-arm
require qemu-system-riscv32 qemu-system-misc

output=$here/target/heap
mkdir -p "$output"

# Runs the image of target $1 and keeps its output.
run() {
    local status=0 image
    image=$(program "$1" heap)
    run_image "$1" "$image" >"$output/$1" 2>"$output/$1.notes" || status=$?
    [[ $status == 0 ]] || { tail "$output/$1" "$output/$1.notes"; fail "the heap image ends with status $status on $1"; }
    cmp "$output/$host" "$output/$1" || fail "the heap image prints something else on $1 than on the host: diff $output/$host $output/$1"
    printf '%-30s %-12s %-21s %s\n' "$1" "$([[ $1 == "$host" ]] || machine "$1")" "$(tail -n 1 "$output/$1")" \
        "$(grep '^heap' "$output/$1.notes" || true)"
}

export CARGO_PROFILE_RELEASE_OPT_LEVEL=s build_std=core,alloc
for target in "$host" "${targets[@]}"; do
    cargo_for "$target" build -p heap
    run "$target"
done
