/* Small world: a few members and a membership service, joined by a network that the test controls.
 * Datagrams wait in one queue; the test passes them, drops some, and advances the clock. There is
 * no randomness and no thread: nothing happens that the test does not do. */
#ifndef SMALL_WORLD_H
#define SMALL_WORLD_H

#include "counting_memory.h"
#include "mcast/mcast.h"
#include "wire/frame.h"
#include "wire/header.h"
#include "wire/service_message.h"

enum {
    WORLD_MEMBERS_MOST = 16,
    WORLD_LINE = 65536,
    WORLD_HEARD_MOST = 65536,
    WORLD_LATE_MOST = 64
};

struct world_late_message {
    uint8_t *bytes;
    size_t length;
};

struct world_flight {
    struct mcast_buffer *buffer;
    uint32_t length;
    uint32_t from;
    struct mcast_address to;
    enum mcast_socket socket;
};

struct world_heard {
    uint32_t group;
    mcast_node sender;
    uint64_t number;
    uint32_t length;
    uint8_t first; /* first byte of the payload */
};

struct world_member {
    struct mcast_member *member;
    bool down;
    bool deaf;             /* receives nothing, as if frozen */
    bool firewalled;       /* receives no datagrams and runs on, as behind a firewall */
    bool reads_nothing;    /* its application takes no delivery */
    mcast_time unread_for; /* for how long it has taken nothing, as the driver would count it */
    bool mute;             /* receives no datagrams, and none of its own arrive */
    bool late;             /* gets COMMIT, and what follows, in world_catch_up only */
    struct world_late_message words[WORLD_LATE_MOST]; /* messages kept for it until then */
    size_t word_count;
    struct world_heard *heard;
    size_t heard_count;
    struct mcast_notice notices[256];
    size_t notice_count;
    uint64_t stable; /* the last cookie reported as stable */
    uint64_t told;   /* the last number of another member reported as stable */
    struct mcast_address listens[64];
    size_t listen_count;
    uint64_t step_ns; /* real time spent in steps, for measurements */
};

struct world {
    struct test_memory memory;  /* of the members and the service */
    struct test_memory network; /* of datagrams under way and of the test's payloads */
    struct mcast_service *service;
    struct world_member members[WORLD_MEMBERS_MOST];
    uint32_t count;
    mcast_time now;
    struct world_flight *line;
    size_t line_head;
    size_t line_count;
    /* Return true to lose a datagram; NULL loses none. */
    bool (*lose)(struct world *world, const struct world_flight *flight);
    /* Return true to lose a message of the service to a member, as a broken stream does. */
    bool (*lose_message)(struct world *world, uint32_t index, uint8_t kind);
    void *user;
    uint32_t room;           /* data datagrams that one step may emit; 0: any number */
    size_t notices_told;     /* notices to all members */
    uint64_t seen[16];       /* datagrams sent, by type */
    uint64_t together;       /* data datagrams that left in one step with something more urgent */
    uint64_t (*clock)(void); /* for measurements */
};

static inline uint8_t world_type(const struct world_flight *flight) {
    return flight->buffer->bytes[1];
}

static inline mcast_view world_view_of(const struct world_flight *flight) {
    struct mcast_header header;
    CHECK(mcast_header_read(flight->buffer->bytes, flight->length, &header));
    return header.view;
}

static inline struct mcast_config world_config(uint32_t index) {
    struct mcast_config config;
    mcast_config_default(&config);
    config.cluster = 7;
    config.id = (struct mcast_id){1, index + 1};
    config.incarnation = index + 100;
    config.seed = index + 1;
    config.address.ip[15] = (uint8_t)(index + 1);
    for (int i = 0; i < MCAST_SOCKETS; i++) {
        config.address.port[i] = (uint16_t)(1000 + i);
    }
    return config;
}

/* Create a world whose groups get an address of their own from @hybrid regions on; 0: never. */
static inline void world_begin(struct world *world, uint32_t hybrid) {
    *world = (struct world){.now = MCAST_SECOND};
    test_memory_init(&world->memory);
    test_memory_init(&world->network);
    world->line = calloc(WORLD_LINE, sizeof *world->line);
    struct mcast_service_config config;
    mcast_service_config_default(&config);
    config.cluster = 7;
    config.generation = 1;
    config.batch = MCAST_MILLISECOND;
    config.first_address.ip[14] = 239;
    config.address_count = 1000;
    config.hybrid_regions = hybrid;
    CHECK(mcast_service_new(&config, &world->memory.alloc, &world->service) == MCAST_OK);
}

static inline void world_init(struct world *world) {
    world_begin(world, 0);
}

static inline void world_step(struct world *world, uint32_t index, const struct mcast_event *events,
                              size_t count);

