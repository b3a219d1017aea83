/* A membership service among members that are scripts: they believe what they are told, check that
 * it makes sense, and answer as the protocol asks, over streams with a delay, in virtual time.
 *
 * What the members believe is kept in the plainest way there is; it shares nothing with the service
 * but the message structures. */
#ifndef SERVICE_WORLD_H
#define SERVICE_WORLD_H

#include "counting_memory.h"
#include "memory.h"
#include "service_messages.h"
#include "wire_service.h"

#include "mcast/error.h"
#include "mcast/service.h"

#include <stdarg.h>

enum { MEMBERS = 40, GROUPS = 64, BELIEFS = 120, FLYING = 8192, LOG_BYTES = 1 << 20 };

struct belief_view {
    mcast_view name;
    uint32_t hierarchy;
    uint64_t region;
    struct mcast_address address;
    bool own;
    bool closing;
    bool closed; /* VIEW_CLOSED came */
    mcast_node members[MEMBERS];
    size_t member_count;
    mcast_view parents[BELIEFS];
    size_t parent_count;
    uint64_t sent; /* is the last number this member sent in it */
};

struct belief_class {
    uint32_t number;
    mcast_view views[BELIEFS];
    size_t count;
};

struct belief_group {
    uint32_t name;
    uint32_t class_number;
    mcast_epoch view_number;
};

struct member {
    struct mcast_id id;
    uint64_t incarnation;
    uint64_t connection; /* 0 while there is none */
    mcast_node node;
    mcast_epoch epoch;
    mcast_epoch generation_epoch;          /* the epoch of WELCOME */
    struct mcast_service_message proposal; /* kind 0 while there is none */
    struct belief_view views[BELIEFS];
    size_t view_count;
    size_t changes_heard; /* is how many views were told as changes of another */
    struct belief_class classes[BELIEFS];
    size_t class_count;
    struct belief_group groups[GROUPS];
    size_t group_count;
    struct mcast_sm_hybrid hybrids[GROUPS]; /* ascending by group */
    size_t hybrid_count;
    bool nodes[1 << 15]; /* by short name */
    struct mcast_id node_ids[1 << 15];
    bool dead[1 << 15];
    uint64_t request;
    bool open;                                 /* a CHANGE waits for its answer */
    struct mcast_sm_change_item items[GROUPS]; /* are those of that CHANGE */
    size_t item_count;
    uint32_t names[GROUPS]; /* the short name of each group, by the script's number */
    int32_t codes[GROUPS];
    bool wants[GROUPS]; /* what the script asked for last */
    bool sends[GROUPS];
    bool is_in[GROUPS];     /* what was granted and not taken back, as a member … */
    bool is_sender[GROUPS]; /* … and from outside */
    bool mute;              /* answers no PREPARE */
    bool silent;            /* says nothing at all */
    bool evicted;
    int refused;  /* is the code of REFUSED */
    bool resyncs; /* the next update may repeat what is known */
    bool report_wanted;
    mcast_time delay; /* each way */
    mcast_time next_beat;
    size_t prepares; /* PREPAREs that came */
    size_t prepare_bytes;
    size_t queried; /* members that the last MEMBERS named */
    mcast_epoch queried_number;
    size_t demotions;
};

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

/* As memcpy and memcmp, but of nothing from nowhere as well. */
static inline void copy(void *to, const void *from, size_t size) {
    if (size > 0) {
        memcpy(to, from, size);
    }
}

static inline bool equal(const void *one, const void *other, size_t size) {
    return size == 0 || memcmp(one, other, size) == 0;
}

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

