/* Fork guard: tells the process that made an object from the children that it forked.
 *
 * A thread does not survive a fork, and two processes would read the same sockets. So owners of
 * either check here before they act. The kernel stores the answer in a page that a fork wipes
 * (madvise MADV_WIPEONFORK): a check costs one read. */
#ifndef DRIVER_ENGINE_FORK_GUARD_H
#define DRIVER_ENGINE_FORK_GUARD_H

#include <stdbool.h>

struct udp_origin;

/* Return NULL with errno set if the kernel has no such pages. */
struct udp_origin *udp_origin_new(void);
void udp_origin_free(struct udp_origin *origin);

/* True in the process that made @origin. */
bool udp_origin_is_here(const struct udp_origin *origin);

#endif
