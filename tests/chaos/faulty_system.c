/* A preloaded library that makes the system calls of one program faulty.

   It journals every change to the files below one folder, so that a later power cut can undo what
   was not forced to disk (power_cut.py); it reports a full disk; and it shifts the clock of the
   day.

       CHAOS_TREE      the folder; files below its `run` are not journaled, as they are in memory
   anyway CHAOS_JOURNAL   the folder of the journals, on the same file system; each process writes
   one CHAOS_FULL      the disk is full while this file exists CHAOS_CLOCK     a file of eight
   bytes: the seconds by which the clock of the day is wrong

   A record is written before its change happens, and a record of fsync after it has succeeded.
   Undoing a change that never happened has no effect. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct record {
    uint32_t size; /* of everything after this field */
    uint32_t kind;
    uint64_t time;
    uint64_t node;  /* the inode of the file or folder that changes */
    uint64_t other; /* the inode of a second folder */
    uint64_t offset;
    uint64_t length;
    uint64_t before; /* the size of the file before the change */
    uint32_t first;  /* bytes of the first name or of the old data */
    uint32_t second; /* bytes of the second name */
    uint32_t third;  /* bytes of the name under which an old file is kept */
    uint32_t unused;
};

enum { WRITTEN = 'W', CREATED = 'C', MOVED = 'M', REMOVED = 'R', FORCED = 'F' };

static char tree[PATH_MAX], memory_tree[PATH_MAX], journal_folder[PATH_MAX];
static const char *full_flag;
static volatile int64_t *clock_shift;
static int journal = -1;
static pid_t journal_owner;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static unsigned long kept_files;

#define NEXT(name) ((__typeof__(&name))next_symbol(#name))

static void *next_symbol(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

static void start(void) {
    const char *folder = getenv("CHAOS_TREE"), *to = getenv("CHAOS_JOURNAL"),
               *clock = getenv("CHAOS_CLOCK");
    if (folder && to) {
        snprintf(tree, sizeof tree, "%s", folder);
        snprintf(memory_tree, sizeof memory_tree, "%s/run", folder);
        snprintf(journal_folder, sizeof journal_folder, "%s", to);
    }
    full_flag = getenv("CHAOS_FULL");
    if (clock) {
        int file = (int)syscall(SYS_openat, AT_FDCWD, clock, O_RDONLY | O_CLOEXEC, 0);
        if (file >= 0) {
            void *at = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
            if (at != MAP_FAILED)
                clock_shift = at;
            syscall(SYS_close, file);
        }
    }
}

static uint64_t now(void) {
    struct timespec at;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &at);
    return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

static int is_inside(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_tracked(const char *path) {
    pthread_once(&once, start);
    return tree[0] && is_inside(path, tree) && !is_inside(path, memory_tree);
}

/* Write the full path of a name into `full`; return whether it is tracked. */
static int resolve(int folder, const char *name, char *full) {
    char at[PATH_MAX / 2] = "";
    if (name[0] != '/') {
        if (folder == AT_FDCWD) {
            if (!getcwd(at, sizeof at))
                return 0;
        } else {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            ssize_t got = readlink(link, at, sizeof at - 1);
            if (got < 0)
                return 0;
            at[got] = 0;
        }
    }
    int length =
        at[0] ? snprintf(full, PATH_MAX, "%s/%s", at, name) : snprintf(full, PATH_MAX, "%s", name);
    return length < PATH_MAX && is_tracked(full);
}

static int is_tracked_file(int file) {
    char link[64], path[PATH_MAX];
    pthread_once(&once, start);
    if (!tree[0])
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t got = readlink(link, path, sizeof path - 1);
    if (got < 0)
        return 0;
    path[got] = 0;
    return is_tracked(path);
}

static uint64_t node_of_folder(const char *path) {
    char folder[PATH_MAX];
    struct stat told;
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (!slash)
        return 0;
    *slash = 0;
    return stat(folder, &told) ? 0 : told.st_ino;
}

static int journal_file(void) {
    pthread_mutex_lock(&opening);
    if (journal < 0 || journal_owner != getpid()) {
        char path[PATH_MAX + 64];
        snprintf(path, sizeof path, "%s/%d-%llu.journal", journal_folder, getpid(),
                 (unsigned long long)now());
        int file = (int)syscall(SYS_openat, AT_FDCWD, path,
                                O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        /* away from the numbers that programs expect to be free */
        journal = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, 900);
        if (file >= 0)
            syscall(SYS_close, file);
        journal_owner = getpid();
    }
    pthread_mutex_unlock(&opening);
    return journal;
}

static void enter(struct record *head, const void *first, const void *second, const void *third) {
    head->size =
        (uint32_t)(sizeof *head - sizeof head->size) + head->first + head->second + head->third;
    struct iovec parts[] = {{head, sizeof *head},
                            {(void *)first, head->first},
                            {(void *)second, head->second},
                            {(void *)third, head->third}};
    int saved = errno;
    syscall(SYS_writev, journal_file(), parts, 4);
    errno = saved;
}

/* Journal the bytes of a file that a change from `offset` on replaces or cuts off. */
static void enter_change(int file, uint64_t offset, uint64_t length, int cuts) {
    struct stat told;
    if (fstat(file, &told) || !S_ISREG(told.st_mode))
        return;
    uint64_t size = (uint64_t)told.st_size, end = cuts ? size : offset + length;
    uint64_t lost = offset < size ? (end < size ? end : size) - offset : 0;
    char *old = lost ? malloc(lost) : NULL;
    if (lost) {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", file); /* it may be open for writing only */
        int reader = (int)syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC, 0);
        ssize_t got = reader < 0 ? 0 : pread(reader, old, lost, (off_t)offset);
        lost = got > 0 ? (uint64_t)got : 0;
        if (reader >= 0)
            syscall(SYS_close, reader);
    }
    struct record head = {.kind = WRITTEN,
                          .time = now(),
                          .node = told.st_ino,
                          .offset = offset,
                          .length = cuts ? 0 : length,
                          .before = size,
                          .first = (uint32_t)lost};
    enter(&head, old, NULL, NULL);
    free(old);
}

/* Give a file that is about to lose its name another one beside the journals. */
static int keep(const char *path, char *name) {
    char kept[PATH_MAX + 64];
    snprintf(name, 64, "%d-%lu.kept", getpid(), __sync_add_and_fetch(&kept_files, 1));
    snprintf(kept, sizeof kept, "%s/%s", journal_folder, name);
    int saved = errno, done = (int)syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, kept, 0);
    errno = saved;
    if (done)
        name[0] = 0;
    return done == 0;
}

