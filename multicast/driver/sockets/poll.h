/* Wait for sockets with a timeout in nanoseconds. */
#ifndef DRIVER_SOCKETS_POLL_H
#define DRIVER_SOCKETS_POLL_H

#include <sys/epoll.h>
#include <time.h>

/* Like epoll_pwait2, also on kernels older than 5.11 that lack it: epoll_wait alone rounds to
 * milliseconds. A NULL @limit waits forever. */
int udp_poll(int poll, struct epoll_event *events, int most, const struct timespec *limit);

#endif
