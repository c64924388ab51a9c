# SPDX-License-Identifier: MIT
"""Reports whose names and clocks are hostile, for tests that compare stores."""
import hashlib
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "endtoend"))
from fleet_store import MIDNIGHT, report, row  # noqa: E402

# As reports have them: control characters, backslashes and invalid UTF-8 as \ooo.
NAMES = [b"a\\011tab", b"new\\012line", b'"double"', b"it's", b"'); DROP TABLE units; --",
         b"\\377\\376", b"\\303", b"x" * 4095, b"\\134" * 4095, b"\\134n", b"\\134", b"%s%n",
         b"a,b", b"=1+1", b"\\033[31m", b"\\000", b"[1]", b"{all}", b"{database}", b":since", b"?1",
         b"[units: x]", b"<b>&", "ä→😀".encode(), b"NULL", b"\\134N", b"*", b" ", b"-"]


def hostile_names():
    """Three snapshots of two machines, with each name in each text of each table."""
    for number in range(3):
        size = 4096 * (number + 1)
        rows = [row("regions", [b"heap"], [size, 2**60])]
        for i, name in enumerate(NAMES):
            rows += [row("counters", [name], [i]),
                     row("names", [name, name], [1, size * (i + 1), None, size * (i + 1), 0, 1, 0,
                                                 None]),
                     row("alerts", [name, name, name], [1]), row("leaks", [name, name], [1, 2, 0]),
                     row("classes", [name], [4096 * i, None]),
                     row("caches", [name, name], [4096 * i])]
        for machine in (b"plain", b"it's \\134 \\011 {all}"):
            yield report(machine, 600 + 1800 * number,
                         [(name, 4096 * (i + number)) for i, name in enumerate(NAMES)],
                         host="it's \\011 \\377 \"", boot="b'\\012", rows=rows, sequence=number)


def wrong_clocks():
    """Boots whose clock jumps; some without an id, an uptime or a number. All on one day."""
    dice = random.Random(3)
    for machine in range(8):
        sequence, second, lost = 0, 20_000, 0
        for boot in range(4):
            uptime = 0
            name = dice.choice(["", f"boot{boot}", f"boot{boot}"])
            for _ in range(12):
                uptime += dice.randrange(1, 100) * 10**9
                second = max(second + dice.randrange(-200, 600), 0)
                sequence = dice.choice([0] + 30 * [sequence + 1 + dice.choice([0, 0, 0, 2])])
                lost += dice.choice([0, 0, 0, 3])
                yield report(b"clock%d" % machine, second, [(b"u", 4096)], ns=dice.randrange(10**9),
                             host=f"clock{machine}", boot=name, lost=lost,
                             uptime=dice.choice([None] + 20 * [uptime]),
                             sequence=dice.choice([None] + 20 * [sequence]))


def changing_alerts():
    """Alerts that open, close and are reported again, over three days."""
    dice = random.Random(4)
    for machine in range(6):
        second = 0
        while second < 3 * 86400:
            second += dice.choice([0, 5, 3000, 30_000])
            units = [row("units", [unit], [4096, 0, 0, 1, 1, 1, 1, dice.choice([0, 0, 1, 5])])
                     for unit in (b"/lib/a", b"/lib/b", b"/lib/c") if dice.random() < 0.8]
            yield report(b"alerts%d" % machine, second, [], ns=dice.randrange(10**9),
                         host=f"alerts{machine}",
                         rows=units + [row("alerts", [unit, process, b"private_text"],
                                           [dice.choice([0, 0, 1, 1, 1, None])])
                                       for unit in (b"/lib/a", b"/lib/b")
                                       for process in (b"p", b"q") if dice.random() < 0.6])


def largest_rows():
    """The largest sizes that a report may have."""
    return [row("units", [b"u"], [2**48, 2**48, 2**48, 1, 1, 1, 1, 0]),
            row("classes", [b"free"], [2**48, None])]


def too_large_sums():
    """The largest sizes, so often that their sum is above 2^64, and one other machine of the same
    and of the next day."""
    for number in range(22_000):
        yield report(b"evil", number, [], host="wrong", rows=largest_rows())
    for day in range(2):
        yield report(b"good", day * 86400, [(b"u", 4096)], host="good",
                     rows=[row("classes", [b"free"], [4096, None])])


def large_on_many_machines():
    """Sizes whose sum over all machines is above 2^63, but not over the machines of one shard."""
    for number in range(11_000):
        yield report(b"m%d" % number, number, [], host=f"m{number}", rows=largest_rows()[:1])
    yield report(b"last", 0, [], host="last", rows=largest_rows())


def many(machine, host):
    """Small reports."""
    for number in range(1500):
        yield report(machine, 60 * number, [(b"u", 4096), (b"v", 8192)], host=host,
                     sequence=number)


def of_db1(units):
    """Of two days and two machines, of which `db1` has these units."""
    key = hashlib.sha256(repr(units).encode()).hexdigest()[8:]
    for number in range(6):
        second = number * 36_000
        yield report(b"db1", second, [(unit, 4096) for unit in units], host="db1",
                     rows=[row("classes", [b"free"], [4096, None])], key=f"{number:08}{key}")
        yield report(b"db2", second, [(b"/lib/x", 8192)], host="db2")


def clock_ahead(second):
    """A machine that is also in a time to come, in seconds since 1970."""
    yield report(b"good", second - MIDNIGHT, [(b"u", 2**30)], host="good")


def write_reports(path, reports):
    path.write_bytes(b"physmem-fleet-rows 1\n" + b"".join(reports))
    return path


def write(path):
    """The report of `far` is refused: status 5."""
    reports = [*hostile_names(), *wrong_clocks(), *changing_alerts(),
               report(b"far", 40_000 * 86400, [(b"u", 4096)])]
    random.Random(1).shuffle(reports)
    return write_reports(path, reports)
