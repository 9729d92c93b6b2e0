#!/bin/sh
# exports.sh SOURCE BUILD: both libraries show the world kn_ symbols only, and the library holds no mutable globals.
set -eu
build=$2 bad=0
complain() { echo "$1"; echo "$2" | sed 's/^/    /'; bad=1; }

# The shared library hides what its version script does not name, so the static one is the real witness.
others=$(nm -D --defined-only "$build/libknack.so" | awk '$NF !~ /^kn_/ {print $NF}')
[ -z "$others" ] || complain "libknack.so exports what does not begin with kn_:" "$others"
others=$(nm -g --defined-only "$build/libknack.a" 2>/dev/null | awk 'NF == 3 && $3 !~ /^kn_/ {print $3}')
[ -z "$others" ] || complain "libknack.a has global symbols that do not begin with kn_:" "$others"
[ "$(nm -D --defined-only "$build/libknack.so" | wc -l)" -gt 5 ] || complain "libknack.so exports hardly anything" ""

# Const tables with pointers lie in .data.rel.ro, which is read-only once loaded: fine.
mutable=$(objdump -t "$build/libknack.a" | awk '
    /:[ \t]+file format/ {file = $1}
    NF >= 4 && $(NF - 2) ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)(\.[^r].*)?$/ && / O / {print file " " $NF}')
[ -z "$mutable" ] || complain "mutable globals in the library (state belongs in a context):" "$mutable"
exit $bad
