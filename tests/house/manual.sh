#!/bin/sh
# manual.sh SOURCE BUILD [PAGE...]: every command in the manual (README.md, docs/) runs, in a scratch folder a page, in the order of the page.
#
# A command is a line of a code block that begins with knack, or with export, cc, cp, printf or python3 where that prepares one; `\` at its end joins the next. Before it runs, numbers that would
# take long are made small (see the stand-in for knack below): options and specs are what is tested, not how long it takes. Servers, which run until they are
# stopped, are only asked whether they know their options. So are the commands of a block below one of these lines, which are not shown to readers and give the reason:
#
#     <!-- commands: options only: REASON -->      the command line is parsed and nothing else
#     <!-- commands: not run: REASON -->           for lines that are no commands to be copied
#     <!-- commands: small: REASON -->             as every command here, but not with its own numbers by `make manual`
#
# `mpirun -n N knack-mpi` runs as knack. Of `make TARGET` the target must be there, of other programs of the sources the file; whatever else looks like a
# command of a shell needs one of these lines.
#
# A command may end with 0 or 1 (done, and the answer is no).
#
# With KNACK_MANUAL_FULL=FILE the commands run as they stand, each for two minutes of processor time at most, and FILE gets a line for
# each: page, exit code, seconds, command. This is a part of `make manual`.
#
# Besides: every game has its page in docs/games, which names all of its options, and every page is linked from the contents or from the pages of games.
set -u
source=$1 build=$2
shift 2
[ -x "$build/knack" ] || { echo "skipped: there is no command"; exit 77; }
mkdir -p work/bin
work=$(cd work && pwd)

cat >"$work/bin/knack" <<END
#!/bin/sh
real='$build/knack'
END
cat >>"$work/bin/knack" <<'END'
[ -n "${KNACK_MANUAL_FULL:-}" ] && [ "${KNACK_MANUAL:-run}" = run ] && case $1 in serve | ggp) ;; *) ulimit -t 120; exec timeout 900 "$real" "$@" ;; esac
small() { if [ "$1" -gt "$2" ] 2>/dev/null; then echo "$2"; else echo "$1"; fi; }
command=$1
case "$*" in # what runs until it is stopped, or takes minutes at any size
"serve"* | "tour"* | "ggp"* | "bench"* | "lab run"* | "gdl bench"* | *--all* | "capture --make"* | "capture --certify"* | "train "*morris*) KNACK_MANUAL=options ;;
"solve tictactoe"*) ;;
"solve"*) KNACK_MANUAL=options ;;
esac
left=$# last=
while [ "$left" -gt 0 ]; do
    arg=$1 left=$((left - 1))
    shift
    case $last in
    --games | -n | --against-games | --watch | --test | --make | --matches | --pieces) arg=$(small "$arg" 2) ;;
    --runs | --seeds | --depth | -d | --opponent | --shallow | -k | --extra) arg=$(small "$arg" 1) ;;
    --examples | --enrich) arg=$(small "$arg" 30) ;;
    --relief) arg=0 ;;
    --count | --plies | --moves | --expansions) arg=$(small "$arg" 10) ;;
    --trials) arg=$(small "$arg" 100) ;;
    --size | --patterns) arg=$(small "$arg" 5) ;;
    --ecology | --moran | --turns | --empties) arg=$(small "$arg" 5) ;;
    esac
    last=$arg
    case $arg in
    *=*) arg=$(printf %s "$arg" | sed -E 's/depth=([3-9]|[0-9]{2,})/depth=2/g; s/playouts=[0-9]{2,}/playouts=9/g; s/nodes=[0-9]{3,}/nodes=99/g; s/fit=[0-9]{2,}/fit=3/g; s/units=[0-9]{3,}/units=200/g; s/empties=[0-9]+/empties=4/g; s/[(]time=[0-9.]+/(time=0.02/g; s/--level [0-9]+/--level 1/g') ;;
    esac
    [ "$command" != perft ] || case $arg in [4-9] | [1-9][0-9]) arg=3 ;; esac
    set -- "$@" "$arg"
