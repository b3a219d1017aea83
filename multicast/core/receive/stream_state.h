/* Machine, what came from whom: alarms, nodes, arrivals, streams. Included by machine.h, as the
 * first of its parts. */
#ifndef MCAST_CORE_MACHINE_STREAMS_H
#define MCAST_CORE_MACHINE_STREAMS_H

/* ---- time: alarm.c ---- */

struct mcast_alarm {
    struct mcast_timer timer; /* comes first */
    void (*ring)(struct mcast_member *member, struct mcast_alarm *self);
};

/* Makes sure that @count alarms more can be set, as long as whoever has them lives: to set one
 * never fails. 0 or MCAST_ENOMEM. */
int mcast_alarms_add(struct mcast_member *member, size_t count);
/* So many alarms are no more; they are stopped. */
void mcast_alarms_remove(struct mcast_member *member, size_t count);
/* Sets @alarm to ring at @when, in place of any other time. */
void mcast_alarm_set(struct mcast_member *member, struct mcast_alarm *alarm, mcast_time when);
void mcast_alarm_stop(struct mcast_member *member, struct mcast_alarm *alarm);
/* Rings all that is due. */
void mcast_alarms_ring(struct mcast_member *member);

/* ---- what is told in the statistics: measure.c ---- */

/* An alarm rang so much too late. */
void mcast_measure_alarm(struct mcast_member *member, mcast_time late);
/* A token passes here; the one before passed at @before, 0 for none. */
void mcast_measure_token(struct mcast_member *member, mcast_time before);
/* A packet came while something of @stream was missing. */
void mcast_measure_gap(struct mcast_member *member, struct mcast_stream *stream, bool repaired);

/* ---- nodes: peer.c ---- */

struct mcast_replay {
    uint64_t highest;
    uint64_t seen[MCAST_REPLAY_WINDOW / 64]; /* is a ring of bits below highest */
};

struct mcast_peer {
    mcast_node node;
    uint32_t check; /* is the incarnation's 32 bits */
    struct mcast_id id;
    uint64_t incarnation;
    struct mcast_address address;
    bool dead;          /* was declared; its data comes as repair only (rule 1.0.8) */
    mcast_time died_at; /* is when that was heard */
    mcast_time told;    /* is when it was last told STALE or EVICTED */
    struct mcast_replay *replay[MCAST_SOCKETS];
    struct mcast_stream *gated; /* is a list of its streams that wait for an older view */
};

struct mcast_peer *mcast_peer_find(const struct mcast_member *member, mcast_node node);
int mcast_peer_put(struct mcast_member *member, const struct mcast_sm_node *node);

/* A node that came and died while this one was away, and that nobody announced here. Others have
 * what it said, and some of it is meant for this node too: the dead need a name alone, for their
 * data comes as repair (rule 1.0.8). One that is known stays as it is. */
void mcast_peer_meet_dead(struct mcast_member *member, mcast_node node);
/* Whether a datagram with that counter is new on that socket; marks it. */
bool mcast_peer_counter(struct mcast_member *member, struct mcast_peer *peer,
                        enum mcast_socket socket, uint64_t counter);
/* Ends what is kept of @peer, which nothing points to. */
void mcast_peer_end(struct mcast_member *member, struct mcast_peer *peer);
void mcast_peers_free(struct mcast_member *member);

/* ---- the dead, when nothing more is to come of them: forget.c ---- */

int mcast_forget_init(struct mcast_member *member);
void mcast_forget_free(struct mcast_member *member);
/* @peer has died; one day it is forgotten but for its name. */
void mcast_forget_later(struct mcast_member *member, struct mcast_peer *peer);
bool mcast_is_forgotten(const struct mcast_member *member, mcast_node node);
/* mcast_peer_find; one of the dead that was forgotten is known again by its name. */
struct mcast_peer *mcast_peer_recall(struct mcast_member *member, mcast_node node);
/* The newest of the forgotten, in no order: how many, and their names. */
size_t mcast_forgotten_count(const struct mcast_member *member);
size_t mcast_forgotten_names(const struct mcast_member *member, mcast_node *names);

