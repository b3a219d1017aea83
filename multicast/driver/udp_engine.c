#define _GNU_SOURCE
#include "mcast/engine.h"
#include "mcast/error.h"
#include "mcast/system_memory.h"
#include "udp_host.h"
#include "udp_inbox.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    SOCKET_BUFFER = 4 * 1024 * 1024,
    INBOX_BOUND = 65536,   /* is how many entries may wait before data stays in the kernel */
    REQUESTS_MOST = 65536, /* is how many submissions may wait for a busy engine */
    REQUESTS_A_STEP = 128,
    FULL_NAP_MS = 1, /* is how long the thread rests while the reader has to catch up */
};

/* A submission that found the engine busy. */
struct request {
    struct request *next;
    struct mcast_event event; /* its payload, if any, is held */
};

struct mcast_engine {
    struct udp_host *host;
    struct udp_inbox *inbox;
    pthread_t thread;
    pthread_mutex_t lock;               /* guards the host and the writer's side of the inbox */
    _Atomic(struct request *) requests; /* is a stack, the newest first */
    atomic_int request_count;
    atomic_bool ending;
    atomic_int failure;      /* is -errno once the engine has ended by itself */
    int ready;               /* is the reader's eventfd */
    int wake;                /* is the thread's eventfd */
    mcast_time asleep_until; /* is when the thread wakes by itself; under the lock */
    uint32_t loss;
    uint64_t loss_state;
};

/* --- towards the application --------------------------------------------------------------------
 */

static void ring(int fd) {
    uint64_t one = 1;
    ssize_t written = write(fd, &one, sizeof one);
    (void)written; /* the counter is full only when it was rung already */
}

static void put(struct mcast_engine *engine, const struct mcast_engine_item *item,
                struct mcast_buffer *buffer) {
    int code = udp_inbox_put(engine->inbox, item, buffer);
    if (code < 0) {
        atomic_store(&engine->failure, code);
    } else if (code > 0) {
        ring(engine->ready);
    }
}

static void deliver(void *context, const struct mcast_delivery *deliveries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct mcast_delivery *one = &deliveries[i];
        struct mcast_engine_item item = {.kind = MCAST_ENGINE_DELIVERY,
                                         .group = one->group,
                                         .sender = one->sender,
                                         .number = one->number,
                                         .bytes = one->bytes,
                                         .length = one->length};
        put(context, &item, one->buffer);
    }
}

static void want(void *context, const struct mcast_want *wants, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct mcast_engine_item item = {.kind = MCAST_ENGINE_WANT,
                                         .group = wants[i].group,
                                         .cookie = wants[i].cookie,
                                         .count = wants[i].budget};
        put(context, &item, NULL);
    }
}

enum { NAME_NUMBERS = 4 };

/* The names of a MEMBERS notice live in the member until the next step, so they are copied: four
 * numbers each, short name, the two halves of the id, incarnation. */
static struct mcast_buffer *copy_names(const struct mcast_notice *notice) {
    if (notice->nodes == NULL || notice->count == 0) {
        return NULL;
    }
    size_t size = (size_t)notice->count * NAME_NUMBERS * sizeof(uint64_t);
    struct mcast_buffer *buffer = mcast_buffer_new(mcast_system_memory(), (uint32_t)size);
    for (size_t i = 0; buffer != NULL && i < notice->count; i++) {
        const struct mcast_member_name *name = &notice->nodes[i];
        const uint64_t row[NAME_NUMBERS] = {name->node, name->id.high, name->id.low,
                                            name->incarnation};
        memcpy(buffer->bytes + i * sizeof row, row, sizeof row);
    }
    return buffer;
}

static void notify(void *context, const struct mcast_notice *notices, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct mcast_notice *one = &notices[i];
        if (one->kind == MCAST_NOTICE_LISTEN || one->kind == MCAST_NOTICE_UNLISTEN) {
            continue; /* was the driver's business */
        }
        struct mcast_buffer *names = copy_names(one);
        struct mcast_engine_item item = {.kind = MCAST_ENGINE_NOTICE,
                                         .notice = (uint8_t)one->kind,
                                         .code = one->code,
                                         .group = one->group,
                                         .sender = one->sender,
                                         .number = one->number,
                                         .last = one->last,
                                         .count = one->count,
                                         .cookie = one->cookie,
                                         .bytes = names != NULL ? names->bytes : NULL,
                                         .length = names != NULL ? names->size : 0};
        put(context, &item, names);
        mcast_buffer_release(names);
    }
}

/* --- towards the member, all under the lock -----------------------------------------------------
 */

static int fail(struct mcast_engine *engine, int code) {
    if (code != 0 && atomic_exchange(&engine->failure, code) == 0) {
        struct mcast_engine_item item = {.kind = MCAST_ENGINE_FAILED, .code = code};
        put(engine, &item, NULL);
    }
    return code;
}

static void let_go(struct request *request) {
    if (request->event.kind == MCAST_EVENT_SEND) {
        mcast_buffer_release(request->event.as.send.buffer);
    } else if (request->event.kind == MCAST_EVENT_PAYLOAD) {
        mcast_buffer_release(request->event.as.payload.buffer);
    }
    free(request);
}

