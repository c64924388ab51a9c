# SPDX-License-Identifier: MIT
"""Reads the files of a traced run of paging-pattern: trace, the pattern's view, and counters.

formats/trace-records.md defines the lines of a trace, tests/vm/paging/paging_pattern.c the lines
of a pattern.
"""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Event:
    kind: str  # "I" swap-in, "O" swap-out
    sequence: int
    time: int  # ns; of a fault its end
    pid: str
    tgid: str
    name: str
    address: str
    frame: str
    slot: str
    sector: str
    flags: list[str]
    service: str  # ns, "-" if unknown

    def is_fault(self) -> bool:
        return self.kind == "I" and self.address != "-"

    def __str__(self) -> str:
        return f"number {self.sequence}: {' '.join(self.flags)}"

    def page(self) -> str:
        return f"{self.address} frame {self.frame} slot {self.slot}"


@dataclass
class Trace:
    events: list[Event] = field(default_factory=list)
    lost: int = 0
    end: list[int] = field(default_factory=list)  # of the line "E:": swap-ins, swap-outs, lost
    counted: dict[str, int] = field(default_factory=dict)  # of the line "V:": growth of counters

    def of_kind(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.kind == kind]

    def count(self, *flags: str, kind: str = "IO") -> int:
        return sum(e.kind in kind and all(flag in e.flags for flag in flags) for e in self.events)


def parse_event(line: str) -> Event:
    f = line.split(", ")
    flags = [] if f[10] == "-" else f[10].split()
    return Event(f[0][0], int(f[0][3:]), int(f[1]), *f[3:10], flags, f[11])


def read_trace(path: Path) -> Trace:
    trace = Trace()
    for line in path.read_text().splitlines():
        if line.startswith(("I: ", "O: ")):
            trace.events.append(parse_event(line))
        elif line.startswith("L: "):
            trace.lost += int(line.split(", ")[2])
        elif line.startswith("E: "):
            trace.end = [int(number) for number in line[3:].split(", ")]
        elif line.startswith("V:"):
            trace.counted = {k: int(v) for k, v in (word.split("=") for word in line[2:].split())}
    return trace


@dataclass
class Page:
    """A page of the pattern: its frame before swap-out, its slot, its frame after swap-in."""

    index: int
    address: str
    frame: str
    slot: str
    back: str = ""


@dataclass
class Pattern:
    pid: str = ""
    child: str = ""
    pages: dict[str, Page] = field(default_factory=dict)  # by address
    order: list[str] = field(default_factory=list)  # addresses, as they were read

    def has(self, event: Event) -> bool:
        return event.pid in (self.pid, self.child or self.pid) and event.address in self.pages


def read_pattern(path: Path) -> Pattern:
    pattern = Pattern()
    for line in path.read_text().splitlines():
        f = line.split()
        if f[0] == "pid":
            pattern.pid, pattern.child = f[1], f[2] if len(f) > 2 else ""
        elif f[0] == "out":
            pattern.pages[f[2]] = Page(int(f[1]), f[2], f[3], f"{f[4]}:{f[5]}")
        elif f[0] == "in":
            pattern.pages[f[2]].back = f[3]
            pattern.order.append(f[2])
    return pattern


def read_growth(path: Path) -> dict[str, int]:
    """The growth of each counter, from lines "before NAME VALUE" and "after NAME VALUE"."""
    growth: dict[str, int] = {}
    for line in path.read_text().splitlines():
        when, name, value = line.split()
        growth[name] = growth.get(name, 0) + (int(value) if when == "after" else -int(value))
    return growth
