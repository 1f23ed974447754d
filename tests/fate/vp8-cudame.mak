# Tests of the encoder vp8_cudame. The references are MD5 sums of the packets. All
# tests use the CPU backend. "make fate-vp8-cudame" runs them.

VP8_CUDAME_COMMA := ,
VP8_CUDAME_NEEDS  = VP8_CUDAME_ENCODER FRAMEMD5_MUXER PIPE_PROTOCOL FILE_PROTOCOL
VP8_CUDAME_VSYNTH = -f rawvideo -s 352x288 -pix_fmt yuv420p -i $(TARGET_PATH)/tests/data/vsynth$(1).yuv
VP8_CUDAME_CODEC  = -c:v vp8_cudame -me_backend cpu -threads 1

# $(1): name, $(2): input options, $(3): encoder options, $(4): required components
# in addition to VP8_CUDAME_NEEDS
define FATE_VP8_CUDAME_TEST
FATE_VP8_CUDAME-$$(call ALLYES, $$(VP8_CUDAME_NEEDS) $(4)) += fate-vp8-cudame-$(1)
fate-vp8-cudame-$(1): CMD = framemd5 $(2) $$(VP8_CUDAME_CODEC) -lag-in-frames 0 $(3)
fate-vp8-cudame-$(1): REF = $$(SRC_PATH)/tests/ref/fate/vp8-cudame-$(1)
endef

VP8_CUDAME_RAW = RAWVIDEO_DEMUXER RAWVIDEO_DECODER
VP8_CUDAME_DL-best = -deadline best
VP8_CUDAME_DL-good = -deadline good -cpu-used 1
VP8_CUDAME_DL-rt   = -deadline realtime -cpu-used -8

# Every mode at every deadline.
$(foreach M,off fast splitmv tex full,$(foreach D,best good rt,$(eval $(call FATE_VP8_CUDAME_TEST,$(M)-$(D),$(call VP8_CUDAME_VSYNTH,1),-cuda_me $(M) $(VP8_CUDAME_DL-$(D)) -b:v 400k -frames:v 6,$(VP8_CUDAME_RAW)))))

# The ends of the range of cpu-used, realtime settings between them, and fixed
# quantizers.
$(foreach C,0 5,$(eval $(call FATE_VP8_CUDAME_TEST,full-good$(C),$(call VP8_CUDAME_VSYNTH,2),-cuda_me full -deadline good -cpu-used $(C) -b:v 200k -frames:v 5,$(VP8_CUDAME_RAW))))
$(foreach C,4 12 16,$(eval $(call FATE_VP8_CUDAME_TEST,full-rt$(C),$(call VP8_CUDAME_VSYNTH,2),-cuda_me full -deadline realtime -cpu-used -$(C) -b:v 200k -frames:v 5,$(VP8_CUDAME_RAW))))
$(foreach Q,4 63,$(eval $(call FATE_VP8_CUDAME_TEST,full-q$(Q),$(call VP8_CUDAME_VSYNTH,1),-cuda_me full -deadline good -cpu-used 2 -b:v 1M -qmin $(Q) -qmax $(Q) -frames:v 4,$(VP8_CUDAME_RAW))))
$(eval $(call FATE_VP8_CUDAME_TEST,full-keyframes,$(call VP8_CUDAME_VSYNTH,1),-cuda_me full -deadline good -cpu-used 4 -b:v 300k -g 3 -frames:v 8,$(VP8_CUDAME_RAW)))
$(eval $(call FATE_VP8_CUDAME_TEST,full-layers,$(call VP8_CUDAME_VSYNTH,1),-cuda_me full -deadline realtime -cpu-used -6 -b:v 300k -error-resilient 1 -ts-parameters ts_number_layers=2:ts_target_bitrate=180$(VP8_CUDAME_COMMA)300:ts_layering_mode=2 -frames:v 6,$(VP8_CUDAME_RAW)))

# Profiles 1 and 2 with bilinear filters, and profile 3 with full-pixel chroma.
$(foreach P,1 2 3,$(eval $(call FATE_VP8_CUDAME_TEST,full-profile$(P),$(call VP8_CUDAME_VSYNTH,1),-cuda_me full -deadline good -cpu-used 1 -profile:v $(P) -b:v 400k -frames:v 4,$(VP8_CUDAME_RAW))))

