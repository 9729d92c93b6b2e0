#!/bin/sh
# shells.sh SOURCE BUILD: the manual pages and the completion for shells, which are made from the tables of --help, cover every command and every option that
# --help lists; the pages are clean to groff and mandoc, fish can read its completion, and bash and zsh complete with theirs. Which of these are missing is told.
set -eu
[ -x "$2/knack" ] || { echo "skipped: there is no command"; exit 77; }
PATH="$2:$PATH"
export ARGP_HELP_FMT=rmargin=200
for program in groff mandoc bash zsh fish; do command -v $program >/dev/null || echo "left out: $program is not installed ('make test' installs it)"; done
bad=0
complain() { echo "$1"; bad=1; }

knack man --all pages
knack complete bash >knack.bash
knack complete fish >knack.fish
knack complete zsh >_knack
knack --help | sed -n 's/^  \([a-z][a-z-]*\)  *.*/\1/p' >commands
for command in train lab satisfice; do knack $command --help | sed -n "s/^  \([a-z]*\)  .*/$command \1/p"; done >>commands
[ "$(wc -l <commands)" -gt 35 ] || complain "hardly any command was found"

# What --help lists, against the pages, the rows of bash and the lines of fish: "COMMAND: --OPTION", a line each.
while read -r command; do
    echo "@$command"
    case $command in train | lab | satisfice) ;; *) knack $command --help ;; esac
done <commands >help
awk '/^@/ {command = substr($0, 2); next}
     match($0, /^ ? ? ? ? ? ?(-[a-zA-Z?], )?--[a-z0-9-]+/) {word = substr($0, 1, RLENGTH); sub(/.*--/, "--", word); print command ": " word}' help | sort -u >of_help
[ "$(wc -l <of_help)" -gt 400 ] || complain "hardly any option was found"
for page in pages/*.1; do [ "$page" = pages/knack.1 ] || echo "$page"; done | sed 's/.*knack-//; s/\.1$//' | sort >of_pages
sed 's/ /-/' commands | sort | diff - of_pages || complain "there are other pages than commands"
awk '/^\.TH / {command = $2; sub(/^knack-?/, "", command); sub(/^train-/, "train ", command); sub(/^lab-/, "lab ", command); sub(/^satisfice-/, "satisfice ", command)}
     /^\\fB\\-/ {word = $0; gsub(/\\f[BIR]/, "", word); gsub(/\\-/, "-", word); sub(/^-., /, "", word); sub(/[=[].*/, "", word); sub(/^-.*, /, "", word); print command ": " word}' pages/*.1 | sort -u >of_man
awk -v q="'" '$0 ~ "^    " q "[^" q "]*" q "\\) words=" {split($0, part, q); n = split(part[4], word, " "); for (i = 1; i <= n; i++) if (word[i] ~ /^--/) {sub(/=$/, "", word[i]); print part[2] ": " word[i]}}' knack.bash | sort -u >of_bash
sed -n "s/^complete -c knack -n '__knack_at \([^']*\)'.* -l \([a-z0-9-]*\).*/\1: --\2/p" knack.fish | sort -u >of_fish
awk -v q="'" '$0 ~ "^    " q "[^" q "]*" q "\\)$" {split($0, part, q); command = part[2]; next}
     /^        (flags|valued)=\(/ {n = split($0, word, " " q); for (i = 2; i <= n; i++) if (word[i] ~ /^--/) {sub(/=?:.*/, "", word[i]); print command ": " word[i]}}' _knack | sort -u >of_zsh
diff of_help of_man >said || { complain "the pages have other options than --help:"; cat said; }
diff of_help of_bash >said || { complain "bash knows other options than --help:"; cat said; }
diff of_help of_zsh >said || { complain "zsh knows other options than --help:"; cat said; }
grep -v -e ': --help$' -e ': --usage$' of_help | diff - of_fish >said || { complain "fish knows other options than --help:"; cat said; }
without=$(grep -L '^\.SH EXAMPLES' pages/*.1 | grep -vx -e pages/knack.1 -e 'pages/knack-\(train\|lab\|satisfice\|games\|players\|methods\|lab-list\).1' || true)
[ -z "$without" ] || complain "no examples: $without"

if command -v groff >/dev/null; then
    LC_ALL=C.UTF-8 groff -man -Tutf8 -ww -z pages/*.1 >said 2>&1 || true
    [ ! -s said ] || { complain "groff:"; cat said; }
fi
if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wwarning pages/*.1 | grep -v 'missing date' >said || true
    [ ! -s said ] || { complain "mandoc:"; cat said; }
fi
if command -v fish >/dev/null; then fish -n knack.fish || complain "fish cannot read its completion"; fi

# asked SHELL WORDS...: what a shell whose completion can be run without a person offers for the last of the words.
asked() { shell=$1; shift; case $shell in bash) bash ask.bash "$@" ;; zsh) zsh -f ask.zsh "$@" ;; esac 2>said; }
wants() { shell=$1 wanted=$2; shift 2; asked "$shell" "$@" | grep -qx -e "$wanted" || { complain "$shell does not complete '$*' to $wanted"; cat said; }; }
# What every shell must know, and of a file name of its own where a file is wanted.
completes() {
    file=$2
    wants "$1" match knack ma
    wants "$1" othello knack match oth
    wants "$1" alphabeta knack match othello alph
    wants "$1" --random-plies= knack match othello random uct --ran
    wants "$1" td knack train t
    wants "$1" --lambda= knack train td checkers --lam
    wants "$1" --show knack train td checkers --sh
    wants "$1" --scale= knack lab run fig2 --sc
    wants "$1" --svg= knack satisfice map --sv
    wants "$1" export knack runs ex
    wants "$1" fish knack complete f
    wants "$1" zsh knack complete z
    wants "$1" "$file" knack match othello random uct --openings "${file%?}"
    wants "$1" "$file" knack pdn "${file%?}"
    [ -z "$(asked "$1" knack nothing x | tr -d '\n')" ] || complain "$1 completes a command that there is not"
}
# bash, asked as it asks itself: the words so far, the last of them being completed.
if command -v bash >/dev/null; then
    cat >ask.bash <<'END'
source knack.bash
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_knack
printf '%s\n' "${COMPREPLY[@]}"
END
    completes bash knack.bash
fi
# zsh, where there is one: the function's own words, with what would show them in its place.
if command -v zsh >/dev/null; then
    zsh -n _knack || complain "zsh cannot read its completion"
    cat >ask.zsh <<'END'
compadd() { [[ $1 == -- ]] && shift; print -l -- $@ }
compset() { }
_files() { print -l -- * }
_describe() { shift 2; local -a all; all=(${(P)1} ${(P)3}); print -l -- ${all%%:*} }
words=("$@") CURRENT=$# PREFIX=${@[-1]}
source ./_knack
_knack
END
    completes zsh _knack
fi
if knack man chess >said 2>&1; then complain "there is a page about chess"; fi
grep -q 'there is no command "chess"' said || complain "knack man chess: $(cat said)"
exit $bad
