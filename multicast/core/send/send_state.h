/* Send state: packets, windows, the rate, groups and their routes; also delivery. Included by
 * member/member_state.h, after the region views. */
#ifndef MCAST_CORE_SEND_SEND_STATE_H
#define MCAST_CORE_SEND_SEND_STATE_H

/* ---- sending: send/ ---- */

/* A message that left, until it is stable everywhere. */
struct mcast_sent {
    struct mcast_sent *next; /* the group's next younger message */
    uint32_t group;
    uint32_t views; /* count of unacknowledged packets that carry it */
    uint64_t number;
    uint64_t cookie;
    bool whole;     /* has left completely */
    bool uncertain; /* nobody is left who could say that it arrived */
};

enum { MCAST_PACKET_FRAMES = 64 };

struct mcast_packet {
    struct mcast_packet *next; /* next in the list of packets to free */
    uint64_t number;
    mcast_time sent_at;
    uint32_t room;             /* the size of bytes[] */
    uint32_t length;           /* bytes in use: header and frames */
    struct mcast_buffer *body; /* the payload of the last frame, when it was not copied */
    const uint8_t *body_bytes;
    uint32_t body_length;
    uint32_t sent_count;
    struct mcast_sent **sents;
    uint32_t sent_room;
    bool received_by_all;   /* all members have it, though not an earlier one */
    struct mcast_sent *one; /* storage for `sents` while it has one entry */
    uint8_t tag[MCAST_TAG_SIZE];
    uint8_t bytes[];
};

struct mcast_outbound {
    struct mcast_view_state *view;
    struct mcast_packet **packets; /* a ring by number: acked + 1 … last */
    uint32_t mask;
    uint64_t last;   /* the last number used */
    uint64_t acked;  /* the last number that the region acknowledged */
    uint64_t flight; /* bytes under way */
    uint64_t window;
    bool opened;
    bool long_waits;              /* a long message waits until half of the window is free */
    struct mcast_packet *filling; /* the packet that collects small messages */
    struct mcast_alarm batch;
    struct mcast_alarm high_water;
    mcast_time high_water_step;
    mcast_time last_sent;
    mcast_time heard;  /* when a member of the region last mentioned the view, or the view closed */
    uint32_t low;      /* the seat that the last round found farthest behind */
    mcast_time low_at; /* when that was heard */
    uint32_t unheard;  /* high-water marks without an answer since */
    mcast_time rate_since;
    uint64_t rate_bytes;
    uint64_t rate;       /* measured, in bytes a second */
    mcast_time ack_time; /* smoothed time of an acknowledgement */
};

/* Most packets that may be under way, whatever their size. */
enum { MCAST_PENDING_MOST = (1 << 16) - 2 };

enum { MCAST_OUTBOUND_ALARMS = 2 };

struct mcast_outbound *mcast_outbound_make(struct mcast_member *member,
                                           struct mcast_view_state *view);
void mcast_outbound_free(struct mcast_member *member, struct mcast_outbound *out);
/* True when a packet of the usual size may leave now. */
bool mcast_outbound_open(const struct mcast_member *member, const struct mcast_view_state *view);
/* Note that a long message, which leaves half of the window to others, waits for that half or goes
 * on. */
void mcast_outbound_wait(struct mcast_member *member, struct mcast_outbound *out, bool waits);
/* Handle that the whole region has everything up to @number. */
void mcast_outbound_ack(struct mcast_member *member, struct mcast_outbound *out, uint64_t number);
/* Handle that the whole region also has @above, beyond numbers missing somewhere. */
void mcast_outbound_ack_above(struct mcast_member *member, struct mcast_outbound *out,
                              const struct mcast_spans *above);
/* Report unacknowledged messages as uncertain (1.0.11): nobody is left who could say that they
 * arrived. */
void mcast_outbound_give_up(struct mcast_member *member, struct mcast_outbound *out);
/* mcast_outside_is_left: true when no group of ours leads to @view any more, which we only sent to.
 * mcast_outside_is_silent: true when nobody lives who could acknowledge what is under way there. */