# The searches that are not the default.
$(eval $(call FATE_VP8_CUDAME_TEST,fast-iterative,$(call VP8_CUDAME_VSYNTH,2),-cuda_me fast -me_search iterative -deadline good -b:v 300k -frames:v 5,$(VP8_CUDAME_RAW)))
$(eval $(call FATE_VP8_CUDAME_TEST,splitmv-full,$(call VP8_CUDAME_VSYNTH,2),-cuda_me splitmv -me_search full -me_range 8 -deadline best -b:v 300k -frames:v 5,$(VP8_CUDAME_RAW)))
$(eval $(call FATE_VP8_CUDAME_TEST,full-diamond,$(call VP8_CUDAME_VSYNTH,2),-cuda_me full -me_search diamond -deadline good -b:v 300k -frames:v 5,$(VP8_CUDAME_RAW)))

# The lean search at several levels.
$(foreach S,0 2 5,$(eval $(call FATE_VP8_CUDAME_TEST,lean-good$(S),$(call VP8_CUDAME_VSYNTH,2),-me_search lean -deadline good -cpu-used $(S) -b:v 300k -frames:v 5,$(VP8_CUDAME_RAW))))
$(eval $(call FATE_VP8_CUDAME_TEST,lean-off,$(call VP8_CUDAME_VSYNTH,2),-me_search lean -guide off -deadline best -b:v 300k -frames:v 5,$(VP8_CUDAME_RAW)))

# The guided mode decision at every level, and without a guide.
$(foreach G,off safe normal aggressive,$(eval $(call FATE_VP8_CUDAME_TEST,guide-$(G),$(call VP8_CUDAME_VSYNTH,2),-cuda_me full -guide $(G) -deadline good -cpu-used 1 -b:v 300k -frames:v 5,$(VP8_CUDAME_RAW))))
$(eval $(call FATE_VP8_CUDAME_TEST,guide-rt-off,$(call VP8_CUDAME_VSYNTH,2),-cuda_me full -guide off -deadline realtime -cpu-used -8 -b:v 300k -frames:v 5,$(VP8_CUDAME_RAW)))

# Rate control at a variable bitrate, for long enough that its averages are used, with
# a key frame because of -g.
$(eval $(call FATE_VP8_CUDAME_TEST,vbr-good,$(call VP8_CUDAME_VSYNTH,2),-deadline good -cpu-used 2 -b:v 300k -g 16 -frames:v 24,$(VP8_CUDAME_RAW)))
$(eval $(call FATE_VP8_CUDAME_TEST,vbr-rt,$(call VP8_CUDAME_VSYNTH,2),-deadline realtime -cpu-used -8 -b:v 300k -g 16 -frames:v 24,$(VP8_CUDAME_RAW)))

# Live streams at a constant bitrate, as programs of WebRTC set them: denoiser, error
# resilience, two and three temporal layers.
VP8_CUDAME_LIVE = -deadline realtime -cpu-used -6 -b:v 300k -minrate 300k -maxrate 300k -bufsize 300k -g 3000
$(foreach N,1 4,$(eval $(call FATE_VP8_CUDAME_TEST,live-denoiser$(N),$(call VP8_CUDAME_VSYNTH,2),$(VP8_CUDAME_LIVE) -noise-sensitivity $(N) -static-thresh 1 -qmin 2 -qmax 56 -frames:v 30,$(VP8_CUDAME_RAW))))
$(eval $(call FATE_VP8_CUDAME_TEST,live-resilient,$(call VP8_CUDAME_VSYNTH,2),$(VP8_CUDAME_LIVE) -error-resilient default -frames:v 30,$(VP8_CUDAME_RAW)))
$(eval $(call FATE_VP8_CUDAME_TEST,live-layers2,$(call VP8_CUDAME_VSYNTH,2),$(VP8_CUDAME_LIVE) -error-resilient default -ts-parameters ts_number_layers=2:ts_target_bitrate=180$(VP8_CUDAME_COMMA)300:ts_layering_mode=2 -frames:v 30,$(VP8_CUDAME_RAW)))
$(eval $(call FATE_VP8_CUDAME_TEST,live-layers3,$(call VP8_CUDAME_VSYNTH,2),$(VP8_CUDAME_LIVE) -error-resilient default -ts-parameters ts_number_layers=3:ts_target_bitrate=120$(VP8_CUDAME_COMMA)180$(VP8_CUDAME_COMMA)300:ts_layering_mode=3 -frames:v 30,$(VP8_CUDAME_RAW)))

