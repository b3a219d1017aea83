/* Change: requests to join and leave, sent to the membership service as lists (rule 1.0.5). One
 * list is outstanding at a time; requests that arrive meanwhile go with the next list. */
#include "base/memory.h"
#include "member/member_state.h"
#include "wire/service.h"

#include <string.h>

void mcast_change_add(struct mcast_member *member, uint32_t group, const struct mcast_id *id,
                      uint8_t op) {
    struct mcast_change *change = &member->change;
    struct mcast_sm_change_item *item = mcast_list_add(member, &change->waiting, sizeof *item);
    if (item == NULL) {
        mcast_refuse(member, group, 0, MCAST_ENOMEM);
        return;
    }
    *item = (struct mcast_sm_change_item){.group = *id, .cookie = group, .op = op};
}

static void send_outstanding(struct mcast_member *member) {
    struct mcast_service_message message = {.kind = MCAST_SM_CHANGE};
    message.as.change.request = member->change.request;
    message.as.change.items = member->change.outstanding.items;
    message.as.change.count = member->change.outstanding.count;
    mcast_say(member, &message);
}

/* Take as many waiting requests as one list may hold. Return false when memory is short. */
static bool take_waiting(struct mcast_member *member, struct mcast_change *change) {
    size_t size = sizeof(struct mcast_sm_change_item);
    struct mcast_list part = {.count = MCAST_SM_CHANGE_MOST, .room = MCAST_SM_CHANGE_MOST};
    part.items = mcast_memory_new(&member->alloc, part.room, size);
    if (part.items == NULL) {
        member->short_of_memory = true;
        return false;
    }
    struct mcast_sm_change_item *waiting = change->waiting.items;
    memcpy(part.items, waiting, part.count * size);
    change->waiting.count -= part.count;
    memmove(waiting, waiting + part.count, change->waiting.count * size);
    mcast_list_free(member, &change->outstanding, size);
    change->outstanding = part;
    return true;
}

void mcast_change_pump(struct mcast_member *member) {
    struct mcast_change *change = &member->change;
    if (!member->connected || !member->welcomed || change->outstanding.count > 0 ||
        change->waiting.count == 0) {
        return;
    }
    if (change->waiting.count <= MCAST_SM_CHANGE_MOST) {
        struct mcast_list empty = change->outstanding;
        change->outstanding = change->waiting;
        change->waiting = empty;
    } else if (!take_waiting(member, change)) {
        return;
    }
    change->request++;
    send_outstanding(member);
}

void mcast_change_again(struct mcast_member *member) {
    if (member->change.outstanding.count > 0) {
        send_outstanding(member);
    }
}

void mcast_change_free(struct mcast_member *member) {
    mcast_list_free(member, &member->change.waiting, sizeof(struct mcast_sm_change_item));
    mcast_list_free(member, &member->change.outstanding, sizeof(struct mcast_sm_change_item));
}

/* Remove the requests that @message answers from the outstanding list, in list order. The service
 * may grant some before the rest. */
static void remove_answered(struct mcast_member *member,
                            const struct mcast_service_message *message) {
    struct mcast_list *open = &member->change.outstanding;
    struct mcast_sm_change_item *items = open->items;
    size_t kept = 0;
    size_t at = 0;
    for (size_t i = 0; i < open->count; i++) {
        if (at < message->as.changed.count &&
            items[i].cookie == message->as.changed.items[at].cookie) {
            at++;
        } else {
            items[kept++] = items[i];
        }
    }
    open->count = kept;
    if (kept == 0) {
        mcast_list_free(member, open, sizeof *items);
    }
}

void mcast_recv_changed(struct mcast_member *member, const struct mcast_service_message *message) {
    struct mcast_change *change = &member->change;
    if (message->as.changed.request != change->request || change->outstanding.count == 0) {
        return;
    }
    remove_answered(member, message);
    for (size_t i = 0; i < message->as.changed.count; i++) {
        const struct mcast_sm_changed_item *item = &message->as.changed.items[i];
        mcast_group_named_as(member, item->cookie, item->group, item->code);
    }
}
