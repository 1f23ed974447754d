# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""aiortc sends video to a headless Chromium. Prints a line for each test.

  webrtc.py MODE RAW   MODE is unchanged (aiortc as it is) or changed (with aiortc-bitrate.patch).
                       RAW has yuv420p frames of WIDTHxHEIGHT.

All packets pass a relay in this process, which can lose, hold back and delay them on their way to
the browser. Chromium's getStats() says what arrives, and it estimates the bitrate (REMB) that
aiortc then encodes with. CHROMIUM names the browser.
"""

import asyncio
import collections
import http.server
import json
import logging
import os
import queue
import random
import re
import sys
import threading
import time
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "tools", "play"))

import aioice.ice
import aiortc
import av
from aiortc.codecs import vpx
from play import open_browser

WIDTH, HEIGHT, RATE = 640, 360, 25
LOOPBACK = "127.0.0.1"
# Chromium must offer the addresses of the loopback, too.
FLAGS = ("--allow-loopback-in-peer-connection", "--disable-features=WebRtcHideLocalIpsWithMdns")


def check(name, passed, why=""):
    print(f"{'ok' if passed else 'not ok'} {name}" + (f" ({why})" if why and not passed else ""), flush=True)


def say(text):
    print(f"# {text}", flush=True)


class Page(http.server.ThreadingHTTPServer):
    """The server of webrtc.html."""

    daemon_threads = True

    def __init__(self):
        super().__init__((LOOPBACK, 0), PageHandler)
        self.tasks, self.results = queue.Queue(), queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://{LOOPBACK}:{self.server_port}/"

    async def ask(self, name, seconds=20, **values):
        """Have the page do a task, and return its result."""
        self.tasks.put({"name": name, **values})
        result = await asyncio.get_running_loop().run_in_executor(None, self.results.get, True, seconds)
        if "error" in result:
            raise RuntimeError(f"{name}: {result['error']}")
        return result.get("value")


class PageHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def send(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/task":
            self.send("application/json", json.dumps(self.server.tasks.get()).encode())
        else:
            with open(os.path.join(HERE, "webrtc.html"), "rb") as page:
                self.send("text/html; charset=utf-8", page.read())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send("text/plain", b"")
        self.server.results.put(json.loads(body))


class Relay:
    """Passes datagrams between the sender and the viewer, each of which sees one port of it."""

    class Side(asyncio.DatagramProtocol):
        def __init__(self, relay, name):
            self.relay, self.name, self.peer, self.transport = relay, name, None, None

        def connection_made(self, transport):
            self.transport = transport

        def datagram_received(self, data, address):
            self.peer = address
            self.relay.passed(self.name, data)

        @property
        def port(self):
            return self.transport.get_extra_info("sockname")[1]

    def __init__(self):
        self.sides = {}
        self.loss = 0.0        # part of the datagrams to the viewer that is lost
        self.silent = False    # whether all are lost
        self.bits = None       # the bits per second that the way to the viewer carries
        self.lost = self.sent = 0
        self.free_at = 0.0     # when the last datagram has left
        self.random = random.Random(1)

    async def open(self, sender_port):
        loop = asyncio.get_running_loop()
        for name in "sender", "viewer":
            _, self.sides[name] = await loop.create_datagram_endpoint(
                lambda name=name: self.Side(self, name), local_addr=(LOOPBACK, 0))
        self.sides["sender"].peer = (LOOPBACK, sender_port)

    def passed(self, name, data):
        if name == "viewer":
            self.deliver("sender", data)
            return
        self.sent += 1
        # RTP and RTCP begin with 128 to 191. STUN and DTLS are not lost.
        media = 128 <= data[0] <= 191
        if media and (self.silent or self.random.random() < self.loss):
            self.lost += 1
            return
        now = time.monotonic()
        if self.bits is None:
            self.free_at = now
            self.deliver("viewer", data)
            return
        leaves = max(now, self.free_at) + 8 * len(data) / self.bits
        if leaves > now + 3:  # the queue is full
            self.lost += 1
            return
        self.free_at = leaves
        asyncio.get_running_loop().call_later(leaves - now, self.deliver, "viewer", data)

    def deliver(self, name, data):
        side = self.sides[name]
        if side.peer and not side.transport.is_closing():
            side.transport.sendto(data, side.peer)

    def close(self):
        for side in self.sides.values():
            side.transport.close()

    def candidates(self, name):
        """The line of SDP that makes a peer send to this side."""
        return f"a=candidate:1 1 udp 2130706431 {LOOPBACK} {self.sides[name].port} typ host\r\n"


class Track(aiortc.MediaStreamTrack):
    """Plays the frames of a file, forwards and backwards, at the frame rate."""

    kind = "video"

    def __init__(self, path):
        super().__init__()
        with open(path, "rb") as file:
            raw = file.read()
        size = WIDTH * HEIGHT * 3 // 2
        frames = [raw[i:i + size] for i in range(0, len(raw), size)]
        self.frames = frames + frames[-2:0:-1]
        self.index, self.start = 0, None

    async def recv(self):
        self.start = self.start or time.monotonic()
        await asyncio.sleep(max(0, self.start + self.index / RATE - time.monotonic()))
        raw = self.frames[self.index % len(self.frames)]
        frame = av.VideoFrame(WIDTH, HEIGHT, "yuv420p")
        at = 0
        for plane in frame.planes:
            lines = []
            for _ in range(plane.height):
                lines.append(raw[at:at + plane.width].ljust(plane.line_size, b"\0"))
                at += plane.width
            plane.update(b"".join(lines).ljust(plane.buffer_size, b"\0"))
        frame.pts, frame.time_base = self.index, Fraction(1, RATE)
        self.index += 1
        return frame


class Watched:
    """Notes what aiortc's VP8 encoder does."""

    def __init__(self):
        self.opened = []            # names of the encoders that were opened
        self.forced = 0             # frames that had to be key frames
        self.keys = self.unasked = 0  # key frames; those that nobody asked for
        self.bits = 0
        self.codec = None
        watched, encode = self, vpx.Vp8Encoder.encode

        class CodecContext:
            @staticmethod
            def create(name, mode):
                context = av.CodecContext.create(name, mode)
                if mode == "w":
                    watched.opened.append(context.codec.long_name)
                    watched.codec = context
                return context

        class Av:
            def __getattr__(self, name):
                return CodecContext if name == "CodecContext" else getattr(av, name)

        def encode_and_note(encoder, frame, force_keyframe=False):
            encoders = len(watched.opened)
            payloads, timestamp = encode(encoder, frame, force_keyframe)
            watched.forced += force_keyframe
            watched.bits += 8 * sum(map(len, payloads))
            if payloads and not vpx.vp8_depayload(payloads[0])[0] & 1:
                watched.keys += 1
                first = len(watched.opened) > encoders
                watched.unasked += not first and not force_keyframe
            return payloads, timestamp

        vpx.av = Av()
        vpx.Vp8Encoder.encode = encode_and_note


