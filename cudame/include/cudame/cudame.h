/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/**
 * @file
 * cudame: block motion estimation for VP8 encoders, on the CPU or on a CUDA
 * device, with the same result bit for bit on both.
 *
 * The library searches one source frame against up to three reference frames
 * and returns, for each macroblock and reference, vectors and distortions of
 * the 25 blocks that VP8 can predict (RFC 6386 section 5 and 18): one 16x16,
 * two 16x8, two 8x16, four 8x8 and sixteen 4x4. It knows neither FFmpeg nor
 * libvpx.
 *
 * Sequence, once per encoded inter frame:
 *
 *     cudame_submit_reference()   for each buffer written since the last call
 *     cudame_begin_frame()        source, parameters; starts the analysis
 *     cudame_wait_row()           from any thread, any order, repeatedly
 *     cudame_intra_row()          the same
 *     cudame_end_frame()
 *     cudame_retire_reference()   for each buffer that is no longer referenced
 *
 * A frame without references has no rows, but intra estimates if bmode_cost asks
 * for them.
 *
 * Threads: cudame_wait_row() and cudame_intra_row() may be called concurrently
 * between cudame_begin_frame() and cudame_end_frame(). All other calls on one
 * context must not overlap with any call on the same context. Contexts are
 * independent of each other, also on one device.
 *
 * Errors: every function that returns int returns 0 or a negative
 * CUDAME_ERROR_* code; cudame_last_error() tells more. The library never
 * prints, exits or resets a device.
 */

#ifndef CUDAME_CUDAME_H
#define CUDAME_CUDAME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Largest width and height of a frame, in pixels (VP8's 14-bit limit). */
#define CUDAME_MAX_DIMENSION 16383

/** Pixels that a vector may move a block's edge beyond the frame, where the
 *  frame is padded to whole macroblocks (libvpx: 32 px border less 16). */
#define CUDAME_MV_BORDER 16

/** Border of valid pixels around a reference that lets the CPU backend search
 *  it in place instead of copying it. */
#define CUDAME_REF_BORDER 32

/** The blocks of one macroblock are numbered from large to small: this is the first
 *  of each size. cudame_mb has block 0, cudame_split all others. */
enum {
    CUDAME_BLOCK_16X16 = 0,
    CUDAME_BLOCK_16X8  = 1, /**< two: top, bottom */
    CUDAME_BLOCK_8X16  = 3, /**< two: left, right */
    CUDAME_BLOCK_8X8   = 5, /**< four in raster order */
    CUDAME_BLOCK_4X4   = 9, /**< sixteen in raster order */
    CUDAME_BLOCKS      = 25,
    CUDAME_SPLIT_BLOCKS = CUDAME_BLOCKS - 1
};

enum {
    CUDAME_ERROR_INVALID     = -1, /**< argument or call order */
    CUDAME_ERROR_MEMORY      = -2, /**< host memory */
    CUDAME_ERROR_UNAVAILABLE = -3, /**< backend not built in, or no device */
    CUDAME_ERROR_DEVICE      = -4, /**< the device or driver failed */
    CUDAME_ERROR_DEVICE_MEM  = -5  /**< device memory */
};

enum cudame_backend {
    CUDAME_BACKEND_CPU  = 0,
    CUDAME_BACKEND_CUDA = 1
};

/** Which blocks are searched, and how precisely. All but FULL are those of grossi-2018
 *  section 4. */
enum cudame_mode {
    CUDAME_MODE_FAST    = 1, /**< 16x16, full pel */
    CUDAME_MODE_SPLITMV = 2, /**< all 25 blocks, full pel */
    CUDAME_MODE_TEX     = 3, /**< all 25 blocks, quarter pel, 93 vectors,
                                  bilinear pixels */
    CUDAME_MODE_FULL    = 4  /**< all 25 blocks, quarter pel, exact filters */
};

