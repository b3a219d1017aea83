/* Engines and a membership service on loopback, in one process: real sockets, real threads. */
#define _GNU_SOURCE
#include "check.h"
#include "engine/engine_stats.h"
#include "engine/host.h"
#include "fake_crypto.h"
#include "mcast/engine.h"
#include "mcast/error.h"
#include "mcast/output.h"
#include "service_connection/service_server.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NODES = 3, TAKE = 256, PATIENCE = 120 /* seconds, for a very busy machine */ };

static char folder[64];
static char service[96];
static char lock_file[96];

/* --- the service on a thread --------------------------------------------------------------------
 */

struct server {
    struct udp_server *server;
    pthread_t thread;
    atomic_bool ending;
};

static void *serve(void *argument) {
    struct server *self = argument;
    while (!atomic_load(&self->ending)) {
        CHECK(udp_server_run(self->server, 10 * MCAST_MILLISECOND) == 0);
    }
    return NULL;
}

static struct udp_server_options server_options(void) {
    struct udp_server_options options;
    memset(&options, 0, sizeof options);
    mcast_service_config_default(&options.service);
    /* A node may wait for the processor: the machine also runs other tests, under sanitizers. */
    options.service.suspicion = PATIENCE * MCAST_SECOND;
    options.service.cluster = (uint32_t)getpid(); /* runs at the same time are ignored */
    options.service.batch = 5 * MCAST_MILLISECOND;
    struct in_addr ip;
    ip.s_addr = htonl(0xEFFF5000u);
    uint16_t base = (uint16_t)(21000 + (unsigned)getpid() % 20000);
    options.service.first_address =
        udp_address(ip, (uint16_t[]){base, (uint16_t)(base + 1), (uint16_t)(base + 2)});
    options.service.address_count = 1000;
    memcpy(options.path, service, sizeof service);
    memcpy(options.lock, lock_file, sizeof lock_file);
    return options;
}

static void start_server(struct server *self) {
    struct udp_server_options options = server_options();
    memset(self, 0, sizeof *self);
    CHECK(udp_server_open(&options, &self->server) == 0);
    CHECK(pthread_create(&self->thread, NULL, serve, self) == 0);
}

static void stop_server(struct server *self) {
    atomic_store(&self->ending, true);
    CHECK(pthread_join(self->thread, NULL) == 0);
    udp_server_close(self->server);
}

/* --- a node with an application that checks its input -------------------------------------
 */

struct node {
    struct mcast_engine *engine;
    uint64_t next[64];  /* the next number, by sender */
    uint32_t names[64]; /* the senders */
    size_t senders;
    bool consumes; /* true if the policy of its group bounds unread messages */
    uint64_t received;
    uint64_t joined;
    uint64_t left;
    uint64_t expelled;
    uint64_t views;
    uint64_t stopped;
    uint64_t sent;
    uint64_t stable;
    bool checks_bytes;
};

/* Start a node whose reader counts as hung after @unread_time; 0: after the time of the engine. */
static void start_impatient_node(struct node *node, unsigned number, mcast_time unread_time) {
    struct mcast_config config;
    memset(node, 0, sizeof *node);
    mcast_config_default(&config);
    config.unread_time = unread_time;
    config.cluster = (uint32_t)getpid();
    config.id = (struct mcast_id){(uint64_t)getpid(), number + 1};
    config.incarnation = (uint64_t)udp_now();
    config.seed = number + 1;
    CHECK(mcast_engine_start(&config, "127.0.0.1", service, &node->engine) == 0);
}

static void start_node(struct node *node, unsigned number) {
    start_impatient_node(node, number, 0);
}

static void join(struct node *node, uint32_t group) {
    struct mcast_event event = {.kind = MCAST_EVENT_JOIN,
                                .as.join = {.group = group, .id = {99, group + 1}}};
    event.as.join.policy.tell_stable = true;
    CHECK(mcast_engine_submit(node->engine, &event) == 0);
}

/* Join group 0, whose senders pause when its queue holds half of @bytes. */
static void join_throttling(struct node *node, uint32_t bytes) {
    struct mcast_event event = {.kind = MCAST_EVENT_JOIN, .as.join = {.group = 0, .id = {99, 1}}};
    event.as.join.policy =
        (struct mcast_group_policy){.slow = MCAST_SLOW_THROTTLE, .queue_bytes = bytes};
    node->consumes = true;
    CHECK(mcast_engine_submit(node->engine, &event) == 0);
}

