/* Endgame tables: counts against published ones, values against a reference that knows nothing of slices,
 * files that are not what they should be, and builds that are interrupted. Tables of up to 3 pieces are built
 * once, with distances and without. */
#include "support/boards.h"
#include "support/check.h"
#include "support/instances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include <knack/base.h>
#include "games/checkers/endgame_build.h"

#define WLD_FOLDER "endgame-wld"
#define DTW_FOLDER "endgame-dtw"

static void build(const char *folder, int pieces, KnEndgameKind kind, int jobs, KnEndgameBuilt *built)
{
    KnError error;
    KnEndgamePlan plan = {.folder = folder, .pieces = pieces, .kind = kind, .jobs = jobs, .cache = 1 << 22};
    check_ok(error, kn_endgame_build(&plan, built, &error));
}

static int build_once(void **state)
{
    (void)state;
    KnEndgameBuilt built;
    if (system("rm -rf " WLD_FOLDER " " DTW_FOLDER " endgame-other endgame-broken") != 0) return 1;
    build(WLD_FOLDER, 3, KN_ENDGAME_WLD, 2, &built);
    assert_int_equal(built.made, 16);
    build(DTW_FOLDER, 3, KN_ENDGAME_DISTANCE, 2, &built);
    return 0;
}

static KnEndgame *open_tables(const char *folder, KnEndgameProber **prober)
{
    KnError error;
    KnEndgame *tables;
    check_ok(error, kn_endgame_open_folder(folder, KN_ENDGAME_KINDS, &tables, &error));
    *prober = kn_endgame_prober(tables, 1 << 20);
    assert_non_null(*prober);
    return tables;
}

static void close_tables(KnEndgame *tables, KnEndgameProber *prober)
{
    kn_endgame_prober_free(prober);
    kn_endgame_close(tables);
}

/* ---- Numbers ---- */

static void test_numbers_are_one_to_one(void **state)
{
    (void)state;
    KnRanks ranks;
    kn_ranks_fill(&ranks);
    static const KnMaterial some[] = {{1, 1, 1, 0}, {0, 2, 0, 1}, {2, 0, 1, 1}, {1, 0, 2, 0}, {0, 1, 0, 1}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        KnMaterial m = some[i];
        uint64_t numbers = kn_material_numbers(&ranks, m), next = 0;
        uint32_t *men = kn_rank_sets(&ranks, true, m.men),
                 *other_men = kn_rank_sets(&ranks, true, m.other_men);
        uint32_t *kings = kn_rank_sets(&ranks, false, m.kings),
                 *other_kings = kn_rank_sets(&ranks, false, m.other_kings);
        for (uint32_t a = 0; a < ranks.men_sets[m.men]; a++)
            for (uint32_t b = 0; b < ranks.men_sets[m.other_men]; b++)
                for (uint32_t c = 0; c < ranks.king_sets[m.kings]; c++)
                    for (uint32_t d = 0; d < ranks.king_sets[m.other_kings]; d++, next++) {
                        uint32_t theirs = kn_checkers_turn(other_men[b]);
                        if ((men[a] & theirs) | (men[a] & kings[c]) | (men[a] & other_kings[d]) |
                            (theirs & kings[c]) | (theirs & other_kings[d]) | (kings[c] & other_kings[d]))
                            continue;
                        KnCheckersPosition p = {
                            {men[a] | kings[c], theirs | other_kings[d]}, kings[c] | other_kings[d], 0, 0};
                        assert_true(kn_material_same(kn_material_of(&p), m));
                        assert_int_equal(kn_endgame_number(&ranks, m, &p), next);
                    }
        assert_int_equal(next, numbers);
        free(men);
        free(other_men);
        free(kings);
        free(other_kings);
    }
}

/* Positions with both sides there, of one colour to move: the published numbers less those with one side
 * only, which are sets of that many pieces of one colour. */
