#include "simulator/world/settings.h"

#include <stdlib.h>
#include <string.h>

struct sim_settings {
    struct sim_world_config config;
};

/* X(name, field) */
#define SETTINGS(X)                                                                                \
    X(link_latency, net.link.latency)                                                              \
    X(link_jitter, net.link.jitter)                                                                \
    X(link_loss, net.link.loss)                                                                    \
    X(link_burst, net.link.burst)                                                                  \
    X(link_burst_length, net.link.burst_length)                                                    \
    X(link_duplicate, net.link.duplicate)                                                          \
    X(link_reorder, net.link.reorder)                                                              \
    X(link_corrupt, net.link.corrupt)                                                              \
    X(sealed_lies, sealed_lies)                                                                    \
    X(link_reorder_by, net.link.reorder_by)                                                        \
    X(wake, net.wake)                                                                              \
    X(wake_jitter, net.wake_jitter)                                                                \
    X(wire_per_byte_ps, net.wire_per_byte_ps)                                                      \
    X(socket_limit, net.socket_limit)                                                              \
    X(pace, member.pace)                                                                           \
    X(ring_mode, member.ring_mode)                                                                 \
    X(priority_mode, member.priority_mode)                                                         \
    X(interval_floor, member.interval_floor)                                                       \
    X(interval_ceiling, member.interval_ceiling)                                                   \
    X(partition_size, member.partition_size)                                                       \
    X(replicas, member.replicas)                                                                   \
    X(owner_block, member.owner_block)                                                             \
    X(nak_ranges, member.nak_ranges)                                                               \
    X(ack_ranges, member.ack_ranges)                                                               \
    X(packet_size, member.packet_size)                                                             \
    X(window_floor, member.window_floor)                                                           \
    X(window_cap, member.window_cap)                                                               \
    X(rate_cap, member.rate_cap)                                                                   \
    X(recovery_share, member.recovery_share)                                                       \
    X(batch_delay, member.batch_delay)                                                             \
    X(reassembly_cap, member.reassembly_cap)                                                       \
    X(reorder_cap, member.reorder_cap)                                                             \
    X(first_number, member.first_number)                                                           \
    X(heartbeat, service.heartbeat)                                                                \
    X(suspicion, service.suspicion)                                                                \
    X(batch, service.batch)                                                                        \
    X(ack_wait, service.ack_wait)                                                                  \
    X(ack_limit, service.ack_limit)                                                                \
    X(smallest_region, service.smallest_region)                                                    \
    X(hybrid_regions, service.hybrid_regions)                                                      \
    X(strict_hierarchies, service.strict_hierarchies)                                              \
    X(cost_step, cost.step)                                                                        \
    X(cost_read_control, cost.read[SIM_CONTROL])                                                   \
    X(cost_read_repair, cost.read[SIM_REPAIR])                                                     \
    X(cost_read_data, cost.read[SIM_DATA])                                                         \
    X(cost_handle_control, cost.handle[SIM_CONTROL])                                               \
    X(cost_handle_repair, cost.handle[SIM_REPAIR])                                                 \
    X(cost_handle_data, cost.handle[SIM_DATA])                                                     \
    X(cost_handle_kib, cost.handle_kib)                                                            \
    X(cost_send_control, cost.send[SIM_CONTROL])                                                   \
    X(cost_send_repair, cost.send[SIM_REPAIR])                                                     \
    X(cost_send_data, cost.send[SIM_DATA])                                                         \
    X(cost_send_kib, cost.send_kib)                                                                \
    X(cost_deliver, cost.deliver)                                                                  \
    X(cost_create, cost.create)                                                                    \
    X(tagged, tagged)                                                                              \
    X(judged, judged)                                                                              \
    X(wire_logged, wire_logged)                                                                    \
    X(profiled, profiled)                                                                          \
    X(isolated, isolated)                                                                          \
    X(calm, calm)                                                                                  \
    X(turn_packets, turn_packets)                                                                  \
    X(room, room)                                                                                  \
    X(wire_ahead, wire_ahead)                                                                      \
    X(buffer_size, buffer_size)                                                                    \
    X(memory_bound, memory_bound)                                                                  \
    X(tax_ppm, tax_ppm)                                                                            \
    X(tax_lag_pct, tax_lag_pct)                                                                    \
    X(rejoin_after, rejoin_after)

struct place {
    const char *name;
    size_t offset, size;
};

static const struct place places[] = {
#define X(name, field)                                                                             \
    {#name, offsetof(struct sim_world_config, field),                                              \
     sizeof(((struct sim_world_config *)0)->field)},
    SETTINGS(X)
#undef X
};

enum { PLACES = sizeof places / sizeof *places };

struct sim_settings *sim_settings_new(uint64_t seed) {
    struct sim_settings *settings = malloc(sizeof *settings);
    if (settings != NULL) {
        settings->config = sim_world_config_default(seed);
    }
    return settings;
}

void sim_settings_free(struct sim_settings *settings) {
    free(settings);
}

static const struct place *find(const char *name) {
    for (size_t i = 0; i < PLACES; i++) {
        if (strcmp(places[i].name, name) == 0) {
            return &places[i];
        }
    }
    return NULL;
}

bool sim_settings_set(struct sim_settings *settings, const char *name, uint64_t value) {
    const struct place *place = find(name);
    if (place == NULL) {
        return false;
    }
    char *at = (char *)&settings->config + place->offset;
    uint32_t narrow = (uint32_t)value;
    uint8_t flag = value != 0;
    switch (place->size) {
    case 8:
        memcpy(at, &value, 8);
        return true;
    case 4:
        memcpy(at, &narrow, 4);
        return narrow == value;
    default:
        memcpy(at, &flag, 1);
        return value <= 1;
    }
}

bool sim_settings_get(const struct sim_settings *settings, const char *name, uint64_t *value) {
    const struct place *place = find(name);
    if (place == NULL) {
        return false;
    }
    const char *at = (const char *)&settings->config + place->offset;
    uint32_t narrow;
    memcpy(&narrow, at, place->size < 4 ? 1 : 4);
    *value = place->size == 4 ? narrow : *(const uint8_t *)at;
    if (place->size == 8) {
        memcpy(value, at, 8);
    }
    return true;
}

const char *sim_settings_name(size_t index) {
    return index < PLACES ? places[index].name : NULL;
}

void sim_settings_paper(struct sim_settings *settings) {
    mcast_config_paper(&settings->config.member);
}

struct sim_world *sim_world_from(const struct sim_settings *settings) {
    return sim_world_new(&settings->config);
}

/* ---- statistics by name ---- */

static const char *const measures[] = {
#define X(name) #name,
    MCAST_COUNTERS(X) MCAST_GAUGES(X)
#undef X
};

enum { MEASURES = sizeof measures / sizeof *measures };

_Static_assert(MEASURES * sizeof(uint64_t) == sizeof(struct mcast_stats),
               "the statistics are numbers of 64 bits, in the order of their names");

const char *sim_measure_name(size_t index) {
    return index < MEASURES ? measures[index] : NULL;
}

bool sim_world_measure(const struct sim_world *world, uint32_t host, const char *name,
                       uint64_t *value) {
    struct mcast_stats stats;
    if (!sim_world_stats(world, host, &stats)) {
        return false;
    }
    for (size_t i = 0; i < MEASURES; i++) {
        if (strcmp(measures[i], name) == 0) {
            memcpy(value, (const char *)&stats + i * sizeof *value, sizeof *value);
            return true;
        }
    }
    return false;
}
