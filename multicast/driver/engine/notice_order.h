/* Notice order: passes the output of a step to the application in the order in which it happened.
 */
#ifndef DRIVER_ENGINE_NOTICE_ORDER_H
#define DRIVER_ENGINE_NOTICE_ORDER_H

#include "engine/host.h"
#include "mcast/output.h"

/* Pass the deliveries and notices of @output to @application: each notice after the deliveries that
 * it came after, and before the others. Neighbours of one kind go in one call. */
void udp_hand_over(const struct udp_application *application, const struct mcast_output *output);

#endif