done
# Numbers that a command does not name have defaults for real work: small ones stand before those that it does name.
case "$1 ${2:-}" in
"train allocation") shift 2; set -- train allocation --examples 30 --relief 0 --enrich 20 --moves 6 --expansions 5 "$@" ;;
"train pace" | "train trust") command=$2; shift 2; set -- train "$command" --examples 30 --relief 0 --enrich 0 --moves 6 --least 5 "$@" ;;
"train td" | "train regress") method=$2; shift 2; set -- train "$method" --games 2 --depth 1 "$@" ;;
"train experience") shift 2; set -- train experience --games 2 --depth 1 --opponent 1 "$@" ;;
"train hoyle" | "train sequences") method=$2; shift 2; set -- train "$method" --watch 1 --test 1 "$@" ;;
"satisfice outcomes") shift 2; set -- satisfice outcomes --trials 100 "$@" ;;
"tournament dilemma"* | "tournament matrix"* | "tournament publicgoods"*) ;; # these have repetitions instead of games
"match "* | "tournament "*) shift; set -- "$command" --games 2 "$@" ;;
"play "*) shift; set -- play --plies 6 "$@" ;;
"capture "*) shift; set -- capture --nodes 200 "$@" ;;
esac
if [ "${KNACK_MANUAL:-run}" = options ]; then
    echo "$*" >>"$KNACK_MANUAL_ASKED"
    case " $* " in *" -- "*) exit 0 ;; esac
    set -- "$@" --describe=nothing
fi
exec timeout ${KNACK_MANUAL_TIMEOUT:-200} "$real" "$@"
END
chmod +x "$work/bin/knack"
PATH="$work/bin:$PATH"

