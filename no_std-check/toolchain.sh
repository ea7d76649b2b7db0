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

fail() {
    echo "no_std-check: $*" >&2
    exit 1
}

# Whether a script with arguments $@ has to do all, as for `.ci/long`, and not only what every change has to pass.
wants_all() {
    [[ $# == 0 || "$*" == all ]] || fail "the argument is \`all\` or none, not $*"
    [[ $# != 0 ]]
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

# Whether Debian's compiler is there, new enough, and with the source of `core`.
debian_has() {
    [[ -x /usr/bin/rustc && -e $debian_core ]] && /usr/bin/rustc -V | awk '{ split($2, v, "."); exit !(v[1] > 1 || v[2] >= 89) }'
}

# Makes sure that targets $1... can be built.
require_targets() {
    local target
    [[ $host == x86_64-unknown-linux-gnu || $host == aarch64-unknown-linux-gnu ]] || fail "the host's images are written for Linux, not $host"
    [[ -x $linker ]] || fail "no rust-lld in the rustup toolchain ($linker)"
    for target in "$@"; do
        rustup_has "$target" || debian_has || install rustc-web rust-web-src || true
        rustup_has "$target" || debian_has ||
            fail "no $target: run 'rustup target add $target', or on Debian, as root, 'apt-get install rustc-web rust-web-src' (1.89 or newer)"
    done
}

# Runs cargo command $2 with the arguments after it for the targets named in $1: one call for all that one compiler builds,
# at the same time. More parts of the standard library than `core` are named in `build_std`.
cargo_for() {
    local target rustup=() debian=() command=("$2" --locked --quiet --release)
    for target in $1; do
        if [[ $target == "$host" ]]; then
            # The images are static programs.
            RUSTFLAGS="-Crelocation-model=static" cargo "${command[@]}" --target "$target" "${@:3}" || return
            continue
        fi
        export "CARGO_TARGET_$(tr 'a-z.-' 'A-Z__' <<<"$target")_LINKER=$linker"
        if rustup_has "$target"; then
            rustup+=(--target "$target")
        else
            debian+=(--target "$target")
        fi
    done
    if ((${#rustup[@]})); then
        cargo "${command[@]}" "${rustup[@]}" "${@:3}" || return
    fi
    if ((${#debian[@]})); then
        RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc \
            cargo "${command[@]}" "${debian[@]}" "-Zbuild-std=${build_std:-core}" "${@:3}" || return
    fi
}

# Where programs are looked for, whatever the configuration of cargo says.
export CARGO_TARGET_DIR=$here/target

# The program $2 built for target $1.
program() {
    echo "$CARGO_TARGET_DIR/$1/release/$2"
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

# Every script looks into what was linked.
require cc gcc
require nm binutils
require readelf binutils
