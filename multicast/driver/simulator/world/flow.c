/* Flows: the message sources of the applications. Each message carries a stamp for the judges. */
#include "simulator/world/world_state.h"

#include <assert.h>
#include <stdlib.h>

/* The messages of a flow without an interval that may wait in the core at a time. */
enum { OPEN_MOST = 64, FIRST_FLOWS = 8 };

static uint64_t cookie_of(const struct sim_flow_state *state, uint32_t number) {
    return ((uint64_t)number + 1) << 32 | (uint32_t)state->made;
}

static struct sim_flow_state *flow_of(const struct sim_host *host, uint64_t cookie) {
    uint64_t number = (cookie >> 32) - 1;
    const struct sim_world *world = host->world;
    bool known = number < world->flow_count && world->flows[number]->flow.host == host->number;
    return known ? world->flows[number] : NULL;
}

static bool is_done(const struct sim_flow_state *state) {
    return state->stopped || (state->flow.count != 0 && state->made >= state->flow.count);
}

/* Make a stamped payload for @group. */
static struct sim_packet *make_payload(struct sim_flow_state *state, uint32_t group, uint64_t now) {
    struct sim_world *world = state->world;
    const struct sim_flow *flow = &state->flow;
    uint32_t size = (uint32_t)sim_random_between(&world->random, flow->size_low, flow->size_high);
    struct sim_packet *packet = sim_packet_new(size);
    if (packet == NULL) {
        abort();
    }
    uint32_t actor = world->hosts[flow->host]->actor;
    if (world->oracle != NULL) {
        oracle_send(world->oracle, actor, group, packet->bytes, size, now);
    }
    world->totals.stamped++;
    return packet;
}

/* The next of the flow's groups that its host is in, or SIM_NO_GROUP. */
static uint32_t next_group(struct sim_flow_state *state, uint32_t *local) {
    struct sim_host *host = state->world->hosts[state->flow.host];
    for (uint32_t i = 0; i < state->flow.groups; i++) {
        uint32_t group = state->flow.first_group + state->next_group;
        state->next_group = (state->next_group + 1) % state->flow.groups;
        const struct sim_host_group *entry = sim_host_group_of(host, group, local);
        if (entry != NULL && entry->joined && entry->wanted) {
            return group;
        }
    }
    return SIM_NO_GROUP;
}

static bool send_one(struct sim_flow_state *state, uint32_t number, uint64_t now) {
    struct sim_host *host = state->world->hosts[state->flow.host];
    uint32_t local;
    uint32_t group = host->running && host->rejoin_at == UINT64_MAX ? next_group(state, &local)
                                                                    : (uint32_t)SIM_NO_GROUP;
    if (group == SIM_NO_GROUP) {
        return false;
    }
    struct mcast_event event = {.kind = MCAST_EVENT_SEND};
    struct sim_packet *payload = NULL;
    event.as.send.group = local;
    event.as.send.cookie = cookie_of(state, number);
    event.as.send.pull = state->flow.pull;
    if (!state->flow.pull) {
        payload = make_payload(state, group, now);
        event.as.send.buffer = &payload->buffer;
        event.as.send.bytes = payload->bytes;
        event.as.send.length = payload->size;
    }
    state->made++;
    state->open++;
    return sim_host_request(host, event, payload);
}

static void fill(struct sim_flow_state *state, uint32_t number, uint64_t now) {
    while (!is_done(state) && state->open < OPEN_MOST && send_one(state, number, now)) {
    }
}

static void flow_due(void *user, uint64_t now) {
    struct sim_flow_state *state = user;
    if (state->flow.interval == 0) {
        fill(state, state->number, now);
        return;
    }
    for (uint32_t i = 0; i < state->flow.burst && !is_done(state); i++) {
        send_one(state, state->number, now);
    }
    if (!is_done(state)) {
        sim_net_at(state->world->net, now + state->flow.interval, flow_due, state);
    }
}

uint32_t sim_world_flow(struct sim_world *world, const struct sim_flow *flow) {
    assert(flow->size_low >= ORACLE_STAMP && flow->size_high >= flow->size_low);
    assert(flow->groups >= 1 && flow->host < world->host_count);
    if (world->flow_count == world->flow_room) {
        uint32_t room = world->flow_room == 0 ? FIRST_FLOWS : world->flow_room * 2;
        struct sim_flow_state **flows =
            realloc(world->flows, room * sizeof(struct sim_flow_state *));
        if (flows == NULL) {
            return UINT32_MAX;
        }
        world->flows = flows;
        world->flow_room = room;
    }
    struct sim_flow_state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return UINT32_MAX;
    }
    state->flow = *flow;
    state->flow.burst = flow->burst == 0 ? 1 : flow->burst;
    state->world = world;
    state->number = world->flow_count++;
    world->flows[state->number] = state;
    bool planned = sim_net_at(world->net, flow->start, flow_due, state);
    return planned ? state->number : UINT32_MAX;
}

void sim_world_flow_stop(struct sim_world *world, uint32_t flow) {
    world->flows[flow]->stopped = true;
}

uint64_t sim_world_flow_sent(const struct sim_world *world, uint32_t flow) {
    return world->flows[flow]->sent;
}

struct sim_packet *sim_flow_supply(struct sim_host *host, const struct mcast_want *want,
                                   struct mcast_event *event, uint64_t now) {
    struct sim_flow_state *state = flow_of(host, want->cookie);
    if (host->external) {
        struct sim_record record = {.kind = SIM_RECORD_WANT,
                                    .group = host->groups[want->group].group,
                                    .cookie = want->cookie,
                                    .count = want->budget,
                                    .at = now};
        sim_inbox_put(host, &record);
        sim_net_stop(host->world->net);
        event->kind = (enum mcast_event_kind)0;
        return NULL;
    }
    *event = (struct mcast_event){.kind = MCAST_EVENT_PAYLOAD};
    event->as.payload.group = want->group;
    event->as.payload.cookie = want->cookie;
    uint32_t group = host->groups[want->group].group;
    if (state == NULL || group == SIM_NO_GROUP || !host->groups[want->group].wanted) {
        event->as.payload.nothing = true;
        if (state != NULL) {
            state->open -= state->open > 0 ? 1 : 0;
        }
        return NULL;
    }
    struct sim_packet *payload = make_payload(state, group, now);
    event->as.payload.buffer = &payload->buffer;
    event->as.payload.bytes = payload->bytes;
    event->as.payload.length = payload->size;
    return payload;
}

void sim_flow_answered(struct sim_host *host, uint64_t cookie, bool sent, uint64_t now) {
    struct sim_flow_state *state = flow_of(host, cookie);
    if (state == NULL) {
        return;
    }
    state->sent += sent ? 1 : 0;
    state->open -= state->open > 0 ? 1 : 0;
    if (state->flow.interval == 0 && now >= state->flow.start && state->open < OPEN_MOST / 2) {
        fill(state, (uint32_t)(cookie >> 32) - 1, now);
    }
}

/* The host joined a group: flows that had none may go on. */
void sim_flow_resume(struct sim_host *host, uint64_t now) {
    for (uint32_t i = 0; i < host->world->flow_count; i++) {
        struct sim_flow_state *state = host->world->flows[i];
        if (state->flow.host == host->number && state->flow.interval == 0 &&
            now >= state->flow.start) {
            fill(state, i, now);
        }
    }
}
