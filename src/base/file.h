/* Files and folders. Failures are KN_SYSTEM (or KN_INPUT for contents that do not fit) and name the path.
 *
 * Paths go into a KnText of the caller's, whose former contents are replaced. */
#ifndef KNACK_BASE_FILE_H
#define KNACK_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Replaces `text` by the bytes of a file (or pipe) of at most `max` bytes; a zero byte follows the last. */
KnStatus kn_file_read(const char *path, KnText *text, size_t max, KnError *error);

/* The same for a text file: a zero byte is refused as soon as it is read, so that a device or a binary file
 * is not read to its end. */
KnStatus kn_file_read_text(const char *path, KnText *text, size_t max, KnError *error);

/* Adds the length and the bytes of a regular file. */
KnStatus kn_digest_file(KnDigest *digest, const char *path, KnError *error);

/* The file has either its old contents or the new, whatever happens in between: written beside it, synced,
 * renamed. Keeps the mode of an old file, and writes through a symbolic link. Devices and pipes are simply
 * written to. */
KnStatus kn_file_write_atomic(const char *path, const void *bytes, size_t size, KnError *error);

/* The same for contents that do not fit into memory: `fill` writes them with kn_file_put. If it fails, the
 * old contents stay. */
typedef KnStatus KnFileFill(void *user, int file, const char *path, KnError *error);
KnStatus kn_file_fill_atomic(const char *path, KnFileFill *fill, void *user, KnError *error);

/* Writes all of the bytes to an open file; `path` is its name in messages. */
KnStatus kn_file_put(int file, const char *path, const void *bytes, size_t size, KnError *error);

bool kn_file_exists(const char *path);

/* Whether a file, or the folder that it would lie in, is on a network file system, where locks and shared
 * memory do not reach from one machine to another as databases need them. KNACK_SHARED_FILES=yes or no in the
 * environment answers instead, where the kernel's answer (statfs) is wrong. */
bool kn_file_is_remote(const char *path);

/* The same by the kernel's number of a kind of file system. */
bool kn_file_system_is_remote(unsigned long magic);

/* folder/name with exactly one slash between them; an absolute name stands alone, an empty folder is the
 * current one. */
void kn_path_join(KnText *path, const char *folder, const char *name);

/* The one absolute name of a file, without links; the file itself need not exist yet, its folder must. To be
 * freed; NULL with errno set where the folder is missing. */
char *kn_path_real(const char *path);

/* Locks an open file or folder against other processes, without waiting; closing it lets go. Some file
 * systems over a network lock nothing, or no folders (NFS): KN_LOCK_NONE. The caller then goes on, and two
 * processes are not kept apart. */
typedef enum KnLock { KN_LOCK_TAKEN, KN_LOCK_BUSY, KN_LOCK_NONE } KnLock;
KnLock kn_file_lock(int file);

/* Whether `path` still names this open file or folder: another process that held the lock may have removed
 * it, and whoever waited for the lock then holds something without a name. */
bool kn_file_is_named(int file, const char *path);

/* Makes a folder and those above it; an existing one is fine. */
KnStatus kn_mkdirs(const char *path, KnError *error);

/* Where data lives: `override` if it is neither NULL nor empty, else $KNACK_DATA, else $XDG_DATA_HOME/knack,
 * else
 * ~/.local/share/knack. The folder is not made. */
KnStatus kn_data_dir(const char *override, KnText *path, KnError *error);

#endif
