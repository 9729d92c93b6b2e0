/* A table of byte strings by byte string, in order: a treap. Values stay where they are until they are
 * replaced or removed.
 *
 * Ownership: kn_sorted_clear frees everything; keys and values are copied. */
#ifndef KNACK_SITE_SORTED_TABLE_H
#define KNACK_SITE_SORTED_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct KnSortedRow {
    struct KnSortedRow *left, *right;
    uint64_t rank; /* the least of a subtree is its root */
    size_t key_size, value_size;
    unsigned char *value;
    unsigned char key[];
} KnSortedRow;

typedef struct KnSortedTable {
    KnSortedRow *root;
    bool integers;  /* keys are whole numbers in the machine's order, of 4 or 8 bytes */
    size_t bytes;   /* of keys and values */
    uint64_t drawn; /* ranks so far */
} KnSortedTable;

/* The row of a key; NULL if there is none. */
KnSortedRow *kn_sorted_find(const KnSortedTable *table, const void *key, size_t size);

/* The first row that is not before a key, or with `after` the first behind it. A NULL key: the first of all.
 */
KnSortedRow *kn_sorted_from(const KnSortedTable *table, const void *key, size_t size, bool after);

/* False without memory; the table is then as it was. */
bool kn_sorted_put(KnSortedTable *table, const void *key, size_t key_size, const void *value,
                   size_t value_size);
bool kn_sorted_remove(KnSortedTable *table, const void *key, size_t size); /* false if there is none */
void kn_sorted_clear(KnSortedTable *table);

#endif
