#include "games/gdl/rules_digest.h"

#include "base/hash.h"

/* The written form of a rule, as the parser normalised it. */
static void write_rule(const KnGdlDescription *description, const KnGdlRule *rule, KnText *text)
{
    kn_text_clear(text);
    kn_term_text(&description->symbols, &description->terms, rule->head, text);
    for (int i = 0; i < rule->count; i++) {
        const KnGdlLiteral *literal = &rule->body[i];
        kn_text_printf(text, " %d ", (int)literal->kind);
        kn_term_text(&description->symbols, &description->terms, literal->term, text);
        if (!literal->other) continue;
        kn_text_add_char(text, ' ');
        kn_term_text(&description->symbols, &description->terms, literal->other, text);
    }
}

void kn_gdl_rules_digest(const KnGdlDescription *description, char hex[KN_HEX128])
{
    KnText text = KN_TEXT_EMPTY;
    for (int r = 0; r < description->role_count; r++) {
        kn_term_text(&description->symbols, &description->terms, description->roles[r], &text);
        kn_text_add_char(&text, '\n');
    }
    KnHash128 sum = kn_hash128(text.data, text.length); /* a sum, so that the order of rules does not count */
    for (uint32_t s = 0; s < description->symbols.count; s++)
        for (const KnGdlRule *rule = description->relations[s].rules; rule; rule = rule->next) {
            write_rule(description, rule, &text);
            KnHash128 hash = kn_hash128(text.data, text.length);
            sum.high += hash.high;
            sum.low += hash.low;
        }
    kn_text_free(&text);
    kn_hash128_hex(sum, hex);
}
