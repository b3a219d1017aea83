#include "simulator/world/binding_face.h"
#include "simulator/world/world_state.h"

#include <stdlib.h>
#include <string.h>

uint32_t sim_face_flow(struct sim_world *world, uint32_t host, uint32_t first_group,
                       uint32_t groups, uint32_t size_low, uint32_t size_high, uint64_t start,
                       uint64_t interval, uint64_t count, uint32_t burst, bool pull) {
    struct sim_flow flow = {.host = host,
                            .first_group = first_group,
                            .groups = groups,
                            .size_low = size_low,
                            .size_high = size_high,
                            .start = start,
                            .interval = interval,
                            .count = count,
                            .burst = burst,
                            .pull = pull};
    return sim_world_flow(world, &flow);
}

bool sim_face_join(struct sim_world *world, uint32_t host, uint32_t group, uint32_t slow,
                   uint32_t queue_messages, uint32_t queue_bytes, bool tell_stable) {
    struct mcast_group_policy policy = {.slow = (enum mcast_slow_policy)slow,
                                        .queue_messages = queue_messages,
                                        .queue_bytes = queue_bytes,
                                        .tell_stable = tell_stable};
    return sim_world_join(world, host, group, &policy);
}

bool sim_face_take(struct sim_world *world, uint32_t host, uint64_t *numbers,
                   const uint8_t **bytes) {
    struct sim_record record;
    mcast_buffer_release(world->shown);
    world->shown = NULL;
    if (!sim_world_take(world, host, &record)) {
        return false;
    }
    world->shown = record.buffer;
    *bytes = record.bytes;
    const uint64_t all[SIM_FACE_NUMBERS] = {record.kind,   (uint64_t)(int64_t)record.code,
                                            record.group,  record.sender,
                                            record.number, record.last,
                                            record.count,  record.cookie,
                                            record.at,     record.length};
    memcpy(numbers, all, sizeof all);
    return true;
}

void sim_face_clock(struct sim_world *world, uint32_t host, uint64_t offset, int32_t ppm) {
    sim_world_clock(world, host, (struct sim_clock){offset, ppm});
}

void sim_face_link(struct sim_world *world, uint32_t host, uint32_t loss, uint64_t latency,
                   uint64_t jitter) {
    struct sim_link link = sim_net_link_of(world->net, world->hosts[host]->node);
    link.loss = loss;
    link.latency = latency;
    link.jitter = jitter;
    sim_net_link(world->net, world->hosts[host]->node, &link);
}

bool sim_face_cut(struct sim_world *world, uint32_t a, uint32_t b, bool cut) {
    return sim_net_cut(world->net, world->hosts[a]->node, world->hosts[b]->node, cut) &&
           sim_net_cut(world->net, world->hosts[b]->node, world->hosts[a]->node, cut);
}

bool sim_face_lose(struct sim_world *world, uint32_t from, uint32_t to, uint32_t socket,
                   uint32_t count) {
    return sim_world_lose(world, from, to, (enum sim_socket)socket, count);
}

uint64_t sim_face_trace(struct sim_world *world) {
    return sim_net_trace(world->net);
}

uint64_t sim_face_events(struct sim_world *world) {
    return sim_net_events(world->net);
}

uint64_t sim_face_delivered(struct sim_world *world) {
    return world->totals.delivered;
}

uint64_t sim_face_latency(struct sim_world *world, bool longest) {
    uint64_t count = world->totals.delivered;
    return longest ? world->totals.latency_max : count == 0 ? 0 : world->totals.latency_sum / count;
}

uint64_t sim_face_busy(struct sim_world *world, uint32_t host) {
    return sim_net_stats(world->net, world->hosts[host]->node).busy;
}

uint64_t sim_face_spent(struct sim_world *world, uint32_t host) {
    return world->hosts[host]->spent;
}

uint64_t sim_face_lateness(struct sim_world *world, uint32_t host, bool longest) {
    struct sim_node_stats stats = sim_net_stats(world->net, world->hosts[host]->node);
    return longest ? stats.late_max : stats.alarms == 0 ? 0 : stats.late_sum / stats.alarms;
}

