#include "site/sorted_table.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>

static uint64_t number_of(const void *key, size_t size)
{
    uint64_t number = 0;
    memcpy(&number, key, size < sizeof number ? size : sizeof number);
    return number;
}

static int compare(const KnSortedTable *table, const void *a, size_t a_size, const void *b, size_t b_size)
{
    if (table->integers) {
        uint64_t x = number_of(a, a_size), y = number_of(b, b_size);
        return (x > y) - (x < y);
    }
    int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
    return order ? order : (a_size > b_size) - (a_size < b_size);
}

KnSortedRow *kn_sorted_find(const KnSortedTable *table, const void *key, size_t size)
{
    KnSortedRow *row = table->root;
    for (int order; row && (order = compare(table, key, size, row->key, row->key_size));)
        row = order < 0 ? row->left : row->right;
    return row;
}

KnSortedRow *kn_sorted_from(const KnSortedTable *table, const void *key, size_t size, bool after)
{
    KnSortedRow *best = NULL;
    for (KnSortedRow *row = table->root; row;) {
        int order = key ? compare(table, key, size, row->key, row->key_size) : -1;
        if (order < 0 || (order == 0 && !after)) {
            best = row;
            row = row->left;
        } else
            row = row->right;
    }
    return best;
}

/* Splits a subtree in those before a key and those behind it; the key itself is not there. */
static void split(const KnSortedTable *table, KnSortedRow *row, const void *key, size_t size,
                  KnSortedRow **before, KnSortedRow **behind)
{
    while (row) {
        if (compare(table, key, size, row->key, row->key_size) < 0) {
            *behind = row;
            behind = &row->left;
            row = row->left;
        } else {
            *before = row;
            before = &row->right;
            row = row->right;
        }
    }
    *before = *behind = NULL;
}

static bool set_value(KnSortedTable *table, KnSortedRow *row, const void *value, size_t size)
{
    unsigned char *copy = malloc(size ? size : 1);
    if (!copy) return false;
    if (size) memcpy(copy, value, size);
    free(row->value);
    table->bytes += size - row->value_size;
    row->value = copy;
    row->value_size = size;
    return true;
}

bool kn_sorted_put(KnSortedTable *table, const void *key, size_t key_size, const void *value,
                   size_t value_size)
{
    KnSortedRow *row = kn_sorted_find(table, key, key_size);
    if (row) return set_value(table, row, value, value_size);
    row = calloc(1, sizeof *row + key_size);
    if (!row || !set_value(table, row, value, value_size)) {
        free(row);
        return false;
    }
    memcpy(row->key, key, key_size);
    row->key_size = key_size;
    row->rank = kn_mix64(++table->drawn);
    table->bytes += key_size;
    KnSortedRow **at = &table->root;
    while (*at && (*at)->rank < row->rank)
        at = compare(table, key, key_size, (*at)->key, (*at)->key_size) < 0 ? &(*at)->left : &(*at)->right;
    split(table, *at, key, key_size, &row->left, &row->right);
    *at = row;
    return true;
}

static KnSortedRow *join(KnSortedRow *before, KnSortedRow *behind)
{
    KnSortedRow *root = NULL, **at = &root;
    while (before && behind) {
        if (before->rank < behind->rank) {
            *at = before;
            at = &before->right;
            before = before->right;
        } else {
            *at = behind;
            at = &behind->left;
            behind = behind->left;
        }
    }
    *at = before ? before : behind;
    return root;
}

bool kn_sorted_remove(KnSortedTable *table, const void *key, size_t size)
{
    KnSortedRow **at = &table->root;
    for (int order; *at && (order = compare(table, key, size, (*at)->key, (*at)->key_size));)
        at = order < 0 ? &(*at)->left : &(*at)->right;
    KnSortedRow *row = *at;
    if (!row) return false;
    *at = join(row->left, row->right);
    table->bytes -= row->key_size + row->value_size;
    free(row->value);
    free(row);
    return true;
}

void kn_sorted_clear(KnSortedTable *table)
{
    while (table->root) kn_sorted_remove(table, table->root->key, table->root->key_size);
}
