/* A membership service and scripted members on streams with a delay, in virtual time: members,
 * messages under way, and the messages that members send on their own. */
#ifndef SERVICE_STREAMS_H
#define SERVICE_STREAMS_H

#include "scripted_member.h"
#include "wire/header.h"

#include "mcast/service.h"

#include <stdarg.h>

enum { FLYING = 8192, LOG_BYTES = 1 << 20 };

struct flying {
    mcast_time at;
    uint64_t order;
    uint64_t connection;
    int kind; /* 0: to the member; else an event of the service */
    uint8_t *bytes;
    size_t length;
};

struct world {
    struct test_memory memory;
    struct mcast_service_config config;
    struct mcast_service *service;
    struct member *members;
    size_t member_count;
    struct flying *flying;
    size_t flying_count;
    uint64_t order;
    uint64_t connections;
    mcast_time now;
    uint64_t seed;
    bool yielded;
    bool logging;
    char *log;
    size_t log_length;
    mcast_time beat;
};

static inline void world_log(struct world *world, const char *format, ...) {
    if (!world->logging) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    int written =
        vsnprintf(world->log + world->log_length, LOG_BYTES - world->log_length, format, arguments);
    va_end(arguments);
    CHECK(written > 0 && world->log_length + (size_t)written < LOG_BYTES);
    world->log_length += (size_t)written;
}

static inline struct mcast_id group_id(uint32_t group) {
    return (struct mcast_id){UINT64_C(0x1000) + group, 7};
}

static inline char name_of(const struct world *world, const struct member *member) {
    return (char)('a' + (member - world->members));
}

static inline struct member *member_of(struct world *world, uint64_t connection) {
    for (size_t i = 0; i < world->member_count; i++) {
        if (world->members[i].connection == connection) {
            return &world->members[i];
        }
    }
    return NULL;
}

static inline struct member *member_named(struct world *world, mcast_node node) {
    for (size_t i = 0; i < world->member_count; i++) {
        if (world->members[i].node == node) {
            return &world->members[i];
        }
    }
    return NULL;
}

static inline void world_start_service(struct world *world) {
    CHECK(mcast_service_new(&world->config, &world->memory.alloc, &world->service) == MCAST_OK);
}

static inline void world_init(struct world *world, uint64_t seed) {
    *world = (struct world){.seed = seed, .now = MCAST_SECOND};
    test_memory_init(&world->memory);
    mcast_service_config_default(&world->config);
    world->config.cluster = 5;
    world->members = calloc(MEMBERS, sizeof *world->members);
    world->flying = calloc(FLYING, sizeof *world->flying);
    world->log = calloc(1, LOG_BYTES);
    CHECK(world->members != NULL && world->flying != NULL && world->log != NULL);
}

static inline void world_free(struct world *world) {
    for (size_t i = 0; i < world->member_count; i++) {
        mcast_service_message_free(&world->memory.alloc, &world->members[i].proposal);
    }
    for (size_t i = 0; i < world->flying_count; i++) {
        free(world->flying[i].bytes);
    }
    mcast_service_free(world->service);
    CHECK(world->memory.out == 0);
    free(world->members);
    free(world->flying);
    free(world->log);
}

static inline void fly(struct world *world, mcast_time delay, uint64_t connection, int kind,
                       const uint8_t *bytes, size_t length) {
    CHECK(world->flying_count < FLYING);
    for (size_t i = 0; i < world->flying_count; i++) { /* a stream keeps its order */
        const struct flying *before = &world->flying[i];
        if (before->connection == connection && (before->kind == 0) == (kind == 0) &&
            before->at > world->now + delay) {
            delay = before->at - world->now;
        }
    }
    struct flying *one = &world->flying[world->flying_count++];
    *one = (struct flying){world->now + delay, world->order++, connection, kind, NULL, length};
    if (length > 0) {
        one->bytes = malloc(length);
        memcpy(one->bytes, bytes, length);
    }
}

