// SPDX-License-Identifier: Apache-2.0
// From the network to decoded pictures.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>

#include "camera.h"

/// What is decoded: its name in RTP, what takes it out of RTP, what decodes it, and the gateway's word.
struct codec {
    const char *encoding, *depayloader, *decoder, *word;
    // How many pictures may come between one and its decoded form: of H.264 at most 16 are put in order.
    guint ahead_max;
};

static const struct codec codecs[] = {
    {"H264", "rtph264depay", "avdec_h264", "h264", 32},
    {"H265", "rtph265depay", "avdec_h265", "h265", 32},
    {"JPEG", "rtpjpegdepay", "jpegdec", "jpeg", 1},
    {"VP8", "rtpvp8depay", "vp8dec", "vp8", 1},
};

static const struct settings *wanted;
static GstElement *bin, *decoder;
static GstPad *next;
static const struct codec *codec;
static bool has_stream;
static atomic_bool is_connected;
static atomic_int undecodable, undecodable_since_picture;
static atomic_size_t bytes_since_picture;
static struct pace pace;

// The times of the pictures that the decoder has; each as long as it is not decoded. Used by the source's thread alone.
static GstClockTime undecoded[32];
static guint undecoded_count;

// MARK: The pictures' way through the decoder

static void is_given(GstClockTime time) {
    GstClockTime *place = &undecoded[undecoded_count++ % codec->ahead_max];
    if (GST_CLOCK_TIME_IS_VALID(*place)) {
        atomic_fetch_add(&undecodable, 1);
        atomic_fetch_add(&undecodable_since_picture, 1);
    }
    *place = time;
}

static void is_decoded(GstClockTime time) {
    // Where times run backwards, a decoder tells a later one.
    GstClockTime *newest = NULL;
    for (GstClockTime *one = undecoded; one < undecoded + codec->ahead_max; one++)
        if (GST_CLOCK_TIME_IS_VALID(*one) && *one <= time && (newest == NULL || *one > *newest)) newest = one;
    if (newest != NULL) *newest = GST_CLOCK_TIME_NONE;
    atomic_store(&undecodable_since_picture, 0);
}

static bool is_jpeg(void) { return strcmp(codec->word, "jpeg") == 0; }

/// A part of a stream of JPEG is one picture, whatever a camera calls it.
static GstEvent *whole_pictures(GstEvent *event) {
    gst_event_unref(event);
    GstCaps *caps = gst_caps_new_simple("image/jpeg", "parsed", G_TYPE_BOOLEAN, TRUE, NULL);
    GstEvent *changed = gst_event_new_caps(caps);
    gst_caps_unref(caps);
    return changed;
}

static GstPadProbeReturn before_decoder(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad, (void)data;
    if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
        GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
        if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS && !wanted->is_rtsp) info->data = whole_pictures(event);
        return GST_PAD_PROBE_OK;
    }
    atomic_store(&bytes_since_picture, 0);
    GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    GstClockTime now = pictures_running_time();
    if (!GST_BUFFER_PTS_IS_VALID(buffer)) {
        // The second picture of one read.
        buffer = gst_buffer_make_writable(buffer);
        GST_BUFFER_PTS(buffer) = now;
        info->data = buffer;
    }
    GstClockTime time = GST_BUFFER_PTS(buffer);
    if (time + backlog_seconds_max * GST_SECOND < now)
        fault("internal", "this machine is too slow for the camera");
    // Each JPEG stands alone, so those that are not wanted need not be decoded.
    if (is_jpeg() && !pace_takes(&pace, time)) return GST_PAD_PROBE_DROP;
    is_given(time);
    return GST_PAD_PROBE_OK;
}

static void tell_size(GstPad *pad) {
    static bool is_told;
    GstCaps *caps = is_told ? NULL : gst_pad_get_current_caps(pad);
    if (caps == NULL) return;
    int width = 0, height = 0;
    gst_structure_get_int(gst_caps_get_structure(caps, 0), "width", &width);
    gst_structure_get_int(gst_caps_get_structure(caps, 0), "height", &height);
    gst_caps_unref(caps);
    is_told = true;
    status("online %dx%d %s", width, height, codec->word);
}

