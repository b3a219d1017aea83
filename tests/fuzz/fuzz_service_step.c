/* The service goes on after any messages in any order and any failed allocation, sends only valid
 * messages, and leaks nothing.
 *
 * An input is a list of acts of four bytes or more: what happens, on which connection, and the
 * message. Members make false statements with real names: of nodes, groups, views and epochs that
 * the service announced. */
#include "fuzz.h"
#include "service_samples.h"

#include "mcast/error.h"
#include "mcast/service.h"

enum { CONNECTIONS = 12, HEARD = 64 };

/* Names recently heard from the service, for false statements. */
struct heard {
    uint64_t views[HEARD];
    uint64_t epochs[HEARD];
    uint32_t names[HEARD];
    size_t view_count;
    size_t epoch_count;
    size_t name_count;
};

struct script {
    struct test_memory memory;
    struct mcast_service *service;
    struct heard heard;
    mcast_time now;
    uint64_t base; /* added to connection numbers: a number is not used twice */
    uint64_t current[CONNECTIONS];
    uint64_t last;
    uint64_t requests;
    const uint8_t *at;
    const uint8_t *end;
};

static uint8_t next(struct script *script) {
    return script->at < script->end ? *script->at++ : 0;
}

static void remember(uint64_t *list, size_t *count, uint64_t value) {
    list[(*count)++ % HEARD] = value;
}

static uint64_t recall(const uint64_t *list, size_t count, uint8_t which) {
    size_t there = count < HEARD ? count : HEARD;
    return there == 0 ? which + 1u : list[which % there] + (which >= 250 ? 1 : 0);
}

static void listen(struct script *script, const struct mcast_service_message *message) {
    const struct mcast_sm_update *update = &message->as.prepare.update;
    switch (message->kind) {
    case MCAST_SM_PREPARE:
        remember(script->heard.epochs, &script->heard.epoch_count, message->as.prepare.epoch);
        for (size_t i = 0; i < update->view_count; i++) {
            remember(script->heard.views, &script->heard.view_count, update->views[i].view);
        }
        break;
    case MCAST_SM_WELCOME:
        script->heard.names[script->heard.name_count++ % HEARD] = message->as.welcome.node;
        remember(script->heard.epochs, &script->heard.epoch_count, message->as.welcome.epoch);
        break;
    default:
        break;
    }
}

static void check(struct script *script, const struct mcast_service_output *output) {
    struct test_memory memory;
    test_memory_init(&memory);
    for (size_t i = 0; i < output->send_count; i++) {
        struct mcast_service_message message;
        CHECK(mcast_service_message_decode(output->sends[i].bytes, output->sends[i].length,
                                           &memory.alloc, &message) == MCAST_OK);
        CHECK(message.kind >= MCAST_SM_WELCOME || message.kind == MCAST_SM_HEARTBEAT);
        listen(script, &message);
        mcast_service_message_free(&memory.alloc, &message);
    }
    for (size_t i = 0; i < output->close_count; i++) {
        for (size_t c = 0; c < CONNECTIONS; c++) {
            script->current[c] = script->current[c] == output->closes[i] ? 0 : script->current[c];
        }
    }
    CHECK(mcast_service_next_deadline(script->service) >= script->now);
}

static void step(struct script *script, const struct mcast_service_event *event) {
    struct mcast_service_output output;
    int code =
        mcast_service_step(script->service, event, event == NULL ? 0 : 1, script->now, &output);
    CHECK(code == MCAST_OK || (code == MCAST_ENOMEM && script->memory.refused));
    check(script, &output);
}

static void say(struct script *script, uint64_t connection,
                const struct mcast_service_message *message) {
    struct test_memory memory;
    uint8_t *bytes = NULL;
    size_t length = 0;
    size_t room = 0;
    test_memory_init(&memory);
    CHECK(mcast_service_message_encode(message, &memory.alloc, &bytes, &length, &room) == MCAST_OK);
    struct mcast_service_event event = {MCAST_SERVICE_MESSAGE, connection, bytes, length};
    step(script, &event);
    mcast_memory_free(&memory.alloc, bytes, room, 1);
}

static void connect(struct script *script, size_t which) {
    if (script->current[which] != 0) {
        return;
    }
    script->current[which] = ++script->last;
    struct mcast_service_event event = {MCAST_SERVICE_CONNECTED, script->last, NULL, 0};
    step(script, &event);
    struct mcast_service_message message = {.kind = MCAST_SM_HELLO};
    uint8_t past = next(script);
    message.as.hello.version = MCAST_SM_VERSION;
    message.as.hello.id = (struct mcast_id){which + 1, 1};
    message.as.hello.incarnation = 1u + (past >> 4 & 3);
    message.as.hello.node = (past & 1) != 0 ? (uint32_t)which + 1 : 0;
    message.as.hello.epoch =
        (past & 1) != 0 ? recall(script->heard.epochs, script->heard.epoch_count, past) : 0;
    say(script, script->last, &message);
}

static void disconnect(struct script *script, size_t which) {
    if (script->current[which] != 0) {
        struct mcast_service_event event = {MCAST_SERVICE_DISCONNECTED, script->current[which],
                                            NULL, 0};
        script->current[which] = 0;
        step(script, &event);
    }
}

