/* View: a region view from its announcement to its end (rules 1.5, 1.14, 1.0.6).
 *
 * PREPARE creates it, COMMIT puts it in force. After the COMMIT that closes it, it accepts nothing
 * new; it is closed when all its senders gave their last number, and ends when its leader saw that
 * everything in it is stable. Members that moved on stay in its ring until then. */
#include "base/memory.h"
#include "member/member_state.h"

#include <string.h>

enum {
    LINGER_SECONDS = 10, /* an ended view stays so long to tell others of its end */
    VIEW_ALARMS = 3,     /* of the ring, the partition's ring and the full window */
};

static int seat_members(struct mcast_member *member, struct mcast_view_state *view,
                        const struct mcast_sm_view *told) {
    const mcast_node *members;
    size_t count;
    int code = mcast_lineup(member, told, &members, &count);
    if (code != MCAST_OK || count == 0) {
        return code;
    }
    view->seats = mcast_memory_new(&member->alloc, count, sizeof *view->seats);
    if (view->seats == NULL) {
        return MCAST_ENOMEM;
    }
    view->count = view->alive = (uint32_t)count;
    for (uint32_t i = 0; i < view->count; i++) {
        view->seats[i].node = members[i];
        view->seats[i].peer = mcast_peer_find(member, members[i]);
        if (view->seats[i].peer == NULL || view->seats[i].peer->dead) {
            view->seats[i].dead = true;
            view->alive--;
        }
    }
    view->self = mcast_layout_seat(view, member->node);
    uint32_t size = member->config.partition_size;
    view->partitions = view->count >= size ? view->count / size : 1;
    view->replicas = member->config.replicas;
    return view->self == MCAST_NO_SEAT ? MCAST_EMALFORMED : MCAST_OK;
}

static int copy_parents(struct mcast_member *member, struct mcast_view_state *view,
                        const struct mcast_sm_view *told) {
    if (told->parent_count == 0) {
        return MCAST_OK;
    }
    view->parents = mcast_memory_new(&member->alloc, told->parent_count, sizeof *view->parents);
    if (view->parents == NULL) {
        return MCAST_ENOMEM;
    }
    view->parent_count = told->parent_count;
    for (size_t i = 0; i < told->parent_count; i++) {
        view->parents[i] = told->parents[i];
    }
    return MCAST_OK;
}

static bool is_same_address(const struct mcast_address *one, const struct mcast_address *other) {
    return memcmp(one->ip, other->ip, sizeof one->ip) == 0 &&
           memcmp(one->port, other->port, sizeof one->port) == 0;
}

/* Successive views of a region share an address: we listen to it while one of them needs it. */
static bool is_heard_elsewhere(const struct mcast_member *member,
                               const struct mcast_view_state *view) {
    for (const struct mcast_view_state *other = member->first_view; other != NULL;
         other = other->next) {
        if (other != view && other->listening && is_same_address(&other->address, &view->address)) {
            return true;
        }
    }
    return false;
}

static void listen_to(struct mcast_member *member, struct mcast_view_state *view, bool begin) {
    if (!mcast_view_is_member(view) || view->listening == begin) {
        return;
    }
    view->listening = begin;
    if (is_heard_elsewhere(member, view)) {
        return;
    }
    mcast_emit_notice(
        member, &(struct mcast_notice){.kind = begin ? MCAST_NOTICE_LISTEN : MCAST_NOTICE_UNLISTEN,
                                       .number = view->number,
                                       .address = view->address});
}

static void add_to_list(struct mcast_member *member, struct mcast_view_state *view) {
    view->next = member->first_view;
    view->link = &member->first_view;
    if (view->next != NULL) {
        view->next->link = &view->next;
    }
    member->first_view = view;
    member->stats.views += mcast_view_is_member(view) ? 1 : 0;
}

