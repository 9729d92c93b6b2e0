#!/bin/sh
# The system packages and npm packages that Knack needs, in one place, and the means to get them.
#
#   tools/packages.sh missing SET...    prints the packages of these sets that are missing, one a line
#   tools/packages.sh check SET...      fails with a message that names them and the command that installs them
#   tools/packages.sh install SET...    installs them (apt-get, through sudo when not root); silent when none is missing
#
# A row marked optional may stay missing (Ubuntu has no package of Chromium; some clangs include their run-time libraries): a
# message names it, and the tests that need it are skipped by name.
#
# The npm packages go into node_modules, in the versions of package-lock.json. A build needs esbuild (Debian's package of that
# name serves as well) and uPlot; the others are for browser tests, which are skipped without them.
#
# Each probe asks the thing itself (a command, a pkg-config module, a header), never apt: that is quick, needs no network, and
# accepts what was installed by other means.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)

# set    Debian/Ubuntu package   probe                          whether it may be missing
needs='
build    gcc                command:cc
build    libc6-dev          header:stdio.h
build    cmake              command:cmake
build    ninja-build        command:ninja
build    pkg-config         command:pkg-config
build    libjansson-dev     module:jansson
build    libsqlite3-dev     module:sqlite3
build    liblmdb-dev        module:lmdb
build    libmicrohttpd-dev  module:libmicrohttpd
build    libxxhash-dev      module:libxxhash
build    libzstd-dev        module:libzstd
build    libedit-dev        module:libedit      optional
build    npm                command:npm         optional
build    -                  npm:esbuild
build    -                  npm:uplot
run      gnuplot-nox        command:gnuplot
test     libcmocka-dev      module:cmocka
test     libgsl-dev         module:gsl
test     lld                command:ld.lld      optional
test     nodejs             command:node        optional
test     python3            command:python3     optional
test     python3-numpy      python:numpy        optional
test     python3-matplotlib python:matplotlib   optional
test     chromium-headless-shell command:chromium-headless-shell optional
test     gnugo              command:/usr/games/gnugo      optional
test     grhino             command:/usr/games/gtp-rhino  optional
test     zsh                command:zsh         optional
test     fish               command:fish        optional
test     groff-base         command:groff       optional
test     mandoc             command:mandoc      optional
test     -                  npm:playwright-core optional
test     -                  npm:axe-core        optional
mpi      openmpi-bin        command:mpirun      optional
mpi      libopenmpi-dev     command:mpicc       optional
clang    clang              command:clang
clang    libclang-rt-dev    runtime:fuzzer      optional
format   clang-format       command:clang-format
analyse  clang-tidy         command:clang-tidy
analyse  cppcheck           command:cppcheck
analyse  mypy               command:mypy
test     clang-format       command:clang-format optional
valgrind valgrind           command:valgrind
firefox  firefox-esr        command:firefox-esr optional
site     emscripten         command:emcc
site     dpkg-dev           command:dpkg-source
deb      debhelper          command:dh
deb      dh-python          command:dh_python3
deb      dpkg-dev           command:dpkg-buildpackage
deb      fakeroot           command:fakeroot    optional
deb      lintian            command:lintian     optional
'

have_command() { command -v "$1" >/dev/null 2>&1; }

# Without pkg-config, ask dpkg for the package.
have_module()
{
    if have_command pkg-config; then pkg-config --exists "$1"
    else [ "$(dpkg-query -W -f '${db:Status-Status}' "$2" 2>/dev/null)" = installed ]; fi
}

# Debian's python3, beside another one that may come first in the path.
have_python() { python3 -c "import $1" 2>/dev/null || /usr/bin/python3 -c "import $1" 2>/dev/null; }

have_header() { have_command cc && echo "#include <$1>" | cc -E - >/dev/null 2>&1; }

# clang's run-time libraries come with clang on some releases and in a separate package on others.
have_runtime()
{
    have_command clang || return 1
    for file in "libclang_rt.$1-$(uname -m).a" "libclang_rt.$1.a"; do
        [ "$(clang -print-file-name="$file")" = "$file" ] || return 0
    done
    return 1
}

# Installed in the version that the lock file names (the line below the package's heading there).
have_npm()
{
    if [ "$1" = esbuild ] && have_command esbuild; then return 0; fi
    version=$(sed -n 's/^ *"version": "\(.*\)",*$/\1/p' "$top/node_modules/$1/package.json" 2>/dev/null | head -1)
    [ -n "$version" ] && [ "$version" = "$(sed -n "\\,\"node_modules/$1\": {,{n;s/.*\"version\": \"\(.*\)\".*/\1/p;q}" "$top/package-lock.json")" ]
}

missing()
{
    for set in "$@"; do
        echo "$needs" | while read -r of package probe optional; do
            [ "$of" = "$set" ] || continue
            "have_${probe%%:*}" "${probe#*:}" "$package" || case $probe in npm:*) echo "$probe" ;; *) echo "$package" ;; esac
        done
    done
}

