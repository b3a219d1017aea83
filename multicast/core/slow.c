/* Slow: an application that takes a group's messages too slowly (rule 1.0.4, FR-11). It is that group's
 * affair alone: the engine goes on accepting, and nothing of it shows in `contig`.
 *
 * Throttle asks the group's senders to pause when the queue is half full; the other half is room for
 * what is under way. A pause ends by itself after a second unless it is said again, so that nobody
 * waits for a receiver that is gone. What passes the bound all the same is the policy's: dropped and
 * told, or the group is demoted until the application resumes it. */
#include "machine.h"

enum { PAUSE_MILLISECONDS = 1000, SAY_MILLISECONDS = 250 };

/* Whether the queue holds at least so many messages or bytes, where they are bounded. */
static bool is_beyond(const struct mcast_group *group, uint64_t messages, uint64_t bytes) {
    return (group->queue_messages != 0 && group->held >= messages) ||
           (group->queue_bytes != 0 && group->held_bytes >= bytes);
}

static bool is_half_full(const struct mcast_group *group) {
    return is_beyond(group, group->queue_messages / 2, group->queue_bytes / 2);
}

static bool is_full(const struct mcast_group *group) {
    return is_beyond(group, group->queue_messages, group->queue_bytes);
}

static void say(struct mcast_member *member, const struct mcast_group *group, mcast_node sender,
                bool pause) {
    const struct mcast_peer *peer = mcast_peer_find(member, sender);
    if (peer == NULL || peer->dead || sender == member->node) {
        return;
    }
    struct mcast_flow flow = {.group = group->short_name, .pause = pause};
    struct mcast_writer writer = mcast_emit_begin(member, 16);
    mcast_flow_write(&writer, &flow);
    mcast_emit(member, &writer, MCAST_WIRE_FLOW, 0, 0, &peer->address);
}

static struct mcast_pause *find_pause(struct mcast_member *member, uint32_t group,
                                      mcast_node sender) {
    struct mcast_pause *pauses = member->pauses.items;
    for (size_t i = 0; i < member->pauses.count; i++) {
        if (pauses[i].group == group && pauses[i].sender == sender) {
            return &pauses[i];
        }
    }
    return NULL;
}

static void ask_to_pause(struct mcast_member *member, uint32_t index, struct mcast_group *group,
                         mcast_node sender) {
    struct mcast_pause *pause = find_pause(member, index, sender);
    if (pause == NULL) {
        pause = mcast_list_add(member, &member->pauses, sizeof *pause);
        if (pause == NULL) {
            return;
        }
        *pause = (struct mcast_pause){.group = index, .sender = sender, .said = member->now};
    } else if (member->now < pause->said + SAY_MILLISECONDS * MCAST_MILLISECOND) {
        return;
    }
    pause->said = member->now;
    group->paused = true;
    say(member, group, sender, true);
    if (!mcast_timer_is_set(&member->pause_alarm.timer)) {
        mcast_alarm_set(member, &member->pause_alarm,
                        member->now + SAY_MILLISECONDS * MCAST_MILLISECOND);
    }
}

/* Takes the pauses of @index away; tells their senders when @tell. */
static void end_pauses(struct mcast_member *member, uint32_t index, bool tell) {
    struct mcast_group *group = mcast_group_at(member, index);
    struct mcast_pause *pauses = member->pauses.items;
    size_t kept = 0;
    for (size_t i = 0; i < member->pauses.count; i++) {
        if (pauses[i].group != index) {
            pauses[kept++] = pauses[i];
        } else if (tell && group != NULL) {
            say(member, group, pauses[i].sender, false);
        }
    }
    member->pauses.count = kept;
    if (group != NULL) {
        group->paused = false;
    }
}

static void demote(struct mcast_member *member, uint32_t index, struct mcast_group *group) {
    group->demoted = true;
    end_pauses(member, index, true);
    mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_DEMOTED,
                                                     .group = index,
                                                     .count = group->held});
    if (group->slow == MCAST_SLOW_EVICT) {
        mcast_group_leave(member, index);
    }
}

static void drop(struct mcast_member *member, uint32_t index, mcast_node sender,
                 uint64_t number) {
    member->stats.messages_dropped++;
    mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_DROPPED,
                                                     .group = index,
                                                     .sender = sender,
                                                     .number = number,
                                                     .last = number,
                                                     .count = 1});
}

