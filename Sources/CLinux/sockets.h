#pragma once
/* Descriptors through sockets, which needs macros of C. A module beside CLinux: what includes <sys/socket.h> hides Glibc's own names of it
 * from whoever imports both, in programs that are linked statically. */
#include <string.h>
#include <sys/socket.h>

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
