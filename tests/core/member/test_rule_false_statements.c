/* False statements by a member of the cluster cost little, are not used in part, and change
 * nothing. */
#include "base/memory.h"
#include "member/member_state.h"
#include "small_world.h"

static uint64_t counter = 1000000;

/* Hand member @to a datagram with @flags in the name of member @from. */
static void say_with(struct world *world, uint32_t to, uint32_t from, uint8_t type, uint8_t flags,
                     mcast_view view, const uint8_t *body, size_t length) {
    enum mcast_socket socket = type == MCAST_WIRE_DATA     ? MCAST_DATA
                               : type == MCAST_WIRE_REPAIR ? MCAST_REPAIR
                                                           : MCAST_CONTROL;
    uint32_t whole = (uint32_t)(MCAST_HEADER_SIZE + length + MCAST_TAG_SIZE);
    struct mcast_buffer *buffer = mcast_buffer_new(&world->network.alloc, whole);
    CHECK(buffer != NULL);
    struct mcast_header header = {.type = type,
                                  .flags = flags,
                                  .cluster = 7,
                                  .sender = mcast_member_node(world->members[from].member),
                                  .incarnation = mcast_incarnation_check(from + 100),
                                  .counter = ++counter,
                                  .view = view};
    memset(buffer->bytes, 0, whole);
    mcast_header_write(buffer->bytes, &header);
    memcpy(buffer->bytes + MCAST_HEADER_SIZE, body, length);
    struct mcast_event event = {.kind = MCAST_EVENT_DATAGRAM};
    event.as.datagram.buffer = buffer;
    event.as.datagram.bytes = buffer->bytes;
    event.as.datagram.length = whole;
    event.as.datagram.socket = socket;
    world_step(world, to, &event, 1);
    mcast_buffer_release(buffer);
}

static void say(struct world *world, uint32_t to, uint32_t from, uint8_t type, mcast_view view,
                const uint8_t *body, size_t length) {
    say_with(world, to, from, type, 0, view, body, length);
}

static struct mcast_view_state *view_of(const struct world *world, uint32_t index) {
    return world->members[index].member->first_view;
}

/* Create three members of one group that have sent something, so that streams are open. */
static void world_open(struct world *world) {
    world_of(world, 3, 1);
    for (uint32_t i = 0; i < 3; i++) {
        world_send(world, i, 0, 'x', 20, 0);
    }
    world_run(world, 2 * MCAST_SECOND);
}

static void a_malformed_packet_is_dropped(void) {
    struct world world;
    world_open(&world);
    mcast_view view = view_of(&world, 0)->number;
    struct mcast_stats before = world_stats(&world, 0);
    uint8_t body[64] = {0, 0, 0, 0, 0, 0, 0, 3}; /* the next number */
    struct mcast_writer writer = mcast_writer_over(body + 8, sizeof body - 8);
    struct mcast_frame frame = {.kind = MCAST_FRAME_MESSAGE,
                                .group = mcast_group_at(world.members[0].member, 0)->short_name,
                                .number = 2,
                                .length = 1};
    mcast_frame_write_head(&writer, &frame);
    mcast_write_u8(&writer, 'l'); /* a valid message, with garbage behind it */
    memset(body + 8 + mcast_writer_count(&writer), 0xff, 8);
    say(&world, 0, 1, MCAST_WIRE_DATA, view, body, 16 + mcast_writer_count(&writer));
    struct mcast_stats after = world_stats(&world, 0);
    CHECK(after.drop_malformed == before.drop_malformed + 1);
    CHECK(after.packets_received == before.packets_received);
    CHECK(after.messages_delivered == before.messages_delivered);
    world_free(&world);
}

static void a_token_with_a_malformed_record_is_dropped(void) {
    struct world world;
    world_open(&world);
    struct mcast_view_state *view = view_of(&world, 1);
    uint8_t body[512];
    struct mcast_writer writer = mcast_writer_over(body, sizeof body);
    struct mcast_token_head head = {
        .round = MCAST_ROUND(0, 1000000, 0), .flags = MCAST_TOKEN_LAST, .records = 2};
    mcast_token_head_write(&writer, &head);
    struct mcast_record *record = calloc(1, sizeof *record);
    mcast_record_clear(record);
    record->sender = mcast_member_node(world.members[0].member);
    record->hi = record->cut = record->contig = 1000;
    mcast_record_write(&writer, record);
    free(record);
    mcast_write_u8(&writer, 0xff);
    struct mcast_stats before = world_stats(&world, 1);
    say(&world, 1, 0, MCAST_WIRE_TOKEN, view->number, body, mcast_writer_count(&writer));
    struct mcast_stats after = world_stats(&world, 1);
    CHECK(after.drop_malformed == before.drop_malformed + 1);
    CHECK(after.tokens_received == before.tokens_received);
    CHECK(mcast_stream_find(view, mcast_member_node(world.members[0].member))->hi < 1000);
    world_free(&world);
}