/** Which whole-pixel vectors are tried. */
enum cudame_search {
    CUDAME_SEARCH_DEFAULT   = 0, /**< FULL for MODE_FULL, else DIAMOND */
    CUDAME_SEARCH_DIAMOND   = 1, /**< 127 in a diamond, then 15 around the best */
    CUDAME_SEARCH_ITERATIVE = 2, /**< a diamond that moves to its best vector
                                      until that is its centre */
    CUDAME_SEARCH_FULL      = 3, /**< every vector within range */
    CUDAME_SEARCH_LEAN      = 4  /**< MODE_FULL only: a descent from vectors
                                      around it; sub-pel vectors and smaller
                                      blocks where they may win */
};

/** Sub-pel interpolation of the stream (RFC 6386 section 9.1, version). */
enum cudame_filter {
    CUDAME_FILTER_SIXTAP   = 0, /**< version 0 */
    CUDAME_FILTER_BILINEAR = 1  /**< versions 1 and 2 */
};

/** Reference slots, numbered as VP8 numbers its reference frames. */
enum {
    CUDAME_REF_LAST   = 1,
    CUDAME_REF_GOLDEN = 2,
    CUDAME_REF_ALTREF = 3,
    CUDAME_REFS       = 4 /**< array size; [0] is unused */
};

/** Vector in quarter pixels of luma; positive is down and right. */
typedef struct cudame_mv {
    int16_t row, col;
} cudame_mv;

enum {
    CUDAME_MB_FULLPEL = 2, /**< vectors are whole pixels and may be refined */
    CUDAME_MB_SPLIT   = 4, /**< its cudame_split is valid too */
    CUDAME_MB_PENDING = 8  /**< but for cudame_complete_split() */
};

/**
 * Motion of one macroblock against one reference.
 * Every vector is legal: it moves no edge of the macroblock (also a vector of
 * a smaller block) further than CUDAME_MV_BORDER beyond the padded frame.
 */
typedef struct cudame_mb {
    cudame_mv mv;          /**< of all 16x16 pixels */
    uint16_t dist;         /**< distortion at mv, without rate, at most 65535.
                                FAST and SPLITMV: SAD. FULL: SATD. TEX: SAD
                                against bilinear pixels (the weighted sum of
                                four, rounded once), whatever the filter.
                                65535 with LEAN where the macroblock fits the
                                first slot searched so well that this one was
                                not */
    uint16_t dist_zero;    /**< SAD at the zero vector; 65535 where dist is for
                                lack of a search */
    uint16_t flags;        /**< CUDAME_MB_* */
    uint16_t reserved[3];
} cudame_mb;

/** Motion of the smaller blocks of one macroblock: mv[i] and dist[i] are those of block
 *  CUDAME_BLOCK_16X8 + i, as in cudame_mb. FAST has no such records, so that a device
 *  need not write them to the host. With LEAN, distortions at quarter pixels are of means of
 *  half pixels, and those of 4x4 blocks that were not refined 65535. */
typedef struct cudame_split {
    cudame_mv mv[CUDAME_SPLIT_BLOCKS];
    uint16_t dist[CUDAME_SPLIT_BLOCKS];
} cudame_split;

/** Sub-block modes, in libvpx's order: B_DC_PRED, B_TM_PRED, B_VE_PRED,
 *  B_HE_PRED, B_LD_PRED, B_RD_PRED, B_VR_PRED, B_VL_PRED, B_HD_PRED, B_HU_PRED. */
#define CUDAME_BMODES 10

/**
 * Intra prediction of one macroblock, estimated from its source neighbours
 * instead of reconstructed ones (RFC 6386 section 12.2 and 12.3), so that
 * macroblocks do not depend on each other.
 *
 * Pixels that the frame lacks: those of the row above it are 127, its ends
 * included; those of the column to its left are 129. A macroblock's DC_PRED
 * averages only edges that the frame has. The four sub-blocks at a macroblock's
 * right edge all have above right of them the row above the macroblock to the
 * right. SATD is half the sum of the absolute coefficients of 4x4 Hadamard
 * transforms.
 */
