#include "cli/review_html.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"

enum { WIDTH = 760, HEIGHT = 200 };

static void add_text(KnText *out, const char *text) { kn_text_escape(out, text, strlen(text)); }

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width\"><title>Game review</title><style>\n"
    ":root{color-scheme:light dark;--line:#8884;--first:#2563a8;--bad:#c2410c}\n"
    "@media(prefers-color-scheme:dark){:root{--first:#7db3e8;--bad:#fb923c}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}\n"
    "svg{width:100%;height:auto}table{border-collapse:collapse;width:100%}td,th{padding:.2rem "
    ".6rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}\n"
    "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.bad{color:var(--bad)}\n"
    "pre{line-height:1.2;overflow-x:auto}text{font:12px system-ui,sans-serif;fill:currentColor}\n"
    "</style></head><body>\n";

static double first_chance(const KnReviewedMove *move, double chance)
{
    return move->role == 0 ? chance : 100 - chance;
}

/* The first player's winning chance after each move; a dot where a move lost some. */
static void chart(const KnReview *review, const KnGame *game, KnText *out)
{
    double step = review->count > 1 ? (WIDTH - 60.0) / (double)(review->count - 1) : 0;
    kn_text_printf(
        out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"winning chance of %s after each move\">\n",
        WIDTH, HEIGHT + 30, game->role_names[0]);
    for (int percent = 0; percent <= 100; percent += 50)
        kn_text_printf(out,
                       "<line x1=\"45\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"var(--line)\"/><text x=\"5\" "
                       "y=\"%d\">%d %%</text>\n",
                       WIDTH, 10 + HEIGHT - HEIGHT * percent / 100, 10 + HEIGHT - HEIGHT * percent / 100,
                       14 + HEIGHT - HEIGHT * percent / 100, percent);
    kn_text_add(out, "<polyline fill=\"none\" stroke=\"var(--first)\" stroke-width=\"2\" points=\"");
    for (size_t i = 0; i < review->count; i++) {
        const KnReviewedMove *move = &review->moves[i];
        if (move->quality == KN_QUALITY_NONE) continue; /* a forced move: the curve goes straight on */
        kn_text_printf(out, "%.1f,%.1f ", 50 + step * (double)i,
                       10 + HEIGHT * (1 - first_chance(move, move->after) / 100));
    }
    kn_text_add(out, "\"/>\n");
    for (size_t i = 0; i < review->count; i++) {
        const KnReviewedMove *move = &review->moves[i];
        if (move->quality < KN_QUALITY_MISTAKE) continue;
        kn_text_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"var(--bad)\"><title>",
                       50 + step * (double)i, 10 + HEIGHT * (1 - first_chance(move, move->after) / 100));
        kn_text_printf(out, "%zu. ", i + 1);
        add_text(out, move->text);
        kn_text_add(out, "</title></circle>\n");
    }
    kn_text_add(out, "</svg>\n");
}

static void table(const KnReview *review, const KnGame *game, KnText *out)
{
    kn_text_add(out, "<table><thead><tr><th>ply</th><th>role</th><th>move</th><th>chance</th><th>remark</th>"
                     "</tr></thead><tbody>\n");
    for (size_t i = 0; i < review->count; i++) {
        const KnReviewedMove *move = &review->moves[i];
        kn_text_printf(out, "<tr><td class=\"n\">%zu</td><td>", i + 1);
        add_text(out, game->role_names[move->role]);
        kn_text_add(out, "</td><td>");
        add_text(out, move->text);
        kn_text_printf(out, " %s</td><td class=\"n\">", kn_review_mark(move));
        if (move->quality == KN_QUALITY_NONE)
            kn_text_add(out, "forced");
        else
            kn_text_printf(out, "%.0f %%", move->after);
        kn_text_printf(out, "</td><td%s>", move->turning ? " class=\"bad\"" : "");
        add_text(out, kn_review_remark(review, move));
        if (*move->words) kn_text_add(out, "<br>");
        add_text(out, move->words);
        kn_text_add(out, "</td></tr>\n");
    }
    kn_text_add(out, "</tbody></table>\n");
}

static void boards(const KnReview *review, const KnState *state, KnText *out)
{
    const KnGame *game = kn_state_game(state);
    for (size_t i = 0; i < review->count; i++) {
        const KnReviewedMove *move = &review->moves[i];
        if (!move->turning) continue;
        KnText drawing = KN_TEXT_EMPTY;
        game->type->draw(game, kn_state_position_at(state, move->ply), false, &drawing);
        kn_text_printf(out, "<h2>Turning point: move %zu</h2>\n<p>", move->ply + 1);
        add_text(out, game->role_names[move->role]);
        kn_text_add(out, " played ");
        add_text(out, move->text);
        kn_text_add(out, ": ");
        add_text(out, kn_review_remark(review, move));
        kn_text_add(out, ". The position before it:</p>\n<pre>");
        add_text(out, drawing.data);
        kn_text_add(out, "</pre>\n");
        kn_text_free(&drawing);
    }
}

void cli_review_html(const KnReview *review, const KnState *state, const char *const players[2], KnText *out)
{
    const KnGame *game = kn_state_game(state);
    kn_text_add(out, head);
    kn_text_add(out, "<h1>");
    for (int role = 0; role < 2; role++) {
        add_text(out, players[role] && *players[role] ? players[role] : game->role_names[role]);
        if (!role) kn_text_add(out, " against ");
    }
    kn_text_add(out, "</h1>\n<p>");
    add_text(out, game->spec);
    kn_text_add(out, ", judged by <code>");
    add_text(out, review->judge);
    kn_text_add(out, "</code>");
    kn_review_limits(review, out);
    kn_text_printf(out, ". The curve is the winning chance of %s.</p>\n", game->role_names[0]);
    chart(review, game, out);
    for (int role = 0; role < 2; role++)
        kn_text_printf(
            out,
            "<p>%s: %zu decision%s, %zu mistake%s, %zu blunder%s; %.1f %% of winning chance lost a "
            "decision.</p>\n",
            game->role_names[role], review->decisions[role], kn_s(review->decisions[role]),
            review->qualities[role][KN_QUALITY_MISTAKE], kn_s(review->qualities[role][KN_QUALITY_MISTAKE]),
            review->qualities[role][KN_QUALITY_BLUNDER], kn_s(review->qualities[role][KN_QUALITY_BLUNDER]),
            review->loss[role]);
    boards(review, state, out);
    table(review, game, out);
    kn_text_add(out, "</body></html>\n");
}