bool mcast_outside_is_left(const struct mcast_member *member, const struct mcast_view_state *view);
bool mcast_outside_is_silent(const struct mcast_member *member, const struct mcast_outbound *out);
/* Note that a member of the region mentioned the view to us: somebody lives there. */
void mcast_outbound_hear(struct mcast_member *member, struct mcast_outbound *out);
struct mcast_packet *mcast_outbound_find(const struct mcast_outbound *out, uint64_t number);

/* True when a packet of the usual size would take the bytes under way beyond @bytes. */
bool mcast_window_is_reached(const struct mcast_member *member, const struct mcast_outbound *out,
                             uint64_t bytes);
/* True when as much is under way as ever allowed, in total or for long messages. */
bool mcast_window_is_full(const struct mcast_member *member, const struct mcast_outbound *out);
/* True when the oldest packet waits several times as long as usual: one receiver stands still while
 * the others do not. */
bool mcast_window_stands_still(const struct mcast_member *member, const struct mcast_outbound *out);
/* Return the flags of DATA that say how much is under way. */
uint8_t mcast_window_flags(const struct mcast_member *member, const struct mcast_outbound *out);
/* Set the window by the rate and the acknowledgement time. */
void mcast_window_set(struct mcast_member *member, struct mcast_outbound *out);
/* Count bytes that left, and measure the rate again when it is time. */
void mcast_window_measure(struct mcast_member *member, struct mcast_outbound *out);

/* Send the OPEN if nothing was sent yet. 0 or MCAST_ENOMEM. */
int mcast_open_send(struct mcast_member *member, struct mcast_view_state *view);
/* Collect the contents of @view's OPEN, after the earlier views are closed. */
int mcast_open_inherit(struct mcast_member *member, struct mcast_view_state *view);
/* True when the members of @view have everything that we sent in it and before it. */
bool mcast_open_settled(const struct mcast_member *member, struct mcast_view_state *view);

/* True when a payload stays in @buffer instead of being copied into the packet. */
bool mcast_packet_refers(const struct mcast_member *member, const struct mcast_buffer *buffer,
                         uint32_t length);

struct mcast_packet *mcast_packet_new(struct mcast_member *member, uint32_t room);
/* Free @packet once the outputs of this step are consumed. */
void mcast_packet_free(struct mcast_member *member, struct mcast_packet *packet);
void mcast_packets_sweep(struct mcast_member *member);
/* Append a frame. MCAST_EFULL when the datagram has no room for it. */
int mcast_packet_add(struct mcast_member *member, struct mcast_packet *packet,
                     const struct mcast_frame *frame, struct mcast_buffer *buffer,
                     struct mcast_sent *sent);
/* Reserve room for one more packet. 0 or MCAST_ENOMEM. */
int mcast_outbound_reserve(struct mcast_member *member, struct mcast_outbound *out);
/* Give @packet the next number and add it to the window, where room is reserved. Return true when
 * somebody listens, with the @flags to send. */
bool mcast_outbound_enter(struct mcast_member *member, struct mcast_outbound *out,
                          struct mcast_packet *packet, uint8_t *flags);
/* After @number left: add it to our own stream, and acknowledge it when no other member is left. */
void mcast_outbound_follow(struct mcast_member *member, struct mcast_outbound *out,
                           uint64_t number);
/* Set the alarm after a packet left with @flags. */
void mcast_high_water_after(struct mcast_member *member, struct mcast_outbound *out, uint8_t flags);
/* Ring of that alarm: send a high-water mark if it is due. */
void mcast_high_water_ring(struct mcast_member *member, struct mcast_alarm *self);
void mcast_high_water_send(struct mcast_member *member, const struct mcast_outbound *out);
/* Give the packet a number and send it to the region. */
int mcast_packet_send(struct mcast_member *member, struct mcast_outbound *out,
                      struct mcast_packet *packet);

/* Send the waiting messages as far as windows and the driver's room allow. */
void mcast_transmit(struct mcast_member *member);
/* Before @view closes: finish packets that some regions have and others lack for want of memory,
 * while the message is bound to these views. */
