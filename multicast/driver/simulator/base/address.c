#include "simulator/base/address.h"
#include "simulator/network/network.h"

#include <string.h>

enum { NODES = 10, GROUPS = 239, FIRST_PORT = 7000 };

static struct mcast_address address(uint32_t network, uint32_t host) {
    struct mcast_address made = {.port = {FIRST_PORT, FIRST_PORT + 1, FIRST_PORT + 2}};
    made.ip[10] = made.ip[11] = 0xff;
    made.ip[12] = (uint8_t)network;
    made.ip[13] = (uint8_t)(host >> 16);
    made.ip[14] = (uint8_t)(host >> 8);
    made.ip[15] = (uint8_t)host;
    return made;
}

struct mcast_address sim_address_of_node(uint32_t node) {
    return address(NODES, node);
}

struct mcast_address sim_address_of_group(uint32_t number) {
    return address(GROUPS, number);
}

uint64_t sim_address_target(const struct mcast_address *from) {
    uint32_t host = (uint32_t)from->ip[13] << 16 | (uint32_t)from->ip[14] << 8 | from->ip[15];
    if (from->ip[12] == NODES) {
        return host;
    }
    /* A service may count addresses up by their port alone; each makes a group of its own. */
    return from->ip[12] == GROUPS
               ? SIM_FIRST_GROUP + ((uint64_t)from->port[MCAST_DATA] << 24 | host)
               : UINT64_MAX;
}
