/* Application judge: order, gaps, content and membership as applications see them, and that
 * everything arrives. */
#include "judges/judge_state.h"
#include "simulator/base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void *allocated(void *memory) {
    if (memory == NULL) {
        abort(); /* a judge without memory must not go on */
    }
    return memory;
}

static void remember(struct sim_map *map, uint64_t key, void *value) {
    if (!sim_map_put(map, key, value)) {
        abort();
    }
}

static uint64_t pair(uint32_t actor, uint32_t group) {
    return (uint64_t)actor << 32 | group;
}

/* Receiver and sender have 20 bits each, the group 24: far more than a simulation holds. */
static uint64_t triple(uint32_t receiver, uint32_t sender, uint32_t group) {
    return (uint64_t)receiver << 44 | (uint64_t)sender << 24 | group;
}

struct oracle_actor *oracle_actor_of(struct oracle *oracle, uint32_t actor) {
    assert(actor >= 1 && actor <= oracle->actor_count);
    return &oracle->actors[actor];
}

uint32_t oracle_start(struct oracle *oracle, uint32_t node) {
    if (oracle->actor_count + 1 >= oracle->actor_room) {
        uint32_t room = oracle->actor_room == 0 ? 64 : oracle->actor_room * 2;
        oracle->actors = allocated(realloc(oracle->actors, room * sizeof *oracle->actors));
        oracle->actor_room = room;
    }
    oracle->actors[++oracle->actor_count] = (struct oracle_actor){.node = node, .alive = true};
    return oracle->actor_count;
}

void oracle_end(struct oracle *oracle, uint32_t actor) {
    oracle_actor_of(oracle, actor)->alive = false;
}

void oracle_doubt(struct oracle *oracle, uint32_t actor) {
    oracle_actor_of(oracle, actor)->doubted = true;
}

void oracle_declare(struct oracle *oracle, uint32_t actor) {
    oracle_actor_of(oracle, actor)->declared = true;
}

bool oracle_excuses(const struct oracle *oracle, uint32_t actor) {
    return oracle->actors[actor].doubted && oracle->actors[actor].declared;
}

/* ---- groups ---- */

struct oracle_membership *oracle_membership_of(struct oracle *oracle, uint32_t actor,
                                               uint32_t group) {
    struct oracle_membership *found = sim_map_get(&oracle->memberships, pair(actor, group));
    if (found == NULL) {
        found = allocated(calloc(1, sizeof *found));
        found->actor = actor;
        found->group = group;
        found->next = oracle->all_memberships;
        oracle->all_memberships = found;
        remember(&oracle->memberships, pair(actor, group), found);
    }
    return found;
}

void oracle_join(struct oracle *oracle, uint32_t actor, uint32_t group, bool may_drop) {
    struct oracle_membership *membership = oracle_membership_of(oracle, actor, group);
    membership->wants = true;
    membership->may_drop = may_drop;
    membership->session++;
    membership->view = NULL;
}

void oracle_joined(struct oracle *oracle, uint32_t actor, uint32_t group, uint64_t now) {
    struct oracle_membership *membership = oracle_membership_of(oracle, actor, group);
    membership->joined = true;
    membership->joined_at = now;
}

void oracle_leave(struct oracle *oracle, uint32_t actor, uint32_t group) {
    oracle_membership_of(oracle, actor, group)->wants = false;
}

void oracle_left(struct oracle *oracle, uint32_t actor, uint32_t group) {
    struct oracle_membership *membership = oracle_membership_of(oracle, actor, group);
    membership->joined = false;
    membership->view = NULL;
}

static struct oracle_view *make_view(struct oracle *oracle, uint32_t group, uint64_t number,
                                     const uint32_t *members, size_t count) {
    struct oracle_view *view = allocated(calloc(1, sizeof *view));
    view->number = number;
    view->group = group;
    view->count = (uint32_t)count;
    view->members = allocated(malloc((count + 1) * sizeof *members));
    if (count != 0) {
        memcpy(view->members, members, count * sizeof *members);
    }
    view->next = oracle->all_views;
    oracle->all_views = view;
    return view;
}

