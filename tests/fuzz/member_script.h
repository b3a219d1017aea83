/* A member driven by a fuzz input: reading the input, and the checks after each step. */
#ifndef MEMBER_SCRIPT_H
#define MEMBER_SCRIPT_H

#include "fuzz.h"
#include "service_samples.h"
#include "wire/ack.h"
#include "wire/flow.h"
#include "wire/frame.h"
#include "wire/header.h"
#include "wire/hybrid.h"
#include "wire/request.h"
#include "wire/token.h"

#include "mcast/error.h"
#include "mcast/member.h"

enum { NODES = 6, SELF = 1, VIEWS = 8, GROUPS = 5, ROOM = 1400, BACKLOG = 16 };

struct script {
    struct test_memory memory;
    struct test_memory network; /* owns what comes from outside the member */
    struct mcast_member *member;
    mcast_time now;
    mcast_epoch epoch;
    uint64_t request;
    uint64_t counter;
    uint64_t incarnation;
    uint64_t wants[BACKLOG];
    uint32_t want_groups[BACKLOG];
    size_t want_count;
    struct mcast_buffer *said[BACKLOG]; /* datagrams of the member, to replay */
    size_t said_count;
    const uint8_t *at;
    const uint8_t *end;
};

static inline uint8_t next(struct script *script) {
    return script->at < script->end ? *script->at++ : 0;
}

static inline void note_datagram(struct script *script, const struct mcast_datagram *datagram) {
    uint32_t length = 0;
    CHECK(datagram->part_count <= MCAST_DATAGRAM_PARTS && datagram->length <= MCAST_PACKET_MOST);
    struct mcast_buffer *copy = mcast_buffer_new(&script->network.alloc, datagram->length);
    CHECK(copy != NULL);
    for (uint32_t i = 0; i < datagram->part_count; i++) {
        memcpy(copy->bytes + length, datagram->parts[i].bytes, datagram->parts[i].length);
        length += (uint32_t)datagram->parts[i].length;
    }
    CHECK(length == datagram->length);
    struct mcast_header header;
    CHECK(mcast_header_read(copy->bytes, length, &header));
    struct mcast_buffer **place = &script->said[script->said_count++ % BACKLOG];
    if (*place != NULL) {
        mcast_buffer_release(*place);
    }
    *place = copy;
}

static inline void note(struct script *script, const struct mcast_output *output) {
    for (size_t i = 0; i < output->datagram_count; i++) {
        note_datagram(script, &output->datagrams[i]);
    }
    for (size_t i = 0; i < output->control_count; i++) {
        struct mcast_service_message message;
        CHECK(mcast_service_message_decode(output->controls[i].bytes, output->controls[i].length,
                                           &script->network.alloc, &message) == MCAST_OK);
        mcast_service_message_free(&script->network.alloc, &message);
    }
    for (size_t i = 0; i < output->want_count; i++) {
        size_t at = script->want_count++ % BACKLOG;
        script->wants[at] = output->wants[i].cookie;
        script->want_groups[at] = output->wants[i].group;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < output->delivery_count; i++) {
        for (uint32_t byte = 0; byte < output->deliveries[i].length; byte++) {
            sum += output->deliveries[i].bytes[byte]; /* reads every byte, for the sanitizer */
        }
    }
    for (size_t i = 0; i < output->notice_count; i++) {
        CHECK(output->notices[i].after <= output->delivery_count);
        sum += output->notices[i].kind == MCAST_NOTICE_MEMBERS && output->notices[i].count > 0
                   ? output->notices[i].nodes[output->notices[i].count - 1].node
                   : 0;
    }
    CHECK(sum != UINT64_MAX);
}

static inline void step(struct script *script, const struct mcast_event *events, size_t count) {
    struct mcast_output output = {.room = script->now % 7 == 0 ? 1 : UINT32_MAX};
    int code = mcast_member_step(script->member, events, count, script->now, &output);
    CHECK(code == MCAST_OK || (code == MCAST_ENOMEM && script->memory.refused));
    note(script, &output);
    CHECK(mcast_member_next_deadline(script->member) >= script->now);
}

#endif
