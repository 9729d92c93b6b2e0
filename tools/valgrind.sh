#!/bin/sh
# tools/valgrind.sh BUILD: the main uses of the command under valgrind, each in a small form: no invalid access, nothing uninitialised that decides
# anything, nothing lost. Some minutes. Experience bases are left out: LMDB maps more memory than valgrind allows (the address sanitizer sees them).
set -eu
knack=$(cd "$1" && pwd)/knack
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export KNACK_DATA="$work/data"
failed=0 count=0

# check WORDS...: a command that must end with 0, or with 1 (a negative answer). It reads what `input` holds.
input=
check()
{
    count=$((count + 1))
    status=0
    timeout 300 valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect --trace-children=no --log-file=valgrind.log \
        "$knack" "$@" >out.txt 2>err.txt <<TEXT || status=$?
$input
TEXT
    if [ $status -le 1 ]; then echo "[  PASSED  ] knack $*"
    else echo "[  FAILED  ] knack $* (exit code $status)"; head -n 30 valgrind.log err.txt; failed=$((failed + 1)); fi
}

check games
check players
check methods
check perft checkers 4
check perft 'go(size=5)' 2
check explain checkers start 'alphabeta(depth=4)'
check explain 'othello(size=6)' start 'uct(playouts=50)'
check explain 'gdl:connectfour' start 'general(playouts=20)'
check match tictactoe random 'alphabeta(depth=3)' -n 20 --quiet --name some
check tournament tictactoe random 'minimax(depth=2)' 'uct(playouts=10)' -n 2 --quiet
check runs list
check runs export some --format csv
check solve tictactoe
check train td tictactoe --depth 1 --games 4 --quiet --out td.json
check train allocation tictactoe -k 1 -n 1 --examples 60 --enrich 60 --relief 20 --quiet --out policy.json
check train sequences 'tictactoe(lose)' --watch 1 --quiet --out sequences.json
check train hoyle tictactoe --watch 1 --test 2 --quiet --out hoyle.json
check tables build checkers --pieces 2 --quiet --folder tables
check tables probe checkers 'W:WK10:BK1' --folder tables
check gdl check "$source/data/gdl/tictactoe.kif"
check satisfice outcomes --trials 20
check lab run satisficing.fig2 --scale quick --quiet
check openings tictactoe --count 4 --plies 2 --depth 1
check match 'dilemma(turns=10)' TitForTat QLearning -n 4 --quiet --no-store
check lab run satisficing.extensions --scale quick --quiet
check lab run widening.fives --scale quick --quiet
head -n 2 "$source/data/embed/problems/captures.jsonl" >two.jsonl
check capture --nodes 300 two.jsonl
check man match
check complete bash
input='boardsize 5
clear_board
play b c3
genmove w
showboard
quit' check gtp 'go(size=5)' 'uct(playouts=10)'
input='nboard 2
set game (;GM[Othello]PC[x]DT[now]PB[]PW[]RE[?]TI[10]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)
go
quit' check nboard 'alphabeta(depth=2)'
input='position moves a1
go
quit' check pipe tictactoe 'alphabeta(depth=3)'
input='a1
undo
quit' check play tictactoe
check --version
echo "$count uses, $failed failed"
[ $failed = 0 ]