static int is_full(void) {
    pthread_once(&once, start);
    return full_flag && syscall(SYS_faccessat, AT_FDCWD, full_flag, F_OK) == 0;
}

static int before_open(int folder, const char *name, int flags, char *full) {
    if (!(flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE)
        return 0;
    if (!resolve(folder, name, full))
        return 0;
    struct stat told;
    if (stat(full, &told)) {
        if (!(flags & O_CREAT))
            return 0;
        return is_full() ? -1 : 1;
    }
    if ((flags & O_TRUNC) && S_ISREG(told.st_mode) && !(flags & O_EXCL)) {
        int file = (int)syscall(SYS_openat, AT_FDCWD, full, O_RDONLY | O_CLOEXEC, 0);
        if (file >= 0) {
            enter_change(file, 0, 0, 1);
            syscall(SYS_close, file);
        }
    }
    return 0;
}

static void enter_creation(const char *full, uint64_t node) {
    struct record head = {.kind = CREATED,
                          .time = now(),
                          .node = node_of_folder(full),
                          .other = node,
                          .first = (uint32_t)strlen(full)};
    enter(&head, full, NULL, NULL);
}

static int open_somewhere(int folder, const char *name, int flags, mode_t mode) {
    char full[PATH_MAX];
    int creates = before_open(folder, name, flags, full);
    if (creates < 0) {
        errno = ENOSPC;
        return -1;
    }
    if (creates)
        enter_creation(full, 0);
    return (int)syscall(SYS_openat, folder, name, flags, mode);
}

static mode_t mode_of(int flags, va_list *rest) {
    return flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(*rest, mode_t) : 0;
}

int open(const char *name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, &rest);
    va_end(rest);
    return open_somewhere(AT_FDCWD, name, flags, mode);
}

int open64(const char *name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, &rest);
    va_end(rest);
    return open_somewhere(AT_FDCWD, name, flags, mode);
}

int openat(int folder, const char *name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, &rest);
    va_end(rest);
    return open_somewhere(folder, name, flags, mode);
}

int openat64(int folder, const char *name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, &rest);
    va_end(rest);
    return open_somewhere(folder, name, flags, mode);
}

