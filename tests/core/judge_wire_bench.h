/* Datagrams written by hand, byte by byte, from docs/wire.md, and a bench that shows them to the
 * wire judge. */
#ifndef JUDGE_WIRE_BENCH_H
#define JUDGE_WIRE_BENCH_H

#include "check.h"
#include "judges/wire.h"

#include <string.h>

enum { DATA = 1, REPAIR, TOKEN, ACK, HIGH_WATER, REQUEST, HYBRID = 10 };
enum { VIEW = 9, FIRST_NAME = 11, MEMBERS = 3, SECOND = 1000000000 };
enum { HOLES = 32, SKIP = 128, SKIP_NOW = 256, LAST = 1, ALONE = 2, HOME = 3 };

/* A datagram being written. */
struct pen {
    uint8_t bytes[512];
    size_t length;
};

static inline void number(struct pen *pen, uint64_t value, int size) {
    for (int i = size - 1; i >= 0; i--) {
        pen->bytes[pen->length++] = (uint8_t)(value >> (8 * i));
    }
}

static inline void varint(struct pen *pen, uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        number(pen, (value & 0x7f) | 0x80, 1);
    }
    number(pen, value, 1);
}

static inline void delta(struct pen *pen, uint64_t base, uint64_t value) {
    int64_t step = (int64_t)(value - base);
    varint(pen, step < 0 ? ((uint64_t)-step << 1) - 1 : (uint64_t)step << 1);
}

static inline struct pen header(int type, uint32_t sender) {
    struct pen pen = {.length = 0};
    number(&pen, 2, 1);
    number(&pen, (uint64_t)type, 1);
    number(&pen, 0, 6);
    number(&pen, sender, 4);
    number(&pen, 0, 4);
    number(&pen, 0, 8);
    number(&pen, VIEW, 8);
    return pen;
}

/* Three members, actors 1 to 3 with the short names 11 to 13, in one view. */
struct bench {
    struct oracle *oracle;
    struct oracle_wire *wire;
};

static inline void finish(struct pen *pen) {
    memset(pen->bytes + pen->length, 0, 16);
    pen->length += 16;
}

/* The beginning of a PREPARE with the view @number, up to its members. */
static inline struct pen prepare_to(uint64_t number_of_view) {
    struct pen pen = {.length = 0};
    number(&pen, 1, 1);
    number(&pen, 34, 1);
    varint(&pen, 5);
    varint(&pen, MEMBERS);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        varint(&pen, FIRST_NAME + i);
        number(&pen, 0, 8);
        number(&pen, 100 + i, 8);
        varint(&pen, 7);
        for (int octet = 0; octet < 22; octet++) {
            number(&pen, 0, 1);
        }
    }
    varint(&pen, 1);
    varint(&pen, number_of_view);
    varint(&pen, 1);
    varint(&pen, 0);
    for (int octet = 0; octet < 22; octet++) {
        number(&pen, 0, 1);
    }
    varint(&pen, 0);
    return pen;
}

static inline struct pen prepare(uint32_t gap) {
    struct pen pen = prepare_to(VIEW);
    varint(&pen, 0);
    varint(&pen, MEMBERS);
    varint(&pen, FIRST_NAME);
    varint(&pen, 1);
    varint(&pen, gap);
    return pen;
}

/* The view after VIEW: the member at index @gone leaves and @come joins. */
static inline struct pen prepare_changed(uint32_t distance, uint32_t gone, uint32_t come) {
    struct pen pen = prepare_to(VIEW + 1);
    varint(&pen, distance);
    varint(&pen, 1);
    varint(&pen, FIRST_NAME + gone);
    varint(&pen, 1);
    varint(&pen, come);
    return pen;
}

