# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Describes a run: machine, versions, commit and command."""

import datetime
import glob
import hashlib
import os
import pathlib
import re
import subprocess

# This file may be reached by a link or be a copy, at another depth.
TOP = str(next(p for p in pathlib.Path(__file__).resolve().parents if (p / "VERSION").exists()))


def output(*command):
    """Standard output of a program; empty if it does not exist."""
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              cwd=TOP).stdout.strip()
    except OSError:
        return ""


def cpu():
    with open("/proc/cpuinfo") as f:
        model = re.search(r"model name\s*: (.*)", f.read())
    return re.sub(r"\s+", " ", model[1]).strip() if model else os.uname().machine


def gpu():
    return output("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").replace("\n", ", ")


def version():
    with open(os.path.join(TOP, "VERSION")) as f:
        return f.read().strip()


def commit():
    """The last commit that changed the encoder, with "-changed" for a modified tree; or COMMIT."""
    code = ("cudame", "libavcodec", "libvpx", "patches")
    found = os.environ.get("COMMIT") or output("git", "log", "-1", "--format=%h", "--", *code)
    if not found:
        raise SystemExit("evaluate: this is no git repository: set COMMIT to the commit of the programs")
    changed = not os.environ.get("COMMIT") and output("git", "status", "--porcelain", "--", *code)
    return found + ("-changed" if changed else "")


def streams():
    """A checksum of the FATE references, which change with the encoder's streams."""
    total = hashlib.sha1()
    for path in sorted(glob.glob(os.path.join(TOP, "tests", "ref", "fate", "vp8-cudame*"))):
        with open(path, "rb") as f:
            total.update(f.read())
    return total.hexdigest()[:8]


def ffmpeg_version(program):
    return re.search(r"version (?:n|\d+:)?([\d.]+\d)", output(program, "-version"))[1]


def libvpx_version(program):
    done = subprocess.run([program, "-v", "verbose", "-f", "lavfi", "-i", "color=s=16x16",
                           "-frames:v", "1", "-c:v", "libvpx", "-f", "null", "-"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return re.search(r"\[libvpx @ [^]]*\] v([\d.]+)", done.stderr)[1]


def describe(programs, command):
    """The note of a new run; programs: "ffmpeg", "stock", optionally "peer"."""
    run = {"version": version(), "commit": commit(), "streams": streams(), "cpu": cpu(),
           "cores": len(os.sched_getaffinity(0)), "gpu": gpu(),
           "ffmpeg": ffmpeg_version(programs["ffmpeg"]), "libvpx": libvpx_version(programs["stock"])}
    if "peer" in programs:
        run["peer"] = ffmpeg_version(programs["peer"])
    name = hashlib.sha1(repr(sorted(run.items())).encode()).hexdigest()[:6]
    return {"id": name, "date": datetime.date.today().isoformat(), "command": command, **run}


def by_command(run):
    """The run with an id that depends on its command, for tables with rows of several commands."""
    name = hashlib.sha1((run["id"] + run["command"]).encode()).hexdigest()[:6]
    return dict(run, id=name)


def build_of(run, setting):
    """The build that a setting's streams depend on; rows of another build are outdated."""
    if setting.program == "ffmpeg":
        return run["commit"]
    return f"libvpx {run['libvpx']}" if setting.program == "stock" else f"FFmpeg {run['peer']}"
