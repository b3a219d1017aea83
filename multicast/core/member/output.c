/* Output: collect what a step emits, and seal datagrams. */
#include "base/memory.h"
#include "member/member_state.h"

#include <assert.h>
#include <string.h>

struct mcast_scratch_chunk {
    struct mcast_scratch_chunk *next;
    size_t size;
    size_t used;
    uint8_t bytes[];
};

enum {
    CHUNK = 16384,    /* bytes of one piece of scratch memory */
    LIST_KEPT = 1024, /* items that a list keeps room for */
};

#define CROWD_PASSES (50 * MCAST_MILLISECOND) /* a burst is over after this */

/* Marks a notice that a later one supersedes; at most so many marked notices stay in the list. */
#define OVERTAKEN ((enum mcast_notice_kind)0)
enum { OVERTAKEN_MOST = 64 };

uint8_t *mcast_scratch(struct mcast_member *member, size_t size) {
    size = (size + 15) & ~(size_t)15;
    struct mcast_scratch_chunk *chunk = member->scratch;
    if (chunk == NULL || chunk->size - chunk->used < size) {
        size_t room = size > CHUNK ? size : CHUNK;
        chunk = member->alloc.resize(member->alloc.context, NULL, 0, sizeof *chunk + room);
        if (chunk == NULL) {
            member->short_of_memory = true;
            return NULL;
        }
        *chunk = (struct mcast_scratch_chunk){.next = member->scratch, .size = room};
        member->scratch = chunk;
    }
    uint8_t *place = chunk->bytes + chunk->used;
    chunk->used += size;
    return place;
}

static void free_chunks(struct mcast_member *member, struct mcast_scratch_chunk *chunk) {
    while (chunk != NULL) {
        struct mcast_scratch_chunk *next = chunk->next;
        mcast_memory_free(&member->alloc, chunk, 1, sizeof *chunk + chunk->size);
        chunk = next;
    }
}

void mcast_scratch_reset(struct mcast_member *member) {
    if (member->scratch != NULL) {
        free_chunks(member, member->scratch->next);
        member->scratch->next = NULL;
        member->scratch->used = 0;
        if (member->scratch->size > CHUNK) {
            mcast_scratch_free(member);
        }
    }
}

void mcast_scratch_free(struct mcast_member *member) {
    free_chunks(member, member->scratch);
    member->scratch = NULL;
}

void *mcast_list_add(struct mcast_member *member, struct mcast_list *list, size_t size) {
    if (list->count == list->room) {
        void *items =
            mcast_memory_widen(&member->alloc, list->items, &list->room, list->count + 1, size);
        if (items == NULL) {
            member->short_of_memory = true;
            return NULL;
        }
        list->items = items;
    }
    return (uint8_t *)list->items + size * list->count++;
}

void mcast_list_free(struct mcast_member *member, struct mcast_list *list, size_t size) {
    mcast_memory_free(&member->alloc, list->items, list->room, size);
    *list = (struct mcast_list){0};
}

/* Reserve room for @more items. Callers reserve for the fullest possible packet, far more than
 * usual, so the memory is kept while such packets arrive; pages that are never written cost
 * nothing. */
static bool reserve(struct mcast_member *member, struct mcast_list *list, size_t more,
                    size_t size) {
    list->last_busy = more > LIST_KEPT ? member->now : list->last_busy;
    if (list->room - list->count >= more) {
        return true;
    }
    void *items =
        mcast_memory_widen(&member->alloc, list->items, &list->room, list->count + more, size);
    if (items == NULL) {
        member->short_of_memory = true;
        return false;
    }
    list->items = items;
    return true;
}

bool mcast_emit_reserve(struct mcast_member *member, size_t deliveries) {
    return reserve(member, &member->emitted.deliveries, deliveries,
                   sizeof(struct mcast_delivery)) &&
           reserve(member, &member->emitted.releases, deliveries + 4,
                   sizeof(struct mcast_buffer *));
}

void mcast_emit_delivery(struct mcast_member *member, const struct mcast_delivery *delivery) {
    struct mcast_delivery *place =
        mcast_list_add(member, &member->emitted.deliveries, sizeof *place);
    member->emitted.unread++;
    member->emitted.unread_bytes += delivery->length;
    if (place != NULL) {
        *place = *delivery;
    }
}

