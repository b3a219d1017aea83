/* Addresses of the simulation, dressed up as the core's: nodes are 10.x.y.z, region addresses
 * 239.x. */
#ifndef SIM_ADDRESS_H
#define SIM_ADDRESS_H

#include "mcast/types.h"

#include <stdint.h>

/* The address of the node @node, or of the group number @number of the network's. */
struct mcast_address sim_address_of_node(uint32_t node);
struct mcast_address sim_address_of_group(uint32_t number);

/* Where @address is in the virtual network; UINT64_MAX when it is none of ours. */
uint64_t sim_address_target(const struct mcast_address *address);

#endif
