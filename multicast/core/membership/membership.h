/* Membership: what a member sends to the membership service, and what it does at the service's
 * word. Included by member/member_state.h, before the struct of a member. */
#ifndef MCAST_CORE_MEMBERSHIP_MEMBERSHIP_H
#define MCAST_CORE_MEMBERSHIP_MEMBERSHIP_H

struct mcast_change {
    struct mcast_list waiting;     /* of struct mcast_sm_change_item, for the next request */
    struct mcast_list outstanding; /* of struct mcast_sm_change_item, not answered yet */
    uint64_t request;
};

/* Queries for the members of groups, and the last answer. */
struct mcast_members {
    struct mcast_list asking; /* of uint32_t: the groups with an open query */
    bool due;                 /* something changed since the queries were last reviewed */
    uint64_t round;           /* marks the routes of which the service was asked */
    mcast_view *views; /* the views of the class that the answer is about; NULL without an answer */
    size_t view_count;
    struct mcast_member_name *names;
    size_t name_count;
};

void mcast_change_add(struct mcast_member *member, uint32_t group, const struct mcast_id *id,
                      uint8_t op);
void mcast_change_pump(struct mcast_member *member);
/* Send the unanswered request again, over a new stream. */
void mcast_change_again(struct mcast_member *member);
void mcast_change_free(struct mcast_member *member);

void mcast_hello(struct mcast_member *member);
void mcast_report(struct mcast_member *member);
void mcast_say(struct mcast_member *member, const struct mcast_service_message *message);

/* Query the members of the group @index; the answer is a notice. */
void mcast_members_ask(struct mcast_member *member, uint32_t index);
/* Repeat the queries that a former service did not answer. */
void mcast_members_ask_again(struct mcast_member *member);
/* Answer the queries that can be answered, and ask the service about the others, once for each
 * class. */
void mcast_members_pump(struct mcast_member *member);
void mcast_members_free(struct mcast_member *member);

/* Handle the declared death of @node. */
void mcast_epoch_bury(struct mcast_member *member, mcast_node node);
int mcast_epoch_prepare(struct mcast_member *member, mcast_epoch epoch,
                        struct mcast_sm_update *update);
void mcast_epoch_commit(struct mcast_member *member, mcast_epoch epoch);
/* Drop the PREPARE that was not committed, with its views. */
void mcast_epoch_forget(struct mcast_member *member);

void mcast_brought_init(struct mcast_member *member);
/* Begin to hold back packets with the groups that the PREPARE brings. */
void mcast_brought_begin(struct mcast_member *member);
/* Stop holding back; mcast_streams_flow_again delivers what waited. */
void mcast_brought_end(struct mcast_member *member);
/* While member->brought: true when a packet contains a group that waits for its name. The first
 * such packet starts the time limit. */
bool mcast_brought_awaits(struct mcast_member *member, const uint8_t *frames, uint32_t length);

#endif
