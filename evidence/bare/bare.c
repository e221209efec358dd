/* The yardstick: a steering wheel by hand on wl_shm, xdg-shell and wl_touch (window.c), and nothing else.
   It knows no toolkit and no scale; it paints only what moves. Built with WITH_TEXT it also shows as many words as the
   cockpit does, set by Pango, and never changes them. */

#include <cairo.h>
#include <math.h>
#ifdef WITH_TEXT
#include <pango/pangocairo.h>
#endif
#include <stdio.h>

#include "window.h"

#define SPOKES 3
#define PIECES 10

static struct {
  cairo_surface_t *surface;
  cairo_region_t *stale; /* what changed on screen since this buffer was painted */
} pictures[2];
static cairo_surface_t *still; /* all that never moves */
static cairo_region_t *shown;  /* where the moving parts are on screen */

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

bool take_option(const char *option, const char *value) {
  (void)option, (void)value;
  return false;
}

void prepare(void) {
  cairo_rectangle_int_t all = {0, 0, width, height};
  draw_still();
  for (int i = 0; i < 2; i++) {
    pictures[i].surface =
        cairo_image_surface_create_for_data(buffers[i].memory, CAIRO_FORMAT_RGB24, width, height, width * 4);
    pictures[i].stale = cairo_region_create_rectangle(&all);
  }
}

void draw(int index) {
  cairo_rectangle_int_t all = {0, 0, width, height};
  cairo_region_t *now = moving_parts();
  cairo_region_t *damage = shown ? cairo_region_copy(now) : cairo_region_create_rectangle(&all);
  if (shown) cairo_region_union(damage, shown);
  cairo_region_intersect_rectangle(damage, &all);

  /* The other buffer lacks what changes now; this one what changed since it was last painted. */
  for (int i = 0; i < 2; i++) cairo_region_union(pictures[i].stale, damage);
  cairo_t *cr = cairo_create(pictures[index].surface);
  cairo_set_antialias(cr, CAIRO_ANTIALIAS_NONE);
  int count = cairo_region_num_rectangles(pictures[index].stale);
  for (int i = 0; i < count; i++) {
    cairo_rectangle_int_t box;
    cairo_region_get_rectangle(pictures[index].stale, i, &box);
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
  cairo_surface_flush(pictures[index].surface);
  cairo_region_destroy(pictures[index].stale);
  pictures[index].stale = cairo_region_create();

  count = cairo_region_num_rectangles(damage);
  for (int i = 0; i < count; i++) {
    cairo_rectangle_int_t box;
    cairo_region_get_rectangle(damage, i, &box);
    wl_surface_damage_buffer(surface, box.x, box.y, box.width, box.height);
  }
  cairo_region_destroy(damage);
  if (shown) cairo_region_destroy(shown);
  shown = now;
}
