/* A member goes on after any events in any order and any failed allocation, sends only valid
 * messages, and leaks nothing.
 *
 * An input is a list of acts: requests of the application, messages of the membership service,
 * datagrams, and time. The service and the other members make false statements with real names: of
 * nodes, views, groups and epochs that the member knows, and of numbers near those in use. */
#include "member_script_service.h"
#include "member_script_wire.h"

/* ---- the application ---- */

static void send_message(struct script *script, uint32_t group) {
    uint8_t how = next(script);
    uint32_t length = how % 4 == 0 ? 5000u * (how >> 2) : how;
    struct mcast_buffer *buffer = mcast_buffer_new(&script->network.alloc, length + 1);
    CHECK(buffer != NULL);
    memset(buffer->bytes, how, length + 1);
    struct mcast_event event = {.kind = MCAST_EVENT_SEND};
    event.as.send.group = group;
    event.as.send.pull = how > 200;
    event.as.send.buffer = event.as.send.pull ? NULL : buffer;
    event.as.send.bytes = event.as.send.pull ? NULL : buffer->bytes;
    event.as.send.length = event.as.send.pull ? 0 : length;
    event.as.send.cookie = script->counter;
    step(script, &event, 1);
    mcast_buffer_release(buffer);
}

static void supply(struct script *script) {
    uint8_t how = next(script);
    struct mcast_buffer *buffer = mcast_buffer_new(&script->network.alloc, 3000);
    CHECK(buffer != NULL);
    memset(buffer->bytes, how, 3000);
    struct mcast_event event = {.kind = MCAST_EVENT_PAYLOAD};
    event.as.payload.group = script->want_groups[how % BACKLOG];
    event.as.payload.cookie = script->wants[how % BACKLOG];
    event.as.payload.nothing = how > 230;
    event.as.payload.buffer = event.as.payload.nothing ? NULL : buffer;
    event.as.payload.bytes = event.as.payload.nothing ? NULL : buffer->bytes;
    event.as.payload.length = event.as.payload.nothing ? 0 : how * 11u;
    step(script, &event, 1);
    mcast_buffer_release(buffer);
}

static void join(struct script *script, uint32_t group, bool member) {
    uint8_t how = next(script);
    struct mcast_event event = {.kind = member ? MCAST_EVENT_JOIN : MCAST_EVENT_REGISTER};
    event.as.join.group = group;
    event.as.join.id = (struct mcast_id){2, group + 1};
    event.as.join.policy = (struct mcast_group_policy){.slow = (enum mcast_slow_policy)(how % 4),
                                                       .queue_messages = how >> 4,
                                                       .tell_stable = (how & 4) != 0};
    step(script, &event, 1);
}

static void ask(struct script *script, uint32_t group, enum mcast_event_kind kind) {
    struct mcast_event event = {.kind = kind};
    if (kind == MCAST_EVENT_CONSUMED) {
        event.as.consumed.group = group;
        event.as.consumed.messages = next(script);
        event.as.consumed.bytes = next(script) * 40u;
    } else if (kind == MCAST_EVENT_REJOIN) {
        event.as.rejoin.incarnation = ++script->incarnation;
    } else {
        event.as.leave.group = group;
    }
    step(script, &event, 1);
}

static void application_asks(struct script *script) {
    static const enum mcast_event_kind kinds[] = {MCAST_EVENT_CONSUMED, MCAST_EVENT_CONSUMED,
                                                  MCAST_EVENT_RESUME, MCAST_EVENT_MEMBERS,
                                                  MCAST_EVENT_LEAVE};
    uint8_t what = next(script);
    uint32_t group = next(script) % (GROUPS + 1u);
    if (what < 100) {
        send_message(script, group);
    } else if (what < 140) {
        supply(script);
    } else if (what < 190) {
        join(script, group, what % 8 != 0);
    } else if (what < 250) {
        ask(script, group, kinds[what % 5]);
    } else {
        ask(script, group, what % 2 == 0 ? MCAST_EVENT_STOP : MCAST_EVENT_REJOIN);
    }
}

