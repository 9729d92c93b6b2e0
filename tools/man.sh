#!/bin/sh
# tools/man.sh KNACK: the manual page of the command, from what it says of itself, so that it is never out of date.
set -eu
knack=$1
# What stands in a manual as it is: backslashes and leading dots mean something else there.
plain() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\([.']\)/\\\\\&\1/"; }
version=$("$knack" --version | head -n 1 | sed 's/.* //')
echo ".TH KNACK 1 \"\" \"knack $version\" \"User Commands\""
echo '.SH NAME'
echo 'knack \- a workbench for programs that acquire the knack of a game'
echo '.SH SYNOPSIS'
echo '.B knack'
echo '.I COMMAND'
echo '.RI [ ARGUMENT ...]'
echo '.SH DESCRIPTION'
echo '.nf'
"$knack" --help | sed 1d | plain
echo '.fi'
echo '.SH COMMANDS'
"$knack" --help | sed -n 's/^  \([a-z-]*\)  .*/\1/p' | while read -r command; do
    echo ".SS knack $command"
    echo '.nf'
    "$knack" "$command" --help </dev/null | plain
    echo '.fi'
done
echo '.SH FILES'
echo 'Results and what was learned lie in'
echo '.IR $XDG_DATA_HOME/knack ,'
echo 'unless \-\-data or KNACK_DATA names another folder.'