void mcast_transmit_close(struct mcast_member *member, const struct mcast_view_state *view);
/* Send the packet that collects small messages. */
void mcast_transmit_flush(struct mcast_member *member, struct mcast_outbound *out);
void mcast_settle_init(struct mcast_member *member);
/* Note that one of the packets that carry @sent is acknowledged; mcast_sents_review must follow
 * directly. */
void mcast_sent_acked(struct mcast_member *member, struct mcast_sent *sent);
void mcast_sents_review(struct mcast_member *member);
/* Detach the messages of a removed group: each is freed with the last packet that carries it. */
void mcast_sent_orphan(struct mcast_member *member, struct mcast_sent *first);
/* Note that a packet that carries @sent ends without an acknowledgement. */
void mcast_sent_abandon(struct mcast_member *member, struct mcast_sent *sent);
/* Report how far @group is stable, and free what is. */
void mcast_sent_review(struct mcast_member *member, uint32_t group);

/* ---- the application's messages: send/send_queue.c, send/payload_pull.c ---- */

void mcast_send_add(struct mcast_member *member, const struct mcast_event *event);
/* Remove the first message of @group's queue. */
void mcast_send_done(struct mcast_member *member, uint32_t group);
void mcast_want_ask(struct mcast_member *member, uint32_t group);
void mcast_want_answer(struct mcast_member *member, const struct mcast_event *event);
void mcast_want_init(struct mcast_member *member);
void mcast_refuse(struct mcast_member *member, uint32_t group, uint64_t cookie, int code);

/* ---- the rate: send/rate.c ---- */

/* True when data may leave now; adds credit for the time that passed. */
bool mcast_rate_allows(struct mcast_member *member);
void mcast_rate_spend(struct mcast_member *member, uint32_t bytes);
/* Adapt the rate to an acknowledgement for @out. */
void mcast_rate_heed(struct mcast_member *member, const struct mcast_outbound *out);
/* Return when data that waits for the rate may leave, or MCAST_NEVER. */
mcast_time mcast_rate_deadline(const struct mcast_member *member);

/* ---- groups: membership/group.c, send/route.c ---- */

struct mcast_send {
    struct mcast_send *next;
    struct mcast_buffer *buffer;
    const uint8_t *bytes;
    uint32_t length;
    uint32_t offset; /* how much of it left as fragments */
    uint64_t cookie;
    uint64_t number; /* set with the first fragment */
    struct mcast_sent *sent;
    bool pull;
    bool asked;
    uint32_t done; /* how many views of the route have the current packet */
    bool stable;   /* no message: announces that everything up to `number` is stable */
};

/* State of a group while something of it is under way. */
struct mcast_active {
    struct mcast_send *first;
    struct mcast_send *last;
    struct mcast_sent *oldest; /* the oldest message not known to be stable */
    struct mcast_sent *newest;
    struct mcast_sent *told; /* the announcement of stability, until the members have it */
    uint32_t next_ready;     /* the next group in the route's queue */
    uint32_t pending;        /* count of waiting messages */
    uint32_t next_due;       /* the next group whose messages became stable */
    bool queued;
    bool due;
    mcast_time leave_asked_at; /* when LEAVE was delayed, or last progressed; 0 without a LEAVE */
    mcast_time wanted;         /* when a WANT was emitted, 0 when none is open */
    uint32_t next_want;        /* the next group with an open WANT */
    bool in_wants;
    bool waits;               /* the application was told to pause */
    mcast_time paused_until;  /* when the receivers' pauses expire */
    mcast_time metered_until; /* until then some receiver limits how many messages leave */
};

/* A sender of a group that was asked to wait. */
struct mcast_pause {
    uint32_t group;
    mcast_node sender;
    mcast_time said; /* when it was last told */
    bool open;       /* may send as many messages as it was granted; otherwise it waits */
};

enum mcast_group_state {
    MCAST_GROUP_FREE = 0,
    MCAST_GROUP_ASKED,   /* the service was asked, or will be */
    MCAST_GROUP_IN,      /* in force */
    MCAST_GROUP_LEAVING, /* nothing is delivered any more */
};

