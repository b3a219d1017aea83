/* View members: the member list of a new view, sent in full or as the difference to an older view
 * of ours (rule 1.0.5). A difference that does not fit our older view is an error. */
#include "member/member_state.h"

/* Copy the members of @base without those that left; each of them has to be in @base. Return how
 * many remain, or SIZE_MAX. */
static size_t copy_remaining(const struct mcast_view_state *base, const struct mcast_sm_view *told,
                             mcast_node *members) {
    size_t count = 0;
    size_t gone = 0;
    for (uint32_t i = 0; i < base->count; i++) {
        if (gone < told->gone_count && told->gone[gone] == base->seats[i].node) {
            gone++;
        } else {
            members[count++] = base->seats[i].node;
        }
    }
    return gone == told->gone_count ? count : SIZE_MAX;
}

/* Merge the new members of @told into @members, which is sorted and has room. A new member that is
 * there already is an error. */
static bool add_joined(const struct mcast_sm_view *told, mcast_node *members, size_t count) {
    size_t left = told->member_count;
    size_t at = count + left;
    while (left > 0) {
        mcast_node come = told->members[left - 1];
        if (count > 0 && members[count - 1] == come) {
            return false;
        }
        if (count > 0 && members[count - 1] > come) {
            members[--at] = members[--count];
        } else {
            members[--at] = come;
            left--;
        }
    }
    return true;
}

int mcast_lineup(struct mcast_member *member, const struct mcast_sm_view *told,
                 const mcast_node **members, size_t *count) {
    *members = told->members;
    *count = told->member_count;
    if (told->base == 0) {
        return MCAST_OK;
    }
    const struct mcast_view_state *base = mcast_view_find(member, told->base);
    if (base == NULL || !mcast_view_is_member(base)) {
        return MCAST_EMALFORMED;
    }
    mcast_node *list = (mcast_node *)(void *)mcast_scratch(
        member, (base->count + told->member_count) * sizeof *list);
    if (list == NULL) {
        return MCAST_ENOMEM;
    }
    size_t stay = copy_remaining(base, told, list);
    if (stay == SIZE_MAX || !add_joined(told, list, stay)) {
        return MCAST_EMALFORMED;
    }
    *members = list;
    *count = stay + told->member_count;
    return *count > 0 ? MCAST_OK : MCAST_EMALFORMED;
}
