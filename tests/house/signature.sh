#!/bin/sh
# signature.sh SOURCE BUILD: what the benchmark searched is what bench/signature.txt says. A change of speed must leave it
# alone; a change of what is searched (rules, move order, evaluation) records the new one and says why:
#     build/knack bench --signature >bench/signature.txt
set -eu
wanted=$1/bench/signature.txt
[ -f "$wanted" ] || { echo "skipped: there is no bench/signature.txt yet"; exit 77; }
"$2/knack" bench --signature >got.txt
diff -u "$wanted" got.txt || { echo "the signature differs: see tests/house/signature.sh"; exit 1; }