class Session:
    def __init__(self, page, raw):
        self.page, self.relay, self.raw = page, Relay(), raw
        self.sender = aiortc.RTCPeerConnection()

    async def connect(self):
        self.sender.addTrack(Track(self.raw))
        for transceiver in self.sender.getTransceivers():
            transceiver.direction = "sendonly"
            transceiver.setCodecPreferences(
                [c for c in aiortc.RTCRtpSender.getCapabilities("video").codecs
                 if c.mimeType in ("video/VP8", "video/rtx")])
        await self.sender.setLocalDescription(await self.sender.createOffer())
        offer = self.sender.localDescription.sdp
        port = int(re.search(rf"a=candidate:.* {LOOPBACK} (\d+) typ host", offer)[1])
        await self.relay.open(port)
        answer = await self.page.ask("connect", 60, offer=self.through(offer, "viewer"))
        await self.sender.setRemoteDescription(
            aiortc.RTCSessionDescription(self.through(answer, "sender"), "answer"))

    def through(self, sdp, side):
        """Replace the candidates by the relay's."""
        return re.sub(r"a=candidate:.*\r\n|a=end-of-candidates\r\n", "", sdp) + self.relay.candidates(side)

    async def stats(self):
        return await self.page.ask("stats")

    async def during(self, seconds):
        """Wait, and return what the statistics have grown by, the bits and frames in a second."""
        before, start = await self.stats(), time.monotonic()
        await asyncio.sleep(seconds)
        after, elapsed = await self.stats(), time.monotonic() - start
        grown = collections.defaultdict(int)
        for name, value in after.items():
            if isinstance(value, (int, float)) and isinstance(before.get(name, 0), (int, float)):
                grown[name] = value - before.get(name, 0)
        grown["fps"] = grown["framesDecoded"] / elapsed
        grown["kbps"] = 8 * grown["bytesReceived"] / elapsed / 1000
        return grown

    async def until(self, condition, seconds):
        """Return whether the statistics fulfil a condition within this time, and the statistics."""
        end = time.monotonic() + seconds
        while True:
            stats = await self.stats()
            if condition(stats) or time.monotonic() > end:
                return condition(stats), stats
            await asyncio.sleep(.1)

    async def close(self):
        await self.sender.close()
        self.relay.close()


async def plays(session, watched):
    """The parts that both versions of aiortc must pass."""
    await session.connect()
    started, stats = await session.until(lambda s: s.get("framesDecoded", 0) > 0, 20)
    check("starts", started, str(stats))
    grown = await session.during(4)
    stats = await session.stats()
    say(f"{grown['fps']:.1f} frames/s, {grown['kbps']:.0f} kb/s, {stats.get('decoderImplementation')}")
    check("all-frames", .9 * RATE < grown["fps"] < 1.2 * RATE, f"{grown['fps']:.1f} frames/s")
    size = (stats.get("frameWidth"), stats.get("frameHeight"), stats.get("mimeType"))
    check("size", size == (WIDTH, HEIGHT, "video/VP8"), str(size))
    check("our-encoder", all("cudame" in name for name in watched.opened), str(watched.opened))