/* The stack turned round: the oldest first. */
static struct request *take_requests(struct mcast_engine *engine) {
    struct request *newest = atomic_exchange(&engine->requests, NULL);
    struct request *oldest = NULL;
    while (newest != NULL) {
        struct request *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}

/* Serves what waits, many in one step, so that small messages share packets and trains. */
static int serve_requests(struct mcast_engine *engine) {
    struct mcast_event events[REQUESTS_A_STEP];
    int code = 0;
    struct request *request = take_requests(engine);
    while (request != NULL) {
        struct request *first = request;
        size_t count = 0;
        for (; request != NULL && count < REQUESTS_A_STEP; request = request->next) {
            events[count++] = request->event;
        }
        if (code == 0) {
            code = udp_host_submit(engine->host, events, count);
        }
        atomic_fetch_sub(&engine->request_count, (int)count);
        while (first != request) {
            struct request *next = first->next;
            let_go(first);
            first = next;
        }
    }
    return code;
}

/* --- the thread ---------------------------------------------------------------------------------
 */

static void sleep_until(struct mcast_engine *engine, mcast_time due) {
    struct pollfd watched[] = {{.fd = udp_host_fd(engine->host), .events = POLLIN},
                               {.fd = engine->wake, .events = POLLIN}};
    mcast_time now = udp_now();
    mcast_time rest = due <= now ? 0 : due - now;
    struct timespec limit = {.tv_sec = (time_t)(rest / MCAST_SECOND),
                             .tv_nsec = (long)(rest % MCAST_SECOND)};
    (void)ppoll(watched, 2, due == MCAST_NEVER ? NULL : &limit, NULL);
    if (watched[1].revents != 0) {
        uint64_t count = 0;
        ssize_t got = read(engine->wake, &count, sizeof count);
        (void)got;
    }
}

static void *run(void *argument) {
    struct mcast_engine *engine = argument;
    bool full = false;
    while (!atomic_load(&engine->ending) && atomic_load(&engine->failure) == 0) {
        pthread_mutex_lock(&engine->lock);
        udp_inbox_collect(engine->inbox);
        int code = serve_requests(engine);
        full = udp_inbox_waiting(engine->inbox) > INBOX_BOUND;
        if (code == 0) {
            code = udp_host_run(engine->host, 0, !full);
        }
        (void)fail(engine, code);
        mcast_time due = udp_host_deadline(engine->host);
        engine->asleep_until = due;
        pthread_mutex_unlock(&engine->lock);
        /* After unlocking: who found the lock taken relies on this look. */
        bool more = atomic_load(&engine->requests) != NULL;
        if (full) {
            struct timespec nap = {.tv_nsec = FULL_NAP_MS * 1000000L};
            nanosleep(&nap, NULL);
        } else if (!more) {
            sleep_until(engine, due);
        }
    }
    return NULL;
}

/* --- for the application ------------------------------------------------------------------------
 */

static struct mcast_buffer *copy_payload(const uint8_t *bytes, uint32_t length) {
    struct mcast_buffer *buffer = mcast_buffer_new(mcast_system_memory(), length);
    if (buffer != NULL && length > 0) {
        memcpy(buffer->bytes, bytes, length);
    }
    return buffer;
}

static struct request *new_request(const struct mcast_event *event) {
    struct request *request = calloc(1, sizeof *request);
    if (request == NULL) {
        return NULL;
    }
    request->event = *event;
    struct mcast_buffer **buffer = NULL;
    const uint8_t **bytes = NULL;
    uint32_t length = 0;
    if (event->kind == MCAST_EVENT_SEND && !event->as.send.pull) {
        buffer = &request->event.as.send.buffer;
        bytes = &request->event.as.send.bytes;
        length = event->as.send.length;
    } else if (event->kind == MCAST_EVENT_PAYLOAD && !event->as.payload.nothing) {
        buffer = &request->event.as.payload.buffer;
        bytes = &request->event.as.payload.bytes;
        length = event->as.payload.length;
    }
    if (buffer != NULL) {
        *buffer = copy_payload(*bytes, length);
        if (*buffer == NULL) {
            free(request);
            return NULL;
        }
        *bytes = (*buffer)->bytes;
    }
    return request;
}

static void push(struct mcast_engine *engine, struct request *request) {
    request->next = atomic_load(&engine->requests);
    while (!atomic_compare_exchange_weak(&engine->requests, &request->next, request)) {
    }
}

int mcast_engine_submit(struct mcast_engine *engine, const struct mcast_event *event) {
    int failure = atomic_load(&engine->failure);
    if (failure != 0) {
        return -EPIPE;
    }
    if (atomic_fetch_add(&engine->request_count, 1) >= REQUESTS_MOST) {
        atomic_fetch_sub(&engine->request_count, 1);
        return -EAGAIN;
    }
    struct request *request = new_request(event);
    if (request == NULL) {
        atomic_fetch_sub(&engine->request_count, 1);
        return -ENOMEM;
    }
    push(engine, request);
    /* Whoever holds the lock looks at the queue once more after letting go; so either it is served
     * there, or the lock is free and this thread serves it. */
    bool earlier = false;
    while (atomic_load(&engine->requests) != NULL && pthread_mutex_trylock(&engine->lock) == 0) {
        (void)fail(engine, serve_requests(engine));
        mcast_time due = udp_host_deadline(engine->host);
        earlier = earlier || due < engine->asleep_until;
        pthread_mutex_unlock(&engine->lock);
    }
    if (earlier) {
        ring(engine->wake);
    }
    return 0;
}

size_t mcast_engine_take(struct mcast_engine *engine, struct mcast_engine_item *items,
                         size_t most) {
    size_t count = udp_inbox_take(engine->inbox, items, most);
    if (count == 0) {
        uint64_t rung = 0;
        ssize_t got = read(engine->ready, &rung, sizeof rung);
        (void)got;
        count = udp_inbox_take(engine->inbox, items, most);
    }
    return count;
}

int mcast_engine_fd(const struct mcast_engine *engine) {
    return engine->ready;
}

void mcast_engine_stats(struct mcast_engine *engine, struct mcast_stats *stats) {
    pthread_mutex_lock(&engine->lock);
    mcast_member_stats(udp_host_member(engine->host), stats);
    pthread_mutex_unlock(&engine->lock);
}

/* xorshift*: enough to lose datagrams with, and the same for the same seed. */
static bool keep(void *context, enum mcast_socket class) {
    struct mcast_engine *engine = context;
    (void)class;
    engine->loss_state ^= engine->loss_state >> 12;
    engine->loss_state ^= engine->loss_state << 25;
    engine->loss_state ^= engine->loss_state >> 27;
    return (engine->loss_state * 0x2545F4914F6CDD1DULL >> 33) % 1000000 >= engine->loss;
}

void mcast_engine_set_loss(struct mcast_engine *engine, uint32_t of_a_million, uint64_t seed) {
    pthread_mutex_lock(&engine->lock);
    engine->loss = of_a_million;
    engine->loss_state = seed | 1;
    udp_host_set_sieve(engine->host, of_a_million > 0 ? keep : NULL, engine);
    pthread_mutex_unlock(&engine->lock);
}

/* --- beginning and end --------------------------------------------------------------------------
 */

static int fill_options(struct udp_host_options *options, const struct mcast_config *config,
                        const char *interface, const char *service) {
    memset(options, 0, sizeof *options);
    options->member = *config;
    options->reconnect = 100 * MCAST_MILLISECOND;
    options->sockets.receive_buffer = SOCKET_BUFFER;
    options->sockets.send_buffer = SOCKET_BUFFER;
    options->sockets.offload = true;
    if (inet_pton(AF_INET, interface, &options->sockets.interface) != 1) {
        return -EINVAL;
    }
    options->sockets.ttl = options->sockets.interface.s_addr == htonl(INADDR_LOOPBACK) ? 0 : 1;
    if (strlen(service) >= sizeof options->service) {
        return -ENAMETOOLONG;
    }
    memcpy(options->service, service, strlen(service));
    return 0;
}

/* The thread takes no signal: they are the application's. */
static int start_thread(struct mcast_engine *engine) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&engine->thread, NULL, run, engine);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -code;
}

