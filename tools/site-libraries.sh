#!/bin/sh
# The libraries of the site (docs/site.md) for WebAssembly, built from Debian's source packages: jansson and zstd; of xxHash the
# header is enough.
#
#   tools/site-libraries.sh FOLDER      makes FOLDER/include and FOLDER/lib; silent when they are there
#
# The sources come through apt-get with a list of source packages of its own, made from this machine's lists, in FOLDER: the
# system's lists stay as they are, and nothing is installed. KNACK_SITE_SOURCES names a folder with the unpacked sources jansson and
# libzstd instead, for machines without a network.
set -eu
[ $# = 1 ] || { echo "usage: tools/site-libraries.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
into=$(cd "$1" && pwd)
log=$into/log.txt
[ -f "$into/done" ] && exit 0

fail() { tail -n 20 "$log" >&2; echo "knack: $*; $log says more" >&2; exit 1; }

# The lists of binary packages, as lists of source packages: the one-line form and the deb822 form.
source_lists()
{
    mkdir -p "$into/apt/parts" "$into/apt/lists/partial" "$into/apt/cache/archives/partial"
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb /deb-src /p' >"$into/apt/parts/lines.list"
    for list in /etc/apt/sources.list.d/*.sources; do
        [ -f "$list" ] && sed 's/^Types:.*/Types: deb-src/' "$list" >"$into/apt/parts/$(basename "$list")"
    done
    cat >"$into/apt/apt.conf" <<END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$into/apt/parts";
Dir::State::lists "$into/apt/lists";
Dir::Cache "$into/apt/cache";
APT::Sandbox::User "$(id -un)";
END
    export APT_CONFIG="$into/apt/apt.conf"
}

fetch()
{
    source_lists
    { apt-get -q update && (cd "$into/apt" && apt-get -q --download-only source jansson libzstd); } >>"$log" 2>&1 ||
        fail "the source packages jansson and libzstd could not be fetched"
    for package in jansson libzstd; do
        rm -rf "$sources/$package"
        dpkg-source --no-check -x "$into/apt/$package"_*.dsc "$sources/$package" >>"$log" 2>&1 || fail "$package could not be unpacked"
    done
}

# make_library NAME FOLDER OPTION...: configures and installs
make_library()
{
    name=$1 folder=$2
    shift 2
    { emcmake cmake -S "$folder" -B "$into/build-$name" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$into" "$@" &&
        ninja -C "$into/build-$name" install; } >>"$log" 2>&1 || fail "$name could not be built"
}

: >"$log"
echo "knack: building jansson and zstd for WebAssembly" >&2
sources=${KNACK_SITE_SOURCES:-$into/source}
if [ -z "${KNACK_SITE_SOURCES:-}" ]; then mkdir -p "$sources"; fetch; fi
make_library jansson "$sources/jansson" -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
make_library zstd "$sources/libzstd/build/cmake" -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF -DZSTD_MULTITHREAD_SUPPORT=OFF -DZSTD_LEGACY_SUPPORT=OFF
header=$(pkg-config --variable=includedir libxxhash)/xxhash.h
cp "$header" "$into/include/" || fail "the header of xxHash is missing at $header"
touch "$into/done"