static void consume(struct node *node, uint32_t messages, uint64_t bytes) {
    struct mcast_event event = {.kind = MCAST_EVENT_CONSUMED};
    event.as.consumed.messages = messages;
    event.as.consumed.bytes = bytes;
    CHECK(messages == 0 || mcast_engine_submit(node->engine, &event) == 0);
}

static int try_to_send_number(struct node *node, uint64_t number, uint32_t length) {
    uint8_t bytes[20000];
    CHECK(length >= sizeof number && length <= sizeof bytes);
    memset(bytes, (int)number, length);
    memcpy(bytes, &number, sizeof number);
    struct mcast_event event = {.kind = MCAST_EVENT_SEND,
                                .as.send = {.bytes = bytes, .length = length, .cookie = number}};
    return mcast_engine_submit(node->engine, &event);
}

static void send_number(struct node *node, uint32_t group, uint64_t number, uint32_t length) {
    CHECK(group == 0 && try_to_send_number(node, number, length) == 0);
}

static size_t sender_index(struct node *node, uint32_t name) {
    for (size_t i = 0; i < node->senders; i++) {
        if (node->names[i] == name) {
            return i;
        }
    }
    CHECK(node->senders < 64);
    node->names[node->senders] = name;
    return node->senders++;
}

static void take_delivery(struct node *node, const struct mcast_engine_item *item) {
    uint64_t number = 0;
    size_t sender = sender_index(node, item->sender);
    CHECK(item->length >= sizeof number);
    memcpy(&number, item->bytes, sizeof number);
    CHECK(number == node->next[sender]); /* each once, in order */
    CHECK(item->length == sizeof number || item->bytes[item->length - 1] == (uint8_t)number);
    node->next[sender]++;
    node->received++;
}

static void take_notice(struct node *node, const struct mcast_engine_item *item) {
    node->joined += item->notice == MCAST_NOTICE_JOINED;
    node->left += item->notice == MCAST_NOTICE_LEFT;
    node->expelled += item->notice == MCAST_NOTICE_EXPELLED;
    node->views += item->notice == MCAST_NOTICE_VIEW;
    node->stopped += item->notice == MCAST_NOTICE_STOPPED;
    node->sent += item->notice == MCAST_NOTICE_SENT;
    node->stable += item->notice == MCAST_NOTICE_STABLE;
    CHECK(item->notice != MCAST_NOTICE_LOST && item->notice != MCAST_NOTICE_REFUSED);
    CHECK(item->notice != MCAST_NOTICE_EVICTED && item->notice != MCAST_NOTICE_DROPPED);
}

static void take(struct node *node) {
    struct mcast_engine_item items[TAKE];
    size_t count;
    while ((count = mcast_engine_take(node->engine, items, TAKE)) > 0) {
        uint32_t messages = 0;
        uint64_t bytes = 0;
        for (size_t i = 0; i < count; i++) {
            CHECK(items[i].kind != MCAST_ENGINE_FAILED);
            if (items[i].kind == MCAST_ENGINE_DELIVERY) {
                take_delivery(node, &items[i]);
                messages++;
                bytes += items[i].length;
            } else if (items[i].kind == MCAST_ENGINE_NOTICE) {
                take_notice(node, &items[i]);
            }
        }
        if (node->consumes) {
            consume(node, messages, bytes);
        }
    }
}

/* Poll the engines until @field of each node is at least @wanted. */
#define AWAIT(nodes, count, field, wanted) await(nodes, count, offsetof(struct node, field), wanted)

static void await(struct node *nodes, size_t count, size_t field, uint64_t wanted) {
    mcast_time limit = udp_now() + PATIENCE * MCAST_SECOND;
    for (;;) {
        struct pollfd watched[NODES];
        size_t there = 0;
        for (size_t i = 0; i < count; i++) {
            take(&nodes[i]);
            uint64_t value = 0;
            memcpy(&value, (const char *)&nodes[i] + field, sizeof value);
            there += value >= wanted;
            watched[i] = (struct pollfd){.fd = mcast_engine_fd(nodes[i].engine), .events = POLLIN};
        }
        if (there == count) {
            return;
        }
        CHECK(udp_now() < limit);
        (void)poll(watched, count, 50);
    }
}

