/* The origin: tells the process that made something from the children that it forked.
 *
 * A thread does not survive a fork, and the sockets would be read by two. So what has either asks
 * here before it does anything. The kernel keeps the answer, in a page that a fork empties: asking
 * costs one read. */
#ifndef MCAST_UDP_ORIGIN_H
#define MCAST_UDP_ORIGIN_H

#include <stdbool.h>

struct udp_origin;

/* Returns NULL, with errno set, when the kernel has no such page. */
struct udp_origin *udp_origin_new(void);
void udp_origin_free(struct udp_origin *origin);

/* Whether this is the process that made @origin. */
bool udp_origin_is_here(const struct udp_origin *origin);

#endif