/* ---- what arrived: arrivals.c ---- */

enum mcast_slot_state {
    MCAST_SLOT_EMPTY = 0,
    MCAST_SLOT_KEPT,    /* has a packet */
    MCAST_SLOT_SKIPPED, /* is to be passed over: the number exists nowhere */
};

struct mcast_slot {
    struct mcast_buffer *buffer;
    const uint8_t *frames; /* lies in buffer */
    uint32_t length;
    uint8_t state;
};

/* A ring of slots by number: the copies kept for others and those that wait for their turn. */
struct mcast_arrivals {
    struct mcast_slot *slots;
    uint32_t mask; /* is the count of slots - 1; 0 with slots == NULL */
    uint64_t low;  /* is the lowest number that may have a slot */
    uint32_t kept; /* is how many slots are not empty */
};

/* The slot of @number, or NULL when it has none. */
struct mcast_slot *mcast_arrivals_find(const struct mcast_arrivals *arrivals, uint64_t number,
                                       uint64_t hi);
/* Makes room for [low, @number]. 0, MCAST_EFULL when that is too far, MCAST_ENOMEM. */
int mcast_arrivals_reserve(struct mcast_member *member, struct mcast_arrivals *arrivals,
                           uint64_t number, uint64_t hi);
/* Takes hold of @frames in a slot; copies them out when the buffer is much larger. */
int mcast_arrivals_keep(struct mcast_member *member, struct mcast_arrivals *arrivals,
                        uint64_t number, struct mcast_buffer *buffer, const uint8_t *frames,
                        uint32_t length);
void mcast_arrivals_drop(struct mcast_member *member, struct mcast_arrivals *arrivals,
                         uint64_t number);
void mcast_arrivals_free(struct mcast_member *member, struct mcast_arrivals *arrivals);

/* ---- streams: stream.c, gate.c ---- */

struct mcast_gate {
    mcast_view view;
    uint64_t last;
};

/* What a leader remembers of a stream between rounds, and what a dead sender needs; made when used.
 */
struct mcast_judged {
    uint64_t cut;    /* is that of the last completed round */
    uint64_t reach;  /* is the highest number that the round out there tells about */
    uint64_t before; /* is the one that `own` tells about */
    uint64_t contig; /* is the region's, of that round */
    uint64_t acked;  /* is what the sender was told last … */
    mcast_time acked_at;
    uint32_t low;
    mcast_time low_for; /* is how long the same seat holds it back, by rounds that came home … */
    mcast_time low_at;  /* … the last of them then */
    uint64_t hi;        /* is the region's, of that round */
    bool missing;
    bool aware;     /* all knew of the death in that round */
    bool skip_told; /* went round once */
    struct mcast_own_list own;
    struct mcast_spans want;
    struct mcast_spans skip;
};

/* What the leader of a partition keeps of a stream where partitions turn apart; made when used. */
struct mcast_apart {
    uint64_t purge, cut, before; /* are what the region's token said last */
    uint64_t reach;              /* is the highest number that the round out there tells about */
    struct mcast_own_list last;
    uint64_t contig, hi, judged; /* are what the partition's own round learned */
    uint32_t low;
    struct mcast_spans owned;
    bool told, walked; /* whether a token of the region, of the partition, was here */
    bool missing;
    bool rest; /* the mark that nothing is new is to go round the partition */
};

