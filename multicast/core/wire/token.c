#include "wire/token.h"
#include "wire/range_list.h"

void mcast_token_head_write(struct mcast_writer *writer, const struct mcast_token_head *head) {
    mcast_write_u64(writer, head->round);
    mcast_write_u8(writer, head->stage);
    mcast_write_u8(writer, head->flags);
    mcast_write_u16(writer, (uint16_t)head->records);
    mcast_write_u16(writer, (uint16_t)(head->asked < UINT16_MAX ? head->asked : UINT16_MAX));
}

bool mcast_token_head_read(struct mcast_reader *reader, struct mcast_token_head *head) {
    head->round = mcast_read_u64(reader);
    head->stage = mcast_read_u8(reader);
    head->flags = mcast_read_u8(reader);
    head->records = mcast_read_u16(reader);
    head->asked = mcast_read_u16(reader);
    return !reader->failed && head->stage <= MCAST_STAGE_HOME && head->flags < 32;
}

void mcast_record_clear(struct mcast_record *record) {
    struct mcast_spans *const lists[] = {&record->owned,   &record->all,  &record->prev,
                                         &record->pulled,  &record->want, &record->wanted,
                                         &record->lacking, &record->skip, &record->gaps};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        mcast_spans_clear(lists[i], MCAST_SPANS_MOST);
    }
    record->sender = 0;
    record->flags = 0;
    record->purge = record->cut = record->before = record->hi = record->contig = 0;
    record->low = 0;
    record->last.count = record->own.count = 0;
    record->last.known = record->own.known = UINT32_MAX;
}

void mcast_record_shorten(struct mcast_record *record, uint32_t most) {
    struct mcast_spans *const lists[] = {&record->owned,   &record->all,  &record->prev,
                                         &record->pulled,  &record->want, &record->wanted,
                                         &record->lacking, &record->skip, &record->gaps};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        mcast_spans_shorten(lists[i], most);
    }
    for (uint32_t i = 0; i < record->last.count; i++) {
        mcast_spans_shorten(&record->last.at[i].missing, most);
    }
    for (uint32_t i = 0; i < record->own.count; i++) {
        mcast_spans_shorten(&record->own.at[i].missing, most);
    }
}

static void write_own(struct mcast_writer *writer, uint64_t base,
                      const struct mcast_own_list *list) {
    mcast_write_varint(writer, (uint32_t)(list->known + 1)); /* UINT32_MAX is written as 0 */
    mcast_write_varint(writer, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        mcast_write_varint(writer, list->at[i].partition);
        mcast_spans_write(writer, base, &list->at[i].missing);
    }
}

static void read_own(struct mcast_reader *reader, uint64_t base, struct mcast_own_list *list) {
    list->known = (uint32_t)mcast_read_varint_most(reader, UINT32_MAX) - 1;
    list->count = (uint32_t)mcast_read_varint_most(reader, MCAST_OWN_MOST);
    for (uint32_t i = 0; i < list->count && !reader->failed; i++) {
        list->at[i].partition = (uint32_t)mcast_read_varint_most(reader, UINT32_MAX);
        (void)mcast_spans_read(reader, base, &list->at[i].missing);
        if (i > 0 && list->at[i].partition <= list->at[i - 1].partition) {
            reader->failed = true;
        }
    }
    if (reader->failed) {
        list->count = 0;
    }
}

void mcast_record_write(struct mcast_writer *writer, const struct mcast_record *record) {
    uint64_t base = record->purge;
    mcast_write_varint(writer, record->sender);
    mcast_write_varint(writer, record->flags);
    mcast_write_varint(writer, record->purge);
    mcast_write_delta(writer, base, record->cut);
    mcast_write_delta(writer, record->cut, record->before);
    mcast_write_delta(writer, record->cut, record->hi);
    mcast_write_delta(writer, record->cut, record->contig);
    mcast_write_varint(writer, record->low);
    if ((record->flags & MCAST_RECORD_HOLES) != 0) {
        mcast_spans_write(writer, base, &record->owned);
        mcast_spans_write(writer, base, &record->all);
        mcast_spans_write(writer, base, &record->prev);
        mcast_spans_write(writer, base, &record->pulled);
    }
    if ((record->flags & MCAST_RECORD_OWN) != 0) {
        write_own(writer, base, &record->last);
        write_own(writer, base, &record->own);
    }
    if ((record->flags & MCAST_RECORD_DEAD) != 0) {
        mcast_spans_write(writer, base, &record->want);
        mcast_spans_write(writer, base, &record->wanted);
        mcast_spans_write(writer, base, &record->lacking);
    }
    if ((record->flags & MCAST_RECORD_SKIP) != 0) {
        mcast_spans_write(writer, base, &record->skip);
    }
    if ((record->flags & MCAST_RECORD_GAPS) != 0) {
        mcast_spans_write(writer, base, &record->gaps);
    }
}

bool mcast_record_read(struct mcast_reader *reader, struct mcast_record *record) {
    mcast_record_clear(record);
    record->sender = (mcast_node)mcast_read_varint_most(reader, UINT32_MAX);
    record->flags = (uint32_t)mcast_read_varint_most(reader, MCAST_RECORD_FLAGS - 1);
    record->purge = mcast_read_varint(reader);
    uint64_t base = record->purge;
    record->cut = mcast_read_delta(reader, base);
    record->before = mcast_read_delta(reader, record->cut);
    record->hi = mcast_read_delta(reader, record->cut);
    record->contig = mcast_read_delta(reader, record->cut);
    record->low = (uint32_t)mcast_read_varint_most(reader, UINT32_MAX);
    if ((record->flags & MCAST_RECORD_HOLES) != 0) {
        (void)mcast_spans_read(reader, base, &record->owned);
        (void)mcast_spans_read(reader, base, &record->all);
        (void)mcast_spans_read(reader, base, &record->prev);
        (void)mcast_spans_read(reader, base, &record->pulled);
    }
    if ((record->flags & MCAST_RECORD_OWN) != 0) {
        read_own(reader, base, &record->last);
        read_own(reader, base, &record->own);
    }
    if ((record->flags & MCAST_RECORD_DEAD) != 0) {
        (void)mcast_spans_read(reader, base, &record->want);
        (void)mcast_spans_read(reader, base, &record->wanted);
        (void)mcast_spans_read(reader, base, &record->lacking);
    }
    if ((record->flags & MCAST_RECORD_SKIP) != 0) {
        (void)mcast_spans_read(reader, base, &record->skip);
    }
    if ((record->flags & MCAST_RECORD_GAPS) != 0) {
        (void)mcast_spans_read(reader, base, &record->gaps);
    }
    return !reader->failed && record->sender != 0;
}

const struct mcast_own *mcast_own_find(const struct mcast_own_list *list, uint32_t partition) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->at[i].partition == partition) {
            return &list->at[i];
        }
    }
    return NULL;
}
