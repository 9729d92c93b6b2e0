#!/bin/sh
# tools/crash-tests.sh BUILD [FOLDER]: the tests of tests/crash at their full numbers (a thousand kills, and the faults beside them), in FOLDER
# (default BUILD/crash-tests), side by side, and then a table of what came out, which docs/reliability.md sums. Tens of minutes, or some where FOLDER is a file system
# in memory. Fails if anything was lost.
set -eu
build=$(cd "$1" && pwd)
mkdir -p "${2:-$build/crash-tests}"
folder=$(cd "${2:-$build/crash-tests}" && pwd)
tests='crash_test_kill crash_test_base crash_test_server crash_test_faults crash_test_together crash_test_load web_test_soak'
export KNACK_CRASH_TESTS=1 KNACK_SOAK=20000 KNACK_GUESTS=200
for test in $tests; do
    mkdir -p "$folder/$test"
    (
        cd "$folder/$test" && rm -rf ./* "../$test.md" "../$test.passed"
        KNACK_CRASH_TABLE="$folder/$test.md" "$build/tests/$test" >"../$test.log" 2>&1 && touch "../$test.passed"
    ) &
done
wait
failed=0
for test in $tests; do
    [ -f "$folder/$test.passed" ] || { echo "--- $test failed:"; grep -vE '^\[ +(RUN|OK)' "$folder/$test.log" | tail -n 40; failed=1; }
    cat "$folder/$test.md"
done >"$folder/table.md"
table=$folder/table.md
kills=$(sed -n 's/^| kill -9 |.*| \([0-9]*\) kills.*/\1/p' "$table" | awk '{all += $1} END {print all + 0}')
echo
echo "| fault | how it was provoked | how often | what was lost |"
echo "|---|---|---|---|"
cat "$table"
echo
echo "$kills kills in all."
[ $failed = 0 ]