static void note_bound(struct oracle *oracle, struct oracle_membership *membership, uint64_t now) {
    struct oracle_stream *stream =
        sim_map_get(&oracle->streams, pair(membership->actor, membership->group));
    if (stream == NULL) {
        return;
    }
    if (stream->bound_count == stream->bound_room) {
        stream->bound_room = stream->bound_room == 0 ? 4 : stream->bound_room * 2;
        stream->bounds =
            allocated(realloc(stream->bounds, stream->bound_room * sizeof *stream->bounds));
    }
    stream->bounds[stream->bound_count++] =
        (struct oracle_bound){membership->view, stream->sent + 1, now};
}

void oracle_members(struct oracle *oracle, uint32_t actor, uint32_t group, uint64_t number,
                    const uint32_t *members, size_t count, uint64_t now) {
    uint64_t key = sim_hash_number(sim_hash_number(0, group + 1), number) | 1;
    struct oracle_view *view = sim_map_get(&oracle->views, key);
    oracle_apply(oracle, ORACLE_VIEWS);
    if (view == NULL) {
        view = make_view(oracle, group, number, members, count);
        remember(&oracle->views, key, view);
    } else if (view->count != count ||
               memcmp(view->members, members, count * sizeof *members) != 0) {
        oracle_fail(oracle, ORACLE_VIEWS, now,
                    "actor %u sees %zu members in view %llu of group %u, another saw %u", actor,
                    count, (unsigned long long)number, group, view->count);
    }
    struct oracle_membership *membership = oracle_membership_of(oracle, actor, group);
    if (membership->view != NULL && membership->view->number > number) {
        oracle_fail(oracle, ORACLE_VIEWS, now, "actor %u goes back to view %llu of group %u", actor,
                    (unsigned long long)number, group);
    }
    membership->view = view;
    note_bound(oracle, membership, now);
}

/* ---- messages ---- */

/* The first bytes of every payload. */
struct stamp {
    uint32_t actor;
    uint32_t place; /* the group, and above 24 bits the session of the sender in it */
    uint64_t number;
    uint64_t sent_at;
    uint32_t size;
    uint32_t check;
};

_Static_assert(sizeof(struct stamp) == ORACLE_STAMP, "a stamp has a fixed size");

enum { GROUP_BITS = 24 };

static uint32_t group_of(const struct stamp *stamp) {
    return stamp->place & ((1u << GROUP_BITS) - 1);
}

static uint32_t check_of(const struct stamp *stamp) {
    uint64_t hash =
        sim_hash_number(sim_hash_number(1, pair(stamp->actor, stamp->place)), stamp->number);
    return (uint32_t)sim_hash_number(sim_hash_number(hash, stamp->sent_at), stamp->size);
}

/* The pattern after the stamp: eight bytes at a time, cheap to write and to compare. */
static uint64_t pattern(const struct stamp *stamp, size_t word) {
    return ((uint64_t)stamp->check << 32 | stamp->number) + word * 0x9e3779b97f4a7c15u;
}

static void fill(const struct stamp *stamp, uint8_t *bytes, size_t size) {
    size_t at = ORACLE_STAMP;
    for (size_t word = 0; at + 8 <= size; word++, at += 8) {
        uint64_t value = pattern(stamp, word);
        memcpy(bytes + at, &value, 8);
    }
    memset(bytes + at, (int)(stamp->check & 0xff), size - at);
}

static bool is_filled(const struct stamp *stamp, const uint8_t *bytes, size_t size) {
    size_t at = ORACLE_STAMP;
    uint64_t differs = 0;
    for (size_t word = 0; at + 8 <= size; word++, at += 8) {
        uint64_t value;
        memcpy(&value, bytes + at, 8);
        differs |= value ^ pattern(stamp, word);
    }
    for (; at < size; at++) {
        differs |= bytes[at] ^ (stamp->check & 0xff);
    }
    return differs == 0;
}