int mcast_view_make(struct mcast_member *member, const struct mcast_sm_view *told,
                    mcast_epoch epoch) {
    if (mcast_view_find(member, told->view) != NULL) {
        return MCAST_OK;
    }
    struct mcast_view_state *view = mcast_memory_new(&member->alloc, 1, sizeof *view);
    if (view == NULL) {
        return MCAST_ENOMEM;
    }
    view->number = told->view;
    view->region = told->region;
    view->hierarchy = told->hierarchy;
    view->address = told->address;
    view->epoch = epoch;
    view->self = MCAST_NO_SEAT;
    mcast_ring_init(view);
    mcast_apart_init(view);
    mcast_brink_init(view);
    int code = mcast_alarms_add(member, VIEW_ALARMS);
    if (code != MCAST_OK) {
        mcast_memory_free(&member->alloc, view, 1, sizeof *view);
        return code;
    }
    code = seat_members(member, view, told);
    code = code != MCAST_OK ? code : copy_parents(member, view, told);
    if (code == MCAST_OK) {
        code = mcast_map_put(&member->views, view->number, (uintptr_t)view);
    }
    if (code != MCAST_OK) {
        mcast_alarms_remove(member, VIEW_ALARMS);
        mcast_memory_free(&member->alloc, view->seats, view->count, sizeof *view->seats);
        mcast_memory_free(&member->alloc, view->parents, view->parent_count, sizeof *view->parents);
        mcast_memory_free(&member->alloc, view, 1, sizeof *view);
        return code;
    }
    add_to_list(member, view);
    if (view->number > member->newest_view) {
        member->newest_view = view->number;
    }
    listen_to(member, view, true);
    mcast_ring_review(member, view);
    return MCAST_OK;
}

void mcast_view_commit(struct mcast_member *member, struct mcast_view_state *view) {
    if (view->committed) {
        return;
    }
    view->committed = true;
    member->stats.views_installed++;
    for (size_t i = 0; i < view->stream_count; i++) {
        mcast_stream_flow(member, view->streams[i]);
    }
    mcast_ring_review(member, view);
}

uint64_t mcast_view_close(struct mcast_member *member, struct mcast_view_state *view) {
    mcast_transmit_close(member, view);
    view->closing = true;
    view->ring.heard = member->now;
    if (mcast_view_is_member(view) && !mcast_layout_leads_region(view)) {
        mcast_alarm_set(member, &view->ring.alarm, mcast_view_patience(member, view));
    }
    if (view->out == NULL) {
        return 0;
    }
    mcast_transmit_flush(member, view->out);
    view->out->heard = member->now;
    return view->out->opened ? view->out->last : 0;
}

void mcast_view_bury(struct mcast_member *member, struct mcast_view_state *view, mcast_node node) {
    if (!mcast_view_is_member(view)) {
        return;
    }
    uint32_t seat = mcast_layout_seat(view, node);
    if (seat != MCAST_NO_SEAT && !view->seats[seat].dead) {
        view->seats[seat].dead = true;
        view->alive--;
    }
    struct mcast_stream *stream = mcast_stream_find(view, node);
    if (stream != NULL) {
        stream->quiescent = false;
        mcast_ring_wake(member, view);
    }
    mcast_ring_review(member, view);
}

static void report_end(struct mcast_member *member, const struct mcast_view_state *view) {
    struct mcast_service_message message = {.kind = MCAST_SM_VIEW_ENDED};
    message.as.view_ended.view = view->number;
    mcast_say(member, &message);
}

void mcast_view_end(struct mcast_member *member, struct mcast_view_state *view) {
    if (view->ended) {
        return;
    }
    view->ended = view->closed = view->closing = true;
    view->ring.heard = member->now;
    member->past[member->past_count++ % 256] = view->number;
    member->stats.views_ended++;
    if (view->out != NULL) {
        mcast_outbound_ack(member, view->out, view->out->last);
    }
    for (size_t i = 0; i < view->stream_count; i++) {
        struct mcast_stream *stream = view->streams[i];
        mcast_stream_purge(member, stream, stream->contig);
        mcast_gates_review(member, stream->peer);
    }
    member->partials_orphaned = true;
    listen_to(member, view, false);
    report_end(member, view);
    mcast_view_review(member, view);
}

