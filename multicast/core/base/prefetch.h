/* Prefetch: load memory into the cache ahead of its use, where waiting for it would dominate the
 * cost of a message. */
#ifndef MCAST_BASE_PREFETCH_H
#define MCAST_BASE_PREFETCH_H

/* Prefetch @place for reading and writing. Any address is allowed, NULL too. */
static inline void mcast_prefetch(const void *place) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(place, 1);
#else
    (void)place;
#endif
}

/* Prefetch @place for reading only; other cores may keep their cached copies. */
static inline void mcast_prefetch_read(const void *place) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(place, 0);
#else
    (void)place;
#endif
}

#endif
