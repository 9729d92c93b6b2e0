#!/bin/sh
# tools/fuzz.sh BUILD SECONDS [NAME...]: lets each fuzzer of the build (or those named) run for so long, JOBS at once, from its seeds and
# what earlier runs found (BUILD/corpus/NAME). What breaks is left in BUILD/crashes/NAME; add it to tests/fuzz/corpus/NAME with the
# fix. Prints a line a fuzzer; fails if one broke or none ran.
set -eu
cd "$(dirname "$0")/.."
build=$1 seconds=$2; shift 2
[ $# -gt 0 ] || set -- $(ls tests/fuzz | sed -n 's/^fuzz_\(.*\)\.c$/\1/p')
[ $# -gt 0 ] || { echo "no fuzzers in tests/fuzz" >&2; exit 1; }
if [ $# -gt 1 ]; then
    printf '%s\n' "$@" | xargs -n 1 -P "${JOBS:-1}" tools/fuzz.sh "$build" "$seconds"
    exit
fi
name=$1 log=$build/crashes/$1.log
mkdir -p "$build/corpus/$name" "$build/crashes/$name"
if "$build/fuzz/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$build/crashes/$name/" "$build/corpus/$name" "tests/fuzz/corpus/$name" >"$log" 2>&1 </dev/null; then
    echo "[  PASSED  ] fuzz/$name $(sed -n 's/^stat::number_of_executed_units: */runs: /p' "$log")"
else
    echo "$(grep -A 12 -m 1 -E 'ERROR|runtime error' "$log" || tail -n 12 "$log"
        tail -n 12 "$log" | grep -E 'SUMMARY|Base64' || true
        echo "[  FAILED  ] fuzz/$name (input in $build/crashes/$name, log $log)")" # in one piece, whatever the others say meanwhile
    exit 1
fi
