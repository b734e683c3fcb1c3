// SPDX-License-Identifier: Apache-2.0
#include "baselines.h"
#include <time.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double baseline_vp9_decode(const uint8_t *const *frames, const size_t *sizes, size_t count, uint64_t *luma) {
    vpx_codec_ctx_t decoder;
    vpx_codec_dec_cfg_t configuration = {.threads = 1};
    if (vpx_codec_dec_init(&decoder, vpx_codec_vp9_dx(), &configuration, 0)) return -1;
    double start = seconds();
    for (size_t frame = 0; frame < count; frame++) {
        if (vpx_codec_decode(&decoder, frames[frame], (unsigned)sizes[frame], NULL, 0)) return -1;
        vpx_codec_iter_t next = NULL;
        for (vpx_image_t *image; (image = vpx_codec_get_frame(&decoder, &next));) {
            uint64_t sum = 0;
            for (unsigned row = 0; row < image->d_h; row++)
                for (unsigned column = 0; column < image->d_w; column++)
                    sum += image->planes[0][row * (unsigned)image->stride[0] + column];
            *luma += sum;
        }
    }
    double took = seconds() - start;
    vpx_codec_destroy(&decoder);
    return took;
}
