/* A member with a thread of its own, and a reader that waits for what it delivers. */
#define _GNU_SOURCE
#include "flow.h"
#include "mcast/engine.h"
#include "mcast/output.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 512 };

static struct mcast_engine *start(const struct flow *flow) {
    struct mcast_config config;
    struct mcast_engine *engine = NULL;
    char interface[INET_ADDRSTRLEN];
    flow_member(flow, &config);
    inet_ntop(AF_INET, &flow->interface, interface, sizeof interface);
    int code = mcast_engine_start(&config, interface, flow->service, &engine);
    if (code != 0) {
        fprintf(stderr, "flow: the engine cannot start: %d\n", code);
        exit(3);
    }
    for (uint32_t i = 0; i < flow->mine; i++) {
        struct mcast_event join = {
            .kind = MCAST_EVENT_JOIN,
            .as.join = {.group = i, .id = {flow->id.high, flow->id.low + flow->group_of[i]}}};
        (void)mcast_engine_submit(engine, &join);
    }
    return engine;
}

static uint32_t take(struct flow *flow, struct mcast_engine *engine) {
    struct mcast_engine_item items[ITEMS];
    uint32_t joined = 0;
    size_t count = 0;
    while ((count = mcast_engine_take(engine, items, ITEMS)) > 0) {
        for (size_t i = 0; i < count; i++) {
            if (items[i].kind == MCAST_ENGINE_DELIVERY) {
                flow_check(flow, items[i].group, items[i].bytes, items[i].length);
            } else if (items[i].kind == MCAST_ENGINE_FAILED) {
                fprintf(stderr, "flow: the engine has ended: %d\n", items[i].code);
                exit(3);
            }
            joined +=
                items[i].kind == MCAST_ENGINE_NOTICE && items[i].notice == MCAST_NOTICE_JOINED;
        }
    }
    return joined;
}

void flow_threaded_receive(struct flow *flow) {
    struct mcast_engine *engine = start(flow);
    struct pollfd ready = {.fd = mcast_engine_fd(engine), .events = POLLIN};
    for (uint32_t joined = 0; joined < flow->mine; joined += take(flow, engine)) {
        (void)poll(&ready, 1, 100);
    }
    flow_say_ready(NULL);
    while (!flow->over) {
        (void)poll(&ready, 1, -1);
        (void)take(flow, engine);
    }
    flow_say_received(flow);
    flow_await_line();
    flow_say_end(flow, NULL, NULL);
    mcast_engine_close(engine);
}
