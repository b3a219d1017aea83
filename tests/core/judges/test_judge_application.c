/* Each oracle must see its breach, and be silent without one. */
#include "check.h"
#include "judges/judge.h"

#include <string.h>

enum { GROUP = 3, SIZE = 100, NAME = 77, MESSAGES = 4 };

/* A sender and two receivers in one group, with four messages made. */
struct bench {
    struct oracle *oracle;
    uint32_t sender, first, second;
    uint8_t bytes[MESSAGES][SIZE];
};

static void start(struct bench *bench) {
    bench->oracle = oracle_new();
    uint32_t actors[3];
    for (uint32_t i = 0; i < 3; i++) {
        actors[i] = oracle_start(bench->oracle, i);
        oracle_join(bench->oracle, actors[i], GROUP, false);
        oracle_joined(bench->oracle, actors[i], GROUP, 0);
        CHECK(actors[i] == i + 1);
    }
    for (uint32_t i = 0; i < 3; i++) {
        oracle_members(bench->oracle, actors[i], GROUP, 1, actors, 3, 0);
    }
    bench->sender = actors[0];
    bench->first = actors[1];
    bench->second = actors[2];
    for (int i = 0; i < MESSAGES; i++) {
        CHECK(oracle_send(bench->oracle, bench->sender, GROUP, bench->bytes[i], SIZE, 5) ==
              (uint64_t)i + 1);
        oracle_sent(bench->oracle, bench->sender, GROUP, 5);
    }
}

static uint64_t deliver(struct bench *bench, uint32_t actor, int which) {
    return oracle_deliver(bench->oracle, actor, GROUP, NAME, (uint64_t)which + 1,
                          bench->bytes[which], SIZE, 9);
}

static void deliver_all(struct bench *bench) {
    for (uint32_t actor = 1; actor <= 3; actor++) {
        for (int i = 0; i < MESSAGES; i++) {
            CHECK(deliver(bench, actor, i) == 5);
        }
    }
}

static void end(struct bench *bench, enum oracle_id id, uint64_t broken) {
    CHECK(oracle_broken(bench->oracle, id) == broken);
    CHECK(oracle_broken_total(bench->oracle) == broken);
    CHECK((oracle_breach(bench->oracle, 0) != NULL) == (broken != 0));
    oracle_free(bench->oracle);
}

static void a_clean_run_breaks_nothing(void) {
    struct bench bench;
    start(&bench);
    deliver_all(&bench);
    oracle_stable(bench.oracle, bench.first, GROUP, NAME, MESSAGES, 10);
    oracle_settle(bench.oracle, 10);
    CHECK(oracle_applied(bench.oracle, ORACLE_PROGRESS) == 3);
    CHECK(oracle_applied(bench.oracle, ORACLE_PREFIX) == 12);
    end(&bench, ORACLE_PREFIX, 0);
}

static void a_gap_is_reported(void) {
    struct bench bench;
    start(&bench);
    deliver(&bench, bench.first, 0);
    deliver(&bench, bench.first, 2);
    end(&bench, ORACLE_PREFIX, 1);
}

static void a_duplicate_is_reported(void) {
    struct bench bench;
    start(&bench);
    deliver(&bench, bench.first, 0);
    deliver(&bench, bench.first, 0);
    end(&bench, ORACLE_PREFIX, 1);
}

static void a_late_first_message_is_reported_at_the_end(void) {
    struct bench bench;
    start(&bench);
    deliver_all(&bench);
    struct bench other;
    start(&other);
    for (uint32_t actor = 1; actor <= 3; actor++) {
        for (int i = actor == 2 ? 1 : 0; i < MESSAGES; i++) {
            deliver(&other, actor, i);
        }
    }
    oracle_settle(other.oracle, 10);
    end(&other, ORACLE_PREFIX, 1);
    end(&bench, ORACLE_PREFIX, 0);
}

static void a_missing_message_is_reported_at_the_end(void) {
    struct bench bench;
    start(&bench);
    for (int i = 0; i < MESSAGES; i++) {
        deliver(&bench, bench.sender, i);
        deliver(&bench, bench.first, i);
    }
    deliver(&bench, bench.second, 0);
    oracle_settle(bench.oracle, 10);
    end(&bench, ORACLE_PROGRESS, 1);
}