void mcast_emit_want(struct mcast_member *member, const struct mcast_want *want) {
    struct mcast_want *place = mcast_list_add(member, &member->emitted.wants, sizeof *place);
    if (place != NULL) {
        *place = *want;
    }
}

/* Stability of our own messages is merged in send/stability.c already. */
static bool is_stability_notice(const struct mcast_member *member,
                                const struct mcast_notice *notice) {
    return notice->kind == MCAST_NOTICE_STABLE && notice->sender != member->node;
}

static uint64_t stable_key(const struct mcast_notice *notice) {
    return (uint64_t)notice->group << 32 | notice->sender;
}

/* Remove the notices that later ones supersede. */
static void drop_superseded(struct mcast_member *member) {
    struct mcast_emitted *emitted = &member->emitted;
    struct mcast_notice *notices = emitted->notices.items;
    size_t kept = 0;
    for (size_t i = 0; i < emitted->notices.count && emitted->overtaken > 0; i++) {
        if (notices[i].kind == OVERTAKEN) {
            continue;
        }
        if (is_stability_notice(member, &notices[i])) {
            (void)mcast_map_put(&emitted->stables, stable_key(&notices[i]), kept);
        }
        notices[kept++] = notices[i];
    }
    emitted->notices.count = emitted->overtaken > 0 ? kept : emitted->notices.count;
    emitted->overtaken = 0;
}

/* Merge stability notices: one packet may carry a thousand for one sender and group, and the last
 * one implies the others. Return true when @notice has to be added to the list. */
static bool is_news(struct mcast_member *member, const struct mcast_notice *notice) {
    struct mcast_emitted *emitted = &member->emitted;
    uint64_t found = mcast_map_get(&emitted->stables, stable_key(notice));
    if (found != MCAST_MAP_NONE) {
        struct mcast_notice *earlier = (struct mcast_notice *)emitted->notices.items + found;
        if (earlier->number >= notice->number) {
            return false;
        }
        earlier->kind = OVERTAKEN;
        emitted->overtaken++;
    }
    if (emitted->overtaken >= OVERTAKEN_MOST && 2 * emitted->overtaken > emitted->notices.count) {
        drop_superseded(member);
    }
    if (mcast_map_put(&emitted->stables, stable_key(notice), emitted->notices.count) != MCAST_OK) {
        member->short_of_memory = true; /* the notice is then sent twice */
    }
    return true;
}

void mcast_emit_notice(struct mcast_member *member, const struct mcast_notice *notice) {
    if (is_stability_notice(member, notice) && !is_news(member, notice)) {
        return;
    }
    struct mcast_notice *place = mcast_list_add(member, &member->emitted.notices, sizeof *place);
    if (place != NULL) {
        *place = *notice;
        place->after = member->emitted.deliveries.count;
    }
}

void mcast_emit_hold(struct mcast_member *member, struct mcast_buffer *buffer) {
    if (buffer == NULL) {
        return;
    }
    struct mcast_buffer **place = mcast_list_add(member, &member->emitted.releases, sizeof *place);
    if (place != NULL) {
        *place = mcast_buffer_hold(buffer);
    }
}

void mcast_say(struct mcast_member *member, const struct mcast_service_message *message) {
    if (!member->connected) {
        return;
    }
    uint8_t *bytes = NULL;
    size_t length = 0;
    size_t room = 0;
    if (mcast_service_message_encode(message, &member->alloc, &bytes, &length, &room) != MCAST_OK) {
        mcast_memory_free(&member->alloc, bytes, 1, room);
        member->short_of_memory = true;
        return;
    }
    uint8_t *copy = mcast_scratch(member, length);
    struct mcast_control *place =
        copy == NULL ? NULL : mcast_list_add(member, &member->emitted.controls, sizeof *place);
    if (place != NULL) {
        memcpy(copy, bytes, length);
        *place = (struct mcast_control){copy, length};
    }
    mcast_memory_free(&member->alloc, bytes, 1, room);
}

/* Finish @datagram, the last of @list, which is complete but for its trailer. @tag is room for one
 * that is empty. Return false, and take it off the list, if it cannot be sealed. */
