#include "simulator/world/campaign.h"
#include "judges/judge_state.h"

#include <stdlib.h>
#include <string.h>

enum { HOSTS_MOST = 14, GROUPS_MOST = 8, FAULTS_MOST = 24 };

/* One in so many mixed worlds has groups with an address of their own. */
enum {
    MIXED_HYBRID = 8,
    ACKS_WITH_RANGES = 16,
    FORGETFUL = 4, /* in one of so many worlds dead members are forgotten after a second */
};

/* One in so many worlds of freezes has windows so narrow that a sender soon has no room left. There
 * a node that stands still for longer than this may be removed (rule 1.0.4). */
enum { FREEZES_NARROW = 4, NARROW_WINDOW = 20000, NARROW_HOSTS = 6 };
#define NARROW_SILENCE (150 * MILLISECOND)

#define MILLISECOND ((uint64_t)1000000)
#define SECOND (1000 * MILLISECOND)
#define SETUP (2 * SECOND)
#define SUSPICION SECOND
#define STREAM_RETRY (100 * MILLISECOND) /* the time after which a cut stream tries again */
#define ROUND_MOST SECOND                /* the longest time between two rounds */
/* The time that the service has after the last fault to find out who is alive: it removes no node
 * until twice the suspicion time after its own start (rule 1.0.12), and reports within a few
 * epochs. */
#define GRACE (2 * SUSPICION + SECOND)
/* A node that missed the end of an old view drops its copies after some seconds without news of it.
 * Without a fault the wire is judged instead, by rounds. */
#define LAST_COPIES (12 * SECOND)

enum fault {
    CRASH,
    CRASH_AND_RESTART,
    FREEZE_SHORT,
    FREEZE_LONG,
    ISOLATE,
    JOIN,
    LEAVE,
    SERVICE_RESTART,
    LOSE_BURST,
    STOP,
    FAULTS
};

const char *sim_campaign_word(enum sim_campaign_kind kind) {
    static const char *const words[] = {"mixed",  "calm", "lossy",   "churn", "crash",
                                        "freeze", "cut",  "service", "storm", "hybrid"};
    return kind < SIM_CAMPAIGN_KINDS ? words[kind] : "";
}

struct campaign {
    struct sim_random random;
    enum sim_campaign_kind kind;
    struct sim_world *world;
    uint32_t hosts, groups;
    uint64_t end;          /* when the last message is sent and the last fault begins */
    uint64_t calm;         /* when the last fault is over */
    uint32_t failed_hosts; /* the count of hosts with a fault */
    bool hybrid;           /* groups of several regions get an address of their own */
    bool narrow;           /* senders soon have no room left */
    struct sim_coverage *coverage;
};

static uint64_t below(struct campaign *campaign, uint64_t bound) {
    return sim_random_below(&campaign->random, bound);
}

static bool chance(struct campaign *campaign, uint32_t percent) {
    return below(campaign, 100) < percent;
}

/* ---- the world ---- */

static void choose_link(struct campaign *campaign, struct sim_link *link) {
    link->latency = sim_random_between(&campaign->random, 20, 1500) * 1000;
    link->jitter = below(campaign, link->latency);
    bool bad = campaign->kind == SIM_CAMPAIGN_MIXED || campaign->kind == SIM_CAMPAIGN_LOSSY ||
               campaign->kind == SIM_CAMPAIGN_STORM;
    if (!bad) {
        link->jitter = below(campaign, 50) * 1000;
        return;
    }
    static const uint32_t losses[] = {0, 0, 1000, 10000, 50000};
    link->loss = losses[below(campaign, 5)];
    link->duplicate = chance(campaign, 30) ? 5000 : 0;
    link->reorder = chance(campaign, 30) ? 20000 : 0;
    link->reorder_by = sim_random_between(&campaign->random, 1, 5) * MILLISECOND;
    link->corrupt = chance(campaign, 20) ? 2000 : 0;
    link->burst = chance(campaign, 25) ? 1000 : 0;
    link->burst_length = 10 * MILLISECOND;
}

static void choose_member(struct campaign *campaign, struct mcast_config *member) {
    member->partition_size = (uint32_t)sim_random_between(&campaign->random, 2, 5);
    member->owner_block = chance(campaign, 50) ? 1 : 64;
    member->packet_size = chance(campaign, 80) ? 1472 : 8972;
    member->batch_delay = chance(campaign, 30) ? MILLISECOND : 0;
    static const enum mcast_priority_mode modes[] = {MCAST_FINE8, MCAST_FINE8, MCAST_QSM6,
                                                     MCAST_FIFO};
    member->priority_mode = modes[below(campaign, 4)];
    if (chance(campaign, 15)) {
        member->ring_mode = MCAST_INDEPENDENT;
        campaign->coverage->independent = 1;
    }
    if (chance(campaign, 33)) {
        member->first_number = ((uint64_t)1 << 32) - 1000;
        campaign->coverage->late_numbers = 1;
    }
}