struct oracle_stream *oracle_stream_find(const struct oracle *oracle, uint32_t actor,
                                         uint32_t group) {
    return sim_map_get(&oracle->streams, pair(actor, group));
}

static struct oracle_stream *stream_of(struct oracle *oracle, uint32_t actor, uint32_t group,
                                       uint64_t now) {
    struct oracle_stream *stream = oracle_stream_find(oracle, actor, group);
    if (stream == NULL) {
        stream = allocated(calloc(1, sizeof *stream));
        stream->actor = actor;
        stream->group = group;
        stream->sender = oracle_membership_of(oracle, actor, group);
        stream->next = oracle->all_streams;
        oracle->all_streams = stream;
        remember(&oracle->streams, pair(actor, group), stream);
        if (stream->sender->view != NULL) {
            note_bound(oracle, stream->sender, now);
        }
    }
    return stream;
}

uint64_t oracle_send(struct oracle *oracle, uint32_t actor, uint32_t group, uint8_t *bytes,
                     size_t size, uint64_t now) {
    assert(size >= ORACLE_STAMP && size <= UINT32_MAX);
    struct oracle_stream *stream = stream_of(oracle, actor, group, now);
    oracle_apply(oracle, ORACLE_LEAVE);
    if (!stream->sender->wants && stream->sender->session != 0) {
        oracle_fail(oracle, ORACLE_LEAVE, now,
                    "a payload of actor %u is requested for group %u, which it left", actor, group);
    }
    uint32_t place = group | stream->sender->session << GROUP_BITS;
    struct stamp stamp = {actor, place, ++stream->sent, now, (uint32_t)size, 0};
    stamp.check = check_of(&stamp);
    memcpy(bytes, &stamp, sizeof stamp);
    fill(&stamp, bytes, size);
    stream->last_at = now;
    return stamp.number;
}

void oracle_sent(struct oracle *oracle, uint32_t actor, uint32_t group, uint64_t now) {
    struct oracle_stream *stream = stream_of(oracle, actor, group, now);
    oracle_apply(oracle, ORACLE_LEAVE);
    if (stream->sender->session != 0 && !stream->sender->wants && !stream->sender->joined) {
        oracle_fail(oracle, ORACLE_LEAVE, now, "actor %u sent to group %u after it had left", actor,
                    group);
    }
    stream->left++;
}

static bool read_stamp(const uint8_t *bytes, size_t size, struct stamp *stamp) {
    if (size < ORACLE_STAMP) {
        return false;
    }
    memcpy(stamp, bytes, sizeof *stamp);
    return stamp->check == check_of(stamp) && stamp->size == size;
}

bool oracle_read(const uint8_t *bytes, size_t size, struct oracle_stamp *stamp) {
    struct stamp read;
    if (!read_stamp(bytes, size, &read)) {
        return false;
    }
    *stamp = (struct oracle_stamp){read.actor, group_of(&read), read.number, read.sent_at};
    return true;
}

struct oracle_cursor *oracle_cursor_of(struct oracle *oracle, uint32_t receiver, uint32_t sender,
                                       uint32_t group) {
    uint64_t key = triple(receiver, sender, group);
    struct oracle_cursor *cursor = sim_map_get(&oracle->cursors, key);
    if (cursor == NULL) {
        cursor = allocated(calloc(1, sizeof *cursor));
        cursor->receiver = oracle_membership_of(oracle, receiver, group);
        cursor->next = oracle->all_cursors;
        oracle->all_cursors = cursor;
        remember(&oracle->cursors, key, cursor);
    }
    return cursor;
}

/* The short name of a sender must mean one actor for everybody; a later generation of the service
 * may reuse the name of a dead node. */
