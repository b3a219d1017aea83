/* Wire: the datagrams between members; docs/wire.md tells the format byte by byte.
 *
 * A decoder never trusts: it returns false for anything that is not exactly a message of ours, and
 * then nothing of it is used. An encoder writes into a writer and lets it fail; its caller looks
 * once. */
#ifndef MCAST_CORE_WIRE_H
#define MCAST_CORE_WIRE_H

#include "base/range_list.h"
#include "mcast/auth.h"
#include "mcast/types.h"
#include "wire/codec.h"

enum {
    MCAST_WIRE_VERSION = 1,
    MCAST_HEADER_SIZE = 32,
    MCAST_DATA_HEAD = MCAST_HEADER_SIZE + 8,    /* … and the number */
    MCAST_REPAIR_HEAD = MCAST_HEADER_SIZE + 12, /* … and origin and number */
    MCAST_PACKET_MOST = 65507,
};

enum mcast_wire_type {
    MCAST_WIRE_DATA = 1,
    MCAST_WIRE_REPAIR,
    MCAST_WIRE_TOKEN,
    MCAST_WIRE_ACK,
    MCAST_WIRE_HIGH_WATER,
    MCAST_WIRE_REQUEST,
    MCAST_WIRE_STALE,
    MCAST_WIRE_EVICTED,
    MCAST_WIRE_FLOW,
    MCAST_WIRE_HYBRID,
    MCAST_WIRE_CALL,
    MCAST_WIRE_TYPES, /* is one above the last */
};

enum {
    MCAST_FLAG_PRESSED = 1, /* DATA: the sender's window is more than half used … */
    MCAST_FLAG_NEAR = 2,    /* … an eighth of the largest there is … */
    MCAST_FLAG_FULL = 4,    /* … all of that, and the sender waits */
    MCAST_FLAGS_OF_DATA = MCAST_FLAG_PRESSED | MCAST_FLAG_NEAR | MCAST_FLAG_FULL,
    MCAST_FLAG_HERE = 1, /* CALL: is the answer */
};

/* HYBRID: in which views its frames were sent, the same to each, and under which numbers. */
struct mcast_hybrid_entry {
    mcast_view view;
    uint64_t number;
    uint8_t flags;
};

/* The first 32 bytes of each datagram. */
struct mcast_header {
    uint8_t type;
    uint8_t flags;
    uint8_t key_id;
    uint32_t cluster;
    mcast_node sender;
    uint32_t incarnation; /* is a digest of it, see mcast_incarnation_check */
    uint64_t counter;     /* is unique for (sender, incarnation, socket) */
    mcast_view view;      /* is 0 where no region view is meant */
};

/* The 32 bits that stand for an incarnation in each header. */
uint32_t mcast_incarnation_check(uint64_t incarnation);

void mcast_header_write(uint8_t bytes[MCAST_HEADER_SIZE], const struct mcast_header *header);

/* False when @length is too short for header and tag, the version is another, or the type unknown.
 */
bool mcast_header_read(const uint8_t *bytes, size_t length, struct mcast_header *header);

enum {
    MCAST_HYBRID_VIEWS_LEAST = 2,
    MCAST_HYBRID_VIEWS_MOST = 32,
    MCAST_HYBRID_ENTRY_SIZE = 17,
};

/* The size of a HYBRID datagram with @count entries up to its frames. */
#define MCAST_HYBRID_HEAD(count) (MCAST_HEADER_SIZE + 1 + MCAST_HYBRID_ENTRY_SIZE * (count))

void mcast_hybrid_write(struct mcast_writer *writer, const struct mcast_hybrid_entry *entries,
                        size_t count);
/* Stores at most MCAST_HYBRID_VIEWS_MOST entries, in ascending order of view, and leaves @reader at
 * the frames. */
bool mcast_hybrid_read(struct mcast_reader *reader, struct mcast_hybrid_entry *entries,
                       size_t *count);

