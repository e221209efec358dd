#pragma once
/* What GStreamer and GLib offer as macros or with variable arguments, which Swift does not import. No logic. */
#include <gio/gio.h>
#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <stdint.h>
#include <unistd.h>

static inline GstElement *cockpit_gst_named(GstElement *pipeline, const char *name) {
  return gst_bin_get_by_name(GST_BIN(pipeline), name);
}

static inline void cockpit_gst_set_text(GstElement *element, const char *property, const char *value) {
  g_object_set(element, property, value, NULL);
}

/* Hands a bound socket over: the element closes it. False if it can't be. */
static inline int cockpit_gst_set_socket(GstElement *element, int descriptor) {
  GSocket *socket = g_socket_new_from_fd(descriptor, NULL);
  if (!socket) return 0;
  g_object_set(element, "socket", socket, NULL);
  g_object_unref(socket);
  return 1;
}

static inline void cockpit_gst_set_caps(GstElement *filter, const char *text) {
  GstCaps *caps = gst_caps_from_string(text);
  if (!caps) return;
  g_object_set(filter, "caps", caps, NULL);
  gst_caps_unref(caps);
}

static GstFlowReturn cockpit_gst_sample_came(GstAppSink *sink, gpointer event) {
  (void)sink;
  uint64_t one = 1;
  return write(GPOINTER_TO_INT(event), &one, sizeof one) == sizeof one ? GST_FLOW_OK : GST_FLOW_OK;
}

/* Adds to the eventfd whenever the sink gets a sample. */
static inline void cockpit_gst_watch(GstElement *sink, int event) {
  GstAppSinkCallbacks calls = {.new_sample = cockpit_gst_sample_came};
  gst_app_sink_set_callbacks(GST_APP_SINK(sink), &calls, GINT_TO_POINTER(event), NULL);
}

/* The sample that the sink has, if any; it is the caller's. */
static inline GstSample *cockpit_gst_take(GstElement *sink) {
  return gst_app_sink_try_pull_sample(GST_APP_SINK(sink), 0);
}

static inline int cockpit_gst_bus_file(GstBus *bus) {
  GPollFD entry = {.fd = -1};
  gst_bus_get_pollfd(bus, &entry);
  return entry.fd;
}

static inline GstMessageType cockpit_gst_message_type(GstMessage *message) { return GST_MESSAGE_TYPE(message); }
static inline void cockpit_gst_message_free(GstMessage *message) { gst_message_unref(message); }
static inline void cockpit_gst_sample_free(GstSample *sample) { gst_sample_unref(sample); }
static inline uint64_t cockpit_gst_base_time(GstElement *pipeline) { return gst_element_get_base_time(pipeline); }
static inline GstBuffer *cockpit_gst_probed_buffer(GstPadProbeInfo *info) { return GST_PAD_PROBE_INFO_BUFFER(info); }
static inline uint64_t cockpit_gst_time(GstBuffer *buffer) { return GST_BUFFER_PTS(buffer); }

/* The time that the sender's clock gave a picture, in nanoseconds since 1900; UINT64_MAX if it is not known. */
static inline uint64_t cockpit_gst_sender_time(GstBuffer *buffer) {
  static GstStaticCaps ntp = GST_STATIC_CAPS("timestamp/x-ntp");
  GstCaps *caps = gst_static_caps_get(&ntp);
  GstReferenceTimestampMeta *meta = gst_buffer_get_reference_timestamp_meta(buffer, caps);
  gst_caps_unref(caps);
  return meta ? meta->timestamp : UINT64_MAX;
}
