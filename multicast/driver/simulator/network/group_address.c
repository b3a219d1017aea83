/* Group addresses: the nodes that receive datagrams sent to a group address. */
#include "simulator/network/network_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void sim_groups_free(struct sim_net *net) {
    for (uint32_t i = 0; i < net->groups.room; i++) {
        struct sim_group *group = net->groups.slots[i].value;
        if (group != NULL) {
            free(group->members);
            free(group);
        }
    }
    sim_map_free(&net->groups);
}

bool sim_net_subscribe(struct sim_net *net, uint32_t node, uint64_t address) {
    assert(address >= SIM_FIRST_GROUP);
    struct sim_group *group = sim_map_get(&net->groups, address);
    if (group == NULL) {
        group = calloc(1, sizeof *group);
        if (group == NULL || !sim_map_put(&net->groups, address, group)) {
            free(group);
            return false;
        }
    }
    for (uint32_t i = 0; i < group->count; i++) {
        if (group->members[i] == node) {
            return true;
        }
    }
    if (group->count == group->room) {
        uint32_t room = group->room == 0 ? 4 : group->room * 2;
        uint32_t *members = realloc(group->members, room * sizeof *members);
        if (members == NULL) {
            return false;
        }
        group->members = members;
        group->room = room;
    }
    group->members[group->count++] = node;
    return true;
}

void sim_net_unsubscribe(struct sim_net *net, uint32_t node, uint64_t address) {
    struct sim_group *group = sim_map_get(&net->groups, address);
    for (uint32_t i = 0; group != NULL && i < group->count; i++) {
        if (group->members[i] == node) {
            memmove(group->members + i, group->members + i + 1,
                    (group->count - i - 1) * sizeof *group->members);
            group->count--;
            return;
        }
    }
}
