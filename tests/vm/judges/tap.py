# SPDX-License-Identifier: MIT
"""Test points for judges, which read the files of a guest test and print their results.

A failed point prints the input, the expected and the found value.
"""

import sys
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path

MAX_SHOWN = 5  # lines of one difference


class Points:
    """Prints test points of the Test Anything Protocol, and records whether one failed."""

    def __init__(self, judge: str) -> None:
        self.judge = judge
        self.about = ""  # prefix of the following points
        self.input = ""
        self.count = 0
        self.failures = 0

    def begin(self, about: str, given: str) -> None:
        """Begins the points of a run with this input."""
        self.about = f"{about}: "
        self.input = given

    def read_from(self, given: str) -> None:
        """The following points of the run are about this file, or this line of it."""
        self.input = given

    def point(self, what: str, is_good: bool, expected: object, found: object) -> None:
        self.count += 1
        self.failures += not is_good
        print(f"{'ok' if is_good else 'not ok'} {self.count} - {self.judge}: {self.about}{what}")
        if not is_good:
            print(f"#   input:    {self.about}{self.input}")
            print(f"#   expected: {expected}\n#   found:    {found}")

    def equal(self, what: str, expected: object, found: object) -> None:
        self.point(what, expected == found, expected, found)

    def lists(self, what: str, expected: list, found: list) -> None:
        """Passes if the lists are equal; otherwise shows the first different items."""
        pairs = list(enumerate(zip_longest(expected, found, fillvalue="nothing")))
        pairs = [(i, pair) for i, pair in pairs if pair[0] != pair[1]][:MAX_SHOWN]
        self.point(
            what,
            not pairs,
            f"{len(expected)} items; " + "; ".join(f"item {i}: {pair[0]}" for i, pair in pairs),
            f"{len(found)} items; " + "; ".join(f"item {i}: {pair[1]}" for i, pair in pairs),
        )

    def none(self, what: str, wrong: list) -> None:
        """Passes if no item is wrong; otherwise shows the first ones."""
        shown = "; ".join(str(item) for item in wrong[:MAX_SHOWN])
        self.point(what, not wrong, "no such item", f"{len(wrong)} such items: {shown}")

    def between(self, what: str, least: float, most: float, found: float) -> None:
        self.point(what, least <= found <= most, f"{least:g} to {most:g}", f"{found:g}")

    def above(self, what: str, least: float, found: float) -> None:
        self.point(what, found > least, f"more than {least:g}", f"{found:g}")

    def below(self, what: str, most: float, found: float) -> None:
        self.point(what, found < most, f"less than {most:g}", f"{found:g}")

    def at_least(self, what: str, least: float, found: float) -> None:
        self.point(what, found >= least, f"{least} or more", found)

    def status(self) -> int:
        return 1 if self.failures else 0


def words(line: str) -> dict[str, str]:
    """The pairs of a line "key=value key=value"."""
    return dict(word.split("=", 1) for word in line.split())


def judge_runs(name: str, suffix: str, read: Callable, judges: dict[str, Callable]) -> int:
    """Judges the runs of the folder that is the program's argument; returns the exit status.

    Each line of a file TEST.SUFFIX is a run: name=NAME kind=KIND ... Its files are TEST.NAME.*:
    read() makes a run of them and of the line's words, judges[KIND] judges it.
    """
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(f"usage: {name} DIR: found {sys.argv[1:]}, expected a folder of a guest's files")
    folder = Path(sys.argv[1])
    points = Points(name)
    for runs in sorted(folder.glob(f"*.{suffix}")):
        for line in runs.read_text().splitlines():
            facts = words(line)
            points.begin(f"{runs.stem}.{facts.get('name')}", line)
            try:
                run = read(folder / f"{runs.stem}.{facts['name']}", facts)
                judges[facts["kind"]](points, run)
            except (OSError, EOFError, ValueError, TypeError, IndexError, KeyError) as error:
                points.point("the files of the run", False, "whole files", repr(error))
    if not points.count:
        points.begin(name, str(folder))
        names = sorted(path.name for path in folder.iterdir())
        points.point("runs", False, f"a file *.{suffix} with a line for each run", names)
    return points.status()
