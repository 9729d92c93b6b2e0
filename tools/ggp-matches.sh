#!/bin/sh
# tools/ggp-matches.sh KNACK MATCHES CLOCK PLAYER [DESCRIPTION...]: whether the player on the network keeps its clocks and plays by the rules.
# Starts a `knack ggp --port 0 PLAYER` for each role, and runs so many matches at start and play clocks of so many seconds between
# them, spread evenly over the descriptions (files, or names of built-in ones; none given: all built-in ones), with scrambled names. Descriptions that
# cannot be played, or never end (200 steps), count by what was played. Prints a line a description, then the sums; fails if an answer was late (also by
# the clock itself), illegal, malformed or lost, or a START not ready. Records and logs stay in $OUT (default: a temporary folder).
# JOBS=n plays n matches at once, each between players of its own: that many copies of this script share the matches. SEED=n begins at other names.
set -eu
knack=$1 matches=$2 clock=$3 player=$4; shift 4
[ $# -gt 0 ] || set -- $(ls "$(dirname "$0")/../data/gdl" | sed -n 's/\.kif$//p')
out=${OUT:-$(mktemp -d)}; mkdir -p "$out"

# The sums over lines of descriptions (name matches aborted answers late illegal malformed lost unready over slowest start); fails if anything did.
sums() {
    awk '{ m += $2; ab += $3; a += $4; l += $5; i += $6; f += $7; c += $8; u += $9; o += $10; if ($11 > s) s = $11; if ($12 > t) t = $12 }
        END { printf "all: %d matches (%d aborted), %d answers: %d late, %d illegal, %d malformed, %d lost, %d unready, %d over; slowest %.3f s, START %.3f s\n", m, ab, a, l, i, f, c, u, o, s, t
              exit l + i + f + c + u + o > 0 || m == 0 }' "$@"
}

# Each copy begins with another description, so that the long games do not all come at once.
if [ "${JOBS:-1}" -gt 1 ]; then
    job=1 copies=''
    trap 'for pid in $copies; do kill "$pid" 2>/dev/null || true; done; wait' EXIT
    trap 'exit 130' INT TERM
    while [ $job -le "$JOBS" ]; do
        share=$(((matches * job) / JOBS - (matches * (job - 1)) / JOBS))
        OUT=$out/job$job SEED=$((${SEED:-0} + 1000 * job)) JOBS=1 "$0" "$knack" $share "$clock" "$player" "$@" &
        copies="$copies $!"
        turn=$(($# / JOBS))
        while [ $turn -gt 0 ]; do first=$1; shift; set -- "$@" "$first"; turn=$((turn - 1)); done
        job=$((job + 1))
    done
    for pid in $copies; do wait "$pid" || true; done
    copies=''
    sums "$out"/job*/lines
    exit
fi

players=''
trap 'for pid in $players; do kill "$pid" 2>/dev/null || true; done' EXIT
trap 'exit 130' INT TERM

# Addresses of so many players, started as they are first needed, each in a session of its own as on a machine of its own: Linux divides
# its time among sessions first, and many players in one would only keep each other waiting.
alone=$(command -v setsid || true)
addresses() {
    i=1
    while [ $i -le "$1" ]; do
        if [ ! -s "$out/player$i.at" ]; then
            $alone "$knack" ggp --port 0 --name "Knack$i" "$player" >"$out/player$i.at" 2>"$out/player$i.log" &
            players="$players $!"
            until [ -s "$out/player$i.at" ]; do sleep 0.05; done
        fi
        i=$((i + 1))
    done
}

rm -f "$out"/player*.at
: >"$out/lines"
number=0 descriptions=$#
for description in "$@"; do
    share=$(((matches * (number + 1)) / descriptions - (matches * number) / descriptions))
    number=$((number + 1))
    [ $share -gt 0 ] || continue
    roles=$("$knack" gdl show "$description" 2>/dev/null | sed -n 's/^roles *//p' | tr ' ' '\n' | grep -civ '^random$') || roles=0
    if [ "$roles" = 0 ]; then
        echo "$(basename "$description" .kif): cannot be played"
        continue
    fi
    addresses "$roles"
    where=$(i=1; while [ $i -le "$roles" ]; do sed -n 's/.* plays at \([^ ]*\) .*/\1/p' "$out/player$i.at"; i=$((i + 1)); done)
    "$knack" ggp-server "$description" $where --start "$clock" --play "$clock" --matches $share --rotate --scramble --plies 200 --seed $((${SEED:-0} + number)) \
        --log "$out/records" >"$out/server.out" 2>>"$out/server.log" || true
    # Columns of the table: player matches goal +- error answers late illegal malformed lost unready over slowest start
    awk -v name="$(basename "$description" .kif)" '
        /^match / { if (/ aborted after /) aborted++; done++ }
        /^127/ { answers += $6; late += $7; illegal += $8; malformed += $9; lost += $10; unready += $11; over += $12
                 if ($13 > slowest) slowest = $13; if ($14 > start) start = $14 }
        END { printf "%s %d %d %d %d %d %d %d %d %d %.3f %.3f\n", name, done, aborted, answers, late, illegal, malformed, lost, unready, over, slowest, start }
    ' "$out/server.out" | tee -a "$out/lines" | awk '{ printf "%-40s %4d matches (%d aborted) %6d answers, late %d illegal %d malformed %d lost %d unready %d over %d, slowest %.3f s, START %.3f s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 }'
done
sums "$out/lines"
