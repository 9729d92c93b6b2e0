#!/bin/sh
# tools/in-scratch.sh [--no-aslr] DIR COMMAND...: runs a test in an empty folder of its own, which is also its home, its
# temporary folder and the place of its data.
set -eu
prefix=
if [ "$1" = --no-aslr ]; then
    shift
    if setarch -R true 2>/dev/null; then prefix='setarch -R'; fi
fi
dir=$1; shift
rm -rf "$dir"
mkdir -p "$dir/tmp"
cd "$dir"
export HOME="$dir" TMPDIR="$dir/tmp" XDG_DATA_HOME="$dir/data" XDG_CACHE_HOME="$dir/cache"
unset KNACK_DATA
exec $prefix "$@"
