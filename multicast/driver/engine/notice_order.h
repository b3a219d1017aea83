/* Hands over what a step has for the application in the order in which it happened. */
#ifndef MCAST_UDP_HAND_OVER_H
#define MCAST_UDP_HAND_OVER_H

#include "engine/host.h"
#include "mcast/output.h"

/* Gives @application the deliveries and notices of @output: a notice after those deliveries that it
 * came after, and before the others. What is next to each other goes in one call. */
void udp_hand_over(const struct udp_application *application, const struct mcast_output *output);

#endif
