/* Group: the groups of this node, by the number that the caller chose. An idle group is one entry
 * of a table; state for messages under way is attached only while it is needed (lesson 13). */
#include "base/memory.h"
#include "base/prefetch.h"
#include "member/member_state.h"

enum { CHUNK = MCAST_GROUP_CHUNK, GROUPS_MOST = 1 << 20 };

struct mcast_group *mcast_group_at(const struct mcast_member *member, uint32_t group) {
    if (group / CHUNK >= member->chunk_count || member->chunks[group / CHUNK] == NULL) {
        return NULL;
    }
    struct mcast_group *found = &member->chunks[group / CHUNK][group % CHUNK];
    return found->state == MCAST_GROUP_FREE ? NULL : found;
}

void mcast_group_prefetch(const struct mcast_member *member, uint32_t group) {
    if (group / CHUNK < member->chunk_count && member->chunks[group / CHUNK] != NULL) {
        const struct mcast_group *entry = &member->chunks[group / CHUNK][group % CHUNK];
        mcast_prefetch(entry);
        mcast_prefetch(&entry->state);
    }
}

uint32_t mcast_group_named(const struct mcast_member *member, uint32_t short_name) {
    return mcast_name_map_get(&member->shorts, short_name); /* MCAST_NO_GROUP when there is none */
}

bool mcast_group_receives(const struct mcast_group *group) {
    return group->state == MCAST_GROUP_IN && group->receives && !group->leave_asked;
}

/* Return the entry of @group, in use or not; NULL when memory is short. */
static struct mcast_group *entry(struct mcast_member *member, uint32_t group) {
    size_t chunk = group / CHUNK;
    if (chunk >= member->chunk_count) {
        size_t room = member->chunk_count;
        struct mcast_group **chunks = mcast_memory_grow(&member->alloc, member->chunks, &room,
                                                        chunk + 1, sizeof(struct mcast_group *));
        if (chunks == NULL) {
            return NULL;
        }
        member->chunks = chunks;
        member->chunk_count = room;
    }
    if (member->chunks[chunk] == NULL) {
        member->chunks[chunk] = mcast_memory_new(&member->alloc, CHUNK, sizeof(struct mcast_group));
    }
    return member->chunks[chunk] == NULL ? NULL : &member->chunks[chunk][group % CHUNK];
}

void mcast_group_join(struct mcast_member *member, uint32_t index, const struct mcast_id *id,
                      const struct mcast_group_policy *policy, bool receives) {
    int code = MCAST_OK;
    struct mcast_group *group = NULL;
    if (member->evicted || member->stopping) {
        code = member->evicted ? MCAST_EEVICTED : MCAST_ESTOPPED;
    } else if (index >= GROUPS_MOST) {
        code = MCAST_EGROUP;
    } else if (mcast_group_at(member, index) != NULL) {
        code = MCAST_EINUSE;
    } else {
        group = entry(member, index);
        code = group == NULL ? MCAST_ENOMEM : MCAST_OK;
    }
    if (code != MCAST_OK) {
        mcast_refuse(member, index, 0, code);
        return;
    }
    *group = (struct mcast_group){.id = *id,
                                  .state = MCAST_GROUP_ASKED,
                                  .slow = (uint8_t)policy->slow,
                                  .queue_messages = policy->queue_messages,
                                  .queue_bytes = policy->queue_bytes,
                                  .tell_stable = policy->tell_stable,
                                  .receives = receives};
    member->stats.groups++;
    mcast_change_add(member, index, id, receives ? MCAST_SM_JOIN : MCAST_SM_REGISTER_SENDER);
}

/* True while accepted messages, or the announcement of their stability (1.0.14), are not
 * everywhere. */
static bool has_unsettled_messages(const struct mcast_group *group) {
    return group->active != NULL && group->route != NULL &&
           (group->active->first != NULL || group->active->oldest != NULL ||
            group->active->told != NULL);
}