/* Write as many entries as a datagram holds, each of a million numbers. */
static size_t write_long_request(uint8_t *body, size_t room, mcast_node origin, uint64_t first) {
    struct mcast_writer writer = mcast_writer_over(body, room);
    struct mcast_request request = {.kind = MCAST_REQUEST_PULL, .origin = origin};
    mcast_spans_clear(&request.numbers, MCAST_SPANS_MOST);
    for (uint64_t i = 0; i < MCAST_SPANS_MOST; i++) {
        (void)mcast_spans_append(&request.numbers, first + (i << 20), first + (i << 20) + 1000000);
    }
    size_t count = 0;
    while (!writer.failed) {
        count = mcast_writer_count(&writer);
        mcast_request_write(&writer, &request);
    }
    return count;
}

static void a_request_for_everything_is_cut_to_possible_numbers(void) {
    struct world world;
    world_open(&world);
    static uint8_t body[60000];
    struct mcast_member *member = world.members[0].member;
    mcast_node origin = mcast_member_node(world.members[2].member);
    size_t length = write_long_request(body, sizeof body, origin, 1000);
    say(&world, 0, 1, MCAST_WIRE_REQUEST, view_of(&world, 0)->number, body, length);
    CHECK(member->lookups_left == MCAST_LOOKS_A_DATAGRAM);
    length = write_long_request(body, sizeof body, origin, 1);
    say(&world, 0, 1, MCAST_WIRE_REQUEST, view_of(&world, 0)->number, body, length);
    CHECK(member->lookups_left > MCAST_LOOKS_A_DATAGRAM - 100000);
    CHECK(world_stats(&world, 0).drop_malformed == 0);
    world_free(&world);
}

static void a_request_is_read_whole_before_it_is_used(void) {
    struct world world;
    world_open(&world);
    uint8_t body[600];
    mcast_node origin = mcast_member_node(world.members[2].member);
    size_t length = write_long_request(body, sizeof body - 1, origin, 1);
    body[length] = 0x7f;
    struct mcast_stats before = world_stats(&world, 0);
    say(&world, 0, 1, MCAST_WIRE_REQUEST, view_of(&world, 0)->number, body, length + 1);
    struct mcast_stats after = world_stats(&world, 0);
    CHECK(after.drop_malformed == before.drop_malformed + 1);
    CHECK(after.requests_received == before.requests_received);
    world_free(&world);
}

static void a_flow_message_for_another_node_is_ignored(void) {
    struct world world;
    world_open(&world);
    uint8_t body[32];
    struct mcast_member *member = world.members[0].member;
    struct mcast_flow flow = {.sender = mcast_member_node(world.members[2].member),
                              .group = mcast_group_at(member, 0)->short_name,
                              .pause = true};
    for (int meant = 0; meant < 2; meant++) {
        struct mcast_writer writer = mcast_writer_over(body, sizeof body);
        mcast_flow_write(&writer, &flow);
        say(&world, 0, 1, MCAST_WIRE_FLOW, 0, body, mcast_writer_count(&writer));
        CHECK(member->brakes.count == (size_t)meant);
        flow.sender = mcast_member_node(member);
    }
    world_free(&world);
}

/* Member 3 is known to the others and is not in their region. */
static void stale_from_a_node_outside_the_view_is_ignored(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 4; i++) {
        struct mcast_config config = world_config(i);
        world_join(&world, world_add(&world, &config), 0);
    }
    world_join(&world, 3, 1);
    world_run(&world, 15 * MCAST_SECOND);
    const struct mcast_route *route = mcast_group_at(world.members[0].member, 0)->route;
    struct mcast_view_state *view = route->views[mcast_view_is_member(route->views[0]) ? 0 : 1];
    CHECK(mcast_layout_seat(view, mcast_member_node(world.members[3].member)) == MCAST_NO_SEAT);
    world.members[1].firewalled = world.members[2].firewalled = true;
    world_send(&world, 0, 0, 'x', 20, 0);
    struct mcast_outbound *out = view->out;
    CHECK(out != NULL && out->acked < out->last);
    view->closing = true; /* a view that STALE applies to; for the test only */
    uint8_t body[12];
    struct mcast_writer writer = mcast_writer_over(body, sizeof body);
    mcast_write_u64(&writer, 0);
    mcast_write_u32(&writer, mcast_member_node(world.members[0].member));
    say(&world, 0, 3, MCAST_WIRE_STALE, view->number, body, sizeof body);
    CHECK(out->acked < out->last);
    uint64_t pending = world_stats(&world, 0).pending_packets;
    say(&world, 0, 1, MCAST_WIRE_STALE, view->number, body, sizeof body);
    CHECK(world_stats(&world, 0).pending_packets < pending);
    world_free(&world);
}

