#define _GNU_SOURCE
#include "service_connection/service_listener.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BACKLOG = 128, PRIVATE = 0600, PRIVATE_FOLDER = 0700 };

static void close_if_open(int *fd) {
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

static bool is_file(const char *path, dev_t device, ino_t inode) {
    struct stat found;
    return lstat(path, &found) == 0 && found.st_dev == device && found.st_ino == inode;
}

static bool names_open_file(const char *path, int fd) {
    struct stat held;
    return fd >= 0 && fstat(fd, &held) == 0 && is_file(path, held.st_dev, held.st_ino);
}

void udp_listener_init(struct udp_listener *listener) {
    memset(listener, 0, sizeof *listener);
    listener->lock = listener->socket = -1;
}

static int write_generation(int lock, uint32_t generation) {
    char text[32];
    int length = snprintf(text, sizeof text, "%-20u\n", generation);
    if (pwrite(lock, text, (size_t)length, 0) != length || fdatasync(lock) != 0) {
        return errno != 0 ? -errno : -EIO;
    }
    return 0;
}

static uint32_t read_generation(int lock) {
    char text[32] = {0};
    ssize_t got = pread(lock, text, sizeof text - 1, 0);
    return got > 0 ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

/* Open the file at @path and lock it. Return its descriptor, -EWOULDBLOCK if another process has it
 * locked, or another -errno. A file that was deleted meanwhile proves nothing to later starters. */
static int lock_file(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, PRIVATE);
    if (fd < 0) {
        return -errno;
    }
    int code = flock(fd, LOCK_EX | LOCK_NB) != 0 ? -errno : 0;
    if (code == 0 && !names_open_file(path, fd)) {
        code = -EWOULDBLOCK;
    }
    if (code != 0) {
        close(fd);
        return code;
    }
    return fd;
}

int udp_listener_lock(struct udp_listener *listener, const char *path, uint32_t *generation) {
    listener->lock = lock_file(path);
    if (listener->lock < 0) {
        return listener->lock;
    }
    strncpy(listener->lock_path, path, sizeof listener->lock_path - 1);
    uint32_t stored = read_generation(listener->lock);
    *generation = stored + 1 > *generation ? stored + 1 : *generation;
    return udp_listener_store(listener, *generation);
}

int udp_listener_store(struct udp_listener *listener, uint32_t generation) {
    int code = write_generation(listener->lock, generation);
    listener->generation = code == 0 ? generation : listener->generation;
    return code;
}

/* Return a socket that listens at @path and has replaced the file there, or -errno. */
static int listen_at(const char *path) {
    struct sockaddr_un here = {.sun_family = AF_UNIX};
    memcpy(here.sun_path, path, sizeof here.sun_path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    unlink(path);
    mode_t mask = umask(0177);
    int code = bind(fd, (const struct sockaddr *)&here, sizeof here) != 0 ? -errno : 0;
    umask(mask);
    code = code == 0 && listen(fd, BACKLOG) != 0 ? -errno : code;
    if (code != 0) {
        close(fd);
        return code;
    }
    return fd;
}

int udp_listener_listen(struct udp_listener *listener, const char *path) {
    struct stat made;
    int fd = listen_at(path);
    if (fd < 0) {
        return fd;
    }
    if (lstat(path, &made) != 0) {
        int code = -errno;
        close(fd);
        return code;
    }
    close_if_open(&listener->socket); /* epoll forgets a closed descriptor by itself */
    listener->socket = fd;
    listener->device = made.st_dev;
    listener->inode = made.st_ino;
    memmove(listener->path, path, sizeof listener->path);
    return 0;
}

static void make_folder_of(const char *path) {
    char folder[sizeof((struct udp_listener *)0)->lock_path];
    strncpy(folder, path, sizeof folder - 1);
    folder[sizeof folder - 1] = '\0';
    char *end = strrchr(folder, '/');
    if (end != NULL && end != folder) {
        *end = '\0';
        (void)mkdir(folder, PRIVATE_FOLDER);
    }
}

/* Lock the file that is at the lock's path now. Another service that had it meanwhile has told
 * members of its generation, if that is not below ours. */
static int take_lock_again(struct udp_listener *listener) {
    make_folder_of(listener->lock_path);
    int fd = lock_file(listener->lock_path);
    if (fd < 0) {
        return fd == -EWOULDBLOCK ? -ECANCELED : fd;
    }
    int code = read_generation(fd) >= listener->generation
                   ? -ECANCELED
                   : write_generation(fd, listener->generation);
    if (code != 0) {
        close(fd);
        return code;
    }
    close_if_open(&listener->lock);
    listener->lock = fd;
    return 0;
}

int udp_listener_keep(struct udp_listener *listener, bool *moved) {
    *moved = false;
    int code = 0;
    if (!names_open_file(listener->lock_path, listener->lock)) {
        code = take_lock_again(listener);
    }
    if (code == 0 && !is_file(listener->path, listener->device, listener->inode)) {
        make_folder_of(listener->path);
        code = udp_listener_listen(listener, listener->path);
        *moved = code == 0;
    }
    return code == -ECANCELED ? code : 0; /* a full disk or a missing parent: the next turn tries */
}

void udp_listener_close(struct udp_listener *listener) {
    if (listener->socket >= 0 && is_file(listener->path, listener->device, listener->inode)) {
        unlink(listener->path);
    }
    close_if_open(&listener->socket);
    close_if_open(&listener->lock);
}
