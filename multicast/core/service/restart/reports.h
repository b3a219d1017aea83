/* Reports: what members report to a new service, and what the service makes of it (rule 1.0.12). */
#ifndef MCAST_SERVICE_RESTART_REPORTS_H
#define MCAST_SERVICE_RESTART_REPORTS_H

#include "service/state.h"

/* The statement about a group by the reporter with the newest epoch. */
struct service_word {
    const struct mcast_sm_class *class; /* NULL: unknown */
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
/* The author of a report, or NULL if the report is to be ignored. */
struct service_node *mcast_service_reporter_at(const struct service_rebuild *rebuild, size_t index);

/* Order the reports by their epoch, the newest first. */
void mcast_service_reports_order(struct service_rebuild *rebuild);

bool mcast_service_class_lists(const struct mcast_sm_class *class, mcast_view view);
/* True if, by @report, the class with @number sends to @view. */
bool mcast_service_report_class_has(const struct mcast_sm_report *report, uint32_t number,
                                    mcast_view view);
/* The slot of the reported group if it has that name, else SERVICE_NO_GROUP. */
uint32_t mcast_service_report_slot(const struct service_rebuild *rebuild,
                                   const struct mcast_sm_report_group *reported);
/* Gather in the scratch list the groups that a reporter receives through @view, or all that it
 * receives if @view is 0. Return 0 or MCAST_ENOMEM. */
int mcast_service_report_gather(struct service_rebuild *rebuild,
                                const struct mcast_sm_report *report, mcast_view view);

/* Find the newest statement about each group. Return 0 or MCAST_ENOMEM. */
int mcast_service_words_find(struct service_rebuild *rebuild);

/* Remove nodes that others know to have been declared dead. Return 0 or MCAST_ENOMEM. */
int mcast_service_expel(struct service_rebuild *rebuild);

/* Remove such nodes also among those that were named by others and did not connect. */
void mcast_service_expel_absent(struct service_rebuild *rebuild);

/* Give new view numbers to the groups that may have other members than under the old ones. Return 0
 * or MCAST_ENOMEM. */
int mcast_service_renumber(struct service_rebuild *rebuild);

#endif
