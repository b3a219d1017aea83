/* The world with real members and a real service: the base of scripts and the binding. */
#include "check.h"
#include "simulator/world/campaign.h"
#include "simulator/world/settings.h"

#include <string.h>

#define SECOND ((uint64_t)1000000000)

enum { HOSTS = 4, GROUP = 2 };

static struct sim_world *start(uint64_t seed, bool external) {
    struct sim_world_config config = sim_world_config_default(seed);
    struct sim_world *world = sim_world_new(&config);
    CHECK(world != NULL);
    for (uint32_t host = 0; host < HOSTS; host++) {
        CHECK(sim_world_add(world, external) == host);
        CHECK(sim_world_join(world, host, GROUP, NULL));
        CHECK(!sim_world_join(world, host, GROUP, NULL));
    }
    sim_world_run(world, SECOND);
    for (uint32_t host = 0; host < HOSTS; host++) {
        CHECK(sim_world_is_joined(world, host, GROUP));
        CHECK(sim_world_short_name(world, host) != 0);
    }
    return world;
}

static uint32_t flow(struct sim_world *world, uint64_t interval, uint64_t count, bool pull) {
    struct sim_flow flow = {.host = 1,
                            .first_group = GROUP,
                            .groups = 1,
                            .size_low = 40,
                            .size_high = 900,
                            .start = sim_world_now(world),
                            .interval = interval,
                            .count = count,
                            .pull = pull};
    uint32_t number = sim_world_flow(world, &flow);
    CHECK(number != UINT32_MAX);
    return number;
}

static void a_flow_reaches_every_member_at_its_interval_or_at_full_speed(void) {
    for (int way = 0; way < 4; way++) {
        struct sim_world *world = start(1, false);
        uint32_t number = flow(world, way < 2 ? 1000000 : 0, 200, way % 2 == 0);
        sim_world_run(world, 3 * SECOND);
        CHECK(sim_world_flow_sent(world, number) == 200);
        CHECK(sim_world_totals(world).delivered == 200 * HOSTS);
        CHECK(oracle_broken_total(sim_world_oracle(world)) == 0);
        sim_world_free(world);
    }
}

static void a_stopped_flow_sends_no_more(void) {
    struct sim_world *world = start(2, false);
    uint32_t number = flow(world, 1000000, 0, false);
    sim_world_run(world, SECOND + SECOND / 10);
    sim_world_flow_stop(world, number);
    sim_world_run(world, 3 * SECOND);
    CHECK(sim_world_flow_sent(world, number) >= 99 && sim_world_flow_sent(world, number) <= 102);
    sim_world_free(world);
}

static void planned_losses_happen_once_and_are_repaired(void) {
    struct sim_world *world = start(3, false);
    CHECK(sim_world_lose(world, 1, 3, SIM_DATA, 2));
    flow(world, 1000000, 100, false);
    sim_world_run(world, 3 * SECOND);
    struct mcast_stats stats;
    CHECK(sim_world_stats(world, 3, &stats) && stats.repairs_received == 2);
    CHECK(sim_world_totals(world).delivered == 100 * HOSTS);
    oracle_settle(sim_world_oracle(world), sim_world_now(world));
    CHECK(oracle_broken_total(sim_world_oracle(world)) == 0);
    CHECK(oracle_applied(sim_world_oracle(world), ORACLE_PROGRESS) == HOSTS);
    sim_world_free(world);
}

static void a_crashed_host_restarts_as_a_new_actor(void) {
    struct sim_world *world = start(4, false);
    uint32_t actor = sim_world_actor(world, 2);
    struct mcast_stats stats;
    sim_world_crash(world, 2);
    CHECK(!sim_world_alive(world, 2) && !sim_world_stats(world, 2, &stats));
    CHECK(!sim_world_join(world, 2, 0, NULL) && !sim_world_leave(world, 2, GROUP));
    CHECK(sim_world_restart(world, 2) && !sim_world_restart(world, 2));
    CHECK(sim_world_actor(world, 2) != actor);
    CHECK(sim_world_join(world, 2, GROUP, NULL));
    sim_world_run(world, 20 * SECOND);
    CHECK(sim_world_is_joined(world, 2, GROUP));
    CHECK(oracle_broken_total(sim_world_oracle(world)) == 0);
    sim_world_free(world);
}

