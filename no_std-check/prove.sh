#!/usr/bin/env bash
# Proves by linking that no panic and no allocation is reachable, at opt-level 3, `s` and `z`, at the first two also with
# overflow checks; and that the proof can fail.
#
# Every change has to pass on a Cortex-M3 at 3 and `s`, and there and on the host at `s` with overflow checks. With the argument
# `all` also at `z`, at 3 with overflow checks, on the other boards, and all of it on the host. At `z` with overflow checks a `+=`
# of `heapless` is a function that can panic.
source "$(dirname "$0")/toolchain.sh"
cd "$here"

board=thumbv7m-none-eabi
others=(thumbv6m-none-eabi riscv32imac-unknown-none-elf)
all=false
if wants_all "$@"; then all=true; fi

# Links the program for the targets named in $1 at opt-level $2 with overflow checks $3, and prints its sizes.
link() {
    local targets target features=heapless_arithmetic
    read -ra targets <<<"$1"
    # The search of `heapless::IndexMap` counts its steps with `+=`, and `heapless::Deque` has its places by `+` and `-`, which
    # can then panic; they end before that.
    [[ $3 == true ]] && features=
    for target in "${targets[@]}"; do
        rm -f "$(program "$target" no_std-check)"
    done
    CARGO_PROFILE_RELEASE_OPT_LEVEL=$2 CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=$3 cargo_for "$1" build -p no_std-check --features "$features" ||
        fail "does not build or link for $1 at opt-level $2, overflow-checks $3"
    for target in "${targets[@]}"; do
        local file
        file=$(program "$target" no_std-check)
        [[ -f $file ]] || fail "cargo left no $file"
        symbols=$(nm "$file") || fail "$file cannot be read"
        ! grep -E '__r(ust|g|dl)_(re)?alloc|\bmalloc\b' <<<"$symbols" || fail "$file holds an allocator"
        printf '%-30s %-4s %-6s %8d %8d\n' "$target" "$2" "$3" "$(section "$file" .text)" "$(section "$file" .rodata)"
    done
}

# Makes sure that the proof can fail for target $1: with feature $2 the program must not link, because of symbol $3.
must_not_link() {
    local output
    rm -f "$(program "$1" no_std-check)"
    if output=$(cargo_for "$1" build -p no_std-check --features "$2" 2>&1); then
        fail "the program with $2 links for $1: the proof proves nothing"
    fi
    [[ $output == *$3* ]] || fail "the program with $2 fails on $1 for another reason: $output"
    [[ ! -f $(program "$1" no_std-check) ]] || fail "cargo left a program with $2 for $1"
    printf '%-30s refused: %s\n' "$1" "$2"
}

require_targets "$board"
printf '%-30s %-4s %-6s %8s %8s\n' target opt checks .text .rodata
link "$board" 3 false
link "$board" s false
link "$board $host" s true
if $all; then
    require_targets "${others[@]}"
    link "$board" z false
    link "$board" 3 true
    for level in z s 3; do
        link "${others[*]} $host" $level false
    done
    link "$host" 3 true
fi
export CARGO_PROFILE_RELEASE_OPT_LEVEL=s
must_not_link "$host" break_alloc "no global memory allocator found"
for feature in break_index break_float_text; do
    must_not_link "$board" "$feature" a_panic_is_reachable
done
