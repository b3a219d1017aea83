/* Slow application: one that takes a group's messages too slowly (rule 1.0.4, FR-11). This affects
 * that group only: the engine goes on accepting, and `contig` does not show it.
 *
 * When the queue is half full, the application is warned. Beyond the bound the policy acts. By
 * default the member leaves the group, so that nobody waits for it and nothing is lost unnoticed;
 * it may rejoin at once and takes the state from the others. Alternatively messages are dropped,
 * each with a notice, or the group is demoted until the application resumes it. The same policy
 * acts when the application leaves more unread than the member's configuration allows for all
 * groups together.
 *
 * An application that takes nothing at all for unread_time is taken for hung: the member leaves all
 * groups in which others could wait for it, whatever their queues hold. It alone knows that,
 * because its engine still passes tokens and heartbeats on. Groups that only drop messages hold
 * nobody up.
 *
 * Throttle asks the group's senders to pause when the queue is half full; the other half is room
 * for what is under way. When the queue has drained, the senders may together send as many messages
 * as fit into half of it, and get more as these are consumed. A pause expires after a second unless
 * it is repeated, so that nobody waits for a receiver that is gone. Messages beyond the bound still
 * demote the group. For the sender's side see slow/sender_pause.c. */
#include "member/member_state.h"

enum {
    PAUSE_MILLISECONDS = 1000, /* a pause that is not repeated expires */
    REPEAT_MILLISECONDS = 250, /* between repetitions, so that three may be lost */
};

/* A hung application had asked to join some groups, which arrive later: look again this often. */
#define HUNG_REVIEW_EVERY MCAST_SECOND

/* True when the queue holds at least as many messages or bytes, where these are bounded. */
static bool holds_at_least(const struct mcast_group *group, uint64_t messages, uint64_t bytes) {
    return (group->queue_messages != 0 && group->held >= messages) ||
           (group->queue_bytes != 0 && group->held_bytes >= bytes);
}

static bool is_half_full(const struct mcast_group *group) {
    return holds_at_least(group, group->queue_messages / 2, group->queue_bytes / 2);
}

static bool is_full(const struct mcast_group *group) {
    return holds_at_least(group, group->queue_messages, group->queue_bytes);
}

enum { CROWD_PART = 8 }; /* a group with an eighth of the limit has a large part */

/* True when the application leaves so much unread in all groups together that this group, with a
 * large part of it, counts as full whatever its own bound; at twice that limit, any group does. */
static bool is_crowded(const struct mcast_member *member, const struct mcast_group *group) {
    const struct mcast_config *config = &member->config;
    const struct mcast_emitted *emitted = &member->emitted;
    uint64_t messages = config->unread_messages;
    uint64_t bytes = config->unread_bytes;
    bool many = messages != 0 && emitted->unread >= messages;
    bool large = bytes != 0 && emitted->unread_bytes >= bytes;
    return (many && (emitted->unread >= 2 * messages || group->held >= messages / CROWD_PART)) ||
           (large &&
            (emitted->unread_bytes >= 2 * bytes || group->held_bytes >= bytes / CROWD_PART));
}

static void send_flow(struct mcast_member *member, const struct mcast_group *group,
                      mcast_node sender, bool pause, uint32_t credit) {
    const struct mcast_peer *peer = mcast_peer_find(member, sender);
    if (peer == NULL || peer->dead || sender == member->node) {
        return;
    }
    struct mcast_flow flow = {
        .sender = sender, .group = group->short_name, .pause = pause, .credit = credit};
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
    } else if (!pause->open &&
               member->now < pause->said + REPEAT_MILLISECONDS * MCAST_MILLISECOND) {
        return;
    }
    pause->said = member->now;
    pause->open = false;
    group->paused = true;
    send_flow(member, group, sender, true, 0);
    if (!mcast_timer_is_set(&member->pause_alarm.timer)) {
        mcast_alarm_set(member, &member->pause_alarm,
                        member->now + REPEAT_MILLISECONDS * MCAST_MILLISECOND);
    }
}

