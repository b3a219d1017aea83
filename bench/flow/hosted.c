/* Members of the engine, each in the loop of its own process. */
#define _GNU_SOURCE
#include "flow.h"
#include "mcast/error.h"
#include "mcast/system_memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BATCH = 240, /* four packets of 1 KB messages */
    PENDING = 4096,
    ASK_AGAIN_MS = 50,
};

struct hosted {
    struct flow *flow;
    struct udp_host *host;
    uint32_t joined;
    uint64_t answers; /* groups whose members are known */
    uint64_t members; /* their sum */
    uint64_t given;
    uint64_t sent;
    bool failed;
};

static void deliver(void *context, const struct mcast_delivery *deliveries, size_t count) {
    struct hosted *hosted = context;
    for (size_t i = 0; i < count && !hosted->flow->sends; i++) {
        flow_check(hosted->flow, deliveries[i].group, deliveries[i].bytes, deliveries[i].length);
    }
}

/* The engine's numbers begin with 1, those of the messages with 0. */
static void note_missed(struct hosted *hosted, const struct mcast_notice *notice) {
    struct flow *flow = hosted->flow;
    uint32_t group = flow->group_of[notice->group];
    if (flow->sends || notice->number != flow->next[group] + 1) {
        fprintf(stderr, "flow: reported to lack %llu where %llu was expected\n",
                (unsigned long long)notice->number, (unsigned long long)flow->next[group] + 1);
        hosted->failed = true;
    }
    flow->demoted_at = group == 0 ? notice->number : flow->demoted_at;
}

static void notify(void *context, const struct mcast_notice *notices, size_t count) {
    struct hosted *hosted = context;
    for (size_t i = 0; i < count; i++) {
        switch (notices[i].kind) {
        case MCAST_NOTICE_JOINED:
            hosted->joined++;
            break;
        case MCAST_NOTICE_SENT:
            hosted->sent++;
            break;
        case MCAST_NOTICE_MEMBERS:
            hosted->answers++;
            hosted->members += notices[i].count;
            break;
        case MCAST_NOTICE_MISSED:
            note_missed(hosted, &notices[i]);
            break;
        case MCAST_NOTICE_EVICTED:
            if (hosted->flow->slots && !hosted->flow->sends && hosted->flow->demoted_at != 0) {
                hosted->flow->over = true; /* the loss was reported */
                break;
            }
            /* fall through */
        case MCAST_NOTICE_DEMOTED:
        case MCAST_NOTICE_REFUSED:
        case MCAST_NOTICE_EXPELLED:
        case MCAST_NOTICE_LOST:
            fprintf(stderr, "flow: notice %d, code %d\n", (int)notices[i].kind, notices[i].code);
            hosted->failed = true;
            break;
        default:
            break;
        }
    }
}

void flow_member(const struct flow *flow, struct mcast_config *config) {
    mcast_config_default(config);
    config->cluster = flow->port;
    config->id = (struct mcast_id){(uint64_t)getpid(), udp_now()};
    config->incarnation = udp_now();
    config->seed = (uint64_t)getpid();
    config->packet_size = flow->packet;
    config->batch_delay = 1;
    config->interval_floor = 2 * MCAST_MILLISECOND;
}

static void join_all(struct hosted *hosted) {
    struct flow *flow = hosted->flow;
    struct mcast_event *joins = calloc(flow->mine, sizeof *joins);
    if (joins == NULL) {
        exit(3);
    }
    for (uint32_t i = 0; i < flow->mine; i++) {
        joins[i] = (struct mcast_event){
            .kind = MCAST_EVENT_JOIN,
            .as.join = {.group = i, .id = {flow->id.high, flow->id.low + flow->group_of[i]}}};
        joins[i].as.join.policy.tell_stable = flow->groups == 1;
    }
    (void)udp_host_submit(hosted->host, joins, flow->mine);
    free(joins);
}

static void open_member(struct hosted *hosted, struct flow *flow) {
    struct udp_host_options options;
    struct udp_application application = {.context = hosted, .deliver = deliver, .notify = notify};
    memset(&options, 0, sizeof options);
    flow_member(flow, &options.member);
    options.sockets.interface = flow->interface;
    options.sockets.receive_buffer = options.sockets.send_buffer = FLOW_BUFFER;
    options.sockets.offload = true;
    options.sockets.ttl = 1;
    options.reconnect = 20 * MCAST_MILLISECOND;
    snprintf(options.service, sizeof options.service, "%s", flow->service);
    *hosted = (struct hosted){.flow = flow};
    int code = udp_host_open(&options, &application, &hosted->host);
    if (code != 0) {
        fprintf(stderr, "flow: the host cannot open: %d\n", code);
        exit(3);
    }
    join_all(hosted);
}

static void run(struct hosted *hosted, mcast_time wait) {
    int code = udp_host_run(hosted->host, wait);
    if (code != 0 || hosted->failed) {
        fprintf(stderr, "flow: the host ended: %d\n", code);
        exit(3);
    }
}

static void say_ready(const struct hosted *hosted) {
    struct mcast_stats stats;
    mcast_member_stats(udp_host_member(hosted->host), &stats);
    flow_say_ready(&stats);
}

