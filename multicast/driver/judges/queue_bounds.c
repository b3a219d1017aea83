/* Queue bounds: every queue of a member stays within its bound. The statistics of the member are
 * compared with the limits in its configuration, and with the memory that its allocator gave it. */
#include "simulator/world/world_state.h"

/* A member is checked once in so many turns: unbounded growth shows all the same. */
enum { TURNS = 32 };

/* The messages that may wait in a group to be sent, by the public contract. */
enum { MESSAGES_MOST = 1 << 16 };

struct bound {
    const char *what;
    uint64_t value, most;
};

static void judge(struct sim_host *host, const struct bound *bound, uint64_t now) {
    struct oracle *oracle = host->world->oracle;
    oracle_apply(oracle, ORACLE_MEMORY);
    if (bound->value > bound->most) {
        oracle_fail(oracle, ORACLE_MEMORY, now, "host %u has %llu %s, of %llu", host->number,
                    (unsigned long long)bound->value, bound->what, (unsigned long long)bound->most);
    }
}

void sim_host_judge_bounds(struct sim_host *host, uint64_t now) {
    if (host->world->oracle == NULL || host->turns++ % TURNS != 0) {
        return;
    }
    struct mcast_stats stats;
    const struct mcast_config *config = &host->world->config.member;
    mcast_member_stats(host->member, &stats);
    /* The packet that fills a window, or a store, may exceed its bound. */
    uint64_t window = config->window_cap + config->packet_size;
    const struct bound bounds[] = {
        {"bytes unacknowledged", stats.pending_bytes, stats.outbound_views * window},
        /* Packets acknowledged in one round are dropped in the next (rule 1.10). */
        {"bytes kept for others", stats.cached_bytes, stats.streams * 2 * window},
        {"bytes out of order", stats.reorder_bytes, config->reorder_cap + config->packet_size},
        {"bytes in pieces", stats.reassembly_bytes, config->reassembly_cap},
        {"messages to be sent", stats.pending_messages, (stats.groups + 1) * MESSAGES_MOST},
        {"bytes by its own count", stats.memory_bytes, host->memory.used},
    };
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        judge(host, &bounds[i], now);
    }
}
