/* Machine, what is sent and delivered: packets, windows, the rate, groups and their routes.
 * Included by machine.h, after the region views. */
#ifndef MCAST_CORE_MACHINE_SENDING_H
#define MCAST_CORE_MACHINE_SENDING_H

/* ---- sending: outbound.c, window.c, packet.c, transmit.c, open.c, settle.c ---- */

/* A message that left, until it is stable everywhere. */
struct mcast_sent {
    struct mcast_sent *next; /* is the next younger of the group */
    uint32_t group;
    uint32_t views; /* is how many packets carry it and are not acknowledged */
    uint64_t number;
    uint64_t cookie;
    bool whole;     /* has wholly left */
    bool uncertain; /* nobody is left who could say that it arrived */
};

enum { MCAST_PACKET_FRAMES = 64 };

struct mcast_packet {
    struct mcast_packet *next; /* is the list of those that are done with */
    uint64_t number;
    mcast_time sent_at;
    uint32_t room;             /* is the size of bytes[] */
    uint32_t length;           /* is how much of it is used: header and frames */
    struct mcast_buffer *body; /* is the payload of the last frame, when it was not copied */
    const uint8_t *body_bytes;
    uint32_t body_length;
    uint32_t sent_count;
    struct mcast_sent **sents;
    uint32_t sent_room;
    bool landed;            /* is at all members, though one before it is not */
    struct mcast_sent *one; /* is where sents points while one is enough */
    uint8_t tag[MCAST_TAG_SIZE];
    uint8_t bytes[];
};

struct mcast_outbound {
    struct mcast_view_state *view;
    struct mcast_packet **packets; /* is a ring by number: acked + 1 … last */
    uint32_t mask;
    uint64_t last;   /* is the last number used */
    uint64_t acked;  /* is acknowledged by the region */
    uint64_t flight; /* is in bytes */
    uint64_t window;
    bool opened;
    bool long_waits; /* is whether a long message waits until half of the window is free */
    struct mcast_packet *filling; /* is the packet that small messages are put in */
    struct mcast_alarm batch;
    struct mcast_alarm high_water;
    mcast_time high_water_step;
    mcast_time last_sent;
    mcast_time heard;  /* is when a member of the region spoke of it last, or the view closed */
    uint32_t low;      /* is the seat that the last round found farthest behind … */
    mcast_time low_at; /* … and when that was heard */
    uint32_t unheard;  /* is how many high-water marks nobody answered since */
    mcast_time rate_since;
    uint64_t rate_bytes;
    uint64_t rate;       /* is the measured one, bytes a second */
    mcast_time ack_time; /* is smoothed */
};

/* How many packets may be under way, whatever their size. */
enum { MCAST_PENDING_MOST = (1 << 16) - 2 };

enum { MCAST_OUTBOUND_ALARMS = 2 };

struct mcast_outbound *mcast_outbound_make(struct mcast_member *member,
                                           struct mcast_view_state *view);
void mcast_outbound_free(struct mcast_member *member, struct mcast_outbound *out);
/* Whether a packet of the usual size may leave now. */
bool mcast_outbound_open(const struct mcast_member *member, const struct mcast_view_state *view);
/* A long message, which leaves half of the window to others, waits for the other half, or goes on.
 */
void mcast_outbound_wait(struct mcast_member *member, struct mcast_outbound *out, bool waits);
/* Everybody in the region has all up to @number. */
void mcast_outbound_ack(struct mcast_member *member, struct mcast_outbound *out, uint64_t number);
/* Everybody in the region has @above as well, beyond what is missing somewhere. */
void mcast_outbound_ack_above(struct mcast_member *member, struct mcast_outbound *out,
                              const struct mcast_spans *above);
/* Nobody is left who could say that what is not acknowledged arrived: it is uncertain (1.0.11). */
void mcast_outbound_give_up(struct mcast_member *member, struct mcast_outbound *out);
/* outside.c: whether no group of ours leads to @view, which we only sent to, any more; whether
 * nobody lives who could acknowledge what is under way there. */
