#!/usr/bin/env bash
# Runs the suite on every board and compares what it prints with what it prints on the host.
source "$(dirname "$0")/../toolchain.sh"
cd "$here"

images=(structures stores trees deep)
targets=("$host" "${arm[@]}" "${riscv[@]}")
require_targets "${arm[@]}" "${riscv[@]}"
require qemu-system-arm qemu-system-arm
require qemu-system-riscv32 qemu-system-misc

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

export CARGO_PROFILE_RELEASE_OPT_LEVEL=s
cargo_for "$host" build -p suite
cargo_for "${arm[*]}" build -p suite
cargo_for "${riscv[*]}" build -p suite
printf '%-30s %-12s %-11s %7s %7s\n' target board image .text .rodata
for target in "${targets[@]}"; do
    for image in "${images[@]}"; do
        # The microbit has 16 kB of memory.
        [[ $target == thumbv6m-* && $image == deep ]] && continue
        run "$target" "$image"
    done
done
