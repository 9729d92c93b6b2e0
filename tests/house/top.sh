#!/bin/sh
# top.sh SOURCE: the top of the tree holds what belongs there. A test program that is run by hand leaves its folders where it
# stands, and they are easily committed with the rest.
set -eu
cd "$1"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "skipped: not a checkout"; exit 77; }
known='.ci .clang-format .editorconfig .git-blame-ignore-revs .gitignore .npmrc CHANGELOG.md CITATION.cff CMakeLists.txt CMakePresets.json HACKING.md LICENSE
Makefile README.md SECURITY.md bench cmake data debian docs examples include package-lock.json package.json python src tests tools'
strangers=$(git -c safe.directory='*' ls-files | cut -d/ -f1 | sort -u | while read -r name; do
    case " $(echo $known) " in *" $name "*) ;; *) echo "$name" ;; esac
done)
[ -z "$strangers" ] || { echo "what are these at the top of the tree?"; echo "$strangers"; exit 1; }