static bool make_world(struct campaign *campaign, uint64_t seed) {
    struct sim_world_config config = sim_world_config_default(seed);
    choose_link(campaign, &config.net.link);
    choose_member(campaign, &config.member);
    if (seed % FORGETFUL == 1) {
        config.member.forget_time = SECOND;
    }
    config.wire_logged = true;
    config.calm = campaign->kind == SIM_CAMPAIGN_CALM;
    config.service.heartbeat = 200 * MILLISECOND;
    config.service.suspicion = SUSPICION;
    config.buffer_size = chance(campaign, 50) ? 65536 : 0;
    if (seed % ACKS_WITH_RANGES == 7) {
        config.member.ack_ranges = 32;
    }
    if (campaign->narrow) {
        config.member.window_floor = config.member.window_cap = NARROW_WINDOW;
    }
    if (campaign->hybrid) {
        config.service.hybrid_regions = 2 + (uint32_t)(seed / 8 % 2);
    }
    campaign->world = sim_world_new(&config);
    return campaign->world != NULL;
}

static bool add_hosts(struct campaign *campaign) {
    campaign->hosts = (uint32_t)sim_random_between(&campaign->random, 2, HOSTS_MOST);
    if (campaign->narrow && campaign->hosts > NARROW_HOSTS) {
        campaign->hosts = NARROW_HOSTS; /* more exceed the control budget, see docs/limits.md */
    }
    campaign->groups = (uint32_t)sim_random_between(&campaign->random, 1, GROUPS_MOST);
    for (uint32_t i = 0; i < campaign->hosts; i++) {
        if (sim_world_add(campaign->world, false) == UINT32_MAX) {
            return false;
        }
        struct sim_clock clock = {.offset = below(campaign, 1000 * SECOND),
                                  .ppm = (int32_t)below(campaign, 401) - 200};
        sim_world_clock(campaign->world, i, clock);
    }
    return true;
}

/* In half of the worlds every host is in every group; in the others membership is irregular. */
static void join_groups(struct campaign *campaign) {
    uint32_t percent = chance(campaign, 50) && !campaign->hybrid
                           ? 100
                           : (uint32_t)sim_random_between(&campaign->random, 30, 80);
    for (uint32_t host = 0; host < campaign->hosts; host++) {
        for (uint32_t group = 0; group < campaign->groups; group++) {
            if (group == host % campaign->groups || chance(campaign, percent)) {
                sim_world_join(campaign->world, host, group, NULL);
            }
        }
    }
}

/* ---- traffic ---- */

static void choose_size(struct campaign *campaign, struct sim_flow *flow) {
    uint64_t which = below(campaign, 10);
    flow->size_low = ORACLE_STAMP;
    flow->size_high = which < 5 ? 200 : which < 8 ? 1400 : which < 9 ? 6000 : 200000;
    if (campaign->narrow) {
        flow->size_high = flow->size_high < 1400 ? flow->size_high : 1400;
        flow->interval *= 4; /* the load has to fit */
    }
    if (flow->size_high > 6000) {
        flow->interval *= 20;
    }
}

static void add_flows(struct campaign *campaign) {
    for (uint32_t host = 0; host < campaign->hosts; host++) {
        if (host != 0 && !chance(campaign, 60)) {
            continue;
        }
        struct sim_flow flow = {.host = host, .groups = campaign->groups};
        flow.start = SETUP + below(campaign, SECOND);
        flow.interval = sim_random_between(&campaign->random, 300, 20000) * 1000;
        flow.burst =
            chance(campaign, 20) ? (uint32_t)sim_random_between(&campaign->random, 2, 40) : 1;
        flow.interval *= flow.burst;
        flow.pull = chance(campaign, 50);
        choose_size(campaign, &flow);
        flow.count = 1 + (campaign->end - flow.start) / flow.interval * flow.burst;
        sim_world_flow(campaign->world, &flow);
    }
}

/* ---- faults ---- */

struct action {
    struct campaign *campaign;
    enum fault fault;
    uint32_t host, group;
    uint64_t span;
};

