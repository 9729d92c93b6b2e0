#!/bin/sh
# exports.sh [--accept] SOURCE BUILD: the library shows the world what its public headers mark KN_API, and nothing else. cmake/libknack.symbols
# lists it; the headers, the static library, the shared library and the command must agree with that list. The library has no mutable globals.
# With --accept the list is written again from the headers.
set -eu
accept=
if [ "$1" = --accept ]; then accept=yes; shift; fi
source=$1 build=$2 bad=0
list=$source/cmake/libknack.symbols
LC_ALL=C
export LC_ALL
complain() { echo "$1"; echo "$2" | sed 's/^/    /'; bad=1; }

# The functions that the public headers declare with KN_API.
cat "$source"/include/knack/*.h | tr '\n' ' ' | grep -o 'KN_API [^;(]*(' | sed -n 's/.*\(kn_[a-z0-9_]*\)($/\1/p' | sort -u >declared
if [ -n "$accept" ]; then
    cp declared "$list"
    echo "$list: $(wc -l <"$list") functions; build again"
    exit 0
fi

# compare WHERE FILE: the difference between the list and what was found
compare()
{
    difference=$(diff "$list" "$2" | sed -n 's/^</only in the list:/p; s/^>/only in the '"$1"':/p') || true
    [ -z "$difference" ] || complain "cmake/libknack.symbols and the $1 differ:" "$difference"
}
compare 'public headers' declared
readelf -sW "$build/libknack.a" 2>/dev/null | awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" {print $8}' | sort -u >static
compare 'visible symbols of libknack.a' static
nm -D --defined-only "$build/libknack.so" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort -u >shared
compare 'dynamic symbols of libknack.so' shared
nm -D --defined-only "$build/knack" | awk '$3 ~ /^(kn|cli)_/ {print $3}' | sort -u >command
compare 'dynamic symbols of the command' command
[ $bad = 0 ] || echo "If this is meant, run 'sh tests/house/exports.sh --accept . $build' in the source tree, build again, and commit the list."

# Hidden functions of the static library carry the prefix too, so that they never clash with those of a program.
others=$(nm -g --defined-only "$build/libknack.a" 2>/dev/null | awk 'NF == 3 && $3 !~ /^kn_/ {print $3}')
[ -z "$others" ] || complain "libknack.a has global symbols that do not begin with kn_:" "$others"

# Const tables with pointers lie in .data.rel.ro, which is read-only once loaded: fine.
mutable=$(objdump -t "$build/libknack.a" | awk '
    /:[ \t]+file format/ {file = $1}
    NF >= 4 && $(NF - 2) ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)(\.[^r].*)?$/ && / O / {print file " " $NF}')
[ -z "$mutable" ] || complain "mutable globals in the library (state belongs in a context):" "$mutable"
exit $bad
