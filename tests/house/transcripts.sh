#!/bin/sh
# transcripts.sh SOURCE BUILD: what the manual shows as printed is what the program prints (tools/manual.py; --update there mends a page).
# Long ones are compared by `make manual`.
set -eu
[ -x "$2/knack" ] || { echo "skipped: there is no command"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }
exec python3 "$1/tools/manual.py" "$2"
