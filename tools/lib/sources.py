# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the source clips with FFmpeg's generators."""

import os
import subprocess

RATE = 25  # frames per second of all sources

# Generators are deterministic: seeds are fixed.
GENERATED = {
    # texture of three octaves that drifts and turns, with grain
    "drift": "color=gray:s=33x27:r=25,noise=alls=100:all_seed=1,trim=end_frame=1,"
             "scale=528:432:flags=bicubic[a];color=gray:s=132x108:r=25,noise=alls=80:all_seed=2,"
             "trim=end_frame=1,scale=528:432:flags=bicubic[b];[a][b]concat=n=2,"
             "tblend=all_mode=average,noise=alls=16:all_seed=3,loop=-1:1:0,setpts=N/25/TB,"
             "rotate=angle=0.15*sin(t):bilinear=1,"
             "crop={w}:{h}:x=90+60*sin(n/40):y=70+40*sin(n/20):exact=1,"
             "noise=alls=3:allf=t:all_seed=5",
    # grain alone, of any size
    "grain": "color=gray:size={s}:rate=25,format=yuv420p,noise=alls=40:allf=t:all_seed=1",
    # moving test pattern with a time stamp, with grain
    "bars": "testsrc2=size={s}:rate=25,noise=alls=10:allf=t:all_seed=7",
    # a fractal that zooms, with grain
    "zoom": "mandelbrot=size={s}:rate=25:start_scale=0.4:end_scale=0.1:end_pts=40,"
            "noise=alls=6:allf=t:all_seed=3",
    # a still fractal under a moving window
    "pan": "mandelbrot=size=1056x576:rate=25:end_pts=400:start_scale=0.3,trim=end_frame=1,"
           "loop=-1:1:0,setpts=N/25/TB,crop={w}:{h}:x=2*n:y=150+100*sin(n/20),"
           "noise=alls=4:allf=t:all_seed=5",
    # a screen: still except for a clock
    "screen": "testsrc=size={s}:rate=25",
    # still for two seconds, then moving
    "still": "mandelbrot=size=528x432:rate=25:end_pts=400:start_scale=0.3,trim=end_frame=1,"
             "loop=-1:1:0,setpts=N/25/TB,crop={w}:{h}:x=60+2*max(0\\,n-50):y=60",
    # five scenes of 20 frames
    "cuts": "testsrc2=size={s}:rate=25,noise=alls=8:allf=t:all_seed=1,trim=end_frame=20[a];"
            "mandelbrot=size={s}:rate=25:start_scale=0.4:end_scale=0.1:end_pts=40,"
            "trim=end_frame=20[b];testsrc=size={s}:rate=25,rotate=t/2,trim=end_frame=20[c];"
            "mandelbrot=size={s}:rate=25:start_scale=0.02:end_scale=0.01:end_pts=40,hflip,"
            "trim=end_frame=20[d];nullsrc=size={s}:rate=25,"
            "geq=lum=128+60*sin(X/23+T*3)+40*cos(Y/17-T*2):cb=128+20*sin(X/40):cr=128,"
            "trim=end_frame=20[e];[a][b][c][d][e]concat=n=5",
}
# the drifting texture with an opaque disc
GENERATED["alpha"] = GENERATED["drift"] + (
    ",format=yuva420p,geq=lum=lum(X\\,Y):cb=cb(X\\,Y):cr=cr(X\\,Y):"
    "a=255*lt(hypot(X-88-40*sin(N/15)\\,Y-72)\\,50)")


class Sources:
    """Raw clips in a folder; each is made once."""

    def __init__(self, ffmpeg, folder, clips):
        self.ffmpeg = ffmpeg
        self.folder = folder
        self.clips = {os.path.splitext(os.path.basename(c))[0]: c for c in clips}

    def get(self, name, size, frames):
        """Path of a raw clip; sizes are WIDTHxHEIGHT."""
        path = os.path.join(self.folder, f"{name}-{size}-{frames}.nut")
        if not os.path.exists(path):
            width, height = size.split("x")
            if name in self.clips:
                source = ["-i", self.clips[name], "-vf", f"scale={width}:{height},fps={RATE}"]
            else:
                graph = GENERATED[name].format(s=size, w=width, h=height)
                source = ["-f", "lavfi", "-i", graph + "[out0]"]
            done = subprocess.run(
                [self.ffmpeg, "-v", "error", "-nostdin", "-y"] + source +
                ["-frames:v", str(frames), "-an", "-pix_fmt",
                 "yuva420p" if name == "alpha" else "yuv420p", "-c:v", "rawvideo", "-f", "nut",
                 path + ".part"], capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"{name}: {done.stderr}")
            os.replace(path + ".part", path)
        return path

    def of_two_sizes(self):
        """Lists of two files each for FFmpeg's concat demuxer: the size changes in mid-stream."""
        small, large = "96x80.ivf", "176x144.ivf"
        for name in (small, large):
            subprocess.run([self.ffmpeg, "-v", "error", "-nostdin", "-y", "-i",
                            self.get("drift", name[:-4], 30), "-c:v", "libvpx", "-b:v", "2M",
                            "-threads", "1", os.path.join(self.folder, name)], check=True,
                           capture_output=True)
        for name, files in (("larger", (small, large)), ("smaller", (large, small))):
            with open(os.path.join(self.folder, f"{name}.txt"), "w") as f:
                f.writelines(f"file {file}\n" for file in files)