uint64_t sim_face_lost(struct sim_world *world, uint32_t host, bool overflowed) {
    struct sim_node_stats stats = sim_net_stats(world->net, world->hosts[host]->node);
    return overflowed ? stats.overflowed : stats.lost;
}

uint64_t sim_face_ack_time(struct sim_world *world) {
    struct oracle_wire_counts counts = sim_world_wire(world);
    return counts.ack_count == 0 ? 0 : counts.ack_sum / counts.ack_count;
}

uint64_t sim_face_rounds(struct sim_world *world, bool purged, uint32_t rounds) {
    struct oracle_wire_counts counts = sim_world_wire(world);
    const uint64_t *from = purged ? counts.purge_rounds : counts.repair_rounds;
    return rounds < ORACLE_ROUNDS ? from[rounds] : 0;
}

uint64_t sim_face_repairers(struct sim_world *world, bool most) {
    struct oracle_wire_counts counts = sim_world_wire(world);
    return most ? counts.repairs_most : counts.repairers;
}

uint64_t sim_face_sent(struct sim_world *world, uint32_t type, bool bytes) {
    struct oracle_wire_counts counts = sim_world_wire(world);
    return type >= 16 ? 0 : bytes ? counts.bytes[type] : counts.kind[type];
}

void sim_face_pronounce(struct sim_world *world, size_t id, bool kept) {
    if (world->oracle == NULL || id >= ORACLE_COUNT) {
        return;
    }
    oracle_apply(world->oracle, (enum oracle_id)id);
    if (!kept) {
        oracle_fail(world->oracle, (enum oracle_id)id, sim_net_now(world->net),
                    "by the verdict of a scenario");
    }
}

size_t sim_face_oracles(void) {
    return ORACLE_COUNT;
}

const char *sim_face_oracle_word(size_t id) {
    return oracle_word((enum oracle_id)id);
}

const char *sim_face_oracle_text(size_t id) {
    return oracle_text((enum oracle_id)id);
}

uint64_t sim_face_broken(struct sim_world *world, size_t id) {
    return world->oracle == NULL ? 0 : oracle_broken(world->oracle, (enum oracle_id)id);
}

uint64_t sim_face_applied(struct sim_world *world, size_t id) {
    return world->oracle == NULL ? 0 : oracle_applied(world->oracle, (enum oracle_id)id);
}

const char *sim_face_breach(struct sim_world *world, size_t index) {
    return world->oracle == NULL ? NULL : oracle_breach(world->oracle, index);
}

void sim_face_settle(struct sim_world *world) {
    sim_world_settle(world);
}

struct sim_campaign_result *sim_face_campaign(uint64_t seed, uint32_t kind) {
    struct sim_campaign_result *result = malloc(sizeof *result);
    if (result != NULL && !sim_campaign_run(seed, (enum sim_campaign_kind)kind, result, NULL)) {
        free(result);
        return NULL;
    }
    return result;
}

void sim_face_campaign_free(struct sim_campaign_result *result) {
    free(result);
}

uint64_t sim_face_campaign_trace(const struct sim_campaign_result *result) {
    return result->trace;
}

uint64_t sim_face_campaign_broken(const struct sim_campaign_result *result) {
    return result->broken;
}

uint64_t sim_face_campaign_delivered(const struct sim_campaign_result *result) {
    return result->delivered;
}

const char *sim_face_campaign_breach(const struct sim_campaign_result *result, size_t index) {
    return index < SIM_TEXTS && result->breaches[index][0] != 0 ? result->breaches[index] : NULL;
}

static const char *const coverage_names[] = {
#define X(name) #name,
    SIM_COVERAGE(X)
#undef X
};

enum { COVERAGE = sizeof coverage_names / sizeof *coverage_names };

_Static_assert(COVERAGE * sizeof(uint64_t) == sizeof(struct sim_coverage),
               "coverage is numbers in the order of their names");

const char *sim_face_coverage_name(size_t index) {
    return index < COVERAGE ? coverage_names[index] : NULL;
}

uint64_t sim_face_campaign_coverage(const struct sim_campaign_result *result, size_t index) {
    uint64_t value = 0;
    if (index < COVERAGE) {
        memcpy(&value, (const char *)&result->coverage + index * sizeof value, sizeof value);
    }
    return value;
}
