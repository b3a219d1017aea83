/* Application inbox: records that wait for an application outside the simulation. */
#include "simulator/world/world_state.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

static void grow(struct sim_host *host) {
    uint32_t room = host->inbox_room == 0 ? FIRST_ROOM : host->inbox_room * 2;
    struct sim_record *inbox = malloc(room * sizeof *inbox);
    if (inbox == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < host->inbox_count; i++) {
        inbox[i] = host->inbox[(host->inbox_head + i) & (host->inbox_room - 1)];
    }
    free(host->inbox);
    host->inbox = inbox;
    host->inbox_room = room;
    host->inbox_head = 0;
}

void sim_inbox_put(struct sim_host *host, const struct sim_record *record) {
    if (host->inbox_count == host->inbox_room) {
        grow(host);
    }
    host->inbox[(host->inbox_head + host->inbox_count++) & (host->inbox_room - 1)] = *record;
}

bool sim_world_take(struct sim_world *world, uint32_t number, struct sim_record *record) {
    struct sim_host *host = world->hosts[number];
    if (host->inbox_count == 0) {
        return false;
    }
    *record = host->inbox[host->inbox_head];
    host->inbox_head = (host->inbox_head + 1) & (host->inbox_room - 1);
    host->inbox_count--;
    return true;
}

void sim_world_consumed(struct sim_world *world, uint32_t number, uint32_t group, uint32_t messages,
                        uint64_t bytes) {
    if (world->hosts[number]->running) {
        sim_app_consumed(world->hosts[number], group, messages, bytes);
    }
}

uint32_t sim_world_waiting(const struct sim_world *world, uint32_t number) {
    return world->hosts[number]->inbox_count;
}

void sim_inbox_clear(struct sim_host *host) {
    while (host->inbox_count > 0) {
        struct sim_record *record = &host->inbox[host->inbox_head];
        mcast_buffer_release(record->buffer);
        host->inbox_head = (host->inbox_head + 1) & (host->inbox_room - 1);
        host->inbox_count--;
    }
}
