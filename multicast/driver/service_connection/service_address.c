#define _GNU_SOURCE
#include "service_connection/service_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    SILENT_SECONDS = 1, /* idle seconds before the kernel probes the other end */
    ASKED = 3,          /* the count of probes */
    UNHEARD_MS = 5000,  /* milliseconds that data may stay unacknowledged */
};

static bool read_address(const char *text, struct sockaddr_in *at) {
    char host[INET_ADDRSTRLEN];
    const char *colon = strrchr(text, ':');
    size_t length = colon == NULL ? 0 : (size_t)(colon - text);
    if (length == 0 || length >= sizeof host || strspn(colon + 1, "0123456789") == 0) {
        return false;
    }
    memcpy(host, text, length);
    host[length] = '\0';
    char *end = NULL;
    unsigned long port = strtoul(colon + 1, &end, 10);
    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    return *end == '\0' && port >= 1 && port <= UINT16_MAX &&
           inet_pton(AF_INET, host, &at->sin_addr) == 1;
}

int udp_place_read(const char *text, struct udp_place *place) {
    memset(place, 0, sizeof *place);
    place->local = !read_address(text, &place->at);
    if (!place->local) {
        return 0;
    }
    if (*text == '\0') {
        return -EINVAL;
    }
    if (strlen(text) >= sizeof place->path.sun_path) {
        return -ENAMETOOLONG;
    }
    place->path.sun_family = AF_UNIX;
    memcpy(place->path.sun_path, text, strlen(text));
    return 0;
}

bool udp_is_loopback(struct in_addr ip) {
    return ntohl(ip.s_addr) >> 24 == IN_LOOPBACKNET;
}

static void set(int fd, int level, int name, int value) {
    (void)setsockopt(fd, level, name, &value, sizeof value);
}

void udp_place_hurry(int fd) {
    set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(fd, IPPROTO_TCP, TCP_KEEPIDLE, SILENT_SECONDS);
    set(fd, IPPROTO_TCP, TCP_KEEPINTVL, SILENT_SECONDS);
    set(fd, IPPROTO_TCP, TCP_KEEPCNT, ASKED);
    set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, UNHEARD_MS);
    set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
}

/* The folder keeps other users out; this check holds even if its mode was changed. */
static int check_owner(int fd) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
        return -errno;
    }
    return peer.uid == geteuid() ? 0 : -EPERM;
}

static int close_with(int fd, int code) {
    close(fd);
    return code;
}

static int connect_here(const struct udp_place *place) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    if (connect(fd, (const struct sockaddr *)&place->path, sizeof place->path) != 0) {
        return close_with(fd, -errno);
    }
    int code = check_owner(fd);
    return code == 0 ? fd : close_with(fd, code);
}

int udp_place_connect(const struct udp_place *place, bool *connecting) {
    *connecting = false;
    if (place->local) {
        return connect_here(place);
    }
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    udp_place_hurry(fd);
    if (connect(fd, (const struct sockaddr *)&place->at, sizeof place->at) != 0) {
        *connecting = errno == EINPROGRESS;
        return *connecting ? fd : close_with(fd, -errno);
    }
    return fd;
}

int udp_place_listen(const struct sockaddr_in *at, int backlog) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    set(fd, SOL_SOCKET, SO_REUSEADDR, 1); /* connections of the former service may linger */
    if (bind(fd, (const struct sockaddr *)at, sizeof *at) != 0 || listen(fd, backlog) != 0) {
        return close_with(fd, -errno);
    }
    return fd;
}
