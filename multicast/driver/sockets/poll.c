#define _GNU_SOURCE
#include "sockets/poll.h"

#include <errno.h>
#include <poll.h>

int udp_poll(int poll, struct epoll_event *events, int most, const struct timespec *limit) {
    int count = epoll_pwait2(poll, events, most, limit, NULL);
    if (count < 0 && errno == ENOSYS) {
        struct pollfd all = {.fd = poll, .events = POLLIN};
        count = ppoll(&all, 1, limit, NULL);
        count = count > 0 ? epoll_wait(poll, events, most, 0) : count;
    }
    return count;
}