static void end_action(struct action *action) {
    free(action);
}

static void restart(void *user, uint64_t now) {
    (void)now;
    struct action *action = user;
    struct campaign *campaign = action->campaign;
    if (sim_world_restart(campaign->world, action->host)) {
        campaign->coverage->restarts = 1;
        for (uint32_t group = 0; group < campaign->groups; group++) {
            sim_world_join(campaign->world, action->host, group, NULL);
        }
    }
    end_action(action);
}

static void heal(void *user, uint64_t now) {
    (void)now;
    struct action *action = user;
    sim_world_isolate(action->campaign->world, action->host, false);
    end_action(action);
}

static void restart_service(void *user, uint64_t now) {
    (void)now;
    struct action *action = user;
    sim_world_restart_service(action->campaign->world);
    action->campaign->coverage->service_restarts = 1;
    end_action(action);
}

/* True if one more host may fail: two stay healthy. */
static bool may_fail(const struct campaign *campaign) {
    return campaign->failed_hosts + 2 < campaign->hosts;
}

static bool again(struct action *action, sim_call call, uint64_t now) {
    sim_net_at(sim_world_net(action->campaign->world), now + action->span, call, action);
    return true;
}

/* Carry out the action. Return true if it goes on later. */
static bool apply_fault(struct action *action, uint64_t now) {
    struct campaign *campaign = action->campaign;
    struct sim_world *world = campaign->world;
    struct sim_coverage *coverage = campaign->coverage;
    switch (action->fault) {
    case CRASH:
    case CRASH_AND_RESTART:
        campaign->failed_hosts++;
        coverage->crashes = 1;
        sim_world_crash(world, action->host);
        return action->fault == CRASH_AND_RESTART && again(action, restart, now);
    case FREEZE_SHORT:
    case FREEZE_LONG:
        campaign->failed_hosts += action->fault == FREEZE_LONG ? 1 : 0;
        coverage->freezes = 1;
        if (campaign->narrow && action->span >= NARROW_SILENCE) {
            sim_world_doubt(world, action->host);
        }
        sim_world_freeze(world, action->host, now + action->span);
        return false;
    case ISOLATE:
        campaign->failed_hosts++;
        coverage->partitions = 1;
        sim_world_silence(world, action->host, now + action->span + STREAM_RETRY);
        sim_world_isolate(world, action->host, true);
        return again(action, heal, now);
    default:
        campaign->failed_hosts++;
        sim_world_stop(world, action->host);
        return false;
    }
}

static bool change(struct action *action, uint64_t now) {
    struct campaign *campaign = action->campaign;
    struct sim_world *world = campaign->world;
    switch (action->fault) {
    case JOIN:
        campaign->coverage->joins |=
            sim_world_join(world, action->host, action->group, NULL) ? 1 : 0;
        return false;
    case LEAVE:
        campaign->coverage->leaves |= sim_world_leave(world, action->host, action->group) ? 1 : 0;
        return false;
    case LOSE_BURST:
        sim_world_lose(world, UINT32_MAX, action->host, SIM_DATA, 1 + (uint32_t)(now % 97));
        return false;
    default:
        sim_world_crash_service(world);
        return again(action, restart_service, now);
    }
}

static void act(void *user, uint64_t now) {
    struct action *action = user;
    struct campaign *campaign = action->campaign;
    bool alive = sim_world_alive(campaign->world, action->host);
    bool hurts = action->fault <= ISOLATE || action->fault == STOP;
    bool goes_on = false;
    if (hurts && alive && (action->fault == FREEZE_SHORT || may_fail(campaign))) {
        goes_on = apply_fault(action, now);
    } else if (!hurts && alive) {
        goes_on = change(action, now);
    }
    if (!goes_on) {
        end_action(action);
    }
}

static enum fault choose_fault(struct campaign *campaign) {
    static const enum fault churn[] = {JOIN, LEAVE, JOIN, LEAVE, STOP};
    static const enum fault storm[] = {
        JOIN, LEAVE, JOIN, LEAVE, STOP, CRASH, LOSE_BURST, CRASH, CRASH_AND_RESTART};
    static const enum fault lossy[] = {LOSE_BURST, FREEZE_SHORT, LOSE_BURST};
    switch (campaign->kind) {
    case SIM_CAMPAIGN_CHURN:
        return churn[below(campaign, 5)];
    case SIM_CAMPAIGN_LOSSY:
        return lossy[below(campaign, 3)];
    case SIM_CAMPAIGN_STORM:
        return storm[below(campaign, 9)];
    case SIM_CAMPAIGN_CRASH:
        return chance(campaign, 50) ? CRASH : CRASH_AND_RESTART;
    case SIM_CAMPAIGN_FREEZE:
        return chance(campaign, 50) ? FREEZE_SHORT : FREEZE_LONG;
    case SIM_CAMPAIGN_CUT:
        return ISOLATE;
    case SIM_CAMPAIGN_SERVICE:
        return chance(campaign, 30) ? SERVICE_RESTART : churn[below(campaign, 4)];
    default:
        return (enum fault)below(campaign, FAULTS);
    }
}

