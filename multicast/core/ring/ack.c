/* ACK: tell the sender of a stream what all members of the region have (rule 1.10). */
#include "member/member_state.h"

/* Tell the sender what all members have above the cumulative number: the spans between the gaps
 * that a round found, as far as the lists go. */
static void add_ranges(const struct mcast_member *member, const struct mcast_record *record,
                       struct mcast_ack *ack) {
    uint32_t most = member->config.ack_ranges;
    mcast_spans_clear(&ack->above, most > 0 ? most : 1);
    if (record == NULL || most == 0 || (record->flags & MCAST_RECORD_GAPS) == 0) {
        return;
    }
    const struct mcast_spans *gaps = &record->gaps;
    uint64_t number = ack->contig + 1;
    for (uint32_t i = 0; i < gaps->count; i++) {
        if (gaps->at[i].first > number &&
            !mcast_spans_append(&ack->above, number, gaps->at[i].first - 1)) {
            return;
        }
        number = gaps->at[i].last >= number ? gaps->at[i].last + 1 : number;
    }
    uint64_t last = record->cut < gaps->limit ? record->cut : gaps->limit;
    if (number <= last) {
        (void)mcast_spans_append(&ack->above, number, last);
    }
}

void mcast_ack_send(struct mcast_member *member, struct mcast_view_state *view,
                    struct mcast_stream *stream, const struct mcast_record *record) {
    struct mcast_judged *judged = stream->judged;
    if (judged == NULL || stream->peer->dead) {
        return;
    }
    judged->acked = judged->contig;
    judged->acked_at = member->now;
    struct mcast_ack ack = {.sender = stream->sender, .contig = judged->contig, .low = judged->low};
    add_ranges(member, record, &ack);
    if (stream->sender == member->node) {
        if (view->out != NULL) {
            mcast_outbound_ack(member, view->out, judged->contig);
            mcast_outbound_ack_above(member, view->out, &ack.above);
        }
        return;
    }
    struct mcast_writer writer = mcast_emit_begin(member, 64 + 20 * ack.above.count);
    mcast_ack_write(&writer, &ack);
    mcast_emit(member, &writer, MCAST_WIRE_ACK, 0, view->number, &stream->peer->address);
    member->stats.acks_sent++;
}
