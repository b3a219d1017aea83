/* Error codes and their texts, from one table, so that a code without a text cannot exist. */
#ifndef MCAST_ERROR_H
#define MCAST_ERROR_H

/* X(name, value, text) */
#define MCAST_ERRORS(X)                                                                            \
    X(MCAST_OK, 0, "success")                                                                      \
    X(MCAST_ENOMEM, -1, "out of memory")                                                           \
    X(MCAST_EINVAL, -2, "a range must not begin after its end")                                    \
    X(MCAST_EFULL, -3, "the set is at its bound; no further range can be kept")

enum mcast_error {
#define X(name, value, text) name = value,
    MCAST_ERRORS(X)
#undef X
};

/* The text of @code, or "unknown error" for a number that is none of ours. The string is static. */
const char *mcast_strerror(int code);

#endif
