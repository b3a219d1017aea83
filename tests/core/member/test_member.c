/* The member as a whole: its limits, and its behaviour without memory. */
#include "base/memory.h"
#include "member/member_state.h"
#include "small_world.h"

static void a_configuration_outside_its_limits_is_refused(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_member *member;
    struct mcast_config good = world_config(0);
    CHECK(mcast_member_new(&good, &memory.alloc, &member) == MCAST_OK);
    mcast_member_free(member);
    struct mcast_config bad = good;
    bad.incarnation = 0;
    CHECK(mcast_member_new(&bad, &memory.alloc, &member) == MCAST_ECONFIG && member == NULL);
    bad = good;
    bad.packet_size = 100;
    CHECK(mcast_member_new(&bad, &memory.alloc, &member) == MCAST_ECONFIG);
    bad = good;
    bad.window_floor = bad.window_cap + 1;
    CHECK(mcast_member_new(&bad, &memory.alloc, &member) == MCAST_ECONFIG);
    bad = good;
    bad.nak_ranges = 33;
    CHECK(mcast_member_new(&bad, &memory.alloc, &member) == MCAST_ECONFIG);
    bad = good;
    bad.interval_floor = bad.interval_ceiling + 1;
    CHECK(mcast_member_new(&bad, &memory.alloc, &member) == MCAST_ECONFIG);
    CHECK(memory.out == 0);
}

static void a_new_member_has_no_peers_and_no_deadline(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_member *member;
    struct mcast_config config = world_config(0);
    CHECK(mcast_member_new(&config, &memory.alloc, &member) == MCAST_OK);
    CHECK(mcast_member_node(member) == 0 && mcast_member_epoch(member) == 0);
    CHECK(mcast_member_next_deadline(member) == MCAST_NEVER);
    struct mcast_output output = {.room = 1};
    CHECK(mcast_member_step(member, NULL, 0, 5, &output) == MCAST_OK);
    CHECK(output.datagram_count == 0 && output.notice_count == 0 && !output.more);
    mcast_member_free(member);
    mcast_member_free(NULL);
    CHECK(memory.out == 0);
}

static void the_same_calls_give_the_same_bytes(void) {
    uint64_t digests[2];
    for (int run = 0; run < 2; run++) {
        struct world world;
        world_of(&world, 7, 3);
        uint64_t digest = 1;
        for (uint32_t i = 0; i < 50; i++) {
            world_send(&world, i % 7, i % 3, (uint8_t)i, 10 + i, i);
            for (size_t j = 0; j < world.line_count; j++) {
                const struct world_flight *flight = &world.line[(world.line_head + j) % WORLD_LINE];
                for (uint32_t k = 0; k < flight->length; k++) {
                    digest = digest * UINT64_C(0x100000001b3) + flight->buffer->bytes[k];
                }
            }
            world_run(&world, 7 * MCAST_MILLISECOND);
        }
        digests[run] = digest;
        world_free(&world);
    }
    CHECK(digests[0] == digests[1]);
}

static void an_idle_group_takes_at_most_160_bytes(void) {
    enum { GROUPS = 8192 };
    struct world world;
    world_init(&world);
    struct mcast_config config = world_config(0);
    world_add(&world, &config);
    world_run(&world, 100 * MCAST_MILLISECOND);
    uint64_t before = world_stats(&world, 0).memory_bytes;
    struct mcast_event *events = calloc(GROUPS, sizeof *events);
    for (uint32_t i = 0; i < GROUPS; i++) {
        events[i].kind = MCAST_EVENT_JOIN;
        events[i].as.join.group = i;
        events[i].as.join.id = (struct mcast_id){2, i + 1};
    }
    world_step(&world, 0, events, GROUPS);
    free(events);
    world_run(&world, 2 * MCAST_SECOND); /* by then the memory of bursts is returned */
    struct mcast_stats stats = world_stats(&world, 0);
    CHECK(stats.groups == GROUPS);
    CHECK(stats.memory_bytes - before <= 160 * GROUPS);
    world_free(&world);
}

/* Each allocation fails once, in turn. The member reports it, stays sound, and then completes
 * everything: what it had to drop counts as lost. */
static void a_failed_allocation_is_like_a_lost_packet(void) {
    uint64_t calls = 0;
    for (uint64_t refuse = 0; refuse <= calls; refuse += refuse / 64 + 1) {
        struct world world;
        world_of(&world, 3, 1);
        world.memory.calls = 0;
        world.memory.refuse = refuse;
        for (uint8_t i = 0; i < 12; i++) {
            struct mcast_event event = {.kind = MCAST_EVENT_SEND};
            event.as.send.bytes = &i;
            event.as.send.length = 1;
            event.as.send.cookie = i + 1;
            struct mcast_output output = {.room = UINT32_MAX};
            (void)mcast_member_step(world.members[0].member, &event, 1, world.now, &output);
            if (world.memory.refused) {
                world.memory.refuse = 0;
            }
            world_carry_out(&world, 0, &output);
        }
        calls = refuse == 0 ? world.memory.calls : calls;
        world.memory.refuse = 0;
        world_run(&world, 3 * MCAST_SECOND);
        struct mcast_stats stats = world_stats(&world, 0);
        CHECK(stats.pending_messages == 0 && stats.pending_packets == 0);
        size_t refusals = world_notices(&world, 0, MCAST_NOTICE_REFUSED);
        CHECK(refusals <= 1);
        CHECK(world.members[1].heard_count + refusals == 12);
        CHECK(world.members[2].heard_count == world.members[1].heard_count);
        world_free(&world);
    }
    CHECK(calls > 12);
}