/* True when a message of the service has to wait until the member catches up; it is kept then. */
static inline bool world_keep_late(struct world_member *member, const uint8_t *bytes,
                                   size_t length) {
    bool in_force = bytes[1] == MCAST_SM_CHANGED || bytes[1] == MCAST_SM_COMMIT;
    if (!member->late || (!in_force && member->word_count == 0)) {
        return false;
    }
    CHECK(member->word_count < WORLD_LATE_MOST);
    struct world_late_message *word = &member->words[member->word_count++];
    *word = (struct world_late_message){malloc(length), length};
    memcpy(word->bytes, bytes, length);
    return true;
}

static inline void world_service(struct world *world, const struct mcast_service_event *event) {
    struct mcast_service_output output;
    CHECK(mcast_service_step(world->service, event, event == NULL ? 0 : 1, world->now, &output) ==
          MCAST_OK);
    /* A member's step may cause one of the service: copy its current messages first. */
    struct mcast_service_send sends[256];
    CHECK(output.send_count <= 256);
    for (size_t i = 0; i < output.send_count; i++) {
        sends[i] = output.sends[i];
        uint8_t *copy = malloc(sends[i].length);
        memcpy(copy, sends[i].bytes, sends[i].length);
        sends[i].bytes = copy;
    }
    size_t count = output.send_count;
    for (size_t i = 0; i < count; i++) {
        struct mcast_event told = {.kind = MCAST_EVENT_CONTROL};
        told.as.control.bytes = sends[i].bytes;
        told.as.control.length = sends[i].length;
        uint32_t index = (uint32_t)sends[i].connection - 1;
        bool hushed =
            world->lose_message != NULL && world->lose_message(world, index, sends[i].bytes[1]);
        struct world_member *member = &world->members[index];
        if (!member->down && !hushed && !world_keep_late(member, sends[i].bytes, sends[i].length)) {
            world_step(world, index, &told, 1);
        }
        free((void *)(uintptr_t)sends[i].bytes);
    }
}

static inline void world_emit(struct world *world, uint32_t index,
                              const struct mcast_datagram *datagram) {
    CHECK(world->line_count < WORLD_LINE);
    struct world_flight *flight =
        &world->line[(world->line_head + world->line_count++) % WORLD_LINE];
    flight->buffer = mcast_buffer_new(&world->network.alloc, datagram->length);
    CHECK(flight->buffer != NULL);
    uint32_t at = 0;
    for (uint32_t i = 0; i < datagram->part_count; i++) {
        memcpy(flight->buffer->bytes + at, datagram->parts[i].bytes, datagram->parts[i].length);
        at += (uint32_t)datagram->parts[i].length;
    }
    CHECK(at == datagram->length);
    flight->length = at;
    flight->from = index;
    flight->to = datagram->to;
    flight->socket = datagram->socket;
    world->seen[world_type(flight)]++;
}

static inline bool world_same(const struct mcast_address *one, const struct mcast_address *other) {
    return memcmp(one->ip, other->ip, 16) == 0;
}

static inline void world_keep_notice(struct world_member *member,
                                     const struct mcast_notice *notice) {
    if (notice->kind == MCAST_NOTICE_LISTEN) {
        CHECK(member->listen_count < 64);
        member->listens[member->listen_count++] = notice->address;
    } else if (notice->kind == MCAST_NOTICE_UNLISTEN) {
        for (size_t i = 0; i < member->listen_count; i++) {
            if (world_same(&member->listens[i], &notice->address)) {
                member->listens[i] = member->listens[--member->listen_count];
                break;
            }
        }
    } else if (notice->kind == MCAST_NOTICE_STABLE && notice->cookie != 0) {
        member->stable = notice->cookie;
    } else if (notice->kind == MCAST_NOTICE_STABLE) {
        member->told = notice->number;
    }
    bool frequent = notice->kind == MCAST_NOTICE_SENT || notice->kind == MCAST_NOTICE_STABLE;
    if (!frequent && member->notice_count < 256) {
        member->notices[member->notice_count++] = *notice;
    }
}

