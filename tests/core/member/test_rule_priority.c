/* Rules 1.16 and 1.0.9: the order in which a step handles what it received, in each mode.
 * small_world.h checks the order of what leaves in every test. */
#include "small_world.h"
#include "wire/ack.h"
#include "wire/request.h"
#include "wire/token.h"

/* Hand-written datagrams, as if from other members. */
struct pile {
    uint8_t bytes[4][256];
    struct mcast_event events[4];
    size_t count;
    uint64_t counter;
    mcast_view view;
};

static struct pile pile;

static void members_of(struct world *world, enum mcast_priority_mode mode) {
    world_begin(world, 0);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        config.priority_mode = mode;
        world_join(world, world_add(world, &config), 0);
    }
    world_run(world, 300 * MCAST_MILLISECOND);
    pile = (struct pile){.counter = 1000};
}

static mcast_node name_of(const struct world *world, uint32_t index) {
    return mcast_member_node(world->members[index].member);
}

/* Begin a datagram of @from; write its body and end it with `finish`. */
static struct mcast_writer begin(const struct world *world, uint32_t from, uint8_t type) {
    uint8_t *bytes = pile.bytes[pile.count];
    struct mcast_header header = {.type = type,
                                  .cluster = 7,
                                  .sender = name_of(world, from),
                                  .incarnation = mcast_incarnation_check(from + 100),
                                  .counter = ++pile.counter,
                                  .view = pile.view};
    mcast_header_write(bytes, &header);
    return mcast_writer_over(bytes + MCAST_HEADER_SIZE, 256 - MCAST_HEADER_SIZE - MCAST_TAG_SIZE);
}

static void finish(const struct mcast_writer *writer, enum mcast_socket socket) {
    struct mcast_event *event = &pile.events[pile.count];
    CHECK(!writer->failed);
    size_t length = MCAST_HEADER_SIZE + mcast_writer_count(writer);
    memset(pile.bytes[pile.count] + length, 0, MCAST_TAG_SIZE);
    *event = (struct mcast_event){.kind = MCAST_EVENT_DATAGRAM};
    event->as.datagram.bytes = pile.bytes[pile.count++];
    event->as.datagram.length = (uint32_t)(length + MCAST_TAG_SIZE);
    event->as.datagram.socket = socket;
}

static void write_message(struct mcast_writer *writer, uint64_t number, uint8_t text) {
    struct mcast_frame frame = {
        .kind = MCAST_FRAME_MESSAGE, .group = 1, .number = number, .length = 1};
    mcast_frame_write_head(writer, &frame);
    mcast_write_u8(writer, text);
}

static void add_data(const struct world *world, uint32_t from, uint8_t text) {
    struct mcast_writer writer = begin(world, from, MCAST_WIRE_DATA);
    mcast_write_u64(&writer, 1);
    write_message(&writer, 1, text);
    finish(&writer, MCAST_DATA);
}

/* Packets begin with an OPEN: in a stream with one group, a message's number is one lower than its
 * packet's. */
static void add_repair(const struct world *world, uint32_t from, uint32_t origin, uint64_t number,
                       uint8_t text) {
    struct mcast_writer writer = begin(world, from, MCAST_WIRE_REPAIR);
    mcast_write_u32(&writer, name_of(world, origin));
    mcast_write_u64(&writer, number);
    write_message(&writer, number - 1, text);
    finish(&writer, MCAST_REPAIR);
}

static void add_request(const struct world *world, uint32_t from, uint32_t origin, uint8_t kind,
                        uint64_t number) {
    struct mcast_request request = {.kind = kind, .origin = name_of(world, origin)};
    mcast_spans_clear(&request.numbers, 32);
    (void)mcast_spans_append(&request.numbers, number, number);
    struct mcast_writer writer = begin(world, from, MCAST_WIRE_REQUEST);
    mcast_request_write(&writer, &request);
    finish(&writer, MCAST_CONTROL);
}

static void add_ack(const struct world *world, uint32_t from, uint32_t to, uint64_t number) {
    struct mcast_ack ack = {.sender = name_of(world, to), .contig = number};
    mcast_spans_clear(&ack.above, 32);
    struct mcast_writer writer = begin(world, from, MCAST_WIRE_ACK);
    mcast_ack_write(&writer, &ack);
    finish(&writer, MCAST_CONTROL);
}

static void add_token(const struct world *world, uint32_t from, uint64_t round) {
    struct mcast_token_head head = {
        .round = MCAST_ROUND(0, round, 0), .stage = MCAST_STAGE_WALK, .flags = MCAST_TOKEN_LAST};
    struct mcast_writer writer = begin(world, from, MCAST_WIRE_TOKEN);
    mcast_token_head_write(&writer, &head);
    finish(&writer, MCAST_CONTROL);
}

static bool note_view(struct world *world, const struct world_flight *flight) {
    (void)world;
    if (world_type(flight) == MCAST_WIRE_DATA) {
        pile.view = world_view_of(flight);
    }
    return false;
}

static bool lose_all(struct world *world, const struct world_flight *flight) {
    (void)world;
    (void)flight;
    return true;
}

/* Create three members; the first has sent a message that all have, and one that none has. */
static void after_a_loss(struct world *world, enum mcast_priority_mode mode) {
    members_of(world, mode);
    world->lose = note_view;
    world_send(world, 0, 0, 'a', 10, 1);
    world_run(world, MCAST_SECOND);
    world->lose = lose_all;
    world_send(world, 0, 0, 'b', 10, 2);
    world_pass(world);
}

