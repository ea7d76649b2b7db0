#!/usr/bin/env bash
# Holds the sessions of the host with the device in the emulator, and looks for what must be said in each.
source "$(dirname "$0")/../toolchain.sh"
cd "$here"

target=thumbv7m-none-eabi
require_targets "$target"
require qemu-system-arm qemu-system-arm

output=$here/target/sessions
mkdir -p "$output"

# The host with the device's code in one process, then the image; it links only if no panic is reachable.
cargo test --locked --quiet -p host >"$output/tests" || { cat "$output/tests"; fail "the tests of host fail"; }
cargo build --locked --quiet -p host
CARGO_PROFILE_RELEASE_OPT_LEVEL=s cargo_for "$target" build -p device
image=$(program "$target" device)
flash=$(($(section "$image" .vector_table) + $(section "$image" .text) + $(section "$image" .rodata)))
((flash < 7000)) || fail "the device takes $flash bytes of flash; device/README.md says less"
printf '%-8s %s\n' flash "$flash bytes at opt-level s, no panic reachable"

# Holds the session $3.. with a new device, keeps what is printed in file $1, and makes sure that it ends with status $2.
hold() {
    local name=$1 expected=$2 status=0
    shift 2
    timeout 60 target/debug/host "$@" -- qemu-system-arm -M "$(machine "$target")" -display none -monitor none -serial stdio \
        -semihosting-config enable=on,target=native -kernel "$image" >"$output/$name" 2>&1 || status=$?
    [[ $status == "$expected" ]] || { cat "$output/$name"; fail "session $name ends with status $status, not $expected"; }
}

# Makes sure that session $1 printed the lines $2...
said() {
    local name=$1 line
    shift
    for line in "$@"; do
        grep -qF -- "$line" "$output/$name" || { cat "$output/$name"; fail "session $name does not say: $line"; }
    done
    printf '%-8s %s\n' "$name" "$line"
}

# Makes sure that the README shows session $1 as it was.
shown() {
    [[ $(<device/README.md) == *"$(<"$output/$1")"* ]] || fail "device/README.md shows another session than $output/$1"
}

edits=(.parameters.speed.kp=0.5 '.parameters.feedforward[0]=0.1' .state.speed=0 .state.integral=0)
hold tune 0 tune "${edits[@]}"
said tune "leaf 0, from 0.02 to 0.5" "after 100 steps the speed is 24.5 of 100 rad/s" \
    "device ends: exit status: 0" "after 200 steps the speed is 100.4 of 100 rad/s"
shown tune

for seed in 1 2 3; do
    hold "noise$seed" 0 noise "$seed" "${edits[@]}"
    cmp "$output/tune" "$output/noise$seed" || fail "noise of seed $seed changes the session"
    said "noise$seed" "after 200 steps the speed is 100.4 of 100 rad/s"
done

hold typo 1 tune .parameters.speed.kx=0.5
said typo "host: no .kx (byte 17) at .parameters.speed: has .kp, .ki"

hold nan 1 tune .parameters.limits.voltage=nan
said nan "host: device refuses: .parameters.limits.voltage is not finite"

hold older 3 older
said older "device ends: exit status: 0" "at .parameters: unexpected field feedforward" "its value is as it was" \
    "a value of the older type: device refuses: its key is 3bedbf4d510d9a19"
shown older