static bool finish_datagram(struct mcast_member *member, struct mcast_list *list,
                            struct mcast_datagram *datagram, uint8_t tag[MCAST_TAG_SIZE]) {
    if (member->config.auth.seal == NULL) {
        memset(tag, 0, MCAST_TAG_SIZE);
        datagram->parts[datagram->part_count++] = (struct mcast_part){tag, MCAST_TAG_SIZE};
    } else if (!mcast_seal_copy(member, datagram)) {
        list->count--;
        member->stats.drop_memory++;
        return false;
    }
    datagram->length += member->config.auth.trailer;
    return true;
}

static void write_header(struct mcast_member *member, uint8_t *bytes, uint8_t type, uint8_t flags,
                         mcast_view view, enum mcast_socket socket) {
    struct mcast_header header = {.encrypted = member->config.auth.encrypts,
                                  .type = type,
                                  .flags = flags,
                                  .key_id = member->config.auth.key_id,
                                  .cluster = member->config.cluster,
                                  .sender = member->node,
                                  .incarnation = member->check,
                                  .counter = ++member->counters[socket],
                                  .view = view};
    mcast_header_write(bytes, &header);
}

struct mcast_writer mcast_emit_begin(struct mcast_member *member, size_t most) {
    uint8_t *bytes = mcast_scratch(member, MCAST_HEADER_SIZE + most + member->config.auth.trailer);
    if (bytes == NULL) {
        struct mcast_writer none = mcast_writer_over(member->counters, 0);
        none.failed = true;
        return none;
    }
    return mcast_writer_over(bytes + MCAST_HEADER_SIZE, most);
}

static enum mcast_priority priority_out(const struct mcast_member *member, uint8_t type) {
    enum mcast_priority_mode mode = member->config.priority_mode;
    bool data = type == MCAST_WIRE_DATA || type == MCAST_WIRE_HYBRID;
    if (data || mode == MCAST_FIFO) {
        return MCAST_DATA_OUT;
    }
    if (type == MCAST_WIRE_REPAIR || mode == MCAST_QSM6) {
        return MCAST_REPAIR_OUT;
    }
    return type == MCAST_WIRE_REQUEST ? MCAST_REQUEST_OUT : MCAST_TOKEN_OUT;
}

void mcast_emit(struct mcast_member *member, const struct mcast_writer *writer, uint8_t type,
                uint8_t flags, mcast_view view, const struct mcast_address *to) {
    if (writer->failed) {
        member->stats.drop_memory += member->short_of_memory ? 1 : 0;
        return;
    }
    struct mcast_list *list =
        type == MCAST_WIRE_REQUEST ? &member->emitted.requests : &member->emitted.control;
    struct mcast_datagram *datagram = mcast_list_add(member, list, sizeof *datagram);
    if (datagram == NULL) {
        member->stats.drop_memory++;
        return;
    }
    uint8_t *bytes = writer->begin - MCAST_HEADER_SIZE;
    size_t length = MCAST_HEADER_SIZE + mcast_writer_count(writer);
    write_header(member, bytes, type, flags, view, MCAST_CONTROL);
    const struct mcast_auth *auth = &member->config.auth;
    if (auth->seal == NULL) {
        memset(bytes + length, 0, MCAST_TAG_SIZE);
    } else if (!auth->seal(auth->context, bytes, length)) {
        list->count--;
        member->stats.drop_memory++;
        return;
    }
    length += auth->trailer;
    *datagram = (struct mcast_datagram){.parts = {{bytes, length}},
                                        .part_count = 1,
                                        .length = (uint32_t)length,
                                        .to = *to,
                                        .socket = MCAST_CONTROL,
                                        .priority = priority_out(member, type)};
    member->stats.control_sent++;
    member->stats.control_bytes += datagram->length;
}

/* Return the list for data. Data emitted before its turn, because its batch is full or its view
 * closes, waits in the list `early`. */
static struct mcast_list *data_list(struct mcast_member *member) {
    return member->emitted.data_turn ? &member->emitted.datagrams : &member->emitted.early;
}

