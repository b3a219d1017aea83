#define _GNU_SOURCE
#include "engine/host_state.h"
#include "engine/notice_order.h"
#include "mcast/error.h"
#include "mcast/system_memory.h"
#include "sockets/poll.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    CATCH_ROOM = 2048,  /* datagrams that one step may take */
    HELD_ROOM = 512,    /* buffers that hold them: 32 MB, as much as a queue of the kernel */
    SPARE_BUFFERS = 64, /* 4 MB that stay when nothing arrives */
    SEND_ROOM = 512,    /* data datagrams that one step may send */
    TURNS_MOST = 64,    /* steps in one run before it returns to the loop of its caller */
    WINDOW_START = 16 * 1024 * 1024,
};

#define REST_EVERY MCAST_SECOND

mcast_time udp_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (mcast_time)now.tv_sec * MCAST_SECOND + (mcast_time)now.tv_nsec;
}

int udp_core_code(int code) {
    return code == 0 ? 0 : UDP_CORE_CODES + code;
}

int udp_host_watch(int poll, int operation, int fd, uint32_t what) {
    struct epoll_event event = {.events = what, .data.fd = fd};
    return epoll_ctl(poll, operation, fd, &event) == 0 ? 0 : -errno;
}

/* --- the output of a step -----------------------------------------------------------------------
 */

/* Tokens end a nap: while one member sleeps, all wait for it. */
static int watch_inlet(struct udp_host *host, const struct udp_inlet *inlet) {
    int code = udp_host_watch(host->poll, EPOLL_CTL_ADD, inlet->fd, EPOLLIN);
    bool both = code == 0 && inlet->class == MCAST_CONTROL;
    return both ? udp_host_watch(host->napping, EPOLL_CTL_ADD, inlet->fd, EPOLLIN) : code;
}

static int listen_at(struct udp_host *host, const struct mcast_address *address) {
    size_t before = host->sockets.count;
    int code = udp_sockets_listen(&host->sockets, address);
    for (size_t i = before; code == 0 && i < host->sockets.count; i++) {
        code = watch_inlet(host, &host->sockets.listening[i]);
    }
    return code;
}

static void note_eviction(struct udp_host *host, const struct mcast_notice *notices, size_t count) {
    for (size_t i = 0; i < count; i++) {
        host->evicted = host->evicted || notices[i].kind == MCAST_NOTICE_EVICTED;
    }
}

/* A node that cannot hear its region is useless to it and would be repaired forever: such a failure
 * ends the host, with its reason. */
static int change_listening(struct udp_host *host, const struct mcast_notice *notices,
                            size_t count) {
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        if (notices[i].kind == MCAST_NOTICE_LISTEN) {
            code = listen_at(host, &notices[i].address);
        } else if (notices[i].kind == MCAST_NOTICE_UNLISTEN) {
            (void)udp_sockets_unlisten(&host->sockets, &notices[i].address);
        }
    }
    return code;
}

static void tell_application(struct udp_host *host, const struct mcast_output *output) {
    const struct udp_application *app = &host->application;
    host->stepping = true;
    host->unread += output->delivery_count;
    udp_hand_over(app, output);
    if (output->want_count > 0 && app->want != NULL) {
        app->want(app->context, output->wants, output->want_count);
    }
    host->stepping = false;
}

/* Watch only the full socket for writing: the others are writable all the time and would keep the
 * loop awake. */
static void watch_full(struct udp_host *host, bool blocked, enum mcast_socket full) {
    if (host->blocked && (!blocked || full != host->full)) {
        (void)udp_host_watch(host->poll, EPOLL_CTL_MOD, host->sockets.own[host->full].fd, EPOLLIN);
    }
    if (blocked && (!host->blocked || full != host->full)) {
        (void)udp_host_watch(host->poll, EPOLL_CTL_MOD, host->sockets.own[full].fd,
                             EPOLLIN | EPOLLOUT);
    }
    host->blocked = blocked;
    host->full = full;
}

static void transmit(struct udp_host *host, const struct mcast_datagram *datagrams, size_t count) {
    bool open = udp_send(&host->sender, &host->sockets, datagrams, count);
    watch_full(host, !open, open ? host->full : udp_sender_full(&host->sender));
}

/* Count the datagrams to send before the input is delivered: they are ordered by class. */
static size_t urgent(const struct mcast_output *output) {
    size_t count = 0;
    while (count < output->datagram_count && output->datagrams[count].priority < MCAST_DATA_IN) {
        count++;
    }
    return count;
}