static void only_the_leader_can_report_a_slow_node(void) {
    struct world world;
    world_open(&world);
    struct mcast_view_state *view = view_of(&world, 1);
    struct mcast_service_message slow = {.kind = MCAST_SM_SLOW};
    slow.as.slow.view = view->number;
    slow.as.slow.node = mcast_member_node(world.members[2].member);
    slow.as.slow.behind = 1000;
    for (uint32_t teller = 2; teller-- > 0;) { /* 1, then the leader */
        uint8_t *bytes = NULL;
        size_t length = 0;
        size_t room = 0;
        CHECK(mcast_service_message_encode(&slow, &world.network.alloc, &bytes, &length, &room) ==
              MCAST_OK);
        world_service(&world, &(struct mcast_service_event){.kind = MCAST_SERVICE_MESSAGE,
                                                            .connection = teller + 1,
                                                            .bytes = bytes,
                                                            .length = length});
        mcast_memory_free(&world.network.alloc, bytes, 1, room);
        CHECK(view->seats[2].demoted == (teller == 0));
    }
    world_free(&world);
}

/* The first packet of a stream names an older view to wait for, and each allocation for it fails in
 * turn: the packet counts as lost, and once repaired, the stream goes on. */
static void a_first_packet_without_memory_is_repaired(void) {
    uint32_t refused = 0;
    for (size_t served = 1; served < 24; served++) {
        struct world world;
        world_of(&world, 3, 1);
        struct mcast_member *member = world.members[0].member;
        struct mcast_view_state *view = view_of(&world, 0);
        uint8_t list[64];
        struct mcast_writer lists = mcast_writer_over(list, sizeof list);
        mcast_open_write(&lists, &(struct mcast_open_entry){view->number + 77, 5}, 1);
        uint8_t body[200] = {0, 0, 0, 0, 0, 0, 0, 1};
        struct mcast_writer writer = mcast_writer_over(body + 8, sizeof body - 8);
        struct mcast_frame open = {
            .kind = MCAST_FRAME_OPEN, .number = 1, .length = (uint32_t)mcast_writer_count(&lists)};
        mcast_frame_write_head(&writer, &open);
        mcast_write_bytes(&writer, list, mcast_writer_count(&lists));
        size_t length = 8 + mcast_writer_count(&writer);
        world.memory.calls = 0;
        world.memory.refuse = served;
        say(&world, 0, 1, MCAST_WIRE_DATA, view->number, body, length);
        refused += world.memory.refused ? 1 : 0;
        world.memory.refuse = 0;
        world.memory.refused = false;
        say(&world, 0, 1, MCAST_WIRE_DATA, view->number, body, length);
        struct mcast_stream *stream =
            mcast_stream_find(view, mcast_member_node(world.members[1].member));
        CHECK(stream != NULL && stream->delivered == 1 && !stream->gated && stream->opened);
        CHECK(member->alarms > 0);
        world_free(&world);
    }
    CHECK(refused > 0);
}

static void stability_is_reported_once_a_step(void) {
    struct world world;
    world_open(&world);
    struct mcast_member *member = world.members[0].member;
    static uint8_t body[60000] = {0, 0, 0, 0, 0, 0, 0, 3}; /* the next number */
    struct mcast_writer writer = mcast_writer_over(body + 8, sizeof body - 8);
    struct mcast_frame frame = {.kind = MCAST_FRAME_STABLE,
                                .group = mcast_group_at(member, 0)->short_name};
    for (frame.number = 1; !writer.failed; frame.number++) {
        struct mcast_writer before = writer;
        mcast_frame_write_head(&writer, &frame);
        if (writer.failed) {
            writer = before;
            break;
        }
    }
    CHECK(frame.number > 10000);
    world.members[0].told = 0;
    size_t notices = world.notices_told;
    say(&world, 0, 1, MCAST_WIRE_DATA, view_of(&world, 0)->number, body,
        8 + mcast_writer_count(&writer));
    CHECK(world.notices_told == notices + 1);
    CHECK(world.members[0].told == frame.number - 1);
    world_free(&world);
}

static void an_answer_about_an_unreleased_round_is_ignored(void) {
    struct world world;
    world_open(&world);
    struct mcast_view_state *view = view_of(&world, 0);
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t round = MCAST_ROUND(0, view->ring.count + (i == 1 ? 0 : 1000), 0);
        uint8_t body[8];
        struct mcast_writer writer = mcast_writer_over(body, sizeof body);
        mcast_write_u64(&writer, round);
        say_with(&world, 0, 1, MCAST_WIRE_CALL, MCAST_FLAG_HERE, view->number, body, sizeof body);
        CHECK((view->seats[1].passed == MCAST_ROUND_SET(round)) == (i == 1));
    }
    world_free(&world);
}

int main(void) {
    RUN(a_malformed_packet_is_dropped);
    RUN(a_token_with_a_malformed_record_is_dropped);
    RUN(a_request_for_everything_is_cut_to_possible_numbers);
    RUN(a_request_is_read_whole_before_it_is_used);
    RUN(a_flow_message_for_another_node_is_ignored);
    RUN(stale_from_a_node_outside_the_view_is_ignored);
    RUN(only_the_leader_can_report_a_slow_node);
    RUN(a_first_packet_without_memory_is_repaired);
    RUN(stability_is_reported_once_a_step);
    RUN(an_answer_about_an_unreleased_round_is_ignored);
    return 0;
}