fail() { echo "$*" >&2; exit 1; }

[ $# -ge 2 ] || fail "usage: tools/packages.sh missing|check|install SET... (sets: build run test mpi clang format valgrind firefox site deb)"
action=$1; shift
list=$(missing "$@" | sort -u | tr '\n' ' '); list=${list% }
of_npm=$(echo "$list" | tr ' ' '\n' | sed -n 's/^npm://p' | tr '\n' ' ')

# Splits a list of packages: those that may be missing, those that must not.
optional_of() { for package in $1; do ! echo "$needs" | grep -q " $package .* optional$" || echo "$package"; done | tr '\n' ' '; }
required_of() { for package in $1; do echo "$needs" | grep -q " $package .* optional$" || echo "$package"; done | tr '\n' ' '; }

# Those of a list that apt could install, by the package lists at hand.
known() { for package in $1; do ! apt-cache show "$package" 2>/dev/null | grep -q . || echo "$package"; done | tr '\n' ' '; }

# cannot WHY SHORT: fails, unless everything that is missing is optional.
cannot()
{
    [ -z "$must" ] || fail "knack: missing here: $list
$1"
    echo "knack: going on without $may($2)" >&2
}

install_debian()
{
    must=$(required_of "$list") may=$(optional_of "$list")
    have_command apt-get || { cannot "These are Debian's names, and this machine has no apt-get. Install them with its own package manager, then run make again." "no apt-get"; return; }
    if [ -z "$must" ]; then list=$(known "$may"); [ -n "$list" ] || return 0; fi
    if [ "$(id -u)" = 0 ]; then root=env
    elif have_command sudo && sudo -v; then root='sudo env'
    else cannot "Installing needs root, and sudo refused. Ask an administrator to run this, then run make again:
    apt-get update && apt-get install --no-install-recommends $list" "installing needs root"; return; fi
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    apt() { $root DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1 </dev/null; }
    echo "knack: installing $list" >&2
    apt update || { tail -n 5 "$log" >&2; echo "knack: the package lists could not be refreshed; trying with those at hand" >&2; }
    for package in $may; do
        [ -n "$(known "$package")" ] || echo "knack: there is no package $package here; going on without" >&2
    done
    list="$must$(known "$may")"; list=${list% }
    apt -y --no-install-recommends install $list || {
        tail -n 5 "$log" >&2
        cannot "The installation failed. Run make again when the cause is removed, or install by hand:
    apt-get install --no-install-recommends $list" "the installation failed"
    }
    left=$(required_of "$(missing "$@" | grep -v '^npm:')")
    [ -z "$left" ] || fail "knack: installed, but still not usable: $left"
}

# npm_failed WHY: fails when a build needs what is missing; tests in the browser are skipped otherwise.
npm_failed()
{
    needed=$(required_of_npm "$(missing "$@" | sed -n 's/^npm://p')")
    [ -z "$needed" ] || fail "knack: still missing from the npm registry: $needed
Run 'npm ci' in $top and see what it reports."
    echo "knack: going on without the tests in the browser (missing: ${of_npm% })" >&2
}

required_of_npm() { for package in $1; do echo "$needs" | grep -q " npm:$package *optional$" || echo "$package"; done | tr '\n' ' '; }

install_npm()
{
    # npm empties the folder that it installs into; a link leads to somebody else's.
    if have_command npm && [ ! -L "$top/node_modules" ]; then
        echo "knack: installing ${of_npm% } from the npm registry" >&2
        log=$(mktemp)
        (cd "$top" && npm ci --no-progress --fetch-retries=0) >"$log" 2>&1 </dev/null || tail -n 5 "$log" >&2
        rm -f "$log"
    fi
    [ -z "$(missing "$@" | grep '^npm:')" ] || npm_failed "$@"
}

case $action in
missing) [ -z "$list" ] || echo "$list" | tr ' ' '\n' ;;
check)
    list=$(required_of "$(echo "$list" | tr ' ' '\n' | { grep -v '^npm:' || true; })")
    of_npm=$(required_of_npm "$of_npm")
    [ -z "$list$of_npm" ] || fail "knack: missing here: $list$of_npm
'make setup' installs all of it.${list:+ By hand, as root: apt-get install $list}${of_npm:+ From the npm registry, in this folder: npm ci}" ;;
install)
    [ -n "$list" ] || exit 0
    list=$(echo "$list" | tr ' ' '\n' | { grep -v '^npm:' || true; } | tr '\n' ' '); list=${list% }
    if [ -n "$list" ]; then install_debian "$@"; fi
    if [ -n "$of_npm" ]; then install_npm "$@"; fi ;;
*) fail "tools/packages.sh: unknown action '$action' (missing, check, install)" ;;
esac
