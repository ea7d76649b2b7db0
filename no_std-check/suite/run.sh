#!/usr/bin/env bash
# Runs the suite on the boards and compares what it prints with what it prints on the host.
#
# Every change has to pass on a Cortex-M3. With the argument `all` also on a Cortex-M0, M4F and M33, and on a RISC-V with and
# without atomics: each needs a build of `core`.
source "$(dirname "$0")/../toolchain.sh"
cd "$here"

# The images of target $1. The microbit has 16 kB of memory, too little for the deepest trees. What M4F, M33 and the
# second RISC-V add is how floats are passed and which instructions there are: the image with leaves and bytes shows that.
images() {
    case $1 in
    "$host" | thumbv7m-* | riscv32imac-*) echo structures stores records trees deep ;;
    thumbv6m-*) echo structures stores records trees ;;
    *) echo trees ;;
    esac
}

targets=(thumbv7m-none-eabi)
if wants_all "$@"; then
    targets+=(thumbv6m-none-eabi thumbv7em-none-eabihf thumbv8m.main-none-eabihf riscv32imac-unknown-none-elf riscv32imc-unknown-none-elf)
    require qemu-system-riscv32 qemu-system-misc
fi
require_targets "${targets[@]}"
require qemu-system-arm qemu-system-arm

output=$here/target/suite
mkdir -p "$output"

# Runs image $2 of target $1 and keeps its output.
run() {
    local status=0 image file=$output/$2-$1 host_file=$output/$2-$host
    image=$(program "$1" "$2")
    run_image "$1" "$image" >"$file" || status=$?
    [[ $status == 0 ]] || { grep -B 8 -e FAILED -e panicked -e fault "$file" || tail "$file"; fail "$2 ends with status $status on $1"; }
    cmp "$host_file" "$file" || fail "$2 prints something else on $1 than on the host: diff $host_file $file"
    printf '%-30s %-12s %-11s %7d %7d  %s\n' "$1" "$([[ $1 == "$host" ]] || machine "$1")" "$2" \
        "$(section "$image" .text)" "$(section "$image" .rodata)" "$(tail -n 1 "$file")"
}

# Builds the images of target $1.
build() {
    local image arguments=()
    for image in $(images "$1"); do
        arguments+=(--bin "$image")
    done
    cargo_for "$1" build -p suite "${arguments[@]}"
}

export CARGO_PROFILE_RELEASE_OPT_LEVEL=s
for target in "$host" "${targets[@]}"; do
    build "$target"
done
printf '%-30s %-12s %-11s %7s %7s\n' target board image .text .rodata
for target in "$host" "${targets[@]}"; do
    for image in $(images "$target"); do
        run "$target" "$image"
    done
done
