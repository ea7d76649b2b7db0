#!/usr/bin/env bash
# Types `session.txt` into the console on an emulated board, and compares the answers with `answers.txt`.
source "$(dirname "$0")/../toolchain.sh"
cd "$here"

target=thumbv7m-none-eabi
require_targets "$target"
require qemu-system-arm qemu-system-arm

CARGO_PROFILE_RELEASE_OPT_LEVEL=s cargo_for "$target" build -p console
image=$(program "$target" console)
flash=$(($(section "$image" .vector_table) + $(section "$image" .text) + $(section "$image" .rodata)))
((flash < 15000)) || fail "the console takes $flash bytes of flash, more than 15000"
printf '%-8s %s\n' flash "$flash bytes at opt-level s, no panic reachable"

answers=$(timeout 60 qemu-system-arm -M "$(machine "$target")" -display none -monitor none -serial stdio \
    -semihosting-config enable=on,target=native -kernel "$image" <console/session.txt 2>/dev/null)
diff console/answers.txt - <<<"$answers" || fail "the board answers in another way than the host"
printf '%-8s %s\n' console "$(wc -l <console/answers.txt) lines of answers, as on the host"
