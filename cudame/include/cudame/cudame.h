/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/**
 * @file
 * cudame: block motion estimation for VP8 encoders, on the CPU or on a CUDA
 * device. Both backends give the same result, bit for bit.
 *
 * The library searches one source frame against up to three reference frames.
 * For each macroblock and reference it returns the vectors and distortions of
 * the 25 blocks that VP8 can predict (RFC 6386 sections 5 and 18): one 16x16,
 * two 16x8, two 8x16, four 8x8 and sixteen 4x4. On request it also estimates
 * the intra modes of each macroblock (RFC 6386 section 12). It depends on
 * neither FFmpeg nor libvpx.
 *
 * Call sequence, once for each encoded inter frame:
 *
 *     cudame_submit_reference()   for each buffer written since the last call
 *     cudame_begin_frame()        takes source and parameters, starts the search
 *     cudame_wait_row()           from any thread, in any order, repeatedly
 *     cudame_intra_row()          likewise
 *     cudame_end_frame()
 *     cudame_retire_reference()   for each buffer that is no longer referenced
 *
 * A frame without references (a key frame) has no motion records. It has intra
 * estimates if bmode_cost is given.
 *
 * Threads: between cudame_begin_frame() and cudame_end_frame(),
 * cudame_wait_row(), cudame_intra_row(), cudame_complete_split() and
 * cudame_complete_intra() may run concurrently. Any other call on a context must
 * not overlap with another call on the same context. Contexts are independent
 * of each other, also on one device.
 *
 * Errors: every function that returns int returns 0 or a negative
 * CUDAME_ERROR_* code, and cudame_last_error() returns the reason as text. The
 * library never prints, never exits, never resets a device and never changes
 * the environment of the process.
 *
 * Start of CUDA: the driver makes eight queues for launches in each context, and
 * the queues of all processes one after the other. With
 * CUDA_DEVICE_MAX_CONNECTIONS=2 in the environment before the process uses CUDA,
 * sixteen processes that started at once and searched 240 frames of 1080p with LEAN
 * were 1.4 times as fast (doc/lab/0035-many-encoders.md). A program that
 * launches no kernels of its own should set it.
 *
 * ABI: libcudame.so.0 keeps the functions of these headers, and the structs, enums and constants
 * that they use. These changes raise the number of the SONAME: a function is removed or takes
 * other arguments; a constant gets another value or meaning; a struct gets another size or field.
 * A new field at the end does so too, because the library writes and compares whole structs
 * (cudame_config_default(), cudame_get_stats(), cudame_config.size). Reserved fields may get a
 * meaning. A new function adds a version of symbols, CUDAME_1 after CUDAME_0. Vectors, estimates
 * and speed may change within a SONAME.
 */

#ifndef CUDAME_CUDAME_H
#define CUDAME_CUDAME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Largest width and height of a frame, in pixels (VP8's 14-bit limit, RFC 6386
 *  section 9.1). */
#define CUDAME_MAX_DIMENSION 16383

/** A vector may move an edge of its block up to this many pixels beyond the frame,
 *  after the frame was padded to whole macroblocks: libvpx's border of 32 pixels
 *  less 16. */
#define CUDAME_MV_BORDER 16

/** The CPU backend searches a reference in place, without a copy, if the reference
 *  has this many valid pixels on every side. */
#define CUDAME_REF_BORDER 32

/** The number of the first block of each size. Blocks of a macroblock are numbered
 *  from large to small. cudame_mb has block 0, cudame_split has all others. */
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
    CUDAME_ERROR_INVALID     = -1, /**< a bad argument or a wrong order of calls */
    CUDAME_ERROR_MEMORY      = -2, /**< no host memory */
    CUDAME_ERROR_UNAVAILABLE = -3, /**< the backend is not built in, or there is no device */
    CUDAME_ERROR_DEVICE      = -4, /**< the device or its driver failed */
    CUDAME_ERROR_DEVICE_MEM  = -5  /**< no device memory */
};

enum cudame_backend {
    CUDAME_BACKEND_CPU  = 0,
    CUDAME_BACKEND_CUDA = 1
};

/** Which blocks are searched, and how precisely. FAST, SPLITMV and TEX are the modes
 *  of grossi-2018 section 4. */