static void start_all(struct server *server, struct node *nodes) {
    start_server(server);
    for (unsigned i = 0; i < NODES; i++) {
        start_node(&nodes[i], i);
        join(&nodes[i], 0);
    }
    AWAIT(nodes, NODES, joined, 1);
}

static void stop_all(struct server *server, struct node *nodes) {
    for (size_t i = 0; i < NODES; i++) {
        mcast_engine_close(nodes[i].engine);
    }
    stop_server(server);
}

/* --- the tests --------------------------------------------------------------------------------
 */

static void all_members_receive_all_in_order(void) {
    enum { EACH = 2000 };
    struct server server;
    struct node nodes[NODES];
    start_all(&server, nodes);
    for (uint64_t n = 0; n < EACH; n++) {
        for (size_t i = 0; i < NODES; i++) {
            send_number(&nodes[i], 0, n, 8 + (uint32_t)(n % 700));
        }
        if (n % 64 == 0) {
            for (size_t i = 0; i < NODES; i++) {
                take(&nodes[i]);
            }
        }
    }
    AWAIT(nodes, NODES, received, (uint64_t)NODES * EACH);
    AWAIT(nodes, NODES, stable, 1);
    stop_all(&server, nodes);
}

static void lost_datagrams_are_repaired(void) {
    enum { COUNT = 3000 };
    struct server server;
    struct node nodes[NODES];
    start_all(&server, nodes);
    for (size_t i = 1; i < NODES; i++) {
        mcast_engine_set_loss(nodes[i].engine, 50000, i);
    }
    for (uint64_t n = 0; n < COUNT; n++) {
        send_number(&nodes[0], 0, n, 500);
    }
    AWAIT(nodes, NODES, received, COUNT);
    struct mcast_stats stats;
    struct udp_engine_stats driver;
    CHECK(mcast_engine_stats(nodes[1].engine, &stats, &driver) == 0);
    CHECK(stats.repairs_received > 0 && driver.host.lost_by_sieve > 0);
    stop_all(&server, nodes);
}

static void a_message_longer_than_a_packet_arrives_whole(void) {
    struct server server;
    struct node nodes[NODES];
    start_all(&server, nodes);
    for (uint64_t n = 0; n < 50; n++) {
        send_number(&nodes[0], 0, n, n % 2 == 0 ? 20000 : 8);
    }
    AWAIT(nodes, NODES, received, 50);
    stop_all(&server, nodes);
}

static void data_flows_while_the_service_is_away(void) {
    struct server server;
    struct node nodes[NODES];
    start_all(&server, nodes);
    stop_server(&server);
    for (uint64_t n = 0; n < 200; n++) {
        send_number(&nodes[0], 0, n, 100);
    }
    AWAIT(nodes, NODES, received, 200);
    start_server(&server);
    for (size_t i = 0; i < NODES; i++) {
        join(&nodes[i], 1);
    }
    AWAIT(nodes, NODES, joined, 2);
    for (uint64_t n = 200; n < 300; n++) {
        send_number(&nodes[0], 0, n, 100);
    }
    AWAIT(nodes, NODES, received, 300);
    stop_all(&server, nodes);
}

static void a_stopping_member_reports_that_it_stopped(void) {
    struct server server;
    struct node nodes[NODES];
    start_all(&server, nodes);
    struct mcast_event stop = {.kind = MCAST_EVENT_STOP};
    CHECK(mcast_engine_submit(nodes[2].engine, &stop) == 0);
    AWAIT(&nodes[2], 1, stopped, 1);
    for (uint64_t n = 0; n < 100; n++) {
        send_number(&nodes[0], 0, n, 100);
    }
    AWAIT(nodes, 2, received, 100);
    stop_all(&server, nodes);
}

static int try_to_send(struct node *node, uint32_t length) {
    static uint8_t bytes[60000];
    struct mcast_event event = {.kind = MCAST_EVENT_SEND,
                                .as.send = {.group = 0, .bytes = bytes, .length = length}};
    CHECK(length <= sizeof bytes);
    return mcast_engine_submit(node->engine, &event);
}

static void unsent_messages_are_bounded_in_bytes(void) {
    struct node node;
    start_node(&node, 0); /* there is no service, so it gets into no group */
    join(&node, 0);
    uint64_t given = 0;
    int code = 0;
    while ((code = try_to_send(&node, 60000)) == 0) {
        given += 60000;
        CHECK(given < 200000000);
    }
    CHECK(code == -EAGAIN && given > 100000000);
    struct mcast_event leave = {.kind = MCAST_EVENT_LEAVE, .as.leave = {.group = 0}};
    CHECK(mcast_engine_submit(node.engine, &leave) == 0); /* is never refused for lack of room */
    mcast_engine_close(node.engine);
}