static void test_slices_hold_all_positions(void **state)
{
    (void)state;
    static const uint64_t published[] = {0, 120, 6972, 261224, 7092774, 148688232, 2503611964};
    KnRanks ranks;
    kn_ranks_fill(&ranks);
    for (int pieces = 2; pieces <= 6; pieces++) {
        /* Counted from the sets: men of both first, then kings anywhere else. */
        uint64_t all = 0;
        for (int men = 0; men <= pieces; men++)
            for (int mine = 0; mine <= men; mine++) {
                /* Black's men with j of them on the 24 squares that white's may have too. */
                for (int j = 0; j <= mine; j++) {
                    uint64_t ways = 1;
                    const int picks[3][2] = {{24, j}, {4, mine - j}, {28 - j, men - mine}};
                    for (int k = 0; k < 3; k++)
                        for (int i = 0; i < picks[k][1]; i++)
                            ways = ways * (uint64_t)(picks[k][0] - i) / (uint64_t)(i + 1);
                    int kings = pieces - men;
                    for (int i = 0; i < kings; i++)
                        ways = ways * (uint64_t)(32 - men - i) / (uint64_t)(i + 1);
                    if (picks[1][1] > 4) continue;
                    all += ways << kings; /* each king is of either colour */
                }
            }
        assert_int_equal(all, published[pieces]);
    }
    /* and the tables have just those */
    KnEndgameProber *prober;
    KnEndgame *tables = open_tables(WLD_FOLDER, &prober);
    static const uint64_t results[4][3] = {{0}, {0}, {716, 402, 2370}, {100250, 87305, 8477}};
    for (int pieces = 2; pieces <= 3; pieces++) {
        KnMaterial materials[KN_ENDGAME_SLICES];
        int count = kn_materials(pieces, materials);
        uint64_t sums[3] = {0}, positions = 0, one_sided = 0;
        for (int i = 0; i < count; i++) {
            const KnEndgameHead *head = &kn_endgame_slice(tables, materials[i])->head;
            sums[0] += head->wins;
            sums[1] += head->losses;
            sums[2] += head->draws;
            positions += head->positions;
        }
        assert_memory_equal(sums, results[pieces], sizeof sums);
        for (int men = 0; men <= pieces; men++) {
            uint64_t ways = ranks.men_sets[men];
            for (int i = 0; i < pieces - men; i++) ways = ways * (uint64_t)(32 - men - i) / (uint64_t)(i + 1);
            one_sided += 2 * ways;
        }
        assert_int_equal(positions, published[pieces] - one_sided);
    }
    close_tables(tables, prober);
}

/* ---- Values against a reference ---- */

/* The reference: every position of 2 and 3 pieces, both colours to move, found by placing pieces; values by
 * going over all of them again and again until nothing changes, forwards, through the game's own moves. Slow,
 * and different in every way. */
typedef struct Known {
    KnCheckersPosition position;
    int value, plies; /* value 2: not known yet */
} Known;

enum { KNOWN_SLOTS = 1 << 20 };

static Known *slot_of(Known *table, const KnCheckersPosition *p)
{
    uint64_t hash = kn_mix64(((uint64_t)p->pieces[0] << 32 | p->pieces[1]) ^
                             kn_mix64((uint64_t)p->kings << 1 | p->mover));
    for (size_t at = hash % KNOWN_SLOTS;; at = (at + 1) % KNOWN_SLOTS)
        if (!(table[at].position.pieces[0] | table[at].position.pieces[1]) ||
            memcmp(&table[at].position, p, sizeof *p) == 0)
            return &table[at];
}

static void place_pieces(Known *table, KnCheckersPosition p, int from, int left)
{
    if (!left) {
        if (!p.pieces[0] || !p.pieces[1]) return;
        for (p.mover = 0; p.mover < 2; p.mover++) *slot_of(table, &p) = (Known){p, 2, 0};
        return;
    }
    for (int bit = from; bit < 32; bit++)
        for (int piece = 0; piece < 4; piece++) {
            KnCheckersPosition next = p;
            uint32_t at = 1u << bit;
            if (piece < 2 && at & kn_checkers_king_row(piece)) continue;
            next.pieces[piece & 1] |= at;
            if (piece >= 2) next.kings |= at;
            place_pieces(table, next, bit + 1, left - 1);
        }
}

