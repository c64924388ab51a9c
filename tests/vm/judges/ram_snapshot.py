# SPDX-License-Identifier: MIT
"""The records of a snapshot of the whole of RAM, by a parser that shares no code with the
analyzer."""

from collections import Counter
from pathlib import Path

from tap import Points

BOOT = {"reserved", "kernel_code", "kernel_data", "crash_kernel", "memmap"}
NO_RAM = {"hole", "offline"}


class Snapshot:
    """A snapshot of a run. `facts`: the words of the line of the run."""

    def __init__(self, files: Path, facts: dict[str, str]) -> None:
        self.files, self.facts = files.with_suffix(""), facts
        self.records = Path(f"{files}.txt").read_text()
        self.page = int(facts["page"])
        self.runs, self.owners, self.counters = [], {}, {}
        for line in self.records.splitlines():
            letter, _, rest = line.partition(": ")
            fields = [field.strip() for field in rest.split(",")]
            if letter == "R":
                first, pages, use, owner, cgroup, flags, count, place = fields
                run = (int(first, 16), int(pages), use, int(owner), int(cgroup), int(flags, 16))
                self.runs.append((*run, int(count), int(place, 16)))
            elif letter == "O":
                self.owners[int(fields[0])] = fields[1:]
            elif letter == "G":
                self.counters.update(field.split("=", 1) for field in fields)
        self.classes = Counter()
        for run in self.runs:
            self.classes[run[2]] += run[1]
        if facts["kind"] == "kmod":
            self.add_totals()

    def add_totals(self) -> None:
        """Adds totals that modules cannot read, in pages."""
        for name in ("hugetlb", "vmalloc", "percpu"):
            pages = int(self.facts[name]) * 1024 // self.page
            self.counters |= {f"ram.{when}.{name}": pages for when in ("before", "after")}

    def caches(self) -> dict[str, tuple[int, int]]:
        """The least and the most pages of each slab cache. Modules cannot read slabinfo, so the
        guest reads it before and after. The other collectors read it once."""
        if self.facts["kind"] != "kmod":
            return {name[5:]: (int(value), int(value)) for name, value in self.counters.items()
                    if name.startswith("slab.")}
        before, after = (self.slabinfo(when) for when in ("before", "after"))
        return {name: (min(before.get(name, 0), after.get(name, 0)),
                       max(before.get(name, 0), after.get(name, 0))) for name in before | after}

    def slabinfo(self, when: str) -> dict[str, int]:
        pages = {}
        for line in self.text(f"slabinfo.{when}").splitlines():
            fields = line.split()
            if ": slabdata" in line and fields[-2].isdigit():
                pages[fields[0]] = int(fields[-2]) * int(fields[5])
        return pages

    def text(self, suffix: str) -> str:
        return Path(f"{self.files}.{suffix}").read_text()

    def total(self, name: str) -> tuple[int, int]:
        """The least and the most of a total, before and after the frames were read."""
        both = [int(self.counters.get(f"ram.{when}.{name}", 0)) for when in ("before", "after")]
        return min(both), max(both)

    def mean(self, name: str) -> int:
        return sum(self.total(name)) // 2

    def frames(self) -> int:
        return sum(pages for use, pages in self.classes.items() if use not in NO_RAM)

    def of_group(self, group: str) -> Counter:
        """Pages that the cgroup pays for, by class."""
        inode = self.text(f"{group}.inode").strip()
        ids = [i for i, o in self.owners.items() if o[0] == "cgroup" and o[1] == inode]
        pages = Counter()
        for run in self.runs:
            if run[4] in ids:
                pages[run[2]] += run[1]
        return pages

    def frames_of(self) -> dict[int, tuple]:
        """Class, owner, place, group, flags of each frame. Owners by name, as ids differ."""
        frames = {}
        for first, pages, use, owner, group, flags, _, place in self.runs:
            rises = use in ("file", "block", "shmem") and owner
            names = [tuple(self.owners.get(i, ())) for i in (owner, group)]
            for i in range(pages):
                at = place + i if rises else place
                frames[first + i] = (use, names[0], at, names[1], flags)
        return frames

    def of_owner(self, kind: str, name: str) -> Counter:
        """Pages of the owner of this kind and name, by class."""
        ids = [i for i, o in self.owners.items() if o[0] == kind and o[-1] == name]
        pages = Counter()
        for run in self.runs:
            if run[3] in ids:
                pages[run[2]] += run[1]
        return pages


def check_order(points: Points, snapshot: Snapshot) -> None:
    ends = [0] + [run[0] + run[1] for run in snapshot.runs]
    gaps = [hex(run[0]) for end, run in zip(ends, snapshot.runs) if run[0] != end]
    points.none("runs cover all frames from 0 on, each once", gaps)
    ids = {0, *snapshot.owners}
    points.none("owners have a line", [r for r in snapshot.runs if not {r[3], r[4]} <= ids])
    sums = [snapshot.counters.get(f"ram.{name}") for name in ("runs", "frames", "owners")]
    found = [len(snapshot.runs), sum(snapshot.classes.values()), len(snapshot.owners)]
    points.lists("the sums of the records", [int(text or -1) for text in sums], found)
