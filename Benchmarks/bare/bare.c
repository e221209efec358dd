/* The yardstick: a steering wheel by hand on wl_shm, xdg-shell and wl_touch, and nothing else.
   It knows no toolkit and no scale; it paints only what moves. Built with WITH_TEXT it also shows as many words as the
   cockpit does, set by Pango, and never changes them. */

#define _GNU_SOURCE
#include <cairo.h>
#include <math.h>
#ifdef WITH_TEXT
#include <pango/pangocairo.h>
#endif
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>

#include "xdg-shell-client-protocol.h"

#define SPOKES 3
#define PIECES 10

struct buffer {
  struct wl_buffer *handle;
  cairo_surface_t *surface;
  cairo_region_t *stale; /* what changed on screen since this buffer was painted */
  bool busy;
};

static struct wl_compositor *compositor;
static struct wl_shm *shm;
static struct xdg_wm_base *base;
static struct wl_seat *seat;
static struct wl_touch *touch;
static struct wl_surface *surface;
static struct wl_callback *pending;
static struct buffer buffers[2];
static cairo_surface_t *still;          /* all that never moves */
static cairo_region_t *shown;           /* where the moving parts are on screen */
static int width = 1280, height = 720;
static double centre_x, centre_y, radius; /* the wheel */
static double angle, grabbed;
static int32_t finger = -1;
static bool dirty, running = true, configured;

static void paint(void);

/* MARK: the picture */

static void place_wheel(void) {
  if (radius > 0) return;
  radius = 210.0 * fmin(width / 1280.0, height / 720.0);
  centre_x = width - radius * 1.4;
  centre_y = height / 2.0;
}

#ifdef WITH_TEXT
/* Centres `text` at a place, its letters `size` pixels high. */
static void draw_text(cairo_t *cr, const char *text, double size, double x, double y) {
  PangoLayout *layout = pango_cairo_create_layout(cr);
  PangoFontDescription *font = pango_font_description_new();
  pango_font_description_set_family(font, "Inter, DejaVu Sans, sans-serif");
  pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
  pango_layout_set_font_description(layout, font);
  pango_font_description_free(font);
  pango_layout_set_text(layout, text, -1);
  int text_width, text_height;
  pango_layout_get_pixel_size(layout, &text_width, &text_height);
  cairo_move_to(cr, x - text_width / 2.0, y - text_height / 2.0);
  pango_cairo_show_layout(cr, layout);
  g_object_unref(layout);
}

/* A lever's gears, a dial's numbers, the speed with its unit, and a lamp's word. */
static void draw_texts(cairo_t *cr) {
  static const char *const gears[] = {"10", "9", "8", "7", "6", "5", "4", "3", "2", "1", "N", "R"};
  double dial_x = width * 0.39, dial_y = height * 0.48, dial = height * 0.23;
  cairo_set_source_rgb(cr, 0.8, 0.83, 0.87);
  for (int i = 0; i < 12; i++) draw_text(cr, gears[i], height * 0.033, width * 0.05, height * (0.09 + 0.075 * i));
  for (int i = 0; i < 10; i++) {
    double turn = (135 + 30 * i) * M_PI / 180;
    char number[8];
    snprintf(number, sizeof number, "%d", i * 20);
    draw_text(cr, number, height * 0.027, dial_x + dial * cos(turn), dial_y + dial * sin(turn));
  }
  draw_text(cr, "0", height * 0.16, dial_x, dial_y);
  draw_text(cr, "km/h", height * 0.033, dial_x, dial_y + height * 0.1);
  draw_text(cr, "N", height * 0.07, dial_x, dial_y + height * 0.19);
  draw_text(cr, "READY", height * 0.03, dial_x, height * 0.06);
}
#endif

static void draw_still(void) {
  still = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create(still);
  cairo_pattern_t *sky = cairo_pattern_create_linear(0, 0, 0, height);
  cairo_pattern_add_color_stop_rgb(sky, 0, 0.04, 0.055, 0.08);
  cairo_pattern_add_color_stop_rgb(sky, 1, 0.105, 0.133, 0.172);
  cairo_set_source(cr, sky);
  cairo_paint(cr);
  cairo_pattern_destroy(sky);
  cairo_set_line_width(cr, radius * 0.135);
  cairo_set_source_rgb(cr, 0.11, 0.125, 0.15);
  cairo_arc(cr, centre_x, centre_y, radius * 0.9325, 0, 2 * M_PI);
  cairo_stroke(cr);
  cairo_set_source_rgb(cr, 0.16, 0.18, 0.21);
  cairo_arc(cr, centre_x, centre_y, radius * 0.27, 0, 2 * M_PI);
  cairo_fill(cr);
#ifdef WITH_TEXT
  draw_texts(cr);
#endif
  cairo_destroy(cr);
}

/* Half a spoke's width at a distance from the centre, as parts of the radius. */
static double half_width(double along) { return 0.1 + (0.066 - 0.1) * (along - 0.27) / (0.865 - 0.27); }

static double direction(int spoke) { return angle + spoke * M_PI / 2; }

static void add_box(cairo_region_t *region, double x0, double y0, double x1, double y1) {
  cairo_rectangle_int_t box = {(int)floor(x0) - 1, (int)floor(y0) - 1, 0, 0};
  box.width = (int)ceil(x1) + 1 - box.x;
  box.height = (int)ceil(y1) + 1 - box.y;
  cairo_region_union_rectangle(region, &box);
}

