/* Sort numbers in ascending order, in place, without allocating. (The qsort of the C library may
 * allocate.) */
#ifndef MCAST_BASE_SORT_H
#define MCAST_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorting numbers that are in order already takes one pass. */
void mcast_sort_u32(uint32_t *numbers, size_t count);
void mcast_sort_u64(uint64_t *numbers, size_t count);

/* True if @number is among @numbers, which are in ascending order. */
bool mcast_sort_has_u32(const uint32_t *numbers, size_t count, uint32_t number);

/* Remove repetitions from @numbers, which are in ascending order. Return the count of those left.
 */
size_t mcast_sort_unique_u64(uint64_t *numbers, size_t count);

#endif