bool mcast_outside_is_left(const struct mcast_member *member, const struct mcast_view_state *view);
bool mcast_outside_is_silent(const struct mcast_member *member, const struct mcast_outbound *out);
/* A member of the region spoke of the view to us: somebody lives there. */
void mcast_outbound_hear(struct mcast_member *member, struct mcast_outbound *out);
struct mcast_packet *mcast_outbound_find(const struct mcast_outbound *out, uint64_t number);

/* window.c: whether a packet of the usual size would take what is under way beyond @bytes. */
bool mcast_window_is_reached(const struct mcast_member *member, const struct mcast_outbound *out,
                             uint64_t bytes);
/* Whether there is as much under way as there may ever be, of all or of long messages. */
bool mcast_window_is_full(const struct mcast_member *member, const struct mcast_outbound *out);
/* Whether the oldest packet waits for several times as long as is usual: then one receiver stands
 * still, and the others do not. */
bool mcast_window_stands_still(const struct mcast_member *member, const struct mcast_outbound *out);
/* What packets say of how much is under way: flags of DATA. */
uint8_t mcast_window_flags(const struct mcast_member *member, const struct mcast_outbound *out);
/* Makes the window what the rate, and the time that acknowledgements take, ask for. */
void mcast_window_set(struct mcast_member *member, struct mcast_outbound *out);
/* Some bytes left: measures the rate again where it is time. */
void mcast_window_measure(struct mcast_member *member, struct mcast_outbound *out);

/* Sends the OPEN if nothing was sent yet. 0 or MCAST_ENOMEM. */
int mcast_open_send(struct mcast_member *member, struct mcast_view_state *view);
/* What the OPEN of @view must say: after the views before it are closed. */
int mcast_open_inherit(struct mcast_member *member, struct mcast_view_state *view);
/* Whether all that we sent in @view, and before it, is at its members. */
bool mcast_open_settled(const struct mcast_member *member, struct mcast_view_state *view);

/* Whether a payload stays where it is, in @buffer, instead of being copied into the packet. */
bool mcast_packet_refers(const struct mcast_member *member, const struct mcast_buffer *buffer,
                         uint32_t length);

struct mcast_packet *mcast_packet_new(struct mcast_member *member, uint32_t room);
/* Frees @packet when the outputs of this step are done with. */
void mcast_packet_free(struct mcast_member *member, struct mcast_packet *packet);
void mcast_packets_sweep(struct mcast_member *member);
/* Appends a frame. MCAST_EFULL when the datagram has no room for it. */
int mcast_packet_add(struct mcast_member *member, struct mcast_packet *packet,
                     const struct mcast_frame *frame, struct mcast_buffer *buffer,
                     struct mcast_sent *sent);
/* Makes room for one packet more. 0 or MCAST_ENOMEM. */
int mcast_outbound_reserve(struct mcast_member *member, struct mcast_outbound *out);
/* Gives @packet the next number and takes it into the window, for which there is room reserved.
 * Returns whether somebody is to hear it, and then with which @flags. */
bool mcast_outbound_enter(struct mcast_member *member, struct mcast_outbound *out,
                          struct mcast_packet *packet, uint8_t *flags);
/* @number left: it is in our own stream, and acknowledged when nobody else is there. */
void mcast_outbound_follow(struct mcast_member *member, struct mcast_outbound *out,
                           uint64_t number);
void mcast_high_water_send(struct mcast_member *member, const struct mcast_outbound *out);
/* Gives the packet a number and sends it to the region. */
int mcast_packet_send(struct mcast_member *member, struct mcast_outbound *out,
                      struct mcast_packet *packet);

/* Sends what groups have to send, as far as windows and the driver's room allow. */
void mcast_transmit(struct mcast_member *member);
/* @view is about to close: what some regions of its groups got, and others not yet for want of
 * memory, goes to all of them now, while they are what it is bound to. */