static void check_name(struct oracle *oracle, uint32_t sender, uint32_t actor, uint64_t now) {
    uintptr_t known = (uintptr_t)sim_map_get(&oracle->names, (uint64_t)sender + 1);
    if (known == 0) {
        remember(&oracle->names, (uint64_t)sender + 1, (void *)(uintptr_t)actor);
    } else if (known != actor && !oracle_actor_of(oracle, (uint32_t)known)->alive) {
        remember(&oracle->names, (uint64_t)sender + 1, (void *)(uintptr_t)actor);
    } else if (known != actor) {
        oracle_fail(oracle, ORACLE_CONTENT, now, "short name %u means actor %u and actor %u",
                    sender, (uint32_t)known, actor);
    }
}

static uintptr_t losses_of(const struct oracle *oracle, uint32_t receiver, uint32_t sender) {
    return (uintptr_t)sim_map_get(&oracle->losses, pair(receiver, sender));
}

/* Each loss that names no group excuses one gap in each group. */
static bool is_excused(const struct oracle *oracle, struct oracle_cursor *cursor, uint32_t sender) {
    if (cursor->may_skip) {
        return true;
    }
    if (oracle->losses.count != 0 &&
        cursor->losses < losses_of(oracle, cursor->receiver->actor, sender)) {
        cursor->losses++;
        return true;
    }
    return false;
}

static void check_number(struct oracle *oracle, struct oracle_cursor *cursor,
                         const struct stamp *stamp, uint64_t core_number, uint64_t now) {
    if (stamp->number <= cursor->last) {
        oracle_fail(oracle, ORACLE_PREFIX, now,
                    "actor %u gets number %llu of actor %u in group %u again or late, after %llu",
                    cursor->receiver->actor, (unsigned long long)stamp->number, stamp->actor,
                    group_of(stamp), (unsigned long long)cursor->last);
    } else if (stamp->number != cursor->last + 1 && !is_excused(oracle, cursor, stamp->actor)) {
        oracle_fail(oracle, ORACLE_PREFIX, now,
                    "actor %u gets number %llu of actor %u in group %u right after %llu",
                    cursor->receiver->actor, (unsigned long long)stamp->number, stamp->actor,
                    group_of(stamp), (unsigned long long)cursor->last);
    } else if (stamp->place >> GROUP_BITS == cursor->sender_session &&
               core_number - cursor->core_last != stamp->number - cursor->last) {
        oracle_fail(oracle, ORACLE_CONTENT, now,
                    "the core numbers of actor %u in group %u go from %llu to %llu", stamp->actor,
                    group_of(stamp), (unsigned long long)cursor->core_last,
                    (unsigned long long)core_number);
    }
}

/* Read the whole content of every message. */
static bool check_content(struct oracle *oracle, uint32_t actor, uint32_t group,
                          const uint8_t *bytes, size_t size, struct stamp *stamp, uint64_t now) {
    oracle_apply(oracle, ORACLE_CONTENT);
    if (!read_stamp(bytes, size, stamp) || !is_filled(stamp, bytes, size)) {
        oracle_fail(oracle, ORACLE_CONTENT, now, "actor %u gets %zu bytes that nobody sent", actor,
                    size);
        return false;
    }
    if (group_of(stamp) != group) {
        oracle_fail(oracle, ORACLE_CONTENT, now, "actor %u gets a message of group %u in group %u",
                    actor, group_of(stamp), group);
        return false;
    }
    return true;
}

static void note_ahead(struct oracle *oracle, const struct stamp *stamp, uint64_t core_number) {
    struct oracle_stream *stream = oracle_stream_find(oracle, stamp->actor, group_of(stamp));
    if (stream != NULL) {
        stream->ahead = stamp->number - core_number;
    }
}

