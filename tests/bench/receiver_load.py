#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Uploads of many hosts to a receiver, each with a TLS connection and a certificate of its own.

  receiver_load.py URL TLS UPLOADS SECONDS BYTES     evenly spread over SECONDS
  receiver_load.py URL TLS UPLOADS at-once BYTES     all connections are open before the first PUT

TLS has ca.crt, and host-N.crt and host-N.key from N = 1. Prints one line: uploads answered with 201
or 204, the others, the median and the 99th percentile of the time from the connection to the answer
in ms, and the seconds that all took. Prints names and SHA-256 of the sent files to standard error.
"""
import asyncio
import hashlib
import os
import ssl
import sys
import time
import urllib.parse


def context_of(tls, host):
    context = ssl.create_default_context(cafile=f"{tls}/ca.crt")
    context.load_cert_chain(f"{tls}/{host}.crt", f"{tls}/{host}.key")
    return context


class Load:
    def __init__(self, url, tls, uploads, size):
        self.address = urllib.parse.urlsplit(url)
        hosts = sum(name.startswith("host-") and name.endswith(".crt") for name in os.listdir(tls))
        self.contexts = [context_of(tls, f"host-{n + 1}") for n in range(min(hosts, uploads))]
        self.bodies = [os.urandom(size) for _ in range(uploads)]
        self.left_to_connect = uploads
        self.all_connected = asyncio.Event()
        self.statuses = []
        self.times = []

    def path(self, number):
        host = number % len(self.contexts) + 1
        return f"/incoming/host-{host}/{number:010}-20261126T000000Z.rows.zst"

    async def upload(self, number, waits_for_all):
        start = time.monotonic()
        reader, writer = await asyncio.open_connection(
            self.address.hostname, self.address.port,
            ssl=self.contexts[number % len(self.contexts)], server_hostname=self.address.hostname)
        self.left_to_connect -= 1
        if self.left_to_connect == 0:
            self.all_connected.set()
        if waits_for_all:
            await self.all_connected.wait()
        body = self.bodies[number]
        writer.write(f"PUT {self.path(number)} HTTP/1.1\r\nHost: {self.address.netloc}\r\n"
                     f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        answer = await reader.read()
        writer.close()
        self.statuses.append(int(answer.split(b" ")[1]) if answer else 0)
        self.times.append(1000 * (time.monotonic() - start))

    async def run(self, seconds):
        start = time.monotonic()
        tasks = []
        for number in range(len(self.bodies)):
            if seconds is not None:
                due = start + seconds * number / len(self.bodies)
                await asyncio.sleep(max(0, due - time.monotonic()))
            tasks.append(asyncio.create_task(self.upload(number, seconds is None)))
        results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if result is not None:
                print(f"error: {result!r}", file=sys.stderr)
        return time.monotonic() - start


async def main():
    url, tls, uploads, seconds, size = sys.argv[1:]
    load = Load(url, tls, int(uploads), int(size))
    took = await load.run(None if seconds == "at-once" else float(seconds))
    stored = sum(status in (201, 204) for status in load.statuses)
    times = sorted(load.times) or [0]
    print(f"{stored} {len(load.bodies) - stored} {times[(len(times) - 1) // 2]:.1f} "
          f"{times[max(0, -(-99 * len(times) // 100) - 1)]:.1f} {took:.2f}")
    for number, body in enumerate(load.bodies):
        print(f"{hashlib.sha256(body).hexdigest()}  .{load.path(number)}", file=sys.stderr)


asyncio.run(main())
