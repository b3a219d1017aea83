#define _GNU_SOURCE
#include "mcast/engine.h"
#include "engine/engine_stats.h"
#include "engine/fork_guard.h"
#include "engine/host.h"
#include "engine/inbox.h"
#include "engine/inbox_writer.h"
#include "engine/request_queue.h"
#include "mcast/error.h"
#include "sockets/poll.h"
#include "sockets/wake_policy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum {
    SOCKET_BUFFER = 32 * 1024 * 1024, /* requested; the kernel may grant less, see host.c */
    INBOX_BOUND = 262144, /* entries that may wait before the policies of groups act and a reader
                           * that takes nothing may send nothing more */
    INBOX_BYTES = 64 * 1024 * 1024, /* bytes of all waiting entries; they keep at most four times
                                     * that in memory */
    REQUESTS_A_STEP = 256,
    /* Waking the thread costs more than a datagram. So under a stream of submissions they are left
     * to the thread, which looks again after a nap, instead of being sent at once. */
    BUSY_AFTER = 8,   /* submissions in a row, each soon after the previous one */
    SOON = 20000,     /* what counts as soon, in nanoseconds */
    BUSY_NAP = 50000, /* the nap, in nanoseconds */
    BUSY_TURNS = 8,   /* naps without a submission that end it */
};

/* Where a token circulates in less than a millisecond, rounds may follow faster than on a LAN. */
#define LOOPBACK_FLOOR (2 * MCAST_MILLISECOND)

/* A reader that takes nothing for so long is taken for hung, and the member leaves its groups:
 * others would wait for it in vain, because the thread keeps its place. Far longer than any handler
 * that still answers its user. */
#define HUNG_AFTER (10 * MCAST_SECOND)
/* The thread looks after the reader this often, and each look counts for no more: while the
 * whole process is stopped, the reader cannot take anything. */
#define LOOK_EVERY MCAST_SECOND

struct mcast_engine {
    struct udp_host *host; /* NULL once the engine was ended */
    struct mcast_keyring *keyring;
    struct udp_report report;
    struct udp_origin *origin;
    pthread_t thread;
    bool running;         /* true if the thread was started and not joined yet */
    pthread_mutex_t lock; /* guards the host, the inbox writer and its side of the inbox */
    struct udp_requests requests;
    atomic_bool busy;          /* true if the thread naps and looks for submissions by itself */
    atomic_uint streak;        /* the count of submissions soon after one another */
    atomic_uint_fast64_t last; /* when the last one came */
    atomic_bool full;          /* true if so much waits for the reader that it may not send */
    atomic_bool ending;
    atomic_int failure;      /* -errno once the engine has ended */
    bool told;               /* true once the reader knows of that; used by the reader only */
    int wake;                /* the eventfd that wakes the thread */
    mcast_time asleep_until; /* when the thread wakes by itself; under the lock */
    uint64_t seen_taken;     /* the entries that the reader had taken at the last look; likewise */
    mcast_time looked_at;    /* when that was */
    mcast_time unread_for;   /* for how long it has taken nothing although something waits */
    uint32_t loss;
    uint64_t loss_state;
};

/* --- calls to the member, all under the lock -----------------------------------------------------
 */

/* The engine cannot go on: the thread ends, and the next take of the reader reports it. */
static void fail(struct mcast_engine *engine, int code) {
    int none = 0;
    code = code != 0 ? code : engine->report.failure;
    if (code != 0 && atomic_compare_exchange_strong(&engine->failure, &none, code)) {
        udp_ring(engine->report.ready);
        udp_ring(engine->wake);
    }
}

static bool is_full(const struct udp_inbox *inbox) {
    return udp_inbox_waiting(inbox) > INBOX_BOUND;
}

/* Count for how long the reader has taken nothing although something waits. */
static void watch_reader(struct mcast_engine *engine, mcast_time now) {
    const struct udp_inbox *inbox = engine->report.inbox;
    uint64_t taken = udp_inbox_collected(inbox);
    mcast_time passed = now - engine->looked_at;
    if (udp_inbox_waiting(inbox) == 0 || taken != engine->seen_taken) {
        engine->unread_for = 0;
    } else {
        engine->unread_for += passed < LOOK_EVERY ? passed : LOOK_EVERY;
    }
    engine->seen_taken = taken;
    engine->looked_at = now;
}