static void dead_members_are_owed_nothing(void) {
    struct bench bench;
    start(&bench);
    oracle_end(bench.oracle, bench.first);
    for (uint32_t actor = 1; actor <= 3; actor += 2) {
        for (int i = 0; i < MESSAGES; i++) {
            deliver(&bench, actor, i);
        }
    }
    oracle_settle(bench.oracle, 10);
    end(&bench, ORACLE_PROGRESS, 0);
}

static void a_doubted_member_that_was_not_evicted_is_owed_all_messages(void) {
    struct bench bench;
    start(&bench);
    oracle_doubt(bench.oracle, bench.sender);
    oracle_doubt(bench.oracle, bench.second);
    for (uint32_t actor = 1; actor <= 2; actor++) {
        for (int i = 0; i < MESSAGES; i++) {
            deliver(&bench, actor, i);
        }
    }
    oracle_settle(bench.oracle, 10);
    end(&bench, ORACLE_PROGRESS, 1);
}

static void only_a_member_told_of_a_loss_is_excused(void) {
    struct bench bench;
    start(&bench);
    oracle_doubt(bench.oracle, bench.sender);
    oracle_declare(bench.oracle, bench.sender);
    for (uint32_t actor = 1; actor <= 3; actor++) {
        for (int i = 0; i < (actor == 1 ? MESSAGES : 2); i++) {
            deliver(&bench, actor, i);
        }
    }
    oracle_skipped(bench.oracle, bench.first, GROUP, NAME, false, 9);
    oracle_settle(bench.oracle, 10);
    end(&bench, ORACLE_PROGRESS, 1);
}

static void a_returning_member_is_owed_messages_sent_since(void) {
    struct bench bench;
    uint8_t more[SIZE];
    start(&bench);
    deliver_all(&bench);
    oracle_leave(bench.oracle, bench.second, GROUP);
    oracle_left(bench.oracle, bench.second, GROUP);
    oracle_join(bench.oracle, bench.second, GROUP, false);
    oracle_joined(bench.oracle, bench.second, GROUP, 20);
    const uint32_t members[] = {1, 2, 3};
    oracle_members(bench.oracle, bench.sender, GROUP, 2, members, 3, 21);
    oracle_send(bench.oracle, bench.sender, GROUP, more, SIZE, 22);
    oracle_sent(bench.oracle, bench.sender, GROUP, 22);
    for (uint32_t actor = 1; actor <= 2; actor++) {
        oracle_deliver(bench.oracle, actor, GROUP, NAME, 5, more, SIZE, 23);
    }
    oracle_settle(bench.oracle, 30);
    end(&bench, ORACLE_PROGRESS, 1);
}

static void unsent_messages_are_not_owed(void) {
    struct bench bench;
    start(&bench);
    deliver_all(&bench);
    uint8_t more[SIZE];
    oracle_send(bench.oracle, bench.sender, GROUP, more, SIZE, 10);
    oracle_settle(bench.oracle, 20);
    end(&bench, ORACLE_PROGRESS, 0);
}

static void a_changed_byte_is_reported(void) {
    for (int at = 0; at < SIZE; at++) {
        struct bench bench;
        start(&bench);
        bench.bytes[0][at] ^= 1;
        CHECK(deliver(&bench, bench.first, 0) == UINT64_MAX);
        end(&bench, ORACLE_CONTENT, 1);
    }
}

static void a_message_in_the_wrong_group_is_reported(void) {
    struct bench bench;
    start(&bench);
    oracle_join(bench.oracle, bench.first, GROUP + 1, false);
    oracle_deliver(bench.oracle, bench.first, GROUP + 1, NAME, 1, bench.bytes[0], SIZE, 9);
    end(&bench, ORACLE_CONTENT, 1);
}

static void a_sender_under_another_name_is_reported(void) {
    struct bench bench;
    start(&bench);
    deliver(&bench, bench.first, 0);
    oracle_deliver(bench.oracle, bench.first, GROUP, NAME + 1, 2, bench.bytes[1], SIZE, 9);
    end(&bench, ORACLE_CONTENT, 1);
}

static void a_jump_in_the_cores_own_numbers_is_reported(void) {
    struct bench bench;
    start(&bench);
    deliver(&bench, bench.first, 0);
    oracle_deliver(bench.oracle, bench.first, GROUP, NAME, 3, bench.bytes[1], SIZE, 9);
    end(&bench, ORACLE_CONTENT, 1);
}

