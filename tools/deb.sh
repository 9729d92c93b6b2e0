#!/bin/sh
# tools/deb.sh FOLDER: the Debian packages of the committed tree (debian/ describes them), built by debhelper below FOLDER/deb and put into FOLDER.
# The same commit gives the same bytes: times are the commit's. DEBFULLNAME and DEBEMAIL name the maintainer of a release.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(knack VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct)}"
export SOURCE_DATE_EPOCH
rm -rf "$folder/deb"
mkdir -p "$folder/deb/knack-$version"
git archive HEAD | tar -x -C "$folder/deb/knack-$version"
[ ! -d node_modules ] || ln -s "$PWD/node_modules" "$folder/deb/knack-$version/node_modules"
cd "$folder/deb/knack-$version"
[ -z "${DEBEMAIL:-}" ] || sed -i "s/The Knack maintainers <knack@localhost>/${DEBFULLNAME:-The Knack maintainers} <$DEBEMAIL>/" debian/control debian/changelog
DEB_BUILD_OPTIONS="parallel=${JOBS:-2}" dpkg-buildpackage -b -d -uc -us >../build.log 2>&1 || { tail -n 30 ../build.log >&2; exit 1; }
mv ../*.deb "$folder"
ls "$folder"/*.deb
