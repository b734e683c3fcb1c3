// SPDX-License-Identifier: Apache-2.0
// From decoded pictures to WebM.
#include <stdatomic.h>
#include <string.h>

#include "camera.h"

static GstElement *bin, *scaler, *queue, *encoder, *writer;
static GstCaps *written_caps;
static int width, height;
static GstClockTime period;
static atomic_bool is_ending;
static _Atomic gint64 newest;

// Used by the source's thread alone.
static GstSegment segment;
static GstClockTime first = GST_CLOCK_TIME_NONE, last, still_since;
static GstBuffer *before;
static bool is_frozen;

bool pace_takes(struct pace *pace, GstClockTime time) {
    // A quarter early is in time: pictures that come evenly do not arrive so.
    if (time + pace->period / 4 < pace->due) return false;
    GstClockTime start = time > pace->due + pace->period ? time : pace->due;
    pace->due = start + pace->period;
    return true;
}

// MARK: Each picture, before it is encoded

static bool is_same_plane(const guint8 *one, const guint8 *other, size_t columns, size_t rows, size_t stride) {
    for (size_t row = 0; row < rows; row++)
        if (memcmp(one + row * stride, other + row * stride, columns) != 0) return false;
    return true;
}

/// Whether two I420 pictures are equal; what lies between the rows does not count.
static bool is_same(GstBuffer *one, GstBuffer *other) {
    size_t columns = (size_t)width, rows = (size_t)height;
    size_t stride = GST_ROUND_UP_4(columns), chroma_stride = GST_ROUND_UP_4(columns / 2);
    size_t luma = stride * rows, chroma = chroma_stride * (rows / 2);
    GstMapInfo left, right;
    if (!gst_buffer_map(one, &left, GST_MAP_READ)) return false;
    bool same = false;
    if (gst_buffer_map(other, &right, GST_MAP_READ)) {
        same = left.size == right.size && left.size >= luma + 2 * chroma
            && is_same_plane(left.data, right.data, columns, rows, stride)
            && is_same_plane(left.data + luma, right.data + luma, columns / 2, rows / 2, chroma_stride)
            && is_same_plane(left.data + luma + chroma, right.data + luma + chroma, columns / 2, rows / 2, chroma_stride);
        gst_buffer_unmap(other, &right);
    }
    gst_buffer_unmap(one, &left);
    return same;
}

static void watch_stillness(GstBuffer *picture, GstClockTime time) {
    if (before == NULL || !is_same(before, picture)) {
        still_since = time;
        if (is_frozen) status("moving");
        is_frozen = false;
    } else if (!is_frozen && time - still_since >= frozen_seconds * GST_SECOND) {
        is_frozen = true;
        status("frozen");
    }
    gst_buffer_replace(&before, picture);
}

/// A picture may be said to be so far ahead of now, and no further.
#define AHEAD_MAX (10 * GST_SECOND)

/// Tells the wall clock's time of the first picture, which is 0 in the WebM.
static void tell_clock(void) {
    gint64 age = (gint64)pictures_running_time() - (gint64)first;
    status("clock %" G_GINT64_FORMAT, g_get_real_time() - age / 1000);
}

GstClockTime pictures_running_time(void) {
    GstClock *clock = gst_element_get_clock(bin);
    if (clock == NULL) return 0;
    GstClockTime time = gst_clock_get_time(clock), base = gst_element_get_base_time(bin);
    gst_object_unref(clock);
    return time > base ? time - base : 0;
}

static GstEvent *change_event(GstEvent *event) {
    GstEvent *changed = event;
    if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT) {
        gst_event_copy_segment(event, &segment);
        GstSegment plain;
        gst_segment_init(&plain, GST_FORMAT_TIME);
        changed = gst_event_new_segment(&plain);
    } else if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS) {
        // A change of the source's rate or size is none of the encoder's.
        changed = gst_event_new_caps(written_caps);
    }
    if (changed != event) gst_event_unref(event);
    return changed;
}

static GstPadProbeReturn before_queue(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad, (void)data;
    if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
        info->data = change_event(GST_PAD_PROBE_INFO_EVENT(info));
        return GST_PAD_PROBE_OK;
    }
    GstBuffer *picture = GST_PAD_PROBE_INFO_BUFFER(info);
    GstClockTime time = gst_segment_to_running_time(&segment, GST_FORMAT_TIME, GST_BUFFER_PTS(picture));
    if (!GST_CLOCK_TIME_IS_VALID(time) || atomic_load(&is_ending)) return GST_PAD_PROBE_DROP;
    // The camera names the times of its pictures, and none was taken after now.
    if (time > pictures_running_time() + AHEAD_MAX) return GST_PAD_PROBE_DROP;
    if (!GST_CLOCK_TIME_IS_VALID(first)) {
        first = time;
        tell_clock();
    } else if (time < first + last + GST_MSECOND) {
        return GST_PAD_PROBE_DROP;
    }
    // WebM counts in milliseconds, and a cluster's time is its first picture's.
    last = (time - first) / GST_MSECOND * GST_MSECOND;
    picture = gst_buffer_make_writable(picture);
    GST_BUFFER_PTS(picture) = last;
    GST_BUFFER_DTS(picture) = GST_CLOCK_TIME_NONE;
    GST_BUFFER_DURATION(picture) = period;
    watch_stillness(picture, last);
    atomic_store(&newest, g_get_monotonic_time());
    info->data = picture;
    return GST_PAD_PROBE_OK;
}

