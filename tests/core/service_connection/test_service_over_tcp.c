/* Engines that reach their service over TCP, with keys: real sockets and threads, fake
 * cryptography. */
#define _GNU_SOURCE
#include "check.h"
#include "engine/engine_stats.h"
#include "fake_crypto.h"
#include "mcast/engine.h"
#include "service_connection/service_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NODES = 2, TAKE = 64, MESSAGES = 200, PATIENCE = 120 /* seconds */ };

static char folder[64];
static char place[32]; /* where the service listens, as ADDRESS:PORT */
static struct sockaddr_in at;

static struct mcast_keyring *ring(uint8_t first_byte) {
    struct mcast_crypto crypto = false_crypto();
    struct mcast_key key = {.id = 1, .bytes = {first_byte}};
    struct mcast_keyring *made = mcast_keyring_new(&crypto, &key, 1);
    CHECK(made != NULL);
    return made;
}

/* --- the service on a thread --------------------------------------------------------------------
 */

struct server {
    struct udp_server *server;
    struct mcast_keyring *keyring;
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

static struct udp_server_options server_options(const struct mcast_keyring *keyring) {
    struct udp_server_options options;
    struct in_addr ip = {.s_addr = htonl(0xEFFF5000u)};
    uint16_t base = (uint16_t)(21000 + (unsigned)getpid() % 20000);
    memset(&options, 0, sizeof options);
    mcast_service_config_default(&options.service);
    options.service.cluster = 8;
    options.service.batch = 5 * MCAST_MILLISECOND;
    options.service.first_address =
        udp_address(ip, (uint16_t[]){base, (uint16_t)(base + 1), (uint16_t)(base + 2)});
    options.service.address_count = 1000;
    snprintf(options.path, sizeof options.path, "%s/service", folder);
    snprintf(options.lock, sizeof options.lock, "%s/lock", folder);
    options.at = at;
    options.keyring = keyring;
    return options;
}

static void start_server(struct server *self) {
    memset(self, 0, sizeof *self);
    self->keyring = ring(5);
    struct udp_server_options options = server_options(self->keyring);
    CHECK(udp_server_open(&options, &self->server) == 0);
    CHECK(pthread_create(&self->thread, NULL, serve, self) == 0);
}

static void stop_server(struct server *self) {
    atomic_store(&self->ending, true);
    CHECK(pthread_join(self->thread, NULL) == 0);
    udp_server_close(self->server);
    mcast_keyring_free(self->keyring);
}

/* --- nodes --------------------------------------------------------------------------------------
 */

struct node {
    struct mcast_engine *engine;
    uint64_t joined;
    uint64_t received;
    uint64_t members;
    int service; /* the last code reported about it */
};

static void start_node(struct node *node, unsigned number, uint8_t key) {
    struct mcast_config config;
    memset(node, 0, sizeof *node);
    mcast_config_default(&config);
    config.cluster = 8;
    config.id = (struct mcast_id){(uint64_t)getpid(), number + 1};
    config.incarnation = (uint64_t)udp_now();
    config.seed = number + 1;
    CHECK(mcast_engine_start_with(&config, "127.0.0.1", place, ring(key), &node->engine) == 0);
    struct mcast_event event = {.kind = MCAST_EVENT_JOIN, .as.join = {.id = {99, 1}}};
    CHECK(mcast_engine_submit(node->engine, &event) == 0);
}

static void note(struct node *node, const struct mcast_engine_item *item) {
    if (item->kind == MCAST_ENGINE_DELIVERY) {
        node->received++;
        CHECK(item->length == 100);
    } else if (item->kind == MCAST_ENGINE_SERVICE) {
        node->service = item->count == 1 ? 1 : item->code;
    } else if (item->kind == MCAST_ENGINE_NOTICE && item->notice == MCAST_NOTICE_JOINED) {
        node->joined++;
    } else if (item->kind == MCAST_ENGINE_NOTICE && item->notice == MCAST_NOTICE_VIEW) {
        struct mcast_event ask = {.kind = MCAST_EVENT_MEMBERS};
        CHECK(mcast_engine_submit(node->engine, &ask) == 0);
    } else if (item->kind == MCAST_ENGINE_NOTICE && item->notice == MCAST_NOTICE_MEMBERS) {
        node->members = item->count;
    }
}

static void take(struct node *node) {
    struct mcast_engine_item items[TAKE];
    struct pollfd watched = {.fd = mcast_engine_fd(node->engine), .events = POLLIN};
    (void)poll(&watched, 1, 10);
    size_t count = mcast_engine_take(node->engine, items, TAKE);
    for (size_t i = 0; i < count; i++) {
        note(node, &items[i]);
    }
}

static void await_all(struct node *nodes, size_t count, bool (*done)(const struct node *node)) {
    mcast_time limit = udp_now() + PATIENCE * MCAST_SECOND;
    for (size_t i = 0; i < count; i++) {
        while (!done(&nodes[i])) {
            CHECK(udp_now() < limit);
            for (size_t j = 0; j < count; j++) {
                take(&nodes[j]);
            }
        }
    }
}

static bool sees_both(const struct node *node) {
    return node->joined == 1 && node->members == NODES;
}

static bool has_all(const struct node *node) {
    return node->received == MESSAGES;
}

static bool is_refused(const struct node *node) {
    return node->service == -EACCES;
}

static bool has_lost_it(const struct node *node) {
    return node->service == -ENOTCONN;
}

static bool has_found_it(const struct node *node) {
    return node->service == 1;
}

static void say(struct node *node) {
    uint8_t bytes[100] = {1};
    struct mcast_event event = {.kind = MCAST_EVENT_SEND,
                                .as.send = {.bytes = bytes, .length = sizeof bytes}};
    CHECK(mcast_engine_submit(node->engine, &event) == 0);
}

/* --- tests --------------------------------------------------------------------------------------
 */

static void members_of_other_machines_are_admitted_and_received(void) {
    struct server server;
    struct node nodes[NODES];
    struct mcast_stats stats;
    struct udp_engine_stats driver;
    start_server(&server);
    for (unsigned i = 0; i < NODES; i++) {
        start_node(&nodes[i], i, 5);
    }
    await_all(nodes, NODES, sees_both);
    for (int i = 0; i < MESSAGES; i++) {
        say(&nodes[i % NODES]);
    }
    await_all(nodes, NODES, has_all);
    CHECK(mcast_engine_stats(nodes[0].engine, &stats, &driver) == 0);
    CHECK(stats.drop_tag == 0 && driver.host.strangers == 0 && driver.host.connections == 1);
    for (unsigned i = 0; i < NODES; i++) {
        mcast_engine_close(nodes[i].engine);
    }
    stop_server(&server);
}

static void members_reconnect_to_a_restarted_service(void) {
    struct server server;
    struct node node;
    start_server(&server);
    start_node(&node, 0, 5);
    await_all(&node, 1, has_found_it);
    stop_server(&server);
    await_all(&node, 1, has_lost_it);
    start_server(&server);
    await_all(&node, 1, has_found_it);
    mcast_engine_close(node.engine);
    stop_server(&server);
}

static void a_member_with_another_key_is_told_so(void) {
    struct server server;
    struct node node;
    struct mcast_service_stats stats;
    start_server(&server);
    start_node(&node, 0, 6);
    await_all(&node, 1, is_refused);
    CHECK(node.joined == 0);
    mcast_engine_close(node.engine);
    atomic_store(&server.ending, true);
    CHECK(pthread_join(server.thread, NULL) == 0);
    udp_server_stats(server.server, &stats);
    CHECK(stats.members == 0 && udp_server_strangers(server.server) == 1);
    udp_server_close(server.server);
    mcast_keyring_free(server.keyring);
}

static int stranger(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0 && connect(fd, (const struct sockaddr *)&at, sizeof at) == 0);
    return fd;
}