# MODE and COMMAND, a line each.
commands()
{
    awk '
        /<!-- commands: options only: .* -->/ { mode = "options"; held = 1; next }
        /<!-- commands: not run: .* -->/ { mode = "not"; held = 1; next }
        /<!-- commands: small: .* -->/ { mode = "small"; held = 1; next }
        /^```/ { fenced = !fenced; if (!fenced) { mode = ""; held = 0 }; next }
        /^    / || fenced {
            line = $0
            sub(/^ +/, "", line); sub(/^\$ /, "", line); sub(/^build\/knack /, "knack ", line)
            sub(/^mpirun (-n [0-9]+ )?knack-mpi /, "knack ", line)
            if (joined != "") line = joined " " line
            joined = ""
            if (mode != "not" && line ~ /^(git|make|curl|mpirun|tail|npm|sbatch|srun|sudo|apt) |^(node )?(tools|examples|bench|build)\/|^[A-Z_]+=[^ ]* (build|knack)/) {
                sub(/^node /, "", line)
                split(line, word, " ")
                print (word[1] == "make" ? "make" : word[1] ~ /^(tools|examples|bench)\// ? "file" : "unknown") "\t" (word[1] == "make" ? word[2] : word[1] ~ /\// ? word[1] : line)
                next
            }
            if (line !~ /^(knack |export |cc |cp |python3 |printf |for .*knack )/) next
            if (line ~ /\\$/) { joined = substr(line, 1, length(line) - 1); next }
            gsub(/; *build\/knack /, "; knack ", line); gsub(/&& *build\/knack /, "\\&\\& knack ", line)
            print (mode == "" ? "run" : mode) "\t" line
            held = 0
            next
        }
        /^$/ { next }
        { joined = ""; if (!held) mode = ""; else if (!/^<!--/) { held = 0; mode = "" } }' "$1"
}

# What a page may take for granted: rules, problems, a game record, the plug-in, openings.
furnish()
{
    cp "$source/data/gdl/tictactoe.kif" rules.kif
    cp "$source"/examples/plugins/*.c "$source"/examples/*.c .
    cp "$source"/examples/*.py .
    mkdir -p pkg
    printf 'Name: knack\nDescription: -\nVersion: 0\nCflags: -I%s/include\nLibs: -L%s -lknack\n' "$source" "$build" >pkg/knack.pc
    head -2 "$source/data/embed/problems/captures.jsonl" >problems.jsonl
    printf '(;GM[1]FF[4]SZ[9]AB[ce][df][ee]AW[de]PL[B])\n' >game.sgf
}

run_page()
{
    page=$1 name=$(echo "$1" | tr / -)
    mkdir -p "$work/$name"
    cd "$work/$name" || exit 1
    furnish
    export KNACK_DATA="$PWD/data" PKG_CONFIG_PATH="$PWD/pkg" PYTHONPATH="$source/python" KNACK_MANUAL_ASKED="$PWD/asked" KNACK_LIBRARY="$build/libknack.so"
    commands "$source/$page" >commands
    {
        echo 'bad=0'
        while IFS="$(printf '\t')" read -r mode command; do
            case $mode in
            not) continue ;;
            make) grep -qE "^([a-z -]* )?$command( [a-z -]*)?:" "$source/Makefile" || echo "echo '$page: make has no $command' >&3; bad=1"; continue ;;
            file) [ -e "$source/$command" ] || echo "echo '$page: there is no $command' >&3; bad=1"; continue ;;
            unknown) printf 'cat >&3 <<"KNACK_END"\n%s: run it, or say above it why not: %s\nKNACK_END\nbad=1\n' "$page" "$command"; continue ;;
            esac
            case $command in
            *gnugo*) [ -x /usr/games/gnugo ] || mode=options ;;
            *rhino*) [ -x /usr/games/gtp-rhino ] || mode=options ;;
            python3*) command -v python3 >/dev/null || continue ;;
            esac
            printf 'export KNACK_MANUAL=%s\nbegin=$(date +%%s)\n{ %s\n} >out 2>&1 </dev/null\ncode=$?\n' "$mode" "$command"
            [ -z "${KNACK_MANUAL_FULL:-}" ] || printf 'printf "%%s\\t%%s\\t%%s\\t" %s $code $(($(date +%%s) - begin)) >>"$KNACK_MANUAL_FULL"; cat >>"$KNACK_MANUAL_FULL" <<"KNACK_END"\n%s\nKNACK_END\n' "$page" "$command"
            printf '[ $code -le 1 ] || { bad=1; cat >&3 <<"KNACK_END"\n%s: %s\nKNACK_END\n{ echo "exit $code:"; tail -5 out; } >&3; }\n' "$page" "$command"
        done <commands
        echo 'exit $bad'
    } >script
    (unset KNACK_PLUGINS; sh script 3>&1)
}

bad=0
if [ $# -eq 0 ]; then
    for game in $("$build/knack" games | awk '/^  [a-z]/ {print $1}'); do "$build/knack" games "$game"; done |
    awk '/^[a-z]/ {game = $1; print game; next} {print game, $1}' | while read -r game option; do
        page=$source/docs/games/$game.md
        if [ ! -f "$page" ]; then echo "docs/games/$game.md is missing"
        elif [ -n "$option" ]; then grep -q "^| .*\`$option\`" "$page" || echo "docs/games/$game.md does not tell of the option $option"; fi
    done >"$work/said"
    for page in "$source"/docs/*.md; do name=$(basename "$page"); [ "$name" = README.md ] || grep -q "($name)" "$source/docs/README.md" || echo "docs/README.md does not list $name"; done >>"$work/said"
    for page in "$source"/docs/measurements/*.md; do name=$(basename "$page"); grep -q "(measurements/$name)" "$source/docs/README.md" || echo "docs/README.md does not list measurements/$name"; done >>"$work/said"
    for page in "$source"/docs/games/*.md; do name=$(basename "$page"); [ "$name" = README.md ] || grep -q "($name)" "$source/docs/games/README.md" || echo "docs/games/README.md does not list $name"; done >>"$work/said"
    [ ! -s "$work/said" ] || { cat "$work/said"; bad=1; }
fi
[ $# -gt 0 ] || set -- $(cd "$source" && ls README.md docs/*.md docs/*/*.md)
pages=0
for page in "$@"; do
    (run_page "$page") || bad=1
    pages=$((pages + 1))
done
asked=$(cat "$work"/*/asked 2>/dev/null | wc -l)
cat "$work"/*/commands | awk -v pages="$pages" -v asked="$asked" -F '\t' '{n[$1]++} END {all = n["run"] + n["options"] + n["small"]
    printf "%d commands of %d pages: %d run, %d asked whether they know their options; %d lines are not for running\n", all, pages, all - asked, asked, n["not"]
    if (all < 100 && pages > 20) {print "hardly any command was found"; exit 1}}' || bad=1
exit $bad