static int prepare(struct mcast_engine *engine, const struct udp_host_options *options) {
    engine->ready = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    engine->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    engine->inbox = udp_inbox_new();
    if (engine->ready < 0 || engine->wake < 0 || engine->inbox == NULL) {
        return errno != 0 ? -errno : -ENOMEM;
    }
    struct udp_application application = {
        .context = engine, .deliver = deliver, .notify = notify, .want = want};
    return udp_host_open(options, &application, &engine->host);
}

/* Ends what prepare made. The inbox goes first: it holds buffers that the member made. */
static void end(struct mcast_engine *engine) {
    struct request *request = take_requests(engine);
    while (request != NULL) {
        struct request *next = request->next;
        let_go(request);
        request = next;
    }
    udp_inbox_free(engine->inbox);
    udp_host_close(engine->host);
    if (engine->ready >= 0) {
        close(engine->ready);
    }
    if (engine->wake >= 0) {
        close(engine->wake);
    }
    pthread_mutex_destroy(&engine->lock);
    free(engine);
}

int mcast_engine_start(const struct mcast_config *config, const char *interface,
                       const char *service, struct mcast_engine **engine) {
    struct udp_host_options options;
    int code = fill_options(&options, config, interface, service);
    struct mcast_engine *made = code == 0 ? calloc(1, sizeof *made) : NULL;
    if (made == NULL) {
        return code != 0 ? code : -ENOMEM;
    }
    made->ready = made->wake = -1;
    pthread_mutex_init(&made->lock, NULL);
    code = prepare(made, &options);
    if (code == 0) {
        code = start_thread(made);
    }
    if (code != 0) {
        end(made);
        return code;
    }
    *engine = made;
    return 0;
}

void mcast_engine_close(struct mcast_engine *engine) {
    if (engine == NULL) {
        return;
    }
    atomic_store(&engine->ending, true);
    ring(engine->wake);
    pthread_join(engine->thread, NULL);
    end(engine);
}
