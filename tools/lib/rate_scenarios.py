# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Streams whose content changes, made of clips and generated pictures, and the settings to code them with."""

import dataclasses
import itertools
import os
import subprocess

from lib.raw import Source, turning

WIDTH, HEIGHT = 640, 360
FRAME = WIDTH * HEIGHT * 3 // 2
LUMA = WIDTH * HEIGHT
FADE = 40  # frames
GAP = 2  # seconds
FRACTAL = f"mandelbrot=s={WIDTH}x{HEIGHT}:r=30"
GENERATED = {
    "noise": f"color=gray:s={WIDTH}x{HEIGHT}:r=30,noise=alls=100:allf=t:all_seed=5",
    "fractal": FRACTAL,
    "grain": f"{FRACTAL},trim=end_frame=1,loop=-1:1,setpts=N/30/TB,noise=alls=8:allf=t:all_seed=5",
}


@dataclasses.dataclass(frozen=True)
class Setting:
    name: str
    options: str        # {R}: bits per second
    buffer: float = 0   # seconds of the bitrate that a buffer holds; 0: none
    peak: float = 1     # rate that fills the buffer, in times of the bitrate
    passes: int = 1
    is_channel: bool = False  # the rate is that of a channel: a large frame is late


def live(name, speed, options="", **more):
    return Setting(name, f"-deadline realtime -cpu-used {speed} -g 3000 -b:v {{R}} {options}".strip(), **more)


def cbr(name, speed, seconds):
    return live(name, speed, f"-minrate {{R}} -maxrate {{R}} -bufsize {{R*{seconds}}}", buffer=seconds,
                is_channel=True)


SETTINGS = (
    cbr("−8 CBR 1 s", -8, 1), cbr("−8 CBR 0.15 s", -8, 0.15), cbr("−8 CBR 6 s", -8, 6),
    cbr("−16 CBR 1 s", -16, 1),
    live("−8 VBR", -8), live("−16 VBR", -16),
    live("−8 VBR, maxrate", -8, "-maxrate {R*2} -bufsize {R*2}", buffer=2, peak=2),
    Setting("good 5", "-deadline good -cpu-used 5 -lag-in-frames 0 -b:v {R}"),
    Setting("good 2", "-deadline good -cpu-used 2 -b:v {R}"),
    Setting("good 2, maxrate", "-deadline good -cpu-used 2 -b:v {R} -maxrate {R} -bufsize {R}", buffer=1),
    Setting("good 2, crf", "-deadline good -cpu-used 2 -b:v {R} -crf 10"),
    Setting("best", "-deadline best -b:v {R}"),
    Setting("best, two passes", "-deadline best -b:v {R} -auto-alt-ref 1 -lag-in-frames 25", passes=2),
)


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    about: str
    kbps: int
    parts: tuple           # of (picture, frames, fade), joined by cuts
    fps: int = 30
    options: str = ""      # more options, of both encoders
    is_changing: bool = True  # quality may step: the content changes
    gaps: tuple = ()       # frames before which the time stamps leave out GAP seconds

    def time(self, frame):
        """When a frame is shown, in seconds."""
        return frame / self.fps + GAP * sum(frame >= gap for gap in self.gaps)

    @property
    def frames(self):
        return sum(frames for _, frames, _ in self.parts)

    @property
    def cuts(self):
        """The frames that follow a cut."""
        return list(itertools.accumulate(frames for _, frames, _ in self.parts))[:-1]


def talk(name, about, kbps, frames, **more):
    return Scenario(name, about, kbps, (("easy", frames, ""),), is_changing=False, **more)


def gaps(*frames):
    left_out = "".join(f"+{30 * GAP}*gte(N\\,{n})" for n in frames)
    return talk("gaps", "two gaps of two seconds in the time stamps", 300, 300, gaps=frames,
                options=f"-vf setpts=(N{left_out})/30/TB -fps_mode passthrough")


def gop(length):
    return talk(f"gop-{length}", f"a talking head, a key frame every {length} frames", 500, 300,
                options=f"-g {length}")


