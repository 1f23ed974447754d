# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a number of streams at once, and measures the lateness of frames and the machine's load."""

import csv
import glob
import os
import shutil
import subprocess
import tempfile
import threading
import time


# Options that programs set, beside those of all streams.
PROGRAMS = {
    "none": (),
    "aiortc": ("noise-sensitivity=4", "static-thresh=1", "overshoot-pct=15", "undershoot-pct=100", "qmin=2",
               "qmax=56", "minrate={rate}", "maxrate={rate}", "bufsize={rate}"),
}


class Streams:
    """The command line of a kind of streams. encoder: stock, cpu or gpu. program: of PROGRAMS."""

    def __init__(self, folder, encoder, speed, threads, size, clips, program="none"):
        self.encoder, self.size, self.clips, self.more = encoder, size, clips, PROGRAMS[program]
        self.rate = self.bits = 0  # requested and resulting bitrate
        self.program = os.path.join(folder, "streams-stock" if encoder == "stock" else "streams")
        self.options = {
            "stock": ["--encoder", "libvpx"],
            "cpu": ["--encoder", "vp8_cudame", "me_backend=cpu"],
            "gpu": ["--encoder", "vp8_cudame", "me_backend=auto", "me_cuda_after=0"],
        }[encoder] + ["deadline=realtime", f"cpu-used={speed}", f"threads={threads}", "g=99999"]

    def command(self, words, rate=None):
        rate = int(rate or self.rate)
        return ([self.program, self.size] + self.clips + ["--"] + self.options +
                [word.format(rate=rate) for word in self.more] + [f"b={rate}"] + words)


def percentile(ordered, permille):
    return ordered[min(len(ordered) - 1, -(-len(ordered) * permille // 1000) - 1)]


def read_cpu():
    """Ticks of all cores since the machine began: all of them, and those without work."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return sum(ticks), ticks[3] + ticks[4]


class Load(threading.Thread):
    """Measures how busy the machine is between two times, which do not contain the streams' start and end.
    cpu: percentage of all cores; gpu: percentage of time in which kernels ran, and gpu_mb: memory in use, means
    over the devices. None: not known."""

    def __init__(self, devices, begin, end):
        super().__init__()
        self.devices, self.begin, self.end = devices, begin, end
        self.cpu = self.gpu = self.gpu_mb = None
        self.start()

    def run(self):
        time.sleep(max(self.begin - time.time(), 0))
        watch = self.devices and shutil.which("nvidia-smi") and subprocess.Popen(
            ["nvidia-smi", "--query-gpu=utilization.gpu,memory.used", "-i", self.devices,
             "--format=csv,noheader,nounits", "-lms", "500"], stdout=subprocess.PIPE, text=True)
        before = read_cpu()
        time.sleep(max(self.end - time.time(), 0))
        after = read_cpu()
        self.cpu = 100 - 100 * (after[1] - before[1]) / max(after[0] - before[0], 1)
        if not watch:
            return
        watch.terminate()
        rows = [line.split(",") for line in watch.communicate()[0].splitlines() if "," in line]
        if rows:
            self.gpu, self.gpu_mb = (sum(float(row[i]) for row in rows) / len(rows) for i in (0, 1))


def start(commands, env):
    return [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, env=env) for command in commands]


def finish(processes, begin, watch=lambda at: None):
    """Let the processes begin together BEGIN seconds after all are ready. Return their output, and watch(the time
    at which they begin)."""
    if not all(process.stdout.readline() == "ready\n" for process in processes):
        failed = next(p for p in processes if p.poll() not in (0, None)) \
            if any(p.poll() not in (0, None) for p in processes) else processes[0]
        for process in processes:
            process.kill()
        said = failed.communicate()[1]
        raise RuntimeError("streams: " + (said.strip().splitlines() or ["no message"])[-1])
    at = time.time() + begin
    for process in processes:
        process.stdin.write(f"{at:.6f}\n")
        process.stdin.flush()
    watched = watch(at)
    printed = [process.communicate() for process in processes]
    for process, (_, said) in zip(processes, printed):
        if process.returncode:
            raise RuntimeError("streams: " + (said.strip().splitlines() or ["no message"])[-1])
    return [out.split("\n") for out, _ in printed], watched


def waits(folder):
    """From me_stats: ms that a frame waited for the device, and the percentage of late rows."""
    frames = wait = late = rows = cuda = 0
    for path in glob.glob(os.path.join(folder, "*.csv")):
        with open(path, encoding="ascii") as file:
            for row in csv.DictReader(file):
                frames += 1
                wait += int(row["wait_us"])
                late += int(row["late_rows"])
                rows += int(row["rows"])
                cuda += row["backend"] == "cuda"
    if not frames:
        return {}
    return {"wait_ms": f"{wait / 1e3 / frames:.2f}", "late_rows_percent": f"{100 * late / max(rows, 1):.1f}",
            "on_gpu_percent": f"{100 * cuda / frames:.0f}"}


def run(streams, count, processes, fps, seconds, key_every=0, devices="", env=None, stats=False):
    """Run COUNT streams in this number of processes. Times are in ms. KEY_EVERY is in seconds."""
    folder = tempfile.mkdtemp(prefix="density-")
    warm = fps  # frames of the first second, which do not count
    words = ["--fps", str(fps), "--frames", str(warm + fps * seconds), "--skip", str(warm), "--of", str(count),
             "--key-every", str(key_every)]
    if stats and streams.encoder != "stock":
        words += ["--stats", folder]
    shares = [count // processes + (n < count % processes) for n in range(processes)]
    commands, first = [], 0
    for share in shares:
        commands.append(streams.command(words + ["--streams", str(share), "--first", str(first)]))
        first += share
    try:
        printed, load = finish(start(commands, env), 0.3,
                               lambda at: Load(devices, at + warm / fps, at + warm / fps + seconds))
        load.join()
        late = sorted(int(line) for lines in printed for line in lines if line.isdigit())
        limit = 1e6 / fps
        return dict(waits(folder), streams=count, frames=len(late),
                    late=sum(us > limit for us in late),
                    p50=percentile(late, 500) / 1e3, p99=percentile(late, 990) / 1e3,
                    p999=percentile(late, 999) / 1e3, max=late[-1] / 1e3, cpu_percent=load.cpu,
                    gpu_percent=load.gpu, gpu_mb=load.gpu_mb)
    finally:
        shutil.rmtree(folder)
