// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The stage that codes a whole frame after its search. The records of the search, intra estimates,
// luma of the source, and references that the device has filtered are there already. It uploads
// chroma of the source and of other references, and the tables of the frame. It downloads the
// reconstruction, the tokens with their counts, and the filtered picture. Kernels write their other
// results to host memory.
// Planes in registered memory are copied in place, others through pinned memory.

#ifndef CUDAME_CUDA_FRAME_CODER_H_
#define CUDAME_CUDA_FRAME_CODER_H_

#include <chrono>
#include <memory>

#include "cuda/denoiser.h"
#include "cuda/kernel.h"
#include "cuda/search_stage.h"
#include "cuda/upload.h"

namespace cudame {

class FrameCoder {
  public:
    // Lets all coders wait `times` times as long for each of a frame's steps. For tests on a device
    // that a checker slows down.
    static void SetPatience(int times);

    FrameCoder(StreamsPtr streams, Uploader* uploader);
    ~FrameCoder();

    // Forgets the filtered picture. Memory is allocated at the first Code() after this, or by
    // Prepare(). While no kernel runs.
    void Resize(const Geometry& g);
    // Allocates memory early, so that the first frames need not. `stream` is that of Code(). With
    // the context current.
    void Prepare(StreamName stream);

    // The frame's data on the device, by reference. NULL: it was not searched.
    struct Known {
        PlanePool::Planes* planes[CUDAME_REFS];
        const cudame_mb* records[CUDAME_REFS];
        const cudame_split* splits[CUDAME_REFS];
        const DevicePlane*
            others[CUDAME_REFS];    // luma of references that were not searched, or NULL
        const DevicePlane* source;  // luma
        const cudame_intra* intra;
        const int* costs;  // of vectors, as SourceUpload::costs()
    };
    // Codes a frame on a stream after all that was enqueued there, and waits for the result. Throws
    // if libvpx has to code it, CUDAME_ERROR_UNAVAILABLE if the device is late. With the context
    // current.
    void Code(StreamName stream, const Known& known, cudame_whole_frame* frame);

    // Filters the frame that was coded last, and waits for the result. Throws as Code().
    // Also writes the tokens and the modes, if the filter has them.
    void Filter(StreamName stream, const cudame_frame_filter& filter);

    // How long to wait for a step of a frame.
    std::chrono::steady_clock::duration Patience() const;

    // Luma of the frame that was coded last, before the filter. recon: where its reconstruction is
    // in the host's memory. NULL: it is not on the device. It stays until Filter(), the next Code()
    // or ForgetCoded().
    const DevicePlane* Coded(const uint8_t* recon) const;
    // The same for the luma of its denoised picture. NULL: there is none.
    const DevicePlane* CodedDenoised(const uint8_t* denoised) const;
    void ForgetCoded() { coded_ = coded_denoised_ = nullptr; }

    // Y, U and V of the filtered picture that has this id, without borders, until Code() or
    // ForgetFiltered(). NULL: it is not on the device.
    const DevicePlane (*Filtered(uint64_t id) const)[3];
    void ForgetFiltered() { filtered_ = 0; }
    // Forgets the denoised pictures.
    void ForgetDenoised();

  private:
    struct Buffers;

    void Allocate(CUstream stream);
    uint8_t* Staged();
    void UploadTables(const Known& known, const cudame_whole_frame& frame, CUstream stream,
                      CoderFrame* f);
    void Upload(const cudame_plane& from, const DevicePlane& to, bool in_place, CUstream stream);
    bool IsRegistered(const cudame_planes& recon);
    bool JoinChroma(const cudame_planes& planes, cudame_plane* both);
    void EnqueueChroma(const DevicePlane (&from)[3], const cudame_planes& to, CUstream stream);
    void EnqueuePicture(const DevicePlane (&from)[3], int planes, const cudame_planes& to,
                        CUstream stream);
    void EnqueueDownload(const DevicePlane& from, int plane, uint8_t* to, int stride, int rows,
                         CUstream stream);
    void CopyStaged(const cudame_planes& to, int planes) const;
    void CopyToHost(const void* from, void* to, size_t size, CUstream stream) const;
    void MarkEnd(CUstream stream) const;
    bool HasEnded() const;
    RowCounters Begin();
    const Kernel<FrameCoderParams>& CoderOf(const CoderFrame& f, bool* many) const;
    void LaunchCoder(bool many, FrameCoderParams p, CUstream stream) const;
    void Await(CUstream stream, int patience, std::chrono::steady_clock::duration* usual) const;
    std::chrono::steady_clock::time_point Latest(int patience) const;
    bool AwaitEnd(CUstream stream, std::chrono::microseconds nap,
                  std::chrono::steady_clock::time_point latest) const;
    void EnqueueTokens(CUstream stream) const;
    void AwaitCopies(bool has_limit, CUstream stream) const;
    void Download(const DevicePlane (&from)[3], int planes, const cudame_planes& to, bool in_place,
                  CUstream stream);
    void DownloadDenoised(const cudame_planes& to, bool recon_in_place, CUstream stream);
    template <class Fn>
    void OrStop(Fn work);

    StreamsPtr streams_;
    Uploader* uploader_;
    Kernel<FrameCoderParams> code_rows_, code_groups_, code_split_groups_, code_denoised_rows_,
        code_denoised_groups_, code_key_rows_, code_key_groups_;
    Kernel<FrameFilterParams> filter_rows_;
    int most_rows_ = kGroupRows;  // of a group on this device
    Geometry g_;
    std::unique_ptr<Buffers> buffers_;
    std::unique_ptr<Denoiser> denoiser_;  // NULL: no frame had one yet
    // See Coded() and CodedDenoised().
    const uint8_t *coded_ = nullptr, *coded_denoised_ = nullptr;
    uint64_t filtered_ = 0;  // id of the picture that was filtered last; 0: there is none
    // Time that a frame takes.
    std::chrono::steady_clock::duration usual_{}, usual_key_{}, usual_filter_{};
};

}  // namespace cudame

#endif  // CUDAME_CUDA_FRAME_CODER_H_