/* Entries that the reader has not taken count against the policies of its groups (rule 1.0.4). The
 * sockets are read in any case: an engine that left data in the kernel would hold back all others.
 */
static void report_unread(struct mcast_engine *engine) {
    struct udp_inbox *inbox = engine->report.inbox;
    udp_inbox_collect(inbox);
    watch_reader(engine, udp_now());
    udp_host_set_unread(engine->host, udp_inbox_waiting(inbox), udp_inbox_bytes(inbox),
                        engine->unread_for);
    atomic_store_explicit(&engine->full, is_full(inbox), memory_order_relaxed);
}

/* Serve the waiting requests, many in one step, so that small messages share packets and trains. */
static int serve_requests(struct mcast_engine *engine) {
    struct mcast_event events[REQUESTS_A_STEP];
    int code = engine->host == NULL ? -EPIPE : 0;
    struct udp_request *request = udp_requests_take(&engine->requests);
    if (code == 0) {
        report_unread(engine);
    }
    while (request != NULL) {
        struct udp_request *first = request;
        size_t count = 0;
        for (; request != NULL && count < REQUESTS_A_STEP; request = request->next) {
            events[count++] = request->event;
        }
        if (code == 0) {
            code = udp_host_submit(engine->host, events, count);
        }
        while (first != request) {
            struct udp_request *next = first->next;
            udp_request_free(&engine->requests, first);
            first = next;
        }
    }
    return code;
}

/* --- the thread ---------------------------------------------------------------------------------
 */

static mcast_time rest_of(mcast_time due) {
    mcast_time now = udp_now();
    return due <= now ? 0 : due - now;
}

/* Return when the thread wakes by itself: it also looks after a reader for whom something waits. */
static mcast_time wake_time(const struct mcast_engine *engine) {
    mcast_time due = udp_host_deadline(engine->host);
    mcast_time look = udp_now() + LOOK_EVERY;
    return udp_inbox_waiting(engine->report.inbox) > 0 && look < due ? look : due;
}

/* Remove the thread's own wake-up from the ready descriptors. */
static int without_wake_up(const struct mcast_engine *engine, struct epoll_event *events,
                           int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (events[i].data.fd != engine->wake) {
            events[kept++] = events[i];
            continue;
        }
        uint64_t rung = 0;
        ssize_t got = read(engine->wake, &rung, sizeof rung);
        (void)got;
    }
    return kept;
}

/* Wait until @due for sockets and the wake-up in one call: every receiver on the path of a message
 * pays for each call that a wake-up takes. Return the count of events, or -errno. */
static int watch(const struct mcast_engine *engine, struct epoll_event *events, mcast_time due) {
    mcast_time left = rest_of(due);
    struct timespec limit = {.tv_sec = (time_t)(left / MCAST_SECOND),
                             .tv_nsec = (long)(left % MCAST_SECOND)};
    int count = udp_poll(udp_host_fd(engine->host), events, UDP_HOST_EVENTS,
                         due == MCAST_NEVER ? NULL : &limit);
    if (count < 0) {
        return errno == EINTR ? 0 : -errno;
    }
    return without_wake_up(engine, events, count);
}

/* True if this submission is one of many. With several threads the count may be off by a few. */
static bool is_busy_submitter(struct mcast_engine *engine) {
    mcast_time now = udp_now();
    mcast_time before = atomic_exchange_explicit(&engine->last, now, memory_order_relaxed);
    if (now - before > SOON) {
        atomic_store_explicit(&engine->streak, 0, memory_order_relaxed);
        return false;
    }
    return atomic_fetch_add_explicit(&engine->streak, 1, memory_order_relaxed) >= BUSY_AFTER;
}

/* Nap and look again, until nothing was submitted for some turns. */
static void rest_while_busy(struct mcast_engine *engine, unsigned *idle, bool more) {
    *idle = more ? 0 : *idle + 1;
    if (*idle < BUSY_TURNS) {
        udp_nap_take(BUSY_NAP);
        return;
    }
    *idle = 0;
    /* A thread that submits from now on serves itself; earlier submissions are seen by the next
     * turn. */
    atomic_store(&engine->busy, false);
}