/* One look at a position's successors; true if it became known. Plies grow by one a round, so that the first
 * is the least. */
static bool look(Known *table, Known *known, int round)
{
    KnMove moves[KN_CHECKERS_MOVES_MAX];
    int count = kn_checkers_generate(&known->position, moves), worst = 1;
    for (int i = 0; i < count; i++) {
        KnCheckersPosition next = known->position;
        kn_checkers_apply(&next, moves[i], 0);
        const Known *after = slot_of(table, &next);
        int value = next.pieces[next.mover] ? after->value : -1,
            plies = next.pieces[next.mover] ? after->plies : 0;
        bool old = value != 2 && plies < round;
        if (old && value < 0) {
            known->value = 1;
            known->plies = round;
            return true;
        }
        if (!old) worst = 2;
    }
    if (worst == 2) return false;
    known->value = -1;
    known->plies = round;
    return true;
}

static void test_values_against_a_slow_reference(void **state)
{
    (void)state;
    Known *table = calloc(KNOWN_SLOTS, sizeof *table);
    assert_non_null(table);
    place_pieces(table, (KnCheckersPosition){0}, 0, 2);
    bool all = check_scaled(10) == 10; /* under sanitizers two pieces will do */
    if (all) place_pieces(table, (KnCheckersPosition){0}, 0, 3);
    /* Those not yet known; two rounds without news are the end, since wins and losses take turns. */
    Known **open = malloc(KNOWN_SLOTS * sizeof *open);
    size_t left = 0;
    for (size_t i = 0; i < KNOWN_SLOTS; i++)
        if (table[i].position.pieces[0]) open[left++] = &table[i];
    for (int round = 0, idle = 0; idle < 2; round++) {
        size_t kept = 0;
        for (size_t i = 0; i < left; i++)
            if (!look(table, open[i], round)) open[kept++] = open[i];
        idle = kept < left ? 0 : idle + 1;
        left = kept;
    }
    free(open);
    KnEndgameProber *wld, *dtw;
    KnEndgame *wld_tables = open_tables(WLD_FOLDER, &wld), *dtw_tables = open_tables(DTW_FOLDER, &dtw);
    size_t compared = 0;
    for (size_t i = 0; i < KNOWN_SLOTS; i++) {
        const Known *known = &table[i];
        if (!known->position.pieces[0]) continue;
        KnEndgameAnswer answer;
        int value = known->value == 2 ? 0 : known->value;
        assert_true(kn_endgame_ask(wld, &known->position, &answer));
        assert_int_equal(answer.value, value);
        assert_true(kn_endgame_ask(dtw, &known->position, &answer));
        assert_int_equal(answer.value, value);
        assert_int_equal(answer.plies, value ? known->plies : 0);
        compared++;
    }
    assert_int_equal(compared, 2 * (3488 + (all ? 196032 : 0)));
    close_tables(wld_tables, wld);
    close_tables(dtw_tables, dtw);
    free(table);
}