enum cudame_mode {
    CUDAME_MODE_FAST    = 1, /**< 16x16, whole pixels */
    CUDAME_MODE_SPLITMV = 2, /**< all 25 blocks, whole pixels */
    CUDAME_MODE_TEX     = 3, /**< all 25 blocks, quarter-pel: the best of 93 vectors
                                  on bilinear pixels */
    CUDAME_MODE_FULL    = 4  /**< all 25 blocks, quarter-pel, with VP8's own filters */
};

/** Which whole-pixel vectors are tried. */
enum cudame_search {
    CUDAME_SEARCH_DEFAULT   = 0, /**< LEAN for MODE_FULL, DIAMOND for other modes */
    CUDAME_SEARCH_DIAMOND   = 1, /**< 127 vectors of a diamond, then 15 around the
                                      best (grossi-2018 section 3.3) */
    CUDAME_SEARCH_ITERATIVE = 2, /**< a small diamond that moves to its best vector
                                      until the centre is the best */
    CUDAME_SEARCH_FULL      = 3, /**< every vector within cudame_config.range */
    CUDAME_SEARCH_LEAN      = 4  /**< MODE_FULL only: descends from the vectors of
                                      neighbouring macroblocks and of the last frame;
                                      tries sub-pel vectors and smaller blocks only
                                      if they may win */
};

/** Sub-pel filter of the stream (RFC 6386 section 9.1, version). */
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

/** A vector in quarter pixels of luma. Positive is down and right. */
typedef struct cudame_mv {
    int16_t row, col;
} cudame_mv;

/** Flags of a motion record. */
enum {
    CUDAME_MB_FULLPEL = 2, /**< vectors are whole pixels; the encoder may refine them */
    CUDAME_MB_SPLIT   = 4, /**< the cudame_split of the macroblock is valid too */
    CUDAME_MB_PENDING = 8  /**< with SPLIT: the cudame_split is not valid before
                                cudame_complete_split() */
};

/**
 * Motion of one macroblock against one reference.
 * Every vector is legal: it moves no edge of the macroblock, also if it belongs to a
 * smaller block, further than CUDAME_MV_BORDER beyond the padded frame.
 */
typedef struct cudame_mb {
    cudame_mv mv;          /**< of the 16x16 block */
    uint16_t dist;         /**< distortion at mv, without rate; saturates at 65535.
                                FAST and SPLITMV: SAD. FULL: SATD, see
                                cudame_satd_fn. TEX: SAD against bilinear pixels
                                (the weighted sum of four, rounded once), whatever
                                the stream's filter. 65535 with LEAN if the slot was
                                not searched, because the first slot matches this
                                macroblock well enough */
    uint16_t dist_zero;    /**< SAD at the zero vector, in all modes; 65535 if the
                                slot was not searched */
    uint16_t flags;        /**< sum of CUDAME_MB_* */
    uint16_t reserved[3];  /**< 0; makes 16 bytes */
} cudame_mb;

/** Motion of the smaller blocks of one macroblock: mv[i] and dist[i] belong to block
 *  CUDAME_BLOCK_16X8 + i, with the units of cudame_mb. FAST has no such records. With
 *  LEAN, the distortion at a quarter-pel vector is measured against the mean of two
 *  half-pel predictions, and that of a 4x4 block that was not refined is 65535. */
typedef struct cudame_split {
    cudame_mv mv[CUDAME_SPLIT_BLOCKS];
    uint16_t dist[CUDAME_SPLIT_BLOCKS];
} cudame_split;

/** Number of sub-block modes, in libvpx's order: B_DC_PRED, B_TM_PRED, B_VE_PRED,
 *  B_HE_PRED, B_LD_PRED, B_RD_PRED, B_VR_PRED, B_VL_PRED, B_HD_PRED, B_HU_PRED. */
#define CUDAME_BMODES 10

/** Parts of a cudame_intra. */
enum {
    CUDAME_INTRA_16X16 = 1, /**< satd16 */
    CUDAME_INTRA_4X4   = 2  /**< cost4 and mode4 */
};

/**
 * Intra prediction of one macroblock (RFC 6386 sections 12.2 and 12.3). The
 * neighbouring pixels are those of the source instead of the reconstruction, so that
 * macroblocks do not depend on each other.
 *
 * Pixels outside the frame are those of the decoder: the row above the frame is 127,
 * also beyond its ends; the column to the left is 129. DC_PRED of a macroblock
 * averages only the edges that the frame has. The four sub-blocks at the right edge
 * of a macroblock all use the row above the macroblock to the right as their
 * above-right pixels. Distortions are SATD, see cudame_satd_fn.
 */
