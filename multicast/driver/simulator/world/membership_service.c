/* The node that runs the membership service. */
#include "simulator/world/world_state.h"

#include <stdlib.h>
#include <string.h>

enum { STEP_COST = 2000, MESSAGE_COST = 3000, SEND_COST = 3000, TURN_MESSAGES = 64 };

bool sim_service_start(struct sim_world *world) {
    struct sim_service_host *host = &world->service;
    struct mcast_service_config config = world->config.service;
    config.generation = ++host->generation;
    sim_map_init(&host->peers);
    host->alloc = sim_memory_alloc(&host->memory);
    return mcast_service_new(&config, &host->alloc, &host->service) == 0;
}

void sim_service_end(struct sim_world *world) {
    struct sim_service_host *host = &world->service;
    mcast_service_free(host->service);
    host->service = NULL;
    sim_map_free(&host->peers);
    if (world->oracle != NULL) {
        oracle_apply(world->oracle, ORACLE_MEMORY);
        if (host->memory.used != 0) {
            oracle_fail(world->oracle, ORACLE_MEMORY, sim_net_now(world->net),
                        "the service ended and did not free %llu bytes",
                        (unsigned long long)host->memory.used);
        }
    }
    host->memory = (struct sim_memory){0};
}

static uint32_t peer_of(const struct sim_service_host *host, uint64_t connection) {
    return (uint32_t)(uintptr_t)sim_map_get(&host->peers, connection) - 1;
}

/* Make the event of one frame. Return false if it is not for the service. */
static bool take_frame(struct sim_world *world, const struct sim_packet *packet,
                       struct mcast_service_event *event) {
    struct sim_service_host *host = &world->service;
    struct sim_frame frame;
    if (!sim_frame_read(packet, &frame)) {
        return false;
    }
    *event = (struct mcast_service_event){.connection = frame.connection};
    if (frame.kind == SIM_FRAME_CONNECT) {
        sim_map_put(&host->peers, frame.connection, (void *)(uintptr_t)(packet->from + 1));
        sim_frame_send(world, host->node, packet->from, SIM_FRAME_ACCEPT, frame.connection, NULL, 0,
                       0);
        event->kind = MCAST_SERVICE_CONNECTED;
        return true;
    }
    if (sim_map_get(&host->peers, frame.connection) == NULL) {
        return false;
    }
    if (frame.kind == SIM_FRAME_CLOSE) {
        sim_map_remove(&host->peers, frame.connection);
        event->kind = MCAST_SERVICE_DISCONNECTED;
        return true;
    }
    event->kind = MCAST_SERVICE_MESSAGE;
    event->bytes = packet->bytes + sizeof frame;
    event->length = packet->size - sizeof frame;
    return true;
}

static uint64_t carry_out(struct sim_world *world, const struct mcast_service_output *output,
                          uint64_t cost) {
    struct sim_service_host *host = &world->service;
    for (size_t i = 0; i < output->send_count; i++) {
        const struct mcast_service_send *send = &output->sends[i];
        cost += SEND_COST;
        if (world->wire != NULL) {
            oracle_wire_service(world->wire, send->bytes, send->length, sim_net_now(world->net));
        }
        if (sim_map_get(&host->peers, send->connection) != NULL) {
            sim_frame_send(world, host->node, peer_of(host, send->connection), SIM_FRAME_MESSAGE,
                           send->connection, send->bytes, send->length, cost);
        }
    }
    for (size_t i = 0; i < output->close_count; i++) {
        uint64_t connection = output->closes[i];
        if (sim_map_get(&host->peers, connection) != NULL) {
            sim_frame_send(world, host->node, peer_of(host, connection), SIM_FRAME_CLOSE,
                           connection, NULL, 0, cost);
            sim_map_remove(&host->peers, connection);
        }
    }
    return cost;
}

static uint64_t step(struct sim_world *world, const struct mcast_service_event *events,
                     size_t count, uint64_t now) {
    struct mcast_service_output output = {0};
    mcast_service_step(world->service.service, events, count, now, &output);
    return carry_out(world, &output, STEP_COST + count * MESSAGE_COST);
}

uint64_t sim_service_turn(struct sim_world *world, uint64_t now) {
    struct sim_service_host *host = &world->service;
    struct mcast_service_event events[TURN_MESSAGES];
    struct sim_packet *packets[TURN_MESSAGES];
    size_t count = 0, taken = 0;
    while (taken < TURN_MESSAGES &&
           (packets[taken] = sim_net_take(world->net, host->node, SIM_STREAM)) != NULL) {
        count += take_frame(world, packets[taken], &events[count]) ? 1 : 0;
        taken++;
    }
    uint64_t cost = step(world, events, count, now);
    for (size_t i = 0; i < taken; i++) {
        sim_packet_release(packets[i]);
    }
    mcast_time deadline = mcast_service_next_deadline(host->service);
    sim_net_alarm(world->net, host->node, deadline <= now ? now + cost : deadline);
    return cost;
}

/* End the connections of a peer that is gone. */
void sim_service_broken(struct sim_world *world, uint32_t peer, uint64_t now) {
    struct sim_service_host *host = &world->service;
    for (uint32_t i = 0; host->service != NULL && i < host->peers.room; i++) {
        struct sim_map_slot slot = host->peers.slots[i];
        if (slot.key != 0 && (uintptr_t)slot.value == (uintptr_t)peer + 1) {
            sim_map_remove(&host->peers, slot.key);
            struct mcast_service_event event = {.kind = MCAST_SERVICE_DISCONNECTED,
                                                .connection = slot.key};
            step(world, &event, 1, now);
            sim_net_alarm(world->net, host->node, now);
            i = 0; /* a removal moved other entries */
        }
    }
}
