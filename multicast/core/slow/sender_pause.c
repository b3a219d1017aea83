/* Sender pause: what slow receivers of a group asked of this sender (rule 1.0.4).
 *
 * Each receiver that fell behind has a brake of its own: wait, or send up to a number of messages.
 * A group follows its slowest brake, so that no receiver cancels what another asked for. A brake
 * that is not repeated for a second expires, as its receiver may be gone. */
#include "member/member_state.h"

enum {
    BRAKE_MILLISECONDS = 1000, /* a brake that is not repeated expires */
    CHECK_MILLISECONDS = 250,  /* between checks for expired brakes */
};

/* The request of one receiver. */
struct brake {
    uint32_t group;
    mcast_node receiver;
    uint32_t credit; /* how many messages may leave; 0: wait */
    mcast_time until;
};

static struct brake *brake_at(const struct mcast_member *member, size_t index) {
    return &((struct brake *)member->brakes.items)[index];
}

static void take_out(struct mcast_member *member, size_t index) {
    *brake_at(member, index) = *brake_at(member, --member->brakes.count);
}

/* Return the index of the brake, or the count of all. */
static size_t find(const struct mcast_member *member, uint32_t group, mcast_node receiver) {
    size_t at = 0;
    while (at < member->brakes.count &&
           (brake_at(member, at)->group != group || brake_at(member, at)->receiver != receiver)) {
        at++;
    }
    return at;
}

/* Combine the brakes of @index. */
static void combine_brakes(const struct mcast_member *member, uint32_t index,
                           struct mcast_active *active) {
    active->paused_until = active->metered_until = 0;
    for (size_t i = 0; i < member->brakes.count; i++) {
        const struct brake *brake = brake_at(member, i);
        if (brake->group != index || brake->until <= member->now) {
            continue;
        }
        mcast_time *end = brake->credit == 0 ? &active->paused_until : &active->metered_until;
        *end = brake->until > *end ? brake->until : *end;
    }
}

static void notify(struct mcast_member *member, uint32_t index, enum mcast_notice_kind kind) {
    mcast_emit_notice(member, &(struct mcast_notice){.kind = kind, .group = index});
}

/* Apply changed brakes of @index. */
static void apply_brakes(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    struct mcast_active *active = group == NULL ? NULL : group->active;
    if (active == NULL) {
        return;
    }
    bool was = active->waits;
    combine_brakes(member, index, active);
    active->waits = active->paused_until != 0;
    if (active->waits && !was) {
        mcast_route_unready(member, index);
        notify(member, index, MCAST_NOTICE_PAUSED);
    } else if (!active->waits && was) {
        notify(member, index, MCAST_NOTICE_RESUMED);
    }
    if (!active->waits) {
        mcast_route_ready(member, index);
        mcast_group_rest(member, group);
    }
}

static void check_soon(struct mcast_member *member) {
    if (!mcast_timer_is_set(&member->brake_alarm.timer)) {
        mcast_alarm_set(member, &member->brake_alarm,
                        member->now + CHECK_MILLISECONDS * MCAST_MILLISECOND);
    }
}

void mcast_slow_told(struct mcast_member *member, const struct mcast_flow *flow,
                     mcast_node receiver, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    size_t at = find(member, index, receiver);
    bool free = !flow->pause && flow->credit == UINT32_MAX;
    if (group == NULL || mcast_group_active(member, group) == NULL) {
        return;
    }
    if (free && at < member->brakes.count) {
        take_out(member, at);
    } else if (!free) {
        struct brake *brake = at < member->brakes.count
                                  ? brake_at(member, at)
                                  : mcast_list_add(member, &member->brakes, sizeof *brake);
        if (brake == NULL) {
            return; /* sending too fast is better than never */
        }
        *brake = (struct brake){.group = index,
                                .receiver = receiver,
                                .credit = flow->pause ? 0 : flow->credit,
                                .until = member->now + BRAKE_MILLISECONDS * MCAST_MILLISECOND};
        check_soon(member);
    }
    apply_brakes(member, index);
}

void mcast_slow_spend(struct mcast_member *member, uint32_t index) {
    bool over = false;
    if (mcast_group_at(member, index)->active->metered_until <= member->now) {
        return;
    }
    for (size_t i = 0; i < member->brakes.count; i++) {
        struct brake *brake = brake_at(member, i);
        if (brake->group == index && brake->credit > 0 && brake->until > member->now) {
            over |= --brake->credit == 0;
        }
    }
    if (over) {
        apply_brakes(member, index);
    }
}

static void ring_brakes(struct mcast_member *member, struct mcast_alarm *self) {
    (void)self;
    for (size_t i = 0; i < member->brakes.count;) {
        if (brake_at(member, i)->until > member->now) {
            i++;
            continue;
        }
        uint32_t group = brake_at(member, i)->group;
        take_out(member, i);
        apply_brakes(member, group);
    }
    if (member->brakes.count > 0) {
        check_soon(member);
    }
}

bool mcast_slow_brake(const struct mcast_member *member, size_t index, mcast_time now,
                      struct mcast_laggard *braking) {
    if (index >= member->brakes.count) {
        return false;
    }
    const struct brake *brake = brake_at(member, index);
    braking->node = brake->until > now && brake->credit == 0 ? brake->receiver : 0;
    braking->group = brake->group;
    return true;
}

void mcast_slow_sender_init(struct mcast_member *member) {
    member->brake_alarm.ring = ring_brakes;
}

void mcast_slow_sender_free(struct mcast_member *member) {
    mcast_list_free(member, &member->brakes, sizeof(struct brake));
}
