#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plays videos in a headless Chromium, to the end and after seeks, and reports the result.

  play.py FILE[=FRAMES]... [--alpha FILE]...     in Chromium; exit status 1 if a file does not play
  play.py --serve FILE...                        serves the page for any browser

A file plays if it ends by itself, has FRAMES frames (if given) and no corrupted ones, and if each
seek presents a frame within a tenth of a second of its target. A file named by --alpha must also
have a transparent corner and an opaque middle. CHROMIUM names the browser.
"""

import argparse
import contextlib
import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


class Server(http.server.ThreadingHTTPServer):
    """Serves the page and files. The page's findings are in `results` when `done` is set."""

    def __init__(self, files):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.results, self.done = files, None, threading.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def send(self, kind, body, status=200, headers=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for header in headers:
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(body)

    def send_part(self, path):
        """The requested range of a file, which seeking needs."""
        with open(path, "rb") as file:
            data = file.read()
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not asked:
            self.send("video/webm", data, headers=[("Accept-Ranges", "bytes")])
            return
        first, last = int(asked[1]), min(int(asked[2] or len(data) - 1), len(data) - 1)
        if first > last:
            self.send("text/plain", b"", 416, [("Content-Range", f"bytes */{len(data)}")])
            return
        self.send("video/webm", data[first:last + 1], 206,
                  [("Accept-Ranges", "bytes"), ("Content-Range", f"bytes {first}-{last}/{len(data)}")])

    def do_GET(self):
        names = [os.path.basename(f) for f in self.server.files]
        number = re.fullmatch(r"/file/(\d+)", self.path)
        try:
            if self.path == "/":
                with open(os.path.join(HERE, "play.html"), "rb") as page:
                    self.send("text/html; charset=utf-8", page.read())
            elif self.path == "/files":
                self.send("application/json", json.dumps(names).encode())
            elif number and int(number[1]) < len(names):
                self.send_part(self.server.files[int(number[1])])
            else:
                self.send("text/plain", b"nothing here\n", 404)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the browser closed the connection early

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send("text/plain", b"")
        self.server.results = json.loads(body)
        self.server.done.set()


def fault(seen, frames, alpha):
    """The reason why a file does not play, or an empty text."""
    if "error" in seen:
        return seen["error"]
    if not seen["ended"]:
        return "it does not end"
    if frames and seen["frames"] != frames:
        return f"{seen['frames']} frames of {frames}"
    if seen["corrupted"]:
        return f"{seen['corrupted']} corrupted frames"
    for seek in seen["seeks"]:
        if max(abs(seek["to"] - seek["at"]), abs(seek["to"] - seek["frame"])) > .1:
            return f"a seek to {seek['to']:.2f} s is at {seek['at']:.2f}, its frame at {seek['frame']:.2f}"
    corner, middle = (seen["pixels"][where][3] for where in ("corner", "middle"))
    if (corner, middle) != ((0, 255) if alpha else (255, 255)):
        return f"the corner's alpha is {corner}, the middle's {middle}"
    return ""


def browser():
    for name in (os.environ.get("CHROMIUM"), *BROWSERS):
        path = shutil.which(name) if name else None
        if path:
            return path
    raise SystemExit("there is no Chromium: install it (tools/install-deps play), or name it with CHROMIUM")


@contextlib.contextmanager
def open_browser(url, flags=()):
    """Opens a page in a headless Chromium, and ends it. The value is the path of Chromium's log."""
    # Killed processes of the browser may still write files.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [browser(), "--headless=new", "--disable-gpu", "--mute-audio", "--no-first-run",
                   "--autoplay-policy=no-user-gesture-required", f"--user-data-dir={profile}", *flags]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        path = os.path.join(profile, "log")
        with open(path, "w", encoding="utf-8") as log:
            program = subprocess.Popen(command + [url], stdout=log, stderr=log, start_new_session=True)
            try:
                yield path
            finally:
                os.killpg(program.pid, signal.SIGKILL)
                program.wait()


def play(server, seconds):
    with open_browser(server.url) as path:
        if not server.done.wait(seconds):
            with open(path, encoding="utf-8", errors="replace") as log:
                sys.stderr.write(log.read()[-2000:])
            raise SystemExit(f"{browser()} did not finish within {seconds} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--alpha", action="append", default=[])
    parser.add_argument("--serve", action="store_true")
    parser.add_argument("--timeout", type=int, default=300, help="seconds")
    args = parser.parse_args()
    wanted = []  # (path, frames, alpha)
    for text, alpha in [(f, False) for f in args.files] + [(f, True) for f in args.alpha]:
        path, frames = re.fullmatch(r"(.*?)(?:=(\d+))?", text).groups()
        if not os.path.isfile(path):
            parser.error(f"{path} is no file")
        wanted.append((path, int(frames or 0), alpha))
    if not wanted:
        parser.error("no file")

    server = Server([path for path, _, _ in wanted])
    if args.serve:
        print(f"{server.url} (end with Ctrl-C)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    play(server, args.timeout)
    status = 0
    for (path, frames, alpha), seen in zip(wanted, server.results):
        why = fault(seen, frames, alpha)
        status |= bool(why)
        print(f"{path}: {why}" if why else
              f"{path}: plays, {seen['width']}x{seen['height']}, {seen['frames']} frames, "
              f"{seen['dropped']} dropped, {len(seen['seeks'])} seeks")
    return status


if __name__ == "__main__":
    sys.exit(main())