/* ---- the run ---- */

static void pass(struct script *script) {
    uint8_t how = next(script);
    mcast_time due = mcast_member_next_deadline(script->member);
    if (how % 4 == 0 && due != MCAST_NEVER) {
        script->now = due;
    } else {
        script->now += (mcast_time)how * how * MCAST_MILLISECOND / 8;
    }
    step(script, NULL, 0);
}

static void act(struct script *script) {
    uint8_t what = next(script);
    struct mcast_event event = {.kind = what % 2 == 0 ? MCAST_EVENT_CONNECTED
                                                      : MCAST_EVENT_DISCONNECTED};
    if (what < 100) {
        datagram(script);
    } else if (what < 115) {
        echo(script);
    } else if (what < 165) {
        application_asks(script);
    } else if (what < 215) {
        service_speaks(script);
    } else if (what < 246) {
        pass(script);
    } else if (what < 250) {
        step(script, &event, 1);
    } else if (what < 253) {
        script->memory.refuse = 0;
    } else {
        script->memory.refuse = script->memory.calls + 1 + next(script);
    }
}

/* Most inputs begin with a member that is connected, welcomed, and in a group with the others. */
static void settle(struct script *script) {
    static const uint8_t all[] = {1,    1,    0xff, 0, /* a view with everybody */
                                  0x15, 0x20,          /* a class, a run of groups that have it */
                                  0,    0};
    const uint8_t *at = script->at, *end = script->end;
    for (uint32_t group = 0; group < GROUPS; group++) {
        join(script, group, true);
    }
    step(script, &(struct mcast_event){.kind = MCAST_EVENT_CONNECTED}, 1);
    welcome(script);
    script->at = all;
    script->end = all + sizeof all;
    prepare(script);
    script->at = at;
    script->end = end;
    struct mcast_service_message message = {.kind = MCAST_SM_COMMIT};
    message.as.commit.epoch = script->epoch;
    answer_change(script);
    say(script, &message);
}

static struct mcast_config configure(struct script *script) {
    struct mcast_config config;
    uint8_t how = next(script);
    mcast_config_default(&config);
    if ((how & 1) != 0) {
        mcast_config_paper(&config);
    }
    config.cluster = 7;
    config.id = (struct mcast_id){1, SELF};
    config.incarnation = SELF + 100;
    config.seed = how;
    config.ring_mode = (how & 2) != 0 ? MCAST_INDEPENDENT : MCAST_NESTED;
    config.priority_mode = (enum mcast_priority_mode)((how >> 2) % 3);
    config.partition_size = (how >> 4) % 3 + 1;
    config.batch_delay = (how & 64) != 0 ? MCAST_MILLISECOND : 0;
    config.reassembly_cap = 1 << 20;
    return config;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct script script = {
        .now = MCAST_SECOND, .at = data, .end = data + size, .epoch = 1, .incarnation = 1000};
    test_memory_init(&script.memory);
    test_memory_init(&script.network);
    struct mcast_config config = configure(&script);
    CHECK(mcast_member_new(&config, &script.memory.alloc, &script.member) == MCAST_OK);
    if (next(&script) % 8 != 0) {
        settle(&script);
    }
    while (script.at < script.end) {
        act(&script);
    }
    mcast_member_free(script.member);
    for (size_t i = 0; i < BACKLOG; i++) {
        if (script.said[i] != NULL) {
            mcast_buffer_release(script.said[i]);
        }
    }
    CHECK(script.memory.out == 0 && script.network.out == 0);
    return 0;
}

size_t fuzz_begin(uint64_t *seed, uint8_t *bytes, size_t room) {
    size_t size = test_random(seed) % 1500 + 8;
    size = size < room ? size : room;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)test_random(seed);
    }
    return size;
}
