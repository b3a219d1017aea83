/* Missed messages: a member that is out is told that it lacks messages, whose, and from which
 * number on; and no healthy member is put out. */
#include "judges/judge_state.h"

/* True if @cursor still counts: its receiver has been in the group since, and received another
 * message. */
static bool is_current(const struct oracle_cursor *cursor) {
    return cursor->receiver->joined && cursor->session == cursor->receiver->session &&
           cursor->last != 0;
}

void oracle_missed(struct oracle *oracle, uint32_t actor, uint32_t group, uint32_t sender,
                   uint64_t core_number, uint64_t last, uint64_t now) {
    uint32_t who = oracle_named(oracle, sender);
    oracle_apply(oracle, ORACLE_MISSED);
    if (who == 0 || who == actor) {
        oracle_fail(oracle, ORACLE_MISSED, now, "actor %u is reported to lack messages of %u",
                    actor, who);
        return;
    }
    struct oracle_cursor *cursor = oracle_cursor_of(oracle, actor, who, group);
    const struct oracle_stream *stream = oracle_stream_find(oracle, who, group);
    if (!is_current(cursor) || core_number != cursor->core_last + 1) {
        oracle_fail(oracle, ORACLE_MISSED, now,
                    "actor %u is reported to lack actor %u in group %u from %llu on, and has up "
                    "to %llu",
                    actor, who, group, (unsigned long long)core_number,
                    (unsigned long long)cursor->core_last);
    }
    uint64_t known = last - cursor->core_last;
    if (last < cursor->core_last || stream == NULL || known > stream->sent - cursor->last) {
        oracle_fail(
            oracle, ORACLE_MISSED, now,
            "actor %u gets the report that actor %u sent %llu in group %u, which it did not", actor,
            who, (unsigned long long)last, group);
    }
    cursor->missed = true;
}

/* It is told about dead senders only as long as their names are known. */
static void check_told(struct oracle *oracle, uint32_t actor, uint64_t now) {
    for (struct oracle_cursor *cursor = oracle->all_cursors; cursor != NULL;
         cursor = cursor->next) {
        uint32_t sender = oracle_named(oracle, cursor->sender);
        bool heard = cursor->receiver->actor == actor && sender != actor && is_current(cursor);
        if (heard && !cursor->missed && oracle_actor_of(oracle, sender)->alive) {
            oracle_fail(oracle, ORACLE_MISSED, now,
                        "actor %u gets no report of what it lacks of actor %u in group %u", actor,
                        sender, cursor->receiver->group);
        }
    }
}

void oracle_evicted(struct oracle *oracle, uint32_t actor, uint64_t now) {
    oracle_apply(oracle, ORACLE_EVICTION);
    if (!oracle_actor_of(oracle, actor)->doubted) {
        oracle_fail(oracle, ORACLE_EVICTION, now, "actor %u was healthy and is evicted", actor);
    }
    check_told(oracle, actor, now);
}