/* The pixels of the moving parts as thin boxes. */
static cairo_region_t *moving_parts(void) {
  cairo_region_t *region = cairo_region_create();
  for (int spoke = 0; spoke < SPOKES; spoke++) {
    double c = cos(direction(spoke)), s = sin(direction(spoke));
    for (int piece = 0; piece < PIECES; piece++) {
      double ends[2] = {0.27 + 0.595 * piece / PIECES, 0.27 + 0.595 * (piece + 1) / PIECES};
      double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
      for (int corner = 0; corner < 4; corner++) {
        double along = ends[corner / 2] * radius, across = half_width(ends[corner / 2]) * radius * (corner % 2 ? 1 : -1);
        double x = centre_x + along * c - across * s, y = centre_y + along * s + across * c;
        x0 = fmin(x0, x), x1 = fmax(x1, x), y0 = fmin(y0, y), y1 = fmax(y1, y);
      }
      add_box(region, x0, y0, x1, y1);
    }
  }
  double mark_x = centre_x + sin(angle) * radius * 0.9325, mark_y = centre_y - cos(angle) * radius * 0.9325;
  double mark = radius * 0.04;
  add_box(region, mark_x - mark, mark_y - mark, mark_x + mark, mark_y + mark);
  return region;
}

static void draw_moving(cairo_t *cr) {
  cairo_set_source_rgb(cr, 0.16, 0.18, 0.21);
  for (int spoke = 0; spoke < SPOKES; spoke++) {
    double c = cos(direction(spoke)), s = sin(direction(spoke));
    double near = 0.27 * radius, far = 0.865 * radius;
    double a = half_width(0.27) * radius, b = half_width(0.865) * radius;
    cairo_move_to(cr, centre_x + near * c + a * s, centre_y + near * s - a * c);
    cairo_line_to(cr, centre_x + far * c + b * s, centre_y + far * s - b * c);
    cairo_line_to(cr, centre_x + far * c - b * s, centre_y + far * s + b * c);
    cairo_line_to(cr, centre_x + near * c - a * s, centre_y + near * s + a * c);
    cairo_close_path(cr);
  }
  cairo_fill(cr);
  cairo_set_source_rgb(cr, 0.96, 0.62, 0.04);
  cairo_arc(
      cr, centre_x + sin(angle) * radius * 0.9325, centre_y - cos(angle) * radius * 0.9325, radius * 0.035, 0,
      2 * M_PI);
  cairo_fill(cr);
}

/* MARK: frames */

static void buffer_released(void *data, struct wl_buffer *handle) {
  (void)handle;
  ((struct buffer *)data)->busy = false;
  if (dirty && !pending) paint();
}

static const struct wl_buffer_listener buffer_listener = {buffer_released};

static bool make_buffers(void) {
  int stride = width * 4, size = stride * height;
  cairo_rectangle_int_t all = {0, 0, width, height};
  for (int i = 0; i < 2; i++) {
    int file = memfd_create("bare", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, size) < 0) return false;
    unsigned char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) return false;
    struct wl_shm_pool *pool = wl_shm_create_pool(shm, file, size);
    buffers[i].handle = wl_shm_pool_create_buffer(pool, 0, width, height, stride, WL_SHM_FORMAT_XRGB8888);
    wl_buffer_add_listener(buffers[i].handle, &buffer_listener, &buffers[i]);
    wl_shm_pool_destroy(pool);
    close(file);
    buffers[i].surface =
        cairo_image_surface_create_for_data(memory, CAIRO_FORMAT_RGB24, width, height, stride);
    buffers[i].stale = cairo_region_create_rectangle(&all);
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
  struct buffer *free_buffer = !buffers[0].busy ? &buffers[0] : !buffers[1].busy ? &buffers[1] : NULL;
  if (!free_buffer) return;
  dirty = false;
  cairo_rectangle_int_t all = {0, 0, width, height};
  cairo_region_t *now = moving_parts();
  cairo_region_t *damage = shown ? cairo_region_copy(now) : cairo_region_create_rectangle(&all);
  if (shown) cairo_region_union(damage, shown);
  cairo_region_intersect_rectangle(damage, &all);

  /* The other buffer lacks what changes now; this one what changed since it was last painted. */
  for (int i = 0; i < 2; i++) cairo_region_union(buffers[i].stale, damage);
  cairo_t *cr = cairo_create(free_buffer->surface);
  cairo_set_antialias(cr, CAIRO_ANTIALIAS_NONE);
  int count = cairo_region_num_rectangles(free_buffer->stale);
  for (int i = 0; i < count; i++) {
    cairo_rectangle_int_t box;
    cairo_region_get_rectangle(free_buffer->stale, i, &box);
    cairo_rectangle(cr, box.x, box.y, box.width, box.height);
  }
  cairo_clip(cr);
  cairo_set_antialias(cr, CAIRO_ANTIALIAS_DEFAULT);
  cairo_set_operator(cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface(cr, still, 0, 0);
  cairo_paint(cr);
  cairo_set_operator(cr, CAIRO_OPERATOR_OVER);
  draw_moving(cr);
  cairo_destroy(cr);
  cairo_surface_flush(free_buffer->surface);
  cairo_region_destroy(free_buffer->stale);
  free_buffer->stale = cairo_region_create();

  wl_surface_attach(surface, free_buffer->handle, 0, 0);
  count = cairo_region_num_rectangles(damage);
  for (int i = 0; i < count; i++) {
    cairo_rectangle_int_t box;
    cairo_region_get_rectangle(damage, i, &box);
    wl_surface_damage_buffer(surface, box.x, box.y, box.width, box.height);
  }
  pending = wl_surface_frame(surface);
  wl_callback_add_listener(pending, &frame_listener, NULL);
  wl_surface_commit(surface);
  free_buffer->busy = true;
  cairo_region_destroy(damage);
  if (shown) cairo_region_destroy(shown);
  shown = now;
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
  draw_still();
  if (!make_buffers()) exit(1);
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