/* Carry out the output of one step; its pointers are invalid afterwards. */
static int carry_out(struct udp_host *host, const struct mcast_output *output) {
    int code = change_listening(host, output->notices, output->notice_count);
    note_eviction(host, output->notices, output->notice_count);
    size_t first = urgent(output);
    if (first > 0) {
        transmit(host, output->datagrams, first);
    }
    udp_host_talk(host, output);
    tell_application(host, output);
    size_t rest = output->datagram_count - first;
    transmit(host, rest > 0 ? &output->datagrams[first] : NULL, rest);
    return code;
}

static bool begins_anew(const struct mcast_event *events, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == MCAST_EVENT_REJOIN) {
            return true;
        }
    }
    return false;
}

/* The member rejoins: input that still arrives over the stream belongs to the former incarnation.
 */
static int begin_anew(struct udp_host *host) {
    host->evicted = false;
    int code = host->session.stream.fd >= 0 ? udp_host_stream_lost(host) : 0;
    host->next_try = udp_now();
    return code;
}

/* One step, and further ones while the member has more to send or the application submitted more.
 */
int udp_host_step(struct udp_host *host, const struct mcast_event *events, size_t count) {
    struct mcast_output output;
    struct mcast_event said[32];
    for (int turn = 0;; turn++) {
        if (host->evicted && begins_anew(events, count)) {
            int code = begin_anew(host);
            if (code != 0) {
                return code;
            }
        }
        memset(&output, 0, sizeof output);
        output.room = host->blocked ? 0 : SEND_ROOM;
        output.unread = host->unread;
        output.unread_bytes = host->unread_bytes;
        output.unread_for = host->unread_for;
        host->steps++;
        int code = mcast_member_step(host->member, events, count, udp_now(), &output);
        if (code != 0 && code != MCAST_ENOMEM) {
            return udp_core_code(code);
        }
        code = carry_out(host, &output);
        if (code != 0) {
            return code;
        }
        host->more = output.more;
        bool again = output.more && !host->blocked && turn < TURNS_MOST;
        if (host->queued == 0 && !again) {
            return udp_host_flush(host);
        }
        count = host->queued < 32 ? host->queued : 32;
        memcpy(said, host->queue, count * sizeof *said);
        host->queued -= count;
        memmove(host->queue, host->queue + count, host->queued * sizeof *said);
        events = said;
    }
}

/* --- input -------------------------------------------------------------------------------
 */

static void mark_ready(struct udp_host *host, const struct epoll_event *events, int count) {
    for (int i = 0; i < count; i++) {
        for (int class = 0; class < MCAST_SOCKETS; class++) {
            host->sockets.own[class].ready |= host->sockets.own[class].fd == events[i].data.fd;
        }
        for (size_t j = 0; j < host->sockets.count; j++) {
            host->sockets.listening[j].ready |= host->sockets.listening[j].fd == events[i].data.fd;
        }
    }
}

static int receive_inlet(struct udp_host *host, struct udp_inlet *inlet, bool all) {
    if (!all && !inlet->ready) {
        return 0;
    }
    inlet->ready = false;
    return udp_receive(inlet, host->pool, &host->catch);
}

static int receive_class(struct udp_host *host, enum mcast_socket class, bool all) {
    int code = receive_inlet(host, &host->sockets.own[class], all);
    for (size_t i = (size_t)class; code >= 0 && i < host->sockets.count; i += MCAST_SOCKETS) {
        code = receive_inlet(host, &host->sockets.listening[i], all);
    }
    return code;
}

/* Read all ready sockets before anything is handled, control first, so that a full catch is full of
 * the least urgent datagrams. */
static int receive(struct udp_host *host, const struct epoll_event *events, int count) {
    mark_ready(host, events, count);
    for (int turn = 0; turn < TURNS_MOST; turn++) {
        bool all = turn > 0 || count == UDP_HOST_EVENTS; /* then not every ready socket was reported
                                                          */
        for (int class = 0; class < MCAST_SOCKETS; class++) {
            int code = receive_class(host, (enum mcast_socket)class, all);
            if (code < 0 && code != -ENOMEM) {
                return code;
            }
        }
        if (host->catch.count == 0) {
            return 0;
        }
        int code = udp_host_step(host, host->catch.events, host->catch.count);
        bool full = host->catch.count + 2 * UDP_TRAIN_MOST > host->catch.room ||
                    host->catch.held_count == host->catch.held_room;
        udp_catch_clear(&host->catch);
        if (code != 0 || !full) {
            return code;
        }
    }
    return 0;
}

mcast_time udp_host_deadline(const struct udp_host *host) {
    mcast_time due = host->more && !host->blocked ? 0 : mcast_member_next_deadline(host->member);
    if (host->session.stream.fd >= 0) {
        return host->prove_by < due ? host->prove_by : due;
    }
    return !host->evicted && host->next_try < due ? host->next_try : due;
}

