/* What a shell command runs, as far as its text tells. */
#ifndef KNACK_BASE_COMMAND_H
#define KNACK_BASE_COMMAND_H

#include <knack/base.h>

/* Adds to the digest the program that a command starts (its resolved path and its contents) and the contents
 * of every regular file that the command names, alone or within a word such as --model=FILE. What the command
 * does not show adds a sentence to `doubt`: scripts and interpreters load other files, the shell expands
 * words, a network client talks to a program elsewhere. Without a doubt, the same digest means the same
 * program (but for shared libraries and files that the program finds without being told). */
KnStatus kn_command_identity(const char *command, KnDigest *digest, KnText *doubt, KnError *error);

#endif
