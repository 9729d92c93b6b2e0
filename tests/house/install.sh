#!/bin/sh
# install.sh SOURCE BUILD: what `make install` puts down is enough to build a program through pkg-config, against the
# shared and the static library, and the program runs.
set -eu
build=$2
export DESTDIR="$PWD/root"
cmake --install "$build" >install.log 2>&1 || { cat install.log; exit 1; }

pc=$(find root -name knack.pc)
[ -n "$pc" ] || { echo "no knack.pc was installed"; exit 1; }
# The sysroot stands before the paths of knack.pc; its dependencies are the system's own.
export PKG_CONFIG_PATH="$PWD/$(dirname "$pc")"
prefix=$(sed -n 's/^prefix=//p' "$pc")
query() { pkg-config --define-variable=prefix="$PWD/root$prefix" "$@" knack; }

cat >program.c <<'END'
#include <inttypes.h>
#include <stdio.h>
#include <base/error.h>
#include <base/rng.h>

int main(void)
{
    KnError error;
    KnStatus status = kn_fail(&error, KN_INPUT, "column %d", 7);
    KnRng rng = {{1, 2, 3, 4}};
    printf("%d %s %" PRIu64 "\n", (int)status, error.text, kn_rng_next(&rng));
    return 0;
}
END
wanted='3 column 7 11520'
libdir=$(query --variable=libdir)
${CC:-cc} program.c -o shared $(query --cflags --libs)
got=$(LD_LIBRARY_PATH="$libdir" ./shared)
[ "$got" = "$wanted" ] || { echo "shared: '$got', wanted '$wanted'"; exit 1; }
LD_LIBRARY_PATH="$libdir" ldd ./shared | grep -q "$libdir/libknack.so" || { echo "the shared program does not use the installed library"; exit 1; }

# The static library, with the libraries that it needs in their usual shared form.
needs=$(query --print-requires-private | sed 's/ .*//')
${CC:-cc} program.c -o static $(query --cflags) -L"$libdir" -l:libknack.a $(pkg-config --libs $needs) -pthread -lm
got=$(./static)
[ "$got" = "$wanted" ] || { echo "static: '$got', wanted '$wanted'"; exit 1; }

# The examples build against what was installed, and run.
for example in "$1"/examples/*.c; do
    ${CC:-cc} -std=gnu17 -Wall -Wextra "$example" -o example $(query --cflags --libs) || { echo "$example does not build"; exit 1; }
    LD_LIBRARY_PATH="$libdir" ./example >example.out || { echo "$example fails"; exit 1; }
    [ -s example.out ] || { echo "$example prints nothing"; exit 1; }
    case $example in
    # It has learned: from no point at all to half of them, which is all that there is against a player that makes no mistake.
    */own_game.c) cut -d' ' -f1 example.out | tr '\n' ' ' | grep -q '^0.000 .* 0.500 $' || { echo "$example learns nothing:"; cat example.out; exit 1; } ;;
    esac
done
if [ -x "$build/knack" ]; then
    for plugin in "$1"/examples/plugins/*.c; do
        name=$(basename "$plugin" .c)
        ${CC:-cc} -std=gnu17 -Wall -Wextra -shared -fPIC "$plugin" -o "$name.so" $(query --cflags) || { echo "$plugin does not build"; exit 1; }
        "root$prefix/bin/knack" match "$name" 'alphabeta(depth=2)' random -n 2 --quiet --plugin "$name.so" >plugin.out || { echo "$plugin fails"; exit 1; }
    done
fi

# Every installed header stands on its own.
for header in $(cd "$(query --variable=includedir)/knack" && find . -name '*.h'); do
    echo "#include \"${header#./}\"" >one.c
    ${CC:-cc} -std=gnu17 -D_GNU_SOURCE -fsyntax-only $(query --cflags) one.c || { echo "$header cannot be included alone"; exit 1; }
done
if [ -x "$build/knack" ]; then
    "root$prefix/bin/knack" --version >/dev/null || { echo "the installed command does not run"; exit 1; }
    for file in man/man1/knack.1 man/man1/knack-train-td.1 bash-completion/completions/knack fish/vendor_completions.d/knack.fish zsh/site-functions/_knack knack/python/knack.py; do
        [ -s "root$prefix/share/$file" ] || { echo "share/$file was not installed"; exit 1; }
    done
fi