/* True when numbers are missing at this node. */
static bool has_holes(const struct mcast_view_state *view) {
    for (size_t i = 0; i < view->stream_count; i++) {
        const struct mcast_stream *stream = view->streams[i];
        if (stream->contig < stream->hi) {
            return true;
        }
    }
    return false;
}

bool mcast_view_abandon(struct mcast_member *member, struct mcast_view_state *view) {
    if (!view->closing || view->ended || !member->served ||
        member->now < mcast_view_patience(member, view)) {
        return false;
    }
    if (has_holes(view)) {
        /* The others went on without this node, and nobody told it: it takes the state from them.
         */
        struct mcast_service_message bye = {.kind = MCAST_SM_BYE};
        mcast_say(member, &bye);
        member->wants_eviction = true;
        return true;
    }
    mcast_view_end(member, view);
    return true;
}

static bool is_delivered(const struct mcast_view_state *view) {
    for (size_t i = 0; i < view->stream_count; i++) {
        if (view->streams[i]->delivered < view->streams[i]->contig) {
            return false;
        }
    }
    return true;
}

static bool our_part_is_over(const struct mcast_member *member, struct mcast_view_state *view) {
    return view->out == NULL || mcast_open_settled(member, view);
}

void mcast_view_review(struct mcast_member *member, struct mcast_view_state *view) {
    if (!view->closing || !our_part_is_over(member, view)) {
        return;
    }
    if (mcast_view_is_member(view)) {
        /* A view that was never in force owes nothing. */
        if (!view->ended || (view->committed && !is_delivered(view))) {
            return;
        }
        mcast_time linger = view->ring.heard + LINGER_SECONDS * MCAST_SECOND;
        if (member->now < linger && view->alive > 1) {
            mcast_alarm_set(member, &view->ring.alarm, linger);
            return;
        }
    }
    view->over = true;
    member->views_to_free = true;
}

void mcast_view_free(struct mcast_member *member, struct mcast_view_state *view) {
    *view->link = view->next;
    if (view->next != NULL) {
        view->next->link = view->link;
    }
    member->stats.views -= mcast_view_is_member(view) ? 1 : 0;
    (void)mcast_map_take(&member->views, view->number);
    mcast_routes_unbind(member, view);
    mcast_alarm_stop(member, &view->ring.alarm);
    mcast_alarm_stop(member, &view->ring.apart_alarm);
    mcast_alarm_stop(member, &view->ring.brink.alarm);
    mcast_alarms_remove(member, VIEW_ALARMS);
    for (size_t i = 0; i < view->stream_count; i++) {
        mcast_stream_free(member, view->streams[i]);
    }
    if (view->out != NULL) {
        mcast_outbound_free(member, view->out);
    }
    listen_to(member, view, false);
    const struct mcast_alloc *alloc = &member->alloc;
    mcast_memory_free(alloc, view->streams, view->stream_room, sizeof *view->streams);
    mcast_memory_free(alloc, view->seats, view->count, sizeof *view->seats);
    mcast_memory_free(alloc, view->parents, view->parent_count, sizeof *view->parents);
    mcast_memory_free(alloc, view->opens, view->open_count, sizeof *view->opens);
    mcast_memory_free(alloc, view, 1, sizeof *view);
}

void mcast_views_sweep(struct mcast_member *member) {
    mcast_hybrid_review(member);
    while (member->views_to_free) {
        member->views_to_free = false;
        struct mcast_view_state *next;
        for (struct mcast_view_state *view = member->first_view; view != NULL; view = next) {
            next = view->next;
            if (!view->over) {
                continue;
            }
            view->over = false;
            mcast_view_review(member, view);
            if (view->over) {
                mcast_view_free(member, view);
            }
        }
    }
}
