/* Service sound: what a member says that it holds, and that no service can have given it.
 *
 * Numbers that only count up are taken over from members by a new service (rule 1.0.12), so one
 * near the top, said by mistake or with intent, would leave none for all who come later. */
#ifndef MCAST_CORE_SERVICE_SOUND_H
#define MCAST_CORE_SERVICE_SOUND_H

#include "service/state.h"

/* Whether a generation and a short name like those of @hello can have been given. */
bool mcast_service_sound_generation(const struct mcast_service_message *hello);
bool mcast_service_sound_name(const struct mcast_service_message *hello);

/* Whether all that @report names can have been given, by this generation or an earlier one. */
bool mcast_service_sound_report(const struct mcast_service *service,
                                const struct mcast_sm_report *report);

#endif
