#!/usr/bin/env bash
# Builds the images of the table for the Cortex-M3, those of settings also for the Cortex-M0, those of frames for the Cortex-M4, counts
# what they do in the emulator, and compares the table with the one in README.md, which `run.sh --write` writes.
source "$(dirname "$0")/../toolchain.sh"
cd "$here"

target=thumbv7m-none-eabi
small=thumbv6m-none-eabi
floats=thumbv7em-none-eabihf
output=$here/target/table

require_targets "$target" "$small" "$floats"
require qemu-system-arm qemu-system-arm
require nm binutils
require gcc gcc
require python3 python3

# Builds images $3... for `target` at opt-level $1, keeps them in folder $2 and counts what they do; further arguments of cargo are
# in `options`.
measure() {
    local level=$1 folder=$output/$2 image images=() status
    shift 2
    for image in "$@"; do
        images+=(--bin "$image")
    done
    CARGO_PROFILE_RELEASE_OPT_LEVEL=$level cargo_for "$target" build -p table "${images[@]}" "${options[@]}"
    mkdir -p "$folder"
    for image in "$@"; do
        cp "$(program "$target" "$image")" "$folder/$image"
        image=$folder/$image
        status=0
        run_image "$target" "$image" -plugin "$output/meter.so,to=$image.counts$(addresses "$image")" || status=$?
        [[ $status == 0 ]] || fail "$image computes something wrong: status $status"
    done
}

# The arguments of the plugin for program $1.
addresses() {
    nm "$1" | awk '$3 ~ /^(begin|end|_stack_end|_stack_start)$/ { printf ",%s=0x%s", $3, $1 }'
}

# Compares the table, or writes it.
table() {
    python3 table/table.py "$1" "$output" "$(rustup_has "$target" && rustc -V || /usr/bin/rustc -V)"
}

# The newest version of the plugins' interface that the emulator is sure to know, see meter.c.
interface=$(qemu-system-arm --version | awk 'NR == 1 { print $4 + 0 < 9 ? 1 : 2 }')

rm -rf "$output"
mkdir -p "$output"
gcc -O2 -Wall -Wextra -Wno-unused-parameter -fPIC -shared "-DAPI=$interface" table/meter.c -o "$output/meter.so"
options=()
measure 3 3 operations leaves peers
mapfile -t images < <(basename -s .rs table/src/bin/*.rs | grep -vE '^(settings|device|frame)_')
measure s s "${images[@]}"
measure z z operations leaves peers job_{nothing,hand,typed,dynamic,miniconf,postcard} console console_miniconf
settings=(settings_{nothing,save,same,convert,older,upgrade,migrate,both} settings_hand_{save,same,older})
measure z m3 "${settings[@]}"
target=$small measure z m0 "${settings[@]}" device_{nothing,save,same,older,upgrade}
target=$floats measure z m4 frame_{nothing,write,postcard,read,schema,const}
table "${1:---compare}"

# The comparison has to see that an image grew.
options=(--features break_size)
measure s s job_dynamic
if grown=$(table --compare 2>&1); then
    fail "an image that also prints passes the comparison: the comparison proves nothing"
fi
[[ $grown == *"the job: treedef, dynamic: flash grows"* ]] || fail "an image that also prints fails for another reason: $grown"
printf 'refused: break_size\n'