static void a_delivery_after_leaving_is_reported(void) {
    struct bench bench;
    start(&bench);
    deliver(&bench, bench.first, 0);
    oracle_leave(bench.oracle, bench.first, GROUP);
    deliver(&bench, bench.first, 1);
    end(&bench, ORACLE_LEAVE, 1);
}

static void being_asked_to_send_after_leaving_is_reported(void) {
    struct bench bench;
    uint8_t more[SIZE];
    start(&bench);
    oracle_leave(bench.oracle, bench.sender, GROUP);
    oracle_send(bench.oracle, bench.sender, GROUP, more, SIZE, 9);
    end(&bench, ORACLE_LEAVE, 1);
}

static void a_rejoining_member_may_begin_with_any_message(void) {
    struct bench bench;
    start(&bench);
    deliver(&bench, bench.first, 0);
    oracle_leave(bench.oracle, bench.first, GROUP);
    oracle_left(bench.oracle, bench.first, GROUP);
    oracle_join(bench.oracle, bench.first, GROUP, false);
    deliver(&bench, bench.first, 2);
    deliver(&bench, bench.first, 3);
    end(&bench, ORACLE_PREFIX, 0);
}

static void two_views_of_one_number_are_reported(void) {
    struct bench bench;
    start(&bench);
    const uint32_t fewer[] = {1, 2};
    oracle_members(bench.oracle, bench.second, GROUP, 1, fewer, 2, 9);
    end(&bench, ORACLE_VIEWS, 1);
}

static void a_step_back_to_an_older_view_is_reported(void) {
    struct bench bench;
    start(&bench);
    const uint32_t members[] = {1, 2, 3};
    oracle_members(bench.oracle, bench.second, GROUP, 2, members, 3, 9);
    oracle_members(bench.oracle, bench.second, GROUP, 1, members, 3, 9);
    end(&bench, ORACLE_VIEWS, 1);
}

static void a_member_in_no_view_of_the_sender_is_owed_nothing(void) {
    struct bench bench;
    start(&bench);
    uint32_t late = oracle_start(bench.oracle, 9);
    oracle_join(bench.oracle, late, GROUP, false);
    oracle_joined(bench.oracle, late, GROUP, 9);
    deliver_all(&bench);
    oracle_settle(bench.oracle, 10);
    CHECK(oracle_applied(bench.oracle, ORACLE_PROGRESS) == 3);
    end(&bench, ORACLE_PROGRESS, 0);
}

static void a_later_member_is_owed_the_messages_sent_to_its_views(void) {
    struct bench bench;
    uint8_t more[SIZE];
    start(&bench);
    uint32_t late = oracle_start(bench.oracle, 9);
    oracle_join(bench.oracle, late, GROUP, false);
    oracle_joined(bench.oracle, late, GROUP, 9);
    const uint32_t members[] = {1, 2, 3, 4};
    oracle_members(bench.oracle, bench.sender, GROUP, 2, members, 4, 9);
    deliver_all(&bench);
    oracle_send(bench.oracle, bench.sender, GROUP, more, SIZE, 10);
    oracle_sent(bench.oracle, bench.sender, GROUP, 11);
    for (uint32_t actor = 1; actor <= 3; actor++) {
        oracle_deliver(bench.oracle, actor, GROUP, NAME, 5, more, SIZE, 11);
    }
    oracle_settle(bench.oracle, 20);
    end(&bench, ORACLE_PROGRESS, 1);
}

static void evicting_a_healthy_member_is_reported_and_a_faulty_one_is_not(void) {
    struct bench bench;
    start(&bench);
    oracle_evicted(bench.oracle, bench.first, 9);
    oracle_doubt(bench.oracle, bench.second);
    oracle_evicted(bench.oracle, bench.second, 9);
    end(&bench, ORACLE_EVICTION, 1);
}

static void losing_data_of_a_live_sender_is_reported_and_of_a_dead_one_is_not(void) {
    struct bench bench;
    start(&bench);
    deliver(&bench, bench.first, 0);
    deliver(&bench, bench.second, 0);
    oracle_skipped(bench.oracle, bench.first, GROUP, NAME, false, 9);
    CHECK(oracle_broken(bench.oracle, ORACLE_EVICTION) == 1);
    oracle_end(bench.oracle, bench.sender);
    oracle_skipped(bench.oracle, bench.second, GROUP, NAME, false, 9);
    deliver(&bench, bench.second, 2);
    end(&bench, ORACLE_EVICTION, 1);
}

