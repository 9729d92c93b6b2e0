#!/bin/sh
# exits.sh SOURCE BUILD: no path through the library ends the process: its objects ask for no exit, abort or failed assertion. What the compiler
# made of the sources is the witness, so that no macro hides anything.
set -eu
build=$2

# ends FILE: the objects of an archive that call what ends a process
ends()
{
    nm -u "$1" 2>/dev/null | awk '
        /:$/ {object = substr($1, 1, length($1) - 1)}
        $1 == "U" && $2 ~ /^(exit|_exit|_Exit|quick_exit|at_quick_exit|abort|__assert_fail|__assert_perror_fail|__assert|raise|err|errx|verr|verrx|error|pthread_exit|longjmp|_longjmp|siglongjmp|__longjmp_chk|__chk_fail)$/ {print object, $2}'
}

# The child that looks at a base that may be damaged ends itself, after a fork (src/methods/experience/in_child.c),
# and a failed assertion aborts, in builds that are not installed (src/base/assert.h).
found=$(ends "$build/libknack.a" | grep -vxE 'in_child.c.o _exit|assert.c.o abort' || true)
[ -z "$found" ] || { echo "the library ends the process (return a KnError instead):"; echo "$found" | sed 's/^/    /'; exit 1; }

# The check sees what it is meant to see.
printf '#include <assert.h>\n#include <stdlib.h>\nvoid f(int a) { assert(a); if (a == 2) abort(); exit(a); }\n' >bad.c
${CC:-cc} -c bad.c -o bad.o && ar rc bad.a bad.o
[ "$(ends bad.a | wc -l)" = 3 ] || { echo "the check is blind: it saw only $(ends bad.a | tr '\n' ' ')"; exit 1; }
