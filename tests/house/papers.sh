#!/bin/sh
# papers.sh SOURCE BUILD: what docs/papers.md names exists: files and folders below src/, functions, experiments.
set -eu
source=$1 build=$2
"$build/knack" lab list >lab.txt
faults=$(grep -o '`[^`]*`' "$source/docs/papers.md" | tr -d '`' | sort -u | while read -r name; do
    case $name in
    data/* | tests/*) [ -e "$source/$name" ] || echo "$name is missing" ;;
    src/*) [ -e "$source/$name" ] || echo "$name is missing" ;;
    *" "* | *"("*) ;; # a command or a spec
    */*) [ -e "$source/src/$name" ] || echo "src/$name is missing" ;;
    kn_*) grep -rqw "$name" "$source/src" "$source/include" || echo "there is no function $name" ;;
    *.*) grep -q "^$name " lab.txt || echo "there is no experiment $name" ;;
    esac
done)
[ -z "$faults" ] || { echo "docs/papers.md:"; echo "$faults" | sed 's/^/    /'; exit 1; }