typedef struct cudame_intra {
    uint16_t satd16[4];  /**< of DC_PRED, V_PRED, H_PRED and TM_PRED, without
                              rate; saturated */
    uint16_t cost4;      /**< sum over the 4x4 blocks of the lowest SATD + rate;
                              saturated */
    uint16_t pending;    /**< CUDAME_INTRA_*: not yet made, see
                              cudame_complete_intra() */
    uint8_t mode4[16];   /**< by 4x4 block in raster order: low nibble the mode
                              of the lowest SATD + rate (saturated; first of
                              equals), high nibble that of the second lowest */
} cudame_intra;

enum {
    CUDAME_INTRA_16X16 = 1, /**< satd16 */
    CUDAME_INTRA_4X4   = 2  /**< all else */
};

/** Gets a message, without a newline, in the thread that called the library; one call
 *  of a context at a time. It must not call the context. */
typedef void (*cudame_log_fn)(void *opaque, int is_error, const char *text);

typedef struct cudame_config {
    size_t size;                 /**< sizeof(cudame_config) */
    enum cudame_backend backend;
    enum cudame_mode mode;
    enum cudame_search search;
    int range;                   /**< pixels, FULL search: 1..128; 0: 32 */
    int level;                   /**< LEAN search: 0 (most) .. 4 (least work) */
    int width, height;           /**< frame, pixels, 1..CUDAME_MAX_DIMENSION */
    int threads;                 /**< 1..64. CPU backend: threads that search;
                                      callers of cudame_wait_row() do too and
                                      count as one. CUDA: how many threads wait
                                      for rows; for more than one, rows come
                                      sooner after each other */
    int device;                  /**< CUDA ordinal, -1: any, the least loaded
                                      one; with cu_context, the context must be
                                      one of that device */
    void *cu_context;            /**< CUcontext to share, or NULL; it must
                                      outlive the cudame_context */
    void *cu_stream;             /**< CUstream that planes in device memory are
                                      ready on; NULL: the default one */
    int band_rows;               /**< CUDA: macroblock rows of a launch; 0: what
                                      is fastest */
    int fallback;                /**< CUDA: if the device fails, go on with the
                                      CPU backend, to the same result; what
                                      failed is logged as an error, once. An
                                      open frame whose source or references are
                                      in device memory alone cannot go on: its
                                      rows are errors. LEAN: rows that the device
                                      is late with are made by the CPU too, and
                                      frames if it is late again and again */
    int cuda_after_ms;           /**< CUDA with fallback: begin on the CPU
                                      backend, which takes no planes in device
                                      memory, and start CUDA in a thread when
                                      search_ns has come to so much. A frame
                                      that is begun when it is ready goes over,
                                      to the same result. 0: start it in
                                      cudame_create() */
    cudame_log_fn log;           /**< or NULL */
    void *log_opaque;
} cudame_config;

/** A luma plane of the caller's. */
typedef struct cudame_plane {
    const uint8_t *data;  /**< first pixel of the frame (inside of the border) */
    ptrdiff_t stride;     /**< bytes between rows, may be negative */
    int width, height;    /**< valid pixels, at least the frame's. What is
                               missing to whole macroblocks is replicated from
                               the edge, what is beyond them is not used */
    int border;           /**< replicated valid pixels on every side, or 0 */
    int on_device;        /**< data is a CUdeviceptr (CUDA backend only) */
    int persistent;       /**< host memory, border included, that is not freed
                               before cudame_forget_memory(), cudame_resize()
                               or cudame_destroy(): the CUDA backend may
                               register it, and then uploads take no CPU time */
} cudame_plane;

