#pragma once
/* What the laboratory needs of C: gio's D-Bus with descriptors (libpango1.0-dev brings it), pidfds, and what Swift's Glibc
   module leaves out of GNU's C library: among that, the macros of messages with descriptors. */
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <spawn.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/types.h>

int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int close_range(unsigned first, unsigned last, int flags);

/* CLOSE_RANGE_UNSHARE: the calling thread gets a descriptor table of its own. */
static const int laboratory_unshare = 1 << 1;

/* Sends three descriptors, or receives them into the calling thread's table. Returns 0, or -1. */
static inline int laboratory_send_streams(int socket, const int *streams) {
  char byte = 0;
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(3 * sizeof(int))] = {0};
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(3 * sizeof(int));
  memcpy(CMSG_DATA(header), streams, 3 * sizeof(int));
  return sendmsg(socket, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

static inline int laboratory_receive_streams(int socket, int *streams) {
  char byte;
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(3 * sizeof(int))];
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1) return -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header == NULL || header->cmsg_len != CMSG_LEN(3 * sizeof(int))) return -1;
  memcpy(streams, CMSG_DATA(header), 3 * sizeof(int));
  return 0;
}