static void priorities_follow_the_mode(void) {
    uint8_t data[48] = {MCAST_WIRE_VERSION, MCAST_WIRE_DATA};
    uint8_t repair[48] = {MCAST_WIRE_VERSION, MCAST_WIRE_REPAIR};
    uint8_t token[48] = {MCAST_WIRE_VERSION, MCAST_WIRE_TOKEN};
    uint8_t request[48] = {MCAST_WIRE_VERSION, MCAST_WIRE_REQUEST};
    CHECK(mcast_priority_of(MCAST_FINE8, token, 48) < mcast_priority_of(MCAST_FINE8, request, 48));
    CHECK(mcast_priority_of(MCAST_FINE8, request, 48) < mcast_priority_of(MCAST_FINE8, repair, 48));
    CHECK(mcast_priority_of(MCAST_FINE8, repair, 48) < mcast_priority_of(MCAST_FINE8, data, 48));
    CHECK(mcast_priority_of(MCAST_QSM6, repair, 48) == mcast_priority_of(MCAST_QSM6, token, 48));
    CHECK(mcast_priority_of(MCAST_FIFO, data, 48) == mcast_priority_of(MCAST_FIFO, token, 48));
    CHECK(mcast_priority_of(MCAST_FINE8, token, 0) == MCAST_TOKEN_IN); /* the bytes do not matter */
}

/* Hand a member a message of the service with memory refused from call @refuse on; everything taken
 * must be returned. Return true when memory was refused. */
static bool told_without_memory(const struct mcast_service_message *message, size_t refuse) {
    struct test_memory memory, outside;
    test_memory_init(&memory);
    test_memory_init(&outside);
    struct mcast_member *member;
    struct mcast_config config = world_config(0);
    struct mcast_output output = {.room = UINT32_MAX};
    CHECK(mcast_member_new(&config, &memory.alloc, &member) == MCAST_OK);
    struct mcast_event event = {.kind = MCAST_EVENT_CONNECTED};
    CHECK(mcast_member_step(member, &event, 1, 1, &output) == MCAST_OK);
    uint8_t *bytes = NULL;
    size_t length = 0, room = 0;
    CHECK(mcast_service_message_encode(message, &outside.alloc, &bytes, &length, &room) ==
          MCAST_OK);
    event.kind = MCAST_EVENT_CONTROL;
    event.as.control.bytes = bytes;
    event.as.control.length = length;
    memory.refuse = memory.calls + refuse;
    int code = mcast_member_step(member, &event, 1, 2, &output);
    CHECK(code == MCAST_OK || memory.refused);
    mcast_memory_free(&outside.alloc, bytes, room, 1);
    mcast_member_free(member);
    CHECK(memory.out == 0 && outside.out == 0);
    return memory.refused;
}

static void a_report_without_memory_leaks_nothing(void) {
    struct mcast_service_message message = {.kind = MCAST_SM_WELCOME};
    message.as.welcome.node = 1;
    message.as.welcome.epoch = 5;
    message.as.welcome.heartbeat = message.as.welcome.suspicion = MCAST_SECOND;
    message.as.welcome.report_wanted = true;
    size_t refuse = 1;
    while (told_without_memory(&message, refuse)) {
        refuse++;
    }
    CHECK(refuse > 1);
}

static void a_view_without_its_own_member_is_malformed(void) {
    mcast_node others[] = {2, 3};
    struct mcast_sm_view view = {.view = 9, .region = 1, .members = others, .member_count = 2};
    struct mcast_service_message message = {.kind = MCAST_SM_PREPARE};
    message.as.prepare.epoch = 6;
    message.as.prepare.update.views = &view;
    message.as.prepare.update.view_count = 1;
    CHECK(!told_without_memory(&message, SIZE_MAX / 2));
}

int main(void) {
    RUN(a_configuration_outside_its_limits_is_refused);
    RUN(a_new_member_has_no_peers_and_no_deadline);
    RUN(the_same_calls_give_the_same_bytes);
    RUN(an_idle_group_takes_at_most_160_bytes);
    RUN(a_failed_allocation_is_like_a_lost_packet);
    RUN(priorities_follow_the_mode);
    RUN(a_report_without_memory_leaks_nothing);
    RUN(a_view_without_its_own_member_is_malformed);
    return 0;
}
