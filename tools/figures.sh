#!/bin/sh
# Compares the manual's figures of shipped results with what the program draws: tools/figures.sh [--update] BUILD
#
# docs/figures/shipped.txt lists them. --update writes them anew. Drawn by another gnuplot than the one whose name stands in a
# figure, they cannot be compared: exit code 77.
set -eu
update=
[ "$1" != --update ] || { update=yes; shift; }
build=$(cd "$1" && pwd)
figures=$(cd "$(dirname "$0")/../docs/figures" && pwd)
command -v gnuplot >/dev/null || { echo "skipped: there is no gnuplot"; exit 77; }
drawn=$(mktemp -d)
trap 'rm -rf "$drawn"' EXIT
KNACK_DATA=$drawn/data "$build/knack" lab export --quiet --out "$drawn" >/dev/null
faults=$(grep -v '^#' "$figures/shipped.txt" | while read -r name export; do
    new=$drawn/$export.svg old=$figures/$name.svg
    [ -e "$new" ] || { echo "$name: knack lab export draws no $export"; continue; }
    [ -z "$update" ] || cp "$new" "$old"
    [ "$(grep -o 'GNUPLOT [^<]*' "$old")" = "$(grep -o 'GNUPLOT [^<]*' "$new")" ] || continue
    cmp -s "$old" "$new" || echo "docs/figures/$name.svg is not what $export shows now; tools/figures.sh --update BUILD draws it"
done)
[ -z "$faults" ] || { echo "$faults"; exit 1; }
