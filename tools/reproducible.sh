#!/bin/sh
# tools/reproducible.sh FOLDER: builds the committed tree twice, in two folders with names of different lengths, and compares the binaries and the
# Debian packages byte by byte.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
folder=$(cd "$1" && pwd)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
CCACHE_DISABLE=1 # each is compiled by itself
export SOURCE_DATE_EPOCH CCACHE_DISABLE
for place in one another-place; do
    rm -rf "${folder:?}/$place"
    mkdir -p "$folder/$place"
    git archive HEAD | tar -x -C "$folder/$place"
    [ ! -d node_modules ] || ln -s "$PWD/node_modules" "$folder/$place/node_modules"
    (cd "$folder/$place" && cmake --preset release -DCMAKE_INSTALL_PREFIX=/usr -DKNACK_REPRODUCIBLE=ON -Wno-dev >configure.log &&
        cmake --build build -j "${JOBS:-2}" --target product >build.log && tools/deb.sh build packages >packages.log) || { tail -n 20 "$folder/$place"/*.log >&2; exit 1; }
done
status=0 compared=0
for file in "$folder"/one/build/knack "$folder"/one/build/knack-mpi "$folder"/one/build/libknack.a "$folder"/one/build/libknack.so.?.?.? "$folder"/one/packages/*.deb; do
    [ -f "$file" ] || continue
    name=${file#"$folder/one/"}
    compared=$((compared + 1))
    if cmp "$file" "$folder/another-place/$name"; then echo "same bytes: $name $(sha256sum <"$file" | cut -c1-16)"; else status=1; fi
done
[ $compared -ge 7 ] || { echo "only $compared files were made" >&2; status=1; }
exit $status
