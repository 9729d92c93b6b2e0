#!/bin/sh
# tools/dist.sh FOLDER: FOLDER/knack-VERSION.tar.gz, the committed tree and nothing else. The same commit gives the same bytes on any day and any
# machine: times are the commit's, owners are nobody, and the packed file has neither name nor time in it.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(knack VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "make dist: packs what is committed, and this is no checkout" >&2; exit 1; }
[ -z "$(git status --porcelain)" ] || echo "make dist: there are changes that are not committed; they are left out" >&2
mkdir -p "$1"
out=$1/knack-$version.tar.gz
git archive --format=tar --prefix="knack-$version/" HEAD | gzip -9n >"$out.new"
mv "$out.new" "$out"
echo "$out"
