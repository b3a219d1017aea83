#define _GNU_SOURCE
#include "service_connection/service_server.h"
#include "engine/host.h"
#include "mcast/error.h"
#include "mcast/system_memory.h"
#include "service_connection/service_address.h"
#include "service_connection/service_listener.h"
#include "service_connection/service_session.h"
#include "sockets/poll.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 128, POLL_MOST = 64, ACCEPT_MOST = 16 };
/* The memory that all connections together may hold of unread and untaken data, and the part that
 * each may hold in any case. */
#define HELD_MOST ((size_t)512 * 1024 * 1024)
#define HELD_FREE ((size_t)1024 * 1024)
#define ACCEPT_REST (100 * MCAST_MILLISECOND)
#define PROVE_WITHIN (5 * MCAST_SECOND)
#define KEEP_EVERY (200 * MCAST_MILLISECOND)

/* The epoll data of the listening sockets; connections are numbered after them. */
enum { HERE = 0, ELSEWHERE = 1, FIRST_NUMBER = 2 };

struct connection {
    struct udp_session session;
    uint64_t number;
    mcast_time prove_by; /* when an unproved connection is closed; MCAST_NEVER once the service
                          * knows of it */
    size_t held;         /* the memory of its streams when it was last measured */
    bool watched_out;
    bool dirty; /* true if a step wrote to it */
};

struct udp_server {
    struct mcast_service *service;
    struct connection **connections; /* @count entries, in the order of their numbers */
    size_t count;
    size_t room;
    uint64_t next_number;
    mcast_time idle_since;
    mcast_time accept_again; /* the end of a pause in accepting; MCAST_NEVER without one */
    mcast_time keep_at;      /* when the files of @here are looked at again */
    struct udp_listener here;
    int elsewhere;    /* the socket for other machines, or -1 */
    size_t held;      /* the memory of the streams of all connections */
    size_t strangers; /* the count of connections that have proved nothing yet */
    uint64_t turned_away;
    const struct mcast_keyring *keyring;
    int poll;
    bool yield;
};

static int watch(int poll, int operation, int fd, uint32_t what, uint64_t number) {
    struct epoll_event event = {.events = what, .data.u64 = number};
    return epoll_ctl(poll, operation, fd, &event) == 0 ? 0 : -errno;
}

/* --- connections --------------------------------------------------------------------------------
 */

/* The index of the connection @number, or where it would be inserted. Numbers only grow, so the
 * list is sorted. */
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
    bool stranger = connection->prove_by != MCAST_NEVER;
    server->strangers -= stranger ? 1 : 0;
    server->turned_away += stranger ? 1 : 0;
    udp_session_close(&connection->session);
    server->held -= connection->held;
    free(connection);
    server->count--;
    memmove(server->connections + at, server->connections + at + 1,
            (server->count - at) * sizeof(struct connection *));
    if (server->count == 0) {
        server->idle_since = udp_now();
    }
}

/* Close a connection and tell the service, if it knows of it. */
static int drop(struct udp_server *server, struct connection *connection) {
    struct mcast_service_event gone = {.kind = MCAST_SERVICE_DISCONNECTED,
                                       .connection = connection->number};
    bool known = connection->prove_by == MCAST_NEVER;
    forget(server, connection);
    return known ? step(server, &gone, 1) : 0;
}

/* Measure the streams of @connection. Return false if they hold too much, together with all others:
 * a peer that sends half of a long message, or reads nothing, is then disconnected. */
static bool may_hold(struct udp_server *server, struct connection *connection) {
    const struct udp_stream *stream = &connection->session.stream;
    server->held -= connection->held;
    connection->held = stream->in.room + stream->out.room;
    server->held += connection->held;
    return connection->held <= HELD_FREE || server->held <= HELD_MOST;
}