static void an_outside_application_finds_its_records_in_order(void) {
    struct sim_world *world = start(5, true);
    struct sim_record record;
    while (sim_world_take(world, 0, &record)) {
        mcast_buffer_release(record.buffer);
    }
    CHECK(sim_world_send(world, 3, GROUP, (const uint8_t *)"one", 3, 11));
    CHECK(sim_world_send(world, 3, GROUP, (const uint8_t *)"two", 3, 12));
    CHECK(!sim_world_send(world, 3, GROUP + 1, (const uint8_t *)"no", 2, 13));
    sim_world_run(world, 2 * SECOND);
    const char *const expected[] = {"one", "two"};
    for (int i = 0; i < 2; i++) {
        do {
            CHECK(sim_world_take(world, 0, &record));
        } while (record.kind != SIM_RECORD_DELIVERY);
        CHECK(record.length == 3 && memcmp(record.bytes, expected[i], 3) == 0);
        CHECK(record.group == GROUP && record.number == (uint64_t)i + 1);
        mcast_buffer_release(record.buffer);
    }
    sim_world_free(world); /* untaken records are freed */
}

static void settings_are_set_by_name_and_fit_their_place(void) {
    struct sim_settings *settings = sim_settings_new(1);
    uint64_t value;
    CHECK(sim_settings_set(settings, "link_latency", 77) &&
          sim_settings_get(settings, "link_latency", &value) && value == 77);
    CHECK(sim_settings_set(settings, "judged", 0) && !sim_settings_set(settings, "judged", 2));
    CHECK(!sim_settings_set(settings, "partition_size", UINT64_MAX));
    CHECK(!sim_settings_set(settings, "nothing", 1) &&
          !sim_settings_get(settings, "nothing", &value));
    size_t names = 0;
    while (sim_settings_name(names) != NULL) {
        CHECK(sim_settings_get(settings, sim_settings_name(names), &value));
        names++;
    }
    CHECK(names > 40);
    sim_settings_free(settings);
}

static void a_seed_of_each_campaign_is_reproducible(void) {
    static struct sim_campaign_result one, two;
    for (int kind = 0; kind < SIM_CAMPAIGN_KINDS; kind++) {
        CHECK(sim_campaign_run(5, (enum sim_campaign_kind)kind, &one, NULL));
        CHECK(sim_campaign_run(5, (enum sim_campaign_kind)kind, &two, NULL));
        CHECK(memcmp(&one, &two, sizeof one) == 0);
        CHECK(sim_campaign_word((enum sim_campaign_kind)kind)[0] != 0);
    }
}

/* Two short sleeps in close succession are one silence; two apart are not. */
static void faults_in_close_succession_are_one_silence(void) {
    for (int apart = 0; apart < 2; apart++) {
        struct sim_world_config config = sim_world_config_default(1);
        config.service.heartbeat = SECOND / 5;
        config.service.suspicion = SECOND;
        struct sim_world *world = sim_world_new(&config);
        CHECK(world != NULL && sim_world_add(world, false) == 0);
        sim_world_run(world, SECOND);
        struct oracle *oracle = sim_world_oracle(world);
        uint32_t actor = sim_world_actor(world, 0);
        oracle_declare(oracle, actor);
        sim_world_freeze(world, 0, SECOND + SECOND / 2);
        CHECK(!oracle_excuses(oracle, actor)); /* half of the suspicion is no excuse */
        sim_world_run(world, SECOND + SECOND / (apart ? 1 : 2) + SECOND / 20);
        sim_world_freeze(world, 0, sim_world_now(world) + SECOND / 3);
        CHECK(oracle_excuses(oracle, actor) == !apart);
        sim_world_free(world);
    }
}

int main(void) {
    RUN(a_flow_reaches_every_member_at_its_interval_or_at_full_speed);
    RUN(a_stopped_flow_sends_no_more);
    RUN(planned_losses_happen_once_and_are_repaired);
    RUN(a_crashed_host_restarts_as_a_new_actor);
    RUN(an_outside_application_finds_its_records_in_order);
    RUN(settings_are_set_by_name_and_fit_their_place);
    RUN(a_seed_of_each_campaign_is_reproducible);
    RUN(faults_in_close_succession_are_one_silence);
    return 0;
}
