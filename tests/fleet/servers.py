# SPDX-License-Identifier: MIT
"""The servers of ClickHouse that tests of physmem-fleet ask."""
import pathlib
import signal
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent


def check(good, what):
    if not good:
        sys.exit("failed: " + what)
    print("good: " + what, flush=True)


class Shards:
    """Two shards of 18.16."""

    def __init__(self, folder):
        self.folder = folder
        self.url = self.call()

    def call(self, *words):
        done = subprocess.run([HERE / "clickhouse-server", *words, self.folder],
                              capture_output=True, text=True, check=False)
        if done.returncode == 77:
            print(done.stdout, end="")
            sys.exit(77)
        if done.returncode != 0:
            sys.exit(f"failed: clickhouse-server {words}: {done.stderr}")
        return done.stdout.strip()

    def ask(self, number, sql):
        place = self.call("--url", str(number)).removeprefix("clickhouse+").rsplit("/", 1)[0]
        with urllib.request.urlopen(place, data=sql.encode(), timeout=60) as answer:
            return answer.read().decode().strip()

    def each(self, sql):
        return [self.ask(number, sql) for number in (1, 2)]


class Chdb:
    """Today's ClickHouse, if it is available."""

    def __init__(self, folder):
        found = subprocess.run([HERE / "fetch-chdb"], capture_output=True, text=True, check=False)
        self.process = None
        self.left_out = None    # why there is no server
        if found.returncode != 0:
            self.left_out = f"chDB is left out: {found.stdout}{found.stderr}".strip()
            print(self.left_out)
            return
        self.process = subprocess.Popen(
            ["node", HERE / "chdb_server.mjs", found.stdout.strip(), folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        port = self.process.stdout.readline().strip()
        check(port, f"chDB runs as a server at port {port}")
        self.url = f"clickhouse+http://127.0.0.1:{port}/physmem"

    def end(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


def with_servers(limit, test):
    """Calls test(work, shards, chdb), and stops the servers after `limit` seconds, before ctest's
    limit, whose signal would leave them running. At the end, prints what was left out."""
    def ended(number, _frame):
        sys.exit(f"failed: {signal.Signals(number).name}"
                 + (f" after {limit} s" if number == signal.SIGALRM else ""))

    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, ended)
    signal.alarm(limit)
    with tempfile.TemporaryDirectory(prefix="physmem-stores-") as name:
        work = pathlib.Path(name)
        shards = Shards(work / "shards")
        chdb = Chdb(work / "chdb")
        try:
            test(work, shards, chdb)
        finally:
            shards.call("--stop")
            chdb.end()
    print(chdb.left_out or "nothing was left out")
