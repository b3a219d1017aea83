/* The functions of the core that Python may call. Plain C without preprocessor lines: cffi reads
 * it, and the compiler reads it again after the headers. Opaque types, numbers and functions only.
 */

const char *mcast_version(void);
const char *mcast_strerror(int code);

const struct mcast_alloc *mcast_system_memory(void);

struct mcast_ranges *mcast_ranges_new(const struct mcast_alloc *alloc, size_t bound);
void mcast_ranges_free(struct mcast_ranges *set);
int mcast_ranges_add(struct mcast_ranges *set, uint64_t first, uint64_t last);
int mcast_ranges_remove(struct mcast_ranges *set, uint64_t first, uint64_t last);
bool mcast_ranges_contains(const struct mcast_ranges *set, uint64_t number);
size_t mcast_ranges_count(const struct mcast_ranges *set);