/* The first cache line is what a message needs. */
struct mcast_group {
    struct mcast_route *route;
    struct mcast_active *active;
    uint64_t number;             /* of the last message sent */
    struct mcast_hybrid *hybrid; /* its own address; NULL when it has none */
    struct mcast_heard_list
        *heard; /* owned by receive/missed.c; NULL until another node was heard */
    uint64_t held_bytes;
    uint32_t held; /* deliveries that the application has not consumed */
    uint8_t slow;
    uint8_t state;
    bool receives : 1; /* false for a registered sender */
    bool tell_stable : 1;
    bool paused : 1;   /* we asked its senders to wait */
    bool demoted : 1;  /* nothing is delivered until RESUME */
    bool behind : 1;   /* the application was told that its queue fills */
    bool expelled : 1; /* leaves because it fell behind */
    bool leave_asked : 1;
    bool asks_members : 1;  /* its members were queried, and the answer is open */
    bool asked_members : 1; /* the service was asked about this very group */
    uint32_t short_name;
    uint32_t queue_messages;
    uint32_t queue_bytes;
    uint32_t taken;    /* deliveries consumed since senders were told to go on */
    mcast_epoch since; /* the epoch of our join: older views owe it nothing */
    mcast_epoch view_number;
    struct mcast_id id;
};

#define MCAST_NO_GROUP UINT32_MAX
enum { MCAST_GROUP_CHUNK = 256 }; /* groups in one block of memory */

struct mcast_group *mcast_group_at(const struct mcast_member *member, uint32_t group);
/* Prefetch @group, which is used soon; MCAST_NO_GROUP is allowed. */
void mcast_group_prefetch(const struct mcast_member *member, uint32_t group);
/* True when messages of @group are delivered: from its first view on, until LEAVE. */
bool mcast_group_receives(const struct mcast_group *group);
/* Return the caller's number of the group with that short name, or MCAST_NO_GROUP. */
uint32_t mcast_group_named(const struct mcast_member *member, uint32_t short_name);
void mcast_group_join(struct mcast_member *member, uint32_t group, const struct mcast_id *id,
                      const struct mcast_group_policy *policy, bool receives);
void mcast_group_leave(struct mcast_member *member, uint32_t group);
/* Note that something that @group sent has left or is stable: a LEAVE may have waited for it. */
void mcast_group_settled(struct mcast_member *member, uint32_t group);
void mcast_groups_init(struct mcast_member *member);
/* Handle the service's answer: the group has a short name, or failed with @code. */
void mcast_group_named_as(struct mcast_member *member, uint32_t group, uint32_t short_name,
                          int32_t code);
void mcast_group_forget(struct mcast_member *member, uint32_t group);
void mcast_groups_free(struct mcast_member *member);
struct mcast_active *mcast_group_active(struct mcast_member *member, struct mcast_group *group);
/* Append @send to the queue of its group. */
void mcast_active_append(struct mcast_member *member, struct mcast_active *active,
                         struct mcast_send *send);
/* Free the parts of @group's state that are no longer needed. */
void mcast_group_rest(struct mcast_member *member, struct mcast_group *group);

struct mcast_route {
    uint32_t class_number;
    uint32_t groups; /* count of our groups that use this route */
    mcast_view *numbers;
    struct mcast_view_state **views;
    size_t count;
    uint32_t first_ready; /* queue of groups that have something to send */
    uint32_t last_ready;
    struct mcast_route *next; /* ring of routes with such groups */
    struct mcast_route *before;
    bool ready;
    uint64_t asked; /* the round in which the service was asked about its members */
};

struct mcast_route *mcast_route_find(const struct mcast_member *member, uint32_t class_number);
int mcast_route_put(struct mcast_member *member, const struct mcast_sm_class *told);
void mcast_route_bind(struct mcast_member *member, struct mcast_route *route);
/* Remove @view, which is about to end, from all routes. */
void mcast_routes_unbind(struct mcast_member *member, const struct mcast_view_state *view);
/* Between hold and settle no route is freed when its last group leaves: a later group of the same
 * update may move to it. */
