#include "PangoLoader.h"

#include <dlfcn.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Pango brings 12 libraries along. A program that shows no more than plain Latin lines does without them: so no program is
   linked with Pango (scripts/pkgconfig), and its functions, here under their own names, are looked up when first called. */

static void *library(void) {
  static _Atomic(void *) loaded;
  void *handle = atomic_load(&loaded);
  if (!handle) {
    /* Two threads at once get the same handle. */
    handle = dlopen("libpangocairo-1.0.so.0", RTLD_LAZY | RTLD_LOCAL);
    atomic_store(&loaded, handle);
  }
  return handle;
}

int cockpit_load_pango(void) { return library() != NULL; }

static void *find(const char *name) {
  void *handle = library();
  void *function = handle ? dlsym(handle, name) : NULL;
  if (!function) abort();
  return function;
}

/* The name is in parentheses because newer versions of GLib have macros of the same name: 2.90 has g_free. */
#define FORWARD(result, name, parameters, arguments)                    \
  __attribute__((visibility("hidden"))) result(name) parameters {       \
    static result(*function) parameters;                                \
    if (!function) function = (result(*) parameters)find(#name);        \
    return function arguments;                                          \
  }

FORWARD(PangoAttribute *, pango_attr_font_features_new, (const char *features), (features))
FORWARD(PangoAttribute *, pango_attr_insert_hyphens_new, (gboolean insert_hyphens), (insert_hyphens))
FORWARD(PangoAttrList *, pango_attr_list_copy, (PangoAttrList *list), (list))
FORWARD(void, pango_attr_list_insert, (PangoAttrList *list, PangoAttribute *attr), (list, attr))
FORWARD(PangoAttrList *, pango_attr_list_new, (void), ())
FORWARD(void, pango_attr_list_unref, (PangoAttrList *list), (list))
FORWARD(
    void, pango_cairo_context_set_font_options,
    (PangoContext *context, const cairo_font_options_t *options), (context, options))
FORWARD(void, pango_cairo_context_set_resolution, (PangoContext *context, double dpi), (context, dpi))
FORWARD(PangoFontMap *, pango_cairo_font_map_new, (void), ())
FORWARD(void, pango_cairo_layout_line_path, (cairo_t *cr, PangoLayoutLine *line), (cr, line))
FORWARD(void, pango_cairo_layout_path, (cairo_t *cr, PangoLayout *layout), (cr, layout))
FORWARD(void, pango_cairo_show_layout, (cairo_t *cr, PangoLayout *layout), (cr, layout))
FORWARD(void, pango_cairo_show_layout_line, (cairo_t *cr, PangoLayoutLine *line), (cr, line))
FORWARD(void, pango_context_set_base_dir, (PangoContext *context, PangoDirection direction), (context, direction))
FORWARD(
    void, pango_context_set_round_glyph_positions,
    (PangoContext *context, gboolean round_positions), (context, round_positions))
FORWARD(FcPattern *, pango_fc_font_get_pattern, (PangoFcFont *font), (font))
FORWARD(void, pango_fc_font_map_set_config, (PangoFcFontMap *fcfontmap, FcConfig *fcconfig), (fcfontmap, fcconfig))
FORWARD(void, pango_font_description_free, (PangoFontDescription *desc), (desc))
FORWARD(PangoFontDescription *, pango_font_description_new, (void), ())
FORWARD(void, pango_font_description_set_absolute_size, (PangoFontDescription *desc, double size), (desc, size))
FORWARD(void, pango_font_description_set_family, (PangoFontDescription *desc, const char *family), (desc, family))
FORWARD(void, pango_font_description_set_style, (PangoFontDescription *desc, PangoStyle style), (desc, style))
FORWARD(void, pango_font_description_set_weight, (PangoFontDescription *desc, PangoWeight weight), (desc, weight))
FORWARD(PangoContext *, pango_font_map_create_context, (PangoFontMap *fontmap), (fontmap))
FORWARD(
    void, pango_get_log_attrs,
    (const char *text, int length, int level, PangoLanguage *language, PangoLogAttr *attrs, int attrs_len), (text, length, level, language, attrs, attrs_len))
FORWARD(PangoLanguage *, pango_language_get_default, (void), ())
FORWARD(PangoAttrList *, pango_layout_get_attributes, (PangoLayout *layout), (layout))
FORWARD(int, pango_layout_get_baseline, (PangoLayout *layout), (layout))
FORWARD(
    void, pango_layout_get_cursor_pos,
    (PangoLayout *layout, int index_, PangoRectangle *strong_pos, PangoRectangle *weak_pos), (layout, index_, strong_pos, weak_pos))
FORWARD(
    void, pango_layout_get_extents,
    (PangoLayout *layout, PangoRectangle *ink_rect, PangoRectangle *logical_rect), (layout, ink_rect, logical_rect))
FORWARD(PangoLayoutIter *, pango_layout_get_iter, (PangoLayout *layout), (layout))
FORWARD(int, pango_layout_get_line_count, (PangoLayout *layout), (layout))
FORWARD(PangoLayoutLine *, pango_layout_get_line_readonly, (PangoLayout *layout, int line), (layout, line))
FORWARD(const char *, pango_layout_get_text, (PangoLayout *layout), (layout))
FORWARD(int, pango_layout_get_unknown_glyphs_count, (PangoLayout *layout), (layout))
FORWARD(gboolean, pango_layout_is_ellipsized, (PangoLayout *layout), (layout))
FORWARD(void, pango_layout_iter_free, (PangoLayoutIter *iter), (iter))
FORWARD(PangoLayoutRun *, pango_layout_iter_get_run_readonly, (PangoLayoutIter *iter), (iter))
FORWARD(gboolean, pango_layout_iter_next_run, (PangoLayoutIter *iter), (iter))
FORWARD(
    void, pango_layout_line_get_extents,
    (PangoLayoutLine *line, PangoRectangle *ink_rect, PangoRectangle *logical_rect), (line, ink_rect, logical_rect))
FORWARD(PangoDirection, pango_layout_line_get_resolved_direction, (PangoLayoutLine *line), (line))
FORWARD(
    void, pango_layout_line_get_x_ranges,
    (PangoLayoutLine *line, int start_index, int end_index, int **ranges, int *n_ranges), (line, start_index, end_index, ranges, n_ranges))
FORWARD(
    void, pango_layout_move_cursor_visually,
    (PangoLayout *layout, gboolean strong, int old_index, int old_trailing, int direction, int *new_index, int *new_trailing), (layout, strong, old_index, old_trailing, direction, new_index, new_trailing))
FORWARD(PangoLayout *, pango_layout_new, (PangoContext *context), (context))
FORWARD(void, pango_layout_set_attributes, (PangoLayout *layout, PangoAttrList *attrs), (layout, attrs))
FORWARD(void, pango_layout_set_ellipsize, (PangoLayout *layout, PangoEllipsizeMode ellipsize), (layout, ellipsize))
FORWARD(
    void, pango_layout_set_font_description,
    (PangoLayout *layout, const PangoFontDescription *desc), (layout, desc))
FORWARD(void, pango_layout_set_text, (PangoLayout *layout, const char *text, int length), (layout, text, length))
FORWARD(void, pango_layout_set_width, (PangoLayout *layout, int width), (layout, width))
FORWARD(void, pango_layout_set_wrap, (PangoLayout *layout, PangoWrapMode wrap), (layout, wrap))
FORWARD(
    gboolean, pango_layout_xy_to_index,
    (PangoLayout *layout, int x, int y, int *index_, int *trailing), (layout, x, y, index_, trailing))
FORWARD(void, g_object_unref, (gpointer object), (object))
FORWARD(void, g_free, (gpointer memory), (memory))
