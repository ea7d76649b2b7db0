# Sourced by the scripts of this folder: how to build for a target and how to run what was built.
#
# A target that rustup has (`rustup target add`) is built with rustup's compiler. Where it has none, `core` is built with
# Debian's compiler and source. Nothing here downloads parts of a toolchain: what is missing is installed from Debian's
# packages where that is allowed, and otherwise named in one line.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
host=$(rustc -vV | sed -n 's/^host: //p')
sysroot=$(rustc --print sysroot)
# rustup's linker, which serves Debian's compiler too.
linker=$sysroot/lib/rustlib/$host/bin/rust-lld
debian_core=/usr/lib/rustlib/src/rust/library/core/src/lib.rs

arm=(thumbv6m-none-eabi thumbv7m-none-eabi thumbv7em-none-eabihf thumbv8m.main-none-eabihf)
riscv=(riscv32imac-unknown-none-elf riscv32imc-unknown-none-elf)

fail() {
    echo "no_std-check: $*" >&2
    exit 1
}

# Makes sure that program $1 is there; it comes with Debian's package $2.
require() {
    command -v "$1" >/dev/null && return
    install "$2" || true
    command -v "$1" >/dev/null || fail "no $1: on Debian, as root, 'apt-get install $2'"
}

# Installs Debian's packages $1...; false where that is not allowed.
install() {
    command -v apt-get >/dev/null && [[ $(id -u) == 0 ]] || return 1
    echo "installing $*"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Whether rustup has target $1.
rustup_has() {
    [[ -d $sysroot/lib/rustlib/$1/lib ]]
}

# Makes sure that targets $1... can be built.
require_targets() {
    local target
    [[ $host == x86_64-unknown-linux-gnu || $host == aarch64-unknown-linux-gnu ]] || fail "the host's images are written for Linux, not $host"
    [[ -x $linker ]] || fail "no rust-lld in the rustup toolchain ($linker)"
    for target in "$@"; do
        rustup_has "$target" || [[ -x /usr/bin/rustc && -e $debian_core ]] || install rustc-web rust-web-src || true
        rustup_has "$target" || [[ -x /usr/bin/rustc && -e $debian_core ]] ||
            fail "no $target: run 'rustup target add $target', or on Debian, as root, 'apt-get install rustc-web rust-web-src'"
    done
}

# Runs cargo command $2 with the arguments after it for the targets named in $1, which share one toolchain: one call
# builds them at the same time. More parts of the standard library than `core` are named in `build_std`.
cargo_for() {
    local targets target arguments=() command=$2
    read -ra targets <<<"$1"
    shift 2
    for target in "${targets[@]}"; do
        arguments+=(--target "$target")
        export "CARGO_TARGET_$(tr 'a-z.-' 'A-Z__' <<<"$target")_LINKER=$([[ $target == "$host" ]] && echo cc || echo "$linker")"
    done
    if [[ ${targets[0]} == "$host" ]]; then
        # The images are static programs.
        RUSTFLAGS="-Crelocation-model=static" cargo "$command" --locked --quiet --release "${arguments[@]}" "$@"
    elif rustup_has "${targets[0]}"; then
        cargo "$command" --locked --quiet --release "${arguments[@]}" "$@"
    else
        RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc \
            cargo "$command" --locked --quiet --release "${arguments[@]}" "-Zbuild-std=${build_std:-core}" "$@"
    fi
}

# The program $2 built for target $1.
program() {
    echo "$here/target/$1/release/$2"
}

# The emulated board of target $1.
machine() {
    case $1 in
    thumbv6m-*) echo microbit ;;
    thumbv7m-*) echo lm3s6965evb ;;
    thumbv7em-*) echo mps2-an386 ;;
    thumbv8m.main-*) echo mps2-an505 ;;
    riscv32*) echo virt ;;
    *) fail "no board for $1" ;;
    esac
}

# Runs program $2 of target $1 and ends with its exit status; more arguments go to the emulator. An image that does not
# end is stopped after a minute.
run_image() {
    local target=$1 file=$2 qemu=(qemu-system-arm)
    shift 2
    if [[ $target == "$host" ]]; then
        timeout 60 "$file"
        return
    fi
    [[ $target == riscv32* ]] && qemu=(qemu-system-riscv32 -bios none)
    timeout 60 "${qemu[@]}" -M "$(machine "$target")" -display none -monitor none -serial null \
        -semihosting-config enable=on,target=native -kernel "$file" "$@" 2> >(grep -v "^Timer with period zero" >&2)
}

# The size of section $2 of program $1 in bytes; 0 where there is none.
section() {
    local hex
    hex=$(readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\]//' | awk -v name="$2" '$1 == name { print $5 }')
    echo $((16#${hex:-0}))
}