void mcast_transmit_close(struct mcast_member *member, const struct mcast_view_state *view);
/* Sends the packet that waits for company. */
void mcast_transmit_flush(struct mcast_member *member, struct mcast_outbound *out);
void mcast_settle_init(struct mcast_member *member);
/* One of the packets that carry @sent is acknowledged; mcast_sents_review makes of it what is to
 * be, and nothing else comes between. */
void mcast_sent_acked(struct mcast_member *member, struct mcast_sent *sent);
void mcast_sents_review(struct mcast_member *member);
/* The group of this list is gone: each goes with the last packet that carries it. */
void mcast_sent_orphan(struct mcast_member *member, struct mcast_sent *first);
/* A packet that carries @sent goes without an acknowledgement. */
void mcast_sent_abandon(struct mcast_member *member, struct mcast_sent *sent);
/* Tells how far @group is stable, and forgets what is. */
void mcast_sent_review(struct mcast_member *member, uint32_t group);

/* ---- requests of the application: send.c, want.c ---- */

void mcast_send_add(struct mcast_member *member, const struct mcast_event *event);
/* Takes the first send of @group off its queue. */
void mcast_send_done(struct mcast_member *member, uint32_t group);
void mcast_want_ask(struct mcast_member *member, uint32_t group);
void mcast_want_answer(struct mcast_member *member, const struct mcast_event *event);
void mcast_want_init(struct mcast_member *member);
void mcast_refuse(struct mcast_member *member, uint32_t group, uint64_t cookie, int code);

/* ---- the rate: rate.c ---- */

/* Whether data may leave now; gives credit for the time that went by. */
bool mcast_rate_allows(struct mcast_member *member);
void mcast_rate_spend(struct mcast_member *member, uint32_t bytes);
/* An acknowledgement came for @out: faster or slower from now on. */
void mcast_rate_heed(struct mcast_member *member, const struct mcast_outbound *out);
/* When data may leave again that waits for the rate, or MCAST_NEVER. */
mcast_time mcast_rate_deadline(const struct mcast_member *member);

/* ---- groups: group.c, route.c ---- */

struct mcast_send {
    struct mcast_send *next;
    struct mcast_buffer *buffer;
    const uint8_t *bytes;
    uint32_t length;
    uint32_t offset; /* is how much of it left as fragments */
    uint64_t cookie;
    uint64_t number; /* is set with the first fragment */
    struct mcast_sent *sent;
    bool pull;
    bool asked;
    uint32_t done; /* is how many views of the route have the packet at work */
    bool stable;   /* is no message: tells that all up to `number` is stable */
};

/* What a group needs while something of it is under way. */
struct mcast_active {
    struct mcast_send *first;
    struct mcast_send *last;
    struct mcast_sent *oldest; /* is the oldest message not known to be stable */
    struct mcast_sent *newest;
    struct mcast_sent *told; /* is the word how far all is stable, until the members have it */
    uint32_t next_ready;     /* is the next group in the route's queue */
    uint32_t pending;        /* is how many sends wait */
    uint32_t next_due;       /* is the next of those whose messages became stable */
    bool queued;
    bool due;
    mcast_time
        leave_asked_at; /* is when LEAVE was put off, or got nearer last; 0 when it was not */
    mcast_time wanted;  /* is when a WANT went out, 0 when none is open */
    uint32_t next_want; /* is the next group in the list of those asked */
    bool in_wants;
    bool waits;               /* was told as paused */
    mcast_time paused_until;  /* is when the pauses asked for by receivers end by themselves */
    mcast_time metered_until; /* is until when some receiver counts what leaves */
};

/* Who of this group's senders was asked to wait. */
struct mcast_pause {
    uint32_t group;
    mcast_node sender;
    mcast_time said; /* is when it was told last */
    bool open;       /* may send so many messages as it was told; else it waits */
};

enum mcast_group_state {
    MCAST_GROUP_FREE = 0,
    MCAST_GROUP_ASKED,   /* the service was or will be asked */
    MCAST_GROUP_IN,      /* is in force */
    MCAST_GROUP_LEAVING, /* nothing is delivered any more */
};

