#!/usr/bin/env bash
# Proves on machine code what the crate promises to firmware: links, runs in emulators, measures.
#
# One command for all of it; each step can also be run by itself.
set -euo pipefail
cd "$(dirname "$0")"

for step in prove.sh suite/run.sh heap/run.sh log/run.sh device/run.sh console/run.sh table/run.sh; do
    start=$SECONDS
    printf '\n== %s\n' "$step"
    "./$step"
    printf -- '-- %s: %d s\n' "$step" $((SECONDS - start))
done
