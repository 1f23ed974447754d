# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Raw clips: the user's, or clips from Debian packages and generated ones."""

import glob
import os
import re
import subprocess

from lib.raw import Source, lengthen
from lib.sources import GENERATED

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# name: size; tools/parity/sources.py generates them
OWN_GENERATED = {"drift": "352x288", "cuts": "640x360"}

DOC = "usr/share/doc/opencv-doc"
# A car park from above, and two webcam clips of an object that is turned.
IN_PACKAGES = {"opencv-doc": (f"{DOC}/examples/data/vtest.avi", f"{DOC}/opencv4/html/box.mp4.gz",
                              f"{DOC}/opencv4/html/cup.mp4.gz")}


class Clips:
    """Clips by name, decoded into a folder on first use."""

    def __init__(self, ffmpeg, folder, paths=()):
        self.ffmpeg, self.folder = ffmpeg, folder
        os.makedirs(folder, exist_ok=True)
        self.inputs = {}  # name -> ffmpeg's arguments
        self.origin = {}
        for path in find(paths):
            name = os.path.splitext(os.path.basename(path))[0]
            self.inputs[name] = ["-i", path]
            self.origin[name] = "user"
        if not self.inputs:
            self.add_own()

    def add_own(self):
        for package, name, found in debian(self.ffmpeg, self.folder):
            self.inputs[name] = ["-i", found]
            self.origin[name] = f"Debian package {package}" if package else "generated"
        for name, size in OWN_GENERATED.items():
            width, height = size.split("x")
            graph = GENERATED[name].format(s=size, w=width, h=height)
            self.inputs[name] = ["-f", "lavfi", "-i", graph + "[out0]"]
            self.origin[name] = "generated"

    def decode(self, name, frames):
        """A raw clip of at most this number of frames."""
        path = os.path.join(self.folder, f"{name}-{frames}.y4m")
        if not os.path.exists(path):
            part = path + f".{os.getpid()}.part"
            done = subprocess.run(
                [self.ffmpeg, "-v", "error", "-nostdin", "-y"] + self.inputs[name] +
                ["-map", "0:v:0" if self.inputs[name][0] == "-i" else "0", "-frames:v", str(frames),
                 "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", part], capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"evaluate: clip {name}: {done.stderr}")
            os.replace(part, path)
        return Source.of(path)

    def get(self, name, part):
        """The raw clip that a part encodes."""
        source = self.decode(name, part.frames)
        frames = part.frames_of(source.width, source.height)
        if source.frames > frames:
            return self.decode(name, frames)
        if not part.back_and_forth or source.frames == frames:
            return source
        # For a part that is only timed, ffmpeg repeats the clip, so one period is enough:
        # once forwards and once backwards.
        frames = frames if part.quality else max(2 * source.frames - 2, 1)
        path = os.path.join(self.folder, f"{name}-turning-{frames}.y4m")
        return Source.of(path) if os.path.exists(path) else lengthen(source, frames, path)


def find(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from sorted(p for p in glob.glob(os.path.join(path, "*"))
                              if re.search(r"\.(mkv|mp4|webm|y4m|avi|mov|nut)$", p))
        elif os.path.exists(path):
            yield path
        else:
            raise SystemExit(f"evaluate: {path}: no such file")


def debian(ffmpeg, folder):
    """(package, name, path) of clips from Debian packages."""
    done = subprocess.run([os.path.join(TOOLS, "demo-clip"), folder], capture_output=True, text=True,
                          env=dict(os.environ, FFMPEG=ffmpeg))
    sys.stderr.write(done.stderr)
    if done.returncode:
        raise SystemExit("evaluate: tools/demo-clip made no clip")
    path = done.stdout.strip()
    city = os.path.basename(path) == "city.nut"
    yield ("python-kivy-examples", "city", path) if city else ("", "swing", path)
    for package, members in IN_PACKAGES.items():
        done = subprocess.run([os.path.join(TOOLS, "debian-file"), folder, package, *members],
                              capture_output=True, text=True)
        if done.returncode:
            print(f"evaluate: package {package} is not available, so {len(members)} clips are missing: "
                  f"{done.stderr.strip()}", file=sys.stderr)
            continue
        for member in members:
            path = os.path.join(folder, os.path.basename(member).removesuffix(".gz"))
            yield package, os.path.splitext(os.path.basename(path))[0], path