static inline void start_with(struct bench *bench, struct oracle_rules rules) {
    rules.partition_size = 5;
    rules.owner_block = 1;
    bench->oracle = oracle_new();
    bench->wire = oracle_wire_new(bench->oracle, &rules);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        CHECK(oracle_start(bench->oracle, i) == i + 1);
        oracle_wire_actor(bench->wire, i + 1, 100 + i, 7);
    }
    struct pen pen = prepare(1);
    oracle_wire_service(bench->wire, pen.bytes, pen.length, 0);
    CHECK(oracle_wire_counts(bench->wire).views == 1);
}

static inline void start(struct bench *bench, bool calm, bool adaptive) {
    start_with(bench, (struct oracle_rules){.calm = calm, .adaptive = adaptive});
}

static inline void end(struct bench *bench, enum oracle_id id, uint64_t broken) {
    CHECK(oracle_broken(bench->oracle, id) == broken);
    CHECK(oracle_broken_total(bench->oracle) == broken);
    oracle_wire_free(bench->wire);
    oracle_free(bench->oracle);
}

static inline void send(struct bench *bench, uint32_t actor, uint32_t to, struct pen pen,
                        uint64_t now) {
    (void)to;
    finish(&pen);
    oracle_wire_sent(bench->wire, actor, pen.bytes, pen.length, now);
}

static inline struct pen data(uint64_t which) {
    struct pen pen = header(DATA, FIRST_NAME);
    number(&pen, which, 8);
    number(&pen, 4, 1);
    return pen;
}

static inline void send_data(struct bench *bench, uint64_t which) {
    send(bench, 1, 0, data(which), 10);
}

static inline void read_data(struct bench *bench, uint32_t actor, uint64_t which) {
    struct pen pen = data(which);
    finish(&pen);
    oracle_wire_read(bench->wire, actor, pen.bytes, pen.length, 20);
}

static inline void send_to_all(struct bench *bench, uint64_t which) {
    send_data(bench, which);
    read_data(bench, 2, which);
    read_data(bench, 3, which);
}

/* One packet for the view of the bench, and for one that only others are in. */
static inline struct pen hybrid(uint64_t which, uint64_t other) {
    struct pen pen = header(HYBRID, FIRST_NAME);
    memset(pen.bytes + 24, 0, 8); /* names no view in its header */
    number(&pen, 2, 1);
    number(&pen, 0, 1);
    number(&pen, VIEW, 8);
    number(&pen, which, 8);
    number(&pen, 1, 1);
    number(&pen, other, 8);
    number(&pen, 77, 8);
    number(&pen, 4, 1);
    return pen;
}

static inline struct pen repair(uint64_t which) {
    struct pen pen = header(REPAIR, FIRST_NAME + 1);
    number(&pen, FIRST_NAME, 4);
    number(&pen, which, 8);
    number(&pen, 4, 1);
    return pen;
}

static inline struct pen staged(uint64_t stage, uint64_t round, uint64_t purge, uint64_t cut,
                                uint64_t flags) {
    struct pen pen = header(TOKEN, FIRST_NAME + 2);
    number(&pen, round << 8, 8);
    number(&pen, stage << 8 | LAST, 2);
    number(&pen, 1, 2);
    number(&pen, 0, 2);
    varint(&pen, FIRST_NAME);
    varint(&pen, flags);
    varint(&pen, purge);
    delta(&pen, purge, cut);
    delta(&pen, cut, cut);
    delta(&pen, cut, cut + 2);
    delta(&pen, cut, purge);
    varint(&pen, 0);
    for (int list = 0; (flags & HOLES) != 0 && list < 4; list++) {
        varint(&pen, 1 << 1);
        delta(&pen, purge, purge + 3);
        varint(&pen, 1);
    }
    return pen;
}

static inline struct pen token(uint64_t round, uint64_t purge, uint64_t cut, uint64_t flags) {
    return staged(0, round, purge, cut, flags);
}

/* A round goes out and comes home. */
static inline void go_round(struct bench *bench, uint64_t round, uint64_t purge, uint64_t cut) {
    send(bench, 3, 1, staged(0, round, purge, cut, 0), 30);
    send(bench, 3, 1, staged(HOME, round, purge, cut, 0), 30);
}

#endif
