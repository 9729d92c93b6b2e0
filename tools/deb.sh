#!/bin/sh
# tools/deb.sh BUILD FOLDER: Debian packages of a release build (configured with -DCMAKE_INSTALL_PREFIX=/usr and KNACK_REPRODUCIBLE):
#
#   knack          the command, its manual pages, completion for shells, and the manual
#   knack-mpi      the command on many machines, where the build had MPI
#   libknack0      the shared library
#   libknack-dev   headers, the static library, the pkg-config file
#   python3-knack  the Python module
#
# The same commit gives the same bytes: times are the commit's (SOURCE_DATE_EPOCH where there is no checkout). Whoever releases them says who they are in
# DEBFULLNAME and DEBEMAIL.
set -eu
cd "$(dirname "$0")/.."
build=$1 folder=$2
for command in dpkg-deb dpkg-shlibdeps dpkg-architecture gzip; do
    command -v $command >/dev/null || { echo "make deb needs $command (package dpkg-dev)" >&2; exit 1; }
done
version=$(sed -n 's/^project(knack VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
arch=$(dpkg-architecture -qDEB_HOST_ARCH)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH
maintainer="${DEBFULLNAME:-The Knack contributors} <${DEBEMAIL:-knack@localhost}>"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

DESTDIR="$work/all" cmake --install "$build" >/dev/null
libdir=$(dirname "$(cd "$work/all" && find . -name 'libknack.so.0')")
mkdir -p "$work/knack/usr" "$work/libknack0/$libdir" "$work/libknack-dev/$libdir" "$work/python3-knack/usr/lib/python3/dist-packages"
mv "$work/all/usr/bin" "$work/all/usr/share" "$work/knack/usr/"
mv "$work/knack/usr/share/knack/python/knack.py" "$work/python3-knack/usr/lib/python3/dist-packages/"
rmdir "$work/knack/usr/share/knack/python" "$work/knack/usr/share/knack"
packages='knack libknack0 libknack-dev python3-knack'
if [ -f "$work/knack/usr/bin/knack-mpi" ]; then
    packages="$packages knack-mpi"
    mkdir -p "$work/knack-mpi/usr/bin" "$work/knack-mpi/usr/share/man/man1"
    mv "$work/knack/usr/bin/knack-mpi" "$work/knack-mpi/usr/bin/"
    strip --strip-unneeded --remove-section=.comment --remove-section=.note "$work/knack-mpi/usr/bin/knack-mpi"
    cat >"$work/knack-mpi/usr/share/man/man1/knack-mpi.1" <<TEXT
.TH knack-mpi 1 "" "knack $version" "Knack"
.SH NAME
knack\-mpi \- knack on many processes and machines
.SH SYNOPSIS
.B mpirun \-n
.I N
.B knack\-mpi
.IR match | tournament | train | lab | tables
.RI [ ARGUMENT ...]
.SH DESCRIPTION
The same commands, options, output and files as those of
.BR knack (1),
on as many ranks as
.BR mpirun (1)
or srun starts; the results are the same bytes for any number of them. A rank that dies ends the job, and the same command goes on from what was stored.
.PP
/usr/share/doc/knack/manual/many\-machines.md in the package knack says what is shared out, what it costs, and how to use it with Slurm.
.SH SEE ALSO
.BR knack (1),
.BR mpirun (1)
TEXT
fi
mv "$work/all/$libdir"/libknack.so.* "$work/libknack0/$libdir"
mv "$work/all/$libdir"/* "$work/libknack-dev/$libdir"
mv "$work/all/usr/include" "$work/libknack-dev/usr/include"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$work/knack/usr/bin/knack" "$(readlink -f "$work/libknack0/$libdir/libknack.so.0")"
strip --strip-debug --enable-deterministic-archives "$work/libknack-dev/$libdir/libknack.a"

manual=$work/knack/usr/share/doc/knack/manual
find docs -name '*.md' | while read -r page; do
    mkdir -p "$manual/$(dirname "${page#docs/}")"
    cp "$page" "$manual/${page#docs/}"
done
cp README.md "$work/knack/usr/share/doc/knack/"
find "$work" -path '*/share/man/man1/*.1' -exec gzip -9n {} +

day=$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
for package in $packages; do
    doc=$work/$package/usr/share/doc/$package
    mkdir -p "$doc" "$work/$package/DEBIAN"
    {
        echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
        echo 'Upstream-Name: knack'
        echo
        echo 'Files: *'
        echo "Copyright: $(sed -n 's/^Copyright (c) //p' LICENSE)"
        echo 'License: Expat'
        sed -e '1,/^Copyright/d' LICENSE | sed -e '/./,$!d' -e 's/^$/./' -e 's/^/ /'
    } >"$doc/copyright"
    printf 'knack (%s) unstable; urgency=medium\n\n  * Release %s; see the manual and CHANGELOG.md of the source.\n\n -- %s  %s\n' \
        "$version" "$version" "$maintainer" "$day" | gzip -9n >"$doc/changelog.gz"
done
# What each package needs is read off its binaries.
mkdir -p "$work/debian"
printf 'Source: knack\n\nPackage: knack\nArchitecture: any\n' >"$work/debian/control"
needs() { (cd "$work" && dpkg-shlibdeps --ignore-missing-info -O "$@" 2>/dev/null | sed -n 's/^shlibs:Depends=//p'); }
library=$(find "$work/libknack0" -name 'libknack.so.0.*' -type f)
printf 'libknack 0 libknack0 (>= %s)\n' "$version" >"$work/libknack0/DEBIAN/shlibs"
printf 'activate-noawait ldconfig\n' >"$work/libknack0/DEBIAN/triggers"

# control PACKAGE SECTION DEPENDS SUMMARY, the rest of the description on stdin
control()
{
    {
        echo "Package: $1"
        echo 'Source: knack'
        echo "Version: $version"
        case $1 in python3-*) echo 'Architecture: all' ;; *) echo "Architecture: $arch" ;; esac
        echo "Maintainer: $maintainer"
        echo "Installed-Size: $(du -sk --apparent-size "$work/$1/usr" | cut -f1)"
        echo "Depends: $3"
        [ "$1" != knack ] || echo 'Recommends: gnuplot-nox'
        case $1 in lib*) echo 'Multi-Arch: same' ;; esac
        echo "Section: $2"
        echo 'Priority: optional'
        echo "Description: $4"
        sed 's/^/ /'
    } >"$work/$1/DEBIAN/control"
    (cd "$work/$1" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    find "$work/$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz --build "$work/$1" "$folder" >/dev/null
    ls "$folder/$1_${version}_"*.deb
}
mkdir -p "$folder"
control knack science "$(needs -e "$work/knack/usr/bin/knack")" 'workbench for programs that learn to play games' <<'TEXT'
Plays, matches and trains players of board games, matrix games and any game
whose rules are written in GDL; searches, solvers and published learning
methods that can be combined, in the terminal and on a page in the browser.
Every move can say why it was made.
TEXT
control libknack0 libs "$(needs -e "$library")" 'library of game-playing and learning methods' <<'TEXT'
Games, searches, learning methods and matches as a C library, with players
that are named by short texts and can explain their moves.
TEXT
control libknack-dev libdevel "libknack0 (= $version), libjansson-dev, libsqlite3-dev, liblmdb-dev, libmicrohttpd-dev, libzstd-dev" 'library of game-playing and learning methods - development files' <<'TEXT'
Headers, the static library and the pkg-config file for programs that use
libknack.
TEXT
control python3-knack python "python3:any, libknack0 (>= $version)" 'library of game-playing and learning methods - Python module' <<'TEXT'
Play, search, match, train and read results from Python, through the shared
library: a module of one file, without a build step.
TEXT
[ ! -d "$work/knack-mpi" ] || control knack-mpi science "$(needs -e "$work/knack-mpi/usr/bin/knack-mpi"), openmpi-bin" 'workbench for programs that learn to play games - many machines' <<'TEXT'
The same command under Open MPI: the work is handed out to as many processes,
on as many machines, as mpirun or srun starts, and comes out the same.
TEXT
