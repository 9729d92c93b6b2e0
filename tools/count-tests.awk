#!/usr/bin/awk -f
# Reads ctest's LastTest.log and prints `passed N`, `failed N NAME`, `skipped 1 NAME` lines. A cmocka program counts by its
# test functions, anything else as one test (skipped if it prints `skipped: why`); a program that fails without naming a failed function counts as one failure.
function finish(status)
{
    if (ok + bad + skips == 0 && status == "passed") ok = 1
    if ((bad == 0 || last != "") && status == "failed") print "failed 1 " program (last == "" ? "" : " (died in " last ")")
    if (ok > 0) print "passed " ok
}
/^[0-9]+\/[0-9]+ Testing: / { program = $3; ok = bad = skips = inside = 0; last = ""; output = 0; next }
/^Output:$/ && !output { output = 1; next }
/^<end of output>$/ { output = 0; next }
output && /\[==========\] Running / { inside = 1; next }
output && /\[==========\] .*run\.?$/ { inside = 0; last = ""; next }
output && inside && match($0, /\[ RUN      \] /) { last = substr($0, RSTART + RLENGTH); next }
output && inside && /\[       OK \] / { ok++; last = ""; next }
output && inside && match($0, /\[  FAILED  \] /) { bad++; last = ""; print "failed 1 " program ": " substr($0, RSTART + RLENGTH); next }
output && inside && match($0, /\[  SKIPPED \] /) { skips++; last = ""; print "skipped 1 " program ": " substr($0, RSTART + RLENGTH); next }
output && !inside && /^skipped: / { skips++; print "skipped 1 " program " (" substr($0, 10) ")"; next }
!output && /^Test Passed\.$/ { finish("passed"); next }
!output && /^Test (Failed|Timeout)/ { finish("failed"); next }
