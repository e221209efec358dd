/* What the bare clients share: a fullscreen window with two buffers, and a finger that turns a wheel. */

#define _GNU_SOURCE
#include "window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "xdg-shell-client-protocol.h"

struct wl_surface *surface;
struct buffer buffers[2];
int width = 1280, height = 720;
double centre_x, centre_y, radius, angle;

static struct wl_compositor *compositor;
static struct wl_shm *shm;
static struct xdg_wm_base *base;
static struct wl_seat *seat;
static struct wl_touch *touch;
static struct wl_callback *pending;
static double grabbed;
static int32_t finger = -1;
static bool dirty, running = true, configured;

static void paint(void);

/* MARK: frames */

static void place_wheel(void) {
  if (radius > 0) return;
  radius = 210.0 * fmin(width / 1280.0, height / 720.0);
  centre_x = width - radius * 1.4;
  centre_y = height / 2.0;
}

static void buffer_released(void *data, struct wl_buffer *handle) {
  (void)handle;
  ((struct buffer *)data)->busy = false;
  if (dirty && !pending) paint();
}

static const struct wl_buffer_listener buffer_listener = {buffer_released};

static bool make_buffers(void) {
  int stride = width * 4, size = stride * height;
  for (int i = 0; i < 2; i++) {
    int file = memfd_create("bare", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, size) < 0) return false;
    buffers[i].memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (buffers[i].memory == MAP_FAILED) return false;
    struct wl_shm_pool *pool = wl_shm_create_pool(shm, file, size);
    buffers[i].handle = wl_shm_pool_create_buffer(pool, 0, width, height, stride, WL_SHM_FORMAT_XRGB8888);
    wl_buffer_add_listener(buffers[i].handle, &buffer_listener, &buffers[i]);
    wl_shm_pool_destroy(pool);
    close(file);
  }
  return true;
}

static void frame_done(void *data, struct wl_callback *callback, uint32_t time) {
  (void)data, (void)time;
  wl_callback_destroy(callback);
  pending = NULL;
  if (dirty) paint();
}

static const struct wl_callback_listener frame_listener = {frame_done};

static void paint(void) {
  int index = !buffers[0].busy ? 0 : 1;
  if (buffers[index].busy) return;
  dirty = false;
  wl_surface_attach(surface, buffers[index].handle, 0, 0);
  draw(index);
  pending = wl_surface_frame(surface);
  wl_callback_add_listener(pending, &frame_listener, NULL);
  wl_surface_commit(surface);
  buffers[index].busy = true;
}

/* MARK: touch */

static double angle_at(double x, double y) { return atan2(y - centre_y, x - centre_x); }

static void touch_down(
    void *data, struct wl_touch *source, uint32_t serial, uint32_t time, struct wl_surface *on, int32_t id,
    wl_fixed_t x, wl_fixed_t y) {
  (void)data, (void)source, (void)serial, (void)time, (void)on;
  double dx = wl_fixed_to_double(x) - centre_x, dy = wl_fixed_to_double(y) - centre_y;
  if (finger >= 0 || hypot(dx, dy) > radius) return;
  finger = id;
  grabbed = angle_at(wl_fixed_to_double(x), wl_fixed_to_double(y)) - angle;
}

static void touch_up(void *data, struct wl_touch *source, uint32_t serial, uint32_t time, int32_t id) {
  (void)data, (void)source, (void)serial, (void)time;
  if (id == finger) finger = -1;
}

static void touch_motion(
    void *data, struct wl_touch *source, uint32_t time, int32_t id, wl_fixed_t x, wl_fixed_t y) {
  (void)data, (void)source, (void)time;
  if (id != finger) return;
  angle = angle_at(wl_fixed_to_double(x), wl_fixed_to_double(y)) - grabbed;
  dirty = true;
}

static void touch_frame(void *data, struct wl_touch *source) {
  (void)data, (void)source;
  if (dirty && !pending && configured) paint();
}

static void touch_cancel(void *data, struct wl_touch *source) {
  (void)data, (void)source;
  finger = -1;
}

static const struct wl_touch_listener touch_listener = {
    .down = touch_down, .up = touch_up, .motion = touch_motion, .frame = touch_frame, .cancel = touch_cancel};