static uint64_t choose_span(struct campaign *campaign, enum fault fault) {
    switch (fault) {
    case FREEZE_SHORT:
        return sim_random_between(&campaign->random, 5, 300) * MILLISECOND;
    case FREEZE_LONG:
        return sim_random_between(&campaign->random, 800, 4000) * MILLISECOND;
    default:
        return sim_random_between(&campaign->random, 100, 3000) * MILLISECOND;
    }
}

/* Add faults anywhere from the first join on; the last ends before the settling begins. */
static void add_faults(struct campaign *campaign) {
    uint64_t count = campaign->kind == SIM_CAMPAIGN_CALM ? 0 : below(campaign, FAULTS_MOST);
    for (uint64_t i = 0; i < count; i++) {
        struct action *action = calloc(1, sizeof *action);
        if (action == NULL) {
            return;
        }
        action->campaign = campaign;
        action->fault = choose_fault(campaign);
        action->host = (uint32_t)below(campaign, campaign->hosts);
        action->group = (uint32_t)below(campaign, campaign->groups);
        action->span = choose_span(campaign, action->fault);
        uint64_t at = SETUP / 2 + below(campaign, campaign->end - SETUP / 2);
        campaign->calm = at + action->span > campaign->calm ? at + action->span : campaign->calm;
        sim_net_at(sim_world_net(campaign->world), at, act, action);
    }
}

/* ---- the verdict ---- */

/* After the settling no member holds anything back. */
static void judge_quiet(struct campaign *campaign, uint32_t host, uint64_t now) {
    struct oracle *oracle = sim_world_oracle(campaign->world);
    struct mcast_stats stats;
    if (!sim_world_stats(campaign->world, host, &stats)) {
        return;
    }
    oracle_apply(oracle, ORACLE_QUIET);
    if (stats.pending_packets + stats.cached_packets + stats.reorder_packets +
            stats.reassembly_bytes !=
        0) {
        oracle_fail(
            oracle, ORACLE_QUIET, now,
            "host %u still has %llu pending, %llu cached, %llu out of order, %llu in pieces", host,
            (unsigned long long)stats.pending_packets, (unsigned long long)stats.cached_packets,
            (unsigned long long)stats.reorder_packets, (unsigned long long)stats.reassembly_bytes);
    }
}

