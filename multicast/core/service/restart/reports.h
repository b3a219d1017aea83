/* Service reports: what members tell a new service, and what can be made of it (rule 1.0.12). */
#ifndef MCAST_CORE_SERVICE_REPORTS_H
#define MCAST_CORE_SERVICE_REPORTS_H

#include "service/state.h"

/* What is said of a group by the reporter who knows the newest epoch. */
struct service_word {
    const struct mcast_sm_class *class; /* NULL: nobody knows */
    mcast_epoch epoch;
};

struct service_rebuild {
    struct mcast_service *service;
    struct mcast_vector claims;  /* of struct service_claim */
    struct mcast_vector scratch; /* of uint32_t */
    struct service_word *words;  /* by group slot */
    size_t word_count;
};

size_t mcast_service_reports_count(const struct service_rebuild *rebuild);
const struct mcast_sm_report *mcast_service_report_at(const struct service_rebuild *rebuild,
                                                      size_t index);
/* Who made a report; NULL when it is not to be heard. */
struct service_node *mcast_service_reporter_at(const struct service_rebuild *rebuild, size_t index);

/* Lets those who know the newest epoch speak first. */
void mcast_service_reports_order(struct service_rebuild *rebuild);

bool mcast_service_class_lists(const struct mcast_sm_class *class, mcast_view view);
/* Whether the class with @number sends to @view, by what @report says. */
bool mcast_service_report_class_has(const struct mcast_sm_report *report, uint32_t number,
                                    mcast_view view);
/* The group that is meant, if it goes by that name; else SERVICE_NO_GROUP. */
uint32_t mcast_service_report_slot(const struct service_rebuild *rebuild,
                                   const struct mcast_sm_report_group *reported);
/* Gathers, in the scratch list, the groups that a reporter receives through @view, or all that it
 * receives if that is 0. 0 or MCAST_ENOMEM. */
int mcast_service_report_gather(struct service_rebuild *rebuild,
                                const struct mcast_sm_report *report, mcast_view view);

/* Finds the newest word on each group. 0 or MCAST_ENOMEM. */
int mcast_service_words_find(struct service_rebuild *rebuild);

/* Removes those of whom others know that they were declared dead. 0 or MCAST_ENOMEM. */
int mcast_service_expel(struct service_rebuild *rebuild);

/* Removes the same among those that were named by others and did not come. */
void mcast_service_expel_absent(struct service_rebuild *rebuild);

/* Gives new view numbers to the groups that may have other members than under the old ones. 0 or
 * MCAST_ENOMEM. */
int mcast_service_renumber(struct service_rebuild *rebuild);

#endif
