#!/bin/sh
# Lists the files of the site with their sizes, as they are and compressed as a web server sends them (gzip -9), in kB.
#
#   tools/site-size.sh FOLDER
set -eu
cd "$1"
find . -type f | LC_ALL=C sort | while read -r file; do
    printf '%s %s %s\n' "${file#./}" "$(wc -c <"$file")" "$(gzip -9 -c "$file" | wc -c)"
done | awk '{ printf "%-24s %7.0f kB  %6.0f kB compressed\n", $1, $2 / 1000, $3 / 1000; all += $2; packed += $3 }
    END { printf "%-24s %7.0f kB  %6.0f kB compressed\n", "together", all / 1000, packed / 1000 }'
