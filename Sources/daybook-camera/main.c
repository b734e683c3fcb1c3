// SPDX-License-Identifier: Apache-2.0
// Pulls one camera. Standard input has lines `key value` and an empty one: kind (mjpeg, rtsp), address, user, password, ca,
// width, height, rate, kilobits (settings.c has their ranges). Its end means to stop, within two seconds.
// Standard output is WebM: VP9, a cluster of unknown length for each second, which begins with its only key frame.
// Standard error has lines for the gateway:
//     online WxH CODEC     the camera's own size, with the first picture
//     clock MICROSECONDS   when the first picture was taken in, since 1970; it is at 0 in the WebM
//     frozen, moving       all pictures have been equal for 5 seconds; they are not any more
//     undecodable N        so many pictures since the last such line could not be decoded
//     fault WORD TEXT      the last line: address, password, path, type, silent, ended, settings or internal
// The process ends with 0 if it was asked to stop, 2 for wrong settings, and 1 for any other fault.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <glib-unix.h>
#include <libgen.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "camera.h"

static int status_descriptor = STDERR_FILENO;
static GMainLoop *loop;
static GstElement *pipeline;
static atomic_int outcome = -1;
static gint64 began;

// MARK: What the gateway is told

static void write_line(bool is_last, const char *format, va_list values) {
    static GMutex lock;
    static bool is_over;
    char line[256];
    int length = vsnprintf(line, sizeof line - 1, format, values);
    if (length < 0 || length >= (int)sizeof line - 1) return;
    line[length] = '\n';
    g_mutex_lock(&lock);
    while (!is_over && write(status_descriptor, line, (size_t)length + 1) < 0 && errno == EINTR) {}
    is_over = is_over || is_last;
    g_mutex_unlock(&lock);
}

void status(const char *format, ...) {
    va_list values;
    va_start(values, format);
    write_line(false, format, values);
    va_end(values);
}

static void last_status(const char *format, ...) G_GNUC_PRINTF(1, 2);
static void last_status(const char *format, ...) {
    va_list values;
    va_start(values, format);
    write_line(true, format, values);
    va_end(values);
}

static void ends(int signal) {
    (void)signal;
    _exit(atomic_load(&outcome));
}

static void crashes(int signal) {
    static const char line[] = "fault internal the program crashed\n";
    (void)signal;
    if (atomic_load(&outcome) >= 0) _exit(atomic_load(&outcome));
    (void)!write(status_descriptor, line, sizeof line - 1);
    _exit(exit_fault);
}

/// Settles how the process ends; false if that was settled before. It ends in time, whatever a library waits for.
static bool finish(int code) {
    int none = -1;
    if (!atomic_compare_exchange_strong(&outcome, &none, code)) return false;
    struct itimerval limit = {.it_value = {stop_milliseconds_max / 1000, stop_milliseconds_max % 1000 * 1000}};
    signal(SIGALRM, ends);
    setitimer(ITIMER_REAL, &limit, NULL);
    return true;
}

static gboolean end_pictures(gpointer data) {
    (void)data;
    if (pictures_newest() == 0)
        g_main_loop_quit(loop);
    else
        pictures_end();
    return G_SOURCE_REMOVE;
}

void fault(const char *word, const char *text) {
    if (!finish(strcmp(word, "settings") == 0 ? exit_settings : exit_fault)) return;
    last_status("fault %s %s", word, text);
    g_idle_add(end_pictures, NULL);
}

// MARK: What the main loop waits for

static gboolean is_told(gint descriptor, GIOCondition condition, gpointer data) {
    (void)condition, (void)data;
    char rest[512];
    ssize_t count = read(descriptor, rest, sizeof rest);
    if (count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN))) return G_SOURCE_CONTINUE;
    if (finish(exit_stopped)) g_idle_add(end_pictures, NULL);
    return G_SOURCE_REMOVE;
}

static gboolean is_watched(gpointer data) {
    static int ticks;
    (void)data;
    if (++ticks % 4 == 0) {
        int count = source_undecodable();
        if (count > 0) status("undecodable %d", count);
    }
    gint64 newest = pictures_newest();
    if (g_get_monotonic_time() - (newest != 0 ? newest : began) > silence_seconds_max * G_USEC_PER_SEC) {
        const char *text;
        const char *word = source_silence(&text);
        fault(word, text);
    }
    return G_SOURCE_CONTINUE;
}

