#define _POSIX_C_SOURCE 200809L /* the processor time of this process */

/* The cost of joins for the membership service: members that join groups call by call, in virtual
 * time.
 *
 *     service_load MEMBERS GROUPS LATE EACH
 *
 * Each member joins EACH of the GROUPS: all, or as many as are drawn for it. All but LATE members
 * are there before the count begins; then the LATE ones join, each group by a call of its own, all
 * at once. As real members do, each sends what was called since the last answer as one list. Prints
 * one JSON object. */
#include "base/memory.h"
#include "wire/service.h"
#include "wire/service_message.h"

#include "mcast/mcast.h"
#include "mcast/system_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bytes {
    uint8_t *at;
    size_t length;
    size_t room;
};

struct joiner {
    uint32_t called; /* joins that the application called */
    uint32_t asked;  /* joins sent to the service */
    uint32_t granted;
    uint64_t request;
    bool open;
};

/* A message on its way to the service. */
struct said {
    uint64_t connection;
    size_t begin;
    size_t end;
};

struct load {
    struct mcast_service *service;
    struct joiner *joiners;
    uint32_t members;
    uint32_t groups;
    uint32_t each;
    struct bytes bytes; /* of the messages sent since the last step */
    struct said *said;
    size_t said_count;
    size_t said_room;
    struct mcast_service_event *events;
    size_t event_room;
    struct mcast_sm_change_item *items;
    mcast_time now;
    mcast_time next_beat;
    double seconds; /* time spent in the service */
    double longest; /* time of its longest step */
};

static void fail(const char *what) {
    fprintf(stderr, "service_load: %s\n", what);
    exit(1);
}

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void say(struct load *load, uint64_t connection,
                const struct mcast_service_message *message) {
    if (load->said_count == load->said_room) {
        load->said_room = load->said_room * 2 + 64;
        load->said = realloc(load->said, load->said_room * sizeof *load->said);
    }
    struct said *said = &load->said[load->said_count++];
    said->connection = connection;
    said->begin = load->bytes.length;
    if (load->said == NULL ||
        mcast_service_message_encode(message, mcast_system_memory(), &load->bytes.at,
                                     &load->bytes.length, &load->bytes.room) != MCAST_OK) {
        fail("no memory");
    }
    said->end = load->bytes.length;
}

static void hello(struct load *load, uint32_t member) {
    struct mcast_service_message message = {.kind = MCAST_SM_HELLO};
    message.as.hello.version = MCAST_SM_VERSION;
    message.as.hello.id = (struct mcast_id){member + 1, 1};
    message.as.hello.incarnation = 1;
    say(load, member + 1, &message);
}

/* The group of the call with @number: in order if it joins all, else drawn. */
static uint32_t group_of(const struct load *load, uint32_t member, uint32_t number) {
    if (load->each == load->groups) {
        return number;
    }
    uint64_t value = ((uint64_t)member << 32 | number) + UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((value ^ (value >> 31)) % load->groups);
}

/* Send the calls since the last list, if that list was answered. */
static void ask(struct load *load, uint32_t member) {
    struct joiner *joiner = &load->joiners[member];
    if (joiner->open || joiner->asked == joiner->called) {
        return;
    }
    struct mcast_service_message message = {.kind = MCAST_SM_CHANGE};
    uint32_t count = joiner->called - joiner->asked;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t group = group_of(load, member, joiner->asked + i);
        load->items[i] = (struct mcast_sm_change_item){{group + 1, 2}, group, MCAST_SM_JOIN};
    }
    joiner->asked = joiner->called;
    joiner->open = true;
    message.as.change.request = ++joiner->request;
    message.as.change.items = load->items;
    message.as.change.count = count;
    say(load, member + 1, &message);
}

static void changed(struct load *load, uint32_t member,
                    const struct mcast_service_message *message) {
    struct joiner *joiner = &load->joiners[member];
    for (size_t i = 0; i < message->as.changed.count; i++) {
        if (message->as.changed.items[i].code != MCAST_OK) {
            fail("a join was refused");
        }
    }
    joiner->granted += (uint32_t)message->as.changed.count;
    joiner->open = false;
    ask(load, member);
}

static void hear(struct load *load, const struct mcast_service_send *send) {
    struct mcast_service_message message;
    struct mcast_service_message answer = {.kind = MCAST_SM_BYE};
    uint32_t member = (uint32_t)send->connection - 1;
    if (mcast_service_message_decode(send->bytes, send->length, mcast_system_memory(), &message) !=
        MCAST_OK) {
        fail("the service sent what is no message");
    }
    switch (message.kind) {
    case MCAST_SM_PREPARE:
        answer.kind = MCAST_SM_PREPARED;
        answer.as.prepared.epoch = message.as.prepare.epoch;
        break;
    case MCAST_SM_COMMIT:
        answer.kind = MCAST_SM_CLOSED;
        answer.as.closed.epoch = message.as.commit.epoch;
        break;
    case MCAST_SM_VIEW_CLOSED:
        answer.kind = MCAST_SM_VIEW_ENDED;
        answer.as.view_ended.view = message.as.view_closed.view;
        break;
    case MCAST_SM_CHANGED:
        changed(load, member, &message);
        break;
    case MCAST_SM_WELCOME:
    case MCAST_SM_HEARTBEAT:
        break;
    default:
        fail("the service ended a connection");
    }
    if (answer.kind != MCAST_SM_BYE) {
        say(load, send->connection, &answer);
    }
    mcast_service_message_free(mcast_system_memory(), &message);
}

