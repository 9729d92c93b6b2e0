#!/bin/sh
# rooms.sh SOURCE BUILD: a room includes headers of its own and of the rooms above it, never of one below (HACKING.md).
set -eu
cd "$1/src"
rooms='base games formats search learn players engines arena lab servers web cli'
rank() { echo "$rooms" | tr ' ' '\n' | grep -nx "$1" | cut -d: -f1; }
bad=0
for room in */; do
    room=${room%/}
    [ -n "$(rank "$room")" ] || { echo "src/$room is no room of the house (known: $rooms)"; bad=1; continue; }
    for used in $(grep -rhoE '^[ \t]*#[ \t]*include[ \t]*"[^"]+"' --include='*.[ch]' "$room" | sed -E 's/.*"([^"]+)"/\1/; s,/.*,,' | sort -u); do
        its=$(rank "$used")
        if [ -n "$its" ] && [ "$its" -gt "$(rank "$room")" ]; then
            echo "src/$room includes from src/$used, which lies below it:"
            grep -rnE "include[ \t]*\"$used/" --include='*.[ch]' "$room"
            bad=1
        fi
    done
done
exit $bad
