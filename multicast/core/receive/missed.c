/* Missed: the last message number of each sender delivered in each group, and what is missing after
 * it.
 *
 * A node that is evicted (member/eviction.c), or whose application fell behind
 * (slow/slow_application.c), misses what follows. Before anything else it is told, for each group
 * and each sender heard there, the first number that it misses and the last one known to exist
 * (rules 1.0.4, 1.0.11). Only the sender knows the total; its next message shows it. Of a sender
 * that is not listed, nothing was delivered.
 *
 * Each group has a sorted list of senders; dead senders leave it when their names are forgotten. */
#include "member/member_state.h"

#include <string.h>

enum { FIRST_ROOM = 2 };

struct mcast_heard {
    mcast_node sender;
    uint32_t ahead;  /* how many numbers beyond it are known to exist, at the time of the report */
    uint64_t number; /* of the last message delivered */
};

struct mcast_heard_list {
    uint32_t count;
    uint32_t room;
    uint32_t recent; /* index of the sender heard last */
    struct mcast_heard at[];
};

static size_t size_of(uint32_t room) {
    return sizeof(struct mcast_heard_list) + room * sizeof(struct mcast_heard);
}

/* Return the index of the first entry that is not before @sender. */
static uint32_t index_of(const struct mcast_heard_list *list, mcast_node sender) {
    uint32_t low = 0;
    uint32_t high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->at[middle].sender < sender) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct mcast_heard *find(const struct mcast_group *group, mcast_node sender) {
    struct mcast_heard_list *list = group->heard;
    uint32_t place = list == NULL ? 0 : index_of(list, sender);
    bool there = list != NULL && place < list->count && list->at[place].sender == sender;
    return there ? &list->at[place] : NULL;
}

/* Return the list with room for one more; NULL when memory is short. */
static struct mcast_heard_list *with_room(struct mcast_member *member, struct mcast_group *group) {
    struct mcast_heard_list *list = group->heard;
    if (list != NULL && list->count < list->room) {
        return list;
    }
    uint32_t room = list == NULL ? FIRST_ROOM : 2 * list->room;
    struct mcast_heard_list *made = member->alloc.resize(
        member->alloc.context, list, list == NULL ? 0 : size_of(list->room), size_of(room));
    if (made == NULL) {
        member->short_of_memory = true;
        return NULL;
    }
    if (list == NULL) {
        made->count = made->recent = 0;
    }
    made->room = room;
    group->heard = made;
    return made;
}

static void begin(struct mcast_member *member, struct mcast_group *group, mcast_node sender,
                  uint64_t number) {
    struct mcast_heard_list *list = with_room(member, group);
    if (list == NULL) {
        return; /* a later message adds it when there is memory again */
    }
    uint32_t place = index_of(list, sender);
    memmove(&list->at[place + 1], &list->at[place],
            (list->count - place) * sizeof(struct mcast_heard));
    list->at[place] = (struct mcast_heard){.sender = sender, .number = number};
    list->count++;
    list->recent = place;
}

void mcast_heard(struct mcast_member *member, struct mcast_group *group, mcast_node sender,
                 uint64_t number) {
    struct mcast_heard_list *list = group->heard;
    if (list != NULL && list->recent < list->count && list->at[list->recent].sender == sender) {
        list->at[list->recent].number = number;
        return;
    }
    if (sender == member->node) {
        return; /* this node has its own messages */
    }
    struct mcast_heard *one = find(group, sender);
    if (one == NULL) {
        begin(member, group, sender, number);
    } else {
        one->number = number;
        list->recent = (uint32_t)(one - list->at);
    }
}

void mcast_heard_of(struct mcast_member *member, uint32_t index, mcast_node sender,
                    uint64_t number) {
    const struct mcast_group *group = mcast_group_at(member, index);
    struct mcast_heard *one = group == NULL ? NULL : find(group, sender);
    if (one != NULL && number > one->number + one->ahead) {
        uint64_t ahead = number - one->number;
        one->ahead = ahead < UINT32_MAX ? (uint32_t)ahead : UINT32_MAX;
    }
}

/* Note the messages in @stream that wait for a missing one. */
static void note_waiting(struct mcast_member *member, const struct mcast_stream *stream) {
    const struct mcast_arrivals *arrivals = &stream->arrivals;
    uint64_t room = arrivals->slots == NULL ? 0 : (uint64_t)arrivals->mask + 1;
    for (uint64_t n = stream->delivered + 1; n <= stream->hi && n < arrivals->low + room; n++) {
        const struct mcast_slot *slot = mcast_arrivals_find(arrivals, n, stream->hi);
        if (slot == NULL || slot->state != MCAST_SLOT_KEPT) {
            continue;
        }
        struct mcast_reader reader = mcast_reader_over(slot->frames, slot->length);
        struct mcast_frame frame;
        while (mcast_reader_left(&reader) > 0 && mcast_frame_read(&reader, &frame)) {
            if (frame.kind == MCAST_FRAME_MESSAGE || frame.kind == MCAST_FRAME_FRAGMENT) {
                mcast_heard_of(member, mcast_group_named(member, frame.group), stream->sender,
                               frame.number);
            }
        }
    }
}

void mcast_heard_look_ahead(struct mcast_member *member) {
    for (const struct mcast_view_state *view = member->first_view; view != NULL;
         view = view->next) {
        for (size_t i = 0; i < view->stream_count; i++) {
            note_waiting(member, view->streams[i]);
        }
    }
    mcast_fragments_look_ahead(member);
}

void mcast_heard_tell(struct mcast_member *member, uint32_t index) {
    const struct mcast_heard_list *list = mcast_group_at(member, index)->heard;
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        const struct mcast_heard *one = &list->at[i];
        mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_MISSED,
                                                         .group = index,
                                                         .sender = one->sender,
                                                         .number = one->number + 1,
                                                         .last = one->number + one->ahead,
                                                         .count = one->ahead});
        member->stats.senders_missed++;
    }
}

static void drop_forgotten(const struct mcast_member *member, struct mcast_heard_list *list) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (mcast_peer_find(member, list->at[i].sender) != NULL) {
            list->at[kept++] = list->at[i];
        }
    }
    list->count = kept;
    list->recent = 0;
}

void mcast_heard_forget(const struct mcast_member *member) {
    for (size_t i = 0; i < member->chunk_count * MCAST_GROUP_CHUNK; i++) {
        const struct mcast_group *group = mcast_group_at(member, (uint32_t)i);
        if (group != NULL && group->heard != NULL) {
            drop_forgotten(member, group->heard);
        }
    }
}

void mcast_heard_free(struct mcast_member *member, struct mcast_group *group) {
    if (group->heard != NULL) {
        (void)member->alloc.resize(member->alloc.context, group->heard, size_of(group->heard->room),
                                   0);
        group->heard = NULL;
    }
}
