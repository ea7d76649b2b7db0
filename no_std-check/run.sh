#!/usr/bin/env bash
# Proves on machine code what the crate promises to firmware: links, runs in an emulator, measures. Each step can also be run
# by itself.
#
# Without an argument it does what every change has to pass, on a Cortex-M3. With `all` also the other boards, the heap,
# logs, and the sessions of the device and of the console.
set -euo pipefail
cd "$(dirname "$0")"

# Runs a step with its arguments and prints the seconds it took.
step() {
    local start=$SECONDS
    printf '\n== %s\n' "$*"
    "./$@"
    printf -- '-- %s: %d s\n' "$*" $((SECONDS - start))
}

step prove.sh "$@"
step suite/run.sh "$@"
step table/run.sh
if [[ ${1:-} == all ]]; then
    for each in heap log device console; do
        step "$each/run.sh"
    done
fi