/* Delay a LEAVE. A node that left is no sender any more: views close without its last number
 * (1.0.6, 1.0.13), and what nobody acknowledged would be lost when a view ends. So LEAVE waits
 * until all is stable, or until the region has been silent for as long as a dead node may be. */
static bool delays_leave(struct mcast_member *member, struct mcast_group *group) {
    if (!has_unsettled_messages(group)) {
        return false;
    }
    if (!group->leave_asked) {
        group->leave_asked = true;
        group->active->leave_asked_at = member->now;
    }
    mcast_time bound = mcast_member_patience(member, group->active->leave_asked_at);
    if (member->now >= bound) {
        return false;
    }
    if (!mcast_timer_is_set(&member->leave_alarm.timer)) {
        mcast_alarm_set(member, &member->leave_alarm, bound);
    }
    return true;
}

void mcast_group_leave(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL || group->state == MCAST_GROUP_LEAVING) {
        if (group == NULL) {
            mcast_refuse(member, index, 0, MCAST_EGROUP);
        }
        return;
    }
    if (delays_leave(member, group)) {
        return;
    }
    group->state = MCAST_GROUP_LEAVING;
    mcast_fragments_forget(member, 0, index);
    mcast_change_add(member, index, &group->id,
                     group->receives ? MCAST_SM_LEAVE : MCAST_SM_UNREGISTER_SENDER);
}

/* Complete delayed LEAVEs: time is up, or no receiver is left. */
static void ring_delayed_leaves(struct mcast_member *member, struct mcast_alarm *self) {
    (void)self;
    for (size_t i = 0; i < member->chunk_count; i++) {
        for (uint32_t j = 0; member->chunks[i] != NULL && j < CHUNK; j++) {
            if (member->chunks[i][j].leave_asked) {
                mcast_group_leave(member, (uint32_t)i * CHUNK + j);
            }
        }
    }
}

void mcast_groups_init(struct mcast_member *member) {
    member->leave_alarm.ring = ring_delayed_leaves;
}

void mcast_group_settled(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL || !group->leave_asked) {
        return;
    }
    if (has_unsettled_messages(group)) {
        group->active->leave_asked_at = member->now; /* progress extends the wait */
    } else {
        mcast_group_leave(member, index);
    }
}

static void take_name(struct mcast_member *member, uint32_t index, struct mcast_group *group,
                      uint32_t short_name) {
    if (mcast_name_map_put(&member->shorts, short_name, index) != MCAST_OK) {
        member->short_of_memory = true;
        mcast_refuse(member, index, 0, MCAST_ENOMEM);
        return;
    }
    group->short_name = short_name;
    if (group->state == MCAST_GROUP_ASKED) {
        group->state = MCAST_GROUP_IN;
        /* The name arrives just before the COMMIT of the epoch that brings the group. */
        group->since = member->has_prepared ? member->prepared.as.prepare.epoch : member->epoch;
        enum mcast_notice_kind kind =
            group->receives ? MCAST_NOTICE_JOINED : MCAST_NOTICE_REGISTERED;
        mcast_emit_notice(
            member, &(struct mcast_notice){.kind = kind, .group = index, .sender = member->node});
    }
}

void mcast_group_named_as(struct mcast_member *member, uint32_t index, uint32_t short_name,
                          int32_t code) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL) {
        return;
    }
    if (group->state == MCAST_GROUP_LEAVING && group->short_name != 0) {
        enum mcast_notice_kind kind = group->expelled ? MCAST_NOTICE_EXPELLED : MCAST_NOTICE_LEFT;
        if (group->expelled) {
            mcast_heard_tell(member, index);
        }
        mcast_emit_notice(
            member, &(struct mcast_notice){.kind = kind, .group = index, .sender = member->node});
        mcast_group_forget(member, index);
    } else if (code != MCAST_OK || mcast_group_named(member, short_name) != MCAST_NO_GROUP) {
        mcast_refuse(member, index, 0, code != MCAST_OK ? code : MCAST_EINUSE);
        mcast_group_forget(member, index);
    } else {
        take_name(member, index, group, short_name);
    }
}