static void *run(void *argument) {
    struct mcast_engine *engine = argument;
    struct epoll_event events[UDP_HOST_EVENTS];
    int count = 0;
    unsigned idle = 0;
    while (!atomic_load(&engine->ending) && atomic_load(&engine->failure) == 0) {
        pthread_mutex_lock(&engine->lock);
        int code = count < 0 ? count : serve_requests(engine);
        if (code == 0) {
            code = udp_host_go_on(engine->host, events, count);
        }
        fail(engine, code);
        mcast_time flood = udp_host_nap(engine->host);
        mcast_time due = wake_time(engine);
        engine->asleep_until = due;
        pthread_mutex_unlock(&engine->lock);
        /* After unlocking: a thread that found the lock taken relies on this check. */
        bool more = udp_requests_wait(&engine->requests);
        bool busy = atomic_load(&engine->busy);
        if (busy) {
            rest_while_busy(engine, &idle, more);
        } else if (flood > 0 && !more) {
            mcast_time left = rest_of(due);
            udp_host_take_nap(engine->host, left < flood ? left : flood);
        }
        count = watch(engine, events, busy || flood > 0 || more ? 0 : due);
    }
    return NULL;
}

/* --- for the application ------------------------------------------------------------------------
 */

static int may_submit(const struct mcast_engine *engine, bool sends) {
    if (!udp_origin_is_here(engine->origin)) {
        return -ECHILD;
    }
    if (atomic_load(&engine->failure) != 0) {
        return -EPIPE;
    }
    /* Each message sent causes a report, and the reader does not take its reports. */
    bool full = atomic_load_explicit(&engine->full, memory_order_relaxed);
    return sends && full ? -EAGAIN : 0;
}

/* A request was added: serve it here, or leave it to the thread. */
static int serve_or_wake(struct mcast_engine *engine) {
    if (atomic_load(&engine->busy)) {
        return 0;
    }
    if (is_busy_submitter(engine)) {
        atomic_store(&engine->busy, true);
        udp_ring(engine->wake);
        return 0;
    }
    /* The holder of the lock checks the queue once more after releasing it; so either it serves the
     * request, or the lock is free and this thread serves it. */
    bool earlier = false;
    while (udp_requests_wait(&engine->requests) && pthread_mutex_trylock(&engine->lock) == 0) {
        fail(engine, serve_requests(engine));
        if (engine->host != NULL) {
            mcast_time due = udp_host_deadline(engine->host);
            if (due < engine->asleep_until) {
                engine->asleep_until = due; /* one wake-up is enough, however many submissions come
                                             * meanwhile */
                earlier = true;
            }
        }
        pthread_mutex_unlock(&engine->lock);
    }
    if (earlier) {
        udp_ring(engine->wake);
    }
    return 0;
}

int mcast_engine_submit(struct mcast_engine *engine, const struct mcast_event *event) {
    int code = may_submit(engine, event->kind == MCAST_EVENT_SEND);
    code = code == 0 ? udp_requests_add(&engine->requests, event) : code;
    return code == 0 ? serve_or_wake(engine) : code;
}

int mcast_engine_send_many(struct mcast_engine *engine, uint32_t group, const uint8_t *bytes,
                           const uint32_t *lengths, size_t count, uint64_t cookie) {
    int code = may_submit(engine, true);
    code = code == 0 ? udp_requests_add_many(&engine->requests, group, bytes, lengths, count,
                                             cookie | MCAST_ENGINE_QUIET, cookie)
                     : code;
    return code == 0 ? serve_or_wake(engine) : code;
}

static size_t tell_failure(struct mcast_engine *engine, struct mcast_engine_item *items) {
    int code = atomic_load(&engine->failure);
    if (code == 0 || engine->told) {
        return 0;
    }
    engine->told = true;
    items[0] = (struct mcast_engine_item){.kind = MCAST_ENGINE_FAILED, .code = code};
    return 1;
}

size_t mcast_engine_take(struct mcast_engine *engine, struct mcast_engine_item *items,
                         size_t most) {
    if (!udp_origin_is_here(engine->origin) || engine->report.inbox == NULL || most == 0) {
        return 0;
    }
    size_t count = udp_inbox_take(engine->report.inbox, items, most);
    if (count == 0) {
        uint64_t rung = 0;
        ssize_t got = read(engine->report.ready, &rung, sizeof rung);
        (void)got;
        count = udp_inbox_take(engine->report.inbox, items, most);
        if (count > 0) {
            udp_ring(engine->report.ready); /* stays readable until a take finds nothing */
        }
    }
    if (atomic_load_explicit(&engine->full, memory_order_relaxed)) {
        atomic_store_explicit(&engine->full, is_full(engine->report.inbox), memory_order_relaxed);
    }
    return count > 0 ? count : tell_failure(engine, items);
}