/* Remove the pauses of @index and let the senders go on freely. */
static void end_pauses(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    struct mcast_pause *pauses = member->pauses.items;
    size_t kept = 0;
    for (size_t i = 0; i < member->pauses.count; i++) {
        if (pauses[i].group != index) {
            pauses[kept++] = pauses[i];
        } else if (group != NULL) {
            send_flow(member, group, pauses[i].sender, false, UINT32_MAX);
        }
    }
    member->pauses.count = kept;
    if (group != NULL) {
        group->paused = false;
    }
}

/* Return how many messages each waiting sender may send now: its share of half of the queue. */
static uint32_t share_of(const struct mcast_member *member, const struct mcast_group *group,
                         uint32_t index) {
    const struct mcast_pause *pauses = member->pauses.items;
    uint32_t senders = 0;
    for (size_t i = 0; i < member->pauses.count; i++) {
        senders += pauses[i].group == index ? 1 : 0;
    }
    /* A queue bounded in bytes only grants by its reserve. */
    uint32_t half = group->queue_messages == 0 ? 64 : group->queue_messages / 2;
    uint32_t share = senders == 0 ? half : half / senders;
    return share > 0 ? share : 1;
}

/* The queue has drained: grant each sender its share. */
static void grant(struct mcast_member *member, uint32_t index, struct mcast_group *group) {
    struct mcast_pause *pauses = member->pauses.items;
    uint32_t share = share_of(member, group, index);
    for (size_t i = 0; i < member->pauses.count; i++) {
        if (pauses[i].group == index) {
            pauses[i].open = true;
            pauses[i].said = member->now;
            send_flow(member, group, pauses[i].sender, false, share);
        }
    }
    group->paused = false;
}

static void demote(struct mcast_member *member, uint32_t index, struct mcast_group *group) {
    group->demoted = true;
    end_pauses(member, index);
    mcast_emit_notice(
        member,
        &(struct mcast_notice){.kind = MCAST_NOTICE_DEMOTED, .group = index, .count = group->held});
    if (group->slow == MCAST_SLOW_EVICT) {
        group->expelled = true;
        mcast_group_leave(member, index);
    }
}

/* Warn once that the application is about to fall behind. */
static void warn(struct mcast_member *member, uint32_t index, struct mcast_group *group) {
    if (!group->behind) {
        group->behind = true;
        mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_BEHIND,
                                                         .group = index,
                                                         .count = group->held});
    }
}

/* Extend the notice before, if it reports the message just before as dropped; return true when
 * extended. */
static bool extends_last_notice(struct mcast_member *member, uint32_t index, mcast_node sender,
                                uint64_t number) {
    const struct mcast_list *told = &member->emitted.notices;
    struct mcast_notice *last = (struct mcast_notice *)told->items + told->count;
    if (told->count == 0 || (--last)->kind != MCAST_NOTICE_DROPPED || last->group != index ||
        last->sender != sender || last->last + 1 != number) {
        return false;
    }
    last->last = number;
    last->count++;
    return true;
}

static void drop(struct mcast_member *member, uint32_t index, mcast_node sender, uint64_t number) {
    member->stats.messages_dropped++;
    if (extends_last_notice(member, index, sender, number)) {
        return;
    }
    mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_DROPPED,
                                                     .group = index,
                                                     .sender = sender,
                                                     .number = number,
                                                     .last = number,
                                                     .count = 1});
}

/* True when a full queue still takes one more: a message that was under way when its sender was
 * paused. */
static bool has_reserve(const struct mcast_group *group) {
    return group->slow == MCAST_SLOW_THROTTLE &&
           !holds_at_least(group, (uint64_t)group->queue_messages * 2,
                           (uint64_t)group->queue_bytes * 2);
}

