/* Campaign: one seed makes one world with its traffic and faults, which the judges watch. */
#ifndef DRIVER_SIMULATOR_WORLD_CAMPAIGN_H
#define DRIVER_SIMULATOR_WORLD_CAMPAIGN_H

#include "simulator/world/world.h"

/* X(name): situations that runs must meet now and then, or the campaign proves little. Each is
 * counted once in a run where it happened. */
#define SIM_COVERAGE(X)                                                                            \
    X(views) /* region views were installed after the first */                                     \
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
    X(independent)  /* independent partition rings */                                              \
    X(hybrid)       /* packets went to the address of a group */

struct sim_coverage {
#define X(name) uint64_t name;
    SIM_COVERAGE(X)
#undef X
};

enum { SIM_TEXT = 240, SIM_TEXTS = 8 };

struct sim_campaign_result {
    uint64_t seed;
    uint64_t broken; /* the count of breaches */
    uint64_t broken_by[ORACLE_COUNT];
    uint64_t applied_by[ORACLE_COUNT];
    char breaches[SIM_TEXTS][SIM_TEXT];
    uint64_t trace;
    uint64_t delivered;
    uint64_t events;
    struct sim_coverage coverage;
};

/* The faults that a run may have. */
enum sim_campaign_kind {
    SIM_CAMPAIGN_MIXED = 0,   /* anything */
    SIM_CAMPAIGN_CALM = 1,    /* no loss and no fault: nothing may be repaired */
    SIM_CAMPAIGN_LOSSY = 2,   /* a bad network, healthy nodes */
    SIM_CAMPAIGN_CHURN = 3,   /* members come and go on a good network */
    SIM_CAMPAIGN_CRASH = 4,   /* members come and go; nodes crash, and some restart */
    SIM_CAMPAIGN_FREEZE = 5,  /* members come and go; nodes get no CPU for a while */
    SIM_CAMPAIGN_CUT = 6,     /* members come and go; nodes are disconnected for a while */
    SIM_CAMPAIGN_SERVICE = 7, /* members come and go; the membership service crashes and restarts */
    SIM_CAMPAIGN_STORM = 8,   /* loss, crashes and churn at once, and a healthy service */
    SIM_CAMPAIGN_HYBRID = 9,  /* anything, and groups of several regions have an address of their
                               * own */
    SIM_CAMPAIGN_KINDS
};

/* The word for @kind. */
const char *sim_campaign_word(enum sim_campaign_kind kind);

/* Run one seed. Log what applications see to @log, if it is not NULL. Return false without memory
 * to start with. */
bool sim_campaign_run(uint64_t seed, enum sim_campaign_kind kind,
                      struct sim_campaign_result *result, FILE *log);

#endif