int mcast_engine_fd(const struct mcast_engine *engine) {
    return engine->report.ready;
}

int mcast_engine_stats(struct mcast_engine *engine, struct mcast_stats *member,
                       struct udp_engine_stats *driver) {
    if (!udp_origin_is_here(engine->origin)) {
        return -ECHILD;
    }
    int code = -EPIPE;
    pthread_mutex_lock(&engine->lock);
    if (engine->host != NULL) {
        mcast_member_stats(udp_host_member(engine->host), member);
        udp_host_stats(engine->host, &driver->host);
        driver->unread_messages = udp_inbox_waiting(engine->report.inbox);
        driver->unread_bytes = udp_inbox_bytes(engine->report.inbox);
        driver->given_bytes = udp_requests_held(&engine->requests);
        code = 0;
    }
    pthread_mutex_unlock(&engine->lock);
    return code;
}

int mcast_engine_laggards(struct mcast_engine *engine, struct mcast_laggard *laggards, size_t most,
                          mcast_node *own) {
    if (!udp_origin_is_here(engine->origin)) {
        return -ECHILD;
    }
    int count = -EPIPE;
    pthread_mutex_lock(&engine->lock);
    if (engine->host != NULL) {
        const struct mcast_member *member = udp_host_member(engine->host);
        *own = mcast_member_node(member);
        count = (int)mcast_member_laggards(member, udp_now(), laggards, most);
    }
    pthread_mutex_unlock(&engine->lock);
    return count;
}

/* xorshift* (https://en.wikipedia.org/wiki/Xorshift): good enough to drop datagrams with, and
 * reproducible for a seed. */
static bool keep(void *context, enum mcast_socket class) {
    struct mcast_engine *engine = context;
    (void)class;
    engine->loss_state ^= engine->loss_state >> 12;
    engine->loss_state ^= engine->loss_state << 25;
    engine->loss_state ^= engine->loss_state >> 27;
    return (engine->loss_state * 0x2545F4914F6CDD1DULL >> 33) % 1000000 >= engine->loss;
}

void mcast_engine_set_loss(struct mcast_engine *engine, uint32_t of_a_million, uint64_t seed) {
    if (!udp_origin_is_here(engine->origin)) {
        return;
    }
    pthread_mutex_lock(&engine->lock);
    engine->loss = of_a_million;
    engine->loss_state = seed | 1;
    if (engine->host != NULL) {
        udp_host_set_sieve(engine->host, of_a_million > 0 ? keep : NULL, engine);
    }
    pthread_mutex_unlock(&engine->lock);
}

/* --- beginning and end --------------------------------------------------------------------------
 */

/* Members of other machines have to prove that they have a key. */
static int check_reach(const struct udp_host_options *options, const char *service) {
    struct udp_place place;
    int code = udp_place_read(service, &place);
    bool private = udp_is_loopback(options->sockets.interface) &&
                   (place.local || udp_is_loopback(place.at.sin_addr));
    return code != 0 ? code : private || options->keyring != NULL ? 0 : -EACCES;
}

static int fill_options(struct udp_host_options *options, const struct mcast_config *config,
                        const char *interface, const char *service) {
    options->member = *config;
    if (options->member.batch_delay == 0) {
        options->member.batch_delay =
            1; /* messages that are submitted together share packets; see udp_host_submit */
    }
    options->member.unread_messages = INBOX_BOUND;
    options->member.unread_bytes = INBOX_BYTES;
    if (options->member.unread_time == 0) {
        options->member.unread_time = HUNG_AFTER;
    }
    options->reconnect = 100 * MCAST_MILLISECOND;
    options->sockets.receive_buffer = SOCKET_BUFFER;
    options->sockets.send_buffer = SOCKET_BUFFER;
    options->sockets.offload = true;
    if (inet_pton(AF_INET, interface, &options->sockets.interface) != 1) {
        return -EINVAL;
    }
    bool alone = udp_is_loopback(options->sockets.interface);
    if (alone && options->member.interval_floor > LOOPBACK_FLOOR) {
        options->member.interval_floor = LOOPBACK_FLOOR;
    }
    options->sockets.ttl = alone ? 0 : 1;
    uint32_t largest = alone ? 0 : udp_largest_datagram(options->sockets.interface);
    if (largest > 0 && options->member.packet_size > largest) {
        options->member.packet_size = largest;
    }
    if (strlen(service) >= sizeof options->service) {
        return -ENAMETOOLONG;
    }
    memcpy(options->service, service, strlen(service));
    return check_reach(options, service);
}