/* Give the service all messages as one batch, and the members its answers. */
static void turn(struct load *load, bool connect) {
    size_t count = load->said_count;
    size_t room = count + (connect ? load->members : 0);
    struct mcast_service_output output;
    if (room > load->event_room) {
        load->event_room = room;
        load->events = realloc(load->events, room * sizeof *load->events);
    }
    size_t at = 0;
    for (uint32_t i = 0; connect && i < load->members; i++) {
        load->events[at++] = (struct mcast_service_event){MCAST_SERVICE_CONNECTED, i + 1, NULL, 0};
    }
    for (size_t i = 0; i < count; i++) {
        load->events[at++] = (struct mcast_service_event){
            MCAST_SERVICE_MESSAGE, load->said[i].connection, load->bytes.at + load->said[i].begin,
            load->said[i].end - load->said[i].begin};
    }
    double start = seconds_now();
    if (mcast_service_step(load->service, load->events, at, load->now, &output) != MCAST_OK) {
        fail("no memory");
    }
    double spent = seconds_now() - start;
    load->seconds += spent;
    load->longest = spent > load->longest ? spent : load->longest;
    load->said_count = 0;
    load->bytes.length = 0;
    for (size_t i = 0; i < output.send_count; i++) {
        hear(load, &output.sends[i]);
    }
}

static void beat(struct load *load) {
    struct mcast_service_message message = {.kind = MCAST_SM_HEARTBEAT};
    for (uint32_t i = 0; i < load->members && load->now >= load->next_beat; i++) {
        say(load, i + 1, &message);
    }
    if (load->now >= load->next_beat) {
        load->next_beat += MCAST_SECOND;
    }
}

static bool is_done(const struct load *load) {
    for (uint32_t i = 0; i < load->members; i++) {
        if (load->joiners[i].granted < load->joiners[i].called) {
            return false;
        }
    }
    return true;
}

/* Call the joins of members [@first, @last) and goes on until all are granted. */
static void join_all(struct load *load, uint32_t first, uint32_t last) {
    for (uint32_t member = first; member < last; member++) {
        load->joiners[member].called = 1;
        ask(load, member);
        load->joiners[member].called = load->each;
    }
    while (!is_done(load)) {
        load->now += MCAST_MILLISECOND;
        beat(load);
        turn(load, false);
    }
}

static void begin(struct load *load, uint32_t members, uint32_t groups, uint32_t each) {
    struct mcast_service_config config;
    mcast_service_config_default(&config);
    *load =
        (struct load){.members = members, .groups = groups, .each = each, .now = 1, .next_beat = 1};
    load->joiners = calloc(members, sizeof *load->joiners);
    load->items = calloc(groups, sizeof *load->items);
    if (load->joiners == NULL || load->items == NULL ||
        mcast_service_new(&config, mcast_system_memory(), &load->service) != MCAST_OK) {
        fail("no memory");
    }
    for (uint32_t i = 0; i < members; i++) {
        hello(load, i);
    }
    turn(load, true);
}

int main(int count, char **arguments) {
    if (count != 5) {
        fprintf(stderr, "use: service_load MEMBERS GROUPS LATE EACH\n");
        return 2;
    }
    uint32_t members = (uint32_t)strtoul(arguments[1], NULL, 10);
    uint32_t groups = (uint32_t)strtoul(arguments[2], NULL, 10);
    uint32_t late = (uint32_t)strtoul(arguments[3], NULL, 10);
    uint32_t each = (uint32_t)strtoul(arguments[4], NULL, 10);
    if (members == 0 || each == 0 || each > groups || groups == 0 ||
        groups > MCAST_SM_CHANGE_MOST || late > members) {
        fprintf(stderr, "service_load: nothing to measure\n");
        return 2;
    }
    struct load load;
    struct mcast_service_stats before;
    struct mcast_service_stats after;
    begin(&load, members, groups, each);
    join_all(&load, 0, members - late);
    mcast_service_stats(load.service, &before);
    mcast_time start = load.now;
    load.seconds = 0;
    load.longest = 0;
    join_all(&load, members - late, members);
    mcast_service_stats(load.service, &after);
    printf("{\"epochs\": %" PRIu64
           ", \"virtual_ms\": %.1f, \"seconds\": %.4f, \"longest\": %.4f, "
           "\"bytes\": %" PRIu64 ", \"memory\": %" PRIu64 ", \"regions\": %" PRIu64
           ", \"classes\": %" PRIu64 "}\n",
           after.epochs - before.epochs, (double)(load.now - start) / 1e6, load.seconds,
           load.longest, after.bytes_sent - before.bytes_sent, after.memory_bytes, after.regions,
           after.classes);
    mcast_service_free(load.service);
    mcast_memory_free(mcast_system_memory(), load.bytes.at, load.bytes.room, 1);
    free(load.joiners);
    free(load.items);
    free(load.said);
    free(load.events);
    return 0;
}