/* An acknowledgement arrives in one batch with a request for the same packet. By class, nothing is
 * left to send again; in order of arrival there was an intent, which has become idle. */
static uint64_t idle_repairs(enum mcast_priority_mode mode) {
    struct world world;
    after_a_loss(&world, mode);
    add_request(&world, 1, 0, MCAST_REQUEST_NAK, 3);
    add_ack(&world, 2, 0, 3);
    uint64_t repairs = world.seen[MCAST_WIRE_REPAIR];
    world_step(&world, 0, pile.events, pile.count);
    struct mcast_stats stats = world_stats(&world, 0);
    CHECK(stats.requests_received == 1 && stats.pending_packets == 0);
    CHECK(world.seen[MCAST_WIRE_REPAIR] == repairs);
    world_free(&world);
    return stats.repairs_idle;
}

static void acknowledgements_are_handled_before_requests(void) {
    CHECK(idle_repairs(MCAST_FINE8) == 0);
    CHECK(idle_repairs(MCAST_QSM6) == 1);
    CHECK(idle_repairs(MCAST_FIFO) == 1);
}

static uint8_t first_delivered(enum mcast_priority_mode mode) {
    struct world world;
    after_a_loss(&world, mode);
    world.members[1].heard_count = 0;
    add_data(&world, 2, 'd');
    add_repair(&world, 2, 0, 3, 'r');
    world_step(&world, 1, pile.events, pile.count);
    CHECK(world.members[1].heard_count == 2);
    uint8_t first = world.members[1].heard[0].first;
    world_free(&world);
    return first;
}

static void repairs_are_handled_before_data(void) {
    CHECK(first_delivered(MCAST_FINE8) == 'r');
    CHECK(first_delivered(MCAST_QSM6) == 'r');
    CHECK(first_delivered(MCAST_FIFO) == 'd');
}

/* A request for a packet that comes after the request in the same batch. */
static uint64_t repairs_sent(enum mcast_priority_mode mode) {
    struct world world;
    after_a_loss(&world, mode);
    uint64_t before = world.seen[MCAST_WIRE_REPAIR];
    add_request(&world, 0, 2, MCAST_REQUEST_PULL, 1);
    add_data(&world, 2, 'd');
    world_step(&world, 1, pile.events, pile.count);
    uint64_t repairs = world.seen[MCAST_WIRE_REPAIR] - before;
    world_free(&world);
    return repairs;
}

static void data_is_marked_before_anything_acts_on_gaps(void) {
    CHECK(repairs_sent(MCAST_FINE8) == 1);
    CHECK(repairs_sent(MCAST_QSM6) == 1);
    CHECK(repairs_sent(MCAST_FIFO) == 0);
}

/* The queue of a node that slept holds a token of each round that was lost on it. */
static void after_a_sleep_only_the_newest_token_is_passed_on(void) {
    enum mcast_priority_mode modes[] = {MCAST_FINE8, MCAST_QSM6, MCAST_FIFO};
    for (size_t i = 0; i < 3; i++) {
        struct world world;
        after_a_loss(&world, modes[i]);
        struct mcast_stats before = world_stats(&world, 1);
        for (uint64_t round = 1000; round < 1004; round++) {
            add_token(&world, 0, round);
        }
        world_step(&world, 1, pile.events, pile.count);
        struct mcast_stats stats = world_stats(&world, 1);
        CHECK(stats.tokens_received == before.tokens_received + 4);
        CHECK(stats.drop_stale_token == before.drop_stale_token + 3);
        CHECK(stats.tokens_sent == before.tokens_sent + 1);
        world_free(&world);
    }
}

/* An unauthenticated token does not suppress a genuine one. */
static void a_forged_later_round_changes_nothing(void) {
    struct world world;
    after_a_loss(&world, MCAST_FINE8);
    struct mcast_stats before = world_stats(&world, 1);
    add_token(&world, 0, 1000);
    add_token(&world, 0, 2000);
    struct mcast_header header;
    CHECK(mcast_header_read(pile.bytes[1], pile.events[1].as.datagram.length, &header));
    header.incarnation++;
    mcast_header_write(pile.bytes[1], &header);
    world_step(&world, 1, pile.events, pile.count);
    struct mcast_stats stats = world_stats(&world, 1);
    CHECK(stats.drop_stranger == before.drop_stranger + 1);
    CHECK(stats.drop_stale_token == before.drop_stale_token);
    CHECK(stats.tokens_sent == before.tokens_sent + 1);
    world_free(&world);
}

/* A message waits to be batched, and a token is due in the step in which that wait ends. */
static void data_that_is_ready_early_leaves_behind_tokens(void) {
    struct world world;
    world_begin(&world, 0);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        config.batch_delay = 10 * MCAST_MILLISECOND;
        world_join(&world, world_add(&world, &config), 0);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    for (uint32_t i = 0; i < 100; i++) {
        world_send(&world, 0, 0, 'x', 10, i + 1);
        world_run(&world, (3 + i % 5) * MCAST_MILLISECOND);
    }
    CHECK(world.together > 0); /* tokens and data in one step; small_world.h checked the order */
    world_run(&world, MCAST_SECOND);
    CHECK(world.members[1].heard_count == 100);
    world_free(&world);
}

int main(void) {
    RUN(acknowledgements_are_handled_before_requests);
    RUN(repairs_are_handled_before_data);
    RUN(data_is_marked_before_anything_acts_on_gaps);
    RUN(after_a_sleep_only_the_newest_token_is_passed_on);
    RUN(a_forged_later_round_changes_nothing);
    RUN(data_that_is_ready_early_leaves_behind_tokens);
    return 0;
}