typedef struct cudame_intra {
    uint16_t satd16[4];  /**< SATD of DC_PRED, V_PRED, H_PRED and TM_PRED, without
                              rate; saturates at 65535 */
    uint16_t cost4;      /**< sum over the sixteen 4x4 blocks of the lowest SATD +
                              rate; saturates at 65535 */
    uint16_t pending;    /**< sum of CUDAME_INTRA_*: these parts are not valid
                              before cudame_complete_intra() */
    uint8_t mode4[16];   /**< for each 4x4 block in raster order: the low nibble is the
                              mode with the lowest SATD + rate (saturated; the first of
                              equals), the high nibble the second lowest */
} cudame_intra;

/** Receives a message without a newline, in the thread that called the library. The
 *  library makes one call at a time for each context. The function must not call the
 *  context. */
typedef void (*cudame_log_fn)(void *opaque, int is_error, const char *text);

typedef struct cudame_config {
    size_t size;                 /**< sizeof(cudame_config) */
    enum cudame_backend backend;
    enum cudame_mode mode;
    enum cudame_search search;
    int range;                   /**< FULL search: pixels in each direction, 1..128;
                                      0: 32 */
    int level;                   /**< LEAN search: 0 (best vectors) .. 4 (least time) */
    int width, height;           /**< of the frame, pixels, 1..CUDAME_MAX_DIMENSION */
    int threads;                 /**< 1..64. CPU backend: number of threads that search;
                                      the callers of cudame_wait_row() search too and
                                      count as one. CUDA: number of threads that wait
                                      for rows; with more than one, rows come at
                                      shorter intervals */
    int device;                  /**< CUDA ordinal; -1: the least loaded device. With
                                      cu_context it must be the device of that context */
    void *cu_context;            /**< CUcontext to use, or NULL: one of its own. It must
                                      outlive the cudame_context */
    void *cu_stream;             /**< CUstream on which planes in device memory are made;
                                      NULL: the default one */
    int band_rows;               /**< CUDA: macroblock rows of one launch; 0: chosen for
                                      speed */
    int fallback;                /**< not 0, CUDA: if the device fails, continue on the
                                      CPU backend, with the same result. The failure is
                                      logged as an error, once. An open frame with a
                                      source or reference in device memory only cannot
                                      continue: its rows return errors. With LEAN the
                                      CPU also makes single rows that the device is
                                      late with, and whole frames after four late frames
                                      in a row */
    int cuda_after_ms;           /**< CUDA with fallback: start on the CPU backend, which
                                      takes no planes in device memory. After this many
                                      ms of search_ns, start CUDA in a thread. The first
                                      frame that begins after CUDA is ready uses it,
                                      with the same result. 0: start CUDA in
                                      cudame_create() */
    int whole_frames;            /**< not 0: cudame_code_frame() will be called for most
                                      frames. CUDA then allocates the memory for it when
                                      it starts, not at the first frame; with
                                      cuda_after_ms, all but some MB */
    cudame_log_fn log;           /**< or NULL */
    void *log_opaque;
} cudame_config;

/** A luma plane that belongs to the caller. */
typedef struct cudame_plane {
    const uint8_t *data;  /**< first pixel of the frame, inside the border */
    ptrdiff_t stride;     /**< bytes between rows; may be negative */
    int width, height;    /**< valid pixels, at least the frame's size. Up to whole
                               macroblocks the edge pixels are replicated; pixels
                               beyond that are not used */
    int border;           /**< valid replicated pixels on every side; may be 0 */
    int on_device;        /**< not 0: data is a CUdeviceptr (CUDA backend only) */
    int persistent;       /**< not 0: host memory, border included, that stays allocated
                               until cudame_forget_memory(), cudame_resize() or
                               cudame_destroy(). The CUDA backend may register it with
                               the driver; uploads then take no CPU time */
} cudame_plane;

