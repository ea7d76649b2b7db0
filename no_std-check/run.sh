#!/usr/bin/env bash
# Proves by linking that no panic and no allocation is reachable: on this machine and on Cortex-M0 and Cortex-M3.
#
# On a machine without the rustup targets it builds `core` with Debian's compiler, which it installs where it may.
# It never downloads parts of a toolchain.
set -euo pipefail
cd "$(dirname "$0")"

host=$(rustc -vV | sed -n 's/^host: //p')
sysroot=$(rustc --print sysroot)
firmware=(thumbv6m-none-eabi thumbv7m-none-eabi)
linker=$sysroot/lib/rustlib/$host/bin/rust-lld
debian_core=/usr/lib/rustlib/src/rust/library/core/src/lib.rs
table=()

fail() {
    echo "no_std-check: $*" >&2
    exit 1
}

[[ $host == x86_64-unknown-linux-gnu || $host == aarch64-unknown-linux-gnu ]] || fail "the host link is written for Linux, not $host"

# The flags that link the program of target $1 without start files, libc and allocator.
link_flags() {
    local flags name
    if [[ $1 == "$host" ]]; then
        flags="-Clink-arg=-nostartfiles -Clink-arg=-nostdlib -Clink-arg=-static -Crelocation-model=static -Clink-arg=-Wl,--gc-sections"
        # On the host the memory functions are libc's. The program never runs, so that an address is enough.
        for name in memcpy memmove memset memcmp bcmp; do
            flags+=" -Clink-arg=-Wl,--defsym=$name=0"
        done
        echo "$flags"
    else
        echo "-Clinker=$linker -Clink-arg=--gc-sections -Clink-arg=-e_start"
    fi
}

# Runs cargo ($2...) for target $1: with rustup's `core` where there is one, else with Debian's compiler and source.
cargo_for() {
    local target=$1
    shift
    if [[ -d $sysroot/lib/rustlib/$target/lib ]]; then
        cargo "$@" --target "$target"
    else
        RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc cargo "$@" --target "$target" -Zbuild-std=core
    fi
}

# Makes sure that target $1 can be built.
require() {
    [[ -d $sysroot/lib/rustlib/$1/lib || (-x /usr/bin/rustc && -e $debian_core) ]] && return
    if command -v apt-get >/dev/null && [[ $(id -u) == 0 ]]; then
        echo "installing Debian's rustc-web and rust-web-src for $1"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends rustc-web rust-web-src >/dev/null
    fi
    [[ -x /usr/bin/rustc && -e $debian_core ]] ||
        fail "no $1: run 'rustup target add $1', or on Debian, as root, 'apt-get install rustc-web rust-web-src'"
}

# The size of section $2 of program $1 in bytes; 0 where there is none.
section() {
    local hex
    hex=$(readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\]//' | awk -v name="$2" '$1 == name { print $5 }')
    echo $((16#${hex:-0}))
}

# Links the program for target $1 at opt-level $2 with overflow checks $3 and notes its sizes.
link() {
    local target=$1 level=$2 checks=$3 program=target/$1/release/no_std-check features=index_map
    # The search of `heapless::IndexMap` counts its steps with `+=`, which can then panic; it ends before that.
    [[ $checks == true ]] && features=
    rm -f "$program"
    RUSTFLAGS=$(link_flags "$target") CARGO_PROFILE_RELEASE_OPT_LEVEL=$level CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=$checks \
        cargo_for "$target" build --locked --quiet --release --features "$features" || fail "does not build or link for $target at opt-level $level, overflow-checks $checks"
    [[ -f $program ]] || fail "cargo left no $program"
    table+=("$(printf '%-26s %-4s %-6s %8d %8d' "$target" "$level" "$checks" "$(section "$program" .text)" "$(section "$program" .rodata)")")
}

# Makes sure that the check can fail on target $1: with one reachable panic the program must not link, for that reason.
must_not_link() {
    local output
    if output=$(RUSTFLAGS=$(link_flags "$1") cargo_for "$1" build --locked --quiet --release --features break_index 2>&1); then
        fail "the negative control links for $1: the check proves nothing"
    fi
    [[ $output == *a_panic_is_reachable* ]] || fail "the negative control fails on $1 for another reason: $output"
}

for target in "${firmware[@]}"; do
    require "$target"
    [[ -x $linker ]] || fail "no rust-lld in the rustup toolchain ($linker)"
done

for checks in false true; do
    for level in s 3; do
        link "$host" "$level" "$checks"
    done
done
must_not_link "$host"

for target in "${firmware[@]}"; do
    for level in s 3; do
        link "$target" "$level" false
    done
    must_not_link "$target"
    # The bare crate, with nothing of this package that could lend it a feature. Flags and profile of the link, so that
    # `core` is not built again.
    (cd .. && RUSTFLAGS=$(link_flags "$target") CARGO_PROFILE_RELEASE_PANIC=abort \
        cargo_for "$target" build --locked --quiet --release -p treedef --no-default-features --target-dir no_std-check/target)
done

printf '%-26s %-4s %-6s %8s %8s\n' target opt checks .text .rodata
printf '%s\n' "${table[@]}"
