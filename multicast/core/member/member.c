/* Member: create a member, read its statistics, free it. */
#include "base/memory.h"
#include "base/mix.h"
#include "member/member_state.h"

/* Reallocate from the caller's allocator and count the bytes in use. */
static void *resize(void *context, void *block, size_t old, size_t size) {
    struct mcast_member *member = context;
    void *result = member->caller->resize(member->caller->context, block, old, size);
    if (result != NULL || size == 0) {
        member->memory = member->memory - old + size;
        member->stats.allocations += size != 0 ? 1 : 0;
    }
    return result;
}

uint64_t mcast_random(struct mcast_member *member) {
    member->random += UINT64_C(0x9e3779b97f4a7c15);
    return mcast_mix64(member->random);
}

/* Heartbeat, payload requests, delayed leaves, pauses received, pauses sent, forgotten peers,
 * groups that wait for COMMIT. */
enum { OWN_ALARMS = 7 };

static int begin(struct mcast_member *member) {
    const struct mcast_alloc *alloc = &member->alloc;
    mcast_map_init(&member->peers, alloc, mcast_random(member));
    mcast_map_init(&member->views, alloc, mcast_random(member));
    mcast_map_init(&member->routes, alloc, mcast_random(member));
    mcast_map_init(&member->emitted.stables, alloc, mcast_mix64(~member->random));
    mcast_name_map_init(&member->shorts, alloc, mcast_random(member));
    mcast_map_init(&member->repair_index, alloc, mcast_random(member));
    mcast_heap_init(&member->timers, alloc);
    mcast_slab_init(&member->send_slab, alloc, sizeof(struct mcast_send), 1 << 22);
    mcast_slab_init(&member->active_slab, alloc, sizeof(struct mcast_active), 1 << 20);
    mcast_slab_init(&member->sent_slab, alloc, sizeof(struct mcast_sent), 1 << 22);
    mcast_fragments_init(member);
    mcast_want_init(member);
    mcast_groups_init(member);
    mcast_brought_init(member);
    mcast_settle_init(member);
    mcast_slow_init(member);
    member->record = mcast_memory_new(alloc, 1, sizeof *member->record);
    int code = member->record == NULL ? MCAST_ENOMEM : mcast_repair_init(member);
    code = code == MCAST_OK ? mcast_forget_init(member) : code;
    return code == MCAST_OK ? mcast_alarms_add(member, OWN_ALARMS) : code;
}

int mcast_member_new(const struct mcast_config *config, const struct mcast_alloc *alloc,
                     struct mcast_member **member) {
    *member = NULL;
    int code = mcast_config_check(config);
    if (code != MCAST_OK) {
        return code;
    }
    struct mcast_member *made = mcast_memory_new(alloc, 1, sizeof *made);
    if (made == NULL) {
        return MCAST_ENOMEM;
    }
    made->config = *config;
    if (config->auth.seal == NULL) {
        made->config.auth.trailer = MCAST_TAG_SIZE;
    }
    /* Everything that fills a packet counts on the shortest trailer. */
    made->config.packet_size -= made->config.auth.trailer - MCAST_TAG_SIZE;
    made->caller = alloc;
    made->alloc = (struct mcast_alloc){made, resize};
    made->memory = sizeof *made;
    made->incarnation = config->incarnation;
    made->random = config->seed;
    code = begin(made);
    if (code != MCAST_OK) {
        mcast_member_free(made);
        return code;
    }
    *member = made;
    return MCAST_OK;
}

void mcast_member_free(struct mcast_member *member) {
    if (member == NULL) {
        return;
    }
    mcast_groups_free(member);
    mcast_epoch_forget(member);
    while (member->first_view != NULL) {
        mcast_view_free(member, member->first_view);
    }
    mcast_hybrid_free(member);
    mcast_routes_free(member);
    mcast_peers_free(member);
    mcast_forget_free(member);
    mcast_map_free(&member->views);
    mcast_fragments_forget(member, 0, MCAST_NO_GROUP);
    mcast_unknown_free(member);
    mcast_repair_free(member);
    mcast_change_free(member);
    mcast_members_free(member);
    mcast_emit_free(member);
    mcast_list_free(member, &member->asks, sizeof(struct mcast_ask));
    mcast_list_free(member, &member->pauses, sizeof(struct mcast_pause));
    mcast_slow_sender_free(member);
    mcast_slab_free(&member->send_slab);
    mcast_slab_free(&member->sent_slab);
    mcast_slab_free(&member->active_slab);
    mcast_slab_free(&member->partial_slab);
    mcast_heap_free(&member->timers);
    mcast_memory_free(&member->alloc, member->record, 1, sizeof *member->record);
    mcast_scratch_free(member);
    const struct mcast_alloc *caller = member->caller;
    mcast_memory_free(caller, member, 1, sizeof *member);
}

void mcast_member_stats(const struct mcast_member *member, struct mcast_stats *stats) {
    *stats = member->stats;
    stats->memory_bytes = member->memory;
    stats->streams_active = stats->token_interval = stats->reorder_packets = stats->regions = 0;
    for (const struct mcast_view_state *view = member->first_view; view != NULL;
         view = view->next) {
        stats->regions += mcast_view_is_member(view) && view->committed && !view->closing ? 1 : 0;
        for (size_t i = 0; i < view->stream_count; i++) {
            const struct mcast_stream *stream = view->streams[i];
            stats->streams_active += !view->ended && mcast_stream_is_active(stream) ? 1 : 0;
            stats->reorder_packets += stream->contig - stream->delivered;
        }
        mcast_time interval = view->ring.leading ? view->ring.interval : 0;
        if (interval != 0 && (stats->token_interval == 0 || interval < stats->token_interval)) {
            stats->token_interval = interval;
        }
    }
}

mcast_node mcast_member_node(const struct mcast_member *member) {
    return member->node;
}

mcast_epoch mcast_member_epoch(const struct mcast_member *member) {
    return member->epoch;
}