static inline void world_carry_out(struct world *world, uint32_t index,
                                   const struct mcast_output *output) {
    struct world_member *member = &world->members[index];
    world->notices_told += output->notice_count;
    for (size_t i = 0; i < output->notice_count; i++) {
        world_keep_notice(member, &output->notices[i]);
    }
    for (size_t i = 0; i < output->delivery_count; i++) {
        const struct mcast_delivery *delivery = &output->deliveries[i];
        struct world_heard heard = {delivery->group, delivery->sender, delivery->number,
                                    delivery->length,
                                    delivery->length > 0 ? delivery->bytes[0] : 0};
        member->heard[member->heard_count++ % WORLD_HEARD_MOST] = heard;
    }
    for (size_t i = 0; i < output->datagram_count; i++) {
        /* In every test, what leaves is in the order of its class (rule 1.16). */
        enum mcast_priority one = output->datagrams[i].priority;
        CHECK(i == 0 || one >= output->datagrams[i - 1].priority);
        world->together += one == MCAST_DATA_OUT && output->datagrams[0].priority < one ? 1 : 0;
        world_emit(world, index, &output->datagrams[i]);
    }
    /* The service answers by member steps, which invalidate this output. */
    size_t count = output->control_count;
    struct mcast_service_event *said = calloc(count + 1, sizeof *said);
    for (size_t i = 0; i < count; i++) {
        uint8_t *copy = malloc(output->controls[i].length);
        memcpy(copy, output->controls[i].bytes, output->controls[i].length);
        said[i] = (struct mcast_service_event){.kind = MCAST_SERVICE_MESSAGE,
                                               .connection = index + 1,
                                               .bytes = copy,
                                               .length = output->controls[i].length};
    }
    for (size_t i = 0; i < count; i++) {
        world_service(world, &said[i]);
        free((void *)(uintptr_t)said[i].bytes);
    }
    free(said);
}

static inline void world_step(struct world *world, uint32_t index, const struct mcast_event *events,
                              size_t count) {
    const struct world_member *reader = &world->members[index];
    struct mcast_output output = {.room = world->room == 0 ? UINT32_MAX : world->room,
                                  .unread = reader->reads_nothing ? reader->heard_count : 0,
                                  .unread_for = reader->unread_for};
    uint64_t before = world->clock == NULL ? 0 : world->clock();
    int code = mcast_member_step(world->members[index].member, events, count, world->now, &output);
    world->members[index].step_ns += world->clock == NULL ? 0 : world->clock() - before;
    CHECK(code == MCAST_OK || world->memory.refused);
    bool more = output.more;
    world_carry_out(world, index, &output);
    if (more && world->room > 0) {
        world_step(world, index, NULL, 0);
    }
}

static inline uint32_t world_add(struct world *world, const struct mcast_config *config) {
    uint32_t index = world->count++;
    CHECK(index < WORLD_MEMBERS_MOST);
    struct world_member *member = &world->members[index];
    member->heard = calloc(WORLD_HEARD_MOST, sizeof *member->heard);
    CHECK(mcast_member_new(config, &world->memory.alloc, &member->member) == MCAST_OK);
    world_service(world, &(struct mcast_service_event){.kind = MCAST_SERVICE_CONNECTED,
                                                       .connection = index + 1});
    world_step(world, index, &(struct mcast_event){.kind = MCAST_EVENT_CONNECTED}, 1);
    return index;
}

/* Deliver every waiting datagram in order, also those that this causes. */
static inline void world_pass(struct world *world) {
    for (uint32_t steps = 0; world->line_count > 0; steps++) {
        CHECK(steps < 10000000);
        struct world_flight flight = world->line[world->line_head];
        world->line_head = (world->line_head + 1) % WORLD_LINE;
        world->line_count--;
        bool lost = world->lose != NULL && world->lose(world, &flight);
        for (uint32_t i = 0; i < world->count && !lost; i++) {
            struct world_member *member = &world->members[i];
            struct mcast_config own = world_config(i);
            bool meant = world_same(&flight.to, &own.address);
            for (size_t j = 0; j < member->listen_count; j++) {
                meant |= world_same(&flight.to, &member->listens[j]);
            }
            if (!meant || member->down || member->deaf || member->firewalled || i == flight.from ||
                world->members[flight.from].mute) {
                continue;
            }
            /* Each has a copy of its own, as from a kernel: it is opened in place. */
            struct mcast_buffer *copy = mcast_buffer_new(&world->network.alloc, flight.length);
            CHECK(copy != NULL);
            memcpy(copy->bytes, flight.buffer->bytes, flight.length);
            struct mcast_event event = {.kind = MCAST_EVENT_DATAGRAM};
            event.as.datagram.buffer = copy;
            event.as.datagram.bytes = copy->bytes;
            event.as.datagram.length = flight.length;
            event.as.datagram.socket = flight.socket;
            world_step(world, i, &event, 1);
            mcast_buffer_release(copy);
        }
        mcast_buffer_release(flight.buffer);
    }
}

/* Advance the clock by @span in steps of a millisecond, and run everything that is due. */
static inline void world_run(struct world *world, mcast_time span) {
    mcast_time end = world->now + span;
    world_pass(world);
    while (world->now < end) {
        world->now += MCAST_MILLISECOND;
        world_service(world, NULL);
        for (uint32_t i = 0; i < world->count; i++) {
            struct world_member *member = &world->members[i];
            bool due = !member->down && !member->deaf &&
                       mcast_member_next_deadline(member->member) <= world->now;
            if (due) {
                world_step(world, i, NULL, 0);
            }
        }
        world_pass(world);
    }
}

