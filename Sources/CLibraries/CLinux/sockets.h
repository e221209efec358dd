#pragma once
/* Descriptors through sockets, and their errors, which needs macros of C. A module beside CLinux: what includes <sys/socket.h> hides Glibc's own names of it
 * from whoever imports both, in programs that are linked statically. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
/* It needs the types of the one above. */
#include <linux/errqueue.h>

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

/* IP_RECVERR and IPV6_RECVERR: a datagram socket also hears that a host cannot be reached, and keeps its errors in a queue. */
static inline int cockpit_keep_errors(int socket, int family) {
  int yes = 1;
  return family == AF_INET6 ? setsockopt(socket, IPPROTO_IPV6, IPV6_RECVERR, &yes, sizeof yes)
                            : setsockopt(socket, IPPROTO_IP, IP_RECVERR, &yes, sizeof yes);
}

/* Takes the oldest error out of that queue: its errno, 0 if it has none, -1 if the queue is empty. (The fields are reached by macros.) */
static inline int cockpit_take_error(int socket) {
  char fields[512];
  struct msghdr message = {.msg_control = fields, .msg_controllen = sizeof fields};
  if (recvmsg(socket, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return -1;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    struct sock_extended_err error;
    int isError = (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_RECVERR) ||
                  (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_RECVERR);
    if (!isError || part->cmsg_len < CMSG_LEN(sizeof error)) continue;
    memcpy(&error, CMSG_DATA(part), sizeof error);
    return (int)error.ee_errno;
  }
  return 0;
}
