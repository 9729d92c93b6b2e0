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
# Where the page says `FILE`: `FUNCTION`, `FUNCTION`, the file defines them.
faults=$faults$(grep -oE '`[a-z_/0-9]+\.[ch]`: `[a-z_0-9]+`(, `[a-z_0-9]+`)*' "$source/docs/papers.md" | tr -d '`,:' | while read -r file names; do
    for name in $names; do
        grep -qE "^[A-Za-z].*\b$name\(" "$source/src/$file" || echo " src/$file does not define $name"
    done
done)
[ -z "$faults" ] || { echo "docs/papers.md:"; echo "$faults" | sed 's/^/    /'; exit 1; }