typedef struct cudame_frame {
    cudame_plane source;
    /** The same pixels in device memory (on_device), or NULL. The CUDA backend reads
     *  them instead of uploading source, and reads source only if the CPU has to
     *  continue. The plane may have fewer rows and columns than source if the missing
     *  pixels of source are replicated edge pixels. */
    const cudame_plane *device_source;
    /** For each CUDAME_REF_*: the id of the reference to search, or 0: none. [0] must
     *  be 0. Slots with equal ids share one search; the first of these slots gives the
     *  vectors of the frame before, which predict those of this frame. */
    uint64_t ref_id[CUDAME_REFS];
    enum cudame_filter filter;
    /** Tables of vector rates, in 1/256 bit: the rate of a vector is
     *  mv_cost[0][d.row] + mv_cost[1][d.col], with d = vector minus prediction in
     *  quarter pixels, clamped to -1023..1023. The pointers point to the entry of 0.
     *  NULL: vectors are free. Entries are clamped to 0..524287. */
    const int *mv_cost[2];
    int sad_per_bit;   /**< lambda: the SAD or SATD that is worth one bit, 0..2047. The
                            cost of a vector is its distortion +
                            ((rate * sad_per_bit + 128) >> 8) */
    /** Rates of the CUDAME_BMODES sub-block modes in 1/256 bit, clamped to 0..524287 and
     *  weighted like vector rates. NULL: no intra estimates. */
    const int *bmode_cost;
} cudame_frame;

/** Sums since the context was created. */
typedef struct cudame_stats {
    uint64_t wait_ns;        /**< time that callers spent in cudame_wait_row(),
                                  cudame_intra_row() and cudame_code_frame(), summed over
                                  threads */
    uint64_t search_ns;      /**< search time, summed over CPU threads, or of the device, with
                                  whole_frames estimated from some frames;
                                  without cudame_complete_split() and
                                  cudame_complete_intra() */
    uint64_t ref_bytes;      /**< bytes of references copied or uploaded; a change of the
                                  backend copies them again */
    uint64_t source_bytes;   /**< bytes of sources copied or uploaded */
    uint64_t late_rows;      /**< rows that the CPU made because the device was late with
                                  them, see cudame_config.fallback */
} cudame_stats;

typedef struct cudame_context cudame_context;

/** Fill a config with defaults: CPU, MODE_FULL, DEFAULT search, one thread, any device.
 *  The caller then sets width and height, and size to its own sizeof(cudame_config),
 *  which cudame_create() compares with the library's. */
void cudame_config_default(cudame_config *config);

/** Return 1 if this build has the backend, else 0. A device may still be missing. */
int cudame_has_backend(enum cudame_backend backend);

/** A CUDA device. */
typedef struct cudame_device {
    char name[128];
    int compute_major, compute_minor; /**< compute capability */
} cudame_device;

/**
 * Describe the CUDA devices without starting any. devices[n] is the device with
 * ordinal n, as in cudame_config.device.
 * @param max  number of entries of devices; no more are written
 * @param err  gets the reason of an error, as in cudame_create()
 * @return the number of devices, or an error; CUDAME_ERROR_UNAVAILABLE if there are none
 */
int cudame_list_devices(cudame_device *devices, int max, char *err, size_t err_size);

/**
 * Create a context. On failure *ctx becomes NULL and err, if not NULL, gets the reason as
 * text, at most err_size bytes with the terminator.
 */
int cudame_create(cudame_context **ctx, const cudame_config *config,
                  char *err, size_t err_size);

/** Free the context. Waits for its work, also for a start of CUDA in the background. NULL
 *  is allowed. */
void cudame_destroy(cudame_context *ctx);

/**
 * Announce a reference buffer, or those of its rows that are final now.
 * The plane must stay valid and unchanged until cudame_retire_reference().
 * @param id         not 0, and never used again for other content
 * @param first_row  first final pixel row; 0 for a whole frame. Rows come in order. All
 *                   rows of the frame, padded to whole macroblocks but at most the
 *                   plane's height, must be final before a frame that uses the buffer
 *                   begins
 * @param rows       number of final pixel rows
 */
int cudame_submit_reference(cudame_context *ctx, uint64_t id,
                            const cudame_plane *plane, int first_row, int rows);

/** Forget a buffer. Unknown ids are ignored. */
int cudame_retire_reference(cudame_context *ctx, uint64_t id);

/**
 * Start the analysis of a frame. The source must stay valid until cudame_end_frame();
 * cost tables are copied. The vectors of the frame before predict those of this frame,
 * slot by slot. A slot that was not searched in the frame before has no prediction.
 * cudame_reset(), cudame_resize() and a failure of this call drop all predictions.
 */
int cudame_begin_frame(cudame_context *ctx, const cudame_frame *frame);