/* Journal a write. Return -1 with ENOSPC if the disk is full. */
static int before_write(int file, int64_t offset, uint64_t length) {
    struct stat told;
    if (!length || fstat(file, &told) || !S_ISREG(told.st_mode) || !is_tracked_file(file))
        return 0;
    if (is_full()) {
        errno = ENOSPC;
        return -1;
    }
    int flags = fcntl(file, F_GETFL);
    if (offset < 0)
        offset = flags & O_APPEND ? told.st_size : lseek(file, 0, SEEK_CUR);
    enter_change(file, (uint64_t)offset, length, 0);
    return 0;
}

ssize_t write(int file, const void *data, size_t length) {
    return before_write(file, -1, length) ? -1 : syscall(SYS_write, file, data, length);
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
    return before_write(file, offset, length) ? -1
                                              : syscall(SYS_pwrite64, file, data, length, offset);
}

ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
    return before_write(file, offset, length) ? -1
                                              : syscall(SYS_pwrite64, file, data, length, offset);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    size_t length = 0;
    for (int at = 0; at < count; at++)
        length += parts[at].iov_len;
    return before_write(file, -1, length) ? -1 : syscall(SYS_writev, file, parts, count);
}

static int cut(int file, off64_t size) {
    if (is_tracked_file(file))
        enter_change(file, (uint64_t)size, 0, 1);
    return (int)syscall(SYS_ftruncate, file, size);
}

int ftruncate(int file, off_t size) {
    return cut(file, size);
}
int ftruncate64(int file, off64_t size) {
    return cut(file, size);
}

static int force(int file, long call) {
    uint64_t begun = now();
    struct stat told;
    int done = (int)syscall(call, file), saved = errno;
    if (!done && !fstat(file, &told) && is_tracked_file(file)) {
        struct record head = {.kind = FORCED, .time = begun, .node = told.st_ino};
        enter(&head, NULL, NULL, NULL);
    }
    errno = saved;
    return done;
}

int fsync(int file) {
    return force(file, SYS_fsync);
}
int fdatasync(int file) {
    return force(file, SYS_fdatasync);
}

static int move(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    char old[PATH_MAX], new[PATH_MAX], kept[64] = "";
    int tracked = resolve(from_folder, from, old);
    if (resolve(to_folder, to, new) && tracked) {
        struct stat told;
        if (!lstat(new, &told) && S_ISREG(told.st_mode))
            keep(new, kept);
        struct record head = {.kind = MOVED,
                              .time = now(),
                              .node = node_of_folder(new),
                              .other = node_of_folder(old),
                              .first = (uint32_t)strlen(old),
                              .second = (uint32_t)strlen(new),
                              .third = (uint32_t)strlen(kept)};
        enter(&head, old, new, kept);
    }
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int rename(const char *from, const char *to) {
    return move(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    return move(from_folder, from, to_folder, to, 0);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    return move(from_folder, from, to_folder, to, flags);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    char full[PATH_MAX];
    if (resolve(to_folder, to, full))
        enter_creation(full, 0);
    return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to) {
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlinkat(int folder, const char *name, int flags) {
    char full[PATH_MAX], kept[64] = "";
    if (!(flags & AT_REMOVEDIR) && resolve(folder, name, full) && keep(full, kept)) {
        struct record head = {.kind = REMOVED,
                              .time = now(),
                              .node = node_of_folder(full),
                              .first = (uint32_t)strlen(full),
                              .third = (uint32_t)strlen(kept)};
        enter(&head, full, NULL, kept);
    }
    return (int)syscall(SYS_unlinkat, folder, name, flags);
}

int unlink(const char *name) {
    return unlinkat(AT_FDCWD, name, 0);
}

/* The clock of the day */

static int64_t shift(void) {
    pthread_once(&once, start);
    return clock_shift ? *clock_shift : 0;
}

int clock_gettime(clockid_t which, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        real = NEXT(clock_gettime);
    int done = real(which, at);
    if (!done && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
        at->tv_sec += shift();
    return done;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    static int (*real)(struct timeval *restrict, void *restrict);
    if (!real)
        real = NEXT(gettimeofday);
    int done = real(at, zone);
    if (!done)
        at->tv_sec += shift();
    return done;
}

time_t time(time_t *at) {
    struct timespec told;
    clock_gettime(CLOCK_REALTIME, &told);
    if (at)
        *at = told.tv_sec;
    return told.tv_sec;
}