static inline void say(struct world *world, struct member *member,
                       const struct mcast_service_message *message) {
    if (member->connection == 0 || member->silent) {
        return;
    }
    uint8_t *bytes = NULL;
    size_t length = 0;
    size_t room = 0;
    CHECK(mcast_service_message_encode(message, &world->memory.alloc, &bytes, &length, &room) ==
          MCAST_OK);
    fly(world, member->delay, member->connection, MCAST_SERVICE_MESSAGE, bytes, length);
    mcast_memory_free(&world->memory.alloc, bytes, room, 1);
}

/* Connect @member, which sends HELLO. */
static inline void come(struct world *world, struct member *member) {
    member->connection = ++world->connections;
    fly(world, member->delay, member->connection, MCAST_SERVICE_CONNECTED, NULL, 0);
    struct mcast_service_message message = {.kind = MCAST_SM_HELLO};
    message.as.hello.version = MCAST_WIRE_VERSION;
    message.as.hello.cluster = 5;
    message.as.hello.id = member->id;
    message.as.hello.incarnation = member->incarnation;
    message.as.hello.epoch =
        member->epoch > member->generation_epoch ? member->epoch : member->generation_epoch;
    message.as.hello.node = member->node;
    say(world, member, &message);
    member->next_beat = world->now + MCAST_SECOND;
}

static inline struct member *add_member(struct world *world) {
    CHECK(world->member_count < MEMBERS);
    struct member *member = &world->members[world->member_count++];
    member->id = (struct mcast_id){world->member_count, UINT64_C(99)};
    member->incarnation = 1;
    member->delay = MCAST_MILLISECOND;
    come(world, member);
    return member;
}

/* Break the stream; messages under way on it are lost. */
static inline void cut_stream(struct world *world, struct member *member) {
    for (size_t i = 0; i < world->flying_count;) {
        struct flying *one = &world->flying[i];
        if (one->connection == member->connection) {
            free(one->bytes);
            *one = world->flying[--world->flying_count];
        } else {
            i++;
        }
    }
    fly(world, member->delay, member->connection, MCAST_SERVICE_DISCONNECTED, NULL, 0);
    member->connection = 0;
}

static inline void say_change(struct world *world, struct member *member) {
    struct mcast_service_message message = {.kind = MCAST_SM_CHANGE};
    message.as.change.request = member->request;
    message.as.change.items = member->items;
    message.as.change.count = member->item_count;
    say(world, member, &message);
}

/* Send the CHANGE whose items were gathered; a member has one at a time, and repeats it over the
 * next stream until it has an answer. */
static inline void change(struct world *world, struct member *member,
                          const struct mcast_sm_change_item *items, size_t count) {
    CHECK(!member->open && count <= GROUPS);
    member->open = true;
    member->request++;
    member->item_count = count;
    copy(member->items, items, count * sizeof *items);
    for (size_t i = 0; i < count; i++) {
        uint32_t group = items[i].cookie;
        if (items[i].op <= MCAST_SM_LEAVE) {
            member->wants[group] = items[i].op == MCAST_SM_JOIN;
        } else {
            member->sends[group] = items[i].op == MCAST_SM_REGISTER_SENDER;
        }
    }
    say_change(world, member);
}

static inline void change_one(struct world *world, struct member *member,
                              enum mcast_sm_change_op op, uint32_t group) {
    struct mcast_sm_change_item item = {group_id(group), group, (uint8_t)op};
    change(world, member, &item, 1);
}

/* Join the groups with the letters in @groups, from 'A' on. */
static inline void join(struct world *world, struct member *member, const char *groups) {
    struct mcast_sm_change_item items[GROUPS];
    size_t count = 0;
    for (; *groups != '\0'; groups++) {
        uint32_t group = (uint32_t)(*groups - 'A');
        items[count++] = (struct mcast_sm_change_item){group_id(group), group, MCAST_SM_JOIN};
    }
    change(world, member, items, count);
}

#endif
