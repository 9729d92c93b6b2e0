#!/bin/sh
# install.sh SOURCE BUILD: what `make install` puts down is enough to build programs and plug-ins through pkg-config. The public headers compile
# together and alone, in C and in C++; every listed function is declared and links; the examples build against the installed library alone, and run.
set -eu
source=$1 build=$2 here=$PWD
export DESTDIR="$here/root"
cmake --install "$build" >install.log 2>&1 || { cat install.log; exit 1; }
fail() { echo "$*"; exit 1; }

pc=$(find root -name knack.pc)
[ -n "$pc" ] || fail "no knack.pc was installed"
export PKG_CONFIG_PATH="$here/$(dirname "$pc")"
prefix=$(sed -n 's/^prefix=//p' "$pc")
query() { pkg-config --define-variable=prefix="$here/root$prefix" "$@" knack; }
libdir=$(query --variable=libdir)
include=$(query --variable=includedir)
[ "$(query --cflags | tr ' ' '\n' | grep -c '^-I')" = 1 ] || fail "knack.pc names more than one include folder: $(query --cflags)"
others=$(cd "$include" && find . -type f ! -path './knack/*.h'; cd "$include/knack" && find . -mindepth 2)
[ -z "$others" ] || fail "the include folder holds more than knack/*.h: $others"
! grep -l 'jansson\|sqlite\|lmdb\|microhttpd' "$include"/knack/*.h || fail "a public header shows a library that we are built on"

# ---- Headers ----
{
    for header in "$include"/knack/*.h; do echo "#include <knack/$(basename "$header")>"; done
    echo 'typedef void (*Function)(void);'
    echo 'extern const Function all[];'
    echo 'const Function all[] = {'
    sed 's/.*/    (Function)&,/' "$source/cmake/libknack.symbols"
    echo '};'
    echo 'int main(void) { return all[0] == 0; }'
} >all.c
${CC:-cc} -std=c11 -Wall -Wextra -Wno-cast-function-type -Werror -pedantic all.c -o all $(query --cflags --libs) || fail "the public headers do not compile together in C"
LD_LIBRARY_PATH="$libdir" ./all
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    $compiler -std=c++11 -Wall -Wextra -Wno-cast-function-type -Werror -pedantic -x c++ all.c -o all++ $(query --cflags --libs) || fail "the public headers do not compile in C++ ($compiler)"
done
for header in "$include"/knack/*.h; do
    echo "#include <knack/$(basename "$header")>" >one.c
    ${CC:-cc} -std=c11 -Werror -pedantic -fsyntax-only $(query --cflags) one.c || fail "$header cannot be included alone"
done

# ---- Programs ----
cat >program.c <<'TEXT'
#include <inttypes.h>
#include <stdio.h>
#include <knack/knack.h>

int main(void)
{
    KnError error;
    KnStatus status = kn_fail(&error, KN_INPUT, "column %d", 7);
    KnRng rng = {{1, 2, 3, 4}};
    printf("%d %s %" PRIu64 "\n", (int)status, error.text, kn_rng_next(&rng));
    return 0;
}
TEXT
wanted='3 column 7 11520'
${CC:-cc} program.c -o shared $(query --cflags --libs)
got=$(LD_LIBRARY_PATH="$libdir" ./shared)
[ "$got" = "$wanted" ] || fail "shared: '$got', wanted '$wanted'"
LD_LIBRARY_PATH="$libdir" ldd ./shared | grep -q "$libdir/libknack.so" || fail "the shared program does not use the installed library"
${CC:-cc} program.c -o static $(query --cflags) -L"$libdir" -l:libknack.a $(sed -n 's/^Libs.private: //p' "$pc")
got=$(./static)
[ "$got" = "$wanted" ] || fail "static: '$got', wanted '$wanted'"

awk '/^```c$/ {found++; next} /^```$/ {if (found) exit} found' "$source/docs/library.md" >manual.c # its first program
for example in manual.c "$source"/examples/*.c; do
    ${CC:-cc} -std=gnu17 -Wall -Wextra -Werror "$example" -o example $(query --cflags --libs) || fail "$example does not build"
    LD_LIBRARY_PATH="$libdir" KNACK_DATA="$here/data" ./example >example.out || fail "$example fails"
    [ -s example.out ] || fail "$example prints nothing"
    case $example in
    # It has learned: from no point at all to half of them, which is the most against a player that makes no mistake.
    */own_game.c) cut -d' ' -f1 example.out | tr '\n' ' ' | grep -q '^0.000 .* 0.500 $' || { cat example.out; fail "$example learns nothing"; } ;;
    esac
done

# ---- Plug-ins, in the installed command ----
[ -x "$build/knack" ] || exit 0
knack="$here/root$prefix/bin/knack"
export KNACK_DATA="$here/data"
for plugin in "$source"/examples/plugins/*.c; do
    ${CC:-cc} -std=gnu17 -Wall -Wextra -Werror -shared -fPIC "$plugin" -o "$(basename "$plugin" .c).so" $(query --cflags) || fail "$plugin does not build"
done
"$knack" match drop 'greedy(eval=random-leaf)' random -n 2 --quiet --plugin drop.so --plugin greedy.so >plugin.out || { cat plugin.out; fail "the example plug-ins fail"; }
"$knack" --version >/dev/null || fail "the installed command does not run"
for file in man/man1/knack.1 man/man1/knack-train-td.1 bash-completion/completions/knack fish/vendor_completions.d/knack.fish zsh/site-functions/_knack knack/python/knack/__init__.py; do
    [ -s "root$prefix/share/$file" ] || fail "share/$file was not installed"
done
