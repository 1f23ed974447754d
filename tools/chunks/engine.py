# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Distributes chunks by GNU parallel or a Slurm job array."""

import os
import shlex
import shutil
import subprocess
import sys

import plan as planning
from source import Failure

ROUNDS = 3  # attempts for missing chunks
ARRAY = 1000  # tasks at a time; Slurm's default limit is 1001


def worker(plan):
    here = os.path.dirname(os.path.abspath(__file__))
    return [sys.executable, os.path.join(here, "chunks.py"), "encode", plan["work"]]


def parallel_command(plan, numbers, workers, options):
    jobs = ["--jobs", str(workers)] if workers else []
    return (["parallel", "--will-cite", "--line-buffer"] + jobs + options +
            [shlex.join(worker(plan)), "{}", ":::"] + [str(n) for n in numbers])


def slurm_script(plan, numbers):
    """A job script; a task is an index of the list of chunks."""
    cases = " ".join(str(n) for n in numbers)
    return (f"#!/bin/bash\n#SBATCH --requeue\nchunks=({cases})\n"
            f"exec {shlex.join(worker(plan))} \"${{chunks[SLURM_ARRAY_TASK_ID]}}\"\n")


def slurm_command(plan, numbers, workers, options):
    script = os.path.join(plan["work"], "job.sh")
    with open(script, "w", encoding="utf-8") as file:
        file.write(slurm_script(plan, numbers))
    limit = f"%{workers}" if workers else ""
    return (["sbatch", "--wait", f"--array=0-{len(numbers) - 1}{limit}", "--job-name=chunks",
             "--output=" + os.path.join(plan["work"], "slurm-%a.txt")] + options + [script])


def check(engine):
    """Fail early if the engine is not installed."""
    if engine == "parallel":
        said = shutil.which("parallel") and subprocess.run(
            ["parallel", "--version"], capture_output=True, text=True, check=False).stdout
        if not said or "GNU parallel" not in said:
            raise Failure("GNU parallel is missing (Debian: apt-get install parallel)")
    elif not shutil.which("sbatch"):
        raise Failure("Slurm's sbatch is missing (Debian: apt-get install slurm-client)")


def run(plan, engine, workers, options):
    """Run until all chunks exist; repeat failed ones."""
    for _ in range(ROUNDS):
        missing = planning.missing(plan)
        if engine == "slurm":
            for at in range(0, len(missing), ARRAY):
                subprocess.run(slurm_command(plan, missing[at:at + ARRAY], workers, options), check=False)
        elif missing:
            subprocess.run(parallel_command(plan, missing, workers, options), check=False)
        if not planning.missing(plan):
            return
    missing = planning.missing(plan)
    logs = os.path.splitext(planning.chunk_name(plan, missing[0]))[0] + ".log"
    raise Failure(f"{len(missing)} of {len(plan['chunks'])} chunks failed {ROUNDS} times, the first is "
                  f"{missing[0]} (see {logs}); the same command goes on from here")