static void unsent_messages_are_bounded_in_number(void) {
    struct node node;
    start_node(&node, 0);
    join(&node, 0);
    uint64_t count = 0;
    while (try_to_send(&node, 0) == 0) {
        count++;
        CHECK(count <= 65536);
    }
    CHECK(count > 60000);
    mcast_engine_close(node.engine);
}

static void an_ended_engine_refuses_submissions_and_reports_nothing(void) {
    struct node node;
    struct mcast_engine_item item;
    struct mcast_stats stats;
    struct udp_engine_stats driver;
    start_node(&node, 0);
    mcast_engine_end(node.engine);
    mcast_engine_end(node.engine);
    CHECK(try_to_send(&node, 1) == -EPIPE);
    CHECK(mcast_engine_take(node.engine, &item, 1) <= 1);
    CHECK(mcast_engine_take(node.engine, &item, 1) == 0);
    CHECK(mcast_engine_stats(node.engine, &stats, &driver) == -EPIPE);
    mcast_engine_set_loss(node.engine, 1, 1);
    mcast_engine_close(node.engine);
}

static void *send_until_told(void *argument) {
    struct node *node = argument;
    int code = 0;
    while ((code = try_to_send(node, 100)) == 0 || code == -EAGAIN) {
    }
    CHECK(code == -EPIPE);
    return NULL;
}

static void sending_threads_get_an_error_after_the_end(void) {
    enum { SENDERS = 3 };
    struct server server;
    struct node node;
    pthread_t senders[SENDERS];
    start_server(&server);
    start_node(&node, 0);
    join(&node, 0);
    AWAIT(&node, 1, joined, 1);
    for (int i = 0; i < SENDERS; i++) {
        CHECK(pthread_create(&senders[i], NULL, send_until_told, &node) == 0);
    }
    struct timespec moment = {.tv_nsec = 50000000};
    nanosleep(&moment, NULL);
    mcast_engine_end(node.engine);
    for (int i = 0; i < SENDERS; i++) {
        CHECK(pthread_join(senders[i], NULL) == 0);
    }
    mcast_engine_close(node.engine);
    stop_server(&server);
}

/* The checks of the child, which ends with their result as its exit code. */
static int look_from_a_child(struct node *node) {
    struct mcast_engine_item item;
    struct mcast_stats stats;
    struct udp_engine_stats driver;
    if (try_to_send(node, 1) != -ECHILD || mcast_engine_take(node->engine, &item, 1) != 0 ||
        mcast_engine_stats(node->engine, &stats, &driver) != -ECHILD) {
        return 1;
    }
    mcast_engine_end(node->engine);
    mcast_engine_close(node->engine);
    return 42;
}

static void a_forked_child_cannot_use_the_engine(void) {
    struct server server;
    struct node nodes[NODES];
    start_all(&server, nodes);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        _exit(look_from_a_child(&nodes[0]));
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
    for (uint64_t n = 0; n < 100; n++) {
        send_number(&nodes[0], 0, n, 100);
    }
    AWAIT(nodes, NODES, received, 100);
    stop_all(&server, nodes);
}

/* The reader does not take for a while. Its waiting messages are bounded, and all arrive in the
 * end. */
static void senders_wait_for_a_sleeping_reader(void) {
    enum { COUNT = 9000, LENGTH = 16000 }; /* 144 MB */
    struct server server;
    struct node nodes[2];
    start_server(&server);
    for (unsigned i = 0; i < 2; i++) {
        start_node(&nodes[i], i);
        join_throttling(&nodes[i], 16000000);
    }
    AWAIT(nodes, 2, joined, 1);
    uint64_t most = 0;
    mcast_time asleep_until = udp_now() + 2 * MCAST_SECOND;
    for (uint64_t n = 0; n < COUNT;) {
        if (try_to_send_number(&nodes[0], n, LENGTH) == 0) {
            n++;
        } else {
            (void)poll(NULL, 0, 1);
        }
        take(&nodes[0]);
        struct mcast_stats stats;
        struct udp_engine_stats driver;
        CHECK(mcast_engine_stats(nodes[1].engine, &stats, &driver) == 0);
        most = driver.unread_bytes > most ? driver.unread_bytes : most;
        CHECK(driver.unread_bytes < 100000000);
        if (udp_now() > asleep_until && most > 1000000) {
            take(&nodes[1]);
        }
    }
    AWAIT(nodes, 2, received, COUNT);
    mcast_engine_close(nodes[0].engine);
    mcast_engine_close(nodes[1].engine);
    stop_server(&server);
}