/* The first line of memory is what a message needs. */
struct mcast_group {
    struct mcast_route *route;
    struct mcast_active *active;
    uint64_t number;                /* is that of the last message sent */
    struct mcast_hybrid *hybrid;    /* is its own address; NULL when it has none */
    struct mcast_heard_list *heard; /* is heard.c's; NULL until it heard another node */
    uint64_t held_bytes;
    uint32_t held; /* is how many deliveries the application has not consumed */
    uint8_t slow;
    uint8_t state;
    bool receives : 1; /* false for a registered sender */
    bool tell_stable : 1;
    bool paused : 1;   /* we asked senders to wait */
    bool demoted : 1;  /* nothing is delivered until RESUME */
    bool behind : 1;   /* the application was told that its queue fills */
    bool expelled : 1; /* leaves because it fell behind */
    bool leave_asked : 1;
    bool asks_members : 1;  /* who is in it was asked, and not yet answered */
    bool asked_members : 1; /* … and the service was asked about this group */
    uint32_t short_name;
    uint32_t queue_messages;
    uint32_t queue_bytes;
    uint32_t taken;    /* is how many it consumed since senders were told to go on */
    mcast_epoch since; /* is the epoch with which this node joined it: older views owe it nothing */
    mcast_epoch view_number;
    struct mcast_id id;
};

#define MCAST_NO_GROUP UINT32_MAX
enum { MCAST_GROUP_CHUNK = 256 }; /* is how many groups lie together */

struct mcast_group *mcast_group_at(const struct mcast_member *member, uint32_t group);
/* @group is asked for soon; MCAST_NO_GROUP is allowed. */
void mcast_group_prefetch(const struct mcast_member *member, uint32_t group);
/* Whether messages of @group are handed on: not before its first view, not after LEAVE. */
bool mcast_group_receives(const struct mcast_group *group);
/* The caller's number of the group with that short name, or MCAST_NO_GROUP. */
uint32_t mcast_group_named(const struct mcast_member *member, uint32_t short_name);
void mcast_group_join(struct mcast_member *member, uint32_t group, const struct mcast_id *id,
                      const struct mcast_group_policy *policy, bool receives);
void mcast_group_leave(struct mcast_member *member, uint32_t group);
/* Something that @group sent has left, or is stable: LEAVE may have waited for it. */
void mcast_group_settled(struct mcast_member *member, uint32_t group);
void mcast_groups_init(struct mcast_member *member);
/* The service answered: the group has a short name, or @code. */
void mcast_group_named_as(struct mcast_member *member, uint32_t group, uint32_t short_name,
                          int32_t code);
void mcast_group_forget(struct mcast_member *member, uint32_t group);
void mcast_groups_free(struct mcast_member *member);
struct mcast_active *mcast_group_active(struct mcast_member *member, struct mcast_group *group);
/* @send waits behind all others of its group. */
void mcast_active_append(struct mcast_member *member, struct mcast_active *active,
                         struct mcast_send *send);
/* Ends what is no longer needed of group's activity. */
void mcast_group_rest(struct mcast_member *member, struct mcast_group *group);

struct mcast_route {
    uint32_t class_number;
    uint32_t groups; /* is how many groups of ours point here */
    mcast_view *numbers;
    struct mcast_view_state **views;
    size_t count;
    uint32_t first_ready; /* is a queue of groups that have something to send */
    uint32_t last_ready;
    struct mcast_route *next; /* is the ring of routes with ready groups */
    struct mcast_route *before;
    bool ready;
    uint64_t asked; /* is the round in which the service was asked who is in its groups */
};

struct mcast_route *mcast_route_find(const struct mcast_member *member, uint32_t class_number);
int mcast_route_put(struct mcast_member *member, const struct mcast_sm_class *told);
void mcast_route_bind(struct mcast_member *member, struct mcast_route *route);
/* Forgets @view, which is about to end, wherever a route points to it. */
void mcast_routes_unbind(struct mcast_member *member, const struct mcast_view_state *view);
/* Between the two no route ends, though its last group may leave: of the groups that an update
 * moves, a later one may take the route that an earlier one left. */