void mcast_emit_packet(struct mcast_member *member, struct mcast_packet *packet,
                       const struct mcast_view_state *view, uint8_t flags) {
    struct mcast_list *list = data_list(member);
    struct mcast_datagram *datagram = mcast_list_add(member, list, sizeof *datagram);
    if (datagram == NULL) {
        member->stats.drop_memory++;
        return;
    }
    write_header(member, packet->bytes, MCAST_WIRE_DATA, flags, view->number, MCAST_DATA);
    datagram->parts[0] = (struct mcast_part){packet->bytes, packet->length};
    uint32_t count = 1;
    if (packet->body_length > 0) {
        datagram->parts[count++] = (struct mcast_part){packet->body_bytes, packet->body_length};
    }
    datagram->part_count = count;
    datagram->length = packet->length + packet->body_length;
    datagram->to = view->address;
    datagram->socket = MCAST_DATA;
    datagram->priority = priority_out(member, MCAST_WIRE_DATA);
    if (!finish_datagram(member, list, datagram, packet->tag)) {
        return;
    }
    member->stats.packets_sent++;
    member->stats.bytes_sent += datagram->length;
}

void mcast_emit_hybrid(struct mcast_member *member, const struct mcast_packet *packet,
                       const struct mcast_hybrid_entry *entries, size_t count,
                       const struct mcast_address *to) {
    size_t head = MCAST_HYBRID_HEAD(count);
    uint8_t *bytes = mcast_scratch(member, head + MCAST_TAG_SIZE);
    struct mcast_list *list = data_list(member);
    struct mcast_datagram *datagram =
        bytes == NULL ? NULL : mcast_list_add(member, list, sizeof *datagram);
    if (datagram == NULL) {
        member->stats.drop_memory++;
        return;
    }
    write_header(member, bytes, MCAST_WIRE_HYBRID, 0, 0, MCAST_DATA);
    struct mcast_writer writer = mcast_writer_over(bytes + MCAST_HEADER_SIZE, head);
    mcast_hybrid_write(&writer, entries, count);
    uint32_t frames = packet->length - MCAST_DATA_HEAD;
    *datagram =
        (struct mcast_datagram){.parts = {{bytes, head}, {packet->bytes + MCAST_DATA_HEAD, frames}},
                                .part_count = 2,
                                .length = (uint32_t)head + frames + packet->body_length,
                                .to = *to,
                                .socket = MCAST_DATA,
                                .priority = priority_out(member, MCAST_WIRE_HYBRID)};
    if (packet->body_length > 0) {
        datagram->parts[datagram->part_count++] =
            (struct mcast_part){packet->body_bytes, packet->body_length};
    }
    if (!finish_datagram(member, list, datagram, bytes + head)) {
        return;
    }
    member->stats.packets_sent++;
    member->stats.hybrids_sent++;
    member->stats.bytes_sent += datagram->length;
}

void mcast_emit_repair(struct mcast_member *member, const struct mcast_view_state *view,
                       mcast_node origin, uint64_t number, const struct mcast_part *frames,
                       size_t count, const struct mcast_address *to, struct mcast_buffer *hold) {
    assert(count + 2 <= MCAST_DATAGRAM_PARTS);
    bool held = mcast_emit_reserve(member, 0);
    uint8_t *head = held ? mcast_scratch(member, MCAST_REPAIR_HEAD + MCAST_TAG_SIZE) : NULL;
    struct mcast_datagram *datagram =
        head == NULL ? NULL : mcast_list_add(member, &member->emitted.datagrams, sizeof *datagram);
    if (datagram == NULL) {
        member->stats.drop_memory++;
        return;
    }
    write_header(member, head, MCAST_WIRE_REPAIR, 0, view->number, MCAST_REPAIR);
    struct mcast_writer writer = mcast_writer_over(head + MCAST_HEADER_SIZE, 12);
    mcast_write_u32(&writer, origin);
    mcast_write_u64(&writer, number);
    *datagram = (struct mcast_datagram){.parts = {{head, MCAST_REPAIR_HEAD}},
                                        .part_count = 1,
                                        .length = MCAST_REPAIR_HEAD,
                                        .to = *to,
                                        .socket = MCAST_REPAIR,
                                        .priority = priority_out(member, MCAST_WIRE_REPAIR)};
    for (size_t i = 0; i < count; i++) {
        datagram->parts[datagram->part_count++] = frames[i];
        datagram->length += (uint32_t)frames[i].length;
    }
    if (!finish_datagram(member, &member->emitted.datagrams, datagram, head + MCAST_REPAIR_HEAD)) {
        return;
    }
    member->stats.repair_bytes += datagram->length;
    mcast_emit_hold(member, hold);
}