/* A node that slept for long keeps its rights until the service gives it up. */
static void a_doubted_member_is_excused_once_declared_dead(void) {
    struct bench bench;
    start(&bench);
    deliver(&bench, bench.first, 0);
    oracle_doubt(bench.oracle, bench.sender);
    oracle_skipped(bench.oracle, bench.first, GROUP, NAME, false, 9);
    CHECK(oracle_broken(bench.oracle, ORACLE_EVICTION) == 1);
    oracle_declare(bench.oracle, bench.sender);
    oracle_skipped(bench.oracle, bench.second, GROUP, NAME, false, 9);
    CHECK(oracle_broken(bench.oracle, ORACLE_EVICTION) == 1);
    oracle_declare(bench.oracle, bench.first); /* it was not doubted */
    CHECK(!oracle_excuses(bench.oracle, bench.first));
    end(&bench, ORACLE_EVICTION, 1);
}

static void a_loss_that_names_no_group_excuses_one_gap_in_each(void) {
    struct bench bench;
    start(&bench);
    deliver(&bench, bench.first, 0);
    oracle_end(bench.oracle, bench.sender);
    oracle_skipped(bench.oracle, bench.first, ORACLE_ANY_GROUP, NAME, false, 9);
    deliver(&bench, bench.first, 2);
    CHECK(oracle_broken_total(bench.oracle) == 0);
    deliver(&bench, bench.first, 2);
    end(&bench, ORACLE_PREFIX, 1);
}

static void dropping_without_the_policy_is_reported(void) {
    struct bench bench;
    start(&bench);
    deliver(&bench, bench.first, 0);
    oracle_skipped(bench.oracle, bench.first, GROUP, NAME, true, 9);
    end(&bench, ORACLE_EVICTION, 1);
}

static void an_unsent_message_reported_stable_is_a_breach(void) {
    struct bench bench;
    start(&bench);
    deliver_all(&bench);
    oracle_stable(bench.oracle, bench.first, GROUP, NAME, MESSAGES + 1, 9);
    end(&bench, ORACLE_STABLE, 1);
}

static void a_missing_message_reported_stable_is_a_breach_once(void) {
    struct bench bench;
    start(&bench);
    for (int i = 0; i < MESSAGES; i++) {
        deliver(&bench, bench.sender, i);
        deliver(&bench, bench.first, i);
    }
    deliver(&bench, bench.second, 0);
    oracle_stable(bench.oracle, bench.first, GROUP, NAME, 1, 9);
    CHECK(oracle_broken_total(bench.oracle) == 0);
    oracle_stable(bench.oracle, bench.first, GROUP, NAME, 2, 9);
    oracle_stable(bench.oracle, bench.sender, GROUP, NAME, 2, 9);
    end(&bench, ORACLE_STABLE, 1);
}

static void sending_after_leaving_is_reported(void) {
    struct bench bench;
    start(&bench);
    oracle_leave(bench.oracle, bench.sender, GROUP);
    oracle_sent(bench.oracle, bench.sender, GROUP, 9);
    CHECK(oracle_broken_total(bench.oracle) == 0); /* it is about to leave */
    oracle_left(bench.oracle, bench.sender, GROUP);
    oracle_sent(bench.oracle, bench.sender, GROUP, 9);
    end(&bench, ORACLE_LEAVE, 1);
}

/* Evict one receiver, which received two of the four messages. */
static void put_out(struct bench *bench) {
    start(bench);
    (void)deliver(bench, bench->first, 0);
    (void)deliver(bench, bench->first, 1);
    oracle_doubt(bench->oracle, bench->first);
}

static void an_evicted_member_told_what_it_lacks_is_no_breach(void) {
    struct bench bench;
    put_out(&bench);
    oracle_missed(bench.oracle, bench.first, GROUP, NAME, 3, 4, 9);
    oracle_evicted(bench.oracle, bench.first, 9);
    end(&bench, ORACLE_MISSED, 0);
}

