/* Hybrid address: groups with a multicast address of their own, and where this node listens for
 * them (rule 1.6).
 *
 * As with region views, members listen from PREPARE on and senders send there from COMMIT on, so
 * nothing is sent before everybody listens. A node that leaves a group listens on until the views
 * that closed with the group have ended: packets sent there earlier are still meant for it. */
#include "base/memory.h"
#include "member/member_state.h"

#include <string.h>

static bool is_same_address(const struct mcast_address *one, const struct mcast_address *other) {
    return memcmp(one->ip, other->ip, sizeof one->ip) == 0 &&
           memcmp(one->port, other->port, sizeof one->port) == 0;
}

static struct mcast_hybrid *find(const struct mcast_member *member,
                                 const struct mcast_sm_hybrid *told) {
    struct mcast_hybrid *at = member->hybrids;
    while (at != NULL && (at->group != told->group || at->left != 0 ||
                          !is_same_address(&at->address, &told->address))) {
        at = at->next;
    }
    return at;
}

/* Start or stop listening for @hybrid, unless another group uses the same address. */
static void listen_for(struct mcast_member *member, const struct mcast_hybrid *hybrid, bool begin) {
    for (const struct mcast_hybrid *at = member->hybrids; at != NULL; at = at->next) {
        if (at != hybrid && at->listens && is_same_address(&at->address, &hybrid->address)) {
            return;
        }
    }
    mcast_emit_notice(
        member, &(struct mcast_notice){.kind = begin ? MCAST_NOTICE_LISTEN : MCAST_NOTICE_UNLISTEN,
                                       .address = hybrid->address});
}

static void drop_address(struct mcast_member *member, struct mcast_hybrid **link) {
    struct mcast_hybrid *hybrid = *link;
    *link = hybrid->next;
    member->hybrids_leaving -= hybrid->left != 0 ? 1 : 0;
    if (hybrid->listens) {
        listen_for(member, hybrid, false);
    }
    mcast_memory_free(&member->alloc, hybrid, 1, sizeof *hybrid);
}

static struct mcast_hybrid *make_address(struct mcast_member *member, mcast_epoch epoch,
                                         const struct mcast_sm_hybrid *told) {
    struct mcast_hybrid *hybrid = mcast_memory_new(&member->alloc, 1, sizeof *hybrid);
    if (hybrid != NULL) {
        hybrid->group = told->group;
        hybrid->address = told->address;
        hybrid->told = epoch;
        hybrid->next = member->hybrids;
        member->hybrids = hybrid;
    }
    return hybrid;
}

int mcast_hybrid_prepare(struct mcast_member *member, mcast_epoch epoch,
                         const struct mcast_sm_update *update) {
    for (size_t i = 0; i < update->hybrid_count; i++) {
        const struct mcast_sm_hybrid *told = &update->hybrids[i];
        struct mcast_hybrid *hybrid = find(member, told);
        hybrid = hybrid != NULL ? hybrid : make_address(member, epoch, told);
        if (hybrid == NULL) {
            return MCAST_ENOMEM;
        }
        if (told->listens && !hybrid->listens) {
            listen_for(member, hybrid, true);
            hybrid->listens = true;
        }
    }
    return MCAST_OK;
}

void mcast_hybrid_forget(struct mcast_member *member, mcast_epoch epoch) {
    for (struct mcast_hybrid **link = &member->hybrids; *link != NULL;) {
        if (!(*link)->committed && (*link)->told == epoch) {
            drop_address(member, link);
        } else {
            link = &(*link)->next;
        }
    }
}

static void end_address(struct mcast_member *member, struct mcast_hybrid *hybrid) {
    if (hybrid->left == 0) {
        hybrid->left = member->has_prepared ? member->prepared.as.prepare.epoch : member->epoch;
        hybrid->committed = true;
        member->hybrids_leaving++;
    }
}

void mcast_hybrid_leave(struct mcast_member *member, struct mcast_group *group) {
    if (group->hybrid != NULL) {
        end_address(member, group->hybrid);
        group->hybrid = NULL;
    }
}

void mcast_hybrid_commit(struct mcast_member *member, mcast_epoch epoch,
                         const struct mcast_sm_update *update) {
    for (size_t i = 0; i < update->hybrid_count; i++) {
        struct mcast_hybrid *hybrid = find(member, &update->hybrids[i]);
        uint32_t index = mcast_group_named(member, update->hybrids[i].group);
        struct mcast_group *group = index == MCAST_NO_GROUP ? NULL : mcast_group_at(member, index);
        if (hybrid == NULL) {
            continue;
        }
        hybrid->committed = true;
        hybrid->seen = epoch;
        if (group == NULL) {
            end_address(member, hybrid);
        } else if (group->hybrid != hybrid) {
            mcast_hybrid_leave(member, group);
            group->hybrid = hybrid;
        }
    }
}

void mcast_hybrid_turn(struct mcast_member *member, struct mcast_group *group, mcast_epoch epoch) {
    if (group->hybrid != NULL && group->hybrid->seen != epoch) {
        mcast_hybrid_leave(member, group);
    }
}

/* True when a packet may still arrive at an address that the epoch @left ended: some view that
 * closed by then is not over. */
static bool may_come(const struct mcast_member *member, mcast_epoch left) {
    if (member->epoch < left) {
        return true;
    }
    for (const struct mcast_view_state *view = member->first_view; view != NULL;
         view = view->next) {
        if (mcast_view_is_member(view) && !view->ended && view->closed_with != 0 &&
            view->closed_with <= left) {
            return true;
        }
    }
    return false;
}

void mcast_hybrid_review(struct mcast_member *member) {
    for (struct mcast_hybrid **link = &member->hybrids;
         member->hybrids_leaving > 0 && *link != NULL;) {
        if ((*link)->left != 0 && !may_come(member, (*link)->left)) {
            drop_address(member, link);
        } else {
            link = &(*link)->next;
        }
    }
}

void mcast_hybrid_free(struct mcast_member *member) {
    while (member->hybrids != NULL) {
        drop_address(member, &member->hybrids);
    }
}