# One pass with a lookahead: default length, key frames because of -g, hidden frames,
# constrained quality.
$(eval $(call FATE_VP8_CUDAME_TEST,ahead-best,$(call VP8_CUDAME_VSYNTH,2),-lag-in-frames 25 -deadline best -b:v 300k -frames:v 40,$(VP8_CUDAME_RAW)))
$(eval $(call FATE_VP8_CUDAME_TEST,ahead-good,$(call VP8_CUDAME_VSYNTH,1),-lag-in-frames 8 -deadline good -cpu-used 2 -b:v 200k -g 20 -frames:v 30,$(VP8_CUDAME_RAW)))
$(eval $(call FATE_VP8_CUDAME_TEST,ahead-altref,$(call VP8_CUDAME_VSYNTH,2),-lag-in-frames 16 -auto-alt-ref 1 -enc_time_base 1:1000 -deadline good -cpu-used 1 -b:v 200k -frames:v 40,$(VP8_CUDAME_RAW)))
$(eval $(call FATE_VP8_CUDAME_TEST,ahead-cq,$(call VP8_CUDAME_VSYNTH,2),-lag-in-frames 25 -crf 20 -deadline good -cpu-used 2 -b:v 500k -frames:v 30,$(VP8_CUDAME_RAW)))

# Frame sizes that are not whole macroblocks.
$(foreach S,1x1 15x16 17x33 34x18 2x200,$(eval $(call FATE_VP8_CUDAME_TEST,size-$(S),$(call VP8_CUDAME_VSYNTH,1) -vf crop=$(subst x,:,$(S)):90:60:exact=1,-cuda_me full -deadline best -b:v 100k -frames:v 8,$(VP8_CUDAME_RAW) CROP_FILTER)))

# Alpha, which has an encoder of its own. The packets are those of the color encoder.
$(eval $(call FATE_VP8_CUDAME_TEST,yuva420p,-f lavfi -i testsrc2=size=96x80:rate=25:alpha=128$(VP8_CUDAME_COMMA)format=yuva420p,-cuda_me full -deadline good -auto-alt-ref 0 -b:v 200k -frames:v 6,LAVFI_INDEV TESTSRC2_FILTER FORMAT_FILTER WRAPPED_AVFRAME_DECODER))

# NV12 input makes the same packets as yuv420p.
$(eval $(call FATE_VP8_CUDAME_TEST,yuv420p,-f lavfi -i testsrc2=size=97x81:rate=25$(VP8_CUDAME_COMMA)format=yuv420p,-cuda_me full -deadline good -b:v 200k -frames:v 6,LAVFI_INDEV TESTSRC2_FILTER FORMAT_FILTER WRAPPED_AVFRAME_DECODER))
$(eval $(call FATE_VP8_CUDAME_TEST,nv12,-f lavfi -i testsrc2=size=97x81:rate=25$(VP8_CUDAME_COMMA)format=yuv420p,-vf scale$(VP8_CUDAME_COMMA)format=nv12 -cuda_me full -deadline good -b:v 200k -frames:v 6,LAVFI_INDEV TESTSRC2_FILTER FORMAT_FILTER SCALE_FILTER WRAPPED_AVFRAME_DECODER))
fate-vp8-cudame-nv12: REF = $(SRC_PATH)/tests/ref/fate/vp8-cudame-yuv420p

# Two passes with a hidden altref frame.
VP8_CUDAME_2PASS = $(call VP8_CUDAME_VSYNTH,2) $(VP8_CUDAME_CODEC) -cuda_me full -deadline good -cpu-used 2 -auto-alt-ref 1 -lag-in-frames 16 -arnr-maxframes 5 -b:v 100k -frames:v 30 -passlogfile $${outdir}/$${test}
FATE_VP8_CUDAME-$(call ALLYES, $(VP8_CUDAME_NEEDS) NULL_MUXER $(VP8_CUDAME_RAW)) += fate-vp8-cudame-full-2pass
fate-vp8-cudame-full-2pass: CMD = ffmpeg $(VP8_CUDAME_2PASS) -pass 1 -f null - && framemd5 $(VP8_CUDAME_2PASS) -pass 2

# The packets of libvpx are those of cuda_me off.
define FATE_VP8_CUDAME_STOCK
FATE_VP8_CUDAME-$$(call ALLYES, $$(VP8_CUDAME_NEEDS) $$(VP8_CUDAME_RAW) LIBVPX_VP8_ENCODER) += fate-vp8-cudame-stock-$(1)
fate-vp8-cudame-stock-$(1): CMD = framemd5 $$(call VP8_CUDAME_VSYNTH,1) -c:v libvpx -threads 1 $$(VP8_CUDAME_DL-$(1)) -b:v 400k -frames:v 6
fate-vp8-cudame-stock-$(1): REF = $$(SRC_PATH)/tests/ref/fate/vp8-cudame-off-$(1)
endef
$(foreach D,best good rt,$(eval $(call FATE_VP8_CUDAME_STOCK,$(D))))

$(FATE_VP8_CUDAME-yes): tests/data/vsynth1.yuv tests/data/vsynth2.yuv

FATE_FFMPEG += $(FATE_VP8_CUDAME-yes)
fate-vp8-cudame: $(FATE_VP8_CUDAME-yes)