struct mcast_active *mcast_group_active(struct mcast_member *member, struct mcast_group *group) {
    if (group->active == NULL) {
        group->active = mcast_slab_take(&member->active_slab);
        if (group->active == NULL) {
            member->short_of_memory = true;
        }
    }
    return group->active;
}

void mcast_group_rest(struct mcast_member *member, struct mcast_group *group) {
    const struct mcast_active *active = group->active;
    if (active == NULL || active->first != NULL || active->oldest != NULL || active->told != NULL ||
        active->in_wants || active->queued || active->paused_until > member->now ||
        active->metered_until > member->now) {
        return;
    }
    mcast_slab_give(&member->active_slab, group->active);
    group->active = NULL;
}

/* Report everything under way as uncertain (rule 1.0.11). */
static void report_uncertain(struct mcast_member *member, uint32_t index,
                             struct mcast_group *group) {
    struct mcast_active *active = group->active;
    for (struct mcast_sent *sent = active->oldest; sent != NULL; sent = sent->next) {
        mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_UNCERTAIN,
                                                         .group = index,
                                                         .number = sent->number,
                                                         .cookie = sent->cookie});
    }
    while (active->first != NULL) {
        struct mcast_send *send = active->first;
        active->first = send->next;
        if (send->sent == NULL && !send->stable) {
            mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_UNCERTAIN,
                                                             .group = index,
                                                             .cookie = send->cookie});
        }
        mcast_emit_hold(member, send->buffer);
        mcast_buffer_release(send->buffer);
        mcast_slab_give(&member->send_slab, send);
        member->stats.pending_messages--;
    }
    active->last = NULL;
    active->pending = 0;
}

static void leave_want_list(struct mcast_member *member, uint32_t index) {
    uint32_t before = MCAST_NO_GROUP;
    uint32_t at = member->first_want;
    while (at != MCAST_NO_GROUP && at != index) {
        before = at;
        at = mcast_group_at(member, at)->active->next_want;
    }
    if (at == MCAST_NO_GROUP) {
        return;
    }
    uint32_t after = mcast_group_at(member, index)->active->next_want;
    if (before == MCAST_NO_GROUP) {
        member->first_want = after;
    } else {
        mcast_group_at(member, before)->active->next_want = after;
    }
    if (member->last_want == index) {
        member->last_want = before;
    }
}

void mcast_group_forget(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    mcast_route_move(member, index, NULL);
    mcast_hybrid_leave(member, group);
    mcast_heard_free(member, group);
    mcast_fragments_forget(member, 0, index);
    if (group->active != NULL) {
        report_uncertain(member, index, group);
        leave_want_list(member, index);
        mcast_sent_orphan(member, group->active->oldest);
        mcast_sent_orphan(member, group->active->told);
        mcast_slab_give(&member->active_slab, group->active);
    }
    if (group->short_name != 0 && mcast_group_named(member, group->short_name) == index) {
        (void)mcast_name_map_take(&member->shorts, group->short_name);
    }
    member->members.due |= group->asks_members; /* others may wait for the answer to its query */
    *group = (struct mcast_group){0};
    member->stats.groups--;
}

void mcast_groups_free(struct mcast_member *member) {
    for (size_t i = 0; i < member->chunk_count; i++) {
        for (uint32_t j = 0; member->chunks[i] != NULL && j < CHUNK; j++) {
            if (member->chunks[i][j].state != MCAST_GROUP_FREE) {
                mcast_group_forget(member, (uint32_t)i * CHUNK + j);
            }
        }
        mcast_memory_free(&member->alloc, member->chunks[i], CHUNK, sizeof(struct mcast_group));
    }
    mcast_memory_free(&member->alloc, member->chunks, member->chunk_count,
                      sizeof(struct mcast_group *));
    mcast_name_map_free(&member->shorts);
}
