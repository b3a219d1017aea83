/* The cost of the kernel: CPU time for a datagram, sent and received by the engine's own functions
 * over loopback, and a turn of its loop. bench/calibrate.py builds this and reads what it prints.
 *   calibrate_sockets ROUNDS
 * Prints one JSON object, in ns. Of several rounds the quietest counts: it was disturbed the least.
 * On loopback the sender also pays for putting a datagram into the receiver's queue. */
#define _GNU_SOURCE
#include "engine/host.h"
#include "engine/inbox.h"
#include "engine/request_queue.h"
#include "mcast/system_memory.h"
#include "sockets/receive.h"
#include "sockets/send.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BURST = 32,   /* datagrams in one call, as a busy sender sends them */
    BURSTS = 200, /* a round */
    CATCH = 1024, /* most datagrams in one read */
    SMALL = 200,  /* about the size of tokens, acknowledgements and requests */
    LARGE = 1472, /* a full packet on an ordinary network */
    TURNS = 2000,
    MESSAGE = 1000, /* a message of an application */
};

struct side {
    struct udp_sockets sockets;
    struct udp_sender *sender;
    struct udp_buffers *pool;
    struct udp_catch catch;
};

static void fail(const char *what, int code) {
    fprintf(stderr, "calibrate_sockets: %s: %s\n", what, strerror(code < 0 ? -code : code));
    exit(1);
}

static double cpu_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void open_side(struct side *side) {
    struct udp_options options;
    memset(&options, 0, sizeof options);
    memset(side, 0, sizeof *side);
    options.interface.s_addr = htonl(INADDR_LOOPBACK);
    options.receive_buffer = options.send_buffer = 8 << 20;
    options.offload = true;
    int code = udp_sockets_open(&side->sockets, &options);
    if (code != 0) {
        fail("the sockets", code);
    }
    side->sender = calloc(1, sizeof *side->sender);
    side->pool = udp_buffers_new(mcast_system_memory(), 64);
    side->catch.room = side->catch.held_room = CATCH;
    side->catch.events = calloc(CATCH, sizeof *side->catch.events);
    side->catch.held = calloc(CATCH, sizeof *side->catch.held);
    if (side->sender == NULL || side->pool == NULL || side->catch.events == NULL ||
        side->catch.held == NULL) {
        fail("memory", ENOMEM);
    }
}

static void close_side(struct side *side) {
    udp_catch_clear(&side->catch);
    udp_sender_clear(side->sender);
    udp_sockets_close(&side->sockets);
    udp_buffers_close(side->pool);
    free(side->sender);
    free(side->catch.events);
    free(side->catch.held);
}

struct spent {
    double send, read; /* ns for a datagram */
};

/* Receive all datagrams that wait at one socket and return their number. */
static uint64_t drain(struct side *side, enum mcast_socket class) {
    uint64_t before = side->catch.datagrams;
    int code = 1;
    while (code == 1) {
        code = udp_receive(&side->sockets.own[class], side->pool, &side->catch);
        udp_catch_clear(&side->catch);
    }
    if (code < 0) {
        fail("receiving", code);
    }
    return side->catch.datagrams - before;
}

/* Send bursts of @burst datagrams of @size bytes from one to the other, each burst in one call. */
static struct spent measure(struct side *from, struct side *to, enum mcast_socket class,
                            uint32_t size, size_t burst) {
    static uint8_t bytes[LARGE];
    struct mcast_datagram datagrams[BURST];
    struct spent spent = {0, 0};
    uint64_t read = 0;
    for (size_t i = 0; i < burst; i++) {
        datagrams[i] = (struct mcast_datagram){.parts = {{bytes, size}},
                                               .part_count = 1,
                                               .length = size,
                                               .to = udp_sockets_address(&to->sockets),
                                               .socket = class,
                                               .priority = MCAST_DATA_OUT};
    }
    for (int i = 0; i < BURSTS; i++) {
        double begin = cpu_ns();
        (void)udp_send(from->sender, &from->sockets, datagrams, burst);
        double sent = cpu_ns();
        read += drain(to, class);
        spent.send += sent - begin;
        spent.read += cpu_ns() - sent;
    }
    if (read < (uint64_t)burst * BURSTS * 9 / 10) {
        fail("most datagrams were lost; the kernel's queues are too small", ENOBUFS);
    }
    spent.send /= (double)(burst * BURSTS);
    spent.read /= (double)read;
    return spent;
}

static struct spent quietest(struct side *from, struct side *to, enum mcast_socket class,
                             uint32_t size, size_t burst, int rounds) {
    struct spent best = measure(from, to, class, size, burst);
    for (int i = 1; i < rounds; i++) {
        struct spent again = measure(from, to, class, size, burst);
        best.send = again.send < best.send ? again.send : best.send;
        best.read = again.read < best.read ? again.read : best.read;
    }
    return best;
}

