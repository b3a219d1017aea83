/* Whatever members say, in whatever order, and whenever memory ends: the service goes on, says only
 * what is a message, and leaves nothing behind.
 *
 * An input is a list of acts of four bytes and more: what happens, on which connection, and what is
 * said. Members that lie know real names: of nodes, groups, views and epochs the service told of.
 */
#include "fuzz.h"
#include "service_samples.h"

#include "mcast/error.h"
#include "mcast/service.h"

enum { CONNECTIONS = 12, HEARD = 64 };

/* What was heard of the service lately, to lie with. */
struct heard {
    uint64_t views[HEARD];
    uint64_t epochs[HEARD];
    uint32_t names[HEARD];
    size_t view_count;
    size_t epoch_count;
    size_t name_count;
};

struct play {
    struct test_memory memory;
    struct mcast_service *service;
    struct heard heard;
    mcast_time now;
    uint64_t base; /* is added to the connections: a number is not used twice */
    uint64_t current[CONNECTIONS];
    uint64_t last;
    uint64_t requests;
    const uint8_t *at;
    const uint8_t *end;
};

static uint8_t next(struct play *play) {
    return play->at < play->end ? *play->at++ : 0;
}

static void remember(uint64_t *list, size_t *count, uint64_t value) {
    list[(*count)++ % HEARD] = value;
}

static uint64_t recall(const uint64_t *list, size_t count, uint8_t which) {
    size_t there = count < HEARD ? count : HEARD;
    return there == 0 ? which + 1u : list[which % there] + (which >= 250 ? 1 : 0);
}

static void listen(struct play *play, const struct mcast_service_message *message) {
    const struct mcast_sm_update *update = &message->as.prepare.update;
    switch (message->kind) {
    case MCAST_SM_PREPARE:
        remember(play->heard.epochs, &play->heard.epoch_count, message->as.prepare.epoch);
        for (size_t i = 0; i < update->view_count; i++) {
            remember(play->heard.views, &play->heard.view_count, update->views[i].view);
        }
        break;
    case MCAST_SM_WELCOME:
        play->heard.names[play->heard.name_count++ % HEARD] = message->as.welcome.node;
        remember(play->heard.epochs, &play->heard.epoch_count, message->as.welcome.epoch);
        break;
    default:
        break;
    }
}

static void check(struct play *play, const struct mcast_service_output *output) {
    struct test_memory memory;
    test_memory_init(&memory);
    for (size_t i = 0; i < output->send_count; i++) {
        struct mcast_service_message message;
        CHECK(mcast_service_message_decode(output->sends[i].bytes, output->sends[i].length,
                                           &memory.alloc, &message) == MCAST_OK);
        CHECK(message.kind >= MCAST_SM_WELCOME || message.kind == MCAST_SM_HEARTBEAT);
        listen(play, &message);
        mcast_service_message_free(&memory.alloc, &message);
    }
    for (size_t i = 0; i < output->close_count; i++) {
        for (size_t c = 0; c < CONNECTIONS; c++) {
            play->current[c] = play->current[c] == output->closes[i] ? 0 : play->current[c];
        }
    }
    CHECK(mcast_service_next_deadline(play->service) >= play->now);
}

static void step(struct play *play, const struct mcast_service_event *event) {
    struct mcast_service_output output;
    int code = mcast_service_step(play->service, event, event == NULL ? 0 : 1, play->now, &output);
    CHECK(code == MCAST_OK || (code == MCAST_ENOMEM && play->memory.refused));
    check(play, &output);
}

static void say(struct play *play, uint64_t connection,
                const struct mcast_service_message *message) {
    struct test_memory memory;
    uint8_t *bytes = NULL;
    size_t length = 0;
    size_t room = 0;
    test_memory_init(&memory);
    CHECK(mcast_service_message_encode(message, &memory.alloc, &bytes, &length, &room) == MCAST_OK);
    struct mcast_service_event event = {MCAST_SERVICE_MESSAGE, connection, bytes, length};
    step(play, &event);
    mcast_memory_free(&memory.alloc, bytes, room, 1);
}

static void connect(struct play *play, size_t which) {
    if (play->current[which] != 0) {
        return;
    }
    play->current[which] = ++play->last;
    struct mcast_service_event event = {MCAST_SERVICE_CONNECTED, play->last, NULL, 0};
    step(play, &event);
    struct mcast_service_message message = {.kind = MCAST_SM_HELLO};
    uint8_t past = next(play);
    message.as.hello.version = MCAST_SM_VERSION;
    message.as.hello.id = (struct mcast_id){which + 1, 1};
    message.as.hello.incarnation = 1u + (past >> 4 & 3);
    message.as.hello.node = (past & 1) != 0 ? (uint32_t)which + 1 : 0;
    message.as.hello.epoch =
        (past & 1) != 0 ? recall(play->heard.epochs, play->heard.epoch_count, past) : 0;
    say(play, play->last, &message);
}

static void disconnect(struct play *play, size_t which) {
    if (play->current[which] != 0) {
        struct mcast_service_event event = {MCAST_SERVICE_DISCONNECTED, play->current[which], NULL,
                                            0};
        play->current[which] = 0;
        step(play, &event);
    }
}

