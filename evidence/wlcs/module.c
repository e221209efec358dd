/* What wlcs loads: it passes each of wlcs's calls on to a `stage --wlcs` process, which is started for each test. wlcs's headers
 * are under the GPL-3, so this file is built for tests only; the stage itself is only spoken to through a socket. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <wayland-client-core.h>
#include <wlcs/display_server.h>
#include <wlcs/pointer.h>
#include <wlcs/touch.h>

enum { MOST_CLIENTS = 64 };

struct server {
  WlcsDisplayServer base;
  int control;
  pid_t process;
  int clients[MOST_CLIENTS], client_count, finger_count;
};

struct pointer {
  WlcsPointer base;
  struct server *server;
};

struct touch {
  WlcsTouch base;
  struct server *server;
  int finger;
};

/* Sends a command and waits until it is carried out; returns the descriptor that came with the answer, or -1. */
static int ask(struct server *server, const char *command) {
  if (send(server->control, command, strlen(command), MSG_NOSIGNAL) < 0) return -1;
  char answer;
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } extra;
  struct iovec part = {&answer, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &extra, .msg_controllen = sizeof extra};
  if (recvmsg(server->control, &message, MSG_CMSG_CLOEXEC) != 1) return -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

#define ASK(server, ...) (snprintf(command, sizeof command, __VA_ARGS__), ask(server, command))

static void pointer_to(WlcsPointer *base, wl_fixed_t x, wl_fixed_t y) {
  char command[100];
  ASK(((struct pointer *)base)->server, "motion %f %f", wl_fixed_to_double(x), wl_fixed_to_double(y));
}

static void pointer_by(WlcsPointer *base, wl_fixed_t x, wl_fixed_t y) {
  char command[100];
  ASK(((struct pointer *)base)->server, "relative %f %f", wl_fixed_to_double(x), wl_fixed_to_double(y));
}

static void pointer_up(WlcsPointer *base, int button) {
  char command[100];
  ASK(((struct pointer *)base)->server, "release %d", button);
}

static void pointer_down(WlcsPointer *base, int button) {
  char command[100];
  ASK(((struct pointer *)base)->server, "press %d", button);
}

static void pointer_destroy(WlcsPointer *base) { free(base); }

/* wlcs passes touches as whole numbers, although the type is that of fixed-point ones. */
static void touch_down(WlcsTouch *base, wl_fixed_t x, wl_fixed_t y) {
  char command[100];
  struct touch *touch = (struct touch *)base;
  ASK(touch->server, "down %d %d %d", touch->finger, x, y);
}

static void touch_move(WlcsTouch *base, wl_fixed_t x, wl_fixed_t y) {
  char command[100];
  struct touch *touch = (struct touch *)base;
  ASK(touch->server, "drag %d %d %d", touch->finger, x, y);
}

static void touch_up(WlcsTouch *base) {
  char command[100];
  struct touch *touch = (struct touch *)base;
  ASK(touch->server, "up %d", touch->finger);
}

static void touch_destroy(WlcsTouch *base) { free(base); }

static WlcsPointer *create_pointer(WlcsDisplayServer *base) {
  struct pointer *pointer = calloc(1, sizeof *pointer);
  pointer->base = (WlcsPointer){WLCS_POINTER_VERSION, pointer_to, pointer_by, pointer_up, pointer_down, pointer_destroy};
  pointer->server = (struct server *)base;
  return &pointer->base;
}

static WlcsTouch *create_touch(WlcsDisplayServer *base) {
  struct touch *touch = calloc(1, sizeof *touch);
  touch->base = (WlcsTouch){WLCS_TOUCH_VERSION, touch_down, touch_move, touch_up, touch_destroy};
  touch->server = (struct server *)base;
  touch->finger = touch->server->finger_count++;
  return &touch->base;
}

static int create_client_socket(WlcsDisplayServer *base) {
  struct server *server = (struct server *)base;
  int descriptor = ask(server, "connect");
  if (descriptor >= 0 && server->client_count < MOST_CLIENTS) server->clients[server->client_count++] = descriptor;
  return descriptor;
}

static void position_window(WlcsDisplayServer *base, struct wl_display *client, struct wl_surface *surface, int x, int y) {
  struct server *server = (struct server *)base;
  char command[100];
  /* A number may be used again after its client has left: the newest counts. */
  for (int index = server->client_count - 1; index >= 0; index--) {
    if (server->clients[index] != wl_display_get_fd(client)) continue;
    ASK(server, "place %d %u %d %d", index, wl_proxy_get_id((struct wl_proxy *)surface), x, y);
    return;
  }
}

static WlcsIntegrationDescriptor const *get_descriptor(WlcsDisplayServer const *base) {
  static WlcsExtensionDescriptor const extensions[] = {
      {"wl_compositor", 6},
      {"wl_subcompositor", 1},
      {"wl_shm", 1},
      {"wl_seat", 10},
      {"wl_output", 4},
      {"wl_data_device_manager", 3},
      {"xdg_wm_base", 6},
      {"zwlr_layer_shell_v1", 4},
      {"zwlr_foreign_toplevel_manager_v1", 2},
      {"zxdg_output_manager_v1", 3},
      {"zwp_primary_selection_device_manager_v1", 1},
      {"zwp_pointer_constraints_v1", 1},
      {"zwp_relative_pointer_manager_v1", 1},
      {"zwlr_virtual_pointer_manager_v1", 1},
      {"zwp_text_input_manager_v3", 1},
      {"zwp_input_method_manager_v2", 1},
  };
  static WlcsIntegrationDescriptor const descriptor = {1, sizeof extensions / sizeof *extensions, extensions};
  (void)base;
  return &descriptor;
}

static void start(WlcsDisplayServer *base) { (void)base; }

/* Waits for the process, and says so if it did not end as it was told. */
static void stop(WlcsDisplayServer *base) {
  struct server *server = (struct server *)base;
  if (server->process <= 0) return;
  ask(server, "stop");
  int status = 0;
  waitpid(server->process, &status, 0);
  server->process = 0;
  if (status != 0) printf("[ CRASHED  ] the stage ended with status %d\n", status);
}

static WlcsDisplayServer *create_server(int argc, char const **argv) {
  /* The last argument is the program. */
  char const *program = argc > 1 ? argv[argc - 1] : "stage";
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) abort();
  struct server *server = calloc(1, sizeof *server);
  server->base = (WlcsDisplayServer){
      3, start, stop, create_client_socket, position_window, create_pointer, create_touch, get_descriptor, NULL};
  server->control = ends[0];
  server->process = fork();
  if (server->process == 0) {
    char number[20];
    snprintf(number, sizeof number, "%d", dup(ends[1]));
    execl(program, program, "--wlcs", number, NULL);
    _exit(127);
  }
  close(ends[1]);
  return &server->base;
}

static void destroy_server(WlcsDisplayServer *base) {
  struct server *server = (struct server *)base;
  stop(base);
  close(server->control);
  free(server);
}

WlcsServerIntegration const wlcs_server_integration = {1, create_server, destroy_server};