/* Connects @member, which says HELLO. */
static inline void come(struct world *world, struct member *member) {
    member->connection = ++world->connections;
    fly(world, member->delay, member->connection, MCAST_SERVICE_CONNECTED, NULL, 0);
    struct mcast_service_message message = {.kind = MCAST_SM_HELLO};
    message.as.hello.version = MCAST_SM_VERSION;
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

/* Breaks the stream; what was under way on it is lost. */
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

/* Sends the CHANGE whose items were gathered; a member has one at a time, and repeats it over the
 * next stream until it is answered. */
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

/* Joins the groups whose letters stand in @groups, each from 'A' on. */
static inline void join(struct world *world, struct member *member, const char *groups) {
    struct mcast_sm_change_item items[GROUPS];
    size_t count = 0;
    for (; *groups != '\0'; groups++) {
        uint32_t group = (uint32_t)(*groups - 'A');
        items[count++] = (struct mcast_sm_change_item){group_id(group), group, MCAST_SM_JOIN};
    }
    change(world, member, items, count);
}

static inline struct belief_view *believed(struct member *member, mcast_view name) {
    for (size_t i = 0; i < member->view_count; i++) {
        if (member->views[i].name == name) {
            return &member->views[i];
        }
    }
    return NULL;
}

static inline struct belief_class *believed_class(struct member *member, uint32_t number) {
    for (size_t i = 0; i < member->class_count; i++) {
        if (member->classes[i].number == number) {
            return &member->classes[i];
        }
    }
    return NULL;
}

static inline struct belief_group *believed_group(struct member *member, uint32_t name) {
    for (size_t i = 0; i < member->group_count; i++) {
        if (member->groups[i].name == name) {
            return &member->groups[i];
        }
    }
    return NULL;
}

static inline bool names_node(const mcast_node *nodes, size_t count, mcast_node node) {
    for (size_t i = 0; i < count; i++) {
        if (nodes[i] == node) {
            return true;
        }
    }
    return false;
}

static inline int by_name(const void *one, const void *other) {
    mcast_node first = *(const mcast_node *)one;
    mcast_node second = *(const mcast_node *)other;
    return first < second ? -1 : first > second;
}

/* The members of a view that is told as what changed since another. */
static inline void believe_changes(struct member *member, struct belief_view *known,
                                   const struct mcast_sm_view *view) {
    const struct belief_view *base = believed(member, view->base);
    CHECK(base != NULL && base->own && view->member_count + view->gone_count < base->member_count);
    for (size_t i = 0; i < view->gone_count; i++) {
        CHECK(names_node(base->members, base->member_count, view->gone[i]));
    }
    for (size_t i = 0; i < base->member_count; i++) {
        CHECK(!names_node(view->members, view->member_count, base->members[i]));
        if (!names_node(view->gone, view->gone_count, base->members[i])) {
            known->members[known->member_count++] = base->members[i];
        }
    }
    for (size_t i = 0; i < view->member_count; i++) {
        known->members[known->member_count++] = view->members[i];
    }
    qsort(known->members, known->member_count, sizeof *known->members, by_name);
    member->changes_heard++;
}

static inline void believe_members(struct member *member, struct belief_view *known,
                                   const struct mcast_sm_view *view) {
    known->own = view->member_count > 0 || view->base != 0;
    known->member_count = 0;
    if (view->base != 0) {
        believe_changes(member, known, view);
    } else {
        known->member_count = view->member_count;
        copy(known->members, view->members, view->member_count * sizeof *view->members);
    }
    for (size_t i = 0; i < known->member_count; i++) {
        CHECK(known->members[i] == member->node || member->nodes[known->members[i]] ||
              member->dead[known->members[i]]);
    }
}

static inline void believe_view(struct member *member, const struct mcast_sm_view *view) {
    bool own = view->member_count > 0 || view->base != 0;
    struct belief_view *known = believed(member, view->view);
    if (known != NULL) {
        CHECK(member->resyncs || (own && !known->own));
        if (known->own || !own) {
            return;
        }
    } else {
        CHECK(member->view_count < BELIEFS);
        known = &member->views[member->view_count++];
        *known = (struct belief_view){.name = view->view};
    }
    known->hierarchy = view->hierarchy;
    known->region = view->region;
    known->address = view->address;
    believe_members(member, known, view);
    known->parent_count = view->parent_count;
    copy(known->parents, view->parents, view->parent_count * sizeof *view->parents);
}

static inline void believe_class(struct member *member, const struct mcast_sm_class *class) {
    struct belief_class *known = believed_class(member, class->class_number);
    if (known == NULL) {
        CHECK(member->class_count < BELIEFS);
        known = &member->classes[member->class_count++];
    } else {
        bool same = known->count == class->view_count &&
                    equal(known->views, class->views, known->count * sizeof *known->views);
        CHECK(member->resyncs || !same);
    }
    known->number = class->class_number;
    known->count = class->view_count;
    copy(known->views, class->views, class->view_count * sizeof *class->views);
    for (size_t i = 0; i < class->view_count; i++) {
        CHECK(believed(member, class->views[i]) != NULL);
    }
}

static inline void believe_run(struct member *member, const struct mcast_sm_group_run *run) {
    for (uint32_t i = 0; i < run->count; i++) {
        struct belief_group *known = believed_group(member, run->first + i);
        if (run->class_number == 0) {
            CHECK(known != NULL || member->resyncs);
            if (known != NULL) {
                *known = member->groups[--member->group_count];
            }
            for (uint32_t g = 0; g < GROUPS; g++) {
                if (member->names[g] == run->first + i) {
                    member->names[g] = 0;
                    member->is_in[g] = false;
                    member->is_sender[g] = false;
                }
            }
            continue;
        }
        if (known == NULL) {
            CHECK(member->group_count < GROUPS);
            known = &member->groups[member->group_count++];
            *known = (struct belief_group){.name = run->first + i};
        } else {
            CHECK(member->resyncs || known->class_number != run->class_number ||
                  known->view_number != run->view_number);
        }
        known->class_number = run->class_number;
        known->view_number = run->view_number;
        CHECK(believed_class(member, run->class_number) != NULL);
    }
}

/* Forgets classes that no group has and views that no class has, as a member would. */
/* Puts @told in its place, or in that of what was told of the group before. */
static inline void believe_hybrid(struct member *member, const struct mcast_sm_hybrid *told) {
    size_t at = 0;
    while (at < member->hybrid_count && member->hybrids[at].group < told->group) {
        at++;
    }
    if (at == member->hybrid_count || member->hybrids[at].group != told->group) {
        CHECK(member->hybrid_count < GROUPS);
        for (size_t i = member->hybrid_count++; i > at; i--) {
            member->hybrids[i] = member->hybrids[i - 1];
        }
    }
    member->hybrids[at] = *told;
}

static inline void tidy(struct member *member) {
    for (size_t i = 0; i < member->class_count;) {
        bool used = false;
        for (size_t g = 0; g < member->group_count; g++) {
            used = used || member->groups[g].class_number == member->classes[i].number;
        }
        if (used) {
            i++;
        } else {
            member->classes[i] = member->classes[--member->class_count];
        }
    }
    for (size_t i = 0; i < member->view_count;) {
        bool used = member->views[i].own;
        for (size_t c = 0; c < member->class_count; c++) {
            for (size_t v = 0; v < member->classes[c].count; v++) {
                used = used || member->classes[c].views[v] == member->views[i].name;
            }
        }
        if (used) {
            i++;
        } else {
            member->views[i] = member->views[--member->view_count];
        }
    }
}

static inline void answer_commit(struct world *world, struct member *member,
                                 const struct mcast_sm_update *update) {
    struct mcast_sm_view_final finals[BELIEFS];
    size_t count = 0;
    for (size_t i = 0; i < update->closing_count; i++) {
        struct belief_view *view = believed(member, update->closing[i]);
        if (view != NULL) {
            view->closing = true;
            finals[count++] = (struct mcast_sm_view_final){view->name, view->sent};
        } else {
            CHECK(member->resyncs);
        }
    }
    struct mcast_service_message message = {.kind = MCAST_SM_CLOSED};
    message.as.closed.epoch = member->epoch;
    message.as.closed.finals = finals;
    message.as.closed.count = count;
    say(world, member, &message);
}

static inline void commit(struct world *world, struct member *member) {
    const struct mcast_sm_update *update = &member->proposal.as.prepare.update;
    for (size_t i = 0; i < update->node_count; i++) {
        CHECK(update->nodes[i].node < sizeof member->nodes);
        CHECK(member->resyncs || !member->nodes[update->nodes[i].node]);
        member->nodes[update->nodes[i].node] = true;
        member->node_ids[update->nodes[i].node] = update->nodes[i].id;
    }
    for (size_t i = 0; i < update->dead_count; i++) {
        member->dead[update->dead[i]] = true;
        member->nodes[update->dead[i]] = false;
    }
    for (size_t i = 0; i < update->view_count; i++) {
        believe_view(member, &update->views[i]);
    }
    for (size_t i = 0; i < update->class_count; i++) {
        believe_class(member, &update->classes[i]);
    }
    for (size_t i = 0; i < update->run_count; i++) {
        believe_run(member, &update->runs[i]);
    }
    for (size_t i = 0; i < update->hybrid_count; i++) {
        believe_hybrid(member, &update->hybrids[i]);
    }
    answer_commit(world, member, update);
    tidy(member);
    member->resyncs = false;
    for (size_t i = 0; i < member->view_count; i++) {
        if (!member->views[i].closing && test_random(&world->seed) % 2 == 0) {
            member->views[i].sent += test_random(&world->seed) % 5;
        }
    }
    mcast_service_message_free(&world->memory.alloc, &member->proposal);
    member->proposal = (struct mcast_service_message){.kind = 0};
}

static inline void view_closed(struct world *world, struct member *member,
                               const struct mcast_service_message *message) {
    struct belief_view *view = believed(member, message->as.view_closed.view);
    if (view == NULL || !view->own) {
        /* It is told to those outside who may have sent there, when it is over. */
        return;
    }
    CHECK(view != NULL && view->own && view->closing && !view->closed);
    for (size_t i = 0; i < message->as.view_closed.count; i++) {
        CHECK(message->as.view_closed.finals[i].last > 0);
    }
    view->closed = true;
    struct mcast_service_message ended = {.kind = MCAST_SM_VIEW_ENDED};
    ended.as.view_ended.view = view->name;
    world_log(world, "%c VIEW_CLOSED %u senders %zu dead %zu\n", name_of(world, member),
              (unsigned)(view->name & 0xffffff), message->as.view_closed.count,
              message->as.view_closed.dead_count);
    *view = member->views[--member->view_count];
    say(world, member, &ended);
}

static inline void log_prepare(struct world *world, const struct member *member,
                               const struct mcast_service_message *message) {
    const struct mcast_sm_update *update = &message->as.prepare.update;
    world_log(world, "%c PREPARE %u:", name_of(world, member),
              (unsigned)(message->as.prepare.epoch & 0xffffff));
    for (size_t i = 0; i < update->view_count; i++) {
        world_log(world, " view %u", (unsigned)(update->views[i].view & 0xffffff));
        for (size_t m = 0; m < update->views[i].member_count; m++) {
            const char *sign = update->views[i].base != 0 ? "+" : m == 0 ? "=" : ",";
            world_log(world, "%s%u", sign, update->views[i].members[m]);
        }
        for (size_t m = 0; m < update->views[i].gone_count; m++) {
            world_log(world, "-%u", update->views[i].gone[m]);
        }
        for (size_t p = 0; p < update->views[i].parent_count; p++) {
            world_log(world, "<%u", (unsigned)(update->views[i].parents[p] & 0xffffff));
        }
    }
    for (size_t i = 0; i < update->run_count; i++) {
        world_log(world, " groups %u+%u:%s", update->runs[i].first, update->runs[i].count,
                  update->runs[i].class_number == 0 ? "-" : "");
        struct member *believer = world->members + (member - world->members);
        const struct belief_class *class = believed_class(believer, update->runs[i].class_number);
        const mcast_view *views = class == NULL ? NULL : class->views;
        size_t count = class == NULL ? 0 : class->count;
        for (size_t c = 0; c < update->class_count; c++) {
            if (update->classes[c].class_number == update->runs[i].class_number) {
                views = update->classes[c].views;
                count = update->classes[c].view_count;
            }
        }
        for (size_t v = 0; v < count; v++) {
            world_log(world, "%s%u", v == 0 ? "" : ",", (unsigned)(views[v] & 0xffffff));
        }
    }
    for (size_t i = 0; i < update->closing_count; i++) {
        world_log(world, " closing %u", (unsigned)(update->closing[i] & 0xffffff));
    }
    for (size_t i = 0; i < update->dead_count; i++) {
        world_log(world, " dead %u", update->dead[i]);
    }
    for (size_t i = 0; i < update->hybrid_count; i++) {
        world_log(world, " %s %u@%u", update->hybrids[i].listens ? "hear" : "send",
                  update->hybrids[i].group, update->hybrids[i].address.ip[15]);
    }
    world_log(world, "\n");
}

static inline bool hear_proposal(struct world *world, struct member *member,
                                 struct mcast_service_message *message) {
    if (message->kind == MCAST_SM_COMMIT) {
        CHECK(member->proposal.kind == MCAST_SM_PREPARE);
        CHECK(member->proposal.as.prepare.epoch == message->as.commit.epoch);
        CHECK(message->as.commit.epoch > member->epoch);
        member->epoch = message->as.commit.epoch;
        world_log(world, "%c COMMIT %u\n", name_of(world, member),
                  (unsigned)(member->epoch & 0xffffff));
        commit(world, member);
        return false;
    }
    mcast_service_message_free(&world->memory.alloc, &member->proposal);
    member->proposal = *message;
    member->prepares++;
    log_prepare(world, member, message);
    if (!member->mute) {
        struct mcast_service_message answer = {.kind = MCAST_SM_PREPARED};
        answer.as.prepared.epoch = message->as.prepare.epoch;
        say(world, member, &answer);
    }
    return true;
}

static inline void hear_changed(struct world *world, struct member *member,
                                const struct mcast_service_message *message) {
    if (message->as.changed.request != member->request || !member->open) {
        return; /* said again over the next stream, answered twice */
    }
    size_t kept = 0;
    size_t at = 0;
    for (size_t i = 0; i < member->item_count; i++) {
        uint32_t group = member->items[i].cookie;
        if (at == message->as.changed.count || message->as.changed.items[at].cookie != group) {
            member->items[kept++] = member->items[i];
            continue;
        }
        at++;
        bool *in = &member->is_in[group];
        bool *sender = &member->is_sender[group];
        *in = member->items[i].op == MCAST_SM_JOIN ||
              (*in && member->items[i].op != MCAST_SM_LEAVE) || (*in && !*sender);
        *sender = member->items[i].op == MCAST_SM_REGISTER_SENDER ||
                  (*sender && member->items[i].op != MCAST_SM_UNREGISTER_SENDER) ||
                  (*sender && !*in);
    }
    CHECK(at == message->as.changed.count);
    member->item_count = kept;
    member->open = kept > 0;
    world_log(world, "%c CHANGED %u\n", name_of(world, member),
              (unsigned)message->as.changed.request);
    for (size_t i = 0; i < message->as.changed.count; i++) {
        const struct mcast_sm_changed_item *item = &message->as.changed.items[i];
        member->names[item->cookie] = item->group;
        member->codes[item->cookie] = item->code;
        if (item->code != MCAST_OK) {
            member->wants[item->cookie] = false;
            member->sends[item->cookie] = false;
        }
    }
}

static inline void send_report(struct world *world, struct member *member);

static inline void hear_end(struct world *world, struct member *member, int code, bool evicted) {
    world_log(world, "%c %s %d\n", name_of(world, member), evicted ? "EVICTED" : "REFUSED", code);
    member->evicted = evicted;
    member->refused = code;
    member->connection = 0;
}

/* Lets @member hear a message. */
static inline void hear(struct world *world, struct member *member, const struct flying *one) {
    struct mcast_service_message message;
    CHECK(mcast_service_message_decode(one->bytes, one->length, &world->memory.alloc, &message) ==
          MCAST_OK);
    bool kept = false;
    switch (message.kind) {
    case MCAST_SM_WELCOME:
        CHECK(message.as.welcome.epoch >= member->epoch);
        if (member->node != 0 && message.as.welcome.report_wanted) {
            CHECK(message.as.welcome.node == member->node);
        }
        member->node = message.as.welcome.node;
        member->generation_epoch = message.as.welcome.epoch;
        world_log(world, "%c WELCOME %u\n", name_of(world, member), member->node);
        if (member->open) {
            say_change(world, member);
        }
        if (message.as.welcome.report_wanted) {
            send_report(world, member);
        }
        break;
    case MCAST_SM_PREPARE:
        member->prepare_bytes += one->length;
        kept = hear_proposal(world, member, &message);
        break;
    case MCAST_SM_COMMIT:
        kept = hear_proposal(world, member, &message);
        break;
    case MCAST_SM_CHANGED:
        hear_changed(world, member, &message);
        break;
    case MCAST_SM_VIEW_CLOSED:
        view_closed(world, member, &message);
        break;
    case MCAST_SM_REFUSED:
        hear_end(world, member, message.as.refused.code, false);
        break;
    case MCAST_SM_EVICTED:
        hear_end(world, member, message.as.evicted.code, true);
        break;
    case MCAST_SM_MEMBERS:
        member->queried = message.as.members.count;
        member->queried_number = message.as.members.view_number;
        break;
    case MCAST_SM_DEMOTE:
        member->demotions += message.as.demote.demoted ? 1 : 100;
        break;
    default:
        CHECK(message.kind == MCAST_SM_HEARTBEAT);
        break;
    }
    if (!kept) {
        mcast_service_message_free(&world->memory.alloc, &message);
    }
}

/* Puts @name in its place among the @count of @list, which ascend. */
static inline void put_in_order(mcast_view *list, size_t count, mcast_view name) {
    for (; count > 0 && list[count - 1] > name; count--) {
        list[count] = list[count - 1];
    }
    list[count] = name;
}

/* The views of its own that @member was told of whole, and whose COMMIT it did not hear. */
static inline size_t proposed_views(struct member *member, struct mcast_sm_view *views) {
    size_t count = 0;
    if (member->proposal.kind != MCAST_SM_PREPARE) {
        return 0;
    }
    const struct mcast_sm_update *update = &member->proposal.as.prepare.update;
    for (size_t i = 0; i < update->view_count; i++) {
        const struct mcast_sm_view *view = &update->views[i];
        if (view->member_count > 0 && view->base == 0 && believed(member, view->view) == NULL) {
            views[count++] = (struct mcast_sm_view){
                .view = view->view,
                .region = view->region,
                .hierarchy = view->hierarchy,
                .address = view->address,
                .members = view->members,
                .member_count = view->member_count,
            };
        }
    }
    return count;
}

/* Reports what @member believes. */
static inline void send_report(struct world *world, struct member *member) {
    static struct mcast_sm_view views[BELIEFS];
    static mcast_view old[BELIEFS];
    static mcast_view outbound[BELIEFS];
    static mcast_node dead[1 << 15];
    static struct mcast_sm_node nodes[1 << 15];
    static struct mcast_sm_class classes[BELIEFS];
    static struct mcast_sm_report_group groups[2 * GROUPS];
    static struct mcast_sm_view prepared[BELIEFS];
    struct mcast_service_message message = {.kind = MCAST_SM_REPORT};
    struct mcast_sm_report *report = &message.as.report;
    *report = (struct mcast_sm_report){.epoch = member->epoch,
                                       .views = views,
                                       .prepared = prepared,
                                       .old_views = old,
                                       .outbound = outbound,
                                       .nodes = nodes,
                                       .dead = dead,
                                       .classes = classes,
                                       .groups = groups,
                                       .hybrids = member->hybrids,
                                       .hybrid_count = member->hybrid_count};
    for (size_t i = 0; i < member->view_count; i++) {
        struct belief_view *view = &member->views[i];
        if (!view->own) {
            put_in_order(outbound, report->outbound_count++, view->name);
            continue;
        }
        if (view->closing) {
            put_in_order(old, report->old_view_count++, view->name);
            continue;
        }
        views[report->view_count++] = (struct mcast_sm_view){
            .view = view->name,
            .region = view->region,
            .hierarchy = view->hierarchy,
            .address = view->address,
            .members = view->members,
            .member_count = view->member_count,
        };
    }
    report->prepared_count = proposed_views(member, prepared);
    for (mcast_node node = 1; node < 1 << 15; node++) {
        if (member->nodes[node]) {
            nodes[report->node_count++] =
                (struct mcast_sm_node){node, member->node_ids[node], 1, {.port = {1, 2, 3}}};
        }
        if (member->dead[node]) {
            dead[report->dead_count++] = node;
        }
    }
    for (size_t i = 0; i < member->class_count; i++) {
        classes[report->class_count++] = (struct mcast_sm_class){
            member->classes[i].number, member->classes[i].views, member->classes[i].count};
    }
    for (size_t i = 0; i < member->group_count; i++) {
        struct belief_group *group = &member->groups[i];
        for (uint32_t g = 0; g < GROUPS; g++) {
            for (int as_member = 0; as_member < 2; as_member++) {
                bool does = as_member == 1 ? member->is_in[g] : member->is_sender[g];
                if (member->names[g] == group->name && does) {
                    groups[report->group_count++] = (struct mcast_sm_report_group){
                        group_id(g), group->name, group->class_number, group->view_number,
                        as_member == 1};
                }
            }
        }
    }
    member->resyncs = true;
    say(world, member, &message);
}

static inline void collect(struct world *world, const struct mcast_service_output *output) {
    for (size_t i = 0; i < output->send_count; i++) {
        struct member *member = member_of(world, output->sends[i].connection);
        if (member != NULL) {
            fly(world, member->delay, member->connection, 0, output->sends[i].bytes,
                output->sends[i].length);
        }
    }
    world->yielded = world->yielded || output->yield;
}

static inline void step(struct world *world, const struct mcast_service_event *event) {
    struct mcast_service_output output;
    int code =
        mcast_service_step(world->service, event, event == NULL ? 0 : 1, world->now, &output);
    CHECK(code == MCAST_OK || world->memory.refused);
    collect(world, &output);
}

static inline size_t first_flying(const struct world *world) {
    size_t first = world->flying_count;
    for (size_t i = 0; i < world->flying_count; i++) {
        const struct flying *one = &world->flying[i];
        if (first == world->flying_count || one->at < world->flying[first].at ||
            (one->at == world->flying[first].at && one->order < world->flying[first].order)) {
            first = i;
        }
    }
    return first;
}

static inline void land(struct world *world, size_t index) {
    struct flying one = world->flying[index];
    world->flying[index] = world->flying[--world->flying_count];
    if (one.kind == 0) {
        struct member *member = member_of(world, one.connection);
        if (member != NULL) {
            hear(world, member, &one);
        }
    } else if (world->service != NULL) {
        struct mcast_service_event event = {(enum mcast_service_event_kind)one.kind, one.connection,
                                            one.bytes, one.length};
        step(world, &event);
    }
    free(one.bytes);
}

static inline mcast_time beats(struct world *world) {
    mcast_time next = MCAST_NEVER;
    for (size_t i = 0; i < world->member_count; i++) {
        struct member *member = &world->members[i];
        if (member->connection == 0 || member->node == 0) {
            continue;
        }
        if (member->next_beat <= world->now) {
            struct mcast_service_message message = {.kind = MCAST_SM_HEARTBEAT};
            message.as.heartbeat.epoch = member->epoch;
            say(world, member, &message);
            member->next_beat = world->now + MCAST_SECOND;
        }
        next = member->next_beat < next ? member->next_beat : next;
    }
    return next;
}

/* Lets @span pass. */
static inline void pass(struct world *world, mcast_time span) {
    mcast_time until = world->now + span;
    for (;;) {
        mcast_time beat = beats(world);
        size_t first = first_flying(world);
        mcast_time flying = first < world->flying_count ? world->flying[first].at : MCAST_NEVER;
        mcast_time due =
            world->service == NULL ? MCAST_NEVER : mcast_service_next_deadline(world->service);
        mcast_time next = beat < flying ? beat : flying;
        next = due < next ? due : next;
        if (next > until) {
            world->now = until;
            return;
        }
        world->now = next > world->now ? next : world->now;
        if (flying <= world->now) {
            land(world, first);
        } else if (due <= world->now) {
            step(world, NULL);
        }
    }
}

static inline bool is_alive(const struct member *member) {
    return member->connection != 0 && member->node != 0;
}

/* The members of a group as @member would find them: those of all views of its class, which their
 * own members know. */
static inline size_t members_by_views(struct world *world, struct member *member, uint32_t group,
                                      bool *in) {
    struct belief_group *known = believed_group(member, member->names[group]);
    CHECK(known != NULL);
    struct belief_class *class = believed_class(member, known->class_number);
    CHECK(class != NULL);
    size_t count = 0;
    for (size_t v = 0; v < class->count; v++) {
        struct belief_view *view = NULL;
        for (size_t i = 0; i < world->member_count; i++) {
            struct belief_view *theirs = believed(&world->members[i], class->views[v]);
            if (is_alive(&world->members[i]) && theirs != NULL && theirs->own) {
                view = theirs;
            }
        }
        CHECK(view != NULL);
        for (size_t m = 0; m < view->member_count; m++) {
            struct member *other = member_named(world, view->members[m]);
            CHECK(other != NULL && !in[other - world->members]);
            in[other - world->members] = true;
            count++;
        }
    }
    return count;
}

static inline void check_group(struct world *world, struct member *member, uint32_t group) {
    bool in[MEMBERS] = {false};
    (void)members_by_views(world, member, group, in);
    for (size_t i = 0; i < world->member_count; i++) {
        struct member *other = &world->members[i];
        CHECK(in[i] == (is_alive(other) && other->wants[group]));
        /* Whoever may send to us is known to us. */
        if (other != member && is_alive(other) && member->wants[group] &&
            (other->wants[group] || other->sends[group])) {
            CHECK(member->nodes[other->node]);
        }
    }
}

static inline void check_views(struct world *world, struct member *member) {
    bool taken[MCAST_SM_HIERARCHIES_MOST] = {false};
    for (size_t i = 0; i < member->view_count; i++) {
        struct belief_view *view = &member->views[i];
        CHECK(!view->closing);
        if (!view->own) {
            continue;
        }
        CHECK(!taken[view->hierarchy]);
        taken[view->hierarchy] = true;
        for (size_t o = 0; o < world->member_count; o++) {
            struct belief_view *theirs = believed(&world->members[o], view->name);
            bool agrees = theirs == NULL || !theirs->own || !is_alive(&world->members[o]) ||
                          (theirs->member_count == view->member_count &&
                           memcmp(theirs->members, view->members,
                                  view->member_count * sizeof *view->members) == 0);
            CHECK(agrees);
        }
    }
}

/* What must hold whenever nothing is under way: all believe what the scripts wanted. */
static inline void check_world(struct world *world) {
    for (size_t i = 0; i < world->member_count; i++) {
        struct member *member = &world->members[i];
        if (!is_alive(member)) {
            continue;
        }
        CHECK(!member->open && !member->evicted);
        size_t groups = 0;
        for (uint32_t group = 0; group < GROUPS; group++) {
            if (member->wants[group] || member->sends[group]) {
                groups++;
                check_group(world, member, group);
            }
        }
        CHECK(member->group_count == groups);
        check_views(world, member);
    }
}

/* Ends the service; all streams break. */
static inline void crash_service(struct world *world) {
    mcast_service_free(world->service);
    world->service = NULL;
    for (size_t i = 0; i < world->flying_count; i++) {
        free(world->flying[i].bytes);
    }
    world->flying_count = 0;
    for (size_t i = 0; i < world->member_count; i++) {
        world->members[i].connection = 0;
    }
}

/* Starts another service, under the next generation; who lives comes to it. */
static inline void restart_service(struct world *world) {
    world->config.generation++;
    world_start_service(world);
}

static inline struct mcast_service_stats stats_of(const struct world *world) {
    struct mcast_service_stats stats;
    mcast_service_stats(world->service, &stats);
    return stats;
}

#endif
