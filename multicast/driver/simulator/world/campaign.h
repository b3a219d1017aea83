/* A campaign: one seed makes one world, its traffic and its faults; the oracles judge. */
#ifndef SIM_CAMPAIGN_H
#define SIM_CAMPAIGN_H

#include "simulator/world/world.h"

/* What a run must have met now and then, or the campaign proves little: X(name). Each is counted
 * once a run in which it happened. */
#define SIM_COVERAGE(X)                                                                            \
    X(views) /* region views were installed beyond the first */                                    \
    X(repairs_pushed)                                                                              \
    X(repairs_pulled)                                                                              \
    X(repairs_crossed)                                                                             \
    X(repairs_sourced)                                                                             \
    X(repairs_multicast)                                                                           \
    X(skips)                                                                                       \
    X(opens)                                                                                       \
    X(evictions)                                                                                   \
    X(region_moves)                                                                                \
    X(fragments)                                                                                   \
    X(corrupted) /* a wrong tag was found */                                                       \
    X(duplicates)                                                                                  \
    X(quiescent)                                                                                   \
    X(high_waters)                                                                                 \
    X(service_restarts)                                                                            \
    X(crashes)                                                                                     \
    X(restarts)                                                                                    \
    X(freezes)                                                                                     \
    X(partitions)                                                                                  \
    X(joins)                                                                                       \
    X(leaves)                                                                                      \
    X(late_numbers) /* streams began near 2^32 */                                                  \
    X(independent)  /* rings apart */                                                              \
    X(hybrid)       /* packets went to the address of a group */

struct sim_coverage {
#define X(name) uint64_t name;
    SIM_COVERAGE(X)
#undef X
};

enum { SIM_TEXT = 240, SIM_TEXTS = 8 };

struct sim_campaign_result {
    uint64_t seed;
    uint64_t broken; /* is how many breaches there were */
    uint64_t broken_by[ORACLE_COUNT];
    uint64_t applied_by[ORACLE_COUNT];
    char breaches[SIM_TEXTS][SIM_TEXT];
    uint64_t trace;
    uint64_t delivered;
    uint64_t events;
    struct sim_coverage coverage;
};

/* What may happen in a run. */
enum sim_campaign_kind {
    SIM_CAMPAIGN_MIXED = 0,   /* anything */
    SIM_CAMPAIGN_CALM = 1,    /* no loss and no fault: nothing may be repaired */
    SIM_CAMPAIGN_LOSSY = 2,   /* the network is bad, nodes are well */
    SIM_CAMPAIGN_CHURN = 3,   /* members come and go, the network is good */
    SIM_CAMPAIGN_CRASH = 4,   /* … nodes crash, and some start again */
    SIM_CAMPAIGN_FREEZE = 5,  /* … nodes get no CPU for a while */
    SIM_CAMPAIGN_CUT = 6,     /* … nodes are cut off for a while */
    SIM_CAMPAIGN_SERVICE = 7, /* … the membership service dies and comes back */
    SIM_CAMPAIGN_STORM = 8,   /* loss, crashes and churn at once, and a service that lives */
    SIM_CAMPAIGN_HYBRID = 9,  /* anything, and groups of several regions have their own address */
    SIM_CAMPAIGN_KINDS
};

/* The word for @kind. */
const char *sim_campaign_word(enum sim_campaign_kind kind);

/* Runs one seed; what applications saw goes to @log, when it is not NULL. Returns false when there
 * is no memory to begin with. */
bool sim_campaign_run(uint64_t seed, enum sim_campaign_kind kind,
                      struct sim_campaign_result *result, FILE *log);

#endif
