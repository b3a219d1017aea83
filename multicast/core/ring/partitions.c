/* Layout: seats of a region view, its leaders, the path of a token, and who keeps which packet.
 *
 * Rule 1.8: members in order of their short names, cut into P = max(1, floor(n / k)) partitions
 * whose sizes differ by one at most; the lowest live seat leads. Every member derives the same
 * layout from the same view, so there is no election. Rule 1.9: packet m belongs to partition
 * floor(m / B) mod P (1.0.1). */
#include "member/member_state.h"

#include <assert.h>

bool mcast_view_is_member(const struct mcast_view_state *view) {
    return view->seats != NULL;
}

uint32_t mcast_layout_seat(const struct mcast_view_state *view, mcast_node node) {
    uint32_t low = 0;
    uint32_t high = view->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (view->seats[middle].node < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < view->count && view->seats[low].node == node ? low : MCAST_NO_SEAT;
}

uint32_t mcast_layout_partition(const struct mcast_view_state *view, uint32_t seat) {
    return (uint32_t)((uint64_t)seat * view->partitions / view->count);
}

uint32_t mcast_layout_begin(const struct mcast_view_state *view, uint32_t partition) {
    uint64_t product = (uint64_t)partition * view->count;
    return (uint32_t)((product + view->partitions - 1) / view->partitions);
}

uint32_t mcast_layout_leader(const struct mcast_view_state *view, uint32_t partition) {
    uint32_t end = mcast_layout_begin(view, partition + 1);
    for (uint32_t seat = mcast_layout_begin(view, partition); seat < end; seat++) {
        if (!view->seats[seat].dead) {
            return seat;
        }
    }
    return MCAST_NO_SEAT;
}

uint32_t mcast_layout_region_leader(const struct mcast_view_state *view) {
    for (uint32_t seat = 0; seat < view->count; seat++) {
        if (!view->seats[seat].dead) {
            return seat;
        }
    }
    return MCAST_NO_SEAT;
}

bool mcast_layout_leads_region(const struct mcast_view_state *view) {
    return view->seats != NULL && mcast_layout_region_leader(view) == view->self;
}

uint32_t mcast_layout_alive(const struct mcast_view_state *view, uint32_t partition) {
    uint32_t end = mcast_layout_begin(view, partition + 1);
    uint32_t alive = 0;
    for (uint32_t seat = mcast_layout_begin(view, partition); seat < end; seat++) {
        alive += view->seats[seat].dead ? 0 : 1;
    }
    return alive;
}

/* Return the next live seat after @seat in its partition. */
static uint32_t next_in_partition(const struct mcast_view_state *view, uint32_t seat) {
    uint32_t end = mcast_layout_begin(view, mcast_layout_partition(view, seat) + 1);
    for (seat++; seat < end; seat++) {
        if (!view->seats[seat].dead) {
            return seat;
        }
    }
    return MCAST_NO_SEAT;
}

static uint32_t before_in_partition(const struct mcast_view_state *view, uint32_t seat) {
    uint32_t begin = mcast_layout_begin(view, mcast_layout_partition(view, seat));
    while (seat > begin) {
        seat--;
        if (!view->seats[seat].dead) {
            return seat;
        }
    }
    return MCAST_NO_SEAT;
}

static uint32_t last_in_partition(const struct mcast_view_state *view, uint32_t partition) {
    uint32_t end = mcast_layout_begin(view, partition + 1);
    uint32_t begin = mcast_layout_begin(view, partition);
    while (end > begin) {
        end--;
        if (!view->seats[end].dead) {
            return end;
        }
    }
    return MCAST_NO_SEAT;
}

/* Return the leader of the first partition after that of @seat with a live member. */
static uint32_t leader_across(const struct mcast_view_state *view, uint32_t seat) {
    for (uint32_t p = mcast_layout_partition(view, seat) + 1; p < view->partitions; p++) {
        uint32_t leader = mcast_layout_leader(view, p);
        if (leader != MCAST_NO_SEAT) {
            return leader;
        }
    }
    return MCAST_NO_SEAT;
}

static uint32_t leader_before(const struct mcast_view_state *view, uint32_t partition) {
    while (partition > 0) {
        partition--;
        uint32_t leader = mcast_layout_leader(view, partition);
        if (leader != MCAST_NO_SEAT) {
            return leader;
        }
    }
    return MCAST_NO_SEAT;
}

/* Return the hop after a partition's walk: the next partition, or home. */
static uint32_t leave_partition(const struct mcast_view_state *view, uint32_t seat,
                                uint8_t *stage) {
    uint32_t across = leader_across(view, seat);
    if (across != MCAST_NO_SEAT) {
        *stage = MCAST_STAGE_ACROSS;
        return across;
    }
    *stage = MCAST_STAGE_HOME;
    uint32_t home = mcast_layout_region_leader(view);
    return home == seat ? MCAST_NO_SEAT : home;
}

uint32_t mcast_layout_next(const struct mcast_view_state *view, uint32_t seat, uint8_t *stage) {
    if (*stage == MCAST_STAGE_HOME) {
        return MCAST_NO_SEAT;
    }
    if (*stage == MCAST_STAGE_RETURN) {
        return leave_partition(view, seat, stage);
    }
    uint32_t next = next_in_partition(view, seat);
    if (next != MCAST_NO_SEAT) {
        *stage = MCAST_STAGE_WALK;
        return next;
    }
    uint32_t leader = mcast_layout_leader(view, mcast_layout_partition(view, seat));
    if (leader != seat) {
        *stage = MCAST_STAGE_RETURN;
        return leader;
    }
    return leave_partition(view, seat, stage); /* a partition of one */
}

uint32_t mcast_layout_next_leader(const struct mcast_view_state *view, uint32_t seat,
                                  uint8_t *stage) {
    return *stage == MCAST_STAGE_HOME ? MCAST_NO_SEAT : leave_partition(view, seat, stage);
}

uint32_t mcast_layout_before(const struct mcast_view_state *view, uint32_t seat, uint8_t stage) {
    uint32_t partition = mcast_layout_partition(view, seat);
    switch (stage) {
    case MCAST_STAGE_WALK:
        return before_in_partition(view, seat);
    case MCAST_STAGE_RETURN:
        return mcast_layout_leader(view, partition) == seat ? last_in_partition(view, partition)
                                                            : MCAST_NO_SEAT;
    case MCAST_STAGE_ACROSS:
        return mcast_layout_leader(view, partition) == seat ? leader_before(view, partition)
                                                            : MCAST_NO_SEAT;
    default:
        return mcast_layout_region_leader(view) == seat ? leader_before(view, view->partitions)
                                                        : MCAST_NO_SEAT;
    }
}

uint32_t mcast_layout_owner(const struct mcast_member *member, const struct mcast_view_state *view,
                            uint64_t number) {
    return (uint32_t)(number / member->config.owner_block % view->partitions);
}

bool mcast_layout_keeps(const struct mcast_member *member, const struct mcast_view_state *view,
                        uint32_t seat, uint64_t number) {
    if (view->replicas >= view->count) {
        return true;
    }
    uint32_t owner = mcast_layout_owner(member, view, number);
    if (view->replicas == 0) {
        return mcast_layout_partition(view, seat) == owner;
    }
    uint32_t begin = mcast_layout_begin(view, owner);
    uint32_t place = seat >= begin ? seat - begin : seat + view->count - begin;
    return place < view->replicas;
}

uint32_t mcast_layout_hops(const struct mcast_view_state *view) {
    return view->alive <= 1 ? 0 : view->alive + (view->partitions > 1 ? view->partitions : 0);
}