static inline void world_join_with(struct world *world, uint32_t index, uint32_t group,
                                   struct mcast_group_policy policy) {
    struct mcast_event event = {.kind = MCAST_EVENT_JOIN};
    event.as.join.group = group;
    event.as.join.id = (struct mcast_id){2, group + 1};
    event.as.join.policy = policy;
    world_step(world, index, &event, 1);
}

static inline void world_join(struct world *world, uint32_t index, uint32_t group) {
    world_join_with(world, index, group, (struct mcast_group_policy){.slow = MCAST_SLOW_THROTTLE});
}

static inline void world_leave(struct world *world, uint32_t index, uint32_t group) {
    struct mcast_event event = {.kind = MCAST_EVENT_LEAVE};
    event.as.leave.group = group;
    world_step(world, index, &event, 1);
}

/* Send @length bytes, the first of which is @first. */
static inline void world_send(struct world *world, uint32_t index, uint32_t group, uint8_t first,
                              uint32_t length, uint64_t cookie) {
    struct mcast_buffer *buffer = mcast_buffer_new(&world->network.alloc, length);
    CHECK(buffer != NULL);
    memset(buffer->bytes, first, length);
    struct mcast_event event = {.kind = MCAST_EVENT_SEND};
    event.as.send.group = group;
    event.as.send.buffer = buffer;
    event.as.send.bytes = buffer->bytes;
    event.as.send.length = length;
    event.as.send.cookie = cookie;
    world_step(world, index, &event, 1);
    mcast_buffer_release(buffer);
}

static inline struct mcast_stats world_stats(const struct world *world, uint32_t index) {
    struct mcast_stats stats;
    mcast_member_stats(world->members[index].member, &stats);
    return stats;
}

/* Hand a member a message of the service. */
static inline void world_hand_message(struct world *world, uint32_t index,
                                      const struct mcast_service_message *message) {
    uint8_t *bytes = NULL;
    size_t length = 0, room = 0;
    CHECK(mcast_service_message_encode(message, &world->network.alloc, &bytes, &length, &room) ==
          MCAST_OK);
    struct mcast_event event = {.kind = MCAST_EVENT_CONTROL};
    event.as.control.bytes = bytes;
    event.as.control.length = length;
    world_step(world, index, &event, 1);
    (void)world->network.alloc.resize(world->network.alloc.context, bytes, room, 0);
}

/* Hand a late member all messages that the service sent it meanwhile. */
static inline void world_catch_up(struct world *world, uint32_t index) {
    struct world_member *member = &world->members[index];
    member->late = false;
    for (size_t i = 0; i < member->word_count; i++) {
        struct mcast_event told = {.kind = MCAST_EVENT_CONTROL};
        told.as.control.bytes = member->words[i].bytes;
        told.as.control.length = member->words[i].length;
        world_step(world, index, &told, 1);
        free(member->words[i].bytes);
    }
    member->word_count = 0;
}

/* Return how many notices of @kind the member got. */
static inline size_t world_notices(const struct world *world, uint32_t index,
                                   enum mcast_notice_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < world->members[index].notice_count; i++) {
        count += world->members[index].notices[i].kind == kind ? 1 : 0;
    }
    return count;
}

/* Create @count members that are all in groups 0 … @groups - 1. */
static inline void world_of(struct world *world, uint32_t count, uint32_t groups) {
    world_init(world);
    for (uint32_t i = 0; i < count; i++) {
        struct mcast_config config = world_config(i);
        uint32_t index = world_add(world, &config);
        for (uint32_t group = 0; group < groups; group++) {
            world_join(world, index, group);
        }
    }
    world_run(world, 300 * MCAST_MILLISECOND);
}

/* Kill a member: the service sees its connection end and then its silence. */
static inline void world_crash(struct world *world, uint32_t index) {
    world->members[index].down = true;
    world_service(world, &(struct mcast_service_event){.kind = MCAST_SERVICE_DISCONNECTED,
                                                       .connection = index + 1});
}

static inline void world_free(struct world *world) {
    for (uint32_t i = 0; i < world->count; i++) {
        mcast_member_free(world->members[i].member);
        free(world->members[i].heard);
        while (world->members[i].word_count > 0) {
            free(world->members[i].words[--world->members[i].word_count].bytes);
        }
    }
    mcast_service_free(world->service);
    while (world->line_count > 0) {
        mcast_buffer_release(world->line[world->line_head].buffer);
        world->line_head = (world->line_head + 1) % WORLD_LINE;
        world->line_count--;
    }
    free(world->line);
    CHECK(world->memory.out == 0 && world->network.out == 0);
}

#endif