static int flush(struct udp_server *server, struct connection *connection) {
    struct udp_stream *stream = &connection->session.stream;
    int code = udp_stream_flush(stream);
    if (code != 0) {
        return code;
    }
    if (!may_hold(server, connection)) {
        return -ENOBUFS;
    }
    bool waits = udp_stream_waits(stream);
    if (waits != connection->watched_out) {
        connection->watched_out = waits;
        return watch(server->poll, EPOLL_CTL_MOD, stream->fd, EPOLLIN | (waits ? EPOLLOUT : 0u),
                     connection->number);
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

/* The connection has proved itself: tell the service. */
static int announce(struct udp_server *server, struct connection *connection) {
    struct mcast_service_event up = {.kind = MCAST_SERVICE_CONNECTED,
                                     .connection = connection->number};
    if (connection->prove_by != MCAST_NEVER) {
        connection->prove_by = MCAST_NEVER;
        server->strangers--;
    }
    return step(server, &up, 1);
}

/* Too many unproved connections: close the one that has been silent longest. A member proves itself
 * within a round trip, so whoever fills the places does not keep it out. */
static void make_room(struct udp_server *server) {
    for (size_t i = 0; server->strangers >= UDP_STRANGERS_MAX && i < server->count; i++) {
        if (server->connections[i]->prove_by != MCAST_NEVER) {
            forget(server, server->connections[i]);
            return;
        }
    }
}

static int admit(struct udp_server *server, int fd, bool stranger) {
    struct connection *connection = NULL;
    if (stranger) {
        make_room(server);
    }
    if (server->count < UDP_CONNECTIONS_MAX && reserve(server)) {
        connection = calloc(1, sizeof *connection);
    }
    if (connection == NULL) {
        close(fd);
        return 0;
    }
    int code =
        udp_session_begin(&connection->session, fd, false, stranger ? server->keyring : NULL, true);
    connection->number = server->next_number++;
    code = code == 0 ? watch(server->poll, EPOLL_CTL_ADD, fd, EPOLLIN, connection->number) : code;
    if (code != 0) {
        udp_session_close(&connection->session);
        free(connection);
        return 0;
    }
    connection->prove_by = stranger ? udp_now() + PROVE_WITHIN : MCAST_NEVER;
    server->strangers += stranger ? 1 : 0;
    server->connections[server->count++] = connection;
    server->idle_since = MCAST_NEVER;
    if (!stranger) {
        return announce(server, connection);
    }
    udp_place_hurry(fd);
    return flush(server, connection) == 0 ? 0 : drop(server, connection);
}

/* Close unproved connections whose time is over, so that they do not keep others out. */
static int drop_late_strangers(struct udp_server *server) {
    mcast_time now = udp_now();
    int code = 0;
    for (size_t i = server->strangers > 0 ? server->count : 0; i > 0 && code == 0; i--) {
        if (server->connections[i - 1]->prove_by <= now) {
            code = drop(server, server->connections[i - 1]);
        }
    }
    return code;
}

static mcast_time strangers_deadline(const struct udp_server *server) {
    mcast_time due = MCAST_NEVER;
    for (size_t i = 0; server->strangers > 0 && i < server->count; i++) {
        mcast_time prove_by = server->connections[i]->prove_by;
        due = prove_by < due ? prove_by : due;
    }
    return due;
}

/* The folder keeps other users out; this check holds even if its mode was changed. */
static bool is_own(int fd) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

static int watch_listeners(struct udp_server *server, uint32_t what) {
    int code = watch(server->poll, EPOLL_CTL_MOD, server->here.socket, what, HERE);
    return code != 0 || server->elsewhere < 0
               ? code
               : watch(server->poll, EPOLL_CTL_MOD, server->elsewhere, what, ELSEWHERE);
}

/* Out of descriptors: established connections go on and the new one waits. Without this pause the
 * loop would find it pending again at once, forever. */
static int pause_accepting(struct udp_server *server) {
    server->accept_again = udp_now() + ACCEPT_REST;
    return watch_listeners(server, 0);
}

static int resume_accepting(struct udp_server *server) {
    if (udp_now() < server->accept_again) {
        return 0;
    }
    server->accept_again = MCAST_NEVER;
    return watch_listeners(server, EPOLLIN);
}

/* Accept a few at a time: established connections are read in between, however many are pending. */
static int accept_some(struct udp_server *server, bool elsewhere) {
    for (int taken = 0; taken < ACCEPT_MOST; taken++) {
        int fd = accept4(elsewhere ? server->elsewhere : server->here.socket, NULL, NULL,
                         SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0 && (errno == EINTR || errno == ECONNABORTED)) {
            continue;
        }
        if (fd < 0) {
            return errno == EAGAIN ? 0 : pause_accepting(server);
        }
        int code = 0;
        if (elsewhere || is_own(fd)) {
            code = admit(server, fd, elsewhere);
        } else {
            close(fd);
        }
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

/* Take one message. Return false if there is none; then *@code may say that the connection is over.
 */
static bool take(struct udp_server *server, uint64_t number, int *code, int *refused) {
    struct connection *connection = find(server, number);
    if (connection == NULL) {
        return false;
    }
    struct mcast_service_event event = {.kind = MCAST_SERVICE_MESSAGE, .connection = number};
    event.bytes = udp_session_next(&connection->session, &event.length, refused);
    bool open = *refused == 0 && connection->session.state == UDP_SESSION_OPEN;
    if (open && connection->prove_by != MCAST_NEVER) {
        *code = announce(server, connection);
    }
    if (*code != 0 || event.bytes == NULL) {
        return false;
    }
    *code = step(server, &event, 1);
    return *code == 0;
}

static int read_connection(struct udp_server *server, uint64_t number) {
    struct connection *connection = find(server, number);
    if (connection == NULL) {
        return 0;
    }
    int end = udp_stream_fill(&connection->session.stream);
    int code = 0;
    int refused = 0;
    while (take(server, number, &code, &refused)) {
    }
    connection = find(server, number);
    if (code == 0 && connection != NULL &&
        (end != 0 || refused != 0 || flush(server, connection) != 0)) {
        code = drop(server, connection);
    }
    return code;
}

/* --- the service --------------------------------------------------------------------------------
 */

/* Connections that the service ends, and those that cannot take their output, are shut down here
 * and closed when the loop reads their end: closing tells the service, which must not happen while
 * its output is in use. */
static void carry_out(struct udp_server *server, const struct mcast_service_output *output) {
    for (size_t i = 0; i < output->send_count; i++) {
        struct connection *connection = find(server, output->sends[i].connection);
        if (connection == NULL) {
            continue;
        }
        int code =
            udp_session_send(&connection->session, output->sends[i].bytes, output->sends[i].length);
        if (code != 0) {
            shutdown(connection->session.stream.fd, SHUT_RDWR);
        }
        connection->dirty = true;
    }
    for (size_t i = 0; i < output->send_count; i++) {
        struct connection *connection = find(server, output->sends[i].connection);
        if (connection != NULL && connection->dirty && flush(server, connection) != 0) {
            shutdown(connection->session.stream.fd, SHUT_RDWR);
        }
        if (connection != NULL) {
            connection->dirty = false;
        }
    }
    for (size_t i = 0; i < output->close_count; i++) {
        struct connection *connection = find(server, output->closes[i]);
        if (connection != NULL) {
            shutdown(connection->session.stream.fd, SHUT_RDWR);
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
    uint32_t generation = mcast_service_generation(server->service);
    if (generation != server->here.generation) {
        code = udp_listener_store(&server->here, generation);
        if (code != 0) {
            return code;
        }
    }
    carry_out(server, &output);
    return 0;
}

/* Look after the lock and the socket, which may be deleted while this service runs. */
static int keep_place(struct udp_server *server) {
    mcast_time now = udp_now();
    if (now < server->keep_at) {
        return 0;
    }
    server->keep_at = now + KEEP_EVERY;
    bool moved = false;
    int code = udp_listener_keep(&server->here, &moved);
    if (code == -ECANCELED) {
        server->yield = true; /* another service has the lock, and members find that one */
        return 0;
    }
    bool rests = server->accept_again != MCAST_NEVER;
    return moved
               ? watch(server->poll, EPOLL_CTL_ADD, server->here.socket, rests ? 0 : EPOLLIN, HERE)
               : 0;
}

int udp_server_run(struct udp_server *server, mcast_time wait) {
    struct epoll_event events[POLL_MOST];
    mcast_time now = udp_now();
    mcast_time due = udp_server_deadline(server);
    mcast_time until = due <= now ? 0 : due - now;
    until = until < wait ? until : wait;
    struct timespec limit = {.tv_sec = (time_t)(until / MCAST_SECOND),
                             .tv_nsec = (long)(until % MCAST_SECOND)};
    int count = udp_poll(server->poll, events, POLL_MOST, until == MCAST_NEVER ? NULL : &limit);
    int code = count < 0 && errno != EINTR ? -errno : 0;
    for (int i = 0; i < count && code == 0; i++) {
        uint64_t number = events[i].data.u64;
        code = number < FIRST_NUMBER ? accept_some(server, number == ELSEWHERE)
                                     : read_connection(server, number);
    }
    if (code == 0) {
        code = keep_place(server);
    }
    if (code == 0) {
        code = drop_late_strangers(server);
    }
    if (code == 0) {
        code = resume_accepting(server);
    }
    if (code == 0 && mcast_service_next_deadline(server->service) <= udp_now()) {
        code = step(server, NULL, 0);
    }
    return code == 0 && server->yield ? -ECANCELED : code;
}

/* --- beginning and end --------------------------------------------------------------------------
 */

static int listen_elsewhere(struct udp_server *server, const struct udp_server_options *options) {
    if (options->at.sin_port == 0) {
        return 0;
    }
    if (options->keyring == NULL) {
        return -EACCES;
    }
    server->keyring = options->keyring;
    server->elsewhere = udp_place_listen(&options->at, BACKLOG);
    return server->elsewhere < 0
               ? server->elsewhere
               : watch(server->poll, EPOLL_CTL_ADD, server->elsewhere, EPOLLIN, ELSEWHERE);
}

static int prepare(struct udp_server *server, const struct udp_server_options *options) {
    struct mcast_service_config config = options->service;
    int code = udp_listener_lock(&server->here, options->lock, &config.generation);
    if (code != 0) {
        return code;
    }
    server->poll = epoll_create1(EPOLL_CLOEXEC);
    if (server->poll < 0) {
        return -errno;
    }
    code = udp_core_code(mcast_service_new(&config, mcast_system_memory(), &server->service));
    code = code != 0 ? code : listen_elsewhere(server, options);
    code = code != 0 ? code : udp_listener_listen(&server->here, options->path);
    return code != 0 ? code
                     : watch(server->poll, EPOLL_CTL_ADD, server->here.socket, EPOLLIN, HERE);
}

int udp_server_open(const struct udp_server_options *options, struct udp_server **server) {
    struct udp_server *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return -ENOMEM;
    }
    udp_listener_init(&made->here);
    made->elsewhere = made->poll = -1;
    made->next_number = FIRST_NUMBER;
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
    mcast_service_free(server->service);
    udp_listener_close(&server->here);
    close_if_open(server->elsewhere);
    close_if_open(server->poll);
    free(server);
}

int udp_server_fd(const struct udp_server *server) {
    return server->poll;
}

mcast_time udp_server_deadline(const struct udp_server *server) {
    mcast_time due = mcast_service_next_deadline(server->service);
    mcast_time late = strangers_deadline(server);
    due = late < due ? late : due;
    return server->accept_again < due ? server->accept_again : due;
}

size_t udp_server_connections(const struct udp_server *server, mcast_time *idle_since) {
    *idle_since = server->idle_since;
    return server->count;
}

uint32_t udp_server_generation(const struct udp_server *server) {
    return server->here.generation;
}

uint64_t udp_server_strangers(const struct udp_server *server) {
    return server->turned_away;
}

void udp_server_stats(const struct udp_server *server, struct mcast_service_stats *stats) {
    mcast_service_stats(server->service, stats);
}