SCENARIOS = (
    Scenario("hard-easy", "foliage, then a talking head", 500, (("hard", 150, ""), ("easy", 330, ""))),
    Scenario("easy-hard", "a talking head, then foliage", 500, (("easy", 150, ""), ("hard", 150, ""))),
    Scenario("hard-easy-hard", "foliage, a talking head, foliage", 500,
             (("hard", 90, ""), ("easy", 150, ""), ("hard", 90, ""))),
    Scenario("cuts-2s", "a cut every two seconds", 500,
             (("hard", 60, ""), ("easy", 60, ""), ("game", 60, ""), ("page", 60, "")) * 2),
    Scenario("game-page", "a game, then its menu", 1000, (("game", 120, ""), ("page", 240, ""))),
    Scenario("slides", "slides", 300, (("slides", 450, ""),)),
    Scenario("camera-off-on", "a talking head, a black picture, the talking head", 400,
             (("easy", 120, ""), ("black", 60, ""), ("easy", 180, ""))),
    Scenario("fade", "a fade to black, and one from black", 400,
             (("easy", 180, "out"), ("easy", 120, "in"))),
    Scenario("flash", "one white frame", 400, (("easy", 120, ""), ("white", 1, ""), ("easy", 180, ""))),
    Scenario("noise-burst", "a second of white noise", 400,
             (("easy", 90, ""), ("noise", 30, ""), ("easy", 180, ""))),
    Scenario("still", "a still picture for a minute", 300, (("fractal", 1800, ""),), is_changing=False),
    Scenario("grain", "a still picture with the noise of a camera", 100, (("grain", 300, ""),), is_changing=False),
    talk("talk", "a talking head at a low rate", 120, 330),
    talk("talk-80", "a talking head at a lower rate", 80, 330),
    talk("talk-5fps", "a talking head at 5 frames per second", 100, 100, fps=5),
    talk("talk-60fps", "a talking head at 60 frames per second", 400, 480, fps=60),
    gaps(90, 200),
    talk("keys-forced", "a key frame is forced every three frames for two seconds", 500, 300,
         options="-force_key_frames expr:between(n,90,150)*not(mod(n,3))"),
) + tuple(gop(n) for n in (1, 2, 3, 4, 6, 10)) + tuple(
    Scenario(f"frames-{n}", f"a stream of {n} frames" if n > 1 else "a stream of one frame", 400,
             (("hard", n, ""),), is_changing=False) for n in (1, 2, 3, 5, 10, 30))


class Sources:
    """Raw streams in a folder; each is made once. clips: paths by the names in SCENARIOS' parts."""

    def __init__(self, ffmpeg, folder, clips):
        self.ffmpeg, self.folder, self.clips = ffmpeg, folder, clips
        os.makedirs(folder, exist_ok=True)

    def decode(self, name, frames):
        """A raw clip of at most this number of frames, scaled."""
        path = os.path.join(self.folder, f"clip-{name}-{frames}.y4m")
        if not os.path.exists(path):
            source = ["-i", self.clips[name]] if name in self.clips else [
                "-f", "lavfi", "-i", GENERATED[name]]
            subprocess.run([self.ffmpeg, "-v", "error", "-nostdin", "-y"] + source + [
                "-map", "0:v:0", "-frames:v", str(frames), "-vf", f"scale={WIDTH}:{HEIGHT},setsar=1",
                "-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe",
                path + ".part"], check=True)
            os.replace(path + ".part", path)
        return Source.of(path)

    def pictures(self, name, frames):
        """Yields raw pictures."""
        if name in ("black", "white"):
            picture = bytes([16 if name == "black" else 235]) * LUMA + b"\x80" * (FRAME - LUMA)
            yield from (picture for _ in range(frames))
            return
        source = self.decode(name, 1 if name == "fractal" else 120 if name in self.clips else frames)
        with open(source.path, "rb") as f:
            for n in turning(source.frames, frames):
                f.seek(source.start + n * source.frame_bytes + len("FRAME\n"))
                yield f.read(FRAME)

    def get(self, scenario):
        """The raw stream of a scenario."""
        path = os.path.join(self.folder, scenario.name + ".y4m")
        if os.path.exists(path):
            return path
        with open(path + ".part", "wb") as f:
            f.write(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F{scenario.fps}:1 Ip A1:1 C420jpeg\n".encode())
            for name, frames, fade in scenario.parts:
                for n, picture in enumerate(self.pictures(name, frames)):
                    f.write(b"FRAME\n" + faded(picture, fade, n, frames))
        os.replace(path + ".part", path)
        return path


def toward(black, weight):
    return bytes(round(black + (value - black) * weight) for value in range(256))


def faded(picture, fade, n, frames):
    """A picture of a part that fades in at its start, or out in its middle."""
    if not fade:
        return picture
    weight = (n / FADE) if fade == "in" else 1 - (n - frames / 3) / FADE
    weight = min(max(weight, 0), 1)
    return picture[:LUMA].translate(toward(16, weight)) + picture[LUMA:].translate(toward(128, weight))