struct mcast_stream {
    struct mcast_view_state *view;
    struct mcast_peer *peer; /* is the sender; ourselves too */
    mcast_node sender;
    uint64_t contig;    /* is the number up to which all was accepted (rule 1.0.4) */
    uint64_t delivered; /* … and handed on */
    uint64_t hi;        /* is the highest number known to exist */
    uint64_t purged;    /* is the number up to which nobody needs copies */
    uint64_t final;     /* is the last there will be, UINT64_MAX while unknown */
    uint64_t settled;   /* is hi as it was before the reordering time */
    uint64_t settling;
    mcast_time settling_since;
    mcast_time hi_at;     /* is when hi last grew */
    mcast_time gap_since; /* is since when something is missing, 0 while nothing is */
    struct mcast_arrivals arrivals;
    uint64_t round_set;   /* is the round in which it last stood in a token … */
    mcast_time round_at;  /* and when that was here, while it was not to rest */
    uint64_t asked_round; /* is the round in which repair was last asked for */
    struct mcast_judged *judged;
    struct mcast_apart *apart;
    struct mcast_gate *gates; /* are the older views to wait for */
    uint32_t gate_count;
    struct mcast_stream *next_gated;
    bool quiescent; /* was marked: not in tokens until something new comes */
    bool gated;
    bool opened;  /* the first packet was accepted */
    bool holding; /* holds copies back from the application until the view is committed */
    struct mcast_spans *skip; /* is what a leader proposed; NULL when nothing */
};

/* The stream of @sender in @view, or NULL. */
struct mcast_stream *mcast_stream_find(const struct mcast_view_state *view, mcast_node sender);
/* … made if it is not there; NULL for want of memory. */
struct mcast_stream *mcast_stream_make(struct mcast_member *member, struct mcast_view_state *view,
                                       struct mcast_peer *peer);
void mcast_stream_free(struct mcast_member *member, struct mcast_stream *stream);
struct mcast_judged *mcast_stream_judged(struct mcast_member *member, struct mcast_stream *stream);

/* A packet of @stream came in: keeps it, delivers what is ready. Returns whether it was new. */
bool mcast_stream_accept(struct mcast_member *member, struct mcast_stream *stream, uint64_t number,
                         struct mcast_buffer *buffer, const uint8_t *frames, uint32_t length,
                         bool repaired);
/* Something says that numbers up to @hi exist: the stream is active again. */
void mcast_stream_know(struct mcast_member *member, struct mcast_stream *stream, uint64_t hi);
/* Puts @stream back into tokens, though nothing new is known of it. */
void mcast_stream_rouse(struct mcast_member *member, struct mcast_stream *stream);
/* Lets the settled number follow as time goes by. */
void mcast_stream_settle(struct mcast_member *member, struct mcast_stream *stream);
/* Delivers what may be delivered now. */
void mcast_stream_flow(struct mcast_member *member, struct mcast_stream *stream);
/* Tries again what could not be handed on for want of memory. */
void mcast_streams_flow_again(struct mcast_member *member);
/* What is missing of (contig, @limit]. */
void mcast_stream_missing(const struct mcast_member *member, const struct mcast_stream *stream,
                          uint64_t limit, struct mcast_spans *missing);
/* What is missing of [@from, @limit], @from above contig. */
void mcast_stream_missing_from(const struct mcast_member *member, const struct mcast_stream *stream,
                               uint64_t from, uint64_t limit, struct mcast_spans *missing);
/* Everybody has all up to @number: lets go of copies. */
void mcast_stream_purge(struct mcast_member *member, struct mcast_stream *stream, uint64_t number);
/* Passes over @numbers where they are missing, and tells the application. */
void mcast_stream_skip(struct mcast_member *member, struct mcast_stream *stream,
                       const struct mcast_spans *numbers);
/* Learns the gates of @stream from the frames of its first packet, which must not be passed before.
 * 0 or MCAST_ENOMEM with nothing changed: try again. */
int mcast_gate_learn(struct mcast_member *member, struct mcast_stream *stream,
                     const uint8_t *frames, uint32_t length);
/* … when that is lost with its dead sender: all older views that it may have named. */
int mcast_gate_guess(struct mcast_member *member, struct mcast_stream *stream);
/* The first packet is passed: closes the gates that were learned, and opens those that nothing
 * holds. */
void mcast_gate_close(struct mcast_member *member, struct mcast_stream *stream);
/* Looks again at all streams of @peer that wait. */
void mcast_gates_review(struct mcast_member *member, struct mcast_peer *peer);

#endif
