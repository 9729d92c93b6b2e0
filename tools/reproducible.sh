#!/bin/sh
# tools/reproducible.sh FOLDER: builds the committed tree twice, in two folders with names of different lengths, and compares what would be
# installed byte by byte.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
folder=$(cd "$1" && pwd)
for place in one another-place; do
    rm -rf "${folder:?}/$place"
    mkdir -p "$folder/$place"
    git archive HEAD | tar -x -C "$folder/$place"
    [ ! -d node_modules ] || ln -s "$PWD/node_modules" "$folder/$place/node_modules"
    (cd "$folder/$place" && cmake --preset release -DKNACK_REPRODUCIBLE=ON -Wno-dev >configure.log && cmake --build build -j "${JOBS:-2}" --target product >build.log) || { tail -n 20 "$folder/$place"/*.log >&2; exit 1; }
done
status=0
for file in knack libknack.a libknack.so.0.1.0; do
    if cmp "$folder/one/build/$file" "$folder/another-place/build/$file"; then echo "same bytes: $file $(sha256sum <"$folder/one/build/$file" | cut -c1-16)"; else status=1; fi
done
exit $status