/// Asks for a key frame with the first picture of each second, and so for a cluster.
static GstPadProbeReturn before_encoder(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    static GstClockTime key_second = GST_CLOCK_TIME_NONE;
    (void)pad, (void)data;
    GstClockTime second = GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info)) / GST_SECOND;
    bool is_first = !GST_CLOCK_TIME_IS_VALID(key_second), is_asked = !is_first && second != key_second;
    key_second = second;
    // The first picture is a key frame by itself.
    if (!is_asked) return GST_PAD_PROBE_OK;
    GstStructure *request = gst_structure_new("GstForceKeyUnit", "running-time", G_TYPE_UINT64, GST_CLOCK_TIME_NONE,
                                              "all-headers", G_TYPE_BOOLEAN, FALSE, "count", G_TYPE_UINT, 0, NULL);
    GstPad *source = gst_element_get_static_pad(encoder, "src");
    gst_pad_send_event(source, gst_event_new_custom(GST_EVENT_CUSTOM_UPSTREAM, request));
    gst_object_unref(source);
    return GST_PAD_PROBE_OK;
}

// MARK: The pipeline

static void set_encoder(const struct settings *settings) {
    g_object_set(encoder, "deadline", (gint64)1, "cpu-used", 8, "lag-in-frames", 0, "threads", 1,
                 "target-bitrate", settings->kilobits * 1000, "keyframe-max-dist", 2 * settings->rate,
                 "buffer-initial-size", 500, "buffer-optimal-size", 600, "buffer-size", 1000, NULL);
    gst_util_set_object_arg(G_OBJECT(encoder), "end-usage", "cbr");
    gst_util_set_object_arg(G_OBJECT(encoder), "keyframe-mode", "disabled");
    gst_util_set_object_arg(G_OBJECT(encoder), "timebase", "1/1000");
}

bool pictures_make(const struct settings *settings, GstElement *pipeline, int output) {
    bin = pipeline;
    width = settings->width;
    height = settings->height;
    period = GST_SECOND / (guint)settings->rate;
    scaler = gst_element_factory_make("videoconvertscale", NULL);
    GstElement *shape = gst_element_factory_make("capsfilter", NULL);
    queue = gst_element_factory_make("queue", NULL);
    encoder = gst_element_factory_make("vp9enc", NULL);
    GstElement *muxer = gst_element_factory_make("webmmux", NULL);
    writer = gst_element_factory_make("fdsink", NULL);
    if (!scaler || !shape || !queue || !encoder || !muxer || !writer) return false;
    GstCaps *shape_caps = gst_caps_new_simple(
        "video/x-raw", "format", G_TYPE_STRING, "I420", "width", G_TYPE_INT, width, "height", G_TYPE_INT, height,
        "pixel-aspect-ratio", GST_TYPE_FRACTION, 1, 1, "colorimetry", G_TYPE_STRING, "bt601", NULL);
    written_caps = gst_caps_copy(shape_caps);
    gst_caps_set_simple(written_caps, "framerate", GST_TYPE_FRACTION, settings->rate, 1, NULL);
    g_object_set(shape, "caps", shape_caps, NULL);
    gst_caps_unref(shape_caps);
    g_object_set(scaler, "add-borders", TRUE, "n-threads", 1, NULL);
    // Where the reader is slow, the oldest pictures go, and memory does not grow.
    g_object_set(queue, "max-size-buffers", settings->rate, "max-size-bytes", waiting_bytes_max, "max-size-time", (guint64)0, NULL);
    gst_util_set_object_arg(G_OBJECT(queue), "leaky", "downstream");
    set_encoder(settings);
    g_object_set(muxer, "streamable", TRUE, "min-cluster-duration", (gint64)0, "writing-app", "daybook-camera", NULL);
    g_object_set(writer, "fd", output, "sync", FALSE, "async", FALSE, NULL);
    gst_bin_add_many(GST_BIN(bin), scaler, shape, queue, encoder, muxer, writer, NULL);
    GstPad *before_queueing = gst_element_get_static_pad(shape, "src"), *before_encoding = gst_element_get_static_pad(encoder, "sink");
    gst_pad_add_probe(before_queueing, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, before_queue, NULL, NULL);
    gst_pad_add_probe(before_encoding, GST_PAD_PROBE_TYPE_BUFFER, before_encoder, NULL, NULL);
    gst_object_unref(before_queueing);
    gst_object_unref(before_encoding);
    return gst_element_link_many(scaler, shape, queue, encoder, muxer, writer, NULL);
}

GstPad *pictures_sink(void) { return gst_element_get_static_pad(scaler, "sink"); }

bool pictures_is_writer(GstObject *element) { return element == GST_OBJECT(writer); }

void pictures_end(void) {
    atomic_store(&is_ending, true);
    GstPad *sink = gst_element_get_static_pad(queue, "sink");
    gst_pad_send_event(sink, gst_event_new_eos());
    gst_object_unref(sink);
}

gint64 pictures_newest(void) { return atomic_load(&newest); }
