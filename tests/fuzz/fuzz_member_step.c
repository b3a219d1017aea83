/* Whatever happens to a member, in whatever order, and whenever memory ends: it goes on, says only
 * what is a message, and leaves nothing behind.
 *
 * An input is a list of acts: what the application asks, what the membership service says, what
 * datagrams come, how time passes. The service and the other members lie, but with real names: of
 * nodes, views, groups and epochs that the member was told of, and of numbers near those in use. */
#include "fuzz.h"
#include "service_samples.h"
#include "wire.h"
#include "wire_token.h"

#include "mcast/error.h"
#include "mcast/member.h"

enum { NODES = 6, SELF = 1, VIEWS = 8, GROUPS = 5, ROOM = 1400, BACKLOG = 16 };

struct play {
    struct test_memory memory;
    struct test_memory network; /* is what comes from outside the member */
    struct mcast_member *member;
    mcast_time now;
    mcast_epoch epoch;
    uint64_t request;
    uint64_t counter;
    uint64_t incarnation;
    uint64_t wants[BACKLOG];
    uint32_t want_groups[BACKLOG];
    size_t want_count;
    struct mcast_buffer *said[BACKLOG]; /* is datagrams of the member, to say again */
    size_t said_count;
    const uint8_t *at;
    const uint8_t *end;
};

static uint8_t next(struct play *play) {
    return play->at < play->end ? *play->at++ : 0;
}

/* ---- what comes back ---- */

static void note_datagram(struct play *play, const struct mcast_datagram *datagram) {
    uint32_t length = 0;
    CHECK(datagram->part_count <= MCAST_DATAGRAM_PARTS && datagram->length <= MCAST_PACKET_MOST);
    struct mcast_buffer *copy = mcast_buffer_new(&play->network.alloc, datagram->length);
    CHECK(copy != NULL);
    for (uint32_t i = 0; i < datagram->part_count; i++) {
        memcpy(copy->bytes + length, datagram->parts[i].bytes, datagram->parts[i].length);
        length += (uint32_t)datagram->parts[i].length;
    }
    CHECK(length == datagram->length);
    struct mcast_header header;
    CHECK(mcast_header_read(copy->bytes, length, &header));
    struct mcast_buffer **place = &play->said[play->said_count++ % BACKLOG];
    if (*place != NULL) {
        mcast_buffer_release(*place);
    }
    *place = copy;
}