static void test_more_pieces_are_not_known(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    KnEndgameProber *prober;
    KnEndgame *tables = open_tables(WLD_FOLDER, &prober);
    assert_int_equal(kn_endgame_pieces(tables), 3);
    _Alignas(16) KnCheckersPosition p;
    KnEndgameAnswer answer;
    game->type->start(game, &p);
    assert_false(kn_endgame_ask(prober, &p, &answer));
    assert_int_equal(kn_endgame_stage(&p), -1);
    test_position(game, "W:WK10,K11:BK1,K2", &p);
    assert_false(kn_endgame_ask(prober, &p, &answer));
    /* but if the mover takes one of four, and nothing is left in doubt, they are */
    test_position(game, "W:WK10,K11:BK6,K32", &p);
    assert_true(kn_endgame_ask(prober, &p, &answer));
    /* Every piece counts, wherever those of the other side stand. */
    for (int shift = 1; shift <= 16; shift++) {
        uint32_t half = (1u << (KN_ENDGAME_PIECES / 2 + 1)) - 1;
        p = (KnCheckersPosition){.pieces = {half, half << shift & ~half}};
        if (kn_checkers_popcount(p.pieces[1]) < KN_ENDGAME_PIECES / 2) continue;
        assert_int_equal(kn_endgame_stage(&p), -1);
        assert_false(kn_endgame_ask(prober, &p, &answer));
    }
    test_position(game, "W:WK10,K11:BK1", &p);
    assert_true(kn_endgame_ask(prober, &p, &answer));
    assert_int_equal(answer.value, 1);
    assert_int_equal(answer.plies, -1);
    close_tables(tables, prober);
    test_game_close(game);
}

/* ---- Builds ---- */

static void read_file(const char *path, KnText *text)
{
    KnError error;
    check_ok(error, kn_file_read(path, text, 1 << 24, &error));
}

static void test_same_bytes_for_any_jobs_and_after_a_break(void **state)
{
    (void)state;
    KnEndgameBuilt built;
    build("endgame-other", 2, KN_ENDGAME_WLD, 1, &built);
    assert_int_equal(built.made, 4);
    /* what a killed build leaves: some slices, and half a file under another name */
    assert_int_equal(unlink("endgame-other/1m-1k.wld"), 0);
    KnError error;
    check_ok(error, kn_file_write_atomic("endgame-other/1m-1k.wld.0123.tmp", "x", 1, &error));
    build("endgame-other", 3, KN_ENDGAME_WLD, 3, &built);
    assert_int_equal(built.found, 2); /* the pair is made together */
    assert_int_equal(built.made, 14);
    assert_false(kn_file_exists("endgame-other/1m-1k.wld.0123.tmp"));
    for (int pieces = 2; pieces <= 3; pieces++) {
        KnMaterial all[KN_ENDGAME_SLICES];
        int count = kn_materials(pieces, all);
        for (int i = 0; i < count; i++) {
            KnText path = KN_TEXT_EMPTY, one = KN_TEXT_EMPTY, two = KN_TEXT_EMPTY;
            kn_endgame_file_path(WLD_FOLDER, all[i], KN_ENDGAME_WLD, &path);
            read_file(path.data, &one);
            kn_endgame_file_path("endgame-other", all[i], KN_ENDGAME_WLD, &path);
            read_file(path.data, &two);
            assert_int_equal(one.length, two.length);
            assert_memory_equal(one.data, two.data, one.length);
            kn_text_free(&path);
            kn_text_free(&one);
            kn_text_free(&two);
        }
    }
}

static void test_cancelled_build_leaves_whole_files(void **state)
{
    (void)state;
    KnError error;
    KnEndgameBuilt built;
    atomic_bool cancel = true;
    KnEndgamePlan plan = {.folder = "endgame-stopped", .pieces = 3, .cancel = &cancel, .cache = 1 << 20};
    assert_int_equal(kn_endgame_build(&plan, &built, &error), KN_STOPPED);
    assert_int_equal(built.made, 0);
    plan.pieces = 7;
    check_fails(error, KN_USAGE, "2 to 6 pieces", kn_endgame_build(&plan, &built, &error));
}