bool mcast_slow_admit(struct mcast_member *member, uint32_t index, mcast_node sender,
                      uint64_t number, uint32_t length) {
    struct mcast_group *group = mcast_group_at(member, index);
    bool crowded = is_crowded(member, group);
    if (group->demoted) {
        member->stats.messages_dropped++;
        return false;
    }
    if (is_half_full(group)) {
        warn(member, index, group);
        if (group->slow == MCAST_SLOW_THROTTLE) {
            ask_to_pause(member, index, group, sender);
        }
    }
    if (crowded || (is_full(group) && !has_reserve(group))) {
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

/* True when others may wait for what this application does with the messages of @group. */
static bool is_waited_for(const struct mcast_group *group) {
    return group->state == MCAST_GROUP_IN && mcast_group_receives(group) && !group->demoted &&
           group->slow != MCAST_SLOW_DROP;
}

void mcast_slow_review(struct mcast_member *member, mcast_time unread_for) {
    mcast_time limit = member->config.unread_time;
    if (limit == 0 || unread_for < limit) {
        member->hung_review_at = 0;
        return;
    }
    if (member->now < member->hung_review_at) {
        return;
    }
    member->hung_review_at = member->now + HUNG_REVIEW_EVERY;
    for (size_t i = 0; i < member->chunk_count; i++) {
        for (uint32_t j = 0; member->chunks[i] != NULL && j < MCAST_GROUP_CHUNK; j++) {
            if (is_waited_for(&member->chunks[i][j])) {
                demote(member, (uint32_t)i * MCAST_GROUP_CHUNK + j, &member->chunks[i][j]);
            }
        }
    }
}

static bool is_drained(const struct mcast_group *group) {
    return group->held == 0 ||
           !holds_at_least(group, group->queue_messages / 4, group->queue_bytes / 4);
}

void mcast_slow_consumed(struct mcast_member *member, uint32_t index, uint32_t messages,
                         uint64_t bytes) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL) {
        return;
    }
    group->held -= messages < group->held ? messages : group->held;
    group->held_bytes -= bytes < group->held_bytes ? bytes : group->held_bytes;
    group->taken += messages;
    group->behind = group->behind && !is_drained(group);
    if (group->taken >= group->queue_messages / 4 + 1 && is_drained(group)) {
        group->taken = 0;
        grant(member, index, group);
    }
}

void mcast_slow_resume(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL) {
        mcast_refuse(member, index, 0, MCAST_EGROUP);
        return;
    }
    group->demoted = group->behind = false;
    group->held = 0;
    group->held_bytes = 0;
}

/* Repeat pauses and grants, which may have been lost. A sender that was granted messages and may
 * have sent them is told to wait while the queue has not drained again: its pause would expire
 * after a second, and all that waits would arrive at once. A sender that did not use its grant for
 * a second, though there is room, is dropped from the list. */
static void repeat_pauses(struct mcast_member *member) {
    struct mcast_pause *pauses = member->pauses.items;
    size_t kept = 0;
    for (size_t i = 0; i < member->pauses.count; i++) {
        struct mcast_group *group = mcast_group_at(member, pauses[i].group);
        mcast_time age = member->now - pauses[i].said;
        bool drained = group == NULL || is_drained(group);
        if (group == NULL ||
            (pauses[i].open && drained && age >= PAUSE_MILLISECONDS * MCAST_MILLISECOND)) {
            continue;
        }
        if (!pauses[i].open || !drained) {
            pauses[i].said = member->now;
            pauses[i].open = drained;
            send_flow(member, group, pauses[i].sender, !drained,
                      drained ? share_of(member, group, pauses[i].group) : 0);
        }
        pauses[kept++] = pauses[i];
    }
    member->pauses.count = kept;
}

static void ring_pauses(struct mcast_member *member, struct mcast_alarm *self) {
    repeat_pauses(member);
    if (member->pauses.count > 0) {
        mcast_alarm_set(member, self, member->now + REPEAT_MILLISECONDS * MCAST_MILLISECOND);
    }
}

void mcast_slow_init(struct mcast_member *member) {
    member->pause_alarm.ring = ring_pauses;
    mcast_slow_sender_init(member);
}
