#!/usr/bin/env bash
# Runs the suite on every board and compares what it prints with what it prints on the host.
source "$(dirname "$0")/../toolchain.sh"
cd "$here"

require_targets "${arm[@]}" "${riscv[@]}"
require qemu-system-arm qemu-system-arm
require qemu-system-riscv32 qemu-system-misc

output=$here/target/suite
mkdir -p "$output"

# Runs the image of target $1 and keeps its output.
run() {
    local status=0
    run_image "$1" "$(program "$1" suite)" >"$output/$1" || status=$?
    [[ $status == 0 ]] || { cat "$output/$1"; fail "the suite ends with status $status on $1"; }
    cmp "$output/$host" "$output/$1" || fail "the suite prints something else on $1 than on the host: diff $output/$host $output/$1"
    printf '%-30s %-12s %s\n' "$1" "$([[ $1 == "$host" ]] || machine "$1")" "$(tail -n 1 "$output/$1")"
}

export CARGO_PROFILE_RELEASE_OPT_LEVEL=s
cargo_for "$host" build -p suite
cargo_for "${arm[*]}" build -p suite
cargo_for "${riscv[*]}" build -p suite
for target in "$host" "${arm[@]}" "${riscv[@]}"; do
    run "$target"
done
