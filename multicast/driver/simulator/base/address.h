/* Addresses of the simulation in the form of the core: nodes are 10.x.y.z, region addresses 239.x.
 */
#ifndef DRIVER_SIMULATOR_BASE_ADDRESS_H
#define DRIVER_SIMULATOR_BASE_ADDRESS_H

#include "mcast/types.h"

#include <stdint.h>

/* The address of node @node, or of group @number of the network. */
struct mcast_address sim_address_of_node(uint32_t node);
struct mcast_address sim_address_of_group(uint32_t number);

/* The number of @address in the virtual network; UINT64_MAX for a foreign address. */
uint64_t sim_address_target(const struct mcast_address *address);

#endif