/* Block all signals in the thread: they belong to the application. */
static int start_thread(struct mcast_engine *engine) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&engine->thread, NULL, run, engine);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    engine->running = code == 0;
    return -code;
}

static int prepare(struct mcast_engine *engine, const struct udp_host_options *options) {
    errno = 0;
    engine->report.ready = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    engine->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    engine->report.inbox = udp_inbox_new();
    engine->origin = udp_origin_new();
    if (engine->report.ready < 0 || engine->wake < 0 || engine->report.inbox == NULL ||
        engine->origin == NULL) {
        return errno != 0 ? -errno : -ENOMEM;
    }
    struct udp_application application = udp_report_application(&engine->report);
    int code = udp_host_open(options, &application, &engine->host);
    struct epoll_event bell = {.events = EPOLLIN, .data.fd = engine->wake};
    if (code == 0 &&
        epoll_ctl(udp_host_fd(engine->host), EPOLL_CTL_ADD, engine->wake, &bell) != 0) {
        code = -errno;
    }
    return code != 0 ? code : start_thread(engine);
}

int mcast_engine_start_with(const struct mcast_config *config, const char *interface,
                            const char *service, struct mcast_keyring *keyring,
                            struct mcast_engine **engine) {
    struct udp_host_options options;
    memset(&options, 0, sizeof options);
    options.keyring = keyring;
    int code = fill_options(&options, config, interface, service);
    struct mcast_engine *made = code == 0 ? calloc(1, sizeof *made) : NULL;
    if (made == NULL) {
        mcast_keyring_free(keyring);
        return code != 0 ? code : -ENOMEM;
    }
    made->keyring = keyring;
    made->report.ready = made->wake = -1;
    pthread_mutex_init(&made->lock, NULL);
    code = prepare(made, &options);
    if (code != 0) {
        mcast_engine_close(made);
        return code;
    }
    *engine = made;
    return 0;
}

int mcast_engine_start(const struct mcast_config *config, const char *interface,
                       const char *service, struct mcast_engine **engine) {
    return mcast_engine_start_with(config, interface, service, NULL, engine);
}

void mcast_engine_end(struct mcast_engine *engine) {
    if (engine->origin != NULL && !udp_origin_is_here(engine->origin)) {
        return;
    }
    int none = 0;
    atomic_compare_exchange_strong(&engine->failure, &none, -ESHUTDOWN);
    atomic_store(&engine->ending, true);
    if (engine->running) {
        udp_ring(engine->wake);
        pthread_join(engine->thread, NULL);
        engine->running = false;
    }
    pthread_mutex_lock(&engine->lock);
    udp_requests_clear(&engine->requests);
    /* Free the inbox first: it holds buffers that the member made. */
    udp_inbox_free(engine->report.inbox);
    engine->report.inbox = NULL;
    udp_host_close(engine->host);
    engine->host = NULL;
    pthread_mutex_unlock(&engine->lock);
}

static void close_if_open(int fd) {
    if (fd >= 0) {
        close(fd);
    }
}

void mcast_engine_close(struct mcast_engine *engine) {
    if (engine == NULL) {
        return;
    }
    bool here = engine->origin == NULL || udp_origin_is_here(engine->origin);
    if (here) {
        mcast_engine_end(engine);
        udp_requests_clear(&engine->requests);
        pthread_mutex_destroy(&engine->lock);
    } else if (engine->host != NULL) {
        udp_host_abandon(engine->host);
    }
    close_if_open(engine->report.ready);
    close_if_open(engine->wake);
    if (!here) {
        return; /* its contents belong to the parent process and are in an unknown state: leave them
                 * alone */
    }
    udp_origin_free(engine->origin);
    mcast_keyring_free(engine->keyring);
    free(engine);
}
