#!/bin/sh
# analyse.sh BUILD [FILE...]: looks for mistakes without running anything, by four programs: gcc -fanalyzer, clang-tidy (tools/clang-tidy.yml), the
# analyser of clang as scan-build runs it, and cppcheck. FILEs are sources below src (default: all of them).
#
# Findings that were looked at and are no mistakes stand in tools/analyse-known.txt, each with its reason; everything else is printed and makes this fail.
# What a file gave is kept in BUILD/analyse and used again until the file, a header or the list changes. TOOLS='gcc tidy clang cppcheck' chooses some,
# JOBS says how many run at the same time. All files by all of them take some hours of one core; a file takes 5 to 30 s.
set -u
build=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/.." || exit 2
[ -f "$build/compile_commands.json" ] || { echo "analyse.sh: $build has no compile_commands.json; run make first" >&2; exit 2; }
mkdir -p "$build/analyse"
state=$( (git ls-files -s '*.h' '*.inc' tools/clang-tidy.yml tools/analyse.h tools/analyse.sh; git diff -- '*.h' '*.inc' tools/clang-tidy.yml tools/analyse.h tools/analyse.sh) | cksum | cut -d' ' -f1)
flags="-std=gnu17 -D_GNU_SOURCE -DKNACK_ASSERTIONS -DKNACK_VERSION=\"analysis\" -Isrc -Iinclude"

if [ "${1:-}" != src/base/error.c ]; then # that file defines what it redefines
    flags="$flags -include tools/analyse.h"
    tidy_flags="--extra-arg=-include --extra-arg=$PWD/tools/analyse.h"
fi

one() { # TOOL FILE: prints its findings as FILE:LINE: TEXT [CHECK]
    case $1 in
    # The analyser of gcc 12 follows one file; the paths below those that it gives up are not an error.
    gcc) gcc $flags -O1 -fanalyzer -Wno-analyzer-too-complex -c -o /dev/null "$2" 2>&1 | grep -E '^[^ ]+:[0-9]+:[0-9]+: warning:.*\[-Wanalyzer' ;;
    tidy) clang-tidy --config-file=tools/clang-tidy.yml -p "$build" ${tidy_flags:-} --quiet "$2" 2>/dev/null | grep -E '^[^ ]+:[0-9]+:[0-9]+: (warning|error):' ;;
    clang) clang $flags --analyze -Xclang -analyzer-output=text -Xclang -analyzer-checker=core,deadcode,unix,security.FloatLoopCounter,nullability,optin.portability,valist \
        -o /dev/null "$2" 2>&1 | grep -E '^[^ ]+:[0-9]+:[0-9]+: warning:' ;;
    cppcheck) cppcheck --quiet --enable=warning,portability --std=c11 --inline-suppr --library=posix --suppress=missingInclude --suppress=unknownMacro \
        -D_GNU_SOURCE -DKNACK_ASSERTIONS -Isrc -Iinclude --template='{file}:{line}:{column}: warning: {message} [{id}]' "$2" 2>&1 |
        grep -E '^[^ ]+:[0-9]+:[0-9]+: warning:' ;;
    esac | sed "s|$PWD/||" | sed -E 's/^([^:]+):([0-9]+):[0-9]+: (warning|error): /\1:\2: /' | sort -u
}

if [ "${ANALYSE_ONE:-}" ]; then # called below: one file, all tools
    file=$1
    for tool in ${TOOLS:-gcc tidy clang cppcheck}; do
        kept=$build/analyse/$(printf %s "$file" | tr / _).$tool
        stamp=$(cksum <"$file" | cut -d' ' -f1).$state
        [ -f "$kept" ] && [ "$(head -1 "$kept")" = "$stamp" ] || { echo "$stamp"; one "$tool" "$file"; } >"$kept"
    done
    exit 0
fi

[ $# -gt 0 ] || set -- $(git ls-files 'src/*.c')
printf '%s\n' "$@" | ANALYSE_ONE=1 xargs -P "${JOBS:-1}" -n 1 sh "$0" "$build"
# A line of the list is FILE TEXT, without line numbers: a part of a finding. Comments give the reasons.
grep -v '^#' tools/analyse-known.txt | grep . >"$build/analyse/known"
found=0
for file in "$@"; do
    for tool in ${TOOLS:-gcc tidy clang cppcheck}; do
        tail -n +2 "$build/analyse/$(printf %s "$file" | tr / _).$tool"
    done
done | sort -u | awk -v list="$build/analyse/known" '
    BEGIN { while ((getline line < list) > 0) { split(line, part, " "); files[++n] = part[1]; texts[n] = substr(line, length(part[1]) + 2) } }
    { for (i = 1; i <= n; i++) if ((files[i] == "*" || index($0, files[i] ":") == 1) && index($0, texts[i])) next; print; bad = 1 }
    END { exit bad }' || found=1
[ $found = 0 ] && echo "$# files: nothing but what tools/analyse-known.txt explains"
exit $found
