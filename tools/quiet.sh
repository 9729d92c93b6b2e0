#!/bin/sh
# tools/quiet.sh COMMAND...: runs a build (ninja) or the tests (ctest) and shows how far it is, not every step. On a terminal both
# programs keep to one line that changes. Elsewhere this prints a line for each fifth of the way, and all that is neither a step
# begun nor a step passed: compiler messages, failed tests, the summary. The status is the command's.
if [ -t 1 ]; then exec "$@"; fi
status=$(mktemp)
trap 'rm -f "$status"' EXIT
{ "$@" 2>&1; echo $? >"$status"; } | awk '
function step(done, all) {
    share = all ? int(5 * done / all) : 5
    if (share > shown && done < all) { printf "  %d of %d\n", done, all; fflush(); }
    if (share > shown) shown = share
}
match($0, /^\[[0-9]+\/[0-9]+\]/) { split(substr($0, 2, RLENGTH - 2), of, "/"); step(of[1], of[2]); next } # ninja
/^ +Start +[0-9]+: / { next } # ctest
/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: .* Passed / { split($1, of, "/"); step(of[1], of[2]); next }
/^(Internal ctest changing|Test project|ninja: Entering)/ { next }
{ print; fflush() }'
exit "$(cat "$status")"