async def key_frames(session, watched):
    # The viewer asks, by PLI or FIR.
    before, forced = await session.stats(), watched.forced
    why = await session.page.ask("keyFrame")
    check("key-frame-asked", why == "", why)
    arrived, stats = await session.until(
        lambda s: s["keyFramesDecoded"] > before["keyFramesDecoded"], 3)
    say(f"asked: PLI {stats['pliCount']}, FIR {stats['firCount']}, "
        f"key frames {before['keyFramesDecoded']} to {stats['keyFramesDecoded']}")
    check("key-frame-comes", arrived and watched.forced > forced, f"{watched.forced - forced} forced")


async def loses(session, watched):
    lost = session.relay.lost
    session.relay.loss = .05
    grown = await session.during(8)
    session.relay.loss = 0
    lost = session.relay.lost - lost
    say(f"5 % loss: {lost} packets lost, {grown['nackCount']} NACK, {grown['pliCount']} PLI, "
        f"{grown['fps']:.1f} frames/s, {grown['freezeCount']} freezes")
    check("loss-happens", lost > 10 and grown["nackCount"] > 0, f"{lost} lost, {grown['nackCount']} NACK")
    check("loss-plays", grown["fps"] > .8 * RATE, f"{grown['fps']:.1f} frames/s")
    await asyncio.sleep(1)
    grown = await session.during(3)
    check("loss-ends", grown["fps"] > .9 * RATE, f"{grown['fps']:.1f} frames/s")

    # Nothing arrives, for longer than aiortc keeps packets.
    before, forced = await session.stats(), watched.forced
    session.relay.silent = True
    await asyncio.sleep(5)
    session.relay.silent = False
    back, stats = await session.until(lambda s: s["keyFramesDecoded"] > before["keyFramesDecoded"], 10)
    say(f"silence: PLI {before['pliCount']} to {stats['pliCount']}, {watched.forced - forced} forced, "
        f"key frames {before['keyFramesDecoded']} to {stats['keyFramesDecoded']}")
    check("silence-asks", stats["pliCount"] > before["pliCount"] and watched.forced > forced,
          f"{stats['pliCount']} PLI")
    check("silence-ends", back, f"{stats['keyFramesDecoded']} key frames")
    grown = await session.during(3)
    check("silence-plays-on", grown["fps"] > .9 * RATE, f"{grown['fps']:.1f} frames/s")


async def follows(session, watched):
    """The bitrate while the way to the viewer carries all, then few bits, then all."""
    rates = []
    for name, limit, seconds in ("up", None, 10), ("down", 600000, 10), ("up-again", None, 16):
        session.relay.bits = limit
        await asyncio.sleep(seconds)
        bits, targets = watched.bits, []
        window = asyncio.ensure_future(session.during(4))
        start = time.monotonic()
        while not window.done():
            targets.append(watched.codec.bit_rate / 1000)
            await asyncio.sleep(.1)
        grown = window.result()
        coded = (watched.bits - bits) / (time.monotonic() - start) / 1000
        target = sum(targets) / len(targets)
        rates.append(target)
        say(f"{name}: bit_rate {target:.0f}, coded {coded:.0f}, received {grown['kbps']:.0f} kb/s, "
            f"{grown['fps']:.1f} frames/s")
        check(f"follows-{name}", abs(coded - target) < .2 * target, f"{coded:.0f} kb/s, not {target:.0f}")
        check(f"plays-{name}", grown["fps"] > .8 * RATE, f"{grown['fps']:.1f} frames/s")
    check("estimate-changes", rates[0] > 650 and rates[1] < 600 and rates[2] > 1.1 * rates[1], str(rates))


async def run(mode, raw):
    aioice.ice.get_host_addresses = lambda use_ipv4, use_ipv6: [LOOPBACK]
    watched, page = Watched(), Page()
    with open_browser(page.url, FLAGS) as log:
        session = Session(page, raw)
        try:
            await plays(session, watched)
            await key_frames(session, watched)
            if mode == "unchanged":
                await loses(session, watched)
            else:
                await follows(session, watched)
            stats = await session.stats()
            say(f"encoders {len(watched.opened)}, key frames {watched.keys}, forced {watched.forced}, "
                f"decoded {stats['keyFramesDecoded']}")
            if mode == "unchanged":
                # aiortc opens another encoder if the estimate has changed.
                check("another-encoder", len(watched.opened) > 1, f"{len(watched.opened)} opened")
            else:
                check("one-encoder", len(watched.opened) == 1, f"{len(watched.opened)} opened")
            check("key-frames-on-demand", watched.unasked == 0, f"{watched.unasked} others")
        except Exception as error:
            with open(log, encoding="utf-8", errors="replace") as file:
                sys.stderr.write(file.read()[-3000:])
            check("ends", False, f"{type(error).__name__}: {error}")
            raise
        finally:
            await session.close()


if __name__ == "__main__":
    logging.basicConfig(level=os.environ.get("LOGLEVEL", "WARNING"))
    asyncio.run(run(*sys.argv[1:]))
