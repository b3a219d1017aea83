/* Membership: what a member says to the membership service, and does at its word. Included by
 * machine.h, before the whole of a member. */
#ifndef MCAST_CORE_MEMBERSHIP_H
#define MCAST_CORE_MEMBERSHIP_H

struct mcast_change {
    struct mcast_list waiting;     /* of struct mcast_sm_change_item, for the next request */
    struct mcast_list outstanding; /* … of the request that is not answered yet */
    uint64_t request;
};

/* Who asks who is in its group, and what was answered last. */
struct mcast_members {
    struct mcast_list asking; /* of uint32_t, the groups that are asked about */
    bool due;                 /* something happened since these were looked through */
    uint64_t round;           /* marks the routes of which the service was asked */
    mcast_view *views;        /* are those of the class that the answer is about; NULL for none */
    size_t view_count;
    struct mcast_member_name *names;
    size_t name_count;
};

void mcast_change_add(struct mcast_member *member, uint32_t group, const struct mcast_id *id,
                      uint8_t op);
void mcast_change_pump(struct mcast_member *member);
/* Says the unanswered request again, over a new stream. */
void mcast_change_again(struct mcast_member *member);
void mcast_change_free(struct mcast_member *member);

void mcast_hello(struct mcast_member *member);
void mcast_report(struct mcast_member *member);
void mcast_say(struct mcast_member *member, const struct mcast_service_message *message);

/* Asks who is in the group @index; the answer is a notice. */
void mcast_members_ask(struct mcast_member *member, uint32_t index);
/* Asks what a former service did not answer. */
void mcast_members_ask_again(struct mcast_member *member);
/* Answers what can be answered, and asks the service, once for each class, for what cannot. */
void mcast_members_pump(struct mcast_member *member);
void mcast_members_free(struct mcast_member *member);

/* @node was declared dead. */
void mcast_epoch_bury(struct mcast_member *member, mcast_node node);
int mcast_epoch_prepare(struct mcast_member *member, mcast_epoch epoch,
                        struct mcast_sm_update *update);
void mcast_epoch_commit(struct mcast_member *member, mcast_epoch epoch);
/* Forgets the PREPARE that was not committed, and its views. */
void mcast_epoch_forget(struct mcast_member *member);

void mcast_brought_init(struct mcast_member *member);
/* A PREPARE was taken: what it brings is waited for. */
void mcast_brought_begin(struct mcast_member *member);
/* Nothing is waited for any more: what waited flows with mcast_streams_flow_again. */
void mcast_brought_end(struct mcast_member *member);
/* While member->brought: whether a packet holds something of a group that waits for its name; the
 * first that does begins the time for which it is waited. */
bool mcast_brought_awaits(struct mcast_member *member, const uint8_t *frames, uint32_t length);

#endif