/* Empty @list. Memory that a burst made it grow to is returned only when the burst is over:
 * allocating it again in each step would cost more than everything else in that step. */
static void empty(struct mcast_member *member, struct mcast_list *list, size_t size) {
    size_t count = list->count;
    list->count = 0;
    if (list->room <= LIST_KEPT) {
        return;
    }
    if (count > list->room / 8) {
        list->last_busy = member->now;
    } else if (member->now > list->last_busy + CROWD_PASSES) {
        mcast_list_free(member, list, size);
    }
}

void mcast_emit_reset(struct mcast_member *member) {
    struct mcast_emitted *emitted = &member->emitted;
    struct mcast_buffer **releases = emitted->releases.items;
    for (size_t i = 0; i < emitted->releases.count; i++) {
        mcast_buffer_release(releases[i]);
    }
    empty(member, &emitted->control, sizeof(struct mcast_datagram));
    empty(member, &emitted->requests, sizeof(struct mcast_datagram));
    empty(member, &emitted->early, sizeof(struct mcast_datagram));
    empty(member, &emitted->datagrams, sizeof(struct mcast_datagram));
    empty(member, &emitted->deliveries, sizeof(struct mcast_delivery));
    empty(member, &emitted->controls, sizeof(struct mcast_control));
    empty(member, &emitted->wants, sizeof(struct mcast_want));
    empty(member, &emitted->notices, sizeof(struct mcast_notice));
    empty(member, &emitted->releases, sizeof(struct mcast_buffer *));
    mcast_map_clear(&emitted->stables);
    emitted->overtaken = 0;
    emitted->more = false;
    emitted->data_turn = false;
    mcast_packets_sweep(member);
    mcast_scratch_reset(member);
    mcast_sealed_reset(member);
}

void mcast_emit_finish(struct mcast_member *member, struct mcast_output *output) {
    struct mcast_emitted *emitted = &member->emitted;
    output->datagrams = emitted->datagrams.items;
    output->datagram_count = emitted->datagrams.count;
    output->deliveries = emitted->deliveries.items;
    output->delivery_count = emitted->deliveries.count;
    output->controls = emitted->controls.items;
    output->control_count = emitted->controls.count;
    output->wants = emitted->wants.items;
    output->want_count = emitted->wants.count;
    drop_superseded(member);
    output->notices = emitted->notices.items;
    output->notice_count = emitted->notices.count;
    output->more = emitted->more;
}

static void append(struct mcast_member *member, struct mcast_list *list) {
    const struct mcast_datagram *waiting = list->items;
    for (size_t i = 0; i < list->count; i++) {
        struct mcast_datagram *place =
            mcast_list_add(member, &member->emitted.datagrams, sizeof *place);
        if (place != NULL) {
            *place = waiting[i];
        }
    }
    list->count = 0;
}

void mcast_emit_control(struct mcast_member *member) {
    append(member, &member->emitted.control);
    append(member, &member->emitted.requests);
}

void mcast_emit_data(struct mcast_member *member) {
    append(member, &member->emitted.early);
    member->emitted.data_turn = true;
}

void mcast_emit_free(struct mcast_member *member) {
    struct mcast_emitted *emitted = &member->emitted;
    mcast_emit_reset(member);
    mcast_sealed_free(member);
    mcast_map_free(&emitted->stables);
    mcast_list_free(member, &emitted->control, sizeof(struct mcast_datagram));
    mcast_list_free(member, &emitted->requests, sizeof(struct mcast_datagram));
    mcast_list_free(member, &emitted->early, sizeof(struct mcast_datagram));
    mcast_list_free(member, &emitted->datagrams, sizeof(struct mcast_datagram));
    mcast_list_free(member, &emitted->deliveries, sizeof(struct mcast_delivery));
    mcast_list_free(member, &emitted->controls, sizeof(struct mcast_control));
    mcast_list_free(member, &emitted->wants, sizeof(struct mcast_want));
    mcast_list_free(member, &emitted->notices, sizeof(struct mcast_notice));
    mcast_list_free(member, &emitted->releases, sizeof(struct mcast_buffer *));
}