static bool is_too_large(GstEvent *event) {
    GstCaps *caps;
    int width = 0, height = 0;
    gst_event_parse_caps(event, &caps);
    GstStructure *structure = gst_caps_get_structure(caps, 0);
    gst_structure_get_int(structure, "width", &width);
    gst_structure_get_int(structure, "height", &height);
    return width > source_side_max || height > source_side_max;
}

/// Ends the process by a fault; until the main thread has done so, this thread of the source goes no further.
static void fault_and_stay(const char *word, const char *text) {
    fault(word, text);
    for (;;) g_usleep(G_USEC_PER_SEC);
}

static GstPadProbeReturn after_decoder(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)data;
    if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
        GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
        if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS && is_too_large(event))
            fault_and_stay("type", "the camera's pictures are larger than 4096 by 4096");
        return GST_PAD_PROBE_OK;
    }
    GstClockTime time = GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info));
    is_decoded(time);
    tell_size(pad);
    return is_jpeg() || pace_takes(&pace, time) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

static void probe(GstElement *element, const char *name, GstPadProbeCallback callback) {
    GstPad *pad = gst_element_get_static_pad(element, name);
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, callback, NULL, NULL);
    gst_object_unref(pad);
}

/// Adds a decoder to the running pipeline; its own pad that takes encoded pictures, or NULL.
static GstPad *add_decoder(const struct codec *chosen) {
    codec = chosen;
    memset(undecoded, 0xff, sizeof undecoded);
    decoder = gst_element_factory_make(codec->decoder, NULL);
    if (decoder == NULL) return NULL;
    // A picture that cannot be decoded is counted; it is no reason to end.
    g_object_set(decoder, "max-errors", -1, NULL);
    if (g_str_has_prefix(codec->decoder, "avdec"))
        // Threads would hold back pictures. Before the first key frame there is nothing worth showing.
        g_object_set(decoder, "max-threads", 1, "output-corrupt", FALSE, NULL);
    gst_bin_add(GST_BIN(bin), decoder);
    probe(decoder, "sink", before_decoder);
    probe(decoder, "src", after_decoder);
    GstPad *source = gst_element_get_static_pad(decoder, "src");
    gboolean is_linked = gst_pad_link(source, next) == GST_PAD_LINK_OK;
    gst_object_unref(source);
    return is_linked && gst_element_sync_state_with_parent(decoder) ? gst_element_get_static_pad(decoder, "sink") : NULL;
}

static void link_or_end(GstPad *pad, GstPad *sink) {
    if (sink == NULL || gst_pad_link_full(pad, sink, GST_PAD_LINK_CHECK_NOTHING) != GST_PAD_LINK_OK)
        fault("internal", "a decoder is not installed or does not fit");
    if (sink != NULL) gst_object_unref(sink);
}

// MARK: MJPEG

static void part_appears(GstElement *demultiplexer, GstPad *pad, gpointer data) {
    (void)demultiplexer, (void)data;
    GstCaps *caps = gst_pad_get_current_caps(pad);
    if (caps == NULL) caps = gst_pad_query_caps(pad, NULL);
    const char *name = gst_caps_is_empty(caps) || gst_caps_is_any(caps) ? "" : gst_structure_get_name(gst_caps_get_structure(caps, 0));
    bool is_picture = strcmp(name, "image/jpeg") == 0 || strcmp(name, "image/jpg") == 0;
    gst_caps_unref(caps);
    if (!is_picture || codec != NULL) {
        fault("type", "the stream's parts are not JPEG pictures");
        return;
    }
    link_or_end(pad, add_decoder(&codecs[2]));
}

static GstPadProbeReturn counts_bytes(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad, (void)data;
    if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
        // The answer's head.
        if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_CUSTOM_DOWNSTREAM_STICKY) atomic_store(&is_connected, true);
        return GST_PAD_PROBE_OK;
    }
    size_t size = gst_buffer_get_size(GST_PAD_PROBE_INFO_BUFFER(info));
    if (atomic_fetch_add(&bytes_since_picture, size) + size > picture_bytes_max)
        fault("type", "the stream has 16 MiB without a picture");
    return GST_PAD_PROBE_OK;
}

