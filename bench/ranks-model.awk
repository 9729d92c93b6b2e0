#!/usr/bin/awk -f
# What many cores would do, from constants measured on one machine (bench/ranks.sh and the commands beside them): docs/many-machines.md shows
# the output. No command line: the constants are here, to be changed.
#
#   awk -f bench/ranks-model.awk
#
# A row of N tasks of about t seconds on n cores takes the longer of two: the work, where the last task ends half a task after the mean (and where
# there are few tasks, as many rounds as it takes); and what rank 0 does for each of them, N C. What happens one after the other is added.
function row(tasks, t, n,    work, home, rounds)
{
    rounds = int((tasks + n - 1) / n)
    work = rounds < 4 ? rounds * t : tasks * t / n + (n > 1 ? t / 2 : 0)
    home = n > 1 ? tasks * C : 0
    return work > home ? work : home
}

function span(s) { return s < 120 ? sprintf("%.0f s", s) : s < 7200 ? sprintf("%.1f min", s / 60) : s < 172800 ? sprintf("%.1f h", s / 3600) : sprintf("%.1f days", s / 86400) }

function choose(n, k,    r, i)
{
    r = 1
    for (i = 1; i <= k; i++) r = r * (n - k + i) / i
    return r
}

# Adds the slices of so many pieces with so many men to pair[], numbers of both slices together; returns how many pairs.
function wave(pieces, men,    a, b, k, l, count, numbers)
{
    count = 0
    for (a = 0; a <= men; a++) {
        b = men - a
        for (k = 0; k <= pieces - men; k++) {
            l = pieces - men - k
            if (a + k == 0 || b + l == 0 || a < b || (a == b && k < l)) continue
            numbers = choose(28, a) * choose(28, b) * choose(32, k) * choose(32, l)
            pair[count++] = (a == b && k == l) ? numbers : 2 * numbers
        }
    }
    return count
}

# The largest first, each to the worker that is free first. Threads of a worker share one pair.
function schedule(count, workers, threads,    i, j, best, t, free, last)
{
    for (i = 1; i < count; i++) {
        t = pair[i]
        for (j = i; j && pair[j - 1] < t; j--) pair[j] = pair[j - 1]
        pair[j] = t
    }
    last = 0
    for (i = 0; i < workers; i++) free[i] = 0
    for (i = 0; i < count; i++) {
        best = 0
        for (j = 1; j < workers && free[best] > 0; j++) if (free[j] < free[best]) best = j
        free[best] += pair[i] / RATE / threads
        if (free[best] > last) last = free[best]
    }
    return last
}

function tables(most, workers, threads,    pieces, men, total, count, i)
{
    total = 0
    numbers_of = largest = 0
    for (pieces = 2; pieces <= most; pieces++)
        for (men = 0; men <= pieces; men++) {
            count = wave(pieces, men)
            for (i = 0; i < count; i++) { numbers_of += pair[i]; if (pair[i] > largest) largest = pair[i] }
            total += schedule(count, workers, threads)
        }
    return total
}

function table2(n,    t)
{
    t = row(EXAMPLE_GAMES, EXAMPLE_GAME, n) + LEARN
    return t + ROWS * row(10000, ROW_GAME, n)
}

BEGIN {
    # Measured, in seconds of one core; docs/many-machines.md has the commands.
    C = 30e-6                                    # rank 0: a task given away and taken back
    ROWS = 8; ROW_GAME = 0.003                   # games of Table 2: 1.3 ms (never) to 4.8 ms (always)
    EXAMPLE_GAMES = 10000; EXAMPLE_GAME = 0.0206 # 610,000 examples, some 60 a game, .34 ms each
    LEARN = 10                                   # RELIEF, trees and patterns, on rank 0 alone
    GAME13 = 4.9
    RATE = 4.0e6                                 # numbers of a pair finished in a second
    split("1 2 64 1000", cores, " ")
    printf "%-36s", "cores"
    for (i = 1; i <= 4; i++) printf "%12d", cores[i]
    printf "\n%-36s", "Table 2, paper scale"
    for (i = 1; i <= 4; i++) printf "%12s", span(table2(cores[i]))
    printf "\n%-36s", "  efficiency"
    for (i = 1; i <= 4; i++) printf "%11.0f%%", 100 * table2(1) / cores[i] / table2(cores[i])
    printf "\n%-36s", "13 plies, 8,000 games, one learner"
    for (i = 1; i <= 4; i++) printf "%12s", span(8000 * GAME13)
    printf "\n%-36s", "  in batches of 64"
    for (i = 1; i <= 4; i++) printf "%12s", span(8000 / 64 * row(64, GAME13, cores[i]))
    printf "\n%-36s", "  64 learners"
    for (i = 1; i <= 4; i++) printf "%12s", span(row(64, 8000 * GAME13, cores[i]))
    printf "\n%-36s", "  a match of 288 games"
    for (i = 1; i <= 4; i++) printf "%12s", span(row(288, GAME13, cores[i]))
    for (most = 6; most <= 8; most += 2) {
        printf "\n%-36s", most " pieces, ranks of 1 thread"
        for (i = 1; i <= 4; i++) printf "%12s", span(tables(most, cores[i], 1))
        printf "\n%-36s", "  ranks of 16 threads"
        for (i = 1; i <= 4; i++) printf "%12s", cores[i] < 16 ? "-" : span(tables(most, int(cores[i] / 16), 16))
        told = told sprintf("\n%d pieces: %.1e numbers in all, %.1f GB for the largest pair at two bytes each", most, numbers_of, largest * 2 / 1e9)
    }
    print "\n" told
}
