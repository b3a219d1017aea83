/* Report limits: reject reports that no service can have caused.
 *
 * A new service continues numbers that only count up from the reports of members (rule 1.0.12), so
 * a number near the maximum, reported by mistake or on purpose, would leave none for later. */
#ifndef MCAST_SERVICE_RECV_REPORT_LIMITS_H
#define MCAST_SERVICE_RECV_REPORT_LIMITS_H

#include "service/state.h"

/* True if the generation and short name in @hello can have been given. */
bool mcast_service_sound_generation(const struct mcast_service_message *hello);
bool mcast_service_sound_name(const struct mcast_service_message *hello);

/* True if all numbers in @report can have been given, by this generation or an earlier one. */
bool mcast_service_sound_report(const struct mcast_service *service,
                                const struct mcast_sm_report *report);

#endif
