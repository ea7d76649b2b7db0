#!/usr/bin/env bash
# Runs the image that logs, decodes its log on the host, and compares it with what it has to say.
source "$(dirname "$0")/../toolchain.sh"
cd "$here"

logged=(thumbv7m-none-eabi riscv32imac-unknown-none-elf)
require_targets "${logged[@]}"
require qemu-system-arm qemu-system-arm
require qemu-system-riscv32 qemu-system-misc

output=$here/target/log
mkdir -p "$output"
cargo build --locked --quiet --manifest-path log/decode/Cargo.toml --target-dir target

for target in "${logged[@]}"; do
    DEFMT_LOG=trace CARGO_PROFILE_RELEASE_OPT_LEVEL=s cargo_for "$target" build -p log-image
    image=$(program "$target" log-image)
    run_image "$target" "$image" >"$output/$target.frames" || fail "the log image fails on $target"
    target/debug/decode-log "$image" <"$output/$target.frames" >"$output/$target.txt" || fail "the log of $target cannot be decoded"
    diff log/expected.txt "$output/$target.txt" || fail "the log of $target is another than log/expected.txt"
    # What a device logs is made into text on the host.
    symbols=$(readelf -sW "$image") || fail "$image cannot be read"
    ! grep 4core3fmt <<<"$symbols" || fail "the log image of $target links core::fmt"
    printf '%-30s %-12s %d lines in %d bytes, no core::fmt\n' "$target" "$(machine "$target")" \
        "$(wc -l <"$output/$target.txt")" "$(wc -c <"$output/$target.frames")"
done