void mcast_routes_hold(struct mcast_member *member);
void mcast_routes_settle(struct mcast_member *member);
void mcast_routes_free(struct mcast_member *member);
/* Moves @group to @route, NULL for none. */
void mcast_route_move(struct mcast_member *member, uint32_t group, struct mcast_route *route);
/* Puts @group at the end of its route's queue if it has something to send. */
void mcast_route_ready(struct mcast_member *member, uint32_t group);
void mcast_route_unready(struct mcast_member *member, uint32_t group);
uint32_t mcast_route_take(struct mcast_member *member, struct mcast_route *route);

/* ---- whom it heard: heard.c ---- */

/* Message @number of @sender was handed on. */
void mcast_heard(struct mcast_member *member, struct mcast_group *group, mcast_node sender,
                 uint64_t number);
/* … is known to exist, and was not: for mcast_heard_tell, shortly before it. */
void mcast_heard_of(struct mcast_member *member, uint32_t group, mcast_node sender,
                    uint64_t number);
/* So are all messages that are here, and wait for one that is missing. */
void mcast_heard_look_ahead(struct mcast_member *member);
/* Tells what @group lacks of each sender, from now on. */
void mcast_heard_tell(struct mcast_member *member, uint32_t group);
/* Some of the dead are peers no more. */
void mcast_heard_forget(const struct mcast_member *member);
void mcast_heard_free(struct mcast_member *member, struct mcast_group *group);

/* ---- delivering: deliver.c, fragments.c, slow.c ---- */

/* Hands the frames of one packet on, in order. */
void mcast_deliver(struct mcast_member *member, const struct mcast_stream *stream,
                   struct mcast_buffer *buffer, const uint8_t *frames, uint32_t length);
void mcast_deliver_message(struct mcast_member *member, uint32_t group, mcast_node sender,
                           uint64_t number, struct mcast_buffer *buffer, const uint8_t *bytes,
                           uint32_t length);
void mcast_fragments_init(struct mcast_member *member);
/* Ends what was put together of senders who are dead and of whom nothing more comes. */
void mcast_fragments_review(struct mcast_member *member);
void mcast_fragment(struct mcast_member *member, uint32_t group, mcast_node sender,
                    const struct mcast_frame *frame);
/* Whether something of @sender is being put together. */
bool mcast_fragments_has(const struct mcast_member *member, mcast_node sender);
/* Whatever is being put together is known to exist (heard.c). */
void mcast_fragments_look_ahead(struct mcast_member *member);
/* Ends what was put together of @sender, or for @group; 0 and MCAST_NO_GROUP mean any. */
void mcast_fragments_forget(struct mcast_member *member, mcast_node sender, uint32_t group);
/* Whether the policy of @group lets one more message of @length pass to the application. */
bool mcast_slow_admit(struct mcast_member *member, uint32_t group, mcast_node sender,
                      uint64_t number, uint32_t length);
void mcast_slow_resume(struct mcast_member *member, uint32_t group);
void mcast_slow_init(struct mcast_member *member);
/* slow_sender.c: what this node sends, and receivers that cannot follow. */
void mcast_slow_sender_init(struct mcast_member *member);
void mcast_slow_sender_free(struct mcast_member *member);
/* Who asks for the brake at @index: its node, 0 where that brake is over by @now, and its group.
 * False past the last. */
bool mcast_slow_brake(const struct mcast_member *member, size_t index, mcast_time now,
                      struct mcast_laggard *braking);
/* A receiver asked this node to wait with @group, or not to. */
void mcast_slow_told(struct mcast_member *member, const struct mcast_flow *flow,
                     mcast_node receiver, uint32_t group);
/* A message of @group leaves: it may have been the last one allowed. */
void mcast_slow_spend(struct mcast_member *member, uint32_t group);
void mcast_slow_consumed(struct mcast_member *member, uint32_t group, uint32_t messages,
                         uint64_t bytes);

#endif
