/* Stream open: OPEN, the first packet of a stream in a region view, orders the stream after older
 * ones (rule 1.0.7).
 *
 * When a view comes into force, its OPEN has to name the closed views in which we sent something
 * that is not yet settled, that is, everywhere with all that lies before it. A view that settles
 * meanwhile need not be named. */
#include "base/memory.h"
#include "member/member_state.h"

/* A view that is settled and closed stays settled. Noting that saves a search of every path through
 * views that follow each other quickly. */
bool mcast_open_settled(const struct mcast_member *member, struct mcast_view_state *view) {
    if (view->settled) {
        return true;
    }
    if (view->out != NULL && (view->out->acked < view->out->last || view->out->filling != NULL)) {
        return false;
    }
    for (size_t i = 0; i < view->open_count; i++) {
        struct mcast_view_state *older = mcast_view_find(member, view->opens[i].view);
        if (older != NULL && !mcast_open_settled(member, older)) {
            return false;
        }
    }
    view->settled = view->closing;
    return true;
}

static bool is_named(const struct mcast_view_state *view, mcast_view number) {
    for (size_t i = 0; i < view->open_count; i++) {
        if (view->opens[i].view == number) {
            return true;
        }
    }
    return false;
}

static int add_name(struct mcast_member *member, struct mcast_view_state *view, mcast_view number,
                    uint64_t last) {
    if (is_named(view, number)) {
        return MCAST_OK;
    }
    struct mcast_open_entry *opens =
        member->alloc.resize(member->alloc.context, view->opens, view->open_count * sizeof *opens,
                             (view->open_count + 1) * sizeof *opens);
    if (opens == NULL) {
        return MCAST_ENOMEM;
    }
    view->opens = opens;
    view->opens[view->open_count++] = (struct mcast_open_entry){number, last};
    return MCAST_OK;
}

/* Inherit the views that close before this one and those that they would have named. A node that
 * left and comes back learns of no view in between that would lead to its earlier packets. */
int mcast_open_inherit(struct mcast_member *member, struct mcast_view_state *view) {
    int code = MCAST_OK;
    for (struct mcast_view_state *older = member->first_view; older != NULL && code == MCAST_OK;
         older = older->next) {
        if (older != view && older->closing && older->out != NULL && older->out->opened &&
            !mcast_open_settled(member, older)) {
            code = add_name(member, view, older->number, older->out->last);
        }
    }
    return code;
}

/* Store the views still worth naming. More than a packet holds would be more epochs than can be
 * under way. */
static size_t unsettled(const struct mcast_member *member, const struct mcast_view_state *view,
                        struct mcast_open_entry *entries) {
    size_t count = 0;
    for (size_t i = 0; i < view->open_count && count < MCAST_OPEN_MOST; i++) {
        struct mcast_view_state *older = mcast_view_find(member, view->opens[i].view);
        if (older != NULL && !mcast_open_settled(member, older)) {
            entries[count++] = view->opens[i];
        }
    }
    return count;
}

int mcast_open_send(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_outbound *out = mcast_outbound_make(member, view);
    if (out == NULL) {
        return MCAST_ENOMEM;
    }
    if (out->opened) {
        return MCAST_OK;
    }
    struct mcast_open_entry entries[MCAST_OPEN_MOST];
    uint8_t list[2 + MCAST_OPEN_MOST * 18];
    struct mcast_writer writer = mcast_writer_over(list, sizeof list);
    mcast_open_write(&writer, entries, unsettled(member, view, entries));
    struct mcast_frame frame = {.kind = MCAST_FRAME_OPEN,
                                .number = view->epoch,
                                .length = (uint32_t)mcast_writer_count(&writer),
                                .bytes = list};
    struct mcast_packet *packet =
        mcast_packet_new(member, MCAST_DATA_HEAD + MCAST_FRAME_HEAD_MOST + frame.length);
    if (packet == NULL) {
        return MCAST_ENOMEM;
    }
    int code = mcast_packet_add(member, packet, &frame, NULL, NULL);
    code = code != MCAST_OK ? code : mcast_packet_send(member, out, packet);
    if (code != MCAST_OK) {
        mcast_packet_free(member, packet);
        return code;
    }
    out->opened = true;
    return MCAST_OK;
}
