#!/bin/sh
# figures.sh SOURCE BUILD: the manual's figures show the results that travel with the program (docs/figures/shipped.txt).
set -eu
[ -x "$2/knack" ] || { echo "skipped: there is no command"; exit 77; }
exec sh "$1/tools/figures.sh" "$2"
