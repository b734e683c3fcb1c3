// SPDX-License-Identifier: Apache-2.0
// Pulls one camera and writes it as live WebM: main.c runs it, settings.c reads what is wanted, confine.c gives up what is not
// needed, source.c connects and decodes, pictures.c scales, stamps, encodes and writes.
#ifndef DAYBOOK_CAMERA_H
#define DAYBOOK_CAMERA_H
#include <gio/gio.h>
#include <gst/gst.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    exit_stopped = 0,
    exit_fault = 1,
    exit_settings = 2,

    settings_bytes_max = 16384,
    source_side_max = 4096,
    // A picture that is longer than this never ends.
    picture_bytes_max = 16 << 20,
    silence_seconds_max = 8,
    frozen_seconds = 5,
    // How far decoding may fall behind what arrives.
    backlog_seconds_max = 10,
    // Pictures that wait for the encoder are at most this; the oldest is dropped.
    waiting_bytes_max = 32 << 20,
    stop_milliseconds_max = 1500,
};

struct settings {
    bool is_rtsp;
    char *address, *user, *password, *ca;
    int width, height, rate, kilobits;
    // Of the address.
    GstUri *uri;
};

// settings.c

/// Reads lines from standard input up to an empty one.
///
/// Returns NULL, or what is wrong with them, in words without their values.
const char *settings_read(struct settings *settings);

// confine.c

/// Sets limits and closes what was inherited. Returns the descriptor of standard output and that of standard error in
/// `output` and `status`: 1 and 2 lead nowhere from then on, so that no library writes between.
bool confine_early(int *output, int *status);
/// From here on no file can be written or executed, and only those of the system that libraries want can be read, and `ca`.
void confine_files(const char *ca);

// main.c

/// Writes a line for the gateway.
void status(const char *format, ...) G_GNUC_PRINTF(1, 2);
/// Ends the process by the main loop, as of the first call; `text` is constant.
void fault(const char *word, const char *text);

// source.c

/// Makes the elements from the network to decoded pictures, which go to `sink`. Returns false where a plugin is missing.
bool source_make(const struct settings *settings, GstElement *pipeline, GstPad *sink);
/// The word for an error that an element told, and a text for it.
const char *source_fault(GstMessage *message, const char **text);
/// Why no picture came for a while.
const char *source_silence(const char **text);
/// How many pictures could not be decoded since the last call.
int source_undecodable(void);

// pictures.c

/// Makes the elements from decoded pictures to WebM on a descriptor. Returns false where a plugin is missing.
bool pictures_make(const struct settings *settings, GstElement *pipeline, int output);
/// Where decoded pictures go.
GstPad *pictures_sink(void);
/// Whether the element of a message writes the WebM.
bool pictures_is_writer(GstObject *element);
/// Has what was encoded written, and the end after it.
void pictures_end(void);
/// The monotonic time, in microseconds, of the newest picture; 0 if there was none.
gint64 pictures_newest(void);

/// How long the pipeline has been playing, in nanoseconds; 0 before.
GstClockTime pictures_running_time(void);

/// Keeps at most as many pictures a second as wanted, without making their times even.
struct pace {
    GstClockTime period, due;
};
bool pace_takes(struct pace *pace, GstClockTime time);
#endif
