// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "camera.h"

/// Reads up to the empty line; false at an end before it, or if there is too much.
static bool read_lines(char *text) {
    size_t length = 0;
    while (length < settings_bytes_max) {
        ssize_t count = read(STDIN_FILENO, text + length, settings_bytes_max - length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        length += (size_t)count;
        text[length] = 0;
        char *end = strstr(text, "\n\n");
        if (text[0] == '\n') end = text;
        if (end != NULL) {
            end[0] = 0;
            return true;
        }
    }
    return false;
}

static bool is_plain(const char *value) {
    if (value[0] == 0 || !g_utf8_validate(value, -1, NULL)) return false;
    for (const char *at = value; *at != 0; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f) return false;
    return true;
}

static bool read_number(const char *value, int least, int most, int *number) {
    gint64 read = 0;
    if (!g_ascii_string_to_signed(value, 10, least, most, &read, NULL)) return false;
    *number = (int)read;
    return true;
}

static bool read_side(const char *value, int *side) {
    return read_number(value, 16, 1920, side) && *side % 2 == 0;
}

static const char *read_line(struct settings *settings, const char *key, char *value) {
    if (!is_plain(value)) return "a value is empty or not plain text";
    if (strcmp(key, "kind") == 0) {
        settings->is_rtsp = strcmp(value, "rtsp") == 0;
        if (!settings->is_rtsp && strcmp(value, "mjpeg") != 0) return "kind is neither mjpeg nor rtsp";
    } else if (strcmp(key, "address") == 0) {
        settings->address = value;
    } else if (strcmp(key, "user") == 0) {
        settings->user = value;
    } else if (strcmp(key, "password") == 0) {
        settings->password = value;
    } else if (strcmp(key, "ca") == 0) {
        settings->ca = value;
    } else if (strcmp(key, "width") == 0) {
        if (!read_side(value, &settings->width)) return "width is not an even number from 16 to 1920";
    } else if (strcmp(key, "height") == 0) {
        if (!read_side(value, &settings->height)) return "height is not an even number from 16 to 1920";
    } else if (strcmp(key, "rate") == 0) {
        if (!read_number(value, 1, 30, &settings->rate)) return "rate is not a number from 1 to 30";
    } else if (strcmp(key, "kilobits") == 0) {
        if (!read_number(value, 50, 8000, &settings->kilobits)) return "kilobits is not a number from 50 to 8000";
    } else {
        return "a key is unknown";
    }
    return NULL;
}

static const char *check_address(struct settings *settings) {
    settings->uri = gst_uri_from_string(settings->address);
    if (settings->uri == NULL || gst_uri_get_host(settings->uri) == NULL || gst_uri_get_host(settings->uri)[0] == 0)
        return "address is not a URL with a host";
    if (gst_uri_get_userinfo(settings->uri) != NULL) return "address has a user in it";
    const char *scheme = gst_uri_get_scheme(settings->uri), *wanted = settings->is_rtsp ? "rtsp" : "http";
    if (strncmp(scheme, wanted, 4) != 0 || !(scheme[4] == 0 || strcmp(scheme + 4, "s") == 0))
        return settings->is_rtsp ? "address is neither rtsp nor rtsps" : "address is neither http nor https";
    return NULL;
}

const char *settings_read(struct settings *settings) {
    // Kept: the settings point into it.
    static char text[settings_bytes_max + 1];
    if (!read_lines(text)) return "there is no empty line after the settings, or they are too long";
    bool has_kind = false;
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n")) != NULL && line[0] != 0) {
        char *value = strchr(line, ' ');
        if (value == NULL) return "a line has no value";
        *value++ = 0;
        const char *wrong = read_line(settings, line, value);
        if (wrong != NULL) return wrong;
        has_kind = has_kind || strcmp(line, "kind") == 0;
    }
    if (!has_kind || settings->address == NULL || settings->width == 0 || settings->height == 0
        || settings->rate == 0 || settings->kilobits == 0)
        return "kind, address, width, height, rate or kilobits is missing";
    return check_address(settings);
}
