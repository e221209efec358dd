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
