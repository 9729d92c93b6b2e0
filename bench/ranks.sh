#!/bin/bash
# What ranks cost and gain on this machine: the same work by `knack` with one thread and by knack-mpi on 1, 2 and 4 ranks of one thread.
#
#   bench/ranks.sh BUILD [ROUNDS [GAMES]]
#
# Rounds are interleaved, and medians shown. The start of MPI, measured by itself, is taken off. `by wall`: the wall time of one rank over N times that of
# N; it means something on a machine with N cores that has nothing else to do. `by cpu`: the processor time of `knack` over that of all ranks together: what is
# left after the cost of messages and of looking for them. On a busy machine that cost is overstated, since one looks for messages all the while. Both are to be
# compared with the row `two at once`: two `knack` that know nothing of each other, each with all the work of one. What these lose to one alone is the machine's affair (cores
# that share caches, memory or more), and no way to share work out can avoid it.
set -eu
build=$(cd "${1:?usage: bench/ranks.sh BUILD [ROUNDS [GAMES]]}" && pwd)
rounds=${2:-3} games=${3:-300}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
TIMEFORMAT='%R %U %S'

# run RANKS NAME WORDS...: 0 ranks is `knack`. Leaves "wall cpu-of-busiest cpu-of-all" as a line of NAME.
run()
{
    local ranks=$1 name=$2
    shift 2
    rm -f cpu.*
    if [ "$ranks" = 0 ]; then
        { time "$build/knack" "$@" >out 2>err; } 2>cpu.0
        cp cpu.0 wall
    else
        { time mpirun --oversubscribe --bind-to none -n "$ranks" bash -c \
            'TIMEFORMAT="%R %U %S"; { time "$@" >"out.$OMPI_COMM_WORLD_RANK" 2>"err.$OMPI_COMM_WORLD_RANK"; } 2>"cpu.$OMPI_COMM_WORLD_RANK"' \
            rank "$build/knack-mpi" "$@"; } 2>wall
        cp out.0 out
    fi
    echo "$(tail -1 wall | cut -d' ' -f1) $(cat cpu.* | awk '{c = $2 + $3; t += c; if (c > m) m = c} END {print m, t}')" >>"$name"
}

# together NAME WORDS...: two `knack` at once, as a line of NAME.
together()
{
    local name=$1
    shift
    { time {
        # Each in a shell of its own: one shell that waits for both would count the time of one with the other's.
        for i in 0 1; do ({ time "$build/knack" "$@" >"out.$i" 2>err; } 2>"cpu.$i") & done
        wait
    }; } 2>wall
    echo "$(tail -1 wall | cut -d' ' -f1) $(cat cpu.0 cpu.1 | awk '{c = $2 + $3; t += c; if (c > m) m = c} END {print m, t}')" >>"$name"
}

# median NAME FIELD
median() { awk -v f="$2" '{print $f}' "$1" | sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

long=(match checkers 'alphabeta(depth=6, eval=material)' 'alphabeta(depth=6, eval=material)' -n "$games" --random-plies 4 --plies 100 --jobs 1 --no-store --quiet)
short=(match tictactoe random random -n 60000 --jobs 1 --no-store --quiet)
for ((round = 0; round < rounds; round++)); do
    together pair "${long[@]}"
    for ranks in 0 1 2 4; do
        [ $ranks = 0 ] || run $ranks start.$ranks --version
        run $ranks long.$ranks "${long[@]}"; grep digest out >>digests.long
        run $ranks short.$ranks "${short[@]}"; grep digest out >>digests.short
    done
done
[ "$(sort -u digests.long | wc -l) $(sort -u digests.short | wc -l)" = "1 1" ] || { echo "digests differ" >&2; exit 1; }

one=$(median long.0 2)
echo "match: ${long[*]}"
echo "$rounds rounds; a game takes $(awk "BEGIN {printf \"%.1f\", 1000 * $one / $games}") ms; digests are equal"
printf '%-8s %10s %14s %10s %10s\n' ranks 'wall, s' 'all ranks, s' 'by wall' 'by cpu'
start_wall=$(median start.1 1)
alone=$(median long.1 1)
for ranks in 0 1 2 4; do
    wall=$(median long.$ranks 1) all=$(median long.$ranks 3) start=0 begun=0
    [ $ranks = 0 ] || { start=$(median start.$ranks 3); begun=$(median start.$ranks 1); }
    awk -v r=$ranks -v w="$wall" -v b="$begun" -v t="$all" -v s="$start" -v one="$one" -v alone="$alone" -v sw="$start_wall" \
        'BEGIN {n = r ? r : 1; printf "%-8s %10.2f %14.2f %9s%% %9.0f%%\n", r ? r : "knack", w - b, t - s, r ? sprintf("%.0f", 100 * (alone - sw) / n / (w - b)) : "-", 100 * one / (t - s)}'
done
awk -v w="$(median pair 1)" -v t="$(median pair 3)" -v one="$one" -v alone="$(median long.0 1)" \
    'BEGIN {printf "%-8s %7.2f %14.2f %9.0f%% %9.0f%%   (twice the work)\n", "two at once", w, t, 100 * alone / w, 200 * one / t}'
echo
echo "match: ${short[*]}"
awk -v one="$(median short.0 3)" -v two="$(median short.2 3)" -v start="$(median start.2 3)" \
    'BEGIN {printf "a game by itself %.1f us; on 2 ranks %.1f us of both: a game that is given away and comes back costs %.1f us more\n", 1e6 * one / 60000, 1e6 * (two - start) / 60000, 2e6 * (two - start - one) / 60000}'
echo "start of MPI: $(median start.2 2) s of processor time a rank"
