// The panel in GTK 4: a dial and two scales, whose values a label shows.
#include <gtk/gtk.h>
#include <math.h>

// A dial is a widget that appends its parts to the snapshot, so that GTK paints only those again that have moved.
#define DIAL_TYPE (dial_get_type())
G_DECLARE_FINAL_TYPE(Dial, dial, PANEL, DIAL, GtkWidget)

struct _Dial {
  GtkWidget parent;
  double value; // 0 to 100
};

G_DEFINE_TYPE(Dial, dial, GTK_TYPE_WIDGET)

static guint value_changed;
static const double sweep = 280; // degrees

static void append_circle(GtkSnapshot *snapshot, double x, double y, double radius, const char *name) {
  GskRoundedRect circle;
  GdkRGBA color;
  gsk_rounded_rect_init_from_rect(
      &circle, &GRAPHENE_RECT_INIT(x - radius, y - radius, 2 * radius, 2 * radius), radius);
  gdk_rgba_parse(&color, name);
  gtk_snapshot_push_rounded_clip(snapshot, &circle);
  gtk_snapshot_append_color(snapshot, &color, &circle.bounds);
  gtk_snapshot_pop(snapshot);
}

static void dial_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
  double middle = gtk_widget_get_width(widget) / 2.0;
  double turned = (PANEL_DIAL(widget)->value / 100 - 0.5) * sweep * G_PI / 180;
  append_circle(snapshot, middle, middle, 260, "#3a424d");
  append_circle(snapshot, middle, middle, 248, "#20262d");
  append_circle(snapshot, middle + 200 * sin(turned), middle - 200 * cos(turned), 28, "#4da3ff");
}

static void follow(Dial *dial, double x, double y) {
  double middle = gtk_widget_get_width(GTK_WIDGET(dial)) / 2.0;
  double degrees = atan2(x - middle, middle - y) * 180 / G_PI;
  dial->value = CLAMP((degrees / sweep + 0.5) * 100, 0, 100);
  gtk_accessible_update_property(GTK_ACCESSIBLE(dial), GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, dial->value, -1);
  gtk_widget_queue_draw(GTK_WIDGET(dial));
  g_signal_emit(dial, value_changed, 0);
}

static void drag_begin(GtkGestureDrag *drag, double x, double y, Dial *dial) {
  gtk_gesture_set_state(GTK_GESTURE(drag), GTK_EVENT_SEQUENCE_CLAIMED);
  follow(dial, x, y);
}

static void drag_update(GtkGestureDrag *drag, double dx, double dy, Dial *dial) {
  double x, y;
  gtk_gesture_drag_get_start_point(drag, &x, &y);
  follow(dial, x + dx, y + dy);
}

static void dial_init(Dial *dial) {
  GtkGesture *drag = gtk_gesture_drag_new();
  dial->value = 50;
  gtk_accessible_update_property(
      GTK_ACCESSIBLE(dial), GTK_ACCESSIBLE_PROPERTY_LABEL, "Dial", GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
      GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, 100.0, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, dial->value, -1);
  g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_begin), dial);
  g_signal_connect(drag, "drag-update", G_CALLBACK(drag_update), dial);
  gtk_widget_add_controller(GTK_WIDGET(dial), GTK_EVENT_CONTROLLER(drag));
}

static void dial_class_init(DialClass *class) {
  GTK_WIDGET_CLASS(class)->snapshot = dial_snapshot;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_SLIDER);
  value_changed = g_signal_new(
      "value-changed", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static Dial *dial;
static GtkWidget *scales[2], *label;

static void show_values(void) {
  char *text = g_strdup_printf(
      "%.0f · %.0f · %.0f", dial->value, gtk_range_get_value(GTK_RANGE(scales[0])),
      gtk_range_get_value(GTK_RANGE(scales[1])));
  gtk_label_set_text(GTK_LABEL(label), text);
  g_free(text);
}

static const char style[] =
    "window { background: #14181d; }"
    "label { color: #e8eaed; font: 40px Inter; }"
    "scale { padding: 0; }"
    "scale trough { background: #3a424d; border: none; border-radius: 4px; min-height: 8px; }"
    "scale highlight { background: #4da3ff; border: none; margin: 0; border-radius: 4px; min-height: 8px; }"
    "scale slider { background: #e8eaed; border: none; box-shadow: none; border-radius: 24px; min-width: 48px;"
    "  min-height: 48px; margin: -20px 0; }";

static void activate(GtkApplication *application) {
  GtkWidget *window = gtk_application_window_new(application), *fixed = gtk_fixed_new();
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider, style, -1);
  gtk_style_context_add_provider_for_display(
      gtk_widget_get_display(window), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_window_set_title(GTK_WINDOW(window), "Panel");
  gtk_window_set_default_size(GTK_WINDOW(window), 1280, 720);
  gtk_window_set_child(GTK_WINDOW(window), fixed);

  dial = g_object_new(DIAL_TYPE, NULL);
  gtk_widget_set_size_request(GTK_WIDGET(dial), 520, 520);
  gtk_fixed_put(GTK_FIXED(fixed), GTK_WIDGET(dial), 120, 100);
  g_signal_connect(dial, "value-changed", G_CALLBACK(show_values), NULL);
  label = gtk_label_new("");
  gtk_widget_set_size_request(label, 480, 60);
  gtk_fixed_put(GTK_FIXED(fixed), label, 720, 130);
  for (int i = 0; i < 2; i++) {
    scales[i] = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 100, 1);
    gtk_accessible_update_property(
        GTK_ACCESSIBLE(scales[i]), GTK_ACCESSIBLE_PROPERTY_LABEL, i == 0 ? "First slider" : "Second slider", -1);
    gtk_range_set_round_digits(GTK_RANGE(scales[i]), -1);
    gtk_range_set_value(GTK_RANGE(scales[i]), 50);
    gtk_widget_set_size_request(scales[i], 480, 64);
    gtk_fixed_put(GTK_FIXED(fixed), scales[i], 720, 288 + 160 * i);
    g_signal_connect(scales[i], "value-changed", G_CALLBACK(show_values), NULL);
  }
  show_values();
  gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
  GtkApplication *application = gtk_application_new("org.example.Panel", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(application), argc, argv);
}