/* Whether a full queue takes one more all the same: what was under way when senders were paused. */
static bool has_reserve(const struct mcast_group *group) {
    return group->slow == MCAST_SLOW_THROTTLE &&
           !is_beyond(group, (uint64_t)group->queue_messages * 2, (uint64_t)group->queue_bytes * 2);
}

bool mcast_slow_admit(struct mcast_member *member, uint32_t index, mcast_node sender,
                      uint64_t number, uint32_t length) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group->queue_messages == 0 && group->queue_bytes == 0) {
        return true;
    }
    if (group->demoted) {
        member->stats.messages_dropped++;
        return false;
    }
    if (group->slow == MCAST_SLOW_THROTTLE && is_half_full(group)) {
        ask_to_pause(member, index, group, sender);
    }
    if (is_full(group) && !has_reserve(group)) {
        if (group->slow == MCAST_SLOW_DROP) {
            drop(member, index, sender, number);
        } else {
            demote(member, index, group);
            drop(member, index, sender, number);
        }
        return false;
    }
    group->held++;
    group->held_bytes += length;
    return true;
}

void mcast_slow_consumed(struct mcast_member *member, uint32_t index, uint32_t messages,
                         uint64_t bytes) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL) {
        return;
    }
    group->held -= messages < group->held ? messages : group->held;
    group->held_bytes -= bytes < group->held_bytes ? bytes : group->held_bytes;
    bool drained = !is_beyond(group, group->queue_messages / 4, group->queue_bytes / 4) ||
                   group->held == 0;
    if (group->paused && drained) {
        end_pauses(member, index, true);
    }
}

void mcast_slow_resume(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL) {
        mcast_refuse(member, index, 0, MCAST_EGROUP);
        return;
    }
    group->demoted = false;
    group->held = 0;
    group->held_bytes = 0;
}

/* ---- at the sender ---- */

void mcast_slow_told(struct mcast_member *member, uint32_t index, bool pause) {
    struct mcast_group *group = mcast_group_at(member, index);
    struct mcast_active *active = group == NULL ? NULL : mcast_group_active(member, group);
    if (active == NULL) {
        return;
    }
    bool was = active->paused_until > member->now;
    active->paused_until =
        pause ? member->now + PAUSE_MILLISECONDS * MCAST_MILLISECOND : 0;
    if (pause && !was) {
        mcast_route_unready(member, index);
        uint32_t *place = mcast_list_add(member, &member->paused, sizeof *place);
        if (place == NULL) {
            active->paused_until = 0;
            mcast_route_ready(member, index);
            return;
        }
        *place = index;
    }
    if (pause != was) {
        mcast_emit_notice(member, &(struct mcast_notice){.kind = pause ? MCAST_NOTICE_PAUSED
                                                                       : MCAST_NOTICE_RESUMED,
                                                         .group = index});
    }
    if (pause) {
        if (!mcast_timer_is_set(&member->pause_alarm.timer)) {
            mcast_alarm_set(member, &member->pause_alarm,
                            member->now + SAY_MILLISECONDS * MCAST_MILLISECOND);
        }
    } else {
        mcast_route_ready(member, index);
        mcast_group_rest(member, group);
    }
}

/* Ends pauses that were not said again. */
static void expire(struct mcast_member *member) {
    uint32_t *paused = member->paused.items;
    size_t kept = 0;
    for (size_t i = 0; i < member->paused.count; i++) {
        struct mcast_group *group = mcast_group_at(member, paused[i]);
        if (group == NULL || group->active == NULL) {
            continue;
        }
        if (group->active->paused_until > member->now) {
            paused[kept++] = paused[i];
            continue;
        }
        if (group->active->paused_until != 0) {
            group->active->paused_until = 0;
            mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_RESUMED,
                                                             .group = paused[i]});
        }
        mcast_route_ready(member, paused[i]);
        mcast_group_rest(member, group);
    }
    member->paused.count = kept;
}

static void ring_pauses(struct mcast_member *member, struct mcast_alarm *self) {
    struct mcast_pause *pauses = member->pauses.items;
    for (size_t i = 0; i < member->pauses.count; i++) {
        const struct mcast_group *group = mcast_group_at(member, pauses[i].group);
        if (group != NULL && group->paused) {
            pauses[i].said = member->now;
            say(member, group, pauses[i].sender, true);
        }
    }
    expire(member);
    if (member->pauses.count > 0 || member->paused.count > 0) {
        mcast_alarm_set(member, self, member->now + SAY_MILLISECONDS * MCAST_MILLISECOND);
    }
}

void mcast_slow_init(struct mcast_member *member) {
    member->pause_alarm.ring = ring_pauses;
}