static void test_check_finds_a_wrong_value(void **state)
{
    (void)state;
    KnError error;
    KnEndgameProber *prober;
    KnEndgame *tables = open_tables(DTW_FOLDER, &prober);
    KnEndgamePlan plan = {.jobs = 2, .cache = 1 << 22};
    check_ok(error, kn_endgame_check(tables, &plan, NULL, &error));
    close_tables(tables, prober);
    /* A slice of another folder that is sound in itself, but says that everything is drawn. */
    assert_int_equal(system("rm -rf endgame-broken && cp -r " WLD_FOLDER " endgame-broken"), 0);
    KnRanks ranks;
    kn_ranks_fill(&ranks);
    KnEndgameHead head = {.kind = KN_ENDGAME_WLD, .width = 2};
    extern void test_all_drawn(void *user, uint64_t first, uint32_t count, uint16_t *values);
    check_ok(error, kn_endgame_file_write(&ranks, "endgame-broken/2k-1k.wld", (KnMaterial){0, 2, 0, 1}, head,
                                          test_all_drawn, NULL, 1, NULL, NULL, &error));
    tables = open_tables("endgame-broken", &prober);
    assert_int_equal(kn_endgame_check(tables, &plan, NULL, &error), KN_NO);
    assert_non_null(strstr(error.text, "its successors"));
    close_tables(tables, prober);
}

void test_all_drawn(void *user, uint64_t first, uint32_t count, uint16_t *values);
void test_all_drawn(void *user, uint64_t first, uint32_t count, uint16_t *values)
{
    (void)user, (void)first;
    memset(values, 0, count * sizeof *values);
}

/* ---- Files that are not what they should be ---- */

static void write_broken(const char *bytes, size_t size)
{
    KnError error;
    check_ok(error, kn_file_write_atomic("endgame-broken/2k-1k.wld", bytes, size, &error));
}

/* The reason why 2k-1k is left out of endgame-broken; the rest must still answer. */
static void check_left_out(const char *explanation)
{
    KnEndgameProber *prober;
    KnEndgame *tables = open_tables("endgame-broken", &prober);
    KnGame *game = test_game("checkers");
    const char *notes = kn_endgame_notes(tables);
    if (!strstr(notes, explanation) || !strstr(notes, "endgame-broken/2k-1k.wld"))
        fail_msg("\"%s\" lacks \"%s\"", notes, explanation);
    assert_int_equal(kn_endgame_pieces(tables), 2);
    _Alignas(16) KnCheckersPosition p;
    KnEndgameAnswer answer;
    test_position(game, "W:WK10,K11:BK1", &p);
    assert_false(kn_endgame_ask(prober, &p, &answer));
    test_position(game, "B:WK10,K11:B5", &p);
    assert_true(kn_endgame_ask(prober, &p, &answer));
    test_game_close(game);
    close_tables(tables, prober);
}

static void test_bad_files_are_left_out(void **state)
{
    (void)state;
    assert_int_equal(system("rm -rf endgame-broken && cp -r " WLD_FOLDER " endgame-broken"), 0);
    KnText sound = KN_TEXT_EMPTY, other = KN_TEXT_EMPTY;
    read_file("endgame-broken/2k-1k.wld", &sound);
    read_file("endgame-broken/1k-2k.wld", &other);
    char *bytes = malloc(sound.length + 8);
    memcpy(bytes, sound.data, sound.length);
    write_broken(bytes, sound.length - 1);
    check_left_out("cut short");
    write_broken(bytes, sizeof(KnEndgameHead) - 1);
    check_left_out("only the beginning");
    write_broken(bytes, 0);
    check_left_out("0 bytes");
    KnEndgameHead *head = (KnEndgameHead *)(void *)bytes;
    head->version++;
    write_broken(bytes, sound.length);
    check_left_out("another version");
    head->version--;
    head->wins++;
    write_broken(bytes, sound.length);
    check_left_out("check sum of its head");
    head->wins--;
    bytes[sound.length - 1] ^= 1;
    write_broken(bytes, sound.length);
    check_left_out("check sum of its index");
    write_broken(other.data, other.length);
    check_left_out("another slice");
    write_broken("KNENDGAMx", 9);
    check_left_out("only the beginning");

    /* a build does not write over it */
    KnError error;
    KnEndgameBuilt built;
    KnEndgamePlan plan = {.folder = "endgame-broken", .pieces = 3, .cache = 1 << 20};
    check_fails(error, KN_INPUT, "2k-1k.wld", kn_endgame_build(&plan, &built, &error));
    free(bytes);
    kn_text_free(&sound);
    kn_text_free(&other);
}