static bool make_mjpeg(GTlsDatabase *authorities) {
    GstElement *source = gst_element_factory_make("souphttpsrc", NULL);
    GstElement *demultiplexer = gst_element_factory_make("multipartdemux", NULL);
    if (source == NULL || demultiplexer == NULL) return false;
    g_object_set(source, "location", wanted->address, "user-id", wanted->user, "user-pw", wanted->password,
                 "automatic-redirect", FALSE, "is-live", TRUE, "do-timestamp", TRUE, "retries", 0,
                 "keep-alive", FALSE, "compress", FALSE, "blocksize", 65536, "user-agent", "daybook-camera", NULL);
    if (authorities != NULL) g_object_set(source, "tls-database", authorities, NULL);
    g_signal_connect(demultiplexer, "pad-added", G_CALLBACK(part_appears), NULL);
    gst_bin_add_many(GST_BIN(bin), source, demultiplexer, NULL);
    probe(demultiplexer, "sink", counts_bytes);
    return gst_element_link(source, demultiplexer);
}

// MARK: RTSP

static const struct codec *codec_of(GstCaps *caps) {
    const char *encoding = gst_structure_get_string(gst_caps_get_structure(caps, 0), "encoding-name");
    for (size_t index = 0; encoding != NULL && index < G_N_ELEMENTS(codecs); index++)
        if (g_ascii_strcasecmp(encoding, codecs[index].encoding) == 0) return &codecs[index];
    return NULL;
}

static gboolean is_selected(GstElement *source, guint number, GstCaps *caps, gpointer data) {
    (void)source, (void)number, (void)data;
    const char *media = gst_structure_get_string(gst_caps_get_structure(caps, 0), "media");
    if (has_stream || g_strcmp0(media, "video") != 0) return FALSE;
    has_stream = true;
    if (codec_of(caps) == NULL) fault("type", "the camera's video is of a kind that is not known");
    return TRUE;
}

static void stream_appears(GstElement *source, GstPad *pad, gpointer data) {
    (void)source, (void)data;
    GstCaps *caps = gst_pad_get_current_caps(pad);
    if (caps == NULL) caps = gst_pad_query_caps(pad, NULL);
    const struct codec *chosen = gst_caps_is_empty(caps) || gst_caps_is_any(caps) ? NULL : codec_of(caps);
    gst_caps_unref(caps);
    if (chosen == NULL || codec != NULL) return;
    GstElement *depayloader = gst_element_factory_make(chosen->depayloader, NULL);
    GstPad *decoder_sink = add_decoder(chosen);
    if (depayloader == NULL || decoder_sink == NULL) {
        fault("internal", "a decoder is not installed or does not fit");
        return;
    }
    gst_bin_add(GST_BIN(bin), depayloader);
    GstPad *out = gst_element_get_static_pad(depayloader, "src");
    link_or_end(out, decoder_sink);
    gst_object_unref(out);
    gst_element_sync_state_with_parent(depayloader);
    link_or_end(pad, gst_element_get_static_pad(depayloader, "sink"));
}

/// Whether a URL leads to where the settings do. The path may differ.
static bool is_same_server(const char *url) {
    GstUri *uri = url == NULL ? NULL : gst_uri_from_string(url);
    bool is_same = uri != NULL && g_strcmp0(gst_uri_get_scheme(uri), gst_uri_get_scheme(wanted->uri)) == 0
        && g_strcmp0(gst_uri_get_host(uri), gst_uri_get_host(wanted->uri)) == 0
        && gst_uri_get_port(uri) == gst_uri_get_port(wanted->uri);
    if (uri != NULL) gst_uri_unref(uri);
    return is_same;
}

/// Called in the source's own thread: it tells each address before it connects, also those that a server redirects it to.
static GstBusSyncReply before_connecting(GstBus *bus, GstMessage *message, gpointer data) {
    (void)bus, (void)data;
    if (GST_MESSAGE_TYPE(message) != GST_MESSAGE_PROGRESS) return GST_BUS_PASS;
    GstProgressType type;
    char *code, *text;
    gst_message_parse_progress(message, &type, &code, &text);
    if (strcmp(code, "connect") == 0 && type == GST_PROGRESS_TYPE_CONTINUE) {
        if (!is_same_server(strstr(text, "rtsp"))) fault_and_stay("path", "the camera leads to another server");
    } else if (strcmp(code, "open") == 0 && type == GST_PROGRESS_TYPE_CONTINUE) {
        atomic_store(&is_connected, true);
    }
    g_free(code);
    g_free(text);
    return GST_BUS_PASS;
}

