/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Usage: gst-test PROPERTIES
 *
 * A live stream by GStreamer: vp8enc with these properties at a constant bitrate, rtpvp8pay,
 * rtpvp8depay, vp8dec. In mid-stream the bitrate falls to a quarter, and key frames are forced.
 * Prints a hash of the coded frames.
 */

#include <gst/gst.h>
#include <gst/video/video.h>
#include <stdio.h>
#include <stdlib.h>

enum { kFrames = 200, kChange = 75, kForced = 150, kSecond = 25 };

typedef struct {
    GstElement *encoder;
    int given, coded, decoded, keys;
    int key_of_forced;    /* the frame that follows the request is a key frame */
    size_t before, after; /* bytes of a second before the change, and of one well after it */
    guint64 hash;
} Counts;

static void Fail(const char *what) {
    fprintf(stderr, "gst-test: %s\n", what);
    exit(1);
}

/* Before the encoder: what a program does between frames. */
static GstPadProbeReturn Given(GstPad *pad, GstPadProbeInfo *info, gpointer p) {
    Counts *const c = p;

    (void)info;
    if (c->given == kChange) g_object_set(c->encoder, "target-bitrate", 100000, NULL);
    if (c->given == kForced)
        gst_pad_send_event(
            pad, gst_video_event_new_downstream_force_key_unit(
                     GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, TRUE, 0));
    c->given++;
    return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn Coded(GstPad *pad, GstPadProbeInfo *info, gpointer p) {
    Counts *const c = p;
    GstBuffer *const buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    const int is_key = !GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DELTA_UNIT);
    GstMapInfo map;

    (void)pad;
    if (!gst_buffer_map(buffer, &map, GST_MAP_READ)) Fail("no data");
    for (size_t i = 0; i < map.size; i++) c->hash = (c->hash ^ map.data[i]) * 0x100000001b3u;
    if (c->coded >= kChange - kSecond && c->coded < kChange) c->before += map.size;
    if (c->coded >= kForced - kSecond && c->coded < kForced) c->after += map.size;
    gst_buffer_unmap(buffer, &map);
    if (is_key && c->coded == kForced) c->key_of_forced = 1;
    c->keys += is_key;
    c->coded++;
    return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn Decoded(GstPad *pad, GstPadProbeInfo *info, gpointer p) {
    (void)pad;
    (void)info;
    ((Counts *)p)->decoded++;
    return GST_PAD_PROBE_OK;
}

static void Probe(GstElement *element, const char *pad_name, GstPadProbeCallback call, Counts *c) {
    GstPad *const pad = gst_element_get_static_pad(element, pad_name);

    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, call, c, NULL);
    gst_object_unref(pad);
}

int main(int argc, char **argv) {
    Counts c = {.hash = 0xcbf29ce484222325u};
    char text[1024];
    GError *error = NULL;
    GstElement *pipeline, *sink;
    GstMessage *message;
    GstBus *bus;

    if (argc != 2) Fail("one argument");
    gst_init(NULL, NULL);
    snprintf(text, sizeof(text),
             "videotestsrc num-buffers=%d pattern=zone-plate kx2=20 ky2=20 kt=9 ! "
             "video/x-raw,format=I420,width=320,height=240,framerate=25/1 ! "
             "vp8enc name=encoder end-usage=cbr target-bitrate=400000 keyframe-max-dist=9999 "
             "buffer-size=1000 buffer-initial-size=500 buffer-optimal-size=600 %s ! "
             "rtpvp8pay ! rtpvp8depay ! vp8dec ! fakesink name=sink",
             kFrames, argv[1]);
    pipeline = gst_parse_launch(text, &error);
    if (!pipeline || error) Fail(error ? error->message : "no pipeline");
    c.encoder = gst_bin_get_by_name(GST_BIN(pipeline), "encoder");
    sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
    Probe(c.encoder, "sink", Given, &c);
    Probe(c.encoder, "src", Coded, &c);
    Probe(sink, "sink", Decoded, &c);

    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    bus = gst_element_get_bus(pipeline);
    message =
        gst_bus_timed_pop_filtered(bus, 120 * GST_SECOND, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
    if (!message) Fail("the pipeline hangs");
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
        gst_message_parse_error(message, &error, NULL);
        Fail(error->message);
    }
    gst_message_unref(message);
    gst_object_unref(bus);
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(sink);
    gst_object_unref(c.encoder);
    gst_object_unref(pipeline);

    fprintf(stderr, "%d coded, %d decoded, %d key frames; %zu bytes a second, then %zu\n", c.coded,
            c.decoded, c.keys, c.before, c.after);
    if (c.coded != kFrames || c.decoded != kFrames) Fail("frames are missing");
    if (!c.key_of_forced || c.keys != 2) Fail("not one key frame on demand");
    if (2 * c.after > c.before) Fail("the bitrate did not follow");
    printf("%016llx\n", (unsigned long long)c.hash);
    return 0;
}