static gboolean is_posted(GstBus *bus, GstMessage *message, gpointer data) {
    (void)bus, (void)data;
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS) {
        fault("ended", "the camera closed the stream");
        g_main_loop_quit(loop);
    } else if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
        const char *text = "standard output cannot be written";
        const char *word = pictures_is_writer(GST_MESSAGE_SRC(message)) ? "internal" : source_fault(message, &text);
        fault(word, text);
    }
    return G_SOURCE_CONTINUE;
}

// MARK: The start

static void say_nothing(const char *domain, GLogLevelFlags level, const char *text, gpointer data) {
    (void)domain, (void)level, (void)text, (void)data;
}

static GLogWriterOutput write_nothing(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data) {
    (void)level, (void)fields, (void)count, (void)data;
    return G_LOG_WRITER_HANDLED;
}

/// Loads what the camera's kind needs from beside GStreamer itself. There is no registry: nothing is scanned, kept or written.
static bool load_plugins(bool is_rtsp) {
    static const char *const all[] = {"coreelements", "videoconvertscale", "vpx", "matroska", "jpeg", NULL};
    static const char *const mjpeg[] = {"soup", "multipart", NULL};
    static const char *const rtsp[] = {"rtsp", "rtp", "rtpmanager", "udp", "libav", NULL};
    const char *const *const lists[] = {all, is_rtsp ? rtsp : mjpeg};
    Dl_info library;
    if (dladdr((void *)gst_init, &library) == 0) return false;
    char *path = strdup(library.dli_fname);
    const char *folder = dirname(path);
    bool are_loaded = true;
    for (size_t list = 0; list < G_N_ELEMENTS(lists); list++)
        for (const char *const *name = lists[list]; *name != NULL; name++) {
            char *file = g_strdup_printf("%s/gstreamer-1.0/libgst%s.so", folder, *name);
            GstPlugin *plugin = gst_plugin_load_file(file, NULL);
            g_free(file);
            are_loaded = are_loaded && plugin != NULL;
        }
    free(path);
    return are_loaded;
}

static bool start_gstreamer(void) {
    setenv("GST_REGISTRY_DISABLE", "yes", 1);
    setenv("GST_PLUGIN_SYSTEM_PATH_1_0", "", 1);
    setenv("HOME", "/nonexistent", 1);
    // No settings, proxies or buses of a desktop.
    setenv("GSETTINGS_BACKEND", "memory", 1);
    setenv("GIO_USE_VFS", "local", 1);
    setenv("GIO_USE_PROXY_RESOLVER", "dummy", 1);
    setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1);
    g_log_set_default_handler(say_nothing, NULL);
    g_log_set_writer_func(write_nothing, NULL, NULL);
    gst_registry_fork_set_enabled(FALSE);
    return gst_init_check(NULL, NULL, NULL);
}

static int run(const struct settings *settings, int output) {
    if (!load_plugins(settings->is_rtsp)) {
        status("fault internal a plugin of GStreamer is not installed");
        return exit_fault;
    }
    pipeline = gst_pipeline_new(NULL);
    loop = g_main_loop_new(NULL, FALSE);
    GstPad *sink = pictures_make(settings, pipeline, output) ? pictures_sink() : NULL;
    if (sink == NULL || !source_make(settings, pipeline, sink)) {
        status("fault internal an element of GStreamer is missing");
        return exit_fault;
    }
    confine_files(settings->ca);
    if (atomic_load(&outcome) >= 0) return atomic_load(&outcome);
    GstBus *bus = gst_element_get_bus(pipeline);
    gst_bus_add_watch(bus, is_posted, NULL);
    g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP | G_IO_ERR, is_told, NULL);
    g_timeout_add(250, is_watched, NULL);
    began = g_get_monotonic_time();
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    g_main_loop_run(loop);
    // Says goodbye to the camera, which may let in few.
    gst_element_set_state(pipeline, GST_STATE_NULL);
    return atomic_load(&outcome);
}

int main(void) {
    static struct settings settings;
    int output;
    if (!confine_early(&output, &status_descriptor)) {
        status("fault internal the limits of the process could not be set");
        return exit_fault;
    }
    static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    for (size_t index = 0; index < G_N_ELEMENTS(crash_signals); index++) signal(crash_signals[index], crashes);
    if (!start_gstreamer()) {
        status("fault internal GStreamer does not start");
        return exit_fault;
    }
    const char *wrong = settings_read(&settings);
    if (wrong != NULL) {
        status("fault settings %s", wrong);
        return exit_settings;
    }
    // Not by return: what libraries do at a process's end is not wanted.
    _exit(run(&settings, output));
}