/* After the settling every host that wants a group is in it and knows all other members. */
static void judge_membership(struct campaign *campaign, uint32_t group, uint64_t now) {
    struct sim_world *world = campaign->world;
    struct oracle *oracle = sim_world_oracle(world);
    uint32_t members[HOSTS_MOST], count = 0;
    for (uint32_t host = 0; host < campaign->hosts; host++) {
        if (!sim_world_alive(world, host)) {
            continue;
        }
        const struct oracle_membership *membership =
            oracle_membership_of(oracle, sim_world_actor(world, host), group);
        if (membership->wants) {
            members[count++] = sim_world_actor(world, host);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct oracle_membership *membership =
            oracle_membership_of(oracle, members[i], group);
        oracle_apply(oracle, ORACLE_VIEWS);
        if (!membership->joined || membership->view == NULL || membership->view->count != count) {
            oracle_fail(oracle, ORACLE_VIEWS, now, "actor %u %s group %u of %u, and sees %u",
                        members[i], membership->joined ? "is in" : "waits for", group, count,
                        membership->view == NULL ? 0 : membership->view->count);
        }
    }
}

/* Everything has arrived and every host is where it wants to be; later all copies are gone; and a
 * host that ends leaves nothing behind. */
static void judge(struct campaign *campaign, struct sim_campaign_result *result) {
    struct oracle *oracle = sim_world_oracle(campaign->world);
    uint64_t now = sim_world_now(campaign->world);
    sim_world_settle(campaign->world);
    for (uint32_t group = 0; group < campaign->groups; group++) {
        judge_membership(campaign, group, now);
    }
    sim_world_run(campaign->world, now + LAST_COPIES);
    for (uint32_t host = 0; host < campaign->hosts; host++) {
        judge_quiet(campaign, host, now + LAST_COPIES);
    }
    for (uint32_t host = 0; host < campaign->hosts; host++) {
        if (sim_world_alive(campaign->world, host)) {
            sim_world_crash(campaign->world, host); /* so that its memory is counted */
        }
    }
    for (int id = 0; id < ORACLE_COUNT; id++) {
        result->broken_by[id] = oracle_broken(oracle, (enum oracle_id)id);
        result->applied_by[id] = oracle_applied(oracle, (enum oracle_id)id);
    }
    result->broken = oracle_broken_total(oracle);
    for (size_t i = 0; i < SIM_TEXTS && oracle_breach(oracle, i) != NULL; i++) {
        memcpy(result->breaches[i], oracle_breach(oracle, i), SIM_TEXT);
    }
}

static void cover(const struct campaign *campaign, struct sim_campaign_result *result) {
    struct sim_totals totals = sim_world_totals(campaign->world);
    struct sim_coverage *coverage = campaign->coverage;
    const struct mcast_stats *stats = &totals.members;
    coverage->views = stats->views_installed > campaign->hosts ? 1 : 0;
    coverage->repairs_pushed = stats->repairs_pushed != 0;
    coverage->repairs_pulled = stats->repairs_pulled != 0;
    coverage->repairs_crossed = stats->repairs_crossed != 0;
    coverage->repairs_sourced = stats->repairs_sourced != 0;
    coverage->repairs_multicast = stats->repairs_multicast != 0;
    coverage->skips = stats->skips != 0;
    coverage->opens = stats->opens != 0;
    coverage->evictions = stats->evictions != 0;
    coverage->region_moves = stats->region_moves != 0;
    coverage->fragments = stats->fragments_sent != 0;
    coverage->corrupted = stats->drop_tag != 0;
    coverage->duplicates = stats->duplicates != 0;
    coverage->quiescent = stats->quiescent_marks != 0;
    coverage->high_waters = stats->high_waters_sent != 0;
    coverage->hybrid = stats->hybrids_received != 0;
    result->delivered = totals.delivered;
    result->events = sim_net_events(sim_world_net(campaign->world));
    result->trace = sim_net_trace(sim_world_net(campaign->world));
}

/* End all loss. Return how many rounds everything may take from now on. */
static uint64_t calm_down(struct campaign *campaign) {
    for (uint32_t host = 0; host < campaign->hosts; host++) {
        struct sim_net *net = sim_world_net(campaign->world);
        struct sim_link link = sim_net_link_of(net, sim_world_node(campaign->world, host));
        link.loss = link.burst = link.duplicate = link.reorder = link.corrupt = 0;
        sim_net_link(net, sim_world_node(campaign->world, host), &link);
    }
    return sim_world_calm(campaign->world);
}

bool sim_campaign_run(uint64_t seed, enum sim_campaign_kind kind,
                      struct sim_campaign_result *result, FILE *log) {
    *result = (struct sim_campaign_result){.seed = seed};
    struct campaign campaign = {.kind = kind, .coverage = &result->coverage};
    sim_random_seed(&campaign.random, seed ^ 0x5eed);
    if (kind == SIM_CAMPAIGN_HYBRID) {
        campaign.kind = (enum sim_campaign_kind)below(&campaign, SIM_CAMPAIGN_HYBRID);
    }
    campaign.hybrid =
        kind == SIM_CAMPAIGN_HYBRID || (kind == SIM_CAMPAIGN_MIXED && seed % MIXED_HYBRID == 5);
    campaign.narrow = kind == SIM_CAMPAIGN_FREEZE && seed % FREEZES_NARROW == 3;
    campaign.end = SETUP + SECOND + sim_random_between(&campaign.random, 1000, 3000) * MILLISECOND;
    campaign.calm = campaign.end;
    if (!make_world(&campaign, seed) || !add_hosts(&campaign)) {
        sim_world_free(campaign.world);
        return false;
    }
    sim_world_log(campaign.world, log);
    join_groups(&campaign);
    add_flows(&campaign);
    add_faults(&campaign);
    sim_world_run(campaign.world, campaign.calm);
    uint64_t rounds = calm_down(&campaign);
    sim_world_run(campaign.world, campaign.calm + GRACE + rounds * ROUND_MOST);
    judge(&campaign, result);
    cover(&campaign, result);
    sim_world_free(campaign.world);
    return true;
}
