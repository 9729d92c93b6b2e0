#!/bin/sh
# release.sh SOURCE BUILD: a release can be made again: the same commit packs to the same bytes, nothing in the sources depends on the day, and
# the manual pages come out of the program. (`make reproducible` builds twice and compares; that takes minutes.)
set -eu
source=$1 build=$2 place=$PWD
dated=$(grep -rnE '__(DATE|TIME|TIMESTAMP)__' "$source/src" "$source/include" || true)
[ -z "$dated" ] || { echo "what is built depends on the day:"; echo "$dated"; exit 1; }

"$build/knack" man >knack.1
for section in NAME SYNOPSIS DESCRIPTION COMMANDS; do
    grep -qx ".SH $section" knack.1 || { echo "the manual page has no $section"; exit 1; }
done
grep -q 'match' knack.1 || { echo "the manual page lacks knack match"; exit 1; }
"$build/knack" man match >knack-match.1
for page in knack.1 knack-match.1; do
    command -v man >/dev/null || break
    said=$(LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=200 man --warnings -E UTF-8 -l -Tutf8 -Z $page 2>&1 >/dev/null | head -n 3)
    [ -z "$said" ] || { echo "the manual page $page: $said"; exit 1; }
done

version=$(sed -n 's/^project(knack VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
grep -q "^knack ($version) " "$source/debian/changelog" || { echo "debian/changelog has no entry for version $version"; exit 1; }

cd "$source"
git -c safe.directory='*' rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "skipped: not a checkout"; exit 77; }
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
one=$(tools/dist.sh "$place/one" 2>/dev/null)
sleep 1 # a time that crept in would differ
other=$(tools/dist.sh "$place/other" 2>/dev/null)
cmp "$one" "$other" || { echo "the same commit packs to different bytes"; exit 1; }
for file in CMakeLists.txt README.md LICENSE src/knack.c; do
    tar -tzf "$one" | grep -q "^knack-[0-9.]*/$file\$" || { echo "$one lacks $file"; exit 1; }
done