static void end(struct hosted *hosted) {
    while (!flow_line_waits()) {
        run(hosted, 5 * MCAST_MILLISECOND);
    }
    struct mcast_stats stats;
    struct udp_host_stats driver;
    mcast_member_stats(udp_host_member(hosted->host), &stats);
    udp_host_stats(hosted->host, &driver);
    flow_say_end(hosted->flow, &stats, &driver);
    udp_host_close(hosted->host);
}

void flow_hosted_receive(struct flow *flow) {
    struct hosted hosted;
    open_member(&hosted, flow);
    while (hosted.joined < flow->mine) {
        run(&hosted, 10 * MCAST_MILLISECOND);
    }
    if (flow->loss > 0) {
        udp_host_set_sieve(hosted.host, flow_sieve, flow);
    }
    say_ready(&hosted);
    while (!flow->over && !flow_line_waits()) {
        for (int turn = 0; turn < 64 && !flow->over; turn++) {
            run(&hosted, 10 * MCAST_MILLISECOND);
        }
    }
    flow_say_received(flow);
    end(&hosted);
}

/* --- sending ------------------------------------------------------------------------------------
 */

static uint64_t all_members(const struct flow *flow) {
    uint64_t sum = 0;
    for (uint32_t group = 0; group < flow->groups; group++) {
        sum++;
        for (uint32_t index = 0; index < flow->receivers; index++) {
            sum += flow_is_in(flow, index, group);
        }
    }
    return sum;
}

/* Ask for the members of each group until all are there. */
static void await_members(struct hosted *hosted) {
    const struct flow *flow = hosted->flow;
    uint64_t wanted = all_members(flow);
    while (hosted->joined < flow->groups) {
        run(hosted, 10 * MCAST_MILLISECOND);
    }
    while (hosted->members != wanted) {
        mcast_time later = udp_now() + ASK_AGAIN_MS * MCAST_MILLISECOND;
        while (udp_now() < later) {
            run(hosted, 10 * MCAST_MILLISECOND);
        }
        hosted->answers = hosted->members = 0;
        for (uint32_t group = 0; group < flow->groups; group++) {
            struct mcast_event ask = {.kind = MCAST_EVENT_MEMBERS, .as.leave = {.group = group}};
            (void)udp_host_submit(hosted->host, &ask, 1);
        }
        while (hosted->answers < flow->groups) {
            run(hosted, 10 * MCAST_MILLISECOND);
        }
    }
}

/* Messages are written side by side into one buffer, and stay there until they are acknowledged.
 * They are dealt to the groups in turn. */
static void give(struct hosted *hosted, uint64_t count, bool last) {
    const struct flow *flow = hosted->flow;
    struct mcast_event events[BATCH];
    struct mcast_buffer *buffer =
        mcast_buffer_new(mcast_system_memory(), (uint32_t)count * flow->size);
    if (buffer == NULL) {
        exit(3);
    }
    for (uint64_t i = 0; i < count; i++) {
        uint8_t *bytes = buffer->bytes + i * flow->size;
        uint64_t number = hosted->given + i;
        uint16_t group = (uint16_t)(number % flow->groups);
        flow_write(flow, bytes, group, number / flow->groups, last);
        events[i] = (struct mcast_event){
            .kind = MCAST_EVENT_SEND,
            .as.send = {.group = group, .buffer = buffer, .bytes = bytes, .length = flow->size}};
    }
    hosted->given += count;
    (void)udp_host_submit(hosted->host, events, count);
    mcast_buffer_release(buffer);
}

/* Return the number of messages that may be sent now. */
static uint64_t wanted(const struct hosted *hosted, mcast_time begun) {
    uint64_t due = flow_due(hosted->flow, begun);
    uint64_t room = hosted->given - hosted->sent < PENDING ? BATCH : 0;
    uint64_t most = due == UINT64_MAX ? BATCH : due - hosted->given;
    return most < room ? most : room;
}

static void pause_for(struct hosted *hosted, uint64_t given) {
    run(hosted, given > 0                ? 0
                : hosted->flow->rate > 0 ? 20 * MCAST_MICROSECOND
                                         : MCAST_MILLISECOND);
}

/* One more message in each group says that nothing follows. */
static void say_last(struct hosted *hosted) {
    uint64_t stop = hosted->given + hosted->flow->groups;
    while (hosted->given < stop) {
        uint64_t rest = stop - hosted->given;
        uint64_t room = hosted->given - hosted->sent < PENDING ? BATCH : 0;
        uint64_t count = rest < room ? rest : room;
        if (count > 0) {
            give(hosted, count, true);
        }
        pause_for(hosted, count);
    }
}

void flow_hosted_send(struct flow *flow) {
    struct hosted hosted;
    open_member(&hosted, flow);
    await_members(&hosted);
    say_ready(&hosted);
    while (!flow_line_waits()) {
        run(&hosted, 5 * MCAST_MILLISECOND);
    }
    flow_await_line();
    flow->cpu_before = flow_cpu();
    mcast_time begun = udp_now();
    mcast_time span = (mcast_time)(flow->seconds * 1e9);
    while (udp_now() - begun < span) {
        uint64_t count = wanted(&hosted, begun);
        if (count > 0) {
            give(&hosted, count, false);
        }
        pause_for(&hosted, count);
    }
    say_last(&hosted);
    while (hosted.sent < hosted.given) {
        run(&hosted, MCAST_MILLISECOND);
    }
    flow_say_sent(flow, hosted.given, udp_now() - begun);
    end(&hosted);
}