static void unproved_connections_do_not_keep_members_out(void) {
    enum { MANY = 3 * UDP_STRANGERS_MAX };
    static const uint8_t huge[] = {0xff, 0xff, 0xff, 0x7f, 1};
    struct server server;
    struct node node;
    int fds[MANY];
    start_server(&server);
    for (int i = 0; i < MANY; i++) {
        fds[i] = stranger();
        if (i % 3 == 0) {
            CHECK(send(fds[i], huge, sizeof huge, MSG_NOSIGNAL) > 0);
        }
    }
    start_node(&node, 0, 5);
    await_all(&node, 1, has_found_it);
    for (int i = 0; i < MANY; i++) {
        close(fds[i]);
    }
    mcast_engine_close(node.engine);
    stop_server(&server);
}

static void an_address_without_keys_is_refused(void) {
    struct udp_server_options options = server_options(NULL);
    struct udp_server *server = NULL;
    CHECK(udp_server_open(&options, &server) == -EACCES && server == NULL);
}

/* Choose a port that is free now, outside the range that the kernel gives out. */
static void choose_port(void) {
    enum { FIRST = 10000, PORTS = 10000 };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int code = -1;
    CHECK(fd >= 0);
    for (unsigned i = 0; i < PORTS && code != 0; i++) {
        uint16_t port = (uint16_t)(FIRST + ((unsigned)getpid() * 7 + i) % PORTS);
        at = (struct sockaddr_in){.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                  .sin_port = htons(port)};
        code = bind(fd, (const struct sockaddr *)&at, sizeof at);
    }
    CHECK(code == 0);
    close(fd);
    snprintf(place, sizeof place, "127.0.0.1:%u", ntohs(at.sin_port));
}

int main(void) {
    snprintf(folder, sizeof folder, "/tmp/mcast-elsewhere-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    choose_port();
    RUN(members_of_other_machines_are_admitted_and_received);
    RUN(members_reconnect_to_a_restarted_service);
    RUN(a_member_with_another_key_is_told_so);
    RUN(unproved_connections_do_not_keep_members_out);
    RUN(an_address_without_keys_is_refused);
    char path[128];
    snprintf(path, sizeof path, "%s/lock", folder);
    unlink(path);
    CHECK(rmdir(folder) == 0);
    return 0;
}