static void change(struct script *script, uint64_t connection) {
    struct mcast_sm_change_item items[8];
    struct mcast_service_message message = {.kind = MCAST_SM_CHANGE};
    size_t count = next(script) % 8;
    for (size_t i = 0; i < count; i++) {
        uint8_t what = next(script);
        items[i] = (struct mcast_sm_change_item){{what % 16 + 1u, 5}, what, (what >> 4) % 4 + 1};
    }
    message.as.change.request = ++script->requests;
    message.as.change.items = items;
    message.as.change.count = count;
    say(script, connection, &message);
}

static void closed(struct script *script, uint64_t connection) {
    struct mcast_sm_view_final finals[4];
    struct mcast_service_message message = {.kind = MCAST_SM_CLOSED};
    size_t count = next(script) % 4;
    for (size_t i = 0; i < count; i++) {
        finals[i].view = recall(script->heard.views, script->heard.view_count, next(script));
        finals[i].last = next(script);
    }
    message.as.closed.epoch = recall(script->heard.epochs, script->heard.epoch_count, next(script));
    message.as.closed.finals = finals;
    message.as.closed.count = count;
    say(script, connection, &message);
}

/* Send a message of one or two names, drawn from those heard. */
static void name(struct script *script, uint64_t connection, enum mcast_service_message_kind kind) {
    struct mcast_service_message message = {.kind = kind};
    uint8_t which = next(script);
    uint64_t view = recall(script->heard.views, script->heard.view_count, which);
    size_t names = script->heard.name_count < HEARD ? script->heard.name_count : HEARD;
    mcast_node node = names == 0 ? 1 : script->heard.names[next(script) % names];
    switch (kind) {
    case MCAST_SM_PREPARED:
        message.as.prepared.epoch = recall(script->heard.epochs, script->heard.epoch_count, which);
        break;
    case MCAST_SM_VIEW_ENDED:
        message.as.view_ended.view = view;
        break;
    case MCAST_SM_SUSPECT:
        message.as.suspect.node = node;
        message.as.suspect.view = view;
        message.as.suspect.full = which & 1;
        break;
    case MCAST_SM_SLOW:
        message.as.slow.node = node;
        message.as.slow.view = view;
        message.as.slow.behind = which & 1;
        break;
    case MCAST_SM_MEMBERS_QUERY:
        message.as.members_query.cookie = 1;
        message.as.members_query.group = which % 20u + 1;
        break;
    default:
        break;
    }
    say(script, connection, &message);
}

/* Send an arbitrary message, of either side, or bytes that are none. */
static void babble(struct script *script, uint64_t connection) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct sampler from = {.seed = next(script) * 251u + next(script), .alloc = &memory.alloc};
    struct mcast_service_message message =
        sample_message(&from, sample_kinds[next(script) % SAMPLE_KINDS]);
    say(script, connection, &message);
    mcast_service_message_free(&memory.alloc, &message);
}

static void raw(struct script *script, uint64_t connection) {
    size_t size = next(script) % 32;
    size = size > (size_t)(script->end - script->at) ? (size_t)(script->end - script->at) : size;
    struct mcast_service_event event = {MCAST_SERVICE_MESSAGE, connection, script->at, size};
    script->at += size;
    step(script, &event);
}

static void pass(struct script *script, uint8_t how) {
    mcast_time due = mcast_service_next_deadline(script->service);
    if (how % 4 == 0 && due != MCAST_NEVER) {
        script->now = due;
    } else {
        script->now += (mcast_time)how * how * MCAST_MILLISECOND;
    }
    step(script, NULL);
}

static void speak(struct script *script, uint64_t connection, uint8_t what) {
    static const enum mcast_service_message_kind names[] = {
        MCAST_SM_PREPARED,      MCAST_SM_PREPARED,  MCAST_SM_PREPARED,
        MCAST_SM_VIEW_ENDED,    MCAST_SM_SUSPECT,   MCAST_SM_SLOW,
        MCAST_SM_MEMBERS_QUERY, MCAST_SM_HEARTBEAT, MCAST_SM_BYE,
    };
    if (what < 90) {
        change(script, connection);
    } else if (what < 130) {
        closed(script, connection);
    } else if (what < 220) {
        name(script, connection, names[what % (sizeof names / sizeof names[0])]);
    } else if (what < 245) {
        babble(script, connection);
    } else {
        raw(script, connection);
    }
}

static void act(struct script *script) {
    uint8_t what = next(script);
    size_t which = next(script) % CONNECTIONS;
    if (what < 50) {
        connect(script, which);
    } else if (what < 58) {
        disconnect(script, which);
    } else if (what < 100) {
        pass(script, next(script));
    } else if (what == 255) {
        script->memory.refuse = script->memory.calls + 1 + next(script);
    } else if (what == 254) {
        script->memory.refuse = 0;
    } else if (script->current[which] != 0) {
        speak(script, script->current[which], next(script));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct script script = {.now = MCAST_SECOND, .at = data, .end = data + size};
    struct mcast_service_config config;
    mcast_service_config_default(&config);
    test_memory_init(&script.memory);
    uint8_t how = next(&script);
    config.generation = (how & 1) != 0 ? 2 : 1;
    config.smallest_region = (how & 2) != 0 ? 2 : 0;
    config.strict_hierarchies = (how & 4) != 0;
    config.address_count = (how & 8) != 0 ? 4 : 1000;
    CHECK(mcast_service_new(&config, &script.memory.alloc, &script.service) == MCAST_OK);
    while (script.at < script.end) {
        act(&script);
    }
    mcast_service_free(script.service);
    CHECK(script.memory.out == 0);
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
