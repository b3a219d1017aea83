/* Waiting for sockets, to the nanosecond. */
#ifndef MCAST_UDP_POLL_H
#define MCAST_UDP_POLL_H

#include <sys/epoll.h>
#include <time.h>

/* As epoll_pwait2, also on kernels that do not have it (before 5.11): epoll_wait alone would round
 * to milliseconds. NULL waits for ever. */
int udp_poll(int poll, struct epoll_event *events, int most, const struct timespec *limit);

#endif
