/* Configuration: default values and allowed ranges. */
#include "member/member_state.h"

void mcast_config_default(struct mcast_config *config) {
    *config = (struct mcast_config){
        .interval_floor = 10 * MCAST_MILLISECOND,
        .interval_ceiling = MCAST_SECOND,
        .partition_size = 5,
        .owner_block = 64,
        .nak_ranges = MCAST_SPANS_MOST,
        .packet_size = 1472,
        .window_floor = 4000000,
        .window_cap = 96 << 20,
        .recovery_share = 20,
        .reassembly_cap = 128 << 20,
        .reorder_cap = 256 << 20,
        .unknown_packets = 1000,
        .unknown_time = 2 * MCAST_SECOND,
        .want_time = MCAST_SECOND,
        .forget_time = 300 * MCAST_SECOND,
    };
}

void mcast_group_policy_default(struct mcast_group_policy *policy) {
    *policy = (struct mcast_group_policy){.slow = MCAST_SLOW_EVICT,
                                          .queue_messages = 131072,
                                          .queue_bytes = 32 << 20,
                                          .tell_stable = true};
}

void mcast_config_paper(struct mcast_config *config) {
    config->pace = MCAST_FIXED;
    config->owner_block = 1;
    config->batch_delay = 0;
    config->interval_ceiling = MCAST_SECOND;
}

int mcast_config_check(const struct mcast_config *config) {
    bool identity = config->incarnation != 0 && (config->id.high | config->id.low) != 0;
    bool times = config->interval_floor > 0 && config->interval_floor <= config->interval_ceiling &&
                 config->want_time > 0 && config->forget_time > 0;
    bool shape = config->partition_size >= 1 && config->owner_block >= 1 &&
                 config->nak_ranges >= 1 && config->nak_ranges <= MCAST_SPANS_MOST &&
                 config->ack_ranges <= MCAST_SPANS_MOST && config->packet_size >= 576 &&
                 config->packet_size <= MCAST_PACKET_MOST;
    bool bounds = config->window_floor >= config->packet_size &&
                  config->window_floor <= config->window_cap && config->recovery_share >= 1 &&
                  config->recovery_share <= 100 && config->unknown_packets >= 1;
    const struct mcast_auth *with = &config->auth;
    bool auth = with->seal == NULL ? with->open == NULL && !with->encrypts && with->trailer == 0
                                   : with->open != NULL && with->trailer >= MCAST_TAG_SIZE &&
                                         with->trailer <= MCAST_TRAILER_MOST;
    return identity && times && shape && bounds && auth ? MCAST_OK : MCAST_ECONFIG;
}