/**
 * Wait for one row of macroblocks.
 * @param rows    rows[CUDAME_REF_*] becomes an array of (width + 15) / 16 records, or
 *                NULL if the slot is not searched. The records belong to the context and
 *                do not change until cudame_end_frame(), except by
 *                cudame_complete_split()
 * @param splits  the same for the smaller blocks; NULL for all slots with
 *                CUDAME_MODE_FAST. May be NULL if they are not wanted
 */
int cudame_wait_row(cudame_context *ctx, int mb_row,
                    const cudame_mb *rows[CUDAME_REFS],
                    const cudame_split *splits[CUDAME_REFS]);

/**
 * Wait for the intra estimates of one row of macroblocks. The call does not depend on
 * cudame_wait_row().
 * @param row  becomes an array of (width + 15) / 16 records, which belong to the context
 *             and do not change until cudame_end_frame(), except by
 *             cudame_complete_intra()
 */
int cudame_intra_row(cudame_context *ctx, int mb_row, const cudame_intra **row);

/**
 * Make the parts of a record that are pending: a split with CUDAME_MB_PENDING, or the
 * parts in cudame_intra.pending. The row must have been waited for. An encoder that does
 * not need a part saves its time. One thread at a time for each row; rows are independent.
 * Parts that are not pending stay as they are.
 * @param slot   CUDAME_REF_* of a record with CUDAME_MB_SPLIT
 * @param parts  sum of CUDAME_INTRA_*
 */
int cudame_complete_split(cudame_context *ctx, int mb_row, int mb_col, int slot);
int cudame_complete_intra(cudame_context *ctx, int mb_row, int mb_col, int parts);

/**
 * Finish a frame: wait for the work that still reads the source. Rows that nobody waited
 * for are searched too, because they predict the next frame.
 */
int cudame_end_frame(cudame_context *ctx);

/** Drop the vectors that would predict the next frame, for example after a key frame. If a
 *  frame is open, its own vectors are dropped when it ends. */
int cudame_reset(cudame_context *ctx);

/** Change the frame size. Forgets references, vectors and persistent memory. After an error
 *  cudame_begin_frame() fails until a cudame_resize() succeeds. */
int cudame_resize(cudame_context *ctx, int width, int height);

/** Announce memory that persistent planes will be in, with config.whole_frames. It stays allocated
 *  until cudame_forget_memory() or cudame_resize(). The CUDA backend registers it with the driver,
 *  so that the first frames are copied as fast as later ones; otherwise it does so after some
 *  copies. Waits for up to 100 ms, because registrations hold up other encoders. Between frames. */
int cudame_expect_memory(cudame_context *ctx, const void *memory, size_t size);

/** Stop using all persistent memory given so far. Call it between frames, before that memory
 *  is freed. Planes given later may be persistent again. */
int cudame_forget_memory(cudame_context *ctx);

/** Return the backend in use: the config's, or the CPU's before cuda_after_ms and after a
 *  fallback. This call, the next two and cudame_get_stats() cannot fail. */
enum cudame_backend cudame_backend_in_use(const cudame_context *ctx);

/** Return the CUDA ordinal of the device in use, or -1 while the CPU backend is in use. */
int cudame_device_in_use(const cudame_context *ctx);

/** Return 1 if CUDA failed or could not be started, so that the CPU backend stays in use,
 *  else 0. */
int cudame_fell_back(const cudame_context *ctx);

void cudame_get_stats(const cudame_context *ctx, cudame_stats *stats);

/** SATD of two blocks: half the sum of the absolute coefficients of the 4x4 Hadamard
 *  transforms of their difference. The unit of cudame_mb.dist with MODE_FULL. */
typedef uint32_t (*cudame_satd_fn)(const uint8_t *a, ptrdiff_t a_stride,
                                   const uint8_t *b, ptrdiff_t b_stride);

/** Return the fastest function of this CPU for blocks of size x size pixels; size is 16, 8
 *  or 4, else the result is NULL. Thread-safe. */
cudame_satd_fn cudame_satd(int size);

/** Return the text of the last error of this context, or an empty string. It is valid until
 *  the next call, in any thread, that fails. */
const char *cudame_last_error(const cudame_context *ctx);

/** Return the name of an error code, a string constant. */
const char *cudame_error_name(int code);

#ifdef __cplusplus
}
#endif

#endif /* CUDAME_CUDAME_H */
