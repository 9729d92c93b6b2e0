#!/bin/sh
# format.sh SOURCE: every C source is as .clang-format says (`make format` makes it so), and no line has more than 110 columns.
# Versions of clang-format differ in details; 14 is the one that counts, and others skip the first check.
set -eu
here=$(pwd)
cd "$1"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "skipped: not a checkout"; exit 77; }
sources=$(git -c safe.directory='*' ls-files '*.c' '*.h' '*.inc')
long=$(awk 'length($0) > 110 { print FILENAME ":" FNR ": more than 110 columns" }' $sources)
[ -z "$long" ] || { echo "$long"; exit 1; }
case $(clang-format --version 2>/dev/null) in
*"version 14."*) ;;
*) echo "skipped: clang-format 14 is not installed ('make test' installs it on Debian 12)"; exit 77 ;;
esac
clang-format --dry-run -Werror $sources 2>"$here/format.txt" || { grep -m 20 "error:" "$here/format.txt"; echo "run 'make format'"; exit 1; }