static void a_second_service_of_the_same_user_does_not_start(void) {
    struct server server;
    struct udp_server *second = NULL;
    start_server(&server);
    struct udp_server_options options = server_options();
    CHECK(udp_server_open(&options, &second) == -EWOULDBLOCK);
    stop_server(&server);
    CHECK(udp_server_open(&options, &second) == 0);
    udp_server_close(second);
}

/* The engine of a hung reader would pass tokens and heartbeats on for ever. */
static void a_hung_reader_loses_its_groups_and_hears_of_it(void) {
    struct server server;
    struct node nodes[2];
    start_server(&server);
    start_node(&nodes[0], 0);
    start_impatient_node(&nodes[1], 1, 2 * MCAST_SECOND);
    join(&nodes[0], 0);
    join(&nodes[1], 0);
    AWAIT(nodes, 2, joined, 1);
    send_number(&nodes[0], 0, 0, 8);
    AWAIT(nodes, 2, received, 1);
    uint64_t seen = nodes[0].views;
    send_number(&nodes[0], 0, 1, 8);
    AWAIT(nodes, 1, views, seen + 1); /* a view without the hung one, which takes nothing here */
    AWAIT(nodes, 2, received, 2);
    AWAIT(&nodes[1], 1, expelled, 1);
    join(&nodes[1], 0);
    AWAIT(&nodes[1], 1, joined, 2);
    mcast_engine_close(nodes[0].engine);
    mcast_engine_close(nodes[1].engine);
    stop_server(&server);
}

static void a_bad_interface_or_path_is_refused(void) {
    struct mcast_config config;
    struct mcast_engine *engine = NULL;
    char path[300];
    mcast_config_default(&config);
    config.id.low = config.incarnation = 1;
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    CHECK(mcast_engine_start(&config, "localhost", service, &engine) == -EINVAL);
    CHECK(mcast_engine_start(&config, "127.0.0.1", path, &engine) == -ENAMETOOLONG);
    CHECK(mcast_engine_start(&config, "127.0.0.1", "", &engine) == -EINVAL);
    /* Others could send there, and nothing would show that they may not. */
    CHECK(mcast_engine_start(&config, "203.0.113.9", service, &engine) == -EACCES);
    CHECK(mcast_engine_start(&config, "127.0.0.1", "203.0.113.9:28199", &engine) == -EACCES);
    struct mcast_crypto crypto = false_crypto();
    struct mcast_key key = {.id = 1};
    struct mcast_keyring *ring = mcast_keyring_new(&crypto, &key, 1);
    CHECK(mcast_engine_start_with(&config, "203.0.113.9", service, ring, &engine) ==
          -EADDRNOTAVAIL);
    mcast_engine_close(NULL);
}

int main(void) {
    snprintf(folder, sizeof folder, "/tmp/liven-test-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    snprintf(service, sizeof service, "%s/service", folder);
    snprintf(lock_file, sizeof lock_file, "%s/lock", folder);
    RUN(a_bad_interface_or_path_is_refused);
    RUN(a_second_service_of_the_same_user_does_not_start);
    RUN(unsent_messages_are_bounded_in_bytes);
    RUN(unsent_messages_are_bounded_in_number);
    RUN(an_ended_engine_refuses_submissions_and_reports_nothing);
    RUN(sending_threads_get_an_error_after_the_end);
    RUN(a_forked_child_cannot_use_the_engine);
    RUN(senders_wait_for_a_sleeping_reader);
    RUN(a_hung_reader_loses_its_groups_and_hears_of_it);
    RUN(all_members_receive_all_in_order);
    RUN(lost_datagrams_are_repaired);
    RUN(a_message_longer_than_a_packet_arrives_whole);
    RUN(data_flows_while_the_service_is_away);
    RUN(a_stopping_member_reports_that_it_stopped);
    unlink(lock_file);
    CHECK(rmdir(folder) == 0);
    return 0;
}