void udp_host_take_nap(const struct udp_host *host, mcast_time span) {
    struct epoll_event event;
    struct timespec limit = {.tv_nsec = (long)span};
    (void)udp_poll(host->napping, &event, 1, &limit);
}

/* In a flood, nap instead of waiting; nothing is left of @until. */
static mcast_time nap_instead(const struct udp_host *host, mcast_time until) {
    if (host->nap.span == 0 || until == 0) {
        return until;
    }
    udp_host_take_nap(host, until < host->nap.span ? until : host->nap.span);
    return 0;
}

static int wait_for(struct udp_host *host, mcast_time wait, struct epoll_event *events) {
    mcast_time now = udp_now();
    mcast_time due = udp_host_deadline(host);
    mcast_time until = due <= now ? 0 : due - now;
    until = nap_instead(host, until < wait ? until : wait);
    struct timespec limit = {.tv_sec = (time_t)(until / MCAST_SECOND),
                             .tv_nsec = (long)(until % MCAST_SECOND)};
    int count = udp_poll(host->poll, events, UDP_HOST_EVENTS,
                         wait == MCAST_NEVER && due == MCAST_NEVER ? NULL : &limit);
    return count >= 0 ? count : errno == EINTR ? 0 : -errno;
}

/* Step for everything that is due; at least once if @once. */
static int step_when_due(struct udp_host *host, bool once) {
    int code = 0;
    for (int turn = 0; code == 0 && turn < TURNS_MOST; turn++) {
        bool due =
            (host->more && !host->blocked) || mcast_member_next_deadline(host->member) <= udp_now();
        if (!due && !once) {
            break;
        }
        once = false;
        code = udp_host_step(host, NULL, 0);
    }
    return code;
}

void udp_host_set_unread(struct udp_host *host, uint64_t messages, uint64_t bytes,
                         mcast_time time) {
    host->unread = messages;
    host->unread_bytes = bytes;
    host->unread_for = time;
}

/* After a flood the spare buffers are not needed. */
static void rest(struct udp_host *host) {
    mcast_time now = udp_now();
    if (now >= host->next_rest) {
        host->next_rest = now + REST_EVERY;
        udp_buffers_rest(host->pool);
    }
}

int udp_host_go_on(struct udp_host *host, const struct epoll_event *events, int count) {
    int code = 0;
    bool stream_ready = false;
    for (int i = 0; i < count; i++) {
        stream_ready = stream_ready || events[i].data.fd == host->session.stream.fd;
    }
    if (host->blocked) {
        transmit(host, NULL, 0);
    }
    uint64_t before = host->catch.datagrams;
    if (count > 0) {
        code = receive(host, events, count);
    }
    udp_nap_note(&host->nap, udp_now(), host->catch.datagrams - before);
    rest(host);
    if (code == 0 && stream_ready && host->session.stream.fd >= 0) {
        code = udp_host_read_stream(host);
    }
    if (code == 0 && host->session.stream.fd >= 0 && udp_now() >= host->prove_by) {
        code = udp_host_stream_lost(host); /* it accepted the connection and says nothing: try again
                                            */
    }
    if (code == 0 && host->session.stream.fd < 0 && !host->evicted && udp_now() >= host->next_try) {
        code = udp_host_connect(host);
    }
    return code == 0 ? step_when_due(host, count == 0) : code;
}

int udp_host_run(struct udp_host *host, mcast_time wait) {
    struct epoll_event events[UDP_HOST_EVENTS];
    int count = wait_for(host, wait, events);
    return count < 0 ? count : udp_host_go_on(host, events, count);
}

int udp_host_submit(struct udp_host *host, const struct mcast_event *events, size_t count) {
    if (!host->stepping) {
        /* Send what this made due now: the messages of one submission share packets, and a single
         * message waits for none. */
        int code = udp_host_step(host, events, count);
        return code == 0 ? step_when_due(host, false) : code;
    }
    if (host->queued + count > QUEUE_MOST) {
        return -ENOBUFS;
    }
    memcpy(host->queue + host->queued, events, count * sizeof *events);
    host->queued += count;
    return 0;
}

/* --- beginning and end --------------------------------------------------------------------------
 */

/* Packets under way have to fit the kernel queues of the receivers as long as those read them;
 * their queues are as large as ours. So start at what fits. */
static void fit_windows(struct mcast_config *config, uint64_t room) {
    room = room > config->packet_size ? room : config->packet_size;
    uint64_t start = room < WINDOW_START ? room : WINDOW_START;
    config->window_room = room;
    config->window_floor = start > config->window_floor ? start : config->window_floor;
    if (config->window_floor > config->window_cap) {
        config->window_floor = config->window_cap;
    }
}

