/* A membership service among scripted members: they record what they receive (scripted_member.h),
 * check it and answer as the protocol asks (scripted_member_replies.h), over streams with a delay
 * (service_streams.h). Here time passes, and the state of all members is compared with the requests
 * of the scripts. */
#ifndef SERVICE_WORLD_H
#define SERVICE_WORLD_H

#include "scripted_member_replies.h"

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

/* Let @span pass. */
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
        /* Every node that may send to the member is known to it. */
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

/* Check what must hold whenever nothing is under way: all members have what the scripts requested.
 */
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

/* End the service; all streams break. */
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

/* Start another service, with the next generation; live members connect to it. */
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