void mcast_routes_hold(struct mcast_member *member);
void mcast_routes_settle(struct mcast_member *member);
void mcast_routes_free(struct mcast_member *member);
/* Move @group to @route, NULL for none. */
void mcast_route_move(struct mcast_member *member, uint32_t group, struct mcast_route *route);
/* Append @group to its route's queue if it has something to send. */
void mcast_route_ready(struct mcast_member *member, uint32_t group);
void mcast_route_unready(struct mcast_member *member, uint32_t group);
uint32_t mcast_route_take(struct mcast_member *member, struct mcast_route *route);

/* ---- missed messages: receive/missed.c ---- */

/* Note that message @number of @sender was delivered. */
void mcast_heard(struct mcast_member *member, struct mcast_group *group, mcast_node sender,
                 uint64_t number);
/* Note that message @number of @sender exists and was not delivered; call shortly before
 * mcast_heard_tell. */
void mcast_heard_of(struct mcast_member *member, uint32_t group, mcast_node sender,
                    uint64_t number);
/* The same for all messages here that wait for a missing one. */
void mcast_heard_look_ahead(struct mcast_member *member);
/* Report what @group misses of each sender from now on. */
void mcast_heard_tell(struct mcast_member *member, uint32_t group);
/* Drop the entries of dead nodes that are peers no more. */
void mcast_heard_forget(const struct mcast_member *member);
void mcast_heard_free(struct mcast_member *member, struct mcast_group *group);

/* ---- delivery: receive/deliver.c, receive/reassembly.c, slow/slow_application.c ---- */

/* Deliver the frames of one packet, in order. */
void mcast_deliver(struct mcast_member *member, const struct mcast_stream *stream,
                   struct mcast_buffer *buffer, const uint8_t *frames, uint32_t length);
void mcast_deliver_message(struct mcast_member *member, uint32_t group, mcast_node sender,
                           uint64_t number, struct mcast_buffer *buffer, const uint8_t *bytes,
                           uint32_t length);
void mcast_fragments_init(struct mcast_member *member);
/* Drop partial messages of dead senders of whom nothing more can arrive. */
void mcast_fragments_review(struct mcast_member *member);
void mcast_fragment(struct mcast_member *member, uint32_t group, mcast_node sender,
                    const struct mcast_frame *frame);
/* True while a message of @sender is being reassembled. */
bool mcast_fragments_has(const struct mcast_member *member, mcast_node sender);
/* Note that all partial messages exist (receive/missed.c). */
void mcast_fragments_look_ahead(struct mcast_member *member);
/* Drop partial messages of @sender, or for @group; 0 and MCAST_NO_GROUP mean any. */
void mcast_fragments_forget(struct mcast_member *member, mcast_node sender, uint32_t group);
/* True when the policy of @group delivers one more message of @length bytes. */
bool mcast_slow_admit(struct mcast_member *member, uint32_t group, mcast_node sender,
                      uint64_t number, uint32_t length);
void mcast_slow_resume(struct mcast_member *member, uint32_t group);
void mcast_slow_init(struct mcast_member *member);
/* The application has taken nothing for @unread_for although something waits. */
void mcast_slow_review(struct mcast_member *member, mcast_time unread_for);
/* ---- receivers that cannot keep up with this sender: slow/sender_pause.c ---- */
void mcast_slow_sender_init(struct mcast_member *member);
void mcast_slow_sender_free(struct mcast_member *member);
/* Store who asked for the pause at @index: its group and node, node 0 when it expired by @now.
 * Return false past the last. */
bool mcast_slow_brake(const struct mcast_member *member, size_t index, mcast_time now,
                      struct mcast_laggard *braking);
/* Handle a receiver's request to pause @group, or to go on. */
void mcast_slow_told(struct mcast_member *member, const struct mcast_flow *flow,
                     mcast_node receiver, uint32_t group);
/* Count a message of @group that leaves: it may be the last one granted. */
void mcast_slow_spend(struct mcast_member *member, uint32_t group);
void mcast_slow_consumed(struct mcast_member *member, uint32_t group, uint32_t messages,
                         uint64_t bytes);

#endif