/* A block whose bytes changed is found when it is needed; from then on the slice is as if it were not there.
 */
static void test_damaged_block_shuts_its_slice(void **state)
{
    (void)state;
    assert_int_equal(system("rm -rf endgame-broken && cp -r " WLD_FOLDER " endgame-broken"), 0);
    KnText sound = KN_TEXT_EMPTY;
    read_file("endgame-broken/2m-1m.wld", &sound);
    KnEndgameHead head;
    memcpy(&head, sound.data, sizeof head);
    for (uint64_t b = 0; b < head.blocks; b++) {
        KnEndgameBlock block;
        memcpy(&block, sound.data + head.index_at + b * sizeof block, sizeof block);
        if (block.bytes) sound.data[block.at + block.bytes / 2] ^= 4;
    }
    KnError error;
    check_ok(error, kn_file_write_atomic("endgame-broken/2m-1m.wld", sound.data, sound.length, &error));
    kn_text_free(&sound);
    KnEndgameProber *prober;
    KnEndgame *tables = open_tables("endgame-broken", &prober);
    assert_string_equal(kn_endgame_notes(tables), "");
    KnGame *game = test_game("checkers");
    _Alignas(16) KnCheckersPosition p;
    KnEndgameAnswer answer;
    test_position(game, "B:W32:B1,2", &p);
    assert_false(kn_endgame_ask(prober, &p, &answer));
    assert_non_null(strstr(kn_endgame_prober_fault(prober), "2m-1m.wld: is damaged (the check sum of block"));
    assert_false(kn_endgame_ask(prober, &p, &answer));
    test_position(game, "B:W32:B1", &p);
    assert_true(kn_endgame_ask(prober, &p, &answer));
    KnEndgamePlan plan = {.jobs = 1, .cache = 1 << 20};
    check_fails(error, KN_INPUT, "2m-1m.wld", kn_endgame_check(tables, &plan, NULL, &error));
    test_game_close(game);
    close_tables(tables, prober);
}

static void test_folders(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_game("checkers"), *other = test_game("tictactoe");
    KnEndgame *tables;
    check_fails(error, KN_INPUT, "knack tables build",
                kn_endgame_open(game, "no-such-folder", &tables, &error));
    assert_int_equal(mkdir("endgame-empty", 0777) == 0 || kn_file_exists("endgame-empty"), 1);
    check_fails(error, KN_INPUT, "no endgame tables are there",
                kn_endgame_open(game, "endgame-empty", &tables, &error));
    check_fails(error, KN_INPUT, "for checkers, not for tictactoe",
                kn_endgame_open(other, WLD_FOLDER, &tables, &error));
    check_fails(error, KN_INPUT, "is a file",
                kn_endgame_open(game, WLD_FOLDER "/1m-1k.wld", &tables, &error));
    test_game_close(game);
    test_game_close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_one_to_one),
        cmocka_unit_test(test_slices_hold_all_positions),
        cmocka_unit_test(test_values_against_a_slow_reference),
        cmocka_unit_test(test_more_pieces_are_not_known),
        cmocka_unit_test(test_same_bytes_for_any_jobs_and_after_a_break),
        cmocka_unit_test(test_cancelled_build_leaves_whole_files),
        cmocka_unit_test(test_check_finds_a_wrong_value),
        cmocka_unit_test(test_bad_files_are_left_out),
        cmocka_unit_test(test_damaged_block_shuts_its_slice),
        cmocka_unit_test(test_folders),
    };
    return cmocka_run_group_tests(tests, build_once, NULL);
}
