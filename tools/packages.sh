#!/bin/sh
# What Knack needs from the system, in one place, and the means to get it.
#
#   tools/packages.sh missing SET...    prints the packages of these sets that are missing, one a line
#   tools/packages.sh check SET...      fails with a message that names them and says what to run
#   tools/packages.sh install SET...    installs them (apt-get, through sudo when not root); silent when none is missing
#
# What a row calls optional is left out, with a word about it, where it cannot be had (Ubuntu has no chromium package; some
# clangs carry their run-time libraries themselves): what needs it is then skipped, by name.
#
# The page's own packages come from the npm registry into node_modules, as package-lock.json says. Without them the build still
# works (tables stand in for charts, tests in the browser are skipped), so that failing to get them is only a warning.
#
# Whether something is there is asked of the thing itself (a command, a pkg-config module, a header), never of apt: that
# is quick, needs no network, and honours what was installed by other means.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)

# set    Debian/Ubuntu package   how to see that it is there    whether it may be missing
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
run      gnuplot-nox        command:gnuplot
run      npm                command:npm         optional
run      -                  npm:uplot
test     libcmocka-dev      module:cmocka
test     libgsl-dev         module:gsl
test     nodejs             command:node        optional
test     python3            command:python3     optional
test     chromium           command:chromium    optional
test     gnugo              command:/usr/games/gnugo      optional
test     grhino             command:/usr/games/gtp-rhino  optional
test     zsh                command:zsh         optional
test     fish               command:fish        optional
test     groff-base         command:groff       optional
test     mandoc             command:mandoc      optional
test     -                  npm:playwright-core
test     -                  npm:axe-core
mpi      openmpi-bin        command:mpirun      optional
mpi      libopenmpi-dev     command:mpicc       optional
clang    clang              command:clang
clang    libclang-rt-dev    runtime:fuzzer      optional
format   clang-format       command:clang-format
valgrind valgrind           command:valgrind
'

have_command() { command -v "$1" >/dev/null 2>&1; }

# Without pkg-config nothing can be asked of it; then the package itself is looked for.
have_module()
{
    if have_command pkg-config; then pkg-config --exists "$1"
    else [ "$(dpkg-query -W -f '${db:Status-Status}' "$2" 2>/dev/null)" = installed ]; fi
}

have_header() { have_command cc && echo "#include <$1>" | cc -E - >/dev/null 2>&1; }

# clang's run-time libraries come with clang on some releases and in a package of their own on others.
have_runtime()
{
    have_command clang || return 1
    for file in "libclang_rt.$1-$(uname -m).a" "libclang_rt.$1.a"; do
        [ "$(clang -print-file-name="$file")" = "$file" ] || return 0
    done
    return 1
}

# There in the version that the lock file wants (every package's version stands below its own heading there).
have_npm()
{
    there=$(sed -n 's/^ *"version": "\(.*\)",*$/\1/p' "$top/node_modules/$1/package.json" 2>/dev/null | head -1)
    [ -n "$there" ] && [ "$there" = "$(sed -n "\\,\"node_modules/$1\": {,{n;s/.*\"version\": \"\(.*\)\".*/\1/p;q}" "$top/package-lock.json")" ]
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

[ $# -ge 2 ] || fail "usage: tools/packages.sh missing|check|install SET... (sets: build run test mpi clang format valgrind)"
action=$1; shift
list=$(missing "$@" | sort -u | tr '\n' ' '); list=${list% }
of_npm=$(echo "$list" | tr ' ' '\n' | sed -n 's/^npm://p' | tr '\n' ' ')

# Splits a list of packages: those that may be missing, those that must not.
optional_of() { for package in $1; do ! echo "$needs" | grep -q " $package .* optional$" || echo "$package"; done | tr '\n' ' '; }
required_of() { for package in $1; do echo "$needs" | grep -q " $package .* optional$" || echo "$package"; done | tr '\n' ' '; }

# Those of a list that apt could install, by what it knows without asking the network.
known() { for package in $1; do ! apt-cache show "$package" 2>/dev/null | grep -q . || echo "$package"; done | tr '\n' ' '; }

# cannot WHY: the end, unless all that is missing may be missing.
cannot()
{
    [ -z "$must" ] || fail "knack: missing here: $list
$1"
    echo "knack: going on without $may($2)" >&2
}

install_debian()
{
    must=$(required_of "$list") may=$(optional_of "$list")
    have_command apt-get || { cannot "These are Debian's names. There is no apt-get on this machine: install them by its own means, then run make again." "no apt-get"; return; }
    # What apt does not have is no news once the lists are there.
    if [ -z "$must" ]; then list=$(known "$may"); [ -n "$list" ] || return 0; fi
    if [ "$(id -u)" = 0 ]; then root=env
    elif have_command sudo && sudo -v; then root='sudo env'
    else cannot "Installing needs root, and sudo did not give it. Ask an administrator to run, then run make again:
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
        cannot "The installation failed. When the cause is put right, run make again, or install by hand:
    apt-get install --no-install-recommends $list" "the installation failed"
    }
    left=$(required_of "$(missing "$@" | grep -v '^npm:')")
    [ -z "$left" ] || fail "knack: installed, but still not usable: $left"
}

install_npm()
{
    have_command npm || return 0
    # npm empties what it installs into: a link leads to somebody else's.
    if [ -L "$top/node_modules" ]; then echo "knack: node_modules is a link, which is left as it is; ${of_npm% } would be wanted there" >&2; return 0; fi
    echo "knack: installing ${of_npm% } from the npm registry" >&2
    log=$(mktemp)
    (cd "$top" && npm ci --no-progress --fetch-retries=0) >"$log" 2>&1 </dev/null || {
        tail -n 5 "$log" >&2
        echo "knack: that failed ('npm ci' shows how); going on with tables for charts, and without tests in the browser" >&2
    }
    rm -f "$log"
}

case $action in
missing) [ -z "$list" ] || echo "$list" | tr ' ' '\n' ;;
check) [ -z "$list" ] || fail "knack: missing here: $list
Install with: apt-get install $list   (as root; 'make setup' does it)" ;;
install)
    [ -n "$list" ] || exit 0
    list=$(echo "$list" | tr ' ' '\n' | { grep -v '^npm:' || true; } | tr '\n' ' '); list=${list% }
    if [ -n "$list" ]; then install_debian "$@"; fi
    if [ -n "$of_npm" ]; then install_npm; fi ;;
*) fail "tools/packages.sh: unknown action '$action' (missing, check, install)" ;;
esac