static int prepare(struct udp_host *host, const struct udp_host_options *options) {
    host->poll = epoll_create1(EPOLL_CLOEXEC);
    host->napping = epoll_create1(EPOLL_CLOEXEC);
    if (host->poll < 0 || host->napping < 0) {
        return -errno;
    }
    int code = udp_sockets_open(&host->sockets, &options->sockets);
    if (code != 0) {
        return code;
    }
    for (int class = 0; class < MCAST_SOCKETS; class++) {
        code = watch_inlet(host, &host->sockets.own[class]);
        if (code != 0) {
            return code;
        }
    }
    host->pool = udp_buffers_new(mcast_system_memory(), SPARE_BUFFERS);
    host->catch.room = CATCH_ROOM;
    host->catch.events = calloc(CATCH_ROOM, sizeof *host->catch.events);
    host->catch.held_room = HELD_ROOM;
    host->catch.held = calloc(HELD_ROOM, sizeof(struct mcast_buffer *));
    if (host->pool == NULL || host->catch.events == NULL || host->catch.held == NULL) {
        return -ENOMEM;
    }
    struct mcast_config config = options->member;
    config.address = udp_sockets_address(&host->sockets);
    fit_windows(&config, udp_sockets_room(&host->sockets));
    if (host->keyring != NULL) {
        config.auth = mcast_keyring_auth(host->keyring);
    }
    return udp_core_code(mcast_member_new(&config, mcast_system_memory(), &host->member));
}

int udp_host_open(const struct udp_host_options *options, const struct udp_application *application,
                  struct udp_host **host) {
    struct udp_host *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return -ENOMEM;
    }
    made->application = *application;
    made->poll = made->napping = -1;
    made->reconnect = options->reconnect;
    made->keyring = options->keyring;
    udp_stream_init(&made->session.stream, -1, false);
    for (int class = 0; class < MCAST_SOCKETS; class++) {
        made->sockets.own[class].fd = -1;
    }
    int code = udp_place_read(options->service, &made->service);
    code = code == 0 ? prepare(made, options) : code;
    if (code != 0) {
        udp_host_close(made);
        return code;
    }
    *host = made;
    return 0;
}

static void close_if_open(int fd) {
    if (fd >= 0) {
        close(fd);
    }
}

void udp_host_close(struct udp_host *host) {
    if (host == NULL) {
        return;
    }
    udp_session_close(&host->session);
    udp_catch_clear(&host->catch);
    udp_sender_clear(&host->sender);
    mcast_member_free(host->member); /* it releases buffers, so it goes before their pool */
    udp_sockets_close(&host->sockets);
    if (host->pool != NULL) {
        udp_buffers_close(host->pool);
    }
    close_if_open(host->poll);
    close_if_open(host->napping);
    free(host->catch.events);
    free(host->catch.held);
    free(host);
}

mcast_time udp_host_nap(const struct udp_host *host) {
    return host->nap.span;
}

int udp_host_fd(const struct udp_host *host) {
    return host->poll;
}

void udp_host_set_sieve(struct udp_host *host, udp_sieve sieve, void *context) {
    host->catch.sieve = sieve;
    host->catch.sieve_context = context;
}

/* Only close(2) is safe: another thread of the parent may have held the allocator at the fork. */
void udp_host_abandon(struct udp_host *host) {
    close_if_open(host->session.stream.fd);
    for (int class = 0; class < MCAST_SOCKETS; class++) {
        close_if_open(host->sockets.own[class].fd);
    }
    for (size_t i = 0; i < host->sockets.count; i++) {
        close_if_open(host->sockets.listening[i].fd);
    }
    close_if_open(host->poll);
    close_if_open(host->napping);
}

struct mcast_member *udp_host_member(struct udp_host *host) {
    return host->member;
}

void udp_host_stats(const struct udp_host *host, struct udp_host_stats *stats) {
    *stats = (struct udp_host_stats){.steps = host->steps,
                                     .datagrams_received = host->catch.datagrams,
                                     .datagrams_sent = host->sender.datagrams,
                                     .messages_sent = host->sender.messages,
                                     .lost_sending = host->sender.lost,
                                     .lost_by_sieve = host->catch.lost,
                                     .connections = host->connections,
                                     .strangers = host->strangers};
    for (int class = 0; class < MCAST_SOCKETS; class++) {
        stats->kernel_drops += host->sockets.own[class].drops;
    }
    for (size_t i = 0; i < host->sockets.count; i++) {
        stats->kernel_drops += host->sockets.listening[i].drops;
    }
}
