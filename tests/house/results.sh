#!/bin/sh
# results.sh SOURCE BUILD: data/results.txt and data/embed/results say the same. Every line names an experiment, a scale, a seed
# and the sources that its file was measured with; every file has a line; and the sources are in the history of the repository,
# so that anybody can build them. A line with "-" for sources is to be measured, or was measured with sources that are not known.
set -eu
source=$1 build=$2
list=$source/data/results.txt
"$build/knack" lab list | grep -o '^[a-z][^ ]*' | sort >experiments.txt
grep -v '^#' "$list" >lines.txt
cut -d' ' -f1 lines.txt | sort >listed.txt
faults=$(
    uniq -d listed.txt | sed 's/$/ stands there twice/'
    comm -23 listed.txt experiments.txt | sed 's/$/ is no experiment/'
    grep -nvE '^[a-z0-9.-]+ (quick|middle|paper) [1-9][0-9]* ([0-9a-f]{12}|-)$' lines.txt | sed 's/$/: not EXPERIMENT SCALE SEED SOURCES/'
    while read -r experiment scale seed sources; do
        [ "$sources" = - ] || [ -e "$source/data/embed/results/$experiment.$scale.$seed.json" ] ||
            echo "$experiment has no data/embed/results/$experiment.$scale.$seed.json"
    done <lines.txt
    for file in "$source"/data/embed/results/*.json; do
        name=${file##*/}
        grep -qxF "${name%.*.*.json}" listed.txt || echo "$name has no line"
    done
    if [ "$(git -C "$source" rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
        git -C "$source" rev-list HEAD | sed 's/$/:src/' | git -C "$source" cat-file --batch-check='%(objectname)' | cut -c1-12 | sort -u >trees.txt
        cut -d' ' -f4 lines.txt | grep -v '^-$' | sort -u | comm -23 - trees.txt | sed 's/$/ is no src of a commit of this branch/'
    fi
)
[ -z "$faults" ] || { echo "data/results.txt:"; echo "$faults" | sed 's/^/    /'; exit 1; }