typedef struct cudame_frame {
    cudame_plane source;
    /** The same pixels in device memory (on_device), or NULL. The CUDA backend
     *  takes them from there instead of uploading source, which is only read
     *  if the CPU has to continue. It may have fewer rows and columns: what
     *  is missing to whole macroblocks is replicated, and equals source. */
    const cudame_plane *device_source;
    /** By CUDAME_REF_*, the id of the reference to search, or 0: none; [0] must
     *  be 0. Slots with equal ids share one search, which is predicted from the
     *  last field of the first of them. */
    uint64_t ref_id[CUDAME_REFS];
    enum cudame_filter filter;
    /** Rate of a vector: (mv_cost[0][d.row] + mv_cost[1][d.col]) in 1/256 bit,
     *  d = vector minus prediction in quarter pixels, clamped to -1023..1023;
     *  the tables are centred (valid from -1023 to 1023). NULL: free. Entries
     *  are taken as 0..524287. */
    const int *mv_cost[2];
    int sad_per_bit;   /**< lambda: SAD worth one bit (SATD: the same),
                            0..2047. A vector's cost is its distortion +
                            ((rate * sad_per_bit + 128) >> 8) */
    /** Rates of the CUDAME_BMODES sub-block modes in 1/256 bit, taken as
     *  0..524287 and scaled as those of vectors. NULL: no intra estimates. */
    const int *bmode_cost;
} cudame_frame;

/** Sums since the context was created. */
typedef struct cudame_stats {
    uint64_t wait_ns;        /**< time that callers spent in cudame_wait_row()
                                  and cudame_intra_row(), summed over threads */
    uint64_t search_ns;      /**< time of searching, summed over CPU threads, or
                                  of the device; without what is completed on
                                  demand */
    uint64_t ref_bytes;      /**< bytes of references copied or uploaded, again
                                  for each change of the backend */
    uint64_t source_bytes;   /**< bytes of sources copied or uploaded */
    uint64_t late_rows;      /**< rows that the CPU made because the device was
                                  late with them: see fallback */
} cudame_stats;

typedef struct cudame_context cudame_context;

/** Fill a config with defaults: CPU, MODE_FULL, one thread, any device. The caller sets
 *  width and height, and size to its own sizeof(cudame_config), which cudame_create()
 *  compares with the library's. */
void cudame_config_default(cudame_config *config);

/** Whether this build has a backend: 0 or 1. A device may still be missing. */
int cudame_has_backend(enum cudame_backend backend);

/** A CUDA device. */
typedef struct cudame_device {
    char name[128];
    int compute_major, compute_minor; /**< compute capability */
} cudame_device;

/**
 * Describe the CUDA devices, without starting any: devices[n] is the one that
 * cudame_config.device n means.
 * @return how many there are, of which the first max are described, or an
 *         error: CUDAME_ERROR_UNAVAILABLE if there are none. err as in
 *         cudame_create()
 */
int cudame_list_devices(cudame_device *devices, int max, char *err, size_t err_size);

/**
 * Create a context. On failure *ctx is NULL and, where err is given, err gets
 * the reason as text (at most err_size bytes with the terminator).
 */
int cudame_create(cudame_context **ctx, const cudame_config *config,
                  char *err, size_t err_size);

/** Free the context, and wait for its work, also for CUDA that is being started. NULL is
 *  allowed. */
void cudame_destroy(cudame_context *ctx);

/**
 * Announce a reference buffer, or the rows of it that are now final.
 * The plane must stay valid and unchanged until cudame_retire_reference().
 * @param id         non-zero, never reused for other content
 * @param first_row  first final pixel row, 0 for a whole frame; rows come in
 *                   order and must reach the plane's height (no more than
 *                   whole macroblocks of the frame) before a frame that uses
 *                   the buffer is begun
 * @param rows       number of final pixel rows
 */
int cudame_submit_reference(cudame_context *ctx, uint64_t id,
                            const cudame_plane *plane, int first_row, int rows);

/** Forget a buffer; unknown ids are ignored. */
int cudame_retire_reference(cudame_context *ctx, uint64_t id);

