#include "judges/judge_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
#define X(name, word, text) word,
    ORACLES(X)
#undef X
};

static const char *const texts[] = {
#define X(name, word, text) text,
    ORACLES(X)
#undef X
};

const char *oracle_word(enum oracle_id id) {
    return id < ORACLE_COUNT ? words[id] : "";
}

const char *oracle_text(enum oracle_id id) {
    return id < ORACLE_COUNT ? texts[id] : "";
}

struct oracle *oracle_new(void) {
    struct oracle *oracle = calloc(1, sizeof *oracle);
    if (oracle != NULL) {
        sim_map_init(&oracle->memberships);
        sim_map_init(&oracle->streams);
        sim_map_init(&oracle->cursors);
        sim_map_init(&oracle->views);
        sim_map_init(&oracle->names);
        sim_map_init(&oracle->losses);
    }
    return oracle;
}

/* Free a list linked by its member `next`, after running @extra on each item. */
#define FREE_ALL(type, list, extra)                                                                \
    while ((list) != NULL) {                                                                       \
        type *one = (list);                                                                        \
        (list) = one->next;                                                                        \
        extra;                                                                                     \
        free(one);                                                                                 \
    }

void oracle_free(struct oracle *oracle) {
    if (oracle == NULL) {
        return;
    }
    FREE_ALL(struct oracle_membership, oracle->all_memberships, (void)0)
    FREE_ALL(struct oracle_stream, oracle->all_streams, free(one->bounds))
    FREE_ALL(struct oracle_cursor, oracle->all_cursors, (void)0)
    FREE_ALL(struct oracle_view, oracle->all_views, free(one->members))
    sim_map_free(&oracle->memberships);
    sim_map_free(&oracle->streams);
    sim_map_free(&oracle->cursors);
    sim_map_free(&oracle->views);
    sim_map_free(&oracle->names);
    sim_map_free(&oracle->losses);
    free(oracle->actors);
    free(oracle);
}

uint64_t oracle_broken(const struct oracle *oracle, enum oracle_id id) {
    return id < ORACLE_COUNT ? oracle->broken[id] : 0;
}

uint64_t oracle_applied(const struct oracle *oracle, enum oracle_id id) {
    return id < ORACLE_COUNT ? oracle->applied[id] : 0;
}

uint64_t oracle_broken_total(const struct oracle *oracle) {
    uint64_t total = 0;
    for (int i = 0; i < ORACLE_COUNT; i++) {
        total += oracle->broken[i];
    }
    return total;
}

const char *oracle_breach(const struct oracle *oracle, size_t index) {
    return index < oracle->breach_count ? oracle->breaches[index] : NULL;
}

void oracle_apply(struct oracle *oracle, enum oracle_id id) {
    oracle->applied[id]++;
}

void oracle_fail(struct oracle *oracle, enum oracle_id id, uint64_t now, const char *format, ...) {
    oracle->broken[id]++;
    if (oracle->breach_count == ORACLE_BREACHES) {
        return;
    }
    char *line = oracle->breaches[oracle->breach_count++];
    int used =
        snprintf(line, ORACLE_LINE, "%llu.%06llu ms %s: ", (unsigned long long)(now / 1000000),
                 (unsigned long long)(now % 1000000), words[id]);
    va_list list;
    va_start(list, format);
    vsnprintf(line + used, (size_t)(ORACLE_LINE - used), format, list);
    va_end(list);
}
