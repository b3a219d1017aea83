#define _GNU_SOURCE
#include "udp_server.h"
#include "mcast/error.h"
#include "mcast/system_memory.h"
#include "udp_host.h"
#include "udp_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BACKLOG = 128, POLL_MOST = 64, PRIVATE = 0600 };
#define ACCEPT_REST (100 * MCAST_MILLISECOND)

struct connection {
    struct udp_stream stream;
    uint64_t number;
    bool watched_out;
    bool dirty; /* says that a step wrote to it */
};

struct udp_server {
    struct mcast_service *service;
    struct connection **connections; /* has @count entries, in the order of their numbers */
    size_t count;
    size_t room;
    uint64_t next_number;
    mcast_time idle_since;
    mcast_time accept_again; /* is the end of a rest from accepting; MCAST_NEVER in no rest */
    int listening;
    int lock;
    int poll;
    bool yield;
    uint32_t generation;
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
};

static int watch(int poll, int operation, int fd, uint32_t what, uint64_t number) {
    struct epoll_event event = {.events = what, .data.u64 = number};
    return epoll_ctl(poll, operation, fd, &event) == 0 ? 0 : -errno;
}

/* --- connections --------------------------------------------------------------------------------
 */

/* Where the connection @number stands, or would stand. Numbers only grow, so the list is sorted. */
static size_t seek(const struct udp_server *server, uint64_t number) {
    size_t low = 0;
    size_t high = server->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (server->connections[middle]->number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct connection *find(const struct udp_server *server, uint64_t number) {
    size_t at = seek(server, number);
    bool there = at < server->count && server->connections[at]->number == number;
    return there ? server->connections[at] : NULL;
}

static int step(struct udp_server *server, const struct mcast_service_event *events, size_t count);

static void forget(struct udp_server *server, struct connection *connection) {
    size_t at = seek(server, connection->number);
    udp_stream_close(&connection->stream);
    free(connection);
    server->count--;
    memmove(server->connections + at, server->connections + at + 1,
            (server->count - at) * sizeof(struct connection *));
    if (server->count == 0) {
        server->idle_since = udp_now();
    }
}

/* Ends a connection and tells the service. */
static int drop(struct udp_server *server, struct connection *connection) {
    struct mcast_service_event gone = {.kind = MCAST_SERVICE_DISCONNECTED,
                                       .connection = connection->number};
    forget(server, connection);
    return step(server, &gone, 1);
}

static int flush(struct udp_server *server, struct connection *connection) {
    int code = udp_stream_flush(&connection->stream);
    if (code != 0) {
        return code;
    }
    bool waits = udp_stream_waits(&connection->stream);
    if (waits != connection->watched_out) {
        connection->watched_out = waits;
        return watch(server->poll, EPOLL_CTL_MOD, connection->stream.fd,
                     EPOLLIN | (waits ? EPOLLOUT : 0u), connection->number);
    }
    return 0;
}

static bool reserve(struct udp_server *server) {
    if (server->count < server->room) {
        return true;
    }
    size_t room = server->room == 0 ? 16 : server->room * 2;
    struct connection **grown = realloc(server->connections, room * sizeof(struct connection *));
    if (grown == NULL) {
        return false;
    }
    server->connections = grown;
    server->room = room;
    return true;
}

static int admit(struct udp_server *server, int fd) {
    struct connection *connection = NULL;
    if (server->count < UDP_CONNECTIONS_MAX && reserve(server)) {
        connection = calloc(1, sizeof *connection);
    }
    if (connection == NULL) {
        close(fd);
        return 0;
    }
    udp_stream_init(&connection->stream, fd, false);
    connection->number = server->next_number++;
    if (watch(server->poll, EPOLL_CTL_ADD, fd, EPOLLIN, connection->number) != 0) {
        udp_stream_close(&connection->stream);
        free(connection);
        return 0;
    }
    server->connections[server->count++] = connection;
    server->idle_since = MCAST_NEVER;
    struct mcast_service_event up = {.kind = MCAST_SERVICE_CONNECTED,
                                     .connection = connection->number};
    return step(server, &up, 1);
}

/* The folder keeps others out; this holds even where its mode was changed. */
static bool is_own(int fd) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

/* Out of descriptors: those who are connected go on, and the new one waits. Without this rest the
 * loop would find him at the door again at once, without end. */
static int rest_from_accepting(struct udp_server *server) {
    server->accept_again = udp_now() + ACCEPT_REST;
    return watch(server->poll, EPOLL_CTL_MOD, server->listening, 0, 0);
}

static int accept_after_rest(struct udp_server *server) {
    if (udp_now() < server->accept_again) {
        return 0;
    }
    server->accept_again = MCAST_NEVER;
    return watch(server->poll, EPOLL_CTL_MOD, server->listening, EPOLLIN, 0);
}

static int accept_all(struct udp_server *server) {
    for (;;) {
        int fd = accept4(server->listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0 && (errno == EINTR || errno == ECONNABORTED)) {
            continue;
        }
        if (fd < 0) {
            return errno == EAGAIN ? 0 : rest_from_accepting(server);
        }
        int code = 0;
        if (is_own(fd)) {
            code = admit(server, fd);
        } else {
            close(fd);
        }
        if (code != 0) {
            return code;
        }
    }
}

static int read_connection(struct udp_server *server, uint64_t number) {
    struct connection *connection = find(server, number);
    if (connection == NULL) {
        return 0;
    }
    int end = udp_stream_fill(&connection->stream);
    int code = 0;
    while (code == 0 && (connection = find(server, number)) != NULL) {
        struct mcast_service_event event = {.kind = MCAST_SERVICE_MESSAGE, .connection = number};
        event.bytes = udp_stream_next(&connection->stream, &event.length);
        if (event.bytes == NULL) {
            break;
        }
        code = step(server, &event, 1);
    }
    connection = find(server, number);
    if (code == 0 && connection != NULL && (end != 0 || flush(server, connection) != 0)) {
        code = drop(server, connection);
    }
    return code;
}

/* --- the service --------------------------------------------------------------------------------
 */

/* Connections that the service ends, and those that cannot take what they are sent, are shut down
 * here and dropped when the loop reads their end: dropping tells the service, which must not happen
 * while its output is in use. */
static void carry_out(struct udp_server *server, const struct mcast_service_output *output) {
    for (size_t i = 0; i < output->send_count; i++) {
        struct connection *connection = find(server, output->sends[i].connection);
        if (connection == NULL) {
            continue;
        }
        int code =
            udp_stream_send(&connection->stream, output->sends[i].bytes, output->sends[i].length);
        if (code != 0) {
            shutdown(connection->stream.fd, SHUT_RDWR);
        }
        connection->dirty = true;
    }
    for (size_t i = 0; i < output->send_count; i++) {
        struct connection *connection = find(server, output->sends[i].connection);
        if (connection != NULL && connection->dirty && flush(server, connection) != 0) {
            shutdown(connection->stream.fd, SHUT_RDWR);
        }
        if (connection != NULL) {
            connection->dirty = false;
        }
    }
    for (size_t i = 0; i < output->close_count; i++) {
        struct connection *connection = find(server, output->closes[i]);
        if (connection != NULL) {
            shutdown(connection->stream.fd, SHUT_RDWR);
        }
    }
    server->yield = server->yield || output->yield;
}

static int step(struct udp_server *server, const struct mcast_service_event *events, size_t count) {
    struct mcast_service_output output;
    memset(&output, 0, sizeof output);
    int code = mcast_service_step(server->service, events, count, udp_now(), &output);
    if (code != 0 && code != MCAST_ENOMEM) {
        return udp_core_code(code);
    }
    carry_out(server, &output);
    return 0;
}

int udp_server_run(struct udp_server *server, mcast_time wait) {
    struct epoll_event events[POLL_MOST];
    mcast_time now = udp_now();
    mcast_time due = udp_server_deadline(server);
    mcast_time until = due <= now ? 0 : due - now;
    until = until < wait ? until : wait;
    struct timespec limit = {.tv_sec = (time_t)(until / MCAST_SECOND),
                             .tv_nsec = (long)(until % MCAST_SECOND)};
    int count =
        epoll_pwait2(server->poll, events, POLL_MOST, until == MCAST_NEVER ? NULL : &limit, NULL);
    int code = count < 0 && errno != EINTR ? -errno : 0;
    for (int i = 0; i < count && code == 0; i++) {
        code = events[i].data.u64 == 0 ? accept_all(server)
                                       : read_connection(server, events[i].data.u64);
    }
    if (code == 0) {
        code = accept_after_rest(server);
    }
    if (code == 0 && mcast_service_next_deadline(server->service) <= udp_now()) {
        code = step(server, NULL, 0);
    }
    return code == 0 && server->yield ? -ECANCELED : code;
}

/* --- beginning and end --------------------------------------------------------------------------
 */

/* Takes the lock and makes the generation one above the stored one, on disk before it is used. */
static int take_generation(struct udp_server *server, const char *path, uint32_t *generation) {
    server->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, PRIVATE);
    if (server->lock < 0 || flock(server->lock, LOCK_EX | LOCK_NB) != 0) {
        return -errno;
    }
    char text[32] = {0};
    ssize_t got = pread(server->lock, text, sizeof text - 1, 0);
    uint32_t stored = got > 0 ? (uint32_t)strtoul(text, NULL, 10) : 0;
    *generation = stored + 1 > *generation ? stored + 1 : *generation;
    int length = snprintf(text, sizeof text, "%-20u\n", *generation);
    if (pwrite(server->lock, text, (size_t)length, 0) != length || fdatasync(server->lock) != 0) {
        return errno != 0 ? -errno : -EIO;
    }
    return 0;
}

static int listen_at(struct udp_server *server, const char *path) {
    struct sockaddr_un here = {.sun_family = AF_UNIX};
    memcpy(here.sun_path, path, sizeof here.sun_path);
    server->listening = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (server->listening < 0) {
        return -errno;
    }
    unlink(path); /* left by one that was killed; the lock says that nobody listens there now */
    mode_t mask = umask(0177);
    int bound = bind(server->listening, (const struct sockaddr *)&here, sizeof here);
    int error = errno;
    umask(mask);
    if (bound != 0) {
        return -error;
    }
    memcpy(server->path, path, sizeof server->path);
    if (listen(server->listening, BACKLOG) != 0) {
        return -errno;
    }
    return watch(server->poll, EPOLL_CTL_ADD, server->listening, EPOLLIN, 0);
}

static int prepare(struct udp_server *server, const struct udp_server_options *options) {
    struct mcast_service_config config = options->service;
    int code = take_generation(server, options->lock, &config.generation);
    if (code != 0) {
        return code;
    }
    server->generation = config.generation;
    server->poll = epoll_create1(EPOLL_CLOEXEC);
    if (server->poll < 0) {
        return -errno;
    }
    code = udp_core_code(mcast_service_new(&config, mcast_system_memory(), &server->service));
    return code != 0 ? code : listen_at(server, options->path);
}

int udp_server_open(const struct udp_server_options *options, struct udp_server **server) {
    struct udp_server *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return -ENOMEM;
    }
    made->listening = made->lock = made->poll = -1;
    made->next_number = 1;
    made->idle_since = udp_now();
    made->accept_again = MCAST_NEVER;
    int code = prepare(made, options);
    if (code != 0) {
        udp_server_close(made);
        return code;
    }
    *server = made;
    return 0;
}

static void close_if_open(int fd) {
    if (fd >= 0) {
        close(fd);
    }
}

void udp_server_close(struct udp_server *server) {
    if (server == NULL) {
        return;
    }
    while (server->count > 0) {
        forget(server, server->connections[server->count - 1]);
    }
    free(server->connections);
    if (server->path[0] != '\0') {
        unlink(server->path);
    }
    mcast_service_free(server->service);
    close_if_open(server->listening);
    close_if_open(server->poll);
    close_if_open(server->lock);
    free(server);
}

int udp_server_fd(const struct udp_server *server) {
    return server->poll;
}

mcast_time udp_server_deadline(const struct udp_server *server) {
    mcast_time due = mcast_service_next_deadline(server->service);
    return server->accept_again < due ? server->accept_again : due;
}

size_t udp_server_connections(const struct udp_server *server, mcast_time *idle_since) {
    *idle_since = server->idle_since;
    return server->count;
}

uint32_t udp_server_generation(const struct udp_server *server) {
    return server->generation;
}

void udp_server_stats(const struct udp_server *server, struct mcast_service_stats *stats) {
    mcast_service_stats(server->service, stats);
}