/**
 * Start the analysis of a frame. The source must stay valid until
 * cudame_end_frame(); cost tables are copied. The vectors of the frame
 * begun before, per slot, predict those of this one; cudame_reset(), a change
 * of size or a failure of this call forgets them. A slot that was not searched
 * in the frame before has no prediction.
 */
int cudame_begin_frame(cudame_context *ctx, const cudame_frame *frame);

/**
 * Wait for one row of macroblocks.
 * @param rows    rows[CUDAME_REF_*] becomes an array of (width + 15) / 16
 *                records, or NULL for a slot that is not searched; valid and
 *                immutable until cudame_end_frame()
 * @param splits  the same of the smaller blocks, NULL for all slots with
 *                CUDAME_MODE_FAST; or NULL: not wanted
 */
int cudame_wait_row(cudame_context *ctx, int mb_row,
                    const cudame_mb *rows[CUDAME_REFS],
                    const cudame_split *splits[CUDAME_REFS]);

/**
 * Wait for the intra estimates of one row of macroblocks, before or after
 * cudame_wait_row() or without it.
 * @param row  becomes an array of (width + 15) / 16 records; valid and immutable
 *             until cudame_end_frame()
 */
int cudame_intra_row(cudame_context *ctx, int mb_row, const cudame_intra **row);

/**
 * Make what is CUDAME_MB_PENDING of a row that was waited for, or pending of an
 * intra row: nobody may ask for it, and then it costs nothing. Of a row, one thread at a
 * time; of different rows, concurrently. What is not pending stays as it is.
 * @param slot   CUDAME_REF_* of a record with CUDAME_MB_SPLIT
 * @param parts  sum of CUDAME_INTRA_*
 */
int cudame_complete_split(cudame_context *ctx, int mb_row, int mb_col, int slot);
int cudame_complete_intra(cudame_context *ctx, int mb_row, int mb_col, int parts);

/**
 * Finish a frame: waits for work that still reads the source. Rows that nobody
 * waited for are searched as well, because they predict the next frame.
 */
int cudame_end_frame(cudame_context *ctx);

/** Forget the vectors that would predict the next frame, as after a key frame. While a
 *  frame is open, its own vectors are forgotten when it ends. */
int cudame_reset(cudame_context *ctx);

/** Change the frame size; forgets references, vectors and persistent memory.
 *  After an error no frame can be begun until a change of size succeeds. */
int cudame_resize(cudame_context *ctx, int width, int height);

/** Stop using all persistent memory given so far. Call it between frames, before the
 *  memory is freed; planes given later may be persistent again. */
int cudame_forget_memory(cudame_context *ctx);

/** The backend in use: that of the config or, after a fallback and before cuda_after_ms, the
 *  CPU's. Only this call, the next two and cudame_get_stats() cannot fail. */
enum cudame_backend cudame_backend_in_use(const cudame_context *ctx);

/** The CUDA ordinal of the device in use, -1 while that is the CPU. */
int cudame_device_in_use(const cudame_context *ctx);

/** Whether CUDA failed, or could not be started, so that the CPU backend is in use for good:
 *  0 or 1. */
int cudame_fell_back(const cudame_context *ctx);

void cudame_get_stats(const cudame_context *ctx, cudame_stats *stats);

/** Sum of the absolute coefficients of the 4x4 Hadamard transforms of the
 *  difference of two blocks, halved: what cudame_mb.dist is. */
typedef uint32_t (*cudame_satd_fn)(const uint8_t *a, ptrdiff_t a_stride,
                                   const uint8_t *b, ptrdiff_t b_stride);

/** The fastest function that this CPU can run for blocks of size x size pixels, with size
 *  16, 8 or 4; else NULL. Thread-safe. */
cudame_satd_fn cudame_satd(int size);

/** Text of the last error of this context, empty without one; valid until the next
 *  call that fails, in any thread. */
const char *cudame_last_error(const cudame_context *ctx);

/** Name of an error code, a string constant. */
const char *cudame_error_name(int code);

#ifdef __cplusplus
}
#endif

#endif /* CUDAME_CUDAME_H */