uint64_t oracle_deliver(struct oracle *oracle, uint32_t actor, uint32_t group, uint32_t sender,
                        uint64_t core_number, const uint8_t *bytes, size_t size, uint64_t now) {
    struct stamp stamp;
    if (!check_content(oracle, actor, group, bytes, size, &stamp, now)) {
        return UINT64_MAX;
    }
    struct oracle_cursor *cursor = oracle_cursor_of(oracle, actor, stamp.actor, group);
    oracle_apply(oracle, ORACLE_PREFIX);
    if (!cursor->receiver->wants) {
        oracle_fail(oracle, ORACLE_LEAVE, now, "actor %u gets a message of group %u, which it left",
                    actor, group);
    }
    if (cursor->session != cursor->receiver->session) {
        check_name(oracle, sender, stamp.actor, now);
        cursor->session = cursor->receiver->session;
        cursor->first = stamp.number;
        cursor->sender = sender;
        cursor->missed = false;
    } else if (cursor->sender != sender) {
        oracle_fail(oracle, ORACLE_CONTENT, now, "actor %u changed its short name from %u to %u",
                    stamp.actor, cursor->sender, sender);
    } else {
        check_number(oracle, cursor, &stamp, core_number, now);
    }
    if (stamp.place >> GROUP_BITS <= 1) {
        note_ahead(oracle, &stamp, core_number);
    }
    cursor->last = stamp.number;
    cursor->core_last = core_number;
    cursor->sender_session = stamp.place >> GROUP_BITS;
    cursor->may_skip = false;
    return stamp.sent_at;
}

/* ---- notices ---- */

uint32_t oracle_named(const struct oracle *oracle, uint32_t sender) {
    return (uint32_t)(uintptr_t)sim_map_get(&oracle->names, (uint64_t)sender + 1);
}

void oracle_skipped(struct oracle *oracle, uint32_t actor, uint32_t group, uint32_t sender,
                    bool dropped, uint64_t now) {
    uint32_t who = oracle_named(oracle, sender);
    if (dropped && !oracle_membership_of(oracle, actor, group)->may_drop) {
        oracle_fail(oracle, ORACLE_EVICTION, now, "actor %u drops in group %u without that policy",
                    actor, group);
    }
    if (who == 0) {
        return;
    }
    if (!dropped && oracle_actor_of(oracle, who)->alive && !oracle_excuses(oracle, who)) {
        oracle_fail(oracle, ORACLE_EVICTION, now, "actor %u loses data of actor %u, which lives",
                    actor, who);
    }
    if (group == ORACLE_ANY_GROUP) {
        remember(&oracle->losses, pair(actor, who), (void *)(losses_of(oracle, actor, who) + 1));
    } else {
        struct oracle_cursor *cursor = oracle_cursor_of(oracle, actor, who, group);
        cursor->may_skip = cursor->robbed = true;
    }
}

/* ---- obligations ---- */

static bool is_in(const struct oracle_view *view, uint32_t actor) {
    uint32_t low = 0, high = view->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (view->members[middle] < actor) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < view->count && view->members[low] == actor;
}

/* The first message of @stream that @actor had to receive: from there on every view that the sender
 * knew, up to the last, contains it, and was announced after @since. 0 if the last view does not
 * contain it. */
static uint64_t owed_from(const struct oracle_stream *stream, uint32_t actor, uint64_t since) {
    uint64_t from = 0;
    for (uint32_t i = stream->bound_count; i > 0; i--) {
        const struct oracle_bound *bound = &stream->bounds[i - 1];
        if (bound->at < since || !is_in(bound->view, actor)) {
            break;
        }
        from = bound->first;
    }
    return from;
}

/* Like owed_from, for a member that is present and healthy; a member that came back is owed the
 * messages sent since. */
static uint64_t due_from(struct oracle *oracle, const struct oracle_stream *stream,
                         uint32_t actor) {
    const struct oracle_membership *membership = oracle_membership_of(oracle, actor, stream->group);
    if (!oracle_actor_of(oracle, actor)->alive || !membership->wants || !membership->joined) {
        return 0;
    }
    return owed_from(stream, actor, membership->session == 1 ? 0 : membership->joined_at);
}

/* The last message delivered since the receiver joined. */
static uint64_t reached(const struct oracle_cursor *cursor) {
    return cursor->session == cursor->receiver->session ? cursor->last : 0;
}

/* True if a member may have accepted a message that it has not delivered: it waits for older
 * packets. */