/* Measure a turn of the loop with nothing to do. */
static double idle_turn(int rounds) {
    struct udp_host_options options;
    struct udp_application application = {.context = NULL};
    struct udp_host *host = NULL;
    memset(&options, 0, sizeof options);
    mcast_config_default(&options.member);
    options.member.id.low = 1;
    options.member.incarnation = 1;
    options.sockets.interface.s_addr = htonl(INADDR_LOOPBACK);
    options.sockets.receive_buffer = options.sockets.send_buffer = 1 << 20;
    options.reconnect = MCAST_SECOND;
    memcpy(options.service, "/nobody-serves-here", sizeof "/nobody-serves-here");
    int code = udp_host_open(&options, &application, &host);
    if (code != 0) {
        fail("the host", code);
    }
    double best = 0;
    for (int i = 0; i < rounds; i++) {
        double begin = cpu_ns();
        for (int turn = 0; turn < TURNS; turn++) {
            code = udp_host_run(host, 0);
        }
        double spent = (cpu_ns() - begin) / TURNS;
        best = i == 0 || spent < best ? spent : best;
    }
    udp_host_close(host);
    if (code != 0) {
        fail("the loop", code);
    }
    return best;
}

/* Measure the delivery of a message to the application: into the inbox, and out of it. */
static double deliver(void) {
    static const uint8_t bytes[MESSAGE];
    struct mcast_engine_item items[BURST];
    struct mcast_engine_item item = {
        .kind = MCAST_ENGINE_DELIVERY, .bytes = bytes, .length = sizeof bytes};
    struct udp_inbox *inbox = udp_inbox_new();
    if (inbox == NULL) {
        fail("memory", ENOMEM);
    }
    double begin = cpu_ns();
    for (int i = 0; i < TURNS; i++) {
        for (int j = 0; j < BURST; j++) {
            (void)udp_inbox_put(inbox, &item, NULL);
        }
        (void)udp_inbox_take(inbox, items, BURST);
        udp_inbox_collect(inbox);
    }
    double spent = cpu_ns() - begin;
    udp_inbox_free(inbox);
    return spent / ((double)TURNS * BURST);
}

/* Measure an application that makes a message and passes it to the engine. */
static double create(void) {
    static uint8_t bytes[MESSAGE];
    struct udp_requests requests = {.newest = NULL};
    struct mcast_event event = {.kind = MCAST_EVENT_SEND,
                                .as.send = {.bytes = bytes, .length = sizeof bytes}};
    double begin = cpu_ns();
    for (int i = 0; i < TURNS; i++) {
        for (int j = 0; j < BURST; j++) {
            memset(bytes, j, sizeof bytes);
            (void)udp_requests_add(&requests, &event);
        }
        udp_requests_clear(&requests);
    }
    return (cpu_ns() - begin) / ((double)TURNS * BURST);
}

static double least(double (*cost)(void), int rounds) {
    double best = cost();
    for (int i = 1; i < rounds; i++) {
        double again = cost();
        best = again < best ? again : best;
    }
    return best;
}

int main(int argc, char **argv) {
    int rounds = argc == 2 ? atoi(argv[1]) : 0;
    if (rounds < 1) {
        fprintf(stderr, "use: %s ROUNDS\n", argv[0]);
        return 2;
    }
    struct side one;
    struct side other;
    open_side(&one);
    open_side(&other);
    struct spent control = quietest(&one, &other, MCAST_CONTROL, SMALL, 1, rounds);
    struct spent repair = quietest(&one, &other, MCAST_REPAIR, LARGE, 4, rounds);
    struct spent large = quietest(&one, &other, MCAST_DATA, LARGE, BURST, rounds);
    struct spent small = quietest(&one, &other, MCAST_DATA, SMALL, BURST, rounds);
    printf(
        "{\"step\": %.0f, \"send_control\": %.0f, \"read_control\": %.0f, "
        "\"send_repair\": %.0f, \"read_repair\": %.0f, \"send_data\": %.0f, "
        "\"read_data\": %.0f, \"send_small\": %.0f, \"read_small\": %.0f, "
        "\"deliver\": %.0f, \"create\": %.0f, \"small\": %d, \"large\": %d}\n",
        idle_turn(rounds), control.send, control.read, repair.send, repair.read, large.send,
        large.read, small.send, small.read, least(deliver, rounds), least(create, rounds), SMALL,
        LARGE);
    close_side(&one);
    close_side(&other);
    return 0;
}
