# SPDX-License-Identifier: MIT
"""For tests of physmem-fleet: runs programs, writes reports, and reads a store of SQLite."""
import hashlib
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time

MIDNIGHT = 1795219200  # 2026-11-21
DAY = 86400
# In memory, if possible: stores wait for the disk at each batch.
folder = tempfile.TemporaryDirectory(
    prefix="physmem-fleet-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)


def restored(text):
    """The bytes of a name in an export."""
    return re.sub(rb"\\([0-3][0-7]{2})", lambda found: bytes([int(found[1], 8)]), text.encode())


def place(name):
    return os.path.join(folder.name, name)


def run(*command, status=0, **options):
    result = subprocess.run(command, capture_output=True, check=False, **options)
    if status is not None and result.returncode != status:
        sys.exit(f"{' '.join(map(str, command))}: found status {result.returncode}, expected "
                 f"{status}:\n{result.stderr.decode(errors='replace')[:2000]}")
    return result


def expect(is_true, what):
    if not is_true:
        sys.exit(f"expected {what}")


def row(table, texts, numbers):
    """A line of a fact table. A number may be None."""
    numbers = (b"-" if number is None else str(number).encode() for number in numbers)
    return b"\t".join([table.encode(), *texts, *numbers])


def report(machine, second, units, host="h", ns=0, boot="boot", uptime=1, sequence=None, lost=0,
           rows=(), key=None):
    """The text of a report without the first line of a file. `units`: pairs of name and bytes."""
    def number(value):
        return b"-" if value is None else str(value).encode()
    key = key or hashlib.sha256(repr((machine, second, ns, sequence)).encode()).hexdigest()
    snapshot = [b"snapshot", key.encode(), machine, host.encode(), boot.encode(), b"6.1", b"x86",
                b"proc", b"", b"", number((MIDNIGHT + second) * 10**9 + ns), number(uptime),
                number(sequence), b"4096", b"-", b"1", b"0", number(lost)]
    facts = [row("units", [unit], [size, 0, 0, 1, 1, 1, 1, 0]) for unit, size in units]
    facts += rows
    return b"\n".join([b"\t".join(snapshot), *facts, b"end\t%d" % len(facts), b""])


def put(name, *reports):
    with open(place(name), "wb") as file:
        file.write(b"physmem-fleet-rows 1\n" + b"".join(reports))
    return place(name)


FACTS = ["units", "regions", "counters", "names", "alerts", "leaks", "classes", "caches"]
TEXTS = {"unit", "region", "counter", "name", "cgroup", "process", "rule", "what", "class", "kind"}


def content(store):
    """Everything in a store but its numbers of texts and of snapshots. Opens it as any program of
    SQLite does, so that what a killed program has begun is rolled back."""
    with sqlite3.connect(store) as database:
        ask = database.execute
        expect(ask("PRAGMA integrity_check").fetchall() == [("ok",)], f"{store}: no damage")
        texts = dict(ask("SELECT id, text FROM texts"))
        keys = dict(ask("SELECT id, key FROM snapshots"))
        found = {"snapshots": sorted(ask(
            "SELECT key, m.machine, time, millisecond, h.text, sequence, uptime_ns, lost "
            "FROM snapshots s JOIN machines m ON m.id = s.machine JOIN texts h ON h.id = s.host"))}
        for table in FACTS:
            cursor = ask(f"SELECT * FROM {table}")
            titles = [column[0] for column in cursor.description]
            found[table] = sorted(
                repr([keys[line[0] >> 16], *(texts[value] if title in TEXTS else value
                                             for title, value in list(zip(titles, line))[1:])])
                for line in cursor)
        for table in ("machine_days", "unit_days", "trend_days", "ram_days"):
            cursor = ask(f"SELECT * FROM {table}")
            titles = [column[0] for column in cursor.description]
            found[table] = sorted(repr([texts[value] if title in TEXTS - {"kind"} else value
                                        for title, value in zip(titles, line)])
                                  for line in cursor)
        found["days"] = sorted(ask("SELECT day FROM days"))
        found["expired"] = ask("SELECT max(before) FROM expired").fetchall()
    database.close()
    return found


def main(*tests):
    for test in tests:
        begin = time.monotonic()
        test()
        print(f"{test.__name__}: {time.monotonic() - begin:.1f} s", flush=True)