static bool make_rtsp(GTlsDatabase *authorities) {
    GstElement *source = gst_element_factory_make("rtspsrc", NULL);
    if (source == NULL) return false;
    gst_util_set_object_arg(G_OBJECT(source), "protocols", "tcp");
    g_object_set(source, "location", wanted->address, "user-id", wanted->user, "user-pw", wanted->password,
                 "latency", 200, "tcp-timeout", (guint64)silence_seconds_max * 2 * G_USEC_PER_SEC,
                 "user-agent", "daybook-camera", NULL);
    if (authorities != NULL) g_object_set(source, "tls-database", authorities, NULL);
    g_signal_connect(source, "select-stream", G_CALLBACK(is_selected), NULL);
    g_signal_connect(source, "pad-added", G_CALLBACK(stream_appears), NULL);
    gst_bin_add(GST_BIN(bin), source);
    GstBus *bus = gst_element_get_bus(bin);
    gst_bus_set_sync_handler(bus, before_connecting, NULL, NULL);
    gst_object_unref(bus);
    return true;
}

bool source_make(const struct settings *settings, GstElement *pipeline, GstPad *sink) {
    wanted = settings;
    bin = pipeline;
    next = sink;
    pace = (struct pace){.period = GST_SECOND / (guint)settings->rate};
    GTlsDatabase *authorities = NULL;
    if (settings->ca != NULL) {
        authorities = g_tls_file_database_new(settings->ca, NULL);
        if (authorities == NULL) {
            fault("settings", "the file of certificates cannot be read");
            return true;
        }
    }
    return settings->is_rtsp ? make_rtsp(authorities) : make_mjpeg(authorities);
}

// MARK: What went wrong

static guint answered_code(GstMessage *message) {
    const GstStructure *details = NULL;
    guint code = 0;
    gst_message_parse_error_details(message, &details);
    if (details == NULL) return 0;
    if (!gst_structure_get_uint(details, "http-status-code", &code))
        gst_structure_get_uint(details, "rtsp-status-code", &code);
    return code;
}

const char *source_fault(GstMessage *message, const char **text) {
    guint code = answered_code(message);
    GError *error = NULL;
    gst_message_parse_error(message, &error, NULL);
    GQuark domain = error->domain;
    int number = error->code;
    g_error_free(error);
    if (code == 401 || code == 403 || code == 407
        || g_error_matches(&(GError){domain, number, NULL}, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_AUTHORIZED)) {
        *text = "the camera does not accept user and password";
        return "password";
    }
    if (code >= 300 && code < 400) {
        *text = "the camera leads to another address";
        return "path";
    }
    if (code >= 400) {
        *text = "the camera has no stream at this path";
        return "path";
    }
    // What a source of bytes tells, whatever was the matter with its connection.
    bool is_vague = domain == GST_STREAM_ERROR && number == GST_STREAM_ERROR_FAILED;
    if ((domain == GST_STREAM_ERROR && !is_vague) || (domain == GST_RESOURCE_ERROR && number == GST_RESOURCE_ERROR_SETTINGS)
        || (domain == GST_CORE_ERROR && number == GST_CORE_ERROR_NEGOTIATION)) {
        *text = "this is no video of a camera";
        return "type";
    }
    if (domain != GST_RESOURCE_ERROR && !is_vague) {
        *text = "a library failed";
        return "internal";
    }
    if (pictures_newest() != 0) {
        *text = "the connection broke";
        return "ended";
    }
    if (!atomic_load(&is_connected)) {
        *text = "no connection to this host and port, or its certificate is not trusted";
        return "address";
    }
    *text = "what answers is no camera";
    return "type";
}

static bool has_connection(void) {
    for (int descriptor = 3; descriptor < 64; descriptor++) {
        struct sockaddr_storage peer;
        socklen_t length = sizeof peer;
        if (getpeername(descriptor, (struct sockaddr *)&peer, &length) == 0
            && (peer.ss_family == AF_INET || peer.ss_family == AF_INET6)) return true;
    }
    return false;
}

const char *source_silence(const char **text) {
    if (atomic_load(&undecodable_since_picture) > 0) {
        *text = "no picture of the last seconds could be decoded";
        return "type";
    }
    if (!atomic_load(&is_connected) && !has_connection()) {
        *text = "no connection to this host and port";
        return "address";
    }
    *text = "no picture came for 8 seconds";
    return "silent";
}

int source_undecodable(void) { return atomic_exchange(&undecodable, 0); }
