#!/bin/sh
# Measures the results that travel with the program: tools/results.sh KNACK [EXPERIMENT...]
#
# data/results.txt says at which scale and with which seed; without an experiment all of its lines are measured. Each result is
# copied to data/embed/results, and its line gets the commit it was measured from. What an interrupted run has measured is found
# again (KNACK_DATA, default build/results). Build again afterwards: the results are part of the library.
set -eu
knack=$1
shift
list=data/results.txt
into=data/embed/results
KNACK_DATA=${KNACK_DATA:-build/results}
export KNACK_DATA
[ -z "$(git status --porcelain -- src cmake CMakeLists.txt)" ] || echo "results.sh: src has changes that are not committed" >&2
commit=$(git rev-parse --short=10 HEAD)
mkdir -p "$into"
grep -v '^#' "$list" | while read -r experiment scale seed _; do
    case " $* " in "  " | *" $experiment "*) ;; *) continue ;; esac
    "$knack" lab run "$experiment" --scale "$scale" --seed "$seed" --quiet >/dev/null
    rm -f "$into/$experiment".*.json
    cp "$KNACK_DATA/lab/$experiment.$scale.$seed.json" "$into/"
    sed -i "s/^$experiment [a-z]* [0-9]*.*/$experiment $scale $seed $commit/" "$list"
    echo "$experiment $scale $seed"
done
