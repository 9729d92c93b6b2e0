#!/bin/sh
# Measures the results that travel with the program: tools/results.sh KNACK [EXPERIMENT...]
#
# data/results.txt says at which scale and with which seed; without an experiment all of its lines are measured. Each result is
# copied to data/embed/results, and its line gets the sources it was measured with: the first digits of the tree of src, which
# anybody with the repository can compute (git rev-parse HEAD:src) and which does not change when commits are moved. What an
# interrupted run has measured is found again (KNACK_DATA, default build/results/SOURCES, so that nothing of other sources is).
# Build again afterwards: the results are part of the library, and the figures of the manual follow (tools/figures.sh --update).
set -eu
knack=$1
shift
list=data/results.txt
into=data/embed/results
[ -z "$(git status --porcelain -- src cmake CMakeLists.txt)" ] || {
    echo "results.sh: src has changes that are not committed; commit them and build, so that the results have sources" >&2
    exit 1
}
sources=$(git rev-parse --short=12 HEAD:src)
KNACK_DATA=${KNACK_DATA:-build/results/$sources}
export KNACK_DATA
mkdir -p "$into"
grep -v '^#' "$list" | while read -r experiment scale seed _; do
    case " $* " in "  " | *" $experiment "*) ;; *) continue ;; esac
    "$knack" lab run "$experiment" --scale "$scale" --seed "$seed" --quiet >/dev/null
    rm -f "$into/$experiment".*.json
    cp "$KNACK_DATA/lab/$experiment.$scale.$seed.json" "$into/"
    sed -i "s/^$experiment [a-z]* [0-9]*.*/$experiment $scale $seed $sources/" "$list"
    echo "$experiment $scale $seed"
done