static void note(struct play *play, const struct mcast_output *output) {
    for (size_t i = 0; i < output->datagram_count; i++) {
        note_datagram(play, &output->datagrams[i]);
    }
    for (size_t i = 0; i < output->control_count; i++) {
        struct mcast_service_message message;
        CHECK(mcast_service_message_decode(output->controls[i].bytes, output->controls[i].length,
                                           &play->network.alloc, &message) == MCAST_OK);
        mcast_service_message_free(&play->network.alloc, &message);
    }
    for (size_t i = 0; i < output->want_count; i++) {
        size_t at = play->want_count++ % BACKLOG;
        play->wants[at] = output->wants[i].cookie;
        play->want_groups[at] = output->wants[i].group;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < output->delivery_count; i++) {
        for (uint32_t byte = 0; byte < output->deliveries[i].length; byte++) {
            sum += output->deliveries[i].bytes[byte]; /* must be there to be read */
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

static void step(struct play *play, const struct mcast_event *events, size_t count) {
    struct mcast_output output = {.room = play->now % 7 == 0 ? 1 : UINT32_MAX};
    int code = mcast_member_step(play->member, events, count, play->now, &output);
    CHECK(code == MCAST_OK || (code == MCAST_ENOMEM && play->memory.refused));
    note(play, &output);
    CHECK(mcast_member_next_deadline(play->member) >= play->now);
}

/* ---- what the service says ---- */

static void say(struct play *play, const struct mcast_service_message *message) {
    uint8_t *bytes = NULL;
    size_t length = 0, room = 0;
    CHECK(mcast_service_message_encode(message, &play->network.alloc, &bytes, &length, &room) ==
          MCAST_OK);
    struct mcast_event event = {.kind = MCAST_EVENT_CONTROL};
    event.as.control.bytes = bytes;
    event.as.control.length = length;
    step(play, &event, 1);
    mcast_memory_free(&play->network.alloc, bytes, room, 1);
}

static void welcome(struct play *play) {
    struct mcast_service_message message = {.kind = MCAST_SM_WELCOME};
    uint8_t how = next(play);
    message.as.welcome.node = SELF + (how > 250 ? 1 : 0);
    message.as.welcome.epoch = play->epoch;
    message.as.welcome.heartbeat = 200 * MCAST_MILLISECOND;
    message.as.welcome.suspicion = MCAST_SECOND;
    message.as.welcome.report_wanted = (how & 1) != 0;
    say(play, &message);
}

static struct mcast_sm_node node_of(uint32_t name) {
    struct mcast_sm_node node = {.node = name, .id = {1, name}, .incarnation = name + 100};
    node.address.ip[15] = (uint8_t)name;
    node.address.port[0] = node.address.port[1] = node.address.port[2] = 1000;
    return node;
}

/* Everything an update holds, in places that live as long as it. */
struct told {
    struct mcast_sm_node nodes[NODES];
    struct mcast_sm_view views[2];
    mcast_view parents[2];
    mcast_node members[2][NODES];
    struct mcast_sm_class classes[2];
    mcast_view class_views[2][2];
    struct mcast_sm_hybrid hybrids[2];
    struct mcast_sm_group_run runs[2];
    mcast_view closing[2];
    mcast_node dead[2];
};

static void tell_views(struct play *play, struct told *told, struct mcast_sm_update *update) {
    update->view_count = next(play) % 3;
    update->views = told->views;
    for (size_t i = 0; i < update->view_count; i++) {
        struct mcast_sm_view *view = &told->views[i];
        uint8_t who = next(play), which = next(play);
        *view = (struct mcast_sm_view){.view = (play->epoch % VIEWS) * 4 + which % 4 + 1,
                                       .region = which % 5 + 1,
                                       .hierarchy = which % 3,
                                       .members = told->members[i]};
        view->address.ip[14] = 239;
        view->address.ip[15] = (uint8_t)(which % 6);
        view->parents = told->parents;
        view->parent_count = which >= 128 ? 1 : 0;
        told->parents[0] = which % VIEWS + 1;
        for (uint32_t n = 0; n < NODES; n++) {
            if ((who >> n & 1) != 0) {
                told->members[i][view->member_count++] = n + 1;
            }
        }
    }
}

static void tell_groups(struct play *play, struct told *told, struct mcast_sm_update *update) {
    uint8_t what = next(play);
    update->class_count = what % 3;
    update->classes = told->classes;
    for (size_t i = 0; i < update->class_count; i++) {
        told->class_views[i][0] = update->view_count > 0 ? told->views[i % update->view_count].view
                                                         : next(play) % 40 + 1u;
        bool both = update->view_count == 2 && told->views[0].view < told->views[1].view;
        if (both) {
            told->class_views[i][0] = told->views[0].view;
            told->class_views[i][1] = told->views[1].view;
        }
        told->classes[i] = (struct mcast_sm_class){(uint32_t)(what >> 4) % 3 + (uint32_t)i + 1,
                                                   told->class_views[i], both ? 2 : 1};
    }
    update->run_count = (what >> 2 & 3) % 3;
    update->runs = told->runs;
    uint32_t first = 1;
    for (size_t i = 0; i < update->run_count; i++) {
        uint8_t how = next(play);
        told->runs[i] =
            (struct mcast_sm_group_run){first, how % 4 + 1u, how >> 5, play->epoch - how % 3};
        first += how % 4 + 1u;
    }
}

static void prepare(struct play *play) {
    struct told told;
    struct mcast_service_message message = {.kind = MCAST_SM_PREPARE};
    struct mcast_sm_update *update = &message.as.prepare.update;
    uint8_t how = next(play);
    play->epoch += how % 4 != 0 ? 1 : 0;
    message.as.prepare.epoch = play->epoch;
    update->nodes = told.nodes;
    update->node_count = how > 200 ? 0 : NODES;
    for (uint32_t n = 0; n < NODES; n++) {
        told.nodes[n] = node_of(n + 1);
    }
    tell_views(play, &told, update);
    tell_groups(play, &told, update);
    update->closing = told.closing;
    update->closing_count = how >> 3 & 1;
    told.closing[0] = next(play) % 40 + 1;
    update->dead = told.dead;
    update->dead_count = how >> 4 & 1;
    told.dead[0] = next(play) % NODES + 1;
    update->hybrids = told.hybrids;
    update->hybrid_count = (how >> 5) % 3;
    for (uint32_t i = 0; i < update->hybrid_count; i++) {
        told.hybrids[i] = (struct mcast_sm_hybrid){.group = i + 1, .listens = (how & 1) != 0};
        told.hybrids[i].address.ip[15] = (uint8_t)(200 + how % 4 + i);
    }
    say(play, &message);
}

static void answer_change(struct play *play) {
    struct mcast_sm_changed_item items[GROUPS];
    struct mcast_service_message message = {.kind = MCAST_SM_CHANGED};
    uint8_t how = next(play);
    size_t count = how % GROUPS + 1u;
    for (size_t i = 0; i < count; i++) {
        items[i] = (struct mcast_sm_changed_item){(uint32_t)i, (uint32_t)i + 1,
                                                  how > 240 ? MCAST_EREFUSED : 0};
    }
    play->request += how % 8 != 0 ? 1 : 0;
    message.as.changed.request = play->request;
    message.as.changed.items = items;
    message.as.changed.count = count;
    say(play, &message);
}

static void close_view(struct play *play) {
    struct mcast_sm_final finals[2];
    mcast_node dead = next(play) % NODES + 1;
    struct mcast_service_message message = {.kind = MCAST_SM_VIEW_CLOSED};
    uint8_t how = next(play);
    message.as.view_closed.view = how % 40 + 1u;
    message.as.view_closed.finals = finals;
    message.as.view_closed.count = how % 3;
    finals[0] = (struct mcast_sm_final){1, next(play)};
    finals[1] = (struct mcast_sm_final){2 + how % 3u, next(play)};
    message.as.view_closed.dead = &dead;
    message.as.view_closed.dead_count = how >> 7;
    say(play, &message);
}

static void say_short(struct play *play, uint8_t what) {
    struct mcast_service_message message = {.kind = MCAST_SM_COMMIT};
    struct mcast_sm_node nodes[2] = {node_of(1), node_of(2)};
    uint8_t how = next(play);
    message.as.commit.epoch = play->epoch - (how > 240 ? 1 : 0);
    if (what == 1) {
        message.kind = MCAST_SM_HEARTBEAT;
        message.as.heartbeat.epoch = play->epoch;
    } else if (what == 2) {
        message.kind = MCAST_SM_DEMOTE;
        message.as.demote.view = how % 40 + 1u;
        message.as.demote.node = how % NODES + 1u;
        message.as.demote.demoted = (how & 128) != 0;
    } else if (what == 3) {
        message.kind = MCAST_SM_MEMBERS;
        message.as.members.cookie = how % GROUPS;
        message.as.members.view_number = play->epoch;
        message.as.members.nodes = nodes;
        message.as.members.count = how % 3;
    } else if (what == 4 && how < 40) {
        message.kind = MCAST_SM_EVICTED;
        message.as.evicted.epoch = play->epoch;
        message.as.evicted.code = MCAST_EEVICTED;
    }
    say(play, &message);
}

/* Any message at all, of either side. */
static void babble(struct play *play) {
    struct sampler from = {.seed = next(play) * 251u + next(play), .alloc = &play->network.alloc};
    struct mcast_service_message message =
        sample_message(&from, sample_kinds[next(play) % SAMPLE_KINDS]);
    say(play, &message);
    mcast_service_message_free(&play->network.alloc, &message);
}

static void service_speaks(struct play *play) {
    uint8_t what = next(play);
    if (what < 80) {
        prepare(play);
    } else if (what < 150) {
        say_short(play, what % 2 == 0 ? 0 : what % 5);
    } else if (what < 190) {
        answer_change(play);
    } else if (what < 220) {
        close_view(play);
    } else if (what < 245) {
        welcome(play);
    } else {
        babble(play);
    }
}

/* ---- what other members say ---- */

static void write_frame(struct play *play, struct mcast_writer *writer) {
    static const uint8_t payload[256];
    uint8_t what = next(play);
    struct mcast_frame frame = {.kind = (enum mcast_frame_kind)(what % 5),
                                .group = (what >> 3) % GROUPS + 1u,
                                .number = next(play),
                                .length = 40};
    if (frame.kind == MCAST_FRAME_FRAGMENT) {
        frame.offset = (uint64_t)(next(play) % 4) * 40;
        frame.total = 160 + (uint64_t)(what & 128) * 1000000;
    }
    if (frame.kind == MCAST_FRAME_OPEN) {
        uint8_t list[64];
        struct mcast_open_entry entries[2] = {{next(play) % 40 + 1u, next(play)}, {40, 2}};
        struct mcast_writer inner = mcast_writer_over(list, sizeof list);
        mcast_open_write(&inner, entries, what >> 7);
        frame.number = play->epoch;
        frame.length = (uint32_t)mcast_writer_count(&inner);
        mcast_frame_write_head(writer, &frame);
        mcast_write_bytes(writer, list, frame.length);
        return;
    }
    mcast_frame_write_head(writer, &frame);
    if (frame.kind == MCAST_FRAME_MESSAGE || frame.kind == MCAST_FRAME_FRAGMENT) {
        mcast_write_bytes(writer, payload, frame.length);
    }
}

static void read_spans(struct play *play, struct mcast_spans *spans) {
    mcast_spans_clear(spans, MCAST_SPANS_MOST);
    uint64_t at = 1;
    for (uint8_t count = next(play) % 5; count > 0; count--) {
        uint8_t gap = next(play);
        at += 2 + gap % 16;
        (void)mcast_spans_append(spans, at, at + gap / 16);
        at += gap / 16;
    }
}

static void write_record(struct play *play, struct mcast_writer *writer) {
    struct mcast_record record;
    mcast_record_clear(&record);
    uint8_t how = next(play);
    record.sender = how % NODES + 1u;
    record.flags = (uint32_t)next(play) * 2 % MCAST_RECORD_FLAGS;
    record.purge = next(play) % 64;
    record.cut = record.purge + next(play) % 32;
    record.before = record.cut;
    record.hi = record.cut + next(play) % 16;
    record.contig = record.purge + next(play) % 8;
    record.low = how % NODES;
    read_spans(play, &record.owned);
    read_spans(play, &record.prev);
    read_spans(play, &record.all);
    read_spans(play, &record.want);
    read_spans(play, &record.skip);
    record.own.known = record.last.known = UINT32_MAX;
    record.own.count = record.last.count = how >> 7;
    read_spans(play, &record.own.at[0].missing);
    mcast_record_write(writer, &record);
}

static void write_token(struct play *play, struct mcast_writer *writer) {
    uint8_t how = next(play);
    struct mcast_token_head head = {.round = ((uint64_t)next(play) << 8 | how % 3) |
                                             (uint64_t)(how >> 5) << 48,
                                    .stage = how % 4,
                                    .flags = next(play) % 16,
                                    .records = how % 3};
    mcast_token_head_write(writer, &head);
    for (uint32_t i = 0; i < head.records; i++) {
        write_record(play, writer);
    }
}

/* For two views at least, which may be ours, others', unknown or the same. */
static void write_hybrid(struct play *play, struct mcast_writer *writer) {
    uint8_t count = next(play) % 6;
    mcast_write_u8(writer, count);
    uint64_t view = 0;
    for (uint8_t i = 0; i < count; i++) {
        view += next(play) % 8;
        mcast_write_u8(writer, next(play) % 2);
        mcast_write_u64(writer, view);
        mcast_write_u64(writer, next(play) % 64);
    }
    write_frame(play, writer);
}

static void write_body(struct play *play, uint8_t type, struct mcast_writer *writer) {
    struct mcast_ack ack = {.sender = SELF, .contig = next(play)};
    struct mcast_request request = {.kind = type % 4, .origin = next(play) % NODES + 1u};
    struct mcast_flow flow = {
        .sender = 1, .group = next(play) % GROUPS + 1u, .pause = next(play) % 2 != 0};
    switch (type) {
    case MCAST_WIRE_REPAIR:
        mcast_write_u32(writer, next(play) % NODES + 1u);
        mcast_write_u64(writer, next(play) % 64);
        write_frame(play, writer);
        break;
    case MCAST_WIRE_DATA:
        mcast_write_u64(writer, next(play) % 64);
        write_frame(play, writer);
        write_frame(play, writer);
        break;
    case MCAST_WIRE_HYBRID:
        write_hybrid(play, writer);
        break;
    case MCAST_WIRE_TOKEN:
        write_token(play, writer);
        break;
    case MCAST_WIRE_ACK:
        read_spans(play, &ack.above);
        mcast_ack_write(writer, &ack);
        break;
    case MCAST_WIRE_REQUEST:
        read_spans(play, &request.numbers);
        mcast_request_write(writer, &request);
        break;
    case MCAST_WIRE_FLOW:
        mcast_flow_write(writer, &flow);
        break;
    case MCAST_WIRE_HIGH_WATER:
        mcast_write_varint(writer, next(play));
        break;
    default:
        mcast_write_u64(writer, play->epoch);
        break;
    }
}

static enum mcast_socket socket_of(uint8_t type) {
    switch (type) {
    case MCAST_WIRE_DATA:
    case MCAST_WIRE_HYBRID:
        return MCAST_DATA;
    case MCAST_WIRE_REPAIR:
        return MCAST_REPAIR;
    default:
        return MCAST_CONTROL;
    }
}

static void arrive(struct play *play, struct mcast_buffer *buffer, uint32_t length, uint8_t type) {
    struct mcast_event event = {.kind = MCAST_EVENT_DATAGRAM};
    event.as.datagram.buffer = buffer;
    event.as.datagram.bytes = buffer->bytes;
    event.as.datagram.length = length;
    event.as.datagram.socket = socket_of(type);
    step(play, &event, 1);
}

static void datagram(struct play *play) {
    struct mcast_buffer *buffer = mcast_buffer_new(&play->network.alloc, ROOM);
    CHECK(buffer != NULL);
    uint8_t type = next(play) % (MCAST_WIRE_TYPES - 1) + 1, from = next(play) % NODES + 1;
    struct mcast_header header = {.type = type,
                                  .flags = next(play) % 2,
                                  .cluster = 7,
                                  .sender = from,
                                  .incarnation = mcast_incarnation_check(from + 100u),
                                  .counter = ++play->counter,
                                  .view = next(play) % 40 + 1u};
    mcast_header_write(buffer->bytes, &header);
    struct mcast_writer writer =
        mcast_writer_over(buffer->bytes + MCAST_HEADER_SIZE, ROOM - MCAST_HEADER_SIZE - 16);
    write_body(play, type, &writer);
    size_t length = MCAST_HEADER_SIZE + (writer.failed ? 0 : mcast_writer_count(&writer));
    uint8_t spoil = next(play);
    if (spoil > 220 && length > MCAST_HEADER_SIZE) {
        buffer->bytes[MCAST_HEADER_SIZE + spoil % (length - MCAST_HEADER_SIZE)] ^= next(play);
    }
    memset(buffer->bytes + length, 0, 16);
    arrive(play, buffer, (uint32_t)length + 16, type);
    mcast_buffer_release(buffer);
}

/* What the member said comes back, from another and with one byte changed. */
static void echo(struct play *play) {
    struct mcast_buffer *said = play->said[next(play) % BACKLOG];
    if (said == NULL) {
        return;
    }
    struct mcast_buffer *copy = mcast_buffer_new(&play->network.alloc, (uint32_t)said->size);
    CHECK(copy != NULL);
    memcpy(copy->bytes, said->bytes, said->size);
    struct mcast_header header;
    CHECK(mcast_header_read(copy->bytes, said->size, &header));
    header.sender = next(play) % NODES + 1;
    header.incarnation = mcast_incarnation_check(header.sender + 100u);
    header.counter = ++play->counter;
    mcast_header_write(copy->bytes, &header);
    size_t body = said->size - MCAST_HEADER_SIZE - 16;
    if (body > 0) {
        copy->bytes[MCAST_HEADER_SIZE + next(play) % body] ^= next(play);
    }
    arrive(play, copy, (uint32_t)said->size, header.type);
    mcast_buffer_release(copy);
}

/* ---- what the application asks ---- */

static void send_message(struct play *play, uint32_t group) {
    uint8_t how = next(play);
    uint32_t length = how % 4 == 0 ? 5000u * (how >> 2) : how;
    struct mcast_buffer *buffer = mcast_buffer_new(&play->network.alloc, length + 1);
    CHECK(buffer != NULL);
    memset(buffer->bytes, how, length + 1);
    struct mcast_event event = {.kind = MCAST_EVENT_SEND};
    event.as.send.group = group;
    event.as.send.pull = how > 200;
    event.as.send.buffer = event.as.send.pull ? NULL : buffer;
    event.as.send.bytes = event.as.send.pull ? NULL : buffer->bytes;
    event.as.send.length = event.as.send.pull ? 0 : length;
    event.as.send.cookie = play->counter;
    step(play, &event, 1);
    mcast_buffer_release(buffer);
}

static void supply(struct play *play) {
    uint8_t how = next(play);
    struct mcast_buffer *buffer = mcast_buffer_new(&play->network.alloc, 3000);
    CHECK(buffer != NULL);
    memset(buffer->bytes, how, 3000);
    struct mcast_event event = {.kind = MCAST_EVENT_PAYLOAD};
    event.as.payload.group = play->want_groups[how % BACKLOG];
    event.as.payload.cookie = play->wants[how % BACKLOG];
    event.as.payload.nothing = how > 230;
    event.as.payload.buffer = event.as.payload.nothing ? NULL : buffer;
    event.as.payload.bytes = event.as.payload.nothing ? NULL : buffer->bytes;
    event.as.payload.length = event.as.payload.nothing ? 0 : how * 11u;
    step(play, &event, 1);
    mcast_buffer_release(buffer);
}

static void join(struct play *play, uint32_t group, bool member) {
    uint8_t how = next(play);
    struct mcast_event event = {.kind = member ? MCAST_EVENT_JOIN : MCAST_EVENT_REGISTER};
    event.as.join.group = group;
    event.as.join.id = (struct mcast_id){2, group + 1};
    event.as.join.policy = (struct mcast_group_policy){.slow = (enum mcast_slow_policy)(how % 4),
                                                       .queue_messages = how >> 4,
                                                       .tell_stable = (how & 4) != 0};
    step(play, &event, 1);
}

static void ask(struct play *play, uint32_t group, enum mcast_event_kind kind) {
    struct mcast_event event = {.kind = kind};
    if (kind == MCAST_EVENT_CONSUMED) {
        event.as.consumed.group = group;
        event.as.consumed.messages = next(play);
        event.as.consumed.bytes = next(play) * 40u;
    } else if (kind == MCAST_EVENT_REJOIN) {
        event.as.rejoin.incarnation = ++play->incarnation;
    } else {
        event.as.leave.group = group;
    }
    step(play, &event, 1);
}

static void application_asks(struct play *play) {
    static const enum mcast_event_kind kinds[] = {MCAST_EVENT_CONSUMED, MCAST_EVENT_CONSUMED,
                                                  MCAST_EVENT_RESUME, MCAST_EVENT_MEMBERS,
                                                  MCAST_EVENT_LEAVE};
    uint8_t what = next(play);
    uint32_t group = next(play) % (GROUPS + 1u);
    if (what < 100) {
        send_message(play, group);
    } else if (what < 140) {
        supply(play);
    } else if (what < 190) {
        join(play, group, what % 8 != 0);
    } else if (what < 250) {
        ask(play, group, kinds[what % 5]);
    } else {
        ask(play, group, what % 2 == 0 ? MCAST_EVENT_STOP : MCAST_EVENT_REJOIN);
    }
}

/* ---- the play ---- */

static void pass(struct play *play) {
    uint8_t how = next(play);
    mcast_time due = mcast_member_next_deadline(play->member);
    if (how % 4 == 0 && due != MCAST_NEVER) {
        play->now = due;
    } else {
        play->now += (mcast_time)how * how * MCAST_MILLISECOND / 8;
    }
    step(play, NULL, 0);
}

static void act(struct play *play) {
    uint8_t what = next(play);
    struct mcast_event event = {.kind = what % 2 == 0 ? MCAST_EVENT_CONNECTED
                                                      : MCAST_EVENT_DISCONNECTED};
    if (what < 100) {
        datagram(play);
    } else if (what < 115) {
        echo(play);
    } else if (what < 165) {
        application_asks(play);
    } else if (what < 215) {
        service_speaks(play);
    } else if (what < 246) {
        pass(play);
    } else if (what < 250) {
        step(play, &event, 1);
    } else if (what < 253) {
        play->memory.refuse = 0;
    } else {
        play->memory.refuse = play->memory.calls + 1 + next(play);
    }
}

/* Most inputs begin with a member that is connected, welcome, and in a group with the others. */
static void settle(struct play *play) {
    static const uint8_t all[] = {1,    1,    0xff, 0, /* a view with everybody */
                                  0x15, 0x20,          /* a class, a run of groups that have it */
                                  0,    0};
    const uint8_t *at = play->at, *end = play->end;
    for (uint32_t group = 0; group < GROUPS; group++) {
        join(play, group, true);
    }
    step(play, &(struct mcast_event){.kind = MCAST_EVENT_CONNECTED}, 1);
    welcome(play);
    play->at = all;
    play->end = all + sizeof all;
    prepare(play);
    play->at = at;
    play->end = end;
    struct mcast_service_message message = {.kind = MCAST_SM_COMMIT};
    message.as.commit.epoch = play->epoch;
    answer_change(play);
    say(play, &message);
}

static struct mcast_config configure(struct play *play) {
    struct mcast_config config;
    uint8_t how = next(play);
    mcast_config_default(&config);
    if ((how & 1) != 0) {
        mcast_config_paper(&config);
    }
    config.cluster = 7;
    config.id = (struct mcast_id){1, SELF};
    config.incarnation = SELF + 100;
    config.seed = how;
    config.ring_mode = (how & 2) != 0 ? MCAST_INDEPENDENT : MCAST_NESTED;
    config.priority_mode = (enum mcast_priority_mode)((how >> 2) % 3);
    config.partition_size = (how >> 4) % 3 + 1;
    config.batch_delay = (how & 64) != 0 ? MCAST_MILLISECOND : 0;
    config.reassembly_cap = 1 << 20;
    return config;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct play play = {
        .now = MCAST_SECOND, .at = data, .end = data + size, .epoch = 1, .incarnation = 1000};
    test_memory_init(&play.memory);
    test_memory_init(&play.network);
    struct mcast_config config = configure(&play);
    CHECK(mcast_member_new(&config, &play.memory.alloc, &play.member) == MCAST_OK);
    if (next(&play) % 8 != 0) {
        settle(&play);
    }
    while (play.at < play.end) {
        act(&play);
    }
    mcast_member_free(play.member);
    for (size_t i = 0; i < BACKLOG; i++) {
        if (play.said[i] != NULL) {
            mcast_buffer_release(play.said[i]);
        }
    }
    CHECK(play.memory.out == 0 && play.network.out == 0);
    return 0;
}

size_t fuzz_begin(uint64_t *seed, uint8_t *bytes, size_t room) {
    size_t size = test_random(seed) % 1500 + 8;
    size = size < room ? size : room;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)test_random(seed);
    }
    return size;
}
