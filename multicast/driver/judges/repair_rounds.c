/* Repair rounds: the life of each packet: sent, repaired where it was lost, acknowledged, purged;
 * and the count of rounds that took. */
#include "judges/wire_state.h"

#include <stdlib.h>

/* The most packets of one stream that are followed at a time. */
enum { LIVES_MOST = 1 << 20 };

/* Oracle 8 of the specification, in rounds that begin after the packet was sent: the round under
 * way then cannot know of it. A repair comes before the third of them begins; the token of the next
 * round reports a purge once three are over. */
enum { REPAIR_ROUNDS = 2, PURGE_ROUNDS = 3 };

static struct wire_life *life_of(const struct wire_stream *stream, uint64_t number) {
    struct wire_life *life =
        stream->life_room == 0 ? NULL : &stream->lives[number & (stream->life_room - 1)];
    return life != NULL && life->number == number ? life : NULL;
}

static void grow_lives(struct wire_stream *stream) {
    uint32_t room = stream->life_room == 0 ? 64 : stream->life_room * 2;
    struct wire_life *lives = wire_must(calloc(room, sizeof *lives));
    for (uint32_t i = 0; i < stream->life_room; i++) {
        lives[stream->lives[i].number & (room - 1)] = stream->lives[i];
    }
    free(stream->lives);
    stream->lives = lives;
    stream->life_room = room;
}

void wire_life_begin(struct wire_stream *stream, uint64_t number, uint64_t now) {
    uint64_t low = stream->purge < stream->ack ? stream->purge : stream->ack;
    while (number - low >= stream->life_room && stream->life_room < LIVES_MOST) {
        grow_lives(stream);
    }
    stream->lives[number & (stream->life_room - 1)] =
        (struct wire_life){number, now, (uint32_t)stream->region->rounds, 0};
}

static uint64_t bounded(uint64_t rounds) {
    return rounds < ORACLE_ROUNDS ? rounds : ORACLE_ROUNDS - 1;
}

void wire_life_acked(struct oracle_wire *wire, const struct wire_stream *stream, uint64_t to,
                     uint64_t now) {
    for (uint64_t n = stream->ack + 1; n <= to; n++) {
        const struct wire_life *life = life_of(stream, n);
        if (life != NULL) {
            wire->counts.ack_sum += now - life->sent_at;
            wire->counts.ack_count++;
        }
    }
}

static void judge_rounds(struct oracle_wire *wire, const struct wire_stream *stream,
                         uint64_t number, uint64_t rounds, uint64_t most, const char *what,
                         uint64_t now) {
    if (!wire->rules.isolated) {
        return;
    }
    oracle_apply(wire->oracle, ORACLE_REPAIR);
    if (rounds > most) {
        oracle_fail(wire->oracle, ORACLE_REPAIR, now,
                    "number %llu of sender %u is %s after %llu rounds", (unsigned long long)number,
                    stream->sender, what, (unsigned long long)rounds);
    }
}

void wire_life_repaired(struct oracle_wire *wire, struct wire_stream *stream, uint64_t number,
                        uint64_t now) {
    struct wire_life *life = life_of(stream, number);
    if (life != NULL && life->repaired_round == 0) {
        uint64_t rounds = stream->region->rounds - life->sent_round;
        life->repaired_round = (uint32_t)stream->region->rounds;
        wire->counts.repair_rounds[bounded(rounds)]++;
        judge_rounds(wire, stream, number, rounds, REPAIR_ROUNDS, "repaired", now);
    }
}

void wire_life_purged(struct oracle_wire *wire, const struct wire_stream *stream, uint64_t to,
                      uint64_t now) {
    for (uint64_t n = stream->purge + 1; n <= to; n++) {
        const struct wire_life *life = life_of(stream, n);
        if (life != NULL && life->repaired_round != 0) {
            /* The round whose token reports it has only begun. */
            uint64_t rounds = stream->region->rounds - life->sent_round - 1;
            wire->counts.purge_rounds[bounded(rounds)]++;
            judge_rounds(wire, stream, n, rounds, PURGE_ROUNDS, "purged", now);
        }
    }
}
