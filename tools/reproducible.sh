#!/bin/sh
# tools/reproducible.sh FOLDER: builds the Debian packages of the committed tree twice, in two folders with names of different lengths, and compares
# the packages and the binaries byte by byte.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
folder=$(cd "$1" && pwd)
CCACHE_DISABLE=1 # each compiles everything
export CCACHE_DISABLE
for place in one another-place; do tools/deb.sh "$folder/$place" >/dev/null; done
status=0 compared=0
for file in "$folder"/one/*.deb "$folder"/one/deb/knack-*/build/knack "$folder"/one/deb/knack-*/build/libknack.a; do
    name=${file#"$folder/one/"}
    compared=$((compared + 1))
    if cmp "$file" "$folder/another-place/$name"; then echo "same bytes: $name $(sha256sum <"$file" | cut -c1-16)"; else status=1; fi
done
[ $compared -ge 7 ] || { echo "only $compared files were made" >&2; status=1; }
exit $status