static void change(struct play *play, uint64_t connection) {
    struct mcast_sm_change_item items[8];
    struct mcast_service_message message = {.kind = MCAST_SM_CHANGE};
    size_t count = next(play) % 8;
    for (size_t i = 0; i < count; i++) {
        uint8_t what = next(play);
        items[i] = (struct mcast_sm_change_item){{what % 16 + 1u, 5}, what, (what >> 4) % 4 + 1};
    }
    message.as.change.request = ++play->requests;
    message.as.change.items = items;
    message.as.change.count = count;
    say(play, connection, &message);
}

static void closed(struct play *play, uint64_t connection) {
    struct mcast_sm_view_final finals[4];
    struct mcast_service_message message = {.kind = MCAST_SM_CLOSED};
    size_t count = next(play) % 4;
    for (size_t i = 0; i < count; i++) {
        finals[i].view = recall(play->heard.views, play->heard.view_count, next(play));
        finals[i].last = next(play);
    }
    message.as.closed.epoch = recall(play->heard.epochs, play->heard.epoch_count, next(play));
    message.as.closed.finals = finals;
    message.as.closed.count = count;
    say(play, connection, &message);
}

/* A message of one or two names, drawn from those that were heard. */
static void name(struct play *play, uint64_t connection, enum mcast_service_message_kind kind) {
    struct mcast_service_message message = {.kind = kind};
    uint8_t which = next(play);
    uint64_t view = recall(play->heard.views, play->heard.view_count, which);
    size_t names = play->heard.name_count < HEARD ? play->heard.name_count : HEARD;
    mcast_node node = names == 0 ? 1 : play->heard.names[next(play) % names];
    switch (kind) {
    case MCAST_SM_PREPARED:
        message.as.prepared.epoch = recall(play->heard.epochs, play->heard.epoch_count, which);
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
    say(play, connection, &message);
}

/* Any message at all, of either side, or bytes that are none. */
static void babble(struct play *play, uint64_t connection) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct sampler from = {.seed = next(play) * 251u + next(play), .alloc = &memory.alloc};
    struct mcast_service_message message =
        sample_message(&from, sample_kinds[next(play) % SAMPLE_KINDS]);
    say(play, connection, &message);
    mcast_service_message_free(&memory.alloc, &message);
}

static void raw(struct play *play, uint64_t connection) {
    size_t size = next(play) % 32;
    size = size > (size_t)(play->end - play->at) ? (size_t)(play->end - play->at) : size;
    struct mcast_service_event event = {MCAST_SERVICE_MESSAGE, connection, play->at, size};
    play->at += size;
    step(play, &event);
}

static void pass(struct play *play, uint8_t how) {
    mcast_time due = mcast_service_next_deadline(play->service);
    if (how % 4 == 0 && due != MCAST_NEVER) {
        play->now = due;
    } else {
        play->now += (mcast_time)how * how * MCAST_MILLISECOND;
    }
    step(play, NULL);
}

static void speak(struct play *play, uint64_t connection, uint8_t what) {
    static const enum mcast_service_message_kind names[] = {
        MCAST_SM_PREPARED,      MCAST_SM_PREPARED,  MCAST_SM_PREPARED,
        MCAST_SM_VIEW_ENDED,    MCAST_SM_SUSPECT,   MCAST_SM_SLOW,
        MCAST_SM_MEMBERS_QUERY, MCAST_SM_HEARTBEAT, MCAST_SM_BYE,
    };
    if (what < 90) {
        change(play, connection);
    } else if (what < 130) {
        closed(play, connection);
    } else if (what < 220) {
        name(play, connection, names[what % (sizeof names / sizeof names[0])]);
    } else if (what < 245) {
        babble(play, connection);
    } else {
        raw(play, connection);
    }
}

static void act(struct play *play) {
    uint8_t what = next(play);
    size_t which = next(play) % CONNECTIONS;
    if (what < 50) {
        connect(play, which);
    } else if (what < 58) {
        disconnect(play, which);
    } else if (what < 100) {
        pass(play, next(play));
    } else if (what == 255) {
        play->memory.refuse = play->memory.calls + 1 + next(play);
    } else if (what == 254) {
        play->memory.refuse = 0;
    } else if (play->current[which] != 0) {
        speak(play, play->current[which], next(play));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct play play = {.now = MCAST_SECOND, .at = data, .end = data + size};
    struct mcast_service_config config;
    mcast_service_config_default(&config);
    test_memory_init(&play.memory);
    uint8_t how = next(&play);
    config.generation = (how & 1) != 0 ? 2 : 1;
    config.smallest_region = (how & 2) != 0 ? 2 : 0;
    config.strict_hierarchies = (how & 4) != 0;
    config.address_count = (how & 8) != 0 ? 4 : 1000;
    CHECK(mcast_service_new(&config, &play.memory.alloc, &play.service) == MCAST_OK);
    while (play.at < play.end) {
        act(&play);
    }
    mcast_service_free(play.service);
    CHECK(play.memory.out == 0);
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
