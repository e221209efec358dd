#pragma once
/* What Swift's Glibc module leaves out of Linux's own interface. No logic. */
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* memfd_create with MFD_CLOEXEC | MFD_ALLOW_SEALING. */
static inline int cockpit_memfd(const char *name) { return (int)syscall(SYS_memfd_create, name, 0x0001U | 0x0002U); }

/* F_ADD_SEALS: F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW. */
static inline int cockpit_seal_size(int fd) { return fcntl(fd, 1033, 0x0001 | 0x0002 | 0x0004); }

/* madvise with MADV_POPULATE_WRITE. */
static inline int cockpit_populate(void *memory, size_t count) { return madvise(memory, count, 23); }

/* ppoll without a signal mask; a negative timeout waits for ever. */
static inline int cockpit_poll(struct pollfd *fds, unsigned long count, long long nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000LL, nanoseconds % 1000000000LL};
  return (int)syscall(SYS_ppoll, fds, count, nanoseconds < 0 ? NULL : &time, NULL, 8);
}

/* True on the thread that the process began with. */
static inline int cockpit_is_first_thread(void) { return syscall(SYS_gettid) == getpid(); }

/* PR_SET_DUMPABLE: lets processes of the same user look at this one after it has changed its user. */
static inline int cockpit_allow_inspection(void) { return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }

/* PR_SET_NAME: the calling thread's name, for people who look at a process. */
static inline int cockpit_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/* POSIX_SPAWN_SETSID: the new process has a session of its own. */
static const int cockpit_spawn_session = 0x80;

/* The environment for a new process. */
static inline char **cockpit_environment(void) {
  extern char **environ;
  return environ;
}

/* F_SETPIPE_SZ. */
static inline int cockpit_set_pipe_size(int fd, int bytes) { return fcntl(fd, 1031, bytes); }

/* Sends one byte and, unless it is negative, a descriptor (SCM_RIGHTS). */
static inline ssize_t cockpit_send_descriptor(int socket, int descriptor) {
  char byte = 0;
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } extra = {.header = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    memcpy(CMSG_DATA(&extra.header), &descriptor, sizeof descriptor);
    message.msg_control = &extra;
    message.msg_controllen = sizeof extra;
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

/* Receives bytes, and the descriptors that came with them: at most 32, whose number is stored in `files`. */
static inline ssize_t cockpit_receive(int socket, void *bytes, size_t size, int *descriptors, int *files) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(32 * sizeof(int))];
  } extra;
  struct iovec part = {bytes, size};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &extra, .msg_controllen = sizeof extra};
  ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  *files = 0;
  if (count < 0) return count;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header))
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
      *files = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
      memcpy(descriptors, CMSG_DATA(header), *files * sizeof(int));
    }
  return count;
}

/* Sends bytes with `files` descriptors, at most 32. */
static inline ssize_t cockpit_send(int socket, const void *bytes, size_t size, const int *descriptors, int files) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(32 * sizeof(int))];
  } extra = {.header = {
                 .cmsg_len = CMSG_LEN(files * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  struct iovec part = {(void *)bytes, size};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (files > 0) {
    memcpy(CMSG_DATA(&extra.header), descriptors, files * sizeof(int));
    message.msg_control = &extra;
    message.msg_controllen = CMSG_SPACE(files * sizeof(int));
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

/* libdispatch's main queue, as run loops drain it. */
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

/* The bytes that malloc has handed out and not got back. */
static inline size_t cockpit_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