static bool may_wait(const struct oracle *oracle, uint32_t receiver, uint32_t sender) {
    return oracle->wire != NULL && oracle_wire_waits(oracle->wire, receiver, sender);
}

/* A message reported as stable is at all members that were in the group when it was sent. */
static void check_stable(struct oracle *oracle, struct oracle_stream *stream, uint64_t number,
                         uint64_t now) {
    const struct oracle_view *view =
        stream->bound_count == 0 ? NULL : stream->bounds[stream->bound_count - 1].view;
    for (uint32_t i = 0; view != NULL && i < view->count; i++) {
        uint32_t actor = view->members[i];
        uint64_t from = actor == 0 ? 0 : due_from(oracle, stream, actor);
        const struct oracle_cursor *cursor =
            from == 0 || from > number || oracle_excuses(oracle, actor)
                ? NULL
                : oracle_cursor_of(oracle, actor, stream->actor, stream->group);
        if (cursor != NULL && !cursor->robbed && reached(cursor) < number &&
            !may_wait(oracle, actor, stream->actor)) {
            oracle_fail(oracle, ORACLE_STABLE, now,
                        "number %llu of actor %u in group %u is reported stable, and actor %u "
                        "has %llu",
                        (unsigned long long)number, stream->actor, stream->group, actor,
                        (unsigned long long)reached(cursor));
        }
    }
}

void oracle_stable(struct oracle *oracle, uint32_t actor, uint32_t group, uint32_t sender,
                   uint64_t core_number, uint64_t now) {
    oracle_apply(oracle, ORACLE_STABLE);
    uint32_t who = oracle_named(oracle, sender);
    struct oracle_stream *stream = who == 0 ? NULL : oracle_stream_find(oracle, who, group);
    if (stream == NULL) {
        return;
    }
    if (core_number > stream->sent) {
        oracle_fail(
            oracle, ORACLE_STABLE, now,
            "actor %u gets the report that number %llu of actor %u in group %u is stable, of %llu",
            actor, (unsigned long long)core_number, who, group, (unsigned long long)stream->sent);
    } else if (core_number > stream->stable && stream->sender->session <= 1) {
        stream->stable = core_number;
        check_stable(oracle, stream, core_number + stream->ahead, now);
    }
}

/* ---- the end of a run ---- */

static void settle_member(struct oracle *oracle, const struct oracle_stream *stream, uint32_t actor,
                          uint64_t now) {
    uint64_t from = due_from(oracle, stream, actor);
    if (from == 0 || from > stream->left) {
        return;
    }
    oracle_apply(oracle, ORACLE_PROGRESS);
    const struct oracle_cursor *cursor =
        oracle_cursor_of(oracle, actor, stream->actor, stream->group);
    uint64_t last = reached(cursor);
    if (last < stream->left && !cursor->may_skip) {
        oracle_fail(oracle, ORACLE_PROGRESS, now,
                    "actor %u has %llu of %llu of actor %u in group %u", actor,
                    (unsigned long long)last, (unsigned long long)stream->left, stream->actor,
                    stream->group);
    } else if (last != 0 && cursor->first > from && !cursor->robbed) {
        oracle_fail(oracle, ORACLE_PREFIX, now,
                    "actor %u began with %llu of actor %u in group %u, and was due %llu", actor,
                    (unsigned long long)cursor->first, stream->actor, stream->group,
                    (unsigned long long)from);
    }
}

void oracle_settle(struct oracle *oracle, uint64_t now) {
    for (const struct oracle_stream *stream = oracle->all_streams; stream != NULL;
         stream = stream->next) {
        if (!oracle_actor_of(oracle, stream->actor)->alive || stream->bound_count == 0) {
            continue;
        }
        const struct oracle_view *last = stream->bounds[stream->bound_count - 1].view;
        for (uint32_t i = 0; i < last->count; i++) {
            if (last->members[i] != 0) {
                settle_member(oracle, stream, last->members[i], now);
            }
        }
    }
}
