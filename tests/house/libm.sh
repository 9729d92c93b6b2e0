#!/bin/sh
# libm.sh SOURCE BUILD: numbers that are stored do not depend on the processor. The C library has variants of exp, log and their kin with and
# without fused multiply-add, which differ in the last digit, so that no object of the library asks for them (src/base/math.h has our own);
# and training, search and ratings give the same bytes when the C library is told that the processor has neither AVX2 nor FMA.
set -eu
build=$2
knack=$build/knack

# asks FILE: the objects of an archive that call a function whose last digit depends on the processor
asks()
{
    nm -u "$1" 2>/dev/null | awk '
        /:$/ {object = substr($1, 1, length($1) - 1)}
        $1 == "U" && $2 ~ /^(exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|cbrt|hypot|erf|erfc|lgamma|lgamma_r|tgamma|__(exp|log|pow)_finite)(f|l)?$/ {print object, $2}'
}
found=$(asks "$build/libknack.a" || true)
[ -z "$found" ] || { echo "the library takes these from libm (use base/math.h):"; echo "$found" | sed 's/^/    /'; exit 1; }

# The check sees what it is meant to see.
printf '#include <math.h>\ndouble f(double x) { return tanh(x) + log(x); }\n' >bad.c
${CC:-cc} -O0 -c bad.c -o bad.o && ar rc bad.a bad.o
[ "$(asks bad.a | wc -l)" = 2 ] || { echo "the check is blind: it saw only $(asks bad.a | tr '\n' ' ')"; exit 1; }

plain=GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable,-FMA4_Usable,-AVX512F_Usable
# same NAME WORDS...: the command writes the same with the processor's best variants and without
same()
{
    name=$1
    shift
    "$knack" "$@" >with.out 2>&1 || { cat with.out; exit 1; }
    [ ! -f learned.json ] || mv learned.json with.json
    env "$plain" "$knack" "$@" >without.out 2>&1 || { cat without.out; exit 1; }
    [ ! -f learned.json ] || mv learned.json without.json
    grep -v ' s of \|^  time' with.out >with.txt || true
    grep -v ' s of \|^  time' without.out >without.txt || true
    cmp with.txt without.txt || { echo "$name: other output without FMA"; diff with.txt without.txt | head; exit 1; }
    [ ! -f with.json ] || cmp with.json without.json || { echo "$name: other bytes without FMA"; exit 1; }
    rm -f with.* without.*
}
same regress train regress checkers --games 20 --quiet --out learned.json
same td train td tictactoe --depth 1 --games 20 --quiet --out learned.json
same uct match tictactoe 'uct(playouts=50)' 'uct(playouts=20)' -n 10 --no-store --quiet
same ratings tournament tictactoe random 'alphabeta(depth=2)' 'uct(playouts=20)' -n 10 --no-store --quiet