static void seat_capabilities(void *data, struct wl_seat *source, uint32_t capabilities) {
  (void)data;
  if (!(capabilities & WL_SEAT_CAPABILITY_TOUCH) || touch) return;
  touch = wl_seat_get_touch(source);
  wl_touch_add_listener(touch, &touch_listener, NULL);
}

static void seat_name(void *data, struct wl_seat *source, const char *name) { (void)data, (void)source, (void)name; }

static const struct wl_seat_listener seat_listener = {seat_capabilities, seat_name};

/* MARK: the window */

static void ping(void *data, struct xdg_wm_base *source, uint32_t serial) {
  (void)data;
  xdg_wm_base_pong(source, serial);
}

static const struct xdg_wm_base_listener base_listener = {ping};

static void toplevel_configure(
    void *data, struct xdg_toplevel *source, int32_t w, int32_t h, struct wl_array *states) {
  (void)data, (void)source, (void)states;
  if (configured || w <= 0 || h <= 0) return;
  width = w, height = h;
}

static void toplevel_close(void *data, struct xdg_toplevel *source) {
  (void)data, (void)source;
  running = false;
}

static const struct xdg_toplevel_listener toplevel_listener = {
    .configure = toplevel_configure, .close = toplevel_close};

static void surface_configure(void *data, struct xdg_surface *source, uint32_t serial) {
  (void)data;
  xdg_surface_ack_configure(source, serial);
  if (configured) {
    wl_surface_commit(surface);
    return;
  }
  configured = true;
  place_wheel();
  if (!make_buffers()) exit(1);
  prepare();
  paint();
}

static const struct xdg_surface_listener surface_listener = {surface_configure};

static void found(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
  (void)data;
  if (!strcmp(interface, "wl_compositor") && version >= 4)
    compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 4);
  if (!strcmp(interface, "wl_shm")) shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
  if (!strcmp(interface, "xdg_wm_base")) base = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
  if (!strcmp(interface, "wl_seat") && !seat && version >= 5) {
    seat = wl_registry_bind(registry, name, &wl_seat_interface, 5);
    wl_seat_add_listener(seat, &seat_listener, NULL);
  }
}

static void lost(void *data, struct wl_registry *registry, uint32_t name) { (void)data, (void)registry, (void)name; }

static const struct wl_registry_listener registry_listener = {found, lost};

int main(int count, char **words) {
  bool dump = false;
  for (int i = 1; i < count; i++) {
    if (!strcmp(words[i], "--dump-tree")) dump = true;
    if (!strcmp(words[i], "--size") && i + 1 < count && sscanf(words[++i], "%dx%d", &width, &height) != 2) return 64;
    if (!strcmp(words[i], "--wheel") && i + 1 < count &&
        sscanf(words[++i], "%lf,%lf,%lf", &centre_x, &centre_y, &radius) != 3)
      return 64;
    if (i + 1 < count && take_option(words[i], words[i + 1])) i++;
  }
  if (dump) {
    place_wheel();
    printf(
        "{\"type\": \"SteeringWheel\", \"frame\": {\"x\": %g, \"y\": %g, \"width\": %g, \"height\": %g}}\n",
        centre_x - radius, centre_y - radius, 2 * radius, 2 * radius);
    return 0;
  }
  struct wl_display *display = wl_display_connect(NULL);
  if (!display) return 1;
  wl_registry_add_listener(wl_display_get_registry(display), &registry_listener, NULL);
  if (wl_display_roundtrip(display) < 0 || !compositor || !shm || !base) return 1;
  xdg_wm_base_add_listener(base, &base_listener, NULL);
  surface = wl_compositor_create_surface(compositor);
  struct xdg_surface *role = xdg_wm_base_get_xdg_surface(base, surface);
  xdg_surface_add_listener(role, &surface_listener, NULL);
  struct xdg_toplevel *toplevel = xdg_surface_get_toplevel(role);
  xdg_toplevel_add_listener(toplevel, &toplevel_listener, NULL);
  xdg_toplevel_set_title(toplevel, "bare");
  wl_surface_commit(surface);
  while (running && wl_display_dispatch(display) >= 0) {
  }
  wl_display_disconnect(display);
  return 0;
}