static void an_evicted_member_not_told_what_it_lacks_is_a_breach(void) {
    struct bench bench;
    put_out(&bench);
    oracle_evicted(bench.oracle, bench.first, 9);
    end(&bench, ORACLE_MISSED, 1);
}

static void a_wrong_missed_number_is_reported(void) {
    for (uint64_t number = 2; number <= 4; number += 2) {
        struct bench bench;
        put_out(&bench);
        oracle_missed(bench.oracle, bench.first, GROUP, NAME, number, 4, 9);
        oracle_evicted(bench.oracle, bench.first, 9);
        end(&bench, ORACLE_MISSED, 1);
    }
}

static void a_missed_number_that_was_never_sent_is_reported(void) {
    struct bench bench;
    put_out(&bench);
    oracle_missed(bench.oracle, bench.first, GROUP, NAME, 3, 5, 9);
    end(&bench, ORACLE_MISSED, 1);
}

static void missed_messages_of_an_unknown_sender_are_reported(void) {
    struct bench bench;
    put_out(&bench);
    oracle_missed(bench.oracle, bench.first, GROUP, NAME + 1, 1, 1, 9);
    end(&bench, ORACLE_MISSED, 1);
}

static void missed_messages_of_the_dead_need_not_be_reported(void) {
    struct bench bench;
    put_out(&bench);
    oracle_end(bench.oracle, bench.sender);
    oracle_evicted(bench.oracle, bench.first, 9);
    end(&bench, ORACLE_MISSED, 0);
}

static void only_the_first_breaches_keep_their_text(void) {
    struct bench bench;
    start(&bench);
    for (int i = 0; i < 100; i++) {
        oracle_fail(bench.oracle, ORACLE_MEMORY, 1000001, "number %d", i);
    }
    CHECK(strcmp(oracle_breach(bench.oracle, 0), "1.000001 ms memory: number 0") == 0);
    CHECK(oracle_breach(bench.oracle, 32) == NULL);
    end(&bench, ORACLE_MEMORY, 100);
}

int main(void) {
    RUN(a_clean_run_breaks_nothing);
    RUN(a_gap_is_reported);
    RUN(a_duplicate_is_reported);
    RUN(a_late_first_message_is_reported_at_the_end);
    RUN(a_missing_message_is_reported_at_the_end);
    RUN(dead_members_are_owed_nothing);
    RUN(a_doubted_member_that_was_not_evicted_is_owed_all_messages);
    RUN(only_a_member_told_of_a_loss_is_excused);
    RUN(a_returning_member_is_owed_messages_sent_since);
    RUN(unsent_messages_are_not_owed);
    RUN(a_changed_byte_is_reported);
    RUN(a_message_in_the_wrong_group_is_reported);
    RUN(a_sender_under_another_name_is_reported);
    RUN(a_jump_in_the_cores_own_numbers_is_reported);
    RUN(a_delivery_after_leaving_is_reported);
    RUN(being_asked_to_send_after_leaving_is_reported);
    RUN(a_rejoining_member_may_begin_with_any_message);
    RUN(two_views_of_one_number_are_reported);
    RUN(a_step_back_to_an_older_view_is_reported);
    RUN(a_member_in_no_view_of_the_sender_is_owed_nothing);
    RUN(a_later_member_is_owed_the_messages_sent_to_its_views);
    RUN(evicting_a_healthy_member_is_reported_and_a_faulty_one_is_not);
    RUN(losing_data_of_a_live_sender_is_reported_and_of_a_dead_one_is_not);
    RUN(a_doubted_member_is_excused_once_declared_dead);
    RUN(a_loss_that_names_no_group_excuses_one_gap_in_each);
    RUN(dropping_without_the_policy_is_reported);
    RUN(an_unsent_message_reported_stable_is_a_breach);
    RUN(a_missing_message_reported_stable_is_a_breach_once);
    RUN(sending_after_leaving_is_reported);
    RUN(an_evicted_member_told_what_it_lacks_is_no_breach);
    RUN(an_evicted_member_not_told_what_it_lacks_is_a_breach);
    RUN(a_wrong_missed_number_is_reported);
    RUN(a_missed_number_that_was_never_sent_is_reported);
    RUN(missed_messages_of_an_unknown_sender_are_reported);
    RUN(missed_messages_of_the_dead_need_not_be_reported);
    RUN(only_the_first_breaches_keep_their_text);
    return 0;
}