/* Frames: what a data packet carries. */
enum mcast_frame_kind {
    MCAST_FRAME_MESSAGE = 0,  /* a whole message */
    MCAST_FRAME_FRAGMENT = 1, /* a piece of one */
    MCAST_FRAME_OPEN = 2,     /* rule 1.0.7, always alone in the first packet of a stream */
    MCAST_FRAME_STABLE = 3,   /* rule 1.0.14 */
    MCAST_FRAME_EMPTY = 4,    /* nothing: the packet stands for a number that needs no content */
};

struct mcast_frame {
    enum mcast_frame_kind kind;
    uint32_t group;  /* is the short name; not for OPEN */
    uint64_t number; /* is the message's; for OPEN the epoch */
    uint64_t offset; /* FRAGMENT: is where in the message it stands */
    uint64_t total;  /* FRAGMENT: is the message's length */
    uint32_t length;
    const uint8_t *bytes; /* MESSAGE, FRAGMENT: the payload; OPEN: the list, see mcast_open_read */
};

/* Writes the frame up to its payload, which follows it in the packet. */
void mcast_frame_write_head(struct mcast_writer *writer, const struct mcast_frame *frame);

/* Reads the next frame. False and failed: malformed. */
bool mcast_frame_read(struct mcast_reader *reader, struct mcast_frame *frame);

/* Whether @frames are frames and nothing else; an OPEN alone, with a list. Nothing of a packet is
 * used before. */
bool mcast_frames_are_sound(const uint8_t *frames, size_t length);

/* The most bytes that a frame's head takes. */
enum { MCAST_FRAME_HEAD_MOST = 1 + 5 + 10 + 10 + 10 + 5 };

/* One entry of an OPEN: the sender's last number in an older view. */
struct mcast_open_entry {
    mcast_view view;
    uint64_t last;
};

enum { MCAST_OPEN_MOST = 64 };

void mcast_open_write(struct mcast_writer *writer, const struct mcast_open_entry *entries,
                      size_t count);
/* Stores at most MCAST_OPEN_MOST entries and returns true when @bytes are exactly a list. */
bool mcast_open_read(const uint8_t *bytes, size_t length, struct mcast_open_entry *entries,
                     size_t *count);

struct mcast_ack {
    mcast_node sender; /* is whom it tells: its address may belong to a later life by now */
    uint64_t contig;
    uint32_t low;             /* is the seat of the member that holds it back */
    struct mcast_spans above; /* is what is received above it, for the ablation "ranges 1 or n" */
};

void mcast_ack_write(struct mcast_writer *writer, const struct mcast_ack *ack);
bool mcast_ack_read(struct mcast_reader *reader, struct mcast_ack *ack);

enum mcast_request_kind {
    MCAST_REQUEST_PULL = 0,    /* asks a member for copies it keeps */
    MCAST_REQUEST_CROSS = 1,   /* … a member of another partition */
    MCAST_REQUEST_NAK = 2,     /* asks the sender: nobody of a partition has it */
    MCAST_REQUEST_NAK_ONE = 3, /* … and the partition has a single member */
};

struct mcast_request {
    uint8_t kind;
    mcast_node origin; /* is the sender whose packets are asked for */
    struct mcast_spans numbers;
};

/* Writes a list of ranges or a bitmap, whichever is shorter (rule 1.0.2). */
void mcast_request_write(struct mcast_writer *writer, const struct mcast_request *request);
bool mcast_request_read(struct mcast_reader *reader, struct mcast_request *request);

/* XOFF and XON for one group (rule 1.0.4). */
struct mcast_flow {
    mcast_node sender; /* is whom it tells: its address may belong to a later life by now */
    uint32_t group;
    bool pause;
    uint32_t credit; /* XON: is how many messages may come before the next word */
};

void mcast_flow_write(struct mcast_writer *writer, const struct mcast_flow *flow);
bool mcast_flow_read(struct mcast_reader *reader, struct mcast_flow *flow);

void mcast_spans_write(struct mcast_writer *writer, uint64_t base, const struct mcast_spans *spans);
bool mcast_spans_read(struct mcast_reader *reader, uint64_t base, struct mcast_spans *spans);

#endif
