#include "wire/range_list.h"

/* A range is written as its distance from the end of the previous one and its length - 1. The
 * lowest bit of the count says if a limit follows. */
void mcast_spans_write(struct mcast_writer *writer, uint64_t base,
                       const struct mcast_spans *spans) {
    bool limited = spans->limit != UINT64_MAX;
    mcast_write_varint(writer, ((uint64_t)spans->count << 1) | (limited ? 1U : 0U));
    if (limited) {
        mcast_write_delta(writer, base, spans->limit);
    }
    for (uint32_t i = 0; i < spans->count; i++) {
        if (i == 0) {
            mcast_write_delta(writer, base, spans->at[0].first);
        } else {
            mcast_write_varint(writer, spans->at[i].first - spans->at[i - 1].last);
        }
        mcast_write_varint(writer, spans->at[i].last - spans->at[i].first);
    }
}

/* No window holds so many packets. Code that walks a range still cuts it to the packets that can
 * exist. */
enum { SPAN_MOST = 1 << 20 };

bool mcast_spans_read(struct mcast_reader *reader, uint64_t base, struct mcast_spans *spans) {
    mcast_spans_clear(spans, MCAST_SPANS_MOST);
    uint64_t head = mcast_read_varint_most(reader, 2 * MCAST_SPANS_MOST + 1);
    uint64_t limit = (head & 1) != 0 ? mcast_read_delta(reader, base) : UINT64_MAX;
    uint64_t before = 0;
    for (uint64_t i = 0; i < head >> 1 && !reader->failed; i++) {
        uint64_t step = i == 0 ? mcast_read_delta(reader, base) : mcast_read_varint(reader);
        uint64_t first = before + step;
        uint64_t extent = mcast_read_varint(reader);
        uint64_t last = first + extent;
        bool backward = (i > 0 && (step < 2 || first < before)) || last < first;
        if (extent >= SPAN_MOST || backward || last == UINT64_MAX) { /* no number is above it */
            reader->failed = true;
            break;
        }
        (void)mcast_spans_append(spans, first, last);
        before = last;
    }
    mcast_spans_trim(spans, limit);
    return !reader->failed;
}
