// SPDX-License-Identifier: Apache-2.0
// libvpx behind plain functions: its initialisers are macros, its controls take variable
// arguments and its packets are a union, none of which Swift can call.
#ifndef DAYBOOK_CVPX_SHIM_H
#define DAYBOOK_CVPX_SHIM_H
#include <stddef.h>
#include <vpx/vp8cx.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>
#include <vpx/vpx_encoder.h>

static inline vpx_codec_err_t daybook_decoder_init(vpx_codec_ctx_t *context, int is_vp9) {
    vpx_codec_dec_cfg_t configuration = {1, 0, 0};
    return vpx_codec_dec_init(context, is_vp9 ? vpx_codec_vp9_dx() : vpx_codec_vp8_dx(),
                              &configuration, 0);
}

static inline vpx_codec_err_t daybook_encoder_defaults(vpx_codec_enc_cfg_t *configuration,
                                                       int is_vp9) {
    return vpx_codec_enc_config_default(is_vp9 ? vpx_codec_vp9_cx() : vpx_codec_vp8_cx(),
                                        configuration, 0);
}

static inline vpx_codec_err_t daybook_encoder_init(vpx_codec_ctx_t *context, int is_vp9,
                                                   const vpx_codec_enc_cfg_t *configuration) {
    vpx_codec_err_t error = vpx_codec_enc_init(
        context, is_vp9 ? vpx_codec_vp9_cx() : vpx_codec_vp8_cx(), configuration, 0);
    if (error != VPX_CODEC_OK) return error;
    error = vpx_codec_control(context, VP8E_SET_CPUUSED, 8);
    if (error == VPX_CODEC_OK && is_vp9) error = vpx_codec_control(context, VP9E_SET_AQ_MODE, 3);
    return error;
}

// The next frame the encoder has ready, or NULL; other packets are passed over.
static inline const void *daybook_encoder_frame(vpx_codec_ctx_t *context, vpx_codec_iter_t *place,
                                                size_t *size, int *is_key, long long *time) {
    const vpx_codec_cx_pkt_t *packet;
    while ((packet = vpx_codec_get_cx_data(context, place)) != NULL) {
        if (packet->kind != VPX_CODEC_CX_FRAME_PKT) continue;
        *size = packet->data.frame.sz;
        *is_key = (packet->data.frame.flags & VPX_FRAME_IS_KEY) != 0;
        *time = packet->data.frame.pts;
        return packet->data.frame.buf;
    }
    return NULL;
}

// The sum of every fourth row's samples, for the mean luma: a quarter tells as much.
static inline unsigned long long daybook_luma_sum(const unsigned char *plane, int stride,
                                                  unsigned width, unsigned height) {
    unsigned long long sum = 0;
    for (unsigned row = 0; row < height; row += 4) {
        const unsigned char *samples = plane + (ptrdiff_t)row * stride;
        unsigned int line = 0;
        for (unsigned column = 0; column < width; column++) line += samples[column];
        sum += line;
    }
    return sum;
}
#endif
